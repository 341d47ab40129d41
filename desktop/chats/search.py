"""What is searched for and what is found: frozen values, no SQL.

The words of a query must all occur in one message, in any order; the last one may be the
beginning of a word, as it is still being typed. Case and accents make no difference. What
an answer was reasoned from is not searched: it is folded away, and would drown the answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.chats.chat import Role


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is searched for.

    Attributes:
        text: as typed; anything at all. Nothing but spaces finds nothing.
        chat_id: in this chat alone; "" for all.
        folder: in this folder alone; "" for chats outside of any, None for all.
        model: answers of this model alone; "" for all messages.
        since, until: seconds since the epoch, both included; None for no limit.
        limit: how many hits are wanted, the best ones.
    """

    text: str
    chat_id: str = ""
    folder: str | None = None
    model: str = ""
    since: float | None = None
    until: float | None = None
    include_archived: bool = True
    limit: int = 50


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A message that was found, or a chat by its title.

    Attributes:
        message_id: "" where the title was found; `snippet` is the title then, and `role`
            is SYSTEM.
        created: seconds since the epoch.
        snippet: one line around the words found, with "…" where something is left out.
        marks: (start, end) of the words found in `snippet`, in characters of Python's.
        model: that answered; "" for the user's own messages.
        words: that were looked for; not all of them need to stand in `snippet`.
    """

    chat_id: str
    chat_title: str
    message_id: str
    role: Role
    created: float
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()
    model: str = ""
    folder: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The best hits of a search, titles first.

    Attributes:
        total_is_exact: whether `total` is all that there is; else it is at least that much,
            and the hits are the best among the newest messages.
        total: how many messages and titles were found.
    """

    hits: tuple[SearchHit, ...] = ()
    total_is_exact: bool = True
    total: int = 0
