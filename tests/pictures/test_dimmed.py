"""Places that are not legal now are dimmed by the client: their letters stay readable."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from cartulary.pictures.colours import COLOURS
from tests.pictures.contrast import Colour, contrast, parse_colour

STYLE: Final = Path(__file__).parents[2] / "web" / "css" / "board.css"
RULES: Final = r"\.dimmed \{\s*opacity: ([\d.]+);\s*filter: grayscale\(([\d.]+)\);"
LEAST: Final = 3.0
PAIRS: Final = (
    *(("dark", card) for card in ("neutral", "fixed", "craft_wood", "craft_stone")),
    *(("dark", card) for card in ("residence", "prestige", "merlon")),
    *(("ink", ground) for ground in ("panel", "well", "page")),
    *(("soft", ground) for ground in ("panel", "well", "page")),
)
"""Letters and what they stand on."""


def colour(name: str, theme: int) -> Colour:
    return parse_colour(COLOURS[name][theme])


def dim(of: Colour, ground: Colour) -> Colour:
    """Return what is seen of a colour in a dimmed place: first grey, then faded."""
    rules = re.search(RULES, STYLE.read_text())
    assert rules is not None
    opacity, grey = map(float, rules.groups())
    middle = 0.2126 * of[0] + 0.7152 * of[1] + 0.0722 * of[2]
    greyer = (v + (middle - v) * grey for v in of)
    return tuple(v * opacity + g * (1 - opacity) for v, g in zip(greyer, ground, strict=True))


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("letters", "on"), PAIRS)
def test_letters_of_a_dimmed_place_have_contrast(letters: str, on: str, theme: int) -> None:
    ground = colour("page", theme)
    seen = [dim(colour(name, theme), ground) for name in (letters, on)]
    assert contrast(*seen) >= LEAST
