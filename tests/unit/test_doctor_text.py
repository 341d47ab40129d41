"""What `doctor` finds is made from registered texts, and the window tells it in German."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from desktop.hardware.nvml_errors import state
from desktop.hardware.reading_text import driver_text
from desktop.hardware.readings import Driver, GpuReading
from desktop.models.failure_text import CONTEXT, translated_text
from desktop.terminal.doctoring import TEXT_MODULES, files, library, machine
from desktop.terminal.doctoring.findings import carried_out
from engine.store import starter
from tests.helpers.failure_table import SAME_IN_GERMAN

ROOT = Path(__file__).resolve().parents[2]
# What is no sentence: commands, questions to the database, a unit, a key of a file, a type.
FOREIGN = re.compile(
    r"(chmod|sudo chown|hf auth login|\./packaging/run --|INGLENOOK_FLAVOUR=|SELECT|PRAGMA|GPU )"
    r"| GiB$|model name$|Finding \|"
)
TERMINAL_ONLY = ("_parser", "_Page", "_LOOK", "_WINDOW")  # help, the page's end, programs

# Values that are texts themselves, or numbers, and what a German reads for them.
VALUES = {
    "device": ("unknown", "unbekannt"),
    "hub": ("A mirror", "Ein Spiegel"),
    "kernel": ("Inglenook's INT4 kernel (AVX2)", "den INT4-Kernel von Inglenook (AVX2)"),
    "kernels": ("It is too old for AWQ models.", "Sie ist zu alt für AWQ-Modelle."),
    "way": ("through the proxy http://p:1", "über den Proxy http://p:1"),
    "reason": ("it said nothing", "ohne ein Wort"),
    **dict.fromkeys(("free", "total", "used", "size"), ("1,024.5 GiB", "1.024,5 GiB")),
    **dict.fromkeys(("count", "cores", "chats", "messages"), ("1,234", "1.234")),
    "seconds": ("1.5", "1,5"),
    **dict.fromkeys(("version", "cuda", "capability"), ("8.6", "8.6")),
    **dict.fromkeys(("uid", "mode", "code", "signal"), ("755", "755")),
}


def tree_of(module: str) -> ast.Module:
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    return ast.parse(Path(found.origin).read_text("utf-8"))


def is_call(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def texts() -> list[str]:
    """Every text that a module of `doctor` registers."""
    return [
        ast.literal_eval(node.args[0])
        for module in (*TEXT_MODULES, "engine.store.starter")
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.Call) and is_call(node, "words")
    ]


def unregistered(node: ast.AST) -> Iterator[str]:
    """The sentences in `node`, whole or in pieces, that did not go through `words`."""
    if isinstance(node, ast.Constant):
        text = node.value
        if isinstance(text, str) and re.search("[A-Za-z]", text) and " " in text:
            yield text
        return
    if is_call(node, "words") or isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    named = [getattr(node, "name", "")]
    if isinstance(node, ast.Assign):
        named = [target.id for target in node.targets if isinstance(target, ast.Name)]
    if not set(named) & set(TERMINAL_ONLY):
        for child in ast.iter_child_nodes(node):
            yield from unregistered(child)


# --- all of them are known ---


def test_every_module_with_texts_is_asked_for_them() -> None:
    named = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "desktop").rglob("*.py")
        if re.search(r"from engine.failure_words import .*\bwords\b", path.read_text("utf-8"))
    }
    assert named == set(TEXT_MODULES)


@pytest.mark.parametrize("module", TEXT_MODULES)
def test_every_sentence_is_registered(module: str) -> None:
    tree = tree_of(module)
    assert [text for text in unregistered(tree) if not FOREIGN.match(text)] == []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and is_call(node, "Finding"):
            assert not isinstance(node.args[0], ast.Constant | ast.JoinedStr), node.lineno


@pytest.mark.parametrize(
    "code",
    ['text = f"{place} is odd."', 'Finding(name, state, "It is odd.")', 'say("a", f"{a} of {b}")'],
)
def test_a_sentence_that_is_not_registered_is_seen(code: str) -> None:
    assert list(unregistered(ast.parse(code)))
    assert not list(unregistered(ast.parse('A = words("It is odd.")')))


# --- all of them are German ---


@pytest.mark.usefixtures("german")
def test_every_text_is_german_whatever_fills_it() -> None:
    assert len(texts()) > 150
    for source in texts():
        target = QCoreApplication.translate(CONTEXT, source)
        assert (target == source) == (source in SAME_IN_GERMAN), source
        places = set(re.findall(r"\{(\w+)\}", source))
        values = {place: VALUES.get(place, (f"/{place}", f"/{place}")) for place in places}
        told = source.format(**{place: value[0] for place, value in values.items()})
        wanted = target.format(**{place: value[1] for place, value in values.items()})
        assert translated_text(told) == wanted


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("wsl", [False, True])
@pytest.mark.parametrize("kind", list(Driver))
def test_what_ails_the_driver_is_told_as_the_hardware_view_does(kind: Driver, wsl: bool) -> None:
    for cuda in (None, (12, 4)):
        told = state(kind, wsl=wsl, version="550.1", cuda=cuda, code=1042)
        assert translated_text(told.text) == driver_text(told)
        assert kind is Driver.OK or driver_text(told) != told.text


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("gpu", "german_text"),
    [
        (GpuReading(0), "unbekannt: Mehr ist nicht bekannt."),
        (GpuReading(0, name="A 1", memory_total=24 << 30), "A 1, 24,0 GiB Speicher."),
        (
            GpuReading(0, name="A", memory_total=24 << 30, memory_used=3 << 29),
            "A, 24,0 GiB, davon 1,5 GiB belegt.",
        ),
        (
            GpuReading(0, name="A", capability=(7, 0)),
            "A, Compute Capability 7.0. Sie ist zu alt für AWQ-Modelle.",
        ),
        (
            GpuReading(0, name="A", memory_total=24 << 30, capability=(7, 5)),
            "A, 24,0 GiB, Compute Capability 7.5. AWQ-Modelle nutzen darauf Marlin, "
            "nur in float16.",
        ),
        (
            GpuReading(0, name="A", memory_total=2 << 30, memory_used=1 << 30, capability=(9, 0)),
            "A, 2,0 GiB, davon 1,0 GiB belegt, Compute Capability 9.0. AWQ-Modelle nutzen "
            "darauf Machete oder Marlin.",
        ),
        (GpuReading(0, lost=True), "Sie antwortet nicht mehr."),
        (GpuReading(0, name="A", lost=True), "A antwortet nicht mehr."),
    ],
)
def test_whatever_is_known_of_a_gpu_is_told(gpu: GpuReading, german_text: str) -> None:
    assert translated_text(machine._gpu(gpu).text) == german_text


@pytest.mark.usefixtures("german")
def test_what_this_machine_gives_is_german(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@p:1")
    checks = (files.disk, files.folders, files.database, files.starter, files.fonts)
    more = (library.store, library.downloads, library.cache, library.token, library.hub)
    found = [one for check in (*checks, *more) for one in carried_out("Memory", check)]
    for each in found:
        assert each.name in ("Hub", *SAME_IN_GERMAN) or translated_text(each.name) != each.name
        assert translated_text(each.text) != each.text
    told = translated_text(found[-1].text)
    assert told.endswith(f" mit den Zertifikaten in {tmp_path}/none.pem. Diese Datei ist nicht da.")
    assert "über den Proxy http://p:1, " in told


@pytest.mark.usefixtures("german")
def test_what_is_wrong_with_the_starter_is_german(tmp_path: Path) -> None:
    (tmp_path / "starter").mkdir()
    told = translated_text(starter.verify(tmp_path / "starter"))
    assert told == "Das Startmodell ist beschädigt: manifest.json fehlt"
