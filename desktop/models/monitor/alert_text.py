"""Alerts in words: what is the matter, and what to do about it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.models.engine_text import model_name
from desktop.models.monitor.alerts import Alert, Cause, Kind
from desktop.models.number_text import decimal, whole

translate = QCoreApplication.translate


def kind_text(kind: Kind) -> str:
    """What a rule watches, as a line of the settings."""
    return {
        Kind.GPU_LOST: translate("Alerts", "A GPU no longer answers"),
        Kind.TEMPERATURE: translate("Alerts", "Temperature of a GPU"),
        Kind.THROTTLE_HEAT: translate("Alerts", "A GPU is slowed down by heat"),
        Kind.THROTTLE_POWER: translate("Alerts", "A GPU is held at its power limit for minutes"),
        Kind.VRAM: translate("Alerts", "Memory of a GPU in use"),
        Kind.LATENCY: translate("Alerts", "Time between two tokens (nine out of ten)"),
        Kind.PREEMPTIONS: translate("Alerts", "Answers sent back to the queue"),
        Kind.EVICTIONS: translate("Alerts", "Cached text given up"),
    }[kind]


def unit_text(kind: Kind) -> str:
    """The unit of a rule's limit; "" where there is none to set."""
    return {
        Kind.TEMPERATURE: translate("Alerts", "°C"),
        Kind.VRAM: translate("Alerts", "%"),
        Kind.LATENCY: translate("Alerts", "ms"),
        Kind.PREEMPTIONS: translate("Alerts", "a minute"),
        Kind.EVICTIONS: translate("Alerts", "% of the KV cache a minute"),
    }.get(kind, "")


def subject_text(cause: Cause) -> str:
    """What an alert is of: "GPU 1 (NVIDIA GeForce RTX 3090)", or the model's name."""
    if cause.gpu is None:
        return model_name(cause.name)
    if cause.gpu < 0:
        return cause.name or translate("Alerts", "A GPU")
    if not cause.name:
        return translate("Alerts", "GPU {number}").format(number=cause.gpu)
    return translate("Alerts", "GPU {number} ({name})").format(number=cause.gpu, name=cause.name)


def short_text(alert: Alert) -> str:
    """A few words, for the status bar."""
    of = short_subject(alert.cause)
    match alert.kind:
        case Kind.GPU_LOST:
            return translate("Alerts", "{gpu} lost").format(gpu=of)
        case Kind.TEMPERATURE:
            return translate("Alerts", "{gpu} {degrees} °C").format(
                gpu=of, degrees=whole(round(alert.value))
            )
        case Kind.THROTTLE_HEAT:
            return translate("Alerts", "{gpu} slowed by heat").format(gpu=of)
        case Kind.THROTTLE_POWER:
            return translate("Alerts", "{gpu} at power limit").format(gpu=of)
        case Kind.VRAM:
            return translate("Alerts", "{gpu} memory {percent} %").format(
                gpu=of, percent=whole(round(alert.value))
            )
        case Kind.LATENCY:
            return translate("Alerts", "Slow: {milliseconds} ms a token").format(
                milliseconds=whole(round(alert.value))
            )
        case Kind.PREEMPTIONS:
            return translate("Alerts", "Preempted: {count} a minute").format(
                count=whole(round(alert.value))
            )
        case Kind.EVICTIONS:
            return translate("Alerts", "KV cache evicted: {percent} % a minute").format(
                percent=whole(round(alert.value))
            )


def short_subject(cause: Cause) -> str:
    """As `subject_text`, without the GPU's name."""
    if cause.gpu is None:
        return model_name(cause.name)
    if cause.gpu < 0:
        return translate("Alerts", "GPU")
    return translate("Alerts", "GPU {number}").format(number=cause.gpu)


def alert_text(alert: Alert) -> str:
    """What is the matter, in a sentence."""
    of = subject_text(alert.cause)
    match alert.kind:
        case Kind.GPU_LOST:
            return translate("Alerts", "{gpu} no longer answers.").format(gpu=of)
        case Kind.TEMPERATURE:
            return translate("Alerts", "{gpu} is at {degrees} °C.").format(
                gpu=of, degrees=whole(round(alert.value))
            )
        case Kind.THROTTLE_HEAT:
            return translate("Alerts", "{gpu} is too hot and runs slower.").format(gpu=of)
        case Kind.THROTTLE_POWER:
            return translate("Alerts", "{gpu} is held at its power limit.").format(gpu=of)
        case Kind.VRAM:
            return translate("Alerts", "{percent} % of the memory of {gpu} is in use.").format(
                gpu=of, percent=decimal(alert.value)
            )
        case Kind.LATENCY:
            return translate(
                "Alerts", "One token in ten of {model} takes {milliseconds} ms or longer."
            ).format(model=of, milliseconds=whole(round(alert.value)))
        case Kind.PREEMPTIONS:
            return translate(
                "Alerts",
                "{model}: within the last minute, answers were sent back to the queue {count} "
                "times, since the KV cache was full.",
            ).format(model=of, count=whole(round(alert.value)))
        case Kind.EVICTIONS:
            return translate(
                "Alerts",
                "{model}: {percent} % of the KV cache was evicted within the last minute; that "
                "text must be read again when its chat goes on.",
            ).format(model=of, percent=whole(round(alert.value)))


def advice_text(kind: Kind) -> str:
    """What to do about it."""
    return {
        Kind.GPU_LOST: translate(
            "Alerts",
            "The driver tries to find it again. If it stays away, restart the computer; if it "
            "happens again, look at power cables, riser and temperature.",
        ),
        Kind.TEMPERATURE: translate(
            "Alerts",
            "Give it more air, raise its fans' speed, or lower its power limit (nvidia-smi -pl).",
        ),
        Kind.THROTTLE_HEAT: translate(
            "Alerts",
            "Give it more air, raise its fans' speed, or lower its power limit (nvidia-smi -pl).",
        ),
        Kind.THROTTLE_POWER: translate(
            "Alerts",
            "That is its limit at work. If the power supply allows, raise it (nvidia-smi -pl); "
            "else nothing need be done.",
        ),
        Kind.VRAM: translate(
            "Alerts",
            "Close other programs that use the GPU, or load the model with less memory for chats.",
        ),
        Kind.LATENCY: translate(
            "Alerts",
            "Fewer answers at once, or shorter chats, make each one faster; so does a smaller or "
            "a quantised model.",
        ),
        Kind.PREEMPTIONS: translate(
            "Alerts",
            "Let fewer answers run at once, shorten the chats, or load the model with more memory "
            "for chats.",
        ),
        Kind.EVICTIONS: translate(
            "Alerts",
            "More chats are under way than the cache can keep. Load the model with more memory "
            "for chats, or close chats that you have finished.",
        ),
    }[kind]
