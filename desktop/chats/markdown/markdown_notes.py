"""Footnotes: definitions shown where they stand, references to those that are defined."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_inline import StateInline

NOTE: Final = "\n^"  # begins the key of a note: no link's label holds a line's end
_REFERENCE = re.compile(r"\[\^([^\]\[\s]+)\]")


def add_notes(parser: MarkdownIt) -> None:
    """Teach a parser footnotes: tokens `footnote_reference_open` and `note_reference`."""
    from mdit_py_plugins.footnote.index import footnote_def

    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference"]}
    parser.block.ruler.before("reference", "footnote_def", footnote_def, alternatives)
    parser.inline.ruler.before("link", "note_reference", _reference)


def defined(environment: dict[str, Any]) -> dict[str, Any]:
    """The notes that a parse has found, by key."""
    found: Iterable[str] = environment.get("footnotes", {}).get("refs", ())
    return {NOTE + label.removeprefix(":"): True for label in found}


def environment(references: dict[str, Any]) -> dict[str, Any]:
    """What a parse begins with, where links and notes are already defined."""
    if not references:
        return {"references": {}, "notes": references}
    notes = {":" + key.removeprefix(NOTE): -1 for key in references if key.startswith(NOTE)}
    links = {key: value for key, value in references.items() if not key.startswith(NOTE)}
    return {"references": links, "footnotes": {"refs": notes, "list": {}}, "notes": references}


def _reference(state: StateInline, silent: bool) -> bool:
    match = _REFERENCE.match(state.src, state.pos, state.posMax)
    if match is None or NOTE + match.group(1) not in state.env.get("notes", ()):
        return False
    if not silent:
        state.push("note_reference", "sup", 0).content = f"[{match.group(1)}]"
    state.pos = match.end()
    return True
