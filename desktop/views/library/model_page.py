"""One model of the hub: what it is, would it fit, what a download fetches; and the download."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.failure_text import translated_text
from desktop.models.library.discover_model import DiscoverModel
from desktop.models.library.hub_faults import Way
from desktop.models.library.page_model import PageModel
from desktop.views.dialog_parts import push_button
from desktop.views.icons import icon
from desktop.views.library.card_view import CardView
from desktop.views.library.files_view import FilesView
from desktop.views.library.hit_list import HitList
from desktop.views.library.model_actions import ModelActions
from desktop.views.library.model_head import ModelHead
from desktop.views.library.plan_panel import WIDTH as PLAN_WIDTH
from desktop.views.library.plan_panel import PlanPanel
from desktop.views.library.rule import Rule
from desktop.views.library.state_panel import Skeleton, StatePanel
from desktop.views.library.widths import at_size
from desktop.views.wheel_guard import WheelGuard

if TYPE_CHECKING:
    from desktop.models.library.discover_context import DiscoverContext, Downloads
    from desktop.models.library.download_view import DownloadView
    from desktop.models.library.hub_link import HubLink
    from desktop.models.library.verdict_book import VerdictBook
    from engine.store.hub.messages import Hit
    from engine.store.hub.messages import ModelPage as Told
    from engine.store.library.records import InstalledModel

WIDE: Final = 900  # pixels; from here on the plan has a column of its own


class ModelPage(QWidget):
    """See the module.

    Args:
        here: what is installed, by repository; read when it is needed.

    Signals:
        left: back to the list.
        way_chosen: a `Way` out of a fault, and its address.
        model_chosen: another repository is to be shown, at this commit.
        downloads_wanted: a download was begun, or one wants to see how it goes.
        load_requested: the folder of this model, which is here.
    """

    left = Signal()
    way_chosen = Signal(object, str)
    model_chosen = Signal(str, str)
    downloads_wanted = Signal()
    load_requested = Signal(str)

    def __init__(
        self,
        link: HubLink,
        desk: Downloads,
        context: DiscoverContext,
        book: VerdictBook,
        here: Mapping[str, tuple[InstalledModel, ...]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._book = book
        self._here = here
        self._is_wide = False
        self.model = PageModel(link, context.models, self)
        self.model.changed.connect(self._show)
        self.builds = DiscoverModel(self)
        self.builds.verdict_of = book.verdict_of
        self.builds.is_here = here.__contains__
        book.judged.connect(self.builds.touch_repo)
        book.reset.connect(self.builds.touch_all)
        self.plan = PlanPanel(context.read_machine, context.learned)
        self._build()
        self.model.card_read.connect(self._on_card)
        desk.changed.connect(self._on_download)

    # --- what the program says -------------------------------------------------------------

    @property
    def repo(self) -> str:
        """Whose page it is."""
        return self.model.repo

    def show_repo(self, repo: str, revision: str = "main") -> None:
        """Show the page of another model."""
        if (repo, revision) != (self.model.repo, self.model.revision):
            self.card.clear()
            self.builds.clear()
            self.plan.show_waiting()
            self.tabs.setCurrentIndex(0)
        self.model.show_repo(repo, revision)

    def leave(self) -> None:
        """Nobody looks at it any more."""
        self.model.leave()

    def retry(self) -> None:
        """Ask the hub again."""
        self.model.retry()

    def refresh_installed(self) -> None:
        """What is on this computer changed."""
        self.builds.touch_all()
        self._show()

    def take_focus(self) -> None:
        """Where one goes on reading."""
        page = self._stack.currentWidget()
        stops: list[QWidget] = [self.doing.load, self.doing.download, self.head.back]
        if page is not self._body:
            ways = self.state.buttons() if page is self._fault_page else []
            stops = [*ways, self._backs[page]] if page is not None else []
        target = next((one for one in stops if one.isEnabled() and not one.isHidden()), self)
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- building --------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.doing = ModelActions()
        self.doing.download_wanted.connect(self._on_download_button)
        self.doing.load_wanted.connect(self._on_load)
        self.doing.variant_chosen.connect(self.model.choose_variant)
        self.doing.licence_wanted.connect(self._on_licence)
        self.doing.web_wanted.connect(self._on_web)
        self.head = ModelHead(self.doing)
        self.head.back.clicked.connect(lambda _checked=False: self.left.emit())
        self.head.access.way_chosen.connect(self._on_access)
        self.card = CardView()
        self.card.link_activated.connect(self._open_link)
        self.files = FilesView()
        self.build_list = HitList(self.builds, self.tr("Builds"))
        self.build_list.chosen.connect(self._on_build)
        self.build_list.seen.connect(self._book.want)
        self._book.reset.connect(self.build_list.forget_seen)
        self.build_list.cleared.connect(self.left)
        self.no_builds = StatePanel()
        self.no_builds.show_words(
            "branch",
            self.tr("No other builds"),
            self.tr("The hub knows of no quantised build that was made of this model."),
        )
        self._build_stack = QStackedWidget()
        holder = QWidget()
        inside = QVBoxLayout(holder)
        inside.setContentsMargins(space.s, space.s, space.s, space.s)
        inside.addWidget(self.build_list)
        self._build_stack.addWidget(holder)
        self._build_stack.addWidget(self.no_builds)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(self.tr("About this model"))
        self.tabs.tabBar().setAccessibleName(self.tr("About this model"))
        self.tabs.addTab(self.card, self.tr("Description"))
        self.tabs.addTab(self.files, self.tr("Files"))
        self.tabs.addTab(self._build_stack, self.tr("Builds"))
        self._columns = QHBoxLayout()
        self._columns.setSpacing(0)
        self._columns.addWidget(self.tabs, 1)
        self._rule = Rule()
        self._rule.hide()
        self._columns.addWidget(self._rule)
        body = QWidget()
        whole = QVBoxLayout(body)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addLayout(self._columns, 1)
        self.state = StatePanel()
        self.state.way_chosen.connect(self._on_way)
        self.state.other_chosen.connect(self.left)
        self.skeleton = Skeleton(self.tr("Asking the hub…"))
        self._stack = QStackedWidget()
        self._body = body
        self._backs: dict[QWidget, QWidget] = {}
        self._wait_page = self._with_back(self.skeleton)
        self._fault_page = self._with_back(self.state)
        for page in (body, self._wait_page, self._fault_page):
            self._stack.addWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        for key in (QKeySequence(QKeySequence.StandardKey.Back), QKeySequence(Qt.Key.Key_Escape)):
            shortcut = QShortcut(key, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(self.left)
        WheelGuard(self)
        self._lay_out(wide=False)
        theme.notifier().changed.connect(self._on_theme)

    def _with_back(self, content: QWidget) -> QWidget:
        """What stands in the page's place, with the way back above it."""
        space = theme.current().space
        back = push_button(self.tr("Back"), self.left.emit, "quiet")
        back.setIcon(icon("left", "text"))
        page = QWidget()
        self._backs[page] = back
        column = QVBoxLayout(page)
        column.setContentsMargins(space.xs, space.s, space.l, space.l)
        column.addWidget(back, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(content, 1)
        return page

    # --- Qt --------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The page itself has nothing to type into."""
        super().focusInEvent(event)
        self.take_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wide: the plan stands beside the rest; narrow: it is one of the tabs."""
        super().resizeEvent(event)
        wide = event.size().width() >= at_size(WIDE)
        if wide != self._is_wide:
            self._lay_out(wide=wide)

    def _lay_out(self, *, wide: bool) -> None:
        self._is_wide = wide
        shown = self.tabs.currentWidget()
        if wide:
            place = self.tabs.indexOf(self.plan)
            if place >= 0:
                self.tabs.removeTab(place)
            self._columns.addWidget(self.plan)
            self.plan.setFixedWidth(at_size(PLAN_WIDTH))
            self.plan.show()
        else:
            self._columns.removeWidget(self.plan)
            self.plan.setMinimumWidth(0)
            self.plan.setMaximumWidth(16_777_215)
            self.tabs.insertTab(1, self.plan, self.tr("Will it fit?"))
        self._rule.setVisible(wide)
        self.plan.title.setVisible(wide)
        if shown is not None and self.tabs.indexOf(shown) >= 0:
            self.tabs.setCurrentWidget(shown)
        self._order()

    def _on_theme(self) -> None:
        """Larger text needs more room."""
        self._lay_out(wide=self.width() >= at_size(WIDE))

    def _order(self) -> None:
        head = self.head
        stops: list[QWidget] = [head.back, head.access.open_page, head.access.account]
        stops += self.doing.stops()
        stops += [self.tabs.tabBar(), self.card, self.files, self.build_list, *self.plan.stops()]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    # --- what is shown -----------------------------------------------------------------------

    def _show(self) -> None:
        model = self.model
        page = model.page
        if page is None:
            if model.fault is not None:
                self.state.show_fault(model.fault)
                self._turn_to(self._fault_page)
            else:
                self._turn_to(self._wait_page)
            return
        self.head.show_page(page, model)
        self._show_actions(page)
        self.files.show_choice(page.choice)
        self._show_builds(page)
        self._turn_to(self._body)
        # A plan for another variant would be one of other weights.
        if not model.is_busy:
            problem = translated_text(page.shape_problem) if page.shape_problem else ""
            self.plan.show_shape(f"{page.listing.repo}@{model.variant}", page.shape, problem)

    def _turn_to(self, page: QWidget) -> None:
        """Show one of the three; the focus goes along, where it was in the one before."""
        before = self._stack.currentWidget()
        if page is before:
            return
        focus = self.window().focusWidget()
        held = focus is not None and before is not None and before.isAncestorOf(focus)
        self._stack.setCurrentWidget(page)
        if held:
            self.take_focus()

    def _installed(self) -> InstalledModel | None:
        """What is here of the variant that is shown."""
        found = self._here.get(self.model.repo, ())
        return next((one for one in found if one.variant == self.model.variant), None)

    def _show_actions(self, page: Told) -> None:
        self.doing.show_page(
            page,
            self.model,
            self._installed(),
            self._download_view(),
            has_web=not self.head.offers_page,
        )

    def _show_builds(self, page: Told) -> None:
        others = [hit for hit in page.builds if hit.repo != page.listing.repo]
        known = self.builds.hits_in(0, self.builds.rowCount())
        if [hit.repo for hit in known] != [hit.repo for hit in others]:
            self.builds.show_flat(others)
        self._build_stack.setCurrentIndex(0 if others else 1)
        place = self.tabs.indexOf(self._build_stack)
        words = self.tr("Builds")
        self.tabs.setTabText(place, f"{words} ({len(others)})" if others else words)

    def _on_card(self, text: str) -> None:
        page = self.model.page
        if page is not None:
            listing = page.listing
            self.card.show_card(
                listing.repo, text, is_cut=page.card_cut, is_gated=bool(listing.gated)
            )

    # --- what the user does --------------------------------------------------------------------

    def _on_download_button(self) -> None:
        page = self.model.page
        if page is None:
            return
        if self._download_view() is None:
            self._desk.start(
                page.listing.repo, page.listing.commit, page.choice.variant, page.listing
            )
        self.downloads_wanted.emit()

    def _download_view(self) -> DownloadView | None:
        """The download of this model that is under way; None: there is none."""
        view = self._desk.view_of(self.model.repo, self.model.variant)
        return view if view is not None and view.is_unfinished else None

    def _on_download(self, view: DownloadView) -> None:
        page = self.model.page
        if page is not None and view.repo == self.model.repo and self.isVisible():
            self._show_actions(page)

    def _on_load(self) -> None:
        here = self._installed()
        if here is not None:
            self.load_requested.emit(here.path)

    def _on_build(self, hit: Hit) -> None:
        self.model_chosen.emit(hit.repo, hit.commit or "main")

    def _on_licence(self) -> None:
        page = self.model.page
        if page is not None:
            self._open_link(page.licence_url)

    def _on_web(self) -> None:
        page = self.model.page
        if page is not None:
            self._open_link(page.url)

    def _on_access(self, way: Way) -> None:
        page = self.model.page
        if way is Way.OPEN_PAGE:
            self._open_link(page.url if page is not None else "")
        else:
            self.way_chosen.emit(way, "")

    def _on_way(self, way: Way) -> None:
        fault = self.model.fault
        if way is Way.RETRY:
            self.retry()
        elif way is Way.NEWEST:
            self.show_repo(self.repo)
        else:
            self.way_chosen.emit(way, fault.url if fault is not None else "")

    def _open_link(self, address: str) -> None:
        """Show where it leads; the browser opens it if that is wanted."""
        from desktop.views.dialogs import LinkDialog

        LinkDialog(address, self).open()

    def sizeHint(self) -> QSize:
        """As large as it likes."""
        return QSize(800, 600)
