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

if TYPE_CHECKING:
    from desktop.settings import Settings
    from engine.store.hub.messages import AnyAnswer, AnyRequest

HUB_SECONDS: Final = 40.0  # to import the client, connect, and be answered
ROOT: Final = Path(__file__).resolve().parents[3]
STORE: Final = "Model store"
HUB: Final = "Hub"


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
        Finding(STORE if problem.path == str(place) else "Models", State.PROBLEM, problem.text)
        for problem in place_problems(place, None, folders)
    ]
    if not any(each.name == STORE for each in found):
        found.append(_store(place))
    if moving.unfinished_move(place) is not None:
        text = "A move of the model store to another disk is unfinished; no model is lost."
        advice = "In the window: Models, Installed models, Move the store. It goes on from there."
        found.append(Finding("Move of the store", State.WARNING, text, advice))
    return tuple(found)


def _store(place: Path) -> Finding:
    if not place.exists():
        return Finding(STORE, State.OK, f"{place} is made when it is needed.")
    real = place.resolve()
    where = str(place) if real == place.absolute() else f"{place}, which lies at {real}"
    free = shutil.disk_usage(real).free
    text = f"{where}. {in_gib(free)} are free there."
    if not os.access(real, os.W_OK | os.X_OK):
        advice = "Make it writable for you, or move the store to another disk (in the window)."
        return Finding(STORE, State.PROBLEM, f"{where} cannot be written.", advice)
    return Finding(STORE, State.OK, text)


def downloads() -> Finding:
    """What is unfinished, which takes room on the disk."""
    from desktop.program_name import command
    from engine.store.download.partials import partials
    from engine.store.folders import models_folder

    name = "Downloads"
    found = partials(models_folder())
    if not found:
        return Finding(name, State.OK, "None is unfinished.")
    have = sum(each.have for each in found)
    named = ", ".join(each.repo for each in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    text = f"Unfinished: {named}{more}; {in_gib(have)} lie here so far."
    models = command("models")
    return Finding(name, State.NOTE, text, f"{models} pull MODEL goes on, {models} rm deletes it.")


def cache(environ: Mapping[str, str] | None = None) -> Finding:
    """The Hugging Face cache, whose models are listed and loaded where they are."""
    from engine.store.library.hf_cache import PREFIX, cache_folder

    name = "Hugging Face cache"
    place = cache_folder(environ)
    if not place.is_dir():
        return Finding(name, State.OK, f"There is none at {place}, and none is needed.")
    try:
        models = sum(each.name.startswith(PREFIX) for each in place.iterdir())
    except OSError as error:
        advice = "Make it readable for you, or switch it off in the settings (Network and models)."
        return Finding(name, State.WARNING, f"{place} cannot be read ({error.strerror}).", advice)
    text = f"{models:,} model{'s are' if models != 1 else ' is'} in {place}."
    if not _settings().use_hf_cache:
        return Finding(name, State.NOTE, f"{text} The settings leave it out of the list.")
    return Finding(name, State.OK, text)


# --- the hub, unasked ----------------------------------------------------------------------


def hub() -> Finding:
    """Which hub would be asked, and by which way, in words."""
    from desktop.network import network_of
    from engine.store.hub.network import PUBLIC_HUB, endpoint_of, is_offline, without_password

    network = network_of(_settings())
    problem = network.check()
    if problem:
        return Finding(HUB, State.PROBLEM, problem, "Settings, Network and models.")
    env = network.environment()
    if is_offline(env):
        by = "by the settings" if network.offline else "by HF_HUB_OFFLINE"
        text = f"Offline {by}: no hub is asked. What is installed works."
        return Finding(HUB, State.NOTE, text)
    endpoint = endpoint_of(env)
    kind = "The public hub" if endpoint == PUBLIC_HUB else "A mirror"
    parts = [f"{kind}, {endpoint}, asked only when you look for models"]
    proxy = env.get("HTTPS_PROXY") or env.get("https_proxy") or env.get("ALL_PROXY") or ""
    if proxy:
        parts.append(f"through the proxy {without_password(proxy)}")
    authority = env.get("SSL_CERT_FILE") or env.get("REQUESTS_CA_BUNDLE") or ""
    if authority:
        parts.append(f"with the certificates in {authority}")
    if authority and not Path(authority).is_file():
        text = f"{', '.join(parts)}. That file is not there."
        return Finding(HUB, State.PROBLEM, text, "Unset SSL_CERT_FILE, or put the file in place.")
    return Finding(HUB, State.OK, f"{', '.join(parts)}.")


def token(environ: Mapping[str, str] | None = None) -> Finding:
    """Whether there is a token for the hub, and who may read it. Never what it is."""
    from engine.store.token_place import token_path

    name = "Hub token"
    env = os.environ if environ is None else environ
    if any(env.get(each) for each in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")):
        return Finding(name, State.OK, "It is in the environment (HF_TOKEN).")
    place = token_path(env)
    try:
        about = place.stat()
    except OSError:
        text = "There is none; only models with a licence to accept, and private ones, need it."
        return Finding(name, State.OK, text)
    if not about.st_size:
        return Finding(name, State.WARNING, f"{place} is empty.", "hf auth login")
    if stat.S_IMODE(about.st_mode) & 0o077:
        text = f"Others on this machine may read it ({place})."
        return Finding(name, State.WARNING, text, f"chmod 600 {place}")
    return Finding(name, State.OK, f"It is in {place}, for you alone.")


# --- the hub, asked ------------------------------------------------------------------------


def online() -> tuple[Finding, ...]:
    """Ask the hub for one model, and whose token it is."""
    from engine.store.hub import messages

    name = f"{HUB} (asked)"
    asked = (messages.Search(id=1, limit=1), messages.WhoAmI(id=2))
    told = {answer.id: answer for answer in _ask(asked, HUB_SECONDS)}
    found = told.get(1)
    if found is None:
        text = f"It did not answer within {HUB_SECONDS:.0f} s."
        advice = "Check the network, and the proxy in the settings (Network and models)."
        return (Finding(name, State.PROBLEM, text, advice),)
    if isinstance(found, messages.Failed) and found.code != "sign_in":  # else: it has answered
        state = State.NOTE if found.code == "offline" else State.PROBLEM
        return (Finding(name, state, found.text),)
    results = [Finding(name, State.OK, "It answers.")]
    account = told.get(2)
    if isinstance(account, messages.Failed) and account.code != "sign_in":
        results.append(Finding("Account", State.WARNING, account.text))
    elif isinstance(account, messages.Failed) or isinstance(found, messages.Failed):
        text = "The hub does not know the token."
        results.append(Finding("Account", State.WARNING, text, "hf auth login makes a new one."))
    elif isinstance(account, messages.Account) and account.name:
        results.append(Finding("Account", State.OK, f"Signed in as {account.name}."))
    else:
        results.append(Finding("Account", State.OK, "Nobody is signed in."))
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
