"""What blocks a text has, what is shown of them, and that nothing hostile gets through."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from desktop.chats.markdown.markdown_blocks import BlockStream, parse, plain
from desktop.chats.markdown.markdown_parsing import MAX_INLINE
from desktop.chats.markdown.markdown_parts import (
    LINE_BREAK,
    Code,
    Paragraph,
    Part,
    Prose,
    Rule,
    Run,
    Style,
    Table,
    plain_text,
)


def parts_of(text: str) -> list[Part]:
    return [part for block in parse(text) for part in block.parts]


def runs_of(text: str) -> tuple[Run, ...]:
    (prose,) = parts_of(text)
    assert isinstance(prose, Prose)
    (paragraph,) = prose.paragraphs
    return paragraph.runs


def test_ranges_cover_the_source_of_each_block() -> None:
    text = "# One\n\ntwo\nlines\n\n- a\n- b\n\n```py\nx\n```\nend"
    assert [text[block.start : block.end] for block in parse(text)] == [
        "# One\n",
        "two\nlines\n",
        "- a\n- b\n\n",
        "```py\nx\n```\n",
        "end",
    ]


def test_styles_nest() -> None:
    assert runs_of("a **b *c* ~~d~~** `e`") == (
        Run("a "),
        Run("b ", Style.BOLD),
        Run("c", Style.BOLD | Style.ITALIC),
        Run(" ", Style.BOLD),
        Run("d", Style.BOLD | Style.STRIKE),
        Run(" "),
        Run("e", Style.CODE),
    )


def test_a_single_newline_stays_a_line_break() -> None:
    assert runs_of("one\ntwo") == (Run(f"one{LINE_BREAK}two"),)


def test_unclosed_inline_code_is_text() -> None:
    assert runs_of("run `this and") == (Run("run `this and"),)


def test_links_are_http_and_https_only_and_others_show_their_target() -> None:
    assert runs_of("[a](https://x.y/z)") == (Run("a", link="https://x.y/z"),)
    assert runs_of("[a](ftp://x.y)") == (Run("a (ftp://x.y)"),)
    assert runs_of("[a](/etc/passwd)") == (Run("a (/etc/passwd)"),)
    assert runs_of("<mailto:a@b.c>") == (Run("mailto:a@b.c"),)
    assert runs_of("[](http://x.y)") == (Run("http://x.y", link="http://x.y"),)


@pytest.mark.parametrize(
    "text",
    [
        "[a](javascript:alert(1))",
        "[a](data:text/html,x)",
        "[a](file:///etc/passwd)",
        "[a](vbscript:x)",
        "<javascript:alert(1)>",
        "[a]\n\n[a]: javascript:alert(1)",
        "[a](qrc:/x)",
    ],
)
def test_no_other_scheme_becomes_a_link(text: str) -> None:
    for part in parts_of(text):
        assert isinstance(part, Prose)
        assert all(not run.link for p in part.paragraphs for run in p.runs)


def test_bare_addresses_become_links_without_their_punctuation() -> None:
    assert runs_of("see (https://x.y/a_(b)), or http://z.") == (
        Run("see ("),
        Run("https://x.y/a_(b)", link="https://x.y/a_(b)"),
        Run("), or "),
        Run("http://z", link="http://z"),
        Run("."),
    )
    assert runs_of("`https://x.y`") == (Run("https://x.y", Style.CODE),)


def test_an_image_is_its_alternative_text_and_its_address() -> None:
    text = "".join(run.text for run in runs_of("![a *cat*](http://x.y/cat.png)"))
    assert text == "a cat (http://x.y/cat.png)"


def test_html_is_literal_text() -> None:
    assert runs_of("<img src=x onerror=alert(1)> <b>x</b> <!-- c -->") == (
        Run("<img src=x onerror=alert(1)> <b>x</b> <!-- c -->"),
    )
    (prose,) = parts_of("<script>\nalert(1)\n</script>")
    assert plain_text(prose) == "<script>\nalert(1)\n</script>"


def test_lists_carry_markers_and_depth() -> None:
    (prose,) = parts_of("3. a\n4. b\n   - c\n     - [x] d\n     - [ ] e\n")
    assert isinstance(prose, Prose)
    assert [(p.marker, p.nest, p.text.partition("\t")[2]) for p in prose.paragraphs] == [
        ("3.", "l", "a"),
        ("4.", "l", "b"),
        ("◦", "ll", "c"),
        ("☑", "lll", "d"),
        ("☐", "lll", "e"),
    ]


def test_code_in_a_list_is_a_part_of_its_own() -> None:
    prose, code, rest = parts_of("1. one\n   ```py\n   x = 1\n   ```\n\n   after\n2. two\n")
    assert isinstance(prose, Prose)
    assert code == Code("x = 1", "py", "l")
    assert isinstance(rest, Prose)
    assert [p.marker for p in rest.paragraphs] == ["", "2."]


def test_an_item_that_begins_with_code_keeps_its_marker() -> None:
    prose, code = parts_of("- ```\n  x\n  ```\n")
    assert prose == Prose((Paragraph((), nest="l", marker="•", tight=False),))
    assert code == Code("x", "", "l")


def test_fences_inside_longer_fences_are_code() -> None:
    text = "````md\n```py\nx\n```\n````\nafter"
    code, prose = parts_of(text)
    assert code == Code("```py\nx\n```", "md")
    assert plain_text(prose) == "after"


def test_code_is_exact() -> None:
    body = "  two\n\ttab\n\n\n&amp; <b> \\* trailing  \n"
    (code,) = parts_of(f"```\n{body}```\n")
    assert isinstance(code, Code)
    assert code.source + "\n" == body


@pytest.mark.parametrize(("columns", "rows"), [(2, 120), (400, 6), (3000, 2)])
def test_a_large_table_comes_in_pieces_that_are_laid_out_quickly(columns: int, rows: int) -> None:
    line = "|" + "a|" * columns + "\n"
    tables = parts_of(line + "|" + "-|" * columns + "\n" + line * (rows - 1))
    assert len(tables) > 1
    shown = 0
    for index, table in enumerate(tables):
        assert isinstance(table, Table)
        assert len(table.rows) == 1 or len(table.rows) * columns <= 1000
        assert table.has_header is (index == 0)
        shown += len(table.rows)
    assert shown == rows


def test_tables_and_rules() -> None:
    table, rule = parts_of("| a | b |\n|:-:|--:|\n| *1* | 2 |\n\n***\n")
    assert table == Table(
        (((Run("a"),), (Run("b"),)), ((Run("1", Style.ITALIC),), (Run("2"),))),
        ("center", "right"),
    )
    assert rule == Rule()


def test_a_late_definition_reaches_frozen_blocks_and_no_other() -> None:
    stream = BlockStream("see [one]\n\n[two] is\n\nplain\n\nend\n\nlast\n\nx")
    before = list(stream.blocks)
    assert stream.append("\n\n[ONE]: http://x.y\n") == 0
    assert stream.blocks == parse(stream.source)
    assert stream.blocks[0] != before[0]
    assert all(new is old for new, old in zip(stream.blocks[1:4], before[1:4], strict=True))


def test_finished_blocks_keep_their_identity_and_are_not_parsed_again() -> None:
    text = "".join(f"para {n} with **bold**\n\n- item\n- item\n\n" for n in range(200))
    stream = BlockStream()
    kept: dict[int, int] = {}
    for place in range(0, len(text), 7):
        stream.append(text[place : place + 7])
        for index, block in enumerate(stream.blocks[:-3]):
            assert kept.setdefault(index, id(block)) == id(block)
    assert stream.blocks == parse(text)
    assert stream.parsed_characters < 30 * len(text)


def test_an_open_fence_grows_without_parsing() -> None:
    stream = BlockStream("before\n\n```py\n")
    stream.append("first\n")
    parsed = stream.parsed_characters
    for number in range(1000):
        stream.append(f"line {number}\n")
    assert stream.parsed_characters == parsed
    assert stream.blocks == parse(stream.source)
    stream.append("```\nafter")
    assert stream.blocks == parse(stream.source)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "word " * 200_000,
        "[" * 100_000,
        "*a " * 50_000,
        "> " * 20_000 + "a",
        "- " * 20_000 + "a",
        "`" * 100_000,
        "![[](<" * 10_000,
        "[a]: b\n" * 5_000,
        "a\n" * 50_000,
        "| a " * 5_000 + "\n" + "|-" * 5_000,
        "*_" * (MAX_INLINE // 2),
        "[" * MAX_INLINE,
        "![a](" * (MAX_INLINE // 5),
    ],
    ids=lambda text: text[:6],
)
def test_hostile_sizes_end_soon(text: str) -> None:
    start = time.process_time()
    blocks = parse(text)
    assert time.process_time() - start < 10  # some take 0.5 s; a quadratic one takes minutes
    for block in blocks:
        for part in block.parts:
            if isinstance(part, Prose):
                assert sum(len(p.text) for p in part.paragraphs) < 10_000


def test_nesting_beyond_the_parser_is_shown_as_it_is() -> None:
    text = "> " * 500 + "deep"
    assert "".join(plain_text(part) for part in parts_of(text)) == text


def test_cut_paragraphs_lose_nothing() -> None:
    text = "word " * 5000
    joined = ""
    for part in parts_of(text):
        assert isinstance(part, Prose)
        for paragraph in part.paragraphs:
            joined += paragraph.text
    assert joined == text.rstrip(" ")


def test_what_a_person_typed_is_shown_as_typed() -> None:
    text = "  <channel> *a*\n- b\n\n```py\nx\n```\nend"
    blocks = plain(text)
    assert [text[block.start : block.end] for block in blocks] == [
        "  <channel> *a*\n- b\n",
        "```py\nx\n```\n",
        "end",
    ]
    assert "\n\n".join(plain_text(part) for block in blocks for part in block.parts) == (
        "  <channel> *a*\n- b\n\nx\n\nend"
    )


def test_the_parser_is_loaded_on_first_use() -> None:
    code = (
        "import sys, desktop.chats.markdown.markdown_blocks as m;"
        "assert 'markdown_it' not in sys.modules; m.warm_up(); assert 'markdown_it' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
