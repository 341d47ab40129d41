"""Why an answer ended, in words: for its footer, its details and screen readers."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import Message, MessageStatus, Statistics
from engine.protocol import FinishReason


def stop_text(message: Message) -> str:
    """Why the answer ended, as a sentence; empty while it is on its way, and for a question.

    An answer that met its own limit is told apart from one that met the end of the context.
    """
    translate = QCoreApplication.translate
    costs = message.statistics or Statistics()
    match message.status:
        case MessageStatus.STOPPED:
            return translate("StopReason", "You stopped it.")
        case MessageStatus.INTERRUPTED:
            return translate(
                "StopReason", "It was interrupted: the engine or the window went away."
            )
        case MessageStatus.FAILED:
            return message.error or translate("StopReason", "It failed.")
        case MessageStatus.COMPLETE:
            return _finished_text(costs)
    return ""


def _finished_text(costs: Statistics) -> str:
    translate = QCoreApplication.translate
    match costs.finish_reason:
        case FinishReason.STOP if costs.stop_string:
            return translate("StopReason", "It met the stop string “{stop}”.").format(
                stop=costs.stop_string.replace("\n", "⏎")
            )
        case FinishReason.STOP:
            return translate("StopReason", "The model ended its answer.")
        case FinishReason.LENGTH:
            return translate("StopReason", "It reached the longest answer that this chat allows.")
        case FinishReason.CONTEXT:
            return translate("StopReason", "The context is full: the model can read no more.")
        case FinishReason.CANCELLED:
            return translate("StopReason", "You stopped it.")
        case FinishReason.FAILED:
            return translate("StopReason", "It failed.")
    return ""
