"""From written data to a record that the rules allow, with a list of what was wrong.

Both forms come here as the objects of the JSON form. Everything is checked, the legal prefix of
each deal is kept, nothing is guessed without a problem being listed, and nothing raises.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeGuard

from engine.cards import UNKNOWN, Card
from engine.deal import Deal
from engine.errors import PistiError, RecordError, RuleSetError
from engine.match import Match, winner_of
from engine.plays import Claim
from engine.record.json_form import Path
from engine.record.replay import mark_of, start
from engine.record.types import (
    FORMAT,
    MAX_DEALS,
    MAX_PROBLEMS,
    RESERVED,
    DealRecord,
    PlayRecord,
    Problem,
    Record,
)
from engine.rules import HAND_SIZE, MAX_CARDS, MAX_PLAYERS, RuleSet
from engine.scoring import score_deal

#: Longer than any video; what is beyond is a typing error.
_MOST_SECONDS: Final = 1e9
_TEXTS: Final = ("date", "event", "source", "comment")
_TAG: Final = re.compile(r"[^\W\d]\w*\Z")
#: Halves of a letter and zero bytes, which no text file can hold.
_NOT_TEXT: Final = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the record, the match it replays to, and what was wrong with it."""

    record: Record
    match: Match
    problems: tuple[Problem, ...]


class Builder:
    """Builds one `Reading`; *where* tells the line and column of a path in the written form."""

    def __init__(self, where: Callable[[Path], tuple[int, int]]) -> None:
        self._where = where
        self._problems: list[Problem] = []

    def build(self, data: object) -> Reading:
        """Return the reading of *data*, the object of a record's JSON form."""
        if isinstance(data, dict) and "record" in data and "deals" not in data:
            # The answer of `pisti score --json` and the truth beside a video hold a record.
            data = data["record"]
            outer = self._where
            self._where = lambda path: outer(("record", *path))
        if not isinstance(data, dict) or not any(key in data for key in _MAIN_KEYS):
            self._note((), "record.not_a_record")
            data = {}
        if data.get("format", FORMAT) != FORMAT:
            self._note(("format",), "record.format", format=data["format"], expected=FORMAT)
        rules = self._rules(data.get("rules", {}))
        deals, played = [], {}
        for number, deal_record, deal in self._deals(data.get("deals", []), rules):
            deals.append(deal_record)
            played[number] = deal
        record = Record(
            rules=rules or RuleSet.classic(),
            names=self._names(data.get("names", []), rules),
            deals=tuple(deals),
            tags=self._tags(data),
            **{key: self._text(data, (key,)) for key in _TEXTS},
        )
        self._check_match(record.rules, played)
        return Reading(record, Match(record.rules, [*played.values()]), tuple(self._problems))

    def _note(self, path: Path, key: str, **values: object) -> None:
        self._note_error(path, RecordError(key, **values))

    def _note_error(self, path: Path, error: PistiError) -> None:
        # One more than will be listed tells that there are more.
        if len(self._problems) <= MAX_PROBLEMS:
            self._problems.append(Problem.quoting(error, self._where(path)))

    # The head.

    def _rules(self, data: object) -> RuleSet | None:
        """Return the rule set; None when its fields exclude each other and nothing can be scored.

        A field that is unknown or has a wrong value is listed and left as the preset has it.
        """
        if isinstance(data, str):
            try:
                data = RuleSet.split(data)
            except RuleSetError as error:
                self._note_error(("rules",), error)
                return None
        if not isinstance(data, dict):
            self._note(("rules",), "record.rules")
            return None
        fields = dict(data)
        preset = fields.pop("preset", "classic")
        for name, value in data.items():
            if name == "preset":
                continue
            try:
                RuleSet.read(name, value)
            except RuleSetError as error:
                self._note_error(("rules", name), error)
                del fields[name]
        try:
            return RuleSet.of(str(preset), **fields)
        except RuleSetError as error:
            self._note_error(("rules",), error)
            return None

    def _names(self, data: object, rules: RuleSet | None) -> tuple[str, ...]:
        if data is None:
            return ()
        if not isinstance(data, list) or not all(map(_is_text, data)):
            self._note(("names",), "record.names")
            return ()
        if data and rules and len(data) != rules.players:
            self._note(("names",), "record.names_count", names=len(data), players=rules.players)
        return tuple(data[: rules.players] if rules else data[:MAX_PLAYERS])

    def _text(self, data: dict[str, Any], path: Path) -> str | None:
        value = data.get(str(path[-1]))
        if value is None or _is_text(value):
            return value or None
        self._note(path, "record.text", name=path[-1])
        return None

    def _tags(self, data: dict[str, Any]) -> dict[str, str]:
        tags = {}
        for key, value in data.items():
            if key in ("format", "rules", "names", "deals", *_TEXTS):
                continue
            if len(self._problems) > MAX_PROBLEMS:
                break
            if _is_text(value) and _TAG.match(key) and not RESERVED.match(key):
                tags[key] = value
            else:
                self._note((key,), "record.unknown_key", name=key)
        return tags

    # The deals.

    def _deals(self, data: object, rules: RuleSet | None) -> Iterable[tuple[int, DealRecord, Deal]]:
        """Yield the deals with their numbers, from 0, in *data*."""
        if not isinstance(data, list):
            self._note(("deals",), "record.deals")
            return
        if rules is None:
            return
        dealer = rules.players - 1
        for number, deal in enumerate(data):
            if number == MAX_DEALS or len(self._problems) > MAX_PROBLEMS:
                self._note(("deals", number), "record.too_many_deals", most=MAX_DEALS)
                return
            if not isinstance(deal, dict):
                self._note(("deals", number), "record.deal", number=number + 1)
                continue
            record, played = self._deal(deal, ("deals", number), rules, dealer)
            dealer = (record.dealer + 1) % rules.players
            yield number, record, played

    def _deal(
        self, data: dict[str, Any], path: Path, rules: RuleSet, dealer: int
    ) -> tuple[DealRecord, Deal]:
        for key in data:
            if key not in _DEAL_KEYS:
                self._note((*path, key), "record.unknown_key", name=key)
        data = {key: value for key, value in data.items() if value is not None}
        dealer = self._whole(data, (*path, "dealer"), dealer, 0, rules.players - 1)
        used: Counter[Card] = Counter()
        centre = self._centre(data, path, rules, used)
        size = len(centre)
        centre_up = self._whole(data, (*path, "centre_up"), 1, 1, size)
        if centre[-1].is_jack:
            self._note((*path, "centre"), "record.jack_on_centre", card=centre[-1])
        bottom = self._bottom(data, (*path, "bottom"), rules, used)
        buried = tuple(self._cards(data.get("buried", []), (*path, "buried"), Counter(), rules))
        lost = Counter(buried) - Counter(centre[: size - centre_up])
        if lost or not all(card.is_jack for card in buried):
            self._note((*path, "buried"), "record.buried")
            buried = ()
        under = None if rules.out_size else bottom
        if under and under in _last_hand(data, dealer, rules):
            used[under] -= under.known
        hands = self._hands(data.get("hands"), (*path, "hands"), rules, used)
        last = hands[dealer][HAND_SIZE * (rules.hand_deals - 1) :] if hands else ()
        if under and len(last) == HAND_SIZE and not any(map(under.may_be, last)):
            self._note((*path, "hands", dealer), "play.not_in_hand", player=dealer + 1, card=under)
        comment = self._text(data, (*path, "comment"))
        record = DealRecord(dealer, centre, centre_up, bottom, buried, hands, comment=comment)
        deal = start(rules, record)
        plays = tuple(self._plays(data.get("plays", []), (*path, "plays"), deal))
        return dataclasses.replace(record, plays=plays), deal

    def _centre(
        self, data: dict[str, Any], path: Path, rules: RuleSet, used: Counter[Card]
    ) -> tuple[Card, ...]:
        size = rules.centre_size
        if "centre" not in data:
            self._note(path, "record.centre_missing")
            return (UNKNOWN,) * size
        cards = self._cards(data["centre"], (*path, "centre"), used, rules)
        if len(cards) != size:
            self._note((*path, "centre"), "record.centre", count=len(cards), expected=size)
        return tuple([UNKNOWN] * (size - len(cards)) + cards[max(0, len(cards) - size) :])

    def _bottom(
        self, data: dict[str, Any], path: Path, rules: RuleSet, used: Counter[Card]
    ) -> Card | None:
        if "bottom" not in data:
            return None
        cards = self._cards([data["bottom"]], path, used, rules, within=False)
        if not cards or not cards[0].rank:
            return None
        if rules.bottom_card == "hidden":
            self._note(path, "record.bottom_hidden", card=cards[0])
            return None
        if cards[0].is_jack:
            self._note(path, "record.bottom_jack", card=cards[0])
        return cards[0]

    def _hands(
        self, data: object, path: Path, rules: RuleSet, used: Counter[Card]
    ) -> tuple[tuple[Card, ...], ...] | None:
        """Return the cards dealt to each seat; the shown bottom card may be one of them."""
        if data is None:
            return None
        if not isinstance(data, list) or len(data) > rules.players:
            self._note(path, "record.hands", players=rules.players)
            return None
        hands = []
        for seat in range(rules.players):
            cards = data[seat] if seat < len(data) else []
            hand = self._cards(cards, (*path, seat), used, rules)
            if len(hand) > HAND_SIZE * rules.hand_deals:
                self._note((*path, seat), "record.hand_size", player=seat + 1, count=len(hand))
                return None
            hands.append(tuple(hand))
        return tuple(hands)

    def _plays(self, data: object, path: Path, deal: Deal) -> Iterable[PlayRecord]:
        """Yield the plays that are legal one after the other, up to the first that is not."""
        if not isinstance(data, list):
            self._note(path, "record.plays")
            return
        for number, written in enumerate(data):
            here = (*path, number)
            play = self._play(written, here)
            if play is None:
                return
            try:
                deal.play(play.card, play.claim)
            except PistiError as error:
                self._note_error(here, error)
                return
            if isinstance(written, dict) and "mark" in written:
                self._check_mark(written["mark"], here, deal)
            yield play

    def _play(self, data: object, path: Path) -> PlayRecord | None:
        written = data if isinstance(data, dict) else {"card": data}
        for key in written:
            if key not in _PLAY_KEYS:
                self._note((*path, key), "record.unknown_key", name=key)
        card = self._card(written.get("card"), path)
        if card is None:
            return None
        claim = None
        if written.get("claim") is not None:
            try:
                claim = Claim(written["claim"])
            except ValueError:
                self._note((*path, "claim"), "record.claim", claim=written["claim"])
                return None
        return PlayRecord(
            card,
            claim,
            self._number(written, (*path, "t"), _MOST_SECONDS),
            self._number(written, (*path, "confidence"), 1.0),
            self._text(written, (*path, "comment")),
        )

    def _check_mark(self, mark: object, path: Path, deal: Deal) -> None:
        """List a capture or pişti mark that does not say what the play did."""
        played = deal.history[-1]
        earned = mark_of(deal.rules, played)
        if mark != earned:
            key = "record.mark" if earned else "record.mark_none"
            self._note(path, key, card=played.card, mark=mark, earned=earned)

    # Single values.

    def _card(self, data: object, path: Path) -> Card | None:
        if not isinstance(data, str):
            self._note(path, "record.card", value=data)
            return None
        try:
            return Card.parse(data)
        except PistiError as error:
            self._note_error(path, error)
            return None

    def _cards(
        self,
        data: object,
        path: Path,
        used: Counter[Card],
        rules: RuleSet,
        *,
        within: bool = True,
    ) -> list[Card]:
        """Return the cards in a list; one that cannot be read or is one too many is `UNKNOWN`."""
        if not isinstance(data, list):
            self._note(path, "record.cards")
            return []
        cards = []
        for at, written in enumerate(data[: MAX_CARDS + 1]):
            here = (*path, at) if within else path
            card = self._card(written, here) or UNKNOWN
            used[card] += card.known
            if used[card] > rules.decks:
                self._note(here, "play.twice", card=card)
                card = UNKNOWN
            cards.append(card)
        return cards

    def _whole(self, data: dict[str, Any], path: Path, default: int, low: int, high: int) -> int:
        value = data.get(str(path[-1]), default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self._note(path, "record.whole", name=path[-1], value=value, low=low, high=high)
        return default

    def _number(self, data: dict[str, Any], path: Path, high: float) -> float | None:
        value = data.get(str(path[-1]))
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and 0 <= value <= high:
            return float(value)
        self._note(path, "record.number", name=path[-1], value=value)
        return None

    def _check_match(self, rules: RuleSet, deals: dict[int, Deal]) -> None:
        """List deals that are followed by others but not over, or follow the end of the match."""
        totals = [0] * rules.sides
        for (number, deal), following in pairwise(deals.items()):
            totals = [sum(points) for points in zip(totals, score_deal(deal).points, strict=True)]
            path = ("deals", following[0])
            if not deal.is_over:
                self._note(path, "record.deal_open", number=number + 1)
            elif (side := winner_of(rules, totals)) is not None:
                self._note(path, "record.match_over", number=number + 1, side=side + 1)
                return


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and not _NOT_TEXT.search(value)


def _last_hand(data: dict[str, Any], dealer: int, rules: RuleSet) -> list[Card]:
    """Return the dealer's cards of the last hand deal, as written: the bottom card is of them."""
    try:
        written = data["hands"][dealer][HAND_SIZE * (rules.hand_deals - 1) :]
        return [Card.parse(card) for card in written]
    except (LookupError, TypeError, AttributeError, PistiError):
        return []


#: Without one of these an object is no record.
_MAIN_KEYS: Final = ("format", "rules", "deals")
_DEAL_KEYS: Final = frozenset(
    ("dealer", "centre", "centre_up", "bottom", "buried", "hands", "plays", "comment")
)
_PLAY_KEYS: Final = frozenset(("card", "claim", "t", "confidence", "comment", "mark"))
