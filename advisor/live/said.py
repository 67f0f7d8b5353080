"""What a person has said of a game, as the camera's side needs it."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.session import Ended, Event, Session, Undone
from engine import Card


@dataclass(frozen=True, slots=True)
class Said:
    """What a person has said.

    Attributes:
        event: the event.
        undone: the card of the play that it took back; None for anything else.
        gone: whether it took away the deal in play.
    """

    event: Event
    undone: Card | None = None
    gone: bool = False

    @classmethod
    def of(cls, session: Session, event: Event) -> Said:
        """Return what *event*, just applied to *session*, said."""
        if isinstance(event, Ended):
            return cls(event, gone=not event.kept)
        again = session.redo_facts
        if not isinstance(event, Undone) or not again:
            return cls(event)
        if len(again) != len(session.facts):
            return cls(event, gone=len(again) > len(session.facts))
        before, after = session.facts[-1].plays, again[-1].plays
        return cls(event, after[-1].card if len(after) == len(before) + 1 else None)
