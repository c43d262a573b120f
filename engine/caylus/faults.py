"""Which rule a move of the right shape breaks, in words: the place, the tile, the price."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cartulary.engine.canonical import quote
from cartulary.engine.caylus import favours
from cartulary.engine.caylus.buildings import (
    BUILDING_BY_ID,
    CRAFT_TILES,
    EMPTY,
    FIXED_SPACES,
    LAWYERS,
    NEUTRAL_TILES,
    TILE_NUMBER,
    TILES,
    Building,
)
from cartulary.engine.caylus.construction import is_own_residence
from cartulary.engine.caylus.goods import GOOD_NUMBER, KINDS
from cartulary.engine.caylus.moves import (
    BONUSES,
    BUILDS,
    CONVERTS,
    CUBES_UP_TO,
    FAVOUR_BUILDS,
    FAVOUR_CONVERTS,
    OFFERS,
    PRESTIGE_BUILDS,
    TAKES,
    TRADES,
    Moves,
)
from cartulary.engine.caylus.phase_2_placing import price
from cartulary.engine.caylus.phase_5_buildings import CRAFTSMEN
from cartulary.engine.caylus.places import (
    CASTLE,
    GATE,
    INN,
    NO_SPACE,
    PLACE_IDS,
    PLACE_NUMBER,
    ROAD,
    STABLES,
    STABLES_SLOTS,
)
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.road import first_empty_space
from cartulary.engine.caylus.tables import (
    BUILD_PRESTIGE_COLUMN,
    BUILD_STONE_COLUMN,
    BUILD_WOOD_COLUMN,
    BUILDINGS_LINE,
    CONVERT_COLUMN,
    CUBES_LINE,
    LINES,
    PROVOST_STEPS,
)
from cartulary.engine.caylus.text import place_words, words
from cartulary.engine.core import Json
from cartulary.engine.errors import Reason

Fault = Reason | None


def _cannot_pay(state: Position, bundle: Mapping[str, int]) -> Fault:
    """Return that the deciding seat lacks a good of a bundle, or None when it can pay."""
    purse = KINDS * state.seat
    for good, count in bundle.items():
        held = state.goods[purse + GOOD_NUMBER[good]]
        if held < count:
            lacking = words({good: count})
            sentence = f"cannot pay: it takes {lacking} and seat {state.seat} has {held}"
            return Reason(sentence, "cannot_pay", seat=state.seat, goods={good: count}, held=held)
    return None


# -- places and the provost ----------------------------------------------------------------------


def _place_fault(state: Position, move: Json) -> Fault:
    place = PLACE_NUMBER[move["space"]]
    return (
        (_road_place_fault if place in ROAD else _shared_place_fault)(state, place)
        or _taken_fault(state, place)
        or _price_fault(state, place)
    )


def _road_place_fault(state: Position, space: int) -> Fault:
    tile = TILES[state.building[space]]
    if tile is None:
        return _empty(space)
    if tile.category in ("residence", "prestige"):
        sentence = f"no worker may be placed on a {tile.category} building: {tile.name}"
        place = f"road-{space}"
        return Reason(f"{sentence} ({place})", "no_workers_here", building=tile.id, space=place)
    return None


def _empty(space: int) -> Reason:
    place = f"road-{space}"
    return Reason(f"no building stands on {place}", "no_building", space=place)


def _shared_place_fault(state: Position, place: int) -> Fault:
    seat = state.seat
    if place == CASTLE and seat in state.castle:
        return _there_already(seat, "castle")
    if place == STABLES and state.seats == 2:
        return Reason("with two players the stables are closed", "stables_closed")
    if place == STABLES and seat in state.stables:
        return _there_already(seat, "stables")
    if place == STABLES and len(state.stables) == STABLES_SLOTS:
        return Reason("place taken: the stables are full", "stables_full")
    if place == GATE and state.kind == "gate":
        return Reason("the gate does not lead to itself", "gate_to_itself")
    return None


def _there_already(seat: int, space: str) -> Reason:
    sentence = f"place taken: seat {seat} already has a worker in the {space}"
    return Reason(sentence, "there_already", seat=seat, space=space)


def _taken_fault(state: Position, place: int) -> Fault:
    worker = state.worker[place]
    if worker == NO_SEAT:
        return None
    circle = " (left circle)" if place == INN else ""
    sentence = f"place taken: {place_words(state, place)}{circle} holds a worker of seat {worker}"
    return Reason(sentence, "place_taken", seat=worker, space=PLACE_IDS[place])


def _price_fault(state: Position, place: int) -> Fault:
    if state.kind == "gate":
        return None
    return _cannot_pay(state, {"deniers": price(state, state.seat, place)})


def _provost_fault(state: Position, move: Json) -> Fault:
    steps = move["steps"]
    if steps == 0:
        sentence = "a move of the provost is 1 to 3 steps; standing still is `decline`"
        return Reason(sentence, "provost_stands", n=PROVOST_STEPS)
    if abs(steps) > PROVOST_STEPS:
        sentence = f"the provost moves at most {PROVOST_STEPS} steps, not {quote(abs(steps))}"
        return Reason(sentence, "provost_too_far", n=PROVOST_STEPS)
    if state.provost + steps not in ROAD:
        space = state.provost + steps
        sentence = f"provost out of range: space {space} is not on the road (1 to {ROAD[-1]})"
        return Reason(sentence, "provost_off_road", n=ROAD[-1])
    return _cannot_pay(state, {"deniers": abs(steps)}) if state.kind == "bribe" else None


# -- goods ---------------------------------------------------------------------------------------


def _here(state: Position) -> Building:
    """Return the building that is being activated."""
    tile = TILES[state.building[state.cursor]]
    assert tile is not None
    return tile


def _listed(offers: Moves, move: Json) -> bool:
    return any(offer.json == move for offer in offers)


def _take_fault(state: Position, move: Json) -> Fault:
    if state.kind == "favour_cubes":
        return _column_fault(state, move)
    table = TAKES if state.kind == "produce" else BONUSES
    choices = [words(offer.json["goods"]) for offer in table[state.building[state.cursor]]]
    here = _here(state)
    sentence = f"the {here.name} gives {' or '.join(choices)}, not {_bundle(move['goods'])}"
    return Reason(sentence, "not_given", building=here.id)


def _trade_fault(state: Position, move: Json) -> Fault:
    if state.kind == "favour_cubes":
        return _column_fault(state, move)
    if not _listed(TRADES[state.building[state.cursor]], move):
        here, offer = _here(state), f"{_bundle(move['give'])} for {_bundle(move['get'])}"
        return Reason(f"the {here.name} does not trade {offer}", "not_traded", building=here.id)
    return _cannot_pay(state, move["give"])


def _column_fault(state: Position, move: Json) -> Fault:
    column = state.markers[favours.LINE_COUNT * state.seat + CUBES_LINE]
    if _listed(CUBES_UP_TO[column], move):
        return _cannot_pay(state, move["give"])
    if _listed(CUBES_UP_TO[-1], move):
        sentence = f"the marker on the line of cubes has reached column {column} only"
        return Reason(sentence, "column_closed", line=LINES[CUBES_LINE], column=column)
    return Reason("the line of cubes gives no such thing", "not_in_line", line=LINES[CUBES_LINE])


def _bundle(value: Mapping[str, int]) -> str:
    return words(value) or "nothing"


def _batch_fault(state: Position, move: Json) -> Fault:
    if not _listed(OFFERS, move):
        sentence = "a batch is 1 food and 2 different cubes of wood, stone, cloth and gold"
        return Reason(sentence, "no_batch")
    return _cannot_pay(state, move["goods"])


def _line_fault(state: Position, move: Json) -> Fault:
    line = move["line"]
    if favours.lines_used(state, state.seat) >> LINES.index(line) & 1:
        sentence = f"line already used this phase: seat {state.seat} has used {line}"
        return Reason(sentence, "line_used", seat=state.seat, line=line)
    return None


# -- construction --------------------------------------------------------------------------------


def _marker_fault(state: Position, column: int) -> Fault:
    """Return that the building line does not reach a column; only a favour asks for it."""
    if state.kind != "favour_buildings":
        return None
    marker = state.markers[favours.LINE_COUNT * state.seat + BUILDINGS_LINE]
    if marker >= column:
        return None
    sentence = f"the marker on the line of buildings is on column {marker}, this takes column"
    return Reason(
        f"{sentence} {column}", "column_closed", line=LINES[BUILDINGS_LINE], column=marker
    )


def _stock_fault(state: Position, tile: Building) -> Fault:
    number = TILE_NUMBER[tile.id]
    if not state.stock >> number & 1:
        return Reason(f"{tile.id} is not in the stock", "not_in_stock", building=tile.id)
    if tile.twin_of and state.stock >> TILE_NUMBER[tile.twin_of] & 1:
        sentence = f"of two equal tiles the first is built first: {tile.twin_of}"
        return Reason(sentence, "twin_first", building=tile.twin_of)
    return None


def _price_of(offers: Moves, move: Json) -> Fault:
    if _listed(offers, move):
        return None
    prices = " or ".join(_bundle(offer.json["pay"]) for offer in offers)
    sentence = f"the price is {prices}, not {_bundle(move['pay'])}"
    return Reason(sentence, "wrong_price", choices=[offer.json["pay"] for offer in offers])


def _build_fault(state: Position, move: Json) -> Fault:
    tile = BUILDING_BY_ID[move["building"]]
    by_favour = state.kind == "favour_buildings"
    if tile.category not in ("wood", "stone"):
        sentence = f"{tile.id} is not a wood or stone building"
        return Reason(sentence, "not_built_here", building=tile.id)
    if not by_favour and tile.category != CRAFTSMEN[state.building[state.cursor]]:
        sentence = f"the {_here(state).name} does not build {tile.category} buildings"
        return Reason(sentence, "not_built_here", building=tile.id)
    column = BUILD_WOOD_COLUMN if tile.category == "wood" else BUILD_STONE_COLUMN
    if fault := _marker_fault(state, column) or _stock_fault(state, tile):
        return fault
    if first_empty_space(state) == NO_SPACE:
        return Reason("the road is full: there is no empty space to build on", "road_full")
    offers = (FAVOUR_BUILDS if by_favour else BUILDS)[TILE_NUMBER[tile.id]]
    return _price_of(offers, move) or _cannot_pay(state, move["pay"])


def _prestige_fault(state: Position, move: Json) -> Fault:
    tile = BUILDING_BY_ID[move["building"]]
    space = PLACE_NUMBER[move["space"]]
    if tile.category != "prestige":
        sentence = f"{tile.id} is not a prestige building"
        return Reason(sentence, "not_built_here", building=tile.id)
    if fault := _marker_fault(state, BUILD_PRESTIGE_COLUMN) or _stock_fault(state, tile):
        return fault
    if space not in ROAD or not is_own_residence(state, state.seat, space):
        sentence = f"{move['space']} does not hold a residence of seat {state.seat}"
        return Reason(sentence, "no_own_residence", seat=state.seat, space=move["space"])
    offers = (PRESTIGE_BUILDS[TILE_NUMBER[tile.id]][space],)
    return _price_of(offers, move) or _cannot_pay(state, move["pay"])


def _convert_fault(state: Position, move: Json) -> Fault:
    space = PLACE_NUMBER[move["space"]]
    if fault := _marker_fault(state, CONVERT_COLUMN) or _target_fault(state, space):
        return fault
    table = FAVOUR_CONVERTS if state.kind == "favour_buildings" else CONVERTS
    return _price_of((table[space],), move) or _cannot_pay(state, move["pay"])


def _target_fault(state: Position, space: int) -> Fault:
    if space not in ROAD or space in FIXED_SPACES:
        return Reason("special and fixed buildings cannot be converted", "not_converted")
    tile = state.building[space]
    if tile == EMPTY:
        return _empty(space)
    if tile in LAWYERS:
        return Reason("a lawyer cannot be converted", "lawyer_not_converted")
    if tile not in NEUTRAL_TILES and tile not in CRAFT_TILES:
        return Reason("residences and prestige buildings cannot be converted", "not_converted")
    if tile in CRAFT_TILES and state.owner[space] != state.seat:
        owner, place = state.owner[space], PLACE_IDS[space]
        sentence = f"{place_words(state, space)} belongs to seat {owner}"
        return Reason(sentence, "of_somebody_else", seat=owner, space=place)
    if any(waiting == space for waiting, _ in state.pending):
        place = f"road-{space}"
        return Reason(
            f"a residence is already to come on {place}", "residence_to_come", space=place
        )
    return None


FAULTS: dict[str, Callable[[Position, Json], Fault]] = {
    "place_worker": _place_fault,
    "move_worker": _place_fault,
    "move_provost": _provost_fault,
    "take": _take_fault,
    "trade": _trade_fault,
    "build": _build_fault,
    "build_prestige": _prestige_fault,
    "convert": _convert_fault,
    "offer_batch": _batch_fault,
    "choose_favour": _line_fault,
}
"""By move type: what judges a move of the right shape."""
