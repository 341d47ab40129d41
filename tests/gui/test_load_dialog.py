"""The dialog of a load: what it tells, what it lets one choose, by mouse and by keyboard."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.models.loading.load_choices import AUTOMATIC, Choices
from desktop.views.loading.load_dialog import LEAST_WIDTH, LoadDialog
from desktop.views.loading.memory_bars import MemoryBars, missing_of, parts_of
from engine.planner.answer import DeviceBudget
from engine.planner.machine import Gpu, Host, Machine
from engine.protocol import LoadSettings
from tests.gui.load_kit import WAIT_MS, Hardware, changes, open_dialog, press, settle, tab_to
from tests.gui.test_accessibility import nameless
from tests.helpers.load_machines import (
    CPU,
    LLAMA_8B,
    ONE_8,
    ONE_24,
    TINY,
    TWO_24,
    UNEQUAL,
    make_folder,
    make_models,
)


@pytest.fixture
def models(tmp_path: Path) -> dict[str, Path]:
    return make_models(tmp_path / "models")


def shown(dialog: LoadDialog) -> set[str]:
    """The names of the rows that are there."""
    return {row.label for row in dialog.form.rows() if not row.isHidden()}


# --- what it tells --------------------------------------------------------------------------


def test_it_says_that_a_model_fits_and_where(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    assert dialog.summary.title.text() == "Llama-3.1-8B-AWQ"
    assert dialog.summary.kind.text().startswith("AWQ, 4 bits · 5.3 GiB of weights")
    assert (
        dialog.summary.verdict.text()
        == "Fits: 116,800 tokens of context, with room for one such chat."
    )
    assert dialog.load.text() == "Load"
    words = dialog.summary.bars.words()
    assert len(words) == 2
    assert words[0].startswith("GPU 0 · NVIDIA GeForce RTX 3090, 23.5 GiB: Other programs")
    assert "Weights 5.3 GiB" in words[1]


def test_every_part_of_a_bar_is_told_without_colour(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["70b"], Hardware(ONE_24))
    assert dialog.outlook is not None
    (budget,) = dialog.outlook.devices()
    missing = missing_of(budget)
    assert missing is not None
    parts = [*parts_of(budget), missing]
    assert len({(part.colour, part.pattern) for part in parts}) == len(parts)
    # In one colour they still differ, but for the two that are solid: those have their figures.
    assert len({part.pattern for part in parts}) >= len(parts) - 1
    (words,) = dialog.summary.bars.words()
    assert all(part.name in words for part in parts)


def test_a_gpu_that_does_not_tell_its_memory_lacks_nothing(qtbot: QtBot) -> None:
    bars = MemoryBars()
    qtbot.addWidget(bars)
    budget = DeviceBudget(0, "GPU", 0, 0, 5 << 30, 1 << 30, 0, -(6 << 30))
    assert missing_of(budget) is None
    bars.show_plan((budget,), Machine((Gpu(0, "GPU", 0),), Host(1, 1)))
    (words,) = bars.words()
    assert words.startswith("GPU 0 · GPU, not told: Weights 5.0 GiB")
    assert "Missing" not in words
    assert missing_of(replace(budget, total=1 << 30)) is not None


def test_one_change_makes_a_large_model_fit(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(ONE_24), Choices(context=131_072))
    assert re.fullmatch(
        r"Does not fit with this context: .* tokens would\.", dialog.summary.verdict.text()
    )
    assert dialog.load.text() == "Load anyway"
    assert any("context of 116,800 tokens" in text for text in changes(dialog))
    next(b for b in dialog.summary.changes.buttons() if "116,800" in b.accessibleName()).click()
    settle(qtbot, dialog)
    assert dialog.form.choices() == Choices(context=116_800)
    assert dialog.summary.verdict.text().startswith("Fits: 116,800 tokens")


def test_too_big_says_by_how_much(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["70b"], Hardware(ONE_24))
    assert re.fullmatch(r"Too big by [\d.]+ GiB\.", dialog.summary.verdict.text())
    assert "leave no room for a chat" in dialog.summary.notes.text()


@pytest.mark.parametrize(
    ("machine", "name"), [(TWO_24, "tiny"), (UNEQUAL, "70b"), (ONE_8, "8b"), (CPU, "8b")]
)
def test_everything_has_a_name_on_any_hardware(
    qtbot: QtBot, models: dict[str, Path], machine: Machine, name: str
) -> None:
    dialog = open_dialog(qtbot, models[name], Hardware(machine), can_load_beside=True, can_try=True)
    assert nameless(dialog) == []
    assert dialog.windowTitle()


def test_without_a_gpu_it_shows_memory_and_what_the_settings_mean(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    dialog = open_dialog(qtbot, models["tiny"], Hardware(CPU), can_try=True)
    assert dialog.summary.machine.text().startswith(
        "No GPU: the model runs on the processor (4 cores"
    )
    assert dialog.summary.bars.words()[0].startswith("RAM, 16.0 GiB")
    assert "GPUs" not in shown(dialog)
    assert "Share of GPU memory (%)" not in shown(dialog)
    assert "Memory for chats (GiB)" in shown(dialog)
    assert "RAM" in dialog.form.kv_bytes.words.text()
    assert not dialog.summary.trial.isVisible()
    model = dialog.form.kv_dtype.box.model()
    assert isinstance(model, QStandardItemModel)
    fp8 = model.item(2)
    assert not fp8.isEnabled()
    assert "this processor cannot" in fp8.text()


@pytest.mark.parametrize("machine", [UNEQUAL, CPU])
def test_it_fits_into_a_narrow_window(
    qtbot: QtBot, models: dict[str, Path], machine: Machine
) -> None:
    dialog = open_dialog(qtbot, models["70b"], Hardware(machine), can_load_beside=True)
    dialog.resize(LEAST_WIDTH, 600)
    qtbot.waitUntil(lambda: dialog.width() == LEAST_WIDTH, timeout=WAIT_MS)
    page = dialog.page
    assert page.minimumSizeHint().width() <= dialog.area.viewport().width()
    for widget in page.findChildren(QWidget):
        if widget.isVisible():
            right = widget.mapTo(page, QPoint(widget.width(), 0)).x()
            assert right <= page.width(), widget


def test_it_follows_the_theme(qtbot: QtBot, models: dict[str, Path], qapp: QApplication) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    for mode in ("dark", "contrast", "light"):
        theme.apply(qapp, mode, 16)
        assert not dialog.grab().isNull()


# --- what cannot be planned -----------------------------------------------------------------


def test_a_folder_that_is_no_model_offers_another(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = open_dialog(qtbot, tmp_path, Hardware(TWO_24))
    assert "is not a model folder" in dialog.summary.verdict.text()
    assert not dialog.load.isEnabled()
    assert dialog.other.isVisible()
    assert dialog.form.isHidden()
    with qtbot.waitSignal(dialog.other_wanted, timeout=WAIT_MS):
        press(Qt.Key.Key_Space)  # the focus is on the way out
    assert not dialog.isVisible()


def test_a_planner_that_raises_leaves_it_to_the_engine(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    hardware = Hardware(TWO_24)
    hardware.error = RuntimeError("the driver is odd")
    dialog = open_dialog(qtbot, models["8b"], hardware)
    assert "This cannot be planned (the driver is odd)." in dialog.summary.verdict.text()
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS) as told:
        dialog.load.click()
    assert told.args == [str(models["8b"]), LoadSettings()]


def test_a_planner_that_raises_later_keeps_what_was_chosen(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    hardware = Hardware(TWO_24)
    dialog = open_dialog(qtbot, models["8b"], hardware, Choices(context=4096))
    hardware.error = RuntimeError("gone")
    dialog._planner.ask_now(dialog.form.choices(), afresh=True)
    settle(qtbot, dialog)
    assert "cannot be planned (gone)" in dialog.summary.verdict.text()
    assert dialog.form.isVisible()
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS) as told:
        dialog.load.click()
    assert told.args[1].max_model_len == 4096


LONG = "model_" * 40


@pytest.mark.parametrize(
    ("name", "title"),
    [(LONG, LONG), ("\u202eL\u00e4ma\n<b>&", "L\u00e4ma <b>&"), ("a\u2028b\tc", "a b c")],
)
def test_whatever_a_model_and_its_gpus_are_called_all_is_in_sight(
    qtbot: QtBot, tmp_path: Path, name: str, title: str
) -> None:
    names = ("<b>RTX</b>\n\u202e3090", "", "x" * 300)
    gpus = tuple(replace(TWO_24.gpus[0], index=n, name=each) for n, each in enumerate(names))
    folder = make_folder(tmp_path / name, LLAMA_8B, tensors=40)
    dialog = open_dialog(qtbot, folder, Hardware(replace(TWO_24, gpus=gpus)))
    dialog.resize(LEAST_WIDTH, 700)
    qtbot.waitUntil(lambda: dialog.width() == LEAST_WIDTH, timeout=WAIT_MS)
    assert dialog.page.minimumSizeHint().width() <= dialog.area.viewport().width()
    assert dialog.summary.title.text().replace("\u200b", "") == title
    assert dialog.summary.title.accessibleName() == title
    said = dialog.summary.bars.words()
    assert said[0].startswith("GPU 0 \u00b7 <b>RTX</b> 3090")
    assert "GPU 1 \u00b7" not in said[1]


HOSTILE = [
    {**LLAMA_8B, "num_hidden_layers": 30, "max_position_embeddings": 10**40},
    {**LLAMA_8B, "architectures": ["<img src=x>"], "num_key_value_heads": 10**9},
    {**TINY, "num_attention_heads": 0, "hidden_size": -1},
    "[" * 100_000,
    "not json",
    "[]",
]


@pytest.mark.parametrize("config", HOSTILE)
def test_a_hostile_config_does_no_harm(qtbot: QtBot, tmp_path: Path, config: object) -> None:
    folder = make_folder(tmp_path / "<b>bold & more", config, tensors=40)
    dialog = open_dialog(qtbot, folder, Hardware(TWO_24))
    assert dialog.summary.title.text() == "<b>bold & more"
    assert dialog.summary.title.textFormat() is Qt.TextFormat.PlainText
    assert dialog.summary.verdict.text()
    assert not dialog.grab().isNull()


def test_what_would_stop_a_load_later_is_said_now(qtbot: QtBot, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "base", TINY)
    (folder / "tokenizer_config.json").write_text("{}")
    dialog = open_dialog(qtbot, folder, Hardware(CPU))
    assert "no chat template" in dialog.summary.notes.text()
    assert dialog.load.isEnabled()


def test_it_can_be_closed_while_it_plans(qtbot: QtBot, models: dict[str, Path]) -> None:
    hardware = Hardware(TWO_24)
    hardware.gate.clear()
    dialog = open_dialog(qtbot, models["8b"], hardware, wait=False)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    assert dialog.summary.verdict.text() == "Reading the model and the hardware…"
    assert not dialog.load.isEnabled()
    qtbot.waitUntil(lambda: hardware.reads == 1, timeout=WAIT_MS)
    with qtbot.waitSignal(dialog.destroyed, timeout=WAIT_MS):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    hardware.gate.set()  # the plan comes, and nobody is there


# --- what one chooses -----------------------------------------------------------------------


def test_what_is_left_alone_is_the_planners(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["70b"], Hardware(TWO_24))
    assert dialog.form.choices() == AUTOMATIC
    assert not dialog.reset.isEnabled()
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS) as told:
        dialog.load.click()
    settings = told.args[1]
    assert (settings.tensor_parallel_size, settings.devices) == (2, (0, 1))
    assert settings.max_model_len == -1  # the engine fits it to what it finds


def test_automatic_values_are_shown_in_the_fields(qtbot: QtBot, models: dict[str, Path]) -> None:
    form = open_dialog(qtbot, models["8b"], Hardware(TWO_24)).form
    assert form.context.edit.placeholderText() == "Automatic (116,800)"
    assert form.utilisation.edit.placeholderText() == "Automatic (90)"
    assert form.tp.box.currentText() == "Automatic (1 GPU)"
    assert form.eager.box.currentText() == "Automatic (graphs)"
    assert [box.isChecked() for box in form.devices.boxes.values()] == [False, True]


def test_settings_of_the_last_time_are_there_again(qtbot: QtBot, models: dict[str, Path]) -> None:
    last = Choices(
        devices=(0,), tp=1, context=8192, utilisation=0.7, kv_dtype="fp8", eager=True,
        sequences=4, foreground_first=False, chat_template="/t.jinja",
    )  # fmt: skip
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24), last)
    assert dialog.form.choices() == last
    assert dialog.form.context.edit.text() == "8192"
    assert dialog.outlook is not None
    assert dialog.outlook.choices == last
    dialog.reset.click()
    settle(qtbot, dialog)
    assert dialog.form.choices() == Choices(chat_template="/t.jinja")  # it would not load without


def test_a_division_that_cannot_be_is_disabled_with_the_reason(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    dialog = open_dialog(qtbot, models["tiny"], Hardware(TWO_24), can_try=True)
    model = dialog.form.tp.box.model()
    assert isinstance(model, QStandardItemModel)
    item = model.item(2)
    assert not item.isEnabled()
    assert item.text() == "2 GPUs — its 9 heads do not divide"
    assert not dialog.summary.trial.isVisible()


def test_one_against_two_is_offered_where_it_can_be(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24), can_try=True)
    assert dialog.summary.trial.isVisible()
    with qtbot.waitSignal(dialog.trial_wanted, timeout=WAIT_MS):
        dialog.summary.trial.click()
    assert not open_dialog(
        qtbot, models["8b"], Hardware(ONE_24), can_try=True
    ).summary.trial.isVisible()


def test_beside_is_offered_only_where_it_can_be(qtbot: QtBot, models: dict[str, Path]) -> None:
    assert not open_dialog(qtbot, models["8b"], Hardware(TWO_24)).beside.isVisible()
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24), can_load_beside=True)
    with qtbot.waitSignal(dialog.beside_chosen, timeout=WAIT_MS) as told:
        dialog.beside.click()
    assert told.args[0] == str(models["8b"])


def test_choosing_gpus_changes_the_plan(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(UNEQUAL))
    first, second = dialog.form.devices.boxes.values()
    assert first.isChecked()
    second.click()
    first.click()
    settle(qtbot, dialog)
    assert dialog.form.choices().devices == (1,)
    assert dialog.outlook is not None
    assert dialog.outlook.plan.devices == (1,)
    second.click()
    assert dialog.form.devices.fault.text() == "Choose at least one GPU."
    assert dialog.form.choices().devices == (1,)
    dialog.form.devices.reset.click()
    settle(qtbot, dialog)
    assert dialog.form.choices() == AUTOMATIC
    assert dialog.form.devices.fault.isHidden()


def test_the_slider_and_the_number_go_together(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(ONE_24))
    slider, number = dialog.form.slider, dialog.form.context
    assert slider.stops[slider.value()].context == 116_800
    slider.setFocus()
    press(Qt.Key.Key_Left, 2)
    assert number.edit.text() == "32768"
    settle(qtbot, dialog)
    assert (
        dialog.summary.verdict.text()
        == "Fits: 32,768 tokens of context, with room for 3 such chats."
    )
    assert slider.accessibleDescription() == "32,768 tokens, fits"
    press(Qt.Key.Key_End)
    settle(qtbot, dialog)
    assert slider.accessibleDescription() == "131,072 tokens, does not fit"
    assert dialog.summary.verdict.text().startswith("Does not fit with this context")
    number.edit.setFocus()
    number.edit.selectAll()
    QTest.keyClicks(number.edit, "16k")
    settle(qtbot, dialog)
    assert slider.stops[slider.value()].context == 16_384
    press(Qt.Key.Key_Tab)
    assert number.edit.text() == "16384"


def test_the_slider_is_set_with_the_mouse(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(ONE_24))
    slider = dialog.form.slider
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(4, 8))
    assert dialog.form.choices().context == 512
    QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 4, 8))
    assert dialog.form.choices().context == 131_072


@pytest.mark.parametrize(
    ("row", "text", "words"),
    [
        ("context", "lots", "Write a whole number, such as 8192."),
        ("context", "200000", "From 16 to 131,072."),
        ("context", "-1", "Write a whole number, such as 8192."),
        ("utilisation", "120", "From 5 to 100."),
        ("kv_bytes", "much", "Write a number, such as 1.5."),
        ("kv_bytes", "0", "From 0.01 to 4,096."),
        ("sequences", "0", "From 1 to 4,096."),
        ("offload", "-3", "From 0 to 4,096."),
    ],
)
def test_what_makes_no_sense_is_refused_in_plain_words(
    qtbot: QtBot, models: dict[str, Path], row: str, text: str, words: str
) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    field = getattr(dialog.form, row)
    field.edit.setFocus()
    QApplication.clipboard().setText(text)  # typed, its beginning could be a value
    field.edit.paste()
    assert field.fault.text() == words
    assert field.fault.isVisible()
    assert not dialog.summary.isEnabled()
    assert field.edit.accessibleDescription().startswith(words)
    assert dialog.form.choices() == AUTOMATIC  # the last that could be used
    # Loading leads to the fault instead of loading something else than what stands there.
    chosen = QSignalSpy(dialog.chosen)
    dialog.load.setFocus()
    dialog.load.click()
    assert chosen.count() == 0
    assert field.edit.hasFocus()
    field.reset.click()
    assert field.fault.isHidden()
    assert dialog.summary.isEnabled()
    assert field.edit.text() == ""


def test_only_the_latest_choice_is_planned(qtbot: QtBot, models: dict[str, Path]) -> None:
    hardware = Hardware(TWO_24)
    dialog = open_dialog(qtbot, models["8b"], hardware)
    planned, reads = QSignalSpy(dialog._planner.planned), hardware.reads
    dialog.form.slider.setFocus()
    press(Qt.Key.Key_Left, 5)
    settle(qtbot, dialog)
    assert planned.count() == 1
    assert dialog.outlook is not None
    assert dialog.outlook.plan.context == dialog.form.choices().context
    assert hardware.reads == reads  # the hardware is not asked for each


def test_memory_that_was_freed_is_seen_when_one_comes_back(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    hardware = Hardware(ONE_8)
    dialog = open_dialog(qtbot, models["8b"], hardware)
    hardware.machine = ONE_24
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow, timeout=WAIT_MS)
    dialog.activateWindow()
    qtbot.waitUntil(lambda: "116,800" in dialog.summary.verdict.text(), timeout=WAIT_MS)


# --- by keyboard ----------------------------------------------------------------------------


def test_enter_loads_at_once(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS):
        press(Qt.Key.Key_Return)


def test_tab_goes_from_the_top_to_the_bottom(qtbot: QtBot, models: dict[str, Path]) -> None:
    """Through everything that can have the focus, each once, the buttons last."""
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24), can_load_beside=True, can_try=True)
    dialog.resize(700, 1600)
    start = QApplication.focusWidget()
    assert start is dialog.load
    seen: list[QWidget] = []
    for _ in range(100):
        press(Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus)
        if focus is start:
            break
    assert len(set(seen)) == len(seen)
    page = dialog.page
    inside = [widget for widget in seen if page.isAncestorOf(widget)]
    assert len(inside) > 12
    tops = [widget.mapTo(page, QPoint(0, 0)).y() for widget in inside]
    # Things of one line differ by a few pixels.
    assert all(after > before - 40 for before, after in pairwise(tops))
    reachable = [
        widget
        for widget in dialog.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]
    assert set(reachable) <= set(seen)


def test_a_whole_choice_by_keyboard(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    form = dialog.form
    tab_to(dialog, form.devices.boxes[0])
    press(Qt.Key.Key_Space)  # the first card, too
    tab_to(dialog, form.tp.box)
    press(Qt.Key.Key_Down, 2)
    tab_to(dialog, form.context.edit)
    QTest.keyClicks(form.context.edit, "32k")
    tab_to(dialog, form.eager.box)
    press(Qt.Key.Key_End)
    tab_to(dialog, form.foreground)
    press(Qt.Key.Key_Space)
    settle(qtbot, dialog)
    assert form.choices() == Choices(
        devices=(0, 1), tp=2, context=32_768, eager=True, foreground_first=False
    )
    tab_to(dialog, dialog.load)
    with qtbot.waitSignal(dialog.chosen, timeout=WAIT_MS) as told:
        press(Qt.Key.Key_Space)
    settings = told.args[1]
    assert (settings.devices, settings.tensor_parallel_size) == ((0, 1), 2)
    assert (settings.max_model_len, settings.enforce_eager) == (32_768, True)
    assert settings.foreground_first is False


def test_escape_chooses_nothing(qtbot: QtBot, models: dict[str, Path]) -> None:
    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    chosen = QSignalSpy(dialog.chosen)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert chosen.count() == 0


def test_the_wheel_changes_nothing_that_one_scrolls_past(
    qtbot: QtBot, models: dict[str, Path]
) -> None:
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent

    dialog = open_dialog(qtbot, models["8b"], Hardware(TWO_24))
    for widget in (dialog.form.slider, dialog.form.tp.box):
        middle = QPointF(widget.rect().center())
        event = QWheelEvent(
            middle, QPointF(widget.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, -240),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)
    assert dialog.form.choices() == AUTOMATIC
