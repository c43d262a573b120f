"""The road: 28 spaces that wind to and fro, with everything that stands along it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from cartulary.engine.caylus.tables import SECTIONS
from cartulary.pictures.caylus.card import HEIGHT, WIDTH, card
from cartulary.pictures.caylus.icons import icon
from cartulary.pictures.caylus.marks import flag, worker
from cartulary.pictures.caylus.places import place
from cartulary.pictures.frame import PictureScene, heading
from cartulary.pictures.svg import at, circle, group, number, path, rect, text, use

SIDE: Final = 9.0
"""How far the bends of the road reach beyond the cards."""
ROOF: Final = 16.0
"""Room above a card, for the flag of its owner."""
WAY: Final = 21.0
PITCH: Final = ROOF + HEIGHT + WAY + 1
HEADING: Final = 16.0
_ON_WAY: Final = HEIGHT + 1 + WAY / 2
OFFICIALS: Final = ("bailiff", "provost")
_MARKS: Final = {section.trigger: section.id for section in SECTIONS}


_SHORT_NAMES: Final = {
    "wood_farm_food": "neutral_farm",
    "wood_farm_cloth": "neutral_farm",
    "stone_farm": "neutral_farm",
    "wood_sawmill": "neutral_sawmill",
    "wood_quarry": "neutral_quarry",
    "wood_marketplace": "neutral_marketplace",
    "wood_peddler": "fixed_peddler",
}
"""The colour of a card says of what kind a building is, so the name of its neutral twin does."""


def name_of(scene: PictureScene, building: str) -> str:
    """Return the short name of a building, in the language of the scene."""
    return scene.say(f"buildings.{_SHORT_NAMES.get(building, building)}")


def edition_of(scene: PictureScene) -> str:
    """Return the edition: that of the options; else the second has the jeweller (rules 1.5)."""
    if "edition" in scene.options:
        return str(scene.options["edition"])
    view = scene.view
    there = "jeweller" in view["stock"] or any(e["building"] == "jeweller" for e in view["road"])
    return "second" if there else "first"


def columns_for(width: float) -> int:
    """Return how many cards fit side by side."""
    return int((width - 2 * SIDE + 5) // (WIDTH - 1))


def height_for(_scene: PictureScene, width: float) -> float:
    """Return the height of the road with its heading at a width."""
    return HEADING + -(-28 // columns_for(width)) * PITCH


@cache
def _way(width: float, columns: int) -> str:
    """Return the ribbon of the road, from the bridge to space 28."""
    rows = -(-28 // columns)
    right = width - SIDE
    d = f"M{number(SIDE)} {number(_way_y(0))}"
    for row in range(rows):
        forward = row % 2 == 0
        d += f"H{number(right - 9 if forward else SIDE + 9)}"
        if row < rows - 1:
            bend = 9 if forward else -9
            d += f"q{bend} 0 {bend} 9v{number(PITCH - 18)}q0 9 {-bend} 9"
    return "".join(path(d, class_=name) for name in ("k-way", "k-way2", "k-way3"))


def _way_y(row: int) -> float:
    return row * PITCH + ROOF + HEIGHT + 1 + WAY / 2


def road(scene: PictureScene, width: float) -> str:
    """Return the road with its heading, `height_for` high."""
    columns = columns_for(width)
    pitch = (width - 2 * SIDE) / columns
    edition = edition_of(scene)
    parts = []
    for index, entry in enumerate(scene.view["road"]):
        x, y = _corner(index, columns, pitch)
        parts.append(_space(scene, entry, index + 1, x, y, edition))
    ground = heading(0, 12, width, scene.say("road"))
    pieces = [
        _official(name, scene.view[name] - 1, shift, columns, pitch)
        for name, shift in zip(OFFICIALS, (67.5, 52.0), strict=True)
    ]
    officials = group(*pieces, pointer_events="none")
    return ground + at(0, HEADING, _way(width, columns), *parts, officials)


def _corner(index: int, columns: int, pitch: float) -> tuple[float, float]:
    """Return the upper left corner of the card of a space; index 0 is the first space."""
    row, column = divmod(index, columns)
    if row % 2:
        column = columns - 1 - column
    return SIDE + column * pitch + (pitch - WIDTH) / 2, row * PITCH + ROOF


def _official(name: str, index: int, shift: float, columns: int, pitch: float) -> str:
    """Return the provost or the bailiff on a space, above all spaces: so it can be moved."""
    x, y = _corner(index, columns, pitch)
    return at(x + shift, y + HEIGHT + 10, use(name), id=f"k-piece-{name}", data_piece=name)


def _space(
    scene: PictureScene,
    entry: Mapping[str, Any],
    space: int,
    x: float,
    y: float,
    edition: str,
) -> str:
    building, owner, held = entry["building"], entry["owner"], entry["worker"]
    title = [f"{space}"]
    if building:
        title.append(name_of(scene, building))
        name = f"k-building-{building}"
        if building == "residence":  # the only building that stands on several spaces
            name += f"-{entry['space']}"
        parts = [f'<g id="{name}">{card(building, name_of(scene, building), edition)}</g>']
    else:
        parts = [rect(1, 2, WIDTH - 2, HEIGHT - 3, rx=4, class_="k-plot")]
    if owner is not None:
        parts.append(flag(owner, WIDTH - 25, 0, f"k-owner-{entry['space']}"))
        title.append(scene.say("owner", name=scene.label(owner)))
    if (waiting := entry.get("pending_residence")) is not None:
        parts.append(flag(waiting, 22, 0, f"k-pending-{entry['space']}"))
        parts.append(use("house-residence", x=13, y=-7))
        title.append(scene.say("pending", name=scene.label(waiting)))
    parts.append(_milestone(space))
    if held is not None:
        parts.append(worker(held, 34, _ON_WAY, 19, entry["space"]))
        title.append(scene.say("worker", name=scene.label(held)))
    title += [scene.say(f"pieces.{name}") for name in OFFICIALS if scene.view[name] == space]
    size = (WIDTH, HEIGHT + WAY)
    return place(scene, entry["space"], ", ".join(title), (x, y), size, *parts)


@cache
def _milestone(space: int) -> str:
    """Return the stone with the number of a space; a tower marks where a section is scored."""
    y = _ON_WAY
    stone = circle(12, y, 9.5, class_="k-mile") + text(
        12, y + 4, space, class_="k-t11 k-b k-m k-sans k-dark"
    )
    return stone + icon("tower").place(11, -5) if space in _MARKS else stone
