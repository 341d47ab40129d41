"""What every test gets: a home of its own, no screen, and no leaked threads or timers."""

from __future__ import annotations

import functools
import gc
import os
import resource
import threading
import weakref
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.helpers import worker_groups

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"  # the tests read English
# Some tests abort an engine: that shall leave no image of its memory in the working tree.
resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))

settings.register_profile(
    "inglenook",
    deadline=None,  # machines differ; the tests' own time limits hold
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "inglenook"))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """In the main process, of each worker: where to write its tests' groups."""
    if node.config.getoption("dist") == "loadgroup":
        node.workerinput["groups_folder"] = str(worker_groups.folder_of(node.config))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In a worker: which tests stay together, and come first."""
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if "groups_folder" in worker:
        groups = worker_groups.arrange(items)
        worker_groups.write(Path(worker["groups_folder"]), worker["workerid"], groups)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """In the main process: share out by the groups that the workers wrote."""
    if config.getoption("dist") != "loadgroup":
        return None
    from tests.helpers.worker_queue import GroupQueue

    return GroupQueue(config, log, worker_groups.folder_of(config))


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """In a worker: what a test printed or logged goes to the main process as UTF-8.

    Broken emoji are what many of these tests are about; one in a log would end the whole run.
    """
    return worker_groups.encodable((yield))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """INGLENOOK_HOME in the test's own folder; nothing of the user's is touched."""
    folder = tmp_path / "home"
    monkeypatch.setenv("INGLENOOK_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _environment() -> Iterator[None]:
    """What a test's code puts into this process's environment (a converter, the terminal's way to
    the hub) is no other test's.
    """
    before = dict(os.environ)
    yield
    if os.environ != before:
        for name in set(os.environ) - set(before):
            del os.environ[name]
        os.environ.update(before)


@pytest.fixture
def german(qapp: QCoreApplication) -> Iterator[None]:
    """The program in German, its numbers too."""
    from PySide6.QtCore import QLocale

    from desktop import i18n

    before = QLocale()
    i18n.install(qapp, "de")
    QLocale.setDefault(QLocale("de"))
    yield
    i18n.install(qapp, "en")
    QLocale.setDefault(before)


# As in the program (desktop/collector.py): a widget that the collector frees in another
# thread takes the whole run with it.
gc.disable()
_FULL_EVERY = 20  # tests
_since_full = 0


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Look for garbage here, between the tests."""
    yield
    global _since_full
    _since_full += 1
    if _since_full >= _FULL_EVERY:
        _since_full = 0
        gc.collect()
    else:
        gc.collect(1)


@pytest.fixture(autouse=True)
def _no_leaks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that leaves a QThread or a QTimer running, or a store open."""
    from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
    from shiboken6 import isValid

    started: list[weakref.ref[Any]] = []

    def recording(start: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(start)
        def wrapper(self: Any, *args: Any, **kwargs: Any) -> None:
            started.append(weakref.ref(self))
            start(self, *args, **kwargs)

        return wrapper

    monkeypatch.setattr(QThread, "start", recording(QThread.start))
    monkeypatch.setattr(QTimer, "start", recording(QTimer.start))
    before = set(threading.enumerate())
    yield

    def leaks() -> list[str]:
        found = [
            f"{type(item).__name__} of {item.parent()!r}"
            for item in (reference() for reference in started)
            if item is not None
            and isValid(item)
            and (item.isRunning() if isinstance(item, QThread) else item.isActive())
        ]
        stores = [
            thread
            for thread in set(threading.enumerate()) - before
            if thread.name.startswith("chat-store")
        ]
        return found + [f"an open ChatStore ({thread.name})" for thread in stores]

    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    if leaks():
        gc.collect()  # an object that only a cycle keeps is no leak
    found = leaks()
    started.clear()
    assert not found, "left running: " + ", ".join(found)
