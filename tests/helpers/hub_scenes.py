"""The model library of the real program, against a loopback hub: found, judged, fetched, kept.

The hub has the starter model whole, and well-known models by their configurations and the heads
of their files (`tests.helpers.hub_catalogue`). Every state that is shown is one the program came
to by itself, through keys and buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from tests.helpers.camera import SIZE, Camera, settle, wait_until
from tests.helpers.hub_catalogue import stock
from tests.helpers.loopback_hub import File, LoopbackHub, files_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from desktop.app import Inglenook
    from desktop.models.library.download_desk import DownloadDesk
    from desktop.models.library.download_view import DownloadView
    from desktop.views.library.discover_page import DiscoverPage
    from desktop.views.library.downloads_page import DownloadsPage
    from desktop.views.library.installed_page import InstalledPage
    from desktop.views.library.library_window import LibraryWindow
    from desktop.views.library.model_page import ModelPage

REPO: Final = "HuggingFaceTB/SmolLM2-135M-Instruct"
ANOTHER: Final = "Qwen/Qwen3-4B-AWQ"  # its files never come whole; it is begun, and given up
SLOW: Final = 24 << 20  # bytes/s, so that a download can be looked at
NARROW: Final = (720, 832)
CARD: Final = """---
license: apache-2.0
language:
- en
pipeline_tag: text-generation
library_name: transformers
---
# SmolLM2-135M-Instruct

SmolLM2 is a family of compact language models in three sizes: 135M, 360M and 1.7B parameters.
They solve a wide range of tasks and are light enough to run on a device.

## What it is for

Chats in English: short answers, rewriting, summaries. It makes mistakes, as small models do.

| | |
| --- | --- |
| Parameters | 135 million |
| Context | 8,192 tokens |
| Licence | Apache-2.0 |

```python
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("HuggingFaceTB/SmolLM2-135M-Instruct")
```
"""


def furnish(hub: LoopbackHub, starter: Path) -> str:
    """Put the starter model and the well-known ones on the hub; returns the starter's commit."""
    stock(hub)
    files: dict[str, File] = {
        **files_of(starter),
        "README.md": CARD.encode(),
        ".gitattributes": b"*.safetensors filter=lfs diff=lfs merge=lfs -text\n",
        # What most repositories have besides, and nobody here fetches.
        "pytorch_model.bin": bytes(1 << 20),
        "onnx/model.onnx": bytes(1 << 20),
        "modeling_custom.py": b"raise SystemExit\n",
    }
    return hub.add(REPO, files, licence="apache-2.0", languages=["en"], trending=100)


class LibraryScenes:
    """See the module. Each method leaves the library in the state that it is named for."""

    def __init__(self, app: QApplication, program: Inglenook, folder: Path) -> None:
        self._app = app
        self._program = program
        self._folder = folder
        self._cameras: dict[int, Camera] = {}

    # --- parts ----------------------------------------------------------------------------

    @property
    def library(self) -> LibraryWindow:
        """Its window."""
        assert self._program.library is not None
        return self._program.library.window

    @property
    def discover(self) -> DiscoverPage:
        """Where models are found."""
        return cast("DiscoverPage", self._page("discover"))

    @property
    def downloads(self) -> DownloadsPage:
        """What is on its way."""
        return cast("DownloadsPage", self._page("downloads"))

    @property
    def installed(self) -> InstalledPage:
        """What is here."""
        return cast("InstalledPage", self._page("installed"))

    @property
    def model_page(self) -> ModelPage:
        """Of the model that was chosen."""
        page = self.discover.model_page
        assert page is not None
        return page

    def _page(self, name: str) -> QWidget:
        page = self.library.page(name)
        assert page is not None, f"{name} was not shown yet"
        return page

    # --- the way from nothing to a model ----------------------------------------------------

    def open(self) -> None:
        """Open the library as a user does; the starter list is there, with its verdicts."""
        wait_until(lambda: self._program.library is not None, "the library")
        from PySide6.QtGui import QCursor

        QCursor.setPos(self._app.primaryScreen().geometry().bottomRight())  # over no row
        action = self._program.window.actions_by_name["find_models"]
        assert action.isEnabled()
        action.trigger()
        self.library.move(0, 0)
        self.library.resize(*SIZE)
        wait_until(self.library.isActiveWindow, "the library's window in front")
        wait_until(self._is_judged, "verdicts on the starter list")

    def search(self, text: str) -> None:
        """Type; the hub's models that go by these words are there, with their verdicts."""
        from PySide6.QtTest import QTest

        from desktop.models.library.discovering import Stage

        page = self.discover
        page.field.clear()
        QTest.keyClicks(page.field, text)
        searching = page.discovering
        wait_until(
            lambda: searching.stage is Stage.RESULTS and not searching.is_busy,
            f"models by the words {text!r}",
        )
        wait_until(self._is_judged, f"verdicts on {text!r}")

    def pick(self, repo: str) -> None:
        """Choose a model in the list by its row; its page is there, with the plan."""
        hits = self.discover.list
        rows = range(hits.model().rowCount())
        number = next(n for n in rows if getattr(self.discover.hits.hit_at(n), "repo", "") == repo)
        hits.setCurrentIndex(hits.model().index(number, 0))
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        QTest.keyClick(hits, Qt.Key.Key_Return)
        page = self.model_page
        wait_until(
            lambda: (
                page.repo == repo
                and page.model.page is not None
                and page.doing.download.isEnabled()
            ),
            f"the page of {repo}",
        )
        settle()

    def fetch(self) -> str:
        """Press the button that downloads the model whose page is shown; returns its key."""
        repo = self.model_page.repo
        self.model_page.doing.download.click()
        desk = self._desk
        wait_until(lambda: desk.view_of(repo) is not None, f"a download of {repo}")
        view = desk.view_of(repo)
        assert view is not None
        return view.key

    def until_share(self, key: str, share: float) -> None:
        """Wait until so much of a download is there."""
        wait_until(lambda: (self._view(key).share or 0) >= share, f"{share:.0%} of {key}")

    def until_here(self, key: str) -> Path:
        """Wait until a download is installed; returns its folder."""
        from desktop.models.library.download_view import DownloadState

        ended = (DownloadState.DONE, DownloadState.FAILED)
        wait_until(lambda: self._view(key).state in ended, f"the end of {key}")
        view = self._view(key)
        if view.state is not DownloadState.DONE:
            raise SystemExit(f"{key} failed: {view.code} {view.text}")
        return Path(view.folder)

    def show(self, action: str) -> None:
        """Bring a page of the library to the front by its command."""
        self._program.window.actions_by_name[action].trigger()
        settle()

    def load(self, key: str) -> None:
        """Press "Load" at a download that is done; the model is ready to chat with."""
        from desktop.engine_link.engine_state import Phase

        row = self.downloads.row(key)
        assert row is not None
        assert row.load.isVisible()
        row.load.click()
        wait_until(lambda: self._program.client.view.phase is Phase.READY, "the model")

    # --- pictures -----------------------------------------------------------------------------

    def play(self) -> None:
        """All pictures of the library; the starter is fetched, and not loaded."""
        window = self._program.window
        self.open()
        self.in_both("library-starters")
        self.search("qwen")
        self.in_both("library-discover")
        self.take("library-discover-narrow", NARROW)
        self.library.resize(*SIZE)
        self.search("qwen3 awq")
        self.pick(ANOTHER)
        self.in_both("library-model")
        self.model_page.tabs.setCurrentWidget(self.model_page.files)
        self.take("library-files-light")
        window.change(download_limit=SLOW)
        other = self.fetch()
        self.until_share(other, 0.01)
        self.show("find_models")  # a download that begins is shown
        self.discover.show_list()
        self.search("smollm2")
        self.pick(REPO)
        key = self.fetch()
        self.until_share(key, 0.1)
        self._desk.pause(other)
        self.show("downloads")
        self.in_both("library-downloads")
        self._desk.cancel(other)
        window.change(download_limit=0)
        self.until_here(key)
        self.show("installed_models")
        wait_until(lambda: self._is_listed(REPO), "the model in the list")
        self.installed.show_model(str(self._view(key).folder))
        self.in_both("library-installed")
        self.library.close()

    def in_both(self, name: str) -> None:
        """A picture in the light and in the dark."""
        for theme in ("light", "dark"):
            self._program.window.change(theme=theme)
            self.take(f"{name}-{theme}")
        self._program.window.change(theme="light")

    def take(self, name: str, size: tuple[int, int] = SIZE, window: QWidget | None = None) -> None:
        """A picture of the library, or of another window."""
        shown = window or self.library
        shown.raise_()
        camera = self._cameras.setdefault(id(shown), Camera(self._app, shown, self._folder))
        camera.take(name, size)

    # --- inside -----------------------------------------------------------------------------

    @property
    def _desk(self) -> DownloadDesk:
        assert self._program.library is not None
        return self._program.library.downloads

    def _view(self, key: str) -> DownloadView:
        view = self._desk.view(key)
        assert view is not None, key
        return view

    def _is_judged(self) -> bool:
        seen = self.discover.list.hits_in_sight()
        verdict_of: Callable[[Any], tuple[Any, bool]] = self.discover.book.verdict_of
        return bool(seen) and all(verdict_of(hit)[0] is not None for hit in seen)

    def _is_listed(self, repo: str) -> bool:
        assert self._program.library is not None
        return any(model.repo == repo for model in self._program.library.shelf.models)
