"""The typed bodies of the API: what comes in, and what goes out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from engine.rules import MAX_PLAYERS

CardText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=6,
        description="A card: rank and suit (7S, 10D, Q♥); ?? where nobody saw it.",
        examples=["7S"],
    ),
]
Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS, description="A seat, from 0 in playing order.")]
Name = Annotated[str, Field(max_length=60)]
By = Literal["person", "camera", "computer"]
Share = Annotated[float, Field(ge=0, le=1)]


class Body(BaseModel):
    """What a client sends; a key that is not known is refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str = Field(examples=["about:blank"])
    title: str
    status: int = Field(ge=400, le=599)
    detail: str = Field(description="One sentence, in the language asked for.")
    key: str | None = Field(default=None, description="The name of the sentence in the catalogue.")


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


class RightPlay(Body):
    """What a play really was."""

    card: CardText
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


class ReviewItem(BaseModel):
    """A play that a person should check."""

    deal: int
    play: int
    t: float | None
    read: str
    alternatives: list[str]


class CameraState(BaseModel):
    """How the camera is doing."""

    status: Literal["none", "starting", "live", "paused", "lost", "ended"]
    source: str | None = None
    fps: float = 0.0
    dropped: int = 0
    reading_ms: int | None = None
    light: Literal["ok", "low", "glare", "blurred"] | None = None
    size: list[int] | None = Field(default=None, description="Width and height in pixels.")
    game: str | None = Field(default=None, description="The game that the camera watches.")
    message: str | None = Field(default=None, description="What is wrong, as a sentence.")


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

    best: str | None
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


# The camera.


class NewSource(Body):
    """A source to open."""

    source: str = Field(
        min_length=1,
        max_length=2000,
        description="A camera's number, a file, a folder of pictures, or a stream's address.",
    )
    loop: bool = Field(default=False, description="Play a recording over and over.")
    game: str | None = Field(
        default=None, max_length=40, description="The game to watch; as before by default."
    )


class WatchedGame(Body):
    """The game that the camera is to watch."""

    game: str | None = Field(default=None, max_length=40)


class CameraItem(BaseModel):
    """A camera of this machine."""

    source: str
    name: str


class Sources(BaseModel):
    """The cameras, and what is open."""

    cameras: list[CameraItem]
    open: str | None
    camera: CameraState


Coordinate = Annotated[float, Field(ge=0, le=1)]
PointModel = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
QuadModel = Annotated[list[PointModel], Field(min_length=4, max_length=4)]


class ZonesModel(Body):
    """The zones of the table, each with its corners clockwise."""

    pile: QuadModel | None = None
    stock: QuadModel | None = None
    hand: QuadModel | None = None


class LayoutModel(Body):
    """Where things lie in the picture; x and y run from 0 to 1."""

    format: Literal["pisti-layout/1"] = "pisti-layout/1"
    corners: QuadModel | None = None
    zones: ZonesModel = Field(default_factory=ZonesModel)
    seats: list[PointModel] = Field(default_factory=list, max_length=MAX_PLAYERS)


class PictureState(BaseModel):
    """How good the picture is."""

    light: Literal["ok", "low", "glare"]
    focus: Literal["ok", "blurred"]
    framing: Literal["ok", "none", "far", "near", "cut"] | None
    advice: list[str]


# Recordings.


class NewRecording(Body):
    """A recording of this machine to be read."""

    path: str = Field(min_length=1, max_length=4000, description="A video, or a folder.")
    rules: str | None = Field(
        default=None, max_length=1000, description="A rule set's line; by default the settings'."
    )
    dealer: Seat | None = Field(default=None, description="Who dealt first; the last seat.")
    names: list[Name] = Field(default_factory=list, max_length=MAX_PLAYERS)


class JobState(BaseModel):
    """How far a recording is read."""

    job: str
    name: str
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: Share
    eta: float | None = Field(description="Seconds that are left, as far as can be guessed.")
    result: dict[str, Any] | None = Field(description="record, score and review.")
    error: str | None


# The rest.


class Settings(BaseModel):
    """What the program remembers between evenings."""

    model_config = ConfigDict(extra="forbid")

    language: Literal["en", "tr", "fr", "pt", "es"] | None = None
    theme: Literal["system", "light", "dark", "contrast"] = "system"
    sound: bool = True
    hints: bool = True
    two_step: bool = False
    rules: str = Field(default="classic", max_length=1000)
    names: list[Name] = Field(default_factory=list, max_length=MAX_PLAYERS)
    record_frames: bool = Field(
        default=False, description="Whether pictures of plays are kept on the disk."
    )


class Health(BaseModel):
    """Whether the server is up."""

    status: Literal["ok"]
    version: str
    store: str | None = Field(description="What is wrong with the file of games, as a sentence.")
    opponents: list[str] = Field(description="The policies that can be played against.")


class RuleField(BaseModel):
    """A field of the rules, and what it may be."""

    name: str
    values: list[str | int | bool] | None = Field(description="None: any whole number from low up.")
    low: int | None


class Rules(BaseModel):
    """The presets and the fields of the rules."""

    presets: dict[str, dict[str, Any]]
    fields: list[RuleField]


class Messages(BaseModel):
    """The sentences of the page in one language."""

    language: str
    messages: dict[str, str]
