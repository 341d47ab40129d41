"""Readings in words: values with their units, reasons, states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

from desktop.hardware.reading_text import spoken
from desktop.models.engine_text import model_name
from desktop.models.loading.size_text import size_text
from desktop.models.monitor.memory_split import Part, Segment
from desktop.models.number_text import decimal, whole

if TYPE_CHECKING:
    from desktop.hardware.readings import GpuReading, HostReading, PcieLink

translate = QCoreApplication.translate
GIB: Final = 1024**3


def not_available() -> str:
    """What is shown in the place of a value that is not there."""
    return translate("MonitorCards", "not available")


def percent_text(value: float) -> str:
    """A share of a hundred: "97 %"."""
    return translate("MonitorCards", "{number} %").format(number=decimal(value, 0))


def share_text(value: float) -> str:
    """A share of 1 in per cent; small ones with a digit after the point."""
    number = 100 * value
    digits = 1 if 0 < number < 9.95 else 0
    return translate("MonitorCards", "{number} %").format(number=decimal(number, digits))


def watts_text(value: float) -> str:
    """Power: "341 W"."""
    return translate("MonitorCards", "{number} W").format(number=decimal(value, 0))


def degrees_text(value: float) -> str:
    """A temperature: "83 °C"."""
    return translate("MonitorCards", "{number} °C").format(number=decimal(value, 0))


def clock_text(value: float) -> str:
    """A clock: "1,695 MHz"."""
    return translate("MonitorCards", "{number} MHz").format(number=decimal(value, 0))


def gib_text(value: float) -> str:
    """Memory in GiB, always with one digit after the point."""
    return translate("MonitorCards", "{number} GiB").format(number=decimal(value / GIB, 1))


def rate_text(value: float) -> str:
    """Traffic: "512 MiB/s"."""
    return translate("MonitorCards", "{size}/s").format(size=size_text(int(value)))


def speed_text(value: float) -> str:
    """Tokens a second; slow ones with a digit after the point."""
    number = decimal(value, 1 if value < 99.95 else 0)
    return translate("MonitorCards", "{number} tok/s").format(number=number)


def count_text(value: float) -> str:
    """A number of things."""
    return whole(round(value))


def latency_text(seconds: float) -> str:
    """A short time: "38 ms", "1.2 s"."""
    if seconds < 0.9995:
        return translate("MonitorCards", "{number} ms").format(number=decimal(1000 * seconds, 0))
    number = decimal(seconds, 1 if seconds < 100 else 0)
    return translate("MonitorCards", "{number} s").format(number=number)


def seconds_text(seconds: float) -> str:
    """How long a stage took: "4.2 s", "2 min 5 s"."""
    if seconds < 100:
        return translate("MonitorCards", "{number} s").format(number=decimal(seconds, 1))
    minutes, rest = divmod(round(seconds), 60)
    return translate("MonitorCards", "{minutes} min {seconds} s").format(
        minutes=whole(minutes), seconds=rest
    )


def ago_text(seconds: float) -> str:
    """How long ago: "now", "42 s ago", "3 min 05 s ago"."""
    minutes, rest = divmod(round(seconds), 60)
    if not minutes and not rest:
        return translate("MonitorCards", "now")
    if not minutes:
        return translate("MonitorCards", "{seconds} s ago").format(seconds=rest)
    return translate("MonitorCards", "{minutes}:{seconds} ago").format(
        minutes=minutes, seconds=f"{rest:02}"
    )


def ago_mark(seconds: float) -> str:
    """The same where there is little room: "−0:42"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"−{minutes}:{rest:02}"


def part_text(segment: Segment) -> str:
    """What a part of the memory is; programs and models by their names."""
    name = model_name(segment.name) if segment.part in ENGINE_PARTS else segment.name
    match segment.part:
        case Part.WEIGHTS:
            return translate("MonitorCards", "Weights")
        case Part.KV_USED:
            return translate("MonitorCards", "KV in use")
        case Part.KV_CACHED:
            return translate("MonitorCards", "KV cached")
        case Part.KV_FREE:
            return translate("MonitorCards", "KV free")
        case Part.OVERHEAD:
            return translate("MonitorCards", "Working memory")
        case Part.OTHER:
            return name or translate("MonitorCards", "Other programs")
        case Part.UNNAMED:
            return translate("MonitorCards", "Unnamed")
        case Part.RESERVED:
            return translate("MonitorCards", "Driver")
        case Part.FREE:
            return translate("MonitorCards", "Free")


ENGINE_PARTS: Final = (Part.WEIGHTS, Part.KV_USED, Part.KV_CACHED, Part.KV_FREE, Part.OVERHEAD)


def gpu_title(gpu: GpuReading) -> str:
    """Number and name; one that fell off the bus has no number."""
    name = (gpu.name or translate("MonitorCards", "GPU")).removeprefix("NVIDIA ")
    if gpu.index < 0:
        return name
    return translate("MonitorCards", "GPU {number} · {name}").format(number=gpu.index, name=name)


def reason(reading: GpuReading | HostReading, *fields: str) -> str:
    """Why a reading is not there; "" where nothing is missing, or nothing is known of why."""
    found = next((reading.missing[field] for field in fields if field in reading.missing), None)
    return spoken(found) if found is not None else ""


def throttle_text(gpu: GpuReading) -> str:
    """What holds the clocks down: "Held back: power limit"; "" for nothing."""
    if not gpu.throttle:
        return ""
    return translate("MonitorCards", "Held back: {causes}").format(
        causes=", ".join(spoken(one) for one in gpu.throttle)
    )


def pcie_text(link: PcieLink) -> str:
    """As “PCIe 3.0 ×8 of 4.0 ×16”: the link now, and what it could be."""
    now = f"{link.generation}.0 ×{link.width}"
    most = f"{link.max_generation or link.generation}.0 ×{link.max_width or link.width}"
    if most == now:
        return translate("MonitorCards", "PCIe {now}").format(now=now)
    return translate("MonitorCards", "PCIe {now} of {most}").format(now=now, most=most)


def link_text(gpu: GpuReading) -> str:
    """The links: PCIe and NVLink."""
    parts = [pcie_text(gpu.pcie)] if gpu.pcie is not None else []
    active = sum(link.active for link in gpu.nvlink or ())
    if active:
        parts.append(translate("MonitorCards", "NVLink, {count} links").format(count=active))
    return " · ".join(parts)
