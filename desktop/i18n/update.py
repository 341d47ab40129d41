"""Brings the translation files in step with the code: `python -m desktop.i18n.update`.

For whoever changes a text: reads all sources with Qt's `lupdate`, keeps what is translated,
compiles with `lrelease`, and says what is missing. Both tools come with PySide6.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desktop.i18n import FOLDER, LANGUAGE_NAMES, SOURCE_LANGUAGE
from desktop.models.failure_text import CONTEXT, engine_texts

CODE: Final = FOLDER.parent
TIMEOUT_S: Final = 120


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a translation file. `forms`: the translations, one for each plural form."""

    context: str
    source: str
    forms: tuple[str, ...]
    finished: bool


def sources() -> list[Path]:
    """Every module that may hold texts."""
    return sorted(CODE.rglob("*.py"))


def counted_texts() -> Iterator[tuple[str, str]]:
    """Context and source of each text with a number that is translated by `translate`.

    Qt's tool knows those for plural only where `self.tr` says them.
    """
    for path in sources():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id == "translate"
                and len(call.args) == 4
            ):
                context, source = (ast.literal_eval(argument) for argument in call.args[:2])
                yield context, source


def extract(target: Path, language: str) -> None:
    """Write or update the file `target` with all texts of the code.

    Raises:
        RuntimeError: the tool failed; the text says how.
    """
    plurals = ["-pluralonly"] if language == SOURCE_LANGUAGE else []
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "engine_texts.py"
        listed.write_text(
            "".join(f"QT_TRANSLATE_NOOP({CONTEXT!r}, {text!r})\n" for text in engine_texts()),
            encoding="utf-8",
        )
        counted = Path(folder) / "counted_texts.py"
        counted.write_text(
            "".join(
                f"class {context}:\n    def say(self):\n        self.tr({source!r}, '', n)\n"
                for context, source in counted_texts()
            ),
            encoding="utf-8",
        )
        _run(
            "lupdate",
            *("-noobsolete", "-locations", "none", "-source-language", SOURCE_LANGUAGE),
            *("-target-language", language, *plurals),
            *(str(path) for path in (counted, *sources(), listed)),  # the first one decides
            *("-ts", str(target)),
        )


def compile_file(source: Path, target: Path) -> None:
    """Compile a translation. The old file stays whole for whoever has it open: Qt maps it.

    Raises:
        RuntimeError: the tool failed; the text says how.
    """
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".compiling-") as folder:
        fresh = Path(folder) / target.name
        _run("lrelease", str(source), "-qm", str(fresh))
        fresh.replace(target)


def texts(path: Path) -> Iterator[Text]:
    """The texts of a translation file."""
    for context in ElementTree.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            found = message.find("translation")
            if found is None or found.get("type") in ("vanished", "obsolete"):
                continue
            plural = [form.text or "" for form in found.iter("numerusform")]
            forms = tuple(plural) if plural else (found.text or "",)
            source = message.findtext("source") or ""
            yield Text(name, source, forms, found.get("type") != "unfinished" and all(forms))


def problem_of(text: Text) -> str:
    """What is wrong with a text's translation; "" if nothing is."""
    if not text.finished:
        return "is not translated"
    places = sorted(set(re.findall(r"\{\w*\}", text.source)))
    for form in text.forms:
        if sorted(set(re.findall(r"\{\w*\}", form))) != places:
            return "has other {places} than its source"
        if ("&" in text.source.replace("&&", "")) != ("&" in form.replace("&&", "")):
            return "has an access key where its source has none, or the other way"
        if text.source.endswith("…") != form.endswith("…"):
            return "ends otherwise than its source (…)"
    return ""


def tool(name: str) -> Path:
    """Where PySide6 keeps one of Qt's tools."""
    import PySide6

    return Path(PySide6.__file__).parent / name


def main() -> int:
    """Update and compile every language; the exit code is 1 if a text is missing."""
    missing = 0
    for language in LANGUAGE_NAMES:
        path = FOLDER / f"inglenook_{language}.ts"
        extract(path, language)
        compile_file(path, path.with_suffix(".qm"))
        for text in texts(path):
            problem = problem_of(text)
            if problem:
                missing += 1
                print(f"{path.name}: {text.context}: {text.source!r} {problem}")
    return 1 if missing else 0


def _run(name: str, *arguments: str) -> None:
    result = subprocess.run(
        [str(tool(name)), *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"{name} failed: {result.stderr or result.stdout}")


if __name__ == "__main__":
    sys.exit(main())
