"""The state of a game as clients see it: nothing that the advised player may not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from advisor.moments import CHECK_BELOW
from engine import Card, Deal, Match, Rank, deck, resolved, unseen_faces
from engine.match import winner_of
from engine.record import score_to_json
from engine.record.score_form import FORMAT as SCORE_FORMAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from advisor.session import DealFacts, Laid, Session
    from engine import RuleSet


@dataclass(frozen=True, slots=True, eq=False)
class DealPart:
    """What a state holds of one deal; all else in it is of the deal in progress and the totals.

    Attributes:
        deal: the deal as the people may see it.
        plays, review: its part of `State.plays` and `State.review`.
        score: its score.
    """

    deal: Deal
    plays: list[dict[str, Any]]
    review: list[dict[str, Any]]
    score: dict[str, Any]


def parts_of(session: Session) -> list[DealPart]:
    """Return the parts of all deals; that of a deal which is over stays the same object."""
    parts = []
    whole = session.match.deals
    for number, (facts, deal) in enumerate(
        zip(session.facts, as_shown(session).deals, strict=True)
    ):
        before, known = session.shown.get(id(whole[number]), (None, None))
        if known is None or before is not whole[number]:
            score = score_to_json(Match(session.created.rules, [deal]))["deals"][0]
            known = DealPart(
                deal, _plays(number, facts, deal, score), _review(number, facts), score
            )
            if deal.is_over or facts.ended:
                session.shown[id(whole[number])] = whole[number], known
        parts.append(known)
    return parts


def changed_since(before: Sequence[DealPart], now: Sequence[DealPart]) -> int:
    """Return the number of the first deal that is not what it was."""
    pairs = zip(before, now, strict=False)
    same = min(len(before), len(now))
    return next((at for at, (old, new) in enumerate(pairs) if old is not new), same)


def state_of(session: Session, parts: Sequence[DealPart], first: int = 0) -> dict[str, Any]:
    """Return the part of the API's `State` that follows from the game alone.

    Args:
        session: the game.
        parts: the parts of its deals, as from `parts_of`.
        first: plays, review and scores are those of the deals from this one on.
    """
    created, match = session.created, session.match
    rules = created.rules
    deal = parts[-1].deal if parts else None
    score = _score(rules, parts, first)
    seen = seen_cards(deal) if deal else []
    unseen = unseen_faces(deal) if deal else None
    left = {
        str(rank): sum(n for card, n in unseen.items() if card.rank is rank)
        if unseen is not None
        else 4 * rules.decks
        for rank in Rank
    }
    return {
        "revision": session.revision,
        "rules": {
            **rules.to_json(),
            "players": rules.players,
            "target": rules.target,
            "partnership": rules.partnership,
            "bluff": rules.bluff,
            "line": str(rules),
        },
        "names": list(created.names),
        "sides": [list(range(side, rules.players, rules.sides)) for side in range(rules.sides)],
        "phase": _phase(session, score["winner"]),
        "deal": len(match.deals) - 1 if deal else None,
        "dealer": deal.dealer if deal else session.next_dealer,
        "next_dealer": session.next_dealer,
        "turn": deal.to_act if deal and session.playing else None,
        "me": created.me,
        "opponent": created.opponent,
        "pile": {
            "size": len(deal.pile) if deal else 0,
            "top": str(deal.top.face) if deal and deal.top else None,
            "cards": [str(card.face) for card in deal.pile] if deal else [],
        },
        "stock": deal.stock_size if deal else 0,
        "bottom": str(deal.setup.bottom.face) if deal and deal.setup.bottom else None,
        "centre": [str(card.face) for card in deal.setup.centre] if deal else [],
        "centre_up": deal.setup.centre_up if deal else 0,
        "hand_deal": deal.hand_deal if deal else 0,
        "hand_deals": rules.hand_deals,
        "hands": _hands(session, deal) if deal else [],
        "claim": _claim(session, deal) if deal else None,
        "may_claim": bool(
            deal and session.playing and deal.may_claim and not session.computer_turn
        ),
        "legal": [str(card) for card in legal_cards(session)],
        "seen": [str(card) for card in seen],
        "jacks": {"seen": sum(card.is_jack for card in seen), "left": left["J"]},
        "left": left,
        # Each state says for itself which plays have pictures.
        "plays": [{**play} for part in parts[first:] for play in part.plays],
        "score": score,
        "review": [item for part in parts[first:] for item in part.review],
        "can_undo": session.can_undo,
        "can_redo": session.can_redo,
    }


def as_shown(session: Session) -> Match:
    """Return the match as the people may see it: the computer's cards stay hidden."""
    created, match = session.created, session.match
    if created.opponent is None or created.me is None:
        return match
    # When a deal is over, everybody may look at all cards.
    deals = [deal if deal.is_over else deal.view(created.me).deal() for deal in match.deals]
    return Match(match.rules, deals)


def _score(rules: RuleSet, parts: Sequence[DealPart], first: int) -> dict[str, Any]:
    """Return the score as `score_to_json` does, with the deals from *first* on."""
    points = [[side["points"] for side in part.score["sides"]] for part in parts]
    totals = [sum(side) for side in zip(*points, strict=True)] or [0] * rules.sides
    over = bool(parts) and parts[-1].deal.is_over
    return {
        "format": SCORE_FORMAT,
        "deals": [part.score for part in parts[first:]],
        "totals": totals,
        "winner": winner_of(rules, totals) if over else None,
        "problems": [],
    }


def _phase(session: Session, winner: int | None) -> str:
    """Return what the game waits for."""
    deal = session.deal
    if deal is None:
        return "setup"
    if not session.playing:
        return "deal_over" if winner is None else "match_over"
    me = session.created.me
    fresh = deal.hands_just_dealt or not deal.history
    if me is not None and fresh and any(not card.known for card in deal.hands[me]):
        return "waiting"
    return "playing"


def seen_cards(deal: Deal) -> list[Card]:
    """Return the cards that lay face up so far, in order: bottom card, centre, plays."""
    setup = deal.setup
    up = [card for card in setup.centre[len(setup.centre) - setup.centre_up :] if card.known]
    cards = [*up, *(played.card for played in deal.history if played.card.known)]
    if setup.bottom is not None and setup.bottom not in cards:
        cards.insert(0, setup.bottom)
    return [card.face for card in (*setup.buried, *cards)]


def legal_cards(session: Session) -> list[Card]:
    """Return the faces that a person may enter as the next play, in the order of the deck."""
    deal = session.deal
    if deal is None or not session.playing or deal.claimed is not None or session.computer_turn:
        return []
    hand = deal.legal_cards()
    faces = {card.face for card in hand if card.known}
    if any(not card.known for card in hand):
        unseen = unseen_faces(deal)
        faces |= {
            face for face in unseen if any(card.may_be(face) for card in hand if not card.known)
        }
    return [card for card in deck() if card in faces]


def alternatives(session: Session, number: int, play: int) -> list[tuple[Card, float]]:
    """Return what a play may have been instead, as far as the rules allow, likeliest first.

    First what the camera took into account, then all other cards that may have been played. A card
    that lies elsewhere is none of them, unless the camera itself took another play for it: then the
    two were taken for each other.
    """
    facts = session.facts[number]
    laid = facts.plays[play]
    deal = session.match.deals[number]
    named = dict(laid.alternatives)
    seat = deal.history[play].seat
    unseen = set(unseen_faces(resolved(deal)))
    camera = {each.card.face for each in facts.plays if each.by == "camera"}
    # What lies in the hand may have been played instead; that of the computer is secret.
    mine = session.created.opponent is None or seat == session.created.me
    held = {card.face for card in deal.hands[seat] if card.known} if mine else set()
    possibly = unseen | camera | held
    possible = [card for card in deck() if card is not laid.card.face and card in possibly]
    possible.sort(key=lambda card: card not in held)
    possible.sort(key=lambda card: -named.get(card, 0.0))
    return [(card, named.get(card, 0.0)) for card in possible]


def _claim(session: Session, deal: Deal) -> dict[str, Any] | None:
    """Return the claim that waits for an answer; its card only where the advised player laid it."""
    if deal.claimed is None:
        return None
    mine = deal.turn == session.created.me and deal.claimed.known
    card = str(deal.claimed.face) if mine else None
    return {"seat": deal.turn, "answers": deal.to_act, "card": card}


def _hands(session: Session, deal: Deal) -> list[dict[str, Any]]:
    against = session.created.opponent is not None
    hands = []
    for seat, held in enumerate(deal.hands):
        hand = list(held)
        if deal.claimed is not None and seat == deal.turn:
            # It lies on the table already.
            hand.remove(deal.claimed if deal.claimed in hand else hand[-1])
        known = all(card.known for card in hand)
        mine = seat == session.created.me
        open_hand = (mine or not against) and known
        cards = [str(card.face) for card in hand] if open_hand else None
        hands.append({"seat": seat, "count": len(hand), "cards": cards})
    return hands


def _plays(
    number: int, facts: DealFacts, deal: Deal, score: dict[str, Any]
) -> list[dict[str, Any]]:
    bonuses = [play["bonus"] for play in score["plays"]]
    plays = []
    for at, (laid, played) in enumerate(zip(facts.plays, deal.history, strict=True)):
        plays.append(
            {
                "deal": number,
                "play": at,
                "seat": played.seat,
                "card": str(played.card.face),
                "claim": played.claim.value if played.claim else None,
                "captured": played.captured,
                "bonus": bonuses[at],
                "by": laid.by,
                "confidence": laid.confidence,
                "t": laid.t,
                "picture": None,
                "alternatives": [
                    {"card": str(card), "probability": probability}
                    for card, probability in laid.alternatives
                ],
            }
        )
    return plays


def _review(number: int, facts: DealFacts) -> list[dict[str, Any]]:
    return [
        {
            "deal": number,
            "play": at,
            "t": laid.t,
            "read": str(laid.card),
            "alternatives": [str(card) for card, _ in laid.alternatives],
        }
        for at, laid in enumerate(facts.plays)
        if is_doubtful(laid)
    ]


def is_doubtful(laid: Laid) -> bool:
    """Whether a person should look at a play that the camera read."""
    sure = laid.confidence is None or laid.confidence >= CHECK_BELOW
    return laid.by == "camera" and not sure
