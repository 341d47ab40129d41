"""The colours of chats, as eyes see them that have all cones, and those that lack one kind."""

from __future__ import annotations

from itertools import combinations

import pytest

from desktop.theme.tokens import CONTRAST, DARK, LIGHT, Theme

Vector = tuple[float, ...]
Matrix = tuple[Vector, ...]

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency" (2009), severity 1, on linear RGB.
EYES: dict[str, Matrix] = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Ottosson, "A perceptual color space for image processing" (2020).
LMS: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
LEAST_DISTANCE = 0.12  # in OKLab; Okabe's and Ito's eight keep 0.09


def times(matrix: Matrix, vector: Vector) -> Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def linear(colour: str) -> Vector:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def seen(colour: str, eyes: Matrix) -> Vector:
    light = tuple(min(1.0, max(0.0, part)) for part in times(eyes, linear(colour)))
    return times(LAB, tuple(part ** (1 / 3) for part in times(LMS, light)))


def distance(one: Vector, other: Vector) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)


def contrast(one: str, other: str) -> float:
    low, high = sorted(
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(each), strict=True))
        for each in (one, other)
    )
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("look", [LIGHT, DARK, CONTRAST], ids=lambda look: look.name)
def test_chats_are_told_apart(look: Theme, eyes: str) -> None:
    for one, other in combinations(look.chats, 2):
        far = distance(seen(one, EYES[eyes]), seen(other, EYES[eyes]))
        assert far >= LEAST_DISTANCE, (one, other)


@pytest.mark.parametrize("look", [LIGHT, DARK, CONTRAST], ids=lambda look: look.name)
def test_chats_are_seen_on_their_ground(look: Theme) -> None:
    for colour in look.chats:
        for ground in ("page", "sidebar", "ground"):
            assert contrast(colour, getattr(look, ground)) >= 3, (colour, ground)


@pytest.mark.parametrize("look", [LIGHT, DARK, CONTRAST], ids=lambda look: look.name)
def test_a_number_can_be_read_on_its_colour(look: Theme) -> None:
    for number in range(1, len(look.chats) + 1):
        colour, ink = look.chat_colour(number).name(), look.chat_ink(number).name()
        assert contrast(colour, ink) >= 4.5, colour


def test_colours_come_round_again_and_nobody_has_none_of_them() -> None:
    for look in (LIGHT, DARK, CONTRAST):
        assert look.chat_colour(1) == look.chat_colour(1 + len(look.chats))
        assert look.chat_colour(0).name() not in look.chats
