"""The token meter in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import OverflowPolicy
from desktop.models.number_text import whole
from desktop.models.writing.token_meter import MeterReading

translate = QCoreApplication.translate


def meter_text(reading: MeterReading) -> str:
    """Tokens and context; empty where there is nothing to count."""
    if not reading.tokens:
        return ""
    tokens = whole(reading.tokens)
    if not reading.context:
        return translate("TokenMeter", "about {tokens} tokens").format(tokens=tokens)
    text = (
        translate("TokenMeter", "{tokens} of {context} tokens")
        if reading.exact
        else translate("TokenMeter", "about {tokens} of {context} tokens")
    )
    return text.format(tokens=tokens, context=whole(reading.context))


def meter_warning(reading: MeterReading) -> str:
    """What happens to a prompt that is too long; empty if it fits."""
    if not reading.excess:
        return ""
    text = f"{_excess(reading)} {_consequence(reading)}"
    if reading.reserve > 1:
        kept = translate("TokenMeter", "{count} tokens are kept for the answer.")
        text = f"{text} {kept.format(count=whole(reading.reserve))}"
    return text


def _excess(reading: MeterReading) -> str:
    text = (
        translate("TokenMeter", "{count} tokens too many:")
        if reading.exact
        else translate("TokenMeter", "About {count} tokens too many:")
    )
    return text.format(count=whole(reading.excess))


def _consequence(reading: MeterReading) -> str:
    if reading.policy is OverflowPolicy.STOP or reading.fits is False:
        return (
            translate("TokenMeter", "it will be refused.")
            if reading.fits is not False
            else translate(
                "TokenMeter", "it will be refused, since this message alone is too long."
            )
        )
    if reading.left_out is None:
        return (
            translate("TokenMeter", "the oldest messages will be left out.")
            if reading.policy is OverflowPolicy.DROP_OLDEST
            else translate("TokenMeter", "you will be asked what to leave out.")
        )
    # Plural forms by hand: the extraction finds them in `tr` of a QObject only.
    one = reading.left_out == 1
    if reading.policy is OverflowPolicy.DROP_OLDEST:
        text = (
            translate("TokenMeter", "the oldest message will be left out.")
            if one
            else translate("TokenMeter", "the oldest {count} messages will be left out.")
        )
    else:
        text = (
            translate("TokenMeter", "the oldest message would be left out; you will be asked.")
            if one
            else translate(
                "TokenMeter", "the oldest {count} messages would be left out; you will be asked."
            )
        )
    return text.format(count=whole(reading.left_out))
