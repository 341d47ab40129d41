"""Widths that were chosen for the usual size of text, at the present one."""

from __future__ import annotations

from typing import Final

from desktop import theme

USUAL: Final = 11.0  # points


def at_size(width: int) -> int:
    """What `width` pixels at the usual size of text are now; no less than they are."""
    return round(width * max(1.0, theme.current().body / USUAL))
