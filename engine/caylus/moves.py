"""The moves: interned objects, each made once from a table row, that carry everything they do.

A move knows what it takes (`food` … `deniers`, to compare with a purse), what it changes in the
purse, its points, its number (place, steps, tile or line) and space, its contract form, and its
code (its place in `ALL_MOVES`). Legal
lists hold these objects, so no move is made while a game is played. `find_move` finds a move by its
contract form in one look-up.
"""

from __future__ import annotations

from typing import Any, Final

from cartulary.engine.caylus.buildings import (
    PRESTIGE_TILES,
    ROAD_BUILDINGS,
    TILES,
    Building,
    Deal,
    Produce,
    Trade,
)
from cartulary.engine.caylus.goods import ANY, NOTHING, Bundle
from cartulary.engine.caylus.places import PLACE_IDS, ROAD
from cartulary.engine.caylus.tables import (
    BATCHES,
    FAVOUR_CONVERT_PRICE,
    FAVOUR_CUBES,
    FAVOUR_DISCOUNT,
    JOUST_PRICE,
    LAWYER_PRICE,
    LINES,
    PROVOST_STEPS,
)


class Move:
    """One move; equal only to itself. There are no two with the same contract form."""

    __slots__ = (
        "change",
        "cloth",
        "code",
        "deniers",
        "food",
        "get",
        "give",
        "gold",
        "json",
        "number",
        "points",
        "space",
        "stone",
        "wood",
    )

    def __init__(
        self,
        json: dict[str, Any],
        give: Bundle = NOTHING,
        get: Bundle = NOTHING,
        points: int = 0,
        number: int = 0,
        space: int = 0,
    ) -> None:
        self.json = json
        self.code = -1
        self.give, self.get = give, get
        self.food, self.wood, self.stone, self.cloth, self.gold, self.deniers = give
        differences = [got - given for given, got in zip(give, get, strict=True)]
        self.change = tuple((good, n) for good, n in enumerate(differences) if n)
        self.points = points
        self.number = number
        self.space = space

    def __repr__(self) -> str:
        return f"Move({self.json!r})"

    def is_to(self, places: int, kind: str) -> bool:
        """Return whether this move is of a kind and sends a worker to one of a mask of places."""
        return self.json["type"] == kind and places >> self.number & 1 == 1

    def to_json(self) -> dict[str, Any]:
        """Return a new contract object."""
        return {
            key: dict(value) if type(value) is dict else value for key, value in self.json.items()
        }


Moves = tuple[Move, ...]

_Name = frozenset[tuple[str, Any, type]]

_BY_NAME: Final[dict[_Name, Move]] = {}
"""Every move by its contract form."""


def _name(json: dict[str, Any]) -> _Name:
    """Return what names a move: equal for JSON objects that are equal in type and value.

    Raises `TypeError` for lists and for objects in objects in objects, which no move has.
    """
    return frozenset(
        [
            (key, frozenset(_flatten(value)) if type(value) is dict else value, type(value))
            for key, value in json.items()
        ]
    )


def _flatten(json: dict[str, Any]) -> list[tuple[str, Any, type]]:
    return [(key, value, type(value)) for key, value in json.items()]


def find_move(json: dict[str, Any]) -> Move | None:
    """Return the move with this contract form, legal or not; None if there is no such move."""
    try:
        return _BY_NAME.get(_name(json))
    except TypeError:
        return None


def _make(
    json: dict[str, Any],
    give: Bundle = NOTHING,
    get: Bundle = NOTHING,
    points: int = 0,
    number: int = 0,
    space: int = 0,
) -> Move:
    """Return the move with this contract form: equal rows of two tables share it."""
    return _BY_NAME.setdefault(_name(json), Move(json, give, get, points, number, space))


PASS: Final = _make({"type": "pass"})
DECLINE: Final = _make({"type": "decline"})
JOUST: Final = _make({"type": "joust"}, JOUST_PRICE)
STAY: Final = _make({"type": "stay"})
LEAVE: Final = _make({"type": "leave"})

# -- places, as lists by mask --------------------------------------------------------------------

PLACE_WORKER: Final[Moves] = tuple(
    _make({"type": "place_worker", "space": name}, number=place)
    for place, name in enumerate(PLACE_IDS)
)
MOVE_WORKER: Final[Moves] = tuple(
    _make({"type": "move_worker", "space": name}, number=place)
    for place, name in enumerate(PLACE_IDS)
)

CHUNK: Final = 12
CHUNK_MASK: Final = (1 << CHUNK) - 1


def _subsets(moves: Moves) -> list[Moves]:
    """Return the moves of every subset: entry n holds those whose bit is set in n."""
    lists: list[Moves] = [()]
    for move in moves:
        lists += [(*chosen, move) for chosen in lists]
    return lists


def _by_mask(moves: Moves) -> list[list[Moves]]:
    """Return the subsets of each chunk of places, so that a mask is listed in three look-ups."""
    return [_subsets(moves[first : first + CHUNK]) for first in range(0, len(moves), CHUNK)]


_PLACE_CHUNKS: Final = _by_mask(PLACE_WORKER)
_GATE_CHUNKS: Final = _by_mask(MOVE_WORKER)


def placements(mask: int) -> list[Move]:
    """Return `pass` and the `place_worker` moves of the places in a mask."""
    a, b, c = _PLACE_CHUNKS
    return [
        PASS,
        *a[mask & CHUNK_MASK],
        *b[mask >> CHUNK & CHUNK_MASK],
        *c[mask >> 2 * CHUNK],
    ]


def gate_moves(mask: int) -> list[Move]:
    """Return the `move_worker` moves of the places in a mask, and `decline`."""
    a, b, c = _GATE_CHUNKS
    return [
        *a[mask & CHUNK_MASK],
        *b[mask >> CHUNK & CHUNK_MASK],
        *c[mask >> 2 * CHUNK],
        DECLINE,
    ]


# -- the provost ---------------------------------------------------------------------------------

_STEPS: Final = {
    steps: _make({"type": "move_provost", "steps": steps}, number=steps)
    for steps in range(-PROVOST_STEPS, PROVOST_STEPS + 1)
    if steps
}


def _provost_moves(space: int, most: int) -> Moves:
    return (
        *(move for n, move in _STEPS.items() if abs(n) <= most and space + n in ROAD),
        DECLINE,
    )


PROVOST_MOVES: Final[tuple[tuple[Moves, ...], ...]] = tuple(
    tuple(_provost_moves(space, most) for most in range(PROVOST_STEPS + 1))
    for space in range(ROAD.stop)
)
"""By space of the provost and most steps: those that leave it on the road, and `decline`."""


# -- the road ------------------------------------------------------------------------------------


def _take(bundle: Bundle) -> Move:
    return _make({"type": "take", "goods": bundle.to_json()}, get=bundle)


def _trade(deal: Deal) -> Move:
    get = deal.get.to_json()
    if deal.points:
        get["prestige"] = deal.points
    json = {"type": "trade", "give": deal.give.to_json(), "get": get}
    return _make(json, deal.give, deal.get, deal.points)


def _prices(tile: Building, discount: Bundle) -> tuple[Bundle, ...]:
    """Return every full price of a tile: one for each kind that an "any" cube can be."""
    cost = tile.cost.minus(discount)
    return tuple(cost.plus(cube) for cube in ANY) if tile.any_cubes else (cost,)


def _builds(tile: Building, number: int, discount: Bundle) -> Moves:
    return tuple(
        _make({"type": "build", "building": tile.id, "pay": price.to_json()}, price, number=number)
        for price in _prices(tile, discount)
    )


TAKES: Final[tuple[Moves, ...]] = tuple(
    tuple(map(_take, tile.effect.choices)) if tile and isinstance(tile.effect, Produce) else ()
    for tile in TILES
)
"""By tile: what a production building gives, one of these."""

BONUSES: Final[tuple[Moves, ...]] = tuple(
    tuple(map(_take, tile.effect.bonus)) if tile and isinstance(tile.effect, Produce) else ()
    for tile in TILES
)
"""By tile: what its owner takes when another seat has used it."""

TRADES: Final[tuple[Moves, ...]] = tuple(
    tuple(map(_trade, tile.effect.deals)) if tile and isinstance(tile.effect, Trade) else ()
    for tile in TILES
)
"""By tile: the deals of a trading building."""

BUILDS: Final[tuple[Moves, ...]] = tuple(
    _builds(tile, number, NOTHING) if tile and tile.category in FAVOUR_DISCOUNT else ()
    for number, tile in enumerate(TILES)
)
"""By tile: building it at its full price."""

FAVOUR_BUILDS: Final[tuple[Moves, ...]] = tuple(
    _builds(tile, number, FAVOUR_DISCOUNT[tile.category])
    if tile and tile.category in FAVOUR_DISCOUNT
    else ()
    for number, tile in enumerate(TILES)
)
"""By tile: building it by royal favour, one cube cheaper."""


def _converts(price: Bundle) -> Moves:
    return tuple(
        _make({"type": "convert", "space": name, "pay": price.to_json()}, price, space=space)
        for space, name in enumerate(PLACE_IDS[: ROAD.stop])
    )


CONVERTS: Final = _converts(LAWYER_PRICE)
FAVOUR_CONVERTS: Final = _converts(FAVOUR_CONVERT_PRICE)
"""By space: turning its building into a residence."""


def _prestige_build(number: int, space: int) -> Move:
    tile = ROAD_BUILDINGS[number - 1]
    json = {
        "type": "build_prestige",
        "building": tile.id,
        "space": PLACE_IDS[space],
        "pay": tile.cost.to_json(),
    }
    return _make(json, tile.cost, number=number, space=space)


PRESTIGE_BUILDS: Final[dict[int, Moves]] = {
    number: tuple(_prestige_build(number, space) for space in range(ROAD.stop))
    for number in PRESTIGE_TILES
}
"""By prestige tile and space: building it there."""

# -- castle and favours --------------------------------------------------------------------------

OFFERS: Final[Moves] = tuple(
    _make({"type": "offer_batch", "goods": batch.to_json()}, batch) for batch in BATCHES
)

CHOOSE_LINE: Final[Moves] = tuple(
    _make({"type": "choose_favour", "line": line}, number=number)
    for number, line in enumerate(LINES)
)
ALL_LINES: Final = (1 << len(LINES)) - 1

LINES_LEFT: Final[tuple[Moves, ...]] = tuple(
    tuple(move for move in CHOOSE_LINE if not used >> move.number & 1)
    for used in range(ALL_LINES + 1)
)
"""The lines that can be chosen, by the mask of those used."""


def _favour_cubes(column: int) -> Moves:
    return tuple(
        _trade(Deal(give, get)) if any(give) else _take(get) for give, get in FAVOUR_CUBES[column]
    )


CUBES_UP_TO: Final[tuple[Moves, ...]] = tuple(
    tuple(move for column in range(1, marker + 1) for move in _favour_cubes(column))
    for marker in range(max(FAVOUR_CUBES) + 1)
)
"""What the cube line offers, by the column of its marker."""

# -- all of them ---------------------------------------------------------------------------------

ALL_MOVES: Final[Moves] = tuple(move for move in _BY_NAME.values() if move.json.get("space") != "")
"""The moves in the order of the tables above, without those of place 0, which nothing asks for."""

for _code, _move in enumerate(ALL_MOVES):
    _move.code = _code
