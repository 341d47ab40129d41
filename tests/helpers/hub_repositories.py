"""The loopback hub's repositories, and the JSON in which a hub tells of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.helpers.hub_files import HubFile, json_of, parameters

# What `expand` may ask for, as the client's documentation has it: of one model, of a list.
OF_ONE = frozenset(
    {
        *("author", "baseModels", "cardData", "childrenModelCount", "config", "createdAt"),
        *("disabled", "downloads", "downloadsAllTime", "evalResults", "gated", "gguf"),
        *("inference", "inferenceProviderMapping", "lastModified", "library_name", "likes"),
        *("mask_token", "model-index", "pipeline_tag", "private", "resourceGroup"),
        *("safetensors", "sha", "siblings", "spaces", "tags", "transformersInfo"),
        *("trendingScore", "usedStorage", "widgetData"),
    }
)
OF_MANY = OF_ONE - {"baseModels", "childrenModelCount", "usedStorage"}
CREATED = "2026-01-02T03:04:05.000Z"
_FRONT = re.compile(r"\A---\r?\n(.*?)\r?\n---\s*?(?:\n|\Z)", re.S)


@dataclass(frozen=True)
class Commit:
    """One state of a repository's files."""

    sha: str  # 40 hex digits
    files: Mapping[str, HubFile]

    @cached_property
    def config(self) -> dict[str, Any]:
        """What config.json says."""
        return json_of(self.files.get("config.json"))

    @cached_property
    def safetensors(self) -> dict[str, Any] | None:
        """Types and counts of the numbers in the weight files."""
        found = parameters(iter(self.files.values()))
        return {"parameters": found, "total": sum(found.values())} if found else None

    @cached_property
    def gguf(self) -> dict[str, Any] | None:
        """What a hub reads in the head of the first GGUF file."""
        return next(
            (_gguf_facts(file) for name, file in self.files.items() if name.endswith(".gguf")), None
        )

    @cached_property
    def card(self) -> dict[str, Any]:
        """The front matter of the README."""
        import yaml  # type: ignore[import-untyped]

        file = self.files.get("README.md")
        text = file.content.read(0, file.size).decode(errors="replace") if file else ""
        found = _FRONT.match(text)
        try:
            value = yaml.safe_load(found.group(1)) if found else {}
        except yaml.YAMLError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def method(self) -> str:
        """How the weights are quantised: "awq", "gptq", "gguf" ...; "" when they are not."""
        told = self.config.get("quantization_config")
        method = told.get("quant_method", "") if isinstance(told, dict) else ""
        return method or ("gguf" if any(name.endswith(".gguf") for name in self.files) else "")


def _gguf_facts(file: HubFile) -> dict[str, Any]:
    from engine.store.gguf_header import read_header

    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.gguf"
        path.write_bytes(file.content.read(0, min(file.size, 32 << 20)))
        with path.open("r+b") as whole:
            whole.truncate(file.size)
        try:
            header = read_header(path)
        except Exception:  # whatever is wrong with it: a hub serves it all the same
            return {}
    found: dict[str, Any] = {"architecture": header.architecture, "totalFileSize": file.size}
    found["total"] = header.elements
    context = header.values.get(f"{header.architecture}.context_length")
    return found | ({"context_length": context} if isinstance(context, int) else {})


@dataclass
class Repository:
    """A model's repository.

    Attributes:
        branches: name -> commit; tags of git count as branches here.
        gated: "", "auto" or "manual".
    """

    name: str
    gated: str = ""
    private: bool = False
    tags: tuple[str, ...] = ()
    licence: str = ""
    base_model: str = ""
    languages: tuple[str, ...] = ()
    downloads: int = 0
    likes: int = 0
    trending: int = 0
    updated: str = CREATED
    created: str = CREATED
    pipeline: str = "text-generation"
    library: str = "transformers"
    branches: dict[str, str] = field(default_factory=dict)
    commits: dict[str, Commit] = field(default_factory=dict)

    def commit(self, files: Iterable[HubFile], branch: str = "main") -> str:
        """Make `files` all that `branch` holds; returns the commit's name."""
        kept = {file.path: file for file in files}
        digest = hashlib.sha1(f"{self.name} {self.branches.get(branch, '')}\n".encode())
        for path in sorted(kept):
            digest.update(f"{kept[path].blob} {path}\n".encode("utf-8", "surrogatepass"))
        sha = digest.hexdigest()
        self.commits[sha] = Commit(sha, kept)
        self.branches[branch] = sha
        return sha

    def at(self, revision: str) -> Commit | None:
        """The commit that a branch or a commit's name means."""
        return self.commits.get(self.branches.get(revision, revision))

    @property
    def head(self) -> Commit:
        """Of the main branch."""
        return self.commits[self.branches["main"]]

    @property
    def author(self) -> str:
        """The owner's name."""
        return self.name.partition("/")[0]

    def all_tags(self, commit: Commit) -> list[str]:
        """The author's tags, and those that a hub finds itself."""
        card = self.card(commit)
        names = commit.files
        found = [self.library] if self.library else []
        found += [kind for kind in ("safetensors", "gguf") if any(n.endswith(kind) for n in names)]
        found += [str(commit.config["model_type"])] if "model_type" in commit.config else []
        found += [self.pipeline] if self.pipeline else []
        found += [str(tag) for tag in card.get("tags") or ()]
        has_template = "chat_template" in json_of(names.get("tokenizer_config.json"))
        found += ["conversational"] if has_template or "chat_template.jinja" in names else []
        found += [str(language) for language in _texts(card.get("language"))]
        relation = "quantized" if commit.method else "finetune"
        for base in _texts(card.get("base_model")):
            found += [f"base_model:{base}", f"base_model:{relation}:{base}"]
        found += [f"license:{card['license']}"] if card.get("license") else []
        found += ["endpoints_compatible", "text-generation-inference"] if commit.config else []
        method = commit.method
        bits = (commit.config.get("quantization_config") or {}).get("bits")
        found += [f"{bits}-bit"] if bits else []
        found += [method] if method not in {"", "gguf"} else []
        return list(dict.fromkeys([*found, "region:us"]))

    def card(self, commit: Commit) -> dict[str, Any]:
        """The card's data: the README's front matter, and what the repository was made with."""
        own: dict[str, Any] = {}
        if self.licence:
            own["license"] = self.licence
        if self.base_model:
            own["base_model"] = self.base_model
        if self.languages:
            own["language"] = list(self.languages)
        if self.tags:
            own["tags"] = list(self.tags)
        return commit.card | own

    def facts(self, commit: Commit) -> dict[str, Any]:
        """All that a hub may be asked about it, by the names of its answers."""
        card = self.card(commit)
        bases = [{"id": base} for base in _texts(card.get("base_model"))]
        config = {
            key: commit.config[key]
            for key in ("architectures", "model_type", "quantization_config")
            if key in commit.config
        }
        found: dict[str, Any] = {
            "author": self.author,
            "cardData": card,
            "config": config,
            "createdAt": self.created,
            "disabled": False,
            "downloads": self.downloads,
            "downloadsAllTime": self.downloads * 3,
            "gated": self.gated or False,
            "lastModified": self.updated,
            "library_name": self.library,
            "likes": self.likes,
            "pipeline_tag": self.pipeline,
            "private": self.private,
            "sha": commit.sha,
            "siblings": [{"rfilename": path} for path in commit.files],
            "tags": self.all_tags(commit),
            "trendingScore": self.trending,
            "usedStorage": sum(file.size for file in commit.files.values()),
        }
        if bases:
            relation = "quantized" if commit.method else "finetune"
            found["baseModels"] = {"relation": relation, "models": bases}
        if commit.safetensors:
            found["safetensors"] = commit.safetensors
        if commit.gguf:
            found["gguf"] = commit.gguf
        return found

    def info(
        self, commit: Commit, *, blobs: bool = False, expand: Iterable[str] = ()
    ) -> dict[str, Any]:
        """The answer about this repository alone."""
        facts, asked = self.facts(commit), tuple(expand)
        if asked:
            return self._identity() | {name: facts[name] for name in asked if name in facts}
        if blobs:
            facts["siblings"] = [_sibling(file) for file in commit.files.values()]
        facts.pop("baseModels", None)
        return self._identity() | facts

    def listed(
        self, *, full: bool, config: bool, card: bool, expand: Iterable[str]
    ) -> dict[str, Any]:
        """Its entry in a list of repositories."""
        facts, asked = self.facts(self.head), tuple(expand)
        if asked:
            names: tuple[str, ...] = asked
        else:
            names = ("likes", "trendingScore", "private", "downloads", "tags", "pipeline_tag")
            names += ("library_name", "createdAt")
            names += ("author", "gated", "lastModified", "sha", "siblings") if full else ()
            names += ("config",) if config else ()
            names += ("cardData",) if card else ()
        return self._identity() | {name: facts[name] for name in names if name in facts}

    def tree(self, commit: Commit, folder: str, *, recursive: bool) -> list[dict[str, Any]]:
        """The entries of a folder ("" is the root): folders first met, then files."""
        prefix = f"{folder}/" if folder else ""
        found: dict[str, dict[str, Any]] = {}
        for path, file in commit.files.items():
            if not path.startswith(prefix):
                continue
            parts = path.removeprefix(prefix).split("/")
            for depth in range(1, len(parts)):
                above = prefix + "/".join(parts[:depth])
                oid = hashlib.sha1(f"tree {commit.sha} {above}".encode()).hexdigest()
                entry = {"type": "directory", "oid": oid, "size": 0, "path": above}
                found.setdefault(above, entry)
                if not recursive:
                    break
            if recursive or len(parts) == 1:
                found[path] = _entry(file)
        return list(found.values())

    def _identity(self) -> dict[str, Any]:
        number = hashlib.sha1(self.name.encode()).hexdigest()[:24]
        return {"_id": number, "id": self.name, "modelId": self.name}


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value] if isinstance(value, list) else []


def _sibling(file: HubFile) -> dict[str, Any]:
    found: dict[str, Any] = {"rfilename": file.path, "blobId": file.blob, "size": file.size}
    if file.large:
        pointer = len(file.pointer)
        found["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": pointer}
    return found


def _entry(file: HubFile) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": "file",
        "oid": file.blob,
        "size": file.size,
        "path": file.path,
    }
    if file.large:
        pointer = len(file.pointer)
        found["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": pointer}
    return found
