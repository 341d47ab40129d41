"""What the tests of the picker share: models that are only named, and a window that has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.library.fit_book import YES, Fit, Room
from desktop.models.library.picker_model import Running
from desktop.views.engine.picker.model_picker import ModelPicker
from engine.store.library.records import InstalledModel, Source
from tests.gui.conftest import WAIT_MS
from tests.gui.fake_client import LOADED
from tests.gui.test_main_window import current

FITS = Fit(Room(YES, 32768, 4, (0,)), Room(YES, 8192, 1, (0,)), 1)


def model(name: str, place: str = "/models", **more: object) -> InstalledModel:
    """An installed model that nobody looks into."""
    known: dict[str, object] = {
        "path": f"{place}/{name}",
        "name": name,
        "source": Source.STORE,
        "format": "awq",
        "size": 5_000_000_000,
        "identity": f"key of {name}",
        **more,
    }
    return InstalledModel(**known)  # type: ignore[arg-type]


def ready_view(folder: str) -> EngineView:
    """Of an engine that answers with the model there."""
    return EngineView(Phase.READY, folder, loaded=LOADED)


def running(folder: str, key: int = 1, phase: Phase = Phase.READY) -> Running:
    """An engine with the model there."""
    view = ready_view(folder) if phase is Phase.READY else EngineView(phase, folder)
    return Running(key, folder, view)


def put_on_shelf(app: Inglenook, qtbot: QtBot, models: Sequence[InstalledModel]) -> None:
    """The window finds these installed, and no others."""
    assert app.library is not None
    shelf = app.library.shelf
    qtbot.waitUntil(lambda: not shelf.is_busy, timeout=WAIT_MS)
    shelf.refresh = shelf.look = lambda: None  # type: ignore[method-assign]
    shelf._timer.blockSignals(True)
    shelf.is_read = True
    shelf.models, shelf.others = tuple(models), ()
    shelf.changed.emit(shelf.models)
    if app.library._picker is not None:
        desk = app.library.picker
        qtbot.waitUntil(lambda: desk.is_settled, timeout=WAIT_MS)


def open_picker(app: Inglenook, qtbot: QtBot) -> ModelPicker:
    """The picker of the tab in front, opened as the user does."""
    app.window.actions_by_name["chat_model"].trigger()
    assert app.library is not None
    picker = app.library.picker.picker
    desk = app.library.picker
    qtbot.waitUntil(lambda: picker.isVisible() and desk.is_settled, timeout=WAIT_MS)
    return picker


def names(picker: ModelPicker) -> list[str]:
    """What is listed."""
    return [picker.model.index(row).data() for row in range(picker.model.rowCount())]


def go_to(picker: ModelPicker, name: str) -> None:
    """To the row of this name."""
    picker._go_to(names(picker).index(name))


def make_folders(place: Path, *folders: str) -> list[InstalledModel]:
    """Folders that a scripted engine takes for models."""
    found = []
    for name in folders:
        (place / name).mkdir(parents=True)
        found.append(model(name, str(place)))
    return found


def front(app: Inglenook) -> object:
    """The chat in front."""
    return current(app).session
