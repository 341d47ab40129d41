"""Markdown, HTML and the files they are written into."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.chats.chat import Attachment, Message, MessageStatus, Role
from desktop.chats.chat_tree import ChatTree
from desktop.chats.markdown.markdown_blocks import parse
from desktop.chats.markdown.markdown_parts import Code, plain_text
from desktop.chats.transfer.exporting import Chosen, Format, Job, export
from desktop.chats.transfer.fences import fenced, self_contained
from desktop.chats.transfer.file_names import UniqueNames, file_stem
from desktop.chats.transfer.html import to_html
from desktop.chats.transfer.html_page import Colours
from desktop.chats.transfer.labels import Labels
from desktop.chats.transfer.markdown import to_markdown
from desktop.chats.transfer.trouble import Cancelled, TransferError, Trouble
from tests.helpers.stores import disk
from tests.helpers.transfers import tree

HOSTILE = """<script>alert(1)</script>
<img src=http://127.0.0.1:9/x onerror=alert(1)> inline <b onclick="x">b</b>

![p](http://127.0.0.1:9/p.png) [j](javascript:alert(1)) [d](data:text/html,x) [ok](https://a.b/?q="x)

<!-- never closed
"""


class Seen(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def seen(page: str) -> Seen:
    parser = Seen()
    parser.feed(page)
    return parser


def check_harmless(page: str) -> Seen:
    found = seen(page)
    assert not {"script", "img", "iframe", "object", "link", "b", "base", "svg"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name == "src"]
    for name, value in found.attributes:
        if name == "href":
            assert (value or "").startswith(("https://", "http://"))
    assert "url(" not in page.split("</style>")[0]
    assert "@import" not in page.split("</style>")[0]
    return found


def test_a_hostile_chat_is_only_text() -> None:
    chat = tree(HOSTILE, HOSTILE)
    bad = replace(chat.messages[0], content=HOSTILE)
    chat = replace(
        chat, messages=(bad, *chat.messages[1:]), system_prompt=HOSTILE, model='"><script>'
    )
    found = check_harmless(
        to_html(chat, Labels(user="<i>"), Colours({"page": "red;}</style>"}, {}))
    )
    assert "alert(1)" in "".join(found.text)


@given(st.text(max_size=200), st.text(max_size=200))
@settings(deadline=None, max_examples=60)
def test_any_text_is_only_text(title: str, answer: str) -> None:
    check_harmless(to_html(tree(title, answer), Labels(), Colours()))


def test_the_page_stands_alone_and_says_what_it_is() -> None:
    answer = (
        "## Plan\n\n1. one\n   - two\n\n> quoted\n\n| a | b |\n|--|--:|\n| 1 | 2 |\n\n"
        "```py\nx<1\n```\n\n---"
    )
    colours = Colours({"page": "#ffffff"}, {"page": "#000000"})
    page = to_html(tree("A & B", answer), Labels(), colours)
    found = seen(page)
    for tag in ("table", "th", "blockquote", "figure", "hr", "h4", "details", "summary"):
        assert tag in found.tags, tag
    assert "--page: #ffffff" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page
    assert "A & B" in found.text
    assert "An old answer" not in page  # another branch
    assert "x&lt;1" in page
    assert "notes.txt" in page


def test_markdown_tells_who_what_and_when() -> None:
    text = to_markdown(tree('A "chat": yes'), Labels())
    assert text.startswith('---\ntitle: "A \\"chat\\": yes"\nmodel: "small"\ndate: "2023-')
    assert '\n# A "chat": yes\n' in text
    assert "\n## You\n" in text
    assert "\n## small\n" in text
    assert "> **Reasoning**\n>\n> Let me think." in text
    assert "````\nline\n```\nfence\n````" in text
    assert "An *answer*." in text
    assert "An old answer" not in text


def test_an_answer_cannot_swallow_what_follows() -> None:
    chat = tree(answer="```python\nprint(1)")
    last = Message("u2", "", "a2", Role.USER, "<!-- and then?")
    stopped = Message("a3", "", "u2", Role.ASSISTANT, "Part", MessageStatus.INTERRUPTED)
    chat = replace(chat, messages=(*chat.messages, last, stopped), active_leaf="a3")
    text = to_markdown(chat, Labels())
    assert "print(1)\n```\n\n## You\n\n\\<!-- and then?" in text
    assert text.endswith("*This answer was not finished.*\n")


@given(st.text(st.sampled_from("`~x \n"), max_size=60))
@settings(deadline=None)
def test_a_fence_is_longer_than_any_inside(text: str) -> None:
    blocks = parse(fenced(text))
    (part,) = blocks[0].parts
    assert len(blocks) == 1
    assert isinstance(part, Code)
    assert part.source == text.removesuffix("\n")


@given(st.text(st.sampled_from("`~<!-x \n>"), max_size=60))
@settings(deadline=None)
def test_what_follows_a_text_is_never_part_of_it(text: str) -> None:
    parts = [part for block in parse(self_contained(text) + "\n\n# END") for part in block.parts]
    assert plain_text(parts[-1]) == "END"


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("../../etc/passwd", "etc passwd"),
        ('a/b\\c:d*e?f"g<h>i|j', "a b c d e f g h i j"),
        ("", "Chat"),
        ("...", "Chat"),
        ("con", "Chat con"),
        ("nul.txt", "Chat nul.txt"),
        ("\u202egpj.exe", "gpj.exe"),
        ("עברית", "עברית"),
    ],
)
def test_file_names(title: str, stem: str) -> None:
    assert file_stem(title) == stem


@given(st.lists(st.text(max_size=300), max_size=8))
def test_file_names_are_names_and_unique(titles: list[str]) -> None:
    names = UniqueNames()
    made = [names.name(title, ".md") for title in titles]
    assert len({name.casefold() for name in made}) == len(titles)
    for name in made:
        assert "/" not in name
        assert not name.startswith(".")
        assert len(name.encode()) < 200


CHATS = {str(n): tree("Same title", f"answer {n}") for n in range(3)}


def job(
    target: Path,
    form: Format,
    ids: tuple[str, ...] = ("0", "1", "2"),
    fetch: Callable[[str], ChatTree] = CHATS.__getitem__,
    progress: Callable[[int], bool] = lambda _done: True,
) -> Job:
    return Job([Chosen(i, f"chat {i}") for i in ids], form, target, fetch, progress)


@pytest.mark.parametrize("form", [Format.MARKDOWN, Format.HTML])
def test_several_chats_become_a_new_folder(tmp_path: Path, form: Format) -> None:
    (tmp_path / "Chats").mkdir()
    (tmp_path / "Chats" / "mine.txt").write_text("mine")
    report = export(job(tmp_path / "Chats", form, ("0", "1", "gone", "2")))
    assert report.target == tmp_path / "Chats (2)"
    assert report.written == 3
    assert [(p.trouble, p.title) for p in report.problems] == [(Trouble.GONE, "chat gone")]
    names = sorted(path.name for path in report.target.iterdir())
    ends = [f"Same title{n}{form.value}" for n in ("", " (2)", " (3)")]
    assert names == sorted([*ends, *(["index.html"] if form is Format.HTML else [])])
    if form is Format.HTML:
        index = seen((report.target / "index.html").read_text())
        assert ("href", "Same%20title%20%282%29.html") in index.attributes


@pytest.mark.parametrize("form", list(Format))
def test_a_cancelled_export_leaves_nothing(tmp_path: Path, form: Format) -> None:
    target = tmp_path / "out"
    if form is Format.JSON:
        target.write_text("older")
    with pytest.raises(Cancelled):
        export(job(target, form, progress=lambda done: done < 2))
    left = [path.name for path in tmp_path.iterdir()]
    assert left == (["out"] if form is Format.JSON else [])
    if form is Format.JSON:
        assert target.read_text() == "older"


def test_one_chat_that_is_gone_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(TransferError) as error:
        export(job(tmp_path / "x.md", Format.MARKDOWN, ("gone",)))
    assert error.value.trouble is Trouble.GONE
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_said_and_the_old_file_stays(tmp_path: Path) -> None:
    with disk(tmp_path / "disk", "1m") as small:
        if small is None:
            pytest.skip("only root can mount")
        target = small.folder / "all.json"
        export(job(target, Format.JSON))
        before = target.read_bytes()
        big = replace(CHATS["0"], system_prompt="x" * 3_000_000)
        with pytest.raises(TransferError) as error:
            export(job(target, Format.JSON, fetch=lambda _id: big))
        assert error.value.trouble is Trouble.DISK_FULL
        assert target.read_bytes() == before
        assert len(list(small.folder.iterdir())) == 1
        small.make_read_only()
        with pytest.raises(TransferError) as error:
            export(job(target, Format.JSON))
        assert error.value.trouble is Trouble.NOT_ALLOWED


@pytest.mark.parametrize("form", list(Format))
def test_a_folder_that_is_not_there(tmp_path: Path, form: Format) -> None:
    with pytest.raises(TransferError) as error:
        export(job(tmp_path / "no" / "where", form))
    assert error.value.trouble is Trouble.UNWRITABLE


def test_a_target_that_is_no_file_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(TransferError):
        export(job(pipe, Format.JSON))
    assert pipe.is_fifo()


def test_an_attachment_name_is_no_markup() -> None:
    file = Attachment("f", "<b>[x](y)*", "text")
    chat = tree()
    chat = replace(
        chat, messages=(replace(chat.messages[0], attachments=(file,)), *chat.messages[1:])
    )
    assert r"\<b\>\[x\](y)\*" in to_markdown(chat, Labels())
    assert re.search(r"<bdi>Attached: &lt;b&gt;", to_html(chat, Labels(), Colours()))


def test_threads_do_not_share_a_file(tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=export, args=(job(tmp_path / f"{n}.json", Format.JSON),))
        for n in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.json", "1.json", "2.json"]
