"""What a search of the hub can be limited to, and what each limit is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.models.library import hub_words

if TYPE_CHECKING:
    from engine.store.hub.messages import Filters

translate = QCoreApplication.translate

GIB: Final = 1024**3
SIZES: Final = tuple(size * GIB for size in (2, 4, 8, 12, 16, 24, 48, 96))
CONTEXTS: Final = (8_192, 16_384, 32_768, 65_536, 131_072)
# As the hub names them. The first group asks for no more than to be named.
FREE_LICENCES: Final = (
    "apache-2.0",
    "mit",
    "bsd-2-clause",
    "bsd-3-clause",
    "cc0-1.0",
    "unlicense",
)
LICENCES: Final = (
    "apache-2.0",
    "mit",
    "llama3.1",
    "llama3.2",
    "llama3.3",
    "gemma",
    "cc-by-4.0",
    "cc-by-nc-4.0",
    "other",
)
LANGUAGES: Final = (
    *("en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "ru", "uk", "tr"),
    *("ar", "he", "fa", "hi", "bn", "th", "vi", "id", "zh", "ja", "ko"),
)


def format_texts() -> dict[str, str]:
    """Each format with what it is, the preferred one first."""
    from engine.store.hub.messages import FORMATS

    what = {
        "awq": translate("FilterWords", "AWQ: 4 bits, the fastest here"),
        "fp8": translate("FilterWords", "FP8: 8 bits, for newer GPUs"),
        "gptq": translate("FilterWords", "GPTQ: 4 bits"),
        "w4a16": translate("FilterWords", "W4A16: 4 bits (compressed tensors)"),
        "bf16": translate("FilterWords", "BF16: as it was made, 16 bits"),
        "gguf": translate("FilterWords", "GGUF: of llama.cpp"),
    }
    return {name: what.get(name, hub_words.format_name(name)) for name in FORMATS}


def sort_texts() -> dict[str, str]:
    """Each order."""
    from engine.store.hub.messages import SORTS

    what = {
        "fit": translate("FilterWords", "Best that fits"),
        "downloads": translate("FilterWords", "Most downloaded"),
        "likes": translate("FilterWords", "Most liked"),
        "date": translate("FilterWords", "Newest"),
        "trending": translate("FilterWords", "Trending"),
    }
    return {name: what.get(name, name) for name in SORTS}


def size_limit(size: int) -> str:
    """A limit of size."""
    return translate("FilterWords", "up to {size} GiB").format(size=size // GIB)


def context_limit(tokens: int) -> str:
    """A limit of context."""
    return translate("FilterWords", "{count}k tokens or more").format(count=tokens // 1024)


def licence_text(licences: tuple[str, ...]) -> str:
    """A limit of licence."""
    if licences == FREE_LICENCES:
        return translate("FilterWords", "free for any use")
    if licences == ("other",):
        return translate("FilterWords", "one of its own")
    return ", ".join(hub_words.licence_name(one) for one in licences)


def language_text(code: str) -> str:
    """A language by its own name."""
    name = QLocale(code).nativeLanguageName()
    return name[:1].upper() + name[1:] if name else code


def set_limits(filters: Filters) -> int:
    """How many limits are set."""
    return sum(
        bool(value)
        for value in (
            filters.formats,
            filters.max_bytes,
            filters.min_context,
            filters.licences,
            filters.languages,
            filters.fits_only,
            filters.author,
        )
    )
