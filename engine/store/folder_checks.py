"""What a model folder lacks, file by file: read in milliseconds, told before vLLM would.

Every check raises `ModelFolderError` and nothing else, whatever the files hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.planner.folder_reader import named_by_index
from engine.protocol import LoadSettings, Remedy, RemedyAction
from engine.remedies import reload_with
from engine.store.folder_error import JSON_BYTES, ModelFolderError, read_object, starter_remedy
from engine.weight_file import tensor_count

TOKENIZER_FILES: Final = (
    *("tokenizer.json", "tokenizer.model", "tekken.json", "vocab.json", "vocab.txt"),
)
_UNSAFE_WEIGHTS: Final = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_TEMPLATE_FILES: Final = ("chat_template.jinja", "chat_template.json")
_SHARD: Final = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.safetensors")
_POINTER: Final = b"version https://git-lfs"
# Formats that other programs write and vLLM 0.32 has no loader for; a test asks it.
FOREIGN_QUANTISATIONS: Final = frozenset(
    {"bitsandbytes", "hqq", "aqlm", "eetq", "vptq", "spqr", "quanto", "higgs", "bitnet"}
)

_TEMPLATE = Remedy(words("Choose a template…"), RemedyAction.CHOOSE_TEMPLATE)
_TOKENIZER = Remedy(words("Choose a tokenizer folder…"), RemedyAction.CHOOSE_TOKENIZER)
_CONVERT = Remedy(words("Convert it to safetensors"), RemedyAction.CONVERT)
_ONE = words("Load in one piece")
_TOKENS = words("Load with {tokens} tokens")

_CONFIG_MISSING = words("{name} is not a model folder: it has no config.json.")
_CONFIG_BROKEN = words("The config.json of {name} cannot be read ({reason}). Fetch it again.")
_INDEX_BROKEN = words("{file} of {name} cannot be read. Fetch it again.")
_SHARDS_MISSING = words(
    "{name} is incomplete: {missing} of {count} weight files are missing, the first is {file}. "
    "Fetch what is missing."
)
_UNSAFE = words(
    "{name} has its weights only as {file}, a format that can run programs. Inglenook loads "
    "safetensors; look for such a build of the model."
)
_GGUF = words(
    "{name} has its weights only as {file}. Inglenook loads safetensors; it can convert the file, "
    "which takes some minutes and as much disk again."
)
_NO_WEIGHTS = words("{name} has no weights: there is no .safetensors file in its folder.")
_WEIGHTS_BROKEN = words("The weight file {file} of {name} is damaged ({reason}). Fetch it again.")
_POINTER_ONLY = words(
    "{file} of {name} is not the file itself but a pointer to it (git-lfs). Fetch the file."
)
_NO_TOKENIZER = words(
    "The tokenizer of {name} is missing: none of {files} is in its folder. Fetch the model's "
    "tokenizer files again, or choose a folder that has them."
)
_NO_OTHER_TOKENIZER = words("There is no tokenizer in {folder}: none of {files} is there.")
_TOKENIZER_BROKEN = words("The tokenizer.json of {name} is damaged ({reason}). Fetch it again.")
_NO_TEMPLATE = words(
    "{name} has no chat template, so it is a base model, not made for chats. Choose its “Instruct” "
    "or “Chat” build, or a file with a template."
)
_NO_OTHER_TEMPLATE = words("The chat template {file} cannot be read ({reason}).")
_QUANTISATION = words(
    "{name} is quantised with {method}, which this engine does not load. Look for an AWQ, GPTQ, "
    "FP8 or unquantised build of the model."
)
_HEADS = words(
    "{name} has {heads} attention heads and {kv_heads} KV heads, which cannot be divided among "
    "{parts} devices."
)
_CONTEXT = words("{name} reads {limit} tokens at most; {asked} are asked for.")


def read_config(folder: Path) -> dict[str, Any]:
    """The model's config.json."""
    path = folder / "config.json"
    if not path.exists():
        ggufs = sorted(folder.glob("*.gguf"))
        if ggufs:
            raise _gguf(folder, ggufs[0])
        raise ModelFolderError(
            "config_missing", _CONFIG_MISSING.format(name=folder.name), *starter_remedy(folder)
        )
    try:
        return read_object(path)
    except (OSError, ValueError) as error:
        raise ModelFolderError(
            "config_broken",
            _CONFIG_BROKEN.format(name=folder.name, reason=error),
            *starter_remedy(folder),
        ) from error


def find_weights(folder: Path) -> list[Path]:
    """The weight files: all are there."""
    index = folder / "model.safetensors.index.json"
    if index.exists():
        return _indexed(folder, index)
    found = sorted(path for path in folder.glob("*.safetensors") if path.is_file())
    if found:
        _check_shards(folder, found)
        return found
    if ggufs := sorted(folder.glob("*.gguf")):
        raise _gguf(folder, ggufs[0])
    unsafe = [path.name for pattern in _UNSAFE_WEIGHTS for path in sorted(folder.glob(pattern))]
    if unsafe:
        raise ModelFolderError("weights_unsafe", _UNSAFE.format(name=folder.name, file=unsafe[0]))
    raise ModelFolderError(
        "weights_missing", _NO_WEIGHTS.format(name=folder.name), *starter_remedy(folder)
    )


def refuse_gguf(path: Path) -> None:
    """A GGUF file by itself."""
    raise _gguf(path.parent, path)


def _gguf(folder: Path, file: Path) -> ModelFolderError:
    cause = _GGUF.format(name=folder.name, file=file.name)
    remedy = Remedy(_CONVERT.label, RemedyAction.CONVERT, {"file": str(file)})
    return ModelFolderError("gguf", cause, remedy)


def _indexed(folder: Path, index: Path) -> list[Path]:
    try:
        names = named_by_index(read_object(index))
    except (OSError, ValueError) as error:
        raise ModelFolderError(
            "index_broken", _INDEX_BROKEN.format(file=index.name, name=folder.name)
        ) from error
    _check_there(folder, names)
    return [folder / name for name in names]


def _check_shards(folder: Path, found: list[Path]) -> None:
    """The names of shards say how many there are, should the index be missing."""
    for path in found:
        match = _SHARD.fullmatch(path.name)
        if match:
            stem, count = match["stem"], int(match["count"])
            numbers = range(1, count + 1)
            _check_there(
                folder, [f"{stem}-{number:05}-of-{count:05}.safetensors" for number in numbers]
            )
            return


def _check_there(folder: Path, names: list[str]) -> None:
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise ModelFolderError(
            "weights_missing",
            _SHARDS_MISSING.format(
                name=folder.name, missing=len(missing), count=len(names), file=missing[0]
            ),
        )


def count_tensors(folder: Path, weights: list[Path]) -> int:
    """How many tensors the weights have; each file is whole."""
    count = 0
    for path in weights:
        try:
            _refuse_pointer(folder, path)
            count += tensor_count(path)
        except (OSError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise ModelFolderError(
                "weights_broken",
                _WEIGHTS_BROKEN.format(file=path.name, name=folder.name, reason=error),
                *starter_remedy(folder),
            ) from error
    return count


def _refuse_pointer(folder: Path, path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise ModelFolderError(
                "pointer", _POINTER_ONLY.format(file=path.name, name=folder.name)
            )


def check_tokenizer(folder: Path, chosen: str | None) -> None:
    """The model's tokenizer, or the one in the folder `chosen`."""
    place = Path(chosen) if chosen else folder
    files = ", ".join(TOKENIZER_FILES[:2])
    if not any((place / name).is_file() for name in TOKENIZER_FILES):
        if chosen:
            raise ModelFolderError(
                "tokenizer_missing",
                _NO_OTHER_TOKENIZER.format(folder=place, files=files),
                _TOKENIZER,
            )
        raise ModelFolderError(
            "tokenizer_missing",
            _NO_TOKENIZER.format(name=folder.name, files=files),
            *starter_remedy(folder),
            _TOKENIZER,
        )
    path = place / "tokenizer.json"
    if not path.is_file():
        return
    try:
        _refuse_pointer(place, path)
        # Its ends only: it can have 30 MB, and a load is waited for.
        with path.open("rb") as file:
            head = file.read(256).lstrip()
            file.seek(max(0, path.stat().st_size - 256))
            tail = file.read().rstrip()
        if not (head.startswith(b"{") and tail.endswith(b"}")):
            raise ValueError("it is not a JSON object")
    except (OSError, ValueError) as error:
        raise ModelFolderError(
            "tokenizer_broken",
            _TOKENIZER_BROKEN.format(name=place.name, reason=error),
            *starter_remedy(folder),
            _TOKENIZER,
        ) from error


def check_template(folder: Path, settings: LoadSettings) -> None:
    """The model's chat template, or the file that was chosen instead."""
    if settings.chat_template:
        _check_chosen_template(Path(settings.chat_template))
        return
    place = Path(settings.tokenizer) if settings.tokenizer else folder
    for each in {folder, place}:
        if any((each / name).is_file() for name in (*_TEMPLATE_FILES, "tekken.json")):
            return
        try:
            if read_object(each / "tokenizer_config.json").get("chat_template"):
                return
        except (OSError, ValueError):
            continue
    raise ModelFolderError("no_chat_template", _NO_TEMPLATE.format(name=folder.name), _TEMPLATE)


def _check_chosen_template(path: Path) -> None:
    reason = ""
    try:
        if not path.is_file():
            reason = "it is no file"
        elif path.stat().st_size > JSON_BYTES:
            reason = "it is too large"
        elif not path.read_text("utf-8").strip():
            reason = "it is empty"
    except (OSError, ValueError) as error:
        reason = str(error)
    if reason:
        cause = _NO_OTHER_TEMPLATE.format(file=path.name, reason=reason)
        raise ModelFolderError("template_missing", cause, _TEMPLATE)


def check_quantisation(folder: Path, method: str) -> None:
    """Not one that this vLLM certainly does not load."""
    if method.lower() in FOREIGN_QUANTISATIONS:
        cause = _QUANTISATION.format(name=folder.name, method=method)
        raise ModelFolderError("quant_unknown", cause)


def check_split(folder: Path, heads: int, kv_heads: int, settings: LoadSettings) -> None:
    """Heads divide by the number of devices; KV heads too, or each device has a copy of one."""
    parts = settings.tensor_parallel_size
    if parts < 2 or not heads:
        return
    if heads % parts == 0 and (kv_heads % parts == 0 or parts % kv_heads == 0):
        return
    one: dict[str, Any] = {"tensor_parallel_size": 1}
    if settings.devices:
        one["devices"] = settings.devices[:1]
    raise ModelFolderError(
        "heads",
        _HEADS.format(name=folder.name, heads=heads, kv_heads=kv_heads, parts=parts),
        reload_with(_ONE, **one),
    )


def check_context(folder: Path, config: Mapping[str, Any], settings: LoadSettings) -> None:
    """The context asked for is none the model was not made for, where that is plain to see.

    Scaled positions (YaRN and the like) are left to vLLM, which knows their rules.
    """
    asked, limit = settings.max_model_len, config.get("max_position_embeddings")
    scaled = any(config.get(name) for name in ("rope_scaling", "model_max_length"))
    rope = config.get("rope_parameters")
    if isinstance(rope, dict) and rope.get("rope_type", "default") != "default":
        scaled = True
    if asked is None or scaled or isinstance(limit, bool) or not isinstance(limit, int):
        return
    if 0 < limit < asked:
        raise ModelFolderError(
            "context_above_model",
            _CONTEXT.format(name=folder.name, limit=f"{limit:,}", asked=f"{asked:,}"),
            reload_with(_TOKENS.format(tokens=f"{limit:,}"), max_model_len=limit),
        )
