"""The parts of `chat` that need no engine: arguments, output, events, chats not kept."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop import paths, terminal_chat
from desktop.chats.chat import MessageStatus, Role
from desktop.handover import MAX_LINE, Handover
from desktop.terminal import arguments, events
from desktop.terminal.arguments import UsageError, parse, read_prompt
from desktop.terminal.events import ChatRequest, Done, ExitCode, Failed, Notice, Progress, Text
from desktop.terminal.output import Output, cost_line
from desktop.terminal.running_window import RunningWindow
from desktop.terminal.unsaved_store import UnsavedStore

DONE = Done(
    answer="Paris.",
    tokens=42,
    prompt_tokens=45,
    cached_tokens=0,
    tokens_per_second=27.31,
    ttft=0.184,
    seconds=2.0,
    kv_blocks=3,
    finish_reason="stop",
    model="small",
    chat_id="abc",
)


# --- arguments --------------------------------------------------------------------------


def test_the_options_of_a_chat() -> None:
    options = parse(
        ["--model", "m", "--temperature", "0.5", "--max-tokens", "9", "--seed", "7", "what", "is"]
    )
    assert options.prompt == "what is"
    assert options.request == ChatRequest(
        model=str(Path("m").absolute()),
        parameters={"temperature": 0.5, "max_tokens": 9, "seed": 7},
    )
    assert parse(["x"]).request == ChatRequest(parameters={"max_tokens": 2048})
    assert parse(["--last", "x"]).request == ChatRequest(last=True)
    assert parse(["--system", "", "x"]).request.system == ""
    assert parse(["--", "-5 + 3?"]).prompt == "-5 + 3?"


@pytest.mark.parametrize("value", ["nan", "-1", "2.1", "inf"])
def test_a_temperature_that_makes_no_sense(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse([f"--temperature={value}", "x"])
    assert ended.value.code == ExitCode.USAGE
    assert "--temperature" in capsys.readouterr().err


def test_help_names_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for code in ExitCode:
        assert f"\n  {code.value:<4} " in text


def test_an_argument_that_is_not_utf_8() -> None:
    assert arguments.readable(os.fsdecode(b"caf\xe9")) == "caf�"


def _pipe(data: bytes) -> BinaryIO:
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return os.fdopen(read, "rb")


class _Tty(io.BytesIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("argument", "piped", "prompt"),
    [
        ("a", b"", "a"),
        ("a", b"b\n", "a\n\nb"),
        ("-", b"b\n", "b"),
        ("", b"  b\n", "  b"),
        (" a ", b"\r\n", "a"),
        ("a", b"\xef\xbb\xbfb", "a\n\nb"),
    ],
)
def test_where_the_prompt_comes_from(argument: str, piped: bytes, prompt: str) -> None:
    with _pipe(piped) as stdin:
        assert read_prompt(argument, stdin, pytest.fail) == prompt


def test_a_person_at_a_terminal_is_asked() -> None:
    assert read_prompt("", _Tty(), pytest.fail) is None
    assert read_prompt("x", _Tty(), pytest.fail) == "x"
    assert read_prompt("-", io.BytesIO(b"typed"), pytest.fail) == "typed"


def test_no_prompt_at_all() -> None:
    with pytest.raises(UsageError, match="empty"), Path(os.devnull).open("rb") as stdin:
        read_prompt("", stdin, pytest.fail)
    with pytest.raises(UsageError, match="empty"):
        read_prompt("", None, pytest.fail)
    with pytest.raises(UsageError, match="empty"), _pipe(b" \n") as stdin:
        read_prompt("  ", stdin, pytest.fail)


def test_more_than_any_model_reads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(arguments, "MAX_STDIN", 2**20)
    file = tmp_path / "endless"
    file.write_bytes(b"y" * (2**20 + 1))
    with file.open("rb") as stdin, pytest.raises(UsageError, match="More than 1 MB"):
        read_prompt("", stdin, pytest.fail)


def test_stdin_that_cannot_be_read() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise IsADirectoryError(21, "Is a directory")

    with pytest.raises(UsageError, match="Is a directory"):
        read_prompt("-", Broken(), pytest.fail)


@given(st.binary(min_size=1, max_size=200))
def test_any_bytes_become_a_prompt_or_a_usage_error(data: bytes) -> None:
    with _pipe(data) as stdin:
        try:
            prompt = read_prompt("", stdin, lambda _: None)
        except UsageError:
            assert not data.decode("utf-8", "replace").removeprefix("\ufeff").strip()
        else:
            assert prompt
            prompt.encode()


# --- output -----------------------------------------------------------------------------


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


Screens = Callable[[], tuple[_Screen, _Screen]]


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> Screens:
    """Puts two terminals in place of stdout and stderr; called in the test, past pytest's own."""

    def put() -> tuple[_Screen, _Screen]:
        out, err = _Screen(), _Screen()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        return out, err

    return put


def test_the_line_of_costs() -> None:
    assert cost_line(DONE) == "42 tokens · 27.3 tokens/s · first token 0.18 s · 3 KV blocks"
    nothing = Done("", 1, 9, 0, None, None, 0.1, 1, "cancelled", "small", "abc")
    assert cost_line(nothing) == "1 token · 1 KV block · stopped"


def test_a_model_does_not_steer_the_terminal(screens: Screens) -> None:
    out, _ = screens()
    output = Output()
    output.show(Text("a\x1b]0;title\x07\tb\r\n\x9b31m\x00c"))
    output.show(DONE)
    assert out.getvalue() == "a�]0;title�\tb\n�31m�c\n"


def test_names_in_messages_do_not_steer_the_terminal_either(screens: Screens) -> None:
    out, err = screens()
    Output().show(Failed(1, "x", "The first is a\x1b]0;title\x07."))
    assert err.getvalue() == "inglenook: The first is a�]0;title�.\n"
    output = Output(as_json=True, stream=True)
    output.show(Text("\x9b31m\x7f\x1b"))
    assert out.getvalue() == '{"event": "text", "text": "\\u009b31m\\u007f\\u001b"}\n'
    assert json.loads(out.getvalue())["text"] == "\x9b31m\x7f\x1b"
    err.truncate(0)
    Output().show(Progress("Loading a\x1b[2J\nb"))
    assert err.getvalue().endswith("Loading a�[2J b")


def test_progress_is_one_line_that_goes_away(screens: Screens) -> None:
    out, err = screens()
    output = Output()
    output.show(Progress("Loading"))
    output.show(Progress("x" * 1000))
    output.show(Text("Paris"))
    output.show(Progress("too late"))
    assert out.getvalue() == "Paris"
    assert err.getvalue().endswith("\r\x1b[K")
    assert "too late" not in err.getvalue()
    assert "\n" not in err.getvalue()
    assert "x" * 200 not in err.getvalue()


def test_quiet_says_what_fails_and_nothing_else(screens: Screens) -> None:
    out, err = screens()
    output = Output(quiet=True)
    for event in (Progress("Loading"), Text("Par"), Failed(1, "x", "It failed."), Notice("Hm.")):
        output.show(event)
    output.show(DONE)
    assert out.getvalue() == "Par\n"
    assert err.getvalue() == "inglenook: It failed.\ninglenook: Hm.\n"


def test_json_of_a_failure(screens: Screens) -> None:
    out, err = screens()
    Output(as_json=True).show(Failed(3, "prompt_too_long", "Too long.", 900, 512))
    content = json.loads(out.getvalue())
    assert content["error"] == "Too long."
    assert (content["exit_code"], content["prompt_tokens"], content["context"]) == (3, 900, 512)
    assert err.getvalue() == "inglenook: Too long.\n"


def test_streams_that_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    output = Output()
    output.show(Text("nobody hears"))
    output.show(DONE)
    assert output.exit_code is None


# --- events -----------------------------------------------------------------------------


@pytest.mark.parametrize("event", [DONE, Text("a"), Failed(1, "c", "m"), events.Started("a", "b")])
def test_events_survive_json(event: events.Event) -> None:
    assert events.from_dict(json.loads(json.dumps(events.to_dict(event)))) == event


@pytest.mark.parametrize("value", [{}, {"event": "nonsense"}, {"event": "text", "text": 3}])
def test_what_is_no_event(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        events.from_dict(value)


@pytest.mark.parametrize(
    "value", [{"model": 3}, {"model": "\ud800"}, {"model": "/a\0b"}, {"chat": "\ud800"}]
)
def test_what_is_no_request(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        events.request_from(value)


def test_a_request_may_be_empty_or_name_any_folder() -> None:
    assert events.request_from({"model": "/models/\udcff"}).model == "/models/\udcff"
    assert events.request_from({}) == ChatRequest()


# --- the running window, seen from the terminal --------------------------------------------


class _Window:
    """A hand-over whose other side is played by the test."""

    def __init__(self, *replies: dict[str, object], then: Exception | None = None) -> None:
        self.sent: list[dict[str, object]] = []
        self._replies = replies
        self._then = then

    def send(self, op: str, **payload: object) -> None:
        self.sent.append({"op": op, **payload})

    def replies(self, timeout: float | None = None) -> Any:
        yield from self._replies
        if self._then is not None:
            raise self._then

    def close(self) -> None: ...


def _asked(window: _Window, *questions: str) -> list[events.Event]:
    shown: list[events.Event] = []
    running = RunningWindow(cast(Handover, window), ChatRequest(last=True), shown.append)
    for question in questions:
        running.ask(question)
    return shown


def test_several_questions_share_a_connection() -> None:
    text, done = events.to_dict(Text("a")), events.to_dict(DONE)
    window = _Window(text, {"event": "alive"}, done, text, done)
    assert _asked(window, "one", "two") == [Text("a"), DONE, Text("a"), DONE]
    assert window.sent == [
        {"op": "chat", "request": {"last": True}, "question": "one"},
        {"op": "ask", "question": "two"},
    ]


@pytest.mark.parametrize(
    ("window", "code"),
    [
        (_Window({"ok": False, "error": "unknown op 'chat'"}), "window_refused"),
        (_Window(), "window_closed"),
        (_Window({"event": "nonsense"}), "window_closed"),
        (_Window(then=TimeoutError()), "window_hangs"),
    ],
)
def test_a_window_that_does_not_answer(window: _Window, code: str) -> None:
    [failed] = _asked(window, "x")
    assert isinstance(failed, Failed)
    assert (failed.code, failed.exit_code) == (code, ExitCode.FAILED)
    assert failed.message.endswith(".")


def test_a_prompt_too_long_to_hand_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(_Window):
        def send(self, op: str, **payload: object) -> None:
            raise ValueError("a request of 9000000 bytes")

    [failed] = _asked(Full(), "x")
    assert isinstance(failed, Failed)
    assert failed.exit_code == ExitCode.TOO_LONG
    assert f"{MAX_LINE // 2**20} MB" in failed.message


# --- chats that are not kept ------------------------------------------------------------


def test_an_unsaved_chat_is_a_chat() -> None:
    store = UnsavedStore()
    chat = store.create_chat(system_prompt="Be brief.").result()
    user, answer = store.add_exchange(chat.id, None, "one", model="small").result()
    store.update_message(answer.id, content="1", status=MessageStatus.COMPLETE).result()
    store.rename_chat(chat.id, "One").result()
    second, _ = store.add_exchange(chat.id, answer.id, "two").result()
    loaded = store.load_chat(chat.id).result()
    assert [(m.role, m.content) for m in loaded.messages] == [
        (Role.USER, "one"),
        (Role.ASSISTANT, "1"),
        (Role.USER, "two"),
        (Role.ASSISTANT, ""),
    ]
    assert (loaded.title, loaded.system_prompt) == ("One", "Be brief.")
    store.set_active_leaf(chat.id, answer.id).result()
    assert [m.id for m in store.load_chat(chat.id).result().messages] == [user.id, answer.id]
    assert second.id not in {m.id for m in store.load_chat(chat.id).result().messages}
    # A question that was taken back leaves nothing behind; with a message in the middle, too.
    removed = store.remove_message(user.id).result()
    assert removed.children == (answer.id,)
    store.set_chat(chat.id, parameters={"seed": 7}).result()
    store.update_message(answer.id, reasoning="hm").result()
    loaded = store.load_chat(chat.id).result()
    assert [(m.id, m.parent_id, m.reasoning) for m in loaded.messages] == [(answer.id, None, "hm")]
    assert loaded.parameters == {"seed": 7}
    with pytest.raises(KeyError):
        store.remove_message("gone").result()
    assert store.list_chats().result() == []
    store.delete_chat(chat.id).result()
    with pytest.raises(KeyError):
        store.load_chat(chat.id).result()
    with pytest.raises(KeyError):
        store.add_exchange(chat.id, None, "three").result()


# --- the whole ----------------------------------------------------------------------------


def test_no_widgets_and_no_engine_in_the_process() -> None:
    """What the window's libraries need (a display, OpenGL) may be missing for `chat`."""
    code = (
        "import sys; from desktop import terminal_chat; import desktop.terminal.own_engine; "
        "import desktop.terminal.running_window; "
        "print(*sorted({'PySide6.QtGui', 'PySide6.QtWidgets', 'torch', 'vllm', 'transformers'} "
        "& set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""


def test_the_hand_over_needs_no_qt() -> None:
    code = (
        "import sys; from desktop import terminal_chat; import desktop.terminal.running_window; "
        "print(*[name for name in sys.modules if name.startswith('PySide6')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""


def test_a_chosen_model_stands_in_for_the_starter(home: Path, tmp_path: Path) -> None:
    folders = paths.find()
    folders.config.mkdir(parents=True)
    folders.settings.write_text(json.dumps({"version": 1, "model": str(tmp_path / "mine")}))
    options = parse(["x"])
    found = terminal_chat._default_model(options, folders, pytest.fail)
    assert found == (str(tmp_path / "mine"), "")
    folders.settings.unlink()
    model, problem = terminal_chat._default_model(options, folders, pytest.fail)
    assert model.startswith(str(home))
    assert "./packaging/run --setup-only" in problem
    folders.settings.write_text("{")
    warnings: list[str] = []
    assert terminal_chat._default_model(options, folders, warnings.append) == (model, problem)
    assert len(warnings) == 1
