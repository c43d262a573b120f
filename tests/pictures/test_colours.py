"""Text is legible in both themes, and seats stay apart for every kind of eye."""

from __future__ import annotations

import itertools

import pytest

from cartulary.pictures.colours import DARK, LIGHT, SEATS, theme_colours
from cartulary.pictures.seats import SHAPES
from tests.pictures.contrast import contrast, parse_colour

AA = 4.5

GROUNDS = ("page", "panel", "well")
CARDS = (*("neutral2", "fixed2", "craft_wood2", "craft_stone2", "residence2", "prestige2"),)
BANDS = ("neutral", "fixed", "craft_wood", "craft_stone", "residence", "prestige")

#: Ink, and what it is written on anywhere in the pictures.
TEXT = [
    *[("ink", ground) for ground in (*GROUNDS, *CARDS)],
    *[("soft", ground) for ground in GROUNDS],
    *[("accent", ground) for ground in GROUNDS],
    *[("dark", ground) for ground in (*BANDS, "coin", "merlon")],
    ("white", "laurel"),
]


def contrast_of(one: str, other: str) -> float:
    return contrast(parse_colour(one), parse_colour(other))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_stands_out_from_its_ground(theme: int, ink: str, ground: str) -> None:
    colours = theme_colours(theme)
    assert contrast_of(colours[ink], colours[ground]) >= AA


@pytest.mark.parametrize(("colour", "ink"), SEATS)
def test_figures_stand_out_from_their_seals(colour: str, ink: str) -> None:
    assert contrast_of(colour, ink) >= AA


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_stand_out_from_the_table(theme: int) -> None:
    colours = theme_colours(theme)
    for ground in (*GROUNDS, "field"):
        stands_out = max(contrast_of(colours[c], colours[ground]) for c in ("mark", "white"))
        assert stands_out >= (3 if ground != "field" else 2)


def linear(colour: str) -> list[float]:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


#: Viénot, Brettel, Mollon 1999 and Machado, Oliveira, Fernandes 2009 (severity 1), on linear RGB.
EYES = {
    "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def lab(rgb: list[float]) -> tuple[float, float, float]:
    """Return CIE L*a*b* (D65) of linear RGB."""
    matrix = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(m * c for m, c in zip(row, rgb, strict=True)) for row in matrix]
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116
        for t in (max(v, 0.0) / w for v, w in zip(xyz, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
def test_seats_stay_apart_for_colour_blind_eyes(eye: str) -> None:
    seen = []
    for colour, _ in SEATS:
        rgb = linear(colour)
        seen.append(lab([sum(m * c for m, c in zip(r, rgb, strict=True)) for r in EYES[eye]]))
    for one, other in itertools.combinations(seen, 2):
        apart = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        assert apart > 20


def test_every_seat_has_a_shape_of_its_own() -> None:
    assert len({name for name, _ in SHAPES}) == len(SEATS)
    assert len({outline for _, outline in SHAPES}) == len(SEATS)
