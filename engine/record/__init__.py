"""Game records (`*.pisti`): text and JSON forms, a lenient reader, replay and score.

`read_record` and `read_file` never raise on a bad record: they keep what is legal and list the
problems. `write_text` and `write_json` write forms that read back to an equal record.
"""

from engine.record.build import Reading
from engine.record.json_form import to_json, write_json
from engine.record.read import read_file, read_record, read_stream
from engine.record.replay import recorded, replay
from engine.record.score_form import score_to_json
from engine.record.text_form import write_text
from engine.record.types import DealRecord, PlayRecord, Problem, Record

__all__ = [
    "DealRecord",
    "PlayRecord",
    "Problem",
    "Reading",
    "Record",
    "read_file",
    "read_record",
    "read_stream",
    "recorded",
    "replay",
    "score_to_json",
    "to_json",
    "write_json",
    "write_text",
]
