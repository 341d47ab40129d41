"""What the KV map says in words."""

from __future__ import annotations

from desktop.models.monitor.frames import ChatRef
from desktop.models.monitor.kv_words import (
    block_text,
    cell_text,
    owner_name,
    percent,
    pool_text,
    rule_text,
    waste_explained,
    waste_text,
)
from tests.helpers.kv_scene import CONTEXT, KvScene


def test_a_block_says_whose_it_is_and_what_is_in_it() -> None:
    scene = KvScene(12)
    scene.ask(1, 24, shared_words=16)  # the template's 4 tokens first
    scene.ask(2, 8, shared_words=16)
    picture = scene.picture()
    first, last = picture.holders[0].blocks[0], picture.holders[0].blocks[-1]
    assert block_text(picture, first) == (
        f"Block {first}: shared by 1 Sourdough, day three, 2 Why is the sky blue?, "
        "tokens 1 to 16 of 44"
    )
    assert block_text(picture, last) == (
        f"Block {last}: 1 Sourdough, day three, tokens 33 to 44 of 44"
    )
    free = picture.kinds.index(0)
    assert block_text(picture, free) == f"Block {free}: free"
    scene.end("request-1")
    scene.end("request-2")
    picture = scene.picture()
    assert block_text(picture, first).startswith(f"Block {first}: cached for reuse, last of ")
    assert pool_text(picture) == "12 blocks: 0 in use, 0 of them shared, 2 cached, 10 free"
    assert waste_text(picture.waste) == "Nothing is held, nothing is wasted"


def test_where_the_order_of_blocks_is_not_known_no_tokens_are_told() -> None:
    scene = KvScene(12)
    scene.ask(1, 24)
    scene.ask(2, 24)
    scene.owners["request-2"] = scene.owners["request-1"]
    picture = scene.picture()
    (owner,) = picture.holders
    assert block_text(picture, owner.blocks[0]) == (
        f"Block {owner.blocks[0]}: 1 Sourdough, day three"
    )


def test_many_who_share_are_cut_short() -> None:
    scene = KvScene(40)
    for number in range(1, 8):
        scene.ask(number, 4, shared_words=16)
    picture = scene.picture()
    text = block_text(picture, picture.holders[0].blocks[0])
    assert "5 Trip to Trieste" not in text
    assert ", 3 more" in text


def test_a_cell_of_several_blocks_counts_them() -> None:
    scene = KvScene(12)
    scene.ask(1, 24)
    picture = scene.picture()
    assert cell_text(picture, range(0, 8)) == (
        "Blocks 0 to 7: 2 in use, 0 cached, 6 free; 1 Sourdough, day three"
    )
    assert cell_text(picture, range(11, 12)) == "Block 11: free"


def test_the_waste_stands_beside_that_of_one_piece() -> None:
    scene = KvScene(1000)
    for number in range(1, 5):
        scene.ask(number, 800)
    picture = scene.picture()
    assert waste_text(picture.waste) == "1.5 % unused; one piece per chat would waste 90 %"
    explained = waste_explained(picture, CONTEXT)
    assert "at most 15 of them" in explained
    assert "8,192 tokens here" in explained
    assert "61.8 to 79.6 %" in explained
    assert "8,192" not in waste_explained(picture, 0)


def test_names_and_rules() -> None:
    assert owner_name(ChatRef("7", "")) == "Chat without a title"
    assert owner_name(ChatRef("", "")) == "Inglenook itself"
    assert rule_text(1, 16) == "1 cell = 1 block of 16 tokens"
    assert rule_text(4) == "1 cell = 4 blocks"
    assert percent(None) == "–"
    assert percent(0.0342) == "3.4 %"
