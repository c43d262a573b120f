"""Marks of the seats on the board: a worker's seal, an owner's flag, a house in the castle."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from cartulary.pictures.seats import place
from cartulary.pictures.svg import circle, group, number, path, text, use

_FLAG: Final = "M0-17h21l-4 7 4 7h-21z"
_HOUSE: Final = "M-7.5 8v-9l7.5-7 7.5 7v9z"


@cache
def _flag(seat: int) -> str:
    return group(
        path("M0 2v-20", class_="k-op"),
        path(_FLAG, class_="k-hs"),
        use(f"emblem-{seat}", class_="k-si", transform="translate(8 -10) scale(.23)"),
        class_=f"k-s{seat}",
    )


@lru_cache(maxsize=2048)
def flag(seat: int, x: float, y: float, name: str) -> str:
    """Return the owner's flag on a pole that stands at (x, y), with the id `name`."""
    return f'<g id="{name}" transform="translate({number(x)} {number(y)})">{_flag(seat)}</g>'


@cache
def _house(seat: int) -> str:
    return group(
        path(_HOUSE, class_="k-hs"),
        use(f"emblem-{seat}", class_="k-si", transform="translate(0 2) scale(.21)"),
        class_=f"k-s{seat}",
    )


@lru_cache(maxsize=2048)
def house(seat: int, x: float, y: float, name: str) -> str:
    """Return a house of a seat, its middle at (x, y), with the id `name`."""
    return f'<g id="{name}" transform="translate({number(x)} {number(y)})">{_house(seat)}</g>'


@lru_cache(maxsize=2048)
def worker(seat: int, x: float, y: float, size: float, space: str) -> str:
    """Return the worker of a seat that stands on a space, its middle at (x, y)."""
    return (
        f'<g id="k-worker-{space}-{seat}" transform="{place(x, y, size)}">'
        f'<use href="#k-seal-{seat}"/><use href="#k-worker" class="k-s{seat}"/></g>'
    )


@lru_cache(maxsize=2048)
def slot(seat: int | None, x: float, y: float, radius: float, space: str) -> str:
    """Return a round place for a worker, with the worker on it."""
    ring = circle(x, y, radius, class_="k-slot")
    return ring if seat is None else ring + worker(seat, x, y, 1.75 * radius, space)


@lru_cache(maxsize=2048)
def rank(seat: int | None, order: int, x: float, y: float, radius: float, space: str) -> str:
    """Return a slot of an order of seats: it shows its number while no seat stands there."""
    empty = text(x, y + 4, order, class_="k-t11 k-b k-m k-sans") if seat is None else ""
    return slot(seat, x, y, radius, space) + empty


DEFINITIONS: Final = (
    '<g id="k-worker"><path d="M0-13a5.5 5.5 0 0 1 3.3 9.9q6.7 2.1 7.2 13.1h-21q.5-11 7.2-13.1'
    'a5.5 5.5 0 0 1 3.3-9.9z" class="k-si"/></g>'
)
