"""Seats in a terminal: their colours, and a row for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

STYLES: Final = (
    "bold white on red",
    "bold white on blue",
    "bold black on green",
    "bold black on yellow",
    "bold white on magenta",
)
"""The colour of each seat; its number stands with it."""


def draw_scores(names: Sequence[str], scores: Sequence[int], held: Sequence[str]) -> Table:
    """Return a row for each seat: number, name, points, and what it holds."""
    table = Table(show_header=False, box=None)
    for seat, (name, points, rest) in enumerate(zip(names, scores, held, strict=True)):
        table.add_row(name_seat(seat, name), str(points), rest)
    return table


def name_seat(seat: int | None, name: str = "") -> Text:
    """Return a seat in its colour; empty for no seat."""
    return Text() if seat is None else Text(f" {seat} {name} ".replace("  ", " "), STYLES[seat])
