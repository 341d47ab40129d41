"""The hub process: `python -m engine.store.hub --parent PID`; see `messages` for what it speaks.

It ends with its standard input, and with its parent. Standard output is for answers alone: what
libraries print goes to the log, which no token ever reaches.
"""

from __future__ import annotations

import argparse
import os
import threading
from collections.abc import Iterator
from typing import Final, NoReturn

import msgspec

from engine import lifetime
from engine.store.hub.messages import MOST_LINE, Answer, Failed, read_request, to_line
from engine.store.hub.network import NetworkSettings

_CHUNK: Final = 1 << 16


def main() -> NoReturn:
    """Answer until nobody asks any more."""
    parser = argparse.ArgumentParser(prog="python -m engine.store.hub", description=__doc__)
    parser.add_argument("--parent", type=int, default=0, metavar="PID")
    options = parser.parse_args()
    lifetime.detach(options.parent)
    # Read when huggingface_hub is imported, and it is imported only after this.
    environment = NetworkSettings().environment()
    os.environ.clear()
    os.environ.update(environment)
    answers = os.dup(1)
    os.dup2(2, 1)
    lock = threading.Lock()

    def tell(answer: Answer) -> None:
        line = memoryview(to_line(answer))
        try:
            with lock:
                while line:
                    line = line[os.write(answers, line) :]
        except OSError:  # nobody reads any more
            lifetime.end_process(0)

    from engine.store.hub.desk import NO_REQUEST, Desk
    from engine.store.hub.memory import the_memory

    threading.Thread(target=_prepare, daemon=True).start()
    desk = Desk(tell, the_memory())
    for line in _lines(0):
        try:
            desk.take(read_request(line))
        except (msgspec.DecodeError, RecursionError, ValueError):
            tell(Failed(id=-1, code="bad_request", text=NO_REQUEST))
    lifetime.end_process(0)


def _prepare() -> None:
    """The libraries take half a second; meanwhile the user types."""
    from engine.store.hub import connection, judge, page, search  # noqa: F401

    connection.install()


def _lines(descriptor: int) -> Iterator[bytes]:
    """The lines of a stream until its end; of one that is too long, nothing but an empty line."""
    waiting = bytearray()
    is_cut = False
    while chunk := os.read(descriptor, _CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield b"" if is_cut else bytes(waiting + part)
            waiting.clear()
            is_cut = False
        waiting += rest
        if len(waiting) > MOST_LINE:
            waiting.clear()
            is_cut = True


if __name__ == "__main__":
    main()
