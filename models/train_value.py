"""Train the value of positions between hand deals (advisor.policies.value) from play.

    python -m models.train_value --deals 600000 --seed 1 -o advisor/policies/value.npz

There is one network for each player of the pool, trained on deals in which one side is that
player and the other answers it. Needs torch (the `train` extra). The same seed gives the same
deals; training takes minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import numpy.typing as npt

from advisor.policies.linear import heaviest
from advisor.policies.value import HIDDEN, INPUTS, features_of
from advisor.search.pool import POOL_NAMES, models_of
from engine import RuleSet
from engine.kernel.compiling import compiled
from engine.kernel.dealing import draw_at, set_keys, shuffle_states
from engine.kernel.layout import STATE, Rules, whole
from engine.kernel.stepping import push, scored, side_points, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]

_BATCH: Final = 4096


def _collect(
    rules: Rules, states: Any, own: Floats, other: Floats, inputs: Any, targets: Any
) -> int:
    """Play *states*; write the inputs and what came after at every hand deal's end.

    The side that plays by *own*, whose gain the targets are, is 0 and 1 in turn. Return how many
    positions there were.
    """
    sums = np.empty(HAND_SIZE)
    points = np.empty(rules.sides)
    at = 0
    before = np.empty(16)
    for number in range(len(states)):
        state = states[number]
        # Over as many deals as there are seats, each seat deals once: pairs keep sides even.
        mine = number // rules.players % 2
        first = at
        while state.left > 0:
            view = view_of(rules, state)
            draw = whole(draw_at(state.key, view.left) >> np.uint64(32))
            row = own if whole(state.turn) % 2 == mine else other
            push(rules, state, heaviest(rules.cards, view, draw, row, sums))
            if state.left > 0 and state.left % (HAND_SIZE * rules.players) == 0:
                features_of(rules, state, mine, inputs[at])
                before[at - first] = scored(state, mine) - scored(state, 1 - mine)
                at += 1
        side_points(rules, state, points)
        for back in range(first, at):
            targets[back] = points[mine] - points[1 - mine] - before[back - first]
    return at


def _positions(rules: RuleSet, own: Floats, other: Floats, deals: int, seed: int) -> Any:
    """Return inputs and targets of *deals* deals of the row *own* against *other*."""
    compiled_rules = Rules.of(rules)
    collect = compiled(_collect, parts=(features_of, heaviest, push))
    states = np.zeros(deals, STATE)
    set_keys(states, np.uint64(seed), 0)
    shuffle_states(compiled_rules, states, (np.arange(deals) % rules.players).astype(np.int8))
    inputs = np.zeros((deals * rules.hand_deals, INPUTS), np.float32)
    targets = np.zeros(len(inputs), np.float32)
    count = collect(compiled_rules, states, own, other, inputs, targets)
    return inputs[:count], targets[:count]


def train(inputs: Any, targets: Any, epochs: int, seed: int) -> tuple[Floats, float]:
    """Return the weights fitted to *targets*, and the share of their variance explained."""
    import torch

    torch.manual_seed(seed)
    x, y = torch.from_numpy(inputs), torch.from_numpy(targets)
    kept = len(x) // 20
    first, last = torch.nn.Linear(INPUTS, HIDDEN), torch.nn.Linear(HIDDEN, 1)
    model = torch.nn.Sequential(first, torch.nn.ReLU(), last)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    steps = epochs * ((len(x) - kept) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 1e-2, total_steps=steps)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = kept + torch.randperm(len(x) - kept, generator=generator)
        for at in range(0, len(order) - _BATCH + 1, _BATCH):
            part = order[at : at + _BATCH]
            loss = ((model(x[part])[:, 0] - y[part]) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    with torch.no_grad():
        left = ((model(x[:kept])[:, 0] - y[:kept]) ** 2).mean()
    parts = (first.weight.T, first.bias, last.weight, last.bias)
    weights = np.concatenate([part.detach().numpy().ravel() for part in parts])
    return weights, 1 - float(left / y[:kept].var())


@click.command()
@click.option("--rules", "rule_line", default="classic players=2")
@click.option("--deals", default=600_000, help="Deals for each player of the pool.")
@click.option("--epochs", default=4)
@click.option("--seed", default=1)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
def main(rule_line: str, deals: int, epochs: int, seed: int, output: Path) -> None:
    """Train the networks of one rule set and add them to the file of all."""
    import torch

    torch.set_num_threads(1)
    rules = RuleSet.parse(rule_line)
    models = models_of(rules)
    networks = []
    for number, name in enumerate(POOL_NAMES):
        own, other = models.rows[models.answers[number]], models.rows[number]
        inputs, targets = _positions(rules, own, other, deals, seed + number)
        weights, explained = train(inputs, targets, epochs, seed)
        networks.append(weights)
        gain, spread = float(targets.mean()), float(targets.var())
        click.echo(f"{name}: {gain:+.2f} to come, {explained:.4f} of variance {spread:.1f}")
    every = dict(np.load(output)) if output.exists() else {}
    every[rule_line] = np.array(networks, np.float32)
    np.savez(output, **every)


if __name__ == "__main__":
    main()
