"""Bounds on what one call or operator in a chat template may do.

A step inside Python's C code cannot be interrupted, so one that would make megabytes out
of a number ("center", a width in a format, "join") is refused before it begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

MAX_ITEMS = 10_000_000  # characters or items that one step may make
NUMBER_BITS = 4096
ROUNDED_DIGITS = 1000

# A conversion of "%": its width and its precision.
_CONVERSION = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(\d+|\*)?(?:\.(\d+|\*))?")
_NUMBER = re.compile(r"\d+")
_WIDTHS = frozenset({"center", "ljust", "rjust", "zfill", "to_bytes"})


def _refuse(what: str) -> None:
    from jinja2.exceptions import SecurityError

    raise SecurityError(f"{what} in the chat template is too large")


def _limit(size: int, what: str) -> None:
    if size > MAX_ITEMS:
        _refuse(what)


def check_operator(operator: str, left: Any, right: Any) -> None:
    """Refuse a repetition, number, power or width that is too large.

    Raises:
        SecurityError: it is.
    """
    if operator == "*":
        for count, items in ((left, right), (right, left)):
            if isinstance(items, str | bytes | list | tuple) and isinstance(count, int):
                _limit(count * len(items), "a repetition")
    if operator == "%" and isinstance(left, str | bytes):
        check_percent(left)
        return
    bits = [side.bit_length() for side in (left, right) if isinstance(side, int)]
    if max(bits, default=0) > NUMBER_BITS:
        _refuse("a number")
    if operator == "**" and len(bits) == 2 and bits[0] * abs(right) > NUMBER_BITS:
        _refuse("a power")


def check_percent(pattern: str | bytes) -> None:
    """Refuse `pattern % values` with wide conversions; "*" takes its width from the values."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    widths = [width for found in _CONVERSION.findall(text) for width in found if width]
    if "*" in widths or any(len(width) > 8 for width in widths):
        _refuse("a width")
    _limit(sum(map(int, widths)), "a width")


def check_field(spec: str) -> None:
    """Refuse a wide field of `str.format`."""
    for number in _NUMBER.findall(spec):
        if len(number) > 8 or int(number) > MAX_ITEMS:
            _refuse("a width")


def checked_arguments(method: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments for a method of a text or number, once its result is seen to be small."""
    text = getattr(method, "__self__", None)
    name = getattr(method, "__name__", "")
    if not isinstance(text, str | bytes | int) or not args:
        return args
    first = args[0]
    if name in _WIDTHS and isinstance(first, int):
        _limit(first, "a width")
    elif isinstance(text, int):
        pass
    elif name == "expandtabs" and isinstance(first, int):
        _limit(first * len(text), "a width")
    elif name == "join":
        return (checked_join(text, first), *args[1:])
    elif name == "replace" and len(args) > 1:
        check_replace(text, first, args[1])
    elif name == "translate" and isinstance(first, dict):
        longest = max((len(v) for v in first.values() if isinstance(v, str)), default=1)
        _limit(len(text) * longest, "a translation")
    return args


def checked_join(separator: Any, items: Iterable[Any]) -> list[Any]:
    """The items as a list, once they are seen to make a text that is not too long."""
    found = list(items)
    between = len(separator) if isinstance(separator, str | bytes) else 0
    _limit(
        sum(len(item) + between if isinstance(item, str | bytes) else between for item in found),
        "a joined text",
    )
    return found


def check_replace(text: Any, old: Any, new: Any) -> None:
    """Refuse a replacement that makes the text too long."""
    if len(new) > len(old):
        _limit(len(text) + text.count(old) * (len(new) - len(old)), "a replacement")


def limited_filters(filters: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Jinja's filters that can make much out of little, with limits."""
    plain = dict(filters)

    def center(value: Any, width: int = 80) -> Any:
        _limit(width, "a width")
        return plain["center"](value, width)

    def indent(s: Any, width: int | str = 4, first: bool = False, blank: bool = False) -> Any:
        step = width if isinstance(width, int) else len(width)
        _limit(step * (str(s).count("\n") + 1), "an indentation")
        return plain["indent"](s, width, first, blank)

    def batch(value: Any, linecount: int, fill_with: Any = None) -> Any:
        _limit(linecount, "a batch")
        return plain["batch"](value, linecount, fill_with)

    def percent(value: Any, *args: Any, **kwargs: Any) -> Any:
        check_percent(str(value))
        return plain["format"](value, *args, **kwargs)

    def do_round(value: float, precision: int = 0, method: Any = "common") -> float:
        if abs(precision) > ROUNDED_DIGITS:  # it becomes a power
            _refuse("a rounding")
        return float(plain["round"](value, precision, method))

    return {
        "center": center,
        "indent": indent,
        "batch": batch,
        "format": percent,
        "round": do_round,
        "join": _limited_join(plain["join"]),
        "replace": _limited_replace(plain["replace"]),
        "sum": _limited_sum(plain["sum"]),
    }


def _limited_join(plain: Callable[..., Any]) -> Callable[..., Any]:
    from jinja2 import pass_eval_context

    @pass_eval_context
    def join(context: Any, value: Any, d: Any = "", attribute: Any = None) -> Any:
        if attribute is None:
            value = checked_join(d, value)
        return plain(context, value, d, attribute)

    return join


def _limited_replace(plain: Callable[..., Any]) -> Callable[..., Any]:
    from jinja2 import pass_eval_context

    @pass_eval_context
    def replace(context: Any, s: Any, old: str, new: str, count: Any = None) -> Any:
        check_replace(str(s), old, new)
        return plain(context, s, old, new, count)

    return replace


def _limited_sum(plain: Callable[..., Any]) -> Callable[..., Any]:
    from jinja2 import pass_environment

    @pass_environment
    def total(environment: Any, iterable: Any, attribute: Any = None, start: Any = 0) -> Any:
        if not isinstance(start, int | float):  # lists would be copied again for each item
            _refuse("a sum")
        return plain(environment, iterable, attribute, start)

    return total
