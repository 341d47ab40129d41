"""Runs of text into a document: fonts, colours, links, formulas."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor

from desktop.chats.markdown.markdown_parts import LIST, Run, Style
from desktop.theme import Theme
from desktop.views.transcript.formula import inline_format

_LIST_INDENT: Final = 1.75  # of the body's size, in ems
_QUOTE_INDENT: Final = 16  # pixels
_NOTE_SIZE: Final = 0.78  # of the text around it


def list_step(theme: Theme) -> float:
    """How far in a list stands, in pixels."""
    return theme.em * _LIST_INDENT


def indent_of(nest: str, theme: Theme) -> float:
    """How far in a part nested like this begins, in pixels."""
    return sum(list_step(theme) if sign == LIST else _QUOTE_INDENT for sign in nest)


def insert_run(cursor: QTextCursor, run: Run, heading: int, theme: Theme) -> None:
    """Write a run at the cursor: as many signs as `run.shown` has."""
    look = run_format(theme, run.style, heading, run.link)
    if run.is_formula:
        look = inline_format(look, run.text)
    cursor.insertText(run.shown, look)


@lru_cache(maxsize=256)
def run_format(
    theme: Theme, style: Style, heading: int = 0, link: str = "", *, muted: bool = False
) -> QTextCharFormat:
    """The look of a run. Not to be changed: it is kept."""
    size = theme.title if heading in (1, 2) else theme.body
    bold = bool(style & Style.BOLD) or heading > 0
    weight = QFont.Weight.DemiBold if bold else QFont.Weight.Normal
    italic = bool(style & Style.ITALIC)
    result = QTextCharFormat()
    if style & Style.CODE:
        result.setFont(theme.mono_font(size * 0.92, weight, italic=italic))
        result.setBackground(QColor(theme.hover))
    elif style & Style.NOTE:
        result.setFont(theme.text_font(size * _NOTE_SIZE, weight, italic=italic))
        result.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
    else:
        result.setFont(theme.text_font(size, weight, italic=italic))
    result.setForeground(QColor(theme.muted if muted or style & Style.NOTE else theme.text))
    if style & Style.STRIKE:
        result.setFontStrikeOut(True)
    if link:
        result.setAnchor(True)
        result.setAnchorHref(link)
        result.setForeground(QColor(theme.accent))
        result.setFontUnderline(True)
    return result
