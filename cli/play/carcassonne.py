"""The table of Carcassonne as text: a tile is three rows of three fields, two letters each.

`##` is city, `==` and `||` road, `MM` a monastery, `..` field; a follower is `<n`, with the number
of its seat, on the part of the tile that it claims. Colours repeat what the letters say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from cartulary import locales
from cartulary.cli.play.seats import STYLES, draw_scores
from cartulary.engine.carcassonne.tiles import SIDES, TILES, Segment, Tile
from cartulary.locales import GameWords

View = Mapping[str, Any]

_STYLE: Final = {
    "##": "yellow on grey23",
    "==": "white on grey50",
    "||": "white on grey50",
    "MM": "bold magenta on grey23",
    "..": "green on dark_green",
}
_CELLS: Final = {"N": (0, 1), "E": (1, 2), "S": (2, 1), "W": (1, 0)}
"""Row and column of the middle of each side."""
_CORNERS: Final = {"NL": (0, 0), "NR": (0, 2), "EL": (0, 2), "ER": (2, 2)} | {
    "SL": (2, 2),
    "SR": (2, 0),
    "WL": (2, 0),
    "WR": (0, 0),
}
"""The corner at each half of a side, left and right as seen from the middle of the tile."""
_BY_LETTER: Final = {tile.letter: tile for tile in TILES}
_EMPTY: Final = "      "


def draw_table(view: View, names: Sequence[str], words: GameWords, lang: str) -> RenderableType:
    """Return the table; columns are x, rows are y, and both run as in the moves."""
    board = {(tile["x"], tile["y"]): tile for tile in view["board"]}
    rows = [draw_board(board)]
    if view.get("tile"):
        called = words.terms(lang).get("tiles", {}).get(view["tile"], view["tile"])
        rows.append(Text(f"{called}:"))
        rows += [_join(row) for row in draw_tile({"tile": view["tile"], "rotation": 0})]
    left = sum(view["remaining"].values())
    rows.append(Text(locales.fill(lang, words.words(lang)["ui"]["in_bag"], {"n": left})))
    held = [f"{followers} ☺" for followers in view["followers"]]
    return Group(*rows, draw_scores(names, view["scores"], held))


def draw_board(board: Mapping[tuple[int, int], View]) -> Text:
    """Return the tiles with their coordinates, and the free places around them."""
    xs = [x for x, _ in board]
    ys = [y for _, y in board]
    columns = range(min(xs) - 1, max(xs) + 2)
    drawn = Text("     " + "".join(f"{x:^6}" for x in columns) + "\n")
    for y in range(min(ys) - 1, max(ys) + 2):
        tiles = [draw_tile(board[x, y]) if (x, y) in board else None for x in columns]
        for row in range(3):
            drawn.append(f"{y:>4} " if row == 1 else "     ")
            for tile in tiles:
                drawn.append_text(Text(_EMPTY) if tile is None else _join(tile[row]))
            drawn.append("\n")
    return drawn


def draw_tile(tile: View) -> list[list[str]]:
    """Return the nine fields of a tile that lies, rotated, with its follower."""
    kind = _BY_LETTER[tile["tile"]]
    fields = [[".."] * 3 for _ in range(3)]
    for segment in kind.segments:
        for row, column, sign in _list_fields(segment, tile["rotation"]):
            fields[row][column] = sign
    follower = tile.get("follower")
    if follower is not None:
        row, column = _find_place(kind, follower["segment"], tile["rotation"])
        fields[row][column] = f"<{follower['seat']}"
    return fields


def _list_fields(segment: Segment, rotation: int) -> list[tuple[int, int, str]]:
    """Return what a segment fills; fields fill what nothing else does."""
    if segment.kind == "monastery":
        return [(1, 1, "MM")]
    if segment.kind == "field":
        return []
    sides = [_turn(side, rotation) for side in segment.edges]
    if segment.kind == "road":
        fields = [(*_CELLS[side], "||" if side in "NS" else "==") for side in sides]
        # A road that ends at a monastery leaves the middle to it.
        middle = [] if segment.ends_at == "monastery" else [(1, 1, "||" if "N" in sides else "==")]
        return fields + middle
    fields = [(*_CELLS[side], "##") for side in sides]
    if len(sides) > 1:
        fields.append((1, 1, "##"))
    for half, corner in _CORNERS.items():
        around = {half[0], *(other[0] for other, at in _CORNERS.items() if at == corner)}
        if around <= {*sides}:
            fields.append((*corner, "##"))
    return fields


def _find_place(kind: Tile, name: str, rotation: int) -> tuple[int, int]:
    """Return row and column of the field on which a follower stands."""
    segment = next(one for one in kind.segments if one.id == name)
    if not segment.edges:
        return 1, 1
    edge = segment.edges[0]
    side = _turn(edge[0], rotation)
    return _CELLS[side] if len(edge) == 1 else _CORNERS[side + edge[1]]


def _turn(side: str, rotation: int) -> str:
    return SIDES[(SIDES.index(side) + rotation // 90) % 4]


def _join(fields: Sequence[str]) -> Text:
    drawn = Text()
    for field in fields:
        seat = field[1:] if field.startswith("<") else ""
        drawn.append(field, STYLES[int(seat)] if seat else _STYLE[field])
    return drawn
