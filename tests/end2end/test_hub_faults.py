"""Everything that can go wrong between a hub and this disk, against the real downloader.

For each fault: an error of a known kind in plain words, or a wait that is told; an end at once
when it is cancelled; no sign of an installed model; and when the fault is gone, only what is
missing is fetched.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.store.download import messages
from engine.store.download.partials import partials
from engine.store.download.patience import Patience
from tests.helpers.hub_answers import Account
from tests.helpers.hub_downloads import (
    Done,
    Download,
    Failed,
    Job,
    Progress,
    Started,
    Waiting,
    all_below,
    download_here,
    download_process,
    hashes,
    installed,
    sent,
)
from tests.helpers.hub_small_disk import NoSmallDiskError, SmallDisk, small_disk
from tests.helpers.loopback_hub import LoopbackHub, loopback_hub
from tests.helpers.tiny_models import make_tiny_model

REPO = "me/model"
PLACE = "hub/me--model"
WEIGHTS = "me/model/model.safetensors"
SMALL = "me/model/config.json"
FILES = "me/model/*"
API = "/api/models/*"
# As patient as a test can afford; with the times of the program it is the same code.
QUICK = Patience(
    connect=2,
    silence=0.6,
    drip=0.6,
    first_wait=0.1,
    most_wait=0.2,
    give_up=20,
    room=0.1,
    tick=0.02,
)
# What may be waited out on the way.
PASSING = ("unreachable", "timeout", "stalled", "hub_broken", "bad_answer", "changed")
UNREAD = 100_000  # bytes of answers of which the head was enough
AT_ONCE = 3.0  # s: a machine may be busy, and no time limit of the program is below 10 s


@dataclass(frozen=True)
class Case:
    """A fault, and what comes of it.

    Attributes:
        fails: the codes with which the download may end by itself.
        waits: those of the waits that it may tell of; it is cancelled in one.
        through: it may come to its end in spite of the fault.
        keeps: bytes that are kept at least.
    """

    name: str
    glob: str
    kind: str
    details: dict[str, Any] = field(default_factory=dict)
    fails: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    through: bool = False
    keeps: int = 0


MANY = 4 << 20  # the first megabytes of the weights, where they came before the fault
A_DAY = 86_400
CASES = (
    Case("cut at once", WEIGHTS, "truncate", {"at": 0}, waits=("unreachable",)),
    Case("cut in the middle", WEIGHTS, "truncate", {"at": 1_000_000}, through=True),
    Case("reset at once", WEIGHTS, "reset", {"at": 0}, waits=("unreachable",)),
    Case("reset in the middle", WEIGHTS, "reset", {"at": 1_500_000, "times": 6}, through=True),
    Case(
        "a day's wait",
        WEIGHTS,
        "status",
        {"status": 429, "retry_after": A_DAY},
        fails=("too_many_requests",),
    ),
    Case(
        "a day's wait, for the list",
        API,
        "status",
        {"status": 429, "retry_after": A_DAY},
        fails=("too_many_requests",),
    ),
    Case("error 500", WEIGHTS, "status", {"status": 500}, waits=("hub_broken",)),
    Case("error 503, twice", FILES, "status", {"status": 503, "times": 2}, through=True),
    Case(
        "error 500, for the list", API, "status", {"status": 500}, ("hub_broken",), ("hub_broken",)
    ),
    Case("sign in", WEIGHTS, "status", {"status": 401, "code": "GatedRepo"}, fails=("sign_in",)),
    Case("gated", WEIGHTS, "status", {"status": 403, "code": "GatedRepo"}, fails=("gated",)),
    Case(
        "the file is gone",
        WEIGHTS,
        "status",
        {"status": 404, "code": "EntryNotFound"},
        fails=("not_found", "changed"),
    ),
    Case("wrong bytes", WEIGHTS, "wrong_sha", fails=("hash_mismatch",)),
    Case("wrong bytes in a small file", SMALL, "wrong_sha", fails=("hash_mismatch",), keeps=MANY),
    Case("wrong bytes once", WEIGHTS, "wrong_sha", {"times": 1, "at": 0}, through=True),
    Case("wrong sizes", API, "wrong_size", fails=("bad_answer", "changed", "hash_mismatch")),
    Case("redirects in a circle", WEIGHTS, "redirect_loop", fails=("bad_answer",)),
    Case(
        "to a file", WEIGHTS, "redirect", {"location": "file:///etc/passwd"}, fails=("bad_answer",)
    ),
    Case("to a script", WEIGHTS, "redirect", {"location": "javascript:1"}, fails=("bad_answer",)),
    Case(
        "to nobody",
        WEIGHTS,
        "redirect",
        {"location": "http://127.0.0.1:1/"},
        waits=("unreachable",),
    ),
    Case("another ETag", WEIGHTS, "etag_change", fails=("changed",), through=True),
    Case(
        "another commit", FILES, "etag_change", {"commit": True}, fails=("changed",), through=True
    ),
    Case(
        "a hostile ETag",
        FILES,
        "hostile_etag",
        {"commit": True},
        fails=("bad_answer",),
        through=True,
    ),
    Case("a hostile commit", API, "hostile_etag", {"commit": True}, fails=("bad_answer",)),
    Case("hostile names", API, "hostile_name", fails=("bad_answer",), through=True),
    Case("no JSON", API, "garbage", fails=("bad_answer",)),
    Case("a hotel's page for the list", API, "captive", fails=("bad_answer",)),
    Case("a hotel's page for a file", FILES, "captive", fails=("bad_answer", "hash_mismatch")),
    Case("silence", WEIGHTS, "hang", waits=("timeout", "stalled")),
    Case("silence in the middle", WEIGHTS, "hang", {"at": 500_000}, waits=("timeout", "stalled")),
    Case("drops", WEIGHTS, "drip", {"rate": 300}, waits=("stalled",)),
    Case("no ranges", WEIGHTS, "no_ranges", through=True),
    Case("ranges that are not heeded", WEIGHTS, "ignore_range", through=True),
    Case("another range", WEIGHTS, "wrong_range", fails=("bad_answer",), through=True),
    Case("too short a range", WEIGHTS, "range_length", {"by": 1000, "times": 3}, through=True),
    Case("packed", WEIGHTS, "gzip", fails=("bad_answer",), through=True),
    Case("a bomb", WEIGHTS, "gzip", {"bomb": True}, fails=("bad_answer", "hash_mismatch")),
    Case("without a length", WEIGHTS, "chunked", through=True),
    Case("without an end", WEIGHTS, "endless", fails=("bad_answer",), through=True),
    Case("a huge header", WEIGHTS, "huge_header", fails=("bad_answer",)),
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 16 MB: several pieces, so several connections."""
    return make_tiny_model(tmp_path_factory.mktemp("model") / "model", hidden=128)


@pytest.fixture(scope="module")
def shared_hub(model: Path) -> Iterator[LoopbackHub]:
    """The hub that has it."""
    with loopback_hub() as hub:
        hub.add(REPO, model, licence="apache-2.0")
        yield hub


@pytest.fixture
def hub(
    shared_hub: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LoopbackHub]:
    """The hub, with nothing wrong, as the one that this process asks."""
    monkeypatch.setenv("HF_ENDPOINT", shared_hub.url)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    shared_hub.reset_counts()
    yield shared_hub
    shared_hub.mend()
    shared_hub.cdn = False


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """An empty store, in a folder in which nothing else may change."""
    folder = tmp_path / "store" / "models"
    folder.mkdir(parents=True)
    return folder


def job(models: Path, **changes: Any) -> Job:
    return Job(**{"repo": REPO, "store": str(models), **changes})


def is_plain(text: str) -> bool:
    """Whether it is a sentence for people, without names of a program's parts."""
    odd = r"Error\b|Traceback|Exception|httpx|urllib|errno|None|0x|[<{]|\b[A-Z][a-z]+[A-Z]\w+"
    return text.endswith((".", "?")) and len(text) > 20 and not re.search(odd, text)


def check_not_installed(models: Path) -> None:
    """Nothing has the name of the model, and the library shows nothing."""
    assert not (models / PLACE).exists()
    assert installed(models) == []


def check_complete(hub: LoopbackHub, models: Path, model: Path) -> None:
    """The model is there, right, and with its manifest."""
    folder = models / PLACE
    assert hashes(folder) == hashes(model)
    assert installed(models) == [REPO]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["origin"]["endpoint"] == hub.url
    assert {name: entry["sha256"] for name, entry in manifest["files"].items()} == hashes(model)
    assert partials(models) == []


def complete(hub: LoopbackHub, models: Path, model: Path) -> int:
    """Fetch what is missing, and no byte more; returns how much that was."""
    kept = sum(partial.have for partial in partials(models))
    hub.reset_counts()
    with download_here(job(models), patience=QUICK) as download:
        done = download.end()
    assert isinstance(done, Done), done
    total = sum(path.stat().st_size for path in model.iterdir())
    assert done.bytes_fetched == total - kept
    assert done.bytes_reused == kept
    fetched = sent(hub)
    assert 0 <= fetched - done.bytes_fetched < UNREAD
    check_complete(hub, models, model)
    return fetched


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_fault(hub: LoopbackHub, models: Path, model: Path, case: Case) -> None:
    fault = hub.fault(case.glob, case.kind, **case.details)
    around = all_below(models.parent.parent)
    with download_here(job(models), patience=QUICK) as download:
        told = download.until(Waiting) if case.waits else download.end()
        assert hub.met(fault)
        if isinstance(told, Waiting):
            check_not_installed(models)
            told, seconds = download.cancel()
            assert seconds < AT_ONCE
            assert isinstance(told, Failed)
            assert told.code == "cancelled"
        elif isinstance(told, Failed):
            assert told.code in case.fails, told
            assert is_plain(told.text), told.text
    for waiting in download.events.of(Waiting):
        assert waiting.code in {*case.waits, *case.fails, *PASSING}, waiting
        assert is_plain(waiting.reason), waiting.reason
    if isinstance(told, Done):
        assert case.through
        check_complete(hub, models, model)
        return
    check_not_installed(models)
    new = all_below(models.parent.parent) - around
    assert all(path.startswith(("store/models/hub", "hf")) for path in new), new
    assert sum(partial.have for partial in partials(models)) >= case.keeps
    hub.mend()
    complete(hub, models, model)


def test_a_wait_passes_by_itself(hub: LoopbackHub, models: Path, model: Path) -> None:
    hub.fault(FILES, "status", status=429, retry_after=1, times=2)
    with download_here(job(models), patience=QUICK) as download:
        waiting = download.until(Waiting)
        assert waiting.code == "too_many_requests"
        assert waiting.seconds <= 1.5
        assert isinstance(download.end(), Done)
    check_complete(hub, models, model)


def test_what_the_hub_asks_for_is_told(hub: LoopbackHub, models: Path) -> None:
    hub.fault(WEIGHTS, "status", status=429, retry_after=A_DAY)
    with download_here(job(models), patience=QUICK) as download:
        ended = download.end()
    assert isinstance(ended, Failed)
    assert ended.retry_after == pytest.approx(A_DAY, abs=5)
    assert "24 hours" in ended.text
    assert ended.retry


def test_the_network_goes_and_comes(hub: LoopbackHub, models: Path, model: Path) -> None:
    with download_here(job(models, limit=8 << 20), patience=QUICK) as download:
        assert isinstance(download.until_done(3 << 20), Progress)
        hub.go_down()
        assert download.until(Waiting).code == "unreachable"
        check_not_installed(models)
        hub.come_up()
        download.tell(messages.Limit(0))
        done = download.end()
        assert isinstance(done, Done)
    check_complete(hub, models, model)
    # What was read and not yet written when the network went is all that came in vain.
    total = sum(path.stat().st_size for path in model.iterdir())
    assert total <= done.bytes_fetched < total + (1 << 20)


def test_gated_and_private_models_with_and_without_a_token(
    hub: LoopbackHub, models: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add("big/gated", model, gated="manual")
    hub.add("big/private", model, private=True)
    hub.accounts["hf_in"] = Account("in", access=frozenset({"big/gated", "big/private"}))
    hub.accounts["hf_waits"] = Account("waits", pending=frozenset({"big/gated"}))
    hub.accounts["hf_out"] = "out"
    hub.cdn = True

    def fetch(repo: str, token: str) -> Done | Failed:
        if token:
            monkeypatch.setenv("HF_TOKEN", token)
        with download_here(job(models, repo=repo), patience=QUICK) as download:
            ended = download.end()
        assert token not in str(download.events.seen) or not token
        if isinstance(ended, Failed):
            assert is_plain(ended.text)
            assert installed(models) == []
        return ended

    page = f"{hub.url}/big/gated"
    for token, code, url in (
        ("", "sign_in", page),
        ("hf_mistyped", "sign_in", None),
        ("hf_out", "gated", page),
        ("hf_waits", "gated_pending", page),
    ):
        ended = fetch("big/gated", token)
        assert isinstance(ended, Failed)
        assert ended.code == code
        assert url is None or ended.url == url
    for token, code in (("hf_out", "not_found"), ("hf_mistyped", "sign_in")):
        ended = fetch("big/private", token)
        assert isinstance(ended, Failed)
        assert ended.code == code
    for repo in ("big/gated", "big/private"):
        assert isinstance(fetch(repo, "hf_in"), Done)
    assert {record.token for record in hub.requests if record.host == "cdn"} == {""}
    assert "hf_in" not in "".join(
        path.read_text() for path in models.rglob("*.json") if path.name == "manifest.json"
    )
    hub.remove("big/gated")
    hub.remove("big/private")


def test_the_hub_has_another_commit_meanwhile(
    hub: LoopbackHub, models: Path, model: Path, tmp_path: Path
) -> None:
    first = hub.add("me/moving", model)
    hub.fault("me/moving/model.safetensors", "truncate", at=5 << 20, times=1)
    hub.fault("me/moving/model.safetensors", "hang", skip=1)
    with download_here(job(models, repo="me/moving"), patience=QUICK) as download:
        download.until(Waiting)
        download.cancel()
    newer = tmp_path / "newer"
    shutil.copytree(model, newer)
    (newer / "config.json").write_text((newer / "config.json").read_text() + "\n")
    hub.mend()
    second = hub.add("me/moving", newer)
    assert first != second
    with download_here(job(models, repo="me/moving"), patience=QUICK) as download:
        done = download.end()
    assert isinstance(done, Done)
    commit = json.loads((Path(done.folder) / "manifest.json").read_text())["origin"]["revision"]
    # Whichever of the two is completed: it is one of them, whole.
    assert hashes(Path(done.folder)) == hashes({first: model, second: newer}[commit])
    hub.remove("me/moving")


def test_links_in_the_store_are_not_followed(
    hub: LoopbackHub, models: Path, model: Path, tmp_path: Path
) -> None:
    hub.fault(WEIGHTS, "hang", at=1 << 20)
    with download_here(job(models), patience=QUICK) as download:
        download.until(Waiting)
        download.cancel()
    hub.mend()
    victims = tmp_path / "victims"
    victims.mkdir()
    partial, record = (models / "hub" / f".me--model.{kind}" for kind in ("partial", "download"))
    for folder in (partial, record):
        for path in [path for path in folder.rglob("*") if path.is_file()]:
            victim = victims / f"{folder.name}-{path.name}"
            victim.write_bytes(b"mine")
            path.unlink()
            path.symlink_to(victim)
    with download_here(job(models), patience=QUICK) as download:
        ended = download.end()
    assert {path.read_bytes() for path in victims.iterdir()} == {b"mine"}
    if isinstance(ended, Failed):
        assert is_plain(ended.text)
        check_not_installed(models)
    else:
        check_complete(hub, models, model)
        assert not any(path.is_symlink() for path in (models / PLACE).rglob("*"))


@pytest.mark.parametrize(
    "place", [PLACE, "hub/.me--model.partial", "hub/.me--model.download", "hub"]
)
def test_a_folder_that_is_a_link_is_not_written_into(
    hub: LoopbackHub, models: Path, model: Path, tmp_path: Path, place: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_bytes(b"mine")
    link = models / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    with download_here(job(models), patience=QUICK) as download:
        ended = download.end()
    assert all_below(elsewhere) == {"mine"}
    assert (elsewhere / "mine").read_bytes() == b"mine"
    if isinstance(ended, Failed):
        assert is_plain(ended.text)
        assert installed(models) == []
    else:
        check_complete(hub, models, model)


@pytest.fixture
def disk(models: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    """The store, as a disk of as many megabytes as the test says."""
    try:
        with small_disk(models, request.param << 20) as disk:
            yield disk
    except NoSmallDiskError as error:
        pytest.skip(f"no process can have a disk of its own here: {error}")


@pytest.mark.parametrize("disk", [10], indirect=True)
def test_a_disk_without_room_is_found_before_anything_is_fetched(
    hub: LoopbackHub, disk: SmallDisk, models: Path, model: Path, tmp_path: Path
) -> None:
    environment = hub.environment(tmp_path / "hf")
    with download_process(job(models), environment, before=disk.enter) as download:
        told = download.until(Waiting)
        assert isinstance(told, Waiting | Failed)
        assert told.code == "disk_full"
        assert is_plain(told.reason if isinstance(told, Waiting) else told.text)
        check_not_installed(disk.inside)
        assert sent(hub) == 0
    disk.resize(600 << 20)
    with download_process(job(models), environment, before=disk.enter) as download:
        assert isinstance(download.end(), Done)
    check_complete(hub, disk.inside, model)


@pytest.mark.parametrize("disk", [60], indirect=True)
def test_a_disk_that_fills_up_is_waited_for(
    hub: LoopbackHub, disk: SmallDisk, models: Path, model: Path, tmp_path: Path
) -> None:
    environment = hub.environment(tmp_path / "hf")
    slow = job(models, limit=4 << 20)
    with download_process(slow, environment, before=disk.enter) as download:
        download.until_done(2 << 20)
        with disk.filled(left=0):
            waiting = download.until(Waiting)
            assert isinstance(waiting, Waiting)
            assert waiting.code == "disk_full"
            assert is_plain(waiting.reason)
            check_not_installed(disk.inside)
            ended, seconds = download.cancel()
            assert isinstance(ended, Failed)
            assert ended.code == "cancelled"
            assert seconds < AT_ONCE
    with download_process(job(models), environment, before=disk.enter) as download:
        again = download.until(Started)
        assert again.have >= 2 << 20
        hub.reset_counts()
        download.end()
    total = sum(path.stat().st_size for path in model.iterdir())
    assert sent(hub) <= total - again.have
    check_complete(hub, disk.inside, model)


@pytest.mark.parametrize("disk", [60], indirect=True)
def test_room_on_a_full_disk_is_taken_at_once(
    hub: LoopbackHub, disk: SmallDisk, models: Path, model: Path, tmp_path: Path
) -> None:
    slow = job(models, limit=4 << 20)
    environment = hub.environment(tmp_path / "hf")
    with download_process(slow, environment, before=disk.enter) as download:
        download.until_done(2 << 20)
        with disk.filled(left=0):
            assert download.until(Waiting).code == "disk_full"
        download.tell(messages.Limit(0))
        assert isinstance(download.end(), Done)
    check_complete(hub, disk.inside, model)


@pytest.mark.parametrize("when", ["resolving", "connecting", "reading", "dripping", "paused"])
def test_it_ends_at_once_whatever_it_does(
    hub: LoopbackHub, models: Path, tmp_path: Path, when: str
) -> None:
    faults: dict[str, tuple[str, str, dict[str, Any]]] = {
        "resolving": (API, "hang", {}),
        "connecting": (FILES, "hang", {}),
        "reading": (WEIGHTS, "hang", {"at": 2 << 20}),
        "dripping": (WEIGHTS, "drip", {"rate": 20_000}),
        "paused": (WEIGHTS, "drip", {"rate": 2_000_000}),
    }
    glob, kind, details = faults[when]
    hub.fault(glob, kind, **details)
    # With the program's own patience: nothing here waits for a limit of time to pass.
    with download_process(job(models), hub.environment(tmp_path / "hf")) as download:
        _come_to(when, hub, download)
        ended, seconds = download.cancel()
    assert isinstance(ended, Failed)
    assert ended.code == "cancelled"
    assert seconds < AT_ONCE
    check_not_installed(models)


def _come_to(when: str, hub: LoopbackHub, download: Download) -> None:
    if when in {"resolving", "connecting"}:
        hub.wait_for(API if when == "resolving" else FILES)
        return
    download.until(Started)
    download.until_done(100_000)
    if when == "paused":
        download.tell(messages.Pause())
        download.events.until(
            lambda event: isinstance(event, Progress) and event.phase is messages.Phase.PAUSED
        )
