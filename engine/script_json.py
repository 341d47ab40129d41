"""An answer that satisfies a JSON schema, for the scripted engine. Pure."""

from __future__ import annotations

import json
from typing import Any

MAX_DEPTH = 16
_PLAIN: dict[str, Any] = {
    "string": "scripted",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
}


def answer_json(schema_text: str) -> str:
    """A JSON text of the schema's shape: types, properties, items, enum, const, $ref, bounds."""
    try:
        schema = json.loads(schema_text)
    except (ValueError, RecursionError):
        schema = {}
    return json.dumps(_value(schema, schema, 0), ensure_ascii=False, indent=1)


def _value(schema: Any, root: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return {}
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    if isinstance(reference := schema.get("$ref"), str):
        return _value(_resolve(reference, root), root, depth + 1)
    for name in ("anyOf", "oneOf", "allOf"):
        if schema.get(name):
            return _value(schema[name][0], root, depth + 1)
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _value(item, root, depth + 1) for name, item in properties.items()}
    if kind == "array":
        count = max(1, int(schema.get("minItems", 1)))
        return [_value(schema.get("items", {"type": "string"}), root, depth + 1)] * count
    if kind in ("integer", "number") and "minimum" in schema:
        return schema["minimum"]
    if kind == "string":
        return _PLAIN["string"].ljust(int(schema.get("minLength", 0)), ".")[
            : schema.get("maxLength")
        ]
    return _PLAIN.get(kind, {})


def _resolve(reference: str, root: Any) -> Any:
    found = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        found = found.get(part, {}) if isinstance(found, dict) and part else found
    return found
