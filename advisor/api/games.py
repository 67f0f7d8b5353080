"""Games, deals, plays and hands."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from advisor.api.adviser import THINKING, Adviser
from advisor.api.desk import Desk, OpenGame, new_game_date
from advisor.api.export import EXPORTS, export, sheet
from advisor.api.models import (
    Advice,
    Alternative,
    Answer,
    Centre,
    EndDeal,
    GameItem,
    GameList,
    Hand,
    NewClaim,
    NewDeal,
    NewGame,
    NewPlay,
    PlayerItem,
    RightPlay,
    State,
    Step,
)
from advisor.api.problems import language_of
from advisor.api.security import sheet_policy
from advisor.api.state import alternatives
from advisor.errors import ApiError, SessionError
from advisor.names import check_names
from advisor.session import (
    Answered,
    Begun,
    CentreSet,
    Claimed,
    Corrected,
    Created,
    Ended,
    HandSet,
    Laid,
    Redone,
    Undone,
)
from advisor.store import player_totals
from engine import UNKNOWN, Card, Claim, RuleSet
from engine.rules import MAX_PLAYERS

router = APIRouter(prefix="/games", tags=["games"])

#: More games than anybody plays; totals are counted over these.
_ALL = 100_000


def desk_of(request: Request) -> Desk:
    """Return the desk of the running program."""
    desk: Desk = request.app.state.desk
    return desk


def _game(game: Annotated[str, Path(max_length=40)], request: Request) -> OpenGame:
    return desk_of(request).game(game)


OfDesk = Annotated[Desk, Depends(desk_of)]
OfGame = Annotated[OpenGame, Depends(_game)]
Number = Annotated[int, Path(ge=0, lt=1000)]


@router.post("", status_code=201, response_model=State)
def create(body: NewGame, desk: OfDesk) -> Any:
    """Begin a game; against the computer, the first deal is dealt at once."""
    written = RuleSet.split(body.rules) if isinstance(body.rules, str) else dict(body.rules)
    preset = str(written.pop("preset", "classic"))
    rules = RuleSet.of(preset, **written)
    names = check_names(body.names, rules.players)
    if body.opponent is not None:
        desk.computer.check(body.opponent)
        if body.me is None:
            raise ApiError("api.me")
    created = Created(
        rules=rules,
        names=names,
        dealer=rules.players - 1 if body.dealer is None else body.dealer,
        me=body.me,
        opponent=body.opponent,
        date=new_game_date(),
    )
    return desk.state(desk.create(created))


@router.get("")
def list_games(
    desk: OfDesk,
    offset: Annotated[int, Query(ge=0, le=_ALL)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> GameList:
    """List the games, those changed last first, with each player's totals."""
    everything, total = desk.store.games(0, _ALL)
    items = [
        GameItem(
            id=game.id,
            begun=game.begun,
            changed=game.changed,
            date=game.summary.get("date"),
            rules=game.summary.get("rules", {}),
            names=game.summary.get("names", []),
            opponent=game.summary.get("opponent"),
            deals=game.summary.get("deals", 0),
            plays=game.summary.get("plays", 0),
            totals=game.summary.get("totals", []),
            winner=game.summary.get("winner"),
        )
        for game in everything[offset : offset + limit]
    ]
    players = [PlayerItem(**asdict(each)) for each in player_totals(everything)]
    return GameList(games=items, total=total, players=players)


@router.get("/{game}", response_model=State)
@router.get("/{game}/state", response_model=State)
def get_state(game: OfGame, desk: OfDesk) -> Any:
    """Return the game as it stands."""
    return desk.state(game)


@router.delete("/{game}", status_code=204)
def delete(game: Annotated[str, Path(max_length=40)], desk: OfDesk) -> None:
    """Forget a game."""
    desk.delete(game)


@router.get(
    "/{game}/export",
    response_class=Response,
    responses={200: {"content": {kind: {} for kind in EXPORTS.values()}}},
)
def export_game(
    game: OfGame,
    format: Annotated[Literal["pisti", "json", "csv"], Query()] = "pisti",
) -> Response:
    """Return the game as a file: a record as text or JSON, or a table of all plays."""
    text = export(game.session, format)
    headers = {"Content-Disposition": f'attachment; filename="pisti-{game.id}.{format}"'}
    return Response(text.encode("utf-8"), media_type=EXPORTS[format], headers=headers)


@router.get(
    "/{game}/sheet",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}},
)
def print_sheet(game: OfGame, request: Request) -> Response:
    """Return the match's score sheet as a page to print."""
    language = language_of(request.headers, request.query_params)
    page = sheet(game.session, language)
    headers = {"Content-Security-Policy": sheet_policy()}
    return Response(page.encode("utf-8"), media_type="text/html; charset=utf-8", headers=headers)


# Advice.


@router.get("/{game}/advice", response_model=Advice)
def advice(
    game: OfGame,
    request: Request,
    seat: Annotated[int | None, Query(ge=0, lt=MAX_PLAYERS)] = None,
    time: Annotated[float, Query(gt=0, le=5)] = THINKING,
) -> Any:
    """Return what a seat, which is on turn, should play, and why."""
    advised = game.session.created.me if seat is None else seat
    if game.session.created.opponent is not None and advised != game.session.created.me:
        # The computer's cards are nobody's business.
        raise ApiError("api.own_seat")
    if advised is None:
        raise ApiError("api.no_seat")
    adviser: Adviser = request.app.state.adviser
    language = language_of(request.headers, request.query_params)
    return adviser.advise(game, advised, time, language)


# Deals.


@router.post("/{game}/deals", status_code=201, response_model=State)
def begin_deal(game: OfGame, body: NewDeal, desk: OfDesk) -> Any:
    """Begin the next deal; against the computer, shuffle and deal it."""
    session = game.session
    rules = session.created.rules
    if session.created.opponent is not None:
        return desk.state(desk.begin_shuffled(game, body.dealer, body.revision))
    dealer = session.next_dealer if body.dealer is None else body.dealer
    centre = _cards(body.centre) or (UNKNOWN,) * rules.centre_size
    begun = Begun(
        "person", dealer, centre, _up(centre, body.centre_up), _bottom(body.bottom), buried=()
    )
    return desk.state(desk.change(game, [begun], body.revision))


@router.post("/{game}/deals/end", response_model=State)
def end_deal(game: OfGame, body: EndDeal, desk: OfDesk) -> Any:
    """End the deal in play as it stands, or take it away to be dealt again."""
    return desk.state(desk.change(game, [Ended("person", body.keep)], body.revision))


@router.put("/{game}/deals/{deal}/centre", response_model=State)
def set_centre(game: OfGame, deal: Number, body: Centre, desk: OfDesk) -> Any:
    """Put the centre of a deal right."""
    centre = _cards(body.centre)
    up = _up(centre, body.centre_up)
    event = CentreSet("person", deal, centre, up, _bottom(body.bottom))
    return desk.state(desk.change(game, [event], body.revision))


# Plays.


@router.post("/{game}/plays", status_code=201, response_model=State)
def play(game: OfGame, body: NewPlay, desk: OfDesk) -> Any:
    """Play a card for the seat on turn."""
    claim = Claim(body.claim) if body.claim else None
    event = Laid("person", Card.parse(body.card), claim)
    return desk.state(desk.change(game, [event], body.revision))


@router.post("/{game}/claims", status_code=201, response_model=State)
def claim(game: OfGame, body: NewClaim, desk: OfDesk) -> Any:
    """Lay a card face down and claim a pişti; the player before must answer."""
    event = Claimed("person", Card.parse(body.card))
    return desk.state(desk.change(game, [event], body.revision))


@router.post("/{game}/claims/answer", status_code=201, response_model=State)
def answer(game: OfGame, body: Answer, desk: OfDesk) -> Any:
    """Accept or challenge the claim that waits."""
    turned = None if body.card is None else Card.parse(body.card)
    event = Answered("person", Claim(body.claim), turned)
    return desk.state(desk.change(game, [event], body.revision))


@router.put("/{game}/plays/{deal}/{play}", response_model=State)
def correct(game: OfGame, deal: Number, play: Number, body: RightPlay, desk: OfDesk) -> Any:
    """Say what a play really was; the camera does not change it any more."""
    event = Corrected(deal, play, Card.parse(body.card), body.how)
    return desk.state(desk.change(game, [event], body.revision))


@router.get(
    "/{game}/plays/{deal}/{play}/picture",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}},
)
def picture(
    game: OfGame,
    deal: Number,
    play: Number,
    desk: OfDesk,
    part: Annotated[Literal["whole", "pile"], Query()] = "whole",
) -> Response:
    """Return the picture in which a play was read, or the pile in it, small."""
    t = _laid(game, deal, play).t
    pictures = desk.pictures
    found = pictures.pile(game.id, t) if part == "pile" else pictures.get(game.id, t)
    if found is None:
        raise ApiError("api.no_picture")
    return Response(found, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.get("/{game}/plays/{deal}/{play}/alternatives")
def list_alternatives(game: OfGame, deal: Number, play: Number) -> list[Alternative]:
    """List what a play may have been instead, the likeliest first."""
    with game.lock:
        _laid(game, deal, play)
        ranked = alternatives(game.session, deal, play)
    return [Alternative(card=str(card), probability=chance) for card, chance in ranked]


@router.post("/{game}/undo", response_model=State)
def undo(game: OfGame, desk: OfDesk, body: Step | None = None) -> Any:
    """Take back what happened last; against the computer, its answers as well."""
    return desk.state(desk.change(game, [Undone()], body.revision if body else None))


@router.post("/{game}/redo", response_model=State)
def redo(game: OfGame, desk: OfDesk, body: Step | None = None) -> Any:
    """Let what was taken back happen again."""
    return desk.state(desk.change(game, [Redone()], body.revision if body else None))


@router.put("/{game}/hand", response_model=State)
def set_hand(game: OfGame, body: Hand, desk: OfDesk) -> Any:
    """Say which cards a seat holds now."""
    event = HandSet("person", body.seat, _cards(body.cards))
    return desk.state(desk.change(game, [event], body.revision))


def _laid(game: OpenGame, deal: int, play: int) -> Laid:
    """Return what was said of a play.

    Raises:
        SessionError: there is no such deal, or no such play in it.
    """
    facts = game.session.facts
    if deal >= len(facts):
        raise SessionError("session.no_deal", deal=deal)
    if play >= len(facts[deal].plays):
        raise SessionError("session.no_play", play=play, deal=deal)
    return facts[deal].plays[play]


def _cards(texts: list[str] | None) -> tuple[Card, ...]:
    return tuple(map(Card.parse, texts or ()))


def _bottom(text: str | None) -> Card | None:
    return None if text is None else Card.parse(text)


def _up(centre: tuple[Card, ...], given: int | None) -> int:
    """Return how many cards of a centre lie face up: as *given*, else all Jacks below the top."""
    if given is not None:
        return min(given, max(1, len(centre)))
    up = 1
    while up < len(centre) and centre[-1 - up].is_jack:
        up += 1
    return up
