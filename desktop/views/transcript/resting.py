"""Which hidden pages keep their widgets: the last few, for a quick return."""

from __future__ import annotations

import weakref
from typing import Final, Protocol

from shiboken6 import Shiboken

_KEPT: Final = 3


class Restful(Protocol):
    """A page that can do without its widgets."""

    def isVisible(self) -> bool:
        """Whether someone sees it."""

    def rest(self) -> None:
        """Give up all widgets."""


_hidden: list[weakref.ref[Restful]] = []  # with their widgets, the latest last


def shown(page: Restful) -> None:
    """A page is looked at."""
    _hidden[:] = [ref for ref in _hidden if _alive(ref) is not None and ref() is not page]


def hidden(page: Restful) -> None:
    """A page is no longer looked at: the one that was left longest ago gives up its widgets."""
    shown(page)
    _hidden.append(weakref.ref(page))
    while len(_hidden) > _KEPT:
        oldest = _alive(_hidden.pop(0))
        if oldest is not None and not oldest.isVisible():
            oldest.rest()


def _alive(ref: weakref.ref[Restful]) -> Restful | None:
    """The page, unless Qt has deleted it: its Python half may outlive it."""
    page = ref()
    return page if page is not None and Shiboken.isValid(page) else None
