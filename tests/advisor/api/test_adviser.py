"""The hints that come by themselves: each position ends with one, however fast the game goes on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from threading import Condition, Semaphore, Thread
from time import monotonic, sleep
from typing import Any

import pytest

from advisor.advice import Advice, Counts, Limit
from advisor.api import adviser as module
from advisor.api.adviser import Adviser
from advisor.api.desk import Desk, OpenGame
from advisor.api.hub import Hub
from advisor.memory import OpponentMemory
from advisor.messages import LANGUAGES, Catalogue
from advisor.readings import Doubt
from advisor.session import Begun, Corrected, Created, Event, HandSet, Laid, Redone, Reread, Undone
from advisor.store import Store
from engine import UNKNOWN, Card, RuleSet, View

PATIENCE = 20.0
MINE = tuple(map(Card.parse, ("7H", "JS", "2C", "9D")))
OTHERS = tuple(map(Card.parse, ("7H", "JS", "2C", "9S")))
COUNTS = Counts(0, 0, 4, 4, two_of_clubs=False, ten_of_diamonds=False, left={})


class Thought:
    """Takes *steps*, each when it is allowed."""

    def __init__(self, view: View, steps: int, allowed: Semaphore | None) -> None:
        self.view = view
        self.steps = steps
        self.done = 0
        self._allowed = allowed

    @property
    def is_over(self) -> bool:
        return self.done >= self.steps

    def go_on(self) -> None:
        assert self._allowed is None or self._allowed.acquire(timeout=PATIENCE)
        self.done += 1

    def advice(self, catalogue: Catalogue) -> Advice:
        limit = Limit(samples=max(1, self.done))
        why = (catalogue.language,)
        return Advice(self.view.hand[0], (), COUNTS, (), why, limit, exact=False)


class Thinker:
    """Makes such thoughts; *fault* is raised where it is not None."""

    def __init__(self, steps: int = 3, allowed: Semaphore | None = None) -> None:
        self.steps = steps
        self.allowed = allowed
        self.thoughts: list[Thought] = []
        self.warm: list[RuleSet | None] = []
        self.fault: Exception | None = None
        self.doubts: tuple[Doubt, ...] = ()

    def think(
        self,
        view: View,
        limit: Limit | None = None,
        memory: OpponentMemory | None = None,
        doubts: Sequence[Doubt] = (),
    ) -> Thought:
        if self.fault is not None:
            raise self.fault
        self.doubts = tuple(doubts)
        self.thoughts.append(Thought(view, self.steps, self.allowed))
        return self.thoughts[-1]

    def wait(self) -> None:
        """Wait until a thought has begun."""
        deadline = monotonic() + PATIENCE
        while not self.thoughts and monotonic() < deadline:
            sleep(0.01)
        assert self.thoughts

    def warm_up(self, rules: RuleSet | None = None) -> None:
        self.warm.append(rules)


class Room:
    """A desk with an adviser, and the hints that were told."""

    def __init__(self, thinker: Thinker) -> None:
        self.desk = Desk(Store(None), Hub())
        self.thinker = thinker
        self.adviser = Adviser(self.desk, thinker)
        self.told: list[dict[str, Any]] = []
        self._news = Condition()
        publish = self.desk.hub.publish

        def listening(kind: Any, make: Callable[[int], Any]) -> Any:
            notice = publish(kind, make)
            if kind == "advice":
                with self._news:
                    self.told.append(notice.data)
                    self._news.notify_all()
            return notice

        self.desk.hub.publish = listening  # type: ignore[method-assign]

    def game(self) -> OpenGame:
        """Begin a game in which seat 0, whose hand is known, is on turn."""
        game = self.desk.create(Created(RuleSet.modern(), dealer=1, me=0))
        centre = (UNKNOWN, UNKNOWN, UNKNOWN, Card.parse("7S"))
        self.desk.change(game, [Begun("person", 1, centre, 1, None, ())])
        self.change(game, HandSet("person", 0, MINE))
        return game

    def change(self, game: OpenGame, *events: Event) -> int:
        self.desk.change(game, events)
        return game.session.revision

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first hint that is *wanted*."""
        with self._news:
            assert self._news.wait_for(lambda: any(map(wanted, self.told)), PATIENCE)
            return next(filter(wanted, self.told))

    def wait_final(self, game: OpenGame) -> dict[str, Any]:
        revision = game.session.revision
        return self.wait(
            lambda hint: hint["final"] and (hint["game"], hint["revision"]) == (game.id, revision)
        )

    def finals(self, game: OpenGame, revision: int) -> int:
        return sum(
            hint["final"] and (hint["game"], hint["revision"]) == (game.id, revision)
            for hint in self.told
        )


@pytest.fixture
def opened() -> Iterator[list[Room]]:
    rooms: list[Room] = []
    yield rooms
    for room in rooms:
        room.adviser.close()


def test_a_first_hint_comes_before_the_last_one(
    opened: list[Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUICK", 0.0)
    room = Room(Thinker(steps=4))
    opened.append(room)
    game = room.game()
    last = room.wait_final(game)
    mine = [hint for hint in room.told if hint["revision"] == game.session.revision]
    assert [hint["final"] for hint in mine] == [False, True]
    assert [hint["advice"]["limit"]["samples"] for hint in mine] == [1, 4]
    assert last["why"] == {language: [language] for language in LANGUAGES}
    assert (last["seat"], last["advice"]["best"]) == (0, str(sorted(MINE)[0]))


def test_what_the_camera_is_not_sure_of_is_a_doubt(opened: list[Room]) -> None:
    room = Room(Thinker())
    opened.append(room)
    game = room.game()
    nine, six = Card.parse("9S"), Card.parse("6S")
    sure = Laid("camera", MINE[2], None, 1.0, 0.99, ((six, 0.01),))
    room.change(game, sure, Laid("camera", nine, None, 2.0, 0.7, ((six, 0.25),)))
    room.wait_final(game)
    assert room.thinker.doubts == (Doubt(1, ((nine, 0.7), (six, 0.25))),)
    # What a person says is certain.
    room.change(game, Corrected(0, 1, nine))
    room.wait_final(game)
    assert room.thinker.doubts == ()


def test_what_has_become_stale_is_given_up(opened: list[Room]) -> None:
    allowed = Semaphore(0)
    room = Room(Thinker(steps=1000, allowed=allowed))
    opened.append(room)
    game = room.game()
    allowed.release(5)
    old = game.session.revision
    room.thinker.wait()
    room.thinker.steps = 2
    room.change(game, HandSet("person", 0, OTHERS))
    allowed.release(10)
    hint = room.wait_final(game)
    assert hint["advice"]["limit"]["samples"] == 2
    assert room.thinker.thoughts[0].done <= 6
    assert room.finals(game, old) == 0


def test_a_position_that_is_known_is_told_at_once(opened: list[Room]) -> None:
    """The camera is surer of a play, a hand is named again, an undo is undone: all known."""
    room = Room(Thinker())
    opened.append(room)
    game = room.game()
    room.change(game, Laid("camera", Card.parse("2C"), None, 1.0, 0.4))
    room.change(game, Laid("camera", Card.parse("4C"), None, 2.0, 0.4))
    room.wait_final(game)
    thoughts = len(room.thinker.thoughts)
    sure = Laid("camera", Card.parse("4C"), None, 2.0, 0.99)
    room.change(game, Reread(0, 1, (sure,)))
    room.wait_final(game)
    room.change(game, Undone())
    room.change(game, Redone())
    room.wait_final(game)
    assert len(room.thinker.thoughts) == thoughts
    assert room.finals(game, game.session.revision) == 1


def test_nothing_is_told_where_there_is_nothing_to_decide(opened: list[Room]) -> None:
    room = Room(Thinker())
    opened.append(room)
    game = room.game()
    mine = room.wait_final(game)
    room.change(game, Laid("person", Card.parse("7H")))
    other = room.game()
    room.wait_final(other)
    assert [hint for hint in room.told if hint["game"] == game.id] == [mine]


def test_two_games_that_change_at_once_both_get_their_hints(opened: list[Room]) -> None:
    """And whatever happens to them, in whatever order, the newest states end in one last hint."""
    room = Room(Thinker(steps=2))
    opened.append(room)
    games = [room.game(), room.game()]

    def play(game: OpenGame, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(60):
            hand = rng.choice((MINE, OTHERS))
            room.change(game, rng.choice((HandSet("person", 0, hand), Undone())))
            if len(game.session.facts) == 0 or not game.session.facts[-1].shown:
                room.change(game, Redone())
        room.change(game, HandSet("person", 0, MINE))

    threads = [Thread(target=play, args=(game, seed)) for seed, game in enumerate(games)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    for game in games:
        hint = room.wait_final(game)
        assert hint["advice"]["best"] == str(sorted(MINE)[0])
        revisions = [hint["revision"] for hint in room.told if hint["game"] == game.id]
        assert revisions == sorted(revisions)
        assert all(room.finals(game, revision) <= 1 for revision in revisions)


def test_a_fault_is_told_and_the_next_hint_comes(opened: list[Room]) -> None:
    thinker = Thinker()
    thinker.fault = RuntimeError("broken")
    room = Room(thinker)
    opened.append(room)
    game = room.game()
    assert room.wait_final(game)["advice"] is None
    thinker.fault = None
    room.change(game, HandSet("person", 0, OTHERS))
    assert room.wait_final(game)["advice"] is not None


def test_who_asks_waits_for_the_hint_and_gets_the_same(opened: list[Room]) -> None:
    allowed = Semaphore(0)
    room = Room(Thinker(allowed=allowed))
    opened.append(room)
    game = room.game()
    answers: list[dict[str, Any]] = []
    asking = Thread(
        target=lambda: answers.append(room.adviser.advise(game, 0, module.THINKING, "tr"))
    )
    asking.start()
    allowed.release(50)
    asking.join(PATIENCE)
    hint = room.wait_final(game)
    assert len(room.thinker.thoughts) == 1
    assert answers == [hint["advice"] | {"why": ["tr"]}]
    assert room.adviser.newest(game) == hint["advice"]


def test_the_advisor_is_loaded_for_the_rules_of_the_game(opened: list[Room]) -> None:
    room = Room(Thinker())
    opened.append(room)
    room.desk.create(Created(RuleSet.modern(), me=None))
    game = room.game()
    room.wait_final(game)
    assert room.thinker.warm == [RuleSet.modern()]
