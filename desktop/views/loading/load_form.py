"""All that can be chosen for a load; what is left alone is automatic and says its value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from desktop import theme
from desktop.models.loading.load_choices import (
    AUTOMATIC,
    DTYPES,
    GIB,
    MAX_CONTEXT,
    MAX_SEQUENCES,
    MIN_CONTEXT,
    UTILISATION,
    Choices,
)
from desktop.models.loading.load_fields import NumberField
from desktop.models.loading.load_words import dtype_text, short_name, tp_text
from desktop.models.loading.size_text import size_text
from desktop.views.loading.choice_rows import ChoiceRow, DevicesRow
from desktop.views.loading.context_slider import ContextSlider
from desktop.views.loading.load_rows import NumberRow, Row

if TYPE_CHECKING:
    from desktop.models.loading.outlook import Outlook

_MAX_GIB: Final = 4096
_EAGER: Final = {"eager": True, "graphs": False}


class LoadForm(QWidget):
    """See the module.

    Signals:
        changed: the user changed a choice, or made one unreadable or readable again.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._showing = False
        self._on_gpu: bool | None = None
        self._kept = AUTOMATIC  # with what has no field here
        low, high = UTILISATION
        self.devices = DevicesRow(
            self.tr("GPUs"), self.tr("Those that may hold the model."), self._touch
        )
        self.tp = ChoiceRow(
            self.tr("Tensor parallel"),
            self.tr("How many GPUs hold and compute the model together."),
            self._touch,
        )
        self.slider = ContextSlider()
        self.slider.setAccessibleName(self.tr("Context, in steps"))
        self.slider.chosen.connect(self._on_slider)
        self.context = NumberRow(
            self.tr("Context (tokens)"),
            self.tr("The longest that one chat with its answer can be."),
            NumberField(MIN_CONTEXT, MAX_CONTEXT),
            self._touch,
        )
        self.sequences = NumberRow(
            self.tr("Answers at once"),
            self.tr("The most that are written together; further ones wait for their turn."),
            NumberField(1, MAX_SEQUENCES),
            self._touch,
        )
        self.utilisation = NumberRow(
            self.tr("Share of GPU memory (%)"),
            self.tr("What the engine may use of each GPU; the rest stays for other programs."),
            NumberField(100 * low, 100 * high, scale=0.01),
            self._touch,
        )
        self.kv_bytes = NumberRow(
            self.tr("Memory for chats (GiB)"),
            "",
            NumberField(0.01, _MAX_GIB, scale=GIB, whole=False),
            self._touch,
        )
        self.kv_dtype = ChoiceRow(
            self.tr("Precision of chats in memory"),
            self.tr("8 bits hold twice the tokens, a little less exactly."),
            self._touch,
        )
        self.dtype = ChoiceRow(
            self.tr("Computes in"),
            self.tr("16 bits take half the memory of 32; not every processor is fast in them."),
            self._touch,
        )
        self.eager = ChoiceRow(
            self.tr("Start"),
            self.tr("Graphs answer faster and take longer to load, and some memory."),
            self._touch,
        )
        self.offload = NumberRow(
            self.tr("Weights kept in RAM (GiB)"),
            self.tr("For each GPU. What lies in RAM is fetched for every token: far slower."),
            NumberField(0, _MAX_GIB, scale=GIB, whole=False),
            self._touch,
        )
        self.foreground = QCheckBox(self.tr("The chat in front goes first"))
        self.foreground.setAccessibleName(self.foreground.text())
        words = self.tr("Off: first come, first served.")
        self.foreground.setAccessibleDescription(words)
        self.foreground.setChecked(True)
        self.foreground.clicked.connect(lambda _checked=False: self._touch())
        space = theme.current().space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        self.context.insert(self.slider)
        for row in self.rows():
            column.addWidget(row)
        note = QLabel(words)
        note.setProperty("role", "muted")
        column.addWidget(self.foreground)
        column.addWidget(note)

    def rows(self) -> tuple[Row[object], ...]:
        """All rows, from the top."""
        return (
            self.devices,
            self.tp,
            self.context,
            self.sequences,
            self.utilisation,
            self.kv_bytes,
            self.kv_dtype,
            self.dtype,
            self.eager,
            self.offload,
        )  # type: ignore[return-value]

    def first_fault(self) -> Row[object] | None:
        """The first row with something that cannot be used."""
        return next((row for row in self.rows() if row.has_fault), None)

    def stops(self) -> list[QWidget]:
        """All that can have the focus, in the order in which Tab should go."""
        found: list[QWidget] = []
        for row in self.rows():
            found += row.fields()
            if row is self.context:
                found += [row.reset, self.slider]
            else:
                found.append(row.reset)
        return [*found, self.foreground]

    def choices(self) -> Choices:
        """What is chosen."""
        tp, eager, context = self.tp.value, self.eager.value, self.context.value
        kv, offload, sequences = self.kv_bytes.value, self.offload.value, self.sequences.value
        return replace(
            self._kept,
            devices=self.devices.value,
            tp=int(tp) if tp is not None else None,
            context=round(context) if context is not None else None,
            utilisation=self.utilisation.value,
            kv_bytes=round(kv) if kv is not None else None,
            kv_dtype=self.kv_dtype.value,
            dtype=self.dtype.value,
            sequences=round(sequences) if sequences is not None else None,
            eager=_EAGER[eager] if eager is not None else None,
            offload_bytes=round(offload) if offload is not None else None,
            foreground_first=None if self.foreground.isChecked() else False,
        )

    def show_choices(self, choices: Choices) -> None:
        """Show what was chosen elsewhere: remembered, reset, or by a button of the planner."""
        self._showing = True
        self._kept = choices
        eager = {value: name for name, value in _EAGER.items()}
        self.devices.show_value(choices.devices)
        self.tp.show_value(str(choices.tp) if choices.tp is not None else None)
        self.context.show_value(choices.context)
        self.sequences.show_value(choices.sequences)
        self.utilisation.show_value(choices.utilisation)
        self.kv_bytes.show_value(choices.kv_bytes)
        self.kv_dtype.show_value(choices.kv_dtype)
        self.dtype.show_value(choices.dtype)
        self.eager.show_value(eager[choices.eager] if choices.eager is not None else None)
        self.offload.show_value(choices.offload_bytes)
        self.foreground.setChecked(choices.foreground_first is not False)
        self._showing = False

    def show_outlook(self, outlook: Outlook) -> None:
        """Show what is automatic, what can be chosen on this hardware, and what fits."""
        self._showing = True
        machine, automatic = outlook.machine, outlook.automatic
        self._show_fields(on_gpu=bool(machine.gpus), many=len(machine.gpus) > 1)
        self.devices.show_devices(
            {
                gpu.index: self.tr("{number}: {name}, {size}").format(
                    number=gpu.index, name=short_name(gpu.name), size=size_text(gpu.total or 0)
                )
                for gpu in machine.gpus
            },
            automatic.devices or (),
        )
        chosen = next((o for o in outlook.tp_options if o.tp == automatic.tp), None)
        self.tp.show_options(
            tp_text(chosen) if chosen is not None else "",
            [(str(o.tp), tp_text(o), o.problem is None) for o in outlook.tp_options],
        )
        longest = outlook.reading.shape.context
        high = min(longest, MAX_CONTEXT) if longest >= MIN_CONTEXT else MAX_CONTEXT
        self.context.set_field(NumberField(MIN_CONTEXT, high))
        self.context.show_automatic(automatic.context)
        self.slider.show_stops(outlook.stops, outlook.choices.context or outlook.plan.context)
        self.sequences.show_automatic(automatic.sequences)
        self.utilisation.show_automatic(automatic.utilisation)
        self.kv_bytes.show_automatic(automatic.kv_bytes)
        self.kv_dtype.show_options(
            self.tr("as the model"),
            [
                ("auto", self.tr("As the model computes"), True),
                ("fp8", self._fp8_words(outlook), not self._fp8_fault(outlook)),
            ],
        )
        self.dtype.show_options(
            dtype_text(automatic.dtype or ""), [(name, dtype_text(name), True) for name in DTYPES]
        )
        names = {True: self.tr("fast start, eager"), False: self.tr("graphs")}
        self.eager.show_options(
            names[automatic.eager] if automatic.eager is not None else "",
            [
                ("graphs", self.tr("Graphs: answers faster"), True),
                ("eager", self.tr("Fast start (eager)"), True),
            ],
        )
        self.offload.show_automatic(0.0)
        if self.choices() != outlook.choices:
            # They were made for other hardware, in part.
            self.show_choices(outlook.choices)
        self._showing = False

    # --- inside ------------------------------------------------------------------------

    def _touch(self) -> None:
        if not self._showing:
            self.changed.emit()

    def _on_slider(self, context: int) -> None:
        self.context.show_value(context)
        self._touch()

    def _show_fields(self, *, on_gpu: bool, many: bool) -> None:
        for row in (self.devices, self.utilisation, self.eager, self.offload):
            row.setVisible(on_gpu)
        self.tp.setVisible(many)
        if on_gpu == self._on_gpu:
            return
        self._on_gpu = on_gpu
        words = (
            self.tr("On each GPU. Set, it counts instead of the share above.")
            if on_gpu
            else self.tr("Of the computer's RAM. The more, the longer and the more chats it holds.")
        )
        self.kv_bytes.set_hint(words)

    def _fp8_fault(self, outlook: Outlook) -> bool:
        from engine.planner.choices import has_fp8_kv

        return not outlook.machine.gpus and not has_fp8_kv(outlook.machine.host)

    def _fp8_words(self, outlook: Outlook) -> str:
        if self._fp8_fault(outlook):
            return self.tr("8 bits — this processor cannot (no AVX-512)")
        return self.tr("8 bits (FP8)")
