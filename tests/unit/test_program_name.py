"""How the program is called in its own usage, examples and advice; unknown commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import pytest
from setup import cli
from setup.layout import layout_for

from desktop import __main__ as program
from desktop.program_name import VARIABLE, WITHOUT, command
from desktop.terminal.arguments import UsageError, read_prompt

RUN = "./packaging/run"


@pytest.fixture
def started_by_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, RUN)
    monkeypatch.setenv("COLUMNS", "120")


def test_it_is_called_as_it_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert command("plan") == f"{WITHOUT} plan"
    monkeypatch.setenv(VARIABLE, RUN)
    assert command("plan") == "./packaging/run plan"
    assert command() == RUN
    for odd in (" ", "x\x1b[2J", "x" * 5000):
        monkeypatch.setenv(VARIABLE, odd)
        assert command() == WITHOUT


def test_the_set_up_says_how_it_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.STARTED_AS == VARIABLE
    seen: list[dict[str, str]] = []
    monkeypatch.setattr("os.execve", lambda *given: seen.append(given[2]))
    start = cast(Callable[..., None], cli.start)  # it does not return, but here
    start(cli.read_wish("run", ["plan"]), layout_for(cli.ROOT), {"A": "1"})
    assert seen == [{"A": "1", VARIABLE: RUN}]


@pytest.mark.parametrize(
    ("arguments", "example"),
    [
        (["--help"], f"{RUN} plan --help"),
        (["plan", "--help"], f"{RUN} plan starter"),
        (["chat", "--help"], f"git diff | {RUN} chat "),
        (["quantize", "--help"], f"usage: {RUN} quantize "),
        (["convert", "--help"], f"usage: {RUN} convert "),
        (["doctor", "--help"], f"usage: {RUN} doctor "),
    ],
)
def test_usage_and_examples_are_what_a_shell_finds(
    started_by_run: None,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    example: str,
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(arguments)
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert told.startswith(f"usage: {RUN}")
    assert example in told
    assert "inglenook " not in told


def test_an_empty_prompt_is_answered_with_a_line_that_works(
    started_by_run: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match=r"\./packaging/run chat"):
        read_prompt("", None, lambda _text: None)


@pytest.mark.parametrize("word", ["wibble", "Plan", "\x1b[2Jx", "w" * 9000])
def test_a_command_that_there_is_not(
    started_by_run: None, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main([word])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "there are chat, models, plan, quantize, convert and doctor" in told
    assert "\x1b" not in told
    assert len(told) < 1000


def test_all_commands_are_named() -> None:
    for name in program.COMMANDS:
        assert name in cli.HELP
        with pytest.raises(SystemExit) as ended:
            program.main([name, "--help"])
        assert ended.value.code == 0
