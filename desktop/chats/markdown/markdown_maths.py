"""Where a text holds formulas: rules for the parser, and the tests by which `$` is a price.

A displayed formula holds no blank line and is at most `MAX_FORMULA` long: so an unclosed
one reaches no further than its paragraph, and a text that grows changes only its end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

MAX_FORMULA: Final = 4_000  # characters, delimiters included
_GLANCE: Final = 200  # of these it is told whether an unclosed formula is one
_MAX_INLINE: Final = 1_000  # between single dollars

_ENVIRONMENTS: Final = (
    r"(?:equation|align|aligned|alignat|alignedat|flalign|gather|gathered|multline|eqnarray"
    r"|split|cases|dcases|rcases|array|matrix|[bBpvV]matrix|smallmatrix|displaymath|math|CD"
    r"|tikzcd|subarray)\*?"
)
_ENVIRONMENT = re.compile(rf"\\begin\{{({_ENVIRONMENTS})\}}")
_OPENER = re.compile(rf"\$\$|\\\[|\\begin\{{{_ENVIRONMENTS}\}}")
_OPENER_LINE = re.compile(rf"^ {{0,3}}(?:\$\$|\\\[|\\begin\{{{_ENVIRONMENTS}\}})", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_MATHY = re.compile(r"[\\^_={}<>+|]")
_WORDS = re.compile(r"(?<![\w\\])[^\W\d_]{2,}(?![\w(])")
_END = ".,;:"  # may follow a displayed formula on its line


def add_maths(parser: MarkdownIt) -> None:
    """Teach a parser formulas: tokens `math_block` and `math_inline`, content as written."""
    alternatives: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math_block", _block, alternatives)
    parser.inline.ruler.before("escape", "math_inline", _inline)


def unsettled(region: str) -> int:
    """Where the text's end may yet turn into a displayed formula; its length if nowhere."""
    start = max(0, len(region) - MAX_FORMULA - 8)
    if region.find("$$", start) < 0 and region.find("\\", start) < 0:
        return len(region)
    for blank in _BLANK_LINE.finditer(region, start):
        # The second line's end may belong to the next blank line: it begins there too.
        start = blank.end()
    opener = _OPENER_LINE.search(region, start)
    return opener.start() if opener else len(region)


def _closer(opener: str) -> str:
    if opener == "$$":
        return "$$"
    return r"\]" if opener == r"\[" else opener.replace(r"\begin", r"\end", 1)


def _block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A displayed formula that takes whole lines."""
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith(("$$", "\\"), begin):
        return False
    match = _OPENER.match(state.src, begin, state.eMarks[start_line])
    if match is None or state.is_code_block(start_line):
        return False
    closer = _closer(match.group())
    if not _closes_soon(state, closer, match.end(), begin + MAX_FORMULA):
        return False
    line, place = start_line, match.end()
    while True:
        end = state.eMarks[line]
        found = state.src.find(closer, place, end)
        if found >= 0:
            break
        line += 1
        if line >= end_line or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return False
        place = state.bMarks[line] + state.tShift[line]
        if place - begin > MAX_FORMULA:
            return False
    tail = state.src[found + len(closer) : end].strip()
    if tail.strip(_END) or end - begin > MAX_FORMULA:
        return False  # more text on its line: then it is part of a paragraph
    lines = [
        state.src[state.bMarks[n] + state.tShift[n] : state.eMarks[n]]
        for n in range(start_line, line + 1)
    ]
    content = "\n".join(lines).rstrip()
    body = content[len(match.group()) :].removesuffix(tail).removesuffix(closer)
    if not body.strip() or (len(lines) == 1 and closer == "$$" and not _is_formula(body)):
        return False
    if silent:
        return True
    state.line = line + 1
    token = state.push("math_block", "math", 0)
    token.content = content
    token.map = [start_line, state.line]
    return True


def _closes_soon(state: StateBlock, closer: str, start: int, limit: int) -> bool:
    """Whether the closer stands between two places; the text is searched but once for it."""
    known: dict[str, tuple[int, int]] = state.env.setdefault("closers", {})
    since, found = known.get(closer, (0, -1))
    if not since <= start <= found:
        found = state.src.find(closer, start)
        found = len(state.src) if found < 0 else found
        known[closer] = (start, found)
    return found + len(closer) <= limit and found < len(state.src)


def _inline(state: StateInline, silent: bool) -> bool:
    sign = state.src[state.pos]
    if sign == "$":
        end = _end_of_dollars(state.src, state.pos, state.posMax)
    elif sign == "\\":
        end = _end_of_brackets(state.src, state.pos, state.posMax)
    else:
        return False
    if end == 0:
        return False
    if not silent:
        closed = end > 0
        token = state.push("math_inline" if closed else "text", "", 0)
        token.content = state.src[state.pos : end if closed else state.posMax]
    state.pos = end if end > 0 else state.posMax
    return True


def _end_of_brackets(text: str, start: int, limit: int) -> int:
    r"""Where a formula in \( \), \[ \] or an environment ends.

    0 where there is none; -1 where one begins that nothing has closed.
    """
    opener = text[start : start + 2]
    environment = None
    if opener == r"\(":
        closer = r"\)"
    elif opener == r"\[":
        closer = r"\]"
    else:
        environment = _ENVIRONMENT.match(text, start, limit)
        if environment is None:
            return 0
        opener = environment.group()
        closer = _closer(opener)
    inside = start + len(opener)
    found = text.find(closer, inside, min(limit, start + MAX_FORMULA))
    if found < 0:
        rest = text[inside : min(limit, inside + _GLANCE)]
        return -1 if environment or _is_formula_text(rest) else 0
    end = found + len(closer)
    if not text[inside:found].strip() or (closer == r"\]" and text[end : end + 1] in ("(", "[")):
        return 0  # escaped brackets, such as those in a link's text
    return end


def _end_of_dollars(text: str, start: int, limit: int) -> int:
    """Where a formula in dollars ends; 0 and -1 as above."""
    if text.startswith("$$", start):
        found = text.find("$$", start + 2, min(limit, start + MAX_FORMULA))
        if found < 0:
            rest = text[start + 2 : min(limit, start + _GLANCE)]
            return -1 if "\\" in rest and _is_formula_text(rest) else 0
        body = text[start + 2 : found]
        return found + 2 if body.strip() and _is_formula(body) else 0
    found = text.find("$", start + 1, min(limit, start + _MAX_INLINE))
    while found > 0 and text[found - 1] == "\\":
        found = text.find("$", found + 1, min(limit, start + _MAX_INLINE))
    if found < 0:
        return 0
    body = text[start + 1 : found]
    before, after = text[start - 1 : start], text[found + 1 : found + 2]
    if not body or body[0].isspace() or body[-1].isspace():
        return 0
    if before.isalnum() or before == "\\" or after.isalnum() or after == "$":
        return 0  # an amount, or a variable of the shell
    return found + 1 if "`" not in body and _is_formula(body) else 0


def _is_formula_text(text: str) -> bool:
    """Whether what follows an opener that nothing closes is the beginning of a formula."""
    return re.search(r"\\[a-zA-Z]|[\^_=]", text) is not None


def _is_formula(body: str) -> bool:
    """Whether what stands between dollars is maths rather than words."""
    return bool(_MATHY.search(body)) or not (" " in body and _WORDS.search(body))
