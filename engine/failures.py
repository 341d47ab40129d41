"""vLLM's errors -> cause in plain words + remedies. Pure text matching, first hit wins.

The innermost cause is matched first: "Engine core initialization failed" and its like
are wrappers that say nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.protocol import Failure, Remedy, RemedyAction, Scope

DETAIL_CHARS = 20_000

_CHOOSE = Remedy("Choose another model", RemedyAction.CHOOSE_MODEL)
_RETRY = Remedy("Try again", RemedyAction.RETRY)
_LOG = Remedy("Show the log", RemedyAction.SHOW_LOG)
_EAGER = Remedy("Load without CUDA graphs", RemedyAction.RELOAD_WITH, {"enforce_eager": 1})
_LESS = Remedy("Use less GPU memory", RemedyAction.RELOAD_WITH, {"gpu_memory_utilization": 0.8})
_MORE = Remedy("Use more GPU memory", RemedyAction.RELOAD_WITH, {"gpu_memory_utilization": 0.95})
_SHORTER = Remedy("Load with 8,192 tokens", RemedyAction.RELOAD_WITH, {"max_model_len": 8192})
_HALF = Remedy("Load as float16", RemedyAction.RELOAD_WITH, {"dtype": "float16"})
_SINGLE = Remedy("Use one GPU", RemedyAction.RELOAD_WITH, {"tensor_parallel_size": 1})
_AUTO_KV = Remedy(
    "Use the usual KV precision", RemedyAction.RELOAD_WITH, {"kv_cache_dtype": "auto"}
)


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` is searched in the error's text."""

    code: str
    pattern: str
    cause: str
    remedies: tuple[Remedy, ...] = (_CHOOSE, _LOG)


RULES: tuple[Rule, ...] = (
    Rule(
        "no_kv_memory",
        r"No available memory for the cache blocks|Cannot auto-fit max_model_len",
        "The model's weights fill the memory it may use; nothing is left for the chats' KV cache.",
        (_MORE, _CHOOSE),
    ),
    Rule(
        "context_too_long",
        r"To serve at least one request with the model",
        "The context is too long for the KV memory that is left.",
        (_SHORTER, _CHOOSE),
    ),
    Rule(
        "vram_in_use",
        r"is less than desired GPU memory utilization",
        "Other programs use part of the GPU's memory, so the share asked for is not free.",
        (_LESS, _RETRY),
    ),
    Rule(
        "vram_changed",
        r"Error in memory profiling",
        "Another program gave GPU memory back while the model was being measured.",
        (_RETRY,),
    ),
    Rule(
        "vram_warmup",
        r"out of memory occurred when warming up sampler",
        "There is not enough GPU memory for so many chats at once.",
        (
            Remedy("Load for 32 chats at once", RemedyAction.RELOAD_WITH, {"max_num_seqs": 32}),
            _LESS,
        ),
    ),
    Rule(
        "vram_full",
        r"not enough GPU memory|CUDA out of memory|OutOfMemoryError",
        "The model does not fit in the GPU's memory.",
        (_EAGER, _SHORTER, _CHOOSE),
    ),
    Rule(
        "ram_full",
        r"is less than desired CPU memory utilization|allocation is less than requested memory "
        r"for kv|DefaultCPUAllocator: can't allocate memory|MemoryError|Cannot allocate memory",
        "There is not enough free memory (RAM) for the model and its KV cache. Close other "
        "programs, or choose a smaller model.",
        (
            Remedy("Load with less KV space", RemedyAction.RELOAD_WITH, {"kv_cache_bytes": 2**28}),
            _CHOOSE,
        ),
    ),
    Rule(
        "no_space",
        r"No space left on device",
        "There is no space left where the engine keeps files while it runs (/dev/shm or the "
        "folder of temporary files). Free some, then try again.",
        (_RETRY, _LOG),
    ),
    Rule(
        "no_bfloat16",
        r"Bfloat16 is only supported on GPUs",
        "This GPU is too old for bfloat16.",
        (_HALF,),
    ),
    Rule(
        "gpu_too_old",
        r"is not supported for the current GPU\. Minimum",
        "This GPU is too old for this model's quantisation.",
    ),
    Rule(
        "quant_dtype",
        r"is not supported for quantization method",
        "This quantisation does not work with the chosen precision.",
        (_HALF,),
    ),
    Rule(
        "tp_split",
        r"input size is not aligned with the quantized|Total number of attention heads",
        "This model cannot be split over these GPUs.",
        (_SINGLE,),
    ),
    Rule(
        "no_kernel",
        r"Failed to find a kernel that can implement",
        "No kernel for this model's quantisation runs on this machine.",
    ),
    Rule(
        "awq_needs_avx512",
        r"no attribute 'cpu_gemm_wna16'",
        "This processor lacks the instructions (AVX-512) that AWQ models need on a CPU.",
    ),
    Rule(
        "fp8_kv_cpu",
        r"FP8 KV cache on CPU requires",
        "This processor cannot keep the KV cache in FP8.",
        (_AUTO_KV,),
    ),
    Rule(
        "weights_missing",
        r"Cannot find any model weights",
        "The model's weights are missing: its download is not complete.",
    ),
    Rule(
        "weights_broken",
        r"SafetensorError|Error while deserializing header|MetadataIncompleteBuffer|"
        r"InvalidHeader",
        "A weight file of this model is damaged. Fetch it again.",
    ),
    Rule(
        "quant_unknown",
        r"Unknown quantization method|Cannot find the config file for",
        "This model's quantisation is unknown to this engine.",
    ),
    Rule(
        "architecture",
        r"are not supported for now|does not recognize this architecture",
        "This engine does not know this model's architecture.",
    ),
    Rule(
        "remote_code",
        r"trust_remote_code|Failed to load the model config|Failed to load the tokenizer",
        "This model wants to run a program of its own, which Inglenook never allows.",
    ),
    Rule(
        "tokenizer_missing",
        r"Can't load tokenizer for|Couldn't instantiate the backend tokenizer",
        "The model's tokenizer cannot be loaded: its files are missing or damaged.",
    ),
    Rule(
        "no_chat_template",
        r"default chat template is no longer allowed|chat_template is not set",
        "This model has no chat template: it is a base model, not made for chats.",
    ),
    Rule(
        "template",
        r"jinja2|TemplateError|Chat template rendering timed out|TemplateTimeout",
        "The model's chat template does not work with this chat.",
    ),
    Rule(
        "context_above_model",
        r"User-specified max_model_len",
        "The context asked for is longer than the model can read.",
        (Remedy("Use the model's own", RemedyAction.RELOAD_WITH, {"max_model_len": -1}), _CHOOSE),
    ),
    Rule(
        "gpu_count",
        r"World size .* is larger than",
        "There are fewer GPUs than the settings ask for.",
        (_SINGLE,),
    ),
    Rule("gpu_link", r"NCCL error", "The link between the GPUs failed.", (_SINGLE, _RETRY)),
    Rule(
        "no_gpu",
        r"Failed to infer device type|No CUDA GPUs are available|CUDA driver version",
        "No usable GPU was found: the driver is missing, too old, or the GPU was lost.",
        (_RETRY, _LOG),
    ),
)


def explain(scope: Scope, error: str, *, load_id: int = 0, request_id: str = "") -> Failure:
    """The failure to show for an error's full text (a traceback, innermost last)."""
    for rule in RULES:
        if re.search(rule.pattern, error):
            return Failure(
                scope,
                rule.cause,
                code=rule.code,
                remedies=rule.remedies,
                detail=error[-DETAIL_CHARS:],
                load_id=load_id,
                request_id=request_id,
            )
    last = next((line for line in reversed(error.strip().splitlines()) if line.strip()), "")
    what = {
        Scope.LOAD: "The model could not be loaded",
        Scope.REQUEST: "The answer failed",
        Scope.ENGINE: "The engine failed",
        Scope.SLEEP: "The model could not fall asleep or wake",
    }[scope]
    return Failure(
        scope,
        f"{what}: {last.strip()[:300] or 'no reason was given'}",
        remedies=(_RETRY, _LOG, _CHOOSE) if scope is Scope.LOAD else (_RETRY, _LOG),
        detail=error[-DETAIL_CHARS:],
        load_id=load_id,
        request_id=request_id,
    )
