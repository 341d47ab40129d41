"""The model library: the store and its disk, unfinished downloads, the hub and the way to it.

The hub itself is asked only by `online`, in a process of its own: a network may hang.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop import paths
from desktop.terminal.doctoring.findings import Finding, State, in_gib
from engine.failure_words import words

if TYPE_CHECKING:
    from desktop.settings import Settings
    from engine.store.hub.messages import AnyAnswer, AnyRequest

HUB_SECONDS: Final = 40.0  # to import the client, connect, and be answered
DOWNLOADS_SHOWN: Final = 3
ROOT: Final = Path(__file__).resolve().parents[3]
HUB: Final = "Hub"  # the same in every language

_STORE: Final = words("Model store")
_FOREIGN_MODELS: Final = words("Models")
_MOVE: Final = words("Move of the store")
_DOWNLOADS: Final = words("Downloads")
_CACHE: Final = words("Hugging Face cache")
_TOKEN: Final = words("Hub token")
_HUB_ASKED: Final = words("Hub (asked)")
_ACCOUNT: Final = words("Account")

_UNFINISHED_MOVE: Final = words(
    "A move of the model store to another disk is unfinished; no model is lost."
)
_GO_ON: Final = words(
    "In the window: Installed models, Move the models to another disk. It goes on from there."
)
_MADE_LATER: Final = words("{folder} is made when it is needed.")
# For a folder that lies where it seems to, and for one that is reached by a link.
_ROOM: Final = words("{folder}. {free} are free there.")
_LINKED_ROOM: Final = words("{folder}, which lies at {target}. {free} are free there.")
_CLOSED: Final = words("{folder} cannot be written.")
_LINKED_CLOSED: Final = words("{folder}, which lies at {target} cannot be written.")
_OPEN_STORE: Final = words(
    "Make it writable for you, or move the store to another disk (in the window)."
)

_NO_DOWNLOADS: Final = words("None is unfinished.")
_UNFINISHED: Final = words("Unfinished: {models}; {size} lie here so far.")
_MORE_UNFINISHED: Final = words("Unfinished: {models} and {count} more; {size} lie here so far.")
_PULL: Final = words("{command} pull MODEL goes on, {command} rm deletes it.")

_NO_CACHE: Final = words("There is none at {folder}, and none is needed.")
_UNREADABLE: Final = words("{file} cannot be read ({reason}).")
_OPEN_CACHE: Final = words(
    "Make it readable for you, or switch it off in the settings (Network and models)."
)
_ONE_CACHED: Final = words("1 model is in {folder}.")
_CACHED: Final = words("{count} models are in {folder}.")
_ONE_UNLISTED: Final = words("1 model is in {folder}. The settings leave it out of the list.")
_UNLISTED: Final = words("{count} models are in {folder}. The settings leave it out of the list.")

_NETWORK_PAGE: Final = words("Settings, Network and models.")
_SET_OFFLINE: Final = words("Offline by the settings: no hub is asked. What is installed works.")
_ENV_OFFLINE: Final = words("Offline by HF_HUB_OFFLINE: no hub is asked. What is installed works.")
_PUBLIC: Final = words("The public hub")
_MIRROR: Final = words("A mirror")
_ASKED: Final = words("{hub}, {url}, asked only when you look for models.")
_ASKED_BY: Final = words("{hub}, {url}, asked only when you look for models, {way}.")
_ASKED_WITHOUT: Final = words(
    "{hub}, {url}, asked only when you look for models, {way}. That file is not there."
)
_BY_PROXY: Final = words("through the proxy {proxy}")
_BY_CERTIFICATES: Final = words("with the certificates in {file}")
_BY_BOTH: Final = words("through the proxy {proxy}, with the certificates in {file}")
_UNSET: Final = words("Unset SSL_CERT_FILE, or put the file in place.")

_TOKEN_SET: Final = words("It is in the environment (HF_TOKEN).")
_NO_TOKEN: Final = words(
    "There is none; only models with a licence to accept, and private ones, need it."
)
_EMPTY: Final = words("{file} is empty.")
_OPEN_TOKEN: Final = words("Others on this machine may read it ({file}).")
_OWN_TOKEN: Final = words("It is in {file}, for you alone.")

_SILENT: Final = words("It did not answer within {seconds} s.")
_CHECK_NETWORK: Final = words(
    "Check the network, and the proxy in the settings (Network and models)."
)
_ANSWERS: Final = words("It answers.")
_UNKNOWN_TOKEN: Final = words("The hub does not know the token.")
_NEW_TOKEN: Final = words("hf auth login makes a new one.")
_SIGNED_IN: Final = words("Signed in as {name}.")
_NOBODY: Final = words("Nobody is signed in.")


def _settings() -> Settings:
    from desktop import settings

    return settings.load(paths.find().settings)[0]


# --- on the disk ---------------------------------------------------------------------------


def store() -> tuple[Finding, ...]:
    """Where models lie: there, writable, with room; on a disk that may have been taken away."""
    from engine.store.folders import models_folder
    from engine.store.library import moving
    from engine.store.library.scan import place_problems

    place = models_folder()
    folders = tuple(map(Path, _settings().library_folders))
    found = [
        Finding(
            _STORE if problem.path == str(place) else _FOREIGN_MODELS, State.PROBLEM, problem.text
        )
        for problem in place_problems(place, None, folders)
    ]
    if not any(each.name == _STORE for each in found):
        found.append(_store(place))
    if moving.unfinished_move(place) is not None:
        found.append(Finding(_MOVE, State.WARNING, _UNFINISHED_MOVE, _GO_ON))
    return tuple(found)


def _store(place: Path) -> Finding:
    if not place.exists():
        return Finding(_STORE, State.OK, _MADE_LATER.format(folder=place))
    real = place.resolve()
    linked = real != place.absolute()
    free = shutil.disk_usage(real).free
    if not os.access(real, os.W_OK | os.X_OK):
        text = (_LINKED_CLOSED if linked else _CLOSED).format(folder=place, target=real)
        return Finding(_STORE, State.PROBLEM, text, _OPEN_STORE)
    text = (_LINKED_ROOM if linked else _ROOM).format(folder=place, target=real, free=in_gib(free))
    return Finding(_STORE, State.OK, text)


def downloads() -> Finding:
    """What is unfinished, which takes room on the disk."""
    from desktop.program_name import command
    from engine.store.download.partials import partials
    from engine.store.folders import models_folder

    found = partials(models_folder())
    if not found:
        return Finding(_DOWNLOADS, State.OK, _NO_DOWNLOADS)
    have = sum(each.have for each in found)
    more = len(found) - DOWNLOADS_SHOWN
    text = (_MORE_UNFINISHED if more > 0 else _UNFINISHED).format(
        models=", ".join(each.repo for each in found[:DOWNLOADS_SHOWN]),
        count=more,
        size=in_gib(have),
    )
    return Finding(_DOWNLOADS, State.NOTE, text, _PULL.format(command=command("models")))


def cache(environ: Mapping[str, str] | None = None) -> Finding:
    """The Hugging Face cache, whose models are listed and loaded where they are."""
    from engine.store.library.hf_cache import PREFIX, cache_folder

    place = cache_folder(environ)
    if not place.is_dir():
        return Finding(_CACHE, State.OK, _NO_CACHE.format(folder=place))
    try:
        models = sum(each.name.startswith(PREFIX) for each in place.iterdir())
    except OSError as error:
        text = _UNREADABLE.format(file=place, reason=error.strerror)
        return Finding(_CACHE, State.WARNING, text, _OPEN_CACHE)
    listed = _settings().use_hf_cache
    one, several = (_ONE_CACHED, _CACHED) if listed else (_ONE_UNLISTED, _UNLISTED)
    text = (one if models == 1 else several).format(count=f"{models:,}", folder=place)
    return Finding(_CACHE, State.OK if listed else State.NOTE, text)


# --- the hub, unasked ----------------------------------------------------------------------


def hub() -> Finding:
    """Which hub would be asked, and by which way, in words."""
    from desktop.network import network_of
    from engine.store.hub.network import PUBLIC_HUB, endpoint_of, is_offline, without_password

    network = network_of(_settings())
    problem = network.check()
    if problem:
        return Finding(HUB, State.PROBLEM, problem, _NETWORK_PAGE)
    env = network.environment()
    if is_offline(env):
        return Finding(HUB, State.NOTE, _SET_OFFLINE if network.offline else _ENV_OFFLINE)
    endpoint = endpoint_of(env)
    kind = _PUBLIC if endpoint == PUBLIC_HUB else _MIRROR
    proxy = env.get("HTTPS_PROXY") or env.get("https_proxy") or env.get("ALL_PROXY") or ""
    authority = env.get("SSL_CERT_FILE") or env.get("REQUESTS_CA_BUNDLE") or ""
    if not proxy and not authority:
        return Finding(HUB, State.OK, _ASKED.format(hub=kind, url=endpoint))
    way = _BY_BOTH if proxy and authority else _BY_PROXY if proxy else _BY_CERTIFICATES
    way = way.format(proxy=without_password(proxy), file=authority)
    if authority and not Path(authority).is_file():
        text = _ASKED_WITHOUT.format(hub=kind, url=endpoint, way=way)
        return Finding(HUB, State.PROBLEM, text, _UNSET)
    return Finding(HUB, State.OK, _ASKED_BY.format(hub=kind, url=endpoint, way=way))


def token(environ: Mapping[str, str] | None = None) -> Finding:
    """Whether there is a token for the hub, and who may read it. Never what it is."""
    from engine.store.token_place import token_path

    env = os.environ if environ is None else environ
    if any(env.get(each) for each in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")):
        return Finding(_TOKEN, State.OK, _TOKEN_SET)
    place = token_path(env)
    try:
        about = place.stat()
    except OSError:
        return Finding(_TOKEN, State.OK, _NO_TOKEN)
    if not about.st_size:
        return Finding(_TOKEN, State.WARNING, _EMPTY.format(file=place), "hf auth login")
    if stat.S_IMODE(about.st_mode) & 0o077:
        text = _OPEN_TOKEN.format(file=place)
        return Finding(_TOKEN, State.WARNING, text, f"chmod 600 {place}")
    return Finding(_TOKEN, State.OK, _OWN_TOKEN.format(file=place))


# --- the hub, asked ------------------------------------------------------------------------


def online() -> tuple[Finding, ...]:
    """Ask the hub for one model, and whose token it is."""
    from engine.store.hub import messages

    asked = (messages.Search(id=1, limit=1), messages.WhoAmI(id=2))
    told = {answer.id: answer for answer in _ask(asked, HUB_SECONDS)}
    found = told.get(1)
    if found is None:
        text = _SILENT.format(seconds=f"{HUB_SECONDS:.0f}")
        return (Finding(_HUB_ASKED, State.PROBLEM, text, _CHECK_NETWORK),)
    if isinstance(found, messages.Failed) and found.code != "sign_in":  # else: it has answered
        state = State.NOTE if found.code == "offline" else State.PROBLEM
        return (Finding(_HUB_ASKED, state, found.text),)
    results = [Finding(_HUB_ASKED, State.OK, _ANSWERS)]
    account = told.get(2)
    if isinstance(account, messages.Failed) and account.code != "sign_in":
        results.append(Finding(_ACCOUNT, State.WARNING, account.text))
    elif isinstance(account, messages.Failed) or isinstance(found, messages.Failed):
        results.append(Finding(_ACCOUNT, State.WARNING, _UNKNOWN_TOKEN, _NEW_TOKEN))
    elif isinstance(account, messages.Account) and account.name:
        results.append(Finding(_ACCOUNT, State.OK, _SIGNED_IN.format(name=account.name)))
    else:
        results.append(Finding(_ACCOUNT, State.OK, _NOBODY))
    return tuple(results)


def _ask(requests: Sequence[AnyRequest], seconds: float) -> Iterator[AnyAnswer]:
    """What the hub's process answers, as far as it does in time."""
    import select
    import subprocess
    import time

    from desktop.network import network_of
    from engine.store.hub.messages import read_answer, to_line

    environ = {**network_of(_settings()).environment(), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "engine.store.hub"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environ,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b"".join(map(to_line, requests)))
        process.stdin.flush()
        ends = time.monotonic() + seconds
        left, rest = len(requests), b""
        while left and select.select([process.stdout], [], [], max(0, ends - time.monotonic()))[0]:
            data = os.read(process.stdout.fileno(), 1 << 16)
            if not data:
                raise RuntimeError("the process that asks ended without a word")
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                left -= 1
                yield read_answer(line)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
