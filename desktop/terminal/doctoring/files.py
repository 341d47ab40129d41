"""What is on the disk: room, folders and who may read them, the chats, the starter model."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from desktop import paths
from desktop.terminal.doctoring.findings import GIB, Finding, State, in_gib

LEAST_ROOM: Final = 1 * GIB
GOOD_ROOM: Final = 10 * GIB  # a model of 8 billion weights in 4 bits has 5.5 GiB
FAULTS_SHOWN: Final = 3


def disk() -> tuple[Finding, ...]:
    """Room where models and chats lie, and where programs put what they need for a while."""
    found = paths.find()
    places = {"Disk (models, chats)": found.data, "Disk (temporary files)": _temporary()}
    return tuple(_room(name, _existing(place)) for name, place in places.items())


def _temporary() -> Path:
    return Path(tempfile.gettempdir())


def _existing(place: Path) -> Path:
    while not place.exists() and place != place.parent:
        place = place.parent
    return place


def _room(name: str, place: Path) -> Finding:
    free = shutil.disk_usage(place).free
    text = f"{in_gib(free)} are free at {place}."
    if free < LEAST_ROOM:
        return Finding(name, State.PROBLEM, text, "Make room: chats may not be saved any more.")
    if free < GOOD_ROOM and "models" in name:
        return Finding(name, State.NOTE, f"{text} A larger model may not fit.")
    return Finding(name, State.OK, text)


def folders() -> tuple[Finding, ...]:
    """Each is yours, for you alone, and can be written."""
    found = paths.find()
    results: list[Finding] = []
    for name in ("data", "config", "state", "cache", "runtime"):
        place: Path = getattr(found, name)
        results.append(_folder(f"Folder ({name})", place))
    if found.store.exists():
        results.append(_private_file("Chats (access)", found.store))
    return tuple(results)


def _folder(name: str, place: Path) -> Finding:
    if not os.path.lexists(place):
        return Finding(name, State.OK, f"{place} is made when it is needed.")
    try:
        about = place.stat()
    except OSError as error:
        text = f"{place} cannot be read ({error.strerror})."
        return Finding(name, State.PROBLEM, text, _set_home())
    if not stat.S_ISDIR(about.st_mode):
        text = f"{place} is not a folder."
        return Finding(name, State.PROBLEM, text, "Rename it; a folder is made in its place.")
    if about.st_uid != os.getuid():
        text = f"{place} belongs to another user (number {about.st_uid})."
        return Finding(name, State.PROBLEM, text, f"sudo chown -R $USER {_quoted(place)}")
    if not os.access(place, os.W_OK | os.X_OK):
        text = f"{place} cannot be written."
        return Finding(name, State.PROBLEM, text, f"chmod u+rwx {_quoted(place)}; or {_set_home()}")
    if about.st_mode & 0o077:
        mode = stat.S_IMODE(about.st_mode)
        text = f"Others on this machine may look into {place} (mode {mode:o})."
        return Finding(name, State.WARNING, text, f"chmod 700 {_quoted(place)}")
    return Finding(name, State.OK, f"{place} is yours alone.")


def _private_file(name: str, place: Path) -> Finding:
    mode = stat.S_IMODE(place.stat().st_mode)
    if mode & 0o077:
        text = f"Others on this machine may read {place} (mode {mode:o})."
        return Finding(name, State.WARNING, text, f"chmod 600 {_quoted(place)}")
    return Finding(name, State.OK, f"{place} is for you alone.")


def _quoted(place: Path) -> str:
    import shlex

    return shlex.quote(str(place))


def _set_home() -> str:
    return "set INGLENOOK_HOME to a folder that you can write to."


def database() -> Finding:
    """The chats are whole: read, and nothing else, also while the window is open."""
    place = paths.find().store
    name = "Chats"
    if not place.exists():
        return Finding(name, State.OK, "There are none yet.")
    try:
        counts, faults = _looked_into(place)
    except sqlite3.Error as error:
        return Finding(
            name,
            State.PROBLEM,
            f"{place} cannot be read ({error}).",
            f"Open the window: it offers the backups beside it ({place.parent}).",
        )
    if faults:
        return Finding(
            name,
            State.PROBLEM,
            f"{place} is damaged: {'; '.join(faults[:FAULTS_SHOWN])}.",
            "Open the window: it saves what can be saved, and offers the newest backup.",
        )
    return Finding(name, State.OK, f"{counts} The database is whole.")


def _looked_into(place: Path) -> tuple[str, list[str]]:
    # By its URI and read-only: nothing is made, changed or upgraded.
    connection = sqlite3.connect(f"file:{quote(str(place))}?mode=ro", uri=True, timeout=5.0)
    try:
        faults = [
            str(row[0]) for row in connection.execute("PRAGMA quick_check(5)") if row[0] != "ok"
        ]
        chats = _count(connection, "chats")
        messages = _count(connection, "messages")
    finally:
        connection.close()
    return f"{chats:,} chats with {messages:,} messages.", faults


def _count(connection: sqlite3.Connection, table: str) -> int:
    queries = {"chats": "SELECT count(*) FROM chats", "messages": "SELECT count(*) FROM messages"}
    return int(connection.execute(queries[table]).fetchone()[0])


def starter() -> Finding:
    """The model that the first launch chats with: there, and byte for byte what was made."""
    from engine.store import starter as made
    from engine.store.folders import starter_folder

    folder = starter_folder()
    name = "Starter model"
    advice = "./packaging/run --repair makes it again, without any download."
    if not folder.exists():
        return Finding(name, State.PROBLEM, f"It is not at {folder}.", advice)
    fault = made.verify(folder)
    if fault:
        return Finding(name, State.PROBLEM, f"{fault}", advice)
    return Finding(name, State.OK, f"{folder.name} is there and unchanged.")


def fonts() -> Finding:
    """The faces that come with the program, and what the system has for other scripts."""
    folder = Path(__file__).resolve().parents[3] / "assets" / "fonts"
    found = [path for path in _font_files(folder) if path.stat().st_size > 0]
    if not found:
        advice = "./packaging/run --repair, or fetch the program again."
        return Finding("Fonts", State.WARNING, f"None of its own are in {folder}.", advice)
    return Finding("Fonts", State.OK, f"{len(found)} of its own are there.")


def _font_files(folder: Path) -> Iterator[Path]:
    for pattern in ("*.ttf", "*.otf"):
        yield from folder.rglob(pattern)
