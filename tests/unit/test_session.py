"""Open tabs and the window's geometry come back."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import session
from desktop.pane_layout import Pane, Split, panes
from desktop.session import Place, Session

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
PARTS = (
    *("open_tabs", "active_tab", "geometry", "window_state", "splitter_sizes", "panes"),
    *("closed_folders", "places"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "session.json"


def test_a_session_comes_back(path: Path) -> None:
    split = Split(True, (300, 200), (Pane(("a",), "a"), Pane(("b",), "b")))
    places = (("a", Place("m1", -1, 40)), ("b", Place("m2", 3, -2)))
    left = Session(("a", "b"), "b", "AAA=", "BBB=", (240, 800), split, ("Work",), places)
    assert session.save(path, left) == ""
    assert session.load(path) == (left, "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_first_start_has_none(path: Path) -> None:
    assert session.load(path) == (Session(), "")


def test_a_broken_file_is_set_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("{")
    loaded, warning = session.load(path)
    assert loaded == Session()
    assert "open tabs" in warning
    assert list(path.parent.glob("session.json.damaged-*"))


def test_senseless_parts_are_left_out(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(
        json.dumps(
            {
                "open_tabs": ["a", 1, None, "a", "", "b"],
                "active_tab": "gone",
                "geometry": 5,
                "window_state": "kept",
                "splitter_sizes": [1, -1],
            }
        )
    )
    assert session.load(path) == (Session(("a", "b"), "", "", "kept", ()), "")


@given(
    content=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(PARTS, JSON),
    )
)
def test_no_content_stops_the_start(tmp_path: Path, content: dict[str, object]) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(content))
    loaded, _ = session.load(path)
    assert session.save(path, loaded) == ""
    assert session.load(path) == (loaded, "")


def pane(*tabs: str) -> dict[str, object]:
    return {"tabs": list(tabs), "active": tabs[0] if tabs else ""}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (pane("a", "b"), None),  # not split
        ({"parts": [pane("a"), pane("gone")]}, None),  # one pane is left
        ({"parts": [pane("a"), pane("b", "a", "gone")]}, [("a",), ("b",)]),
        (
            {"parts": [pane("a"), {"vertical": True, "parts": [pane("b"), pane("c")]}]},
            [("a",), ("b",), ("c",)],
        ),
        ({"parts": [pane("a"), pane("b"), pane("c"), pane("d"), pane("e")]}, 4),
        ({"parts": [{"parts": [{"parts": [pane("a"), pane("b")]}]}, pane("c")]}, 3),
    ],
)
def test_only_a_sound_split_comes_back(path: Path, value: object, expected: object) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"open_tabs": list("abcde"), "panes": value}))
    layout = session.load(path)[0].panes
    if expected is None:
        assert layout is None
        return
    assert layout is not None
    found = [one.tabs for one in panes(layout)]
    assert found == expected if isinstance(expected, list) else len(found) == expected


def test_a_deep_file_is_no_harm(path: Path) -> None:
    value: dict[str, object] = pane("a")
    for _ in range(50):
        value = {"parts": [value, pane("b")]}
    path.parent.mkdir()
    path.write_text(json.dumps({"open_tabs": ["a", "b"], "panes": value}))
    session.load(path)


@pytest.mark.parametrize(
    "value", [[], {"gone": ["m", 0, 0]}, {"a": ["m", 0]}, {"a": ["m", -2, 0]}, {"a": ["m", 0.5, 0]}]
)
def test_a_senseless_place_is_none(path: Path, value: object) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"open_tabs": ["a"], "places": value}))
    assert session.load(path)[0].places == ()
