"""Where there is little room nothing is cut off: words wrap, buttons go on in another row."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop import i18n
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.loading.size_text import size_text
from desktop.models.loading.tp_trial import TpTrial, TrialResult
from desktop.views.engine.engine_banner import EngineBanner
from desktop.views.engine.status_bar import StatusBar
from desktop.views.loading.load_report import LoadReport
from desktop.views.loading.recent_models import RecentModels
from desktop.views.loading.trial_dialog import TrialDialog
from desktop.views.settings.settings_dialog import SettingsDialog
from desktop.views.window.machine_dialog import MachineDialog
from engine.protocol import Failure, Remedy, RemedyAction, Scope
from tests.gui.conftest import WAIT_MS, OpenWindow
from tests.gui.load_kit import Hardware, open_dialog
from tests.gui.test_load_desk import ONE, TWO, FakeTrial
from tests.gui.test_machine_dialog import check
from tests.helpers.load_machines import ONE_8, make_models
from tests.unit.test_load_figures import RECORD

NARROW = 380
LABELS = ("Use 63 % of the GPU memory", "Try again", "Choose a smaller model", "Show log")


def cut(root: QWidget) -> list[str]:
    """The words and buttons that have less room than they need, or lie outside."""
    inside = QRect(0, 0, root.width(), root.height())
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or not isinstance(widget, (QLabel, QAbstractButton)):
            continue
        place = QRect(widget.mapTo(root, widget.rect().topLeft()), widget.size())
        needed = widget.minimumSizeHint()
        if isinstance(widget, QLabel) and widget.wordWrap():
            needed.setWidth(1)
            needed.setHeight(widget.heightForWidth(widget.width()))
        short = widget.width() < needed.width() or widget.height() < needed.height()
        if short or not inside.contains(place):
            found.append(widget.text())
    return found


def test_remedies_go_on_in_another_row(qtbot: QtBot) -> None:
    banner = EngineBanner()
    qtbot.addWidget(banner)
    remedies = tuple(Remedy(label, RemedyAction.RETRY) for label in LABELS[:-1])
    failure = Failure(
        Scope.LOAD, "Too much of the GPU's memory is asked for. " * 3, remedies=remedies
    )
    banner.set_view(EngineView(Phase.FAILED, "/m/one", failure=failure))
    banner.resize(NARROW, banner.heightForWidth(NARROW))
    banner.show()
    assert [button.text() for button in banner.buttons()] == list(LABELS)
    qtbot.waitUntil(lambda: len({button.y() for button in banner.buttons()}) > 1)
    assert banner.width() == NARROW
    assert cut(banner) == []


def test_a_trial_grows_with_its_words(qtbot: QtBot) -> None:
    trial = FakeTrial()
    dialog = TrialDialog(cast(TpTrial, trial), "/models/Llama")
    qtbot.addWidget(dialog)
    dialog.resize(dialog.minimumWidth(), dialog.height())
    dialog.show()
    trial.end(TrialResult(ONE, TWO, TWO, kept=True))
    qtbot.waitUntil(lambda: cut(dialog) == [])


def test_words_of_the_status_bar_give_way_to_a_badge(qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(420, 28)
    badge = QPushButton()
    badge.hide()
    bar.addPermanentWidget(badge)
    bar.set_view(EngineView(Phase.READY, "/models/Qwen2.5-7B-Instruct-with-a-long-name"))
    bar.show()
    badge.setText("Quantising Some-Model: 41 %")
    badge.show()
    qtbot.waitUntil(lambda: bar._state.text().endswith("…"))
    ends = bar._state.mapTo(bar, bar._state.rect().topRight()).x()
    qtbot.waitUntil(lambda: badge.x() >= ends)
    badge.hide()
    qtbot.waitUntil(lambda: bar._state.text() == bar.state_text())


def _is_whole(area: QScrollArea) -> bool:
    return area.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("language", list(i18n.LANGUAGE_NAMES))
def test_no_page_of_settings_is_cut(
    language: str, open_window: OpenWindow, qapp: QApplication, qtbot: QtBot
) -> None:
    app = open_window()
    i18n.install(qapp, language)
    try:
        app.window.actions_by_name["settings"].trigger()
        dialog = app.window.findChildren(SettingsDialog)[-1]
        dialog.resize(NARROW, 600)
        for row in range(dialog.list.count()):
            dialog.list.setCurrentRow(row)
            area = dialog.pages.currentWidget()
            assert isinstance(area, QScrollArea)
            qtbot.waitUntil(partial(_is_whole, area))
        dialog.close()
    finally:
        i18n.install(qapp, "en")


def test_bars_and_verdict_tell_the_same_lack(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = open_dialog(qtbot, make_models(tmp_path)["8b"], Hardware(ONE_8))
    assert dialog.outlook is not None
    lack = size_text(dialog.outlook.missing)
    assert lack in dialog.summary.verdict.text()
    assert f"Missing {lack}" in dialog.summary.bars.words()[0]


def test_findings_stand_below_each_other_and_are_told_by_form(qtbot: QtBot) -> None:
    lines = [
        json.dumps({"name": f"A {state}", "state": state, "text": "Words. " * 9, "advice": ""})
        for state in ("warning", "problem")
    ]
    dialog = MachineDialog(None, check(*lines, '{"version": "1", "ok": true, "findings": []}'))
    qtbot.addWidget(dialog)
    dialog.open()
    qtbot.waitUntil(lambda: len(dialog._labels) == 2, timeout=WAIT_MS)
    (mark, name, words), (other, *_rest) = dialog._labels
    qtbot.waitUntil(lambda: words.x() > name.geometry().right())
    shapes = [label.pixmap().toImage().createAlphaMask() for label in (mark, other)]
    assert shapes[0] != shapes[1]
    dialog.resize(NARROW, 560)
    qtbot.waitUntil(lambda: words.y() > name.geometry().bottom())
    dialog.resize(720, 560)
    qtbot.waitUntil(lambda: words.x() > name.geometry().right())
    dialog.reject()


def test_a_report_is_scrolled_with_keys(qtbot: QtBot) -> None:
    report = LoadReport("/models/one", RECORD)
    qtbot.addWidget(report)
    report.resize(NARROW, 240)
    with qtbot.waitActive(report):
        report.show()
        report.activateWindow()
    (area,) = report.findChildren(QScrollArea)
    area.setFocus()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    QTest.keyClick(area, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0


def test_without_models_words_stay_above_and_buttons_below(qtbot: QtBot) -> None:
    recent = RecentModels([])
    qtbot.addWidget(recent)
    recent.show()
    qtbot.waitUntil(lambda: recent._hint.geometry().bottom() < recent.height() // 3)
    assert recent.browse.mapTo(recent, QPoint(0, 0)).y() > recent.height() // 2
