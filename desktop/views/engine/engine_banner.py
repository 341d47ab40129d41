"""The strip that explains the engine while it cannot answer: progress, cause, remedies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop import theme
from desktop.engine_link.engine_state import EngineView, Phase
from desktop.models.engine_text import model_name, seconds_text, stage_text
from desktop.views.flow_layout import FlowLayout
from desktop.views.icons import icon

if TYPE_CHECKING:
    from engine.protocol import Remedy

_RARE = frozenset({"describing"})  # stages that few loads have, and that are not counted
TICK_MS = 200
ICON_SIZE = 16


class EngineBanner(QFrame):
    """Hidden when the model answers.

    Signals:
        cancel_requested: stop the load (or the work shown by `set_work`).
        remedy_chosen: a `Remedy` whose button was pressed.
        wake_requested: have the sleeping model back.
        focus_left: the button that had the focus went away, and no other came.
    """

    cancel_requested = Signal()
    remedy_chosen = Signal(object)
    wake_requested = Signal()
    focus_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = theme.current().space
        self.setProperty("role", "raised")
        self._view = EngineView()
        self._work = ""
        self._work_title = ""
        # The usual seconds of each stage of a model's load, by its folder.
        self.usual_of: Callable[[str], Mapping[str, float]] = lambda _model: {}
        self._usual: Mapping[str, float] = {}
        self._stage_base = 0.0  # seconds the load had taken when its stage began
        self._since = QElapsedTimer()
        self._base = 0.0  # seconds the load had taken when `_since` was started
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)

        self._mark = QLabel()
        self._mark.setFixedSize(ICON_SIZE, ICON_SIZE)
        self._title = QLabel()
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        self._detail = QLabel()
        self._detail.setProperty("role", "muted")
        self._detail.setTextFormat(Qt.TextFormat.PlainText)
        self._detail.setWordWrap(True)
        self._time = QLabel()
        self._time.setProperty("role", "muted")
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Progress"))
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(space.s)
        self._below = QWidget()  # a failure's remedies, so that the cause has the width
        self._remedies = FlowLayout(self._below, space.s)
        below = QHBoxLayout()
        below.setContentsMargins(ICON_SIZE + space.s, 0, 0, 0)
        below.addWidget(self._below)

        words = QVBoxLayout()
        words.setSpacing(space.xs)
        words.addWidget(self._title)
        words.addWidget(self._detail)
        row = QHBoxLayout()
        row.setSpacing(space.s)
        row.addWidget(self._mark)
        row.addLayout(words, 1)
        row.addWidget(self._time)
        row.addLayout(self._buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(space.m, space.s, space.s, space.s)
        layout.setSpacing(space.s)
        layout.addLayout(row)
        layout.addLayout(below)
        layout.addWidget(self._progress)
        self._on_theme_changed()
        theme.notifier().changed.connect(self._on_theme_changed)
        self._show()

    def text(self) -> str:
        """All words shown."""
        return f"{self._title.text()} {self._detail.text()}".strip()

    def buttons(self) -> list[QPushButton]:
        """The buttons shown, from left to right."""
        items = (
            row.itemAt(i) for row in (self._buttons, self._remedies) for i in range(row.count())
        )
        found = (item.widget() for item in items if item is not None)
        return [widget for widget in found if isinstance(widget, QPushButton)]

    def set_view(self, view: EngineView) -> None:
        """Show the engine's state."""
        before, self._view = self._view, view
        # One that wakes is not starting and then loading: its time runs on.
        wakes_on = before.is_waking and view.is_waking
        if (before.phase is not view.phase or before.model != view.model) and not wakes_on:
            self._base = 0.0
            self._since.start()
        if (
            view.phase is Phase.LOADING
            and view.load_elapsed != before.load_elapsed
            and not view.is_waking
        ):
            self._base = view.load_elapsed
            self._since.start()
        if view.phase is Phase.LOADING:
            if before.phase is not Phase.LOADING or before.model != view.model:
                self._usual = self.usual_of(view.model)
            if before.phase is not Phase.LOADING or before.stage is not view.stage:
                self._stage_base = view.load_elapsed
        unchanged = _shown(before) == _shown(view)
        failed = view.phase is Phase.FAILED  # it tells how many messages wait
        if unchanged and not self._work and not (failed and before.queued != view.queued):
            self._show_progress()
        else:
            self._show()

    def set_work(self, text: str, title: str = "") -> None:
        """Show other work until the text is empty; without a title it is the starter's."""
        self._work_title = title
        if bool(text) != bool(self._work):
            self._base = 0.0
            self._since.start()
        self._work = text
        self._show()

    # --- inside ----------------------------------------------------------------------

    def _show(self) -> None:
        view = self._view
        busy = view.phase in (Phase.STOPPED, Phase.STARTING, Phase.LOADING, Phase.RESTARTING)
        had_focus = any(button.hasFocus() for button in self.buttons())
        self._clear_buttons()
        self._set_failed_look(view.phase is Phase.FAILED and not self._work)
        if self._work:
            self._title.setText(self._work_title or self.tr("Building the starter model"))
            self._detail.setText(self._work)
            self._add_button(self.tr("Cancel"), self.cancel_requested.emit)
        elif view.phase is Phase.FAILED:
            self._show_failure(view)
        elif view.phase is Phase.IDLE:
            self._title.setText(self.tr("No model is loaded."))
            self._detail.setText(self.tr("Messages you send wait until one is."))
            self._add_choice()
        elif view.phase is Phase.SLEEPING:
            self._show_sleep(view)
        elif view.phase in (Phase.STARTING, Phase.LOADING):
            self._add_button(self.tr("Cancel"), self.cancel_requested.emit)
        elif view.phase is Phase.RESTARTING:
            self._add_log()
        self._below.setVisible(self._remedies.count() > 0)
        self._progress.setVisible(bool(self._work) or busy)
        self._time.setVisible(bool(self._work) or busy)
        self._show_progress()
        if self._work or busy:
            self._tick.start()
        else:
            self._tick.stop()
        self.setAccessibleName(self.text())
        self.setVisible(bool(self._work) or view.phase is not Phase.READY)
        if had_focus:
            self._keep_focus()

    def _keep_focus(self) -> None:
        """Else it would jump to whatever comes next in the window."""
        buttons = self.buttons()
        if buttons and self.isVisible():
            buttons[0].show()  # the layout would do it later, and then it is too late
            buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_left.emit()

    def _show_progress(self) -> None:
        view = self._view
        fraction: float | None = None
        if not self._work:
            name = model_name(view.model) or self.tr("the model")
            match view.phase:
                case Phase.STARTING | Phase.LOADING if view.is_waking:
                    self._title.setText(self.tr("Waking {model}").format(model=name))
                    self._detail.setText(self._wake_words(view))
                    fraction = view.fraction
                case Phase.STOPPED | Phase.STARTING:
                    self._title.setText(self.tr("Starting the engine"))
                    self._detail.setText(self.tr("You can write and send already."))
                case Phase.LOADING:
                    self._title.setText(self.tr("Loading {model}").format(model=name))
                    self._detail.setText(self._stage_words(view))
                    fraction = view.fraction
                case Phase.RESTARTING:
                    self._title.setText(self.tr("The engine stopped. Answers so far are kept."))
        if fraction is None:
            self._progress.setRange(0, 0)
        else:
            self._progress.setRange(0, 1000)
            self._progress.setValue(round(1000 * fraction))
        self._show_time()

    def _wake_words(self, view: EngineView) -> str:
        if not view.wake_seconds:
            return self._stage_words(view) if view.stage is not None else ""
        return self.tr("It took {seconds} s the last time.").format(
            seconds=seconds_text(view.wake_seconds)
        )

    def _show_sleep(self, view: EngineView) -> None:
        name = model_name(view.model) or self.tr("The model")
        if not view.is_lent:
            words = self.tr("{model} sleeps, since nobody asked it anything.")
        else:
            words = self.tr("{model} sleeps: its memory is free for other programs.")
        self._title.setText(words.format(model=name))
        self._detail.setText(
            self.tr("Your next message wakes it, in about {seconds} s.").format(
                seconds=seconds_text(view.wake_seconds)
            )
            if view.wake_seconds
            else self.tr("Your next message wakes it.")
        )
        self._add_button(self.tr("Wake it now"), self.wake_requested.emit)

    def _stage_words(self, view: EngineView) -> str:
        if view.stage is None:
            return stage_text(None)
        stages = [one for one in type(view.stage) if one.value not in _RARE]
        if view.stage not in stages:
            return stage_text(view.stage)
        return self.tr("Step {step} of {steps}: {stage}").format(
            step=stages.index(view.stage) + 1, steps=len(stages), stage=stage_text(view.stage)
        )

    def _show_time(self) -> None:
        seconds = self._base + (self._since.elapsed() / 1000 if self._since.isValid() else 0.0)
        if self._view.phase is Phase.RESTARTING and not self._work:
            left = max(0.0, self._view.retry_in - seconds)
            self._detail.setText(
                self.tr("It starts again in {seconds} s (try {count}).").format(
                    seconds=f"{left:.0f}", count=self._view.restarts
                )
            )
            self._time.clear()
            return
        words = self.tr("{seconds} s").format(seconds=f"{seconds:.0f}")
        remaining = self._time_left(seconds)
        self._time.setText(f"{words} · {remaining}" if remaining else words)

    def _time_left(self, seconds: float) -> str:
        """How long a load will still take, where past ones tell."""
        view = self._view
        if self._work or view.phase is not Phase.LOADING or view.is_waking or not self._usual:
            return ""
        from desktop.models.loading.load_times import left_text

        return left_text(self._usual, view.stage, seconds - self._stage_base, view.fraction)

    def _show_failure(self, view: EngineView) -> None:
        from engine.protocol import RemedyAction

        failure = view.failure
        self._title.setText(failure.cause if failure else self.tr("The engine failed."))
        remedies = failure.remedies if failure else ()
        advice = [r.label for r in remedies if r.action is RemedyAction.NONE]
        if view.queued:
            advice.append(
                self.tr("{count} messages wait; nothing is lost.").format(count=view.queued)
                if view.queued > 1
                else self.tr("One message waits; nothing is lost.")
            )
        self._detail.setText(" ".join(advice))
        self._detail.setVisible(bool(advice))
        first = True
        for remedy in remedies:
            if remedy.action in (RemedyAction.NONE, RemedyAction.SHORTEN_PROMPT):
                continue
            self._add_remedy(remedy, primary=first)
            first = False
        if not any(remedy.action is RemedyAction.SHOW_LOG for remedy in remedies):
            self._add_log()

    def _set_failed_look(self, failed: bool) -> None:
        name, colour = ("warning", "danger") if failed else ("cpu", "muted")
        self._mark.setPixmap(icon(name, colour).pixmap(QSize(ICON_SIZE, ICON_SIZE)))
        self._detail.setVisible(True)

    def _clear_buttons(self) -> None:
        for row in (self._buttons, self._remedies):
            while (item := row.takeAt(0)) is not None:
                button = item.widget()
                if button is not None:
                    button.hide()
                    button.deleteLater()

    def _add_button(self, label: str, slot: Callable[[], object]) -> QPushButton:
        button = QPushButton(label)
        button.setAccessibleName(label)
        button.clicked.connect(lambda _checked=False: slot())
        failed = self._view.phase is Phase.FAILED and not self._work
        (self._remedies if failed else self._buttons).addWidget(button)
        return button

    # The wire's types are loaded when there is something to offer: never before the first paint.

    def _add_choice(self) -> None:
        from engine.protocol import Remedy, RemedyAction

        choose = Remedy(self.tr("Choose a model…"), RemedyAction.CHOOSE_MODEL)
        self._add_remedy(choose, primary=True)

    def _add_log(self) -> None:
        from engine.protocol import Remedy, RemedyAction

        self._add_remedy(Remedy(self.tr("Show log"), RemedyAction.SHOW_LOG))

    def _add_remedy(self, remedy: Remedy, *, primary: bool = False) -> None:
        button = self._add_button(remedy.label, lambda: self.remedy_chosen.emit(remedy))
        if primary:
            button.setProperty("kind", "primary")

    def _on_theme_changed(self) -> None:
        font = theme.current().figure_font()
        self._time.setFont(font)
        self._time.setMinimumWidth(self._time.fontMetrics().horizontalAdvance("8888 s"))
        if not self.isHidden():  # else `_show` gives it its look
            self._set_failed_look(self._view.phase is Phase.FAILED and not self._work)
        self._detail.setVisible(bool(self._detail.text()))


def _shown(view: EngineView) -> tuple[object, ...]:
    """What of a view is more than progress: with another one, words and buttons change."""
    return (
        view.phase,
        view.failure,
        view.model,
        view.restarts,
        view.is_lent,
        view.is_waking,
        view.wake_seconds,
    )
