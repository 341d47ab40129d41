"""What stands around a message's text: its thought's line, attachments, siblings, footer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop import theme
from desktop.views.transcript.attachment_chips import AttachmentChips
from desktop.views.transcript.buttons import BEARING, WORDED_BEARING
from desktop.views.transcript.message_footer import MessageFooter
from desktop.views.transcript.message_item import MessageItem
from desktop.views.transcript.stepper import SiblingStepper
from desktop.views.transcript.thinking import Thought
from desktop.views.transcript.thought_bar import ThoughtBar

_W = TypeVar("_W", bound=QWidget)
_BUTTON: Final = 26  # pixels that the toolbar takes beside the speaker's name, about


class Surroundings:
    """The widgets of a frame that are not text; each is made when a message first needs it.

    An answer has a footer, and a line for its thought above its text. What a person wrote
    has attachments below, and its siblings beside the name.
    """

    def __init__(self, frame: QWidget, act: Callable[[str, int], object]) -> None:
        self._frame = frame
        self._act = act
        self.allowed: frozenset[str] | None = None  # what the footer offers; None: all there is
        self._item: MessageItem | None = None
        self._label = 0
        self._footer: MessageFooter | None = None
        self._thought: ThoughtBar | None = None
        self._chips: AttachmentChips | None = None
        self._stepper: SiblingStepper | None = None

    # --- what is there ---

    @property
    def footer(self) -> MessageFooter | None:
        """The line below an answer."""
        return _shown(self._footer)

    @property
    def thought(self) -> ThoughtBar | None:
        """The line above an answer that thought."""
        return _shown(self._thought)

    @property
    def chips(self) -> AttachmentChips | None:
        """The attachments below what a person wrote."""
        return _shown(self._chips)

    @property
    def stepper(self) -> SiblingStepper | None:
        """The way to the message's siblings, where it has some."""
        return self.footer.stepper if self.footer is not None else _shown(self._stepper)

    @property
    def text(self) -> str:
        """What the footer says."""
        return self.footer.text if self.footer is not None else ""

    def stops_above(self) -> list[QWidget]:
        """What the keyboard reaches before the text."""
        return self.thought.focus_stops() if self.thought is not None else []

    def stops_below(self) -> list[QWidget]:
        """What the keyboard reaches after the text."""
        stops: list[QWidget] = []
        for widget in (self.chips, _shown(self._stepper), self.footer):
            if widget is not None:
                stops += widget.focus_stops()
        return stops

    # --- showing a message ---

    def show_item(self, item: MessageItem, label: int, *, busy: bool) -> None:
        """Show what belongs to `item`, and set its head and foot; `label`: the name's height."""
        self._item = item
        self._label = label
        self._show_thought(item)
        space = theme.current().space
        if item.is_user:
            item.head, item.foot = self.label_top + label + space.xs, space.s
            _hide(self._footer)
            self._show_chips(item)
            self._show_stepper(item, busy=busy)
        else:
            _hide(self._chips)
            _hide(self._stepper)
            footer = self._footer
            if footer is None:
                footer = self._footer = MessageFooter(self._frame)
                footer.chosen.connect(self._act)
                footer.allowed = self.allowed
            thinking = bool(item.reasoning) and item.thinking.state is Thought.GOES_ON
            footer.show_message(item.message, busy=busy, thinking=thinking)
            footer.show()
            item.head = self.label_top + label + space.s
            if self.thought is not None:
                item.head += self.thought.height_needed() + (0 if item.unfolded else space.xs)
            item.foot = space.s + footer.height_for(item.page.width + BEARING) + space.xs

    def _show_thought(self, item: MessageItem) -> None:
        if item.is_user or not item.reasoning:
            _hide(self._thought)
            return
        if self._thought is None:
            self._thought = ThoughtBar(self._frame)
            self._thought.toggled.connect(lambda: self._act("unfold", 0))
            self._thought.copy_requested.connect(
                lambda: QGuiApplication.clipboard().setText(
                    self._item.reasoning if self._item is not None else ""
                )
            )
        self._thought.show_item(item)
        self._thought.show()

    def _show_chips(self, item: MessageItem) -> None:
        attachments = item.message.attachments
        if not attachments:
            _hide(self._chips)
            return
        if self._chips is None:
            self._chips = AttachmentChips(self._frame)
            self._chips.opened.connect(lambda name: self._act(f"attachment {name}", 0))
        self._chips.show_attachments(attachments)
        self._chips.show()
        space = theme.current().space
        item.foot = space.s + self._chips.height_for(item.page.width) + space.m

    def _show_stepper(self, item: MessageItem, *, busy: bool) -> None:
        if len(item.message.siblings) < 2:
            _hide(self._stepper)
            return
        if self._stepper is None:
            self._stepper = SiblingStepper(self._frame)
            self._stepper.stepped.connect(lambda by: self._act("sibling", by))
        self._stepper.show_message(item.message, busy=busy)
        self._stepper.show()

    def reset(self) -> None:
        """Show nothing: another message comes next."""
        self._item = None
        if self._footer is not None:
            self._footer.reset()
        if self._thought is not None:
            self._thought.reset()

    # --- geometry ---

    @property
    def label_top(self) -> int:
        """Where the speaker's name stands."""
        space = theme.current().space
        return space.m if self._item is not None and self._item.is_user else space.s

    def label_width(self, width: int) -> int:
        """The room for the speaker's name in a column so wide."""
        stepper = _shown(self._stepper)
        taken = stepper.width() if stepper is not None else 0
        return max(0, width - taken - _BUTTON)

    def place(self, item: MessageItem, left: int) -> None:
        """Put everything where it belongs; the column begins at `left`."""
        space = theme.current().space
        width = item.page.width
        foot = item.height - item.foot
        if self.footer is not None:
            height = item.foot - space.s - space.xs
            self.footer.setGeometry(left - BEARING, foot + space.s, width + BEARING, height)
        if self.thought is not None:
            top = self.label_top + self._label + space.xs
            inset = WORDED_BEARING
            height = self.thought.height_needed()
            self.thought.setGeometry(left - inset, top, width + inset, height)
        if self.chips is not None:
            self.chips.setGeometry(left, foot + space.s, width, item.foot - space.s - space.m)
            self.chips.place()
        stepper = _shown(self._stepper)
        if stepper is not None:
            size = stepper.sizeHint()
            stepper.setGeometry(
                left + width - size.width(),
                self._beside_label(size.height()),
                size.width(),
                size.height(),
            )

    def _beside_label(self, height: int) -> int:
        return max(1, self.label_top + (self._label - height) // 2)

    def room(self, left: int, name_width: int) -> QRect:
        """Where the toolbar may lie, in the frame's pixels: beside the name or the figures."""
        item = self._item
        if item is None:
            return QRect()
        if self.footer is not None:
            return self.footer.room().translated(self.footer.pos())
        right = left + item.page.width
        stepper = _shown(self._stepper)
        if stepper is not None:
            right = stepper.x() - theme.current().space.xs
        start = left + name_width + theme.current().space.s
        return QRect(start, self._beside_label(_BUTTON), max(0, right - start), _BUTTON)


def _shown(widget: _W | None) -> _W | None:
    return widget if widget is not None and not widget.isHidden() else None


def _hide(widget: QWidget | None) -> None:
    if widget is not None:
        widget.hide()
