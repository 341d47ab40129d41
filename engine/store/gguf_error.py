"""A GGUF file that cannot be converted, or not here: why, in plain words."""

from __future__ import annotations


class GgufError(Exception):
    """The text says what is the matter and what to do.

    Attributes:
        code: for programs: "not_gguf", "version", "damaged", "truncated", "split", "no_model",
            "type", "architecture", "rope", "tokenizer", "missing", "disk", "memory", "libraries",
            "no_file", "failed".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
