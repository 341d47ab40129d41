"""What can be done with a row of the picker, and what becomes of the other chats: said before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.engine_link.engine_pool import model_of, same_folder
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name
from desktop.models.library.fit_book import NO, Fit
from desktop.models.library.picker_model import PickerRow, RowKind, answers_now
from desktop.models.library.picker_words import fit_text, room_text
from desktop.models.loading.size_text import size_text

if TYPE_CHECKING:
    from desktop.engine_link.engine_client import EngineClient
    from desktop.engine_link.engine_pool import EnginePool
    from desktop.models.session.chat_session import ChatSession
    from engine.protocol import Remedy

translate = QCoreApplication.translate

_HOLDS = (Phase.READY, Phase.LOADING, Phase.SLEEPING)


@dataclass(frozen=True, slots=True)
class Others:
    """Open chats, without the one that chooses, that an engine's model concerns.

    Attributes:
        follow: they have no model of their own, and this is the window's.
        keep: they want this very model.
        answers: that it is writing now, in any chat.
    """

    follow: int = 0
    keep: int = 0
    answers: int = 0

    @property
    def count(self) -> int:
        """How many chats it answers."""
        return self.follow + self.keep


@dataclass(frozen=True, slots=True)
class Offer:
    """What the foot of the picker shows for a row.

    Attributes:
        text: what it leads to.
        load: words of the main button; "": there is none.
        beside, settings, unload: whether these are offered.
        remedies: of a model with a problem, in the user's language.
        is_warning: the text tells of something that goes wrong or is interrupted.
    """

    text: str
    load: str = ""
    beside: bool = False
    settings: bool = False
    unload: bool = False
    remedies: tuple[Remedy, ...] = ()
    is_warning: bool = False


def others_of(
    client: EngineClient,
    pool: EnginePool,
    sessions: Sequence[ChatSession],
    but: ChatSession | None,
    answers: int,
) -> Others:
    """Whom a change of this engine's model concerns.

    Args:
        but: the chat that chooses.
        answers: under way by this engine.
    """
    model = same_folder(model_of(client))
    chats = [one.chat for one in sessions if one is not but and one.path]
    return Others(
        follow=sum(not chat.model for chat in chats) if client is pool.primary else 0,
        keep=sum(bool(chat.model) and same_folder(chat.model) == model for chat in chats),
        answers=answers,
    )


def offer_of(
    row: PickerRow,
    target: EngineView,
    others: Others,
    *,
    can_load_beside: bool,
    remedies: tuple[Remedy, ...] = (),
) -> Offer:
    """What can be done with a row.

    Args:
        target: the engine that answers the chat now, whose model would give way.
        others: whom that concerns.
        can_load_beside: whether the user wants that at all.
        remedies: for the row's problem.
    """
    if row.kind is not RowKind.MODEL:
        return Offer(_command_text(row.kind))
    name = row.name
    if row.problem and row.engine is None:
        return Offer(row.problem, remedies=remedies, is_warning=True, settings=not remedies)
    if answers_now(row) and row.engine is not None:
        return _of_running(row, target, others)
    old = model_name(target.model) if target.phase in _HOLDS else ""
    if row.engine is not None and row.is_current:
        return Offer(
            translate("ModelPicker", "{name} is loaded again.").format(name=name),
            load=translate("ModelPicker", "Load"),
            settings=True,
        )
    parts = [_fit_sentence(row.fit)]
    if old:
        parts.append(_in_place_text(old, name, others))
    beside = can_load_beside and bool(old)
    if beside:
        parts.append(_beside_text(row.fit, old))
        beside = row.fit is None or row.fit.beside.fits != NO
    return Offer(
        " ".join(part for part in parts if part),
        load=translate("ModelPicker", "Load"),
        beside=beside,
        settings=True,
        is_warning=bool(others.answers and old)
        or (row.fit is not None and row.fit.in_place.fits == NO),
    )


def _of_running(row: PickerRow, target: EngineView, others: Others) -> Offer:
    assert row.engine is not None
    if row.is_current:
        words = translate("ModelPicker", "{name} answers this chat.").format(name=row.name)
        return Offer(
            " ".join(part for part in (words, _use_text(others)) if part),
            load="",
            settings=True,
            unload=row.engine.view.phase in _HOLDS,
            is_warning=False,
        )
    parts = [
        translate(
            "ModelPicker", "{name} answers this chat from now on; what is written so far stays."
        ).format(name=row.name)
    ]
    if target.phase in _HOLDS and target.model:
        parts.append(
            translate("ModelPicker", "{name} stays loaded.").format(name=model_name(target.model))
        )
    return Offer(
        " ".join(parts),
        load=translate("ModelPicker", "Use it here"),
        settings=False,
        unload=row.engine.view.phase in _HOLDS,
    )


def _command_text(kind: RowKind) -> str:
    match kind:
        case RowKind.FIND:
            return translate(
                "ModelPicker",
                "Search the hub for models that run on this computer, and see what fits before "
                "you fetch anything.",
            )
        case RowKind.FOLDER:
            return translate(
                "ModelPicker", "A model on this computer, in a folder with its safetensors."
            )
        case _:
            return translate("ModelPicker", "A model on this computer that is a single file.")


def _fit_sentence(fit: Fit | None) -> str:
    if fit is None:
        return ""
    if fit.in_place.fits == NO:
        return translate(
            "ModelPicker", "It is {fit}. If you load it all the same, the engine says what helps."
        ).format(fit=fit_text(fit))
    words = fit_text(fit)
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def _in_place_text(old: str, new: str, others: Others) -> str:
    parts = []
    if others.follow:
        parts.append(
            translate(
                "ModelPicker",
                "%n other chat(s) use {old}; it is unloaded, and {new} answers there from then on.",
                "",
                others.follow,
            ).format(old=old, new=new)
        )
    else:
        parts.append(translate("ModelPicker", "{old} is unloaded.").format(old=old))
    if others.keep:
        parts.append(
            translate(
                "ModelPicker",
                "%n other chat(s) keep to {old} and wait until it is loaded again.",
                "",
                others.keep,
            ).format(old=old)
        )
    if others.answers:
        parts.append(
            translate(
                "ModelPicker",
                "%n answer(s) under way are interrupted; what is written is kept.",
                "",
                others.answers,
            )
        )
    return " ".join(parts)


def _use_text(others: Others) -> str:
    if not others.count:
        return ""
    return translate("ModelPicker", "So does it in %n other open chat(s).", "", others.count)


def _beside_text(fit: Fit | None, old: str) -> str:
    if fit is None:
        return ""
    if fit.beside.is_there:
        return translate("ModelPicker", "Beside {old}: {fit}.").format(
            old=old, fit=room_text(fit.beside, fit.gpus)
        )
    if fit.beside.fits == NO and fit.in_place.fits != NO:
        if fit.beside.short_by:
            return translate(
                "ModelPicker", "There is no room for it beside {old}: {size} are missing."
            ).format(old=old, size=size_text(fit.beside.short_by))
        return translate("ModelPicker", "There is no room for it beside {old}.").format(old=old)
    return ""
