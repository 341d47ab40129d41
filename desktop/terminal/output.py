"""What the terminal shows: the answer on stdout, everything else on stderr."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from typing import Final, TextIO

from desktop.terminal.events import Done, Event, ExitCode, Failed, Notice, Progress, Text, to_dict

# Control characters a model may write, or carry in the names of its files, which would steer
# the terminal. Tabs and line ends stay; pipes and files get the text as it is.
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Signs that turn the order of what follows them on the line, which is ours.
_STEERING: Final = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_ERASE_LINE: Final = "\r\x1b[K"
_PROMPT: Final = "> "

_ENDINGS: Final = {
    "length": "cut at --max-tokens",
    "context": "cut: the context is full",
    "cancelled": "stopped",
}


def harmless(text: str) -> str:
    """Somebody else's words for the terminal: nothing in them moves, colours or reorders it."""
    return _CONTROLS.sub("�", _STEERING.sub("", text.expandtabs(4)))


def cost_line(done: Done) -> str:
    """The line an answer ends with."""
    parts = [_count(done.tokens, "token")]
    if done.tokens_per_second is not None:
        parts.append(f"{done.tokens_per_second:.1f} tokens/s")
    if done.ttft is not None:
        parts.append(f"first token {done.ttft:.2f} s")
    parts.append(_count(done.kv_blocks, "KV block"))
    ending = _ENDINGS.get(done.finish_reason, "")
    return " · ".join([*parts, ending] if ending else parts)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class Output:
    """Shows events.

    Attributes:
        closed: called once, when stdout cannot be written to any more.
        exit_code: how to end because of that; None while it can.
    """

    def __init__(self, *, as_json: bool = False, stream: bool = False, quiet: bool = False) -> None:
        self.closed: Callable[[], None] = lambda: None
        self.exit_code: int | None = None
        self._json = as_json
        self._stream = stream
        self._quiet = quiet
        self._out = _open(sys.stdout)
        self._err = _open(sys.stderr)
        self._live = self._err.isatty() and not quiet
        self._plain = self._out.isatty()
        self._line = ""
        self._told = False
        self._in_answer = False
        self._ends_line = True

    @property
    def is_closed(self) -> bool:
        """Whether stdout cannot be written to; `exit_code` then says how to end."""
        return self.exit_code is not None

    def show(self, event: Event) -> None:
        """Show one event."""
        if isinstance(event, Notice):
            self.warn(event.text)
        elif isinstance(event, Failed):
            self._end_answer()
            self.warn(event.message)
        elif isinstance(event, Progress):
            self._progress(event.text)
        if self._json:
            self._show_json(event)
        elif isinstance(event, Text):
            self._text(event.text)
        elif isinstance(event, Done):
            self._end_answer()
        if isinstance(event, Done) and not (self._quiet or self.is_closed):
            self._say(cost_line(event))

    def warn(self, text: str) -> None:
        """Tell the user something, on stderr."""
        self._say(f"inglenook: {text}")

    def ask_line(self) -> str:
        """A line that the user types.

        Raises:
            EOFError: Ctrl-D.
        """
        self._erase()
        if self._plain and not self._json:
            return input(_PROMPT)
        self._write_err(_PROMPT)  # stdout is for answers alone
        return input()

    def detach(self) -> None:
        """Keep the interpreter's end from writing to a pipe that is closed."""
        if self.is_closed:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._out.fileno())
            os.close(nowhere)

    # --- inside ----------------------------------------------------------------------

    def _show_json(self, event: Event) -> None:
        if self._stream:
            self._write_json(to_dict(event))
        elif isinstance(event, Done):
            content = to_dict(event)
            del content["event"]
            self._write_json(content)
        elif isinstance(event, Failed):
            content = to_dict(event)
            del content["event"]
            content["error"] = content.pop("message")
            self._write_json(content)

    def _write_json(self, content: dict[str, object]) -> None:
        text = json.dumps(content, ensure_ascii=False)
        # JSON lets the upper ones stand as they are; escaped they are the same text.
        self._write(_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")

    def _text(self, text: str) -> None:
        self._erase()
        if self._plain:
            text = _CONTROLS.sub("�", text.replace("\r", ""))
        if text:
            self._in_answer = True
            self._ends_line = text.endswith("\n")
            self._write(text)

    def _end_answer(self) -> None:
        if self._in_answer and not self._ends_line:
            self._write("\n")
        self._in_answer = False
        self._ends_line = True

    def _progress(self, text: str) -> None:
        if not (self._live or self._quiet or self._told):
            # No terminal to keep a line alive on: one sign of life for a log.
            self._told = True
            self._say(f"{text.partition(':')[0]} …")
        if self._live and not self._in_answer:
            width = shutil.get_terminal_size().columns - 1
            self._line = _CONTROLS.sub("�", text)[:width].replace("\n", " ")
            self._write_err(f"{_ERASE_LINE}{self._line}")

    def _erase(self) -> None:
        if self._line:
            self._line = ""
            self._write_err(_ERASE_LINE)

    def _say(self, text: str) -> None:
        self._erase()
        if self._err.isatty():
            text = _CONTROLS.sub("�", text)
        self._write_err(f"{text}\n")

    def _write(self, text: str) -> None:
        if self.is_closed:
            return
        try:
            self._out.write(text)
            self._out.flush()
        except OSError as error:
            if error.errno in (errno.EPIPE, errno.ECONNRESET):
                self.exit_code = ExitCode.PIPE_CLOSED
            else:
                self.exit_code = ExitCode.FAILED
                self.warn(f"The answer cannot be written: {error.strerror or error}.")
            self.closed()

    def _write_err(self, text: str) -> None:
        try:
            self._err.write(text)
            self._err.flush()
        except OSError:  # nobody reads it
            self._live = False


def _open(stream: TextIO | None) -> TextIO:
    """`stream` with every character printable in some way; where it is closed, nowhere."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return stream
