"""Small models for tests of the library: a few kilobytes each, real in form, made in a moment."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from engine.store import made_folder
from tests.helpers.tiny_gguf import STRING, entry, gguf_bytes, tensor, text
from tests.helpers.tiny_models import TinyShape, random_weights, write_safetensors

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER_COMMIT = "89abcdef0123456789abcdef0123456789abcdef"


def write_model(folder: Path, *, seed: int = 0, template: bool = True, **config: Any) -> Path:
    """A Llama of two narrow layers, whose tokenizer is one in name only."""
    shape = TinyShape(hidden=8, heads=2, kv_heads=1, head_dim=4, vocab=16, seed=seed, context=512)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**shape.config(), **config}))
    (folder / "tokenizer.json").write_text('{"version": "1.0"}')
    chat = {"chat_template": "{{ messages }}"} if template else {}
    (folder / "tokenizer_config.json").write_text(json.dumps(chat))
    write_safetensors(folder / "model.safetensors", random_weights(shape))
    return folder


def write_shards(folder: Path, count: int = 3, *, index: bool = True) -> Path:
    """The same in several files."""
    write_model(folder)
    (folder / "model.safetensors").unlink()
    shape = TinyShape(hidden=8, heads=2, kv_heads=1, head_dim=4, vocab=16)
    weights = list(random_weights(shape).items())
    named: dict[str, str] = {}
    for number in range(count):
        name = f"model-{number + 1:05}-of-{count:05}.safetensors"
        part = dict(weights[number::count])
        write_safetensors(folder / name, part)
        named |= dict.fromkeys(part, name)
    if index:
        (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": named}))
    return folder


def write_installed(models: Path, repo: str = "owner/Tiny", *, variant: str = "") -> Path:
    """A model as a download leaves it in the store."""
    name = repo.replace("/", "--") + (f"--{variant}" if variant else "")
    folder = write_model(models / "hub" / name)
    seal(folder, repo=repo, variant=variant)
    return folder


def seal(folder: Path, *, repo: str = "owner/Tiny", variant: str = "") -> None:
    """Write the manifest of a download."""
    origin = {
        "kind": "hub",
        "repo": repo,
        "revision": COMMIT,
        "variant": variant,
        "licence": "apache-2.0",
        "base_model": "owner/Base",
    }
    made_folder.seal(folder, origin)


def write_gguf(file: Path, *, template: bool = True) -> Path:
    """A GGUF file with a llama's header."""
    file.parent.mkdir(parents=True, exist_ok=True)

    def number(key: str, value: int) -> bytes:
        return entry(f"llama.{key}", 4, value.to_bytes(4, "little"))

    entries = [
        entry("general.architecture", STRING, text("llama")),
        entry("general.license", STRING, text("mit")),
        number("block_count", 1),
        number("context_length", 2048),
        number("embedding_length", 8),
        number("attention.head_count", 2),
        number("feed_forward_length", 16),
        number("vocab_size", 16),
    ]
    if template:
        entries.append(entry("tokenizer.chat_template", STRING, text("{{ messages }}")))
    tensors = [
        tensor("token_embd.weight", (16, 8)),
        tensor("blk.0.attn_q.weight", (8, 8), offset=512),
    ]
    file.write_bytes(gguf_bytes(entries, tensors, data=bytes(1024)))
    return file


class HubCache:
    """A Hugging Face cache, written as huggingface_hub does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def repository(self, repo: str) -> Path:
        """The folder of a repository."""
        return self.folder / f"models--{repo.replace('/', '--')}"

    def add(self, repo: str, source: Path, commit: str = COMMIT, *, ref: str = "main") -> Path:
        """The files of `source` as a snapshot; files that are there already share their blobs."""
        repository = self.repository(repo)
        snapshot = repository / "snapshots" / commit
        (repository / "blobs").mkdir(parents=True, exist_ok=True)
        for path in sorted(source.rglob("*")):
            if not path.is_file():
                continue
            content = path.read_bytes()
            large = path.suffix in (".safetensors", ".gguf")
            digest = (
                hashlib.sha256(content)
                if large
                else hashlib.sha1(b"blob %d\0" % len(content) + content)
            )
            blob = repository / "blobs" / digest.hexdigest()
            blob.write_bytes(content)
            link = snapshot / path.relative_to(source)
            link.parent.mkdir(parents=True, exist_ok=True)
            up = "../" * (len(path.relative_to(source).parts) + 1)
            link.symlink_to(f"{up}blobs/{digest.hexdigest()}")
        if ref:
            (repository / "refs" / ref).parent.mkdir(parents=True, exist_ok=True)
            (repository / "refs" / ref).write_text(commit)
        return snapshot


def tree(folder: Path) -> dict[str, bytes | str]:
    """Everything below `folder`: contents of files, targets of links, "" for folders."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = path.read_bytes() if path.is_file() else ""
    return found
