"""What is said of the limit that the memory's bandwidth sets, and of what was not measured."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.models.monitor.roofline import Roofline, Unknown
from desktop.models.number_text import decimal, whole
from desktop.views.monitor.card_words import gib_text, share_text, speed_text

translate = QCoreApplication.translate


def limit_text(limit: Roofline, share: float | None, rate: float | None) -> str:
    """The share of the limit, and the limit: "62 % of 200 tok/s"."""
    if limit.tps is None:
        return unknown_text(limit.unknown)
    most = speed_text(limit.tps)
    if share is None or not rate:
        return translate("Throughput", "at most {most}").format(most=most)
    return translate("Throughput", "{share} of {most}").format(share=share_text(share), most=most)


def unknown_text(unknown: Unknown | None) -> str:
    """Why there is no limit, in a few words."""
    match unknown:
        case Unknown.NO_CARD:
            return translate("Throughput", "not known for this card")
        case Unknown.NO_CPU:
            return translate("Throughput", "not known for this processor")
        case Unknown.NO_SHAPE:
            return translate("Throughput", "not known for this model")
        case Unknown.OFFLOAD:
            return translate("Throughput", "not known with weights in RAM")
    return translate("Throughput", "not known yet")


def limit_tip(limit: Roofline) -> str:
    """How the limit is reckoned, or why it cannot be."""
    match limit.unknown:
        case Unknown.NO_CARD:
            return translate(
                "Throughput", "The bandwidth of this card's memory is not told and in no table."
            )
        case Unknown.NO_CPU:
            return translate(
                "Throughput", "The bandwidth of this computer's memory has not been measured."
            )
        case Unknown.NO_SHAPE:
            return translate("Throughput", "The model's files do not tell how it is built.")
        case Unknown.OFFLOAD:
            return translate(
                "Throughput",
                "Some of the weights come over PCIe for each token, which is slower by far.",
            )
        case Unknown.NO_MODEL:
            return ""
    if not limit.context:
        load = translate("Throughput", "For one chat that has just begun.")
    elif limit.chats == 1:
        load = translate("Throughput", "For one chat of {tokens} tokens.").format(
            tokens=whole(limit.context)
        )
    else:
        load = translate(
            "Throughput", "For {chats} chats of {tokens} tokens each, on average."
        ).format(chats=whole(limit.chats), tokens=whole(limit.context))
    each = (
        translate("Throughput", "each of {count} GPUs reads").format(count=limit.devices)
        if limit.devices > 1
        else translate("Throughput", "are read")
    )
    how = translate(
        "Throughput",
        "For each step {each} {size} (the weights once for all chats, and each chat's KV cache) "
        "at {bandwidth} GB/s.",
    ).format(each=each, size=gib_text(limit.step_bytes), bandwidth=decimal(limit.bandwidth / 1e9))
    return f"{load} {how}"


def nothing_yet(field: str, *, is_loaded: bool) -> str:
    """Why a reading of the engine is not there."""
    if not is_loaded:
        return translate("Throughput", "No model is loaded.")
    if field.startswith("ttft"):
        return translate("Throughput", "No answer has begun in the last minute.")
    if field.startswith("itl"):
        return translate("Throughput", "No answer has gone on in the last minute.")
    if field == "prefix_hit_rate":
        return translate("Throughput", "No prompt has been read in the last minute.")
    return translate("Throughput", "The engine has not told it yet.")
