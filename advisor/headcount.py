"""How many play a recorded game, where nobody says it: the rules for each number it may be."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from engine import RuleSet, RuleSetError
from engine.rules import MAX_PLAYERS

#: So many may play when nobody says how many do: the recording is to tell.
_PLAYERS: Final = (2, 3, 4)


def possible_rules(line: str, players: int | None = None) -> list[RuleSet]:
    """Return the rules that *line* may mean: one where it, or *players*, says how many play.

    Else those for two, three and four players, first for as many as the preset has.

    Raises:
        RuleSetError: there are no such rules, or both say how many play, and not the same.
    """
    fields = rule_fields(line, players)
    rules = RuleSet.of(**fields)
    possible = [rules]
    if "players" not in fields and rules.players in _PLAYERS:
        for number in _PLAYERS:
            # Some rules, as those of partners, hold for some numbers only.
            with suppress(RuleSetError):
                possible.append(RuleSet.of(**fields, players=number))
    return list(dict.fromkeys(possible))


def rule_fields(line: str, players: int | None = None) -> dict[str, Any]:
    """Return what *line* says of the rules, and how many *players* there are where that is said.

    Raises:
        RuleSetError: as `RuleSet.split`, or both say how many play, and not the same.
    """
    fields: dict[str, Any] = RuleSet.split(line)
    if players is not None:
        if fields.get("players", str(players)) != str(players):
            raise RuleSetError("rules.twice", name="players")
        fields["players"] = players
    return fields


def fields_named(names: str | None) -> dict[str, int]:
    """Return what *names*, as they are typed, say of the rules: as many play as are named.

    One name alone says nothing. Of more names than can play, the names themselves are refused.
    """
    if not names or "," not in names:
        return {}
    return {"players": min(MAX_PLAYERS, max(2, len(names.rstrip(", ").split(","))))}


def with_seats(
    possible: Sequence[RuleSet], dealer: int | None, names: Sequence[str]
) -> list[RuleSet]:
    """Return those of the *possible* rules with a seat for the *dealer* and each of the *names*."""
    seats = [seat for seat, name in enumerate(names) if name] + [dealer or 0]
    return [rules for rules in possible if rules.players > max(seats)]
