"""The KV map: a cell a block, cheap to change, pointed at, walked through, and as tables."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QImage, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop import theme
from desktop.models.monitor.kv_books import CACHED, FREE, HELD, SHARED
from desktop.views.monitor.kv_canvas import KvCanvas
from desktop.views.monitor.kv_legend import KvLegend, entries_of
from desktop.views.monitor.kv_map_image import (
    GROUND,
    LEAST_CELL,
    TALLEST,
    KvImage,
    codes_of,
    layout_for,
    slot_of,
)
from desktop.views.monitor.kv_map_view import BESIDE_FROM, KvMapView
from desktop.views.monitor.kv_table import LinesModel, LinesView, chat_lines, run_lines
from desktop.views.monitor.painted_text import PaintedText
from tests.gui.test_accessibility import nameless
from tests.helpers.kv_scene import CONTEXT, KvScene, busy_scene


@pytest.fixture
def view(qtbot: QtBot) -> KvMapView:
    result = KvMapView()
    qtbot.addWidget(result)
    result.resize(420, 700)
    result.show()
    qtbot.waitExposed(result)
    return result


def scene_of_two() -> KvScene:
    """Two chats of which the first block is shared, 32 blocks."""
    scene = KvScene(32)
    scene.ask(1, 40, shared_words=16)
    scene.ask(2, 20, shared_words=16)
    return scene


def painted_regions(canvas: KvCanvas, monkeypatch: pytest.MonkeyPatch) -> list[QRect]:
    """What is painted from now on."""
    found: list[QRect] = []
    before = KvCanvas.paintEvent

    def paint(self: KvCanvas, event: QPaintEvent) -> None:
        found.append(event.region().boundingRect())
        before(self, event)

    monkeypatch.setattr(KvCanvas, "paintEvent", paint)
    return found


# The image.


@pytest.mark.parametrize("blocks", [300, 1000, 5000, 10_000, 30_000, 50_000])
@pytest.mark.parametrize("width", [256, 280, 420, 900])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_a_cell_a_block_down_to_two_pixels(blocks: int, width: int, scale: float) -> None:
    layout = layout_for(blocks, width, scale)
    assert layout.group == 1
    assert layout.cells == blocks
    assert layout.cell >= LEAST_CELL * scale
    assert layout.width <= width * scale
    assert layout.height <= TALLEST * scale
    assert layout.rows * layout.columns >= blocks > (layout.rows - 1) * layout.columns


def test_more_blocks_than_have_room_are_grouped() -> None:
    layout = layout_for(200_001, 280)
    assert layout.group > 1
    assert layout.height <= TALLEST
    assert layout.blocks_of(layout.cells - 1).stop == 200_001
    assert sum(len(layout.blocks_of(cell)) for cell in range(layout.cells)) == 200_001
    assert layout.cell_at(layout.rect(777).topLeft()) == 777
    assert layout.cell_at(QPoint(-1, 0)) is None


def test_a_group_shows_its_busiest_block() -> None:
    scene = KvScene(200_001)
    scene.ask(1, 16)
    picture = scene.picture()
    layout = layout_for(picture.total, 280)
    image = KvImage(layout)
    image.show_codes(codes_of(picture))
    image.show_colours(theme.LIGHT)
    held = picture.holders[0].blocks[0]
    colour = image.image.pixelColor(layout.rect(held // layout.group).topLeft())
    assert colour == theme.LIGHT.chat_colour(1)


def test_kinds_look_different_in_every_theme_and_size() -> None:
    scene = scene_of_two()
    scene.ask(3, 40)
    scene.picture()
    scene.end("request-3")
    picture = scene.picture()
    kinds = {kind: picture.kinds.index(kind) for kind in (FREE, CACHED, HELD, SHARED)}
    for look in (theme.LIGHT, theme.DARK, theme.CONTRAST):
        for width in (40, 100, 400):
            layout = layout_for(picture.total, width)
            image = KvImage(layout)
            image.show_codes(codes_of(picture))
            image.show_colours(look)
            faces = [image.image.copy(layout.rect(block)) for block in kinds.values()]
            assert len({bytes(face.constBits()) for face in faces}) == 4
            assert all(face.pixelColor(0, 0) != look.colour(GROUND) for face in faces)


def test_a_patched_image_is_the_same_as_a_new_one() -> None:
    scene = busy_scene(3000, 12)
    layout = layout_for(3000, 420)
    patched = KvImage(layout)
    for turn in range(12):
        scene.grow(23)
        if turn == 5:
            scene.end(next(iter(scene.streams)))
        codes = codes_of(scene.picture())
        patched.show_codes(codes)
        fresh = KvImage(layout)
        fresh.show_codes(codes)
        assert bytes(patched.image.constBits()) == bytes(fresh.image.constBits())
        assert patched.show_codes(codes) == []


def test_an_owner_beyond_the_colours_still_has_one() -> None:
    scene = KvScene(400)
    for number in range(1, 301):
        scene.ask(number, 10)
    picture = scene.picture()
    codes = codes_of(picture)
    assert max(codes) <= 255
    assert codes[picture.holders[-1].blocks[0]] == codes[picture.holders[299 - 80].blocks[0]]
    assert slot_of(0) == 0


# The canvas.


def test_only_what_changed_is_painted(
    view: KvMapView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = busy_scene(10_000, 8)
    view.set_picture(scene.picture())
    qtbot.waitUntil(lambda: view.canvas.layout_now is not None)
    view.grab()
    painted = painted_regions(view.canvas, monkeypatch)
    scene.grow(1)
    view.set_picture(scene.picture())
    QTest.qWait(0)
    changed = sum(place.width() * place.height() for place in painted)
    assert changed < view.canvas.width() * view.canvas.height() / 4
    painted.clear()
    view.set_picture(scene.picture())  # a step in which no block changed hands
    QTest.qWait(0)
    assert painted == []


def test_a_block_says_whose_it_is_where_it_is_pointed_at(
    view: KvMapView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_: tips.append(text))
    picture = scene_of_two().picture()
    view.set_picture(picture)
    canvas = view.canvas
    layout = canvas.layout_now
    assert layout is not None
    qtbot.waitUntil(lambda: canvas.height() >= layout.height)
    place = layout.rect(0).center()
    with qtbot.waitSignal(canvas.pointed) as told:
        QTest.mouseMove(canvas, place)
    assert told.args is not None
    assert told.args[0] == (
        "Block 0: shared by 1 Sourdough, day three, 2 Why is the sky blue?, tokens 1 to 16 of 60"
    )
    labels = [label.text() for label in view.findChildren(QLabel)]
    assert told.args[0] in labels
    help_event = QHelpEvent(QEvent.Type.ToolTip, place, canvas.mapToGlobal(place))
    QApplication.sendEvent(canvas, help_event)
    assert tips == [told.args[0]]
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert "Point at a block to see whose it is" in [
        label.text() for label in view.findChildren(QLabel)
    ]


def test_a_click_goes_to_the_chat(view: KvMapView, qtbot: QtBot) -> None:
    picture = scene_of_two().picture()
    view.set_picture(picture)
    layout = view.canvas.layout_now
    assert layout is not None
    held = picture.holders[1].blocks[-1]
    with qtbot.waitSignal(view.chat_activated) as gone:
        QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=layout.rect(held).center())
    assert gone.args == ["2"]
    free = picture.kinds.index(FREE)
    with qtbot.assertNotEmitted(view.chat_activated):
        QTest.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=layout.rect(free).center())


def test_arrow_keys_walk_and_enter_goes(view: KvMapView, qtbot: QtBot) -> None:
    view.set_picture(busy_scene(300, 4, over=0).picture())
    canvas = view.canvas
    layout = canvas.layout_now
    assert layout is not None
    view.activateWindow()
    canvas.setFocus()
    qtbot.waitUntil(canvas.hasFocus)
    keys = {
        Qt.Key.Key_Right: 1,
        Qt.Key.Key_Down: 1 + layout.columns,
        Qt.Key.Key_Left: layout.columns,
        Qt.Key.Key_Up: 0,
        Qt.Key.Key_End: 299,
        Qt.Key.Key_Home: 0,
    }
    for key, cell in keys.items():
        QTest.keyClick(canvas, key)
        assert canvas.cursor_cell == cell
    QTest.keyClick(canvas, Qt.Key.Key_Up)
    assert canvas.cursor_cell == 0
    assert canvas.accessibleDescription().startswith("Block 0: 1 Sourdough")
    with qtbot.waitSignal(view.chat_activated) as gone:
        QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert gone.args == ["1"]


def test_one_chat_is_brought_forward(view: KvMapView) -> None:
    picture = scene_of_two().picture()
    view.set_picture(picture)
    canvas = view.canvas
    layout = canvas.layout_now
    assert layout is not None
    own = layout.rect(picture.holders[0].blocks[-1]).center()
    other = layout.rect(picture.holders[1].blocks[-1]).center()

    def colours() -> tuple[QColor, QColor]:
        image = canvas.grab().toImage()
        return image.pixelColor(own), image.pixelColor(other)

    look = theme.current()
    assert colours() == (look.chat_colour(1), look.chat_colour(2))
    view.set_highlight(1)
    mine, others = colours()
    assert mine == look.chat_colour(1)
    assert others != look.chat_colour(2)
    view.set_highlight(0)
    assert colours() == (look.chat_colour(1), look.chat_colour(2))


def test_what_a_chat_shares_comes_forward_with_it(view: KvMapView) -> None:
    picture = scene_of_two().picture()
    view.set_picture(picture)
    canvas = view.canvas
    layout = canvas.layout_now
    assert layout is not None
    shared = layout.rect(picture.kinds.index(SHARED))
    look = theme.current()

    def colours() -> set[str]:
        image = canvas.grab().toImage().copy(shared)
        return {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
        }

    assert colours() == {look.chat_colour(1).name(), look.text}
    view.set_highlight(2)
    assert colours() == {look.chat_colour(2).name(), look.text}
    view.set_highlight(0)
    assert colours() == {look.chat_colour(1).name(), look.text}


def test_another_theme_colours_it_anew(view: KvMapView, qapp: QApplication) -> None:
    picture = scene_of_two().picture()
    view.set_picture(picture)
    layout = view.canvas.layout_now
    assert layout is not None
    place = layout.rect(picture.holders[0].blocks[-1]).center()
    for mode in ("dark", "contrast", "light"):
        look = theme.apply(qapp, mode, 11)
        assert view.canvas.grab().toImage().pixelColor(place) == look.chat_colour(1)


def test_a_pool_comes_and_goes(view: KvMapView) -> None:
    def cells() -> int:
        layout = view.canvas.layout_now
        return 0 if layout is None else layout.cells

    view.set_picture(None)
    assert cells() == 0
    assert not view.grab().toImage().isNull()
    view.set_picture(scene_of_two().picture())
    assert cells() == 32
    view.set_picture(KvScene(64).picture())  # another load
    assert cells() == 64
    view.set_picture(None)
    QTest.mouseMove(view.canvas, QPoint(5, 5))
    QTest.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.csv_rows()[1:] == []


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_the_map_is_as_high_as_its_cells(qtbot: QtBot, scale: float) -> None:
    canvas = KvCanvas()
    qtbot.addWidget(canvas)
    canvas.set_picture(busy_scene(1000, 4).picture())
    for width in (200, 420, 900):
        assert canvas.heightForWidth(width) == layout_for(1000, width).height
    wide, narrow = (layout_for(1000, width, scale) for width in (900, 280))
    assert wide.height < narrow.height


# Its parts.


def test_the_figures_are_those_of_the_pool(view: KvMapView) -> None:
    scene = scene_of_two()
    scene.ask(3, 40)
    scene.picture()
    scene.end("request-3")
    view.set_context(CONTEXT)
    view.set_picture(scene.picture())
    texts = [figure.text() for figure in view.figures.findChildren(PaintedText)]
    assert texts[:8] == ["6", "18.8 %", "1", "3.1 %", "2", "6.3 %", "24", "75.0 %"]
    assert texts[8] == "12.5 % unused; one piece per chat would waste 99 %"
    assert "8,192 tokens here" in view.figures.explanation()
    view.set_picture(None)
    assert "–" in [figure.text() for figure in view.figures.findChildren(PaintedText)]


def test_the_legend_names_who_holds_and_who_is_remembered(qtbot: QtBot) -> None:
    scene = busy_scene(600, 20, over=4)
    picture = scene.picture()
    entries = entries_of(picture)
    held = [entry.number for entry in entries if entry.blocks]
    assert held == sorted(held)
    assert {entry.number for entry in entries if not entry.blocks} == {2, 4, 6, 8}
    legend = KvLegend()
    qtbot.addWidget(legend)
    legend.resize(420, 100)
    legend.set_picture(picture)
    assert len(legend.shown()) < len(entries)
    legend.resize(420, legend.heightForWidth(420))
    legend.show()
    assert not legend.grab().toImage().isNull()
    with qtbot.waitSignal(legend.highlighted) as forward:
        QTest.mouseMove(legend, QPoint(20, 8))
    assert forward.args == [1]
    with qtbot.waitSignal(legend.chat_activated) as gone:
        QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(20, 8))
    assert gone.args == ["1"]
    with qtbot.waitSignal(legend.more_asked):
        QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(300, legend.height() - 6))
    with qtbot.waitSignal(legend.highlighted) as forward:
        QApplication.sendEvent(legend, QEvent(QEvent.Type.Leave))
    assert forward.args == [0]


def test_the_figures_stand_beside_a_wide_map(view: KvMapView, qtbot: QtBot) -> None:
    view.set_picture(busy_scene(1000, 6).picture())
    view.resize(BESIDE_FROM + 100, 600)
    qtbot.waitUntil(lambda: view.figures.x() > view.canvas.geometry().right())
    view.resize(BESIDE_FROM - 100, 600)
    qtbot.waitUntil(lambda: view.figures.y() > view.canvas.geometry().bottom())


def test_everything_has_its_height_at_every_width(view: KvMapView, qtbot: QtBot) -> None:
    view.set_picture(busy_scene(3000, 12).picture())
    (waste,) = [text for text in view.findChildren(PaintedText) if text.hasHeightForWidth()]
    parts = (view.canvas, view.legend, waste)
    for width in (900, 420, 256, 640, 280):
        view.resize(width, 900)
        view.resize(width, view.heightForWidth(width))
        qtbot.waitUntil(
            lambda: all(part.height() >= part.heightForWidth(part.width()) for part in parts)
        )
    assert waste.heightForWidth(120) > waste.heightForWidth(600)


# The tables.


def test_the_tables_say_the_same(view: KvMapView, qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    scene = busy_scene(600, 6)
    view.set_picture(scene.picture())
    view.show_table()
    tables = {table.accessibleName(): table for table in view.findChildren(LinesView)}
    chats, runs = tables["Chats in the KV cache"], tables["Runs of KV blocks"]
    qtmodeltester.check(chats.model())  # type: ignore[no-untyped-call]
    picture = scene.picture()
    view.set_picture(picture)
    model = chats.model()
    assert model.rowCount() == len(entries_of(picture))
    view.set_picture(scene_of_two().picture())
    qtbot.waitUntil(lambda: model.rowCount() == 2)  # not at once: it is read aloud
    view.set_picture(picture)
    qtbot.waitUntil(lambda: model.rowCount() == len(entries_of(picture)))
    first = picture.holders[0]
    assert model.index(0, 0).data() == "1 Sourdough, day three"
    assert model.index(0, 1).data() == str(len(first.blocks))
    assert chats.isVisible()
    assert not view.canvas.isVisible()
    chats.setCurrentIndex(model.index(0, 0))
    with qtbot.waitSignal(view.chat_activated) as gone:
        QTest.keyClick(chats, Qt.Key.Key_Return)
    assert gone.args == ["1"]
    assert runs.model().rowCount() == 0  # until it is looked at
    interface = QAccessible.queryAccessibleInterface(chats)
    assert interface is not None
    assert interface.text(QAccessible.Text.Name) == "Chats in the KV cache"


def test_everything_has_a_name(view: KvMapView) -> None:
    view.set_picture(scene_of_two().picture())
    assert nameless(view) == []
    view.show_table()
    assert nameless(view) == []


def test_runs_cover_every_block_once(qtmodeltester: ModelTester) -> None:
    scene = scene_of_two()
    model = LinesModel(["Blocks", "State", "Chat", "Count"], (0, 1, 2))
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    words = {HELD: "in use", SHARED: "shared", CACHED: "cached", FREE: "free"}
    for turn in range(4):
        picture = scene.picture()
        lines = run_lines(picture, words.__getitem__)
        assert sum(int(line.cells[3]) for line in lines) == picture.total
        model.set_lines(lines)
        assert model.rowCount() == len(lines)
        if turn == 0:
            assert lines[0].cells == (
                "0",
                "shared",
                "1 Sourdough, day three, 2 Why is the sky blue?",
                "1",
            )
            assert lines[-1].cells[1:3] == ("free", "")
        scene.grow(40)
        if turn == 2:
            scene.end("request-1")
    model.set_lines(chat_lines(scene.picture())[:1])
    model.set_lines([])


def test_going_back_to_the_map_shows_what_came_meanwhile(view: KvMapView) -> None:
    scene = scene_of_two()
    view.set_picture(scene.picture())
    view.show_table()
    scene.grow(64)
    picture = scene.picture()
    view.set_picture(picture)
    view._as_map.setChecked(True)
    layout = view.canvas.layout_now
    assert layout is not None
    image: QImage = view.canvas.grab().toImage()
    for block in picture.holders[1].blocks[1:]:
        assert image.pixelColor(layout.rect(block).center()) == theme.current().chat_colour(2)
    assert view.canvas.cell_words(layout.cells) == ""
    assert view.canvas._cell_at(QPointF(-3, 0)) is None
