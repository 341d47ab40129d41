"""Questions that are answered with yes or no, on the terminal."""

from __future__ import annotations

import sys


def can_ask() -> bool:
    """Whether somebody sits there to answer."""
    return all(
        stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)
    )


def agreed(question: str, *, default: bool = False) -> bool:
    """Ask until it is yes or no. Enter alone is `default`, the end of the input is no."""
    choices = "[Y/n]" if default else "[y/N]"
    while True:
        sys.stderr.write(f"{question} {choices} ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            sys.stderr.write("\n")
            return False
        answer = line.strip().lower()
        if not answer:
            return default
        if answer in {"y", "yes", "j", "ja"}:
            return True
        if answer in {"n", "no", "nein"}:
            return False
