"""Notes that a step of the set-up is complete, kept inside the environment they speak of."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setup.layout import Layout


@dataclass(frozen=True, slots=True)
class Stamp:
    """The note that a step is complete."""

    path: Path

    def read(self) -> dict[str, Any]:
        """The stamp's values; {} when there is none, or none that can be read."""
        try:
            value = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def write(self, **values: Any) -> None:
        """Write the stamp, whole or not at all."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        partial = self.path.with_suffix(".partial")
        partial.write_text(json.dumps(values), encoding="utf-8")
        partial.replace(self.path)


def stamp(layout: Layout, name: str) -> Stamp:
    """The stamp called `name`."""
    return Stamp(layout.stamps / f"{name}.json")


def digest(*parts: bytes | str) -> str:
    """A key made of `parts`, the same only when they are."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(part.encode() if isinstance(part, str) else part)
        hashed.update(b"\0")
    return hashed.hexdigest()
