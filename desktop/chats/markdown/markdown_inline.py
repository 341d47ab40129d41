"""From markdown-it's inline tokens to runs: styled text, harmless.

Nothing here ever yields markup: HTML, images and foreign schemes become visible text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from desktop.chats.markdown.direction import isolate, without_steering
from desktop.chats.markdown.markdown_parts import LINE_BREAK, Run, Runs, Style
from desktop.chats.markdown.typesetting import typeset

if TYPE_CHECKING:
    from markdown_it.token import Token

_ADDRESS = re.compile(r"https?://[^\s<>\"`\u2028]+")
_STYLES: Final = {
    "strong_open": Style.BOLD,
    "em_open": Style.ITALIC,
    "s_open": Style.STRIKE,
}
_CLOSES: Final = {"strong_close": Style.BOLD, "em_close": Style.ITALIC, "s_close": Style.STRIKE}


def read_inline(tokens: Sequence[Token]) -> Runs:
    """Flatten inline tokens into runs."""
    runs: list[Run] = []
    style = Style.PLAIN
    link = ""
    link_start = 0
    target = ""
    for token in tokens:
        kind = token.type
        if kind == "text" or kind == "text_special":
            runs.append(Run(token.content, style, link))
        elif kind == "code_inline":
            runs.append(Run(token.content, style | Style.CODE, link))
        elif kind == "math_inline":
            look = Style.MATHS if typeset(token.content) else Style.CODE
            runs.append(Run(token.content, style | look, link))
        elif kind == "note_reference":
            runs.append(Run(token.content, style | Style.NOTE, link))
        elif kind in ("softbreak", "hardbreak"):
            runs.append(Run(LINE_BREAK, style, link))
        elif kind in _STYLES:
            style |= _STYLES[kind]
        elif kind in _CLOSES:
            style &= ~_CLOSES[kind]
        elif kind == "link_open":
            target = str(token.attrGet("href") or "")
            link = target if is_web_address(target) else ""
            link_start = len(runs)
        elif kind == "link_close":
            # Where it leads must not be hidden by signs that turn the text around.
            shown = "".join(run.text for run in runs[link_start:])
            if shown != without_steering(shown):
                runs[link_start:] = [
                    Run(without_steering(run.text), run.style, run.link)
                    for run in runs[link_start:]
                ]
                shown = without_steering(shown)
            if link and not shown.strip():
                runs.append(Run(link, style, link))
            elif not link and target not in (shown, f"mailto:{shown}"):
                runs.append(Run(f" ({target})", style))
            link = target = ""
        elif kind == "image":
            alt = "".join(run.text for run in read_inline(token.children or ()))
            source = str(token.attrGet("src") or "")
            runs.append(Run(f"{alt} ({source})" if alt else f"({source})", style | Style.ITALIC))
        elif token.content:
            runs.append(Run(token.content, style, link))
    return isolate(_merge(_with_addresses(runs)))


def is_web_address(address: str) -> bool:
    """Whether a link may be followed at all (after asking)."""
    return address.lower().startswith(("http://", "https://"))


def _with_addresses(runs: list[Run]) -> list[Run]:
    """Make links of bare web addresses in plain text."""
    result: list[Run] = []
    for run in runs:
        if "://" not in run.text or run.link or run.style & (Style.CODE | Style.MATHS):
            result.append(run)
            continue
        place = 0
        for match in _ADDRESS.finditer(run.text):
            address = match.group().rstrip(".,;:!?'*_~")
            while address.endswith(")") and address.count(")") > address.count("("):
                address = address[:-1].rstrip(".,;:!?'*_~")
            end = match.start() + len(address)
            result.append(Run(run.text[place : match.start()], run.style))
            result.append(Run(address, run.style, address))
            place = end
        result.append(Run(run.text[place:], run.style))
    return result


def _merge(runs: list[Run]) -> Runs:
    """Join neighbours of one look, drop empty ones."""
    result: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        last = result[-1] if result else None
        alike = last is not None and last.style == run.style and last.link == run.link
        if last is not None and alike and not run.is_formula:
            result[-1] = Run(last.text + run.text, run.style, run.link)
        else:
            result.append(run)
    return tuple(result)
