"""The whole picture of a game of Caylus."""

from __future__ import annotations

from typing import Final

from cartulary.pictures.caylus import castle, icons, marks, road, tables
from cartulary.pictures.frame import Scene, document, heading
from cartulary.pictures.svg import at

TALL_WIDTH: Final = 360
WIDE_COLUMNS: Final = (356.0, 596.0, 340.0)
GUTTER: Final = 14.0


def draw(scene: Scene) -> str:
    """Return the SVG document of a scene."""
    layout = _wide if scene.layout == "wide" else _tall
    width, height, body = layout(scene)
    symbols = icons.DEFINITIONS + marks.DEFINITIONS
    return document(scene, scene.say("title"), width, height, symbols, body)


class _Column:
    """Parts one below the other."""

    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y
        self.parts: list[str] = []

    def add(self, drawing: str, height: float, gap: float = 8) -> None:
        """Put a drawing below the others."""
        self.parts.append(at(self.x, self.y, drawing))
        self.y += height + gap


def _board(scene: Scene, column: _Column, width: float) -> None:
    column.add(castle.castle(scene, width), castle.CASTLE_HEIGHT)
    drawing, height = castle.specials(scene, width)
    column.add(drawing, height, 4)
    column.add(castle.bridge(scene, width), castle.BRIDGE_HEIGHT, 4)


def _road(scene: Scene, column: _Column, width: float) -> None:
    column.add(heading(0, 12, width, scene.say("road")), 14, 2)
    column.add(road.road(scene, width), road.height_for(width))


def _tall(scene: Scene) -> tuple[float, float, str]:
    width = TALL_WIDTH - 20.0
    column = _Column(10, 10)
    column.add(tables.header(scene, width), tables.HEADER, 2)
    column.add(tables.players(scene, width), tables.PLAYER * scene.seats)
    _board(scene, column, width)
    _road(scene, column, width)
    column.add(tables.favours(scene, width), tables.FAVOURS_HEIGHT)
    column.add(*tables.stock(scene, width))
    return TALL_WIDTH, column.y + 4, "".join(column.parts)


def _wide(scene: Scene) -> tuple[float, float, str]:
    left_width, middle_width, right_width = WIDE_COLUMNS
    left = _Column(16, 16)
    left.add(tables.header(scene, left_width), tables.HEADER, 4)
    _board(scene, left, left_width)
    middle = _Column(16 + left_width + GUTTER, 14)
    _road(scene, middle, middle_width)
    right = _Column(middle.x + middle_width + GUTTER, 16)
    right.add(tables.players(scene, right_width), tables.PLAYER * scene.seats, 4)
    right.add(tables.favours(scene, right_width), tables.FAVOURS_HEIGHT)
    width = right.x + right_width + 16
    below = _Column(16, max(left.y, middle.y, right.y))
    below.add(*tables.stock(scene, width - 32))
    columns = (left, middle, right, below)
    return width, below.y + 4, "".join(part for column in columns for part in column.parts)
