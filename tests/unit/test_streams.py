from __future__ import annotations

import pytest

from engine.protocol import FinishReason, Generate
from engine.streams import Stream


def stream(prompt: int = 100) -> Stream:
    return Stream(Generate("a", ()), received=10.0, prompt_tokens=prompt, running_since=10.5)


def test_an_answer_is_timed_from_its_first_token() -> None:
    made = stream()
    assert made.produced(1, 11.0)
    assert not made.produced(1, 12.0)
    assert not made.produced(2, 13.0)
    finish = made.finish(FinishReason.STOP, 13.0, 32)
    assert finish.ttft == 1.0
    assert finish.queued == 0.5
    assert finish.seconds == 3.0
    assert finish.decode_tps == 1.5  # three tokens in the two seconds after the first


def test_a_cancelled_request_without_a_token_holds_nothing() -> None:
    finish = stream().finish(FinishReason.CANCELLED, 12.0, 32)
    assert (finish.ttft, finish.kv_blocks, finish.decode_tps) == (None, 0, None)
    waiting = Stream(Generate("a", ()), received=10.0)
    assert waiting.finish(FinishReason.CANCELLED, 12.0, 32).queued == 2.0


@pytest.mark.parametrize(
    ("prompt", "completion", "blocks"), [(32, 1, 1), (32, 2, 2), (1, 1, 1), (33, 1, 2), (64, 65, 4)]
)
def test_the_last_token_takes_no_slot(prompt: int, completion: int, blocks: int) -> None:
    made = stream(prompt)
    made.produced(completion, 11.0)
    assert made.finish(FinishReason.STOP, 12.0, 32).kv_blocks == blocks


@pytest.mark.parametrize(
    ("word", "completion", "reason"),
    [
        ("stop", 5, FinishReason.STOP),
        ("length", 5, FinishReason.LENGTH),
        ("length", 28, FinishReason.CONTEXT),
        ("abort", 5, FinishReason.CANCELLED),
        ("error", 5, FinishReason.FAILED),
        (None, 5, FinishReason.FAILED),
    ],
)
def test_reasons(word: str | None, completion: int, reason: FinishReason) -> None:
    made = stream(100)
    made.produced(completion, 11.0)
    assert made.reason(word, context=128) is reason
