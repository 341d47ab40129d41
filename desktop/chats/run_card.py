"""The run card: all that it takes to make an answer again, as Markdown. No Qt.

It is written in English whatever the window speaks: it goes into bug reports and papers.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from desktop.chats.chat import Chat, Message, Statistics

# What `Statistics.run` holds, in the order of the card: key -> label.
_ENGINE: Final = {
    "engine_version": "Engine",
    "quantization": "Quantization",
    "dtype": "Data type",
    "device": "Device",
    "template_hash": "Chat template",
    "context": "Context",
}


def run_card(message: Message, chat: Chat) -> str:
    """The card of an answer in `chat`; what was not recorded is left out."""
    costs = message.statistics or Statistics()
    run = costs.run
    lines = [f"### Run card: {_inline(chat.title)}", ""]
    _add(lines, "Model", run.get("model") or message.model)
    for key, label in _ENGINE.items():
        value = run.get(key)
        _add(lines, label, f"{value:,} tokens" if key == "context" and value else value)
    sampling = run.get("sampling")
    if isinstance(sampling, dict):
        for name, value in sorted(sampling.items()):
            if name != "seed":
                _add(lines, name, value)
    seed = run.get("seed")
    _add(lines, "Seed", "random" if seed is None and run else seed)
    lines += _cost_lines(costs)
    if costs.stop_string:
        _add(lines, "Stop string", costs.stop_string)
    _add(lines, "Ended by", costs.finish_reason)
    _add(lines, "Status", message.status.value)
    if message.created:
        when = datetime.fromtimestamp(message.created, UTC)
        _add(lines, "Time", when.strftime("%Y-%m-%d %H:%M:%S UTC"))
    if chat.system_prompt.strip():
        lines += ["", "System prompt:", "", *_quoted(chat.system_prompt)]
    return "\n".join(lines) + "\n"


def _cost_lines(costs: Statistics) -> list[str]:
    lines: list[str] = []
    if costs.prompt_tokens:
        cached = f" ({costs.cached_tokens:,} from the cache)" if costs.cached_tokens else ""
        _add(lines, "Prompt", f"{costs.prompt_tokens:,} tokens{cached}")
    if costs.dropped_messages:
        _add(lines, "Messages left out", costs.dropped_messages)
    if costs.completion_tokens:
        _add(lines, "Answer", f"{costs.completion_tokens:,} tokens")
    if costs.reasoning_seconds is not None:
        _add(lines, "Reasoning", f"{costs.reasoning_seconds:.1f} s")
    if costs.ttft is not None:
        _add(lines, "First token", f"{costs.ttft:.3f} s")
    if costs.decode_tps is not None:
        _add(lines, "Speed", f"{costs.decode_tps:.1f} tokens/s")
    if costs.seconds:
        _add(lines, "Total", f"{costs.seconds:.2f} s")
    if costs.kv_blocks:
        _add(lines, "KV blocks", f"{costs.kv_blocks:,}")
    return lines


def _add(lines: list[str], label: str, value: object) -> None:
    if value is None or value == "":
        return
    text = f"{value:g}" if isinstance(value, float) else str(value)
    lines.append(f"- {label}: {_inline(text)}")


def _inline(text: str) -> str:
    """`text` on one line, with nothing in it that Markdown would act upon."""
    line = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in "\\`*[]<>" else sign for sign in line)


def _quoted(text: str) -> list[str]:
    """`text` in a fence that it cannot leave."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}text", *text.rstrip("\n").splitlines(), fence]
