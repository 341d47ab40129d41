"""What the transcript's tests share: messages, and ways into a view."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.chats.chat import Message, MessageStatus, Role
from desktop.views.transcript.message_footer import MessageFooter
from desktop.views.transcript.message_frame import MessageFrame
from desktop.views.transcript.pointer import ReadingCanvas
from desktop.views.transcript.stepper import SiblingStepper
from desktop.views.transcript.thought_bar import ThoughtBar
from desktop.views.transcript.toolbar import MessageToolbar
from desktop.views.transcript.transcript_view import TranscriptView

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
TAB = Qt.FocusReason.TabFocusReason
LONG = "".join(f"Paragraph {n} of an answer that goes on for some time.\n\n" for n in range(60))


def message(
    number: int | str,
    role: Role = Role.ASSISTANT,
    content: str = "",
    status: MessageStatus = MessageStatus.COMPLETE,
    **more: object,
) -> Message:
    return Message(str(number), "chat", None, role, content, status, **more)  # type: ignore[arg-type]


def open_view(qtbot: QtBot, width: int = 900, height: int = 600) -> TranscriptView:
    view = TranscriptView()
    qtbot.addWidget(view)
    view.resize(width, height)
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    return view


def canvas_of(view: TranscriptView) -> ReadingCanvas:
    canvas = view.findChild(ReadingCanvas)
    assert isinstance(canvas, ReadingCanvas)
    return canvas


def frame_of(view: TranscriptView, index: int) -> MessageFrame:
    frame = canvas_of(view).frame_of(index)
    assert frame is not None
    return frame


def footer_of(view: TranscriptView, index: int) -> MessageFooter:
    footer = frame_of(view, index).around.footer
    assert footer is not None
    return footer


def thought_of(view: TranscriptView, index: int) -> ThoughtBar:
    bar = frame_of(view, index).around.thought
    assert bar is not None
    return bar


def stepper_of(view: TranscriptView, index: int) -> SiblingStepper:
    stepper = frame_of(view, index).around.stepper
    assert stepper is not None
    return stepper


def toolbar_for(view: TranscriptView, index: int) -> MessageToolbar:
    """The toolbar, lent to a message as if the pointer had come to it."""
    canvas = canvas_of(view)
    canvas.lender.lend(frame_of(view, index))
    toolbar = canvas.lender.toolbar
    assert toolbar is not None
    return toolbar


def names(buttons: list[QToolButton]) -> list[str]:
    return [button.accessibleName() for button in buttons]


def button_named(buttons: list[QToolButton], name: str) -> QToolButton:
    (button,) = [button for button in buttons if button.accessibleName() == name]
    return button


def choose(toolbar: MessageToolbar, name: str) -> None:
    """Press a button of the toolbar, or choose it from its menu."""
    for button in toolbar.buttons:
        if button.accessibleName() == name:
            button.click()
            return
    entry(toolbar.buttons[-1].menu(), name).trigger()


def entry(menu: QMenu, text: str) -> QAction:
    """An entry of a menu, also below one of its entries."""
    for action in menu.actions():
        if action.text() == text:
            return action
        below = action.menu()
        if isinstance(below, QMenu):
            try:
                return entry(below, text)
            except KeyError:
                continue
    raise KeyError(text)


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def first_line(canvas: ReadingCanvas) -> tuple[int, int, int]:
    """Which part stands at the top of the view, and where exactly."""
    place = canvas.place_at(QPoint(canvas.viewport().width() // 2, 1))
    frame = canvas.frame_of(place.item)
    assert frame is not None
    return place.item, place.part, frame.y() + frame.widgets[place.part].y()
