"""What the KV map says in words: of a block, of the pool, of its waste."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.models.monitor.frames import ChatRef
from desktop.models.monitor.kv_books import CACHED, FREE, SHARED, KvPicture, Owner
from desktop.models.monitor.kv_waste import KvWaste
from desktop.models.number_text import decimal, whole

translate = QCoreApplication.translate

_MOST_NAMED = 4  # holders of one block


def owner_name(ref: ChatRef) -> str:
    """A chat by its title."""
    if ref.title:
        return ref.title
    if ref.chat_id:
        return translate("KvMap", "Chat without a title")
    return translate("KvMap", "Inglenook itself")


def known_owners(picture: KvPicture) -> dict[int, Owner]:
    """Those that a picture speaks of, by their numbers."""
    return {owner.number: owner for owner in (*picture.remembered, *picture.holders)}


def percent(share: float | None, digits: int = 1) -> str:
    """A share of 1, as "3.4 %"; a dash where there is none."""
    if share is None:
        return "–"
    return translate("KvMap", "{number} %").format(number=decimal(100 * share, digits))


def rule_text(group: int, block_size: int | None = None) -> str:
    """What a cell of the map stands for; without a block's size where there is little room."""
    if block_size is None:
        if group == 1:
            return translate("KvMap", "1 cell = 1 block")
        return translate("KvMap", "1 cell = {blocks} blocks").format(blocks=whole(group))
    if group == 1:
        return translate("KvMap", "1 cell = 1 block of {tokens} tokens").format(
            tokens=whole(block_size)
        )
    return translate("KvMap", "1 cell = {blocks} blocks of {tokens} tokens").format(
        blocks=whole(group), tokens=whole(block_size)
    )


def idle_text(group: int) -> str:
    """What is said below the map while nothing is pointed at."""
    if group > 1:
        return translate("KvMap", "A cell shows its busiest block")
    return translate("KvMap", "Point at a block to see whose it is")


def block_text(picture: KvPicture, block: int) -> str:
    """A block in a line: its number, its state, whose it is, which tokens are in it."""
    number = translate("KvMap", "Block {number}").format(number=whole(block))
    kind = picture.kinds[block]
    if kind == FREE:
        return translate("KvMap", "{block}: free").format(block=number)
    if kind == CACHED:
        owner = known_owners(picture).get(picture.owners[block])
        if owner is None:
            return translate(
                "KvMap", "{block}: cached for reuse, of a chat that is not known"
            ).format(block=number)
        return translate("KvMap", "{block}: cached for reuse, last of {chat}").format(
            block=number, chat=_labelled(owner)
        )
    holders = picture.holders_of(block)
    if kind == SHARED and len(holders) > 1:
        text = translate("KvMap", "{block}: shared by {chats}").format(
            block=number, chats=names_text(holders)
        )
    elif kind == SHARED:
        text = translate("KvMap", "{block}: shared by several answers of {chat}").format(
            block=number, chat=names_text(holders)
        )
    else:
        text = translate("KvMap", "{block}: {chat}").format(block=number, chat=names_text(holders))
    tokens = tokens_text(picture, holders, block)
    return f"{text}, {tokens}" if tokens else text


def cell_text(picture: KvPicture, blocks: range) -> str:
    """What a cell of several blocks says; see `block_text` for one."""
    if len(blocks) == 1:
        return block_text(picture, blocks.start)
    held = sum(picture.kinds[block] > CACHED for block in blocks)
    cached = sum(picture.kinds[block] == CACHED for block in blocks)
    owners = known_owners(picture)
    numbers = dict.fromkeys(picture.owners[block] for block in blocks)
    found = tuple(owners[number] for number in numbers if number in owners)
    text = translate(
        "KvMap", "Blocks {first} to {last}: {held} in use, {cached} cached, {free} free"
    ).format(
        first=whole(blocks.start),
        last=whole(blocks.stop - 1),
        held=whole(held),
        cached=whole(cached),
        free=whole(len(blocks) - held - cached),
    )
    return f"{text}; {names_text(found)}" if found else text


def names_text(owners: tuple[Owner, ...]) -> str:
    """Owners by number and title, those that are many cut short."""
    names = [_labelled(owner) for owner in owners[:_MOST_NAMED]]
    more = len(owners) - len(names)
    if more > 0:
        names.append(translate("KvMap", "{number} more").format(number=whole(more)))
    return ", ".join(names)


def tokens_text(picture: KvPicture, holders: tuple[Owner, ...], block: int) -> str:
    """Which tokens of its text a block has; nothing where that is not to be told.

    A chat with several answers at a time has no one order of blocks, and a model with several
    kinds of layers lists its blocks kind after kind.
    """
    size = picture.block_size
    for owner in holders:
        if len(owner.requests) != 1 or abs(len(owner.blocks) * size - owner.tokens) > 2 * size:
            continue
        first = owner.blocks.index(block) * size
        last = min(first + size, owner.tokens)
        if last <= first:
            return translate("KvMap", "no token yet")
        return translate("KvMap", "tokens {first} to {last} of {total}").format(
            first=whole(first + 1), last=whole(last), total=whole(owner.tokens)
        )
    return ""


def pool_text(picture: KvPicture) -> str:
    """The pool in a sentence, for who does not see the map."""
    return translate(
        "KvMap",
        "{total} blocks: {used} in use, {shared} of them shared, {cached} cached, {free} free",
    ).format(
        total=whole(picture.total),
        used=whole(picture.used),
        shared=whole(picture.shared),
        cached=whole(picture.cached),
        free=whole(picture.free),
    )


def waste_text(waste: KvWaste) -> str:
    """The waste, and what it would be without paging, in a sentence."""
    if waste.share is None:
        return translate("KvMap", "Nothing is held, nothing is wasted")
    return translate("KvMap", "{now} unused; one piece per chat would waste {before}").format(
        now=percent(waste.share), before=percent(waste.contiguous_share, 0)
    )


def waste_explained(picture: KvPicture, context: int) -> str:
    """What the two figures of the waste mean, in a few sentences.

    Args:
        context: the longest text in tokens that the model is loaded for; 0: not known.
    """
    waste = picture.waste
    text = [
        translate(
            "KvMap",
            "Blocks of {tokens} tokens are handed out as a text grows, so only the last block of "
            "a sequence has empty slots: at most {most} of them.",
        ).format(tokens=whole(picture.block_size), most=whole(picture.block_size - 1))
    ]
    if waste.sequences:
        text.append(
            translate(
                "KvMap", "Now {unused} of {slots} slots are empty, {each} a sequence."
            ).format(
                unused=whole(waste.unused),
                slots=whole(waste.slots),
                each=decimal(waste.per_sequence or 0.0),
            )
        )
    text.append(
        translate(
            "KvMap",
            "Without paging each sequence would get one piece of memory for the longest text it "
            "may become ({context}), whatever its length.",
        ).format(
            context=translate("KvMap", "{tokens} tokens here").format(tokens=whole(context))
            if context
            else translate("KvMap", "the whole context")
        )
    )
    text.append(
        translate(
            "KvMap",
            "Both are shares of the KV memory in use, not of all the card's memory. The paper on "
            "PagedAttention (Kwon and others, SOSP 2023) measured 61.8 to 79.6 % before and 3.7 % "
            "with paging. The gain is room for more chats at once; a single chat is no faster.",
        )
    )
    return "\n\n".join(text)


def _labelled(owner: Owner) -> str:
    return f"{owner.number} {owner_name(owner.ref)}"
