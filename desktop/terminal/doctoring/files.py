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
from engine.failure_words import words

LEAST_ROOM: Final = 1 * GIB
GOOD_ROOM: Final = 10 * GIB  # a model of 8 billion weights in 4 bits has 5.5 GiB
FAULTS_SHOWN: Final = 3

_MODELS_DISK: Final = words("Disk (models, chats)")
_TEMPORARY_DISK: Final = words("Disk (temporary files)")
_FOLDERS: Final = {
    "data": words("Folder (data)"),
    "config": words("Folder (config)"),
    "state": words("Folder (state)"),
    "cache": words("Folder (cache)"),
    "runtime": words("Folder (runtime)"),
}
_ACCESS: Final = words("Chats (access)")
_CHATS: Final = words("Chats")
_STARTER: Final = words("Starter model")
_FONTS: Final = words("Fonts")

_ROOM: Final = words("{free} are free at {folder}.")
_LITTLE_ROOM: Final = words("{free} are free at {folder}. A larger model may not fit.")
_MAKE_ROOM: Final = words("Make room: chats may not be saved any more.")
_MADE_LATER: Final = words("{folder} is made when it is needed.")
_UNREADABLE: Final = words("{file} cannot be read ({reason}).")
_NO_FOLDER: Final = words("{folder} is not a folder.")
_RENAME: Final = words("Rename it; a folder is made in its place.")
_FOREIGN: Final = words("{folder} belongs to another user (number {uid}).")
_CLOSED: Final = words("{folder} cannot be written.")
_OPEN_IT: Final = words("{command}; or set INGLENOOK_HOME to a folder that you can write to.")
_SET_HOME: Final = words("set INGLENOOK_HOME to a folder that you can write to.")
_OPEN_FOLDER: Final = words("Others on this machine may look into {folder} (mode {mode}).")
_OPEN_FILE: Final = words("Others on this machine may read {file} (mode {mode}).")
_OWN_FOLDER: Final = words("{folder} is yours alone.")
_OWN_FILE: Final = words("{file} is for you alone.")

_NO_CHATS: Final = words("There are none yet.")
_BACKUPS: Final = words("Open the window: it offers the backups beside it ({folder}).")
_DAMAGED: Final = words("{file} is damaged: {faults}.")
_SAVES: Final = words("Open the window: it saves what can be saved, and offers the newest backup.")
_WHOLE: Final = words("{chats} chats with {messages} messages. The database is whole.")

_NO_STARTER: Final = words("It is not at {folder}.")
_MAKES_STARTER: Final = words("./packaging/run --repair makes it again, without any download.")
_SAME_STARTER: Final = words("{name} is there and unchanged.")

_NO_FONTS: Final = words("None of its own are in {folder}.")
_FETCH_AGAIN: Final = words("./packaging/run --repair, or fetch the program again.")
_OWN_FONTS: Final = words("{count} of its own are there.")


def disk() -> tuple[Finding, ...]:
    """Room where models and chats lie, and where programs put what they need for a while."""
    found = paths.find()
    places = {_MODELS_DISK: found.data, _TEMPORARY_DISK: _temporary()}
    return tuple(_room(name, _existing(place)) for name, place in places.items())


def _temporary() -> Path:
    return Path(tempfile.gettempdir())


def _existing(place: Path) -> Path:
    while not place.exists() and place != place.parent:
        place = place.parent
    return place


def _room(name: str, place: Path) -> Finding:
    free = shutil.disk_usage(place).free
    text = _ROOM.format(free=in_gib(free), folder=place)
    if free < LEAST_ROOM:
        return Finding(name, State.PROBLEM, text, _MAKE_ROOM)
    if free < GOOD_ROOM and name == _MODELS_DISK:
        return Finding(name, State.NOTE, _LITTLE_ROOM.format(free=in_gib(free), folder=place))
    return Finding(name, State.OK, text)


def folders() -> tuple[Finding, ...]:
    """Each is yours, for you alone, and can be written."""
    found = paths.find()
    results: list[Finding] = []
    for attribute, name in _FOLDERS.items():
        place: Path = getattr(found, attribute)
        results.append(_folder(name, place))
    if found.store.exists():
        results.append(_private_file(_ACCESS, found.store))
    return tuple(results)


def _folder(name: str, place: Path) -> Finding:
    if not os.path.lexists(place):
        return Finding(name, State.OK, _MADE_LATER.format(folder=place))
    try:
        about = place.stat()
    except OSError as error:
        text = _UNREADABLE.format(file=place, reason=error.strerror)
        return Finding(name, State.PROBLEM, text, _SET_HOME)
    if not stat.S_ISDIR(about.st_mode):
        return Finding(name, State.PROBLEM, _NO_FOLDER.format(folder=place), _RENAME)
    if about.st_uid != os.getuid():
        text = _FOREIGN.format(folder=place, uid=about.st_uid)
        return Finding(name, State.PROBLEM, text, f"sudo chown -R $USER {_quoted(place)}")
    if not os.access(place, os.W_OK | os.X_OK):
        advice = _OPEN_IT.format(command=f"chmod u+rwx {_quoted(place)}")
        return Finding(name, State.PROBLEM, _CLOSED.format(folder=place), advice)
    if about.st_mode & 0o077:
        text = _OPEN_FOLDER.format(folder=place, mode=f"{stat.S_IMODE(about.st_mode):o}")
        return Finding(name, State.WARNING, text, f"chmod 700 {_quoted(place)}")
    return Finding(name, State.OK, _OWN_FOLDER.format(folder=place))


def _private_file(name: str, place: Path) -> Finding:
    mode = stat.S_IMODE(place.stat().st_mode)
    if mode & 0o077:
        text = _OPEN_FILE.format(file=place, mode=f"{mode:o}")
        return Finding(name, State.WARNING, text, f"chmod 600 {_quoted(place)}")
    return Finding(name, State.OK, _OWN_FILE.format(file=place))


def _quoted(place: Path) -> str:
    import shlex

    return shlex.quote(str(place))


def database() -> Finding:
    """The chats are whole: read, and nothing else, also while the window is open."""
    place = paths.find().store
    if not place.exists():
        return Finding(_CHATS, State.OK, _NO_CHATS)
    try:
        chats, messages, faults = _looked_into(place)
    except sqlite3.Error as error:
        text = _UNREADABLE.format(file=place, reason=error)
        return Finding(_CHATS, State.PROBLEM, text, _BACKUPS.format(folder=place.parent))
    if faults:
        text = _DAMAGED.format(file=place, faults="; ".join(faults[:FAULTS_SHOWN]))
        return Finding(_CHATS, State.PROBLEM, text, _SAVES)
    text = _WHOLE.format(chats=f"{chats:,}", messages=f"{messages:,}")
    return Finding(_CHATS, State.OK, text)


def _looked_into(place: Path) -> tuple[int, int, list[str]]:
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
    return chats, messages, faults


def _count(connection: sqlite3.Connection, table: str) -> int:
    queries = {"chats": "SELECT count(*) FROM chats", "messages": "SELECT count(*) FROM messages"}
    return int(connection.execute(queries[table]).fetchone()[0])


def starter() -> Finding:
    """The model that the first launch chats with: there, and byte for byte what was made."""
    from engine.store import starter as made
    from engine.store.folders import starter_folder

    folder = starter_folder()
    if not folder.exists():
        text = _NO_STARTER.format(folder=folder)
        return Finding(_STARTER, State.PROBLEM, text, _MAKES_STARTER)
    fault = made.verify(folder)
    if fault:
        return Finding(_STARTER, State.PROBLEM, fault, _MAKES_STARTER)
    return Finding(_STARTER, State.OK, _SAME_STARTER.format(name=folder.name))


def fonts() -> Finding:
    """The faces that come with the program, and what the system has for other scripts."""
    folder = Path(__file__).resolve().parents[3] / "assets" / "fonts"
    found = [path for path in _font_files(folder) if path.stat().st_size > 0]
    if not found:
        return Finding(_FONTS, State.WARNING, _NO_FONTS.format(folder=folder), _FETCH_AGAIN)
    return Finding(_FONTS, State.OK, _OWN_FONTS.format(count=len(found)))


def _font_files(folder: Path) -> Iterator[Path]:
    for pattern in ("*.ttf", "*.otf"):
        yield from folder.rglob(pattern)
