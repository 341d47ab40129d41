"""Between our sampling parameters and vLLM's."""

from __future__ import annotations

from typing import Any

from engine.protocol import Sampling

_NAMES = (
    *("temperature", "top_p", "top_k", "min_p", "max_tokens", "seed"),
    *("presence_penalty", "frequency_penalty", "repetition_penalty"),
)


def sampling_params(asked: Sampling, defaults: dict[str, Any], room: int) -> Any:
    """VLLM's parameters for one request that streams.

    Args:
        asked: checked by `sampling_limits` and `grammar_trial`.
        defaults: the model's own.
        room: tokens that the context leaves for the answer.
    """
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams

    values = dict(defaults)
    for name in _NAMES:
        if (value := getattr(asked, name)) is not None:
            values[name] = value
    values["max_tokens"] = max(1, min(values.get("max_tokens") or room, room))
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


def default_sampling(values: dict[str, Any]) -> Sampling:
    """The model's own generation_config.json, as far as we know its parameters."""
    known = Sampling.__struct_fields__
    return Sampling(**{name: value for name, value in values.items() if name in known})
