"""How a repository's weights are stored, and whether this engine loads them: by what lists tell.

Pure: config, tags and names, none of them reliable alone.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.planner.config_values import Values
from engine.planner.quantisation import read_quantisation
from engine.store.folder_checks import FOREIGN_QUANTISATIONS

UNQUANTISED: Final = frozenset({"bf16", "fp16", "fp32"})
# Of files for other programs: a tag, or the hub's `library_name`.
_FOREIGN: Final[Mapping[str, str]] = {
    "mlx": "MLX",
    "exl2": "ExLlama",
    "exl3": "ExLlama",
    "exllamav2": "ExLlama",
    "exllamav3": "ExLlama",
    "onnx": "ONNX",
    "openvino": "OpenVINO",
    "coreml": "Core ML",
    "mlc-llm": "MLC",
    "ctranslate2": "CTranslate2",
    "tensorrt-llm": "TensorRT-LLM",
    "litert-lm": "LiteRT",
    "executorch": "ExecuTorch",
    "rkllm": "RKLLM",
    "nemo": "NeMo",
    "diffusers": "Diffusers",
    "sentence-transformers": "Sentence Transformers",
}
_BYTES: Final[Mapping[str, float]] = {
    "F64": 8, "I64": 8, "U64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2,
    "U16": 2, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1, "I8": 1, "U8": 1, "BOOL": 1, "F4": 0.5,
}  # fmt: skip
_MOST: Final = 1 << 50
# In names, where nothing else tells; the first that is found.
_NAMED: Final = (
    ("gguf", re.compile(r"[-_.]gguf\b", re.I)),
    ("awq", re.compile(r"[-_.]awq\b", re.I)),
    ("gptq", re.compile(r"[-_.]gptq\b", re.I)),
    ("fp8", re.compile(r"[-_.]fp8\b", re.I)),
    ("w4a16", re.compile(r"[-_.](?:w4a16|quantized\.w4a16)\b", re.I)),
    ("int8", re.compile(r"[-_.](?:w8a8|w8a16|quantized\.w8a\d+)\b", re.I)),
)

_TASKS: Final = frozenset(
    {"text-generation", "text2text-generation", "image-text-to-text", "any-to-any",
     "audio-text-to-text", "video-text-to-text", "conversational", "question-answering"}
)  # fmt: skip

_OTHER_TASK = words("It is made for something else than writing text ({task}).")
_OTHER_PROGRAM = words("Its files are for another program ({program}).")
_ADAPTER = words("It is an addition to another model (an adapter), not a model.")
_METHOD = words("It is quantised with {method}, which this engine does not load.")
_ARCHITECTURE = words("This engine does not know its architecture ({name}).")
_OWN_CODE = words("It needs Python code of its own ({name}); such code is never run here.")
_NO_SAFETENSORS = words("It has no safetensors, the only weights that are loaded here.")


def format_of(
    config: Mapping[str, Any] | None, tags: Sequence[str], name: str, *, gguf: bool = False
) -> str:
    """One of "awq", "gptq", "w4a16", "int8", "fp8", "bf16", "fp16", "fp32" and "gguf"."""
    if gguf:
        return "gguf"
    told = config.get("quantization_config") if config else None
    if isinstance(told, Mapping) and told.get("quant_method"):
        return _by_config(told, tags, name)
    lower = {tag.lower() for tag in tags}
    for tag in ("awq", "gptq", "fp8"):
        if tag in lower:
            return tag
    if "compressed-tensors" in lower:
        return _named(name) or "w4a16"
    named = _named(name)
    if named and named != "gguf":
        return named
    return read_quantisation(Values(dict(config or {}))).format


def _by_config(told: Mapping[str, Any], tags: Sequence[str], name: str) -> str:
    found = read_quantisation(Values({"quantization_config": dict(told)})).format
    # The hub's lists leave the details out, without which compressed-tensors says nothing.
    if str(told.get("quant_method")) == "compressed-tensors" and not told.get("config_groups"):
        lower = {tag.lower() for tag in tags}
        return _named(name) or ("fp8" if "fp8" in lower else "w4a16")
    return found


def _named(name: str) -> str:
    return next((form for form, pattern in _NAMED if pattern.search(name)), "")


def family(form: str) -> str:
    """The format as filters have it: all that is not quantised is "bf16", int8 is "w4a16"'s."""
    if form in UNQUANTISED:
        return "bf16"
    return "w4a16" if form == "int8" else form


def weights_bytes(dtypes: Any) -> int | None:
    """Bytes of the weights by how many values of each type the hub counts; None: not told."""
    if not isinstance(dtypes, Mapping) or not dtypes:
        return None
    total = 0.0
    for dtype, number in dtypes.items():
        if type(number) is not int or not 0 <= number < _MOST:
            return None
        total += number * _BYTES.get(str(dtype), 2)
    return int(total)


def parameters(dtypes: Any, form: str, bits: int = 4) -> int | None:
    """Parameters by the same counts: packed integers hold several of them."""
    if weights_bytes(dtypes) is None:
        return None
    packed = form in {"awq", "gptq", "w4a16"}
    total = 0
    for dtype, number in dtypes.items():
        if packed and dtype in {"I32", "U32"}:
            total += number * 32 // max(1, bits)
        elif packed and dtype in {"U8", "I8"}:
            total += number * 8 // max(1, bits)
        else:
            total += number
    return total


def why_not(
    *,
    architecture: str,
    method: str,
    tags: Sequence[str],
    library: str,
    form: str,
    own_code: bool = False,
    task: str = "",
) -> str:
    """Why this engine cannot load it, in words; "" where nothing is known against it.

    Args:
        task: what it is made for, as the hub calls it.
    """
    lower = {tag.lower() for tag in tags}
    if task and task not in _TASKS:
        return _OTHER_TASK.format(task=task)
    for name, program in _FOREIGN.items():
        if library.lower() == name or (name in lower and not {"awq", "gptq", "gguf"} & lower):
            return _OTHER_PROGRAM.format(program=program)
    if library.lower() == "peft" or any(tag.startswith("base_model:adapter:") for tag in lower):
        return _ADAPTER
    if method.lower() in FOREIGN_QUANTISATIONS:
        return _METHOD.format(method=method)
    if form != "gguf" and "gguf" not in lower and lower and "safetensors" not in lower:
        return _NO_SAFETENSORS
    if not architecture or form == "gguf":
        return ""
    if own_code and architecture not in known_architectures():
        return _OWN_CODE.format(name=architecture)
    if not _may_be_known(architecture):
        return _ARCHITECTURE.format(name=architecture)
    return ""


def _may_be_known(architecture: str) -> bool:
    """Whether vLLM knows it, or may run it by transformers' own code."""
    known = known_architectures()
    if not known or architecture in known:
        return True
    return architecture.endswith(_LANGUAGE_MODELS) and architecture not in _registered(_DROPPED)


def known_architectures() -> frozenset[str]:
    """The language models that the installed vLLM knows; empty where that cannot be told."""
    return _registered(_REGISTRIES)


@cache
def _registered(registries: frozenset[str]) -> frozenset[str]:
    """Names in vLLM's registry, read off its source: to import it takes seconds and a gigabyte."""
    try:
        found = importlib.util.find_spec("vllm")
        places = list(found.submodule_search_locations or ()) if found else []
        source = Path(places[0], "model_executor", "models", "registry.py").read_text("utf-8")
        tree = ast.parse(source)
    except (OSError, ValueError, ImportError, IndexError, SyntaxError):
        return frozenset()
    names: set[str] = set()
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        is_one = isinstance(target, ast.Name) and target.id in registries
        if is_one and isinstance(node.value, ast.Dict):
            keys = (key.value for key in node.value.keys if isinstance(key, ast.Constant))
            names |= {key for key in keys if isinstance(key, str)}
    return frozenset(names)


_REGISTRIES: Final = frozenset(
    {"_TEXT_GENERATION_MODELS", "_MULTIMODAL_MODELS", "_TRANSFORMERS_SUPPORTED_MODELS"}
)
_DROPPED: Final = frozenset({"_PREVIOUSLY_SUPPORTED_MODELS"})
_LANGUAGE_MODELS: Final = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel")
