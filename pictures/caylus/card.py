"""A building as a card: its name on a band in the colour and shape of its kind, then what it does.

Wood has a pitched roof, stone has battlements, prestige a pediment, neutral stalls an awning, so
that the kind shows without its colour.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cartulary.engine.caylus.buildings import BUILDING_BY_ID
from cartulary.pictures.caylus.icons import PICTOGRAMS, row_at, width_of
from cartulary.pictures.caylus.symbols import effect_rows, gain_row, price_row
from cartulary.pictures.svg import fit, group, number, path, rect

WIDTH: Final = 75
HEIGHT: Final = 66
BAND: Final = 15
LARGEST: Final = 1.3
"""How much larger an effect becomes that has half a card for itself."""

KIND_CLASS: Final = {"wood": "cwood", "stone": "cstone"}


def kind_class(category: str) -> str:
    """Return the class of a kind of building; wood and stone are goods as well."""
    return KIND_CLASS.get(category, category)


def _roof(category: str, width: float) -> str:
    """Return the outline of the band: what the top of such a building looks like."""
    w = number(width)
    half = number(width / 2)
    rest = f"V{BAND}H0z"
    if category == "wood":
        return f"M0 3L{half}-4L{w} 3{rest}"
    if category == "stone":
        step = width / 15
        top = "".join(
            f"H{number((n + 1) * step)}{'V1' if n % 2 == 0 else 'V-3'}" for n in range(14)
        )
        return f"M0-3{top}H{w}{rest}"
    if category == "prestige":
        return f"M0 2H3L{half}-6L{number(width - 3)} 2H{w}{rest}"
    if category == "residence":
        return f"M0 4L9-3H{number(width - 9)}L{w} 4{rest}"
    if category == "neutral":
        return f"M4-2H{number(width - 4)}L{w} 4{rest}"
    return f"M0-2H{w}{rest}"


@lru_cache(maxsize=2048)
def card(
    building_id: str, name: str, edition: str, width: float = WIDTH, height: float = HEIGHT
) -> str:
    """Return the card of a building, its upper left corner at the origin."""
    building = BUILDING_BY_ID[building_id]
    kind = kind_class(building.category)
    parts = [
        rect(0, BAND - 2, width, height - BAND + 2, rx=2, class_=f"k-{kind}2 k-card"),
        path(_roof(building.category, width), class_=f"k-{kind} k-card"),
        fit(width / 2, 11.5, name, 11, width - 6, class_="k-t11 k-b k-m k-sans k-dark"),
    ]
    price, gain = price_row(building_id), gain_row(building_id, edition)
    foot = height - 9.5
    if price:
        room = width - 4 - (width_of(gain) + 1 if gain else 0)
        wide = min(width_of(price), room)
        parts.append(row_at(2.5 + wide / 2, foot, price, wide))
    if gain:
        parts.append(row_at(width - 2 - width_of(gain) / 2, foot, gain))
    bottom = height - (18 if price or gain else 2)
    parts.append(_effect(building_id, edition, width, BAND, bottom))
    return "".join(parts)


def _effect(building_id: str, edition: str, width: float, top: float, bottom: float) -> str:
    rows = effect_rows(building_id, edition)
    middle = (top + bottom) / 2
    if building_id in PICTOGRAMS:
        shift = -18 if rows else 0
        drawing = path(
            PICTOGRAMS[building_id],
            class_="k-pic",
            transform=f"translate({number(width / 2 + shift)} {number(middle)}) scale(1.2)",
        )
        return drawing + (row_at(width / 2 + 18, middle, rows[0]) if rows else "")
    if not rows:
        return ""
    if len(rows) == 1:
        grown = min(LARGEST, (width - 6) / width_of(rows[0]))
        place_ = f"translate({number(width / 2)} {number(middle)}) scale({grown:.3f})"
        return group(row_at(0, 0, rows[0]), transform=place_)
    step = (bottom - top) / len(rows)
    first = top + step / 2
    return "".join(
        row_at(width / 2, first + step * n, row, width - 4) for n, row in enumerate(rows)
    )
