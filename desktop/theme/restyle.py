"""Puts another style sheet on a running application without restyling what is hidden.

To change a sheet Qt restyles every widget that was ever shown, and each of them once more
for every parent of its: with 64 tabs that took three to five seconds. To take a sheet off
and to put one on, it goes over all widgets once, and only over those that are polished. So
the sheet is taken off and put on, and what lies in a hidden page (a tab behind another)
counts as not polished until the page is shown.
"""

from __future__ import annotations

from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

_pages: WeakSet[QWidget] = WeakSet()
_POLISHED = Qt.WidgetAttribute.WA_WState_Polished


class _Waiting(QObject):
    """Restyles a page that was hidden while the style sheet changed."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page is shown, and not yet painted."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            for widget in (watched, *watched.findChildren(QWidget)):
                if not widget.testAttribute(_POLISHED):
                    widget.style().polish(widget)
                    widget.setAttribute(_POLISHED)
                    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        return False


_waiting: _Waiting | None = None


def add_page(page: QWidget) -> None:
    """Restyle `page` and what is in it only while it is shown."""
    _pages.add(page)


def restyle(application: QApplication, sheet: str) -> None:
    """Put `sheet` on the application."""
    global _waiting
    if _waiting is None:
        _waiting = _Waiting(application)
    for page in list(_pages):
        if not shiboken6.isValid(page):
            _pages.discard(page)
        elif not page.isVisible():
            page.installEventFilter(_waiting)
            for widget in (page, *page.findChildren(QWidget)):
                # One that was never shown is left to Qt, which polishes it when it is.
                if widget.testAttribute(_POLISHED):
                    widget.setAttribute(_POLISHED, False)
    application.setStyleSheet("")
    application.setStyleSheet(sheet)
