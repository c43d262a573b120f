"""The contract of Caylus: its moves, decisions, facts and view (`docs/moves.md`)."""

from __future__ import annotations

from typing import Final

from cartulary.engine.caylus.buildings import ROAD_BUILDINGS, Category
from cartulary.engine.caylus.goods import CUBE_NAMES, GOOD_NAMES
from cartulary.engine.caylus.places import CASTLE, JOUST_FIELD, PLACE_IDS, ROAD
from cartulary.engine.caylus.tables import LINES, OVER_PHASE, PHASE_NAMES, PROVOST_STEPS, SECTIONS
from cartulary.engine.contract import (
    COUNT,
    FLAG,
    POSITIVE,
    SEAT,
    WHOLE,
    Contract,
    Question,
    close,
    facts_of,
    list_of,
    moves_of,
    object_of,
    one_of,
    or_null,
    with_text,
)
from cartulary.engine.schema import Schema, reference

# -- names, from the tables ----------------------------------------------------------------------


def _tiles(*categories: Category) -> list[str]:
    return [tile.id for tile in ROAD_BUILDINGS if tile.category in categories]


_ROAD: Final = [PLACE_IDS[space] for space in ROAD]
_SECTION_IDS: Final = [section.id for section in SECTIONS]
_SOURCES: Final = [
    PLACE_IDS[JOUST_FIELD],
    *(tile.id for tile in ROAD_BUILDINGS if tile.favours),
    PLACE_IDS[CASTLE],
    *_SECTION_IDS,
]

# -- parts ---------------------------------------------------------------------------------------

_PLACE: Final = reference("Place")
_ROAD_SPACE: Final = reference("RoadSpaceId")
_BUILDING: Final = reference("Building")
_SECTION: Final = reference("SectionId")
_LINE: Final = reference("Line")
_SOURCE: Final = reference("FavourSource")
_BUNDLE: Final = reference("Bundle")
_NUMBER: Final[Schema] = {"type": "integer", "minimum": ROAD.start, "maximum": ROAD.stop - 1}
_OCCUPANT: Final[Schema] = {"type": ["integer", "null"], "minimum": 0}
_SEATS: Final = list_of(SEAT)
_TURN_ORDER: Final = with_text(_SEATS, "Who is asked first, second, …")
_PAY: Final = with_text(_BUNDLE, "The whole price, with every free choice settled.")


def _counts(names: tuple[str, ...]) -> dict[str, Schema]:
    return dict.fromkeys(names, COUNT)


def _bundle(text: str, names: tuple[str, ...]) -> Schema:
    bundle = close(object_of(text, {}, dict.fromkeys(names, POSITIVE)))
    return {**bundle, "examples": [{names[0]: 1}]}


_DEFINITIONS: Final = {
    "Place": one_of([place for place in PLACE_IDS if place], "place"),
    "RoadSpaceId": one_of(_ROAD, "place", "A space of the road."),
    "Building": one_of([tile.id for tile in ROAD_BUILDINGS], "building"),
    "CraftBuilding": one_of(_tiles("wood", "stone"), "building", "A wood or stone building."),
    "PrestigeBuilding": one_of(_tiles("prestige"), "building", "A prestige building."),
    "SectionId": one_of(_SECTION_IDS, "section", "A section of the castle."),
    "Line": one_of(LINES, "favour line", "A line of the royal favours."),
    "FavourSource": one_of(
        _SOURCES, "source", "What brings a favour: the joust, a building, most batches, a section."
    ),
    "Bundle": _bundle("Goods that change hands: only what is there is named.", GOOD_NAMES),
    "Yield": _bundle("What a trade gives: goods, or points.", (*GOOD_NAMES, "prestige")),
    "RoadSpace": object_of(
        "A space of the road.",
        {
            "space": _ROAD_SPACE,
            "building": or_null(_BUILDING),
            "owner": _OCCUPANT,
            "worker": _OCCUPANT,
        },
        {
            "pending_residence": with_text(
                SEAT, "Seat that has bought a residence here; only there until it is built."
            )
        },
    ),
    "Inn": object_of("The two circles of the inn.", {"left": _OCCUPANT, "right": _OCCUPANT}),
    "CastleSection": object_of(
        "A section of the castle.",
        {"houses": list_of(COUNT, "Houses built, by seat."), "scored": FLAG},
    ),
    "CastleSections": object_of(
        "The sections of the castle, in building order.",
        dict.fromkeys(_SECTION_IDS, reference("CastleSection")),
    ),
    "Cubes": object_of("Cubes held.", _counts(CUBE_NAMES)),
    "FavourMarkers": object_of("The column that a seat has reached on each line.", _counts(LINES)),
    "Player": object_of(
        "What a seat holds.",
        {
            "prestige": WHOLE,
            "deniers": COUNT,
            "workers": with_text(COUNT, "Workers in supply."),
            "cubes": reference("Cubes"),
            "favours": reference("FavourMarkers"),
        },
    ),
}

# -- moves and decisions -------------------------------------------------------------------------

_MOVES: Final = {
    "pass": ("Place no more workers this round.", {}),
    "decline": ("Make no use of what is offered.", {}),
    "place_worker": ("Put a worker on a place.", {"space": _PLACE}),
    "move_worker": ("Move the worker at the gate to a free place.", {"space": _PLACE}),
    "move_provost": (
        "Move the provost, forwards or back.",
        {
            "steps": {
                "type": "integer",
                "enum": [n for n in range(-PROVOST_STEPS, PROVOST_STEPS + 1) if n],
            }
        },
    ),
    "joust": ("Pay for a royal favour at the joust field.", {}),
    "stay": ("Stay at the inn.", {}),
    "leave": ("Leave the inn.", {}),
    "take": (
        "Take goods where there is a choice.",
        {"goods": with_text(_BUNDLE, "What is taken.")},
    ),
    "trade": (
        "Give goods for others.",
        {
            "give": with_text(_BUNDLE, "What is given."),
            "get": with_text(reference("Yield"), "What is got for it."),
        },
    ),
    "build": (
        "Build a wood or stone building on the first free space of the road.",
        {"building": reference("CraftBuilding"), "pay": _PAY},
    ),
    "build_prestige": (
        "Build a prestige building over a residence of one's own.",
        {"building": reference("PrestigeBuilding"), "space": _ROAD_SPACE, "pay": _PAY},
    ),
    "convert": ("Turn a building into a residence.", {"space": _ROAD_SPACE, "pay": _PAY}),
    "offer_batch": (
        "Give a batch to the castle.",
        {"goods": with_text(_BUNDLE, "The batch: one food and two other cubes.")},
    ),
    "choose_favour": ("Choose the line of a royal favour.", {"line": _LINE}),
}


def _at(place: str) -> Schema:
    return object_of("The place that asks.", {"space": {"type": "string", "const": place}})


_AT_BUILDING: Final = object_of(
    "The building that asks, and whose worker stands there.",
    {"space": _ROAD_SPACE, "building": _BUILDING, "worker": SEAT},
)
_FOR_FAVOUR: Final = object_of(
    "What brought the favour, and the lines that the seat has used in this phase.",
    {"source": _SOURCE, "lines_used": list_of(_LINE)},
)

_DECISIONS: Final = {
    "place_worker": Question(
        "Where does the next worker go?",
        ("place_worker", "pass"),
        object_of(
            "What a worker costs on a building of no seat or of another seat.",
            {"price": POSITIVE},
        ),
    ),
    "gate": Question(
        "Where does the worker at the gate go?", ("move_worker", "decline"), _at("gate")
    ),
    "merchants_guild": Question(
        "How far does the provost move?", ("move_provost", "decline"), _at("merchants_guild")
    ),
    "joust_field": Question(
        "Does the seat pay for a royal favour?", ("joust", "decline"), _at("joust_field")
    ),
    "inn": Question(
        "Does the worker stay in the right circle?",
        ("stay", "leave"),
        _at("inn"),
    ),
    "bribe": Question(
        "How far does a bribe move the provost?",
        ("move_provost", "decline"),
        object_of("Where the provost stands.", {"provost": _NUMBER}),
    ),
    "produce": Question("Which goods does the building give?", ("take",), _AT_BUILDING),
    "owner_bonus": Question("Which goods does the owner get?", ("take",), _AT_BUILDING),
    "trade": Question("Is there a trade?", ("trade", "decline"), _AT_BUILDING),
    "build": Question("What is built?", ("build", "decline"), _AT_BUILDING),
    "build_prestige": Question(
        "Which prestige building is built?", ("build_prestige", "decline"), _AT_BUILDING
    ),
    "convert": Question(
        "Which building becomes a residence?", ("convert", "decline"), _AT_BUILDING
    ),
    "castle": Question(
        "Does the seat give a batch?",
        ("offer_batch", "decline"),
        object_of("The section that the house goes into.", {"section": _SECTION}),
    ),
    "favour": Question("Which line of favours is used?", ("choose_favour",), _FOR_FAVOUR),
    "favour_cubes": Question(
        "Which cube does the favour give?", ("take", "trade", "decline"), _FOR_FAVOUR
    ),
    "favour_buildings": Question(
        "What does the favour build?",
        ("build", "build_prestige", "convert", "decline"),
        _FOR_FAVOUR,
    ),
}

# -- facts ---------------------------------------------------------------------------------------

_WORKER: Final = {"seat": SEAT, "space": _PLACE}
_STANDING: Final = {"building": with_text(_BUILDING, "What stands there; on the road only.")}
_FROM: Final = {"space": _PLACE, **_STANDING, "source": _SOURCE}
_ON_ROAD: Final = {"seat": SEAT, "space": _ROAD_SPACE, "building": _BUILDING}


def _reasons(*reasons: str) -> Schema:
    return one_of(reasons)


_FACTS: Final = {
    "round_begun": object_of("A new round begins.", {"round": POSITIVE, "turn_order": _TURN_ORDER}),
    "phase_begun": object_of(
        "A phase of the round begins.", {"phase": one_of(PHASE_NAMES[:OVER_PHASE])}
    ),
    "gained": object_of(
        "A seat gets goods.",
        {
            "seat": SEAT,
            "goods": _BUNDLE,
            "reason": _reasons(
                *("income", "first_pass", "trading_post"),
                *("production", "owner_bonus", "trade", "favour"),
            ),
        },
        _FROM,
    ),
    "paid": object_of(
        "A seat gives goods.",
        {
            "seat": SEAT,
            "goods": _BUNDLE,
            "reason": _reasons(
                *("placing", "joust", "bribe", "trade", "batch", "construction", "favour")
            ),
        },
        _FROM,
    ),
    "points": object_of(
        "The score of a seat changes.",
        {
            "seat": SEAT,
            "points": WHOLE,
            "reason": _reasons(
                *("owner", "construction", "trade", "castle"),
                *("favour", "simplified_favour", "no_batch", "no_house"),
            ),
        },
        {
            **_FROM,
            "by": with_text(SEAT, "The seat whose worker brings its owner the points."),
            "section": _SECTION,
            "penalty": with_text(POSITIVE, "What is lost; `points` stop at a score of 0."),
        },
    ),
    "worker_placed": object_of("A worker is placed.", _WORKER, _STANDING),
    "passed": object_of(
        "A seat passes.",
        {
            "seat": SEAT,
            "slot": with_text(POSITIVE, "1 passes first."),
            "forced": with_text(FLAG, "The seat has no choice."),
        },
    ),
    "worker_moved": object_of("A worker goes from the gate to another place.", _WORKER, _STANDING),
    "worker_home": object_of("A worker goes back to its seat.", _WORKER, _STANDING),
    "turn_order_changed": object_of("The stables change the order.", {"turn_order": _TURN_ORDER}),
    "inn_entered": object_of("A worker moves to the right circle of the inn.", _WORKER),
    "provost_moved": object_of(
        "A seat moves the provost.",
        {
            "seat": SEAT,
            "steps": WHOLE,
            "to": _NUMBER,
            "reason": _reasons("merchants_guild", "bribe"),
        },
    ),
    "building_idle": object_of("A worker stands beyond the provost: no effect.", _ON_ROAD),
    "building_built": object_of("A craft or prestige building is built.", _ON_ROAD),
    "residence_pending": object_of("A residence is paid for under a worker.", _ON_ROAD),
    "residence_built": object_of(
        "A residence replaces a building.",
        {"seat": SEAT, "space": _ROAD_SPACE, "replaced": _BUILDING},
    ),
    "house_built": object_of(
        "A batch becomes a house of the castle.", {"seat": SEAT, "section": _SECTION}
    ),
    "excused": object_of(
        "A seat has a batch, but no part of the castle is free: no penalty.", {"seat": SEAT}
    ),
    "favours_won": object_of(
        "Royal favours are won; they are taken at once.",
        {"seat": SEAT, "favours": POSITIVE, "source": _SOURCE},
    ),
    "favour_taken": object_of(
        "A line is chosen.",
        {
            "seat": SEAT,
            "line": _LINE,
            "column": with_text(POSITIVE, "The column of the marker now."),
            "advanced": with_text(FLAG, "The marker moved."),
            "source": _SOURCE,
        },
    ),
    "favour_lapsed": object_of(
        "A favour lapses: all lines have been used in this phase.",
        {"seat": SEAT, "source": _SOURCE},
    ),
    "bailiff_moved": object_of("The bailiff moves and the provost joins it.", {"to": _NUMBER}),
    "section_counted": object_of(
        "A section is scored for a seat.", {"seat": SEAT, "section": _SECTION, "houses": COUNT}
    ),
    "section_scored": object_of(
        "A section is closed; further columns of the favours are open.", {"section": _SECTION}
    ),
    "play_over": object_of("The towers have been scored: only counting is left.", {}),
}

# -- the view and the end ------------------------------------------------------------------------

_VIEW: Final = object_of(
    "The table of Caylus: what everybody may see.",
    {
        "round": POSITIVE,
        "phase": one_of(PHASE_NAMES[1:], text="Income asks nothing, so no view shows it."),
        "turn_order": _TURN_ORDER,
        "passed": with_text(_SEATS, "This round's passing order."),
        "provost": with_text(_NUMBER, "Number of the road space."),
        "bailiff": with_text(_NUMBER, "Number of the road space."),
        "road": list_of(reference("RoadSpace"), f"{len(_ROAD)} spaces, in order."),
        "gate": _OCCUPANT,
        "trading_post": _OCCUPANT,
        "merchants_guild": _OCCUPANT,
        "joust_field": _OCCUPANT,
        "stables": with_text(_SEATS, "By slot."),
        "inn": reference("Inn"),
        "castle": with_text(_SEATS, "By slot."),
        "sections": reference("CastleSections"),
        "stock": list_of(one_of(_tiles("wood", "stone", "prestige")), "Tiles that can be built."),
        "players": list_of(reference("Player"), "By seat."),
    },
)

_HELD: Final = with_text(POSITIVE, "The amount held.")

CONTRACT: Final = Contract(
    moves=moves_of(_MOVES),
    decisions=_DECISIONS,
    facts=facts_of(_FACTS),
    view=_VIEW,
    counts=dict.fromkeys(("gold", "cubes", "deniers"), _HELD),
    definitions=_DEFINITIONS,
)
