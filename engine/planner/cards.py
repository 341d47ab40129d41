"""NVIDIA's cards by name: memory, CUDA capability, and bandwidth, which bounds the speed.

From the makers' data sheets; memory in GB as sold, bandwidth in GB/s (10^9).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Card:
    """One model of card. `bandwidth` in bytes/s."""

    name: str
    gigabytes: float
    capability: tuple[int, int]
    bandwidth: float


# name | GB | capability | GB/s; where a name was sold with several sizes, the commonest first.
_TABLE: Final = """
GTX 1060 6GB|6|6.1|192
GTX 1070|8|6.1|256
GTX 1080|8|6.1|320
GTX 1080 Ti|11|6.1|484
GTX 1650|4|7.5|128
GTX 1660|6|7.5|192
GTX 1660 SUPER|6|7.5|336
GTX 1660 Ti|6|7.5|288
RTX 2060|6|7.5|336
RTX 2060 SUPER|8|7.5|448
RTX 2070|8|7.5|448
RTX 2070 SUPER|8|7.5|448
RTX 2080|8|7.5|448
RTX 2080 SUPER|8|7.5|496
RTX 2080 Ti|11|7.5|616
TITAN RTX|24|7.5|672
RTX 3050|8|8.6|224
RTX 3050 Laptop|4|8.6|192
RTX 3060|12|8.6|360
RTX 3060 Laptop|6|8.6|336
RTX 3060 Ti|8|8.6|448
RTX 3070|8|8.6|448
RTX 3070 Laptop|8|8.6|448
RTX 3070 Ti|8|8.6|608
RTX 3080|10|8.6|760
RTX 3080 Laptop|16|8.6|448
RTX 3080 Ti|12|8.6|912
RTX 3090|24|8.6|936.2
RTX 3090 Ti|24|8.6|1008
RTX 4050 Laptop|6|8.9|192
RTX 4060|8|8.9|272
RTX 4060 Laptop|8|8.9|256
RTX 4060 Ti|8|8.9|288
RTX 4060 Ti 16GB|16|8.9|288
RTX 4070|12|8.9|504
RTX 4070 Laptop|8|8.9|256
RTX 4070 SUPER|12|8.9|504
RTX 4070 Ti|12|8.9|504
RTX 4070 Ti SUPER|16|8.9|672
RTX 4080|16|8.9|716.8
RTX 4080 Laptop|12|8.9|432
RTX 4080 SUPER|16|8.9|736
RTX 4090|24|8.9|1008
RTX 4090 D|24|8.9|1008
RTX 4090 Laptop|16|8.9|576
RTX 5050|8|12.0|320
RTX 5060|8|12.0|448
RTX 5060 Ti|16|12.0|448
RTX 5060 Ti 8GB|8|12.0|448
RTX 5070|12|12.0|672
RTX 5070 Ti|16|12.0|896
RTX 5080|16|12.0|960
RTX 5090|32|12.0|1792
RTX 5090 D|32|12.0|1792
RTX 5090 Laptop|24|12.0|896
RTX 4000|8|7.5|416
RTX 5000|16|7.5|448
RTX 6000|24|7.5|672
RTX 8000|48|7.5|672
RTX A2000|12|8.6|288
RTX A4000|16|8.6|448
RTX A4500|20|8.6|640
RTX A5000|24|8.6|768
RTX A5500|24|8.6|768
RTX A6000|48|8.6|768
RTX 2000 Ada|16|8.9|224
RTX 4000 Ada|20|8.9|360
RTX 4000 SFF Ada|20|8.9|280
RTX 4500 Ada|24|8.9|432
RTX 5000 Ada|32|8.9|576
RTX 6000 Ada|48|8.9|960
RTX PRO 4000 Blackwell|24|12.0|672
RTX PRO 4500 Blackwell|32|12.0|896
RTX PRO 5000 Blackwell|48|12.0|1344
RTX PRO 6000 Blackwell|96|12.0|1792
P4|8|6.1|192
P40|24|6.1|346
P100|16|6.0|732
V100|16|7.0|900
V100 32GB|32|7.0|900
TITAN V|12|7.0|653
T4|16|7.5|320
A2|16|8.6|200
A10|24|8.6|600
A16|16|8.6|200
A30|24|8.0|933
A40|48|8.6|696
A100|40|8.0|1555
A100 80GB|80|8.0|1935
A100 SXM4 80GB|80|8.0|2039
L4|24|8.9|300
L40|48|8.9|864
L40S|48|8.9|864
H100|80|9.0|3350
H100 PCIe|80|9.0|2039
H100 NVL|94|9.0|3938
H200|141|9.0|4800
GH200 480GB|96|9.0|4000
B200|180|10.0|8000
GB10|128|12.1|273
"""


def _read_table() -> dict[str, Card]:
    cards = {}
    for line in _TABLE.split("\n"):
        if line:
            name, size, capability, bandwidth = line.split("|")
            major, minor = capability.split(".")
            card = Card(name, float(size), (int(major), int(minor)), float(bandwidth) * 1e9)
            cards[_words(name)] = card
    return cards


_NOISE = re.compile(r"\b(nvidia|geforce|tesla|quadro|generation|workstation|edition|gpu)\b")


def _words(name: str) -> str:
    spaced = re.sub(r"[^a-z0-9]+", " ", name.lower())
    return " ".join(_NOISE.sub(" ", spaced).split())


CARDS: Final = _read_table()


def find_card(name: str) -> Card | None:
    """The card that a driver's or a user's name means ("NVIDIA GeForce RTX 3090", "3090")."""
    words = _words(name)
    if not words:
        return None
    padded = f" {words} "
    best = max(
        (key for key in CARDS if f" {key} " in padded), key=lambda key: len(key), default=None
    )
    if best is None:
        best = next((key for key in CARDS if key.partition(" ")[2] == words), None)
    if best is None:  # "A100-SXM4-80GB": all words of it, with others between
        there = set(words.split())
        best = max(
            (key for key in CARDS if set(key.split()) <= there),
            key=lambda key: len(key),
            default=None,
        )
    return CARDS[best] if best else None


def bandwidth_of(name: str) -> float | None:
    """A card's memory bandwidth in bytes/s by its name; None where it is not in the table."""
    card = find_card(name)
    return card.bandwidth if card else None
