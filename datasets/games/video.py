"""Writing a recorded game: the video, and beside it the truth as a record with times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from datasets.games.director import Director
from datasets.games.film import Film
from datasets.games.levels import Game
from datasets.games.script import Turn, play_deal
from datasets.games.stage import Stage
from engine import UNKNOWN, Card, Claim, Deal
from engine.record import DealRecord, PlayRecord, Record, write_text


def render_game(
    game: Game,
    folder: Path,
    *,
    preset: str = "veryfast",
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Path:
    """Write *game* below *folder* as an MP4 file, the truth beside it, and return the video's path.

    The same game and the same cache give the same frames. A video that is there already is kept.

    Args:
        game: the game.
        folder: where to write ``NAME.mp4`` and ``NAME.pisti``.
        preset: how hard the encoder tries.
        progress: called with the frames done and the frames in all.
    """
    path = folder / f"{game.name}.mp4"
    if path.is_file() and path.with_suffix(".pisti").is_file():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    manner = game.manner
    rng = np.random.default_rng(game.seed)
    stage = Stage(game, rng)
    director = Director(manner, game.rules.players, stage.edges, rng)
    played = []
    dealer = game.rules.players - 1
    for number in range(game.deals):
        deal, turns = play_deal(game.rules, dealer, game.seed + 7919 * number)
        director.deal(deal, turns)
        played.append((deal, turns))
        dealer = (dealer + 1) % game.rules.players
    plan = director.plan
    film = Film(game, stage, plan, rng)
    part = path.with_suffix(".part.mp4")
    with av.open(str(part), "w") as container:
        options = {"crf": str(manner.crf), "preset": preset}
        stream = container.add_stream("libx264", rate=game.fps, options=options)
        stream.width, stream.height = game.size
        stream.pix_fmt = "yuv420p"
        stream.time_base = Fraction(1, game.fps)
        for number, image in enumerate(film.frames()):
            planes = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420), np.uint8)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts = number
            container.mux(stream.encode(frame))
            progress(number + 1, film.count)
        container.mux(stream.encode())
    record = Record(
        game.rules,
        source=path.name,
        deals=tuple(
            _recorded(deal, turns, times)
            for (deal, turns), times in zip(played, plan.plays, strict=True)
        ),
    )
    path.with_suffix(".pisti").write_text(write_text(record), encoding="utf-8")
    part.replace(path)
    return path


def _recorded(deal: Deal, turns: tuple[Turn, ...], times: list[float]) -> DealRecord:
    """The deal as a perfect watcher would write it down."""
    setup = deal.setup
    hidden = len(setup.centre) - setup.centre_up
    centre = [UNKNOWN] * hidden + [card.face for card in setup.centre[hidden:]]
    known = DealRecord(
        deal.dealer,
        tuple(centre),
        centre_up=setup.centre_up,
        bottom=setup.bottom.face if setup.bottom else None,
        plays=tuple(
            PlayRecord(_shown(turn), turn.claim, t=round(t, 3))
            for turn, t in zip(turns, times, strict=True)
        ),
    )
    if not setup.buried:
        return known
    shown = {id(card) for card in setup.buried}
    whole = tuple(
        card.face if id(card) in shown or place >= hidden else UNKNOWN
        for place, card in enumerate(setup.centre)
    )
    return replace(known, centre=whole, buried=tuple(card.face for card in setup.buried))


def _shown(turn: Turn) -> Card:
    """What a watcher knows of a play: a claimed pişti that was accepted was never turned up."""
    return UNKNOWN if turn.claim is Claim.ACCEPTED else turn.card.face
