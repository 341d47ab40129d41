"""Which hub is asked and by which way: settings, and what the environment says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.store.hub.network import NetworkSettings, endpoint_of, is_offline, without_password
from tests.helpers.hub_certificates import make_certificate


def test_settings_override_and_the_rest_is_kept() -> None:
    base = {"HTTPS_PROXY": "http://old:1", "ALL_PROXY": "http://all:1", "PATH": "/bin"}
    kept = NetworkSettings().environment(base)
    assert kept["HTTPS_PROXY"] == "http://old:1"
    assert kept["ALL_PROXY"] == "http://all:1"
    assert "HF_ENDPOINT" not in kept
    told = NetworkSettings("https://m.example/", "http://new:2", "/x/ca.pem", True)
    env = told.environment({**base, "NO_PROXY": "intranet"})
    assert env["HF_ENDPOINT"] == "https://m.example"
    assert {env[n] for n in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")} == {
        "http://new:2"
    }
    assert "ALL_PROXY" not in env
    assert env["NO_PROXY"] == "intranet"
    assert env["SSL_CERT_FILE"] == env["REQUESTS_CA_BUNDLE"] == "/x/ca.pem"
    assert env["HF_HUB_OFFLINE"] == "1"
    assert env["PATH"] == "/bin"


def test_nothing_is_counted_and_no_request_is_logged() -> None:
    env = NetworkSettings().environment({"HF_DEBUG": "1", "HF_HUB_VERBOSITY": "debug"})
    assert "HF_DEBUG" not in env
    assert env["HF_HUB_DISABLE_TELEMETRY"] == env["DO_NOT_TRACK"] == "1"
    assert env["HF_HUB_VERBOSITY"] == "error"


def test_what_the_environment_says() -> None:
    assert endpoint_of({}) == "https://huggingface.co"
    assert endpoint_of({"HF_ENDPOINT": "https://m.example/ "}) == "https://m.example"
    assert is_offline({"HF_HUB_OFFLINE": "yes"})
    assert is_offline({"TRANSFORMERS_OFFLINE": "1"})
    assert not is_offline({"HF_HUB_OFFLINE": "0"})


@pytest.mark.parametrize(
    "settings",
    [
        NetworkSettings(),
        NetworkSettings("https://hub.example.org/path"),
        NetworkSettings("http://127.0.0.1:8080"),
        NetworkSettings(proxy="http://user:secret@proxy.example.org:3128"),
    ],
)
def test_what_is_fine(settings: NetworkSettings) -> None:
    assert settings.check() == ""


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (NetworkSettings("hub.example.org"), "web address"),
        (NetworkSettings("ftp://hub.example.org"), "web address"),
        (NetworkSettings("https://"), "web address"),
        (NetworkSettings("https://a:99999999"), "web address"),
        (NetworkSettings("https://u:p@hub.example.org"), "web address"),
        (NetworkSettings("https://hub.example.org/?x=1"), "web address"),
        (NetworkSettings("https://hub example.org"), "web address"),
        (NetworkSettings(proxy="proxy:3128"), "proxy"),
        (NetworkSettings(proxy="socks5://user:secret@h:1"), "SOCKS"),
        (NetworkSettings(ca_bundle="/nowhere/ca.pem"), "cannot be read"),
        (NetworkSettings(ca_bundle="/"), "cannot be read"),
    ],
)
def test_what_is_wrong_is_said(settings: NetworkSettings, word: str) -> None:
    said = settings.check()
    assert word in said
    assert "secret" not in said
    assert said.endswith(".")


def test_a_file_of_certificates_is_one(tmp_path: Path) -> None:
    assert NetworkSettings(ca_bundle=str(make_certificate(tmp_path / "ca.pem"))).check() == ""
    other = tmp_path / "other.pem"
    for content in (b"", b"\xff\xfe\x00", b"-----BEGIN CERTIFICATE-----\nnonsense\n"):
        other.write_bytes(content)
        assert "no certificates" in NetworkSettings(ca_bundle=str(other)).check()


def test_a_password_is_not_shown() -> None:
    assert without_password("http://u:p@h:1") == "http://h:1"
    assert without_password("http://u:p@x@h:1") == "http://h:1"
    assert without_password("u:p@h:1") == "h:1"
    assert without_password("http://h:1") == "http://h:1"


def test_what_the_window_uses_loads_no_network() -> None:
    code = (
        "import sys\n"
        "from engine.store.hub import messages, network, errors, records, verdicts, choice\n"
        "from engine.failures import all_texts\n"
        "all_texts()\n"
        "names = 'huggingface_hub', 'httpx', 'httpx2', 'httpcore2'\n"
        "print([name for name in names if name in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
