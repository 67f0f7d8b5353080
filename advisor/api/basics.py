"""The typed bodies of the API beside games: camera, recordings, settings, and what all share."""

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


# The camera.


class CameraState(BaseModel):
    """How the camera is doing."""

    status: Literal["none", "starting", "waiting", "live", "paused", "lost", "ended"] = Field(
        description="waiting: a recording stays at its first picture until a game is watched."
    )
    source: str | None = None
    opened: int | None = Field(
        default=None,
        description="When it was opened, in milliseconds since 1970; no two have the same.",
    )
    fps: float = 0.0
    dropped: int = 0
    reading_ms: int | None = None
    light: Literal["ok", "low", "glare", "blurred"] | None = None
    size: list[int] | None = Field(default=None, description="Width and height in pixels.")
    game: str | None = Field(default=None, description="The game that the camera watches.")
    message: str | None = Field(default=None, description="What is wrong, as a sentence.")


class NewSource(Body):
    """A source to open."""

    source: str = Field(
        min_length=1,
        max_length=2000,
        description="A camera's number, a file, a folder of pictures, or a stream's address.",
    )
    loop: bool = Field(default=False, description="Play a recording over and over.")
    game: str | None = Field(
        default=None, max_length=40, description="The game to watch; none by default."
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
    """How good the picture is; null is what is not known yet."""

    light: Literal["ok", "low", "glare"] | None = None
    focus: Literal["ok", "blurred"] | None = None
    framing: Literal["ok", "none", "far", "near", "cut"] | None = None
    advice: list[str] = Field(default_factory=list)


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
