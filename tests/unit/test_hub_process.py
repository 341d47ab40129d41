"""The hub process as the window has it: many questions at once, ended at once, silent on tokens."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from engine.planner.machine import Gpu, Host, Machine
from engine.store.hub.messages import (
    Account,
    Builds,
    Cancel,
    Failed,
    Hits,
    Judge,
    Judged,
    ModelPage,
    Page,
    Search,
    SignIn,
    SignOut,
    Verdict,
    WhoAmI,
)
from engine.store.hub.network import NetworkSettings
from tests.helpers.hub_answers import Account as User
from tests.helpers.hub_certificates import make_certificate
from tests.helpers.hub_process import ROOT, HubProcess, hub_process
from tests.helpers.hub_proxy import loopback_proxy
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub
from tests.helpers.tiny_models import make_tiny_model

MACHINE = Machine((Gpu(0, "card", 24 << 30),), Host(16 << 30, 12 << 30, 4))
TOKEN = "hf_TopSecretTokenOfMine"
AT_ONCE = 2.0  # s; machines are busy, a time limit of ours is 10 s and more


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny", layers=1)


@pytest.fixture(scope="module")
def shared_hub() -> Iterator[LoopbackHub]:
    with loopback_hub() as hub:
        yield hub


def environment(hub: LoopbackHub, home: Path, settings: NetworkSettings) -> dict[str, str]:
    base = hub.environment(home / "hf", INGLENOOK_HOME=str(home))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        base.pop(name, None)
    return settings.environment(base)


@pytest.fixture(scope="module")
def shared(
    shared_hub: LoopbackHub, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HubProcess]:
    home = tmp_path_factory.mktemp("home")
    with hub_process(environment(shared_hub, home, NetworkSettings())) as process:
        yield process
    assert TOKEN.encode() not in process.errors


@pytest.fixture
def hub(shared_hub: LoopbackHub, folder: Path) -> Iterator[LoopbackHub]:
    shared_hub.add("o/tiny", folder, downloads=5)
    yield shared_hub
    shared_hub.mend(None)


_numbers = iter(range(1, 1_000_000))


def one() -> int:
    return next(_numbers)


def test_all_that_is_asked(hub: LoopbackHub, shared: HubProcess) -> None:
    hits = shared.ask(Search(id=one(), text="tiny"))
    assert isinstance(hits, Hits)
    assert [hit.repo for hit in hits.hits] == ["o/tiny"]
    judge = Judge(id=one(), repos=("o/tiny", "o/none", "o/tiny"), machine=MACHINE)
    shared.send(judge)
    told = [shared.next_of(judge.id) for _ in range(3)]
    verdicts = {each.repo: each for each in told if isinstance(each, Verdict)}
    assert verdicts["o/tiny"].fits == "yes"
    assert verdicts["o/none"].code == "sign_in"
    assert isinstance(told[-1], Judged)
    page = shared.ask(Page(id=one(), repo="o/tiny"))
    assert isinstance(page, ModelPage)
    assert page.shape is not None
    assert page.choice.take
    assert isinstance(shared.ask(Builds(id=one(), base_repo="o/tiny")), Hits)
    assert isinstance(shared.ask(Judge(id=one(), repos=(), machine=MACHINE)), Judged)
    assert shared.fail(Page(id=one(), repo="o/none")).code == "sign_in"


@pytest.mark.parametrize(
    "garbage",
    [
        b"\n",
        b"garbage\n",
        b"\xff\xfe\x00\n",
        b'{"ask":"search"}\n',
        b'{"ask":"search","id":"x"}\n',
        b'{"ask":"rm","id":1}\n',
        b"[" * 100_000 + b"\n",
        b'{"ask":"search","id":1,"text":"' + b"x" * 5_000_000 + b'"}\n',
        b'{"id":99999999999999999999999999}\n',
    ],
)
def test_garbage_is_survived(hub: LoopbackHub, shared: HubProcess, garbage: bytes) -> None:
    shared.send(garbage)
    told = shared.next_of(-1)
    assert isinstance(told, Failed)
    assert told.code == "bad_request"
    assert isinstance(shared.ask(Search(id=one(), text="tiny")), Hits)


@pytest.mark.parametrize(
    ("kind", "details"),
    [("hang", {}), ("hang", {"at": 1}), ("drip", {"rate": 5})],
)
def test_a_cancel_is_answered_at_once(
    hub: LoopbackHub, shared: HubProcess, kind: str, details: dict[str, Any]
) -> None:
    hub.fault("/api/models", kind, **details)
    asked = Search(id=one(), text="slow")
    hub.reset_counts()
    shared.send(asked)
    hub.wait_for("/api/models")
    begun = time.monotonic()
    shared.send(Cancel(id=asked.id))
    told = shared.next_of(asked.id)
    assert time.monotonic() - begun < AT_ONCE
    assert isinstance(told, Failed)
    assert told.code == "cancelled"
    assert not shared.unasked()
    shared.send(Cancel(id=asked.id))  # of what is over: nothing comes of it
    hub.mend(None)
    assert isinstance(shared.ask(Search(id=one(), text="tiny")), Hits)


def test_the_latest_verdicts_come_first(hub: LoopbackHub, shared: HubProcess, folder: Path) -> None:
    old = tuple(f"old/m{n}" for n in range(20))
    for repo in old:
        hub.add(repo, {"config.json": b"{}"})
    hub.add("new/m", folder)
    hub.fault("old/*", "hang")
    first = Judge(id=one(), repos=old, machine=MACHINE)
    shared.send(first)
    hub.wait_for("old/*")
    blocked = Judge(id=one(), repos=("new/m",), machine=MACHINE)
    shared.send(blocked)  # six of the old ones hold all places
    hits = shared.ask(Search(id=one(), text="tiny"))  # which a search does not need
    assert isinstance(hits, Hits)
    shared.send(Cancel(id=first.id))
    told = shared.next_of(first.id)
    assert isinstance(told, Failed)
    verdict = shared.next_of(blocked.id)
    assert isinstance(verdict, Verdict)
    assert verdict.fits == "yes"
    assert isinstance(shared.next_of(blocked.id), Judged)
    assert len({record.file for record in hub.asked("old/*")}) <= 12


def test_what_is_looked_at_now_does_not_wait(
    hub: LoopbackHub, shared: HubProcess, folder: Path
) -> None:
    old = tuple(f"late/m{n}" for n in range(30))
    for repo in old:
        hub.add(repo, {"config.json": b"{}"})
    hub.add("now/m", folder)
    hub.fault("late/*/config.json", "drip", rate=10)  # each takes a fifth of a second
    first = Judge(id=one(), repos=old, machine=MACHINE)
    shared.send(first)
    hub.wait_for("late/*")
    now = Judge(id=one(), repos=("now/m",), machine=MACHINE)
    verdict = shared.ask(now)
    assert isinstance(verdict, Verdict)
    assert verdict.fits == "yes"
    assert shared.kept(first.id) < 20
    shared.send(Cancel(id=first.id))
    assert isinstance(shared.next_of(now.id), Judged)


def test_all_fare_alike_when_nobody_is_there(hub: LoopbackHub, shared: HubProcess) -> None:
    hub.fault("*", "status", status=429, retry_after=86400)
    judge = Judge(id=one(), repos=tuple(f"o/m{n}" for n in range(50)), machine=MACHINE)
    hub.reset_counts()
    shared.send(judge)
    told = [shared.next_of(judge.id) for _ in range(51)]
    codes = {each.code for each in told if isinstance(each, Verdict)}
    assert codes == {"too_many_requests"}
    assert isinstance(told[-1], Judged)
    assert len(hub.requests) <= 12
    failed = shared.fail(Search(id=one()))
    assert (failed.code, failed.retry_after) == ("too_many_requests", 86400)


def test_a_number_twice(hub: LoopbackHub, shared: HubProcess) -> None:
    hub.fault("/api/models", "hang")
    asked = Search(id=one(), text="slow")
    shared.send(asked)
    told = shared.ask(asked)
    assert isinstance(told, Failed)
    assert told.code == "bad_request"
    shared.send(Cancel(id=asked.id))
    assert isinstance(shared.next_of(asked.id), Failed)


def test_signing_in_and_out(hub: LoopbackHub, shared: HubProcess, folder: Path) -> None:
    hub.add("o/gated", folder, gated="manual")
    page = f"{hub.url}/o/gated"
    nobody = shared.ask(WhoAmI(id=one()))
    assert isinstance(nobody, Account)
    assert (nobody.name, nobody.token_where) == ("", "")
    for token in ("", "x", "two words here", "hf_unknowntoken", "api_org_123456"):
        assert shared.fail(SignIn(id=one(), token=token)).code == "sign_in"
    assert not Path(nobody.token_path).exists()
    Path(nobody.token_path).parent.mkdir(parents=True, exist_ok=True)
    Path(nobody.token_path).write_bytes(b"hf_\xff\xfe")  # what a crash left
    assert shared.fail(Search(id=one())).code == "sign_in"

    hub.accounts[TOKEN] = User("me")
    me = shared.ask(SignIn(id=one(), token=f" {TOKEN}\n"))
    assert isinstance(me, Account)
    assert (me.name, me.token_where) == ("me", "file")
    kept = Path(me.token_path)
    assert kept.read_text().strip() == TOKEN
    assert kept.stat().st_mode & 0o077 == 0
    assert shared.ask(WhoAmI(id=one())).name == "me"

    def code() -> tuple[str, str]:
        judge = Judge(id=one(), repos=("o/gated",), machine=MACHINE)
        verdict = shared.ask(judge)
        assert isinstance(verdict, Verdict)
        return verdict.code, verdict.text

    assert code()[0] == "gated"
    assert "licence" in code()[1]
    hub.accounts[TOKEN] = User("me", pending=frozenset({"o/gated"}))
    assert code()[0] == "gated_pending"
    hub.accounts[TOKEN] = User("me", access=frozenset({"o/gated"}))
    assert code()[0] == ""
    told = shared.ask(Page(id=one(), repo="o/gated"))
    assert isinstance(told, ModelPage)
    assert told.url == page

    del hub.accounts[TOKEN]  # withdrawn
    assert shared.fail(WhoAmI(id=one())).code == "sign_in"
    out = shared.ask(SignOut(id=one()))
    assert isinstance(out, Account)
    assert (out.name, out.token_where) == ("", "")
    assert not kept.exists()
    assert TOKEN not in kept.with_name("stored_tokens").read_text()
    kept.write_bytes(b"hf_\xff\xfe")
    assert shared.ask(SignOut(id=one())).token_where == ""
    assert not kept.exists()
    assert TOKEN.encode() not in shared.raw
    assert TOKEN.encode() not in shared.errors
    command = " ".join(psutil.Process(shared.process.pid).cmdline())
    assert TOKEN not in command


def test_the_hub_comes_and_goes(hub: LoopbackHub, shared: HubProcess) -> None:
    hub.go_down()
    try:
        failed = shared.fail(Search(id=one()))
    finally:
        hub.come_up()
    assert failed.code == "unreachable"
    assert isinstance(shared.ask(Search(id=one(), text="tiny")), Hits)


# --- with a process of their own


def settled(hub: LoopbackHub, home: Path, settings: NetworkSettings, **more: str) -> Any:
    return hub_process({**environment(hub, home, settings), **more})


def test_offline_asks_nobody(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.reset_counts()
    with settled(hub, tmp_path, NetworkSettings(offline=True)) as process:
        assert process.fail(Search(id=1)).code == "offline"
        assert process.fail(Page(id=2, repo="o/tiny")).code == "offline"
        assert process.ask(WhoAmI(id=3)).name == ""  # whose no token is, nobody needs to be asked
        verdict = process.ask(Judge(id=4, repos=("o/tiny",), machine=MACHINE))
        assert verdict.code == "offline"
    assert not hub.requests
    assert process.process.returncode == 0


def test_a_proxy_is_used_and_its_failure_has_a_name(hub: LoopbackHub, tmp_path: Path) -> None:
    with loopback_proxy() as proxy:
        settings = NetworkSettings(proxy=proxy.url)
        with settled(hub, tmp_path, settings) as process:
            assert isinstance(process.ask(Search(id=1, text="tiny")), Hits)
            verdict = process.ask(Judge(id=2, repos=("o/tiny",), machine=MACHINE))
            assert verdict.fits == "yes"
        assert proxy.seen
        assert all(hub.url in seen for seen in proxy.seen)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://user:secret@127.0.0.1:{free.getsockname()[1]}"
        with settled(hub, tmp_path, NetworkSettings(proxy=nobody)) as process:
            failed = process.fail(Search(id=1))
    assert failed.code == "proxy"
    assert "secret" not in failed.text
    with settled(hub, tmp_path, NetworkSettings(), ALL_PROXY="socks5://127.0.0.1:9") as process:
        assert "SOCKS" in process.fail(Search(id=1)).text


def test_a_companys_certificate(folder: Path, tmp_path: Path) -> None:
    authority = make_certificate(tmp_path / "ca.pem")
    with loopback_hub(tls=authority) as hub:
        hub.add("o/tiny", folder)
        base = environment(hub, tmp_path, NetworkSettings())
        base.pop("SSL_CERT_FILE", None)
        with hub_process(base) as process:
            failed = process.fail(Search(id=1))
            assert failed.code == "certificate"
            assert "settings" in failed.text
        trusting = NetworkSettings(ca_bundle=str(authority)).environment(base)
        with loopback_proxy() as proxy:
            through = NetworkSettings(proxy=proxy.url).environment(trusting)
            with hub_process(through) as process:
                assert isinstance(process.ask(Search(id=1, text="tiny")), Hits)
                page = process.ask(Page(id=2, repo="o/tiny"))
                assert isinstance(page, ModelPage)
            assert all(seen.startswith("CONNECT ") for seen in proxy.seen)
            assert proxy.seen
        with hub_process({**base, "SSL_CERT_FILE": str(tmp_path / "none.pem")}) as process:
            assert process.fail(Search(id=1)).code == "certificate"


def test_it_ends_with_its_input_though_a_question_hangs(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.fault("/api/models", "hang")
    process = HubProcess(environment(hub, tmp_path, NetworkSettings()))
    hub.reset_counts()
    process.send(Search(id=1))
    hub.wait_for("/api/models")
    assert process.end() == 0


def test_it_dies_with_its_parent(hub: LoopbackHub, tmp_path: Path) -> None:
    parent = (
        "import subprocess, sys, os, time\n"
        "child = subprocess.Popen([sys.executable, '-m', 'engine.store.hub', '--parent',"
        " str(os.getpid())], stdin=subprocess.PIPE)\n"
        "os.set_inheritable(child.stdin.fileno(), True)\n"
        "keeper = subprocess.Popen(['sleep', '60'], close_fds=False)\n"
        "print(child.pid, keeper.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=ROOT,
        env=environment(hub, tmp_path, NetworkSettings()),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        child, keeper = (psutil.Process(int(word)) for word in process.stdout.readline().split())
        try:
            # Its input is still open, in another process: it is the kernel that tells it.
            assert _has_detached(child)
            process.kill()
            child.wait(10)
        except psutil.NoSuchProcess:
            pass
        finally:
            keeper.kill()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def _has_detached(child: psutil.Process, seconds: float = 20.0) -> bool:
    """Whether it leads a session: then it has asked for the signal as well, or is about to."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.getsid(child.pid) == child.pid:
            return True
        time.sleep(0.02)
    return False


def test_ctrl_c_is_the_windows(hub: LoopbackHub, shared: HubProcess) -> None:
    shared.process.send_signal(signal.SIGINT)
    assert isinstance(shared.ask(Search(id=one(), text="tiny")), Hits)
