"""The signs of Caylus: goods, money, points, favours, what is done with them.

Every good has a colour and a shape of its own. An icon is about 12 units wide around the origin;
a `Glyph` is an icon (or a number on an icon) with its width, and rows of glyphs make sentences.
"""

# ruff: noqa: E501 - path data

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from cartulary.pictures.svg import number, text, use

SHIELD: Final = "M-6.5-6.5h13v6q0 5.5-6.5 8q-6.5-2.5-6.5-8z"
HOUSE: Final = "M-6 6v-7l6-5.5 6 5.5v7z"

DEFINITIONS: Final = (
    # A loaf, a log, a block of stone, a bolt of cloth, a bar of gold.
    '<g id="k-food"><path d="M-6 2.5c0-8 12-8 12 0q0 2.5-2 2.5h-8q-2 0-2-2.5z" class="k-i k-food"/>'
    '<path d="M-2.5-1.5l1.5 2.5M1-2.2l1.5 2.5" class="k-il"/></g>'
    '<g id="k-wood"><path d="M-3.5-4h7.5q2 0 2 4t-2 4h-7.5z" class="k-i k-wood"/>'
    '<ellipse cx="-3.5" rx="2.5" ry="4" class="k-i k-white"/><path d="M-3.5-1.5v3" class="k-il"/></g>'
    '<g id="k-stone"><path d="M-6 1.5l2-5.5 5.5-1.5 4.5 3.5-.5 5-5 2.5-5.5-1z" class="k-i k-stone"/>'
    '<path d="M-4-4l4.5 3 5.5-1M.5-1l0 6.5" class="k-il"/></g>'
    '<g id="k-cloth"><path d="M-5-5.5h10v9q-2.5 2.5-5 .5t-5 .5z" class="k-i k-cloth"/>'
    '<path d="M-5-2.5h10M-2-2v5M1.5-2v5" class="k-iw"/></g>'
    '<g id="k-gold"><path d="M-3.5-3.5h7l3 7.5h-13z" class="k-i k-gold"/>'
    '<path d="M-2-1.2h4.5" class="k-iw"/></g>'
    # Any cube: a white one; a mixed cube: one of four colours.
    '<g id="k-any"><path d="M0-7l7 7-7 7-7-7z" class="k-i k-white"/></g>'
    '<g id="k-mixed"><path d="M-5.5-5.5h5.5v5.5h-5.5z" class="k-food"/>'
    '<path d="M0-5.5h5.5v5.5h-5.5z" class="k-wood"/><path d="M-5.5 0h5.5v5.5h-5.5z" class="k-stone"/>'
    '<path d="M0 0h5.5v5.5h-5.5z" class="k-cloth"/>'
    '<path d="M-5.5-5.5h11v11h-11zM0-5.5v11M-5.5 0h11" class="k-il"/></g>'
    '<g id="k-coin"><circle r="6.8" class="k-i k-coin"/></g>'
    f'<g id="k-shield"><path d="{SHIELD}" class="k-i k-laurel"/></g>'
    '<g id="k-crown"><path d="M-6.5 5v-8.5l3.7 3 2.8-5 2.8 5 3.7-3v8.5z" class="k-i k-crown"/>'
    '<path d="M-4 2.8h8" class="k-iw"/></g>'
    '<g id="k-pawn"><path d="M0-7a3.2 3.2 0 0 1 2 5.7q3.5 1.3 3.5 7.3h-11q0-6 3.5-7.3a3.2 3.2 0 0 1 2-5.7z"'
    ' class="k-i k-white"/></g>'
    '<g id="k-hammer"><path d="M-1.2 6.5v-8h2.4v8z" class="k-i k-wood"/>'
    '<path d="M-5-5.5h8.5l1.5 2-1.5 2h-8.5z" class="k-i k-stone"/></g>'
    f'<g id="k-house-wood"><path d="{HOUSE}" class="k-i k-cwood"/><path d="M-1.5 6v-4h3v4" class="k-il"/></g>'
    f'<g id="k-house-stone"><path d="M-6 6v-12h3v2h1.5v-2h3v2h1.5v-2h3v12z" class="k-i k-cstone"/>'
    '<path d="M-1.5 6v-4h3v4" class="k-il"/></g>'
    f'<g id="k-house-residence"><path d="{HOUSE}" class="k-i k-residence"/>'
    '<path d="M-1.5 6v-4h3v4" class="k-il"/></g>'
    '<g id="k-house-prestige"><path d="M-6.5 6v-9l6.5-4 6.5 4v9z" class="k-i k-prestige"/>'
    '<path d="M-6.5-2.5h13M-3.5 5v-6M0 5v-6M3.5 5v-6" class="k-il"/></g>'
    f'<g id="k-house-owner"><path d="{HOUSE}" class="k-i k-white"/></g>'
    '<g id="k-to"><path d="M-4 0h7.5M1-2.8l2.8 2.8-2.8 2.8" class="k-op"/></g>'
    '<g id="k-or"><path d="M1.8-5.5l-3.6 11" class="k-op"/></g>'
    '<g id="k-minus"><path d="M-2.6 0h5.2" class="k-op"/></g>'
    '<g id="k-plus"><path d="M-2.8 0h5.6M0-2.8v5.6" class="k-op"/></g>'
    # The provost with a broad hat and a staff; the bailiff, a stout figure with a key.
    '<g id="k-provost"><path d="M-7 9q0-8 3.5-10q-3.5-.5-4.5-2q2-1 4-1q0-5 4-5t4 5q2 0 4 1q-1 1.5-4.5 2'
    'q3.5 2 3.5 10z" class="k-i k-white"/><path d="M8.5 9.5v-16" class="k-il"/></g>'
    '<g id="k-bailiff"><path d="M0-10a4 4 0 0 1 2.8 6.8q4.2 1.2 5.2 12.2h-16q1-11 5.2-12.2a4 4 0 0 1 2.8-6.8z"'
    ' class="k-i k-dark"/><path d="M-2 1.5a2 2 0 1 1 .1.1M0 1.5h4.5v2M2.8 1.5v1.5" class="k-iw"/></g>'
    '<g id="k-tower"><path d="M-4.5 6v-8.5h-1.5v-4h2.5v1.5h2v-1.5h3v1.5h2v-1.5h2.5v4h-1.5v8.5z" class="k-i k-cw"/></g>'
)


LARGER: Final = "scale(1.25)"
_ON: Final = "k-t11 k-b k-m k-sans"


class Glyph(NamedTuple):
    """Something `width` wide that is drawn around its middle."""

    width: float
    svg: str

    def place(self, x: float, y: float) -> str:
        """Draw it with its middle at (x, y)."""
        return f'<g transform="translate({number(x)} {number(y)})">{self.svg}</g>'


@cache
def icon(name: str, width: float = 16.5) -> Glyph:
    """Return an icon of `DEFINITIONS`, large enough to stand next to letters of 11 units."""
    return Glyph(width, use(name, transform=LARGER))


@cache
def coin(amount: object) -> Glyph:
    """Return deniers: a coin with their number."""
    return Glyph(18, use("coin", transform=LARGER) + text(0, 4, amount, class_=f"{_ON} k-dark"))


@cache
def points(amount: object) -> Glyph:
    """Return prestige points: a shield with their number."""
    return Glyph(
        17.5, use("shield", transform=LARGER) + text(0, 3.8, amount, class_=f"{_ON} k-white")
    )


@cache
def favours(count: int) -> Glyph:
    """Return royal favours: a crown for each."""
    crown = icon("crown", 17)
    if count == 1:
        return crown
    return Glyph(27, crown.place(-5, 0) + crown.place(5, 0))


@cache
def favours_told(count: int) -> Glyph:
    """Return royal favours where there is room for one crown: from two on it has their number."""
    crown = icon("crown", 17)
    if count == 1:
        return crown
    return Glyph(17, crown.svg + text(0, 5.6, count, class_=f"{_ON} k-white"))


@cache
def amount(count: int, name: str) -> Glyph:
    """Return `count` of a good: the icon as often, or a number and the icon from three on."""
    if count > 2:
        number_ = text(-4.5, 4, count, class_="k-t11 k-b k-e k-sans")
        return Glyph(24, f"<g>{number_}{icon(name).place(3.8, 0)}</g>")
    step = 9.5 if count > 1 else 0.0
    first = -step * (count - 1) / 2
    return Glyph(16.5 + step * (count - 1), "".join(
        icon(name).place(first + n * step, 0) for n in range(count)
    ))  # fmt: skip


@cache
def word(content: str) -> Glyph:
    """Return a short text among icons."""
    return Glyph(6.9 * len(content) + 2, text(0, 4, content, class_="k-t11 k-b k-m k-sans"))


TO: Final = Glyph(12.5, use("to", transform=LARGER))
OR: Final = Glyph(7, use("or", transform=LARGER))
PLUS: Final = Glyph(9.5, use("plus", transform=LARGER))
MINUS: Final = Glyph(8.5, use("minus", transform=LARGER))

GAP: Final = 1.0


def width_of(row: Sequence[Glyph]) -> float:
    """Return the width of a row of glyphs."""
    return sum(glyph.width for glyph in row) + GAP * (len(row) - 1)


def row_at(x: float, y: float, row: Sequence[Glyph], room: float = 1e6) -> str:
    """Draw a row with its middle at (x, y), made smaller where it is wider than `room`.

    Letters must stay legible, so only a row without words and numbers may be given less room.
    """
    width = width_of(row)
    place = -width / 2
    parts = []
    for glyph in row:
        parts.append(glyph.place(place + glyph.width / 2, 0))
        place += glyph.width + GAP
    shrink = f" scale({room / width:.3f})" if width > room else ""
    return f'<g transform="translate({number(x)} {number(y)}){shrink}">{"".join(parts)}</g>'


#: What a building without an effect shows instead: drawings about 24 units wide, lines only.
PICTOGRAMS: Final = {
    "statue": "M-7 10h14v-3h-14zM-4 7v-3h8v3M0-10a2.5 2.5 0 1 1-.1 0M-3.5 4l1-8q2.5-2 5 0l1 8M3-3l5-6",
    "granary": "M-10 9v-10l10-8 10 8v10zM0-3v9M0 0l-3.5-2.5M0 0l3.5-2.5M0 3.5l-3.5-2.5M0 3.5l3.5-2.5",
    "library": "M0-6q-5-3.5-11-1.5v14q6-2 11 1.5q5-3.5 11-1.5v-14q-6-2-11 1.5zM0-6v14M-8-3.5q3-.5 5 .8M-8 0q3-.5 5 .8M8-3.5q-3-.5-5 .8M8 0q-3-.5-5 .8",
    "weaver": "M-8-9h16M-8 9h16M-6-9v18M6-9v18M-6-5h12M-6-2h12M-6 1h12M-3-9v10M0-9v10M3-9v10",
    "theatre": "M-11-8q5 2.5 10 0v7q0 6-5 7q-5-1-5-7zM-8.5-2.5h1.5M-4.5-2.5h1.5M-8 1.5q2 2 4 0M2-5q4.5 2 9 0v7q0 6-4.5 7q-4-.8-4.5-4M5 0h1.5M8.5 0h1M5 6q2-2 4 0",
    "university": "M0-8l12 5-12 5-12-5zM-6.5 0v5.5q6.5 4.5 13 0v-5.5M12-3v8",
    "monument": "M-3 7l1.5-15 1.5-3 1.5 3 1.5 15zM-7 7h14v3h-14zM-2 1h4",
    "hotel": "M-10 9v-16M-10 4h20v5M-10 1q5-6 9-2l11 2v3M-6.5-3.5a2.5 2.5 0 1 1 .1 0",
    "cathedral": "M-9 10v-15l3-6 3 6v4h6v-4l3-6 3 6v15zM-2.5 10v-5q2.5-4 5 0v5M0 0a2 2 0 1 1-.1 0M-6-11v-3M6-11v-3",
}  # fmt: skip
