"""A trial of one GPU against two, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.models.failure_text import translated
from desktop.models.number_text import decimal, whole

if TYPE_CHECKING:
    from desktop.models.loading.tp_choice import Tried
    from desktop.models.loading.tp_trial import TrialResult
    from engine.protocol import Rate

translate = QCoreApplication.translate


def way_text(size: int) -> str:
    """What is tried."""
    if size == 1:
        return translate("TrialWords", "One GPU")
    return translate("TrialWords", "Two GPUs")


def tried_text(tried: Tried) -> str:
    """What one way came to: its figures, or why there are none."""
    if tried.failure is not None:
        return translated(tried.failure).cause
    seconds = tried.seconds
    if seconds is None:
        return translate("TrialWords", "It could not be measured.")
    lines = [_rate_text(rate) for rate in tried.rates]
    lines.append(
        translate("TrialWords", "{seconds} s for a question of 512 tokens and its answer").format(
            seconds=decimal(seconds)
        )
    )
    if tried.without_p2p:
        lines.append(translate("TrialWords", "without the direct link between the GPUs"))
    return "\n".join(lines)


def _rate_text(rate: Rate) -> str:
    figures = {"write": _speed(rate.decode_tps), "read": _speed(rate.prompt_tps)}
    if rate.streams == 1:
        return translate(
            "TrialWords", "One chat: writes {write} tokens/s, reads {read} tokens/s"
        ).format(**figures)
    return translate(
        "TrialWords", "{count} chats together: write {write} tokens/s, read {read} tokens/s"
    ).format(count=whole(rate.streams), **figures)


def _speed(rate: float) -> str:
    return decimal(rate, 0 if rate >= 10 else 1)


def outcome_text(result: TrialResult) -> str:
    """How it ended, in a sentence or two."""
    if result.cancelled:
        return translate("TrialWords", "Stopped. What was loaded before is loaded again.")
    choice, one, two = result.choice, result.one, result.two
    if choice is None:
        return translate(
            "TrialWords", "Neither could be measured. What was loaded before is loaded again."
        )
    first = one.seconds if one is not None else None
    second = two.seconds if two is not None else None
    if first is None or second is None:
        said = translate("TrialWords", "Only this could be measured: {way}.").format(
            way=way_text(choice.tensor_parallel_size)
        )
    elif choice is two:
        said = translate("TrialWords", "Two GPUs are faster: {percent} % less time.").format(
            percent=decimal(100 * (1 - second / first), 0)
        )
    elif second < first:
        said = translate(
            "TrialWords", "Two GPUs save too little to be worth the second one: {percent} %."
        ).format(percent=decimal(100 * (1 - second / first), 0))
    else:
        said = translate("TrialWords", "One GPU is as fast or faster, and the other stays free.")
    if result.kept:
        kept = translate("TrialWords", "The faster way is loaded, and remembered for this model.")
    else:
        kept = translate("TrialWords", "What was loaded before is loaded again.")
    return f"{said} {kept}"
