"""Would these models fit? Their shapes are fetched lazily, kept by commit, and planned for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.failure_words import words
from engine.planner.folder_reader import CONFIG_BYTES
from engine.planner.learned import Learned
from engine.planner.model_shape import ModelShape
from engine.store.hub import shapes
from engine.store.hub.asking import asking, check_names
from engine.store.hub.call import Call, call_here
from engine.store.hub.choice import choose, variants
from engine.store.hub.errors import HubError
from engine.store.hub.formats import why_not
from engine.store.hub.known_shapes import LASTING, Known
from engine.store.hub.listing import fetch_listing
from engine.store.hub.memory import Memory, the_memory
from engine.store.hub.messages import Judge, Verdict
from engine.store.hub.records import Variant
from engine.store.hub.repo_files import RepoFiles
from engine.store.hub.verdicts import verdict

MOST_REPOS: Final = 500
_NOTHING = words("{repo} has nothing that can be loaded here.")


def judge(request: Judge, memory: Memory | None = None) -> Iterator[Verdict]:
    """The verdicts of a request, one after the other; for several at once see `desk`."""
    learned = Learned.from_json(request.learned_json) if request.learned_json else Learned()
    for repo in request.repos[:MOST_REPOS]:
        yield judge_one(request, repo, learned, memory or the_memory())


def judge_one(
    request: Judge, repo: str, learned: Learned, memory: Memory, call: Call | None = None
) -> Verdict:
    """The verdict on one model. Never raises but for "cancelled": what went wrong is in it."""
    try:
        known = know(repo, memory=memory, call=call)
    except HubError as error:
        if error.code == "cancelled":
            raise
        return Verdict(id=request.id, repo=repo, code=error.code, text=error.text)
    if known.shape is None:
        return Verdict(
            id=request.id, repo=repo, commit=known.commit, code=known.code, text=known.text
        )
    return verdict(
        request.id,
        repo,
        known.shape,
        request.machine,
        learned,
        commit=known.commit,
        why_not=reason_against(known),
    )


def know(
    repo: str,
    *,
    revision: str = "",
    variant: str = "",
    endpoint: str = "",
    memory: Memory | None = None,
    call: Call | None = None,
) -> Known:
    """What is known of a model, fetched where nothing is yet.

    Args:
        revision: a branch, a tag or a commit; by default what the last search told of it.
        variant: of a repository of GGUF files; "" is the first.

    Raises:
        HubError: it could not be had now; what never can be is in the answer.
    """
    check_names(repo, revision or "main")
    memory = memory or the_memory()
    asked = call or call_here() or shapes.shape_call(endpoint)
    revision = revision or memory.commit_of(asked.endpoint, repo) or "main"
    place = f"{repo}:{variant}" if variant else repo
    found = memory.shapes.find(asked.endpoint, place, revision)
    if found is not None:
        return found
    with asking(call=asked):
        files = RepoFiles(repo, revision)
        try:
            known = _fetch(files, revision, variant, place, memory, asked)
        except HubError as error:
            if error.code not in LASTING or not files.commit:
                raise
            known = Known(files.commit, None, error.code, error.text)
    memory.shapes.keep(asked.endpoint, place, known)
    memory.note_commit(asked.endpoint, repo, known.commit)
    return known


def _fetch(
    files: RepoFiles, revision: str, variant: str, place: str, memory: Memory, call: Call
) -> Known:
    config = files.json_file("config.json", CONFIG_BYTES)
    found = memory.shapes.find(call.endpoint, place, files.commit)
    if found is not None:
        return found
    if config is not None and not variant:
        headers = shapes.read_headers(files)
        if headers is not None:
            shape = shapes.shape_with(config, headers, files.repo)
            return _known(files.commit, shape, config)
    listing = fetch_listing(files.repo, files.commit or revision, call.endpoint)
    files.commit = listing.commit
    held = variants(listing)
    chosen = next((each for each in held if each.name.lower() == variant.lower()), None)
    chosen = chosen or next(iter(held), None)
    if chosen is None:
        text = choose(listing).problem or _NOTHING.format(repo=files.repo)
        raise HubError("no_weights", text)
    if chosen.format == "gguf":
        return _known_gguf(files, config, chosen, listing.base_model)
    if config is None:
        raise HubError("no_config", choose(listing).problem or _NOTHING.format(repo=files.repo))
    shape = shapes.shape_with(config, shapes.headers_of(files, chosen.files), files.repo)
    return _known(files.commit, shape, config)


def _known_gguf(
    files: RepoFiles, config: Mapping[str, Any] | None, chosen: Variant, base_model: str
) -> Known:
    """A GGUF file: by the config.json beside it, its base model's, or its own head."""
    for told in _configs(config, base_model):
        shape = shapes.gguf_shape_by_config(told, chosen.bytes)
        if shape.layers and shape.hidden and shape.vocab:
            break
    else:
        shape = shapes.read_gguf_shape(files, chosen.files[0], chosen.bytes)
    return Known(files.commit, replace(shape, name=files.repo), variant=chosen.name)


def _configs(config: Mapping[str, Any] | None, base_model: str) -> Iterator[Mapping[str, Any]]:
    if config is not None:
        yield config
    if base_model:
        try:
            told = RepoFiles(base_model, "main").json_file("config.json", CONFIG_BYTES)
        except HubError as error:
            if error.code in {"cancelled", "timeout"}:
                raise
            return  # gated, often: the file itself tells as well
        if told is not None:
            yield told


def _known(commit: str, shape: ModelShape, config: Mapping[str, Any]) -> Known:
    told = config.get("quantization_config")
    method = told.get("quant_method") if isinstance(told, Mapping) else ""
    return Known(
        commit,
        shape,
        method=method[:40] if isinstance(method, str) else "",
        own_code="auto_map" in config,
    )


def reason_against(known: Known) -> str:
    """Why this engine cannot load what is known, in words; "" where it can."""
    return why_not(
        architecture=known.shape.architecture if known.shape is not None else "",
        method=known.method,
        tags=(),
        library="",
        form="gguf" if known.variant else "",
        own_code=known.own_code,
    )
