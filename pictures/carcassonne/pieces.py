"""Followers: a seal in the colour and shape of the seat, on it a figure that shows the role.

A knight stands in a city, a highwayman on a road, a monk in a monastery, a farmer lies in a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cartulary.pictures.carcassonne.geometry import Point
from cartulary.pictures.frame import PictureScene
from cartulary.pictures.svg import escape, number

ROLES: Final = {"c": "knight", "r": "highwayman", "m": "monk", "f": "farmer"}
"""Role by the first letter of the segment's id."""

SIZE: Final = 36
"""Width of a seal on the board, in units of a tile."""

# Figures are about 22 units wide around the origin; class fg is the figure, fl its lines, fs a hole
# that shows the seal.
DEFINITIONS: Final = (
    '<g id="k-knight"><path d="M-5.5-4v-5q1-4.5 5.5-5q4.5.5 5.5 5v5z" class="k-fg"/>'
    '<path d="M-4-9h8v2.2h-2.9v2.8h-2.2v-2.8h-2.9z" class="k-fs"/>'
    '<path d="M-9-2h14v6q0 6.5-7 9q-7-2.5-7-9z" class="k-fg"/>'
    '<path d="M-3.2 0h2.4v3.3h3.5v2.4h-3.5v4.5h-2.4v-4.5h-3.5v-2.4h3.5z" class="k-fs"/>'
    '<path d="M10.5 12v-22M7.5-4h6" class="k-fl"/></g>'
    '<g id="k-highwayman"><path d="M-12-4.5q4-1 5.5-1q0-8 6.5-8t6.5 8q1.5 0 5.5 1q-3 3-6 3.2q4 2.3'
    ' 5 13.3h-22q1-11 5-13.3q-3-.2-6-3.2z" class="k-fg"/>'
    '<path d="M-5.5-1.5q5.5 2 11 0v2.5q-5.5 2.5-11 0z" class="k-fs"/></g>'
    '<g id="k-monk"><path d="M0-14a5.2 5.2 0 1 1 0 10.4a5.2 5.2 0 1 1 0-10.4z" class="k-fg"/>'
    '<path d="M-2.8-11.5q2.8-2 5.6 0q-1 1.8-2.8 1.8t-2.8-1.8z" class="k-fs"/>'
    '<path d="M-5-3q5 2.5 10 0q5 3 6 15h-22q1-12 6-15z" class="k-fg"/>'
    '<path d="M-1.2 1h2.4v2.5h2.8v2.3h-2.8v4.7h-2.4v-4.7h-2.8v-2.3h2.8z" class="k-fs"/></g>'
    '<g id="k-farmer"><path d="M-9.5-3.5a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4z" class="k-fg"/>'
    '<path d="M-14.5 1.5l4.5-8.5l6.5 4q-1 1.8-3 1.6q-2.5 0-4 3.4q-1.7.9-4-.5z" class="k-fg"/>'
    '<path d="M-4.5 0q1-2.5 4-2.2l4.5.7l5.5-5q1.8-1 2.6.8l3.4 9.2h-3.6l-2.4-5.2l-3.5 4.8'
    'q-1 1.3-3 1.2h-7.5z" class="k-fg"/><path d="M-14.5 8h30" class="k-fl"/></g>'
    '<path id="k-pip" d="M0-6a2.8 2.8 0 0 1 1.8 5q2.7 1 2.7 6.5h-9q0-5.5 2.7-6.5'
    'a2.8 2.8 0 0 1 1.8-5z"/>'
)


def seat_of(index: int, seats: int) -> int:
    """Return the seat that laid the tile at an index of the view; index 0 is the start tile."""
    return (index - 1) % seats


_CORNERS: Final = "M5 24V5H24M76 5H95V24M95 76V95H76M24 95H5V76"


def mark_tile(scene: PictureScene, seat: int, x: float, y: float) -> str:
    """Return the mark of the tile that a seat has laid last, the tile's corner at (x, y)."""
    said = scene.say("last_tile", seat=scene.label(seat))
    return (
        f'<g id="k-last-{seat}" class="last-tile k-s{seat}" data-seat="{seat}"'
        f' pointer-events="none" transform="translate({number(x)} {number(y)})">'
        f"<title>{escape(said)}</title>"
        f'<path d="{_CORNERS}" class="k-last2"/><path d="{_CORNERS}" class="k-lt"/>'
        f'<use href="#k-seal-{seat}" transform="translate(50 6) scale(.36)"/></g>'
    )


def follower(scene: PictureScene, seat: int, segment: str, spot: Point, name: str) -> str:
    """Return a follower at a point of the board, with its text alternative and the id `name`."""
    role = ROLES[segment[0]]
    called = scene.say(f"roles.{segment[0]}").lower()
    title = scene.say("follower", seat=scene.label(seat), role=called)
    x, y = number(spot[0]), number(spot[1])
    return (
        f'<g id="{name}" class="follower k-s{seat}" data-seat="{seat}" data-role="{role}"'
        f' transform="translate({x} {y})"><title>{escape(title)}</title>'
        f'<use href="#k-seal-{seat}" transform="scale({SIZE / 40:.2f})"/>'
        f'<use href="#k-{role}"/></g>'
    )


def supply(seat: int, count: int, total: int, x: float, y: float, step: float) -> str:
    """Return the followers that a seat has left, as a row of small figures."""
    marks = "".join(
        f'<use href="#k-pip" x="{number(x + n * step)}" y="{number(y)}"'
        f' class="{"k-pip" if n < count else "k-gone"}"/>'
        for n in range(total)
    )
    return f'<g class="k-s{seat}">{marks}</g>'


def find_last_placed(scene: PictureScene) -> Mapping[str, Any] | None:
    """Return the board entry that the last move laid or stood on; the start tile is no move."""
    board: list[Mapping[str, Any]] = scene.view["board"]
    if scene.move.get("type") == "place_tile":
        cell = (scene.move.get("x"), scene.move.get("y"))
        for entry in board:
            if (entry["x"], entry["y"]) == cell:
                return entry
    return board[-1] if len(board) > 1 else None
