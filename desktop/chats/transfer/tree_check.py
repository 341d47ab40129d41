"""Whether a list of messages is a tree, and in which order it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from desktop.chats.transfer.trouble import TransferError, Trouble


def in_order(parents: Mapping[str, str | None], children: Mapping[str, Sequence[str]]) -> list[str]:
    """All ids, each parent before its children, siblings as `children` lists them.

    Args:
        parents: each id's parent; None for a root.
        children: the order of the children of an id, as far as it is known.

    Raises:
        TransferError: NO_PARENT, CIRCLE.
    """
    below: dict[str | None, dict[str, None]] = {}
    for above, named in children.items():
        kept = below.setdefault(above, {})
        for child in named:
            if parents.get(child) == above and child in parents:
                kept[child] = None
    for id_, parent in parents.items():
        if parent is not None and parent not in parents:
            raise TransferError(Trouble.NO_PARENT, where=id_)
        below.setdefault(parent, {})[id_] = None
    order: list[str] = []
    waiting = list(reversed(below.get(None, {})))
    while waiting:
        id_ = waiting.pop()
        order.append(id_)
        waiting.extend(reversed(below.get(id_, {})))
    if len(order) < len(parents):
        lost = parents.keys() - set(order)
        raise TransferError(Trouble.CIRCLE, where=min(lost))
    return order


def require_unique(ids: Iterable[str]) -> None:
    """Raises TransferError (TWICE) if an id comes twice."""
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            raise TransferError(Trouble.TWICE, where=id_)
        seen.add(id_)
