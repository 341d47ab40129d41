"""Shows the current pane alone where the window is too small for all of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QSplitter, QToolButton

from desktop.views.tabs.pane_tree import need_of, panes_below, splitters_below
from desktop.views.tabs.tab_area import TabArea


class PaneFolding:
    """Folds the panes below `root` away and brings them back as they stood.

    Args:
        step: goes to the next pane, when the button says so that stands for the hidden ones.
    """

    def __init__(self, root: QSplitter, step: Callable[[], None]) -> None:
        self._root = root
        self._step = step
        self._sizes: dict[QSplitter, list[int]] = {}  # when all panes were last shown
        self._folded = False

    @property
    def is_folded(self) -> bool:
        """Whether one pane is shown alone."""
        return self._folded

    @property
    def kept(self) -> dict[QSplitter, list[int]]:
        """The sizes that splitters will have again, where they have others just now."""
        return self._sizes if self._folded else {}

    def fit(self, size: QSize, current: TabArea) -> bool:
        """Show all panes where they fit into `size`, else `current`; whether that changed."""
        need = need_of(self._root)
        several = len(list(panes_below(self._root))) > 1
        small = several and (size.width() < need.width() or size.height() < need.height())
        if small == self._folded:
            if not small:
                self.remember()
            return False
        if small:
            self.fold(current)
        else:
            self.unfold()
        return True

    def remember(self) -> None:
        """All panes are shown: these are the sizes to come back to."""
        self._sizes = {splitter: splitter.sizes() for splitter in splitters_below(self._root)}

    def expect(self, splitter: QSplitter, sizes: list[int]) -> None:
        """A splitter is to have these sizes, also where there is no room for all."""
        self._sizes[splitter] = sizes

    def forget(self) -> None:
        """The panes are about to be others."""
        self._sizes.clear()

    def fold(self, current: TabArea) -> None:
        """Show `current` alone, with a button that says which of how many it is."""
        self._folded = True
        panes = list(panes_below(self._root))
        for pane in panes:
            pane.setVisible(pane is current)
        for splitter in splitters_below(self._root):
            if splitter is not self._root:
                splitter.setVisible(current in set(panes_below(splitter)))
        button = current.cornerWidget()
        if not isinstance(button, QToolButton):
            translate = QCoreApplication.translate
            button = QToolButton()
            button.setToolTip(
                translate(
                    "SplitArea", "Go to the next pane; all of them are shown in a larger window"
                )
            )
            button.setAccessibleName(translate("SplitArea", "Go to the next pane"))
            button.clicked.connect(lambda _checked=False: self._step())
            current.setCornerWidget(button)
        button.setText(f"{panes.index(current) + 1}/{len(panes)}")
        button.show()

    def unfold(self) -> None:
        """Show all panes as they stood."""
        if not self._folded:
            return
        self._folded = False
        for splitter in splitters_below(self._root):
            splitter.show()
        for pane in panes_below(self._root):
            corner = pane.cornerWidget()
            if corner is not None:
                pane.setCornerWidget(None)  # type: ignore[arg-type]
                corner.deleteLater()
            pane.show()
        for splitter in splitters_below(self._root):
            sizes = self._sizes.get(splitter, [])
            if splitter.count() == len(sizes):
                splitter.setSizes(sizes)
