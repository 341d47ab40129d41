"""Trying one GPU against two, over a real scripted engine that plays two GPUs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.engine_link.engine_client import EngineClient
from desktop.engine_link.engine_state import Phase
from desktop.models.loading.tp_trial import TpTrial, TrialResult, TrialStep, TrialView
from engine.protocol import LoadSettings
from tests.helpers.engine_clients import WAIT_MS, Make, clients_in, wait_for

QUICK = "gpus=2 load_seconds=0.05 tokens_per_second=500 "
BEFORE = LoadSettings(max_model_len=777)


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    """Makes clients; in the end nothing of them is left."""
    yield from clients_in(tmp_path / "logs")


class Trial:
    """A trial, and what it told."""

    def __init__(self, client: EngineClient, folder: Path, qtbot: QtBot, **limits: float) -> None:
        self.client = client
        self.qtbot = qtbot
        self.trial = TpTrial(client, **limits)  # type: ignore[arg-type]
        self.steps: list[TrialStep] = []
        self.trial.view_changed.connect(self._on_view)
        self.results: list[TrialResult] = []
        self.trial.finished.connect(self.results.append)
        self.trial.start(str(folder), LoadSettings(max_model_len=1024), (1, 0))

    def _on_view(self, view: TrialView) -> None:
        self.steps.append(view.step)

    def result(self) -> TrialResult:
        self.qtbot.waitUntil(lambda: bool(self.results), timeout=WAIT_MS)
        assert len(self.results) == 1
        assert not self.trial.is_running
        return self.results[0]

    def reach(self, step: TrialStep) -> None:
        self.qtbot.waitUntil(lambda: step in self.steps, timeout=WAIT_MS)


def loaded_before(client: EngineClient, folder: Path, qtbot: QtBot) -> None:
    client.start()
    client.load(str(folder), BEFORE)
    wait_for(client, Phase.READY, qtbot)


def settings_now(client: EngineClient) -> LoadSettings:
    assert client.view.loaded is not None
    return client.view.loaded.settings


def is_as_before(client: EngineClient) -> bool:
    return client.wanted is not None and client.wanted[1] == BEFORE


def test_the_faster_is_kept(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK + "tp_speed=1.6")
    loaded_before(client, tmp_path, qtbot)
    trial = Trial(client, tmp_path, qtbot)
    result = trial.result()
    assert trial.steps == list(TrialStep)
    assert result.kept
    assert result.one is not None
    assert result.two is not None
    assert result.choice is result.two
    assert (result.one.devices, result.two.devices) == ((1,), (1, 0))
    assert result.one.seconds is not None
    assert result.two.seconds is not None
    assert result.two.seconds < result.one.seconds
    assert [rate.streams for rate in result.two.rates] == [1, 4]
    assert client.view.phase is Phase.READY
    assert settings_now(client).tensor_parallel_size == 2


def test_one_gpu_is_loaded_again_where_two_are_slower(
    make: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    client, _ = make(QUICK + "tp_speed=0.7")
    client.start()
    result = Trial(client, tmp_path, qtbot).result()
    assert result.kept
    assert result.choice is result.one
    assert settings_now(client).tensor_parallel_size == 1
    assert settings_now(client).devices == (1,)


def test_two_that_fail_leave_what_was_before(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK + "fail_tp=Heads_cannot_be_divided.")
    loaded_before(client, tmp_path, qtbot)
    result = Trial(client, tmp_path, qtbot).result()
    assert not result.kept
    assert result.choice is result.one
    assert result.two is not None
    assert result.two.failure is not None
    assert result.two.failure.cause == "Heads cannot be divided."
    wait_for(client, Phase.READY, qtbot)
    assert is_as_before(client)


def test_two_that_hang_are_tried_without_p2p(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK + "hang_tp=1")
    loaded_before(client, tmp_path, qtbot)
    result = Trial(client, tmp_path, qtbot, stall_seconds=0.5).result()
    assert result.kept
    assert result.two is not None
    assert result.two.without_p2p
    assert result.choice is result.two
    assert settings_now(client).disable_p2p


def test_a_measurement_that_hangs_is_ended(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK + "hang_measure=1")
    loaded_before(client, tmp_path, qtbot)
    trial = Trial(client, tmp_path, qtbot, measure_ms=200)
    result = trial.result()
    assert trial.steps.count(TrialStep.MEASURING_TWO) == 2  # with P2P and without
    assert result.two is not None
    assert result.two.failure is not None
    assert result.two.failure.code == "measure_timeout"
    assert not result.kept
    wait_for(client, Phase.READY, qtbot)
    assert is_as_before(client)


@pytest.mark.parametrize(
    "step", [TrialStep.LOADING_ONE, TrialStep.MEASURING_TWO, TrialStep.LOADING_TWO]
)
def test_a_cancelled_trial_leaves_what_was_before(
    make: Make, tmp_path: Path, qtbot: QtBot, step: TrialStep
) -> None:
    client, _ = make(QUICK + "hang_measure=1")
    loaded_before(client, tmp_path, qtbot)
    trial = Trial(client, tmp_path, qtbot)
    trial.reach(step)
    trial.trial.cancel()
    trial.trial.cancel()  # once more: nothing happens
    result = trial.result()
    assert result.cancelled
    assert not result.kept
    assert result.choice is None
    wait_for(client, Phase.READY, qtbot)
    assert is_as_before(client)


def test_with_nothing_before_a_cancelled_trial_leaves_nothing(
    make: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    client, _ = make(QUICK + "hang_measure=1")
    client.start()
    wait_for(client, Phase.IDLE, qtbot)
    trial = Trial(client, tmp_path, qtbot)
    trial.reach(TrialStep.MEASURING_TWO)
    trial.trial.cancel()
    assert trial.result().cancelled
    wait_for(client, Phase.IDLE, qtbot)
    assert client.view.loaded is None


def test_a_model_put_to_sleep_ends_a_trial(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    """What is to be kept sleeps, and nobody would wake it: the trial is over."""
    client, _ = make(QUICK)
    loaded_before(client, tmp_path, qtbot)
    trial = Trial(client, tmp_path, qtbot)
    trial.reach(TrialStep.MEASURING_ONE)
    trial.trial.cancel()
    client.view_changed.connect(
        lambda view: client.sleep(lend=False) if view.phase is Phase.READY else None
    )
    result = trial.result()
    assert result.cancelled
    wait_for(client, Phase.SLEEPING, qtbot)


def test_what_never_loads_again_does_not_hold_the_trial_up(
    make: Make, tmp_path: Path, qtbot: QtBot
) -> None:
    client, _ = make(QUICK + "hang_load=1")
    client.start()
    client.load(str(tmp_path), BEFORE)
    wait_for(client, Phase.LOADING, qtbot)
    trial = Trial(client, tmp_path, qtbot, settle_ms=100)
    trial.reach(TrialStep.LOADING_ONE)
    trial.trial.cancel()
    result = trial.result()
    assert result.cancelled
    assert not result.kept
    # It goes on, as any other load: the user may wait for it, or end it.
    wait_for(client, Phase.LOADING, qtbot)
    assert is_as_before(client)


def test_where_nothing_loads_nothing_is_chosen(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK + "fail_load=No.")
    client.start()
    result = Trial(client, tmp_path, qtbot).result()
    assert result.choice is None
    assert not result.kept
    assert result.one is not None
    assert result.one.failure is not None


def test_a_death_is_not_tried_again_and_again(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, heard = make(QUICK + "crash_load=1")
    client.start()
    result = Trial(client, tmp_path, qtbot).result()
    assert result.choice is None
    assert [
        tried.failure.code for tried in (result.one, result.two) if tried and tried.failure
    ] == [
        "engine_stopped",
        "engine_stopped",
    ]
    assert sum(view.phase is Phase.RESTARTING for view in heard.views) <= 3


def test_a_second_start_changes_nothing(make: Make, tmp_path: Path, qtbot: QtBot) -> None:
    client, _ = make(QUICK)
    client.start()
    trial = Trial(client, tmp_path, qtbot)
    trial.trial.start("/elsewhere", LoadSettings())
    assert trial.result().kept
    assert client.view.model == str(tmp_path)
