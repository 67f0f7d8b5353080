"""From exported weights back to networks that can be trained further.

An export folds batch normalisations into the convolutions before them (`models.export.fuse`). Here
they are unfolded again: each gets the mean and the variance that it sees on a batch of training
pictures, and the scale and the shift with which it does what the folded convolution does. So the
network gives the answers of the exported file, and trains on as if its checkpoint were still there.
"""

from __future__ import annotations

import re
from typing import Any, Final

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.export import norms

#: Exported networks wrap the one that is trained: its tensors' names begin so.
_WRAPPED: Final = re.compile(r"^model\.")
#: What a batch normalisation measures, which no export holds.
_MEASURED: Final = ("running_mean", "running_var", "num_batches_tracked")


def exported_tensors(exported: bytes) -> dict[str, Tensor]:
    """Return the weights in an ONNX file of `models.export.to_onnx` by their names in the network.

    Raises:
        ValueError: these are not the bytes of an ONNX file.
    """
    try:
        graph = onnx.load_from_string(exported).graph
    except Exception as error:  # protobuf's own error is of no public type
        raise ValueError("not an ONNX file") from error
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        # Tensors that are alike are exported once.
        if node.op_type == "Identity" and node.input[0] in arrays:
            arrays[node.output[0]] = arrays[node.input[0]]
    return {_WRAPPED.sub("", name): torch.from_numpy(a.copy()) for name, a in arrays.items()}


def take_exported(model: nn.Module, exported: bytes, sample: Tensor) -> None:
    """Give *model* the weights of an ONNX file.

    Args:
        model: a network as it is trained, of the kind that was exported.
        exported: the file's bytes, of `models.export.to_onnx`.
        sample: a batch of its usual inputs, on which batch normalisations are measured; the answers
            do not depend on it.

    Raises:
        ValueError: the file holds another network.
    """
    tensors = exported_tensors(exported)
    pairs = [(convolution, norm) for _, convolution, norm in norms(model)]
    for convolution, norm in pairs:
        shift = tensors.pop(f"{convolution}.bias", None)
        if shift is not None:
            tensors[f"{norm}.bias"], tensors[f"{norm}.weight"] = shift, torch.ones_like(shift)
    own = {name: t for name, t in model.state_dict().items() if not name.endswith(_MEASURED)}
    other = [n for n in own if n not in tensors or tensors[n].shape != own[n].shape]
    other += [n for n in tensors if n not in own]
    if other:
        raise ValueError(f"the file holds another network: {other[0]} differs")
    model.load_state_dict(tensors, strict=False)
    _unfold(model, [model.get_submodule(norm) for _, norm in pairs], sample)


@torch.no_grad()
def _unfold(model: nn.Module, layers: list[Any], sample: Tensor) -> None:
    """Give batch normalisations *layers*, which only shift, what they see on *sample*."""
    for layer in layers:
        layer.running_mean.zero_()
        # Such that nothing is scaled.
        layer.running_var.fill_(1 - layer.eps)
    hooks = [layer.register_forward_hook(_measure) for layer in layers]
    was_training = model.training
    model.eval()(sample)
    model.train(was_training)
    for hook in hooks:
        hook.remove()


def _measure(layer: Any, inputs: tuple[Tensor, ...], _output: Tensor) -> None:
    """Take the mean and the variance of *inputs*; scale and shift so that nothing changes."""
    variance, mean = torch.var_mean(inputs[0], dim=(0, 2, 3))
    layer.running_mean.copy_(mean)
    layer.running_var.copy_(variance)
    layer.weight.copy_((variance + layer.eps).sqrt())
    layer.bias += mean
