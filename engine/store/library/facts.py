"""What the files of one model say: read when it is new or has changed, else remembered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.failure_words import words
from engine.planner.config_reader import read_shape
from engine.planner.folder_reader import as_gguf, named_by_index
from engine.planner.model_shape import ModelShape
from engine.protocol import LoadSettings
from engine.store import folder_checks as checks
from engine.store.folder_error import ModelFolderError, printable, read_object
from engine.store.folders import name_of
from engine.store.gguf_folders import bits_in
from engine.store.library import hf_cache
from engine.store.library.gguf_heads import GgufHead
from engine.store.library.identity import model_key
from engine.store.library.listing import Entry, weigh
from engine.store.library.plain_text import plain
from engine.store.library.provenance import Provenance, provenance_of
from engine.store.library.records import InstalledModel, Source
from engine.store.library.safetensors_heads import read_head
from engine.store.library.walk import INDEX, Found
from engine.store.model_folder import FEWER_LAYERS

MOST_MISSING: Final = 200  # names of files that are kept
_NEEDED: Final = (".safetensors", ".json", ".jinja", ".model", ".tiktoken", ".txt")
_PART: Final = re.compile(r"(?P<stem>.+)-00001-of-(?P<count>\d{5})(?P<end>\.gguf)", re.IGNORECASE)
_SHARD: Final = re.compile(r"(?P<stem>.+)-\d{5}-of-(?P<count>\d{5})\.safetensors")
# What an architecture ends with that answers no chat.
_OTHER_TASKS: Final = re.compile(
    r"(ForMaskedLM|ForPreTraining|ForSequenceClassification|ForTokenClassification"
    r"|ForQuestionAnswering|ForMultipleChoice|ForImageClassification|ForCTC"
    r"|ForObjectDetection|^(Bert|Roberta|XLMRoberta|Distil\w+|Electra|Deberta\w*|CLIP\w*|Siglip\w*"
    r"|ViT|Whisper\w*|Wav2Vec2\w*|T5Encoder|MPNet|Nomic\w*|ModernBert)(Model|ForCond\w+)?)$"
)

_BROKEN_OFF = words("The download of {name} was broken off. Fetch what is missing.")
_LACKS = words("{name} is incomplete: {count} of its files are missing, the first is {file}.")
_CUT = words(
    "{file} of {name} is not as it was fetched: its size is another. Verify the model, and fetch "
    "the file again."
)
_OTHER_TASK = words("{name} is made for other tasks than chats ({architecture}).")
_PARTS = words(
    "{name} is in {count} parts, of which {missing} are missing, the first is {file}. Fetch them."
)


@dataclass
class _Reading:
    found: Found
    entries: Mapping[str, Entry]
    name: str
    problem: str = ""
    missing: list[str] = field(default_factory=list)

    def lacks(self, *names: str) -> None:
        self.missing += [name for name in names if name not in self.missing]

    def is_wrong(self, problem: str) -> None:
        self.problem = self.problem or problem

    def is_incomplete(self) -> None:
        """Say so, if files are missing."""
        if not self.missing:
            return
        snapshot = self.found.snapshot
        text = _BROKEN_OFF if snapshot is not None and snapshot.unfinished else _LACKS
        self.is_wrong(
            text.format(name=self.name, count=len(self.missing), file=printable(self.missing[0]))
        )


def read_model(
    found: Found, entries: Mapping[str, Entry], head: GgufHead | None = None
) -> InstalledModel:
    """What is known of `found`.

    Args:
        entries: the files of its folder.
        head: of a GGUF file; None: not known yet.
    """
    origin = provenance_of(found, entries)
    reading = _Reading(found, entries, origin.repo or plain(name_of(Path(found.path))))
    variant = ""
    if found.is_gguf:
        shape, template, parameters = _read_gguf(reading, head)
        stem = Path(found.path).stem
        if origin.repo:  # a repository has several files
            variant = bits_in(stem)
        else:
            reading.name = plain(stem)
    else:
        shape, template, parameters = _read_folder(reading, origin)
    size, frees = _sizes(found, entries)
    deletable = found.source not in (Source.FOLDER, Source.STARTER)
    return InstalledModel(
        path=found.path,
        name=reading.name or "?",
        source=found.source,
        format=shape.format if shape is not None else "gguf" if found.is_gguf else "",
        size=size,
        parameters=parameters or None,
        context=(shape.context or None) if shape is not None and shape.layers else None,
        licence=origin.licence or (head.licence if head is not None else ""),
        repo=origin.repo,
        commit=origin.commit,
        variant=origin.variant or variant,
        base_model=origin.base_model or (head.base_model if head is not None else ""),
        architecture=plain(shape.architecture or shape.model_type) if shape is not None else "",
        template=template,
        problem=printable(reading.problem),
        missing=tuple(printable(name) for name in reading.missing[:MOST_MISSING]),
        manifest=origin.files is not None or _is_hashed(found),
        deletable=deletable,
        frees=frees if deletable else 0,
        unit=found.unit,
        identity=model_key(found.path),
    )


# --- a folder of safetensors --------------------------------------------------------------------


def _read_folder(reading: _Reading, origin: Provenance) -> tuple[ModelShape | None, bool, int]:
    folder = Path(reading.found.path)
    _find_missing(reading, origin)
    config: dict[str, Any] | None = None
    shape: ModelShape | None = None
    numbers = 0
    try:
        config = checks.read_config(folder)
        shape = read_shape(config)
        weights = checks.find_weights(folder)
        checks.check_tokenizer(folder, None)
        numbers, tensors = _count(folder, weights)
        if shape.layers > tensors:
            reading.is_wrong(FEWER_LAYERS.format(name=reading.name, layers=f"{shape.layers:,}"))
        checks.check_quantisation(folder, _method(config))
    except ModelFolderError as error:
        if error.failure.code == "tokenizer_missing":
            reading.lacks(checks.TOKENIZER_FILES[0])
        reading.is_incomplete()
        # The folder is called after the hub's name, or by the commit.
        reading.is_wrong(error.failure.cause.replace(folder.name, reading.name))
    except (OSError, ValueError) as error:
        reading.is_wrong(str(error))
    if shape is not None and _OTHER_TASKS.search(shape.architecture):
        architecture = plain(shape.architecture)
        reading.is_wrong(_OTHER_TASK.format(name=reading.name, architecture=architecture))
    reading.is_incomplete()
    _compare_sizes(reading, origin)
    exact = numbers if shape is not None and not shape.is_quantised else 0
    return shape, _has_template(folder), exact or (shape.parameters if shape is not None else 0)


def _find_missing(reading: _Reading, origin: Provenance) -> None:
    """By the index, by the names of shards, by the manifest, by links that lead nowhere."""
    found, there = reading.found, reading.entries
    if "config.json" not in there:
        reading.lacks("config.json")
    if INDEX in there:
        try:
            named = named_by_index(read_object(Path(found.path) / INDEX))
            reading.lacks(*(name for name in named if name not in there))
        except (OSError, ValueError):
            pass  # `find_weights` says it
    else:
        for name in sorted(there):
            if match := _SHARD.fullmatch(name):
                stem, count = match["stem"], match["count"]
                shards = [
                    f"{stem}-{number:05}-of-{count}.safetensors"
                    for number in range(1, min(int(count), 1000) + 1)
                ]
                reading.lacks(*(shard for shard in shards if shard not in there))
                break
    # Links to nothing; of other files nobody needs to know.
    reading.lacks(*sorted(n for n in found.names - there.keys() if n.endswith(_NEEDED)))
    for name in origin.files or ():
        if name not in there and not (Path(found.path) / name).is_file():
            reading.lacks(name)


def _compare_sizes(reading: _Reading, origin: Provenance) -> None:
    for name, noted in (origin.files or {}).items():
        entry = reading.entries.get(name)
        if entry is not None and entry.size != noted["size"]:
            reading.is_wrong(_CUT.format(file=printable(name), name=reading.name))


def _count(folder: Path, weights: list[Path]) -> tuple[int, int]:
    """How many numbers the files hold, in how many tensors; each file is whole."""
    numbers = tensors = 0
    for path in weights:
        try:
            head = read_head(path)
        except (OSError, ValueError, TypeError, OverflowError, RecursionError):
            checks.count_tensors(folder, [path])  # says what is wrong, in words
            raise
        numbers, tensors = numbers + head.numbers, tensors + head.tensors
    return numbers, tensors


def _method(config: Mapping[str, Any]) -> str:
    told = config.get("quantization_config")
    return str(told.get("quant_method", "")) if isinstance(told, dict) else ""


def _has_template(folder: Path) -> bool:
    try:
        checks.check_template(folder, LoadSettings())
    except (ModelFolderError, OSError, ValueError):
        return False
    return True


# --- a GGUF file --------------------------------------------------------------------------------


def _read_gguf(reading: _Reading, head: GgufHead | None) -> tuple[ModelShape | None, bool, int]:
    path = Path(reading.found.path)
    if path.name not in reading.entries:
        reading.lacks(path.name)
        reading.is_incomplete()
        return None, False, 0
    parts = parts_of(path.name)
    gone = [part for part in parts if part not in reading.entries]
    if gone:
        reading.lacks(*gone)
        reading.is_wrong(
            _PARTS.format(
                name=plain(path.stem), count=len(parts), missing=len(gone), file=printable(gone[0])
            )
        )
    if head is None:
        return None, False, 0
    if head.error:
        reading.is_wrong(head.error)
        return None, False, 0
    shape = as_gguf(read_shape(head.config), reading.entries[path.name].size)
    counts = head.counts
    parameters = sum(count for name, count in counts.items() if name.endswith("_params"))
    return shape, head.template, parameters


def parts_of(name: str) -> list[str]:
    """All parts of a GGUF file whose name is that of a first one; else none."""
    match = _PART.fullmatch(name)
    if match is None:
        return []
    stem, count, end = match["stem"], match["count"], match["end"]
    numbers = range(1, min(int(count), 1000) + 1)
    return [f"{stem}-{number:05}-of-{count}{end}" for number in numbers]


# --- what it takes -------------------------------------------------------------------------------


def _is_hashed(found: Found) -> bool:
    """Blobs of the Hugging Face cache are called by their hashes."""
    return found.snapshot is not None


def _sizes(found: Found, entries: Mapping[str, Entry]) -> tuple[int, int]:
    """On the disk, and what deleting frees."""
    if found.is_gguf:
        name = Path(found.path).name
        parts = parts_of(name) or [name]
        size = sum(entries[part].size for part in parts if part in entries)
        own = sum(entries[p].size for p in parts if p in entries and entries[p].links == 1)
    else:
        size, own = sum(entry.size for entry in entries.values()), 0
    if found.snapshot is not None:
        return size, _frees_of_snapshot(found, size)
    if found.source is Source.FOLDER:
        return size, 0
    if found.unit == found.path and found.is_gguf:
        return size, own
    weight = weigh(found.unit)
    return (size if found.is_gguf else weight.size), weight.frees


def _frees_of_snapshot(found: Found, size: int) -> int:
    assert found.snapshot is not None
    if found.source is not Source.HF_CACHE:
        return 0
    if found.unit != str(found.snapshot.path):
        return size
    if hf_cache.is_alone(found.snapshot.path):
        return weigh(str(found.snapshot.repository)).frees
    total = 0
    for blob in hf_cache.own_blobs(found.snapshot.path):
        try:
            total += blob.lstat().st_size if not blob.is_symlink() else 0
        except OSError:
            continue
    return total
