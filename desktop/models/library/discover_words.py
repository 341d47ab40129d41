"""What stands above the list of Discover: classes of the starter list, what was found or not."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from desktop.models.loading.size_text import count_text

translate = QCoreApplication.translate


def starter_lead(*, has_limits: bool) -> tuple[str, str]:
    """Title and words of the starter list.

    Args:
        has_limits: limits of the last start stand above it, which it does not go by.
    """
    words = translate(
        "DiscoverWords",
        "Well-known, openly licensed, in builds that this program runs best. The list is here "
        "without a network; the files come from the hub when you download one.",
    )
    if has_limits:
        limits = translate("DiscoverWords", "Your limits count from the first search on.")
        words = f"{words} {limits}"
    return translate("DiscoverWords", "Good models to begin with"), words


def found_text(count: int, left_out: int, note: str, *, goes_on: bool) -> str:
    """How much was found, and what was passed over."""
    words = (
        translate("DiscoverWords", "%n model(s) so far", "", count)
        if goes_on
        else translate("DiscoverWords", "%n model(s)", "", count)
    )
    if left_out:
        words += " · " + translate(
            "DiscoverWords", "{count} left out that would not run or are not wanted"
        ).format(count=count_text(left_out))
    return f"{words} · {note}" if note else words


def empty_text(left_out: int, *, has_limits: bool) -> str:
    """Why nothing is shown."""
    if left_out:
        words = translate("DiscoverWords", "The hub has %n model(s) by these words", "", left_out)
        return words + (
            translate("DiscoverWords", ", but none within your limits that this program can run.")
            if has_limits
            else translate(
                "DiscoverWords",
                ", but none that this program can run: they make pictures or sounds, or come in a "
                "format of another program.",
            )
        )
    if has_limits:
        return translate(
            "DiscoverWords", "No model on the hub goes by these words within your limits."
        )
    return translate(
        "DiscoverWords", "No model on the hub goes by these words. Fewer words find more."
    )


def size_headings() -> dict[str, str]:
    """What the size classes of the starter list are called, in order."""
    return {
        "small": translate("DiscoverWords", "Small: for 8 GB of GPU memory, or the processor"),
        "medium": translate("DiscoverWords", "Medium: for 16 GB of GPU memory"),
        "large": translate("DiscoverWords", "Large: for 24 GB of GPU memory and more"),
    }


def use_texts() -> dict[str, str]:
    """What models of the starter list are good at."""
    return {
        "chat": translate("DiscoverWords", "Chat"),
        "code": translate("DiscoverWords", "Code"),
        "reasoning": translate("DiscoverWords", "Reasoning"),
        "multilingual": translate("DiscoverWords", "Languages"),
    }


def uses_text(uses: Iterable[str]) -> str:
    """All that a model is good at, in a line."""
    texts = use_texts()
    return ", ".join(texts[use] for use in uses if use in texts)
