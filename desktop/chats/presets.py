"""Settings of a chat under a name, to be used for other chats."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Preset:
    """A system prompt and parameters under a name.

    Attributes:
        parameters: like `Chat.parameters`.
    """

    id: str
    name: str
    system_prompt: str = ""
    parameters: dict[str, object] = field(default_factory=dict)
