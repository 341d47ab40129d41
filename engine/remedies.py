"""What can be done about a failure, with the values that will work, not ones that might.

A maker gets what the error said (`Found`) and what is known besides (`Known`), and gives a
remedy, or None where there is nothing to offer: what is in force already, or would do nothing.
Sizes in bytes, lengths in tokens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.failure_words import GIB, in_gib, words
from engine.protocol import LoadSettings, Remedy, RemedyAction

Found = Mapping[str, str]  # the named groups of a rule's patterns, those that matched

# VRAM that a graphical desktop takes and gives back at any moment; vLLM wants its share whole.
VRAM_MARGIN: Final = GIB // 4
RAM_MARGIN: Final = GIB // 2  # for the engine's own code and what it computes with
UTILISATIONS: Final = (0.9, 0.95, 0.97)  # rising: vLLM's usual share, and what is worth a try
LEAST_UTILISATION: Final = 0.1
KV_CHAT_TOKENS: Final = 2048  # KV space for less is not worth a load
KV_LEAST: Final = GIB // 8
CUDA_OVERHEAD: Final = int(1.6 * GIB)  # of a load: code, activations, graphs; until measured


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that holds memory of a GPU. `ours`: another engine of this program."""

    name: str
    pid: int
    size: int
    gpu: int = 0
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the error's text; all of it may be missing.

    Attributes:
        settings: those of the load, as used; None where they are not known.
        holders: who else holds memory of the GPUs, as the hardware panel reads it.
        gpus: how many there are.
        on_cpu: whether the model computes on the CPU.
        context: what the model can read.
        kv_bytes_per_token: at the load's precision.
        weights_bytes: of the model's files.
        block_size: slots of a KV block.
        gguf: the path of the GGUF file that was loaded as it is; "": none was.
    """

    settings: LoadSettings | None = None
    holders: tuple[Holder, ...] = ()
    gpus: int = 0
    on_cpu: bool = False
    context: int = 0
    kv_bytes_per_token: int = 0
    weights_bytes: int = 0
    block_size: int = 32
    gguf: str = ""

    @property
    def now(self) -> LoadSettings:
        """The settings, or the usual ones where they are not known."""
        return self.settings or LoadSettings()


Maker = Callable[[Found, Known], Remedy | None]

# Without values.
_CHOOSE = words("Choose another model")
_RETRY = words("Try again")
_LOG = words("Show the log")
_SMALLER = words("Choose a smaller model")
_OTHER_BUILD = words("Choose another build")
_UNQUANTISED = words("Choose an unquantised build")
_FROM_HUB = words("Choose a folder")
_TEMPLATE = words("Choose a template…")
_TOKENIZER = words("Choose a tokenizer folder…")
_OTHERS = words("Unload the other models")
_EAGER = words("Load without CUDA graphs")
_ONE_GPU = words("Use one GPU")
_ONE_PART = words("Load in one piece")
_TWO_GPUS = words("Divide it between two GPUs")
_NO_P2P = words("Load without the direct GPU link")
_AUTO_KV = words("Use the usual KV precision")
_AUTO_DTYPE = words("Use the model's own precision")
_FIT = words("Fit the context to the memory")
_SHORTEN = words("Shorten the message")
_CONVERT = words("Convert it to safetensors")
# With values.
_TOKENS = words("Load with {tokens} tokens")
_SHARE = words("Use {percent} % of the GPU memory")
_SHARE_RAM = words("Use {percent} % of the memory")
_CHATS = words("Load for {count} chats at once")
_KV = words("Load with {gib} GiB of KV cache")
_DTYPE = words("Load as {dtype}")
_GPUS = words("Use {count} GPUs")
_OFFLOAD = words("Keep {gib} GiB of it in RAM")
_BLOCK = words("Load with KV blocks of {tokens}")
_BATCH = words("Read {tokens} tokens a step")


def _plain(text: str, action: RemedyAction) -> Maker:
    remedy = Remedy(text, action)
    return lambda _found, _known: remedy


choose = _plain(_CHOOSE, RemedyAction.CHOOSE_MODEL)
choose_smaller = _plain(_SMALLER, RemedyAction.CHOOSE_MODEL)
choose_build = _plain(_OTHER_BUILD, RemedyAction.CHOOSE_MODEL)
choose_unquantised = _plain(_UNQUANTISED, RemedyAction.CHOOSE_MODEL)
choose_folder = _plain(_FROM_HUB, RemedyAction.CHOOSE_MODEL)
choose_template = _plain(_TEMPLATE, RemedyAction.CHOOSE_TEMPLATE)
choose_tokenizer = _plain(_TOKENIZER, RemedyAction.CHOOSE_TOKENIZER)
retry = _plain(_RETRY, RemedyAction.RETRY)
show_log = _plain(_LOG, RemedyAction.SHOW_LOG)
shorten = _plain(_SHORTEN, RemedyAction.SHORTEN_PROMPT)


def convert(_found: Found, known: Known) -> Remedy | None:
    """Convert the GGUF file that was loaded; without its name, the one that the window meant."""
    return Remedy(_CONVERT, RemedyAction.CONVERT, {"file": known.gguf} if known.gguf else {})


def reload_with(text: str, **settings: bool | int | float | str | tuple[int, ...]) -> Remedy:
    """A remedy that loads again with some settings changed."""
    return Remedy(text, RemedyAction.RELOAD_WITH, dict(settings))


def number(found: Found, name: str) -> float | None:
    """What the error gave as a number; None where it is none, or no finite one."""
    try:
        value = float(found[name].replace(",", ""))
    except (KeyError, ValueError):
        return None
    return value if math.isfinite(value) else None


# --- context and KV space ------------------------------------------------------------------


def load_with_estimate(found: Found, known: Known) -> Remedy | None:
    """The context that vLLM itself works out, or the largest below it that is none refused."""
    estimate = number(found, "estimate")
    if not estimate:
        return None
    refused = known.now.max_model_len or int(number(found, "asked") or 0)
    tokens = int(estimate)
    if 0 < refused <= tokens:  # one block is vLLM's own: what was asked for can be just too long
        tokens = (refused - 1) // known.block_size * known.block_size
    return _with_tokens(tokens)


def load_with_limit(found: Found, _known: Known) -> Remedy | None:
    """The context up to which the model was made."""
    limit = number(found, "limit")
    return _with_tokens(int(limit)) if limit else None


def load_with_half(found: Found, known: Known) -> Remedy | None:
    """Half of the context that did not fit."""
    asked = number(found, "asked") or known.now.max_model_len or known.context
    tokens = int(asked or 0) // 2 // known.block_size * known.block_size
    return _with_tokens(tokens) if tokens >= KV_CHAT_TOKENS // 2 else None


def fit_context(_found: Found, known: Known) -> Remedy | None:
    """Have vLLM choose the context."""
    if known.now.max_model_len in (None, -1):
        return None
    return reload_with(_FIT, max_model_len=-1)


def _with_tokens(tokens: int) -> Remedy | None:
    if tokens < 1:
        return None
    return reload_with(_TOKENS.format(tokens=f"{tokens:,}"), max_model_len=tokens)


def more_kv(found: Found, known: Known) -> Remedy | None:
    """KV space for the context that was asked for, and vLLM's own block; where its size is set."""
    if not (known.on_cpu or known.now.kv_cache_bytes):
        return None
    needed = number(found, "needed")
    token = known.kv_bytes_per_token
    if needed:
        # What vLLM prints is rounded to hundredths of a GiB.
        size = int((needed + 0.01) * GIB) + token * known.block_size
    elif token:
        context = number(found, "asked") or min(known.context or KV_CHAT_TOKENS, KV_CHAT_TOKENS)
        size = token * (int(context) + 2 * known.block_size)
    else:
        return None
    return _with_kv(max(size, KV_LEAST), known)


def less_kv(found: Found, known: Known) -> Remedy | None:
    """KV space that the free memory has room for."""
    free = number(found, "free")
    asked = known.now.kv_cache_bytes
    wanted = number(found, "wanted")
    if asked is None and wanted:
        asked = int(wanted * GIB)
    # What an allocator refused says nothing of what is free: then much less is asked for.
    size = int(free * GIB / 2) if free is not None else (asked or GIB) // 4
    if asked is not None:
        size = min(size, asked // 2)
    least = known.kv_bytes_per_token * 2 * known.block_size
    return _with_kv(size, known) if size > max(least, 1 << 20) else None


def _with_kv(size: int, known: Known) -> Remedy | None:
    if size == known.now.kv_cache_bytes:
        return None
    return reload_with(_KV.format(gib=in_gib(size)), kv_cache_bytes=size)


# --- shares of memory ----------------------------------------------------------------------


def more_share(found: Found, known: Known) -> Remedy | None:
    """The next larger share of the GPU's memory."""
    if known.on_cpu:
        return None
    now = number(found, "share") or known.now.gpu_memory_utilization or UTILISATIONS[0]
    larger = next((share for share in UTILISATIONS if share > now + 0.001), None)
    return _with_share(_SHARE, larger) if larger else None


def fitting_share(found: Found, known: Known) -> Remedy | None:
    """The share of a GPU's memory that is free now."""
    return _free_share(_SHARE, found, known, VRAM_MARGIN)


def fitting_ram_share(found: Found, known: Known) -> Remedy | None:
    """The share of the host's memory that is free now."""
    return _free_share(_SHARE_RAM, found, known, RAM_MARGIN)


def _free_share(text: str, found: Found, known: Known, margin: int) -> Remedy | None:
    free, total = number(found, "free"), number(found, "total")
    if free is None or not total:
        return None
    share = math.floor((free - margin / GIB) / total * 100) / 100
    now = number(found, "share") or known.now.gpu_memory_utilization or 1.0
    return _with_share(text, share) if LEAST_UTILISATION <= share < now else None


def less_share(found: Found, known: Known) -> Remedy | None:
    """A tenth less of the GPU's memory for weights and KV: room for activations."""
    if known.on_cpu:
        return None
    now = number(found, "share") or known.now.gpu_memory_utilization or UTILISATIONS[0]
    return _with_share(_SHARE, round(now - 0.1, 2)) if now > 0.5 else None


def _with_share(text: str, share: float) -> Remedy:
    return reload_with(text.format(percent=round(share * 100)), gpu_memory_utilization=share)


def unload_others(_found: Found, known: Known) -> Remedy | None:
    """The models of this program's other engines."""
    if not any(holder.ours for holder in known.holders):
        return None
    return Remedy(_OTHERS, RemedyAction.UNLOAD_OTHERS)


def offload(found: Found, known: Known) -> Remedy | None:
    """Keep in RAM what does not fit on the GPU, and room to compute."""
    total = number(found, "capacity")
    if known.on_cpu or not total or not known.weights_bytes or known.now.cpu_offload_bytes:
        return None
    share = known.now.gpu_memory_utilization or UTILISATIONS[0]
    room = total * GIB * share - CUDA_OVERHEAD - KV_CHAT_TOKENS * known.kv_bytes_per_token
    part = max(1, known.now.tensor_parallel_size)
    over = known.weights_bytes / part - room
    size = math.ceil(max(over, GIB / 2) / (GIB / 2)) * GIB // 2
    if size >= known.weights_bytes:
        return None
    return reload_with(_OFFLOAD.format(gib=in_gib(size)), cpu_offload_bytes=size)


def eager(_found: Found, known: Known) -> Remedy | None:
    """CUDA graphs take up to a GiB."""
    if known.on_cpu or known.now.enforce_eager:
        return None
    return reload_with(_EAGER, enforce_eager=True)


def fewer_chats(found: Found, known: Known) -> Remedy | None:
    """A quarter of the sequences that were too many."""
    now = number(found, "sequences") or known.now.max_num_seqs or 256
    count = max(1, int(now) // 4)
    if count >= now:
        return None
    return reload_with(_CHATS.format(count=f"{count:,}"), max_num_seqs=count)


# --- precision -----------------------------------------------------------------------------

_DTYPES: Final = ("bfloat16", "float16", "float32")


def supported_dtype(found: Found, known: Known) -> Remedy | None:
    """One of the precisions that the error names; float16 where it names none."""
    named = re.findall(r"b?float\d+", found.get("supported", "")) or ["float16"]
    refused = {known.now.dtype, found.get("dtype", "").removeprefix("torch.")}
    order = [dtype for dtype in _DTYPES if dtype in named and dtype not in refused]
    return reload_with(_DTYPE.format(dtype=order[0]), dtype=order[0]) if order else None


def half(_found: Found, known: Known) -> Remedy | None:
    """What every GPU knows."""
    if known.now.dtype == "float16":
        return None
    return reload_with(_DTYPE.format(dtype="float16"), dtype="float16")


def auto_dtype(_found: Found, known: Known) -> Remedy | None:
    """What the model's files say, or the machine suggests."""
    if known.now.dtype in (None, "auto"):
        return None
    return reload_with(_AUTO_DTYPE, dtype="auto")


def auto_kv(_found: Found, known: Known) -> Remedy | None:
    """The KV cache at the model's precision."""
    if known.now.kv_cache_dtype == "auto":
        return None
    return reload_with(_AUTO_KV, kv_cache_dtype="auto")


# --- several GPUs --------------------------------------------------------------------------


def one_gpu(_found: Found, known: Known) -> Remedy | None:
    """Do not split the model."""
    settings = known.now
    if settings.tensor_parallel_size == 1 and known.settings is not None:
        return None  # it was not split
    text = _ONE_PART if known.on_cpu else _ONE_GPU
    if known.on_cpu:
        return reload_with(text, tensor_parallel_size=1)
    # Named: where none is, the planner may take both again.
    return reload_with(text, tensor_parallel_size=1, devices=settings.devices[:1] or (0,))


def two_gpus(_found: Found, known: Known) -> Remedy | None:
    """Split the model, where there is a second GPU."""
    settings = known.now
    if known.on_cpu or known.gpus < 2 or settings.tensor_parallel_size > 1:
        return None
    if settings.devices:
        return reload_with(_TWO_GPUS, tensor_parallel_size=2, devices=())
    return reload_with(_TWO_GPUS, tensor_parallel_size=2)


def available_gpus(found: Found, known: Known) -> Remedy | None:
    """As many as there are (a power of two: heads divide by it)."""
    there = int(number(found, "there") or known.gpus or 1)
    count = 1 << (max(1, there).bit_length() - 1)
    if count == 1:
        return one_gpu(found, known)
    return reload_with(_GPUS.format(count=count), tensor_parallel_size=count)


def without_p2p(_found: Found, known: Known) -> Remedy | None:
    """GPUs that copy through the host's memory."""
    split = known.settings is None or known.settings.tensor_parallel_size > 1
    if known.on_cpu or known.now.disable_p2p or not split:
        return None
    return reload_with(_NO_P2P, disable_p2p=True)


# --- smaller things ------------------------------------------------------------------------


def usual_block(_found: Found, known: Known) -> Remedy | None:
    """The KV blocks that this device takes."""
    size = 32 if known.on_cpu else 16
    if known.now.block_size in (None, size):
        return None
    return reload_with(_BLOCK.format(tokens=size), block_size=size)


def larger_steps(found: Found, known: Known) -> Remedy | None:
    """As many tokens a step as sequences, at least."""
    least = number(found, "least") or known.now.max_num_seqs
    if not least:
        return None
    tokens = max(512, int(least))
    return reload_with(_BATCH.format(tokens=f"{tokens:,}"), max_num_batched_tokens=tokens)
