"""A GGUF file's model as a folder of safetensors, through transformers.

Runs in a process of its own (`engine.store.convert`): it takes as much memory as the model has
weights, and the file may come from anyone.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.protocol import Sampling
from engine.sampling_limits import fault_of
from engine.store import made_folder
from engine.store.gguf_cost import Meter, Stage
from engine.store.gguf_error import GgufError
from engine.store.gguf_header import F16, F32, GgufHeader
from engine.store.gguf_rope import FACTORS, scaling_of

_POLL_SECONDS: Final = 0.5
_SHARD: Final = "5GB"
_BAR: Final = "tqdm"
# Special tokens: name in a config -> key of the file.
_TOKENS: Final = {
    "bos_token_id": "tokenizer.ggml.bos_token_id",
    "eos_token_id": "tokenizer.ggml.eos_token_id",
    "pad_token_id": "tokenizer.ggml.padding_token_id",
}
# How it is to be sampled: name in a generation config -> key of the file. Few files say so.
_SAMPLING: Final = {
    "temperature": "general.sampling.temp",
    "top_k": "general.sampling.top_k",
    "top_p": "general.sampling.top_p",
    "min_p": "general.sampling.min_p",
    "repetition_penalty": "general.sampling.penalty_repeat",
}
_END_OF_TURN: Final = "tokenizer.ggml.eot_token_id"

_ARCHITECTURE = words(
    "{file} holds a model of the architecture {architecture}, which cannot be converted. Look for "
    "the same model as safetensors."
)
_TOKENIZER = words("The tokenizer in {file} cannot be converted ({reason}).")
_MISSING = words(
    "{file} does not hold the whole model: {count} of its parts are missing, the first is {first}."
)
_DAMAGED = words("{file} is damaged: some of its weights are no numbers. Fetch it again.")


def expand(header: GgufHeader, target: Path, meter: Meter) -> None:
    """Write the model and the tokenizer of a file into the folder `target`.

    Raises:
        GgufError: it cannot be converted; says why.
        ImportError: a library is missing.
        OSError, MemoryError: as it happens.
    """
    meter.enter(Stage.LIBRARIES)
    import torch
    from transformers import AutoModelForCausalLM, GgufConfig

    torch.set_grad_enabled(False)
    dtype = torch.float16 if _is_half(header) else torch.bfloat16
    with _read_once(), _watched(header, meter):
        tokenizer, rope = _prepare(header)
        meter.enter(Stage.EXPANDING)
        model, told = AutoModelForCausalLM.from_pretrained(
            **_where(header),
            dtype=dtype,
            quantization_config=GgufConfig(dequantize=True),
            output_loading_info=True,
        )
    _check_whole(header, told)
    if not all(bool(torch.isfinite(weight).all()) for weight in model.parameters()):
        raise GgufError("damaged", _DAMAGED.format(file=header.file.name))
    meter.enter(Stage.WRITING)
    tokenizer.save_pretrained(str(target))
    size = sum(weight.numel() * weight.element_size() for weight in model.parameters())
    with _growing(target, size, meter):
        model.save_pretrained(str(target), max_shard_size=_SHARD)
    _finish(target, header, rope)


def describe(header: GgufHeader, target: Path, meter: Meter) -> None:
    """Write only the config and the tokenizer of a file into `target`: what stands beside it.

    Raises:
        GgufError, ImportError, OSError, MemoryError: as `expand` does.
    """
    meter.enter(Stage.LIBRARIES)
    from transformers import AutoConfig

    tokenizer, rope = _prepare(header)
    meter.enter(Stage.WRITING)
    tokenizer.save_pretrained(str(target))
    AutoConfig.from_pretrained(**_where(header)).save_pretrained(str(target))
    _finish(target, header, rope)


def sampling_told(values: Mapping[str, Any]) -> dict[str, Any]:
    """How a file says that its model is to be sampled, as a generation config has it.

    Args:
        values: of the file's header; what makes no sense in them is passed over.
    """
    told: dict[str, Any] = {}
    value: Any
    for name, key in _SAMPLING.items():
        value = values.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if not math.isfinite(value):
            continue
        value = round(value) if name == "top_k" else float(f"{value:.6g}")  # of 32 bits
        # A temperature of 0 is greedy, which a generation config says in another way.
        if (name != "temperature" or value > 0) and not fault_of(Sampling(**{name: value})):
            told[name] = value
    return {**told, "do_sample": True} if told else {}


def _where(header: GgufHeader) -> dict[str, str]:
    return {
        "pretrained_model_name_or_path": str(header.file.parent),
        "gguf_file": header.file.name,
    }


def _prepare(header: GgufHeader) -> tuple[Any, dict[str, Any]]:
    """The tokenizer, and how positions are stretched; what can be refused soon is."""
    from transformers import AutoTokenizer

    _check_architecture(header)
    rope = scaling_of(header, _rope_factors(header))
    try:
        return AutoTokenizer.from_pretrained(**_where(header)), rope
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        raise GgufError(
            "tokenizer", _TOKENIZER.format(file=header.file.name, reason=reason)
        ) from error


def _check_architecture(header: GgufHeader) -> None:
    from transformers.integrations.gguf import GGUF_ARCHS
    from transformers.modeling_gguf_pytorch_utils import GGUF_SUPPORTED_ARCHITECTURES

    # As the loader names them.
    ours = header.architecture.replace("-", "_").replace("moe", "_moe").replace("__", "_")
    known = {*GGUF_ARCHS, *GGUF_SUPPORTED_ARCHITECTURES} - {"general", "tokenizer"}
    if header.architecture not in known and ours not in known:
        raise GgufError(
            "architecture",
            _ARCHITECTURE.format(file=header.file.name, architecture=header.architecture[:40]),
        )


def _rope_factors(header: GgufHeader) -> list[float] | None:
    """The tensor of factors, if there is one: a few numbers in 32 bits."""
    told = next((tensor for tensor in header.tensors if tensor.name == FACTORS), None)
    if told is None or told.type != F32:
        return None
    from gguf import GGUFReader

    reader = GGUFReader(str(header.file))
    return next(
        ([float(value) for value in tensor.data] for tensor in reader.tensors
         if tensor.name == FACTORS),
        None,
    )  # fmt: skip


def _is_half(header: GgufHeader) -> bool:
    """Whether the file's weights are float16, so that they stay what they are."""
    types = {tensor.type for tensor in header.tensors}
    return F16 in types and types <= {F16, F32}


@contextlib.contextmanager
def _read_once() -> Iterator[None]:
    """Let the libraries share what the gguf package reads of the file: seconds each time."""
    import gguf

    before = gguf.GGUFReader
    gguf.GGUFReader = functools.cache(before)
    try:
        yield
    finally:
        gguf.GGUFReader = before


@contextlib.contextmanager
def _watched(header: GgufHeader, meter: Meter) -> Iterator[None]:
    """Tell the meter of each tensor that transformers' loader goes through."""
    module = importlib.import_module("transformers.modeling_gguf_pytorch_utils")
    sizes = {tensor.name: tensor.elements for tensor in header.tensors}
    whole = max(1, header.elements)

    def watching(tensors: Iterable[Any], **_words: object) -> Iterator[Any]:
        done = 0
        for tensor in tensors:
            yield tensor
            done += sizes.get(tensor.name, 0)
            meter.done(done / whole)

    # It shows a bar on a terminal, and so calls this name with the tensors.
    before = getattr(module, _BAR)
    setattr(module, _BAR, watching)
    try:
        yield
    finally:
        setattr(module, _BAR, before)


@contextlib.contextmanager
def _growing(folder: Path, whole: int, meter: Meter) -> Iterator[None]:
    """Tell the meter how much of `whole` bytes is in `folder`, while something writes there."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(_POLL_SECONDS):
            written = 0
            for path in folder.iterdir():
                with contextlib.suppress(OSError):
                    written += path.stat().st_size
            meter.done(written / max(1, whole))

    thread = threading.Thread(target=look, name="written", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _check_whole(header: GgufHeader, told: Mapping[str, Any]) -> None:
    """Transformers fills what is missing with chance: a model that babbles, without a word."""
    missing = sorted(map(str, told.get("missing_keys") or ()))
    if missing:
        raise GgufError(
            "missing",
            _MISSING.format(file=header.file.name, count=len(missing), first=missing[0]),
        )


def _finish(folder: Path, header: GgufHeader, rope: Mapping[str, Any]) -> None:
    """Put right what the conversion leaves open."""
    _change(folder / "config.json", lambda config: _whole_config(config, rope))
    ids: dict[str, Any] = {
        name: value
        for name, key in _TOKENS.items()
        if isinstance(value := header.values.get(key), int) and not isinstance(value, bool)
    }
    sampling = sampling_told(header.values)
    end_of_turn = header.values.get(_END_OF_TURN)
    if isinstance(end_of_turn, int) and "eos_token_id" in ids:
        ends = [ids["eos_token_id"], end_of_turn]
        ids["eos_token_id"] = sorted(set(ends))
    _change_generation(folder, {**sampling, **ids})


def _whole_config(config: dict[str, Any], rope: Mapping[str, Any]) -> dict[str, Any]:
    kept = _without_notes(config)
    if rope:
        kept["rope_parameters"] = {**(kept.get("rope_parameters") or {}), **rope}
    return kept


def _without_notes(config: dict[str, Any]) -> dict[str, Any]:
    """What transformers notes of its own loading, as the file's title, says nothing of a model."""
    return {key: value for key, value in config.items() if not key.startswith("_")}


def _change_generation(folder: Path, told: Mapping[str, Any]) -> None:
    path = folder / "generation_config.json"
    if not path.exists():
        made_folder.write_json(path, dict(told))
    else:
        _change(path, lambda config: {**_without_notes(config), **told})


def _change(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    made_folder.write_json(path, change(json.loads(path.read_text(encoding="utf-8"))))
