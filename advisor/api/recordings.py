"""Recordings: sent or named, read in the background, turned into games."""

from __future__ import annotations

import json
from pathlib import Path as File
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from pydantic import ValidationError

from advisor.api.basics import JobState, NewRecording
from advisor.api.desk import Desk, new_game_date
from advisor.api.files import check_file
from advisor.api.games import OfDesk
from advisor.api.jobs import Job, Jobs
from advisor.api.models import State
from advisor.api.problems import language_of
from advisor.api.security import is_form
from advisor.api.uploads import receive
from advisor.api.wrong import wrong
from advisor.errors import ApiError
from advisor.headcount import possible_rules, with_seats
from advisor.messages import Catalogue
from advisor.names import check_names
from advisor.session import Begun, Created, Event, Laid
from engine import Card
from engine.record import read_record

router = APIRouter(prefix="/recordings", tags=["recordings"])

_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/NewRecording"}},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "rules": {"type": "string", "maxLength": 1000},
                        "dealer": {"type": "integer", "minimum": 0, "maximum": 5},
                        "names": {"type": "string", "maxLength": 400},
                    },
                }
            },
        },
    }
}


def jobs_of(request: Request) -> Jobs:
    """Return the jobs of the running program."""
    jobs: Jobs = request.app.state.jobs
    return jobs


OfJobs = Annotated[Jobs, Depends(jobs_of)]


def _job(job: Annotated[str, Path(max_length=40)], request: Request) -> Job:
    return jobs_of(request).get(job)


OfJob = Annotated[Job, Depends(_job)]


def told(job: Job, catalogue: Catalogue) -> JobState:
    """Return *job* as clients see it."""
    return JobState(
        job=job.id,
        name=job.name,
        status=job.status,
        progress=round(job.progress, 4),
        eta=job.eta,
        result=job.result,
        error=None if job.error is None else catalogue.error(job.error),
    )


@router.post("", status_code=201, response_model=JobState, openapi_extra=_BODY)
async def add(request: Request, jobs: OfJobs, desk: OfDesk) -> JobState:
    """Read a recording: a file that is sent, or one of this machine that is named."""
    kind = request.headers.get("content-type", "")
    if is_form(request.headers):
        body, sent_as = await _sent(request, kind)
    else:
        if kind.partition(";")[0].strip().lower() != "application/json":
            raise ApiError("api.kind")
        sent_as = None
        body = _validated(await request.body())
        check_file(request, body.path)
    path = File(body.path)
    name = sent_as or path.name or body.path
    uploaded = sent_as is not None
    try:
        possible = possible_rules(body.rules or desk.settings.rules)
        most = max(rules.players for rules in possible)
        if body.dealer is not None and body.dealer >= most:
            raise ApiError("api.dealer", players=most)
        names = check_names(body.names, most)
        possible = with_seats(possible, body.dealer, names)
    except BaseException:
        if uploaded:
            path.unlink(missing_ok=True)
        raise
    job = jobs.add(path, name, possible, dealer=body.dealer, names=names, uploaded=uploaded)
    return told(job, _catalogue(request))


@router.get("")
def list_jobs(jobs: OfJobs, request: Request) -> list[JobState]:
    """List the recordings that are read or were, the newest first."""
    catalogue = _catalogue(request)
    return [told(job, catalogue) for job in jobs.all()]


@router.get("/{job}")
def get_job(job: OfJob, request: Request) -> JobState:
    """Return how far a recording is read, and what came of it."""
    return told(job, _catalogue(request))


@router.delete("/{job}")
def cancel(job: Annotated[str, Path(max_length=40)], jobs: OfJobs, request: Request) -> JobState:
    """Stop reading a recording; one that was read is forgotten."""
    return told(jobs.cancel(job), _catalogue(request))


@router.post("/{job}/game", status_code=201, response_model=State)
def make_game(job: OfJob, desk: OfDesk) -> Any:
    """Turn what was read into a game, to be looked through and put right."""
    if job.result is None:
        raise ApiError("api.not_read")
    game = import_result(desk, job.result)
    record = desk.settings.record_frames
    for still in job.stills:
        desk.pictures.put(game.id, still.t, still.picture, still.pile, record=record)
    return desk.state(game)


def import_result(desk: Desk, result: dict[str, Any]) -> Any:
    """Begin the game that *result*, the answer of `pisti score --json`, tells of."""
    record = read_record(json.dumps(result["record"])).record
    doubts = {(each["deal"], each["play"]): each["alternatives"] for each in result["review"]}
    first = record.deals[0].dealer if record.deals else record.rules.players - 1
    date = record.date or new_game_date()
    events: list[Event] = []
    for number, deal in enumerate(record.deals):
        events.append(
            Begun(
                "camera",
                deal.dealer,
                deal.centre,
                deal.centre_up,
                deal.bottom,
                deal.buried,
                deal.hands or (),
            )
        )
        for at, play in enumerate(deal.plays):
            others = tuple((Card.parse(card), 0.0) for card in doubts.get((number, at), ()))
            sure = 1.0 if play.confidence is None else play.confidence
            events.append(Laid("camera", play.card, play.claim, play.t, sure, others))
    return desk.create(Created(record.rules, record.names, first, date=date), events)


async def _sent(request: Request, kind: str) -> tuple[NewRecording, str]:
    length = request.headers.get("content-length", "0")
    upload = await receive(
        request.stream(),
        kind,
        request.app.state.folder,
        int(length) if length.isdecimal() else 0,
    )
    if upload.path is None:
        raise ApiError("api.form")
    sent = {
        "path": str(upload.path),
        "rules": upload.fields.get("rules") or None,
        "dealer": upload.fields.get("dealer") or None,
        "names": upload.fields.get("names", "").split(","),
    }
    try:
        body = NewRecording.model_validate(sent)
    except ValidationError as error:
        upload.path.unlink(missing_ok=True)
        raise wrong(error.errors()) from error
    return body, upload.name


def _validated(data: bytes) -> NewRecording:
    try:
        body = NewRecording.model_validate_json(data)
    except ValidationError as error:
        raise wrong(error.errors()) from error
    return body


def _catalogue(request: Request) -> Catalogue:
    return Catalogue(language_of(request.headers, request.query_params))
