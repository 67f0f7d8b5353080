"""The application: the API under ``/api/v1`` and the page beside it."""

from __future__ import annotations

import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from advisor.api import games, general, problems, recordings, socket, sources
from advisor.api.adviser import Adviser
from advisor.api.basics import NewRecording, Problem
from advisor.api.desk import Desk
from advisor.api.jobs import Jobs
from advisor.api.security import Guard
from advisor.live.station import Station
from advisor.messages import Catalogue

PREFIX: Final = "/api/v1"

_PROBLEM: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"model": Problem, "content": {problems.MEDIA_TYPE: {}}, "description": "A problem"},
    "5XX": {"model": Problem, "content": {problems.MEDIA_TYPE: {}}, "description": "A problem"},
}


def create_app(
    desk: Desk,
    station: Station,
    *,
    folder: Path,
    host: str = "127.0.0.1",
    token: str | None = None,
) -> FastAPI:
    """Return the application.

    Args:
        desk: the open games.
        station: the camera.
        folder: the data folder.
        host: the address that the server will listen on.
        token: what every request must show; None asks for none.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(station.close)
        app.state.adviser.close()
        await run_in_threadpool(app.state.jobs.close)
        desk.hub.close()
        desk.close()

    app = FastAPI(
        title="Pişti",
        version="1",
        summary="The API of the Pişti program: games, plays, advice, cameras, recordings.",
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        separate_input_output_schemas=False,
    )
    app.state.desk = desk
    app.state.station = station
    app.state.folder = folder
    desk.pictures.folder = folder / "pictures"
    app.state.adviser = Adviser(desk)
    app.state.jobs = Jobs(
        desk.hub, lambda job: recordings.told(job, Catalogue(desk.language)).model_dump()
    )
    problems.install(app)
    api = APIRouter(prefix=PREFIX, responses=_PROBLEM)
    for part in (
        games.router,
        general.router,
        recordings.router,
        socket.router,
        sources.router,
    ):
        api.include_router(part)
    app.include_router(api)
    _describe(app)
    app.add_middleware(Guard, host=host, token=token)
    page = page_folder()
    # On Windows other programs change what the system says of these, and scripts would be refused.
    mimetypes.add_type("text/javascript", ".js")
    mimetypes.add_type("text/css", ".css")
    mimetypes.add_type("image/svg+xml", ".svg")
    if page is not None:
        app.mount("/", _PageFiles(directory=page, html=True))
    return app


class _PageFiles(StaticFiles):
    """The page's files, of which browsers ask every time whether they have changed.

    A new version of the program must never run half of the old page.
    """

    def file_response(self, *args: Any, **more: Any) -> Response:
        """Return a file, to be asked for again."""
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _describe(app: FastAPI) -> None:
    """Name the body of a recording in the description, which no endpoint declares."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = describe()
            body = NewRecording.model_json_schema(ref_template="#/components/schemas/{model}")
            schema["components"]["schemas"]["NewRecording"] = body
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def page_folder() -> Path | None:
    """Return the folder of the page; None where it was not installed."""
    folder = Path(str(resources.files("advisor"))) / "page"
    return folder if folder.is_dir() else None
