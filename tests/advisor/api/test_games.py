"""A whole game over the API, by hand."""

import csv
import io
import random

import httpx
import pytest

from advisor.api.state import alternatives
from advisor.session import Begun, Corrected, Created, Laid, Session
from engine import Card, Deal, RuleSet, parse_cards
from engine.record import read_record
from tests.advisor.api.conftest import Running


def play(client: httpx.Client, game: str, card: str, **more: object) -> httpx.Response:
    return client.post(f"/games/{game}/plays", json={"card": card, **more})


def test_a_game_is_begun_and_shown(running: Running) -> None:
    state = running.new_game(names=["Ayşe", "Mehmet"], me=0)
    assert state["phase"] == "setup"
    assert state["rules"]["preset"] == "modern"
    assert (state["dealer"], state["turn"], state["deal"]) == (1, None, None)
    assert running.client.get(f"/games/{state['game']}").json()["game"] == state["game"]


def test_plays_change_the_state(client: httpx.Client, begun: str) -> None:
    state = play(client, begun, "7H").json()
    assert state["pile"] == {"size": 0, "top": None, "cards": []}
    assert state["plays"][0] | {"picture": 0} == {
        "deal": 0,
        "play": 0,
        "seat": 0,
        "card": "7H",
        "claim": None,
        "captured": 5,
        "bonus": 0,
        "by": "person",
        "confidence": None,
        "t": None,
        "picture": 0,
        "alternatives": [],
    }
    state = play(client, begun, "4C").json()
    assert state["pile"] == {"size": 1, "top": "4C", "cards": ["4C"]}
    assert (state["turn"], state["stock"], state["seen"]) == (0, 40, ["7S", "7H", "4C"])
    assert state["hands"][0]["cards"] == ["JS", "2C", "9D"]
    assert state["hands"][1] == {"seat": 1, "count": 3, "cards": None}
    assert state["legal"] == ["JS", "9D", "2C"]
    assert state["jacks"] == {"seen": 0, "left": 3}
    assert (state["left"]["7"], state["left"]["K"]) == (2, 4)


def test_a_wrong_card_is_refused_in_the_language_asked_for(
    client: httpx.Client, begun: str
) -> None:
    answer = client.post(
        f"/games/{begun}/plays", json={"card": "5H"}, headers={"Accept-Language": "xx, tr;q=0.8"}
    )
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "1. oyuncunun elinde 5H yok.",
        "key": "play.not_in_hand",
    }


def test_an_old_revision_is_refused(client: httpx.Client, begun: str) -> None:
    revision = client.get(f"/games/{begun}/state").json()["revision"]
    assert play(client, begun, "7H", revision=revision).status_code == 201
    answer = play(client, begun, "4C", revision=revision)
    assert (answer.status_code, answer.json()["key"]) == (409, "api.conflict")
    assert client.post(f"/games/{begun}/undo", json={"revision": revision}).status_code == 409


def test_undo_redo_and_correct(client: httpx.Client, begun: str) -> None:
    play(client, begun, "7H")
    play(client, begun, "4C")
    assert [p["card"] for p in client.post(f"/games/{begun}/undo").json()["plays"]] == ["7H"]
    assert client.post(f"/games/{begun}/redo").json()["can_redo"] is False
    assert client.post(f"/games/{begun}/redo").json()["key"] == "session.nothing_to_redo"
    state = client.put(f"/games/{begun}/plays/0/1", json={"card": "4D"}).json()
    assert state["pile"]["top"] == "4D"
    ranked = client.get(f"/games/{begun}/plays/0/1/alternatives").json()
    assert {"4D", "7H", "7S", "JS"}.isdisjoint(each["card"] for each in ranked)
    assert "4C" in {each["card"] for each in ranked}
    assert client.get(f"/games/{begun}/plays/0/2/alternatives").status_code == 422
    assert client.get(f"/games/{begun}/plays/0/1/picture").json()["key"] == "api.no_picture"


def test_a_deal_that_is_none_is_named(client: httpx.Client, begun: str) -> None:
    centre = {"centre": ["??", "??", "??", "9S"]}
    headers = {"Accept-Language": "tr"}
    for path, body in (("deals/9/centre", centre), ("plays/9/0", {"card": "9S"})):
        answer = client.put(f"/games/{begun}/{path}", json=body, headers=headers)
        assert (answer.status_code, answer.json()["key"]) == (422, "session.no_deal")
        assert answer.json()["detail"] == "9 numaralı el yok."


def test_the_centre_and_the_hand_are_put_right(client: httpx.Client, begun: str) -> None:
    centre = {"centre": ["??", "??", "??", "9S"]}
    state = client.put(f"/games/{begun}/deals/0/centre", json=centre).json()
    assert state["pile"]["top"] == "9S"
    wrong = client.put(f"/games/{begun}/hand", json={"seat": 0, "cards": ["7H"]})
    assert wrong.json()["key"] == "play.hand_size"


def test_a_whole_match_by_hand(running: Running) -> None:
    """Random deals are entered card by card; the score is the engine's."""
    client, rng = running.client, random.Random(3)
    game = running.new_game(rules={"preset": "classic", "players": 2, "target": 20})["game"]
    state = client.get(f"/games/{game}").json()
    while state["phase"] != "match_over":
        deal = Deal.shuffled(
            RuleSet.classic(players=2, target=20), state["next_dealer"], rng.randrange(99)
        )
        setup = deal.setup
        body = {
            "centre": [
                str(card) if at >= 4 - setup.centre_up else "??"
                for at, card in enumerate(setup.centre)
            ],
            "bottom": str(setup.bottom),
        }
        state = client.post(f"/games/{game}/deals", json=body).json()
        assert state["phase"] == "playing", state
        while not deal.is_over:
            card = rng.choice(deal.legal_cards())
            assert state["turn"] == deal.to_act
            assert str(card) in state["legal"]
            deal.play(card)
            state = play(client, game, str(card)).json()
        assert state["phase"] in ("deal_over", "match_over")
        assert state["score"]["deals"][-1]["exact"]
    assert state["score"]["winner"] is not None
    again = client.post(f"/games/{game}/deals", json={})
    assert again.json()["key"] == "match.won"
    record = read_record(client.get(f"/games/{game}/export").text)
    assert not record.problems
    assert list(record.match.totals) == state["score"]["totals"]
    listed = client.get("/games").json()["games"][0]
    assert (listed["id"], listed["winner"]) == (game, state["score"]["winner"])


def test_exports(client: httpx.Client, begun: str) -> None:
    play(client, begun, "7H")
    text = client.get(f"/games/{begun}/export")
    assert text.headers["content-disposition"] == f'attachment; filename="pisti-{begun}.pisti"'
    data = client.get(f"/games/{begun}/export", params={"format": "json"}).json()
    assert (
        read_record(text.text).record
        == read_record(str(data).replace("'", '"').replace("None", "null")).record
    )
    table = client.get(f"/games/{begun}/export", params={"format": "csv"}).text
    rows = list(csv.DictReader(io.StringIO(table)))
    assert rows[0]["card"] == "7H"
    assert rows[0]["name"] == "Ayşe"
    assert client.get(f"/games/{begun}/export", params={"format": "doc"}).status_code == 422


def test_a_name_is_no_formula_in_a_spreadsheet(running: Running) -> None:
    game = running.new_game(names=["=1+1", "<b>"])["game"]
    running.client.post(f"/games/{game}/deals", json={"centre": ["??", "??", "??", "7S"]})
    play(running.client, game, "7H")
    table = running.client.get(f"/games/{game}/export", params={"format": "csv"}).text
    assert "'=1+1" in table
    sheet = running.client.get(f"/games/{game}/sheet")
    assert "&lt;b&gt;" in sheet.text
    assert "<b>" not in sheet.text


def test_the_sheet_is_a_page_in_the_language_asked_for(client: httpx.Client, begun: str) -> None:
    page = client.get(f"/games/{begun}/sheet", params={"language": "fr"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert 'lang="fr"' in page.text
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_games_are_listed_and_deleted(running: Running) -> None:
    game = running.new_game(names=["Zeynep", "Ali"])["game"]
    running.client.post(f"/games/{game}/deals", json={})
    listed = running.client.get("/games", params={"limit": 1}).json()
    assert listed["games"][0]["id"] == game
    assert {"Zeynep", "Ali"} <= {player["name"] for player in listed["players"]}
    assert running.client.delete(f"/games/{game}").status_code == 204
    assert running.client.get(f"/games/{game}").json()["key"] == "store.no_game"
    assert running.client.delete(f"/games/{game}").status_code == 404


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"rules": "home"}, "rules.preset"),
        ({"rules": {"preset": "classic", "players": 7}}, "rules.value"),
        ({"rules": "modern", "names": ["a", "b", "c"]}, "names.many"),
        ({"rules": "modern", "dealer": 3}, "session.seat"),
        ({"rules": "modern", "me": 2}, "session.seat"),
        ({"rules": "modern", "opponent": "nobody", "me": 0}, "api.opponent"),
        ({"rules": "modern", "colour": "red"}, "api.invalid"),
        ({"rules": "modern", "me": 9}, "api.invalid"),
    ],
)
def test_a_game_that_cannot_be(client: httpx.Client, body: dict[str, object], key: str) -> None:
    answer = client.post("/games", json=body)
    assert (answer.status_code, answer.json()["key"]) == (422, key)


def test_a_card_still_in_the_hand_may_have_been_played_instead(
    client: httpx.Client, begun: str
) -> None:
    assert play(client, begun, "9D").status_code == 201
    ranked = client.get(f"/games/{begun}/plays/0/0/alternatives").json()
    assert {one["card"] for one in ranked[:3]} == {"7H", "JS", "2C"}
    state = client.put(f"/games/{begun}/plays/0/0", json={"card": "2C"}).json()
    assert set(state["hands"][0]["cards"]) == {"7H", "JS", "9D"}


def test_alternatives_are_cards_that_may_have_been_played() -> None:
    """The camera took the centre's card into account; a correction to it would be refused."""
    session = Session(Created(RuleSet.classic(players=2), dealer=1, me=0))
    session.apply(Begun("camera", 1, parse_cards("?? ?? ?? 8S"), 1))
    others = tuple(zip(parse_cards("8S JS 8D 4D"), (0.2, 0.1, 0.1, 0.05), strict=True))
    session.apply(Laid("camera", Card.parse("8C"), None, 1.0, 0.5, others))
    session.apply(Laid("camera", Card.parse("4D"), None, 2.0, 0.9))
    ranked = alternatives(session, 0, 0)
    assert [(str(card), chance) for card, chance in ranked[:3]] == [
        ("JS", 0.1),
        ("8D", 0.1),
        ("4D", 0.05),
    ]
    assert "8S" not in [str(card) for card, _ in ranked]
    for card, _ in ranked:
        Session.replay([*session.events, Corrected(0, 0, card)])


@pytest.mark.parametrize("opponent", [None, "simple"])
def test_a_dealer_who_does_not_sit_there(running: Running, opponent: str | None) -> None:
    game = running.new_game(me=0, opponent=opponent)["game"]
    if opponent:
        running.client.post(f"/games/{game}/deals/end", json={})
    before = running.client.get(f"/games/{game}").json()
    answer = running.client.post(f"/games/{game}/deals", json={"dealer": 5})
    assert (answer.status_code, answer.json()["key"]) == (422, "session.seat")
    assert running.client.get(f"/games/{game}").json()["revision"] == before["revision"]
