"""The run card holds all that it takes to make an answer again, and no markup of others."""

from __future__ import annotations

from desktop.chats.chat import Chat, Message, MessageStatus, Role, Statistics
from desktop.chats.run_card import run_card

STATISTICS = Statistics(
    prompt_tokens=1200,
    completion_tokens=345,
    cached_tokens=1184,
    kv_blocks=97,
    ttft=0.1234,
    seconds=9.5,
    decode_tps=40.5,
    finish_reason="stop",
    stop_string="END",
    reasoning_seconds=3.25,
    dropped_messages=4,
    run={
        "model": "Qwen3-8B-AWQ",
        "engine_version": "vllm 0.32.0",
        "quantization": "awq",
        "dtype": "float16",
        "device": "NVIDIA GeForce RTX 3090",
        "template_hash": "0123456789abcdef",
        "context": 32768,
        "seed": 7,
        "sampling": {"temperature": 0.6, "top_k": 20},
    },
)


def answer(statistics: Statistics | None) -> Message:
    return Message(
        "m",
        "c",
        "u",
        Role.ASSISTANT,
        "Paris.",
        MessageStatus.COMPLETE,
        model="small",
        statistics=statistics,
        created=0.5,
    )


def test_all_that_is_known_is_on_it() -> None:
    card = run_card(answer(STATISTICS), Chat("c", "Capitals", "Be brief."))
    lines = card.splitlines()
    assert lines[0] == "### Run card: Capitals"
    for line in (
        "- Model: Qwen3-8B-AWQ",
        "- Engine: vllm 0.32.0",
        "- Quantization: awq",
        "- Data type: float16",
        "- Device: NVIDIA GeForce RTX 3090",
        "- Chat template: 0123456789abcdef",
        "- Context: 32,768 tokens",
        "- temperature: 0.6",
        "- top_k: 20",
        "- Seed: 7",
        "- Prompt: 1,200 tokens (1,184 from the cache)",
        "- Messages left out: 4",
        "- Answer: 345 tokens",
        "- Reasoning: 3.2 s",
        "- First token: 0.123 s",
        "- Speed: 40.5 tokens/s",
        "- Total: 9.50 s",
        "- KV blocks: 97",
        "- Stop string: END",
        "- Ended by: stop",
        "- Status: complete",
        "- Time: 1970-01-01 00:00:00 UTC",
        "Be brief.",
    ):
        assert line in lines


def test_what_is_not_known_is_left_out() -> None:
    card = run_card(answer(None), Chat("c", "Capitals"))
    assert "- Model: small" in card
    assert "Seed" not in card
    assert "System prompt" not in card
    assert "- Seed: random" in run_card(answer(Statistics(run={"model": "x"})), Chat("c", "t"))


def test_a_title_or_a_prompt_makes_no_markup() -> None:
    chat = Chat("c", "a\n# b [x](http://evil) <img src=x>", "```\n# out of the fence\n````\n")
    card = run_card(answer(STATISTICS), chat)
    assert "\\[x\\](http://evil) \\<img src=x\\>" in card.splitlines()[0]
    assert card.splitlines()[-1] == "`````"
