"""How well a model predicts a text, with its weights taken from wherever they are.

Each layer visits the device that computes, in float32, and goes home as it was: memory holds the
model as it is stored, and one layer. Which numbers it has during the visit is the caller's to say,
so that the original, plain rounding and what was written to disk are measured in the same way.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import nn

WeightOf = Callable[[str, torch.Tensor], torch.Tensor]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a model made of a text.

    Attributes:
        loss: the mean negative log-likelihood of the next token, in nats.
        likeliest: the most likely next token at each position [windows, length].
    """

    loss: float
    likeliest: torch.Tensor

    @property
    def perplexity(self) -> float:
        """exp(loss); infinite where that is too large for a float."""
        try:
            return math.exp(self.loss)
        except OverflowError:
            return math.inf

    def agreement(self, original: Measured) -> float:
        """The share of positions at which both find the same token most likely."""
        return float((self.likeliest == original.likeliest).float().mean())


def as_stored(_name: str, weight: torch.Tensor) -> torch.Tensor:
    """The weights the model has."""
    return weight


def measure(
    model: nn.Module,
    windows: Sequence[Sequence[int]],
    device: str,
    weight_of: WeightOf = as_stored,
    on_window: Callable[[int], None] = lambda _done: None,
) -> Measured:
    """Let `model` read `windows` of token ids, each by itself.

    Args:
        weight_of: gives a parameter's numbers by its name and those the model has.
        on_window: called with how many are done.
    """
    total, count = 0.0, 0
    likeliest = []
    with torch.inference_mode(False), torch.no_grad(), visiting(model, device, weight_of):
        for done, window in enumerate(windows, 1):
            ids = torch.tensor([window], device=device)
            logits = model(ids, use_cache=False).logits[0].float()
            likeliest.append(logits.argmax(-1).cpu())
            loss = nn.functional.cross_entropy(logits[:-1], ids[0, 1:], reduction="sum")
            total += loss.item()
            count += len(window) - 1
            on_window(done)
    return Measured(total / count, torch.cat(likeliest))


@contextlib.contextmanager
def visiting(model: nn.Module, device: str, weight_of: WeightOf) -> Iterator[None]:
    """While entered, each part of `model` is on `device` in float32 while it computes."""
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    at_home: dict[int, list[tuple[nn.Parameter, torch.Tensor]]] = {}

    def arrive(part: nn.Module, _arguments: object) -> None:
        moved = []
        for parameter in part.parameters():
            moved.append((parameter, parameter.data))
            weight = weight_of(names[id(parameter)], parameter.data)
            parameter.data = weight.to(device, torch.float32)
        at_home[id(part)] = moved

    def leave(part: nn.Module, _arguments: object, _output: object) -> None:
        for parameter, data in at_home.pop(id(part), ()):
            parameter.data = data

    for buffer in model.buffers():
        buffer.data = buffer.data.to(device)
    hooks = []
    try:
        for part in parts(model):
            hooks.append(part.register_forward_pre_hook(arrive))
            hooks.append(part.register_forward_hook(leave))
        yield
    finally:
        for hook in hooks:
            hook.remove()
        for part in parts(model):
            leave(part, None, None)


def parts(model: nn.Module) -> list[nn.Module]:
    """The decoder layers, and the modules outside them that have parameters of their own."""
    layers = list(decoder_layers(model))
    inside = {id(module) for layer in layers for module in layer.modules()}
    outside = [
        module
        for module in model.modules()
        if id(module) not in inside and any(True for _ in module.parameters(recurse=False))
    ]
    return [*layers, *outside]


def decoder_layers(model: nn.Module) -> nn.ModuleList:
    """The decoder layers of a causal language model."""
    layers = model.get_decoder().layers
    assert isinstance(layers, nn.ModuleList)
    return layers


def linear_names(model: nn.Module) -> list[str]:
    """The names of the linear layers inside the decoder layers."""
    inside = {id(module) for layer in decoder_layers(model) for module in layer.modules()}
    return [
        name
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and id(module) in inside
    ]
