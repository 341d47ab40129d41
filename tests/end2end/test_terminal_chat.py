"""`inglenook chat`, as a real process over a real (scripted) engine process."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import terminal as helper
from tests.helpers.stores import opened
from tests.helpers.terminal import (
    SECONDS,
    Terminal,
    catches,
    engines_of,
    environment,
    read_some,
    read_until,
    running_window,
    wait_for,
    wait_for_ends,
)

LONG = "/long 5000 go on"


@pytest.fixture
def terminal(home: Path, tmp_path: Path) -> Terminal:
    model = tmp_path / "Some-Model"
    model.mkdir()
    return Terminal(home, model)


# --- answers ------------------------------------------------------------------------


def test_an_answer_streams_ends_with_its_costs_and_is_kept(terminal: Terminal) -> None:
    done = terminal.run("/echo The capital", "is Paris.")
    assert (done.returncode, done.stdout) == (0, b"The capital is Paris.\n")
    sign_of_life, line = done.stderr.decode().strip().splitlines()
    assert sign_of_life == "Loading Some-Model …"
    assert line.startswith("4 tokens · ")
    assert " tokens/s · first token 0." in line
    assert line.endswith(" KV blocks")
    assert terminal.messages() == [
        ("user", "complete", "/echo The capital is Paris."),
        ("assistant", "complete", "The capital is Paris."),
    ]
    assert terminal.rows("SELECT title, draft FROM chats") == [("/echo The capital is Paris.", "")]


def test_json_is_one_object_and_nothing_else(terminal: Terminal) -> None:
    done = terminal.run("--json", "-q", "--max-tokens", "2", "/echo one two three")
    assert done.returncode == 0
    assert done.stderr == b""
    content = json.loads(done.stdout)
    assert content["answer"] == "one two"
    assert (content["tokens"], content["finish_reason"]) == (2, "length")
    assert (content["model"], content["kv_blocks"] > 0) == ("Some-Model", True)
    assert content["ttft"] > 0
    assert content["tokens_per_second"] > 0
    assert content["prompt_tokens"] > 3
    assert terminal.rows("SELECT id FROM chats") == [(content["chat_id"],)]
    [(parameters,)] = terminal.rows("SELECT parameters FROM chats")
    assert json.loads(str(parameters)) == {"max_tokens": 2}


def test_json_streams_in_lines(terminal: Terminal) -> None:
    done = terminal.run("--json", "--stream", "/echo one two three")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert "".join(e["text"] for e in events if e["event"] == "text") == "one two three"
    assert events[-1]["event"] == "done"
    assert [e["event"] for e in events].index("started") < [e["event"] for e in events].index(
        "text"
    )


def test_a_chat_goes_on(terminal: Terminal) -> None:
    first = json.loads(terminal.run("--json", "/echo one").stdout)
    again = json.loads(terminal.run("--json", "--last", "/echo two").stdout)
    third = json.loads(
        terminal.run("--json", "--continue", first["chat_id"][:8], "/echo three").stdout
    )
    assert first["chat_id"] == again["chat_id"] == third["chat_id"]
    assert first["prompt_tokens"] < again["prompt_tokens"] < third["prompt_tokens"]
    assert [text for role, _, text in terminal.messages() if role == "assistant"] == [
        "one",
        "two",
        "three",
    ]


def test_a_chat_that_goes_on_keeps_its_draft(terminal: Terminal) -> None:
    chat_id = json.loads(terminal.run("--json", "/echo one").stdout)["chat_id"]
    with opened(terminal.home / "data" / "chats.db") as store:
        store.save_draft(chat_id, "half a thought").result(SECONDS)
    assert terminal.run("--last", "/echo two").returncode == 0
    assert terminal.rows("SELECT draft FROM chats") == [("half a thought",)]


def test_a_chat_that_is_not_there(terminal: Terminal) -> None:
    for arguments, words in (
        (("--continue", "abcdef"), b"There is no chat with the id abcdef"),
        (("--last",), b"There is no chat yet"),
    ):
        done = terminal.run(*arguments, "hello")
        assert done.returncode == 2
        assert words in done.stderr
    assert terminal.messages() == []


def test_nothing_is_kept_if_so_asked(terminal: Terminal) -> None:
    done = terminal.run("--no-save", "--json", "/echo between us")
    assert json.loads(done.stdout)["answer"] == "between us"
    assert json.loads(done.stdout)["chat_id"] == ""
    assert not list((terminal.home / "data").glob("chats.db*"))


def test_what_is_piped_in_follows_the_prompt(terminal: Terminal) -> None:
    assert terminal.run(stdin=b"/echo from a pipe\n").stdout == b"from a pipe\n"
    assert terminal.run("-", stdin=b"/echo from a pipe\n").stdout == b"from a pipe\n"
    done = terminal.run("/echo", stdin=b"is last\n")
    assert done.returncode == 0
    assert [text for role, _, text in terminal.messages() if role == "user"][-1] == (
        "/echo\n\nis last"
    )


def test_bytes_that_are_not_utf_8(terminal: Terminal) -> None:
    done = terminal.run(stdin=b"/echo caf\xe9 ol\xc3\xa9")
    assert done.stdout.decode() == "caf� olé\n"
    assert b"not all UTF-8 (first at byte 9)" in done.stderr


def test_a_terminal_that_knows_only_ascii(terminal: Terminal) -> None:
    done = terminal.run("/echo olé", extra={"PYTHONIOENCODING": "ascii", "LC_ALL": "C"})
    assert (done.returncode, done.stdout) == (0, b"ol?\n")


# --- what fails -----------------------------------------------------------------------


def test_an_empty_prompt(terminal: Terminal) -> None:
    for done in (terminal.run(""), terminal.run("  "), terminal.run(stdin=b"\n"), terminal.run()):
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"The prompt is empty. Ask something" in done.stderr


def test_wrong_usage(terminal: Terminal) -> None:
    for arguments in (
        ("--nonsense", "x"),
        ("--temperature", "hot", "x"),
        ("--max-tokens", "0", "x"),
        ("--stream", "x"),
        ("--last", "--no-save", "x"),
    ):
        assert terminal.run(*arguments).returncode == 2, arguments


def test_a_prompt_that_is_too_long_names_both_counts(terminal: Terminal) -> None:
    done = terminal.run("--json", "a b c d e f", script="context=12")
    assert done.returncode == 3
    assert b"tokens with its chat; the model reads 12. Shorten it." in done.stderr
    content = json.loads(done.stdout)
    assert (content["code"], content["context"]) == ("prompt_too_long", 12)
    assert content["prompt_tokens"] > 12
    assert terminal.rows("SELECT id FROM chats WHERE deleted IS NULL") == []


def test_a_failure_of_the_model(terminal: Terminal) -> None:
    done = terminal.run("/fail 3 x")
    assert done.returncode == 1
    assert b"The model stopped with an error." in done.stderr
    assert done.stdout.endswith(b"\n")
    assert [status for _, status, _ in terminal.messages()] == ["complete", "failed"]


def test_an_engine_that_dies_keeps_what_it_said(terminal: Terminal) -> None:
    done = terminal.run("--json", "/crash 4 x")
    assert done.returncode == 1
    content = json.loads(done.stdout)
    assert (content["code"], content["exit_code"]) == ("interrupted", 1)
    [_, (_, status, text)] = terminal.messages()
    assert (status, text) == ("interrupted", content["answer"])
    assert text


def test_a_model_that_does_not_load(terminal: Terminal) -> None:
    done = terminal.run("x", script="fail_load=The_weights_are_damaged.")
    assert done.returncode == 1
    assert b"The weights are damaged. Choose another model with --model" in done.stderr


def test_an_engine_that_never_comes_up(terminal: Terminal) -> None:
    done = terminal.run("x", script="crash_load=1")
    assert done.returncode == 1
    assert b"The engine stopped 3 times in a row" in done.stderr
    assert str(terminal.home / "state" / "logs" / "engine.log").encode() in done.stderr


def test_a_deleted_starter_names_the_command_that_makes_it(terminal: Terminal) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "chat", "x"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(terminal.home),
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1
    assert b"The starter model is not there" in done.stderr
    assert b"./packaging/run --setup-only" in done.stderr


def test_a_model_folder_that_is_not_there(terminal: Terminal) -> None:
    terminal.model.rmdir()
    done = terminal.run("x")
    assert done.returncode == 1
    assert f"There is no model folder at {terminal.model}".encode() in done.stderr


def test_a_library_that_is_missing(terminal: Terminal, tmp_path: Path) -> None:
    broken = tmp_path / "shadow" / "PySide6"
    broken.mkdir(parents=True)
    what = "libglib-2.0.so.0: cannot open shared object file"
    (broken / "__init__.py").write_text(f"raise ImportError({what!r})")
    done = terminal.run("x", extra={"PYTHONPATH": str(broken.parent)})
    assert done.returncode == 1
    assert what.encode() in done.stderr
    assert b"sudo apt install libglib2.0-0 " in done.stderr
    assert b"Traceback" not in done.stderr


def test_chats_that_cannot_be_opened(terminal: Terminal) -> None:
    terminal.home.mkdir()
    (terminal.home / "data").write_bytes(b"no folder")
    done = terminal.run("--json", "x")
    assert done.returncode == 4
    assert json.loads(done.stdout)["code"] == "store"
    assert str(terminal.home / "data").encode() in done.stderr


def test_chats_that_another_process_has(terminal: Terminal) -> None:
    with opened(terminal.home / "data" / "chats.db"):
        done = terminal.run("x")
        assert done.returncode == 4
        assert b"ask with --no-save" in done.stderr
        assert terminal.run("--no-save", "/echo well").stdout == b"well\n"


# --- stopping -------------------------------------------------------------------------


def test_ctrl_c_stops_keeps_and_leaves_nothing(terminal: Terminal) -> None:
    with terminal.started("--json", "--stream", LONG) as process:
        read_some(process, b'"event": "text"')
        engines = engines_of(process.pid)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 130
        wait_for_ends(engines)
    last = json.loads(rest.splitlines()[-1])
    assert (last["event"], last["finish_reason"]) == ("done", "cancelled")
    [_, (_, status, text)] = terminal.messages()
    assert (status, text) == ("stopped", last["answer"])
    assert text


def test_ctrl_c_while_the_model_loads(terminal: Terminal) -> None:
    with terminal.started("x", script="hang_load=1") as process:
        wait_for(lambda: len(terminal.messages()) == 2, "the question", process)
        engines = engines_of(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        wait_for_ends(engines)
    assert terminal.messages() == [("user", "complete", "x"), ("assistant", "stopped", "")]


def test_a_second_ctrl_c_ends_at_once(terminal: Terminal) -> None:
    with terminal.started(LONG) as process:
        read_some(process, b" ")
        engines = engines_of(process.pid)
        os.kill(engines[0], signal.SIGSTOP)  # it will not react to the first
        process.send_signal(signal.SIGINT)
        wait_for(lambda: not catches(process.pid, signal.SIGINT), "the first Ctrl-C", process)
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == -signal.SIGINT
        wait_for_ends(engines)


def test_an_engine_that_hangs_does_not_hold_ctrl_c_up(terminal: Terminal) -> None:
    with terminal.started(LONG) as process:
        read_some(process, b" ")
        engines = engines_of(process.pid)
        os.kill(engines[0], signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
        wait_for_ends(engines)
    [_, (_, status, text)] = terminal.messages()
    assert status == "interrupted"
    assert text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_leave_nothing_either(terminal: Terminal, number: signal.Signals) -> None:
    with terminal.started(LONG) as process:
        read_some(process, b" ")
        engines = engines_of(process.pid)
        process.send_signal(number)
        assert process.wait(SECONDS) == 128 + number
        wait_for_ends(engines)
    assert [status for _, status, _ in terminal.messages()] == ["complete", "stopped"]


def test_kill_9_leaves_no_engine(terminal: Terminal) -> None:
    with terminal.started(LONG) as process:
        read_some(process, b" ")
        engines = engines_of(process.pid)
        process.kill()
        wait_for_ends(engines)


def test_a_reader_that_goes_away(terminal: Terminal) -> None:
    with terminal.started("-q", LONG) as process:
        assert process.stdout is not None
        read_some(process, b"\n")
        engines = engines_of(process.pid)
        process.stdout.close()
        assert process.wait(SECONDS) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""
        wait_for_ends(engines)
    assert [status for _, status, _ in terminal.messages()] == ["complete", "stopped"]


def test_a_full_disk_below_stdout(terminal: Terminal) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            terminal.command("/echo much"),
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(terminal.home),
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 1
    assert b"The answer cannot be written: No space left" in done.stderr
    assert b"Traceback" not in done.stderr


# --- a person at a terminal -------------------------------------------------------------


def test_a_conversation(terminal: Terminal) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        terminal.command(),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment(terminal.home), "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        with helper.ended(process):
            read_until(ours, b"> ")
            os.write(ours, b"/echo one \x1b]0;title\x07 two\n")
            first = read_until(ours, b"> ")
            assert "\x1b]0;" not in first.decode().split("first token")[0].split("\n", 1)[1]
            assert b"KV block" in first
            os.write(ours, b"\n")
            read_until(ours, b"> ")
            os.write(ours, f"{LONG}\n".encode())
            read_until(ours, b"Paged")
            process.send_signal(signal.SIGINT)
            assert "stopped" in read_until(ours, b"> ").decode()
            os.write(ours, b"/echo three\n")
            assert b"KV block" in read_until(ours, b"> ")
            engines = engines_of(process.pid)
            os.write(ours, b"\x04")
            assert process.wait(SECONDS) == 0
            wait_for_ends(engines)
    finally:
        os.close(ours)
    assert len(terminal.rows("SELECT id FROM chats")) == 1
    assert [status for role, status, _ in terminal.messages() if role == "assistant"] == [
        "complete",
        "stopped",
        "complete",
    ]


def test_progress_is_shown_to_a_person_alone(terminal: Terminal) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        terminal.command("/echo well", script="load_seconds=0.3"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment(terminal.home),
    )
    os.close(theirs)
    try:
        with helper.ended(process):
            shown = read_until(ours, b"KV block")
            assert read_some(process, b"\n") == b"well\n"
            assert process.wait(SECONDS) == 0
    finally:
        os.close(ours)
    assert b"\r\x1b[KLoading Some-Model" in shown


# --- the window answers -----------------------------------------------------------------


def test_the_window_answers_if_it_is_open(terminal: Terminal) -> None:
    with running_window(terminal.home, terminal.model) as window:
        done = terminal.run("--json", "/echo from the window")
        assert done.returncode == 0, done.stderr
        content = json.loads(done.stdout)
        assert content["answer"] == "from the window"
        assert len({os.getpgid(pid) for pid in engines_of(window.pid)}) == 1
        assert terminal.run("--last", "/echo again").stdout == b"again\n"
        assert [text for _, _, text in terminal.messages()] == [
            "/echo from the window",
            "from the window",
            "/echo again",
            "again",
        ]
        secret = json.loads(terminal.run("--no-save", "--json", "/echo between us").stdout)
        assert (secret["answer"], secret["chat_id"]) == ("between us", "")
        assert len(terminal.messages()) == 4

        failed = terminal.run("--json", "/fail 3 x")
        assert failed.returncode == 1
        assert terminal.run("--continue", "abcdef", "x").returncode == 2
        other = terminal.model.with_name("Other-Model")
        other.mkdir()
        done = terminal.run("--model", str(other), "x")
        assert done.returncode == 1
        assert b"The window has the model Some-Model loaded, not Other-Model" in done.stderr


def test_ctrl_c_stops_the_window_s_answer(terminal: Terminal) -> None:
    with running_window(terminal.home, terminal.model) as window:
        with terminal.started(LONG) as process:
            read_some(process, b" ")
            assert engines_of(process.pid) == []
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == 130
        assert [status for _, status, _ in terminal.messages()] == ["complete", "stopped"]
        with terminal.started(LONG) as process:
            read_some(process, b" ")
            process.kill()
            process.wait(SECONDS)
        wait_for(lambda: terminal.messages()[-1][1] == "stopped", "the end of the answer", window)
        with terminal.started(LONG) as process:
            read_some(process, b" ")
            assert process.stdout is not None
            process.stdout.close()
            assert process.wait(SECONDS) == 141
        wait_for(lambda: terminal.messages()[-1][1] == "stopped", "the end of the answer", window)


def test_a_conversation_with_the_window_s_engine(terminal: Terminal) -> None:
    with running_window(terminal.home, terminal.model):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            terminal.command("--no-save"),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environment(terminal.home), "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(theirs)
        try:
            with helper.ended(process):
                read_until(ours, b"> ")
                os.write(ours, f"{LONG}\n".encode())
                read_until(ours, b"Paged")
                process.send_signal(signal.SIGINT)
                assert "stopped" in read_until(ours, b"> ").decode()
                os.write(ours, b"/echo four words of it\n")
                assert b"4 tokens" in read_until(ours, b"> ")
                os.write(ours, b"\x04")
                assert process.wait(SECONDS) == 0
        finally:
            os.close(ours)
    assert terminal.messages() == []


def test_a_window_that_is_closed_in_mid_answer(terminal: Terminal) -> None:
    with (
        running_window(terminal.home, terminal.model) as window,
        terminal.started(LONG) as process,
    ):
        read_some(process, b" ")
        engines = engines_of(window.pid)
        window.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=SECONDS)
        assert process.returncode == 1
        assert b"The window was closed in the middle of the answer" in errors
        assert window.wait(SECONDS) == 0
        wait_for_ends(engines)
    assert terminal.messages()[-1][1] in ("interrupted", "stopped")
    assert terminal.messages()[-1][2]


def test_a_window_whose_model_failed(terminal: Terminal) -> None:
    with running_window(terminal.home, terminal.model, "fail_load=The_weights_are_damaged."):
        done = terminal.run("x")
        assert done.returncode == 1
        assert b"The weights are damaged." in done.stderr


# --- the real engine ----------------------------------------------------------------------


@pytest.mark.real_engine
def test_the_starter_knows_the_capital_of_france(terminal: Terminal, starter: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "desktop", "chat", "--json", "--model", str(starter)),
            *("--temperature", "0", "What is the capital of France?"),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(terminal.home),
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert "Paris" in content["answer"]
    assert content["finish_reason"] == "stop"
    assert content["kv_blocks"] > 0
    assert terminal.messages()[-1][1:] == ("complete", content["answer"])
