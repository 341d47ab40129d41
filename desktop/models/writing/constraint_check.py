"""Whether a JSON schema or a pattern can constrain an answer; said while it is typed."""

from __future__ import annotations

import json
import re
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.models.number_text import whole

translate = QCoreApplication.translate

MAX_LENGTH: Final = 100_000  # characters; a schema larger than this compiles for minutes
MAX_PATTERN: Final = 8 * 1024  # as the engine's; each key compiles it anew
_TYPES: Final = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))


def schema_fault(text: str) -> str:
    """What is wrong with a JSON schema, for the user; empty if nothing is (or none is there)."""
    if not text.strip():
        return ""
    if len(text) > MAX_LENGTH:
        return translate("ConstraintCheck", "This is longer than {count} characters.").format(
            count=whole(MAX_LENGTH)
        )
    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        return translate("ConstraintCheck", "Line {line}, column {column}: {reason}").format(
            line=error.lineno, column=error.colno, reason=error.msg
        )
    except RecursionError:
        return translate("ConstraintCheck", "This is nested too deeply.")
    if not isinstance(schema, dict):
        return translate("ConstraintCheck", "A schema is an object: it begins with a brace.")
    kinds = schema.get("type", "object")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in _TYPES:
            return translate("ConstraintCheck", "There is no type {kind} in JSON.").format(
                kind=json.dumps(kind)
            )
    if not isinstance(schema.get("properties", {}), dict):
        return translate("ConstraintCheck", "“properties” must be an object.")
    return ""


def pattern_fault(text: str) -> str:
    """What is wrong with a regular expression, for the user; empty if nothing is."""
    if not text:
        return ""
    if len(text) > MAX_PATTERN:
        return translate("ConstraintCheck", "This is longer than {count} characters.").format(
            count=whole(MAX_PATTERN)
        )
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        return translate("ConstraintCheck", "This pattern cannot be read: {reason}").format(
            reason=error
        )
    if re.search(r"\\[1-9]|\(\?P=|\(\?<?[=!]", text):
        # The engine builds an automaton of it, which has neither.
        return translate(
            "ConstraintCheck", "Look-around and references back to a group cannot be used here."
        )
    return ""
