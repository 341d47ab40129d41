"""One model of the hub: what it is, would it fit, what a download fetches; and the download."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.models.failure_text import translated_text
from desktop.models.library import hub_words
from desktop.models.library.discover_model import DiscoverModel
from desktop.models.library.hub_words import Way
from desktop.models.library.page_model import PageModel
from desktop.models.loading.size_text import count_text, size_text
from desktop.views.dialog_parts import plain_label, push_button, title_label
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon
from desktop.views.library.access_bar import AccessBar
from desktop.views.library.card_view import CardView
from desktop.views.library.facts_row import FactsRow
from desktop.views.library.files_view import FilesView
from desktop.views.library.hit_list import HitList
from desktop.views.library.plan_panel import WIDTH as PLAN_WIDTH
from desktop.views.library.plan_panel import PlanPanel
from desktop.views.library.rule import Rule
from desktop.views.library.state_panel import Skeleton, StatePanel
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
RESERVE: Final = 2 * 1024**3  # bytes; a disk with less than this left over is called full
LICENCES: Final = 40  # letters of a licence on its button


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
        target = self.download if self.download.isEnabled() else self.back
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- building --------------------------------------------------------------------------

    def _build(self) -> None:
        space = theme.current().space
        self.back = push_button(self.tr("Back"), self.left.emit, "quiet")
        self.back.setIcon(icon("left", "text"))
        self.back.setToolTip(self.tr("Back to the list (Esc)"))
        self.title = title_label("")
        self.owner = plain_label("", "muted")
        self.warning = plain_label("", "warning")
        self.access = AccessBar()
        self.access.way_chosen.connect(self._on_access)
        self.facts = FactsRow()
        self._make_actions()
        head = QWidget()
        outer = QVBoxLayout(head)
        outer.setContentsMargins(space.xs, space.s, space.l, space.m)
        outer.setSpacing(space.s)
        outer.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        column = QVBoxLayout()
        column.setContentsMargins(space.m, 0, 0, 0)
        column.setSpacing(space.s)
        outer.addLayout(column)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.title)
        names.addWidget(self.owner)
        column.addLayout(names)
        for widget in (self.facts, self.warning, self.access, self.doing):
            column.addWidget(widget)
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
            self.tr("Nobody has put a quantised build of this model on the hub that is known."),
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
        whole.addWidget(head)
        whole.addLayout(self._columns, 1)
        self.state = StatePanel()
        self.state.way_chosen.connect(self._on_way)
        self.state.other_chosen.connect(self.left)
        self.skeleton = Skeleton(self.tr("Asking the hub…"))
        self._stack = QStackedWidget()
        self._body = body
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

    def _make_actions(self) -> None:
        space = theme.current().space
        self.download = QPushButton()
        self.download.setProperty("kind", "primary")
        self.download.setAutoDefault(False)
        self.download.clicked.connect(lambda _checked=False: self._on_download_button())
        self.load = push_button(self.tr("Load"), self._on_load, "primary")
        self.variant = QComboBox()
        self.variant.setAccessibleName(self.tr("Which of its builds"))
        self.variant.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.variant.activated.connect(self._on_variant)
        self.licence = push_button(self.tr("Licence…"), self._on_licence)
        self.web = push_button(hub_words.way_text(Way.OPEN_PAGE), self._on_web)
        self.room = plain_label("", "muted")
        self.doing = QWidget()
        buttons = QWidget()
        flow = FlowLayout(buttons, space.s)
        for widget in (self.load, self.download, self.variant, self.licence, self.web):
            flow.addWidget(widget)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        buttons.setSizePolicy(policy)
        column = QVBoxLayout(self.doing)
        column.setContentsMargins(0, space.xs, 0, 0)
        column.setSpacing(space.xs)
        column.addWidget(buttons)
        column.addWidget(self.room)

    def _with_back(self, content: QWidget) -> QWidget:
        """What stands in the page's place, with the way back above it."""
        space = theme.current().space
        back = push_button(self.tr("Back"), self.left.emit, "quiet")
        back.setIcon(icon("left", "text"))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(space.xs, space.s, space.l, space.l)
        column.addWidget(back, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(content, 1)
        return page

    # --- Qt --------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wide: the plan stands beside the rest; narrow: it is one of the tabs."""
        super().resizeEvent(event)
        wide = event.size().width() >= WIDE
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
            self.plan.setFixedWidth(PLAN_WIDTH)
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

    def _order(self) -> None:
        stops: list[QWidget] = [self.back, self.access.open_page, self.access.account]
        stops += [self.load, self.download, self.variant, self.licence, self.web]
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
                self._stack.setCurrentWidget(self._fault_page)
            else:
                self._stack.setCurrentWidget(self._wait_page)
            return
        self._stack.setCurrentWidget(self._body)
        self._show_head(page)
        self._show_variants(page)
        self._show_actions(page)
        self.files.show_choice(page.choice)
        self._show_builds(page)
        # A plan for another variant would be one of other weights.
        if not model.is_busy:
            problem = translated_text(page.shape_problem) if page.shape_problem else ""
            self.plan.show_shape(f"{page.listing.repo}@{model.variant}", page.shape, problem)

    def _show_head(self, page: Told) -> None:
        listing = page.listing
        name = hub_words.repo_name(listing.repo)
        if self.title.accessibleName() != name:
            self.title.setText(title_label(name).text())
            self.title.setAccessibleName(name)
        owner = hub_words.repo_owner(listing.repo)
        self.owner.setText(self.tr("by {owner}").format(owner=owner) if owner else "")
        said = [self.model.fault.title] if self.model.fault is not None else []
        said += [translated_text(text) for text in (page.problem, page.choice.problem) if text]
        self.warning.setText("\n".join(dict.fromkeys(said)))
        self.warning.setVisible(bool(said))
        self.access.show_page(page, self.model.account)
        shape = page.shape
        variant = next((v for v in page.variants if v.name == self.model.variant), None)
        kind = hub_words.format_name(variant.format if variant else shape.format if shape else "")
        if shape is not None and shape.is_quantised and 0 < shape.bits < 16:
            kind = self.tr("{format}, {bits} bits").format(format=kind, bits=shape.bits)
            if shape.group_size > 0:
                kind = self.tr("{kind}, groups of {count}").format(
                    kind=kind, count=shape.group_size
                )
        size = variant.bytes if variant else shape.weights_bytes if shape else 0
        self.facts.show_facts(
            (
                (self.tr("Format"), kind),
                (self.tr("Weights"), size_text(size) if size else ""),
                (
                    self.tr("Context"),
                    self.tr("{count} tokens").format(count=hub_words.short_tokens(shape.context))
                    if shape and shape.context
                    else "",
                ),
                (self.tr("Licence"), hub_words.licence_name(page.licence) if page.licence else ""),
                (self.tr("Made from"), hub_words.shown(listing.base_model, 60)),
                (
                    self.tr("Downloads"),
                    hub_words.few_letters(listing.downloads) if listing.downloads else "",
                ),
                (self.tr("Changed"), hub_words.day_text(listing.updated)),
                (self.tr("Commit"), listing.commit[:10]),
            )
        )

    def _show_variants(self, page: Told) -> None:
        offered = [(v.name, v.bytes, v.format) for v in page.variants]
        shown = [self.variant.itemData(index) for index in range(self.variant.count())]
        if shown != [name for name, _, _ in offered]:
            self.variant.clear()
            for name, size, form in offered:
                words = hub_words.shown(name, 40) or hub_words.format_name(form)
                self.variant.addItem(f"{words} · {size_text(size)}", name)
        self.variant.setCurrentIndex(self.variant.findData(self.model.variant))
        self.variant.setVisible(len(offered) > 1)

    def _show_actions(self, page: Told) -> None:
        model, choice = self.model, page.choice
        here, view = self._installed(), self._download_view()
        is_whole = here is not None and not here.problem
        short = 0 if view is not None else self._short_by(page)
        can = bool(choice.take) and not choice.problem and not short and not model.is_busy
        size = size_text(choice.total)
        if view is not None:
            words = self.tr("Show the download")
        elif here is None:
            words = self.tr("Download · {size}").format(size=size)
        elif is_whole:
            words = self.tr("Download again · {size}").format(size=size)
        else:
            words = self.tr("Fetch what is missing")
        self.download.setText(words)
        self.download.setAccessibleName(words)
        self.download.setEnabled(view is not None or can)
        self._set_look(self.download, "kind", "" if is_whole else "primary")
        self.load.setVisible(is_whole)
        self.licence.setVisible(bool(page.licence_url))
        has_way = not self.access.isHidden() and not self.access.open_page.isHidden()
        self.web.setVisible(bool(page.url) and not has_way)
        said = self._state_texts(page, here, view)
        if short:
            said.append(
                self.tr("The disk has {free} free: {size} too little").format(
                    free=size_text(model.free or 0), size=size_text(short)
                )
            )
        elif model.free is not None and view is None:
            said.append(self.tr("{size} free on the disk").format(size=size_text(model.free)))
        self.room.setText(" · ".join(said))
        self._set_look(self.room, "role", "danger" if short else "muted")
        self.download.setAccessibleDescription(self.room.text())

    def _state_texts(
        self, page: Told, here: InstalledModel | None, view: DownloadView | None
    ) -> list[str]:
        """How it stands to this computer: installed, on its way, so many files."""
        if view is not None:
            from desktop.models.library.download_words import figures_text, state_text

            return [text for text in (state_text(view), figures_text(view)) if text]
        said = []
        if here is not None and here.problem:
            said.append(self.tr("Installed, but not whole"))
        elif here is not None and here.commit and here.commit != page.listing.commit:
            said.append(self.tr("Another version is installed"))
        elif here is not None:
            said.append(self.tr("Installed"))
        if page.choice.take:
            said.append(
                self.tr("{count} of {all} files").format(
                    count=count_text(len(page.choice.take)),
                    all=count_text(len(page.listing.files)),
                )
            )
        return said

    def _installed(self) -> InstalledModel | None:
        """What is here of the variant that is shown."""
        found = self._here.get(self.model.repo, ())
        return next((one for one in found if one.variant == self.model.variant), None)

    def _set_look(self, widget: QWidget, name: str, value: str) -> None:
        """Set what the style sheet goes by."""
        if widget.property(name) != value:
            widget.setProperty(name, value)
            widget.style().unpolish(widget)
            widget.style().polish(widget)

    def _short_by(self, page: Told) -> int:
        """How many bytes the disk lacks."""
        free = self.model.free
        return 0 if free is None else max(0, page.choice.total + RESERVE - free)

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
            self.card.show_card(page.listing.repo, text, is_cut=page.card_cut)

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

    def _on_variant(self, index: int) -> None:
        name = self.variant.itemData(index)
        if isinstance(name, str):
            self.model.choose_variant(name)

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
        else:
            self.way_chosen.emit(way, fault.url if fault is not None else "")

    def _open_link(self, address: str) -> None:
        """Show where it leads; the browser opens it if that is wanted."""
        from desktop.views.dialogs import LinkDialog

        LinkDialog(address, self).open()

    def sizeHint(self) -> QSize:
        """As large as it likes."""
        return QSize(800, 600)
