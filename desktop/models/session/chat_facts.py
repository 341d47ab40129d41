"""In what a chat differs from the model's defaults, in a few words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication

from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, Chat
from desktop.chats.presets import Preset
from desktop.models.number_text import whole
from desktop.models.writing.parameter_fields import set_parameters, shown

translate = QCoreApplication.translate

MOST: Final = 3  # single parameters that are named; of more only the number is told


def chat_facts(chat: Chat, preset: Preset | None) -> str:
    """The chat's preset and what was changed since; empty for one that has all defaults."""
    base_prompt = preset.system_prompt if preset is not None else DEFAULT_SYSTEM_PROMPT
    base = set_parameters(preset.parameters) if preset is not None else {}
    facts = []
    if preset is not None:
        facts.append(translate("ChatFacts", "Preset: {name}").format(name=preset.name))
    prompt = chat.system_prompt.strip()
    if prompt != base_prompt.strip():
        facts.append(_prompt_fact(prompt))
    own = set_parameters(chat.parameters)
    changed = {k: v for k, v in own.items() if base.get(k) != v}
    gone = [k for k in base if k not in own]
    if len(changed) + len(gone) > MOST:
        facts.append(
            translate("ChatFacts", "{count} parameters changed").format(
                count=len(changed) + len(gone)
            )
        )
    else:
        facts += [_fact(name, value) for name, value in changed.items()]
        default = translate("ChatFacts", "{name}: default")
        facts += [default.format(name=parameter_name(name)) for name in gone]
    return " · ".join(facts)


def parameter_name(name: str) -> str:
    """A parameter as the user reads it, in the middle of a sentence."""
    return {
        "temperature": translate("ChatFacts", "temperature"),
        "top_p": translate("ChatFacts", "top-p"),
        "top_k": translate("ChatFacts", "top-k"),
        "min_p": translate("ChatFacts", "min-p"),
        "presence_penalty": translate("ChatFacts", "presence penalty"),
        "frequency_penalty": translate("ChatFacts", "frequency penalty"),
        "repetition_penalty": translate("ChatFacts", "repetition penalty"),
        "max_tokens": translate("ChatFacts", "at most (tokens)"),
        "seed": translate("ChatFacts", "seed"),
        "stop": translate("ChatFacts", "stop strings"),
        "json_schema": translate("ChatFacts", "JSON schema"),
        "regex": translate("ChatFacts", "pattern"),
    }.get(name, name)


def _prompt_fact(prompt: str) -> str:
    if not prompt:
        return translate("ChatFacts", "no system prompt")
    if prompt == DEFAULT_SYSTEM_PROMPT:
        return translate("ChatFacts", "default system prompt")
    return translate("ChatFacts", "own system prompt")


def _fact(name: str, value: object) -> str:
    if name == "max_tokens":
        tokens = whole(value) if isinstance(value, int) else shown(value)
        return translate("ChatFacts", "at most {count} tokens").format(count=tokens)
    figure = shown(value)
    return f"{parameter_name(name)} {figure}" if figure else parameter_name(name)
