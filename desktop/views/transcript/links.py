"""Where the links of a document stand."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextDocument


@dataclass(frozen=True, slots=True)
class Link:
    """A link's address, and the positions between which its text stands."""

    start: int
    end: int
    address: str


def links_in(document: QTextDocument) -> list[Link]:
    """All links, in reading order; one whose text has several looks is one."""
    result: list[Link] = []
    block = document.begin()
    while block.isValid():
        place = block.begin()
        while not place.atEnd():
            fragment = place.fragment()
            look = fragment.charFormat()
            if look.isAnchor():
                start = fragment.position()
                end, address = start + fragment.length(), look.anchorHref()
                if result and result[-1].end == start and result[-1].address == address:
                    start = result.pop().start
                result.append(Link(start, end, address))
            place += 1
        block = block.next()
    return result


def rects_of(document: QTextDocument, link: Link) -> list[QRectF]:
    """The boxes that a link's text takes, line by line, in the document's pixels."""
    result: list[QRectF] = []
    block = document.findBlock(link.start)
    origin = document.documentLayout().blockBoundingRect(block).topLeft()
    layout = block.layout()
    begin, end = link.start - block.position(), link.end - block.position()
    for index in range(layout.lineCount()):
        line = layout.lineAt(index)
        first = max(begin, line.textStart())
        last = min(end, line.textStart() + line.textLength())
        if first < last:
            # The second value is the position that it took, which is of no use here.
            left, right = _x(line.cursorToX(first)), _x(line.cursorToX(last))
            box = QRectF(min(left, right), line.y(), abs(right - left), line.height())
            result.append(box.translated(origin))
    return result


def _x(value: object) -> float:
    return float(value[0]) if isinstance(value, tuple) else float(value)  # type: ignore[arg-type]
