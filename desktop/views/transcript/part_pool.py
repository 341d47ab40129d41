"""Widgets for parts, used again and again: making one costs more than filling it."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from desktop.chats.markdown.markdown_parts import Code, Formula, Part, Prose, Rule, Table
from desktop.views.transcript.code_block import CodeBlock
from desktop.views.transcript.formula_block import FormulaBlock
from desktop.views.transcript.part_widget import PartWidget, RuleBlock
from desktop.views.transcript.prose_block import ProseBlock
from desktop.views.transcript.table_block import TableBlock

_KEPT: Final = 40  # idle widgets of each kind


def kind_of(part: Part) -> type[PartWidget]:
    """Which widget shows a part."""
    match part:
        case Code():
            return CodeBlock
        case Formula():
            return FormulaBlock
        case Prose():
            return ProseBlock
        case Rule():
            return RuleBlock
        case Table():
            return TableBlock


class PartPool:
    """Lends widgets and takes them back."""

    def __init__(self) -> None:
        self._idle: dict[type[PartWidget], list[PartWidget]] = {}

    def take(self, part: Part, parent: QWidget) -> PartWidget:
        """A widget that can show `part`, hidden still."""
        kind = kind_of(part)
        idle = self._idle.get(kind)
        if idle:
            widget = idle.pop()
            widget.setParent(parent)
            return widget
        return kind(parent)

    def give(self, widget: PartWidget) -> None:
        """Take back a widget that shows nothing any more."""
        widget.hide()
        widget.rest()
        widget.selection = (0, 0)
        widget.marks = ()
        idle = self._idle.setdefault(type(widget), [])
        if len(idle) < _KEPT:
            idle.append(widget)
        else:
            widget.deleteLater()
