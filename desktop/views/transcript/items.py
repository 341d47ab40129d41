"""The messages of a page; what is kept for showing one is made when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import overload

from desktop.chats.chat import Message
from desktop.views.transcript.message_item import MessageItem
from desktop.views.transcript.page import Page


class Items(Sequence[MessageItem]):
    """All messages from top to bottom, each brought to the current page when it is taken.

    Ten thousand of them cost a list and their estimated heights: no message is looked at
    before it is near the view.

    Attributes:
        page: the current one.
        unfolded: ids of the messages whose thought is shown.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.unfolded: set[str] = set()
        self._messages: list[Message] = []
        self._index: dict[str, int] = {}
        self._made: dict[int, MessageItem] = {}

    def replace(self, messages: Iterable[Message]) -> None:
        """Hold these. What was made for messages that stay is kept."""
        made = {item.message.id: item for item in self._made.values()}
        self._messages = list(messages)
        self._index = {message.id: index for index, message in enumerate(self._messages)}
        self._made = {}
        for message_id, item in made.items():
            index = self._index.get(message_id)
            if index is not None:
                message = self._messages[index]
                if message.role == item.message.role:
                    item.update(message)
                    self._made[index] = item

    def append(self, message: Message) -> None:
        """Add one below."""
        self._index[message.id] = len(self._messages)
        self._messages.append(message)

    def index_of(self, message_id: str) -> int:
        """Where a message stands.

        Raises:
            KeyError: it is not here.
        """
        return self._index[message_id]

    def has(self, message_id: str) -> bool:
        """Whether there is a message of this id."""
        return message_id in self._index

    def update(self, index: int, message: Message) -> None:
        """A message has a new state."""
        self._messages[index] = message
        item = self._made.get(index)
        if item is not None:
            item.update(message)

    def message(self, index: int) -> Message:
        """A message as it was handed in last: its texts may be behind those of its item."""
        return self._messages[index]

    @property
    def messages(self) -> Sequence[Message]:
        """All of them, likewise."""
        return self._messages

    def made(self) -> Iterable[MessageItem]:
        """Those that were looked at."""
        return self._made.values()

    def heights(self) -> list[int]:
        """The height of each on the current page, in pixels: estimates, all at once."""
        page = self.page
        line, columns, around = page.line, page.columns, page.head + page.foot
        heights = [
            ((len(message.content) + columns) // columns) * line + around
            for message in self._messages
        ]
        for index, item in self._made.items():
            old = item.page
            if old is page:
                heights[index] = item.height
            else:
                ratio = old.width / max(page.width, 1) * page.line / old.line
                heights[index] = max(1, round(item.height * ratio))
        return heights

    def height(self, index: int) -> int:
        """The height of one, in pixels; an estimate as long as nobody looked at it."""
        if index in self._made:
            return self[index].height
        page = self.page
        return page.height_of_text(self._messages[index].content) + page.head + page.foot

    def passing(self, index: int) -> MessageItem:
        """A message that is read once, all of it, and not kept for that."""
        if index in self._made:
            item = self[index]
        else:
            message = self._messages[index]
            item = MessageItem(message, self.page)
            item.unfolded = message.id in self.unfolded
        item.read_all()
        return item

    def __len__(self) -> int:
        return len(self._messages)

    @overload
    def __getitem__(self, index: int) -> MessageItem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[MessageItem]: ...
    def __getitem__(self, index: int | slice) -> MessageItem | Sequence[MessageItem]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self._messages)
        item = self._made.get(index)
        if item is None:
            message = self._messages[index]
            item = self._made[index] = MessageItem(message, self.page)
            item.unfolded = message.id in self.unfolded
        elif item.page is not self.page:
            item.set_page(self.page)
        return item
