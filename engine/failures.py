"""vLLM's errors -> cause in plain words + remedies that will work. Pure text matching.

The innermost cause counts: "Engine core initialization failed" and its like are wrappers that
say nothing. With several processes, what they wrap stands in the log alone: `explain` takes its
end, and the window calls `refined` with the log it keeps, and with who holds the GPUs' memory.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from engine import remedies as do
from engine.failure_rules import RULES, Rule
from engine.failure_words import all_words, in_gib, words
from engine.protocol import Failure, Remedy, RemedyAction, Scope
from engine.remedies import Holder, Known

__all__ = [
    "DETAIL_CHARS",
    "RULES",
    "Holder",
    "Known",
    "all_texts",
    "explain",
    "is_vague",
    "refined",
]

DETAIL_CHARS: Final = 20_000
LOG_CHARS: Final = 200_000  # of the log's end; an error and its traceback are far shorter
REMEDIES: Final = 4  # as many buttons stand beside each other
REASON_CHARS: Final = 300
HOLDERS: Final = 3
DIGITS: Final = 30  # of a number; a longer one is a text of somebody's

_UNKNOWN: Final = {
    Scope.LOAD: words("The model could not be loaded: {reason}"),
    Scope.REQUEST: words("The answer failed: {reason}"),
    Scope.ENGINE: words("The engine failed: {reason}"),
    Scope.SLEEP: words("The model could not be put to sleep or woken: {reason}"),
}
NO_REASON: Final = words("no reason was given")
_HOLDER: Final = "{name} ({gib} GiB)"


def explain(
    scope: Scope,
    error: str,
    *,
    log: str = "",
    known: Known | None = None,
    load_id: int = 0,
    request_id: str = "",
) -> Failure:
    """The failure to show for an error.

    Args:
        error: its full text (a traceback, innermost last).
        log: the end of the engine's log: what a worker process died of stands only there.
        known: what is known besides; remedies then never repeat what was refused.
    """
    error, known = _sendable(error), known or Known()
    found = _match(error)
    if log and (found is None or found[0].wrapper):
        inner = "\n".join(_error_lines(_sendable(log)))
        deeper = _match(inner)
        if deeper is not None and (found is None or not deeper[0].wrapper):
            found, error = deeper, f"{error}\n\n{inner}"
    if found is None:
        return _unexplained(scope, error, load_id, request_id)
    rule, values = found
    return Failure(
        scope,
        _cause(rule, values, known),
        code=rule.code,
        remedies=_remedies(rule, values, known),
        detail=error[-DETAIL_CHARS:],
        load_id=load_id,
        request_id=request_id,
    )


def refined(failure: Failure, *, log: str = "", known: Known | None = None) -> Failure:
    """`failure` told again by what the window knows besides; as it was, where that is nothing.

    A failure that only wraps another is replaced by what the log's end tells of. Of one that
    says that memory is full, the cause then names who holds it. Others are exact already: the
    engine knew the load, and its remedies stay.
    """
    if failure.code == STOPPED_CODE or is_vague(failure):
        # The detail of a process that is gone is its log.
        logged = failure.detail if failure.code == STOPPED_CODE else log
        error = "" if failure.code == STOPPED_CODE else failure.detail
        again = _again(failure, error, logged, known)
        return failure if again.code == UNKNOWN_CODE else again
    if known is None or not known.holders or failure.code not in _OF_VRAM:
        return failure
    again = _again(failure, failure.detail, "", known)
    if again.code != failure.code:
        return failure
    others = [each for each in again.remedies if each.action is RemedyAction.UNLOAD_OTHERS]
    kept = [each for each in failure.remedies if each.action is not RemedyAction.UNLOAD_OTHERS]
    return replace(failure, cause=again.cause, remedies=(*kept[:1], *others, *kept[1:]))


def _again(failure: Failure, error: str, log: str, known: Known | None) -> Failure:
    return explain(
        failure.scope,
        error,
        log=log,
        known=known,
        load_id=failure.load_id,
        request_id=failure.request_id,
    )


_OF_VRAM: Final = frozenset({"vram_in_use", "vram_weights", "vram_full", "vram_warmup"})
UNKNOWN_CODE: Final = "unknown"
STOPPED_CODE: Final = "engine_stopped"  # of the link's own failure, see `last_words`
_WRAPPERS: Final = frozenset(rule.code for rule in RULES if rule.wrapper)


def is_vague(failure: Failure) -> bool:
    """Whether the log's end may tell more than this failure does."""
    return failure.code in _WRAPPERS or failure.code == UNKNOWN_CODE


# Modules with texts that a failure may be made from; a test finds those that are missing here.
TEXT_MODULES: Final = (
    "engine.load_limit",
    "engine.overflow",
    "engine.planner.folder_reader",
    "engine.planner.gguf_reader",
    "engine.quantize.refusal_words",
    "engine.refusals",
    "engine.store.catalogue",
    "engine.store.convert",
    "engine.store.download.control",
    "engine.store.download.names",
    "engine.store.download.partials",
    "engine.store.download.room",
    "engine.store.download.store_folder",
    "engine.store.download.task",
    "engine.store.download.texts",
    "engine.store.folder_checks",
    "engine.store.folder_error",
    "engine.store.gguf_convert",
    "engine.store.gguf_cost",
    "engine.store.gguf_header",
    "engine.store.gguf_rope",
    "engine.store.gguf_source",
    "engine.store.hub.account",
    "engine.store.hub.asking",
    "engine.store.hub.call",
    "engine.store.hub.choice",
    "engine.store.hub.connection_words",
    "engine.store.hub.desk",
    "engine.store.hub.formats",
    "engine.store.hub.judge",
    "engine.store.hub.listing",
    "engine.store.hub.network",
    "engine.store.hub.refusals",
    "engine.store.hub.repo_files",
    "engine.store.hub.shapes",
    "engine.store.hub.verdicts",
    "engine.store.library.bin",
    "engine.store.library.disk_words",
    "engine.store.library.facts",
    "engine.store.library.importing",
    "engine.store.library.look",
    "engine.store.library.move_copy",
    "engine.store.library.moving",
    "engine.store.library.removal",
    "engine.store.library.scan",
    "engine.store.library.store_lock",
    "engine.store.library.store_place",
    "engine.store.library.verify",
    "engine.store.library.wire",
    "engine.store.made_folder",
    "engine.store.model_folder",
    "engine.store.origin",
    "engine.store.starter",
)


def all_texts() -> tuple[str, ...]:
    """Every text that a failure or a remedy of the engine's may be made from, for translation."""
    for name in TEXT_MODULES:
        importlib.import_module(name)
    return all_words()


# --- inside --------------------------------------------------------------------------------


def _sendable(text: str) -> str:
    """The end of a text, without what is not Unicode (the names of files may be any bytes)."""
    return text[-LOG_CHARS:].encode("utf-8", "replace").decode("utf-8")


def _match(error: str) -> tuple[Rule, dict[str, str]] | None:
    """The first rule that the text fits, and its values."""
    for rule in RULES:
        match = re.search(rule.pattern, error, re.DOTALL)
        if match is None:
            continue
        values: dict[str, str] = {}
        for source in (match, *(re.search(more, error, re.DOTALL) for more in rule.also)):
            for name, value in (source.groupdict() if source else {}).items():
                if value is not None:
                    values.setdefault(name.rstrip("23"), value.strip())
        return rule, values
    return None


def _cause(rule: Rule, values: dict[str, str], known: Known) -> str:
    shown = {name: _shown(value) for name, value in values.items()}
    shown["dtype"] = values.get("dtype", "").removeprefix("torch.")
    if known.holders:
        largest = sorted(known.holders, key=lambda holder: -holder.size)[:HOLDERS]
        shown["holders"] = ", ".join(
            _HOLDER.format(name=holder.name, gib=in_gib(holder.size)) for holder in largest
        )
    for cause in rule.causes:
        places = re.findall(r"\{(\w+)\}", cause)
        if all(shown.get(place) for place in places):
            return cause.format(**shown)
    return rule.causes[-1]


_DECIMAL = re.compile(rf"\d{{1,{DIGITS}}}\.\d+")


def _shown(value: str) -> str:
    """A number as the user reads it; other texts as they are, on one line and not too long."""
    if value.isdecimal() and len(value) <= DIGITS:
        return f"{int(value):,}"
    if _DECIMAL.fullmatch(value):
        whole, _, digits = value.partition(".")
        return f"{int(whole):,}.{digits}"
    return " ".join(value.split())[:REASON_CHARS]


def _remedies(rule: Rule, values: dict[str, str], known: Known) -> tuple[Remedy, ...]:
    made: dict[str, Remedy] = {}
    for maker in rule.remedies:
        remedy = maker(values, known)
        if remedy is not None and not _is_refused(remedy, known):
            made.setdefault(remedy.label, remedy)
    if not made:
        remedy = do.choose(values, known)
        assert remedy is not None
        made[remedy.label] = remedy
    first, last = list(made.values())[: REMEDIES - 1], list(made.values())[REMEDIES - 1 :]
    return (*first, *last[-1:])  # the last resort is always among them


def _is_refused(remedy: Remedy, known: Known) -> bool:
    """Whether it would load with what was just refused."""
    if remedy.action is not RemedyAction.RELOAD_WITH or known.settings is None:
        return False
    return all(
        getattr(known.settings, name, None) == value for name, value in remedy.settings.items()
    )


def _unexplained(scope: Scope, error: str, load_id: int, request_id: str) -> Failure:
    remedies = [do.retry, do.show_log]
    if scope is Scope.LOAD:
        remedies.append(do.choose)
    made = (maker({}, Known()) for maker in remedies)
    return Failure(
        scope,
        _UNKNOWN[scope].format(reason=_reason(error) or NO_REASON),
        code=UNKNOWN_CODE,
        remedies=tuple(remedy for remedy in made if remedy is not None),
        detail=error[-DETAIL_CHARS:],
        load_id=load_id,
        request_id=request_id,
    )


_EXCEPTION = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b")
_PYDANTIC = re.compile(r"^ +Value error, (.+?)(?: \[type=.*)?$", re.MULTILINE)


def _reason(error: str) -> str:
    """The line of a traceback that says most: the last exception's."""
    if told := _PYDANTIC.findall(error):
        return str(told[-1])[:REASON_CHARS]
    lines = [line.strip() for line in error.splitlines() if line.strip()]
    named = [line for line in error.splitlines() if _EXCEPTION.match(line)]
    return (named or lines or [""])[-1][:REASON_CHARS]


# How vLLM and its workers begin their lines, once or twice.
_PREFIX = re.compile(
    r"^(?:\([\w-]+(?: \S+)?(?: pid=\d+)?\) ?)*(?:(?P<level>[A-Z]+) \d\d-\d\d \d\d:\d\d:\d\d "
    r"\[[^\]]*\] ?)?"
)
_TRACEBACK = "Traceback (most recent call last):"


def _error_lines(log: str) -> Iterator[str]:
    """The lines of a log that tell of errors: its tracebacks, and what vLLM marks as such."""
    inside = False
    for line in log.splitlines():
        match = _PREFIX.match(line)
        level = match["level"] if match else None
        text = line[match.end() :] if match else line
        if _TRACEBACK in text:
            inside = True
        marked = level in ("ERROR", "CRITICAL")
        if marked or (inside and level is None) or (level is None and _EXCEPTION.match(text)):
            yield text
        if inside and text and not text[0].isspace() and _TRACEBACK not in text and not marked:
            inside = False  # the exception itself, which ends its traceback
