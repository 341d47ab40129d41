"""A model's card made readable: the HTML that authors put in is taken out, or put into words.

The cards are Markdown by anybody. They are shown by the renderer of the chats, which fetches
nothing and shows HTML as it is written; cards are full of it (centred pictures, badges, tables of
links), and would be hard to read. So tags go, what they say stays: a link as a link, a picture as
its description in brackets. Code is left as it is. What the result says is still plain Markdown:
nothing here makes it any safer or less safe.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Final

LONGEST: Final = 256 * 1024  # characters
# Cards of people have some hundreds. One with more is made to keep us busy, and read more simply.
LEAST_WORDS: Final = 5  # of a picture's description that is worth its room
MOST_TAGS: Final = 3_000
_ANY_TAG: Final = re.compile(r"<[^<>\n]{0,300}>")
_MARK: Final = "\ue000"  # of private use: stands for code while the rest is read
_CODE: Final = re.compile(r"`[^`\n]{1,2000}`")
_KEPT: Final = re.compile(f"{_MARK}(\\d{{1,9}}){_MARK}")
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DROPPED: Final = re.compile(
    r"<(script|style|svg|iframe|video|audio|object|head)\b.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LINK: Final = re.compile(
    r"<a\b[^<>]{0,2000}?\bhref\s*=\s*(?:\"([^\"<>]{0,2000})\"|'([^'<>]{0,2000})')[^<>]{0,2000}>"
    r"(.{0,4000}?)</a\s*>",
    re.DOTALL | re.IGNORECASE,
)
_IMAGE: Final = re.compile(r"<img\b([^<>]{0,4000})>", re.IGNORECASE)
_ALT: Final = re.compile(r"\balt\s*=\s*(?:\"([^\"<>]{0,300})\"|'([^'<>]{0,300})')", re.IGNORECASE)
_BREAK: Final = re.compile(r"<(?:br|hr)\s*/?>", re.IGNORECASE)
_HEADING: Final = re.compile(
    r"<h([1-6])\b[^<>]{0,400}>(.{0,2000}?)</h\1\s*>", re.DOTALL | re.IGNORECASE
)
_ITEM: Final = re.compile(r"<li\b[^<>]{0,400}>", re.IGNORECASE)
_STRONG: Final = re.compile(r"</?(?:b|strong)\s*>", re.IGNORECASE)
_BLOCK: Final = re.compile(
    r"</?(?:p|div|center|table|thead|tbody|tr|ul|ol|section|details|summary|blockquote|pre)\b"
    r"[^<>]{0,1000}>",
    re.IGNORECASE,
)
_CELL: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_TAG: Final = re.compile(
    r"</?(?:a|abbr|cite|code|col|colgroup|em|figcaption|figure|font|i|kbd|li|mark|picture|small|"
    r"source|span|strike|sub|sup|td|th|tt|u)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_PICTURE: Final = re.compile(r"!\[([^\[\]]{0,500})\]\([^()\s]{0,4000}(?:\s+\"[^\"]{0,500}\")?\)")
# Lines that do not go on the one before them: headings, items, quotations, tables, rules, code.
_BEGIN: Final = re.compile(
    r" {0,3}(?:[-*+](?:\s|$)|\d{1,9}[.)]\s|#{1,6}(?:\s|$)|>|\||=+\s*$|-+\s*$|\$\$|\[[^\]]{1,99}\]:)"
    r"|\s+(?:[-*+]|\d{1,9}[.)])\s| {4}|\t"
)
_ITEM_LINE: Final = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
# Of a line without blanks at its beginning: two runs of them side by side take time squared.
_TABLE: Final = re.compile(r"(?:\|\s*)?:?-{2,}:?\s*\|")
_EMPTY_LINK: Final = re.compile(r"\[\s*\]\([^()]{0,4000}\)")
_BLANKS: Final = re.compile(r"\n{3,}")


def readable(card: str) -> str:
    """`card` without HTML and pictures; code and everything else as it was."""
    pieces: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in card[:LONGEST].replace("\r\n", "\n").splitlines():
        mark = _FENCE.match(line)
        if fence:
            pieces.append(line)
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if mark:
            pieces.append(_prose("\n".join(prose)))
            prose = []
            fence = mark[1]
            pieces.append(line)
            continue
        prose.append(line)
    pieces.append(_prose("\n".join(prose)))
    return _BLANKS.sub("\n\n", "\n".join(pieces)).strip()


def _prose(text: str) -> str:
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"{_MARK}{len(kept) - 1}{_MARK}"

    text = _joined(_without_html(_CODE.sub(keep, text.replace(_MARK, ""))))
    return _KEPT.sub(lambda found: kept[int(found[1])], text)


def _without_html(text: str) -> str:
    if 0 < text.count("![") <= MOST_TAGS:
        text = _PICTURE.sub(lambda found: _described(found[1]), text)
        text = _EMPTY_LINK.sub("", text)
    if "<" not in text:
        return text
    if text.count("<") > MOST_TAGS:
        return _ANY_TAG.sub("", _COMMENT.sub("", text))
    text = _COMMENT.sub("", text)
    text = _DROPPED.sub("", text)
    text = _IMAGE.sub(_picture, text)
    text = _LINK.sub(_link, text)
    text = _HEADING.sub(lambda found: f"\n\n{'#' * int(found[1])} {_line(found[2])}\n\n", text)
    text = _BREAK.sub("\n\n", text)
    text = _ITEM.sub("\n- ", text)
    text = _STRONG.sub("**", text)
    text = _CELL.sub(" ", text)
    text = _BLOCK.sub("\n\n", text)
    text = _TAG.sub("", text)
    # What was indented within tags would be code now.
    return "\n".join(
        line.strip() if line.startswith((" ", "\t")) and _was_html(line) else line
        for line in text.split("\n")
    )


def _joined(text: str) -> str:
    """Paragraphs on one line each: in a chat each line stands for itself, in a card it does not."""
    lines: list[str] = []
    takes = is_table = False  # whether the last line goes on; whether it is of a table
    for line in text.split("\n"):
        begins = _BEGIN.match(line) is not None
        is_table = bool(line.strip()) and (is_table or _TABLE.match(line.lstrip()) is not None)
        if takes and line.strip() and not begins and not is_table:
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line)
        ends = line.endswith(("  ", "\\")) or is_table or not line.strip()
        takes = not ends and (not begins or _ITEM_LINE.match(line) is not None)
    return "\n".join(lines)


def _was_html(line: str) -> bool:
    """Whether an indented line is no list and no code, as far as one can tell."""
    return not re.match(r"\s*(?:[-*+]|\d{1,9}[.)])\s", line) and not line.startswith(("    ", "\t"))


def _line(text: str) -> str:
    return " ".join(_TAG.sub("", _BLOCK.sub(" ", _STRONG.sub("", text))).split())


def _link(found: re.Match[str]) -> str:
    address = unescape(found[1] or found[2] or "").strip()
    words = _line(found[3])
    if not words:
        return ""
    if not address.lower().startswith(("http://", "https://")) or re.search(r"[\s()<>]", address):
        return words
    return f"[{words.replace('[', '(').replace(']', ')')}]({address})"


def _picture(found: re.Match[str]) -> str:
    alt = _ALT.search(found[1])
    return _described(unescape((alt[1] or alt[2] or "") if alt else ""))


def _described(words: str) -> str:
    """A picture that is not shown, by its description. Of a badge or a logo nothing is said."""
    words = " ".join(words.split())
    return f"({words})" if words.count(" ") >= LEAST_WORDS - 1 and len(words) < 200 else ""
