"""The one module that touches autoawq, so that another tool can take its place.

autoawq 0.2.9 is the last of its line. What is wrong with it is put right here, by a subclass:

* Between two tries of scales it restores a layer from `v.cpu()` of its state. On a CPU that is the
  same tensor, the tries pile up, and the model is ruined (SmolLM2: perplexity 544,043 for 14.7).
* Its loader drops samples longer than its limit, and the end of all samples, without a word; and it
  imports `datasets` (with pyarrow and pandas 260 MB) for the sake of data sets by name. The tokens
  come from us.
* Its search for the best clipping multiplies element by element what is a matrix product: the same
  numbers here in a tenth of the time.
* It keeps whole models in the type they compute in. Here a layer is widened to float32 when its
  turn comes, so that memory holds the model as stored, and one layer.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

BITS = 4
_CLIP_STEPS = 20  # autoawq's own grid: clip to 100 %, 95 %, … of a group's largest weight
_CLIP_LEAST = 0.5
_CLIP_TOKENS = 512
_ROWS_AT_ONCE = 256


@contextlib.contextmanager
def _without_datasets() -> Iterator[None]:
    """Let autoawq import `datasets` where it is not there: it is used for named data sets alone."""

    def load_dataset(*_arguments: object, **_options: object) -> None:
        raise RuntimeError("calibration text is read from this computer only")

    stand_in = types.ModuleType("datasets")
    stand_in.load_dataset = load_dataset  # type: ignore[attr-defined]
    before = sys.modules.get("datasets")
    sys.modules["datasets"] = stand_in
    try:
        yield
    finally:
        if before is None:
            del sys.modules["datasets"]
        else:
            sys.modules["datasets"] = before


with _without_datasets():
    from awq.models.auto import AWQ_CAUSAL_LM_MODEL_MAP
    from awq.quantize.quantizer import AwqQuantizer


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to quantise.

    Attributes:
        windows: token ids [windows, length] to calibrate on.
        group_size: weights that share a scale and a zero point.
        on_layer: called as each layer is begun, with its index.
        at_once: windows in one forward pass; None: all.
    """

    windows: torch.Tensor
    group_size: int
    on_layer: Callable[[int], None]
    at_once: int | None = None


def quantise(model: nn.Module, recipe: Recipe) -> nn.Module:
    """Replace the linear layers of `model`'s decoder layers by AWQ's packed ones, in place.

    Raises:
        KeyError: autoawq has no recipe for this kind of model.
    """
    kind = model.config.model_type
    tool = AWQ_CAUSAL_LM_MODEL_MAP[kind](model, kind, False, model.config, None, None)
    tool.quantize(
        quant_config={
            "zero_point": True,
            "q_group_size": recipe.group_size,
            "w_bit": BITS,
            "version": "GEMM",
        },
        quantizer_cls=_CuredQuantizer,
        n_parallel_calib_samples=recipe.at_once,
        recipe=recipe,
    )
    return model


class _CuredQuantizer(AwqQuantizer):  # type: ignore[misc]
    """See the module."""

    def __init__(self, *arguments: Any, recipe: Recipe, **options: Any) -> None:
        self._recipe = recipe
        self._layer = 0
        super().__init__(*arguments, **options)

    def init_quant(self, **_limits: int) -> tuple[nn.ModuleList, dict[str, Any], torch.Tensor]:
        """The layers, what the first is called with besides its input, and that input."""
        layers = self.awq_model.get_model_layers(self.model)
        caught: dict[str, Any] = {}

        class Reached(Exception):  # noqa: N818 - no error
            pass

        def catch(_layer: nn.Module, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
            caught.update(options)
            caught["input"] = arguments[0] if arguments else options["hidden_states"]
            raise Reached

        def widen(_embedding: nn.Module, _arguments: object, output: torch.Tensor) -> torch.Tensor:
            return output.float()  # positions and masks are then made in float32 too

        with (
            self.model.get_input_embeddings().register_forward_hook(widen),
            layers[0].register_forward_pre_hook(catch, with_kwargs=True),
            torch.no_grad(),
            contextlib.suppress(Reached),
        ):
            self.model(self._recipe.windows, use_cache=False)
        caught.pop("hidden_states", None)
        inputs = caught.pop("input")
        return layers, caught, inputs

    def _get_input_feat(self, layer: nn.Module, named_linears: dict[str, nn.Linear]) -> Any:
        self._recipe.on_layer(self._layer)
        self._layer += 1
        layer.float()
        return super()._get_input_feat(layer, named_linears)

    def _apply_quant(self, module: nn.Module, named_linears: dict[str, nn.Linear]) -> None:
        super()._apply_quant(module, named_linears)
        module.cpu()  # a GPU holds one layer at a time

    def _compute_best_scale(
        self,
        x: torch.Tensor,
        w_mean: torch.Tensor,
        x_mean: torch.Tensor,
        module2inspect: nn.Module,
        *rest: Any,
    ) -> torch.Tensor:
        state_dict = module2inspect.state_dict
        module2inspect.state_dict = lambda: {
            name: value.clone() for name, value in state_dict().items()
        }
        try:
            scales: torch.Tensor = super()._compute_best_scale(
                x, w_mean, x_mean, module2inspect, *rest
            )
        finally:
            del module2inspect.state_dict
        return scales

    def _compute_best_clip(
        self, w: torch.Tensor, input_feat: torch.Tensor, **_grid: Any
    ) -> torch.Tensor:
        group = self.group_size
        tokens = input_feat.reshape(-1, w.shape[1])
        tokens = tokens[:: max(1, len(tokens) // _CLIP_TOKENS)].to(w.device)
        # [groups, group, tokens]: each group's share of the output is a matrix product.
        features = tokens.reshape(len(tokens), -1, group).permute(1, 2, 0).contiguous()
        return torch.cat([self._clip_rows(rows, features) for rows in w.split(_ROWS_AT_ONCE)])

    def _clip_rows(self, w: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        groups = w.reshape(len(w), -1, self.group_size)
        largest = groups.abs().amax(dim=-1, keepdim=True)  # [rows, groups, 1]
        best = largest.clone()
        least = torch.full_like(largest, float("inf"))
        for step in range(int(_CLIP_LEAST * _CLIP_STEPS)):
            limit = largest * (1 - step / _CLIP_STEPS)
            clipped = torch.clamp(groups, -limit, limit)
            rounded = self.pseudo_quantize_tensor(clipped.reshape(w.shape))[0]
            difference = (rounded.reshape(groups.shape) - groups).permute(1, 0, 2)
            error = torch.bmm(difference, features).pow(2).mean(dim=2).t().unsqueeze(-1)
            better = error < least
            least[better], best[better] = error[better], limit[better]
        return best
