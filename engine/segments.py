"""Tokenizes prompts by the pieces between special tokens, and remembers the pieces.

A fast tokenizer cuts a text at its added tokens before anything else, and each piece is
tokenized by itself. So the ids of a prompt are those of its pieces, and of a chat of 10,000
messages only what has changed since the last prompt needs tokenizing. That does not hold for
every kind of added token, nor for tokenizers with a memory of the text's beginning: it is
checked when the model is loaded, and where the check fails, prompts are tokenized whole.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

KEPT_TOKENS = 4_000_000  # of all pieces that are remembered: 16 MB, and their texts
# Unicode's white space, as the tokenizer's regular expressions have it.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
BATCH_CHARS = 100_000  # tokenized in one call, with Python's lock released
_SAMPLES = (
    "",
    " ",
    "\n",
    "Hello, world!",
    "  two spaces before, two after  ",
    "def f(x):\n\treturn x ** 2  # 123,456.78\n",
    "Grüße, naïve café — “quoted”",
    "你好，世界。これはテストです",
    "🙂👩‍👩‍👧‍👦🏳️‍🌈 e\u0301",
    "السلام عليكم",
    "\u00a0\u200b\ufeff\r\n\r\n\t",
    "<think>\nno special token here\n</think>",
    "a" * 300,
)


class Backend(Protocol):
    """The part of `tokenizers.Tokenizer` that is used: nothing in it changes the tokenizer."""

    def encode_batch_fast(self, texts: list[str], *, add_special_tokens: bool) -> list[Any]:
        """One encoding for each text, with its `ids`; Python's lock is released meanwhile."""


@dataclass(frozen=True, slots=True)
class Marker:
    """An added token that is found in the raw text; it may swallow the space beside it."""

    id: int
    takes_space_before: bool = False
    takes_space_after: bool = False
    only_whole_words: bool = False


class Segments:
    """Token ids of texts; may be called from several threads at once.

    Args:
        backend: the tokenizer.
        markers: by their text.

    Attributes:
        exact: whether pieces are used; otherwise each text is tokenized whole.
    """

    def __init__(self, backend: Backend, markers: dict[str, Marker]) -> None:
        self._backend = backend
        self._markers = markers
        self._pieces: OrderedDict[str, array[int]] = OrderedDict()
        self._kept = 0
        self._lock = threading.Lock()
        self._pattern = re.compile(f"({any_of(markers)})")
        self._swallow = any(m.takes_space_before or m.takes_space_after for m in markers.values())
        self.exact = False
        if markers and _are_simple(markers):
            self.exact = self._agrees()

    def ids(self, text: str, check: Callable[[], None] = lambda: None) -> list[int]:
        """The token ids of `text`. `check` is called now and then; what it raises ends it."""
        if not self.exact:
            return list(self._encode([text])[0])
        result: list[int] = []
        for piece in self._cut(text, check):
            result += piece
        return result

    def count(self, text: str, check: Callable[[], None] = lambda: None) -> int:
        """How many tokens `text` makes."""
        if not self.exact:
            return len(self._encode([text])[0])
        return sum(len(piece) for piece in self._cut(text, check))

    def _cut(self, text: str, check: Callable[[], None]) -> list[Sequence[int]]:
        parts = self._pattern.split(text)
        if self._swallow:
            self._take_space(parts)
        # Even places are pieces, odd ones the markers between them.
        texts = parts[::2]
        known = self._known(texts)
        missing = [item for item in dict.fromkeys(texts) if item and item not in known]
        for batch in _batches(missing):
            check()
            made = dict(zip(batch, self._encode(batch), strict=True))
            known |= made
            self._keep(made)
        return [
            (self._markers[part].id,) if index % 2 else known[part] if part else ()
            for index, part in enumerate(parts)
        ]

    def _take_space(self, parts: list[str]) -> None:
        for index in range(1, len(parts), 2):
            marker = self._markers[parts[index]]
            if marker.takes_space_before:
                parts[index - 1] = parts[index - 1].rstrip(_SPACE)
            if marker.takes_space_after:
                parts[index + 1] = parts[index + 1].lstrip(_SPACE)

    def _known(self, texts: list[str]) -> dict[str, array[int]]:
        with self._lock:
            known = {item: ids for item in texts if (ids := self._pieces.get(item)) is not None}
            for item in known:
                self._pieces.move_to_end(item)
        return known

    def _keep(self, made: dict[str, array[int]]) -> None:
        with self._lock:
            for item, ids in made.items():
                if item not in self._pieces:
                    self._pieces[item] = ids
                    self._kept += _cost(item, ids)
            while self._kept > KEPT_TOKENS:
                self._kept -= _cost(*self._pieces.popitem(last=False))

    def _encode(self, texts: list[str]) -> list[array[int]]:
        encodings = self._backend.encode_batch_fast(texts, add_special_tokens=False)
        return [array("I", encoding.ids) for encoding in encodings]

    def _agrees(self) -> bool:
        """Whether pieces give what the whole gives, on samples with every marker."""
        markers = list(self._markers)[:64]
        texts = []
        for index, sample in enumerate(_SAMPLES):
            marker, other = markers[index % len(markers)], markers[(index + 1) % len(markers)]
            texts += [
                sample,
                f"{marker}user\n{sample}{other}\n{marker}assistant\n",
                f"{sample}{marker}{sample}{other}{other} {sample}",
                f"{marker} {sample} {marker}",
            ]
        texts.append(" x ".join(markers) + "".join(markers))
        self.exact = True
        return all(
            self.ids(text) == list(whole)
            for text, whole in zip(texts, self._encode(texts), strict=True)
        )


def _are_simple(markers: dict[str, Marker]) -> bool:
    """Whether where a marker is found depends on nothing around it."""
    if any(marker.only_whole_words for marker in markers.values()):
        return False
    swallow = any(m.takes_space_before or m.takes_space_after for m in markers.values())
    # Space that one marker takes may be the beginning of another.
    return not (swallow and any(text[0] in _SPACE or text[-1] in _SPACE for text in markers))


def any_of(texts: Iterable[str]) -> str:
    """A regular expression for the longest of `texts`: quick also for thousands of them."""
    root: dict[str, Any] = {}
    for text in texts:
        node = root
        for character in text:
            node = node.setdefault(character, {})
        node[""] = {}
    return _branches(root)


def _branches(node: dict[str, Any]) -> str:
    parts = [re.escape(character) + _branches(below) for character, below in node.items() if below]
    parts += [re.escape(character) for character, below in node.items() if character and not below]
    ends_here = "" in node
    if not parts:
        return ""
    if len(parts) == 1 and not ends_here:
        return parts[0]
    return f"(?:{'|'.join(parts)})" + ("?" if ends_here else "")


def _cost(text: str, ids: array[int]) -> int:
    """What remembering a piece takes, in tokens of 4 bytes."""
    return len(ids) + len(text) // 4 + 50


def _batches(texts: list[str]) -> Iterable[list[str]]:
    batch: list[str] = []
    chars = 0
    for text in texts:
        if batch and chars + len(text) > BATCH_CHARS:
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text)
    if batch:
        yield batch


def segments_of(tokenizer: Any) -> Segments | None:
    """For a fast Hugging Face tokenizer; None for another kind."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None or not hasattr(backend, "encode_batch_fast"):
        return None
    markers = {
        added.content: Marker(number, added.lstrip, added.rstrip, added.single_word)
        for number, added in backend.get_added_tokens_decoder().items()
        if not added.normalized and added.content
    }
    return Segments(backend, markers)
