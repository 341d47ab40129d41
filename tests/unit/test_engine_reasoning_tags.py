from __future__ import annotations

import jinja2
import pytest

from desktop.chats.reasoning import TAGS as WINDOW_TAGS
from engine.reasoning_tags import TAGS, opened_by_template

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
)


def tag_of(tail: str, content: str, head: str = CHATML) -> str:
    template = jinja2.Environment(autoescape=False).from_string(head + tail + "{% endif %}")
    messages = [{"role": "user", "content": content}]

    def render(*, opening: bool) -> str:
        return template.render(messages=messages, add_generation_prompt=opening)

    return opened_by_template(render(opening=True), lambda: render(opening=False))


@pytest.mark.parametrize(
    "content", ["Hello", "", " ", "Hello\n", "x" * 5000, "<think>", "</think>"]
)
@pytest.mark.parametrize(
    ("tail", "tag"),
    [
        ("", ""),
        ("<think>\n", "<think>"),
        ("<think>", "<think>"),
        ("[THINK]", "[THINK]"),
        ("<seed:think>", "<seed:think>"),
        ("◁think▷", "◁think▷"),
        ("<think>\n\n</think>\n\n", ""),
        ("<think>\nOkay, ", "<think>"),
        ("<thinking>\n", "<thinking>"),
    ],
)
def test_the_tag_that_the_template_leaves_open(tail: str, tag: str, content: str) -> None:
    assert tag_of(tail, content) == tag


@pytest.mark.parametrize("content", ["<think>", "why\n<think>\n", "x" * 1000 + "[THINK]"])
def test_what_a_user_writes_opens_nothing_even_at_the_very_end(content: str) -> None:
    head = "USER: {{ messages[0].content }}{% if add_generation_prompt %}"
    assert tag_of("", content, head) == ""


def test_the_window_knows_the_same_tags() -> None:
    assert TAGS == WINDOW_TAGS
