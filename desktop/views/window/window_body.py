"""What stands inside the window: the list of chats, the bars, the panes or an empty page.

At the right there is room for the monitor, which is built only when it is first opened.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop import theme
from desktop.views.engine.engine_banner import EngineBanner
from desktop.views.sidebar.chat_list import ChatList
from desktop.views.tabs.notice_bar import NoticeBar
from desktop.views.tabs.split_area import SplitArea

SIDEBAR_WIDTH = 264
CENTRE_WIDTH = 936
LEAST_CENTRE = 320
LEAST_BESIDE = 440  # of a chat beside the monitor, which else is but a strip
LEAST_MONITOR = 300
MONITOR_WIDTH = 420


class WindowBody(QSplitter):
    """See the module.

    Signals:
        new_requested: the empty page's button was pressed.
    """

    new_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        space = theme.current().space
        self.chat_list = ChatList()
        self.banner = EngineBanner()
        self.store_bar = NoticeBar()
        self.area = SplitArea()

        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty_page())
        self._pages.addWidget(self.area)
        self._bars = QWidget()
        self._inside = QVBoxLayout(self._bars)
        self._inside.setContentsMargins(space.s, space.s, space.s, space.s)
        self._inside.setSpacing(space.s)
        self._shown_bars: list[QWidget] = []
        for bar in (self.store_bar, self.banner):
            self._add_bar(bar)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bars)
        column.addWidget(self._pages, 1)
        centre.setMinimumWidth(LEAST_CENTRE)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.addWidget(self.chat_list)
        self.addWidget(centre)
        self.monitor_pane = QWidget()
        self.monitor_pane.setProperty("role", "sidebar")
        self.monitor_pane.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.monitor_pane.setMinimumWidth(LEAST_MONITOR)
        self.monitor_pane.hide()
        self.addWidget(self.monitor_pane)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setStretchFactor(2, 0)
        self._monitor_width = MONITOR_WIDTH
        self.setSizes([SIDEBAR_WIDTH, CENTRE_WIDTH, 0])

    def show_panes(self, any_tab: bool, *, usable: bool) -> None:
        """Show the panes, or the empty page where no tab is open.

        The empty page offers a new chat only where one can be made.
        """
        self._pages.setCurrentIndex(1 if any_tab else 0)
        self._words.setVisible(usable)
        self._begin.setVisible(usable)

    def restore_sizes(
        self, sizes: tuple[int, ...], *, beside: bool = False, width: int = 0
    ) -> None:
        """Give the sidebar the width it had.

        Args:
            sizes: see `chat_sizes`. beside: whether the monitor stands at the right.
            width: of the monitor, in pixels; 0: as usual.
        """
        self._monitor_width = max(LEAST_MONITOR, width or MONITOR_WIDTH)
        if len(sizes) != self.count() - 1 or not all(sizes):
            sizes = (SIDEBAR_WIDTH, CENTRE_WIDTH)
        self.monitor_pane.setVisible(beside)
        self._share(*sizes)

    def chat_sizes(self) -> tuple[int, ...]:
        """Widths of the sidebar and of the centre, with the monitor's room in it."""
        sidebar, centre, monitor = self.sizes()
        return sidebar, centre + monitor

    @property
    def monitor_width(self) -> int:
        """Of the monitor, in pixels; the last, while it is hidden."""
        width = self.sizes()[2]
        if not self.monitor_pane.isHidden() and width:
            self._monitor_width = width
        return self._monitor_width

    def show_monitor(self, shown: bool, width: int = 0) -> None:
        """Make room for the monitor at the right, or take it back.

        Args:
            width: in pixels; 0: the last.
        """
        if shown == self.monitor_pane.isHidden():
            sizes = self.chat_sizes()
            self._monitor_width = max(LEAST_MONITOR, width or self.monitor_width)
            self.monitor_pane.setVisible(shown)
            self._share(*sizes)

    def has_room_for_monitor(self, width: int, *, sidebar: bool) -> bool:
        """Whether a chat and the monitor stand side by side in so many pixels.

        Args:
            sidebar: whether the list of chats does, too.
        """
        taken = self.chat_list.minimumSizeHint().width() if sidebar else 0
        return width >= taken + LEAST_BESIDE + LEAST_MONITOR

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """No empty strip where no bar is shown."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._fold_bars()
        return super().eventFilter(watched, event)

    def add_banner(self) -> EngineBanner:
        """A banner for another engine."""
        banner = EngineBanner()
        self._add_bar(banner)
        return banner

    def remove_banner(self, banner: EngineBanner) -> None:
        """That engine is gone."""
        self._shown_bars.remove(banner)
        banner.removeEventFilter(self)
        self._inside.removeWidget(banner)
        banner.hide()
        banner.deleteLater()
        self._fold_bars()

    def _share(self, sidebar: int, centre: int) -> None:
        """Divide the width; the monitor's comes out of the centre."""
        room = 0
        if not self.monitor_pane.isHidden():
            room = min(self._monitor_width, max(LEAST_MONITOR, centre - LEAST_CENTRE))
        self.setSizes([sidebar, centre - room, room])

    def _add_bar(self, bar: QWidget) -> None:
        self._shown_bars.append(bar)
        self._inside.addWidget(bar)
        bar.installEventFilter(self)

    def _fold_bars(self) -> None:
        self._bars.setHidden(all(bar.isHidden() for bar in self._shown_bars))

    def _empty_page(self) -> QWidget:
        page = QWidget()
        page.setProperty("role", "page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._words = QLabel(
            self.tr("No chat is open. Choose one from the list, or begin a new one.")
        )
        self._words.setWordWrap(True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._begin = QPushButton(self.tr("New chat"))
        self._begin.setProperty("kind", "primary")
        self._begin.setAccessibleName(self.tr("New chat"))
        self._begin.clicked.connect(lambda _checked=False: self.new_requested.emit())
        layout = QVBoxLayout(page)
        layout.setSpacing(theme.current().space.l)
        layout.addStretch(2)
        layout.addWidget(self._words)
        layout.addWidget(self._begin, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._words.hide()
        self._begin.hide()
        return page
