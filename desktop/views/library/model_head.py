"""The head of a model's page: its name, its facts, and what is in the way of having it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop import theme
from desktop.models.failure_text import translated_text
from desktop.models.library import hub_words
from desktop.models.loading.size_text import bits_text, size_text
from desktop.views.dialog_parts import plain_label, push_button, title_label
from desktop.views.icons import icon
from desktop.views.library.access_bar import AccessBar
from desktop.views.library.facts_row import FactsRow
from desktop.views.library.model_actions import ModelActions

if TYPE_CHECKING:
    from desktop.models.library.page_model import PageModel
    from engine.store.hub.messages import ModelPage as Told


class ModelHead(QWidget):
    """See the module. `doing` is what can be done with the model."""

    def __init__(self, doing: ModelActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.back = push_button(self.tr("Back"), lambda: None, "quiet")
        self.back.setIcon(icon("left", "text"))
        self.back.setToolTip(self.tr("Back to the list (Esc)"))
        self.title = title_label("")
        self.owner = plain_label("", "muted")
        self.warning = plain_label("", "warning")
        self.access = AccessBar()
        self.facts = FactsRow()
        outer = QVBoxLayout(self)
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
        for widget in (self.facts, self.warning, self.access, doing):
            column.addWidget(widget)

    @property
    def offers_page(self) -> bool:
        """Whether the way to the model's page on the hub is here already."""
        return not self.access.isHidden() and not self.access.open_page.isHidden()

    def show_page(self, page: Told, model: PageModel) -> None:
        """Show what a model is."""
        listing = page.listing
        name = hub_words.repo_name(listing.repo)
        if self.title.accessibleName() != name:
            self.title.setText(title_label(name).text())
            self.title.setAccessibleName(name)
        owner = hub_words.repo_owner(listing.repo)
        self.owner.setText(self.tr("by {owner}").format(owner=owner) if owner else "")
        said = [model.fault.title] if model.fault is not None else []
        said += [translated_text(text) for text in (page.problem, page.choice.problem) if text]
        self.warning.setText("\n".join(dict.fromkeys(said)))
        self.warning.setVisible(bool(said))
        self.access.show_page(page, model.account)
        shape = page.shape
        variant = next((v for v in page.variants if v.name == model.variant), None)
        kind = hub_words.format_name(variant.format if variant else shape.format if shape else "")
        if shape is not None and shape.is_quantised and 0 < shape.bits < 16:
            bits = bits_text(shape.bits)
            kind = self.tr("{format}, {bits} bits").format(format=kind, bits=bits)
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
