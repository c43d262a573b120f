"""Carcassonne in words; north is one less in `y`, as in the contract of moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cartulary.engine.carcassonne.tiles import LETTERS, NUMBER, SIDES, TILES, Segment
from cartulary.words.fitting import TextItem, TextLine
from cartulary.words.phrases import Phrases
from cartulary.words.speaker import Json, SeenTable, Speaker

_COMPASS: Final = ("north", "east", "south", "west")
_STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The neighbours of a cell, by side."""

_CLAIMED, _FITTING, _FARMS, _PLACES, _FREE = 1, 2, 3, 4, 5
"""What goes first from a text that is too long: the higher number."""

Cell = tuple[int, int]


def _add(phrases: Phrases, move: Json, table: SeenTable) -> dict[str, str]:
    context = table.decision["context"] if table.decision else {}
    if move["type"] == "place_tile":
        return {"sides": _say_edges(phrases, context["tile"], move["rotation"])}
    if move["type"] == "place_follower":
        return _describe_segment(phrases, context, move["segment"])
    return {}


def _describe_segment(phrases: Phrases, context: Json, name: str) -> dict[str, str]:
    """Return what a follower on a segment claims, and where on the tile that is."""
    segment = next(one for one in TILES[NUMBER[context["tile"]]].segments if one.id == name)
    feature = phrases.read(f"terms.features.{name[0]}")
    return {"feature": feature, "id": name, "sides": _say_sides(phrases, segment, context)}


def _say_sides(phrases: Phrases, segment: Segment, context: Json) -> str:
    """Return the sides that a segment of a tile as it lies reaches; a monastery is in its middle.

    A field reaches a half of a side or both.
    """
    turned = {_turn(SIDES.index(edge[0]), context["rotation"]) for edge in segment.edges}
    sides = [phrases.read(f"ui.compass.{_COMPASS[side]}") for side in sorted(turned)]
    return ", ".join(sides) or phrases.read("ui.compass.middle")


def _turn(side: int, rotation: int) -> int:
    return (side + rotation // 90) % 4


def _find_edge(tile: str, rotation: int, side: int) -> str:
    """Return the edge on a side of a tile as it lies: `city`, `road`, `field`."""
    return TILES[NUMBER[tile]].edges[(side - rotation // 90) % 4]


def _say_edge(phrases: Phrases, side: int, edge: str) -> str:
    feature = phrases.read(f"terms.edges.{edge[0]}")
    return f"{phrases.read(f'ui.compass.{_COMPASS[side]}')} {feature}"


def _say_edges(phrases: Phrases, tile: str, rotation: int) -> str:
    edges = [_say_edge(phrases, side, _find_edge(tile, rotation, side)) for side in range(4)]
    return ", ".join(edges)


def _head(phrases: Phrases, view: Json) -> list[str]:
    return [phrases.say("ui.bag", n=sum(view["remaining"].values()))]


def _hold(phrases: Phrases, view: Json, seat: int) -> str:
    points = phrases.say("picture.points", points=view["scores"][seat])
    followers = phrases.say("terms.amounts.followers", n=view["followers"][seat])
    return f"{points}, {followers}"


def _tell(phrases: Phrases, table: SeenTable) -> Iterator[TextLine]:
    view = table.view or {}
    yield from _tell_tile(phrases, table)
    features = [one for one in table.features if one["kind"] == "farm" or one["open"]]
    claimed = [one for one in features if any(one["followers"])]
    head = f"{phrases.read('ui.kinds.feature')}{phrases.colon}"
    yield TextLine(head, [TextItem(_say_feature(phrases, one), _rank(one)) for one in claimed])
    north = f"{phrases.read('ui.compass.north')} = y − 1"
    head = f"{phrases.read('ui.cell')} ({north}){phrases.colon}"
    yield TextLine(head, _tell_places(phrases, table, view))
    free = [one for one in features if one["kind"] != "farm" and not any(one["followers"])]
    head = f"{phrases.read('ui.nobody')}{phrases.colon}"
    yield TextLine(head, [TextItem(_say_feature(phrases, one), _FREE) for one in free])
    yield TextLine(f"{phrases.read('picture.bag')}{phrases.colon}", list(_tell_bag(view)), ", ")


def _tell_tile(phrases: Phrases, table: SeenTable) -> Iterator[TextLine]:
    """Yield the tile that is in hand, or just laid, with its edges."""
    context = table.decision["context"] if table.decision else {}
    if "tile" not in context:
        return
    letter, rotation = context["tile"], context.get("rotation", 0)
    where = f" ({context['x']}, {context['y']}), {rotation}°" if "x" in context else ""
    name = phrases.read(f"terms.tiles.{letter}")
    text = f"{letter}{where}: {name} ({_say_edges(phrases, letter, rotation)})"
    yield TextLine("", [TextItem(text)])


def _rank(feature: Json) -> int:
    return _FARMS if feature["kind"] == "farm" else _CLAIMED


def _say_feature(phrases: Phrases, feature: Json) -> str:
    """Return a feature: what it is, where its first tile lies, and whose followers it has."""
    said = phrases.say(f"ui.brief.{feature['kind']}", **feature)
    first = feature["segments"][0]
    where = f"({first['x']}, {first['y']} {first['segment']})"
    holders = [
        f"{phrases.seat(seat)} ×{count}" for seat, count in enumerate(feature["followers"]) if count
    ]
    return f"{where} {said}{' – ' if holders else ''}{', '.join(holders)}"


def _tell_places(phrases: Phrases, table: SeenTable, view: Json) -> list[TextItem]:
    """Return the open places with what borders them, first those that take the tile."""
    laid = {(one["x"], one["y"]): one for one in view["board"]}
    fitting = {(move["x"], move["y"]) for move in table.moves if move["type"] == "place_tile"}
    places = dict.fromkeys(
        (x + dx, y + dy) for x, y in laid for dx, dy in _STEPS if (x + dx, y + dy) not in laid
    )
    return [
        TextItem(_say_place(phrases, place, laid), _FITTING if place in fitting else _PLACES)
        for place in sorted(places, key=lambda place: (place not in fitting, place))
    ]


def _say_place(phrases: Phrases, place: Cell, laid: Mapping[Cell, Json]) -> str:
    """Return an open place: `(1, -2) south city, west field`."""
    edges = []
    for side, (dx, dy) in enumerate(_STEPS):
        tile = laid.get((place[0] + dx, place[1] + dy))
        if tile is not None:
            edge = _find_edge(tile["tile"], tile["rotation"], (side + 2) % 4)
            edges.append(_say_edge(phrases, side, edge))
    return f"({place[0]}, {place[1]}) {', '.join(edges)}"


def _tell_bag(view: Json) -> Iterator[TextItem]:
    for letter in LETTERS:
        if count := view["remaining"].get(letter):
            yield TextItem(f"{letter} {count}", _PLACES)


SPEAKER: Final = Speaker(
    moves={
        "place_tile": "{ui.act.tile}{colon}x {x}, y {y}, {rotation}° ({sides})",
        "place_follower": "{segment}{colon}{feature} ({id}; {sides})",
        "skip_follower": "{ui.skip}",
    },
    add=_add,
    head=_head,
    hold=_hold,
    tell=_tell,
)
