"""The whole picture of a game of Caylus: sections, and the arrangements that they are put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from cartulary.pictures.caylus import castle, icons, marks, road, tables
from cartulary.pictures.frame import PictureScene, document
from cartulary.pictures.svg import group, number, title

GUTTER: Final = 12.0
GAP: Final = 5.0
LETTER: Final = 11.0
"""The smallest letter of every arrangement, in units."""


class Part(NamedTuple):
    """A part of the picture: how it is drawn in a width, how high it is then, how it is called.

    What has a name is a section of the board: a group with `data-section` and a title.
    """

    draw: Callable[[PictureScene, float], str]
    height: Callable[[PictureScene, float], float]
    name: Callable[[PictureScene], str] | None = None


PARTS: Final[dict[str, Part]] = {
    "header": Part(tables.header, lambda *_: tables.HEADER),
    "players": Part(tables.players, lambda scene, _: tables.PLAYER * scene.seats),
    "castle": Part(
        castle.castle, lambda *_: castle.CASTLE_HEIGHT, lambda scene: scene.say("spaces.castle")
    ),
    "specials": Part(castle.specials, castle.specials_height, lambda scene: scene.say("specials")),
    "bridge": Part(
        castle.bridge, lambda *_: castle.BRIDGE_HEIGHT, lambda scene: scene.say("spaces.bridge")
    ),
    "road": Part(road.road, road.height_for, lambda scene: scene.say("road")),
    "favours": Part(tables.favours, tables.favours_height, tables.name_favours),
    "stock": Part(tables.stock, tables.stock_height, tables.name_stock),
}
BESIDE_THE_BOARD: Final = frozenset({"header", "players"})


class Column(NamedTuple):
    """Parts one below the other, in a width."""

    width: float
    parts: tuple[str, ...]


class Arrangement(NamedTuple):
    """Columns side by side, and one column below them that is as wide as all of them."""

    margin: float
    columns: tuple[Column, ...]
    below: tuple[str, ...] = ()

    @property
    def width(self) -> float:
        """Return the width of the picture."""
        gutters = GUTTER * (len(self.columns) - 1)
        return 2 * self.margin + sum(column.width for column in self.columns) + gutters


_BEFORE_THE_BRIDGE: Final = ("castle", "specials", "bridge")
TALL: Final = Arrangement(
    10, (Column(340, ("header", "players", *_BEFORE_THE_BRIDGE, "road", "favours", "stock")),)
)
WIDE: Final = Arrangement(
    12,
    (
        Column(320, ("header", *_BEFORE_THE_BRIDGE)),
        Column(540, ("road",)),
        Column(320, ("players", "favours")),
    ),
    ("stock",),
)
_LEFT: Final = Column(304, ("header", *_BEFORE_THE_BRIDGE, "favours", "players"))
FITTING: Final = (
    TALL,
    WIDE,
    Arrangement(7, (_LEFT, Column(462, ("road",))), ("stock",)),
    Arrangement(7, (_LEFT, Column(388, ("road",))), ("stock",)),
    Arrangement(7, (_LEFT, Column(462, ("road",)), Column(309, ("stock",)))),
    Arrangement(7, (_LEFT, Column(540, ("road",)), Column(387, ("stock",)))),
    Arrangement(
        7,
        (
            Column(304, ("header", *_BEFORE_THE_BRIDGE)),
            Column(688, ("road",)),
            Column(304, ("favours", "players")),
            Column(387, ("stock",)),
        ),
    ),
)
"""What `layout=fit` chooses from."""


def draw(scene: PictureScene) -> str:
    """Return the SVG document of a scene."""
    fixed = {"tall": TALL, "wide": WIDE}
    chosen = fixed.get(scene.layout) or choose(scene)
    width, height, body = _arrange(scene, chosen)
    symbols = icons.DEFINITIONS + marks.DEFINITIONS
    return document(scene, scene.say("title"), width, height, symbols, body, LETTER)


def choose(scene: PictureScene) -> Arrangement:
    """Return the arrangement that has the largest scale in a box of the scene's ratio.

    The full stock counts, not what is left of it, so that the arrangement stays the same from the
    first move of a game to its last.
    """
    return max(FITTING, key=lambda arrangement: scale_of(scene, arrangement))


def scale_of(scene: PictureScene, arrangement: Arrangement) -> float:
    """Return how large a unit of the arrangement is in a box that is 1 high and `ratio` wide."""
    return min(scene.ratio / arrangement.width, 1 / measure(scene, arrangement))


def measure(scene: PictureScene, arrangement: Arrangement) -> float:
    """Return the height of an arrangement with the full stock."""
    full = tables.fill_stock(scene)
    columns = max(_reach(full, column) for column in arrangement.columns)
    below = Column(arrangement.width - 2 * arrangement.margin, arrangement.below)
    return 2 * arrangement.margin + columns + _reach(full, below)


def _reach(scene: PictureScene, column: Column) -> float:
    return sum(
        PARTS[part].height(scene, column.width) + GAP
        for part in column.parts
        if _is_shown(scene, part)
    )


def _is_shown(scene: PictureScene, part: str) -> bool:
    if part == "favours":  # simplified favours are paid in points: there is no table
        return scene.options.get("favours") != "simplified"
    return scene.parts == "all" or part not in BESIDE_THE_BOARD


def _arrange(scene: PictureScene, arrangement: Arrangement) -> tuple[float, float, str]:
    """Return the width and the height of the picture, and what is drawn in it."""
    drawn: list[str] = []
    x = top = arrangement.margin
    lowest = top
    for column in arrangement.columns:
        lowest = max(lowest, _stack(scene, column, x, top, drawn))
        x += column.width + GUTTER
    below = Column(arrangement.width - 2 * arrangement.margin, arrangement.below)
    lowest = _stack(scene, below, arrangement.margin, lowest, drawn)
    return arrangement.width, lowest + arrangement.margin - GAP, "".join(drawn)


def _stack(scene: PictureScene, column: Column, x: float, y: float, drawn: list[str]) -> float:
    """Draw a column from `y` on and return where it ends."""
    for name in column.parts:
        if _is_shown(scene, name):
            drawn.append(_section(scene, name, column.width, (x, y)))
            y += PARTS[name].height(scene, column.width) + GAP
    return y


def _section(scene: PictureScene, name: str, width: float, at: tuple[float, float]) -> str:
    part = PARTS[name]
    drawing = part.draw(scene, width)
    place = f"translate({number(at[0])} {number(at[1])})"
    if part.name is None:
        return group(drawing, transform=place)
    heading = title(part.name(scene))
    return group(heading, drawing, id=f"k-section-{name}", data_section=name, transform=place)
