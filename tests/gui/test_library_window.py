"""The library's window: pages built when they are first shown, a rail, a remembered place."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.views.library.library_window import NARROW, LibraryWindow

bare_platform = pytest.mark.qt_log_ignore("This plugin does not support")


class Pages:
    """Makers that note when they are called."""

    def __init__(self) -> None:
        self.built: list[str] = []
        self.models: list[str] = []

    def makers(self) -> dict[str, object]:
        return {name: self._maker(name) for name in ("discover", "installed", "downloads")}

    def _maker(self, name: str) -> object:
        def make(parent: QWidget) -> QWidget:
            self.built.append(name)
            page = QLabel(name, parent)
            page.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            if name == "discover":
                page.show_model = self.models.append  # type: ignore[attr-defined]
            return page

        return make


def open_window(qtbot: QtBot, pages: Pages, place: Path | None = None) -> LibraryWindow:
    window = LibraryWindow(pages.makers(), place_file=place)  # type: ignore[arg-type]
    qtbot.addWidget(window)
    return window


@bare_platform
def test_a_page_is_built_when_it_is_first_shown(qtbot: QtBot) -> None:
    pages = Pages()
    window = open_window(qtbot, pages)
    assert pages.built == []
    window.open()
    assert pages.built == ["discover"]
    assert window.isVisible()
    with qtbot.waitSignal(window.page_shown) as shown:
        window.rail.setCurrentRow(1)
    assert shown.args == ["installed"]
    window.show_page("discover")
    assert pages.built == ["discover", "installed"]
    assert window.page_name == "discover"


@bare_platform
def test_arrows_lead_through_the_rail(qtbot: QtBot) -> None:
    window = open_window(qtbot, Pages())
    window.open()
    window.rail.setFocus()
    QTest.keyClick(window.rail, Qt.Key.Key_Down)
    assert window.page_name == "installed"
    current = window.page("installed")
    assert current is not None
    assert current.isVisible()


@bare_platform
def test_enter_presses_the_button_that_has_the_focus_and_no_other(qtbot: QtBot) -> None:
    window = open_window(qtbot, Pages())
    window.open()
    page = window.page("discover")
    assert page is not None
    pressed: list[str] = []
    first, second = QPushButton("first", page), QPushButton("second", page)
    for button in (first, second):
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked=False, b=button: pressed.append(b.text()))
        button.show()
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert pressed == ["first"]
    first.clicked.connect(lambda _checked=False: second.setFocus())
    QTest.keyClick(first, Qt.Key.Key_Enter)
    assert pressed == ["first", "first"]


@bare_platform
def test_a_model_is_shown_by_the_page_of_the_hub(qtbot: QtBot) -> None:
    pages = Pages()
    window = open_window(qtbot, pages)
    window.show_page("downloads")
    window.show_model("owner/name")
    assert pages.models == ["owner/name"]
    assert window.page_name == "discover"


@bare_platform
def test_where_it_is_narrow_the_rail_shows_icons_with_names(qtbot: QtBot) -> None:
    window = open_window(qtbot, Pages())
    window.resize(NARROW + 100, 500)
    window.open()
    window.set_badge("downloads", "2")
    item = window.rail.item(2)
    assert item.text() == "Downloads (2)"
    wide = window.rail.width()
    window.resize(NARROW - 100, 500)
    qtbot.waitUntil(lambda: window.rail.width() < wide)
    assert item.text() == ""
    assert item.toolTip() == "Downloads (2)"
    assert item.data(Qt.ItemDataRole.AccessibleTextRole) == "Downloads (2)"


@bare_platform
def test_its_place_is_kept(qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "library.json"
    window = open_window(qtbot, Pages(), place)
    window.resize(700, 510)
    window.show_page("installed")
    window.close()
    pages = Pages()
    other = open_window(qtbot, pages, place)
    other.open()
    assert pages.built == ["installed"]
    assert other.size().width() == 700
    assert other.size().height() == 510


@bare_platform
def test_a_broken_place_is_no_news(qtbot: QtBot, tmp_path: Path) -> None:
    place = tmp_path / "library.json"
    place.write_text('{"version": 1, "geometry": "!!!", "page": 7}')
    window = open_window(qtbot, Pages(), place)
    window.open()
    assert window.page_name == "discover"
