"""Deals for the tests: what everybody at the table sees, and what the score must be."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import av

from engine import Deal, Match, RuleSet
from engine.record import read_file, replay, score_to_json
from tests.page.running import ROOT

SAMPLES: Final = ROOT / "advisor" / "samples"


class Played:
    """A deal of two that was played to its end.

    Attributes:
        centre: the face-up card of the centre.
        bottom: the shown bottom card.
        cards: the cards in the order in which they are played.
        hands: the cards that seat 0 gets, hand deal by hand deal.
    """

    def __init__(self, deal: Deal) -> None:
        self.rules = deal.rules
        self.centre = str(deal.setup.centre[-1])
        self.bottom = str(deal.setup.bottom)
        self.cards = [str(played.card) for played in deal.history]
        # Seat 0 plays first; every hand deal is eight plays.
        blocks = [self.cards[start : start + 8] for start in range(0, len(self.cards), 8)]
        self.hands = [block[::2] for block in blocks]
        self.score = score_to_json(Match(self.rules, [deal]))

    @classmethod
    def shuffled(cls, seed: int, target: int = 151) -> Played:
        """Return a deal that was played by taking whatever can be taken."""
        deal = Deal.shuffled(RuleSet.classic(players=2, target=target), dealer=1, seed=seed)
        while not deal.is_over:
            top = deal.top
            fitting = [card for card in deal.legal_cards() if top and card.rank is top.rank]
            deal.play((fitting or list(deal.legal_cards()))[0])
        return cls(deal)

    @classmethod
    def recorded(cls) -> Played:
        """Return the deal of the sample recording."""
        return cls(replay(read_file(SAMPLES / "sample.pisti").record).deals[0])


def cut_sample(path: Path, seconds: float) -> None:
    """Write the beginning of the sample recording to *path*, its pictures as they are."""
    with av.open(str(SAMPLES / "sample.mp4")) as whole, av.open(str(path), "w") as part:
        video = whole.streams.video[0]
        stream = part.add_stream_from_template(video)
        for packet in whole.demux(video):
            if packet.dts is None or packet.dts * video.time_base > seconds:
                break
            packet.stream = stream
            part.mux(packet)
