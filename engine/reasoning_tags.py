"""Finds the reasoning tag that a chat template leaves open at a prompt's end. Pure."""

from __future__ import annotations

from collections.abc import Callable

# Opening tag -> closing tag, of the model families that have them.
TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<reason>": "</reason>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}
TAIL_CHARS = 512  # what a template writes after the last message is shorter


def opened_tag(tail: str) -> str:
    """The tag within which an answer begins whose prompt ends in `tail`, or ""."""
    found, place = "", -1
    for opening, closing in TAGS.items():
        at = tail.rfind(opening)
        if at > place and tail.find(closing, at) < 0:
            found, place = opening, at
    return found


def opened_by_template(prompt: str, without_opening: Callable[[], str]) -> str:
    """The tag that the template, and not what someone wrote, leaves open; or "".

    Args:
        prompt: the rendered chat.
        without_opening: renders it without the beginning of the answer.
    """
    tail = prompt[-TAIL_CHARS:]
    if not opened_tag(tail):
        return ""
    bare = without_opening()
    return opened_tag(prompt[len(bare) :] if prompt.startswith(bare) else tail)
