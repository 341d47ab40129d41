"""The limits of a search and its order: a button for each, which says what is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QCheckBox, QMenu, QPushButton, QSizePolicy, QWidget

from desktop import theme
from desktop.models.library import filter_words, hub_words
from desktop.views.dialog_parts import push_button
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from engine.store.hub.messages import Filters

LONGEST: Final = 28  # characters of what is chosen, on a button


class StayingMenu(QMenu):
    """A menu in which several things are chosen: it stays until one presses elsewhere, or Esc."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """What can be checked is, and the menu stays."""
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The space bar checks, and the menu stays; Enter checks and closes."""
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)


class FilterBar(QWidget):
    """See the module.

    Signals:
        changed: the new `Filters`.
        sorted_by: the new order, one of the hub's.
    """

    changed = Signal(object)
    sorted_by = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        from engine.store.hub.messages import Filters

        self._filters: Filters = Filters()
        self._sort = "downloads"
        self._menus: dict[QPushButton, QMenu] = {}
        self._flow = FlowLayout(self, theme.current().space.s)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.format = self._button(StayingMenu(self), self._fill_formats)
        self.size_limit = self._button(QMenu(self), self._fill_sizes)
        self.context = self._button(QMenu(self), self._fill_contexts)
        self.licence = self._button(QMenu(self), self._fill_licences)
        self.language = self._button(StayingMenu(self), self._fill_languages)
        self.fits = QCheckBox(self.tr("Fits here"))
        self.fits.setAccessibleName(self.tr("Only what fits this machine"))
        self.fits.setToolTip(self.tr("Only what fits this machine"))
        self.fits.clicked.connect(self._on_fits)
        self.sort = self._button(QMenu(self), self._fill_sorts, limits=False)
        self.clear = push_button(self.tr("Clear limits"), self._clear, "quiet")
        for widget in self.stops():
            self._flow.addWidget(widget)
        self._show()

    @property
    def filters(self) -> Filters:
        """What is chosen."""
        return self._filters

    def stops(self) -> list[QWidget]:
        """All that can have the focus, in order."""
        return [
            *(self.format, self.size_limit, self.context, self.licence, self.language),
            *(self.fits, self.clear, self.sort),
        ]

    def menu_of(self, button: QPushButton) -> QMenu:
        """What a button opens."""
        return self._menus[button]

    def offer_order(self, *, offered: bool) -> None:
        """The starter list has an order of its own."""
        self.sort.setVisible(offered)
        self.updateGeometry()

    def show_filters(self, filters: Filters, order: str = "") -> None:
        """Show what was chosen elsewhere; an order of "" stays as it is."""
        self._filters, self._sort = filters, order or self._sort
        self._show()

    # --- Qt ----------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """Another size of text: another number of rows."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.updateGeometry()

    # --- inside ------------------------------------------------------------------------

    def _button(
        self, menu: QMenu, fill: Callable[[QMenu], None], *, limits: bool = True
    ) -> QPushButton:
        """A button that opens a menu, filled anew each time. That of a limit is checked if set."""
        button = QPushButton()
        button.setAutoDefault(False)
        button.setMinimumWidth(theme.current().space.xxl)

        button.setCheckable(limits)

        def open_menu() -> None:
            self._show()  # the press has changed the look of one that is set or not
            menu.clear()
            fill(menu)
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

        button.clicked.connect(lambda _checked=False: open_menu())
        self._menus[button] = menu
        return button

    def _show(self) -> None:
        filters = self._filters
        formats = ", ".join(hub_words.format_name(name) for name in filters.formats)
        size = filter_words.size_limit(filters.max_bytes) if filters.max_bytes else ""
        context = filter_words.context_limit(filters.min_context) if filters.min_context else ""
        licence = filter_words.licence_text(filters.licences)
        languages = ", ".join(filter_words.language_text(code) for code in filters.languages)
        self._say(self.format, self.tr("Format"), formats)
        self._say(self.size_limit, self.tr("Size"), size)
        self._say(self.context, self.tr("Context"), context)
        self._say(self.licence, self.tr("Licence"), licence)
        self._say(self.language, self.tr("Language"), languages)
        order = filter_words.sort_texts()[self._sort]
        self.sort.setText(f"{order}  ▾")
        self.sort.setAccessibleName(self.tr("Order: {order}").format(order=order))
        self.sort.setToolTip(self.tr("In which order"))
        self.fits.setChecked(filters.fits_only)
        self.clear.setVisible(filter_words.set_limits(filters) > 0)
        self.updateGeometry()

    def _say(self, button: QPushButton, name: str, value: str) -> None:
        short = value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"
        words = self.tr("{limit}: {value}").format(limit=name, value=short) if value else name
        button.setText(f"{words}  ▾".replace("&", "&&"))
        spoken = value or self.tr("any")
        button.setAccessibleName(self.tr("{limit}: {value}").format(limit=name, value=spoken))
        button.setToolTip(value if value != short else "")
        button.setChecked(bool(value))

    def _set(self, **values: object) -> None:
        filters = msgspec.structs.replace(self._filters, **values)
        if filters != self._filters:
            self._filters = filters
            self._show()
            self.changed.emit(filters)

    def _clear(self) -> None:
        from engine.store.hub.messages import Filters

        self.format.setFocus(Qt.FocusReason.OtherFocusReason)  # its own button goes
        if self._filters != Filters():
            self._filters = Filters()
            self._show()
            self.changed.emit(self._filters)

    def _on_fits(self) -> None:
        self._set(fits_only=self.fits.isChecked())

    # --- the menus -----------------------------------------------------------------------

    def _fill_formats(self, menu: QMenu) -> None:
        for name, words in filter_words.format_texts().items():
            self._toggle(menu, words, name, "formats")

    def _fill_languages(self, menu: QMenu) -> None:
        for code in filter_words.LANGUAGES:
            self._toggle(menu, filter_words.language_text(code), code, "languages")

    def _fill_sizes(self, menu: QMenu) -> None:
        options: list[tuple[str, int | None]] = [(self.tr("Any size"), None)]
        options += [(filter_words.size_limit(size), size) for size in filter_words.SIZES]
        self._choices(menu, options, self._filters.max_bytes, "max_bytes")

    def _fill_contexts(self, menu: QMenu) -> None:
        options: list[tuple[str, int | None]] = [(self.tr("Any context"), None)]
        options += [(filter_words.context_limit(count), count) for count in filter_words.CONTEXTS]
        self._choices(menu, options, self._filters.min_context, "min_context")

    def _fill_licences(self, menu: QMenu) -> None:
        options: list[tuple[str, tuple[str, ...]]] = [
            (self.tr("Any licence"), ()),
            (self.tr("Free for any use (Apache, MIT, BSD)"), filter_words.FREE_LICENCES),
        ]
        options += [(hub_words.licence_name(one), (one,)) for one in filter_words.LICENCES]
        self._choices(menu, options, self._filters.licences, "licences")

    def _fill_sorts(self, menu: QMenu) -> None:
        group = QActionGroup(menu)
        for name, words in filter_words.sort_texts().items():
            action = self._action(menu, words, checked=name == self._sort)
            group.addAction(action)
            action.triggered.connect(lambda _checked=False, name=name: self._on_sort(name))

    def _on_sort(self, name: str) -> None:
        if name != self._sort:
            self._sort = name
            self._show()
            self.sorted_by.emit(name)

    def _choices(
        self, menu: QMenu, options: Sequence[tuple[str, object]], present: object, field: str
    ) -> None:
        group = QActionGroup(menu)
        for words, value in options:
            action = self._action(menu, words, checked=value == present)
            group.addAction(action)
            action.triggered.connect(
                lambda _checked=False, value=value: self._set(**{field: value})
            )

    def _toggle(self, menu: QMenu, words: str, value: str, field: str) -> None:
        chosen: tuple[str, ...] = getattr(self._filters, field)
        action = self._action(menu, words, checked=value in chosen)

        def toggled(on: bool) -> None:
            now: tuple[str, ...] = getattr(self._filters, field)
            rest = tuple(one for one in now if one != value)
            self._set(**{field: (*rest, value) if on else rest})

        action.toggled.connect(toggled)

    def _action(self, menu: QMenu, words: str, *, checked: bool) -> QAction:
        action = QAction(words.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(checked)
        menu.addAction(action)
        return action
