"""What GGUF files say of themselves, asked of a process of its own: they come from anybody.

`python -m engine.store.library.gguf_heads` reads a JSON array of paths and answers each with a
line, in order. It is given a time; files that are not answered by then are asked again by the
next scan.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from engine.store.gguf_header import GgufHeader

MEMORY: Final = 2 << 30  # of the process, in bytes: no header needs that much
TEMPLATE_KEY: Final = "tokenizer.chat_template"


class GgufHead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of one file; `error` says why there is nothing else."""

    path: str
    config: dict[str, Any] = {}
    counts: dict[str, int] = {}
    name: str = ""
    licence: str = ""
    base_model: str = ""
    repo: str = ""
    architecture: str = ""
    template: bool = False
    error: str = ""
    code: str = ""


_decoder = msgspec.json.Decoder(GgufHead)


def read_heads(paths: Sequence[str], seconds: float) -> dict[str, GgufHead]:
    """Path -> head, of those that are answered in time. Never raises."""
    if not paths:
        return {}
    root = Path(__file__).resolve().parents[3]
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "engine.store.library.gguf_heads"],
            cwd=root,
            env={"PYTHONPATH": str(root)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return {}
    end = threading.Timer(seconds, process.kill)
    end.daemon = True
    end.start()
    try:
        return dict(_answers(process, paths))
    finally:
        end.cancel()
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _answers(
    process: subprocess.Popen[bytes], paths: Sequence[str]
) -> Iterator[tuple[str, GgufHead]]:
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):
        process.stdin.write(msgspec.json.encode(list(paths)) + b"\n")
        process.stdin.close()
    asked = set(paths)
    for line in process.stdout:
        with contextlib.suppress(msgspec.MsgspecError):
            head = _decoder.decode(line)
            if head.path in asked:
                yield head.path, head


# --- in the other process -----------------------------------------------------------------------


def head_of(path: str) -> GgufHead:
    """The head of one file, or what is wrong with it."""
    from engine.planner.gguf_reader import config_of, counts_of
    from engine.store.gguf_error import GgufError
    from engine.store.gguf_header import read_header
    from engine.store.library.plain_text import plain

    try:
        header = read_header(Path(path))
        return GgufHead(
            path=path,
            config=config_of(header),
            counts=counts_of(header),
            name=plain(header.values.get("general.name")),
            licence=plain(header.values.get("general.license")),
            base_model=_hub_name(header, "general.base_model.0.repo_url"),
            repo=_hub_name(header, "general.source.repo_url")
            or _hub_name(header, "general.repo_url"),
            architecture=plain(header.architecture),
            template=bool(header.values.get(TEMPLATE_KEY)),
        )
    except GgufError as error:
        return GgufHead(path=path, error=str(error), code=error.code)
    except OSError as error:
        reason = error.strerror or str(error)
        return GgufHead(path=path, error=f"{Path(path).name}: {reason}", code="unreadable")
    except (ValueError, ArithmeticError, RecursionError, MemoryError):
        return GgufHead(path=path, error=Path(path).name, code="damaged")


def _hub_name(header: GgufHeader, key: str) -> str:
    from engine.store.library.plain_text import plain

    address = header.values.get(key)
    if not isinstance(address, str):
        return ""
    parts = address.rstrip("/").split("/")
    return plain("/".join(parts[-2:])) if len(parts) >= 2 else ""


def main() -> int:
    """Answer the paths on standard input."""
    import resource

    from engine.store.library.end_with_parent import end_with_parent

    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    paths = msgspec.json.decode(sys.stdin.buffer.readline(), type=list[str])
    for path in paths:
        sys.stdout.buffer.write(msgspec.json.encode(head_of(path)) + b"\n")
        sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os._exit(1)
