"""The theme: contrast, fonts, following the system, and that nobody else names a colour."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QPushButton, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.theme import fonts, stylesheet
from desktop.theme.tokens import MAX_FONT_SIZE, MIN_FONT_SIZE
from desktop.views import icons

ROOT = Path(__file__).parent.parent.parent
THEMES = [theme.LIGHT, theme.DARK, theme.CONTRAST]
GROUNDS = ["ground", "sidebar", "page", "raised", "sunken"]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_text_can_be_read_on_every_ground(look: theme.Theme) -> None:
    for ground in GROUNDS:
        for role in ("text", "muted", "danger", "warning", "ok", "accent"):
            assert contrast(getattr(look, role), getattr(look, ground)) >= 4.5, (role, ground)
        assert contrast(look.faint, getattr(look, ground)) >= 3, ground
    assert contrast(look.on_accent, look.accent) >= 4.5
    assert contrast(look.on_accent, look.accent_hover) >= 4.5
    for ground in ("selection", "accent_soft", "hover", "pressed"):
        assert contrast(look.text, getattr(look, ground)) >= 4.5, ground
    for field in fields(look.syntax):
        assert contrast(getattr(look.syntax, field.name), look.raised) >= 4.5, field.name


def test_the_high_contrast_theme_keeps_seven_to_one_and_shows_every_border() -> None:
    look = theme.CONTRAST
    texts = ("text", "muted", "faint", "danger", "warning", "ok", "accent", "accent_hover")
    chosen = ("hover", "pressed", "selection", "accent_soft", "danger_soft")
    for ground in (*GROUNDS, "hover", "danger_soft"):
        for role in texts:
            assert contrast(getattr(look, role), getattr(look, ground)) >= 7, (role, ground)
        for field in fields(look.syntax):
            colour = getattr(look.syntax, field.name)
            assert contrast(colour, getattr(look, ground)) >= 7, (field.name, ground)
    for ground in chosen:
        assert contrast(look.text, getattr(look, ground)) >= 7, ground
    for ground in ("accent", "accent_hover"):
        assert contrast(look.on_accent, getattr(look, ground)) >= 7
    for border in ("line", "mark", "thumb", "accent", "faint"):
        for ground in (*GROUNDS, *chosen):
            assert contrast(getattr(look, border), getattr(look, ground)) >= 3, (border, ground)
    assert look.ring >= 3
    assert len({look.mark, look.line, look.text}) == 3  # the focus is told from a border


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=lambda look: look.name)
def test_the_focus_can_be_seen_in_every_theme(look: theme.Theme) -> None:
    for ground in GROUNDS:
        assert contrast(look.accent, getattr(look, ground)) >= 3, ground


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_every_token_of_the_style_sheet_is_filled_in(look: theme.Theme) -> None:
    sheet = stylesheet.build(look)
    assert "{text}" not in sheet
    assert look.accent in sheet


def test_the_bundled_faces_are_there_with_their_licences(qapp: QApplication) -> None:
    theme.apply(qapp, "light", 11)
    assert fonts.load()
    assert QFontInfo(theme.current().text_font()).family() == "Inter"
    assert QFontInfo(theme.current().mono_font()).family() == "JetBrains Mono"
    for name in ("Inter-OFL.txt", "JetBrainsMono-OFL.txt"):
        assert "SIL OPEN FONT LICENSE" in (fonts.ASSETS / "fonts" / name).read_text()
    assert sum(f.stat().st_size for f in (fonts.ASSETS / "fonts").iterdir()) < 2_500_000


def test_figures_have_one_width(qapp: QApplication) -> None:
    theme.apply(qapp, "light", 11)
    metrics = QFontMetricsF(theme.current().figure_font())
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def test_three_text_sizes_that_follow_the_users(qapp: QApplication) -> None:
    for size in (MIN_FONT_SIZE, 11, 20, MAX_FONT_SIZE):
        look = theme.apply(qapp, "light", size)
        assert look.small < look.body < look.title
        assert qapp.font().pointSizeF() == size
    assert theme.apply(qapp, "light", 1).body == MIN_FONT_SIZE
    assert theme.apply(qapp, "light", 500).body == MAX_FONT_SIZE
    theme.apply(qapp, "light", 11)


def test_a_change_is_announced_once(qapp: QApplication, qtbot: QtBot) -> None:
    theme.apply(qapp, "light", 11)
    with qtbot.waitSignal(theme.notifier().changed) as blocker:
        theme.apply(qapp, "dark", 11)
    assert blocker.args == [theme.current()]
    assert theme.current().is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == theme.DARK.ground
    with qtbot.assertNotEmitted(theme.notifier().changed):
        theme.apply(qapp, "dark", 11)
    theme.apply(qapp, "light", 11)


def test_the_system_is_followed_only_when_asked(qapp: QApplication) -> None:
    theme.apply(qapp, "light", 12)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not theme.current().is_dark
    expected = qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark
    assert theme.apply(qapp, "system", 12).is_dark == expected
    qapp.styleHints().setColorScheme(Qt.ColorScheme.Dark)
    assert theme.current().is_dark == (qapp.styleHints().colorScheme() == Qt.ColorScheme.Dark)
    assert theme.current().body == 12
    theme.apply(qapp, "light", 11)


def test_high_contrast_is_a_theme_of_its_own(qapp: QApplication) -> None:
    look = theme.apply(qapp, "contrast", 12)
    assert look.name == "contrast"
    assert look.is_dark
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.current().name == "contrast"
    theme.apply(qapp, "light", 11)


@pytest.mark.parametrize("look", THEMES, ids=lambda look: look.name)
def test_the_pictures_of_the_style_sheet_are_there(look: theme.Theme) -> None:
    paths = re.findall(r'url\("([^"]+)"\)', stylesheet.build(look))
    assert paths
    assert all(Path(path).is_file() for path in paths)


def test_a_colour_that_is_none_is_refused() -> None:
    for name in ("nonsense", "name", "radius", "space"):
        with pytest.raises(KeyError):
            theme.LIGHT.colour(name)


@pytest.mark.parametrize(
    "path", sorted((fonts.ASSETS / "icons").glob("*.svg")), ids=lambda p: p.stem
)
def test_icons_take_the_themes_colours(qapp: QApplication, path: Path) -> None:
    theme.apply(qapp, "light", 11)
    made = icons.icon(path.stem, "accent")
    light = made.pixmap(QSize(48, 48)).toImage()
    assert ink(light) == {theme.LIGHT.accent}
    assert ink(made.pixmap(QSize(48, 48), QIcon.Mode.Disabled).toImage()) == {theme.LIGHT.faint}
    theme.apply(qapp, "dark", 11)
    assert ink(made.pixmap(QSize(48, 48)).toImage()) == {theme.DARK.accent}
    theme.apply(qapp, "light", 11)


def ink(image) -> set[str]:  # type: ignore[no-untyped-def]
    """The colours of an image's solid pixels."""
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return {pixel.name() for pixel in pixels if pixel.alpha() == 255}


def test_an_unknown_icon_or_colour_is_refused(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icons.icon("nonsense")
    with pytest.raises(KeyError):
        icons.icon("plus", "nonsense")


def test_no_view_names_a_colour() -> None:
    named = re.compile(r"[\"']#[0-9a-fA-F]{3,8}[\"']|Qt\.GlobalColor\.(?!transparent)|\brgba?\(")
    for path in (ROOT / "desktop").rglob("*.py"):
        if path.parent.name != "theme":
            assert not named.search(path.read_text()), path


def test_a_hidden_page_is_styled_when_it_is_shown(qapp: QApplication, qtbot: QtBot) -> None:
    pages = QStackedWidget()
    qtbot.addWidget(pages)
    buttons = []
    for _ in range(3):
        page = QWidget()
        theme.add_page(page)
        button = QPushButton("New", page)
        buttons.append(button)
        pages.addWidget(page)
    pages.show()
    for index in range(3):
        pages.setCurrentIndex(index)
    pages.setCurrentIndex(0)
    theme.apply(qapp, "contrast", 11)
    polished = Qt.WidgetAttribute.WA_WState_Polished
    assert [button.testAttribute(polished) for button in buttons] == [True, False, False]
    theme.apply(qapp, "dark", 20)
    pages.setCurrentIndex(1)
    assert buttons[1].testAttribute(polished)
    assert ground_of(buttons[1]) == ground_of(buttons[0]) == theme.DARK.raised
    assert buttons[1].font().pointSizeF() == 20
    theme.apply(qapp, "light", 11)
    assert ground_of(buttons[1]) == theme.LIGHT.raised


def ground_of(button: QPushButton) -> str:
    """The colour it is drawn on."""
    return button.grab().toImage().pixelColor(4, button.height() // 2).name()


class _Eager(QObject):
    """Gives a widget its font of the theme at the first event after that changed, and only then."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self._widget = widget
        self._look: theme.Theme | None = None
        widget.installEventFilter(self)
        theme.notifier().changed.connect(self.follow)

    def follow(self) -> None:
        if self._look != theme.current():
            self._look = theme.current()
            self._widget.setFont(self._look.figure_font())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        del watched, event
        self.follow()
        return False


def test_a_widget_that_is_eager_to_change_keeps_no_old_font(
    qapp: QApplication, qtbot: QtBot
) -> None:
    size = int(theme.current().body)
    widget = QWidget()
    qtbot.addWidget(widget)
    eager = _Eager(widget)
    widget.show()
    try:
        theme.apply(qapp, theme.notifier().mode, size + 3)
        assert widget.font().pointSizeF() == theme.current().figure_font().pointSizeF()
    finally:
        theme.notifier().changed.disconnect(eager.follow)
        theme.apply(qapp, theme.notifier().mode, size)
