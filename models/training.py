"""What all trainings share: learning rate, averaged weights, checkpoints that continue."""

from __future__ import annotations

import copy
import json
import math
import time
from pathlib import Path
from typing import Any

import torch
from torch import nn


class Averaged:
    """An exponential moving average of a network's weights, which is what is exported."""

    def __init__(self, model: nn.Module, decay: float = 0.998) -> None:
        self.model = copy.deepcopy(model).eval()
        self.updates = 0
        self._decay = decay
        for parameter in self.model.parameters():
            parameter.requires_grad_(False)

    @torch.no_grad()
    def update(self, model: nn.Module) -> None:
        """Take the weights of *model* in."""
        self.updates += 1
        decay = self._decay * (1 - math.exp(-self.updates / 200))
        own = self.model.state_dict()
        for name, tensor in model.state_dict().items():
            if tensor.dtype.is_floating_point:
                own[name].lerp_(tensor, 1 - decay)
            else:
                own[name].copy_(tensor)


def learning_rate(step: int, steps: int, peak: float, warm_up: int = 150) -> float:
    """Return the rate at *step* of *steps*: a linear rise, then half a cosine down to 2 %."""
    if step < warm_up:
        return peak * (step + 1) / warm_up
    share = min(1.0, (step - warm_up) / max(1, steps - warm_up))
    return peak * (0.02 + 0.98 * (1 + math.cos(math.pi * share)) / 2)


def optimizer_for(model: nn.Module, weight_decay: float) -> torch.optim.AdamW:
    """Return AdamW over *model*; only matrices and kernels decay."""
    decayed = [p for p in model.parameters() if p.requires_grad and p.ndim > 1]
    plain = [p for p in model.parameters() if p.requires_grad and p.ndim <= 1]
    groups: list[dict[str, Any]] = [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99))


def to_channels_last(model: nn.Module) -> None:
    """Lay kernels out as CPUs like them: convolutions train twice as fast."""
    for parameter in model.parameters():
        if parameter.ndim == 4:
            parameter.data = parameter.data.contiguous(memory_format=torch.channels_last)


def mixed() -> torch.autocast:
    """Return a context in which networks run in bfloat16 where that is faster: half the time.

    What they return is to be made float again before a loss is computed of it.
    """
    able = bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
    return torch.autocast("cpu", torch.bfloat16, enabled=able)


class Team:
    """Processes that train one network together, each on its own part of every batch.

    On a machine that is busy with other work, several single-threaded processes get further than
    one with several threads.

    Args:
        member: number of this process, from 0; 0 writes logs and checkpoints.
        size: how many there are.
        meeting: a file that all of them name, to find each other; not there before.
    """

    def __init__(self, member: int = 0, size: int = 1, meeting: Path | None = None) -> None:
        self.member, self.size = member, size
        if size > 1:
            if meeting is None:
                raise ValueError("a team of several needs a file to meet at")
            torch.distributed.init_process_group(
                "gloo", init_method=f"file://{meeting.resolve()}", rank=member, world_size=size
            )

    def average(self, model: nn.Module) -> None:
        """Replace the gradients of *model* by their mean over the team."""
        if self.size == 1:
            return
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        flat = torch.cat([gradient.flatten() for gradient in gradients])
        torch.distributed.all_reduce(flat)
        flat /= self.size
        at = 0
        for gradient in gradients:
            gradient.copy_(flat[at : at + gradient.numel()].view(gradient.shape))
            at += gradient.numel()


def descend(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss: torch.Tensor,
    rate: float,
    most: float,
    team: Team | None = None,
) -> float:
    """Take one step at *rate* with gradients clipped to norm *most*; return their norm."""
    optimizer.zero_grad()
    torch.autograd.backward(loss)
    if team is not None:
        team.average(model)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), most)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return float(norm)


def save_state(
    path: Path, step: int, model: nn.Module, averaged: Averaged, optimizer: torch.optim.Optimizer
) -> None:
    """Write everything needed to go on after *step* to *path*, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    state = {
        "step": step,
        "model": model.state_dict(),
        "averaged": averaged.model.state_dict(),
        "updates": averaged.updates,
        "optimizer": optimizer.state_dict(),
    }
    partial = path.with_suffix(".part")
    torch.save(state, partial)
    partial.replace(path)


def load_state(
    path: Path, model: nn.Module, averaged: Averaged, optimizer: torch.optim.Optimizer | None
) -> int:
    """Take up what `save_state` wrote and return the number of the next step."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    averaged.model.load_state_dict(state["averaged"])
    averaged.updates = state["updates"]
    if optimizer is not None:
        optimizer.load_state_dict(state["optimizer"])
    return int(state["step"]) + 1


class Log:
    """Lines of JSON about a training, with the mean of what was added since the last line."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._sums: dict[str, float] = {}
        self._count = 0
        self._start = time.monotonic()

    def add(self, values: dict[str, float]) -> None:
        """Add the numbers of one step."""
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value
        self._count += 1

    def write(self, step: int, **more: float) -> dict[str, float]:
        """Append a line and return it."""
        means = {name: round(value / self._count, 4) for name, value in self._sums.items()}
        spent = time.monotonic() - self._start
        line = {"step": step, **means, "step_s": round(spent / max(1, self._count), 3), **more}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self._sums, self._count, self._start = {}, 0, time.monotonic()
        return line
