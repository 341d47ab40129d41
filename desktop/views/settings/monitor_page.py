"""The settings of the monitor: what is watched, and from where on it is told."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from desktop import theme
from desktop.models.monitor.alert_text import advice_text, kind_text, unit_text
from desktop.models.monitor.alerts import DEFAULTS, LIMITS, Kind, Rule, rules_from, to_settings
from desktop.views.settings.settings_forms import Page, push_button

if TYPE_CHECKING:
    from desktop.settings import Settings
    from desktop.views.window.main_window import MainWindow


class MonitorPage(Page):
    """See the module."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(self.tr("Monitor and alerts"))
        self._window = window
        settings = window.settings
        self.watch = QCheckBox(self.tr("Watch while the monitor is closed, too"))
        self.watch.setChecked(settings.watch_alerts)
        self.watch.toggled.connect(lambda on: window.change(watch_alerts=on))
        self.add_switch(
            self.watch,
            self.tr(
                "Alerts are shown in the status bar. The engines' own readings are used; GPUs are "
                "asked every five seconds, and only where there are any."
            ),
        )
        self.switches: dict[Kind, QCheckBox] = {}
        self.limits: dict[Kind, QDoubleSpinBox] = {}
        self._rules = {rule.kind: rule for rule in rules_from(settings.alerts)}
        for rule in self._rules.values():
            self._add_rule(rule)
        self.add_buttons(push_button(self.tr("All as they were at first"), self._restore))

    def show_settings(self, settings: Settings) -> None:
        """They were changed elsewhere, or here."""
        self.watch.setChecked(settings.watch_alerts)
        self._rules = {rule.kind: rule for rule in rules_from(settings.alerts)}
        for kind, rule in self._rules.items():
            self.switches[kind].setChecked(rule.is_on)
            limit = self.limits.get(kind)
            if limit is not None:
                limit.setEnabled(rule.is_on)
                if limit.value() != rule.limit:
                    limit.setValue(rule.limit)

    def _add_rule(self, rule: Rule) -> None:
        """A switch, and beside it the limit where there is one to set."""
        kind, bounds = rule.kind, LIMITS.get(rule.kind)
        box = self.switches[kind] = QCheckBox(kind_text(kind))
        box.setChecked(rule.is_on)
        box.toggled.connect(partial(self._switch, kind))
        self.add_switch(box)
        if bounds is None:
            return
        field = self.limits[kind] = QDoubleSpinBox()
        field.setDecimals(0)
        field.setRange(bounds.least, bounds.most)
        field.setSingleStep(bounds.step)
        field.setKeyboardTracking(False)
        field.setSuffix(f" {unit_text(kind)}")
        field.setValue(rule.limit)
        field.setEnabled(rule.is_on)
        field.setAccessibleName(self.tr("{alert}: told from above").format(alert=kind_text(kind)))
        field.setAccessibleDescription(advice_text(kind))
        inner = field.findChild(QLineEdit)
        if inner is not None:  # the style sheet's padding does not reach it
            inner.setTextMargins(theme.current().space.s, 0, 0, 0)
        field.valueChanged.connect(partial(self._limit, kind))
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(theme.current().space.xl, 0, 0, 0)
        above = QLabel(self.tr("above"))
        above.setProperty("role", "muted")
        row.addWidget(above)
        row.addWidget(field)
        row.addStretch(1)
        self._insert(line)

    def _switch(self, kind: Kind, on: bool) -> None:
        self._change(replace(self._rules[kind], is_on=on))

    def _limit(self, kind: Kind, value: float) -> None:
        self._change(replace(self._rules[kind], limit=value))

    def _change(self, rule: Rule) -> None:
        self._rules[rule.kind] = rule
        self._window.change(alerts=to_settings(self._rules.values()))

    def _restore(self) -> None:
        self._rules = {rule.kind: rule for rule in DEFAULTS}
        self._window.change(alerts={}, watch_alerts=True)
