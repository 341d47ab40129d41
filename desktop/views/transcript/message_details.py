"""What is known about one answer: the model, the cost, the settings; to read and to copy."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.chats.chat import Chat, Message, Statistics
from desktop.chats.run_card import run_card
from desktop.models.session.stop_words import stop_text

Row = tuple[str, str]  # what it is, and its value


class MessageDetails(QDialog):
    """Shows the details of an answer. Deletes itself when it is closed."""

    def __init__(self, message: Message, chat: Chat, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._card = run_card(message, chat)
        space = theme.current().space
        self.setWindowTitle(self.tr("Details of this answer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rows = detail_rows(message)

        self.page = QWidget()
        grid = QGridLayout(self.page)
        grid.setContentsMargins(0, 0, space.m, 0)
        grid.setHorizontalSpacing(space.xl)
        grid.setVerticalSpacing(space.s)
        grid.setColumnStretch(1, 1)
        for number, (label, value) in enumerate(rows):
            grid.addWidget(_label(label), number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_value(label, value), number, 1)
        grid.setRowStretch(len(rows), 1)
        area = QScrollArea()
        area.setWidget(self.page)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setAccessibleName(self.windowTitle())

        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton(self.tr("Copy as run card"))
        self.copy.setToolTip(self.tr("All that it takes to make this answer again, as Markdown"))
        self.copy.clicked.connect(self._copy)
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        for button in buttons.buttons():
            button.setAccessibleName(button.text().replace("&", ""))

        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.setSpacing(space.l)
        layout.addWidget(area, 1)
        layout.addWidget(buttons)
        wanted = self.page.sizeHint()
        self.resize(max(440, wanted.width() + 4 * space.l), min(640, wanted.height() + 6 * space.l))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._card)
        self.copy.setText(self.tr("Copied"))
        self.copy.setAccessibleName(self.tr("Copied"))


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def _value(name: str, text: str) -> QLabel:
    value = QLabel(text)
    value.setTextFormat(Qt.TextFormat.PlainText)
    value.setWordWrap(True)
    value.setFont(theme.current().figure_font(theme.current().body))
    value.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    value.setAccessibleName(f"{name}: {text}")
    return value


def detail_rows(message: Message) -> list[Row]:
    """What is known about an answer, most wanted first; what is not known is left out."""
    costs = message.statistics or Statistics()
    rows = [*_run_rows(message, costs), *_cost_rows(message, costs), *_sampling_rows(costs)]
    return [(label, value) for label, value in rows if value]


def _run_rows(message: Message, costs: Statistics) -> Iterator[Row]:
    translate = QCoreApplication.translate
    run = costs.run
    model = str(run.get("model") or message.model)
    yield translate("MessageDetails", "Model"), model.rstrip("/").rpartition("/")[2]
    yield translate("MessageDetails", "Engine"), _text(run.get("engine_version"))
    yield translate("MessageDetails", "Quantization"), _text(run.get("quantization"))
    yield translate("MessageDetails", "Number format"), _text(run.get("dtype"))
    yield translate("MessageDetails", "Device"), _text(run.get("device"))
    yield translate("MessageDetails", "Chat template"), _text(run.get("template_hash"))


def _cost_rows(message: Message, costs: Statistics) -> Iterator[Row]:
    translate = QCoreApplication.translate
    locale = QLocale()

    def seconds(value: float | None, digits: int) -> str:
        if value is None or (value == 0 and digits == 1):
            return ""
        return translate("MessageDetails", "{seconds} s").format(
            seconds=locale.toString(value, "f", digits)
        )

    yield translate("MessageDetails", "Ended"), stop_text(message)
    context = costs.run.get("context")
    if isinstance(context, int) and context:
        yield translate("MessageDetails", "Context"), _tokens(context)
    if costs.prompt_tokens:
        prompt = _tokens(costs.prompt_tokens)
        if costs.cached_tokens:
            prompt = translate(
                "MessageDetails", "{tokens}, {cached} of them from the cache"
            ).format(tokens=prompt, cached=locale.toString(costs.cached_tokens))
        yield translate("MessageDetails", "Prompt"), prompt
    if costs.dropped_messages:
        dropped = locale.toString(costs.dropped_messages)
        yield translate("MessageDetails", "Older messages not read"), dropped
    if costs.completion_tokens:
        yield translate("MessageDetails", "Answer"), _tokens(costs.completion_tokens)
    if costs.decode_tps is not None:
        rate = locale.toString(costs.decode_tps, "f", 1)
        yield (
            translate("MessageDetails", "Speed"),
            translate("MessageDetails", "{rate} tokens/s").format(rate=rate),
        )
    yield translate("MessageDetails", "First token after"), seconds(costs.ttft, 2)
    yield translate("MessageDetails", "Thought for"), seconds(costs.reasoning_seconds, 1)
    yield translate("MessageDetails", "All of it took"), seconds(costs.seconds, 1)


def _tokens(count: int) -> str:
    return QCoreApplication.translate("MessageDetails", "{count} tokens").format(
        count=QLocale().toString(count)
    )


def _sampling_rows(costs: Statistics) -> Iterator[Row]:
    """The settings by the engine's own names: those are what one sets elsewhere, too."""
    translate = QCoreApplication.translate
    sampling = costs.run.get("sampling")
    settings = dict(sampling) if isinstance(sampling, dict) else {}
    seed = costs.run.get("seed", settings.pop("seed", None))
    if costs.run:
        yield (
            translate("MessageDetails", "Seed"),
            _text(seed) or translate("MessageDetails", "random"),
        )
    for name, value in sorted(settings.items()):
        yield str(name), _text(value)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return QLocale().toString(value, "g", 6)
    if isinstance(value, list | tuple):
        return ", ".join(str(one) for one in value)
    return str(value)
