"""The castle with its three sections, the six special buildings, and the bridge (rules 2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from cartulary.engine.caylus.buildings import SPECIAL_BUILDINGS
from cartulary.engine.caylus.goods import Bundle
from cartulary.engine.caylus.places import STABLES_SLOTS
from cartulary.engine.caylus.tables import (
    FIRST_PASS_DENIERS,
    NO_BATCH_PENALTY,
    PRICE_AFTER_PASSES,
    SECTIONS,
    Section,
)
from cartulary.pictures.caylus.card import BAND
from cartulary.pictures.caylus.icons import PLUS, TO, coin, favours_told, icon, points, row_at, word
from cartulary.pictures.caylus.marks import house, rank, slot
from cartulary.pictures.caylus.places import place
from cartulary.pictures.caylus.symbols import Row, bundle, effect_rows
from cartulary.pictures.frame import PictureScene, heading, panel
from cartulary.pictures.svg import at, escape, fit, number, path, rect, tag, text
from cartulary.pictures.words import capitalise

CASTLE_HEIGHT: Final = 175
SPECIAL_HEIGHT: Final = 56
BRIDGE_HEIGHT: Final = 52
_COLUMNS: Final = {"dungeon": 3, "walls": 5, "towers": 7}
_SEATS: Final = 5
TWO: Final = 2
"""With so many players the stables are closed (rules 1.1)."""
_SPECIAL_COLUMNS: Final = 3


def castle(scene: PictureScene, width: float) -> str:
    """Return the castle, `CASTLE_HEIGHT` high."""
    slot_width = (width - 82) / sum(_COLUMNS.values())
    parts = [heading(0, 12, width, scene.say("spaces.castle"))]
    x = 3.0
    current = next((s.id for s in SECTIONS if not scene.view["sections"][s.id]["scored"]), None)
    for section in SECTIONS:
        block = _COLUMNS[section.id] * slot_width + 10
        parts.append(at(x, 42, _section(scene, section, block, slot_width, section.id == current)))
        x += block + 19
    parts.append(at(0, CASTLE_HEIGHT - 28, _order(scene, width)))
    who = ", ".join(scene.label(seat) for seat in scene.view["castle"])
    title = f"{scene.say('spaces.castle')}: {who}" if who else scene.say("spaces.castle")
    return place(scene, "castle", title, (0, 0), (width, CASTLE_HEIGHT - 18), *parts, top=18)


def _section(
    scene: PictureScene, section: Section, width: float, slot_width: float, current: bool
) -> str:
    state = scene.view["sections"][section.id]
    houses = [seat for seat, count in enumerate(state["houses"]) for _ in range(count)]
    columns = _COLUMNS[section.id]
    parts = [_walls(section.id, width)]
    for part in range(section.parts):
        x = 5 + (part % columns + 0.5) * slot_width
        y = 15 + part // columns * 21
        seat = houses[part] if part < len(houses) else None
        parts.append(_part(seat, x, y, slot_width, f"k-house-{section.id}-{part + 1}"))
    if state["scored"] or current:
        parts.append(_standard(width / 2, state["scored"]))
    name = scene.say(f"sections.{section.id}")
    each = points(section.points)
    parts.append(fit(1, 64, name, 11, width - 21, class_="k-t11 k-b"))
    parts.append(each.place(width - 8, 60.5))
    parts.append(_rewards(section, width))
    told = ", ".join(
        f"{scene.label(seat)} {count}" for seat, count in enumerate(state["houses"]) if count
    )
    scored = f" ({scene.say('scored')})" if state["scored"] else ""
    head = f"<title>{escape(name)}{escape(scored)}: {told}</title>"
    return f'<g data-section="{section.id}">{head}{"".join(parts)}</g>'


def _part(seat: int | None, x: float, y: float, width: float, name: str) -> str:
    if seat is not None:
        return house(seat, x, y, name)
    return rect(x - width / 2 + 2.5, y - 8, width - 5, 17, rx=3, class_="k-hole")


@lru_cache(maxsize=64)
def _walls(kind: str, width: float) -> str:
    """Draw battlements for all; the towers have roofs at both ends, the dungeon is squat."""
    w = number(width)
    teeth = 2 * round(width / 16) + 1
    step = width / teeth
    top = "".join(
        f"H{number((n + 1) * step)}" + ("V4" if n % 2 == 0 else "V-3") for n in range(teeth - 1)
    )
    body = path(f"M0 50V-3{top}H{w}V50z", class_="k-cw")
    if kind != "towers":
        return body
    ends = "".join(
        path(f"M{number(x)} 50V-8h12V50z", class_="k-cw")
        + path(f"M{number(x - 2.5)}-7l8.5-17 8.5 17z", class_="k-roofc")
        for x in (-8.5, width - 3.5)
    )
    return body + ends


def _standard(x: float, scored: bool) -> str:
    """Return the flag over the section that is built now, the tick over one that was scored."""
    if scored:
        return path(f"M{number(x - 6)}-12l5 5 9-10", class_="k-done")
    return path(f"M{number(x)}-3v-19", class_="k-op") + path(
        f"M{number(x)}-22h15l-4 5 4 5h-15z", class_="k-flag"
    )


@lru_cache(maxsize=64)
def _rewards(section: Section, width: float) -> str:
    """Return what so many houses bring at the scoring (rules 2): houses above, gain below."""
    columns: list[tuple[str, Row]] = [("0", [word(f"−{section.penalty}")])]
    for least, count in section.favours:
        columns.append((f"{least}+", [favours_told(count)]))
    step = width / len(columns)
    return "".join(
        text((n + 0.5) * step, 80, houses, class_="k-t11 k-m k-sans k-soft")
        + row_at((n + 0.5) * step, 91, row)
        for n, (houses, row) in enumerate(columns)
    )


def _order(scene: PictureScene, width: float) -> str:
    workers = scene.view["castle"]
    parts = [_batch(width)]
    for slot_number in range(_SEATS):
        x = 14 + slot_number * 24.0
        seat = workers[slot_number] if slot_number < len(workers) else None
        parts.append(rank(seat, slot_number + 1, x, 11, 10.5, "castle"))
    return "".join(parts)


@lru_cache(maxsize=16)
def _batch(width: float) -> str:
    """Return what a batch is and brings, and what no batch costs (rules 3, phase 6)."""
    row = [
        *bundle(Bundle(food=1)),
        PLUS,
        icon("any"),
        word("≠"),
        icon("any"),
        TO,
        icon("house-owner"),
    ]
    lost = text(width - 6, 15, f"0: −{NO_BATCH_PENALTY}", class_="k-t11 k-e k-sans k-b")
    return panel(0, -4, width, 30) + row_at((width + 83) / 2, 11, row) + lost


# -- the special buildings ------------------------------------------------------------------------


def specials_height(_scene: PictureScene, _width: float) -> float:
    """Return the height of the special buildings."""
    return -(-len(SPECIAL_BUILDINGS) // _SPECIAL_COLUMNS) * (SPECIAL_HEIGHT + 6) - 6


def specials(scene: PictureScene, width: float) -> str:
    """Return the six special buildings in a grid, `specials_height` high."""
    columns = _SPECIAL_COLUMNS
    cell = (width - 6 * (columns - 1)) / columns
    parts = []
    for index, building in enumerate(SPECIAL_BUILDINGS):
        x = index % columns * (cell + 6)
        y = index // columns * (SPECIAL_HEIGHT + 6)
        parts.append(_special(scene, building.id, x, y, cell))
    return "".join(parts)


def _occupants(held: Any) -> list[int | None]:
    if isinstance(held, dict):
        return [held["left"], held["right"]]
    if isinstance(held, list):
        return [*held, *[None] * (STABLES_SLOTS - len(held))]
    return [held]


def _special(scene: PictureScene, space: str, x: float, y: float, width: float) -> str:
    name = scene.say(f"spaces.{space}")
    held = _occupants(scene.view[space])
    who = ", ".join(scene.label(seat) for seat in held if seat is not None)
    closed = space == "stables" and scene.seats == TWO
    parts = [
        rect(0, 0, width, SPECIAL_HEIGHT, rx=4, class_="k-special2 k-card"),
        path(f"M0 4q0-4 4-4h{number(width - 8)}q4 0 4 4V{BAND}H0z", class_="k-special k-card"),
        fit(width / 2, 11.5, name, 11, width - 6, class_="k-t11 k-b k-m k-sans k-dark"),
        _bar(scene, width) if closed else _stalls(space, held, width),
    ]
    title = f"{name}: {scene.say('closed')}" if closed else f"{name}: {who}" if who else name
    return place(scene, space, title, (x, y), (width, SPECIAL_HEIGHT), *parts)


def _stalls(space: str, held: list[int | None], width: float) -> str:
    if space == "stables":
        return "".join(
            rank(seat, n + 1, width * (n + 0.5) / 3, 36, 12, space) for n, seat in enumerate(held)
        )
    if space == "inn":
        return (
            slot(held[0], width * 0.2, 36, 13, "inn-left")
            + TO.place(width * 0.42, 36)
            + slot(held[1], width * 0.64, 36, 13, "inn-right")
            + coin(1).place(width - 11, 45)
        )
    return _effect(space, width - 30) + slot(held[0], width - 15, 36, 12.5, space)


@lru_cache(maxsize=64)
def _effect(space: str, room: float) -> str:
    return row_at(room / 2 + 2, 36, effect_rows(space)[0], room)


def _bar(scene: PictureScene, width: float) -> str:
    """Return the boards that close the stables when two play (rules 3, phase 2)."""
    across = path(f"M5 22L{number(width - 5)} 50M5 50L{number(width - 5)} 22", class_="k-bar")
    said = text(width / 2, 40, scene.say("closed"), class_="k-t11 k-b k-m k-sans k-accent")
    sign = rect(12, 27, width - 24, 18, rx=3, class_="k-panel")
    return across + sign + said


# -- the bridge -----------------------------------------------------------------------------------


def bridge(scene: PictureScene, width: float) -> str:
    """Return the bridge with the passing order, `BRIDGE_HEIGHT` high."""
    passed = scene.view["passed"]
    said = capitalise(scene.say("pieces.passing"))
    # From the right: room for the price of a worker, then the places of the seats.
    first = width - 46 - 23.0 * scene.seats
    parts = [_river(width), fit(9, 28, said, 11, first - 24, class_="k-t11 k-b k-sans k-dark")]
    for index in range(scene.seats):
        seat = passed[index] if index < len(passed) else None
        parts.append(rank(seat, index + 1, first + index * 23.0, 20, 10.5, "bridge"))
    if not passed:
        parts.append(row_at(first, 41, [PLUS, coin(FIRST_PASS_DENIERS)]))
    parts.append(_price(scene, width))
    who = ", ".join(scene.names[seat] for seat in passed)
    title = f"{said}: {who}" if who else said
    touch = rect(0, 0, width, BRIDGE_HEIGHT - 4, class_="k-hit")
    head = f"<title>{escape(title)}</title>"
    return tag("g", head, *parts, touch, id="k-at-bridge", data_bridge="passed")


@lru_cache(maxsize=16)
def _river(width: float) -> str:
    """Return the water and the arch of the bridge."""
    wave = "".join(
        f"M{number(x)} {y}q5-4 10 0t10 0"
        for x, y in ((8, 11), (width - 40, 45), (30, 46), (width - 60, 9))
    )
    parts = [
        rect(0, 0, width, BRIDGE_HEIGHT - 4, rx=6, class_="k-river"),
        path(wave, class_="k-wave"),
        path(
            f"M0 34V17Q{number(width / 2)}-3 {number(width)} 17V34Q{number(width / 2)} 26 0 34z",
            class_="k-cw",
        ),
        path(
            f"M0 38V34Q{number(width / 2)} 26 {number(width)} 34V38Q{number(width / 2)} 30 0 38z",
            class_="k-hole",
        ),
    ]
    return "".join(parts)


def _price(scene: PictureScene, width: float) -> str:
    """Return what a worker costs now (rules 3, phase 2), while workers are placed."""
    prices = PRICE_AFTER_PASSES[scene.seats]
    passed = len(scene.view["passed"])
    if scene.view["phase"] != "place_workers" or passed >= len(prices):
        return ""
    return row_at(width - 23, 24, [icon("pawn"), coin(prices[passed])])
