"""What `doctor` says of the model library: store, downloads, cache, hub and token."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from desktop import paths, settings
from desktop.settings import Settings
from desktop.terminal import doctor
from desktop.terminal.doctoring import library
from desktop.terminal.doctoring.findings import State
from engine.store.folders import models_folder
from tests.helpers.loopback_hub import loopback_hub

NETWORK = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
HUGGING = ("HF_ENDPOINT", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "HF_TOKEN_PATH")


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INGLENOOK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    for name in (*NETWORK, *(each.lower() for each in NETWORK), *HUGGING):
        monkeypatch.delenv(name, raising=False)


def choose(**values: object) -> None:
    """Save settings."""
    folders = paths.find()
    folders.prepare()
    assert settings.save(folders.settings, dataclasses.replace(Settings(), **values)) == ""  # type: ignore[arg-type]


# --- the store ---


def test_a_store_that_is_not_made_yet() -> None:
    (found,) = library.store()
    assert (found.name, found.state) == ("Model store", State.OK)


def test_a_store_that_is_there() -> None:
    models_folder().mkdir(parents=True)
    (found,) = library.store()
    assert found.state is State.OK
    assert "are free there" in found.text


def test_a_store_whose_disk_is_away(tmp_path: Path) -> None:
    models_folder().parent.mkdir(parents=True)
    models_folder().symlink_to(tmp_path / "disk" / "models")
    (found,) = library.store()
    assert (found.name, found.state) == ("Model store", State.PROBLEM)
    assert str(tmp_path / "disk" / "models") in found.text


def test_a_folder_of_models_that_is_gone(tmp_path: Path) -> None:
    choose(library_folders=(str(tmp_path / "gone"),))
    problem, store = library.store()
    assert (problem.name, problem.state) == ("Models", State.PROBLEM)
    assert str(tmp_path / "gone") in problem.text
    assert store.state is State.OK


def test_no_download_is_unfinished() -> None:
    assert library.downloads().state is State.OK


# --- the cache ---


def test_the_cache(tmp_path: Path) -> None:
    assert library.cache().state is State.OK
    assert "none is needed" in library.cache().text
    (tmp_path / "hf" / "hub" / "models--acme--tiny").mkdir(parents=True)
    assert library.cache().state is State.OK
    assert library.cache().text == f"1 model is in {tmp_path / 'hf' / 'hub'}."
    choose(use_hf_cache=False)
    assert library.cache().state is State.NOTE


# --- the hub, unasked ---


def test_which_hub() -> None:
    assert library.hub().state is State.OK
    choose(hub_endpoint="https://mirror.example.org", proxy="http://me:secret@proxy:3128")
    found = library.hub()
    assert found.state is State.OK
    assert "A mirror, https://mirror.example.org" in found.text
    assert "proxy http://proxy:3128" in found.text
    assert "secret" not in found.text


def test_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    choose(offline=True)
    assert library.hub().state is State.NOTE
    assert "by the settings" in library.hub().text
    choose()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "HF_HUB_OFFLINE" in library.hub().text


def test_settings_that_make_no_sense(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    choose(ca_bundle=str(tmp_path / "none.pem"))
    assert library.hub().state is State.PROBLEM
    choose()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert library.hub().state is State.PROBLEM


# --- the token ---


def test_the_token_is_never_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert library.token().state is State.OK
    assert "There is none" in library.token().text
    place = tmp_path / "hf" / "token"
    place.parent.mkdir()
    place.write_text("hf_secret")
    place.chmod(0o644)
    found = library.token()
    assert found.state is State.WARNING
    assert found.advice == f"chmod 600 {place}"
    place.chmod(0o600)
    found = library.token()
    assert (found.state, "hf_secret" in found.text) == (State.OK, False)
    place.write_text("")
    assert library.token().state is State.WARNING
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    assert "HF_TOKEN" in library.token().text
    assert "hf_secret" not in library.token().text
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "elsewhere"))
    assert "There is none" in library.token().text


# --- the hub, asked ---


def test_the_hub_is_asked_only_with_online(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with loopback_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        hub.accounts["hf_me"] = "me"
        monkeypatch.setenv("HF_TOKEN", "hf_me")
        hub.add("acme/tiny", {"config.json": b"{}"})
        own = [(name, check) for name, check in doctor.CHECKS if name.startswith(("Hub", "Model"))]
        assert len(own) == 3
        list(doctor.look(checks=own))
        assert not hub.requests
        found = {one.name: one for one in doctor.look(online=True, checks=own)}
        assert found["Hub (asked)"].state is State.OK, found
        assert found["Account"].text == "Signed in as me."
        monkeypatch.setenv("HF_TOKEN", "hf_wrong")
        found = {one.name: one for one in library.online()}
        assert found["Account"].state is State.WARNING
        hub.go_down()
        (down,) = library.online()
        assert down.state is State.PROBLEM
    with pytest.raises(SystemExit):
        doctor.main(["--help"])
    assert "--online" in capsys.readouterr().out


def test_offline_is_no_problem_of_the_hub() -> None:
    choose(offline=True)
    (found,) = library.online()
    assert found.state is State.NOTE


def test_findings_are_json() -> None:
    assert json.dumps([dataclasses.asdict(each) for each in library.store()])
