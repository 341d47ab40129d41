"""What an empty chat shows: where things stand, and how to begin."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QLayout, QPushButton, QVBoxLayout, QWidget

from desktop import theme
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name

WIDTH = 480  # at least, where there is room


class Welcome(QWidget):
    """See the module.

    Signals:
        suggestion_chosen: a text for the composer.
        models_wanted: better models are looked for.
    """

    suggestion_chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self._title = QLabel(self.tr("What is on your mind?"))
        self._title.setProperty("role", "title")
        self._state = QLabel()
        self._state.setWordWrap(True)
        self._state.setTextFormat(Qt.TextFormat.PlainText)
        self._column = QWidget()
        inside = QVBoxLayout(self._column)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(space.s)
        inside.addWidget(self._title)
        inside.addWidget(self._state)
        inside.addSpacing(space.l)
        self._offer: QPushButton | None = None
        self._inside = inside
        self._suggestions: dict[str, QPushButton] = {}
        for text in (
            self.tr("Explain how a language model picks its next word"),
            self.tr("Write a short letter that turns an invitation down kindly"),
            self.tr("Give me three ideas for dinner with eggs and spinach"),
        ):
            button = QPushButton(text)
            button.setProperty("align", "left")
            button.setAccessibleName(self.tr("Suggestion: {text}").format(text=text))
            # The style sheet owns the colours; only the alignment is ours.
            button.setStyleSheet("QPushButton { text-align: left; outline: none; }")
            button.clicked.connect(lambda _=False, t=text: self.suggestion_chosen.emit(t))
            inside.addWidget(button)
            self._suggestions[text] = button
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        layout.setContentsMargins(space.l, space.l, space.l, space.l)
        layout.addStretch(2)
        layout.addWidget(self._column, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self.set_view(EngineView())
        theme.notifier().changed.connect(self._fit)

    def text(self) -> str:
        """What is said about the state."""
        return self._state.text()

    def offer_models(self, wanted: bool) -> None:
        """Say where better models are, or no longer: the starter's is small."""
        if wanted and self._offer is None:
            self._offer = QPushButton(self.tr("The starter model is small. Get a better model…"))
            self._offer.setProperty("kind", "quiet")
            self._offer.setProperty("role", "muted")
            self._offer.setAccessibleName(self.tr("Get a better model"))
            self._offer.clicked.connect(lambda _checked=False: self.models_wanted.emit())
            # The layout's end: the way out stands below what one can try at once.
            self._inside.addWidget(self._offer, 0, Qt.AlignmentFlag.AlignLeft)
        if self._offer is not None:
            self._is_offered = wanted
            self._fit()

    _is_offered = False

    def set_view(self, view: EngineView) -> None:
        """Say what can be done in this state of the engine."""
        name = model_name(view.model)
        match view.phase:
            case Phase.READY:
                text = self.tr("{model} is ready. Nothing you write leaves this computer.")
            case Phase.LOADING:
                text = self.tr(
                    "{model} is being loaded. Write and send already: your message waits for "
                    "the model, and several chats can wait at once."
                )
            case Phase.STOPPED | Phase.STARTING | Phase.RESTARTING:
                text = self.tr(
                    "The engine is starting. Write and send already: your message waits for "
                    "the model."
                )
            case Phase.SLEEPING:
                text = self.tr("{model} sleeps. Your next message wakes it.")
            case Phase.IDLE if view.model:
                text = self.tr(
                    "This chat asks {model}, which is not loaded. What you send waits for it."
                )
            case Phase.IDLE:
                text = self.tr(
                    "No model is loaded. Choose one with Models, Load a model folder; what you "
                    "send waits for it."
                )
            case Phase.FAILED:
                text = self.tr(
                    "No model can answer now; the notice above says why and what helps. What "
                    "you send waits."
                )
        self._state.setText(text.format(model=name or self.tr("The model")))
        self._fit()

    # --- Qt ------------------------------------------------------------------------

    def minimumSizeHint(self) -> QSize:
        """It gives way to everything: `_fit` leaves out what has no room."""
        return QSize(0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the lines elsewhere."""
        super().resizeEvent(event)
        self._fit()

    # --- inside --------------------------------------------------------------------

    def _fit(self) -> None:
        """Wrapped words get all their lines; suggestions without room are left out."""
        margin = 2 * theme.current().space.l
        wanted = WIDTH
        for text, button in self._suggestions.items():
            button.setText(text)
            wanted = max(wanted, button.sizeHint().width())
        width = max(1, min(wanted, self.width() - margin))
        self._column.setFixedWidth(width)
        self._state.setMinimumHeight(0)  # or it is measured no lower than before
        lines = self._state.heightForWidth(width)
        self._state.setFixedHeight(lines)
        space = theme.current().space
        used = self._title.sizeHint().height() + lines + 2 * space.s + space.l + margin
        for text, button in self._suggestions.items():
            metrics = button.fontMetrics()
            room = width - (button.sizeHint().width() - metrics.horizontalAdvance(text))
            button.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))
            button.setToolTip(text if button.text() != text else "")
            used += button.sizeHint().height() + space.s
            button.setVisible(used <= self.height())
        if self._offer is not None:
            used += self._offer.sizeHint().height() + space.s
            self._offer.setVisible(self._is_offered and used <= self.height())
