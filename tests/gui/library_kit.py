"""What the tests of the hub's pages share: a hub that says what the test wants, and models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec
from PySide6.QtCore import QObject, Signal

from desktop.models.library.discover_context import DiscoverContext
from desktop.models.library.download_view import DownloadView
from desktop.models.library.hub_link import HubLink
from desktop.settings import Settings
from engine.planner.learned import Learned
from engine.planner.machine import Machine
from engine.planner.shape import read_shape
from engine.store.hub.messages import (
    Account,
    Answer,
    Failed,
    Hit,
    Hits,
    ModelPage,
    Request,
    Verdict,
)
from engine.store.hub.network import NetworkSettings
from engine.store.hub.records import FileChoice, LeftFile, Listing, RepoFile, Variant
from engine.store.library.records import InstalledModel, Source
from tests.helpers.load_machines import LLAMA_8B, ONE_24

WAIT_MS = 10_000
GIB = 1024**3
COMMIT = "0123456789abcdef0123456789abcdef01234567"
R = TypeVar("R", bound=Request)

CARD = """# A model to talk to

<div align="center"><img src="https://example.org/logo.png" alt="The logo" width="300"></div>

It was made for **instructions**, reads [32,768 tokens](https://example.org/context) and speaks
29 languages.

| Benchmark | this one | the one before |
| --- | ---: | ---: |
| MMLU | 79.7 | 74.2 |
| HumanEval | 83.5 | 79.9 |

```python
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("owner/name")
```

<img src=x onerror=alert(1)> ![badge](https://example.org/badge.svg)
"""


class FakeLink(HubLink):
    """A hub without a process: it keeps what it is asked, and the test answers."""

    def __init__(self, *, offline: bool = False) -> None:
        super().__init__(NetworkSettings(offline=offline))
        self.asked: dict[int, Request] = {}
        self.cancelled: list[int] = []
        self.replies: list[Callable[[Request], Sequence[Answer]]] = []

    def ask(self, request: Request) -> int:
        number = next(self._numbers)
        asked = msgspec.structs.replace(request, id=number)
        self.asked[number] = asked
        return number

    def cancel(self, number: int) -> None:
        self.cancelled.append(number)
        self.asked.pop(number, None)

    def restart(self) -> None:
        self.asked.clear()

    def latest(self, kind: type[R]) -> R:
        """The latest question of this kind that is not cancelled."""
        return [one for one in self.asked.values() if isinstance(one, kind)][-1]

    def has(self, kind: type[Request]) -> bool:
        return any(isinstance(one, kind) for one in self.asked.values())

    def give(self, answer: Answer) -> None:
        """Answer, as the process would."""
        if answer.id in self.asked:
            if not isinstance(answer, Verdict):
                self.asked.pop(answer.id)
            self._tell(answer)

    def refuse(self, request: Request, code: str, text: str = "It is so.", url: str = "") -> None:
        self.give(Failed(id=request.id, code=code, text=text, url=url))


class FakeDesk(QObject):
    """Downloads that are only noted."""

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.started: list[tuple[str, str, str, Listing | None]] = []
        self.views: dict[str, DownloadView] = {}

    def view_of(self, repo: str, variant: str = "") -> DownloadView | None:
        return self.views.get(f"{repo}:{variant}")

    def start(self, repo: str, revision: str, variant: str, listing: Listing | None) -> str:
        self.started.append((repo, revision, variant, listing))
        return repo


def here(repo: str, **values: object) -> InstalledModel:
    """A model of the hub that is installed."""
    facts: dict[str, object] = {"path": "/models/here", "name": repo, "source": Source.STORE}
    return InstalledModel(repo=repo, **{**facts, **values})  # type: ignore[arg-type]


@dataclass
class Surroundings:
    """What a page asks of the program."""

    machine: Machine = ONE_24
    installed: list[InstalledModel] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    folder: Path = Path("/")
    reads: int = 0
    search_file: Path | None = None

    def context(self) -> DiscoverContext:
        return DiscoverContext(
            read_machine=self.read,
            learned=Learned,
            read_settings=lambda: self.settings,
            models=lambda: self.folder,
            installed=lambda: self.installed,
            search_file=self.search_file,
        )

    def read(self) -> Machine:
        self.reads += 1
        return self.machine


def hit(repo: str, **values: object) -> Hit:
    facts: dict[str, object] = {
        "commit": COMMIT,
        "author": repo.partition("/")[0],
        "format": "awq",
        "size": 5 * GIB,
        "parameters": 8_030_000_000,
        "licence": "apache-2.0",
        "context": 32_768,
        "downloads": 123_456,
        "likes": 321,
        "updated": "2026-03-01T12:00:00.000Z",
    }
    return Hit(repo=repo, **{**facts, **values})  # type: ignore[arg-type]


def hits(count: int, *, first: int = 0) -> tuple[Hit, ...]:
    return tuple(hit(f"owner/model-{number}-AWQ") for number in range(first, first + count))


def found(request: Request, *what: Hit, more: bool = False, **values: object) -> Hits:
    return Hits(
        id=request.id,
        hits=what,
        cursor="next" if more else "",
        more=more,
        **values,  # type: ignore[arg-type]
    )


def fitting(request: Request, repo: str, **values: object) -> Verdict:
    facts: dict[str, object] = {"fits": "yes", "context": 32_768, "chats": 3, "devices": (0,)}
    return Verdict(id=request.id, repo=repo, **{**facts, **values})  # type: ignore[arg-type]


def listing(repo: str, **values: object) -> Listing:
    facts: dict[str, object] = {
        "commit": COMMIT,
        "files": (
            RepoFile("model-00001-of-00002.safetensors", 4 * GIB, "a" * 64),
            RepoFile("model-00002-of-00002.safetensors", GIB, "b" * 64),
            RepoFile("config.json", 1_200, "", "c" * 40),
            RepoFile("pytorch_model.bin", 15 * GIB, "d" * 64),
        ),
        "licence": "apache-2.0",
        "licence_url": "https://example.org/licence",
        "base_model": "owner/model",
        "updated": "2026-03-01T12:00:00.000Z",
        "downloads": 1_234_567,
    }
    return Listing(repo=repo, **{**facts, **values})  # type: ignore[arg-type]


def page(request: Request, repo: str, **values: object) -> ModelPage:
    """What the hub tells of a model."""
    told = values.pop("listing", None) or listing(repo)
    assert isinstance(told, Listing)
    take = tuple(file for file in told.files if not file.path.endswith(".bin"))
    leave = tuple(
        LeftFile(file.path, file.size, "Weights in a format that can carry programs.")
        for file in told.files
        if file.path.endswith(".bin")
    )
    total = sum(file.size for file in take)
    facts: dict[str, object] = {
        "card": CARD,
        "licence": "apache-2.0",
        "licence_url": "https://example.org/licence",
        "builds": (hit("other/model-GPTQ", format="gptq"), hit("third/model-FP8", format="fp8")),
        "shape": read_shape(LLAMA_8B),
        "variants": (Variant("", "awq", 5 * GIB, ("model-00001-of-00002.safetensors",)),),
        "choice": FileChoice(take, leave, total),
        "url": f"https://huggingface.co/{repo}",
    }
    return ModelPage(id=request.id, listing=told, **{**facts, **values})  # type: ignore[arg-type]


def account(request: Request, name: str = "", where: str = "") -> Account:
    return Account(
        id=request.id, name=name, token_where=where, token_path="/home/me/.cache/hub/token"
    )
