"""What is checked before any weight is read: the kind of model, its widths, disk and memory.

Reads config.json and the heads of the weight files only, needs the standard library only, and so
serves the window as well, which shows what a job will take before it is begun.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.load_defaults import read_machine
from engine.planner.wording import gib
from engine.quantize import refusal_words as say
from engine.quantize.wire import GROUP_SIZES, QuantizeError
from engine.store.model_folder import ModelFolderError, read_model_folder
from engine.weight_file import read_tensors

# Those of autoawq's recipes that have been tried under this transformers. Not Starcoder2: its
# recipe scales an activation as well, which vLLM knows nothing of.
KINDS = (
    "llama",
    "mistral",
    "qwen2",
    "qwen3",
    "phi3",
    "gemma",
    "gemma2",
    "stablelm",
    "cohere",
)
MIB, GIB = 1024**2, 1024**3
_OWN_MEMORY = int(1.3 * GIB)  # torch, transformers and autoawq themselves; measured
_LAYER_COPIES = 3  # of the layer at work, in float32: itself, what it was, what is tried
_SECONDS = {"cpu": 1.7e-9, "cuda": 2e-11}  # per weight and token; measured on 2 cores, on an H200
_CORES = 2
_LAYER = re.compile(r"\.layers\.(\d+)\.(.+)\.weight$")


@dataclass(frozen=True, slots=True)
class Facts:
    """A model as the quantiser sees it. Counts are of weights, sizes in bytes.

    Attributes:
        widths: of each kind of linear layer, by its name in a decoder layer: (outputs, inputs).
    """

    folder: Path
    kind: str
    layers: int
    hidden: int
    vocabulary: int
    widths: dict[str, tuple[int, int]]
    linear: int
    others: int
    stored: int
    other_files: int

    def groups(self) -> tuple[int, ...]:
        """The group sizes that divide every linear layer, the largest first."""
        return tuple(size for size in GROUP_SIZES if not self.undivided(size))

    def undivided(self, group_size: int) -> tuple[str, ...]:
        """The linear layers that a group size does not divide, with their widths."""
        return tuple(
            say.LAYER.format(name=name, width=f"{inputs:,}")
            for name, (_outputs, inputs) in self.widths.items()
            if inputs % group_size
        )


@dataclass(frozen=True, slots=True)
class Cost:
    """What a job takes, roughly; time in seconds."""

    disk: int
    disk_free: int
    memory: int
    memory_free: int
    seconds: float


def read_facts(folder: Path) -> Facts:
    """Read what is needed to know of the model in `folder`.

    Raises:
        QuantizeError: it is no model, or none that can be quantised; says why.
    """
    try:
        found = read_model_folder(folder)
        config = json.loads((folder / "config.json").read_text("utf-8"))
        shapes = _shapes(folder)
    except ModelFolderError as error:
        raise QuantizeError(error.failure.code or "model", error.failure.cause) from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise QuantizeError(
            "model", say.UNREADABLE.format(name=folder.name, reason=error)
        ) from error
    if found.quantization:
        raise QuantizeError(
            "quantised_already",
            say.QUANTISED.format(name=folder.name, method=found.quantization),
        )
    kind = str(config.get("model_type", ""))
    if kind not in KINDS:
        raise QuantizeError("kind", say.KIND.format(name=kind, kinds=", ".join(KINDS)))
    widths: dict[str, tuple[int, int]] = {}
    linear = others = 0
    for name, shape in shapes.items():
        match = _LAYER.search(name)
        if match and len(shape) == 2:
            widths[match.group(2)] = (shape[0], shape[1])
            linear += math.prod(shape)
        else:
            others += math.prod(shape)
    if not widths:
        raise QuantizeError("model", say.NOTHING.format(name=folder.name))
    return Facts(
        folder=folder,
        kind=kind,
        layers=found.layers,
        hidden=int(config.get("hidden_size", 0)),
        vocabulary=int(config.get("vocab_size", 0)),
        widths=widths,
        linear=linear,
        others=others,
        stored=found.weights_bytes,
        other_files=sum(p.stat().st_size for p in kept_files(folder)),
    )


def kept_files(folder: Path) -> list[Path]:
    """The files beside the weights that go along unchanged: tokenizer, template, licence."""
    ours = {"config.json", "manifest.json", "inglenook.json"}
    suffixes = {".json", ".jinja", ".model", ".txt", ".md"}
    names = ("LICENSE", "NOTICE", "USE_POLICY")
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file()
        and path.name not in ours
        and not path.name.endswith(".index.json")
        and (path.suffix in suffixes or path.name.startswith(names))
    )


def _shapes(folder: Path) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor, from the heads of the weight files."""
    return {
        name: tensor.dims
        for path in sorted(folder.glob("*.safetensors"))
        for name, tensor in read_tensors(path).items()
    }


def choose_group(facts: Facts, asked: int) -> int:
    """The group size to use.

    Args:
        asked: the user's; 0: the largest that divides every layer.

    Raises:
        QuantizeError: it divides not every layer, which are named.
    """
    dividing = facts.groups()
    if asked in dividing:
        return asked
    if asked:
        refused = facts.undivided(asked) if asked in GROUP_SIZES else ()
        sizes = ", ".join(map(str, dividing)) or "none"
        text = say.GROUP.format(group=asked, name=facts.folder.name, sizes=sizes)
        raise QuantizeError("group_size", text, refused)
    if dividing:
        return dividing[0]
    raise QuantizeError(
        "group_size",
        say.NO_GROUP.format(name=facts.folder.name),
        facts.undivided(GROUP_SIZES[-1]),
    )


def cost(facts: Facts, group_size: int, tokens: int, target: Path, device: str = "cpu") -> Cost:
    """What quantising takes.

    AWQ stores 4 + 16 / g + 4 / g bits a weight (value, scale, zero point), all else in 16 bits.
    """
    disk = int(facts.linear * (4 + 20 / group_size) / 8) + 2 * facts.others + facts.other_files
    layer = facts.linear // facts.layers
    widest = max(max(width) for width in facts.widths.values())
    activations = 4 * tokens * (8 * facts.hidden + 4 * widest)
    head = 4 * facts.vocabulary * (2 * facts.hidden + 3 * 512)
    memory = facts.stored + 4 * _LAYER_COPIES * layer + max(activations, head) + _OWN_MEMORY
    machine = read_machine(device)
    cores = _core_count() if device == "cpu" else _CORES
    return Cost(
        disk=disk,
        disk_free=shutil.disk_usage(_existing(target)).free,
        memory=memory,
        memory_free=machine.memory_available,
        seconds=30 + facts.linear * tokens * _SECONDS[device] * _CORES / cores,
    )


def check_cost(needed: Cost, facts: Facts, target: Path) -> None:
    """Refuse a job that disk or memory is too small for.

    Raises:
        QuantizeError: with both figures.
    """
    if needed.disk + 64 * MIB > needed.disk_free:
        raise QuantizeError(
            "disk_full",
            say.NO_DISK.format(
                needed=gib(needed.disk), folder=target.parent, free=gib(needed.disk_free)
            ),
        )
    if needed.memory > needed.memory_free:
        raise QuantizeError(
            "memory",
            say.NO_MEMORY.format(
                name=facts.folder.name,
                needed=gib(needed.memory),
                free=gib(needed.memory_free),
            ),
        )


def _existing(folder: Path) -> Path:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _core_count() -> int:
    from engine.environment import physical_cores

    return physical_cores()
