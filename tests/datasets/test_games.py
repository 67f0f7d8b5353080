"""Recorded games: legal deals, truthful films."""

from dataclasses import replace

import av
import numpy as np
import pytest

from datasets.decks import BACK
from datasets.games import GAMES, SAMPLE, SLIPPING, render_game
from datasets.games.director import Director
from datasets.games.film import Film, Pose
from datasets.games.levels import LEVELS
from datasets.games.script import choose, play_deal
from datasets.games.stage import Stage
from engine import UNKNOWN, Card, Claim, RuleSet
from engine.record import read_file, read_record, replay, write_text

QUICK = replace(LEVELS[2], think=(0.1, 0.3), approach=(0.3, 0.4), bumps=1.0, odd=0.3, things=1)
SMALL = replace(SAMPLE, manner=QUICK, size=(256, 144), fps=6, deck=None)


def cards(text):
    return [Card.parse(word) for word in text.split()]


@pytest.mark.parametrize(
    ("hand", "pile", "gone", "wanted"),
    [
        ("7S JH 2C", "9D 7C", "", "7S"),
        ("JH 3C", "9D 8C 2H", "", "JH"),
        ("JH 3C", "8C", "", "3C"),
        ("JH JS", "8C", "", "JH"),
        ("4C 9H AD", "", "9S 9D", "9H"),
    ],
)
def test_players_take_what_they_can_and_keep_jacks_and_points(hand, pile, gone, wanted):
    assert choose(cards(hand), cards(pile), cards(gone)) is Card.parse(wanted)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_deal_is_played_to_its_end_and_the_same_seed_plays_it_again(players):
    rules = RuleSet.classic(players=players)
    deal, turns = play_deal(rules, 0, 3)
    assert deal.is_over
    assert [turn.card for turn in turns] == [turn.card for turn in play_deal(rules, 0, 3)[1]]
    assert sum(turn.starts_hand for turn in turns) == rules.hand_deals - 1


def plan_of(game):
    rng = np.random.default_rng(game.seed)
    stage = Stage(game, rng)
    director = Director(game.manner, game.rules.players, stage.edges, rng)
    deal, turns = play_deal(game.rules, game.rules.players - 1, game.seed)
    director.deal(deal, turns)
    return stage, director.plan, turns, rng


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_card_lies_on_the_pile_when_the_truth_says_so(players):
    game = replace(SMALL, rules=RuleSet.modern(players=players), seed=players)
    _, plan, turns, _ = plan_of(game)
    (times,) = plan.plays
    assert times == sorted(times)
    for turn, t in zip(turns, times, strict=True):
        states = [state for at, state in plan.states if at == t]
        assert states[-1].pile[-1].face == turn.card.index
    lying = [state for at, state in plan.states if at <= plan.duration][-1]
    assert lying.pile == ()
    assert sum(heap.count for heap in lying.heaps) == 52


def test_the_film_shows_the_pile_where_the_stage_has_it():
    stage, plan, _, rng = plan_of(SMALL)
    film = Film(SMALL, stage, plan, rng)
    up = next(at for at, state in plan.states if state.pile and state.pile[-1].face != 52)
    frames = []
    for number, image in enumerate(film.frames()):
        frames.append(image)
        if number > (up + 1.0) * SMALL.fps:
            break
    x, y = (int(v) for v in stage.camera.project(np.array([[0.0, 0.0, 0.0]]))[0])
    spot = slice(y - 4, y + 4), slice(x - 4, x + 4)
    before, after = (frame[spot].mean() for frame in (frames[0], frames[-1]))
    assert abs(after - before) > 15
    assert frames[0].shape == (144, 256, 3)


def test_a_rendered_game_has_its_truth_beside_it(tmp_path):
    game = replace(SMALL, deals=2, size=(128, 72), fps=2)
    path = render_game(game, tmp_path)
    record = read_file(path.with_suffix(".pisti")).record
    assert record.source == "sample.mp4"
    assert [len(deal.plays) for deal in record.deals] == [48, 48]
    assert [deal.dealer for deal in record.deals] == [1, 0]
    assert all(deal.is_over for deal in replay(record).deals)
    assert not read_record(write_text(record)).problems
    with av.open(str(path)) as container:
        count = sum(1 for _ in container.decode(video=0))
    assert count / 2 == pytest.approx(record.deals[1].plays[-1].t + 4, abs=4)
    stamp = path.stat().st_mtime_ns
    assert render_game(game, tmp_path).stat().st_mtime_ns == stamp


def test_the_benchmark_has_twenty_games_of_all_kinds():
    assert len({game.name for game in GAMES}) == 20
    assert [sum(game.level == level for game in GAMES) for level in range(1, 6)] == [4] * 5
    assert {game.rules.players for game in GAMES} == {2, 3, 4}
    assert {game.rules.bottom_card for game in GAMES} == {"shown", "hidden"}


CLAIMING = RuleSet.classic(players=2, bluff=True)


def test_players_claim_pistis_where_the_rules_let_them():
    deal, turns = play_deal(CLAIMING, 1, 71)
    told = {(turn.claim, bool(turn.captured)) for turn in turns if turn.claim}
    assert told == {
        (Claim.ACCEPTED, True),
        (Claim.CHALLENGED, True),
        (Claim.CHALLENGED, False),
    }
    assert [played.claim for played in deal.history] == [turn.claim for turn in turns]
    assert play_deal(CLAIMING, 1, 71)[1] == turns
    plain = play_deal(RuleSet.classic(players=2), 1, 71)[1]
    assert not any(turn.claim for turn in plain)
    # As long as nobody has claimed the cards fall the same.
    first = next(number for number, turn in enumerate(turns) if turn.claim)
    assert turns[:first] == plain[:first]


def test_a_claim_lies_face_down_until_it_is_answered():
    game = replace(SMALL, rules=CLAIMING, seed=71)
    _, plan, turns, _ = plan_of(game)
    (times,) = plan.plays
    for number, (turn, t) in enumerate(zip(turns, times, strict=True)):
        after = times[number + 1] if number + 1 < len(times) else plan.duration
        tops = [state.pile[-1:] for at, state in plan.states if t <= at < after and state.pile]
        shown = [top[0].face for top in tops]
        if turn.claim is None:
            assert shown[0] == turn.card.index
            continue
        assert shown[0] == BACK
        challenged = turn.claim is Claim.CHALLENGED
        assert (turn.card.index in shown) == challenged
        state = [state for at, state in plan.states if at <= after - 1e-6][-1]
        assert len(state.pile) == (0 if turn.captured else 2)


def test_the_truth_of_a_claim_that_was_accepted_does_not_name_the_card(tmp_path):
    game = replace(SMALL, rules=CLAIMING, seed=71, size=(128, 72), fps=1)
    truth = read_file(render_game(game, tmp_path).with_suffix(".pisti"))
    assert not truth.problems
    plays = [(play.card, play.claim) for play in truth.record.deals[0].plays]
    turns = play_deal(CLAIMING, 1, 71)[1]
    assert plays == [
        (UNKNOWN if turn.claim is Claim.ACCEPTED else turn.card, turn.claim) for turn in turns
    ]


def test_a_camera_that_slips_shows_the_pile_where_it_says():
    game = replace(SMALL, manner=replace(QUICK, slips=2, bumps=0, odd=0))
    assert game.drawn == (332, 188)
    stage, plan, _, rng = plan_of(game)
    film = Film(game, stage, plan, rng)
    assert stage.size == game.drawn
    (first, one), (second, other) = film._poses
    assert 0 < first < plan.duration / 2 < second < plan.duration
    for pose in (one, other):
        assert 4 <= abs(pose.turn) <= 8
        assert 1.07 < max(pose.zoom, 1 / pose.zoom) < 1.16
    # A mark on the table is seen where the pose puts it, and half way while the camera slips.
    stage.bare[:] = 40
    stage.bare[99:103, 170:174] = 255
    for t, pose in ((0.0, Pose()), (first + 0.3, Pose().towards(one, 0.5)), (second + 1, other)):
        image = film._seen(stage.bare, (0.0, 0.0), film._pose(t)).astype(float).mean(axis=2)
        rows, columns = np.indices(image.shape)
        weight = np.where(image > image.max() / 2, image, 0)
        seen = (weight * columns).sum() / weight.sum(), (weight * rows).sum() / weight.sum()
        wanted = pose.matrix(game.drawn, game.size) @ (171.5, 100.5, 1.0)
        assert seen == pytest.approx(tuple(wanted), abs=0.6)
    frame = film._frame(0)
    assert frame.shape == (144, 256, 3)


def test_games_that_do_not_slip_are_drawn_at_their_own_size():
    assert all(game.drawn == game.size for game in (*GAMES, SAMPLE))
    assert [game.manner.slips for game in SLIPPING] == [3, 3]
    assert not {game.name for game in SLIPPING} & {game.name for game in GAMES}
    stage, plan, _, rng = plan_of(SMALL)
    assert Film(SMALL, stage, plan, rng)._poses == []
