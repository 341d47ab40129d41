"""Paints a model of the hub as a row: its name and facts at the left, the verdict at the right.

All models' rows have one height, by the width alone: a narrow list gives the verdict a line of
its own. Nothing is laid out to know it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.models.library import hub_words
from desktop.models.library.discover_model import DiscoverModel, DiscoverRole
from desktop.models.library.discover_rows import Row
from desktop.models.library.discover_words import uses_text
from desktop.models.library.hub_words import Fit
from desktop.views.icons import icon
from desktop.views.library.fit_mark import SIZE as MARK
from desktop.views.library.fit_mark import paint_fit
from desktop.views.library.long_list import LongList
from desktop.views.library.row_text import Face, Inks, Words
from desktop.views.library.widths import at_size
from desktop.views.sidebar.chat_list_delegate import paint_ground

if TYPE_CHECKING:
    from engine.store.hub.messages import Hit

_Index = QModelIndex | QPersistentModelIndex
NARROW: Final = 620  # pixels of a row; below it the verdict has a line of its own
VERDICT_SHARE: Final = 0.34
FOLD: Final = 20  # the sign that unfolds, and the room it takes
ICON: Final = 14
INDENT: Final = 24
KEPT: Final = 400  # rows whose texts are kept, cut to their room


@dataclass(slots=True)
class Prepared:
    """A row's texts, cut to the room they have: most of what it costs to paint one.

    Attributes:
        of: what they were made of; they hold as long as that is the same.
        tags: an icon's name, words and a width in pixels each.
        line: the verdict in a line, where the row is narrow.
    """

    of: tuple[object, ...]
    name: Words
    tags: list[tuple[str, str, int]]
    facts: str
    head: str
    detail: str
    line: str


class HitDelegate(QStyledItemDelegate):
    """See the module. Shared by the lists of results, of the starters and of builds."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: theme.Theme | None = None  # that the faces are of
        self._prepared: OrderedDict[tuple[str, int], Prepared] = OrderedDict()
        self._inks = Inks(theme.current())
        self._name = self._small = self._strong = self._figure = Face(QFont())

    def _faces(self) -> theme.Theme:
        look = theme.current()
        if look is not self._look:
            self._look = look
            self._prepared.clear()
            self._inks = Inks(look)
            self._name = Face(look.text_font(weight=QFont.Weight.Medium))
            self._small = Face(look.text_font(look.small))
            self._strong = Face(look.text_font(look.small, QFont.Weight.Medium))
            self._figure = Face(look.figure_font())
        return look

    def height(self, width: int) -> int:
        """Of a model's row in a list so wide, in pixels."""
        look = self._faces()
        lines = self._name.height + self._small.height + look.space.xs
        if width < at_size(NARROW):
            lines += self._small.height + look.space.xs
        return lines + 2 * look.space.s + look.space.xs

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """By the width and the kind alone."""
        row = index.data(DiscoverRole.ROW)
        if isinstance(row, Row) and row.hit is None:
            look = self._faces()
            return QSize(0, self._small.height + look.space.xl)
        view = option.widget
        # As wide as a row is painted, without the scroll bar.
        wide = view.viewport().width() if isinstance(view, QAbstractScrollArea) else view.width()
        return QSize(0, self.height(wide))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
        view = option.widget
        if isinstance(view, LongList) and not view.is_due(option.rect):
            return
        row = index.data(DiscoverRole.ROW)
        model = index.model()
        if not isinstance(row, Row) or not isinstance(model, DiscoverModel):
            return
        look = self._faces()
        painter.save()
        if row.hit is None:
            self._paint_heading(painter, option.rect, row.heading)
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            rect = QRect(option.rect)
            if row.level:
                painter.setPen(QPen(self._inks["line"], 1))
                x = rect.left() + look.space.s + FOLD // 2
                painter.drawLine(x, rect.top(), x, rect.bottom())
                option.rect = rect.adjusted(INDENT, 0, 0, 0)
            paint_ground(painter, option)
            self._paint_model(painter, option.rect, row, model)
        painter.restore()

    def fold_rect(self, rect: QRect) -> QRect:
        """Where the sign that unfolds a row's builds is, with the room around it."""
        space = theme.current().space
        return QRect(rect.left() + space.xs, rect.top(), FOLD + space.xs, rect.height())

    # --- inside --------------------------------------------------------------------------

    def _paint_heading(self, painter: QPainter, rect: QRect, words: str) -> None:
        look = theme.current()
        space = look.space
        painter.setPen(self._inks["muted"])
        area = rect.adjusted(space.s, 0, -space.s, -space.xs)
        area.setTop(area.bottom() + 1 - self._strong.height)
        self._strong.draw(painter, area, self._strong.fitted(words, area.width()).text)

    def _paint_model(self, painter: QPainter, rect: QRect, row: Row, model: DiscoverModel) -> None:
        look = theme.current()
        space = look.space
        hit = row.hit
        assert hit is not None
        indent = INDENT if row.level else 0
        narrow = rect.width() + indent < at_size(NARROW)
        area = rect.adjusted(space.s, space.s, -space.m, -space.s)
        if row.children and not row.level:
            box = QRect(area.left(), area.top(), FOLD, self._name.height)
            sign = QRect(0, 0, ICON, ICON)
            sign.moveCenter(box.center())
            icon("unfolded" if row.is_open else "right", "muted").paint(painter, sign)
        area.setLeft(area.left() + FOLD)
        verdict = QRect(area)
        if narrow:
            verdict.setTop(area.bottom() - self._small.height + 1)
            area.setBottom(verdict.top() - space.xs)
        else:
            verdict.setLeft(area.right() - round((rect.width() + indent) * VERDICT_SHARE))
            area.setRight(verdict.left() - space.m)
        fit, speaker = model.speaker_of(row)
        texts = self._texts(
            *(row, model, fit, speaker, area.width(), verdict.width() - MARK - space.s),
            narrow=narrow,
        )
        self._paint_name(painter, area, texts)
        painter.setPen(self._inks["muted"])
        line = QRect(area)
        line.setTop(area.top() + self._name.height + space.xs)
        line.setHeight(self._small.height)
        self._figure.draw(painter, line, texts.facts)
        self._paint_verdict(painter, verdict, fit, texts, narrow=narrow)

    def _paint_name(self, painter: QPainter, area: QRect, texts: Prepared) -> None:
        look = theme.current()
        height = self._name.height
        painter.setPen(self._inks["text"])
        line = QRect(area.left(), area.top(), area.width(), height)
        self._name.draw(painter, line, texts.name.text)
        x = area.left() + texts.name.width + look.space.s
        for name, words, width in texts.tags:
            self._paint_tag(painter, QRect(x, area.top(), width, height), name, words)
            x += width + look.space.s

    def _paint_tag(self, painter: QPainter, area: QRect, name: str, words: str) -> None:
        look = theme.current()
        if name:
            sign = QRect(area.left(), 0, ICON, ICON)
            sign.moveTop(area.center().y() - ICON // 2 + 1)
            icon(name, "ok" if name == "check" else "muted").paint(painter, sign)
            area = area.adjusted(ICON + look.space.xs, 0, 0, 0)
        elif words:
            height = self._small.height + 1
            frame = QRect(area.left(), 0, area.width(), height)
            frame.moveTop(area.center().y() - height // 2 + 1)
            painter.setPen(QPen(self._inks["faint" if look.ring > 1 else "pressed"], 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                frame.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), look.radius_small, look.radius_small
            )
            area = frame.adjusted(look.space.m // 2, 0, 0, 0)
        painter.setPen(self._inks["ok" if name == "check" else "muted"])
        self._small.draw(painter, area, words)

    def _paint_verdict(
        self, painter: QPainter, area: QRect, fit: Fit, texts: Prepared, *, narrow: bool
    ) -> None:
        """The sign and the word, and below it with what; in a narrow row all in a line."""
        look = theme.current()
        space = look.space
        height = area.height() if narrow else self._name.height
        paint_fit(painter, QRect(area.left(), area.top(), MARK, height), fit)
        line = QRect(
            area.left() + MARK + space.s, area.top(), area.width() - MARK - space.s, height
        )
        known = fit in (Fit.FITS, Fit.TWO, Fit.BUILD, Fit.TOO_BIG)
        painter.setPen(self._inks["text" if known else "muted"])
        self._strong.draw(painter, line, texts.line if narrow else texts.head)
        if texts.detail and not narrow:
            painter.setPen(self._inks["muted"])
            line.translate(0, height + space.xs)
            line.setHeight(self._small.height)
            self._figure.draw(painter, line, texts.detail)

    # --- texts ---------------------------------------------------------------------------

    def _texts(
        self,
        row: Row,
        model: DiscoverModel,
        fit: Fit,
        speaker: Hit,
        left: int,
        right: int,
        *,
        narrow: bool,
    ) -> Prepared:
        """What a row says in so many pixels at the left and for the verdict."""
        hit = row.hit
        assert hit is not None
        of = (
            *(hit, model.verdict_of(hit)[0], speaker, model.verdict_of(speaker)[0], fit),
            *(model.is_here(hit.repo), row.children, row.is_open, row.title, left, right, narrow),
        )
        key = (row.repo, row.level)
        known = self._prepared.get(key)
        if known is not None and _same(known.of, of):
            self._prepared.move_to_end(key)
            return known
        made = self._make(row, model, of, left, right, narrow=narrow)
        self._prepared[key] = made
        if len(self._prepared) > KEPT:
            self._prepared.popitem(last=False)
        return made

    def _make(
        self,
        row: Row,
        model: DiscoverModel,
        of: tuple[object, ...],
        left: int,
        right: int,
        *,
        narrow: bool,
    ) -> Prepared:
        space = theme.current().space
        fit, verdict, detail = model.stand_of(row)
        tags = [(*tag, self._tag_width(*tag)) for tag in self._tags(row, model)]
        room = left - sum(width + space.s for _, _, width in tags)
        while tags and room < min(160, left // 2):
            room += tags.pop()[2] + space.s
        line = hub_words.fit_sentence(fit, verdict, detail)
        return Prepared(
            of=of,
            name=self._name.fitted(model.name_of(row), room, Qt.TextElideMode.ElideMiddle),
            tags=tags,
            facts=self._facts(row, model, left),
            head=self._strong.fitted(hub_words.fit_head(fit, verdict), right).text,
            detail=self._figure.fitted(detail, right).text,
            line=self._strong.fitted(line, right).text if narrow else "",
        )

    def _tags(self, row: Row, model: DiscoverModel) -> list[tuple[str, str]]:
        """Signs beside the name: an icon and words each; those that matter most come first."""
        hit = row.hit
        assert hit is not None
        tags = []
        if form := model.format_of(hit):
            tags.append(("", form))
        if model.is_here(hit.repo):
            tags.append(("check", self.tr("Installed")))
        if hit.gated:
            tags.append(("lock", ""))
        if row.children and not row.level:
            tags.append(("", hub_words.builds_text(row.children)))
        return tags

    def _tag_width(self, name: str, words: str) -> int:
        space = theme.current().space
        width = self._small.width(words) if words else 0
        if name:
            return width + ICON + (space.xs if words else 0)
        return width + space.m

    def _facts(self, row: Row, model: DiscoverModel, room: int) -> str:
        facts = model.facts_of(row)
        if row.uses:
            facts.insert(1, uses_text(row.uses))
        parts = [hub_words.repo_owner(row.repo), *facts, model.note_of(row)]
        return self._figure.joined([part for part in parts if part], " · ", room).text


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether texts still hold: what they were made of is the very same, figures are equal."""
    return all(
        a is b or (isinstance(a, (int, str)) and a == b) for a, b in zip(one, other, strict=True)
    )
