"""Discover over the real process and the real hub client, against a hub on the loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.models.library.discovering import Stage
from desktop.models.library.hub_faults import Way
from desktop.models.library.hub_link import HubLink
from desktop.models.library.hub_words import Fit
from desktop.views.library.discover_page import DiscoverPage
from desktop.views.library.sign_in_dialog import SignInDialog
from engine.store.hub.network import NetworkSettings
from tests.gui.library_kit import CARD, FakeDesk, Surroundings
from tests.helpers.load_machines import LLAMA_8B, TINY
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub
from tests.helpers.tiny_models import make_tiny_model

WAIT_MS = 30_000
TOKEN = "hf_averysecrettoken"


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackHub]:
    model = make_tiny_model(tmp_path_factory.mktemp("model") / "tiny")
    (model / "README.md").write_text(f"---\nlicense: apache-2.0\n---\n{CARD}")
    (model / "pytorch_model.bin").write_bytes(b"never")
    with loopback_hub() as found:
        found.add("me/tiny-llama", model, licence="apache-2.0", downloads=900)
        found.add(
            "me/tiny-llama-AWQ",
            model,
            licence="apache-2.0",
            base_model="me/tiny-llama",
            tags=("base_model:quantized:me/tiny-llama", "awq", "4-bit"),
            config={**TINY, "quantization_config": LLAMA_8B["quantization_config"]},
            downloads=800,
        )
        found.add("shut/gated-llama", model, gated="auto", licence="llama3.1", downloads=10)
        found.accounts[TOKEN] = "ada"
        yield found


@pytest.fixture
def page(
    hub: LoopbackHub, home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DiscoverPage]:
    monkeypatch.setenv("HF_HOME", str(home / "hf"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    link = HubLink(NetworkSettings(endpoint=hub.url))
    around = Surroundings(folder=home)
    found = DiscoverPage(link, FakeDesk(), around.context())
    found.setProperty("link", link)
    qtbot.addWidget(found)
    found.resize(1000, 700)
    found.show()
    yield found
    link.close()


def test_search_judge_and_read(page: DiscoverPage, hub: LoopbackHub, qtbot: QtBot) -> None:
    searching = page.discovering
    page.field.setText("llama")
    qtbot.waitUntil(
        lambda: searching.stage is Stage.RESULTS and not searching.is_busy, timeout=WAIT_MS
    )
    shown = [page.hits.row_at(n) for n in range(page.hits.rowCount())]
    found = {row.repo: row for row in shown if row is not None}
    assert set(found) >= {"me/tiny-llama", "shut/gated-llama"}
    hits = {repo: row.hit for repo, row in found.items() if row.hit is not None}
    qtbot.waitUntil(lambda: page.hits.fit_of(hits["me/tiny-llama"]) is Fit.FITS, timeout=WAIT_MS)
    page.show_model("me/tiny-llama")
    model = page.model_page
    assert model is not None
    qtbot.waitUntil(lambda: model.model.page is not None, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "instructions" in model.card.view.plain_text(), timeout=WAIT_MS)
    told = model.model.page
    assert told is not None
    assert "model.safetensors" in [file.path for file in told.choice.take]
    assert "pytorch_model.bin" in [file.path for file in told.choice.leave]
    qtbot.waitUntil(lambda: model.plan.outlook is not None, timeout=WAIT_MS)
    assert model.plan.mark.fit is Fit.FITS
    assert dict(model.head.facts.facts())["Licence"] == "Apache 2.0"
    assert not hub.asked("*.bin")


def test_a_gated_model_and_a_token(page: DiscoverPage, hub: LoopbackHub, qtbot: QtBot) -> None:
    page.show_model("shut/gated-llama")
    model = page.model_page
    assert model is not None
    qtbot.waitUntil(
        lambda: model.head.access.isVisible() or model.state.fault is not None, timeout=WAIT_MS
    )
    if model.model.fault is not None:
        assert Way.SIGN_IN in model.model.fault.ways
    page.sign_in()
    dialog = page.findChild(SignInDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.field.isVisible, timeout=WAIT_MS)
    dialog.field.setText("hf_wrong")
    dialog.sign_in.click()
    qtbot.waitUntil(lambda: "token" in dialog.fault.text(), timeout=WAIT_MS)
    dialog.field.setText(TOKEN)
    dialog.sign_in.click()
    qtbot.waitUntil(lambda: "ada" in dialog.title.text(), timeout=WAIT_MS)
    assert TOKEN not in dialog.where.text()
    dialog.sign_out.click()
    qtbot.waitUntil(dialog.field.isVisible, timeout=WAIT_MS)
    dialog.close()


def test_a_hub_that_is_down_says_so_and_comes_back(
    page: DiscoverPage, hub: LoopbackHub, qtbot: QtBot
) -> None:
    searching = page.discovering
    hub.go_down()
    try:
        page.field.setText("llama")
        qtbot.waitUntil(lambda: searching.stage is Stage.FAULT, timeout=WAIT_MS)
        assert searching.fault is not None
        assert Way.RETRY in searching.fault.ways
    finally:
        hub.come_up()
    searching.retry()
    qtbot.waitUntil(lambda: searching.stage is Stage.RESULTS, timeout=WAIT_MS)
