"""The camera: opening, looking, the layout of the table, and how good the picture is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response, StreamingResponse

from advisor.api.basics import (
    CameraItem,
    CameraState,
    LayoutModel,
    NewSource,
    PictureState,
    Sources,
    WatchedGame,
)
from advisor.api.files import check_file
from advisor.api.games import OfDesk, OfGame
from advisor.api.models import State
from advisor.api.problems import language_of
from advisor.errors import ApiError
from advisor.live.cameras import list_cameras
from advisor.live.drawing import Layer
from advisor.live.station import Station
from advisor.live.video import Video, Viewer
from advisor.messages import Catalogue
from advisor.session import HandSet
from vision.layout import Layout

router = APIRouter(tags=["sources"])

_BOUNDARY = "picture"
_JPEG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}}}


def station_of(request: Request) -> Station:
    """Return the station of the running program."""
    station: Station = request.app.state.station
    return station


OfStation = Annotated[Station, Depends(station_of)]


def _layers(
    overlay: Annotated[
        str, Query(max_length=60, description="Layers, with commas: boxes, names, zones.")
    ] = "",
) -> frozenset[Layer]:
    names = {name.strip() for name in overlay.split(",") if name.strip()}
    if wrong := names - set(get_args(Layer)):
        raise ApiError("api.layer", name=min(wrong), known=", ".join(get_args(Layer)))
    return frozenset(layer for layer in get_args(Layer) if layer in names)


OfLayers = Annotated[frozenset[Layer], Depends(_layers)]


@router.get("/sources")
def list_sources(station: OfStation) -> Sources:
    """List the cameras of this machine, and the source that is open."""
    cameras = [CameraItem(source=str(each.number), name=each.name) for each in list_cameras()]
    camera = station.camera
    return Sources(
        cameras=cameras,
        open=None if camera is None else camera.text,
        camera=CameraState(**station.state()),
    )


@router.post("/sources", status_code=201)
def open_source(body: NewSource, station: OfStation, request: Request) -> CameraState:
    """Open a camera, a file, a folder or a stream, instead of what is open."""
    check_file(request, body.source)
    station.open(body.source, loop=body.loop, game=body.game)
    return CameraState(**station.state())


@router.delete("/sources/current", status_code=204)
def close_source(station: OfStation) -> None:
    """Let go of the source."""
    station.close_source()


@router.post("/sources/current/pause")
def pause(station: OfStation) -> CameraState:
    """Stop reading the pictures; they are shown all the same."""
    station.pause(True)
    return CameraState(**station.state())


@router.post("/sources/current/resume")
def resume(station: OfStation) -> CameraState:
    """Go on reading."""
    station.pause(False)
    return CameraState(**station.state())


@router.put("/sources/current/game")
def watch_game(body: WatchedGame, station: OfStation, desk: OfDesk) -> CameraState:
    """Say which game the camera watches; null for none."""
    station.watch(None if body.game is None else desk.game(body.game))
    return CameraState(**station.state())


@router.get("/sources/current/snapshot", response_class=Response, responses=_JPEG)
def snapshot(station: OfStation, layers: OfLayers) -> Response:
    """Return the newest picture."""
    headers = {"Cache-Control": "no-store"}
    return Response(station.snapshot(layers), media_type="image/jpeg", headers=headers)


@router.get(
    "/sources/current/video",
    response_class=Response,
    responses={200: {"content": {"multipart/x-mixed-replace": {}}}},
)
async def video(station: OfStation, layers: OfLayers) -> StreamingResponse:
    """Return the live picture as MJPEG; all who look share one camera."""
    shown, viewer = station.view(layers)
    kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    headers = {"Cache-Control": "no-store"}
    return StreamingResponse(_parts(shown, viewer), media_type=kind, headers=headers)


async def _parts(shown: Video, viewer: Viewer) -> AsyncIterator[bytes]:
    try:
        async for picture in viewer.pictures():
            head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}"
            yield head.encode() + b"\r\n\r\n" + picture + b"\r\n"
        yield f"--{_BOUNDARY}--\r\n".encode()
    finally:
        shown.remove(viewer)


@router.get("/sources/current/layout")
def get_layout(station: OfStation) -> LayoutModel:
    """Return the layout of the table."""
    return LayoutModel.model_validate(station.layout.to_json())


@router.put("/sources/current/layout")
def put_layout(body: LayoutModel, station: OfStation) -> LayoutModel:
    """Say where things lie; coordinates run from 0 to 1."""
    station.set_layout(Layout.from_json(body.model_dump()))
    return get_layout(station)


@router.get("/sources/current/layout/proposal")
def propose_layout(station: OfStation) -> LayoutModel:
    """Propose a layout from the newest picture."""
    return LayoutModel.model_validate(station.proposal().to_json())


@router.get("/sources/current/check")
def check(station: OfStation, request: Request) -> PictureState:
    """Say how good the picture is, and what would make it better."""
    found = station.check()
    if found is None:
        return PictureState()
    catalogue = Catalogue(language_of(request.headers, request.query_params))
    return PictureState(
        light=found.light,
        focus=found.focus,
        framing=found.framing,
        advice=[catalogue.text(key) for key in found.advice],
    )


@router.post("/games/{game}/hand/read", response_model=State)
def read_hand(game: OfGame, station: OfStation, desk: OfDesk) -> Any:
    """Read the advised player's hand in the hand zone of the camera's picture."""
    me = game.session.created.me
    if me is None:
        raise ApiError("api.no_seat")
    deal = game.session.deal
    most = len(deal.hands[me]) if deal is not None else 0
    cards = tuple(station.read_hand()[:most])
    # A person holds the hand up and looks at what was read: it is as good as typed.
    return desk.state(desk.change(game, [HandSet("person", me, cards)]))
