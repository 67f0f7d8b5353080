"""Deals that the camera did not see whole, and deals that are given up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from tests.advisor.api.conftest import Running
from tests.advisor.api.tables import Film, Table

#: What shows while the cards are gathered and shuffled.
GATHERING: Film = [[]] * 60


@contextmanager
def at_table(folder: Path, cut: Callable[[list[Film]], Film]) -> Iterator[tuple[Table, str]]:
    """A table before which two deals are played, as *cut* shows them, and its game."""
    table = Table(folder, seeds=(1, 2), cut=cut)
    try:
        yield table, table.start()
    finally:
        table.running.close()


def part(film: Film, first: float, last: float) -> Film:
    """Return the pictures of *film* between two shares of it."""
    return film[int(first * len(film)) : int(last * len(film))]


def of_deal(state: dict[str, Any], deal: int) -> list[str]:
    return [play["card"] for play in state["plays"] if play["deal"] == deal]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0.3, 1.0),  # switched on within the deal
        (0.0, 0.5),  # given up, and dealt anew
    ],
)
def test_the_next_deal_begins_although_the_one_before_was_not_seen_whole(
    tmp_path: Path, first: float, last: float
) -> None:
    with at_table(
        tmp_path, lambda films: [*part(films[0], first, last), *GATHERING, *films[1]]
    ) as (table, game):
        table.wait(lambda: len(of_deal(table.state(game), 1)) == 48)
        state = table.state(game)
        assert of_deal(state, 1) == table.truth(1)
        whole, seen = table.truth(0), of_deal(state, 0)
        assert len(seen) >= 20
        # Where it came in the middle, the first cards it saw may have lain there before.
        assert seen == whole[: len(seen)] if first == 0 else seen[-20:] == whole[-20:]
        before, after = state["score"]["deals"]
        assert (before["complete"], after["complete"]) == (False, True)
        assert [side["majority"] for side in before["sides"]] == [0, 0]
        assert state["phase"] == "deal_over"
        assert state["camera"]["message"] is None
        kept = table.running.store.load(game)
        assert [facts.ended for facts in kept.facts] == [True, False]


def test_plays_missed_in_the_middle_do_not_hold_up_the_next_deal(tmp_path: Path) -> None:
    with at_table(
        tmp_path,
        lambda films: [*part(films[0], 0, 0.4), *part(films[0], 0.6, 1), *GATHERING, *films[1]],
    ) as (table, game):
        table.wait(lambda: len(of_deal(table.state(game), 1)) == 48)
        assert of_deal(table.state(game), 1) == table.truth(1)


@pytest.mark.parametrize("keep", [True, False])
def test_a_person_ends_a_deal_and_the_camera_waits_for_the_next(tmp_path: Path, keep: bool) -> None:
    with at_table(tmp_path, lambda films: part(films[0], 0, 0.5)) as (table, game):
        table.wait(lambda: len(table.cards(game)) >= 20)
        table.script.hold.set()
        sleep(0.3)
        before = table.state(game)
        answer = table.client.post(
            f"/games/{game}/deals/end", json={"keep": keep, "revision": before["revision"]}
        )
        state = answer.json()
        assert state["phase"] == ("deal_over" if keep else "setup")
        assert (state["turn"], state["legal"]) == (None, [])
        assert state["next_dealer"] == (before["next_dealer"] if keep else before["dealer"])
        # The pile lies there a while yet; it is no new deal.
        lying = [table.shown[table.script.number - 1]] * 20
        following = table.films[1]
        table.script.shown = [
            *table.shown[: table.script.number],
            *lying,
            *GATHERING,
            *following,
        ]
        table.script.hold.clear()
        number = 1 if keep else 0
        table.wait(lambda: len(of_deal(table.state(game), number)) == 48)
        state = table.state(game)
        assert of_deal(state, number) == table.truth(1)
        assert (state["deal"], state["dealer"]) == (number, before["next_dealer"] if keep else 1)
        if keep:
            assert of_deal(state, 0) == of_deal(before, 0)


def test_the_camera_sees_the_centre_of_a_deal_that_a_person_began(tmp_path: Path) -> None:
    with at_table(tmp_path, lambda films: films[0]) as (table, game):
        table.wait(lambda: table.state(game)["phase"] == "deal_over")
        table.script.hold.set()
        state = table.client.post(f"/games/{game}/deals", json={"dealer": 1}).json()
        assert (state["deal"], state["centre"]) == (1, ["??"] * 4)
        table.script.shown = [*table.shown, *GATHERING, *table.films[1]]
        table.script.hold.clear()
        table.wait(lambda: len(of_deal(table.state(game), 1)) == 48)
        state = table.state(game)
        assert of_deal(state, 1) == table.truth(1)
        assert state["centre"][-1] == str(table.deals[1].setup.centre[-1].face)
        assert state["dealer"] == 1


def test_undo_takes_back_that_the_camera_saw_the_next_deal(tmp_path: Path) -> None:
    with at_table(
        tmp_path, lambda films: [*part(films[0], 0, 0.5), *GATHERING, *part(films[1], 0, 0.3)]
    ) as (table, game):
        table.wait(lambda: table.state(game)["deal"] == 1)
        table.script.hold.set()
        sleep(0.3)
        first = of_deal(table.state(game), 0)
        while table.state(game)["deal"] == 1:
            table.client.post(f"/games/{game}/undo")
        assert table.state(game)["phase"] == "deal_over"
        state = table.client.post(f"/games/{game}/undo").json()
        assert (state["deal"], state["turn"] is not None) == (0, True)
        assert of_deal(state, 0) == first
        answer = table.client.post(f"/games/{game}/plays", json={"card": state["legal"][0]})
        assert answer.status_code == 201


def test_a_deal_against_the_computer_that_is_given_up_keeps_its_secrets(tmp_path: Path) -> None:
    with Running(tmp_path) as running:
        client = running.client
        state = running.new_game(me=0, opponent="simple")
        game = state["game"]
        client.post(f"/games/{game}/plays", json={"card": state["hands"][0]["cards"][0]})
        for keep in (True, False):
            before = client.get(f"/games/{game}").json()
            state = client.post(f"/games/{game}/deals/end", json={"keep": keep}).json()
            assert (state["turn"], state["legal"]) == (None, [])
            assert client.get(f"/games/{game}/advice").status_code == 422
            refused = client.post(f"/games/{game}/plays", json={"card": before["legal"][0]})
            assert (refused.status_code, refused.json()["key"]) == (422, "session.ended")
            state = client.post(f"/games/{game}/deals", json={}).json()
            assert state["phase"] == "playing"
        hidden = {
            str(card.face)
            for deal in running.desk.game(game).session.match.deals
            for card in deal.hands[1]
        }
        told = client.get(f"/games/{game}/export", params={"format": "json"}).json()
        assert len(told["deals"]) == 2
        for deal in told["deals"]:
            assert not hidden & set((deal.get("hands") or [[], []])[1])
        assert [hand["cards"] is None for hand in state["hands"]] == [False, True]
        again = running.store.load(game)
        assert [facts.ended for facts in again.facts] == [True, False]


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        ({"keep": "perhaps"}, 422, "api.invalid"),
        ({"revision": -1}, 422, "api.invalid"),
        ({"revision": 1}, 409, "api.conflict"),
        ({"why": "rain"}, 422, "api.invalid"),
        ({}, 422, "match.no_deal"),
    ],
)
def test_there_must_be_a_deal_to_end(
    client: Any, running: Running, body: dict[str, Any], status: int, key: str
) -> None:
    game = running.new_game()["game"]
    if status == 409:
        client.post(f"/games/{game}/deals", json={})
    answer = client.post(f"/games/{game}/deals/end", json=body)
    assert (answer.status_code, answer.json()["key"]) == (status, key)
