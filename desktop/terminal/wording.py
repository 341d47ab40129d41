"""How a terminal words what the engine does and what it cannot do."""

from __future__ import annotations

import os
import shlex

from desktop import paths
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name, stage_text
from desktop.models.session.session_state import SessionState
from desktop.terminal.events import ExitCode, Failed
from engine.protocol import Failure, Remedy, RemedyAction

SETUP_COMMAND = "./packaging/run --setup-only"
THINKING = "Thinking"


def failure_text(failure: Failure) -> str:
    """A failure and what to do about it, in words a terminal has commands for."""
    advice = [text for remedy in failure.remedies if (text := _advice(remedy))]
    cause = failure.cause if failure.cause.endswith((".", "!", "?")) else f"{failure.cause}."
    return " ".join([cause, *dict.fromkeys(advice)])


def _advice(remedy: Remedy) -> str:
    match remedy.action:
        case RemedyAction.REBUILD_STARTER:
            return f"Make the starter model again with: {SETUP_COMMAND}"
        case RemedyAction.CONVERT:
            file = shlex.quote(str(remedy.settings.get("file", "FILE.gguf")))
            return f"Convert it with: ./packaging/run convert {file}"
        case RemedyAction.CHOOSE_MODEL:
            return "Choose another model with --model FOLDER."
        case RemedyAction.RETRY:
            return "Try again."
        case RemedyAction.SHOW_LOG:
            return f"The engine's log says more: {paths.find().logs / 'engine.log'}"
        case RemedyAction.RELOAD_WITH:
            return f"In the window: {remedy.label}."
    return ""


def too_long(failure: Failure) -> Failed:
    """A prompt that the model cannot read, with both counts."""
    text = failure.cause
    if failure.prompt_tokens is not None and failure.context is not None:
        text = (
            f"The prompt makes {failure.prompt_tokens:,} tokens with its chat; the model reads "
            f"{failure.context:,}. Shorten it."
        )
    return Failed(
        int(ExitCode.TOO_LONG), failure.code, text, failure.prompt_tokens, failure.context
    )


def dropped_text(count: int) -> str:
    """That the model did not get to read all of the chat."""
    what = "message" if count == 1 else "messages"
    return f"The chat is longer than the model reads: the oldest {count:,} {what} stayed out."


def engine_problem(view: EngineView, wanted: str, own: str = "") -> Failed | None:
    """Why no answer can be expected of the engine as it is.

    Args:
        wanted: the folder of the model that is to answer; "": any.
        own: the folder of the model that answers this chat; "": the window's.
    """
    if view.phase is Phase.FAILED and view.failure is not None:
        return Failed(int(ExitCode.FAILED), view.failure.code, failure_text(view.failure))
    if view.phase is Phase.IDLE and own:
        text = (
            f"This chat is answered by the model {model_name(own)}, which is not loaded. "
            f"Load it in the window, or ask with --model {own}"
        )
        return Failed(int(ExitCode.FAILED), "other_model", text)
    if view.phase is Phase.IDLE:
        text = "No model is loaded in the window. Load one there, then ask again."
        return Failed(int(ExitCode.FAILED), "no_model", text)
    if wanted and view.model and os.path.realpath(wanted) != os.path.realpath(view.model):
        text = (
            f"The window has the model {model_name(view.model)} loaded, not "
            f"{model_name(wanted)}. Load that in the window, or close the window, or ask "
            "without --model."
        )
        return Failed(int(ExitCode.FAILED), "other_model", text)
    return None


def progress_text(view: EngineView, state: SessionState, since: float) -> str:
    """What a question waits for; empty when it does not.

    Args:
        since: s since `view` came.
    """
    if state is SessionState.STREAMING:
        return ""
    match view.phase:
        case Phase.SLEEPING:
            return f"Waking {model_name(view.model)}"
        case Phase.LOADING if view.is_waking:
            return f"Waking {model_name(view.model)} · {since:.0f} s"
        case Phase.LOADING:
            known = f" {view.fraction:.0%}" if view.fraction else ""
            stage = f"{stage_text(view.stage)}{known}"
            return f"Loading {model_name(view.model)}: {stage} · {view.load_elapsed + since:.0f} s"
        case Phase.RESTARTING:
            return "The engine stopped; starting it again"
        case Phase.READY:
            return "Waiting" if state is SessionState.QUEUED else "Reading the question"
    return "Starting the engine"
