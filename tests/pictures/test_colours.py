"""Text is legible in both themes, and seats stay apart for every kind of eye."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cartulary.events.people.preferences import COLOURS as CHOICES
from cartulary.pictures.colours import DARK, LIGHT, NAMES, SEATS, recolour, theme_colours
from cartulary.pictures.seats import SHAPES
from tests.pictures.contrast import contrast, parse_colour
from tests.pictures.positions import CARCASSONNE, CAYLUS, SVG, position

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
def test_text_stands_out_from_its_ground(theme: int) -> None:
    colours = theme_colours(theme)
    for ink, ground in TEXT:
        assert contrast_of(colours[ink], colours[ground]) >= AA, (ink, ground)


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


# -- colours that a reader chooses -----------------------------------------------------------------

ORDERS = list(itertools.permutations(range(len(SEATS))))
RULES = (Path(__file__).parents[2] / "web" / "css" / "seat_colours.css").read_text()


def list_seats(picture: str) -> list[str]:
    """Return what has the colour of a seat, in the order of the picture."""
    return re.findall(r'[" ]k-s([0-4])(?=[" ])', picture)


@pytest.mark.parametrize("case", [CARCASSONNE, CAYLUS])
@pytest.mark.slow
def test_in_every_order_of_colours_each_thing_of_a_seat_has_the_colour_of_that_seat(
    case: str,
) -> None:
    usual = position(case, 60).draw()
    seats = list_seats(usual)
    assert set(seats) == set("01234")
    for order in ORDERS:
        drawn = recolour(usual, order)
        assert list_seats(drawn) == [str(order[int(seat)]) for seat in seats]
        assert re.sub("k-s[0-4]", "", drawn) == re.sub("k-s[0-4]", "", usual)  # and nothing else


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("layout", ["tall", "share"])
def test_a_plain_picture_has_the_chosen_colours_and_the_shapes_of_the_seats(
    layout: str, theme: str
) -> None:
    order = (3, 1, 4, 0, 2)
    root = ElementTree.fromstring(
        position(CAYLUS, 60).draw(layout=layout, theme=theme, plain=True, colours=order)
    )
    for seat, colour in enumerate(order):
        seal = next(one for one in root.iter() if one.get("id") == f"k-seal-{seat}")
        assert seal.tag == f"{SVG}g"
        assert [one.get("d") for one in seal] == [SHAPES[seat][1]] * 2
        assert seal[1].get("fill") == SEATS[colour][0]


@pytest.mark.parametrize("order", [(), (0, 1, 2, 3), (0, 0, 1, 2, 3), (0, 1, 2, 3, 5)])
def test_an_order_of_colours_has_each_colour_once(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="colours are an order of 0 to 4"):
        position(CAYLUS, 60).draw(colours=order)


def test_the_client_has_the_colours_of_the_pictures() -> None:
    for number, (colour, ink) in enumerate(SEATS):
        assert f"--colour-{number}: {colour};" in RULES
        assert f"--on-colour-{number}: {ink};" in RULES


def test_a_player_chooses_among_the_colours_of_the_pictures() -> None:
    assert list(CHOICES) == ["usual", *NAMES]


LEAST_OF_A_LINE = 3.0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("number", range(len(SEATS)))
def test_what_shines_or_is_a_line_in_a_chosen_colour_stands_out(number: int, theme: int) -> None:
    ground = theme_colours(theme)["panel"]
    found = re.search(rf"--light-{number}: light-dark\((#\w+), (#\w+)\);", RULES)
    assert found is not None
    assert contrast_of(found[theme + 1], ground) >= LEAST_OF_A_LINE
