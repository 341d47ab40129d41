"""A chat as one HTML file: no script, nothing fetched, every text escaped.

What a model wrote goes through the program's own Markdown parts, never as HTML. A
content security policy in the file forbids all that the file does not need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from desktop.chats.chat import Message, Role
from desktop.chats.chat_tree import ChatTree
from desktop.chats.markdown import markdown_blocks
from desktop.chats.markdown.markdown_parts import (
    LINE_BREAK,
    QUOTE,
    Code,
    Formula,
    Paragraph,
    Part,
    Prose,
    Run,
    Style,
    Table,
)
from desktop.chats.transfer.html_page import Colours, page
from desktop.chats.transfer.labels import Labels, model_of, shown_path
from desktop.chats.transfer.times import day_and_minute

_TAGS = (
    (Style.BOLD, "strong"),
    (Style.ITALIC, "em"),
    (Style.STRIKE, "s"),
    (Style.CODE, "code"),
    (Style.NOTE, "sup"),
)
_ALIGNMENTS = frozenset({"left", "center", "right"})


def to_html(tree: ChatTree, labels: Labels, colours: Colours) -> str:
    """The branch that is shown, as a whole page."""
    messages = shown_path(tree)
    facts = [
        (labels.model, model_of(tree, messages)),
        (labels.date, day_and_minute(tree.created)),
    ]
    body = [f'<header><h1 dir="auto">{escape(tree.title)}</h1><p class="facts">']
    body += [
        f"<span>{escape(name)}: <bdi>{escape(value)}</bdi></span> "
        for name, value in facts
        if value
    ]
    body.append("</p></header>")
    if tree.system_prompt.strip():
        body.append(
            f"<details class=instructions><summary>{escape(labels.instructions)}</summary>"
            f'<pre class="text" dir="auto">{escape(tree.system_prompt)}</pre></details>'
        )
    for message in messages:
        body += _message(message, labels)
    return page(tree.title, "".join(body), colours, labels.language)


def to_index(entries: Sequence[tuple[str, str, str]], labels: Labels, colours: Colours) -> str:
    """A page that leads to the others. `entries`: file name, title, date."""
    from urllib.parse import quote

    body = [f"<header><h1>{escape(labels.chats)}</h1></header><ul class=index>"]
    body += [
        f'<li><a href="{escape(quote(name), quote=True)}" dir="auto">{escape(title)}</a> '
        f"<small>{escape(date)}</small></li>"
        for name, title, date in entries
    ]
    body.append("</ul>")
    return page(labels.chats, "".join(body), colours, labels.language)


def parts_html(parts: Iterable[Part]) -> str:
    """Parts of a message as HTML."""
    return "".join(piece for part in parts for piece in _part(part))


def _message(message: Message, labels: Labels) -> Iterator[str]:
    kind = "user" if message.role is Role.USER else "answer"
    yield f'<section class="{kind}"><h2><bdi>{escape(labels.speaker(message))}</bdi>'
    yield f"<small>{escape(day_and_minute(message.created))}</small></h2>"
    for attachment in message.attachments:
        name = labels.attached.format(name=attachment.name)
        yield f"<details><summary><bdi>{escape(name)}</bdi></summary>"
        yield f'<pre dir="ltr">{escape(attachment.content)}</pre></details>'
    if message.reasoning.strip():
        yield f"<details><summary>{escape(labels.reasoning)}</summary>"
        yield f"{_text(message.reasoning)}</details>"
    plain = message.role is Role.USER
    yield _text(message.content, plain=plain)
    if message.status.value in ("interrupted", "failed"):
        yield f"<p class=note>{escape(labels.unfinished)}</p>"
    yield "</section>"


def _text(text: str, *, plain: bool = False) -> str:
    blocks = markdown_blocks.plain(text) if plain else markdown_blocks.parse(text)
    return parts_html(part for block in blocks for part in block.parts)


def _part(part: Part) -> Iterator[str]:
    if isinstance(part, Prose):
        yield from _prose(part)
        return
    yield from map(_begin, part.nest)
    if isinstance(part, Code):
        yield _code(part)
    elif isinstance(part, Table):
        yield _table(part)
    elif isinstance(part, Formula):
        yield f'<p class="maths" dir="ltr">{escape(part.source)}</p>'
    else:
        yield "<hr>"
    yield from map(_end, reversed(part.nest))


def _prose(part: Prose) -> Iterator[str]:
    open_nest = ""
    for paragraph in part.paragraphs:
        shared = _shared(open_nest, paragraph.nest)
        yield from reversed([_end(sign) for sign in open_nest[shared:]])
        yield from (_begin(sign) for sign in paragraph.nest[shared:])
        open_nest = paragraph.nest
        yield _paragraph(paragraph)
    yield from reversed([_end(sign) for sign in open_nest])


def _paragraph(paragraph: Paragraph) -> str:
    inside = _runs(paragraph.runs)
    # Below the page's title and the speaker's name.
    tag = f"h{min(paragraph.heading + 2, 6)}" if paragraph.heading else "p"
    if paragraph.marker:
        marker = f'<span class="marker">{escape(paragraph.marker)}</span>'
        return f'<{tag} class="item" dir="auto">{marker}<span>{inside}</span></{tag}>'
    return f'<{tag} dir="auto">{inside}</{tag}>'


def _runs(runs: Sequence[Run]) -> str:
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    if run.style & Style.UNSEEN:  # each paragraph has a direction of its own here
        return ""
    text = escape(run.text).replace(LINE_BREAK, "<br>")
    if run.style & Style.MATHS:
        text = f'<span class="maths" dir="ltr">{text}</span>'
    for style, tag in _TAGS:
        if run.style & style:
            direction = ' dir="ltr"' if tag == "code" else ""
            text = f"<{tag}{direction}>{text}</{tag}>"
    if run.link.startswith(("http://", "https://")):
        link = escape(run.link, quote=True)
        text = f'<a href="{link}" rel="noopener noreferrer nofollow">{text}</a>'
    return text


def _code(part: Code) -> str:
    label = f"<figcaption>{escape(part.language)}</figcaption>" if part.language else ""
    return f'<figure>{label}<pre dir="ltr"><code>{escape(part.source)}</code></pre></figure>'


def _table(part: Table) -> str:
    rows: list[str] = []
    for number, row in enumerate(part.rows):
        tag = "th" if part.has_header and number == 0 else "td"
        cells: list[str] = []
        for column, cell in enumerate(row):
            side = part.alignments[column] if column < len(part.alignments) else "left"
            side = side if side in _ALIGNMENTS else "left"
            cells.append(f'<{tag} class="{side}" dir="auto">{_runs(cell)}</{tag}>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    if not part.shares:
        return f"<div class=wide><table>{''.join(rows)}</table></div>"
    # One piece of a long table: all of them have the same columns.
    columns = "".join(f'<col style="width:{float(share):.2f}%">' for share in part.shares)
    table = f'<table style="width:100%"><colgroup>{columns}</colgroup>{"".join(rows)}</table>'
    return f"<div class=wide>{table}</div>"


def _begin(sign: str) -> str:
    return "<blockquote>" if sign == QUOTE else "<div class=list>"


def _end(sign: str) -> str:
    return "</blockquote>" if sign == QUOTE else "</div>"


def _shared(first: str, second: str) -> int:
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count
