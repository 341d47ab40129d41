"""Signing in on the hub: a masked token that goes to the hub's process and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from desktop.views.dialogs import LinkDialog
from desktop.views.library.sign_in_dialog import SignInDialog
from engine.store.hub.messages import SignIn, SignOut, WhoAmI
from engine.store.hub.network import NetworkSettings
from tests.gui.library_kit import FakeLink, account

TOKEN = "hf_averysecrettoken"


@pytest.fixture
def link() -> Iterator[FakeLink]:
    result = FakeLink()
    yield result
    result.close()


def open_dialog(qtbot: QtBot, link: FakeLink) -> SignInDialog:
    dialog = SignInDialog(link)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_a_token_is_masked_checked_and_forgotten(
    qtbot: QtBot, link: FakeLink, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        dialog = open_dialog(qtbot, link)
        link.give(account(link.latest(WhoAmI)))
        assert dialog.field.isVisible()
        assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
        assert not dialog.sign_in.isEnabled()
        QTest.keyClicks(dialog.field, f" {TOKEN} ")
        QTest.keyClick(dialog.field, Qt.Key.Key_Return)
        asked = link.latest(SignIn)
        assert asked.token == TOKEN
        assert TOKEN not in repr(asked)
        with qtbot.waitSignal(dialog.signed_in):
            link.give(account(asked, "ada", "file"))
    assert "ada" in dialog.title.text()
    assert dialog.field.text() == ""
    assert not dialog.field.isVisible()
    assert "/home/me/.cache/hub/token" in dialog.where.text()
    assert TOKEN not in caplog.text


def test_a_wrong_token_can_be_mended(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI)))
    dialog.field.setText(TOKEN)
    dialog.sign_in.click()
    link.refuse(link.latest(SignIn), "sign_in")
    assert "does not know this token" in dialog.fault.text()
    assert dialog.field.text() == TOKEN
    assert dialog.field.isEnabled()
    QTest.keyClicks(dialog.field, "x")
    assert dialog.fault.text() == ""


def test_signing_out(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI), "ada", "file"))
    dialog.sign_out.click()
    with qtbot.waitSignal(dialog.signed_out):
        link.give(account(link.latest(SignOut)))
    assert dialog.field.isVisible()


def test_a_token_of_the_session_is_not_ours_to_forget(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI), "ada", "environment"))
    assert not dialog.sign_out.isVisible()
    assert "HF_TOKEN" in dialog.where.text()


def test_offline_nothing_is_asked(qtbot: QtBot) -> None:
    link = FakeLink(offline=True)
    dialog = open_dialog(qtbot, link)
    assert link.asked == {}
    assert dialog.fault.text()
    link.set_settings(NetworkSettings())
    assert link.has(WhoAmI)
    link.close()


def test_a_hub_that_does_not_answer_can_be_asked_again(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.refuse(link.latest(WhoAmI), "unreachable", "No network.")
    assert "No network." in dialog.fault.text()
    dialog.retry.click()
    assert link.has(WhoAmI)


def test_a_token_is_made_on_the_hub_that_is_set(qtbot: QtBot) -> None:
    link = FakeLink()
    link.set_settings(NetworkSettings(endpoint="https://mirror.example.org/"))
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI)))
    dialog.make.click()
    shown = dialog.findChild(LinkDialog)
    assert shown is not None
    assert shown.informativeText() == "https://mirror.example.org/settings/tokens"
    shown.close()
    link.close()


def test_closing_leaves_no_token_in_the_field(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI)))
    dialog.field.setText(TOKEN)
    dialog.reject()
    assert dialog.field.text() == ""


def test_hostile_names_are_text(qtbot: QtBot, link: FakeLink) -> None:
    dialog = open_dialog(qtbot, link)
    link.give(account(link.latest(WhoAmI), "<b>ada\u202e", "file"))
    assert "\u202e" not in dialog.title.text()
    assert dialog.title.textFormat() is Qt.TextFormat.PlainText
