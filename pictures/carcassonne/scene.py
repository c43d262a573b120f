"""The whole picture of a game of Carcassonne: the laid tiles, the players, the bag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cartulary.engine.carcassonne.position import SUPPLY
from cartulary.engine.carcassonne.tiles import KINDS
from cartulary.pictures.carcassonne import pieces, tiles
from cartulary.pictures.frame import PictureScene, document, heading, panel
from cartulary.pictures.seats import seal
from cartulary.pictures.svg import (
    at,
    escape,
    fit,
    group,
    path,
    rect,
    scale,
    shorten,
    text,
    title,
    use,
)

TALL_WIDTH: Final = 360
WIDE: Final = (1200, 800)
SIDE: Final = 320
"""Width of the column next to the board in the wide layout."""
TALL_BOARD: Final = (TALL_WIDTH - 20, 460)
WIDE_BOARD: Final = (WIDE[0] - SIDE - 26, WIDE[1] - 28)
LEAST_CELLS: Final = (5, 3)
ROW: Final = 34


def draw(scene: PictureScene) -> str:
    """Return the SVG document of a scene."""
    width, height, body = _arrange(scene)(scene)
    return document(scene, scene.say("title"), width, height, _symbols(scene), body)


def _arrange(scene: PictureScene) -> Callable[[PictureScene], tuple[float, float, str]]:
    """Return what draws the arrangement of a scene: its width, its height, its drawing."""
    if scene.parts == "board":
        return _alone
    if scene.layout == "fit":
        tall = _tile_in(scene, _tall(scene), TALL_BOARD)
        return _wide if _tile_in(scene, _wide(scene), WIDE_BOARD) > tall else _tall
    return _wide if scene.layout == "wide" else _tall


def _tile_in(
    scene: PictureScene, drawn: tuple[float, float, str], board: tuple[float, float]
) -> float:
    """Return how large a tile is when a picture lies in a box that is 1 high and `ratio` wide.

    `board` is the room of the board in the picture.
    """
    columns, rows, _ = _extent({(entry["x"], entry["y"]) for entry in scene.view["board"]})
    scale_of = min(scene.ratio / drawn[0], 1 / drawn[1])
    return scale_of * min(board[0] / columns, board[1] / rows)


def _symbols(scene: PictureScene) -> str:
    wanted = {(entry["tile"], entry["rotation"]) for entry in scene.view["board"]}
    wanted |= {(letter, 0) for letter in scene.view["remaining"]}
    hand = _hand(scene)
    if hand:
        wanted.add(hand)
    if scene.parts == "all" or hand is None:
        return pieces.DEFINITIONS + tiles.definitions(wanted)
    # Nothing of this is shown: a client finds the tile in hand here, to draw it in any rotation,
    # and the areas of its segments as they lie in rotation 0.
    wanted |= {(hand[0], rotation) for rotation in (0, 90, 180, 270)}
    areas = tiles.touchable(hand[0], 0) if scene.view["tile"] else ""
    held = group(use(f"tile-{hand[0]}-{hand[1]}"), areas, class_="hand")
    return pieces.DEFINITIONS + tiles.definitions(wanted) + held


def _hand(scene: PictureScene) -> tuple[str, int] | None:
    """Return the tile that the decision is about, with its rotation: in hand or just laid."""
    if scene.view["tile"]:
        return scene.view["tile"], 0
    context = (scene.decision or {}).get("context") or {}
    return (context["tile"], context["rotation"]) if "rotation" in context else None


def _tall(scene: PictureScene) -> tuple[float, float, str]:
    width = TALL_WIDTH - 20
    parts = [at(10, 10, _header(scene, width))]
    board, height = _fit_board(scene, *TALL_BOARD, 0)
    parts.append(at(10, 84, board))
    y = 84 + height + 10
    parts.append(at(10, y, _players(scene, width)))
    y += scene.seats * ROW + 6
    bag, bag_height = _bag(scene, width)
    parts.append(at(10, y, bag))
    return TALL_WIDTH, y + bag_height + 10, "".join(parts)


def _wide(scene: PictureScene) -> tuple[float, float, str]:
    width, height = WIDE
    column = SIDE - 24
    board, _ = _fit_board(scene, *WIDE_BOARD, WIDE_BOARD[1])
    bag, bag_height = _bag(scene, column)
    y = 96 + scene.seats * ROW + 8
    parts = [at(14, 14, board), at(width - SIDE + 6, 16, _header(scene, column))]
    parts.append(at(width - SIDE + 6, 92, _players(scene, column)))
    room = height - 16 - y
    factor = min(1.0, room / bag_height) if bag_height else 1.0
    parts.append(scale(width - SIDE + 6, y, factor, bag))
    return width, height, "".join(parts)


# -- the board ------------------------------------------------------------------------------------


def _alone(scene: PictureScene) -> tuple[float, float, str]:
    """Return the board with a ring of empty cells, 100 units for a tile.

    `layout=fit` adds ground at the sides until the picture has the ratio of the box.
    """
    cells = {(entry["x"], entry["y"]) for entry in scene.view["board"]}
    columns, rows, middle = _extent(cells)
    width, height = columns * 100.0, rows * 100.0
    if scene.layout == "fit":
        width, height = max(width, height * scene.ratio), max(height, width / scene.ratio)
    x, y = width / 2 - middle[0], height / 2 - middle[1]
    ground = rect(0, 0, width, height, class_="k-well")
    board = scale(x, y, 1, _board(scene, cells), class_="board")
    return width, height, ground + board


def _extent(cells: set[tuple[int, int]]) -> tuple[int, int, tuple[float, float]]:
    """Return the columns and rows of the laid tiles with a ring round them, and their middle."""
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    columns = max(max(xs) - min(xs) + 3, LEAST_CELLS[0])
    rows = max(max(ys) - min(ys) + 3, LEAST_CELLS[1])
    return columns, rows, ((max(xs) + min(xs) + 1) * 50, (max(ys) + min(ys) + 1) * 50)


def _fit_board(scene: PictureScene, width: float, most: float, height: float) -> tuple[str, float]:
    """Return the board scaled into `width` × at most `most`, and the height it takes.

    With `height` given, it takes that height and is centred in it.
    """
    cells = {(entry["x"], entry["y"]) for entry in scene.view["board"]}
    columns, rows, middle = _extent(cells)
    factor = min(width / columns, most / rows) / 100
    taken = height or rows * factor * 100 + 8
    x = width / 2 - middle[0] * factor
    y = taken / 2 - middle[1] * factor
    ground = rect(0, 0, width, taken, rx=5, class_="k-well")
    return ground + scale(x, y, factor, _board(scene, cells), class_="board"), taken


def _board(scene: PictureScene, cells: set[tuple[int, int]]) -> str:
    entries = scene.view["board"]
    last = pieces.find_last_placed(scene)
    kinds = tuple(scene.say(f"features.{kind[0]}") for kind in KINDS)
    placed = "".join(f"M{e['x'] * 100} {e['y'] * 100}h100v100h-100z" for e in entries)
    return "".join(
        [
            _open_cells(cells),
            f'<path d="{placed}" class="k-shade" transform="translate(3 5)"/>',
            f'<path d="{placed}" class="k-f"/>',
            *[_tile(entry, kinds if entry is last else ()) for entry in entries],
            f'<path d="{placed}" class="k-edge" pointer-events="none"/>',
            _mark_last_tiles(scene),
            _last_mark(last),
            _followers(scene),
        ]
    )


def _tile(entry: Mapping[str, Any], kinds: tuple[str, ...]) -> str:
    letter, x, y, rotation = entry["tile"], entry["x"], entry["y"], entry["rotation"]
    return (
        f'<g class="tile" data-x="{x}" data-y="{y}" data-tile="{letter}" data-rotation="{rotation}"'
        f' id="k-laid-{x}-{y}" transform="translate({x * 100} {y * 100})">'
        f'<use href="#k-tile-{letter}-{rotation}"/>'
        f"{tiles.touchable(letter, rotation, kinds)}</g>"
    )


def _open_cells(cells: set[tuple[int, int]]) -> str:
    around = {(x + dx, y + dy) for x, y in cells for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return "".join(
        f'<rect x="{x * 100 + 6}" y="{y * 100 + 6}" width="88" height="88" rx="7"'
        f' class="k-cell open" id="k-open-{x}-{y}" data-x="{x}" data-y="{y}"/>'
        for x, y in sorted(around - cells)
    )


def _last_mark(last: Mapping[str, Any] | None) -> str:
    if last is None:
        return ""
    box = "M1 1h98v98h-98z"
    return (
        '<g id="k-last-move" pointer-events="none" class="last-move"'
        f' transform="translate({last["x"] * 100} {last["y"] * 100})">'
        f'<path d="{box}" class="k-last2"/><path d="{box}" class="k-last"/></g>'
    )


def _mark_last_tiles(scene: PictureScene) -> str:
    """Mark the tile that each seat has laid last, in its colour and with its shape.

    The view has the tiles in the order in which they were laid, and the seats lay in turn, one tile
    each (rules 2): so the place in that order says who laid a tile.
    """
    entries = scene.view["board"]
    last = len(entries) - 1
    marks = [
        (pieces.seat_of(index, scene.seats), entries[index])
        for index in range(max(1, last - scene.seats + 1), last + 1)
    ]
    return "".join(
        pieces.mark_tile(scene, seat, entry["x"] * 100, entry["y"] * 100)
        for seat, entry in sorted(marks, key=lambda mark: mark[0])
    )


def _followers(scene: PictureScene) -> str:
    standing = []
    for entry in scene.view["board"]:
        if entry["follower"]:
            seat, segment = entry["follower"]["seat"], entry["follower"]["segment"]
            x, y = tiles.spot(entry["tile"], entry["rotation"], segment)
            place = (entry["x"] * 100 + x, entry["y"] * 100 + y)
            name = f"k-follower-{entry['x']}-{entry['y']}"
            standing.append(pieces.follower(scene, seat, segment, place, name))
    return f'<g class="followers" pointer-events="none">{"".join(standing)}</g>'


# -- next to the board ----------------------------------------------------------------------------


def _header(scene: PictureScene, width: float) -> str:
    """Return the tile in hand, the question with its seat, the number of tiles left (66 units)."""
    view, who = scene.view, scene.active
    parts = [panel(0, 0, width, 66), _tile_in_hand(scene)]
    x = 70.0
    if who is not None:
        parts.append(seal(who, x + 9, 20, 20))
        x += 26
    ask = shorten(scene.summary(), 44)
    parts.append(fit(x, 25, ask, 13, width - x - 8, class_="k-t13 k-b"))
    told = scene.say("bag_count", count=sum(view["remaining"].values()))
    parts.append(text(70, 43, told, class_="k-t11 k-soft"))
    if view["discarded"]:
        aside = scene.say("set_aside", count=len(view["discarded"]))
        parts.append(text(70, 57, aside, class_="k-t11 k-soft"))
    return "".join(parts)


def _tile_in_hand(scene: PictureScene) -> str:
    hand = _hand(scene)
    if hand is None:
        return rect(8, 8, 50, 50, rx=4, class_="k-cell")
    letter, rotation = hand
    said = scene.say(f"tiles.{letter}")
    picture = scale(8, 8, 0.5, title(said), use(f"tile-{letter}-{rotation}"), class_="hand")
    return rect(5.5, 5.5, 55, 55, rx=3, class_="k-well") + picture


def _players(scene: PictureScene, width: float) -> str:
    return "".join(at(0, seat * ROW, _player(scene, seat, width)) for seat in range(scene.seats))


def _player(scene: PictureScene, seat: int, width: float) -> str:
    points = (scene.result or scene.view)["scores"][seat]
    left = scene.view["followers"][seat]
    parts = [panel(0, 0, width, ROW - 5)]
    if seat == scene.active or (scene.result and seat in scene.result["winners"]):
        parts.append(rect(0, 0, width, ROW - 5, rx=5, class_="k-now"))
    parts.append(seal(seat, 17, 14.5, 20))
    name = scene.name_of(seat, 24)
    parts.append(fit(32, 19, name, 13, width - 182, class_="k-t13 k-b"))
    parts.append(pieces.supply(seat, left, SUPPLY, width - 136, 14.5, 12.5))
    parts.append(text(width - 10, 21, points, class_="k-t20 k-b k-e"))
    said = f"{scene.say('points', points=points)}, {scene.say('followers', count=left)}"
    return f'<g data-seat="{seat}"><title>{escape(f"{name}: {said}")}</title>{"".join(parts)}</g>'


def _bag(scene: PictureScene, width: float) -> tuple[str, float]:
    """Return the tiles left, by letter, eight to a row, and the height of the drawing."""
    remaining = scene.view["remaining"]
    if not remaining:
        return "", 0
    left = sum(remaining.values())
    parts = [heading(0, 14, width, f"{scene.say('bag')} · {left}")]
    step = width / 8
    size = step - 6
    for place, (letter, count) in enumerate(sorted(remaining.items())):
        x, y = place % 8 * step + 3, place // 8 * (size + 17) + 22
        parts.append(
            scale(
                x,
                y,
                size / 100,
                use(f"tile-{letter}-0"),
                path("M0 0h100v100h-100z", class_="k-edge"),
            )
        )
        parts.append(
            text(x + size / 2, y + size + 12, f"{count} × {letter}", class_="k-t11 k-m k-sans")
        )
    rows = (len(remaining) + 7) // 8
    return "".join(parts), rows * (size + 17) + 24
