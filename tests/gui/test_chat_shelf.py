"""Pins, folders, the archive, the bin, and chats out and in, over the real store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from pytestqt.qtbot import QtBot

from desktop.chats.chat import ChatSummary, Role
from desktop.chats.transfer.exporting import Format
from desktop.models.lists.chat_shelf import ChatShelf, ShelfAct, ShelfChange
from desktop.models.lists.search_filters import Period, SearchFilters
from desktop.models.session.session_hub import SessionHub
from desktop.views.sidebar.bin_dialog import BinDialog
from desktop.views.sidebar.chat_list import ChatList
from desktop.views.sidebar.search_dates import DatesDialog
from desktop.views.sidebar.transfer_dialogs import ExportDialog, ImportDialog
from desktop.views.tabs.split_area import SplitArea
from desktop.views.tabs.tab_keeper import TabKeeper
from tests.gui.conftest import WAIT_MS, stored


def make_chat(hub: SessionHub, title: str, text: str = "Hello there") -> str:
    chat = stored(hub.store.create_chat(title=title))
    first = stored(hub.store.add_message(chat.id, None, Role.USER, text))
    stored(hub.store.add_message(chat.id, first.id, Role.ASSISTANT, f"About {text}", model="small"))
    return chat.id


def listed(hub: SessionHub) -> dict[str, ChatSummary]:
    return {chat.title: chat for chat in stored(hub.store.list_chats(include_archived=True))}


@pytest.fixture
def sidebar(hub: SessionHub, qtbot: QtBot) -> Iterator[ChatList]:
    """The sidebar over a hub, as the window has it."""
    chat_list = ChatList()
    area = SplitArea()
    tabs = TabKeeper(hub, area)
    qtbot.addWidget(area)
    qtbot.addWidget(chat_list)
    hub.chats_listed.connect(chat_list.set_chats)
    hub.chat_deleted.connect(chat_list.show_deleted)
    chat_list.rename_requested.connect(hub.rename_chat)
    chat_list.delete_requested.connect(tabs.delete)
    chat_list.undo_requested.connect(tabs.undo_delete)
    chat_list.resize(264, 600)
    chat_list.show()
    chat_list.serve(hub, tabs)
    yield chat_list
    hub.chats_listed.disconnect(chat_list.set_chats)
    tabs.deleteLater()


@pytest.fixture
def shelf(hub: SessionHub) -> ChatShelf:
    return ChatShelf(hub, hub)


def test_what_is_done_with_chats_can_be_undone(hub: SessionHub, qtbot: QtBot) -> None:
    shelf = ChatShelf(hub, hub)
    make_chat(hub, "one")
    make_chat(hub, "two")
    chats = list(listed(hub).values())

    def change(act: ShelfAct, do: object) -> ShelfChange:
        with qtbot.waitSignal(shelf.changed, timeout=WAIT_MS) as changed:
            do()  # type: ignore[operator]
        assert changed.args is not None
        result = changed.args[0]
        assert isinstance(result, ShelfChange)
        assert result.act is act
        return result

    def undo(change: ShelfChange) -> None:
        with qtbot.waitSignal(shelf.archived_listed, timeout=WAIT_MS):
            shelf.undo(change)

    done = change(ShelfAct.PINNED, lambda: shelf.pin(chats, True))
    assert all(chat.pinned for chat in listed(hub).values())
    undo(done)
    assert not any(chat.pinned for chat in listed(hub).values())
    done = change(ShelfAct.MOVED, lambda: shelf.move(chats, "  New   folder "))
    assert {chat.folder for chat in listed(hub).values()} == {"New folder"}
    moved = list(listed(hub).values())
    renamed = change(
        ShelfAct.FOLDER_RENAMED, lambda: shelf.rename_folder("New folder", "Work", moved)
    )
    assert {chat.folder for chat in listed(hub).values()} == {"Work"}
    undo(renamed)
    assert {chat.folder for chat in listed(hub).values()} == {"New folder"}
    undo(done)
    assert {chat.folder for chat in listed(hub).values()} == {""}
    done = change(ShelfAct.ARCHIVED, lambda: shelf.archive(chats[:1], True))
    assert sum(chat.archived for chat in listed(hub).values()) == 1
    undo(done)
    assert not any(chat.archived for chat in listed(hub).values())
    with qtbot.assertNotEmitted(shelf.changed, wait=50):
        shelf.pin(chats, False)  # nothing to change


def test_the_sidebar_does_it_and_offers_undo(
    hub: SessionHub, sidebar: ChatList, qtbot: QtBot
) -> None:
    first, second = make_chat(hub, "one"), make_chat(hub, "two")
    hub.refresh()
    qtbot.waitUntil(lambda: sidebar.model.row_of(second) is not None, timeout=WAIT_MS)
    sidebar.pin_chat(first)
    qtbot.waitUntil(lambda: sidebar.model.row_of(first) == 1, timeout=WAIT_MS)
    assert sidebar.model.index(0).data() == "Pinned"
    qtbot.waitUntil(lambda: "pinned" in sidebar.undo_bar.text(), timeout=WAIT_MS)
    sidebar.archive_chat(second)
    qtbot.waitUntil(lambda: sidebar.model.row_of(second) is None, timeout=WAIT_MS)
    rows = sidebar.model.rows()
    qtbot.waitUntil(lambda: sidebar.model.rows()[-1].text == "Archived", timeout=WAIT_MS)
    del rows
    qtbot.waitUntil(lambda: "archived" in sidebar.undo_bar.text(), timeout=WAIT_MS)
    sidebar.undo()
    qtbot.waitUntil(lambda: sidebar.model.row_of(second) is not None, timeout=WAIT_MS)
    sidebar.delete([first, second])
    qtbot.waitUntil(lambda: sidebar.model.rowCount() == 0, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "2" in sidebar.undo_bar.text(), timeout=WAIT_MS)
    sidebar.undo()
    qtbot.waitUntil(lambda: sidebar.model.row_of(second) is not None, timeout=WAIT_MS)


def test_chats_are_moved_by_a_drop_and_by_name(
    hub: SessionHub, sidebar: ChatList, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_chat(hub, "one")
    hub.refresh()
    qtbot.waitUntil(lambda: sidebar.model.row_of(first) is not None, timeout=WAIT_MS)
    monkeypatch.setattr("desktop.views.sidebar.chat_list_menu.ask_name", lambda *_args: "Work")
    sidebar.move_to_folder(first)
    qtbot.waitUntil(lambda: sidebar.model.folders() == ["Work"], timeout=WAIT_MS)
    sidebar.model.dropped.emit((first,), "")
    qtbot.waitUntil(lambda: sidebar.model.folders() == [], timeout=WAIT_MS)
    sidebar.model.archive_dropped.emit((first,))
    qtbot.waitUntil(lambda: listed(hub)["one"].archived, timeout=WAIT_MS)


def test_a_blank_chat_that_no_tab_shows_is_not_listed(
    hub: SessionHub, sidebar: ChatList, qtbot: QtBot
) -> None:
    blank = stored(hub.store.create_chat()).id
    draft = stored(hub.store.create_chat()).id
    stored(hub.store.save_draft(draft, "begun"))
    real = make_chat(hub, "real")
    hub.refresh()
    qtbot.waitUntil(
        lambda: sidebar.model.row_of(real) is not None and sidebar.model.row_of(blank) is None,
        timeout=WAIT_MS,
    )
    assert sidebar.model.row_of(draft) is not None


def test_search_over_the_store(hub: SessionHub, sidebar: ChatList, qtbot: QtBot) -> None:
    first = make_chat(hub, "Kitchen", "How long does sourdough rise")
    make_chat(hub, "Sourdough", "Nothing to see")
    hub.refresh()
    qtbot.waitUntil(lambda: sidebar.model.row_of(first) is not None, timeout=WAIT_MS)
    sidebar.set_current(first)
    sidebar.search()
    sidebar.filter.setText("sourdo")
    model = sidebar.search_panel().model
    qtbot.waitUntil(lambda: model.is_complete and model.rowCount() == 5, timeout=WAIT_MS)
    assert model.index(1).data() == "Sourdough"
    hits = [model.hit_at(row) for row in (3, 4)]
    assert {hit.chat_id for hit in hits if hit is not None} == {first}
    bar = sidebar.search_panel().bar
    qtbot.waitUntil(lambda: bar.models == ["small"], timeout=WAIT_MS)
    bar.set_filters(SearchFilters(model="small"))
    qtbot.waitUntil(lambda: model.rowCount() == 2, timeout=WAIT_MS)
    bar._build_menu()
    assert [a.text() for a in bar._menu.actions()][:3] == ["Folder", "Model", "Time"]
    chips = bar.chips.findChildren(QAbstractButton)
    assert chips[-1].accessibleName() == "Remove the limit: Model: small"
    chips[-1].click()
    qtbot.waitUntil(lambda: model.rowCount() == 5, timeout=WAIT_MS)
    bar.set_filters(SearchFilters(period=Period.TODAY, folder="", archived=False))
    assert len([c for c in bar.chips.findChildren(QAbstractButton) if not c.isHidden()]) == 3
    dialog = DatesDialog(bar.filters, sidebar)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog._accept()
    assert chosen.args is not None
    assert chosen.args[0].period is Period.DATES
    bar.set_filters(chosen.args[0])
    bar.set_filters(SearchFilters())
    qtbot.waitUntil(lambda: model.rowCount() == 5, timeout=WAIT_MS)
    sidebar.delete([first])
    qtbot.waitUntil(lambda: model.rowCount() == 2, timeout=WAIT_MS)
    bar.set_filters(SearchFilters(archived=False))
    sidebar.end_search()
    assert not bar.filters.are_set
    assert sidebar.view.isVisible()


# --- the bin -----------------------------------------------------------------------


def test_the_bin_gives_back_and_erases(
    hub: SessionHub, sidebar: ChatList, shelf: ChatShelf, qtbot: QtBot
) -> None:
    ids = [make_chat(hub, title, f"secret {title}") for title in ("one", "two", "three")]
    for chat_id in ids:
        stored(hub.store.delete_chat(chat_id))
    dialog = BinDialog(shelf, sidebar)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.list.count() == 3, timeout=WAIT_MS)
    assert "3" in dialog.lead.text()
    assert not dialog.erase.isEnabled()
    dialog.list.setCurrentRow(0)
    dialog.restore.setFocus()
    QTest.keyClick(dialog.restore, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.list.count() == 2, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bool(sidebar.model.rowCount()), timeout=WAIT_MS)
    dialog.list.selectAll()
    dialog.list.item(1).setSelected(False)
    dialog.erase.click()
    box = dialog.findChild(QMessageBox)
    assert box is not None
    assert "cannot be undone" in box.informativeText()
    assert "backups" in box.informativeText()
    press(box, "Erase")
    qtbot.waitUntil(lambda: dialog.list.count() == 1, timeout=WAIT_MS)
    qtbot.waitUntil(dialog.empty.isEnabled, timeout=WAIT_MS)
    dialog.empty.click()
    press(dialog.findChildren(QMessageBox)[-1], "Erase")
    qtbot.waitUntil(lambda: "empty" in dialog.lead.text(), timeout=WAIT_MS)
    data = hub.store.path.read_bytes()
    assert b"secret two" not in data
    assert b"secret one" not in data
    dialog.close()


def test_what_could_not_be_erased_is_said(
    hub: SessionHub, sidebar: ChatList, shelf: ChatShelf, qtbot: QtBot
) -> None:
    stored(hub.store.delete_chat(make_chat(hub, "one")))
    dialog = BinDialog(shelf, sidebar)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.list.count() == 1, timeout=WAIT_MS)
    shelf.erase(["gone"])
    qtbot.waitUntil(dialog.failure.isVisible, timeout=WAIT_MS)
    assert "gone already" in dialog.failure.text()
    assert not shelf.is_busy
    dialog.close()


def press(box: QMessageBox, text: str) -> None:
    next(b for b in box.buttons() if b.text().replace("&", "") == text).click()


# --- files -------------------------------------------------------------------------


def test_out_and_in_again(hub: SessionHub, sidebar: ChatList, tmp_path: Path, qtbot: QtBot) -> None:
    for title in ("one", "two"):
        make_chat(hub, title)
    chats = list(listed(hub).values())
    target = tmp_path / "all.json"
    dialog = ExportDialog(hub, chats, sidebar, all_of_them=True)
    dialog.show()
    assert dialog.chosen_format() is Format.JSON
    dialog.export_to(target)
    assert dialog.is_running
    qtbot.waitUntil(lambda: not dialog.is_running, timeout=WAIT_MS)
    assert str(target) in dialog.lead.text()
    assert len(json.loads(target.read_bytes())["chats"]) == 2
    dialog.close()

    importer = ImportDialog(hub, ["Work"], sidebar)
    importer.show()
    importer.import_from(target)
    qtbot.waitUntil(lambda: not importer.is_running, timeout=WAIT_MS)
    assert "were here already" in importer.lead.text()
    importer.close()

    importer = ImportDialog(hub, ["Work"], sidebar)
    importer.show()
    importer.copies.setChecked(True)
    importer.folder.setCurrentText("Copies")
    with qtbot.waitSignal(importer.imported, timeout=WAIT_MS):
        importer.import_from(target)
    assert len(stored(hub.store.list_chats())) == 4
    assert stored(hub.store.list_folders()) == ["Copies"]
    importer.close()


@pytest.mark.parametrize("form", [Format.MARKDOWN, Format.HTML])
def test_several_as_files(
    hub: SessionHub, sidebar: ChatList, tmp_path: Path, qtbot: QtBot, form: Format
) -> None:
    for title in ("one", "two"):
        make_chat(hub, title)
    dialog = ExportDialog(hub, list(listed(hub).values()), sidebar)
    dialog.formats[form].setChecked(True)
    dialog.show()
    dialog.export_to(tmp_path / "out")
    qtbot.waitUntil(lambda: not dialog.is_running, timeout=WAIT_MS)
    assert (tmp_path / "out" / f"one{form.value}").exists()
    dialog.close()


def test_errors_are_said_and_another_try_is_offered(
    hub: SessionHub, sidebar: ChatList, tmp_path: Path, qtbot: QtBot
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("no chats at all")
    importer = ImportDialog(hub, [], sidebar)
    importer.show()
    importer.import_from(bad)
    qtbot.waitUntil(importer.details.isVisible, timeout=WAIT_MS)
    assert "ChatGPT export" in importer.details.toPlainText()
    assert importer.go.isVisible()
    importer.close()
    make_chat(hub, "one")
    dialog = ExportDialog(hub, list(listed(hub).values()), sidebar)
    dialog.show()
    dialog.export_to(tmp_path / "nowhere" / "x.md")
    qtbot.waitUntil(dialog.details.isVisible, timeout=WAIT_MS)
    assert "Choose another place" in dialog.details.toPlainText()
    dialog.close()


def test_bad_chats_are_listed_by_name(
    hub: SessionHub, sidebar: ChatList, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"title": "A bad one", "mapping": {"a": {"parent": "b"}}}]))
    importer = ImportDialog(hub, [], sidebar)
    importer.show()
    with qtbot.waitSignal(importer.imported, timeout=WAIT_MS):
        importer.import_from(path)
    assert "could not be imported" in importer.lead.text()
    assert "“A bad one”: a message answers one that is not there" in importer.details.toPlainText()
    importer.close()


def test_an_import_can_be_stopped(
    hub: SessionHub, sidebar: ChatList, tmp_path: Path, qtbot: QtBot
) -> None:
    content = {"content_type": "text", "parts": ["x" * 50_000]}
    node = {"parent": None, "message": {"author": {"role": "user"}, "content": content}}
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([{"title": f"n{n}", "mapping": {"a": node}} for n in range(400)]))
    importer = ImportDialog(hub, [], sidebar)
    importer.show()
    importer.import_from(path)
    importer.reject()
    assert importer.isVisible()
    assert not importer.stop.isEnabled()
    qtbot.waitUntil(lambda: not importer.is_running, timeout=WAIT_MS)
    assert "stopped" in importer.lead.text()
    assert len(stored(hub.store.list_chats())) < 400
    importer.close()


def test_every_trouble_has_words() -> None:
    from desktop.chats.transfer.trouble import Trouble
    from desktop.views.sidebar.transfer_words import TransferWords

    words = TransferWords()
    said = {words.trouble(trouble, {}) for trouble in Trouble}
    assert len(said) == len(Trouble)
    assert "96" in words.trouble(Trouble.CHAT_TOO_LARGE, {"megabytes": 96})
    assert "{" not in "".join(said)


def test_everything_focusable_has_a_name(
    hub: SessionHub, sidebar: ChatList, shelf: ChatShelf
) -> None:
    from PySide6.QtWidgets import QWidget

    make_chat(hub, "one")
    chats = list(listed(hub).values())
    sidebar.search()
    roots: list[QWidget] = [
        sidebar,
        BinDialog(shelf, sidebar),
        ExportDialog(hub, chats, sidebar),
        ImportDialog(hub, [], sidebar),
        DatesDialog(SearchFilters(), sidebar),
    ]
    for root in roots:
        for widget in root.findChildren(QWidget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.isHidden():
                named = widget.accessibleName() or getattr(widget, "text", lambda: "")()
                inner = widget.objectName().startswith("qt_") or widget.parent() is None
                assert named or inner, (type(root).__name__, type(widget).__name__)
    for dialog in roots[1:]:
        dialog.close()
