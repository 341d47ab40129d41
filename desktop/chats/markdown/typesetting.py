"""LaTeX formulas to outlines: plain numbers, for a view to paint at any size.

The typesetter (mathra, which carries its own typeface) is loaded with the first formula.
What it cannot set in full is not set at all: the reader then sees the source. Nothing of a
formula but shapes leaves this module, so that no formula can name a file or an address.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from mathra import Result

MAX_SOURCE: Final = 2_000  # characters; a longer one is shown as its source
MAX_OUTLINE: Final = 400_000  # characters of outlines that one formula may take
UNITS: Final = 1_000.0  # to the em
_KEPT: Final = 512
_NO_GLYPH: Final = "E-REC-8"
_DROP: Final = 0.12  # ems that a word reaches below its baseline, and its height
_HEIGHT: Final = 0.9
# Scripts other than Latin, Greek and Cyrillic, and emoji.
_SIGNS: Final = (
    "[\u0530-\u1cff\u2e80-\ua4ff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufb1d-\ufdff"
    "\ufe30-\ufeff\uff00-\uffef\U0001f000-\U0001faff\U00020000-\U0003ffff]+"
)
_FOREIGN: Final = re.compile(rf"{_SIGNS}(?: {_SIGNS})*")
_TEXT: Final = re.compile(
    r"\\(text(?:rm|bf|it|sf|tt|normal)?|mathrm|mbox|operatorname)\{([^{}]*)\}"
)

_DELIMITERS: Final = (("$$", "$$"), (r"\[", r"\]"), (r"\(", r"\)"), ("$", "$"))
_MACROS: Final = re.compile(r"\\(?:[gex]?def|let|(?:re)?newcommand|csname|loop)(?![a-zA-Z])")
_ELEMENT = re.compile(r"<(path|use|rect|line) ([^<>]*?)/>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}|[a-zA-Z]+")


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline in the path language of SVG (absolute M, L, C, Z), y upwards.

    `d` is to be scaled by `scale`, then moved by `x` and `y`. `colour`: a name or
    "#rrggbb" where the formula asks for one, else empty: the text's.
    """

    d: str
    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line of a width, y upwards."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Text in a script that the typeface of formulas lacks, for the view's own faces.

    Its baseline begins at `x` and `y`; it is to fill `width`, `size` to the em.
    """

    text: str
    x: float
    y: float
    width: float
    size: float
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A formula, set. All sizes in thousandths of the font's size.

    The origin is the left end of the baseline; `ascent` reaches above it, `depth` below.
    """

    width: float
    ascent: float
    depth: float
    shapes: tuple[Shape | Stroke | Words, ...]


def body_of(source: str) -> tuple[str, bool]:
    """A formula without its delimiters, and whether it is a displayed one."""
    for opener, closer in _DELIMITERS:
        tail = source.rstrip(".,;:") if opener != "$" else source
        if source.startswith(opener) and tail.endswith(closer) and len(tail) > len(opener):
            body = tail[len(opener) : -len(closer)]
            return body.strip() + source[len(tail) :], opener in ("$$", r"\[")
    return source.strip(), True


@lru_cache(maxsize=_KEPT)
def typeset(source: str) -> Drawing | None:
    """Set a formula, given with its delimiters. None where that cannot be done in full."""
    body, display = body_of(source)
    if not body or len(body) > MAX_SOURCE or _MACROS.search(body):
        return None
    result = _render(body, display)
    if result is None:
        return None
    words: list[str] = []
    if {warning["rule"] for warning in result["warnings"]} == {_NO_GLYPH}:
        # Signs that its typeface lacks: leave room for them.
        result = _render(_with_room(body, words), display)
    if result is None or result["warnings"]:
        return None
    return _read(result["svg"], words)


def _render(body: str, display: bool) -> Result | None:
    try:
        import mathra

        return mathra.render(body, display=display)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of its native part is no Exception
        return None


def _with_room(body: str, words: list[str]) -> str:
    """`body` with a rule of its own colour in place of each word, which go to `words`."""

    def rule(match: re.Match[str]) -> str:
        words.append(match.group())
        width = _width(match.group())
        return (
            rf"\textcolor{{{_mark(len(words) - 1)}}}"
            rf"{{\rule[-{_DROP}em]{{{width}em}}{{{_HEIGHT}em}}}}"
        )

    def text(match: re.Match[str]) -> str:
        command, content = match.groups()
        pieces = _FOREIGN.split(content)
        rules = [rule(found) for found in _FOREIGN.finditer(content)]
        result = ""
        for piece, room in zip(pieces, [*rules, ""], strict=True):
            result += (rf"\{command}{{{piece}}}" if piece else "") + room
        return f"{{{result}}}"

    return _FOREIGN.sub(lambda match: f"{{{rule(match)}}}", _TEXT.sub(text, body))


def _width(text: str) -> float:
    """About how wide a word is, in ems."""
    return round(sum(1.0 if east_asian_width(sign) in "WF" else 0.55 for sign in text), 2)


def _mark(index: int) -> str:
    return f"#fd{index:04x}"


def _read(svg: str, words: list[str]) -> Drawing | None:
    """The typesetter's picture as numbers. None where it is too large or holds nothing."""
    body = svg.partition("</metadata>")[2]
    box = re.search(r'viewBox="([^"]*)"', svg)
    if box is None or len(body) > MAX_OUTLINE:
        return None
    left, top, width, height = map(float, _NUMBER.findall(box.group(1)))
    glyphs: dict[str, str] = {}
    shapes: list[Shape | Stroke | Words] = []
    marks = {_mark(index): word for index, word in enumerate(words)}
    for element in _ELEMENT.finditer(body):
        values = dict(_ATTRIBUTE.findall(element.group(2)))
        word = marks.get(values.get("fill", ""))
        shape = _words(word, values) if word else _shape(element.group(1), values, glyphs)
        if shape is not None:
            shapes.append(shape)
    if not shapes or left != 0:
        return None
    return Drawing(width, -top, height + top, tuple(shapes))


def _shape(kind: str, values: dict[str, str], glyphs: dict[str, str]) -> Shape | Stroke | None:
    colour = values.get("fill", values.get("stroke", ""))
    if colour in ("currentColor", "none") or not _COLOUR.fullmatch(colour):
        colour = ""
    if kind == "path":
        glyphs[values.get("id", "")] = values.get("d", "")
        return None if "id" in values else Shape(values.get("d", ""), colour=colour)
    if kind == "use":
        place = [float(number) for number in _NUMBER.findall(values.get("transform", ""))]
        x, y, scale = [*place, *(0.0, 0.0, 1.0)[len(place) :]][:3]
        x, y = x + _number(values, "x"), y + _number(values, "y")
        return Shape(glyphs.get(values["href"].removeprefix("#"), ""), x, y, scale, colour)
    if kind == "rect":
        x, y = _number(values, "x"), _number(values, "y")
        right, top = x + _number(values, "width"), y + _number(values, "height")
        d = f"M{x} {y} L{right} {y} L{right} {top} L{x} {top} Z"
        return Shape(d, colour=colour)
    x1, y1, x2, y2 = (_number(values, name) for name in ("x1", "y1", "x2", "y2"))
    return Stroke(x1, y1, x2, y2, _number(values, "stroke-width"), colour)


def _words(word: str, values: dict[str, str]) -> Words:
    size = _number(values, "height") / _HEIGHT
    y = _number(values, "y") + _DROP * size
    return Words(word, _number(values, "x"), y, _number(values, "width"), size)


def _number(values: dict[str, str], name: str) -> float:
    return float(values.get(name) or 0)
