"""The calibration text: how it is read, and what is refused of it, by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.quantize import samples
from engine.quantize.samples import HELD_OUT, SHIPPED, Sample, check, read_samples
from engine.quantize.wire import SAMPLES, QuantizeError


def words(text: str) -> list[int]:
    """A tokenizer of words: the same word has the same id."""
    return [hash(word) % 100_000 for word in text.split()]


def prose(number: int, count: int = 60) -> str:
    return " ".join(f"word{(7 * number + index) % 997}" for index in range(count))


def good(count: int = SAMPLES.start) -> list[Sample]:
    return [Sample(f"sample {n} (line {n})", prose(n)) for n in range(1, count + 1)]


def faults(found: list[Sample]) -> tuple[str, ...]:
    with pytest.raises(QuantizeError) as caught:
        check(found, words)
    assert caught.value.refused.code == "calibration"
    return caught.value.refused.details


def test_good_samples_are_all_used() -> None:
    tokens = check(good(), words)
    assert tokens.count == 60 * SAMPLES.start
    assert len(tokens.digest) == 64


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (prose(99, 31), "31 tokens, too short; at least 32"),
        (prose(99, 513), "513 tokens, too long; split it into pieces of 512"),
        ("the " * 200, "it repeats itself: 1 different tokens among 200"),
        (prose(3), "the same text as sample 3 (line 3)"),
    ],
)
def test_a_bad_sample_is_named(text: str, fault: str) -> None:
    found = [*good(), Sample("sample 17 (line 40)", text)]
    (told,) = faults(found)
    assert told.startswith(f"Sample 17 (line 40), “{' '.join(text.split())[:40].strip()[:10]}")
    assert fault in told


def test_too_few_and_too_many() -> None:
    assert "There are 3 samples; calibration takes 16 to 512." in faults(good(3))
    assert "There are 513 samples" in faults(good(513))[0]


def test_many_faults_are_counted() -> None:
    told = faults([*good(), *(Sample(f"sample {n}", "too short") for n in range(17, 40))])
    assert len(told) == samples.TOLD + 1
    assert told[-1] == "… and 15 more."


def test_the_limits_themselves_are_allowed() -> None:
    check([*good(), Sample("x", prose(500, 32)), Sample("y", prose(700, 512))], words)


def test_files_of_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("\n\nfirst\nstill first\n\n\nsecond\n")
    assert read_samples(path) == [
        Sample("sample 1 (line 3)", "first\nstill first"),
        Sample("sample 2 (line 7)", "second"),
    ]
    path.write_text("first\n\nwith a blank line\n---\n\nsecond\n---\n")
    assert [(s.name, s.text) for s in read_samples(path)] == [
        ("sample 1 (line 1)", "first\n\nwith a blank line"),
        ("sample 2 (line 6)", "second"),
    ]


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"text": "one"}\n\n{"text": "two", "more": 1}\n')
    assert read_samples(path) == [
        Sample("sample 1 (line 1)", "one"),
        Sample("sample 2 (line 3)", "two"),
    ]
    for bad in ("[1]", "{}", '{"text": 3}', "no json"):
        path.write_text(f"{json.dumps({'text': 'x'})}\n{bad}\n")
        with pytest.raises(QuantizeError, match=r"Line 2 of mine\.jsonl"):
            read_samples(path)


def test_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("second\n\nstill second")
    (tmp_path / "a.txt").write_text("first")
    (tmp_path / "c.png").write_bytes(b"\x89PNG")
    assert [s.name for s in read_samples(tmp_path)] == ["“a.txt”", "“b.md”"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(QuantizeError, match=r"none\.txt cannot be read: No such file"):
        read_samples(tmp_path / "none.txt")
    path = tmp_path / "mine.txt"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QuantizeError, match="not text in UTF-8"):
        read_samples(path)
    path.write_text(" \n\n")
    with pytest.raises(QuantizeError, match="There is no text"):
        read_samples(path)
    with path.open("wb") as file:
        file.truncate(samples.FILE_BYTES + 1)
    with pytest.raises(QuantizeError, match="larger than 32 MB"):
        read_samples(path)


@pytest.mark.parametrize("count", [1, 511, 512, 513, 1000, 4000, 9621])
def test_windows_lose_fewer_tokens_than_there_are_windows(count: int) -> None:
    tokens = samples.Tokens((tuple(range(count)),), "")
    rows = tokens.windows()
    assert len({len(row) for row in rows}) == 1
    assert len(rows[0]) <= samples.WINDOW
    flat = [token for row in rows for token in row]
    assert flat == list(range(len(flat)))
    assert count - len(flat) < len(rows)


def test_the_texts_that_ship_are_small_sound_and_apart() -> None:
    ours, held = read_samples(SHIPPED), read_samples(HELD_OUT)
    check(ours, words)
    assert SHIPPED.stat().st_size + HELD_OUT.stat().st_size < 100_000
    heads = {sample.text[:60] for sample in ours}
    assert not heads & {sample.text[:60] for sample in held}
    assert len(held) >= 12
