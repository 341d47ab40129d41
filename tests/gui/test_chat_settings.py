"""The settings of a chat: applied as they are typed, stored, kept as presets, taken back."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QInputDialog,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop.app import Inglenook
from desktop.chats.chat import DEFAULT_SYSTEM_PROMPT, OverflowPolicy
from desktop.engine_link.engine_state import Phase
from desktop.models.lists.preset_shelf import PresetShelf
from desktop.models.session.session_hub import SessionHub
from desktop.views.settings.chat_settings import ChatSettings
from desktop.views.tabs.chat_tab import ChatTab
from engine.protocol import Sampling
from tests.gui.conftest import WAIT_MS, OpenWindow, new_session, stored
from tests.gui.fake_client import FakeClient

FAST = "tokens_per_second=2000 load_seconds=0.05"


def current(app: Inglenook) -> ChatTab:
    tab = app.window.area.current_tab()
    assert tab is not None
    return tab


def shown(tab: ChatTab) -> ChatSettings:
    tab.show_chat_settings()
    found = tab.findChildren(ChatSettings)
    assert len(found) == 1
    return found[0]


def opened(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> ChatSettings:
    session = new_session(hub, qtbot)
    dialog = ChatSettings(session, client.as_client, PresetShelf.of(hub), OverflowPolicy.ASK)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def type_in(dialog: ChatSettings, name: str, text: str) -> None:
    edit = dialog.numbers.rows[name].edit
    edit.selectAll()
    QTest.keyClicks(edit, text)


def settled(dialog: ChatSettings, qtbot: QtBot) -> dict[str, object]:
    qtbot.waitUntil(lambda: not dialog._timer.isActive(), timeout=WAIT_MS)
    return dialog._session.chat.parameters


def press(dialog: QWidget, label: str) -> None:
    next(b for b in dialog.findChildren(QPushButton) if b.text() == label).click()


def test_what_is_typed_reaches_the_next_message(open_window: OpenWindow, qtbot: QtBot) -> None:
    app = open_window(FAST)
    qtbot.waitUntil(lambda: app.client.view.phase is Phase.READY, timeout=WAIT_MS)
    tab = current(app)
    dialog = shown(tab)
    type_in(dialog, "max_tokens", "3")
    dialog.close()  # nothing that was typed is lost
    assert tab.session.chat.parameters == {"max_tokens": 3}
    tab.composer.set_text("/echo one two three four five")
    tab.composer.button.click()
    qtbot.waitUntil(lambda: len(tab.session.messages) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not tab.session.state.is_active, timeout=WAIT_MS)
    assert tab.session.messages[1].content.split() == ["one", "two", "three"]
    facts = tab.composer.below.equip().facts()
    assert facts == "at most 3 tokens"
    app.window.close()
    app.close()
    again = current(open_window(FAST))
    assert again.session.chat.parameters == {"max_tokens": 3}


def test_what_makes_no_sense_is_said_and_not_applied(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    dialog = opened(hub, client, qtbot)
    type_in(dialog, "temperature", "0.5")
    assert settled(dialog, qtbot) == {"temperature": 0.5}
    type_in(dialog, "temperature", "5")
    row = dialog.numbers.rows["temperature"]
    assert row.fault.isVisible()
    assert row.fault.text() == "From 0 to 2."
    assert settled(dialog, qtbot) == {"temperature": 0.5}
    row.reset.click()
    assert not row.fault.isVisible()
    assert settled(dialog, qtbot) == {}


def test_placeholders_are_the_models_defaults(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    from dataclasses import replace

    import msgspec

    dialog = opened(hub, client, qtbot)
    edit = dialog.numbers.rows["temperature"].edit
    assert edit.placeholderText() == "1"
    assert client.view.loaded is not None
    sampling = Sampling(temperature=0.6)
    loaded = msgspec.structs.replace(client.view.loaded, default_sampling=sampling)
    client.view_changed.emit(replace(client.view, loaded=loaded))
    assert edit.placeholderText() == "0.6 (the model's own)"


def test_a_schema_holds_once_it_is_right(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    dialog = opened(hub, client, qtbot)
    form = dialog.form
    form.kind.setCurrentIndex(1)
    form.field.setPlainText('{"type": "object"')
    assert "Line 1" in form.fault.text()
    assert settled(dialog, qtbot) == {}
    form.field.setPlainText('{"type": "object"}')
    assert form.fault.text() == ""
    assert settled(dialog, qtbot) == {"json_schema": '{"type": "object"}'}
    form.kind.setCurrentIndex(2)
    form.field.setPlainText("(yes|no)")
    assert settled(dialog, qtbot) == {"regex": "(yes|no)"}
    form.kind.setCurrentIndex(0)
    assert settled(dialog, qtbot) == {}


def test_stop_strings_and_policy(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    dialog = opened(hub, client, qtbot)
    dialog.stop_strings.field.setPlainText("\\n\\n\nEND\n")
    index = dialog.overflow.findData(OverflowPolicy.STOP.value)
    dialog.overflow.setCurrentIndex(index)
    dialog.overflow.activated.emit(index)
    assert settled(dialog, qtbot) == {"stop": ["\n\n", "END"], "overflow": "stop"}


def test_the_store_has_what_was_set(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    dialog = opened(hub, client, qtbot)
    dialog.system_prompt.setPlainText("Be brief.")
    type_in(dialog, "seed", "7")
    settled(dialog, qtbot)
    chat = stored(hub.store.load_chat(dialog._session.chat_id))
    assert chat.system_prompt == "Be brief."
    assert chat.parameters == {"seed": 7}


def test_a_preset_is_taken_changed_and_kept(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    dialog = opened(hub, client, qtbot)
    presets, session = dialog.presets, dialog._session
    coder = presets.choice.findText("Coder")
    presets.choice.setCurrentIndex(coder)
    presets.choice.activated.emit(coder)
    assert session.chat.parameters["temperature"] == 0.2
    assert dialog.numbers.rows["temperature"].edit.text() == "0.2"
    assert "engineer" in dialog.system_prompt.toPlainText()
    assert presets.update_button.isHidden()  # one that came along is nobody's to change
    press(dialog, "Save as new…")
    naming = presets.findChildren(QInputDialog)[0]
    naming.setTextValue("My own coder")
    naming.accept()
    assert presets.choice.currentText() == "My own coder"
    kept = stored(hub.store.list_presets())
    assert [p.name for p in kept] == ["My own coder"]
    type_in(dialog, "temperature", "0.1")
    settled(dialog, qtbot)
    assert presets.update_button.isEnabled()
    presets.update_button.click()
    assert stored(hub.store.list_presets())[0].parameters["temperature"] == 0.1
    assert not presets.update_button.isEnabled()
    press(dialog, "Delete")
    assert stored(hub.store.list_presets()) == []
    assert session.chat.parameters["temperature"] == 0.1
    press(dialog, "Undo")
    assert [p.name for p in stored(hub.store.list_presets())] == ["My own coder"]


def test_everything_can_be_reset(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    dialog = opened(hub, client, qtbot)
    dialog.system_prompt.setPlainText("Be rude.")
    type_in(dialog, "top_k", "5")
    settled(dialog, qtbot)
    press(dialog, "Reset everything")
    assert dialog._session.chat.parameters == {}
    assert dialog._session.chat.system_prompt == DEFAULT_SYSTEM_PROMPT
    assert dialog.numbers.rows["top_k"].edit.text() == ""


def test_a_change_made_elsewhere_is_shown(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    dialog = opened(hub, client, qtbot)
    dialog._session.set_parameters({"min_p": 0.05, "overflow": "drop_oldest"})
    assert dialog.numbers.rows["min_p"].edit.text() == "0.05"
    assert dialog.overflow.currentData() == "drop_oldest"


def test_every_control_has_a_name(hub: SessionHub, client: FakeClient, qtbot: QtBot) -> None:
    dialog = opened(hub, client, qtbot)
    dialog.form.kind.setCurrentIndex(1)
    nameless = [
        type(w).__name__
        for w in dialog.findChildren(QWidget)
        if w.focusPolicy().value
        and w.isVisible()
        and not w.accessibleName()
        # a spin box's or combo's own line has its owner's name
        and w.objectName() != "qt_spinbox_lineedit"
    ]
    assert nameless == []
    assert QApplication.activeModalWidget() is None


def test_the_wheel_scrolls_and_changes_nothing(
    hub: SessionHub, client: FakeClient, qtbot: QtBot
) -> None:
    dialog = opened(hub, client, qtbot)
    dialog.resize(dialog.width(), 320)
    (area,) = dialog.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    for box in dialog.findChildren(QComboBox):
        area.ensureWidgetVisible(box)
        area.verticalScrollBar().setValue(area.verticalScrollBar().value() - 10)
        before, chosen = area.verticalScrollBar().value(), box.currentIndex()
        turn_wheel_down(box)
        assert box.currentIndex() == chosen
        assert area.verticalScrollBar().value() > before or box is dialog.overflow
    assert settled(dialog, qtbot) == {}


def turn_wheel_down(widget: QWidget) -> None:
    window = widget.window()
    QTest.wheelEvent(
        window.windowHandle(),
        QPointF(widget.mapTo(window, widget.rect().center())),
        QPoint(0, -120),
        QPoint(),
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
    )
