"""The presets a chat can take: a few that come along, and the user's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from desktop.chats.chat import new_id
from desktop.chats.presets import Preset
from desktop.i18n import QT_TRANSLATE_NOOP
from desktop.theme.fonts import ASSETS

if TYPE_CHECKING:
    from desktop.models.session.session_hub import SessionHub

PRESET: Final = "preset"  # the key of its id among a chat's parameters
_BUILT_IN: Final = "builtin:"
_NAMES: Final = {
    "builtin:assistant": QT_TRANSLATE_NOOP("Presets", "Assistant"),
    "builtin:coder": QT_TRANSLATE_NOOP("Presets", "Coder"),
    "builtin:writer": QT_TRANSLATE_NOOP("Presets", "Writer"),
    "builtin:translator": QT_TRANSLATE_NOOP("Presets", "Translator"),
    "builtin:summariser": QT_TRANSLATE_NOOP("Presets", "Summariser"),
    "builtin:tutor": QT_TRANSLATE_NOOP("Presets", "Tutor"),
    "builtin:json": QT_TRANSLATE_NOOP("Presets", "Precise (JSON)"),
}


def built_in_presets() -> list[Preset]:
    """Those that come along, in the order in which they are offered."""
    content = json.loads((ASSETS / "presets.json").read_text("utf-8"))
    return [
        Preset(
            entry["id"],
            QCoreApplication.translate("Presets", _NAMES.get(entry["id"], entry["name"])),
            entry["system_prompt"],
            dict(entry["parameters"]),
        )
        for entry in content["presets"]
    ]


def is_built_in(preset_id: str) -> bool:
    """Whether a preset came along: it can be neither changed nor deleted."""
    return preset_id.startswith(_BUILT_IN)


def as_preset(
    name: str, system_prompt: str, parameters: Mapping[str, object], preset_id: str = ""
) -> Preset:
    """What a chat has, as a preset; a new one without an id."""
    own = {key: value for key, value in parameters.items() if key != PRESET}
    return Preset(preset_id or new_id(), name, system_prompt, own)


class PresetShelf(QObject):
    """All presets, for all tabs of a hub.

    Signals:
        changed: they are others now.
        failed: the exception of a write.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, hub: SessionHub) -> None:
        super().__init__(hub)
        self._hub = hub
        self._built_in = built_in_presets()
        self._own: list[Preset] = []
        self._written = 0
        self.reload()

    @classmethod
    def of(cls, hub: SessionHub) -> PresetShelf:
        """The hub's one shelf, made when first asked for."""
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        found = hub.findChild(cls, options=direct)
        return found if isinstance(found, PresetShelf) else cls(hub)

    @property
    def presets(self) -> list[Preset]:
        """Those that come along, then the user's own."""
        return [*self._built_in, *self._own]

    def find(self, preset_id: object) -> Preset | None:
        """The preset of this id."""
        return next((preset for preset in self.presets if preset.id == preset_id), None)

    def reload(self) -> None:
        """Read the user's own again."""
        written = self._written

        def listed(presets: list[Preset]) -> None:
            if written != self._written:  # read before what was written since
                self.reload()
            elif presets != self._own:
                self._own = list(presets)
                self.changed.emit()

        self._hub.background.watch(self._hub.store.list_presets(), listed, self.failed.emit)

    def save(self, preset: Preset) -> None:
        """Keep a new preset, or what an old one is now.

        Raises:
            ValueError: it is one that came along.
        """
        if is_built_in(preset.id):
            raise ValueError(preset.id)
        self._own = [p for p in self._own if p.id != preset.id]
        self._own.append(preset)
        self._own.sort(key=lambda p: p.name.casefold())
        self.changed.emit()
        self._write(self._hub.store.save_preset(preset))

    def delete(self, preset_id: str) -> None:
        """Forget one of the user's own."""
        self._own = [p for p in self._own if p.id != preset_id]
        self.changed.emit()
        self._write(self._hub.store.delete_preset(preset_id))

    def _write(self, future: Future[None]) -> None:
        self._written += 1

        def failed(error: Exception) -> None:
            self.failed.emit(error)
            self.reload()  # what is shown must be what is kept

        self._hub.background.watch(future, None, failed)
