"""Train the value of positions between hand deals (advisor.policies.value) from self-play.

    python -m models.train_value --deals 200000 --seed 1 -o advisor/policies/value.npz

Needs torch (the `train` extra). The same seed gives the same deals; training takes minutes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from advisor.policies.linear import heaviest
from advisor.policies.rows import CAREFUL, COUNTING, TIPS, TUNED
from advisor.policies.value import HIDDEN, INPUTS, features_of
from engine import RuleSet
from engine.kernel.compiling import compiled
from engine.kernel.dealing import draw_at, set_keys, shuffle_states
from engine.kernel.layout import STATE, Rules, whole
from engine.kernel.stepping import push, scored, side_points, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]


def _collect(
    rules: Rules, states: Any, rows: Floats, who: Any, inputs: Any, targets: Any, counts: Any
) -> None:
    """Play *states*; write the inputs and what came after at every hand deal's end."""
    sums = np.empty(HAND_SIZE)
    points = np.empty(rules.sides)
    at = 0
    sides = np.empty(16, np.int64)
    before = np.empty(16)
    for number in range(len(states)):
        state = states[number]
        first = at
        while state.left > 0:
            seat = whole(state.turn)
            view = view_of(rules, state)
            draw = whole(draw_at(state.key, view.left) >> np.uint64(32))
            row = rows[who[number, seat % rules.sides]]
            push(rules, state, heaviest(rules.cards, view, draw, row, sums))
            if state.left > 0 and state.left % (HAND_SIZE * rules.players) == 0:
                features_of(rules, state, inputs[at])
                mine = whole(state.turn) % 2
                sides[at - first] = mine
                before[at - first] = scored(state, mine) - scored(state, 1 - mine)
                at += 1
        side_points(rules, state, points)
        for back in range(first, at):
            mine = sides[back - first]
            targets[back] = points[mine] - points[1 - mine] - before[back - first]
    counts[0] = at


@click.command()
@click.option("--rules", "rule_line", default="classic players=2")
@click.option("--deals", default=200_000)
@click.option("--epochs", default=6)
@click.option("--seed", default=1)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
def main(rule_line: str, deals: int, epochs: int, seed: int, output: Path) -> None:
    """Train the network of one rule set and add it to the file of all."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rules = RuleSet.parse(rule_line)
    compiled_rules = Rules.of(rules)
    collect = compiled(_collect, parts=(features_of, heaviest, push))
    states = np.zeros(deals, STATE)
    set_keys(states, np.uint64(seed), 0)
    shuffle_states(compiled_rules, states, (np.arange(deals) % rules.players).astype(np.int8))
    rows = np.array([TUNED, TUNED, TUNED, CAREFUL, COUNTING, TIPS])
    who = np.random.default_rng(seed).integers(0, len(rows), (deals, 2))
    inputs = np.zeros((deals * rules.hand_deals, INPUTS))
    targets = np.zeros(len(inputs))
    counts = np.zeros(1, np.int64)
    collect(compiled_rules, states, rows, who, inputs, targets, counts)
    x = torch.tensor(inputs[: counts[0]], dtype=torch.float32)
    y = torch.tensor(targets[: counts[0]], dtype=torch.float32)
    kept = len(x) // 20
    model = torch.nn.Sequential(
        torch.nn.Linear(INPUTS, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, 1)
    )
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    batch = 1024
    steps = epochs * ((len(x) - kept) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=steps)
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        order = kept + torch.randperm(len(x) - kept, generator=generator)
        for at in range(0, len(order) - batch + 1, batch):
            part = order[at : at + batch]
            loss = ((model(x[part])[:, 0] - y[part]) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        with torch.no_grad():
            left = ((model(x[:kept])[:, 0] - y[:kept]) ** 2).mean()
        explained = 1 - float(left / y[:kept].var())
        click.echo(f"epoch {epoch}: variance explained {explained:.4f} of {float(y.var()):.1f}")
    first, last = model[0], model[2]
    parts = (*first.parameters(), *last.parameters())
    weights = np.concatenate([part.detach().numpy().ravel() for part in parts])
    networks = dict(np.load(output)) if output.exists() else {}
    networks[rule_line] = weights.astype(np.float32)
    np.savez(output, **networks)


if __name__ == "__main__":
    main()
