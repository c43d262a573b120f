"""Caylus: its moves and its view, as in the move contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cartulary.service.description.schemas.base import Answer, Request, Whole, constant, seat, whole

_NAMED_PLACES = ["gate", "trading_post", "merchants_guild", "joust_field", "stables", "inn"]
_ROAD = [f"road-{number}" for number in range(1, 29)]
_PLACES = [*_NAMED_PLACES, "castle", *_ROAD]

_NEUTRAL = [
    f"neutral_{name}"
    for name in ("carpenter", "farm", "forest", "sawmill", "quarry", "marketplace")
]
_FIXED = ["fixed_peddler", "fixed_carpenter", "gold_mine"]
_WOOD = [
    *("wood_farm_food", "wood_farm_cloth", "wood_sawmill", "wood_quarry"),
    *("wood_marketplace", "wood_peddler", "mason", "lawyer"),
]
_STONE = [
    *("stone_farm", "park", "workshop", "church", "tailor", "bank", "alchemist"),
    *("architect_1", "architect_2", "jeweller"),
]
_PRESTIGE = [
    *("statue", "granary", "library", "weaver", "theatre"),
    *("university", "monument", "hotel", "cathedral"),
]
_STOCK = [*_WOOD, *_STONE, *_PRESTIGE]
_BUILDINGS = [*_NEUTRAL, *_FIXED, *_WOOD, *_STONE, "residence", *_PRESTIGE]
_PHASES = [
    *("place_workers", "special_buildings", "bribes", "buildings", "castle", "scoring", "over"),
]


def _one_of(values: list[str]) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(values))


class Bundle(Request):
    """Goods that change hands, never empty: only what is there is named."""

    food = whole(1)
    wood = whole(1)
    stone = whole(1)
    cloth = whole(1)
    gold = whole(1)
    deniers = whole(1)
    prestige = whole(1)


def _bundle(description: str) -> fields.Nested:
    return fields.Nested(Bundle, required=True, metadata={"description": description})


def _place() -> fields.String:
    return _one_of(_PLACES)


def _road_space() -> fields.String:
    return _one_of(_ROAD)


def _pay() -> fields.Nested:
    return _bundle("The whole price, with every free choice settled.")


class Pass(Request):
    """Place no more workers this round."""

    type = constant("pass")


class Decline(Request):
    """Make no use of what is offered."""

    type = constant("decline")


class PlaceWorker(Request):
    """Put a worker on a place."""

    type = constant("place_worker")
    space = _place()


class MoveWorker(Request):
    """Move the worker at the gate to a free place."""

    type = constant("move_worker")
    space = _place()


class MoveProvost(Request):
    """Move the provost, forwards or back."""

    type = constant("move_provost")
    steps = Whole(required=True, validate=validate.OneOf([-3, -2, -1, 1, 2, 3]))


class Joust(Request):
    """Pay for a royal favour at the joust field."""

    type = constant("joust")


class Stay(Request):
    """Stay at the inn."""

    type = constant("stay")


class Leave(Request):
    """Leave the inn."""

    type = constant("leave")


class Take(Request):
    """Take goods where there is a choice."""

    type = constant("take")
    goods = _bundle("What is taken.")


class Trade(Request):
    """Give goods for others."""

    type = constant("trade")
    give = _bundle("What is given.")
    get = _bundle("What is got for it.")


class Build(Request):
    """Build a wood or stone building on the first free space of the road."""

    type = constant("build")
    building = _one_of([*_WOOD, *_STONE])
    pay = _pay()


class BuildPrestige(Request):
    """Build a prestige building over a residence of one's own."""

    type = constant("build_prestige")
    building = _one_of(_PRESTIGE)
    space = _road_space()
    pay = _pay()


class Convert(Request):
    """Turn a building into a residence."""

    type = constant("convert")
    space = _road_space()
    pay = _pay()


class OfferBatch(Request):
    """Give a batch to the castle."""

    type = constant("offer_batch")
    goods = _bundle("The batch: one food and two other cubes.")


class ChooseFavour(Request):
    """Choose the line of a royal favour."""

    type = constant("choose_favour")
    line = _one_of(["prestige", "deniers", "cubes", "buildings"])


MOVES: dict[str, type[Schema]] = {
    "pass": Pass,
    "decline": Decline,
    "place_worker": PlaceWorker,
    "move_worker": MoveWorker,
    "move_provost": MoveProvost,
    "joust": Joust,
    "stay": Stay,
    "leave": Leave,
    "take": Take,
    "trade": Trade,
    "build": Build,
    "build_prestige": BuildPrestige,
    "convert": Convert,
    "offer_batch": OfferBatch,
    "choose_favour": ChooseFavour,
}

DECISIONS = {
    "place_worker": ["place_worker", "pass"],
    "gate": ["move_worker", "decline"],
    "merchants_guild": ["move_provost", "decline"],
    "joust_field": ["joust", "decline"],
    "inn": ["stay", "leave"],
    "bribe": ["move_provost", "decline"],
    "produce": ["take"],
    "owner_bonus": ["take"],
    "trade": ["trade", "decline"],
    "build": ["build", "decline"],
    "build_prestige": ["build_prestige", "decline"],
    "convert": ["convert", "decline"],
    "castle": ["offer_batch", "decline"],
    "favour": ["choose_favour"],
    "favour_cubes": ["take", "trade", "decline"],
    "favour_buildings": ["build", "build_prestige", "convert", "decline"],
}


def _occupant() -> Whole:
    return seat(required=True, allow_none=True)


def _seats(description: str) -> fields.List[Any]:
    return fields.List(seat(), required=True, metadata={"description": description})


class RoadSpace(Answer):
    """A space of the road."""

    space = _road_space()
    building = fields.String(required=True, allow_none=True, validate=validate.OneOf(_BUILDINGS))
    owner = _occupant()
    worker = _occupant()
    pending_residence = seat(
        metadata={
            "description": "Seat that has bought a residence here; only there until it is built."
        }
    )


class Inn(Answer):
    """The two circles of the inn."""

    left = _occupant()
    right = _occupant()


class CastleSection(Answer):
    """A section of the castle."""

    houses = fields.List(
        whole(0), required=True, metadata={"description": "Houses built, per seat."}
    )
    scored = fields.Boolean(required=True)


class CastleSections(Answer):
    """The sections of the castle, in building order."""

    dungeon = fields.Nested(CastleSection, required=True)
    walls = fields.Nested(CastleSection, required=True)
    towers = fields.Nested(CastleSection, required=True)


class Cubes(Answer):
    """Cubes held."""

    food = whole(0, required=True)
    wood = whole(0, required=True)
    stone = whole(0, required=True)
    cloth = whole(0, required=True)
    gold = whole(0, required=True)


class FavourMarkers(Answer):
    """How far a seat has come on each line of the royal favours."""

    prestige = whole(0, required=True)
    deniers = whole(0, required=True)
    cubes = whole(0, required=True)
    buildings = whole(0, required=True)


class CaylusPlayer(Answer):
    """What a seat holds."""

    prestige = Whole(required=True)
    deniers = whole(0, required=True)
    workers = whole(0, required=True, metadata={"description": "Workers at hand."})
    cubes = fields.Nested(Cubes, required=True)
    favours = fields.Nested(FavourMarkers, required=True)


class CaylusView(Answer):
    """The table of Caylus: what everybody may see."""

    round = whole(1, required=True)
    phase = _one_of(_PHASES)
    turn_order = _seats("Who is asked first, second, …")
    passed = _seats("This round's passing order.")
    provost = whole(0, required=True, metadata={"description": "Number of the road space."})
    bailiff = whole(0, required=True, metadata={"description": "Number of the road space."})
    road = fields.List(
        fields.Nested(RoadSpace), required=True, metadata={"description": "28 spaces, in order."}
    )
    gate = _occupant()
    trading_post = _occupant()
    merchants_guild = _occupant()
    joust_field = _occupant()
    stables = _seats("By slot.")
    inn = fields.Nested(Inn, required=True)
    castle = _seats("By slot.")
    sections = fields.Nested(CastleSections, required=True)
    stock = fields.List(
        _one_of(_STOCK), required=True, metadata={"description": "Buildable tiles left."}
    )
    players = fields.List(
        fields.Nested(CaylusPlayer), required=True, metadata={"description": "By seat."}
    )
