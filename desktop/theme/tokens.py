"""The design tokens: three palettes, the 8-pixel grid, three text sizes.

Colours are "#rrggbb" strings. Text on its ground keeps a contrast of at least 4.5:1
in the light and the dark palette, `faint` of at least 3:1 (it never carries text that
matters). The high-contrast palette keeps 7:1 for every text and 3:1 for every border.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtGui import QColor, QFont

TEXT_FAMILIES: Final = ["Inter", "Noto Sans", "DejaVu Sans"]
MONO_FAMILIES: Final = ["JetBrains Mono", "Noto Sans Mono", "DejaVu Sans Mono"]
MIN_FONT_SIZE: Final = 7
MAX_FONT_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class Spacing:
    """The grid, in device-independent pixels."""

    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741 - the grid's own name
    xl: int = 24
    xxl: int = 32


@dataclass(frozen=True, slots=True)
class Syntax:
    """Colours of highlighted code; everything else has the text's colour."""

    keyword: str
    string: str
    number: str
    comment: str
    name: str  # functions, classes, decorators, tags
    type: str  # built-ins, attributes, constants
    inserted: str
    deleted: str


@dataclass(frozen=True, slots=True)
class Theme:
    """All tokens of one look at one text size (points)."""

    name: str  # "light", "dark" or "contrast"
    ground: str  # the window
    sidebar: str
    page: str  # where one reads and writes
    raised: str  # menus, cards, code
    sunken: str  # a soft ground for what the user said, and for fields
    hover: str
    pressed: str
    line: str  # hairlines and the borders of controls
    mark: str  # border of what is hovered or chosen in a menu; `hover` where the ground tells
    thumb: str  # of scroll bars
    text: str
    muted: str
    faint: str  # placeholders, disabled
    accent: str  # ember; text and rules
    accent_hover: str
    on_accent: str
    accent_soft: str  # a chosen row
    selection: str
    danger: str
    danger_soft: str
    warning: str
    ok: str
    cool: str  # the KV cache; the second line of a plot
    syntax: Syntax
    # Of chats, in the maps and lists that tell many of them apart; see `chat_colour`.
    chats: tuple[str, ...]
    ring: int = 1  # width of the outline of what has the focus, in pixels
    space: Spacing = Spacing()
    radius: int = 8
    radius_small: int = 4
    body: float = 11.0  # points

    @property
    def is_dark(self) -> bool:
        """Whether light text stands on a dark ground."""
        return self.name != "light"

    @property
    def small(self) -> float:
        """Labels, footers and figures, in points."""
        return round(self.body * 0.86 * 2) / 2

    @property
    def title(self) -> float:
        """Headings, in points."""
        return round(self.body * 1.32 * 2) / 2

    @property
    def em(self) -> float:
        """The body's size in pixels of a screen of 96 dots an inch, for indents."""
        return self.body * 96 / 72

    def colour(self, role: str) -> QColor:
        """A token by its name, e.g. "muted".

        Raises:
            KeyError: there is no such colour.
        """
        value = getattr(self, role, None)
        if not isinstance(value, str) or not value.startswith("#"):
            raise KeyError(role)
        return QColor(value)

    def chat_colour(self, number: int) -> QColor:
        """The colour of a chat by its number from 1; they come round again. 0: of nobody's.

        They are told apart by eyes that lack one kind of cones, too, and keep 3:1 on `page`,
        `ground` and `sidebar`; but a colour never says by itself whose something is: the number
        stands by it.
        """
        return QColor(self.chats[(number - 1) % len(self.chats)] if number else self.faint)

    def chat_ink(self, number: int) -> QColor:
        """What can be read on `chat_colour`, with 4.5:1."""
        return QColor("#000000" if _luminance(self.chat_colour(number)) > _MIDDLE else "#ffffff")

    def text_font(
        self,
        size: float | None = None,
        weight: QFont.Weight = QFont.Weight.Normal,
        *,
        italic: bool = False,
    ) -> QFont:
        """The text face; `size` in points, the body's when not given."""
        return self._font(TEXT_FAMILIES, size or self.body, weight, italic)

    def figure_font(self, size: float | None = None) -> QFont:
        """The text face with digits of one width, so that changing figures do not jitter."""
        font = self._font(TEXT_FAMILIES, size or self.small, QFont.Weight.Normal, False)
        font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def mono_font(
        self,
        size: float | None = None,
        weight: QFont.Weight = QFont.Weight.Normal,
        *,
        italic: bool = False,
    ) -> QFont:
        """The face for code. Ligatures are off: `!=` shows the two signs that are there."""
        font = self._font(MONO_FAMILIES, size or self.body * 0.92, weight, italic)
        font.setFixedPitch(True)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFeature(QFont.Tag("calt"), 0)
        font.setFeature(QFont.Tag("liga"), 0)
        return font

    def _font(self, families: list[str], size: float, weight: QFont.Weight, italic: bool) -> QFont:
        font = QFont(families)
        font.setPointSizeF(size)
        font.setWeight(weight)
        font.setItalic(italic)
        return font

    def with_size(self, points: int) -> Theme:
        """The same look at another text size, kept within sensible bounds."""
        return replace(self, body=float(min(max(points, MIN_FONT_SIZE), MAX_FONT_SIZE)))


def pixel(colour: QColor) -> int:
    """A colour as an image's pixels and colour tables have it: 0xAARRGGBB."""
    return colour.rgba()


_MIDDLE: Final = 0.179  # the luminance at which black and white are equally far


def _luminance(colour: QColor) -> float:
    """As WCAG 2 has it: 0 is black, 1 is white."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


LIGHT: Final = Theme(
    name="light",
    ground="#f4f2ef",
    sidebar="#eeebe7",
    page="#fdfcfa",
    raised="#f6f4f0",
    sunken="#f5f2ed",
    hover="#e9e5df",
    pressed="#dfd9d1",
    line="#e2ddd5",
    mark="#e9e5df",
    thumb="#dfd9d1",
    text="#23211e",
    muted="#68635b",
    faint="#88827a",
    accent="#b0480e",
    accent_hover="#963b09",
    on_accent="#ffffff",
    accent_soft="#f6e4d5",
    selection="#f3cfae",
    danger="#b02a20",
    danger_soft="#fbeae7",
    warning="#855600",
    ok="#2d6a40",
    cool="#1f5f8b",
    syntax=Syntax(
        keyword="#9c3d0c",
        string="#3a6b35",
        number="#7a4a93",
        comment="#716b61",
        name="#1f5f8b",
        type="#7a5a0c",
        inserted="#2d6a40",
        deleted="#b02a20",
    ),
    chats=(
        "#2d57bb",
        "#c86700",
        "#30967a",
        "#903d73",
        "#9775d0",
        "#555603",
        "#562633",
        "#3c1885",
    ),
)

DARK: Final = Theme(
    name="dark",
    ground="#1a1917",
    sidebar="#161513",
    page="#1f1e1b",
    raised="#282623",
    sunken="#262421",
    hover="#302d29",
    pressed="#3a3732",
    line="#38352f",
    mark="#302d29",
    thumb="#3a3732",
    text="#e8e4dd",
    muted="#a59f95",
    faint="#7d776d",
    accent="#ee9656",
    accent_hover="#f6ab74",
    on_accent="#22130a",
    accent_soft="#3b2b1f",
    selection="#5d4029",
    danger="#f08a7e",
    danger_soft="#3b2421",
    warning="#dcb163",
    ok="#8cc49a",
    cool="#8fbede",
    syntax=Syntax(
        keyword="#ee9c62",
        string="#a3c48f",
        number="#c9a5dd",
        comment="#958e82",
        name="#8fbede",
        type="#dcc07f",
        inserted="#8cc49a",
        deleted="#f08a7e",
    ),
    chats=(
        "#5a80d4",
        "#ce972d",
        "#1bbc9d",
        "#b9a2fd",
        "#edd87a",
        "#aa4e81",
        "#7ae9f3",
        "#727900",
    ),
)

# For eyes that need it: no ground is told from another by its shade alone, every border can
# be seen, and the focus is a thick ring.
CONTRAST: Final = Theme(
    name="contrast",
    ground="#000000",
    sidebar="#000000",
    page="#000000",
    raised="#0f0f0f",
    sunken="#1a1a1a",
    hover="#2e2e2e",
    pressed="#3d3d3d",
    line="#a6a6a6",
    mark="#ffd54a",
    thumb="#c4c4c4",
    text="#ffffff",
    muted="#e6e6e6",
    faint="#c4c4c4",
    accent="#ffc27d",
    accent_hover="#ffd9ad",
    on_accent="#000000",
    accent_soft="#4a2a08",
    selection="#6b3d00",
    danger="#ffb0a8",
    danger_soft="#3d0f0a",
    warning="#ffd54a",
    ok="#9df0b4",
    cool="#a8d8ff",
    syntax=Syntax(
        keyword="#ffc27d",
        string="#b8f09a",
        number="#e3c2ff",
        comment="#d0d0d0",
        name="#a8d8ff",
        type="#ffe48a",
        inserted="#9df0b4",
        deleted="#ffb0a8",
    ),
    chats=(
        "#197df4",
        "#ff9800",
        "#54cea1",
        "#f4e955",
        "#bea1ff",
        "#dd4504",
        "#a9feff",
        "#9a6f99",
    ),
    ring=3,
)
