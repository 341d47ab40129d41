"""Looks into a config.json that anybody may have written: a value of the right kind, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST = 1 << 40  # no count in a real config comes near
MOST_LAYERS = 10_000
_TEXT_CONFIGS = ("text_config", "llm_config", "language_config", "thinker_config")


class Values:
    """The values of a config.json: first those of its language model, then those around it."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.outer = config if isinstance(config, Mapping) else {}
        self.inner = self.outer
        for _ in range(3):  # Qwen's "omni" models: thinker_config.text_config
            for name in _TEXT_CONFIGS:
                found = self.inner.get(name)
                if isinstance(found, Mapping) and found:
                    self.inner = found
                    break
            else:
                break

    def get(self, name: str) -> Any:
        """The value, of any kind; None where there is none."""
        value = self.inner.get(name)
        return self.outer.get(name) if value is None else value

    def number(self, *names: str, default: int = 0, inner_only: bool = False) -> int:
        """The first of `names` that is a whole number above 0 and below `MOST`."""
        for name in names:
            value = whole(self.inner.get(name) if inner_only else self.get(name))
            if value:
                return value
        return default

    def flag(self, name: str, *, default: bool = False) -> bool:
        """A boolean."""
        value = self.get(name)
        return value if isinstance(value, bool) else default

    def text(self, *names: str) -> str:
        """The first of `names` that is a text; "" for none."""
        for name in names:
            value = self.get(name)
            if isinstance(value, str):
                return value
        return ""

    def mapping(self, *names: str) -> Mapping[str, Any]:
        """The first of `names` that is an object; empty for none."""
        for name in names:
            value = self.get(name)
            if isinstance(value, Mapping):
                return value
        return {}

    def sequence(self, name: str) -> Sequence[Any]:
        """A list, cut to `MOST_LAYERS`; empty for none."""
        value = self.get(name)
        return value[:MOST_LAYERS] if isinstance(value, (list, tuple)) else ()


def whole(value: object) -> int:
    """A whole number above 0 and below `MOST`; else 0."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 < value < MOST else 0
