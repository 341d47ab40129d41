"""Fences of Markdown: longer than any inside, and closed where a text left one open."""

from __future__ import annotations

import re
from typing import Final

_RUNS: Final = re.compile(r"`{3,}")
_FENCE: Final = re.compile(r" {0,3}(?P<marks>`{3,}(?=[^`]*$)|~{3,})")
# What begins a block of HTML, or a comment that would swallow the rest of the file.
_HTML: Final = re.compile(r"( {0,3})<(?=[A-Za-z/!?])")


def fenced(text: str, language: str = "") -> str:
    """`text` as a block of code that shows it exactly."""
    longest = max((len(run) for run in _RUNS.findall(text)), default=2)
    marks = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{marks}{language}\n{text}{end}{marks}"


def self_contained(text: str) -> str:
    """Markdown that cannot reach out of its place in a larger document.

    A fence that was left open is closed; a line that would begin a block of HTML shows
    its sign as the text that it is here.
    """
    lines: list[str] = []
    closer: re.Pattern[str] | None = None
    marks = ""
    for line in text.splitlines():
        if closer is not None:
            if closer.fullmatch(line):
                closer = None
        elif match := _FENCE.match(line):
            marks = match["marks"]
            closer = re.compile(rf" {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}[ \t]*")
        else:
            line = _HTML.sub(r"\1\\<", line, count=1) if _HTML.match(line) else line
        lines.append(line)
    if closer is not None:
        lines.append(marks)
    return "\n".join(lines)
