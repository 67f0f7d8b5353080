"""Settings, health, rules, sentences."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request

from advisor.api.basics import Health, Messages, RuleField, Rules, Settings
from advisor.api.games import OfDesk
from advisor.api.problems import language_of
from advisor.messages import Catalogue
from engine import RuleSet
from engine.rules import FIELDS, PRESETS

router = APIRouter(tags=["general"])


@router.get("/health")
def health(request: Request, desk: OfDesk) -> Health:
    """Say whether the server is up, and whether games are kept."""
    notice = desk.store.notice
    catalogue = Catalogue(language_of(request.headers, request.query_params))
    return Health(
        status="ok",
        version=version(),
        store=None if notice is None else catalogue.error(notice),
        opponents=list(desk.computer.names),
    )


@router.get("/settings")
def get_settings(desk: OfDesk) -> Settings:
    """Return what the program remembers."""
    return desk.settings


@router.put("/settings")
def put_settings(body: Settings, desk: OfDesk) -> Settings:
    """Remember other settings."""
    RuleSet.parse(body.rules)
    return desk.set_settings(body)


@router.get("/rules")
def rules() -> Rules:
    """Return the presets and the fields of the rules."""
    fields = [
        RuleField(
            name=name,
            values=[False, True] if field.words else _values(field.values) or None,
            low=None if field.words or field.values else field.low,
        )
        for name, field in FIELDS.items()
    ]
    return Rules(presets={name: dict(values) for name, values in PRESETS.items()}, fields=fields)


@router.get("/messages/{language}")
def messages(language: Annotated[Literal["en", "tr", "fr", "pt", "es"], Path()]) -> Messages:
    """Return the sentences that the page shows, in one language."""
    return Messages(language=language, messages=Catalogue(language).sentences)


def version() -> str:
    """Return the program's version, ``0`` when it is run from its source."""
    try:
        return metadata.version("pisti")
    except metadata.PackageNotFoundError:
        return "0"


def _values(values: tuple[Any, ...]) -> list[Any]:
    return list(values)
