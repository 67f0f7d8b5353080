"""The typed bodies of games: what comes in, and what goes out."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from advisor.api.basics import Body, By, CameraState, CardText, Name, Seat, Share
from advisor.session.events import How
from engine.rules import MAX_PLAYERS

# Games.


class NewGame(Body):
    """A game to begin."""

    rules: dict[str, str | int | bool] | str = Field(
        default="classic", description="A preset and what differs: an object, or a line of text."
    )
    names: list[Name] = Field(default_factory=list, max_length=MAX_PLAYERS)
    dealer: Seat | None = Field(
        default=None, description="Who deals first; the last seat by default."
    )
    me: Seat | None = Field(default=None, description="The seat that is advised.")
    opponent: str | None = Field(
        default=None, max_length=40, description="The policy that plays the other seats."
    )


class NewDeal(Body):
    """A deal to begin; in a game against the computer the cards are shuffled and dealt."""

    dealer: Seat | None = None
    centre: list[CardText] | None = Field(
        default=None, max_length=8, description="From the bottom of the pile to its top."
    )
    centre_up: int | None = Field(default=None, ge=1, le=8)
    bottom: CardText | None = None
    revision: int | None = Field(default=None, ge=0)


class EndDeal(Body):
    """How the deal in play ends before all its cards were played."""

    keep: bool = Field(
        default=True,
        description="Whether it stays in the game, with the score of what was seen of it; "
        "otherwise it never happened, and the same dealer deals again.",
    )
    revision: int | None = Field(default=None, ge=0)


class Centre(Body):
    """The centre of a deal, put right."""

    centre: list[CardText] = Field(max_length=8)
    centre_up: int | None = Field(default=None, ge=1, le=8)
    bottom: CardText | None = None
    revision: int | None = Field(default=None, ge=0)


class NewPlay(Body):
    """A card that was played."""

    card: CardText
    claim: Literal["accepted", "challenged"] | None = None
    revision: int | None = Field(
        default=None,
        ge=0,
        description="The state's revision this rests on; an older one is refused.",
    )


class NewClaim(Body):
    """A card that is laid face down as a claimed pişti."""

    card: CardText
    revision: int | None = Field(default=None, ge=0)


class Answer(Body):
    """The answer to the claim that waits."""

    claim: Literal["accepted", "challenged"]
    card: CardText | None = Field(
        default=None, description="The card, where it was turned over and not known before."
    )
    revision: int | None = Field(default=None, ge=0)


class RightPlay(Body):
    """What a play really was."""

    card: CardText
    how: How | None = Field(
        default=None,
        description="How it was laid: face up, or as a claimed pişti answered so; null: as "
        "it was read.",
    )
    revision: int | None = Field(default=None, ge=0)


class Step(Body):
    """A step back or forth."""

    revision: int | None = Field(default=None, ge=0)


class Hand(Body):
    """The cards that a seat holds now."""

    seat: Seat
    cards: list[CardText] = Field(max_length=4)
    revision: int | None = Field(default=None, ge=0)


class Alternative(BaseModel):
    """Another card that a play may have been."""

    card: str
    probability: Share


class PlayState(BaseModel):
    """One play of the game."""

    deal: int
    play: int
    seat: int
    card: str
    claim: Literal["accepted", "challenged"] | None
    captured: int
    bonus: int
    by: By
    confidence: float | None
    t: float | None
    picture: str | None
    alternatives: list[Alternative]


class PileState(BaseModel):
    """What lies on the table."""

    size: int
    top: str | None
    cards: list[str]


class HandState(BaseModel):
    """What a seat holds; the cards only where the advised player may know them."""

    seat: int
    count: int
    cards: list[str] | None


class JackState(BaseModel):
    """How many Jacks were seen, and how many are still to come."""

    seen: int
    left: int


class ClaimState(BaseModel):
    """A card that lies face down as a claimed pişti."""

    seat: int = Field(description="Who laid it.")
    answers: int = Field(description="Who must accept or challenge.")
    card: str | None = Field(description="The card, where the advised player laid it.")


class ReviewItem(BaseModel):
    """A play that a person should check."""

    deal: int
    play: int
    t: float | None
    read: str
    alternatives: list[str]


class State(BaseModel):
    """A game as it stands."""

    game: str
    sequence: int
    revision: int
    rules: dict[str, Any]
    names: list[str]
    sides: list[list[int]]
    phase: Literal["setup", "playing", "waiting", "deal_over", "match_over"]
    deal: int | None
    dealer: int
    next_dealer: int
    turn: int | None
    me: int | None
    opponent: str | None
    pile: PileState
    stock: int
    bottom: str | None
    centre: list[str]
    centre_up: int
    hand_deal: int
    hand_deals: int
    hands: list[HandState]
    claim: ClaimState | None = Field(description="The claim that waits for its answer.")
    may_claim: bool = Field(description="Whether a pişti may be claimed now.")
    legal: list[str]
    seen: list[str]
    jacks: JackState
    left: dict[str, int]
    plays: list[PlayState]
    score: dict[str, Any]
    review: list[ReviewItem]
    can_undo: bool
    can_redo: bool
    unsaved: str | None
    notice: str | None
    camera: CameraState


class Risk(BaseModel):
    """Chances that the next player captures the pile, and makes a pişti by it."""

    captured: Share
    pisti: Share


class Move(BaseModel):
    """A card of the hand, and what playing it comes to."""

    card: str
    points: float
    stderr: float
    win: Share
    risk: Risk
    claim: bool = False


class Opponent(BaseModel):
    """For each rank, the chance that a seat holds a card of it."""

    seat: int
    has_rank: dict[str, float]


class AdviceLimit(BaseModel):
    """How long was thought."""

    time: float | None
    samples: int | None


class Advice(BaseModel):
    """What to play, and why."""

    best: str | None = Field(description="None where a claim is to be answered.")
    moves: list[Move]
    counts: dict[str, Any]
    opponents: list[Opponent]
    why: list[str]
    limit: AdviceLimit
    exact: bool
    claim: bool | None = None
    challenge: bool | None = None


class GameItem(BaseModel):
    """A game in the list of games."""

    id: str
    begun: str
    changed: str
    date: str | None
    rules: dict[str, Any]
    names: list[str]
    opponent: str | None
    deals: int
    plays: int
    totals: list[int]
    winner: int | None


class PlayerItem(BaseModel):
    """What a player won over all games."""

    name: str
    games: int
    finished: int
    won: int
    points: int


class GameList(BaseModel):
    """A part of the list of games, and each player's totals over all of them."""

    games: list[GameItem]
    total: int
    players: list[PlayerItem]
