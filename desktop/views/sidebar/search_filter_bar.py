"""What a search is limited to: a button with a menu, and a chip for each limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QLocale, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop import theme
from desktop.models.lists.search_filters import Period, SearchFilters
from desktop.models.tip_text import tip_text
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon

_ICON_SIZE = 16
_CHIP_ICON = 12
_LONGEST = 24  # characters on a chip: the sidebar can be narrow


class SearchFilterBar(QObject):
    """Holds the filters; the panel puts its two widgets into place.

    Attributes:
        button: opens the menu.
        chips: one for each filter that is set; hidden while none is.

    Signals:
        changed: the new `SearchFilters`.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.filters = SearchFilters()
        self.folders: Callable[[], list[str]] = list
        self.models: list[str] = []
        self.chat_in_front: tuple[str, str] = ("", "")  # id, title
        self.button = QToolButton(parent)
        self.button.setIcon(icon("filter", "muted"))
        self.button.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.button.setToolTip(self.tr("Limit the search"))
        self.button.setAccessibleName(self.tr("Limit the search"))
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self.button)
        self._menu.aboutToShow.connect(self._build_menu)
        self.button.setMenu(self._menu)
        self.chips = QWidget(parent)
        self._flow = FlowLayout(self.chips, theme.current().space.xs)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.chips.setSizePolicy(policy)
        self.chips.hide()

    def set_filters(self, filters: SearchFilters) -> None:
        """Limit the search to this."""
        if filters == self.filters:
            return
        self.filters = filters
        self.button.setIcon(icon("filter", "accent" if filters.are_set else "muted"))
        self._show_chips()
        self.changed.emit(filters)

    # --- the menu -------------------------------------------------------------------

    def _build_menu(self) -> None:
        menu, filters = self._menu, self.filters
        menu.clear()
        folder = menu.addMenu(self.tr("Folder"))
        options: list[tuple[str, str | None]] = [
            (self.tr("All folders"), None),
            (self.tr("Outside of folders"), ""),
            *((name, name) for name in self.folders()),
        ]
        group = QActionGroup(folder)
        for words, name in options:
            self._choice(
                folder, group, words, filters.folder == name, replace(filters, folder=name)
            )
        models = menu.addMenu(self.tr("Model"))
        group = QActionGroup(models)
        for words, name in [(self.tr("All models"), ""), *((m, m) for m in self.models)]:
            self._choice(models, group, words, filters.model == name, replace(filters, model=name))
        times = menu.addMenu(self.tr("Time"))
        group = QActionGroup(times)
        for period in (Period.ANY, Period.TODAY, Period.WEEK, Period.MONTH, Period.YEAR):
            chosen = replace(filters.without_dates(), period=period)
            self._choice(times, group, self._period_text(period), filters.period is period, chosen)
        times.addSeparator()
        dates = times.addAction(self.tr("From … to …"), self._choose_dates)
        dates.setCheckable(True)
        dates.setChecked(filters.period is Period.DATES)
        menu.addSeparator()
        chat_id, title = self.chat_in_front
        here = menu.addAction(self.tr("Only in the chat in front"))
        here.setCheckable(True)
        here.setChecked(bool(filters.chat_id))
        here.setEnabled(bool(chat_id or filters.chat_id))
        here.toggled.connect(
            lambda on: self.set_filters(
                replace(self.filters, chat_id=chat_id if on else "", chat_title=title if on else "")
            )
        )
        archived = menu.addAction(self.tr("Archived chats too"))
        archived.setCheckable(True)
        archived.setChecked(filters.archived)
        archived.toggled.connect(lambda on: self.set_filters(replace(self.filters, archived=on)))
        if filters.are_set:
            menu.addSeparator()
            menu.addAction(self.tr("Search everything"), lambda: self.set_filters(SearchFilters()))

    def _choice(
        self, menu: QMenu, group: QActionGroup, words: str, chosen: bool, filters: SearchFilters
    ) -> None:
        action = QAction(_short(words).replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(chosen)
        action.triggered.connect(lambda _checked=False: self.set_filters(filters))
        group.addAction(action)
        menu.addAction(action)

    def _choose_dates(self) -> None:
        from desktop.views.sidebar.search_dates import DatesDialog

        dialog = DatesDialog(self.filters, self.button.window())
        dialog.chosen.connect(self.set_filters)
        dialog.open()

    # --- the chips ------------------------------------------------------------------

    def _show_chips(self) -> None:
        had_focus = self.chips.isAncestorOf(self.chips.window().focusWidget() or self.button)
        while (item := self._flow.takeAt(0)) is not None:
            chip = item.widget()
            if chip is not None:
                chip.hide()
                chip.deleteLater()
        for words, without in self._set_ones():
            self._flow.addWidget(self._chip(words, without))
        self.chips.setVisible(self._flow.count() > 0)
        self.chips.updateGeometry()
        if had_focus:  # the chip with the focus is gone
            first = self._flow.itemAt(0)
            widget = first.widget() if first is not None else None
            (widget or self.button).setFocus(Qt.FocusReason.OtherFocusReason)

    def _chip(self, words: str, without: SearchFilters) -> QPushButton:
        chip = QPushButton(_short(words).replace("&", "&&"), self.chips)
        chip.setProperty("kind", "chip")
        chip.setIcon(icon("close", "muted"))
        chip.setIconSize(QSize(_CHIP_ICON, _CHIP_ICON))
        chip.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the sign at the end
        chip.setMinimumWidth(theme.current().space.xxl)
        what = self.tr("Remove the limit: {limit}").format(limit=words)
        chip.setAccessibleName(what)
        chip.setToolTip(tip_text(what))
        chip.clicked.connect(lambda _checked=False: self.set_filters(without))
        return chip

    def _set_ones(self) -> list[tuple[str, SearchFilters]]:
        filters = self.filters
        found: list[tuple[str, SearchFilters]] = []
        if filters.chat_id:
            words = self.tr("Chat: {title}").format(title=filters.chat_title)
            found.append((words, replace(filters, chat_id="", chat_title="")))
        if filters.folder is not None:
            words = (
                self.tr("Folder: {name}").format(name=filters.folder)
                if filters.folder
                else self.tr("Outside of folders")
            )
            found.append((words, replace(filters, folder=None)))
        if filters.model:
            words = self.tr("Model: {name}").format(name=filters.model)
            found.append((words, replace(filters, model="")))
        if filters.period is not Period.ANY:
            found.append((self._span_text(filters), filters.without_dates()))
        if not filters.archived:
            found.append((self.tr("Without the archive"), replace(filters, archived=True)))
        return found

    def _period_text(self, period: Period) -> str:
        return {
            Period.TODAY: self.tr("Today"),
            Period.WEEK: self.tr("Last 7 days"),
            Period.MONTH: self.tr("Last 30 days"),
            Period.YEAR: self.tr("Last year"),
        }.get(period, self.tr("Any time"))

    def _span_text(self, filters: SearchFilters) -> str:
        if filters.period is not Period.DATES:
            return self._period_text(filters.period)
        from PySide6.QtCore import QDate

        def text(day: object) -> str:
            return QLocale().toString(QDate(day), QLocale.FormatType.ShortFormat)  # type: ignore[call-overload]

        if filters.first is None:
            return self.tr("Until {day}").format(day=text(filters.last))
        if filters.last is None:
            return self.tr("Since {day}").format(day=text(filters.first))
        return self.tr("{first} to {last}").format(
            first=text(filters.first), last=text(filters.last)
        )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
