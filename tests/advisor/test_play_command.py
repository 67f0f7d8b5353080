"""`pisti play` and the review."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor import Advisor, Limit
from advisor.cli.main import group
from advisor.review import review
from engine import Card, Deal, RuleSet
from engine.record import read_file


def test_a_deal_against_a_rule_of_thumb(tmp_path: Path) -> None:
    file = tmp_path / "game.pisti"
    args = ["--language", "en", "play", "--against", "greedy", "--deals", "1", "--seed", "3"]
    answers = "h\n?\nHELP\nnonsense\nAS\n9\n" + "1\n" * 24
    done = CliRunner().invoke(group, [*args, "-o", str(file)], input=answers)
    assert done.exit_code == 0, done.output
    assert "Play " in done.output
    assert done.output.startswith("You play against the computer. ")
    assert "Deal 1, dealt by Computer\n" in done.output
    assert "'nonsense' is none of your cards; type one of the numbers 1 to 4" in done.output
    assert done.output.count("7H is 7♥") == 2
    assert "points more in this deal." in done.output
    assert done.stderr == f"Written: {file}\n"
    reading = read_file(file)
    assert not reading.problems
    assert reading.match.deals[0].is_over
    again = CliRunner().invoke(group, args, input="1\n" * 24)
    assert again.stdout.splitlines()[-1] == done.stdout.splitlines()[-1]


def test_who_stops_keeps_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.pisti"
    args = ["play", "--seed", "1", "-o", str(file)]
    done = CliRunner().invoke(group, args, input="1\nq\n")
    assert done.exit_code == 0, done.output
    assert len(read_file(file).match.deals[0].history) >= 1


def test_bluff_is_refused() -> None:
    assert CliRunner().invoke(group, ["play", "--rules", "classic bluff=on"]).exit_code == 2


def test_what_the_advisor_plays_costs_nothing() -> None:
    rules = RuleSet.classic(players=2)
    deal = Deal.shuffled(rules, 1, 5)
    advisor, limit = Advisor(), Limit(samples=64, seed=1)
    for _ in range(6):
        if deal.turn == 0:
            best = advisor.advise(deal.view(0), limit).best
            assert isinstance(best, Card)
            deal.play(best)
        else:
            deal.push(deal.legal_cards()[0])
    costs = list(review(deal, 0, advisor, limit))
    assert [cost.points for cost in costs] == [pytest.approx(0.0)] * 3
    deal.push(deal.legal_cards()[0])
    assert len(list(review(deal, 0, advisor, limit))) == 4


def test_ctrl_c_while_a_deal_is_reviewed_keeps_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "game.pisti"
    monkeypatch.setattr("advisor.cli.play.review", interrupted)
    args = ["play", "--against", "greedy", "--deals", "1", "--seed", "3", "-o", str(file)]
    done = CliRunner().invoke(group, args, input="1\n" * 24)
    assert done.exit_code == 0, done.output
    assert read_file(file).match.deals[0].is_over
