"""From what the camera shows to the events of a game.

The decoder says what the game most likely was so far; what differs from the game as it stands
becomes events of the camera. What a person says is taken for a fact: the decoder goes on from it.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Final

from advisor.live.decoding import LiveDecoder
from advisor.live.reading import Shown
from advisor.live.said import Said
from advisor.live.seen import SeenCard, SeenDeal
from advisor.moments import CHECK_BELOW
from advisor.session import (
    Begun,
    CentreSet,
    Corrected,
    DealFacts,
    Ended,
    Event,
    HandSet,
    Laid,
    Reread,
    Session,
)
from engine import UNKNOWN, Card, PistiError, RuleSet
from vision.table import PileWatcher, PileZone, clearness, find_bottom, find_pile

if TYPE_CHECKING:
    from advisor.api.desk import Desk, OpenGame
    from vision.layout import Layout

logger = logging.getLogger(__name__)

#: Pictures of which what they show is kept while nobody knows yet where the pile is.
_WAITING: Final = 900
#: Different cards that must have shown before the place of the pile is believed.
_CARDS_FOR_ZONE: Final = 3
#: So sure it must be that the next deal has begun, where cards of the one before are missing.
_SURE_OF_NEXT: Final = 0.9
#: So many looks in a row must contradict the hand that a person named.
_PATIENCE: Final = 12
#: Pictures before a deal in which its bottom card is looked for.
_BEFORE_DEAL: Final = 100


class TableWatch:
    """Watches one game at the table.

    Args:
        desk: where events go.
        game: the game.
        layout: returns the layout of the table as it is known now.
        shown: called with the second of each play that the camera saw, to keep its picture.

    Attributes:
        problem: why what the camera sees does not fit the game; None while it does.
    """

    def __init__(
        self,
        desk: Desk,
        game: OpenGame,
        layout: Callable[[], Layout],
        shown: Callable[[float], None] = lambda _t: None,
    ) -> None:
        self.problem: PistiError | None = None
        self.game = game
        self._desk = desk
        self._layout = layout
        self._shown = shown
        self._said: deque[Said] = deque()
        self._lock = Lock()
        self._size: tuple[int, int] | None = None
        self._zone: PileZone | None = None
        self._watcher: PileWatcher | None = None
        self._waiting: deque[Shown] = deque(maxlen=_WAITING)
        self._recent: deque[Shown] = deque(maxlen=_BEFORE_DEAL)
        self._decoder = LiveDecoder(self._rules)
        self._base = self._first = self._refused = 0
        self._dropped = 0
        self._hold(again=False)
        desk.changed.append(self._changed)

    @property
    def zone(self) -> PileZone | None:
        """Where the pile lies, in pixels; None while that is not known."""
        return self._zone

    def close(self) -> None:
        """Stop watching."""
        self._desk.changed.remove(self._changed)

    def take(self, shown: Shown) -> None:
        """Take in what one picture shows; called from the reading thread only."""
        self._listen()
        if not self.game.session.playing:
            self._recent.append(shown)
        if not self._place(shown.size):
            self._waiting.append(shown)
            if len(self._waiting) % 2 == 0:
                self._look_for_pile(shown.size)
            return
        self._look(shown)
        self._write()

    # Where the pile is.

    def place(self, size: tuple[int, int]) -> PileZone | None:
        """Return where the pile lies in pictures of *size*; None while nobody knows."""
        circle = self._layout().pile_circle(size)
        if circle is not None:
            return PileZone(*circle)
        if self._zone is None or self._size is None or size == self._size:
            return self._zone
        # The camera changed its resolution; the table did not.
        scale = size[0] / self._size[0], size[1] / self._size[1]
        middle = self._zone.centre[0] * scale[0], self._zone.centre[1] * scale[1]
        return PileZone(middle, self._zone.radius * (scale[0] + scale[1]) / 2)

    def _place(self, size: tuple[int, int]) -> bool:
        """Whether the place of the pile is known, in pictures of the *size* that comes now."""
        zone = self.place(size)
        if zone is not None and (zone != self._zone or self._watcher is None):
            self._watcher = self._watch(zone)
        self._zone, self._size = zone, size
        return zone is not None

    def _look_for_pile(self, size: tuple[int, int]) -> None:
        """Believe the place in which card after card has shown."""
        seen = [shown.sightings for shown in self._waiting if shown.size == size]
        zone = find_pile(seen, enough=_CARDS_FOR_ZONE)
        if zone is None:
            return
        self._zone, self._watcher = zone, self._watch(zone)
        for shown in self._waiting:
            if shown.size == size:
                self._look(shown)
        self._recent.extend(self._waiting)
        self._waiting.clear()
        self._write()

    def _watch(self, zone: PileZone) -> PileWatcher:
        return PileWatcher(zone, claims=self._rules.bluff)

    def _look(self, shown: Shown) -> None:
        assert self._zone is not None
        if self._watcher is None or self._decoder.dropped != self._dropped:
            # What was seen of past deals is over; its cards come again.
            self._watcher = self._watch(self._zone)
            self._dropped = self._decoder.dropped
        clear = clearness(shown.motion)
        self._decoder.take(self._watcher.look(shown.time, shown.sightings, clear))

    # What people say.

    @property
    def _rules(self) -> RuleSet:
        return self.game.session.created.rules

    def _changed(self, game: OpenGame, events: Sequence[Event]) -> None:
        """Note what people said, from any thread; the reading thread acts on it."""
        if game is not self.game:
            return
        for event in events:
            by_person = getattr(event, "by", "person") == "person"
            if by_person and not isinstance(event, Reread | HandSet):
                with self._lock:
                    self._said.append(Said.of(game.session, event))

    def _listen(self) -> None:
        """Go on from what people have said since the last picture."""
        with self._lock:
            said = list(self._said)
            self._said.clear()
        if not said:
            return
        for each in said:
            if each.undone is not None:
                self._decoder.bar(each.undone)
        with self.game.lock:
            for facts in self.game.session.facts[-1:]:
                for laid in facts.plays:
                    self._decoder.allow(laid.card)
        if said[-1].gone:
            self._end()
            return
        corrected = [each for each in said if isinstance(each.event, Corrected | CentreSet)]
        self._hold(again=len(corrected) == len(said))

    def _end(self) -> None:
        """Let the decoder wait for a deal instead of the one that was taken away."""
        self._decoder.end()
        with self.game.lock:
            self._first = len(self.game.session.facts)
        self._base = self._first - self._decoder.dropped - len(self._decoder.deals())

    def _hold(self, *, again: bool) -> None:
        """Let the decoder go on from the game as it stands.

        Args:
            again: whether what came after the last fact of a person is decoded once more.
        """
        with self.game.lock:
            facts = self.game.session.facts
            if facts and _is_open(facts[-1]):
                # What lies in its centre the camera is to see.
                facts = facts[:-1]
            self._base = self._first = max(0, len(facts) - 1)
            if not facts:
                self._decoder.hold((), (), again=again)
                return
            begun, plays, over = facts[-1].begun, facts[-1].plays, facts[-1].ended
        up = begun.centre[len(begun.centre) - begun.centre_up :]
        jacks = [card for card in begun.buried if card not in up]
        turned = [(card, begun.t) for card in (*jacks, *up)]
        if again:
            said = [at for at, laid in enumerate(plays) if laid.by == "person"]
            plays = plays[: said[-1] + 1] if said else ()
        laid = [(play.card, play.t) for play in plays]
        claims = [at for at, play in enumerate(plays) if play.claim is not None]
        self._decoder.hold(turned, laid, again=again, over=over, claims=claims)

    # What the camera says.

    def _write(self) -> None:
        """Make events of what the decoder has and the game has not."""
        with self.game.lock:
            with self._lock:
                if self._said:
                    # A person was quicker; the next picture is judged by that.
                    return
            session = self.game.session
            try:
                for events in self._events(session):
                    self._desk.change(self.game, events)
                self.problem = None
                self._refused = 0
            except PistiError as error:
                if self.problem is None or self.problem.key != error.key:
                    logger.info("what the camera sees does not fit: %s", error)
                self.problem = error
                self._refused += 1
                self._give_up_hand(error)

    def _give_up_hand(self, error: PistiError) -> None:
        """Where what is played stays another card than the named hand holds, ask for that anew.

        Somebody mistyped, or named the hand before the camera had seen the last play.
        """
        if error.key == "play.not_in_hand" and self._refused >= _PATIENCE:
            self._refused = 0
            player = error.values["player"]
            assert isinstance(player, int)
            with suppress(PistiError):
                self._desk.change(self.game, [HandSet("camera", player - 1, ())])

    def _events(self, session: Session) -> Iterator[list[Event]]:
        """Yield the events for each deal that the decoder has; they happen before the next ones."""
        first = self._base + self._decoder.dropped
        deals = self._decoder.deals()
        for number, deal in enumerate(deals, first):
            if number < self._first:
                continue
            events: list[Event] = []
            count = len(session.facts)
            opened = number < count and _is_open(session.facts[number])
            if number == count or opened:
                # What lies there at the end of a deal is easily taken for the next one's centre.
                sure = deal.turned_up and deal.turned_up[-1].settled
                if not sure or deal.turned_up[-1].card.is_jack:
                    break
            if opened:
                begun = self._begun(session, deal)
                bottom = session.facts[number].begun.bottom
                events.append(CentreSet("camera", number, begun.centre, begun.centre_up, bottom))
                events += map(_laid, deal.plays)
            elif number == count:
                if session.playing:
                    # Its beginning was missed, or plays of it, or the players gave it up.
                    if deal.confidence < _SURE_OF_NEXT:
                        break
                    events.append(Ended("camera"))
                events.append(self._begun(session, deal))
                events += map(_laid, deal.plays)
            elif number < count:
                in_play = deal is deals[-1]
                events += self._differences(session, number, deal, in_play=in_play)
            if events:
                yield events
                for seen in deal.plays:
                    self._shown(seen.t)

    def _begun(self, session: Session, deal: SeenDeal) -> Begun:
        centre, up, buried = _laid_out(self._rules, [seen.card for seen in deal.turned_up])
        bottom = None
        # Before a deal that ended early, the bottom card that lay there was that deal's.
        if self._rules.bottom_card == "shown" and self._zone is not None and not session.playing:
            t = deal.turned_up[-1].t
            before = [each for each in self._recent if each.time <= t and each.size == self._size]
            bottom = find_bottom([each.sightings for each in before], self._zone)
            if bottom is not None and (bottom.is_jack or bottom in centre):
                bottom = None
        t = deal.turned_up[0].t
        dealer = session.next_dealer
        return Begun("camera", dealer, centre, up, bottom, buried, t=t)

    def _differences(
        self, session: Session, number: int, deal: SeenDeal, *, in_play: bool
    ) -> list[Event]:
        facts = session.facts[number]
        events: list[Event] = []
        if facts.begun.by == "camera" and deal.turned_up and deal.turned_up[-1].card.known:
            centre, up, _ = _laid_out(self._rules, [seen.card for seen in deal.turned_up])
            if centre != facts.begun.centre and not deal.turned_up[-1].card.is_jack:
                # The centre's card may have been taken for a play before: first they go.
                events.append(Reread(number, 0, ()))
                events.append(CentreSet("camera", number, centre, up, facts.begun.bottom))
                events.append(Reread(number, 0, tuple(map(_laid, deal.plays))))
                return events
        known = facts.plays
        seen = [
            _laid(each, known[at].t if at < len(known) and known[at].card is each.card else None)
            for at, each in enumerate(deal.plays)
        ]
        pairs = list(zip(known, seen, strict=False))
        same = next((at for at, (old, new) in enumerate(pairs) if not _is_same(old, new)), None)
        if same is None and len(seen) >= len(known):
            # As it stands; what was doubtful may be clear by now.
            surer = [
                at for at, (old, new) in enumerate(pairs) if _is_news(old, new, deal.plays[at])
            ]
            if surer and in_play:
                events.append(Reread(number, surer[0], tuple(seen[surer[0] : len(known)])))
            events += seen[len(known) :]
        else:
            at = min(len(seen), len(known)) if same is None else same
            events.append(Reread(number, at, tuple(seen[at:])))
        return events


def _is_open(facts: DealFacts) -> bool:
    """Whether a person has begun a deal of which nobody has said yet what lies there."""
    begun = facts.begun
    return begun.by == "person" and not begun.centre[-1].rank and not facts.plays


def _laid(seen: SeenCard, t: float | None = None) -> Laid:
    """Return the event of a play; *t* is its second where it is known already."""
    when = seen.t if t is None else t
    return Laid("camera", seen.card, seen.claim, when, seen.confidence, seen.alternatives)


def _is_same(old: Laid, new: Laid) -> bool:
    """Whether two readings of a play are of the same card, laid in the same way.

    How it was laid is not judged anew where a person has said it.
    """
    return old.card is new.card and (old.claim is new.claim or old.by == "person")


def _is_news(old: Laid, new: Laid, seen: SeenCard) -> bool:
    """Whether a play of the same card has become clear, or doubtful, for good."""
    if old.by != "camera" or not seen.settled:
        return False
    before, after = old.confidence or 0.0, new.confidence or 0.0
    return (before < CHECK_BELOW) != (after < CHECK_BELOW)


def _laid_out(
    rules: RuleSet, turned_up: Sequence[Card]
) -> tuple[tuple[Card, ...], int, tuple[Card, ...]]:
    """Return the centre, how many cards of it lie face up, and the Jacks put back into it."""
    *jacks, top = turned_up
    hidden = [UNKNOWN] * (rules.centre_size - len(turned_up))
    if rules.jack_on_centre == "turn_next":
        return (*hidden, *turned_up), len(turned_up), ()
    centre = (*jacks, *hidden, top) if rules.jack_on_centre == "bottom" else (*hidden, *jacks, top)
    return centre, 1, tuple(jacks)
