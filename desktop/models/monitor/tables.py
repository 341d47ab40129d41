"""The monitor's readings as tables, for other programs: CSV with the units in the head. Pure."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.models.engine_text import model_name

if TYPE_CHECKING:
    from desktop.models.monitor.history import History
    from desktop.models.monitor.ledger import LedgerRow

translate = QCoreApplication.translate

Cell = str | int | float | None

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_DIGITS: Final = 6  # of a number that is no whole one


def histories_table(
    history: History, engines: Mapping[int, str], clock_of_now: float
) -> list[list[Cell]]:
    """Every series that is shown, a row for each moment; the head names units.

    Args:
        engines: models' paths, by the engine's key.
        clock_of_now: seconds since 1970 at `history.now`.
    """
    names = history.names
    series = {name: history.series(name) for name in names}
    times = next((times for times, _ in series.values() if len(times)), None)
    head: list[Cell] = [translate("MonitorTable", "Time (UTC)")]
    head += [series_title(name, engines) for name in names]
    rows: list[list[Cell]] = [head]
    for index, at in enumerate(times if times is not None else ()):
        values = [_number(series[name][1][index]) for name in names]
        if any(value is not None for value in values):
            moment = datetime.fromtimestamp(clock_of_now - (history.now - at), UTC)
            rows.append([moment.isoformat(timespec="milliseconds"), *values])
    return rows


def chats_table(rows: Iterable[LedgerRow]) -> list[list[Cell]]:
    """The ledger, a row for each chat; the head names units."""
    table: list[list[Cell]] = [
        [
            translate("MonitorTable", "Chat"),
            translate("MonitorTable", "Is at"),
            translate("MonitorTable", "KV blocks"),
            translate("MonitorTable", "Shared with others (%)"),
            translate("MonitorTable", "Context (tokens)"),
            translate("MonitorTable", "To read again for the next reply (tokens)"),
            translate("MonitorTable", "Speed (tokens/s)"),
            translate("MonitorTable", "Place in the queue"),
            translate("MonitorTable", "Times sent back to the queue"),
        ]
    ]
    for row in rows:
        owner, share = row.owner, row.shared_share
        table.append(
            [
                owner.ref.title,
                row.state.value,
                row.blocks,
                None if share is None else _number(100 * share),
                owner.context,
                owner.rereads,
                None if row.tps is None else _number(row.tps),
                owner.position or None,
                owner.preemptions,
            ]
        )
    return table


def to_csv(table: Sequence[Sequence[Cell]]) -> bytes:
    """A table as CSV in UTF-8, with a mark by which spreadsheets know that it is.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe: a chat's title
    is written by others.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    for row in table:
        writer.writerow([_harmless(cell) for cell in row])
    return text.getvalue().encode("utf-8-sig", errors="replace")


def series_title(name: str, engines: Mapping[int, str]) -> str:
    """A series' name in words, with its unit: "GPU 0 power (W)"."""
    of, _, field = name.partition(".")
    if of.startswith("gpu"):
        subject = translate("MonitorTable", "GPU {number}").format(number=of[3:])
    elif of.startswith("engine") and of[6:].isdigit():
        subject = model_name(engines.get(int(of[6:]), "")) or translate(
            "MonitorTable", "Engine {number}"
        ).format(number=of[6:])
    else:
        subject = translate("MonitorTable", "Computer")
    return f"{subject} {_FIELDS.get(field, lambda: field)()}"


_FIELDS: Final = {
    "utilisation": lambda: translate("MonitorTable", "utilisation (%)"),
    "memory_utilisation": lambda: translate("MonitorTable", "memory traffic (%)"),
    "memory_used": lambda: translate("MonitorTable", "memory in use (bytes)"),
    "power": lambda: translate("MonitorTable", "power (W)"),
    "temperature": lambda: translate("MonitorTable", "temperature (°C)"),
    "clock_sm": lambda: translate("MonitorTable", "clock (MHz)"),
    "clock_memory": lambda: translate("MonitorTable", "memory clock (MHz)"),
    "pcie_rx": lambda: translate("MonitorTable", "PCIe in (bytes/s)"),
    "pcie_tx": lambda: translate("MonitorTable", "PCIe out (bytes/s)"),
    "nvlink_rx": lambda: translate("MonitorTable", "NVLink in (bytes/s)"),
    "nvlink_tx": lambda: translate("MonitorTable", "NVLink out (bytes/s)"),
    "generation_tps": lambda: translate("MonitorTable", "generation (tokens/s)"),
    "prompt_tps": lambda: translate("MonitorTable", "prompts (tokens/s)"),
    "running": lambda: translate("MonitorTable", "running (requests)"),
    "waiting": lambda: translate("MonitorTable", "waiting (requests)"),
    "preempted": lambda: translate("MonitorTable", "preempted since the load (requests)"),
    "kv_used": lambda: translate("MonitorTable", "KV in use (blocks)"),
    "kv_cached": lambda: translate("MonitorTable", "KV cached (blocks)"),
    "prefix_hit_rate": lambda: translate("MonitorTable", "prefix cache hits (share)"),
    "ttft_p50": lambda: translate("MonitorTable", "time to first token p50 (s)"),
    "ttft_p90": lambda: translate("MonitorTable", "time to first token p90 (s)"),
    "itl_p50": lambda: translate("MonitorTable", "time between tokens p50 (s)"),
    "itl_p90": lambda: translate("MonitorTable", "time between tokens p90 (s)"),
    "resident_bytes": lambda: translate("MonitorTable", "memory of its process (bytes)"),
    "load": lambda: translate("MonitorTable", "processor (%)"),
    "ram_used": lambda: translate("MonitorTable", "memory in use (bytes)"),
    "swap_used": lambda: translate("MonitorTable", "swap in use (bytes)"),
}


def _number(value: float) -> int | float | None:
    """None for a gap; whole numbers without a point."""
    if math.isnan(value):
        return None
    return int(value) if value == int(value) else round(value, _DIGITS)


def _harmless(cell: Cell) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA):
        return f"'{cell}"
    return cell
