"""What an engine loads for a model: its folder, the conversion of a GGUF file, or the file itself.

A file that vLLM's plugin is to load is described first: its config and its tokenizer are written
out beside the other models, once, since the plugin would take the vocabulary out of the file at
each load, in minutes. Anyone's file is looked into by other processes than the engine's; they end
with it, for they belong to its group and nobody reads what they say any more.

A file that has to be converted is not, without a word: that costs disk, memory and minutes. The
failure says how much, and its button does it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.environment import is_cpu_build
from engine.failure_words import in_gib, words
from engine.protocol import Remedy, RemedyAction
from engine.store.folder_error import ModelFolderError
from engine.store.gguf_folders import DESCRIBED, NEEDED, find_conversion, gguf_of
from engine.store.gguf_way import Choice, Reason, Way, choose_way, has_plugin
from engine.store.made_folder import damage

MODULE: Final = "engine.store.convert"
_ROOT: Final = Path(__file__).resolve().parents[2]

_CONVERT: Final = words("Convert it to safetensors")
_COSTS: Final = {
    Reason.PROCESSOR: words(
        "{file} has to be converted first: the processor cannot compute with GGUF weights. It "
        "takes {disk} GiB of disk, {memory} GiB of memory meanwhile and about {minutes} min."
    ),
    Reason.NO_PLUGIN: words(
        "{file} has to be converted first: vLLM's GGUF plugin is not installed. It takes {disk} "
        "GiB of disk, {memory} GiB of memory meanwhile and about {minutes} min."
    ),
    Reason.ARCHITECTURE: words(
        "{file} has to be converted first: vLLM's GGUF plugin is not known to load models of the "
        "architecture {method}. It takes {disk} GiB of disk, {memory} GiB of memory meanwhile and "
        "about {minutes} min."
    ),
}
_SILENT: Final = words("{file} cannot be looked into ({reason}).")


@dataclass(frozen=True, slots=True)
class Source:
    """What is loaded.

    Attributes:
        folder: the config, the tokenizer, and the weights unless `file` has them.
        file: a GGUF file that is loaded as it is; None for safetensors.
    """

    folder: Path
    file: Path | None = None


Say = Callable[..., Iterator[dict[str, Any]]]


def source_of(
    model: Path,
    *,
    device: str,
    plugin: bool,
    describing: Callable[[float], None] = lambda _share: None,
    say: Say | None = None,
) -> Source:
    """What is loaded for `model`, a folder or a GGUF file (see `gguf_of`).

    A conversion that is there is taken whatever the device: it was asked for, perhaps because
    the plugin did not load the file.

    Args:
        device: "cpu" or "cuda".
        plugin: whether vLLM's plugin is installed.
        describing: told how far the description is, 0 to 1, if one is made.
        say: what the converter says of a file, by default `converter`'s.

    Raises:
        ModelFolderError: the file has to be converted first, or cannot be loaded at all.
    """
    file = gguf_of(model)
    if file is None:
        return Source(model)
    if conversion := find_conversion(file):
        return Source(conversion)
    say = say or converter  # by its name now: tests play it
    _check_way(file, device, plugin, say)
    described = find_conversion(file, store=DESCRIBED) or _described(file, describing, say)
    return Source(described, file)


def check_here(model: Path) -> None:
    """See whether what is installed here loads `model` as it is; for who has no vLLM at hand.

    Raises:
        ModelFolderError: as `source_of`.
    """
    file = gguf_of(model)
    if file is not None and find_conversion(file) is None:
        device = "cpu" if is_cpu_build(Path(sys.prefix)) else "cuda"
        _check_way(file, device, has_plugin(), converter)


def _check_way(file: Path, device: str, plugin: bool, say: Say) -> None:
    cost = _last(say(file, "--inspect"), file, "cost")
    choice = choose_way(str(cost.get("architecture", "")), device=device, plugin=plugin)
    if choice.way is Way.CONVERT:
        raise _to_convert(file, choice, cost)


def converter(file: Path, option: str) -> Iterator[dict[str, Any]]:
    """What `engine.store.convert` says of `file` with an option, object by object.

    Raises:
        OSError: it cannot be started.
    """
    command = [sys.executable, "-P", "-m", MODULE, option, "--json", str(file)]
    with subprocess.Popen(
        command,
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                try:
                    told = json.loads(line)
                except ValueError:
                    continue  # a library's word
                if isinstance(told, dict):
                    yield told
        finally:
            process.kill()  # where the reader has heard enough; it has ended otherwise


def _described(file: Path, describing: Callable[[float], None], say: Say) -> Path:
    describing(0.0)

    def progress(told: dict[str, Any]) -> None:
        if told.get("type") == "progress":
            describing(float(told.get("fraction", 0.0)))

    done = _last(say(file, "--describe"), file, "done", progress)
    folder = Path(str(done.get("folder", "")))
    if fault := damage(folder, NEEDED):
        raise _silent(file, fault)
    return folder


def _last(
    told: Iterator[dict[str, Any]],
    file: Path,
    kind: str,
    each: Callable[[dict[str, Any]], None] = lambda _told: None,
) -> dict[str, Any]:
    """The last object of a kind, all having been shown to `each`."""
    found: dict[str, Any] | None = None
    try:
        for one in told:
            each(one)
            if one.get("type") == "error":
                raise ModelFolderError(f"gguf_{one.get('code', '')}", str(one.get("text", "")))
            if one.get("type") == kind:
                found = one
    except OSError as error:
        raise _silent(file, error.strerror or str(error)) from error
    if found is None:
        raise _silent(file, "the converter ended without a word")
    return found


def _to_convert(file: Path, choice: Choice, cost: dict[str, Any]) -> ModelFolderError:
    cause = _COSTS[choice.reason].format(
        file=file.name,
        method=str(cost.get("architecture", ""))[:40],
        disk=in_gib(cost.get("disk_bytes", 0)),
        memory=in_gib(cost.get("memory_bytes", 0)),
        minutes=f"{max(1, -(-int(cost.get('seconds', 0)) // 60)):,}",
    )
    remedy = Remedy(_CONVERT, RemedyAction.CONVERT, {"file": str(file)})
    return ModelFolderError("gguf", cause, remedy)


def _silent(file: Path, reason: str) -> ModelFolderError:
    return ModelFolderError("gguf_failed", _SILENT.format(file=file.name, reason=reason))
