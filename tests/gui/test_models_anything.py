"""Whatever is done with models, in whatever order: the window lives, and loads one in the end.

`MODEL_STEPS` makes the runs longer, `MODEL_SEEDS` makes more of them ("7" or "10-40").
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.engine_link.engine_state import Phase
from desktop.models.loading.load_book import LoadBook
from desktop.paths import Folders
from desktop.views.loading.load_dialog import LoadDialog
from desktop.views.loading.recent_models import RecentModels
from desktop.views.loading.trial_dialog import TrialDialog
from engine.planner.machine import GIB, Gpu, Machine
from tests.gui.conftest import OpenWindow
from tests.gui.load_kit import Hardware
from tests.gui.test_window_anything import PATIENCE_MS, Monkey, _without_waiting
from tests.helpers.load_machines import CPU, HOST, LLAMA_8B, TWO_24, make_folder, make_models

__all__ = ["_without_waiting"]

STEPS = int(os.environ.get("MODEL_STEPS", "40"))
SETTLE_EVERY = 20
SCRIPT = "tokens_per_second=200 load_seconds=0.1 context=4096 gpus=1 sleep_seconds=0.05"
ODD = Machine(
    tuple(
        Gpu(index, name, total, used_by_others=index * GIB)
        for index, (name, total) in enumerate(
            [
                ("<b>RTX</b>\n\u202e3090", 24 * GIB),
                ("", 0),
                ("x" * 300, None),
                ("GPU & Co", 1),
                *[(f"A{n}", 80 * GIB) for n in range(4)],
            ]
        )
    ),
    HOST,
)


class ModelMonkey(Monkey):
    """Loads, lends, wakes, closes and kills; folders and GPUs come and go."""

    def __init__(self, app: Inglenook, bot: QtBot, seed: int, folder: Path) -> None:
        super().__init__(app, bot, seed, folder)
        self.hardware = Hardware(TWO_24)
        self.models = [str(path) for path in make_models(folder / "models").values()]
        broken = make_folder(folder / "models" / "\u202eL\u00e4ma <b>\n&", '{"hidden_size": 1e308}')
        fleeting = make_folder(folder / "models" / "fleeting", LLAMA_8B, tensors=40)
        (folder / "models" / "empty").mkdir()
        (folder / "models" / "file").touch()
        self.fleeting = fleeting
        self.models += [
            str(broken),
            str(fleeting),
            *[str(folder / "models" / name) for name in ("empty", "file", "gone", "N" * 300)],
        ]
        desk = self.desk = app.window.desk
        book = LoadBook(folder, app, read=self.hardware)
        app.pool.view_changed.connect(lambda client: book.on_view(client.view))
        desk.book = book
        # As with the real engine: what is no model is refused before anything is given up.
        desk.checks_folders = True
        self.doings = [
            (10, self.send),
            (8, self.open_load),
            (14, self.use_load),
            (6, self.load),
            (6, self.beside),
            (4, self.lend),
            (4, self.wake),
            (3, self.unload),
            (3, self.close_one),
            (3, self.cancel),
            (4, self.give_chat),
            (4, self.answer_with),
            (4, self.kill_some),
            (3, self.change_machine),
            (3, self.come_and_go),
            (2, self.recent),
            (2, self.report),
            (2, self.remedy),
            (2, self.sleep_now),
            (4, self.sidebar),
            (3, self.open_some_chat),
            (3, self.close_some_tab),
            (4, self.press_key),
            (8, self.click),
            (5, self.answer_dialogs),
            (1, self.resize),
        ]

    def model(self) -> str:
        return self.random.choice(self.models)

    def dialogs(self) -> list[LoadDialog | TrialDialog | RecentModels]:
        return [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, (LoadDialog, TrialDialog, RecentModels)) and one.isVisible()
        ]

    def open_load(self) -> None:
        self.desk.open_load_dialog(self.random.choice(["", self.model()]))

    def use_load(self) -> None:
        """In the midst of a plan or after it."""
        for dialog in self.dialogs():
            if not isinstance(dialog, LoadDialog):
                dialog.reject()
                continue
            acts: list[Callable[[], object]] = [
                dialog.load.click,
                dialog.load.click,
                dialog.beside.click,
                dialog.reset.click,
                dialog.other.click,
                dialog.reject,
                dialog._try,
                lambda: dialog.form.context.edit.setText(  # noqa: B023
                    self.random.choice(["", "4096", "-1", "1e308", "\u0663\u0662", "9" * 400])
                ),
                lambda: dialog.form.context.edit.textEdited.emit("x"),  # noqa: B023
                *[button.click for button in dialog.summary.changes.buttons()],
            ]
            for _ in range(self.random.choice([1, 1, 2, 3])):
                if dialog.isVisible():
                    self.random.choice(acts)()
            return

    def load(self) -> None:
        self.desk.load(self.model())

    def beside(self) -> None:
        if len(self.app.pool.clients()) < 4:
            self.desk.beside.load(self.model())

    def lend(self) -> None:
        self.desk.lend()

    def wake(self) -> None:
        self.desk.wake()
        self.desk.wake()

    def unload(self) -> None:
        self.desk.unload()

    def close_one(self) -> None:
        others = self.app.pool.others()
        if others:
            self.desk.beside.close(self.random.choice(others))

    def cancel(self) -> None:
        self.desk.care.cancel()
        self.random.choice(self.app.pool.clients()).cancel_load()

    def give_chat(self) -> None:
        tab = self.tab()
        if tab is None or not tab.session.chat_id:
            return
        if self.random.random() < 0.5:
            tab.session.set_model(self.random.choice(["", self.model()]))
        elif len(self.app.pool.clients()) < 4:
            self.desk.beside.give_chat(tab.session, self.model())

    def answer_with(self) -> None:
        tab = self.tab()
        if tab is not None and tab.session.messages and len(self.app.pool.clients()) < 4:
            message = self.random.choice(tab.session.messages)
            self.desk.beside.answer_with(tab.session, message.id, self.model())

    def kill_some(self) -> None:
        client = self.random.choice(self.app.pool.clients())
        if client.pid:
            os.kill(client.pid, signal.SIGKILL)

    def change_machine(self) -> None:
        self.hardware.machine = self.random.choice([TWO_24, CPU, ODD, Machine((), HOST)])
        self.hardware.error = self.random.choice([None, None, OSError("GPU is lost")])

    def come_and_go(self) -> None:
        if self.fleeting.exists():
            shutil.rmtree(self.fleeting)
        else:
            make_folder(self.fleeting, LLAMA_8B, tensors=40)

    def recent(self) -> None:
        self.desk.open_recent()

    def report(self) -> None:
        self.desk.open_report(self.random.choice(["", self.model()]))

    def remedy(self) -> None:
        view = self.desk.care.explained(self.app.client.view)
        if view.failure is not None and view.failure.remedies:
            self.desk.care.apply(self.random.choice(view.failure.remedies))

    def sleep_now(self) -> None:
        """As after a while without a question."""
        self.random.choice(self.app.pool.clients()).sleep(lend=False)

    # --- what must hold

    def settle(self) -> None:
        """All is closed; then the window's engine takes a model, and answers."""
        for session in self.app.hub.sessions():
            session.stop()
        self.hardware.machine, self.hardware.error = TWO_24, None
        self.close_everything()
        for client in self.app.pool.others():
            self.app.pool.close(client)
        good = self.models[0]
        client = self.app.client
        self.desk.drop_plan(client)
        client.load(good)
        self.bot.waitUntil(
            lambda: client.view.phase is Phase.READY and client.view.model == good,
            timeout=PATIENCE_MS,
        )
        self.close_everything()
        super().settle()


def seeds() -> list[int]:
    first, _, last = os.environ.get("MODEL_SEEDS", "1").partition("-")
    return list(range(int(first), int(last or first) + 1))


@pytest.mark.usefixtures("_without_waiting")
@pytest.mark.parametrize("seed", seeds())
@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.timeout(int(os.environ.get("MODEL_TIMEOUT", 60 + 2 * STEPS)))
def test_whatever_is_done_with_models(
    open_window: OpenWindow, folders: Folders, qtbot: QtBot, tmp_path: Path, seed: int
) -> None:
    app = open_window(SCRIPT)
    files = tmp_path / "files"
    files.mkdir()
    monkey = ModelMonkey(app, qtbot, seed, files)
    try:
        for number in range(STEPS):
            monkey.step()
            if number % SETTLE_EVERY == SETTLE_EVERY - 1:
                monkey.done.append("settle")
                monkey.settle()
        for _ in range(5):  # it is closed in the midst of whatever there is
            monkey.step()
    except BaseException:
        print("the last steps:", *monkey.done[-30:], sep="\n  ")
        raise
    finally:
        monkey.chooser.stop()
