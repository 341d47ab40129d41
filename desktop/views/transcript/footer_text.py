"""What the line under an answer says: how it goes, why it ended, what it cost."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.chats.chat import Message, MessageStatus, Statistics


def status_text(message: Message, *, thinking: bool) -> str:
    """The line under an answer; empty where there is nothing to say.

    `thinking`: what comes now is reasoning.
    """
    translate = QCoreApplication.translate
    match message.status:
        case MessageStatus.QUEUED:
            return translate("MessageFooter", "Waiting for its turn")
        case MessageStatus.RUNNING:
            return translate("MessageFooter", "Reading the prompt")
        case MessageStatus.STREAMING if thinking:
            return ""  # the line above the answer says so, and for how long
        case MessageStatus.STREAMING:
            return translate("MessageFooter", "Writing")
        case MessageStatus.STOPPED:
            first = translate("MessageFooter", "Stopped")
        case MessageStatus.INTERRUPTED:
            first = message.error or translate(
                "MessageFooter", "Interrupted before it was complete"
            )
        case MessageStatus.FAILED:
            return message.error or translate("MessageFooter", "This answer failed. Try again.")
        case MessageStatus.COMPLETE:
            first = _end_text(message.statistics)
    pieces = [first]
    if message.statistics is not None:
        pieces += [figures_text(message.statistics), dropped_text(message.statistics)]
    return " · ".join(piece for piece in pieces if piece)


def _end_text(statistics: Statistics | None) -> str:
    """Why it ended, where that was not its own end."""
    translate = QCoreApplication.translate
    if statistics is None:
        return ""
    if statistics.finish_reason == "length":
        return translate("MessageFooter", "Ended at the length limit")
    if statistics.finish_reason == "context":
        return translate("MessageFooter", "Ended: the context is full")
    if statistics.stop_string:
        return translate("MessageFooter", "Ended at the stop string “{stop}”").format(
            stop=statistics.stop_string.replace("\n", "⏎")
        )
    return ""


def dropped_text(statistics: Statistics) -> str:
    """How many older messages the model did not get to read; empty for none."""
    count = statistics.dropped_messages
    if not count:
        return ""
    # Plural forms by hand: the extraction finds them in `tr` of a QObject only.
    translate = QCoreApplication.translate
    if count == 1:
        return translate("MessageFooter", "1 older message not read by the model")
    return translate("MessageFooter", "{count} older messages not read by the model").format(
        count=QLocale().toString(count)
    )


def figures_text(statistics: Statistics) -> str:
    """The cost in a line: tokens, rate, time to the first one; without what is unknown."""
    translate = QCoreApplication.translate
    locale = QLocale()
    count = statistics.completion_tokens
    parts = [
        translate("MessageFooter", "1 token")
        if count == 1
        else translate("MessageFooter", "{count} tokens").format(count=locale.toString(count))
    ]
    if statistics.decode_tps is not None:
        rate = locale.toString(statistics.decode_tps, "f", 1)
        parts.append(translate("MessageFooter", "{rate} tokens/s").format(rate=rate))
    if statistics.ttft is not None:
        wait = locale.toString(statistics.ttft, "f", 2)
        parts.append(translate("MessageFooter", "first token {wait} s").format(wait=wait))
    return " · ".join(parts)
