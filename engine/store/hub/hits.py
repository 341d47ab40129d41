"""From an entry of the hub's list to a `Hit`, believing nothing; and what filters let pass."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from engine.planner.model_shape import ModelShape
from engine.store.hub import formats
from engine.store.hub.listing import base_model_of, count, gating, licence_of, plain_tags
from engine.store.hub.messages import Filters, Hit
from engine.store.hub.plain_text import one_line
from engine.store.hub_names import COMMIT, is_model_id

# What is asked of the hub for each entry.
EXPANDED: Final = (
    "author", "cardData", "config", "downloads", "gated", "gguf", "lastModified", "library_name",
    "likes", "pipeline_tag", "private", "safetensors", "sha", "tags", "trendingScore",
)  # fmt: skip
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}", re.ASCII)
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d)", re.ASCII)


def read_hit(told: Any) -> Hit | None:
    """The model of an entry; None for what is none."""
    if not isinstance(told, Mapping):
        return None
    repo = told.get("id") or told.get("modelId")
    if not isinstance(repo, str) or not is_model_id(repo):
        return None
    config = _mapping(told.get("config"))
    card = _mapping(told.get("cardData"))
    tags = plain_tags(told.get("tags"))
    gguf = _mapping(told.get("gguf"))
    dtypes = _mapping(told.get("safetensors")).get("parameters")
    is_gguf = not dtypes and (bool(gguf) or "gguf" in tags)
    form = formats.format_of(config, tags, repo, gguf=is_gguf)
    architecture = _architecture(config)
    quantisation = _mapping(config.get("quantization_config"))
    method = one_line(quantisation.get("quant_method"), 40)
    bits = count(quantisation.get("bits")) or 4
    commit = told.get("sha")
    reason = formats.why_not(
        architecture=architecture,
        method=method,
        tags=tags,
        library=one_line(told.get("library_name"), 40),
        form=form,
        own_code="custom_code" in tags,
        task=one_line(told.get("pipeline_tag"), 40),
    )
    return Hit(
        repo=repo,
        commit=commit if isinstance(commit, str) and COMMIT.fullmatch(commit) else "",
        author=one_line(told.get("author"), 100) or repo.partition("/")[0],
        format=formats.family(form),
        size=None if is_gguf else formats.weights_bytes(dtypes),
        parameters=count(gguf.get("total")) or formats.parameters(dtypes, form, bits),
        licence=licence_of(card, tags),
        context=count(gguf.get("context_length")) or None,
        languages=_languages(card, tags),
        downloads=count(told.get("downloads")),
        likes=count(told.get("likes")),
        updated=_time(told.get("lastModified")),
        gated=gating(told.get("gated")),
        base_model=base_model_of(card, tags),
        architecture=architecture,
        runnable=not reason,
        why_not=reason,
    )


def passes(hit: Hit, filters: Filters) -> bool:
    """Whether what is known of it lets it pass; what is not known does."""
    if filters.formats and hit.format not in filters.formats:
        return False
    if filters.max_bytes is not None and (hit.size or 0) > filters.max_bytes:
        return False
    if filters.min_context is not None and hit.context and hit.context < filters.min_context:
        return False
    if filters.licences and hit.licence.lower() not in {each.lower() for each in filters.licences}:
        return False
    if filters.languages and not set(filters.languages) & set(hit.languages):
        return False
    return not filters.author or hit.author.lower() == filters.author.lower()


def with_shape(hit: Hit, shape: ModelShape) -> Hit:
    """`hit` with what its files tell more exactly."""
    import msgspec

    return msgspec.structs.replace(
        hit,
        size=shape.weights_bytes,
        context=shape.context or hit.context,
        parameters=shape.parameters or hit.parameters,
        format=formats.family(shape.unpacked_from or shape.format),
        architecture=hit.architecture or shape.architecture,
    )


def _mapping(told: Any) -> Mapping[str, Any]:
    return told if isinstance(told, Mapping) else {}


def _architecture(config: Mapping[str, Any]) -> str:
    names = config.get("architectures")
    return one_line(names[0], 100) if isinstance(names, list) and names else ""


def _languages(card: Mapping[str, Any], tags: tuple[str, ...]) -> tuple[str, ...]:
    told = card.get("language")
    names = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    found = [str(name).lower() for name in names] + [tag for tag in tags if len(tag) == 2]
    return tuple(dict.fromkeys(name for name in found if _LANGUAGE.fullmatch(name)))[:40]


def _time(told: Any) -> str:
    return told if isinstance(told, str) and _TIME.fullmatch(told) else ""
