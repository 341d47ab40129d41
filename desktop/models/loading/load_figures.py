"""A load in rows: the plan beside what vLLM reported, and each stage beside its usual time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.engine_link.engine_state import CPU
from desktop.models.loading.load_record import Figures, LoadRecord, difference
from desktop.models.loading.size_text import count_text, size_text
from desktop.models.number_text import decimal

translate = QCoreApplication.translate

NOTHING: Final = "–"
_CLOSE: Final = 0.0005  # nearer than this is the same: it shows as 0.0 %


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a name, the plan's figure, the engine's, and by how much they differ."""

    name: str
    planned: str
    reported: str
    difference: str


def figure_rows(record: LoadRecord) -> list[Row]:
    """What was planned beside what came of it."""
    planned, reported = record.planned or Figures(), record.reported
    rows = []
    for name, text in (
        ("context", count_text),
        ("kv_tokens", count_text),
        ("weights", size_text),
        ("kv", size_text),
        ("overhead", size_text),
    ):
        before, after = getattr(planned, name), getattr(reported, name)
        rows.append(
            Row(
                _names()[name],
                text(before) if before is not None else NOTHING,
                text(after) if after is not None else NOTHING,
                difference_text(difference(before, after)),
            )
        )
    return rows


def stage_rows(record: LoadRecord) -> list[Row]:
    """How long each stage took, beside what is usual; the whole last."""
    stages, usual = record.stages or {}, record.usual or {}
    names = _stage_names()
    rows = [
        _time_row(names.get(stage, stage), usual.get(stage), seconds)
        for stage, seconds in stages.items()
    ]
    whole = sum(usual.values()) if usual else None
    rows.append(_time_row(translate("LoadFigures", "All together"), whole, record.seconds))
    return rows


def _time_row(name: str, usual: float | None, seconds: float) -> Row:
    off = seconds / usual - 1 if usual and usual >= 1 else None
    return Row(
        name,
        seconds_text(usual) if usual is not None else NOTHING,
        seconds_text(seconds),
        difference_text(off) if off is None or abs(off) >= _CLOSE else "",
    )


def seconds_text(seconds: float) -> str:
    """A time in seconds: "0.4 s", "14.2 s"."""
    return translate("LoadFigures", "{seconds} s").format(seconds=decimal(seconds))


def difference_text(share: float | None) -> str:
    """A difference with its sign: "+1.2 %"; "" where there is none to tell."""
    if share is None:
        return ""
    if abs(share) < _CLOSE:
        return translate("LoadFigures", "as planned")
    sign = "+" if share > 0 else "−"
    return translate("LoadFigures", "{sign}{percent} %").format(
        sign=sign, percent=decimal(100 * min(abs(share), 1e6))
    )


def lesson(record: LoadRecord) -> str:
    """What the next plan will do otherwise, in a sentence."""
    planned, reported = record.planned, record.reported
    if planned is None:
        return translate(
            "LoadFigures", "It was loaded without a plan; the next one can be planned."
        )
    if not reported.overhead:
        return translate(
            "LoadFigures", "The engine did not tell what it takes beside weights and chats."
        )
    off = difference(planned.overhead, reported.overhead)
    if record.device == CPU and off is not None and off <= 0:
        # A desktop must keep some memory: the planner leaves no less, whatever it has learned.
        return translate(
            "LoadFigures", "It needed no more memory than planned. The next plan stays as it is."
        )
    if off is not None and abs(off) < 0.01:
        return translate(
            "LoadFigures", "It needed as much memory as planned. The next plan stays as it is."
        )
    return translate(
        "LoadFigures",
        "Learned: beside weights and chats, this model takes {size} here. The next plan "
        "reckons with that.",
    ).format(size=size_text(reported.overhead))


def facts(record: LoadRecord) -> list[tuple[str, str]]:
    """The rest of it: what it runs on, and how."""
    return [
        (name, value)
        for name, value in (
            (translate("LoadFigures", "Device"), record.device),
            (translate("LoadFigures", "Computes in"), record.dtype),
            (translate("LoadFigures", "Quantisation"), record.quantization),
            (translate("LoadFigures", "Kernel"), record.kernel),
            (translate("LoadFigures", "Engine"), record.engine_version),
        )
        if value
    ]


def as_text(title: str, record: LoadRecord) -> str:
    """All of it for the clipboard, in columns."""
    lines = [title, ""]
    lines += [f"{name}: {value}" for name, value in facts(record)]
    for heads, rows in (
        (figure_heads(), figure_rows(record)),
        (stage_heads(), stage_rows(record)),
    ):
        table = [heads, *((r.name, r.planned, r.reported, r.difference) for r in rows)]
        widths = [max(len(row[column]) for row in table) for column in range(4)]
        lines.append("")
        lines += [
            "  ".join(
                cell.ljust(width) if column == 0 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in table
        ]
    lines += ["", lesson(record)]
    if record.settings:
        lines += ["", *(f"{name} = {value}" for name, value in record.settings.items())]
    return "\n".join(lines) + "\n"


def figure_heads() -> tuple[str, str, str, str]:
    """What the columns of `figure_rows` are."""
    return (
        "",
        translate("LoadFigures", "Planned"),
        translate("LoadFigures", "Reported"),
        translate("LoadFigures", "Difference"),
    )


def stage_heads() -> tuple[str, str, str, str]:
    """What the columns of `stage_rows` are."""
    return (
        "",
        translate("LoadFigures", "Usually"),
        translate("LoadFigures", "This time"),
        translate("LoadFigures", "Difference"),
    )


def _names() -> dict[str, str]:
    return {
        "context": translate("LoadFigures", "Context (tokens)"),
        "kv_tokens": translate("LoadFigures", "Room for chats (tokens)"),
        "weights": translate("LoadFigures", "Weights"),
        "kv": translate("LoadFigures", "Memory for chats (KV cache)"),
        "overhead": translate("LoadFigures", "Working memory"),
    }


def _stage_names() -> dict[str, str]:
    from desktop.models.engine_text import stage_text
    from engine.protocol import LoadStage

    names = {stage.value: stage_text(stage) for stage in LoadStage}
    return {stage: name[:1].upper() + name[1:] for stage, name in names.items()}
