"""The picture of the ratings: a bar for each player with its interval, as an SVG document."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from math import ceil, floor
from typing import Final

from cartulary.league.ratings import Rating

Place = Callable[[float], float]
"""From a rating to its place from left to right."""

LEFT: Final = 150
WIDTH: Final = 640
RIGHT: Final = 60
ROW: Final = 34
TOP: Final = 48
STEPS: Final = (100, 200, 500, 1000, 2000)
"""Points of rating between two lines of the grid: the first that needs few lines."""

LINES: Final = 10
"""The most lines, as far as the steps allow."""

STYLE: Final = (
    "text{font:14px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.bar{fill:#3b6ea5}"
    ".reach{stroke:#222;stroke-width:2}.small{font-size:12px;fill:#555}.paper{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.grid{stroke:#444}.bar{fill:#6fa3d8}"
    ".reach{stroke:#eee}.small{fill:#bbb}.paper{fill:#1b1b1b}}"
)


def draw_ratings(title: str, ratings: Mapping[str, Rating]) -> str:
    """Return the picture; the players stand in the order of `ratings`."""
    low = min((one.low for one in ratings.values()), default=1400.0) - 1
    high = max((one.high for one in ratings.values()), default=1600.0) + 1
    step = next((step for step in STEPS if high - low < step * LINES), STEPS[-1])
    first, last = step * floor(low / step), step * ceil(high / step)
    bottom = TOP + ROW * len(ratings)

    def place(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - first) / (last - first)

    parts = [_draw_line(place(value), value, bottom) for value in range(first, last + 1, step)]
    for number, (name, rating) in enumerate(ratings.items()):
        parts += _draw_row(name, rating, TOP + ROW * number + ROW // 2, place)
    height = bottom + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>'
        f'<text x="12" y="26">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )


def _draw_line(x: float, value: int, bottom: int) -> str:
    return (
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{bottom}"/>'
        f'<text class="small" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{value}</text>'
    )


def _draw_row(name: str, rating: Rating, y: int, place: Place) -> list[str]:
    value, low, high = place(rating.value), place(rating.low), place(rating.high)
    return [
        f'<text x="{LEFT - 8}" y="{y + 5}" text-anchor="end">{escape(name)}</text>',
        f'<rect class="bar" x="{LEFT}" y="{y - 9}" width="{value - LEFT:.1f}" height="18"/>',
        f'<line class="reach" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>',
        f'<text class="small" x="{high + 6:.1f}" y="{y + 5}">{rating.value:.0f}</text>',
    ]
