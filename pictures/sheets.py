"""Sheets of samples: every tile in every rotation, every building. For tests and documents."""

from __future__ import annotations

from collections.abc import Mapping

from cartulary.engine.carcassonne.tiles import LETTERS
from cartulary.engine.caylus.buildings import ROAD_BUILDINGS
from cartulary.pictures.carcassonne import tiles
from cartulary.pictures.caylus import icons
from cartulary.pictures.caylus.card import HEIGHT, WIDTH, card
from cartulary.pictures.caylus.road import name_of
from cartulary.pictures.frame import Scene, document
from cartulary.pictures.svg import at, path, text, use

_ROTATIONS = (0, 90, 180, 270)


def tile_sheet(words: Mapping[str, str], theme: str = "auto") -> str:
    """Return all 24 tiles of Carcassonne, each in its four rotations, as one SVG."""
    wanted = {(letter, rotation) for letter in LETTERS for rotation in _ROTATIONS}
    parts = []
    for index, letter in enumerate(LETTERS):
        x, y = 30 + index % 3 * 470, 40 + index // 3 * 120
        parts.append(text(x - 6, y + 55, letter, class_="k-t13 k-b k-e"))
        for turned, rotation in enumerate(_ROTATIONS):
            frame = path("M0 0h100v100h-100z", class_="k-edge")
            tile = use(f"tile-{letter}-{rotation}")
            parts.append(at(x + turned * 110, y, tile, frame))
    scene = Scene(view={}, names=[], theme=theme, status="over", words=words)
    body = "".join(parts)
    return document(scene, "The 24 tiles", 1440, 1020, tiles.definitions(wanted), body)


def building_sheet(words: Mapping[str, str], theme: str = "auto") -> str:
    """Return all buildings of Caylus that lie on the road, as one SVG."""
    scene = Scene(view={}, names=[], theme=theme, status="over", words=words)
    parts = []
    for index, building in enumerate(ROAD_BUILDINGS):
        x, y = 24 + index % 8 * (WIDTH + 14), 34 + index // 8 * (HEIGHT + 24)
        edition = "second" if building.second_only else "first"
        name = name_of(scene, building.id)
        parts.append(at(x, y, card(building.id, name, edition), data_building=building.id))
    rows = -(-len(ROAD_BUILDINGS) // 8)
    width, height = 34 + 8 * (WIDTH + 14), 34 + rows * (HEIGHT + 24)
    return document(scene, "The buildings", width, height, icons.DEFINITIONS, "".join(parts))
