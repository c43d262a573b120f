"""A move as one line for people: the words after the name of the seat ("Ada …")."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cartulary.engine.caylus.buildings import BUILDING_BY_ID, TILES
from cartulary.engine.caylus.phase_2_placing import price
from cartulary.engine.caylus.phase_6_castle import section_with_room
from cartulary.engine.caylus.places import CASTLE, PLACE_IDS, PLACE_NUMBER, ROAD
from cartulary.engine.caylus.position import NO_SEAT, Position
from cartulary.engine.caylus.road import first_empty_space
from cartulary.engine.caylus.tables import SECTIONS
from cartulary.engine.core import Json

DECLINES = {
    "gate": "takes the worker at the Gate back",
    "merchants_guild": "leaves the provost where it is",
    "joust_field": "does not joust",
    "bribe": "does not bribe the provost",
    "trade": "does not trade",
    "build": "builds nothing",
    "build_prestige": "builds nothing",
    "convert": "converts nothing",
    "castle": "gives no more batches",
    "favour_cubes": "takes no cubes",
    "favour_buildings": "builds nothing",
}

PLURALS = {"deniers": ("denier", "deniers"), "prestige": ("prestige point", "prestige points")}


def words(bundle: Mapping[str, int]) -> str:
    """Return a bundle in words: `1 wood and 2 deniers`."""
    parts = [f"{n} {PLURALS.get(good, (good, good))[n != 1]}" for good, n in bundle.items()]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if parts[1:] else "".join(parts)


def place_words(state: Position, place: int) -> str:
    """Return a place in words: `the Gold Mine (road-16)`, `the Castle`."""
    if place == CASTLE:
        return "the Castle"
    if place not in ROAD:
        return f"the {BUILDING_BY_ID[PLACE_IDS[place]].name}"
    tile = TILES[state.building[place]]
    return f"the {tile.name} ({PLACE_IDS[place]})" if tile else PLACE_IDS[place]


def line(state: Position, move: Json) -> str:
    """Return a legal move of the pending decision as one line."""
    return LINES_OF[move["type"]](state, move)


def _pass(_: Position, __: Json) -> str:
    return "passes"


def _decline(state: Position, _: Json) -> str:
    return DECLINES[state.kind]


def _place_worker(state: Position, move: Json) -> str:
    place = PLACE_NUMBER[move["space"]]
    cost = words({"deniers": price(state, state.seat, place)})
    return f"places a worker on {place_words(state, place)} for {cost}"


def _move_worker(state: Position, move: Json) -> str:
    return f"moves the worker from the Gate to {place_words(state, PLACE_NUMBER[move['space']])}"


def _move_provost(state: Position, move: Json) -> str:
    steps = move["steps"]
    spaces = "1 space" if abs(steps) == 1 else f"{abs(steps)} spaces"
    way = "forward" if steps > 0 else "back"
    cost = f" for {words({'deniers': abs(steps)})}" if state.kind == "bribe" else ""
    return f"moves the provost {spaces} {way} to {PLACE_IDS[state.provost + steps]}{cost}"


def _joust(_: Position, __: Json) -> str:
    return "jousts for 1 cloth and 1 denier"


def _stay(_: Position, __: Json) -> str:
    return "stays in the Inn"


def _leave(_: Position, __: Json) -> str:
    return "leaves the Inn"


def _take(_: Position, move: Json) -> str:
    return f"takes {words(move['goods'])}"


def _trade(_: Position, move: Json) -> str:
    return f"trades {words(move['give'])} for {words(move['get'])}"


def _build(state: Position, move: Json) -> str:
    name = BUILDING_BY_ID[move["building"]].name
    space = PLACE_IDS[first_empty_space(state)]
    return f"builds the {name} on {space} for {_pay(move)}"


def _build_prestige(_: Position, move: Json) -> str:
    name = BUILDING_BY_ID[move["building"]].name
    return f"builds the {name} on {move['space']} for {_pay(move)}"


def _convert(state: Position, move: Json) -> str:
    space = PLACE_NUMBER[move["space"]]
    later = "" if state.worker[space] == NO_SEAT else ", after its worker goes home"
    return f"turns {place_words(state, space)} into a Residence for {_pay(move)}{later}"


def _pay(move: Json) -> str:
    return words(move["pay"]) or "nothing"


def _offer_batch(state: Position, move: Json) -> str:
    section = SECTIONS[section_with_room(state)].id
    return f"gives {words(move['goods'])} for a house in the {section}"


def _choose_favour(_: Position, move: Json) -> str:
    return f"takes the favour on the line of {move['line']}"


LINES_OF: dict[str, Callable[[Position, Json], str]] = {
    "pass": _pass,
    "decline": _decline,
    "place_worker": _place_worker,
    "move_worker": _move_worker,
    "move_provost": _move_provost,
    "joust": _joust,
    "stay": _stay,
    "leave": _leave,
    "take": _take,
    "trade": _trade,
    "build": _build,
    "build_prestige": _build_prestige,
    "convert": _convert,
    "offer_batch": _offer_batch,
    "choose_favour": _choose_favour,
}
