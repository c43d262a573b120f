"""The table of Caylus as text: the road, the special buildings, the castle, the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cartulary.cli.play.seats import draw_scores, name_seat
from cartulary.locales import GameWords
from cartulary.locales.pieces import Describer

View = Mapping[str, Any]

_SPECIALS: Final = ("gate", "trading_post", "merchants_guild", "joust_field")
SECTIONS: Final = ("dungeon", "walls", "towers")
_ROWS: Final = 10
"""Spaces of the road that stand below each other; 28 make three columns."""


def draw_table(view: View, names: Sequence[str], words: GameWords, lang: str) -> RenderableType:
    """Return the table. `P` is the provost, `B` the bailiff; a number is the seat of a worker."""
    terms = words.terms(lang)
    road = view["road"]
    parts = [road[begin : begin + _ROWS] for begin in range(0, len(road), _ROWS)]
    drawn = [_draw_road(part, begin * _ROWS, view, terms) for begin, part in enumerate(parts)]
    phase = terms["phases"].get(view["phase"], view["phase"])
    return Group(
        Text(f"{view['round']} · {phase}", "bold"),
        Columns([*drawn, _draw_specials(view, terms)]),
        _draw_castle(view, names, terms),
        _draw_players(view, names, words, lang),
    )


def _draw_road(spaces: Sequence[View], begin: int, view: View, terms: Mapping[str, Any]) -> Table:
    table = Table(show_header=False, box=None)
    for number, space in enumerate(spaces, begin + 1):
        marks = ("P" if view["provost"] == number else "") + (
            "B" if view["bailiff"] == number else ""
        )
        building = space["building"]
        called = terms["buildings"].get(building, building) if building else "·"
        owner = Text(called) if space["owner"] is None else name_seat(space["owner"], called)
        table.add_row(f"{number}", Text(marks, "bold"), owner, name_seat(space["worker"]))
    return table


def _draw_specials(view: View, terms: Mapping[str, Any]) -> Table:
    table = Table(show_header=False, box=None)
    for name in _SPECIALS:
        table.add_row(terms["spaces"][name], name_seat(view[name]))
    for name in ("stables", "castle"):
        table.add_row(terms["spaces"][name], _name_seats(view[name]))
    inn = [seat for seat in view["inn"].values() if isinstance(seat, int)]
    table.add_row(terms["spaces"]["inn"], _name_seats(inn))
    table.add_row(terms["spaces"]["bridge"], _name_seats(view["passed"]))
    return table


def _draw_castle(view: View, names: Sequence[str], terms: Mapping[str, Any]) -> Table:
    table = Table(show_header=False, box=None)
    for name in SECTIONS:
        section = view["sections"][name]
        built = [
            Text.assemble(name_seat(seat), f"×{count} ")
            for seat, count in enumerate(section["houses"][: len(names)])
            if count
        ]
        mark = "✓" if section["scored"] else ""
        table.add_row(terms["sections"].get(name, name), mark, Text().join(built))
    return table


def _draw_players(view: View, names: Sequence[str], words: GameWords, lang: str) -> Table:
    goods = Describer(lang, words).goods
    players = view["players"]
    held = []
    for player in players:
        owned = {"deniers": player["deniers"], **player["cubes"]}
        shown = goods({name: count for name, count in owned.items() if count})
        held.append(f"{player['workers']} ☺  {shown}")
    return draw_scores(names, [player["prestige"] for player in players], held)


def _name_seats(seats: Sequence[int | None]) -> Text:
    return Text().join([name_seat(seat) for seat in seats if seat is not None])
