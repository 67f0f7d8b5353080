"""What the documents say of the engine is what the engine does."""

import json
import re
from pathlib import Path

import pytest

from engine.record import read_record
from engine.rules import FIELDS, PRESETS

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
RECORDS = (ROOT / "docs/records.md").read_text(encoding="utf-8")


def documented_fields():
    table = RULES.split("<!-- fields: begin")[1].split("<!-- fields: end")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    return {row[0].strip("`"): row[1:] for row in rows if row and row[0].startswith("`")}


def test_the_table_of_fields_is_complete_and_in_order():
    assert list(documented_fields()) == list(FIELDS)


@pytest.mark.parametrize(("name", "field"), FIELDS.items())
def test_the_table_of_fields_gives_the_values_and_the_presets(name, field):
    values, *presets = documented_fields()[name]
    if field.words:
        assert set(values.split(", ")) == set(field.words)
    elif field.values:
        assert values.split(", ") == [str(value) for value in field.values]
    else:
        assert values == f"a whole number from {field.low}"
    for preset, documented in zip(PRESETS.values(), presets, strict=True):
        if name in preset:
            assert documented == field.write(preset[name])


@pytest.mark.parametrize("language", ["", "json"])
def test_the_example_records_read_without_a_problem_and_are_equal(language):
    example = re.search(rf"```{language}\n([\[{{].*?)```", RECORDS, re.DOTALL)[1]
    reading = read_record(example)
    assert not reading.problems
    assert [str(play.card) for play in reading.record.deals[0].plays] == ["7H", "4C", "4D", "9C"]
    if language:
        assert json.loads(example)["names"] == list(reading.record.names)
