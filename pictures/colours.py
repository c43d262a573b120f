"""The colours of the pictures, light and dark.

Every colour is a custom property of the picture's root, so a page that shows the picture inline
may set its own. `SEATS` are chosen to stay apart under the common kinds of colour blindness; a
test computes it. Seats differ by shape as well (`pictures.seats`). A reader may want other colours
for the seats: the same five in another order (`recolour`), so all seats stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

#: Per seat: the colour and the ink that is legible on it; the same in both themes.
SEATS: Final[tuple[tuple[str, str], ...]] = (
    ("#0b5a9e", "#ffffff"),
    ("#c2410c", "#ffffff"),
    ("#f6cf3f", "#2b2118"),
    ("#cf7fb8", "#2b2118"),
    ("#2f2b35", "#ffffff"),
)

NAMES: Final = ("blue", "orange", "yellow", "pink", "black")
"""What the colours of `SEATS` are called, for a person who chooses one."""

_OF_SEAT: Final = re.compile(r'(?<=[" ])k-s([0-4])(?=[" ])')
"""The class that gives a thing the colour of a seat, where an element has it."""

#: name: (light, dark)
COLOURS: Final[dict[str, tuple[str, str]]] = {
    # the sheet
    "page": ("#efe3c8", "#1b1712"),
    "panel": ("#f8f0dc", "#2a241b"),
    "well": ("#e5d5b1", "#221d16"),
    "ink": ("#2e2217", "#f1e6cd"),
    "soft": ("#5f4c35", "#c9b892"),
    "rule": ("#bfa77b", "#5b4d37"),
    "accent": ("#8c2f1b", "#f0a37c"),
    "mark": ("#c0391b", "#ffb454"),
    "white": ("#fffaf0", "#fffaf0"),
    "dark": ("#2b2118", "#14100b"),
    # Carcassonne: land
    "field": ("#9dbb68", "#5c7a3f"),
    "grass": ("#88a955", "#4d6a34"),
    "wheat": ("#d9c06a", "#9a8440"),
    "tree": ("#55833f", "#375a2b"),
    "tree2": ("#6f9d50", "#48703a"),
    "trunk": ("#6b4a2b", "#3d2a18"),
    "wool": ("#fbf6e8", "#d8cfba"),
    "road": ("#f3e6c4", "#cdb98c"),
    "verge": ("#8d7a50", "#4a3f28"),
    # Carcassonne: town
    "paving": ("#d8ae72", "#8b6a42"),
    "wall": ("#a79a88", "#7d7262"),
    "merlon": ("#d6ccbb", "#aaa08e"),
    "wall_edge": ("#54493b", "#2b241b"),
    "house": ("#fbeed3", "#d9c7a2"),
    "roof": ("#b5472f", "#8f3a28"),
    "roof2": ("#8f3322", "#6d2a1c"),
    "slate": ("#5d6b80", "#46526a"),
    "slate2": ("#465368", "#364055"),
    # Caylus: goods
    "food": ("#e58a9b", "#e58a9b"),
    "wood": ("#9a6234", "#a96f40"),
    "stone": ("#a3a5a8", "#a9abae"),
    "cloth": ("#7f58a5", "#8f68b5"),
    "gold": ("#e9b824", "#e9b824"),
    "coin": ("#dcdcd6", "#dcdcd6"),
    "laurel": ("#2f6b3c", "#2f6b3c"),
    "favour": ("#a3202f", "#b32c3b"),
    "line": ("#2b2118", "#14100b"),
    "way": ("#dcc596", "#cdb98c"),
    # Caylus: kinds of buildings (the band of the card, then its ground)
    "neutral": ("#d99a9d", "#b87478"),
    "neutral2": ("#f8e4e0", "#3b2b2a"),
    "fixed": ("#c9b48a", "#8d7a52"),
    "fixed2": ("#f3ead2", "#322a1e"),
    "craft_wood": ("#b98a57", "#a67645"),
    "craft_wood2": ("#f4e2c8", "#362a1c"),
    "craft_stone": ("#a9a9a6", "#85857f"),
    "craft_stone2": ("#eceae4", "#2f2e2b"),
    "residence": ("#86ac6d", "#6a9150"),
    "residence2": ("#e4efd6", "#263120"),
    "prestige": ("#7fa3cc", "#6088b6"),
    "prestige2": ("#e0eaf5", "#222d3a"),
    "river": ("#8fb7c9", "#34596b"),
}

LIGHT, DARK = 0, 1
THEMES: Final = ("auto", "light", "dark")


def theme_colours(theme: int) -> dict[str, str]:
    """Return every colour of a theme (`LIGHT` or `DARK`) by name."""
    return {name: pair[theme] for name, pair in COLOURS.items()}


def variables(theme: int) -> str:
    """Return the declarations of a theme's custom properties."""
    return ";".join(f"--{name}:{value}" for name, value in theme_colours(theme).items())


def recolour(picture: str, colours: Sequence[int]) -> str:
    """Return a picture in which each seat has the colour of another; the shapes stay.

    `colours` are numbers of `SEATS`, one per seat, each once. Raises `ValueError` for others.
    """
    if sorted(colours) != list(range(len(SEATS))):
        raise ValueError(f"colours are an order of 0 to {len(SEATS) - 1}, not {list(colours)}")
    return _OF_SEAT.sub(lambda found: f"k-s{colours[int(found[1])]}", picture)
