"""Between our sampling parameters and vLLM's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from engine.protocol import Sampling
from engine.store.folder_error import read_object

# For models that say nothing of it; between what makers of such models advise (0.6 to 0.8).
GENTLE: Final[Mapping[str, Any]] = MappingProxyType({"temperature": 0.7, "top_p": 0.95})
_GENERATION_CONFIG: Final = "generation_config.json"
# What shapes the choice of a token. A penalty or a length alone leaves that choice open.
_SHAPES: Final = ("temperature", "top_p", "top_k", "min_p")

_NAMES = (
    *("temperature", "top_p", "top_k", "min_p", "max_tokens", "seed"),
    *("presence_penalty", "frequency_penalty", "repetition_penalty"),
)


def sampling_params(asked: Sampling, defaults: Mapping[str, Any], room: int) -> Any:
    """VLLM's parameters for one request that streams.

    Args:
        asked: checked by `sampling_limits` and `grammar_trial`.
        defaults: what holds where nothing is asked; see `with_defaults`.
        room: tokens that the context leaves for the answer.
    """
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

    values = values_of(asked, defaults, room)
    if asked.json_schema is not None or asked.regex is not None:
        values["structured_outputs"] = StructuredOutputsParams(
            json=asked.json_schema, regex=asked.regex
        )
    return SamplingParams(
        **values,
        stop=list(asked.stop) or None,
        ignore_eos=asked.ignore_eos,
        output_kind=RequestOutputKind.DELTA,
    )


def values_of(asked: Sampling, defaults: Mapping[str, Any], room: int) -> dict[str, Any]:
    """The numbers of one request: what is asked for, and else the defaults."""
    values = dict(defaults)
    for name in _NAMES:
        if (value := getattr(asked, name)) is not None:
            values[name] = value
    values["max_tokens"] = max(1, min(values.get("max_tokens") or room, room))
    return values


def with_defaults(values: Mapping[str, Any], folder: Path) -> tuple[dict[str, Any], bool]:
    """What holds where a request says nothing, and whether it is the model's own.

    A model that says nothing of how to sample would be sampled as vLLM's neutral values have
    it, at temperature 1.0 from the whole vocabulary. Few chat models are meant so, and small or
    quantised ones ramble then. It concerns above all what was converted from GGUF, since those
    files seldom tell what the original's generation_config.json did: the same model would answer
    worse after its conversion. Such models get GENTLE values, which the window shows as the
    program's. What a chat sets goes before, a temperature of 0 too. A model that says how it is
    to be sampled is left as it is, also where it wants neutral values: vLLM's own reading leaves
    those out, so that the file is looked at again here.

    Args:
        values: vLLM's reading of the model's generation config, without its neutral values.
        folder: of the model's config.
    """
    try:
        told = read_object(folder / _GENERATION_CONFIG)
    except (OSError, ValueError):
        told = {}
    is_own = (
        any(values.get(name) is not None or told.get(name) is not None for name in _SHAPES)
        or told.get("do_sample") is True
    )
    return ({**values} if is_own else {**GENTLE, **values}), is_own


def default_sampling(values: Mapping[str, Any]) -> Sampling:
    """The defaults in force (see `with_defaults`), as far as we know their parameters."""
    known = Sampling.__struct_fields__
    return Sampling(**{name: value for name, value in values.items() if name in known})
