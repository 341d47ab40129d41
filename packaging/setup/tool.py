"""Runs the tools of a set-up (pip and others), with their output in the log and a live line."""

import os
import selectors
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

# Held back for recognising a failure: what pip says last, with the network's warnings before.
_KEPT_LINES = 200
_STOP_SECONDS = 10.0


class ToolError(Exception):
    """A tool ended with a failure.

    Attributes:
        status: its exit status, negative for a signal.
        output: the end of what it printed, standard error included.
    """

    def __init__(self, status: int, output: str) -> None:
        super().__init__(f"exit status {status}")
        self.status = status
        self.output = output


def run_tool(
    command: Sequence[str | Path],
    *,
    log: Path,
    on_line: Callable[[str], None] = lambda _line: None,
    on_tick: Callable[[], None] = lambda: None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    keep_open: tuple[int, ...] = (),
) -> str:
    """Run `command` to its end, without standard input.

    Args:
        log: its output is added there.
        on_line: called with each line of output.
        on_tick: called about once a second, so that a silent tool does not look dead.
        environ: its environment; None for ours.
        folder: its working folder; None for ours.
        keep_open: file descriptors it inherits (the set-up's lock, which so outlives us if we
            are killed while the tool goes on).

    Returns: the end of its output.

    Raises:
        ToolError: it exited with a failure. OSError: it could not be started, or the log could
            not be written. KeyboardInterrupt, SystemExit: after the tool has been stopped.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    kept: list[str] = []
    with log.open("a", encoding="utf-8") as log_file:
        log_file.write(f"$ {' '.join(map(str, command))}\n")
        log_file.flush()
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(environ) if environ is not None else None,
            cwd=folder,
            pass_fds=keep_open,
        )
        try:
            for line in _lines(process, on_tick):
                log_file.write(line + "\n")
                log_file.flush()
                kept.append(line)
                del kept[:-_KEPT_LINES]
                on_line(line)
            status = process.wait()
        except BaseException:
            _stop(process)
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()
    output = "\n".join(kept)
    if status != 0:
        raise ToolError(status, output)
    return output


def _lines(process: "subprocess.Popen[bytes]", on_tick: Callable[[], None]) -> Iterator[str]:
    """The tool's lines as they come, with `on_tick` called at least about once a second."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    pending = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            on_tick()
            if not selector.select(timeout=1.0):
                continue
            data = os.read(descriptor, 65536)
            if not data:
                break
            # A carriage return ends a line as well: it is how progress bars draw.
            *complete, pending = (pending + data).replace(b"\r", b"\n").split(b"\n")
            for line in complete:
                if line.strip():
                    yield line.decode("utf-8", "replace")
    if pending.strip():
        yield pending.decode("utf-8", "replace")


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """End the tool: a Ctrl-C has reached it too, a signal sent to us alone has not."""
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
