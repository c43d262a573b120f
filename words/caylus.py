"""Caylus in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cartulary.engine.caylus.tables import LINES, REDUCED_PRICE, SECTIONS
from cartulary.words.fitting import TextItem, TextLine
from cartulary.words.phrases import Phrases
from cartulary.words.speaker import Json, SeenTable, Speaker

_PLACES: Final = ("gate", "trading_post", "merchants_guild", "joust_field")
"""The special places with room for one worker."""

_ROAD, _SECTIONS, _STOCK = 2, 1, 3
"""What goes first from a text that is too long: the higher number."""


def _add(phrases: Phrases, move: Json, table: SeenTable) -> dict[str, str]:
    """Return what a move does not say itself: the building on a space, the question it answers."""
    kind = table.decision["kind"] if table.decision else ""
    view = table.view or {}
    added = {"decline": phrases.read(f"ui.decline.{kind}")}
    if move["type"] in ("place_worker", "move_worker"):
        added |= _say_worker(phrases, move, table)
    elif move["type"] == "convert":
        added["space"] = _place(phrases, move, view)
    elif move["type"] == "move_provost":
        space = phrases.say("terms.spaces.road", n=view["provost"] + move["steps"])
        added["space"] = f"{space} ({move['steps']:+d})"
    if not move.get("pay", True):
        added["pay"] = "–"
    return added


def _say_worker(phrases: Phrases, move: Json, table: SeenTable) -> dict[str, str]:
    """Return where a worker goes, and what that costs; from the gate it costs nothing."""
    view, decision = table.view or {}, table.decision or {}
    told = "worker_placed" if move["type"] == "place_worker" else "worker_moved"
    space = _find_space(view, move["space"])
    words = phrases.put_into_words({"space": move["space"], "building": space.get("building")})
    key = f"story.{told}_building" if words["building"] else f"story.{told}"
    is_own = space.get("owner") == decision.get("seat")
    price = REDUCED_PRICE if is_own else decision.get("context", {}).get("price", 0)
    return {"worker": phrases.say(key, **words), "price": phrases.goods({"deniers": price})}


def _find_space(view: Json, space: str) -> Json:
    """Return a space of the road as the view has it; empty for another place."""
    return next((one for one in view.get("road", ()) if one["space"] == space), {})


def _place(phrases: Phrases, move: Json, view: Json) -> str:
    """Return a place of a move: `Carpenter (space 8)`, `Gate`, `space 17`."""
    said: str = phrases.put_into_words({"space": move["space"]})["space"]
    building = _find_space(view, move["space"]).get("building")
    return f"{_building(phrases, building)} ({said})" if building else said


def _building(phrases: Phrases, building: str) -> str:
    return phrases.read(f"terms.buildings.{building}")


def _head(phrases: Phrases, view: Json) -> list[str]:
    return [
        phrases.say("picture.round", number=view["round"]),
        phrases.read(f"terms.phases.{view['phase']}"),
    ]


def _hold(phrases: Phrases, view: Json, seat: int) -> str:
    """Return what a seat has: points, money, workers, goods, the columns of its favours."""
    player = view["players"][seat]
    counts = {name: player[name] for name in ("deniers", "workers", "prestige")}
    held = phrases.goods({**counts, **player["cubes"]})
    lines = [
        f"{phrases.read(f'terms.lines.{line}')} {column}"
        for line in LINES
        if (column := player["favours"][line])
    ]
    favours = phrases.read("terms.pieces.favour_table")
    return f"{held}; {favours}{phrases.colon}{', '.join(lines)}" if lines else held


def _tell(phrases: Phrases, table: SeenTable) -> Iterator[TextLine]:
    view = table.view or {}
    yield TextLine("", list(_tell_movers(phrases, view)))
    yield TextLine("", list(_tell_orders(phrases, view)))
    yield TextLine("", list(_tell_workers(phrases, view)))
    castle = f"{phrases.read('terms.spaces.castle')}{phrases.colon}"
    yield TextLine(castle, list(_tell_castle(phrases, view)))
    road = [_tell_space(phrases, one) for one in view["road"] if one["building"]]
    yield TextLine(
        f"{phrases.read('picture.road')}{phrases.colon}", [TextItem(t, _ROAD) for t in road]
    )
    stock = [TextItem(_building(phrases, one), _STOCK) for one in view["stock"]]
    yield TextLine(f"{_capital(phrases.read('terms.pieces.stock'))}{phrases.colon}", stock, ", ")


def _tell_movers(phrases: Phrases, view: Json) -> Iterator[TextItem]:
    for piece in ("provost", "bailiff"):
        space = phrases.say("terms.spaces.road", n=view[piece])
        yield TextItem(f"{phrases.read(f'terms.pieces.{piece}')}{phrases.colon}{space}")


def _tell_orders(phrases: Phrases, view: Json) -> Iterator[TextItem]:
    for piece, seats in (("turn_order", view["turn_order"]), ("passing", view["passed"])):
        if seats:
            order = ", ".join(str(seat + 1) for seat in seats)
            name = _capital(phrases.read(f"terms.pieces.{piece}"))
            yield TextItem(f"{name}{phrases.colon}{order}")


def _tell_workers(phrases: Phrases, view: Json) -> Iterator[TextItem]:
    """Yield the places off the road where workers stand; the left circle of the inn comes first."""
    held: dict[str, list[int]] = {
        place: [view[place]] for place in _PLACES if view[place] is not None
    }
    held |= {"stables": view["stables"], "castle": view["castle"]}
    for place, seats in held.items():
        if seats:
            name = phrases.read(f"terms.spaces.{place}")
            who = ", ".join(_worker(phrases, seat) for seat in seats)
            yield TextItem(f"{name}{phrases.colon}{who}")
    circles = [view["inn"]["left"], view["inn"]["right"]]
    if circles != [None, None]:
        left, right = ("–" if seat is None else _worker(phrases, seat) for seat in circles)
        yield TextItem(f"{phrases.read('terms.spaces.inn')}{phrases.colon}{left} → {right}")


def _worker(phrases: Phrases, seat: int) -> str:
    return phrases.say("picture.worker", name=phrases.seat(seat))


def _tell_castle(phrases: Phrases, view: Json) -> Iterator[TextItem]:
    """Yield each section with the houses of each seat, and whether it is scored."""
    for section in SECTIONS:
        state = view["sections"][section.id]
        houses = [
            f"{phrases.seat(seat)} {phrases.goods({'houses': n})}"
            for seat, n in enumerate(state["houses"])
            if n
        ]
        said = houses + ([phrases.read("picture.scored")] if state["scored"] else [])
        name = phrases.read(f"terms.sections.{section.id}")
        yield TextItem(f"{name} {', '.join(said) or '–'}", _SECTIONS)


def _tell_space(phrases: Phrases, space: Mapping[str, Any]) -> str:
    """Return a space of the road: its number, building, owner, and who stands there."""
    number = space["space"].removeprefix("road-")
    said = []
    if space["owner"] is not None:
        said.append(phrases.seat(space["owner"]))
    if space.get("pending_residence") is not None:
        pending = phrases.seat(space["pending_residence"])
        said.append(phrases.say("picture.pending", name=pending))
    if space["worker"] is not None:
        said.append(_worker(phrases, space["worker"]))
    more = f" ({', '.join(said)})" if said else ""
    return f"{number} {_building(phrases, space['building'])}{more}"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


SPEAKER: Final = Speaker(
    moves={
        "place_worker": "{worker}{colon}{price}",
        "pass": "{ui.moves.pass}",
        "decline": "{decline}",
        "move_worker": "{worker}",
        "move_provost": "{ui.moves.move_provost}",
        "joust": "{ui.joust}",
        "stay": "{ui.stay}",
        "leave": "{ui.leave}",
        "take": "{ui.moves.take}{colon}{goods}",
        "trade": "{ui.moves.trade}{colon}{give} → {get}",
        "build": "{ui.moves.build} – {pay}",
        "build_prestige": "{ui.moves.build_on} – {pay}",
        "convert": "{ui.moves.convert} – {pay}",
        "offer_batch": "{ui.moves.offer_batch}{colon}{goods}",
        "choose_favour": "{terms.pieces.favour}{colon}{line}",
    },
    add=_add,
    head=_head,
    hold=_hold,
    tell=_tell,
)
