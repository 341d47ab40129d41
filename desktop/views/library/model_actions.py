"""What can be done with a model of the hub: download it, load it, choose a variant, read more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.library import hub_words
from desktop.models.library.hub_faults import Way, way_text
from desktop.models.loading.size_text import count_text, size_text
from desktop.views.dialog_parts import plain_label, push_button
from desktop.views.flow_layout import FlowLayout

if TYPE_CHECKING:
    from desktop.models.library.download_view import DownloadView
    from desktop.models.library.page_model import PageModel
    from engine.store.hub.messages import ModelPage as Told
    from engine.store.library.records import InstalledModel

RESERVE: Final = 2 * 1024**3  # bytes; a disk with less than this left over is called full


class ModelActions(QWidget):
    """See the module.

    Signals:
        download_wanted: begin it, or show how it goes.
        load_wanted: what is here of it.
        variant_chosen: the name of another variant.
        licence_wanted, web_wanted: the page of its licence, or its own.
    """

    download_wanted = Signal()
    load_wanted = Signal()
    variant_chosen = Signal(str)
    licence_wanted = Signal()
    web_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.download = QPushButton()
        self.download.setProperty("kind", "primary")
        self.download.setAutoDefault(False)
        self.download.clicked.connect(lambda _checked=False: self.download_wanted.emit())
        self.load = push_button(self.tr("Load"), self.load_wanted.emit, "primary")
        self.variant = QComboBox()
        self.variant.setAccessibleName(self.tr("Which of its builds"))
        self.variant.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.variant.activated.connect(self._on_variant)
        self.licence = push_button(self.tr("Licence…"), self.licence_wanted.emit)
        self.web = push_button(way_text(Way.OPEN_PAGE), self.web_wanted.emit)
        self.room = plain_label("", "muted")
        buttons = QWidget()
        flow = FlowLayout(buttons, space.s)
        for widget in (self.load, self.download, self.variant, self.licence, self.web):
            flow.addWidget(widget)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        buttons.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space.xs, 0, 0)
        column.setSpacing(space.xs)
        column.addWidget(buttons)
        column.addWidget(self.room)

    def stops(self) -> list[QWidget]:
        """All that can have the focus, in order."""
        return [self.load, self.download, self.variant, self.licence, self.web]

    def show_page(
        self,
        page: Told,
        model: PageModel,
        here: InstalledModel | None,
        view: DownloadView | None,
        *,
        has_web: bool,
    ) -> None:
        """Offer what can be done with a model.

        Args:
            here: what is installed of it.
            view: its download, while there is one.
            has_web: whether its page on the hub is offered here.
        """
        self._show_variants(page, model.variant)
        choice = page.choice
        is_whole = here is not None and not here.problem
        short = 0 if view is not None else short_by(page, model.free)
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
        _set_look(self.download, "kind", "" if is_whole else "primary")
        self.load.setVisible(is_whole)
        self.licence.setVisible(bool(page.licence_url))
        self.web.setVisible(bool(page.url) and has_web)
        said = self._state_texts(page, here, view)
        if short:
            said.append(
                self.tr(
                    "The disk has {free} free, of which {reserve} stay free: {size} too little"
                ).format(
                    free=size_text(model.free or 0),
                    reserve=size_text(RESERVE),
                    size=size_text(short),
                )
            )
        elif model.free is not None and view is None:
            said.append(self.tr("{size} free on the disk").format(size=size_text(model.free)))
        self.room.setText(" · ".join(said))
        _set_look(self.room, "role", "danger" if short else "muted")
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

    def _show_variants(self, page: Told, chosen: str) -> None:
        offered = [(v.name, v.bytes, v.format) for v in page.variants]
        shown = [self.variant.itemData(index) for index in range(self.variant.count())]
        if shown != [name for name, _, _ in offered]:
            self.variant.clear()
            for name, size, form in offered:
                words = hub_words.shown(name, 40) or hub_words.format_name(form)
                self.variant.addItem(f"{words} · {size_text(size)}", name)
        self.variant.setCurrentIndex(self.variant.findData(chosen))
        self.variant.setVisible(len(offered) > 1)

    def _on_variant(self, index: int) -> None:
        name = self.variant.itemData(index)
        if isinstance(name, str):
            self.variant_chosen.emit(name)


def _set_look(widget: QWidget, name: str, value: str) -> None:
    """Set what the style sheet goes by."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def short_by(page: Told, free: int | None) -> int:
    """How many bytes the disk lacks for a download, and for what is to be left over."""
    return 0 if free is None else max(0, page.choice.total + RESERVE - free)
