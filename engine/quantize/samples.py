"""The text a model is calibrated on, and the text it is judged by: read, counted, refused by name.

A file is a list of samples: JSON lines with a "text" each (`*.jsonl`); or text, in which a line
`---` ends a sample, or a blank line where no such line is. Of a folder each `*.txt` and `*.md` file
is a sample. Lengths are in tokens of the model that is quantised.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.plain_file import open_plain
from engine.quantize import refusal_words as say
from engine.quantize.wire import SAMPLE_TOKENS, SAMPLES, QuantizeError

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "calibration"
SHIPPED = ASSETS / "calibration.txt"
HELD_OUT = ASSETS / "held_out.txt"
FILE_BYTES = 32 * 1024 * 1024
WINDOW = 512
LEAST_DIFFERENT = 0.10  # of a sample's tokens; ordinary text has 0.35 to 0.8 at these lengths
TOLD = 8  # faults that are named one by one

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece of text.

    Attributes:
        name: how it is named to the user, e.g. "sample 3 (line 41)".
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Samples as token ids, checked."""

    samples: tuple[tuple[int, ...], ...]
    digest: str  # SHA-256 of the texts

    @property
    def count(self) -> int:
        """Of all tokens."""
        return sum(map(len, self.samples))

    def windows(self, length: int = WINDOW) -> list[list[int]]:
        """All tokens in rows of one length, at most `length`, in order.

        The rows are as long as their number allows, so that fewer tokens than there are rows are
        left over at the end.
        """
        together = [token for sample in self.samples for token in sample]
        rows = -(-len(together) // length)
        width = len(together) // rows
        return [together[row * width : (row + 1) * width] for row in range(rows)]


def read_samples(path: Path) -> list[Sample]:
    """The samples in a file or folder.

    Raises:
        QuantizeError: it cannot be read, or holds none.
    """
    try:
        if path.is_dir():
            files = sorted(f for f in path.iterdir() if f.suffix in (".txt", ".md") and f.is_file())
            samples = [Sample(f"“{file.name}”", _read(file).strip()) for file in files]
        elif path.suffix == ".jsonl":
            samples = _json_lines(path)
        else:
            samples = _split(_read(path))
    except UnicodeDecodeError as error:
        raise QuantizeError(
            "calibration_unreadable", say.NO_UTF8.format(name=path.name, reason=error.reason)
        ) from error
    except OSError as error:
        raise QuantizeError(
            "calibration_unreadable",
            say.NO_CALIBRATION.format(file=path, reason=error.strerror or error),
        ) from error
    samples = [sample for sample in samples if sample.text]
    if not samples:
        raise QuantizeError("calibration_empty", say.EMPTY.format(file=path))
    return samples


def _read(path: Path) -> str:
    with open_plain(path) as file:
        content = file.read(FILE_BYTES + 1)
    if len(content) > FILE_BYTES:
        raise QuantizeError(
            "calibration_unreadable",
            say.LIBRARY.format(name=path.name, most=FILE_BYTES // 1024**2),
        )
    return content.decode("utf-8")


def _json_lines(path: Path) -> list[Sample]:
    samples: list[Sample] = []
    for number, line in enumerate(_read(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            text = json.loads(line)["text"]
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise QuantizeError(
                "calibration_unreadable",
                say.NO_OBJECT.format(line=number, name=path.name),
            ) from error
        samples.append(Sample(_name(len(samples) + 1, number), text.strip()))
    return samples


def _split(text: str) -> list[Sample]:
    lines = text.splitlines()
    ruled = any(line.strip() == "---" for line in lines)
    samples: list[Sample] = []
    kept: list[str] = []
    begin = 1
    for number, line in enumerate([*lines, "---" if ruled else ""], 1):
        ends = line.strip() == "---" if ruled else not line.strip()
        if not ends:
            if not kept:
                begin = number
            if kept or line.strip():
                kept.append(line)
        elif kept:
            samples.append(Sample(_name(len(samples) + 1, begin), "\n".join(kept).strip()))
            kept = []
    return samples


def _name(number: int, line: int) -> str:
    return say.SAMPLE.format(number=number, line=line)


def check(samples: Sequence[Sample], encode: Encode) -> Tokens:
    """Count the samples' tokens and refuse what would spoil the calibration, all of it at once.

    Raises:
        QuantizeError: samples too short, too long, too few, too many, repeating; each by name.
    """
    ids = [tuple(encode(sample.text)) for sample in samples]
    faults: list[str] = []
    seen: dict[tuple[int, ...], str] = {}
    for sample, tokens in zip(samples, ids, strict=True):
        fault = _fault(tokens, seen)
        if fault:
            start = re.sub(r"\s+", " ", sample.text)[:40]
            name = f"{sample.name[0].upper()}{sample.name[1:]}"
            faults.append(say.FAULT.format(sample=name, start=start, fault=fault))
        seen.setdefault(tokens, sample.name)
    if len(samples) not in SAMPLES:
        text = say.COUNT.format(count=len(samples), least=SAMPLES.start, most=SAMPLES.stop - 1)
        faults.insert(0, text)
    if faults:
        more = len(faults) - TOLD
        told = (*faults[:TOLD], *([say.MORE.format(count=more)] if more > 0 else []))
        raise QuantizeError("calibration", say.CALIBRATION, told)
    return Tokens(tuple(ids), _digest(samples))


def _fault(tokens: tuple[int, ...], seen: dict[tuple[int, ...], str]) -> str:
    count, different = len(tokens), len(set(tokens))
    if count < SAMPLE_TOKENS.start:
        return say.SHORT.format(count=count, least=SAMPLE_TOKENS.start)
    if count >= SAMPLE_TOKENS.stop:
        return say.LONG.format(count=count, most=SAMPLE_TOKENS.stop - 1)
    if different < LEAST_DIFFERENT * count:
        return say.REPEATS.format(different=different, count=count)
    if tokens in seen:
        return say.TWICE.format(sample=seen[tokens])
    return ""


def shipped(encode: Encode, path: Path) -> Tokens:
    """Text that ships (`SHIPPED`, `HELD_OUT`): how long it is in a model's tokens is no fault."""
    samples = read_samples(path)
    return Tokens(tuple(tuple(encode(sample.text)) for sample in samples), _digest(samples))


def _digest(samples: Sequence[Sample]) -> str:
    return hashlib.sha256("\0".join(sample.text for sample in samples).encode()).hexdigest()
