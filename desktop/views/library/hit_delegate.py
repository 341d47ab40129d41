"""Paints a model of the hub as a row: its name and facts at the left, the verdict at the right.

All models' rows have one height, by the width alone: a narrow list gives the verdict a line of
its own. Nothing is laid out to know it.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from desktop import theme
from desktop.models.library import hub_words
from desktop.models.library.discover_model import DiscoverModel, DiscoverRole
from desktop.models.library.discover_rows import Row
from desktop.models.library.discovering import uses_text
from desktop.views.icons import icon
from desktop.views.library.fit_mark import SIZE as MARK
from desktop.views.library.fit_mark import paint_fit
from desktop.views.sidebar.chat_list_delegate import paint_ground

_Index = QModelIndex | QPersistentModelIndex
NARROW: Final = 620  # pixels of a row; below it the verdict has a line of its own
VERDICT_SHARE: Final = 0.34
FOLD: Final = 20  # the sign that unfolds, and the room it takes
ICON: Final = 14
INDENT: Final = 24


class HitDelegate(QStyledItemDelegate):
    """See the module. Shared by the lists of results, of the starters and of builds."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._look: theme.Theme | None = None  # that the faces are of
        self._name = self._small = self._strong = self._figure = QFont()
        self._name_metrics = self._small_metrics = QFontMetrics(QFont())
        self._strong_metrics = self._figure_metrics = self._small_metrics

    def _faces(self) -> theme.Theme:
        look = theme.current()
        if look is not self._look:
            self._look = look
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
        if width < NARROW:
            lines += self._small_metrics.height() + look.space.xs
        return lines + 2 * look.space.s + look.space.xs

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """By the width and the kind alone."""
        row = index.data(DiscoverRole.ROW)
        if isinstance(row, Row) and row.hit is None:
            look = self._faces()
            return QSize(0, self._small_metrics.height() + look.space.xl)
        view = option.widget
        return QSize(0, self.height(view.width() if view is not None else option.rect.width()))

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
        area = rect.adjusted(space.s, space.s, -space.m, -space.s)
        if row.children and not row.level:
            box = QRect(area.left(), area.top(), FOLD, self._name_metrics.height())
            sign = QRect(0, 0, ICON, ICON)
            sign.moveCenter(box.center())
            icon("unfolded" if row.is_open else "right", "muted").paint(painter, sign)
        area.setLeft(area.left() + FOLD)
        if rect.width() < NARROW - (INDENT if row.level else 0):
            line = QRect(area)
            line.setTop(area.bottom() - self._small_metrics.height() + 1)
            self._paint_verdict_line(painter, line, row, model)
            area.setBottom(line.top() - space.xs)
        else:
            whole = rect.width() + (INDENT if row.level else 0)
            width = round(whole * VERDICT_SHARE)
            right = QRect(area.right() - width, area.top(), width, area.height())
            self._paint_verdict(painter, right, row, model)
            area.setRight(right.left() - space.m)
        self._paint_name(painter, area, row, model)
        self._paint_facts(painter, area, row, model)

    def _paint_name(self, painter: QPainter, area: QRect, row: Row, model: DiscoverModel) -> None:
        look = theme.current()
        hit = row.hit
        assert hit is not None
        height = self._name_metrics.height()
        tags: list[tuple[str, str]] = []  # an icon, words
        if form := model.format_of(hit):
            tags.append(("", form))
        if model.is_here(hit.repo):
            tags.append(("check", self.tr("Installed")))
        if hit.gated:
            tags.append(("lock", ""))
        if row.children and not row.level:
            tags.append(("", hub_words.builds_text(row.children)))
        room = area.width() - sum(self._tag_width(*tag) + look.space.s for tag in tags)
        while tags and room < min(160, area.width() // 2):
            room += self._tag_width(*tags.pop()) + look.space.s
        name = self._name_metrics.elidedText(
            model.name_of(row), Qt.TextElideMode.ElideMiddle, max(0, room)
        )
        painter.setFont(self._name)
        painter.setPen(look.colour("text"))
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        line = QRect(area.left(), area.top(), area.width(), height)
        painter.drawText(line, flags | Qt.TextFlag.TextSingleLine, name)
        x = area.left() + self._name_metrics.horizontalAdvance(name) + look.space.s
        for tag in tags:
            width = self._tag_width(*tag)
            self._paint_tag(painter, QRect(x, area.top(), width, height), *tag)
            x += width + look.space.s

    def _tag_width(self, name: str, words: str) -> int:
        space = theme.current().space
        width = self._small_metrics.horizontalAdvance(words) if words else 0
        if name:
            width += ICON + (space.xs if words else 0)
        return width + (2 * 6 if words and not name else 0)

    def _paint_tag(self, painter: QPainter, area: QRect, name: str, words: str) -> None:
        look = theme.current()
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
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
            area, flags = frame, flags | Qt.AlignmentFlag.AlignHCenter
        if words:
            painter.setFont(self._small)
            painter.setPen(look.colour("ok" if name == "check" else "muted"))
            painter.drawText(area, flags, words)

    def _paint_facts(self, painter: QPainter, area: QRect, row: Row, model: DiscoverModel) -> None:
        look = theme.current()
        line = QRect(area)
        line.setTop(area.top() + self._name_metrics.height() + look.space.xs)
        line.setHeight(self._small_metrics.height())
        facts = model.facts_of(row)
        if row.uses:
            facts.insert(0, uses_text(row.uses))
        owner = hub_words.repo_owner(row.repo)
        note = model.note_of(row)
        painter.setFont(self._figure)
        painter.setPen(look.colour("muted"))
        shown = ""
        # Whole facts only: one that is cut in the middle reads like another.
        for fact in filter(None, [owner, *facts, note]):
            longer = f"{shown} · {fact}" if shown else fact
            if self._figure_metrics.horizontalAdvance(longer) > line.width():
                if not shown:
                    shown = self._figure_metrics.elidedText(
                        fact, Qt.TextElideMode.ElideRight, line.width()
                    )
                break
            shown = longer
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, flags | Qt.TextFlag.TextSingleLine, shown)

    def _paint_verdict(
        self, painter: QPainter, area: QRect, row: Row, model: DiscoverModel
    ) -> None:
        """At the right: the sign, the word, and below it with what."""
        look = theme.current()
        hit = row.hit
        assert hit is not None
        fit = model.fit_of(hit)
        verdict = model.verdict_of(hit)[0]
        head, detail = hub_words.fit_head(fit, verdict), model.detail_of(hit)
        height = self._name_metrics.height()
        paint_fit(painter, QRect(area.left(), area.top(), MARK, height), fit)
        words = area.adjusted(MARK + look.space.s, 0, 0, 0)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        known = fit in (hub_words.Fit.FITS, hub_words.Fit.TWO, hub_words.Fit.TOO_BIG)
        painter.setFont(self._strong)
        painter.setPen(look.colour("text" if known else "muted"))
        line = QRect(words.left(), words.top(), words.width(), height)
        painter.drawText(
            line,
            flags | Qt.TextFlag.TextSingleLine,
            self._strong_metrics.elidedText(head, Qt.TextElideMode.ElideRight, line.width()),
        )
        if detail:
            painter.setFont(self._figure)
            painter.setPen(look.colour("muted"))
            line.translate(0, height + look.space.xs)
            line.setHeight(self._small_metrics.height())
            painter.drawText(
                line,
                flags | Qt.TextFlag.TextSingleLine,
                self._figure_metrics.elidedText(detail, Qt.TextElideMode.ElideRight, line.width()),
            )

    def _paint_verdict_line(
        self, painter: QPainter, area: QRect, row: Row, model: DiscoverModel
    ) -> None:
        """Below: the sign and all of it in a line."""
        look = theme.current()
        hit = row.hit
        assert hit is not None
        fit = model.fit_of(hit)
        words = hub_words.fit_sentence(fit, model.verdict_of(hit)[0], model.detail_of(hit))
        paint_fit(painter, QRect(area.left(), area.top(), MARK, area.height()), fit)
        line = area.adjusted(MARK + look.space.s, 0, 0, 0)
        painter.setFont(self._strong)
        painter.setPen(look.colour("text"))
        painter.drawText(
            line,
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine,
            self._strong_metrics.elidedText(words, Qt.TextElideMode.ElideRight, line.width()),
        )
