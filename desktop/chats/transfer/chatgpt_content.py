"""What one message of a ChatGPT export says, by its kind of content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from desktop.chats.transfer.fences import fenced
from desktop.chats.transfer.trouble import TransferError, Trouble

# Marks of citations: private-use signs around what the web page made a link of.
_CITATION: Final = re.compile("\ue200[^\ue200\ue201]{0,2000}\ue201")
_LONGEST_NAME: Final = 200
_HIDDEN: Final = frozenset(
    {
        "user_editable_context",
        "model_editable_context",
        "tether_browsing_display",
        "reasoning_recap",
        "app_pairing_content",
    }
)


@dataclass(frozen=True, slots=True)
class Content:
    """Text and reasoning of one node, and how many parts the export does not hold."""

    text: str = ""
    thought: str = ""
    left_out: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        return not (self.text.strip() or self.thought.strip())


def read(message: dict[str, Any], where: str) -> Content:
    """The content of `message`. Kinds that are unknown are read as far as they hold text.

    Raises:
        TransferError: WRONG_TYPE, with `where` in it.
    """
    content = message.get("content")
    if content is None:
        return Content()
    _require(isinstance(content, dict), f"{where}: content")
    kind = content.get("content_type")
    if kind in _HIDDEN:
        return Content()
    match kind:
        case "thoughts":
            return Content(thought=_thoughts(content, where))
        case "code":
            return Content(_code(content, where))
        case "execution_output" | "system_error":
            text = _text(content, "text", where)
            return Content(fenced(text, "text") if text.strip() else "")
        case "tether_quote":
            return Content(_quote(content, where))
    if "parts" in content:
        return _with_files(_parts(content["parts"], where), message.get("metadata"))
    return Content(_clean(_text(content, "text", where)))


def _parts(parts: object, where: str) -> Content:
    _require(isinstance(parts, list), f"{where}: parts")
    assert isinstance(parts, list)
    texts: list[str] = []
    left_out = 0
    for part in parts:
        if isinstance(part, str):
            texts.append(_clean(part))
        elif isinstance(part, dict):
            text = part.get("text")
            if isinstance(text, str) and text.strip():  # what was said, as it was understood
                texts.append(_clean(text))
            else:
                left_out += 1
                texts.append(f"*[{_name(part)}: not in the export]*")
        elif part is not None:
            raise TransferError(Trouble.WRONG_TYPE, where=f"{where}: parts")
    return Content("\n\n".join(text for text in texts if text.strip()), left_out=left_out)


def _with_files(content: Content, metadata: object) -> Content:
    """With the names of the files that went with a message; its pictures are parts of it."""
    files = metadata.get("attachments") if isinstance(metadata, dict) else None
    names: list[str] = []
    for file in files if isinstance(files, list) else ():
        name = file.get("name") if isinstance(file, dict) else None
        if isinstance(name, str) and not str(file.get("mime_type", "")).startswith("image/"):
            names.append(" ".join(name.split())[:_LONGEST_NAME])
    if not names:
        return content
    notes = [f"*[{name}: not in the export]*" for name in names]
    text = "\n\n".join(filter(None, [*notes, content.text]))
    return Content(text, content.thought, content.left_out + len(names))


def _name(part: dict[str, Any]) -> str:
    kind = str(part.get("content_type", ""))
    if "image" in kind:
        return "picture"
    if "audio" in kind:
        return "sound"
    if "video" in kind:
        return "video"
    return "file"


def _thoughts(content: dict[str, Any], where: str) -> str:
    thoughts = content.get("thoughts")
    if thoughts is None:
        return ""
    _require(isinstance(thoughts, list), f"{where}: thoughts")
    pieces: list[str] = []
    for thought in thoughts:
        _require(isinstance(thought, dict), f"{where}: thoughts")
        summary, text = _text(thought, "summary", where), _text(thought, "content", where)
        heading = f"**{summary.strip()}**" if summary.strip() and text.strip() else summary
        pieces.append("\n\n".join(piece for piece in (heading, text) if piece.strip()))
    return "\n\n".join(piece for piece in pieces if piece)


def _code(content: dict[str, Any], where: str) -> str:
    text = _text(content, "text", where)
    language = content.get("language")
    known = isinstance(language, str) and re.fullmatch(r"[A-Za-z0-9+#.-]{1,30}", language)
    return fenced(text, str(language) if known and language != "unknown" else "") if text else ""


def _quote(content: dict[str, Any], where: str) -> str:
    title, text = _text(content, "title", where), _text(content, "text", where)
    lines = [*([f"**{title.strip()}**", ""] if title.strip() else []), *text.splitlines()]
    return "\n".join(f"> {line}".rstrip() for line in lines) if text.strip() else ""


def _text(values: dict[str, Any], name: str, where: str) -> str:
    value = values.get(name)
    _require(value is None or isinstance(value, str), f"{where}: {name}")
    return value or ""


def _clean(text: str) -> str:
    return _CITATION.sub("", text)


def _require(holds: bool, where: str) -> None:
    if not holds:
        raise TransferError(Trouble.WRONG_TYPE, where=where)
