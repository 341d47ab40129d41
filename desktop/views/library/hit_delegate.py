"""Paints a model of the hub as a row: its name and facts at the left, the verdict at the right.

All models' rows have one height, by the width alone: a narrow list gives the verdict a line of
its own. Nothing is laid out to know it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
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
_LINE: Final = (
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
)
_MIDDLE: Final = (
    Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
)


@dataclass(slots=True)
class Prepared:
    """A row's texts, cut to the room they have: most of what it costs to paint one.

    Attributes:
        of: what they were made of; they hold as long as that is the same.
        name_width: of the name, in pixels.
        tags: an icon's name, words and a width each.
        line: the verdict in a line, where the row is narrow.
    """

    of: tuple[object, ...]
    name: str
    name_width: int
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
        self._name = self._small = self._strong = self._figure = QFont()
        self._name_metrics = self._small_metrics = QFontMetrics(QFont())
        self._strong_metrics = self._figure_metrics = self._small_metrics

    def _faces(self) -> theme.Theme:
        look = theme.current()
        if look is not self._look:
            self._look = look
            self._prepared.clear()
            self._name = look.text_font(weight=QFont.Weight.Medium)
            self._small = look.text_font(look.small)
            self._strong = look.text_font(look.small, QFont.Weight.Medium)
            self._figure = look.figure_font()
            self._name_metrics = QFontMetrics(self._name)
            self._small_metrics = QFontMetrics(self._small)
            self._strong_metrics = QFontMetrics(self._strong)
            self._figure_metrics = QFontMetrics(self._figure)
        return look

    def height(self, width: int) -> int:
        """Of a model's row in a list so wide, in pixels."""
        look = self._faces()
        lines = self._name_metrics.height() + self._small_metrics.height() + look.space.xs
        if width < at_size(NARROW):
            lines += self._small_metrics.height() + look.space.xs
        return lines + 2 * look.space.s + look.space.xs

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """By the width and the kind alone."""
        row = index.data(DiscoverRole.ROW)
        if isinstance(row, Row) and row.hit is None:
            look = self._faces()
            return QSize(0, self._small_metrics.height() + look.space.xl)
        view = option.widget
        # As wide as a row is painted, without the scroll bar.
        wide = view.viewport().width() if isinstance(view, QAbstractScrollArea) else view.width()
        return QSize(0, self.height(wide))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """One row."""
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
                painter.setPen(QPen(look.colour("line"), 1))
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
        painter.setFont(self._strong)
        painter.setPen(look.colour("muted"))
        area = rect.adjusted(space.s, 0, -space.s, -space.xs)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        words = self._strong_metrics.elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, flags, words)

    def _paint_model(self, painter: QPainter, rect: QRect, row: Row, model: DiscoverModel) -> None:
        look = theme.current()
        space = look.space
        hit = row.hit
        assert hit is not None
        indent = INDENT if row.level else 0
        narrow = rect.width() + indent < at_size(NARROW)
        area = rect.adjusted(space.s, space.s, -space.m, -space.s)
        if row.children and not row.level:
            box = QRect(area.left(), area.top(), FOLD, self._name_metrics.height())
            sign = QRect(0, 0, ICON, ICON)
            sign.moveCenter(box.center())
            icon("unfolded" if row.is_open else "right", "muted").paint(painter, sign)
        area.setLeft(area.left() + FOLD)
        verdict = QRect(area)
        if narrow:
            verdict.setTop(area.bottom() - self._small_metrics.height() + 1)
            area.setBottom(verdict.top() - space.xs)
        else:
            verdict.setLeft(area.right() - round((rect.width() + indent) * VERDICT_SHARE))
            area.setRight(verdict.left() - space.m)
        fit, speaker = model.speaker_of(row)
        texts = self._texts(
            row, model, fit, speaker, area.width(), verdict.width() - MARK - space.s
        )
        self._paint_name(painter, area, texts)
        painter.setFont(self._figure)
        painter.setPen(look.colour("muted"))
        line = QRect(area)
        line.setTop(area.top() + self._name_metrics.height() + space.xs)
        line.setHeight(self._small_metrics.height())
        painter.drawText(line, _LINE, texts.facts)
        self._paint_verdict(painter, verdict, fit, texts, narrow=narrow)

    def _paint_name(self, painter: QPainter, area: QRect, texts: Prepared) -> None:
        look = theme.current()
        height = self._name_metrics.height()
        painter.setFont(self._name)
        painter.setPen(look.colour("text"))
        painter.drawText(QRect(area.left(), area.top(), area.width(), height), _LINE, texts.name)
        x = area.left() + texts.name_width + look.space.s
        for name, words, width in texts.tags:
            self._paint_tag(painter, QRect(x, area.top(), width, height), name, words)
            x += width + look.space.s

    def _paint_tag(self, painter: QPainter, area: QRect, name: str, words: str) -> None:
        look = theme.current()
        flags = _LINE
        if name:
            sign = QRect(area.left(), 0, ICON, ICON)
            sign.moveTop(area.center().y() - ICON // 2 + 1)
            icon(name, "ok" if name == "check" else "muted").paint(painter, sign)
            area = area.adjusted(ICON + look.space.xs, 0, 0, 0)
        elif words:
            height = self._small_metrics.height() + 1
            frame = QRect(area.left(), 0, area.width(), height)
            frame.moveTop(area.center().y() - height // 2 + 1)
            painter.setPen(QPen(look.colour("faint" if look.ring > 1 else "pressed"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(
                frame.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), look.radius_small, look.radius_small
            )
            area, flags = frame, _MIDDLE
        if words:
            painter.setFont(self._small)
            painter.setPen(look.colour("ok" if name == "check" else "muted"))
            painter.drawText(area, flags, words)

    def _paint_verdict(
        self, painter: QPainter, area: QRect, fit: Fit, texts: Prepared, *, narrow: bool
    ) -> None:
        """The sign and the word, and below it with what; in a narrow row all in a line."""
        look = theme.current()
        space = look.space
        height = area.height() if narrow else self._name_metrics.height()
        paint_fit(painter, QRect(area.left(), area.top(), MARK, height), fit)
        line = QRect(
            area.left() + MARK + space.s, area.top(), area.width() - MARK - space.s, height
        )
        known = fit in (Fit.FITS, Fit.TWO, Fit.BUILD, Fit.TOO_BIG)
        painter.setFont(self._strong)
        painter.setPen(look.colour("text" if known else "muted"))
        painter.drawText(line, _LINE, texts.line if narrow else texts.head)
        if texts.detail and not narrow:
            painter.setFont(self._figure)
            painter.setPen(look.colour("muted"))
            line.translate(0, height + space.xs)
            line.setHeight(self._small_metrics.height())
            painter.drawText(line, _LINE, texts.detail)

    # --- texts ---------------------------------------------------------------------------

    def _texts(
        self, row: Row, model: DiscoverModel, fit: Fit, speaker: Hit, left: int, right: int
    ) -> Prepared:
        """What a row says in so many pixels at the left and for the verdict."""
        hit = row.hit
        assert hit is not None
        of = (
            *(hit, model.verdict_of(hit)[0], speaker, model.verdict_of(speaker)[0], fit),
            *(model.is_here(hit.repo), row.children, row.is_open, row.title, left, right),
        )
        key = (row.repo, row.level)
        known = self._prepared.get(key)
        if known is not None and _same(known.of, of):
            self._prepared.move_to_end(key)
            return known
        made = self._make(row, model, of, left, right)
        self._prepared[key] = made
        if len(self._prepared) > KEPT:
            self._prepared.popitem(last=False)
        return made

    def _make(
        self, row: Row, model: DiscoverModel, of: tuple[object, ...], left: int, right: int
    ) -> Prepared:
        space = theme.current().space
        fit, verdict, detail = model.stand_of(row)
        tags = [(*tag, self._tag_width(*tag)) for tag in self._tags(row, model)]
        room = left - sum(width + space.s for _, _, width in tags)
        while tags and room < min(160, left // 2):
            room += tags.pop()[2] + space.s
        name = self._name_metrics.elidedText(
            model.name_of(row), Qt.TextElideMode.ElideMiddle, max(0, room)
        )
        end = Qt.TextElideMode.ElideRight
        return Prepared(
            of=of,
            name=name,
            name_width=self._name_metrics.horizontalAdvance(name),
            tags=tags,
            facts=self._facts(row, model, left),
            head=self._strong_metrics.elidedText(hub_words.fit_head(fit, verdict), end, right),
            detail=self._figure_metrics.elidedText(detail, end, right),
            line=self._strong_metrics.elidedText(
                hub_words.fit_sentence(fit, verdict, detail), end, right
            ),
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
        width = self._small_metrics.horizontalAdvance(words) if words else 0
        if name:
            return width + ICON + (space.xs if words else 0)
        return width + space.m

    def _facts(self, row: Row, model: DiscoverModel, room: int) -> str:
        facts = model.facts_of(row)
        if row.uses:
            facts.insert(1, uses_text(row.uses))
        shown = ""
        # Whole facts only: one that is cut in the middle reads like another.
        for fact in filter(None, [hub_words.repo_owner(row.repo), *facts, model.note_of(row)]):
            longer = f"{shown} · {fact}" if shown else fact
            if self._figure_metrics.horizontalAdvance(longer) > room:
                if not shown:
                    return self._figure_metrics.elidedText(fact, Qt.TextElideMode.ElideRight, room)
                break
            shown = longer
        return shown


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether texts still hold: what they were made of is the very same, figures are equal."""
    return all(
        a is b or (isinstance(a, (int, str)) and a == b) for a, b in zip(one, other, strict=True)
    )
