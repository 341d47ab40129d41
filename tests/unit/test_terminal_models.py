"""`models` on the terminal, without a hub: arguments, words, exit codes, what others wrote."""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest

from desktop.__main__ import main
from desktop.terminal import installed as installed_models
from desktop.terminal import live_line, models, models_hub, models_pull, models_words, questions
from desktop.terminal.live_line import LiveLine, duration
from desktop.terminal.models_outcome import ExitCode, ModelsError, of_hub
from desktop.terminal.output import harmless
from engine.store.catalogue import read_catalogue
from engine.store.download.messages import Phase, Progress, Waiting
from engine.store.hub.errors import CODES, HubError

HOSTILE = "x\x1b[2J\x1b]0;title\x07\u202eevil\u2066\x9b31m\nsecond\r"


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("INGLENOOK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hf"))
    monkeypatch.setenv("COLUMNS", "100")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main(["models", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


# --- arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("10M", 10 * 2**20),
        ("12G", 12 * 2**30),
        ("1.5g", 3 * 2**29),
        ("500k", 500 * 2**10),
        ("10 MB/s", 10 * 2**20),
        ("7GiB", 7 * 2**30),
        ("2048", 2048),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert models.size(text) == size


@pytest.mark.parametrize("text", ["", "M", "-1", "0", "ten", "1e9", "9" * 30, "10X", "\x1b[2J"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        models.size(text)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("frobnicate",),
        ("search", "--format", "onnx"),
        ("search", "--sort", "colour"),
        ("search", "--count", "0"),
        ("pull",),
        ("pull", "a/b", "--limit", "fast"),
        ("verify",),
        ("rm", "--undo", "--empty"),
    ],
)
def test_wrong_usage(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        models.main(arguments)
    assert ended.value.code == ExitCode.USAGE
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "search", "show", "pull", "list", "verify", "rm"])
def test_help_has_what_one_needs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        models.main([*([name] if name else []), "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "%(prog)s" not in out
    if not name:
        assert "exit codes:" in out
        for code in ExitCode:
            assert f"\n  {int(code):<5}" in out


@pytest.mark.parametrize(
    "text", ["", "gpt2", "a/b/c", "../x/y", "a/..", "http://x/y", "o/n\x1b[2J"]
)
def test_what_is_no_name_of_the_hub(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert models.main(["show", "--", text]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert "owner/name" in err
    assert "\x1b" not in err


def test_names_and_variants() -> None:
    def named(*arguments: str) -> tuple[str, str]:
        return models_hub.named(models.parser().parse_args(["pull", *arguments]))

    assert named("o/n") == ("o/n", "")
    assert named("o/n:Q4_K_M") == ("o/n", "Q4_K_M")
    assert named("o/n", "--variant", "Q8_0") == ("o/n", "Q8_0")
    assert named("hf.co/o/n") == ("o/n", "")


def test_gpus_that_make_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = told(capsys, "search", "--starter", "--gpus", "many")
    assert code == answer["exit_code"] == ExitCode.USAGE
    assert answer["code"] == "gpus"


# --- errors ----------------------------------------------------------------------------------


def test_every_error_of_the_hub_has_an_exit_code() -> None:
    for code in CODES:
        error = of_hub(HubError(code, "It is so.", url="https://hub/x", retry_after=3.0))
        assert error.exit_code is not ExitCode.DONE
        assert error.exit_code is not ExitCode.USAGE
    assert of_hub(HubError("offline", "x")).exit_code is ExitCode.NO_HUB
    assert of_hub(HubError("gated", "x")).exit_code is ExitCode.NO_HUB
    assert of_hub(HubError("not_found", "x")).exit_code is ExitCode.NO_MODEL
    assert of_hub(HubError("disk_full", "x")).exit_code is ExitCode.FAILED
    assert of_hub(HubError("cancelled", "x")).exit_code is ExitCode.INTERRUPTED


def test_an_error_names_what_helps() -> None:
    error = of_hub(HubError("gated", "Accept it first.", url="https://hub/o/n"))
    assert "https://hub/o/n" in str(error)
    assert error.facts == {"url": "https://hub/o/n"}
    assert "HF_TOKEN" in str(of_hub(HubError("sign_in", "You must sign in.")))


@pytest.mark.parametrize("as_json", [False, True])
def test_errors_go_where_they_belong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    def fail(_options: argparse.Namespace) -> int:
        raise HubError("too_many_requests", f"Later. {HOSTILE}", retry_after=60.0)

    monkeypatch.setattr(models, "_carry_out", fail)
    assert models.main(["list", *(["--json"] if as_json else [])]) == ExitCode.NO_HUB
    out, err = capsys.readouterr()
    assert "\x1b" not in out + err
    assert "\u202e" not in out + err
    if as_json:
        answer = json.loads(out)
        assert answer["retry_after"] == 60.0
        assert answer["exit_code"] == 4
        assert err == ""
    else:
        assert out == ""
        assert err.startswith("inglenook: Later.")


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_options: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(models, "_carry_out", stop)
    assert models.main(["list"]) == ExitCode.INTERRUPTED


# --- what others wrote -------------------------------------------------------------------------


def test_hostile_text_steers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b" not in harmless(HOSTILE)
    assert "\x9b" not in harmless(HOSTILE)
    assert "\u202e" not in harmless(HOSTILE)
    assert "\r" not in harmless(HOSTILE)
    assert "\n" not in models_words.name(HOSTILE)
    assert len(models_words.name("x" * 100_000)) <= 300
    page = models_words.Page()
    page.bold(HOSTILE)
    page.text(HOSTILE)
    page.verdict("yes", HOSTILE)
    page.rows([(HOSTILE, "1 GB")])
    models_words.print_json({HOSTILE: HOSTILE})
    out = capsys.readouterr().out
    assert not set(out) & {"\x1b", "\x9b", "\x07", "\r", "\u202e", "\u2066"}


def test_words() -> None:
    assert models_words.bytes_text(999) == "999 B"
    assert models_words.bytes_text(1_048_000) == "1 MiB"
    assert models_words.bytes_text(641_728_512) == "612 MiB"
    assert models_words.bytes_text(5_570_747_392) == "5.2 GiB"
    assert models_words.bytes_text(150 * 2**30) == "150 GiB"
    assert models_words.bytes_text(2 * 2**40) == "2.0 TiB"
    assert models_words.count_text(834) == "834"
    assert models_words.count_text(12_345) == "12 k"
    assert models_words.count_text(3_400_000) == "3.4 M"
    assert models_words.params_text(8_190_735_360) == "8.2 B"
    text = models_words.facts("awq", 5_570_747_392, 7_615_616_512, 32_768, "apache-2.0")
    assert text == "7.6 B parameters · AWQ · 5.2 GiB · 32,768 tokens · apache-2.0"
    assert duration(40) == "40 s"
    assert duration(86_400 * 3) == "3 days"


def test_a_narrow_terminal_wraps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    page = models_words.Page()
    page.verdict("no", "It is too large for this machine by far. " * 4)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 50


# --- progress ------------------------------------------------------------------------------------


MIDDLE = Progress(
    phase=Phase.DOWNLOADING,
    done=2_100_000_000,
    total=5_600_000_000,
    speed=48_000_000.0,
    seconds_left=73.0,
    file="model-00001-of-00002.safetensors",
    files_done=3,
    files=9,
)


def test_progress_in_words() -> None:
    text = models_pull.progress_text(MIDDLE)
    assert text.startswith(" 38% ████████░░░░░░░░░░░░ · 2.0 GiB of 5.2 GiB · 46 MiB/s · 73 s left")
    assert text.endswith("file 4 of 9")
    for phase in Phase:
        assert models_pull.progress_text(Progress(phase=phase))
    day = Waiting(code="too_many_requests", reason="The hub wants a rest.", seconds=86_400.0)
    assert models_pull.waiting_text(day) == "The hub wants a rest. Tried again in 24.0 h."


def test_a_log_gets_a_line_every_half_minute_and_no_escapes() -> None:
    now = [0.0]
    log = io.StringIO()
    line = LiveLine(log, now=lambda: now[0])
    times = []
    for _ in range(1200):  # 20 minutes, four events a second
        now[0] += 0.25
        before = log.tell()
        line.show(lambda: models_pull.progress_text(MIDDLE), Phase.DOWNLOADING)
        if log.tell() != before:
            times.append(now[0])
    for _ in range(24):  # then nothing for two minutes
        now[0] += live_line.TICK
        before = log.tell()
        line.tick()
        if log.tell() != before:
            times.append(now[0])
    assert max(b - a for a, b in zip([0.0, *times], [*times, now[0]], strict=True)) <= 30.0
    assert len(times) <= 20
    assert "\x1b" not in log.getvalue()


def test_on_a_terminal_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    line = LiveLine(screen)
    line.show(lambda: f"{HOSTILE}{'é' * 200}", 1)
    line.show(lambda: "half", 1)
    line.close()
    lines = screen.getvalue().split("\r\x1b[K")
    assert all(len(text) < 60 for text in lines)
    assert not any("\x1b" in text for text in lines)
    assert lines[-1] == ""


def test_programs_hear_no_progress() -> None:
    out = io.StringIO()
    line = LiveLine(out, shown=False, now=lambda: 1e6)
    line.show(lambda: "half", 1)
    line.tick()
    line.close()
    assert out.getvalue() == ""


# --- questions -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "default", "answer"),
    [
        ("y\n", False, True),
        ("YES\n", False, True),
        ("n\n", True, False),
        ("\n", True, True),
        ("\n", False, False),
        ("", True, False),  # the end of the input
        ("what?\nno\n", True, False),
    ],
)
def test_questions(
    monkeypatch: pytest.MonkeyPatch, typed: str, default: bool, answer: bool
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert questions.agreed("Fetch it?", default=default) is answer


# --- the starter list, offline ------------------------------------------------------------------


def test_names_that_are_several_or_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed_models, "scanned", lambda: ())
    assert installed_models.local_path("owner/name") is None
    with pytest.raises(installed_models.NotInstalledError, match="models pull owner/name"):
        installed_models.required_path("owner/name")
    assert installed_models.required_path("./x").name == "x"


def test_the_starter_list_is_a_search_without_a_hub(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code, answer = told(capsys, "search", "--starter", "--gpus", "24", "--ram", "64")
    assert code == 0
    assert [model["repo"] for model in answer["models"]] == [e.repo for e in read_catalogue()]
    assert {model["verdict"]["fits"] for model in answer["models"]} == {"yes"}
    code, answer = told(
        capsys, "search", "--starter", "--gpus", "8", "--fits", "--max-size", "3G", "chat"
    )
    assert [model["repo"] for model in answer["models"]] == ["Qwen/Qwen3-4B-AWQ"]
    assert main(["models", "search", "--starter", "coder", "--gpus", "2x24"]) == 0
    out = capsys.readouterr().out
    assert "Qwen/Qwen2.5-Coder-32B-Instruct-AWQ" in out
    assert "✓" in out
    assert main(["models", "search", "--starter", "nothing-like-it"]) == 0
    assert "Nothing was found" in capsys.readouterr().out


def test_errors_know_their_facts() -> None:
    error = ModelsError(ExitCode.FAILED, "x", "text", url="", retry_after=None, more=1)
    assert error.facts == {"more": 1}
