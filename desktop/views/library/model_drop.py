"""What is asked when a folder or a GGUF file is dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from desktop.background import Background, in_thread
from desktop.chats.names import name_from
from desktop.views.engine.questions import Way, ask

translate = QCoreApplication.translate

_WEIGHTS = (".safetensors", ".gguf", ".bin", ".pt", ".pth")
_CONFIG = "config.json"
MOST_NAMES = 5_000  # of a folder; a model has fewer


def ask_about(
    path: Path,
    window: QWidget,
    *,
    load: Callable[[str], object],
    take_in: Callable[[str], object],
    add_folder: Callable[[str], object],
) -> None:
    """Ask what is to become of it; whether it is a model is looked up on a thread.

    Args:
        load: from where it lies.
        take_in: copy it into the store.
        add_folder: look for models in it, now and later.
    """
    background = Background(window)

    def show(is_model: bool) -> None:
        background.deleteLater()
        name, place = name_from(path.name), name_from(str(path))
        if is_model:
            ways: list[Way] = [
                (translate("ModelDrop", "Load it from there…"), lambda: load(str(path))),
                (translate("ModelDrop", "Copy it into the library…"), lambda: take_in(str(path))),
            ]
            more = translate(
                "ModelDrop",
                "It can stay where it is, or be checked and copied into Inglenook's own store.",
            )
        else:
            ways = [
                (
                    translate("ModelDrop", "Look for models in it"),
                    lambda: add_folder(str(path)),
                )
            ]
            more = translate(
                "ModelDrop",
                "It is no model itself. Models that lie below it can be listed, now and later.",
            )
        ask(window, translate("ModelDrop", "Dropped: {name}").format(name=name), place, more, ways)

    background.watch(in_thread(lambda: is_model(path), "dropped-model"), show)


def is_model(path: Path) -> bool:
    """Whether a folder or a file looks like a model, whole or not."""
    if path.is_file():
        return True
    names = set()
    try:
        for count, entry in enumerate(path.iterdir()):
            names.add(entry.name.lower())
            if count > MOST_NAMES:
                break
    except OSError:
        return False
    if _CONFIG in names:
        return True
    return any(name.endswith(_WEIGHTS) for name in names)
