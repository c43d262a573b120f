"""The favour table, the stock, the players with their goods, and the heading."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from cartulary.engine.caylus.buildings import TILE_IDS, stock_of
from cartulary.engine.caylus.tables import (
    BUILD_PRESTIGE_COLUMN,
    BUILD_STONE_COLUMN,
    BUILD_WOOD_COLUMN,
    CONVERT_COLUMN,
    FAVOUR_CUBES,
    FAVOUR_DENIERS,
    FAVOUR_POINTS,
    LINES,
    SECTIONS,
)
from cartulary.pictures.caylus.card import HEIGHT, WIDTH, card
from cartulary.pictures.caylus.icons import MINUS, TO, coin, icon, points, row_at, word
from cartulary.pictures.caylus.road import edition_of, name_of
from cartulary.pictures.caylus.symbols import Row, choice
from cartulary.pictures.frame import PictureScene, heading, panel
from cartulary.pictures.seats import place, seal
from cartulary.pictures.svg import (
    at,
    escape,
    fit,
    number,
    path,
    rect,
    shorten,
    text,
    text_width,
    use,
)
from cartulary.pictures.words import capitalise

PLAYER: Final = 54
HEADER: Final = 64
COLUMNS: Final = 5
STOCK_TOP: Final = 22.0
STOCK_PITCH: Final = HEIGHT + 6.5
"""From a row of the stock to the next: roofs reach above their cards."""
_LABEL: Final = 72.0
_LINE: Final = 33.0
_LINE_OF_PHONE: Final = 41.0
"""44 px high on a phone, so that a finger hits the line that it means."""
_WIDE: Final = 340.0
"""So wide the table is where the board is one column, as on a phone."""
_ABOVE_LINES: Final = 38.0
_WORDS: Final = {"coin": "goods.deniers", "pawn": "pieces.worker"}
"""The words for what stands under another name in the picture than in the words."""

_BUILDING_COLUMNS: Final[dict[int, Row]] = {
    BUILD_WOOD_COLUMN: [icon("house-wood"), MINUS, icon("wood")],
    BUILD_STONE_COLUMN: [icon("house-stone"), MINUS, icon("stone")],
    CONVERT_COLUMN: [icon("house-residence")],
    BUILD_PRESTIGE_COLUMN: [icon("house-prestige")],
}


def _reward(line: str, column: int) -> Row:
    """Return what a column of the favour table gives (rules 2, favour table)."""
    if column == 0:
        return []
    if line == "prestige":
        return [points(FAVOUR_POINTS[column])]
    if line == "deniers":
        return [coin(FAVOUR_DENIERS[column])]
    if line == "buildings":
        return _BUILDING_COLUMNS.get(column, [word("–")])
    gives = list(dict.fromkeys(give for give, _ in FAVOUR_CUBES[column]))
    gets = list(dict.fromkeys(get for _, get in FAVOUR_CUBES[column]))
    return [*choice(gives), TO, *choice(gets)] if sum(gives[0]) else choice(gets)


@lru_cache(maxsize=512)
def _reward_at(line: str, column: int, x: float, room: float) -> str:
    return row_at(x, 10, _reward(line, column), room)


def favours(scene: PictureScene, width: float) -> str:
    """Return the favour table with everyone's markers, `favours_height` high."""
    high, column = _line_height(width), (width - _LABEL) / (COLUMNS + 0.7)
    parts = [heading(0, 12, width, name_favours(scene)), _sections(scene, column)]
    opened = _open_columns(scene)
    for index, line in enumerate(LINES):
        top = _ABOVE_LINES + index * (high + 1)
        parts.append(at(0, top, _line(scene, line, column, opened, (width, high))))
    return "".join(parts)


def favours_height(_scene: PictureScene, width: float) -> float:
    """Return the height of the favour table in a width."""
    return _ABOVE_LINES + len(LINES) * (_line_height(width) + 1) - 1


def _line_height(width: float) -> float:
    return _LINE_OF_PHONE if width >= _WIDE else _LINE


def _open_columns(scene: PictureScene) -> int:
    """Return the number of open columns, which the next section to be scored has (rules 3)."""
    for section in SECTIONS:
        if not scene.view["sections"][section.id]["scored"]:
            return section.columns
    return COLUMNS


def _sections(scene: PictureScene, column: float) -> str:
    """Return the brackets over the columns: which section opens them."""
    parts = []
    first = 0
    start = _LABEL + 0.7 * column
    for section in SECTIONS:
        x, wide = start + first * column, (section.columns - first) * column
        said = scene.say(f"sections.{section.id}")
        d = f"M{number(x + 3)} 35v-4h{number(wide - 6)}v4"
        parts.append(path(d, class_="k-rule"))
        label = fit(x + wide / 2, 28, said, 11, wide + 4, class_="k-t11 k-m k-soft k-sans")
        parts.append(label)
        first = section.columns
    return "".join(parts)


def _line(
    scene: PictureScene, line: str, column: float, opened: int, size: tuple[float, float]
) -> str:
    width, high = size
    down = (high - _LINE) / 2
    said = scene.say(f"lines.{line}")
    parts = [f"<title>{escape(said)}</title>", rect(0, 0, width, high, rx=4, class_="k-panel")]
    parts.append(_lowered(down, _label(said)))
    for number_ in range(COLUMNS + 1):
        wide = column if number_ else 0.7 * column
        x = _LABEL + (0 if number_ == 0 else (number_ - 0.3) * column)
        if 0 < number_ <= opened:
            parts.append(rect(x + 1.5, 2, wide - 3, high - 4, rx=3, class_="k-well"))
        reward = _reward_at(line, number_, x + wide / 2, wide - 4)
        markers = _markers(scene, line, number_, x + wide / 2, wide)
        parts.append(_lowered(down, reward + markers))
    parts.append(rect(0, 0, width, high, class_="k-hit"))
    columns = range(1, COLUMNS + 1)
    parts.extend(_touchable(n, _LABEL + (n - 0.3) * column, column, high) for n in columns)
    return f'<g data-line="{line}">{"".join(parts)}</g>'


def _lowered(down: float, drawn: str) -> str:
    return at(0, down, drawn) if down and drawn else drawn


@lru_cache(maxsize=64)
def _touchable(column: int, x: float, wide: float, high: float) -> str:
    return (
        f'<rect x="{number(x)}" width="{number(wide)}" height="{number(high)}" class="k-hit"'
        f' data-column="{column}"/>'
    )


def _markers(scene: PictureScene, line: str, column: int, x: float, width: float) -> str:
    here = [s for s, p in enumerate(scene.view["players"]) if p["favours"][line] == column]
    if not here:
        return ""
    y = 25.5
    if column == 0:
        rows = [here[:3], here[3:]]
        placed = [
            _marker(line, s, x + (n - (len(r) - 1) / 2) * 9.6, (10 + 13 * i) if rows[1] else 16.5)
            for i, r in enumerate(rows)
            for n, s in enumerate(r)
        ]
        return "".join(placed)
    step = min(11.0, (width - 10) / max(len(here) - 1, 1))
    first = x - step * (len(here) - 1) / 2
    return "".join(_marker(line, seat, first + n * step, y) for n, seat in enumerate(here))


@lru_cache(maxsize=512)
def _marker(line: str, seat: int, x: float, y: float) -> str:
    return use(f"seal-{seat}", transform=place(x, y, 10), id=f"k-favour-{line}-{seat}")


@lru_cache(maxsize=64)
def _label(said: str) -> str:
    """Return the name of a line, in two rows where it is long and has two words."""
    room = _LABEL - 9
    first, _, second = said.partition(" ")
    if not second or text_width(said, 11) <= room:
        return fit(6, 20.5, said, 11, room, class_="k-t11 k-b")
    rows = ((first, 14.0), (second, 27.0))
    return "".join(fit(6, y, part, 11, room, class_="k-t11 k-b") for part, y in rows)


def name_favours(scene: PictureScene) -> str:
    """Return what the favour table is called."""
    return scene.say("pieces.favour_table")


def name_stock(scene: PictureScene) -> str:
    """Return what the stock is called."""
    return capitalise(scene.say("pieces.stock"))


def fill_stock(scene: PictureScene) -> PictureScene:
    """Return the scene with all buildings in the stock that the edition has at the start."""
    numbers = [n for n in range(len(TILE_IDS)) if stock_of(edition_of(scene)) >> n & 1]
    return replace(scene, view={**scene.view, "stock": [TILE_IDS[n] for n in numbers]})


def _stock_columns(width: float) -> int:
    return int((width + 3) // (WIDTH + 3))


def stock_height(scene: PictureScene, width: float) -> float:
    """Return the height of the stock at a width."""
    rows = -(-len(scene.view["stock"]) // _stock_columns(width))
    return STOCK_TOP + rows * STOCK_PITCH


def stock(scene: PictureScene, width: float) -> str:
    """Return the buildings that can still be built, `stock_height` high."""
    left = scene.view["stock"]
    columns = _stock_columns(width)
    pitch = (width - WIDTH) / (columns - 1)
    edition = edition_of(scene)
    parts = [heading(0, 12, width, f"{name_stock(scene)} · {len(left)}")]
    for index, building in enumerate(left):
        x, y = index % columns * pitch, STOCK_TOP + index // columns * STOCK_PITCH
        name = name_of(scene, building)
        parts.append(
            f'<g class="tile" id="k-building-{building}" data-building="{building}"'
            f' transform="translate({number(x)} {number(y)})"><title>{escape(name)}</title>'
            f"{card(building, name, edition)}"
            f'<rect width="{WIDTH}" height="{HEIGHT}" class="k-hit"/></g>'
        )
    return "".join(parts)


def players(scene: PictureScene, width: float) -> str:
    """Return all players in turn order, `PLAYER` high each."""
    return "".join(
        at(0, row * PLAYER, _player(scene, seat, width))
        for row, seat in enumerate(scene.view["turn_order"])
    )


def _player(scene: PictureScene, seat: int, width: float) -> str:
    player = scene.view["players"][seat]
    scores = scene.result["scores"] if scene.result else None
    total = scores[seat] if scores else player["prestige"]
    name = scene.name_of(seat, 28)
    parts = [panel(0, 0, width, PLAYER - 6)]
    if seat == scene.active or (scene.result and seat in scene.result["winners"]):
        parts.append(rect(0, 0, width, PLAYER - 6, rx=5, class_="k-now"))
    parts.append(seal(seat, 17, 16, 21))
    parts.append(fit(33, 20, name, 13, width - 100, class_="k-t13 k-b"))
    parts.append(
        f'<use href="#k-shield" transform="translate({number(width - 56)} 15) scale(1.200)"/>'
    )
    parts.append(text(width - 8, 22, total, class_="k-t20 k-b k-e"))
    held = [("coin", player["deniers"]), ("pawn", player["workers"]), *player["cubes"].items()]
    step = (width - 12) / len(held)
    for index, (good, count) in enumerate(held):
        parts.append(_amount(good, count, 16 + index * step))
    told = ", ".join(f"{_name_good(scene, good)} {count}" for good, count in held)
    said = f"{name}: {scene.say('points', points=total)}, {told}"
    return f'<g data-seat="{seat}"><title>{escape(said)}</title>{"".join(parts)}</g>'


def _name_good(scene: PictureScene, good: str) -> str:
    return scene.say(_WORDS.get(good, f"goods.{good}"))


def _amount(good: str, count: int, x: float) -> str:
    size = "k-t12 k-b k-sans" if count else "k-t12 k-soft k-sans"
    return use(good, x=number(x), y=36) + text(x + 10, 40.5, count, class_=size)


def header(scene: PictureScene, width: float) -> str:
    """Return the round, the phase, whose turn it is, and the turn order, `HEADER` high."""
    view = scene.view
    phase = f"{scene.say('round', number=view['round'])} · {scene.say('phases.' + view['phase'])}"
    parts = [panel(0, 0, width, HEADER - 6)]
    order = view["turn_order"]
    start = width - 8 - 22 * len(order)
    parts.append(fit(12, 22, phase, 11, start - 24, class_="k-t11 k-b k-sc k-accent"))
    x = 12.0
    if scene.active is not None:
        parts.append(seal(scene.active, 22, 41, 19))
        x = 37
    parts.append(fit(x, 46, shorten(scene.summary(), 44), 13, width - x - 12, class_="k-t13 k-b"))
    parts += [seal(seat, start + 11 + n * 22.0, 17, 15) for n, seat in enumerate(order)]
    told = ", ".join(scene.names[seat] for seat in order)
    title = f"<title>{escape(capitalise(scene.say('pieces.turn_order')))}: {escape(told)}</title>"
    return f"<g>{title}{''.join(parts)}</g>"
