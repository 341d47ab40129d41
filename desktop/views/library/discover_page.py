"""Discover: the starter list before one types, then what the hub has, with verdicts; and a model.

The page of one model takes the place of the list, and gives it back as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library import discover_words, search_memory
from desktop.models.library.discover_model import DiscoverModel
from desktop.models.library.discovering import Discovering, Stage
from desktop.models.library.hub_faults import Way
from desktop.models.library.verdict_book import VerdictBook
from desktop.views.dialog_parts import plain_label
from desktop.views.icons import icon
from desktop.views.library.filter_bar import FilterBar
from desktop.views.library.hit_list import HitList
from desktop.views.library.more_line import MoreLine
from desktop.views.library.state_panel import Skeleton, StatePanel
from desktop.views.library.use_chips import UseChips
from desktop.views.sidebar.search_field import SearchField
from desktop.views.transcript.accessible import announce

if TYPE_CHECKING:
    from desktop.models.library.discover_context import DiscoverContext, Downloads
    from desktop.models.library.hub_link import HubLink
    from desktop.views.library.model_page import ModelPage
    from engine.store.hub.messages import Filters, Hit
    from engine.store.library.records import InstalledModel

STALE_MS = 300  # so long the former results stay as they are before they are paled


class DiscoverPage(QWidget):
    """See the module.

    Args:
        link: asks the hub.
        desk: carries out downloads.
        context: the rest of the program, as far as this page needs it.

    Signals:
        online_wanted: the network is to be used again.
        network_wanted: the settings of the network are to be shown.
        downloads_wanted: a download was begun, or one wants to see how it goes.
        load_requested: the folder of a model that is here.
    """

    online_wanted = Signal()
    network_wanted = Signal()
    downloads_wanted = Signal()
    load_requested = Signal(str)

    def __init__(
        self,
        link: HubLink,
        desk: Downloads,
        context: DiscoverContext,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._link = link
        self._desk = desk
        self._context = context
        self._here: dict[str, tuple[InstalledModel, ...]] = {}  # what is here of a repository
        self.book = VerdictBook(link, context, self)
        self.hits = DiscoverModel(self)
        self.hits.is_here = self._here.__contains__
        self.discovering = Discovering(link, self.book, self.hits, self)
        self.discovering.changed.connect(self._show_stage)
        self._said = ""
        self._stage: Stage | None = None
        self.stack = QStackedWidget()
        self.model_page: ModelPage | None = None
        self._build()
        self.refresh_installed()
        filters, order = search_memory.read(context.search_file)
        self.bar.show_filters(filters, order)
        self.discovering.begin(filters, order)
        theme.notifier().changed.connect(self._on_theme)

    # --- what the program says -----------------------------------------------------------

    def show_model(self, repo: str, revision: str = "main") -> None:
        """Show the page of a model: "owner/name"."""
        page = self._page()
        page.show_repo(repo, revision)
        self.stack.setCurrentWidget(page)
        page.take_focus()

    def show_list(self) -> None:
        """Back to the list, where one was."""
        if self.model_page is not None:
            self.model_page.leave()
        self.stack.setCurrentWidget(self.front)
        if not self.list.enter():
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh_installed(self) -> None:
        """What is on this computer changed."""
        found: dict[str, tuple[InstalledModel, ...]] = {}
        for model in self._context.installed():
            if model.repo:
                found[model.repo] = (*found.get(model.repo, ()), model)
        if found != self._here:
            self._here.clear()
            self._here.update(found)
            self.hits.touch_all()
            if self.model_page is not None:
                self.model_page.refresh_installed()

    # --- building ------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.field = SearchField()
        self.field.setPlaceholderText(self.tr("Search the hub for models"))
        self.field.setAccessibleName(self.tr("Search the hub for models"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaxLength(200)
        self.field.textChanged.connect(self.discovering.set_text)
        self.field.returnPressed.connect(self._on_return)
        self.field.cleared.connect(self.field.clear)
        self.field.left.connect(self._on_left)
        self._field_icon = self.field.addAction(
            icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.bar = FilterBar()
        self.bar.changed.connect(self._on_filters)
        self.bar.sorted_by.connect(self._on_order)
        self.head = plain_label("", "title")
        self.lead = plain_label("", "muted")
        self.uses = UseChips()
        self.uses.chosen.connect(self.discovering.set_use)
        self.list = HitList(self.hits, self.tr("Models"))
        self.list.chosen.connect(self._on_chosen)
        self.list.seen.connect(self.book.want)
        self.book.reset.connect(self.list.forget_seen)
        self.list.left_top.connect(self._to_field)
        self.list.cleared.connect(self._on_cleared)
        self.list.typed.connect(self.field.type_on)
        self.state = StatePanel()
        self.state.way_chosen.connect(self.take_way)
        self.state.other_chosen.connect(self._on_state_button)
        self.skeleton = Skeleton(self.tr("Searching the hub…"))
        self.body = QStackedWidget()
        for widget in (self.list, self.state, self.skeleton):
            self.body.addWidget(widget)
        self.more = MoreLine()
        self.more.retry_wanted.connect(self.discovering.retry_more)
        self.front = QWidget()
        column = QVBoxLayout(self.front)
        column.setContentsMargins(space.l, space.l, space.s, space.s)
        column.setSpacing(space.s)
        top = QVBoxLayout()
        top.setContentsMargins(0, 0, space.s, 0)
        top.setSpacing(space.s)
        top.addWidget(self.field)
        top.addWidget(self.bar)
        top.addSpacing(space.s)
        top.addWidget(self.head)
        top.addWidget(self.lead)
        top.addWidget(self.uses)
        column.addLayout(top)
        column.addWidget(self.body, 1)
        column.addWidget(self.more)
        self.stack.addWidget(self.front)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self._stale = QTimer(self)
        self._stale.setSingleShot(True)
        self._stale.setInterval(STALE_MS)
        self._stale.timeout.connect(self._show_lead)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._to_search)
        self.stack.currentChanged.connect(self._on_turned)
        self._on_turned()

    def _on_turned(self) -> None:
        """What is not on show takes no focus: not by Tab, and not in the page's place."""
        shown = self.stack.currentWidget()
        self.setFocusProxy(self.field if shown is None or shown is self.front else shown)

    def _page(self) -> ModelPage:
        page = self.model_page
        if page is None:
            from desktop.views.library.model_page import ModelPage

            page = self.model_page = ModelPage(
                self._link, self._desk, self._context, self.book, self._here, self
            )
            page.left.connect(self.show_list)
            page.way_chosen.connect(self.take_way)
            page.model_chosen.connect(self.show_model)
            page.downloads_wanted.connect(self.downloads_wanted)
            page.load_requested.connect(self.load_requested)
            self.stack.addWidget(page)
        return page

    # --- what is shown -------------------------------------------------------------------

    def _show_stage(self) -> None:
        searching = self.discovering
        stage = searching.stage
        changed = stage is not self._stage
        self._stage = stage
        is_starter = stage is Stage.STARTER
        self.head.setVisible(is_starter)
        self.uses.setVisible(is_starter)
        self.bar.offer_order(offered=not is_starter)
        match stage:
            case Stage.STARTER | Stage.RESULTS:
                self.body.setCurrentWidget(self.list)
            case Stage.LOADING:
                self.body.setCurrentWidget(self.skeleton)
            case Stage.EMPTY:
                self._show_empty()
                self.body.setCurrentWidget(self.state)
            case Stage.FAULT if searching.fault is not None:
                self.state.show_fault(searching.fault)
                self.body.setCurrentWidget(self.state)
        if stage is Stage.RESULTS and searching.is_waiting:
            self._stale.start()
        else:
            self._stale.stop()
            self._show_lead()
        self._show_more()
        if changed or not searching.is_busy:
            self.list.forget_seen()

    def _show_lead(self) -> None:
        searching = self.discovering
        words = ""
        if searching.stage is Stage.STARTER:
            title, words = discover_words.starter_lead(has_limits=searching.is_asked)
            self.head.setText(title)
        elif searching.is_waiting:
            words = self.tr("Searching the hub…")
        elif searching.stage is Stage.RESULTS:
            words = self._found_text()
            if not searching.is_busy and words != self._said:
                announce(self.list, words)
        self._said = words
        self.lead.setText(words)
        self.lead.setVisible(bool(words))

    def _found_text(self) -> str:
        searching = self.discovering
        return discover_words.found_text(
            self.hits.count,
            searching.left_out,
            searching.note,
            goes_on=self.hits.canFetchMore(self.list.rootIndex()) or searching.is_adding,
        )

    def _show_more(self) -> None:
        searching = self.discovering
        fault = searching.fault if searching.stage is Stage.RESULTS else None
        self.more.show_stand(fault, is_adding=searching.is_adding)

    def _show_empty(self) -> None:
        from desktop.models.library.filter_words import set_limits

        limits = set_limits(self.discovering.filters)
        title = self.tr("Nothing found")
        text = discover_words.empty_text(self.discovering.left_out, has_limits=bool(limits))
        button = self.tr("Search without limits") if limits else self.tr("Back to the beginning")
        self.state.show_words("search", title, text, button)

    def _on_theme(self) -> None:
        self._field_icon.setIcon(icon("search", "muted"))

    # --- what the user does --------------------------------------------------------------

    def take_way(self, way: Way, url: str = "") -> None:
        """Do what helps against a fault."""
        match way:
            case Way.GO_ONLINE:
                self.online_wanted.emit()
            case Way.NETWORK:
                self.network_wanted.emit()
            case Way.SIGN_IN:
                self.sign_in()
            case Way.OPEN_PAGE:
                from desktop.views.dialogs import LinkDialog

                fault = self.state.fault
                LinkDialog(url or (fault.url if fault is not None else ""), self).open()
            case Way.RETRY:
                self.discovering.retry()

    def sign_in(self) -> None:
        """Open the dialog of the hub's account."""
        from desktop.views.library.sign_in_dialog import SignInDialog

        dialog = SignInDialog(self._link, self)
        dialog.signed_in.connect(self._on_signed_in)
        dialog.open()

    def _on_signed_in(self) -> None:
        if self.stack.currentWidget() is self.model_page and self.model_page is not None:
            self.model_page.retry()
        elif self.discovering.stage is Stage.FAULT:
            self.discovering.retry()

    def _on_chosen(self, hit: Hit) -> None:
        self.show_model(hit.repo, hit.commit or "main")

    def _on_filters(self, filters: Filters) -> None:
        self.discovering.set_filters(filters)
        search_memory.keep(self._context.search_file, filters, self.discovering.sort)

    def _on_order(self, order: str) -> None:
        self.discovering.set_sort(order)
        search_memory.keep(self._context.search_file, self.discovering.filters, order)

    def _on_state_button(self) -> None:
        from engine.store.hub.messages import Filters

        if self.discovering.filters != Filters():
            self.bar.show_filters(Filters())
            self._on_filters(Filters())
        else:
            self.field.clear()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_return(self) -> None:
        self.discovering.now()
        self._on_left()

    def _to_field(self) -> None:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _to_search(self) -> None:
        if self.stack.currentWidget() is not self.front:
            self.show_list()
        self.field.selectAll()
        self._to_field()

    def _on_cleared(self) -> None:
        self.field.clear()
        self._to_field()

    def _on_left(self) -> None:
        if self.body.currentWidget() is self.list:
            self.list.enter()

    # --- Qt ------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """What other programs hold of the memory may have changed."""
        super().showEvent(event)
        self.book.read_machine()

    def sizeHint(self) -> QSize:
        """As large as it likes."""
        return QSize(800, 600)
