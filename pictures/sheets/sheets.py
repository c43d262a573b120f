"""Sheets of samples: every tile in every rotation, every building.

For tests, documents and the page that teaches a game: there is a `<view>` for each piece, so an
image with the address `…#bank` shows the bank alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cartulary.engine.carcassonne.tiles import LETTERS
from cartulary.engine.caylus.buildings import ROAD_BUILDINGS
from cartulary.pictures.carcassonne import tiles
from cartulary.pictures.caylus import icons
from cartulary.pictures.caylus.card import HEIGHT, WIDTH, card
from cartulary.pictures.caylus.road import name_of
from cartulary.pictures.frame import PictureScene, document
from cartulary.pictures.svg import at, number, path, tag, text, use

_ROTATIONS = (0, 90, 180, 270)


Sheet = Callable[[Mapping[str, str], Mapping[str, Any], str], str]
"""Draws all pieces of a game, by the words of its pictures, the options and the theme."""


def draw_tiles(words: Mapping[str, str], _options: Mapping[str, Any], theme: str) -> str:
    """Return the sheet of Carcassonne: its tiles are the same under all options."""
    return tile_sheet(words, theme)


def draw_buildings(words: Mapping[str, str], options: Mapping[str, Any], theme: str) -> str:
    """Return the sheet of Caylus: the points of a building depend on the edition."""
    return building_sheet(words, theme, options["edition"])


def tile_sheet(words: Mapping[str, str], theme: str = "auto") -> str:
    """Return all 24 tiles of Carcassonne, each in its four rotations, as one SVG."""
    wanted = {(letter, rotation) for letter in LETTERS for rotation in _ROTATIONS}
    parts = []
    for index, letter in enumerate(LETTERS):
        x, y = 30 + index % 3 * 470, 40 + index // 3 * 120
        parts.append(_view(letter, x, y, 100, 100))
        parts.append(text(x - 6, y + 55, letter, class_="k-t13 k-b k-e"))
        for turned, rotation in enumerate(_ROTATIONS):
            frame = path("M0 0h100v100h-100z", class_="k-edge")
            tile = use(f"tile-{letter}-{rotation}")
            parts.append(at(x + turned * 110, y, tile, frame))
    scene = PictureScene(view={}, names=[], theme=theme, status="over", words=words)
    body = "".join(parts)
    return document(scene, "The 24 tiles", 1440, 1020, tiles.definitions(wanted), body)


def building_sheet(
    words: Mapping[str, str], theme: str = "auto", edition: str | None = None
) -> str:
    """Return all buildings of Caylus that lie on the road, as one SVG.

    Without an edition each building is shown as in the first edition that has it.
    """
    scene = PictureScene(view={}, names=[], theme=theme, status="over", words=words)
    parts = []
    for index, building in enumerate(ROAD_BUILDINGS):
        x, y = 24 + index % 8 * (WIDTH + 14), 34 + index // 8 * (HEIGHT + 24)
        shown = edition or ("second" if building.second_only else "first")
        drawn = card(building.id, name_of(scene, building.id), shown)
        parts.append(_view(building.id, x - 1, y - 8, WIDTH + 2, HEIGHT + 10))
        parts.append(at(x, y, drawn, data_building=building.id))
    rows = -(-len(ROAD_BUILDINGS) // 8)
    width, height = 34 + 8 * (WIDTH + 14), 34 + rows * (HEIGHT + 24)
    return document(scene, "The buildings", width, height, icons.DEFINITIONS, "".join(parts))


def _view(name: str, x: float, y: float, width: float, height: float) -> str:
    """Return the element that names a part of the sheet, for the end of an address."""
    box = " ".join(map(number, (x, y, width, height)))
    return tag("view", id=name, viewBox=box)
