"""The signs of the seats: a colour each and, for people who cannot tell colours, a shape each.

A seal is the shape in the seat's colour with a light rim; an emblem is the bare shape, drawn in
the seat's ink on something that already has its colour. Both are about 40 units wide around the
origin, and are scaled where they are used.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from cartulary.pictures.svg import number, path, tag, use

#: Per seat: the name of the shape, and its outline around the origin.
SHAPES: Final[tuple[tuple[str, str], ...]] = (
    ("circle", "M0-20A20 20 0 0 1 0 20A20 20 0 0 1 0-20z"),
    ("square", "M-15-18h30q3 0 3 3v30q0 3-3 3h-30q-3 0-3-3v-30q0-3 3-3z"),
    ("triangle", "M0-24q2 0 3 2l20 36q2 4-3 4h-40q-5 0-3-4l20-36q1-2 3-2z"),
    ("diamond", "M0-25q1.5 0 3 1.5l20.5 20.5q3 3 0 6l-20.5 20.5q-3 3-6 0"
     "l-20.5-20.5q-3-3 0-6l20.5-20.5q1.5-1.5 3-1.5z"),
    ("cross", "M-9-22h18q2 0 2 2v9h9q2 0 2 2v18q0 2-2 2h-9v9q0 2-2 2h-18q-2 0-2-2v-9h-9q-2 0-2-2"
     "v-18q0-2 2-2h9v-9q0-2 2-2z"),
)  # fmt: skip


@cache
def definitions(seats: int) -> str:
    """Return the symbols `seal-n` and `emblem-n` of the first `seats` seats."""
    parts = []
    for seat in range(seats):
        outline = SHAPES[seat][1]
        parts.append(
            tag(
                "g",
                path(outline, class_="k-rim"),
                path(outline, class_="k-seal"),
                id=f"k-seal-{seat}",
                class_=f"k-s{seat}",
            )
            + path(outline, id=f"k-emblem-{seat}")
        )
    return "".join(parts)


def place(x: float, y: float, size: float) -> str:
    """Return the transform that puts a sign of 40 units at (x, y), `size` wide."""
    return f"translate({number(x)} {number(y)}) scale({size / 40:.3f})"


@lru_cache(maxsize=4096)
def seal(seat: int, x: float, y: float, size: float) -> str:
    """Return the seal of a seat, its centre at (x, y)."""
    return use(f"seal-{seat}", transform=place(x, y, size))
