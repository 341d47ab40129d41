"""Which files of a repository a download fetches, and why the others are left. Pure.

Taken are weights as safetensors, or one GGUF file; JSON, tokenizer and template files; licences
and the card. Nothing that could run a program when it is read, and nothing twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

from engine.failure_words import words
from engine.store.folder_checks import TOKENIZER_FILES
from engine.store.gguf_folders import bits_in
from engine.store.hub.errors import HubError
from engine.store.hub.formats import format_of
from engine.store.hub.records import FileChoice, LeftFile, Listing, RepoFile, Variant

__all__ = ["FileChoice", "LeftFile", "Variant", "choose", "variants"]

MOST_TEXT: Final = 4 * 1024 * 1024  # bytes of a licence or a card
MOST_JSON: Final = 128 * 1024 * 1024  # some tokenizers have 30 MB
# Good for its size, smaller than it, and larger: what is offered first of many.
_GGUF_PREFERRED: Final = ("Q4_K_M", "Q4_K_S", "Q4_K_L", "Q5_K_M", "Q4_0", "Q6_K", "Q8_0")
_PART: Final = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})", re.ASCII)
_TEXT: Final = re.compile(
    r"(licen[cs]e|copying|notice|use_?policy|readme|acceptable_use)[\w.-]*", re.I | re.ASCII
)
_INDEX: Final = "model.safetensors.index.json"
_TOKENIZER_ENDINGS: Final = (".tiktoken", ".model", ".jinja", ".spm")
_TOKENIZER_NAMES: Final = frozenset({"merges.txt", "vocab.txt", "tokenizer.model.v3"})
_OURS: Final = frozenset({"manifest.json"})
_PICKLES: Final = frozenset(
    {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".npz", ".th", ".dill"}
)
_PROGRAMS: Final = frozenset(
    {".py", ".ipynb", ".sh", ".so", ".dll", ".exe", ".js", ".ts", ".cu", ".c", ".cpp", ".h", ".rs",
     ".bat", ".ps1", ".whl", ".jar", ".pyc", ".cuh", ".hpp", ".llamafile", ".dylib"}
)  # fmt: skip
_OTHERS_WEIGHTS: Final = frozenset(
    {".onnx", ".onnx_data", ".h5", ".msgpack", ".tflite", ".mlmodel", ".mlpackage", ".ot", ".xml",
     ".engine", ".plan", ".nemo", ".npz", ".task", ".litertlm", ".pte"}
)  # fmt: skip
_PICTURES: Final = frozenset(
    {".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".mp4", ".webm", ".wav", ".mp3", ".pdf"}
)
_ARCHIVES: Final = frozenset({".zip", ".tar", ".gz", ".tgz", ".7z", ".zst", ".xz", ".rar"})

_PICKLE = words("a format that can run programs when it is read; safetensors hold the same")
_PROGRAM = words("a program; a model’s own code is never fetched or run")
_OTHER_ENGINE = words("weights for another program")
_COPY = words("the same weights once more, in another layout")
_ADDITION = words("an addition to a model (an adapter), not loaded here")
_OTHER_BUILD = words("another build of the model")
_SPLIT = words("one part of a build that is split; it would have to be joined first")
_PROJECTOR = words("the part that sees images, not used here")
_PICTURE = words("a picture, sound or document")
_ARCHIVE = words("an archive; nothing is unpacked here")
_OF_GIT = words("the hub’s own")
_FOLDER = words("in a folder of its own; the model’s files lie at the top")
_CLASH = words("it is called like the list of files that is kept with each model here")
_LARGE = words("too large to be what its name says")
_NOT_NEEDED = words("not needed")

_ONLY_PICKLES = words(
    "{name} has its weights only as {file}, a format that can run programs. Inglenook loads "
    "safetensors; look for such a build of the model."
)
_NO_WEIGHTS = words("{repo} has no weights that can be loaded here.")
_ONLY_SPLIT = words(
    "{repo} has its GGUF files only in parts, which cannot be joined here. Look for a build in one "
    "file, or for safetensors."
)
_ADAPTER = words("{repo} is an addition to another model (an adapter), not a model.")
_PARTS_MISSING = words("{repo} is incomplete: {missing} of {count} weight files are missing.")
_NO_TOKENIZER = words("{repo} has no tokenizer; its weights alone cannot be used.")
_NO_CONFIG = words("{repo} has no config.json; its weights alone cannot be used.")
_NO_VARIANT = words("{repo} has no build “{name}”. It has: {names}.")
_NO_VARIANTS = words("{repo} has no build “{name}”.")


def variants(listing: Listing) -> tuple[Variant, ...]:
    """The models that can be downloaded of it, the one to be offered first at the front."""
    found: list[Variant] = []
    weights = _safetensors(listing)
    if weights:
        form = format_of(None, listing.tags, listing.repo)
        form = "bf16" if form == "gguf" else form
        total = sum(file.size for file in weights)
        found.append(Variant("", form, total, tuple(file.path for file in weights)))
    return (*found, *_ggufs(listing))


def choose(listing: Listing, variant: str = "") -> FileChoice:
    """What to fetch for a variant; "" is the first of `variants`.

    Where there is nothing to load, nothing is taken, and `problem` says why.

    Raises:
        HubError: "not_found"; there is no such variant.
    """
    known = variants(listing)
    chosen = next((each for each in known if each.name.lower() == variant.lower()), None)
    if chosen is None and variant:
        names = ", ".join(each.name for each in known if each.name)
        text = _NO_VARIANT.format(repo=listing.repo, name=variant, names=names)
        if not names:
            text = _NO_VARIANTS.format(repo=listing.repo, name=variant)
        raise HubError("not_found", text)
    chosen = chosen or next(iter(known), None)
    if chosen is None:
        left = tuple(LeftFile(f.path, f.size, _reason(f, _OTHER_BUILD)) for f in listing.files)
        return FileChoice(leave=left, problem=_why_nothing(listing))
    weights = frozenset(chosen.files)
    other = _OTHER_BUILD if known[0].name else _COPY
    take: list[RepoFile] = []
    leave: list[LeftFile] = []
    for file in listing.files:
        reason = "" if file.path in weights else _reason_beside(file, chosen, other)
        if reason:
            leave.append(LeftFile(file.path, file.size, reason))
        else:
            take.append(file)
    total = sum(file.size for file in take)
    problem = _problem(listing, chosen)
    return FileChoice(tuple(take), tuple(leave), total, chosen.name, problem)


def _reason_beside(file: RepoFile, chosen: Variant, other: str) -> str:
    """Why a file that is no weight of the chosen variant is left; "" where it is taken."""
    path = PurePosixPath(file.path)
    name = path.name.lower()
    if len(path.parts) > 1 or name.startswith("."):
        return _reason(file, other)
    if name in _OURS:
        return _CLASH
    if _TEXT.fullmatch(name) and path.suffix.lower() in {"", ".md", ".txt", ".rst"}:
        return "" if file.size <= MOST_TEXT else _LARGE
    if chosen.format == "gguf":  # all else is in the file
        is_part = name.endswith(".json") or _is_of_tokenizer(name)
        return _NOT_NEEDED if is_part else _reason(file, other)
    if name.endswith(".index.json"):
        return "" if name == _INDEX and len(chosen.files) > 1 else _COPY
    if name.startswith("adapter_"):
        return _ADDITION
    if name.endswith(".json") or _is_of_tokenizer(name):
        return "" if file.size <= MOST_JSON else _LARGE
    return _reason(file, other)


def _is_of_tokenizer(name: str) -> bool:
    known = name in TOKENIZER_FILES or name in _TOKENIZER_NAMES
    return known or name.endswith(_TOKENIZER_ENDINGS)


def _reason(file: RepoFile, other: str) -> str:
    """Why a file is left, by what it is; `other` is that of other safetensors."""
    path = PurePosixPath(file.path)
    name, ending = path.name.lower(), path.suffix.lower()
    if path.parts[0].startswith("."):
        return _OF_GIT
    for endings, reason in (
        (_PROGRAMS, _PROGRAM),
        (_OTHERS_WEIGHTS, _OTHER_ENGINE),
        (_PICKLES, _PICKLE),
        (_PICTURES, _PICTURE),
        (_ARCHIVES, _ARCHIVE),
    ):
        if ending in endings:
            return reason
    if ending == ".gguf":
        if "mmproj" in name:
            return _PROJECTOR
        return _SPLIT if _PART.fullmatch(path.stem) else _OTHER_BUILD
    if ending == ".safetensors":
        return _ADDITION if name.startswith("adapter") else other
    if len(path.parts) > 1:
        return _COPY if path.parts[0].lower() == "original" else _FOLDER
    return _NOT_NEEDED


def _safetensors(listing: Listing) -> list[RepoFile]:
    """The weight files at the top of the repository that belong together."""
    found = {
        file.path: file
        for file in listing.files
        if "/" not in file.path
        and file.path.endswith(".safetensors")
        and not file.path.startswith((".", "adapter"))
    }
    plain = {path: file for path, file in found.items() if not path.startswith("consolidated")}
    found = plain or found
    has_index = any(file.path == _INDEX for file in listing.files)
    if "model.safetensors" in found and not has_index:
        return [found["model.safetensors"]]
    parts = _parts_of(found)
    if parts:
        return [found[path] for path in parts]
    if "model.safetensors" in found:
        return [found["model.safetensors"]]
    return [found[path] for path in sorted(found)]


def _parts_of(paths: Sequence[str] | dict[str, RepoFile]) -> list[str]:
    """Of files that are parts of something, those of the fullest set; "model" before others."""
    sets: dict[tuple[str, str], list[str]] = {}
    for path in sorted(paths):
        match = _PART.fullmatch(path.removesuffix(".safetensors"))
        if match:
            sets.setdefault((match["stem"], match["count"]), []).append(path)
    if not sets:
        return []
    (_, _), best = max(
        sets.items(),
        key=lambda each: (len(each[1]) == int(each[0][1]), each[0][0] == "model", len(each[1])),
    )
    return best


def _ggufs(listing: Listing) -> list[Variant]:
    found: list[Variant] = []
    taken: set[str] = set()
    for file in sorted(listing.files, key=lambda file: (file.path.count("/"), file.path)):
        path = PurePosixPath(file.path)
        is_one = path.suffix.lower() == ".gguf" and not path.parts[0].startswith(".")
        if not is_one or "mmproj" in path.name.lower() or _PART.fullmatch(path.stem):
            continue
        name = bits_in(path.stem) or path.stem
        if name.lower() in taken:
            name = path.stem
        if name.lower() in taken:
            continue
        taken.add(name.lower())
        found.append(Variant(name, "gguf", file.size, (file.path,)))
    found.sort(key=lambda each: (each.bytes, each.name))
    preferred = {each.name: each for each in found}
    first = next((preferred[name] for name in _GGUF_PREFERRED if name in preferred), None)
    if first is None:
        return found
    return [first, *(each for each in found if each is not first)]


def _problem(listing: Listing, chosen: Variant) -> str:
    if chosen.format == "gguf":
        return ""
    names = {file.path for file in listing.files}
    match = _PART.fullmatch(chosen.files[0].removesuffix(".safetensors"))
    if match and len(chosen.files) < int(match["count"]):
        count = int(match["count"])
        missing = count - len(chosen.files)
        return _PARTS_MISSING.format(repo=listing.repo, missing=missing, count=count)
    if "config.json" not in names:
        return _NO_CONFIG.format(repo=listing.repo)
    if not any(name in TOKENIZER_FILES or name.endswith(".tiktoken") for name in names):
        return _NO_TOKENIZER.format(repo=listing.repo)
    return ""


def _why_nothing(listing: Listing) -> str:
    paths = [PurePosixPath(file.path) for file in listing.files]
    if any(path.name == "adapter_config.json" for path in paths):
        return _ADAPTER.format(repo=listing.repo)
    if any(path.suffix.lower() == ".gguf" and _PART.fullmatch(path.stem) for path in paths):
        return _ONLY_SPLIT.format(repo=listing.repo)
    pickles = (path.name for path in paths if path.suffix.lower() in _PICKLES)
    for name in pickles:
        return _ONLY_PICKLES.format(name=listing.repo, file=name)
    return _NO_WEIGHTS.format(repo=listing.repo)
