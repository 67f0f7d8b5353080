"""From the recording of a game to its record and score."""

from __future__ import annotations

import hashlib
import json
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, Final

from advisor.journal import Journal, journal_path
from advisor.second_look import doubtful
from engine import Match, RuleSet
from engine.record import Record, replay, score_to_json, to_json
from vision.decoder import Decoder, Doubt, Fact, Look
from vision.decoder.hands import Hands
from vision.errors import VisionError
from vision.layout import Layout
from vision.sources import Frame, LiveSource, Recording, Source, SourceError, Status, open_source
from vision.sources.devices import Patience
from vision.sources.opening import shown_name
from vision.sources.scaling import fitted
from vision.table import (
    STILL,
    Closeup,
    Move,
    PileWatcher,
    PileZone,
    ReadsParts,
    Survey,
    clearness,
    closeups,
    count_players,
    find_hands,
    find_pile,
    look_again,
    survey,
)
from vision.weights import Weights

#: Least seconds between the frames that are looked at: one movement can take a third of a second.
EVERY: Final = 0.06
#: Pictures are scaled down to this width or height.
LARGEST: Final = 1920
#: A camera or a stream that shows nothing new for so many seconds has ended.
GIVE_UP: Final = 30.0
#: Seconds after which it is asked again whether it is to end, where no picture comes.
_ASKED: Final = 0.25
#: At most this share of a recording is looked at again, in at most so many rounds.
_MOST_AGAIN: Final = 0.2
_ROUNDS: Final = 2
#: The pile's place, as close-ups show it, is at most so many radii from where it was found first.
_MOVED: Final = 0.6

Progress = Callable[[float, float | None], None]


@dataclass(frozen=True, slots=True)
class Scored:
    """A recording as it was understood.

    Attributes:
        source: the recording.
        record: the game.
        match: the match it replays to.
        review: the plays that a person should check.
        problem: why the recording could not be read to its end, else None.
        zone: where the pile lies in its pictures.
        size: (width, height) of its pictures.
        told_players: how the number of players is known: "given", by the "recording", or by the
            "rules" alone, where the recording was to tell and could not.
        told_dealer: how the first dealer is known: "given", or "assumed" to be the last seat.
        moves: where the camera was bumped, slips or drifts, the seconds from which its picture has
            moved, and how.
        lost: when it could last be told how the camera had moved, before the first long time in
            which it could not; None where there was none.
    """

    source: str
    record: Record
    match: Match
    review: tuple[Doubt, ...]
    problem: SourceError | None
    zone: PileZone
    size: tuple[int, int]
    told_players: str = "given"
    told_dealer: str = "given"
    moves: tuple[tuple[float, Move], ...] = ()
    lost: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what other programs are told."""
        return {
            "record": to_json(self.record),
            "score": score_to_json(self.match),
            "review": [doubt.to_json() for doubt in self.review],
            "players_from": self.told_players,
            "dealer_from": self.told_dealer,
            "view_lost": self.lost,
        }

    def zone_at(self, time: float) -> PileZone:
        """Return where the pile lies in the picture at *time*, in seconds."""
        at = bisect_right([since for since, _ in self.moves], time)
        return self.zone.moved(self.moves[at - 1][1]) if at else self.zone


def score_recording(
    source: str,
    rules: RuleSet,
    reader: ReadsParts,
    *,
    others: Sequence[RuleSet] = (),
    dealer: int | None = None,
    names: tuple[str, ...] = (),
    layout: Layout | None = None,
    facts: Sequence[Fact] = (),
    progress: Progress = lambda _at, _of: None,
    told: Callable[[list[Closeup], Survey], None] = lambda _seen, _survey: None,
    ending: Callable[[], bool] = lambda: False,
) -> Scored:
    """Return the game in the recording *source*.

    What was read is kept (`advisor.journal`): a run that was stopped goes on where it was. Of a
    camera or a stream nothing is kept; it ends when *ending* says so, or when nothing new has come
    for `GIVE_UP` seconds.

    Args:
        source: a video file, a folder of pictures, a camera or a stream.
        rules: the rule set it was played by.
        reader: what reads cards in pictures.
        others: the same rules for other numbers of players, where the recording is to tell how many
            play; *rules* hold where it cannot.
        dealer: the dealer of the first deal; by default the last seat.
        names: the players' names by seat.
        layout: where the pile lies, where a person has said so.
        facts: plays that a person has corrected.
        progress: called with the seconds done and the seconds in all, where known.
        told: called after every close-up with all of them, for those who tell as they read.
        ending: asked between the pictures of a camera or a stream whether they are to end.

    Raises:
        SourceError: the source cannot be opened.
        StoreError: this recording is being read already.
        VisionError: no cards show in the recording.
    """
    marked = "" if layout is None else json.dumps(layout.to_json())
    with (
        open_source(
            source, every=EVERY, largest=LARGEST, patience=Patience(give_up=GIVE_UP)
        ) as frames,
        closing(Journal(journal_path(source, weights=_weights_mark(), layout=marked))) as journal,
    ):
        size = frames.size
        problem = _read(frames, size, journal, reader, layout, progress, told, ending)
        found = journal.survey
        if found is None or found.zone is None:
            raise VisionError("score.no_cards")
        fixed = layout is not None and layout.pile is not None
        rules, hands, told_players = who_plays(journal.closeups, found, rules, others, fixed=fixed)
        for round_ in range(1 + _ROUNDS):
            record, review = understand(
                journal.closeups, found, rules, dealer=dealer, facts=facts, fixed=fixed, hands=hands
            )
            if round_ == _ROUNDS or not _look_again(frames, journal, reader, record):
                break
    named = _fitting(names, rules.players)
    record = replace(record, names=named, source=shown_name(source))
    match, moves = replay(record), _moves(journal.closeups)
    lost = next((one.lost for one in journal.closeups if one.lost is not None), None)
    return Scored(
        source,
        record,
        match,
        review,
        problem,
        found.zone,
        size,
        told_players=told_players,
        told_dealer="assumed" if dealer is None else "given",
        moves=moves,
        lost=lost,
    )


def _moves(seen: Sequence[Closeup]) -> tuple[tuple[float, Move], ...]:
    """Return from when on the picture had moved, and how."""
    before, moves = STILL, []
    for one in seen:
        if one.move != before:
            before = one.move
            moves.append((one.time, before))
    return tuple(moves)


def _read(
    frames: Source,
    size: tuple[int, int],
    journal: Journal,
    reader: ReadsParts,
    layout: Layout | None,
    progress: Progress,
    told: Callable[[list[Closeup], Survey], None],
    ending: Callable[[], bool],
) -> SourceError | None:
    """Read *frames* into the journal, as far as they are not in it; return what went wrong."""
    if journal.complete:
        return None
    pictures = _until(ending, frames, size) if isinstance(frames, LiveSource) else frames
    circle = None if layout is None else layout.pile_circle(size)
    if journal.survey is None:
        first = survey(pictures, reader, size)
        if circle is not None:
            first = Survey(PileZone(*circle), first.bottom)
        journal.begin(first)
        if isinstance(frames, Recording):
            frames.seek(0.0)
    found = journal.survey
    assert found is not None
    if found.zone is None:
        return frames.problem
    if journal.closeups and isinstance(frames, Recording):
        frames.skip_until(journal.reached + EVERY / 2)
    move = journal.move_at(journal.reached)
    for seen in closeups(pictures, found.zone, reader, size, move=move):
        if isinstance(seen, Closeup):
            journal.add(seen)
            told(journal.closeups, found)
        progress(seen.time if isinstance(seen, Closeup) else seen, frames.duration)
    if frames.problem is None and isinstance(frames, Recording):
        journal.end()
    return frames.problem


def _until(
    ending: Callable[[], bool], source: LiveSource, size: tuple[int, int]
) -> Iterator[Frame]:
    """Yield the pictures of *source* until *ending* says that they are to end, or they do.

    A camera may come to send pictures of another size; they are fitted into *size*.
    """
    while not ending() and source.status is not Status.ENDED:
        frame = source.read(_ASKED)
        if frame is not None:
            yield replace(frame, image=fitted(frame.image, size))


def _look_again(frames: Source, journal: Journal, reader: ReadsParts, record: Record) -> bool:
    """Look closely at the moments of *record* that are in doubt; return whether there were any."""
    if not isinstance(frames, Recording) or not journal.complete:
        return False
    if journal.survey is None or journal.survey.zone is None:
        return False
    seconds = sum(end - begin for begin, end in journal.looked)
    spans = doubtful(record, journal.looked, _MOST_AGAIN * journal.reached - seconds)
    if not spans:
        return False
    for seen in look_again(frames, journal.survey.zone, reader, spans, journal.move_at):
        journal.add_again(seen)
    journal.note_looked(spans)
    return True


def understand(
    seen: Sequence[Closeup],
    found: Survey,
    rules: RuleSet,
    *,
    dealer: int | None = None,
    facts: Sequence[Fact] = (),
    fixed: bool = False,
    hands: Hands | None = None,
) -> tuple[Record, tuple[Doubt, ...]]:
    """Return the game behind what was seen, and the plays to check.

    Args:
        seen: the close-ups, in the order of time.
        found: what the first look found.
        rules: the rule set.
        dealer: the dealer of the first deal; by default the last seat.
        facts: plays that a person has corrected.
        fixed: whether a person has said where the pile lies; else it is where most cards lay.
        hands: from which side hands reached for the pile, where that is known.
    """
    assert found.zone is not None
    zone = found.zone if fixed else _settled(seen, found.zone)
    bottom = found.bottom if rules.bottom_card == "shown" else None
    looks = looks_at(seen, zone, claims=rules.bluff)
    decoder = Decoder(rules, looks, dealer=dealer, bottom=bottom, hands=hands)
    decoded = decoder.decode(facts)
    return decoded.record, decoded.review


def _settled(seen: Sequence[Closeup], zone: PileZone) -> PileZone:
    """Return where the pile lies by all that was *seen*: the first cards tell less.

    Close-ups show a part of the table only, so another place in them is not the pile.
    """
    found = find_pile([one.sightings for one in seen])
    if found is None or math.dist(found.centre, zone.centre) > _MOVED * zone.radius:
        return zone
    return found


def who_plays(
    seen: Sequence[Closeup],
    found: Survey,
    rules: RuleSet,
    others: Sequence[RuleSet] = (),
    *,
    fixed: bool = False,
) -> tuple[RuleSet, Hands | None, str]:
    """Return the rules for as many players as play, from where they do, and how that is known.

    Args:
        seen: the close-ups, in the order of time.
        found: what the first look found.
        rules: the rule set.
        others: the same rules for other numbers of players, where the recording is to tell how many
            play; *rules* hold where it cannot.
        fixed: whether a person has said where the pile lies.
    """
    kinds = {one.players: one for one in (rules, *others)}
    known: list[list[float]] = []
    for kind in kinds.values():
        # When cards were played hardly depends on how many play; where much was misread it may.
        record, _ = understand(seen, found, kind, fixed=fixed)
        times = [[play.t for play in deal.plays if play.t is not None] for deal in record.deals]
        known = known or times
        number = count_players(seen, times, sorted(kinds)) if others else rules.players
        if number is not None:
            hands = find_hands(seen, times, number)
            return kinds[number], hands, "recording" if others else "given"
    for number in sorted(kinds, reverse=True):
        # Much was misread, but hands may come from as many sides, one after the other.
        if len(kinds) > 1 and (hands := find_hands(seen, known, number)) is not None:
            return kinds[number], hands, "recording"
    return rules, find_hands(seen, known, rules.players), "rules"


def _fitting(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Return *names*, one for each player; none where nobody has one."""
    return (names + ("",) * players)[:players] if any(names) else ()


def seen_in(source: str, zone: PileZone) -> list[Look]:
    """Return what a recording that has been scored shows of the pile in *zone*.

    Args:
        source: the recording, as it was scored, without a layout.
        zone: where the pile lies.
    """
    journal = Journal(journal_path(source, weights=_weights_mark()))
    journal.close()
    return looks_at(journal.closeups, _settled(journal.closeups, zone))


def looks_at(seen: Sequence[Closeup], zone: PileZone, *, claims: bool = False) -> list[Look]:
    """Return what the close-ups *seen* show of the pile in *zone*, backs too with *claims*."""
    watcher = PileWatcher(zone, claims=claims)
    for one in seen:
        watcher.look(one.time, one.sightings, clearness(one.motion))
    return watcher.looks()


def _weights_mark() -> str:
    manifest = Weights.load().manifest
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]
