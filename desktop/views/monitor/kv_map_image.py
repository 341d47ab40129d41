"""The KV map as an image of indexed colours, one cell a block; only what changed is drawn anew.

Each pixel is a number; what colour it stands for is in the image's table. So another theme, or
one chat brought forward, costs a table, and a block that changes hands costs its few pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage

from desktop import theme
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, NOBODY, SHARED, KvPicture

SLOTS: Final = 80  # chats of a colour index of their own; beyond them they come round again
LEAST_CELL: Final = 2  # device-independent pixels, the gap included
MOST_CELL: Final = 14
COMFORTABLE: Final = 360  # height that a map takes to have larger cells
TALLEST: Final = 800  # and to have a cell for each block
GROUND: Final = "sidebar"  # the colour between the cells: the panel's
TINT: Final = 0.38  # of the last holder's colour, in a block that is only cached
_BEHIND: Final = 0.22  # of the colours of those that another stands before
_GAP_FROM: Final = 4
_OUTLINE_FROM: Final = 5

# Codes of cells. The busier of two has the greater one, which is what a group of blocks shows.
_BASES: Final = {FREE: 0, CACHED: 1, HELD: SLOTS + 2, SHARED: 2 * SLOTS + 3}
_KINDS: Final = bytes(_BASES.get(kind, 0) for kind in range(256))
# Pixels; from `_FIRST` on three for each slot: its colour, its tint, the ink of its stripes.
_GROUND, _EMPTY, _FIRST = 0, 1, 2


def slot_of(number: int) -> int:
    """A colour index of an owner's number; 0 is nobody's."""
    return (number - 1) % SLOTS + 1 if number else 0


def codes_of(picture: KvPicture, forward: int = NOBODY) -> bytes:
    """A code for each block. 10,000 blocks take 0.5 ms.

    Args:
        forward: the number of an owner whose shared blocks are to be his, whoever else's they are.
    """
    slots = [slot_of(number) for number in range(max(picture.owners, default=0) + 1)]
    whose = bytes(map(slots.__getitem__, picture.owners))
    kinds = picture.kinds.translate(_KINDS)
    # Added as two long numbers: no sum is over 255, so none runs into the next.
    total = int.from_bytes(kinds, "little") + int.from_bytes(whose, "little")
    codes = total.to_bytes(len(kinds), "little")
    owner = next((one for one in picture.holders if one.number == forward), None)
    if owner is None or not owner.shared:
        return codes
    his = bytearray(codes)
    for block in owner.blocks:
        if picture.kinds[block] == SHARED:
            his[block] = _BASES[SHARED] + slot_of(forward)
    return bytes(his)


@dataclass(frozen=True, slots=True)
class KvLayout:
    """Where the cells are, in pixels of the device.

    Attributes:
        blocks: of the pool. group: how many of them a cell stands for.
        cell: its edge with the gap after it.
    """

    blocks: int
    group: int
    columns: int
    rows: int
    cell: int
    gap: int

    @property
    def cells(self) -> int:
        """How many there are; the last row may not be full."""
        return -(-self.blocks // self.group)

    @property
    def width(self) -> int:
        """Pixels."""
        return self.columns * self.cell

    @property
    def height(self) -> int:
        """Pixels."""
        return self.rows * self.cell

    def cell_at(self, at: QPoint) -> int | None:
        """The cell at a place; None: there is none."""
        column, row = at.x() // self.cell, at.y() // self.cell
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        cell = row * self.columns + column
        return cell if cell < self.cells else None

    def rect(self, cell: int) -> QRect:
        """Where a cell is, without the gap."""
        row, column = divmod(cell, self.columns)
        edge = self.cell - self.gap
        return QRect(column * self.cell, row * self.cell, edge, edge)

    def blocks_of(self, cell: int) -> range:
        """What a cell stands for."""
        return range(cell * self.group, min((cell + 1) * self.group, self.blocks))


def layout_for(blocks: int, width: float, scale: float = 1.0) -> KvLayout:
    """The largest cells for which a width leaves the map a height that can be looked at.

    Args:
        width: device-independent pixels. scale: pixels of the device for one of them.
    """
    room = max(1, int(width * scale))
    least, most = ceil(LEAST_CELL * scale), round(MOST_CELL * scale)
    for cell in range(most, least, -1):
        columns = max(1, room // cell)
        if -(-blocks // columns) * cell <= COMFORTABLE * scale:
            return _layout(blocks, 1, columns, cell, scale)
    columns = max(1, room // least)
    group = max(1, -(-blocks // (columns * int(TALLEST * scale / least))))
    return _layout(blocks, group, columns, least, scale)


def _layout(blocks: int, group: int, columns: int, cell: int, scale: float) -> KvLayout:
    cells = -(-blocks // group)
    columns = max(1, min(columns, cells))
    gap = max(1, round(scale)) if cell >= _GAP_FROM * scale else 0
    return KvLayout(blocks, group, columns, -(-cells // columns), cell, gap)


class KvImage:
    """See the module.

    Attributes:
        image: to be painted; its pixels are the device's.
    """

    def __init__(self, layout: KvLayout, scale: float = 1.0) -> None:
        self.layout = layout
        self.image = QImage(
            max(1, layout.width), max(1, layout.height), QImage.Format.Format_Indexed8
        )
        self.image.setColorTable([0])
        self.image.fill(_GROUND)
        self.image.setDevicePixelRatio(scale)
        self._line = self.image.bytesPerLine()
        self._codes = b""
        self._patterns = _Patterns(layout.cell, layout.gap, max(1, round(scale)))

    def show_codes(self, codes: bytes) -> list[QRect]:
        """Draw what changed.

        Args:
            codes: one for each block, see `codes_of`.

        Returns:
            where something changed, in the image's pixels: at most one place for each row.
        """
        layout = self.layout
        if layout.group > 1:
            parts = [codes[at :: layout.group] for at in range(layout.group)]
            parts = [part.ljust(layout.cells, b"\0") for part in parts]
            codes = bytes(map(max, *parts))
        before, self._codes = self._codes, codes
        if codes == before:
            return []
        pixels = self.image.bits()
        assert isinstance(pixels, memoryview)
        places = []
        for row, start in enumerate(range(0, len(codes), layout.columns)):
            now, old = (one[start : start + layout.columns] for one in (codes, before))
            if now == old:
                continue
            if len(old) == len(now):
                changed = [at for at, (a, b) in enumerate(zip(now, old, strict=True)) if a != b]
            else:
                changed = list(range(len(now)))
            if len(changed) > len(now) // 3:
                self._draw_row(pixels, row, now)
            else:
                self._draw_cells(pixels, row, now, changed)
            places.append(
                QRect(
                    changed[0] * layout.cell,
                    row * layout.cell,
                    (changed[-1] - changed[0] + 1) * layout.cell,
                    layout.cell,
                )
            )
        return places

    def _draw_cells(self, pixels: memoryview, row: int, codes: bytes, columns: list[int]) -> None:
        cell, line = self.layout.cell, self._line
        for column in columns:
            at = row * cell * line + column * cell
            for part in self._patterns.of(codes[column]):
                pixels[at : at + cell] = part
                at += line

    def _draw_row(self, pixels: memoryview, row: int, codes: bytes) -> None:
        cell, line = self.layout.cell, self._line
        patterns = [self._patterns.of(code) for code in codes]
        length = len(codes) * cell
        at = row * cell * line
        for parts in zip(*patterns, strict=True):
            pixels[at : at + length] = b"".join(parts)
            at += line

    def show_colours(self, look: theme.Theme, forward: int = NOBODY) -> None:
        """Colour it.

        Args:
            forward: the number of the one whose blocks are to stand out; NOBODY: all are alike.
        """
        ground = look.colour(GROUND)
        ink = look.colour("text")
        table = [theme.pixel(ground), theme.pixel(look.colour("pressed"))]
        for slot in range(SLOTS + 1):
            full = look.chat_colour(slot)
            colours = [full, mixed(full, ground, TINT), ink]
            if forward and slot != slot_of(forward):
                colours = [mixed(one, ground, _BEHIND) for one in colours]
            table += [theme.pixel(one) for one in colours]
        self.image.setColorTable(table)


def mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    """A colour thinned by its ground."""

    def part(one: float, other: float) -> float:
        return one * share + other * (1 - share)

    return QColor.fromRgbF(
        part(colour.redF(), ground.redF()),
        part(colour.greenF(), ground.greenF()),
        part(colour.blueF(), ground.blueF()),
    )


class _Patterns:
    """The pixels of a cell of each code, line by line; made when first asked for."""

    def __init__(self, cell: int, gap: int, thick: int) -> None:
        self._cell, self._edge, self._thick = cell, cell - gap, thick
        self._made: dict[int, tuple[bytes, ...]] = {}

    def of(self, code: int) -> tuple[bytes, ...]:
        """The lines of a cell, its gap included."""
        made = self._made.get(code)
        if made is None:
            made = self._made[code] = tuple(self._lines(code))
        return made

    def _lines(self, code: int) -> Iterator[bytes]:
        for y in range(self._cell):
            yield bytes(
                self._pixel(code, x, y) if x < self._edge and y < self._edge else _GROUND
                for x in range(self._cell)
            )

    def _pixel(self, code: int, x: int, y: int) -> int:
        if code == 0:
            return _EMPTY
        kind = max((one for one in _BASES if code >= _BASES[one]), key=_BASES.__getitem__)
        full = _FIRST + 3 * (code - _BASES[kind])
        thick, edge = self._thick, self._edge
        if kind == CACHED:
            rim = min(x, y, edge - 1 - x, edge - 1 - y) < thick
            return full if rim and edge >= _OUTLINE_FROM * thick else full + 1
        if kind == SHARED:
            step = 2 if edge < 3 * thick else 3 if edge < 5 * thick else 4
            return full + 2 if (x // thick + y // thick) % step == step - 1 else full
        return full


def cell_image(kind: int, number: int, edge: int, scale: float, look: theme.Theme) -> QImage:
    """One cell as the map has it, for keys.

    Args:
        kind: of `kv_books`. number: of the owner; NOBODY has a colour of his own.
        edge: pixels of the device.
    """
    made = KvImage(KvLayout(1, 1, 1, 1, edge, 0), scale)
    made.show_codes(bytes([0 if kind == FREE else _BASES[kind] + slot_of(number)]))
    made.show_colours(look)
    return made.image
