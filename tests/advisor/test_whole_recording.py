"""From a small rendered recording to its plays: renderer, reader, tracker and decoder together."""

from dataclasses import replace

import av
import numpy as np
import pytest

from advisor.scorer import score_recording
from datasets.games import SAMPLE
from datasets.games.director import Director
from datasets.games.film import Film
from datasets.games.script import play_deal
from datasets.games.stage import Stage
from engine import RuleSet
from tests.rendered import empty_cache
from vision.reader import CardReader

__all__ = ["empty_cache"]

#: Two players, quick ones, near and from above, so that few small pictures do. The cards that take
#: others are left to be seen: in such pictures nobody can name what lies under a hand.
GAME = replace(
    SAMPLE,
    manner=replace(
        SAMPLE.manner, card=(200, 200), think=(0.2, 0.4), approach=(0.4, 0.5), styles=(1, 0, 0)
    ),
    rules=RuleSet.modern(players=2),
    seed=73,
    size=(640, 360),
    fps=10,
    deck=None,
)
#: Plays that are filmed, and the seconds after the last of them.
PLAYS, AFTER = 5, 1.0
#: By how much the camera is bumped into after the third play, in pixels.
BUMP = 46, -24


@pytest.fixture(scope="module")
def recording(tmp_path_factory, empty_cache):
    """The film of a deal's first plays, with a bump, and the plays."""
    rng = np.random.default_rng(GAME.seed)
    stage = Stage(GAME, rng)
    director = Director(GAME.manner, 2, stage.edges, rng)
    deal, turns = play_deal(GAME.rules, 1, GAME.seed)
    director.deal(deal, turns)
    (times,) = director.plan.plays
    path = tmp_path_factory.mktemp("film") / "game.mp4"
    film = Film(GAME, stage, director.plan, rng)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=GAME.fps, options={"qscale": "3"})
        stream.width, stream.height = GAME.size
        stream.pix_fmt = "yuv420p"
        for number, image in enumerate(film.frames()):
            t = number / GAME.fps
            if t > times[PLAYS - 1] + AFTER:
                break
            if t > times[2] + 0.6:
                image = np.roll(image, BUMP, (1, 0))
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path, turns[:PLAYS], times[:PLAYS]


def test_the_plays_are_read_though_the_camera_is_bumped_into(recording, tmp_path, monkeypatch):
    monkeypatch.setenv("PISTI_DATA", str(tmp_path))
    path, turns, times = recording
    reader = CardReader("fast", threads=1)
    scored = score_recording(str(path), GAME.rules, reader, dealer=1)
    (deal,) = scored.record.deals
    assert [play.card for play in deal.plays] == [turn.card for turn in turns]
    for play, t in zip(deal.plays, times, strict=True):
        assert play.t == pytest.approx(t, abs=0.8)
    history = scored.match.deals[0].history
    assert [played.captured for played in history] == [turn.captured for turn in turns]
    ((since, move),) = scored.moves
    assert since == pytest.approx(times[2] + 1.5, abs=1.5)
    assert move.shift == pytest.approx(BUMP, abs=2)
