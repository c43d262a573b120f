"""The picture of a table to share: the board on the left, on the right who plays and how it stands.

It has the size that messengers and social networks show next to a link.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from cartulary.pictures.frame import PictureScene, sheet
from cartulary.pictures.seats import seal
from cartulary.pictures.style import ROOT
from cartulary.pictures.svg import at, escape, fit, rect, scale, tag, text, title

WIDTH: Final = 1200
HEIGHT: Final = 630
EDGE: Final = 14
COLUMN: Final = 320
"""Width of the column next to the board."""
BOARD: Final = (WIDTH - COLUMN - 3 * EDGE, HEIGHT - 2 * EDGE)
ROW: Final = 74
LARGER: Final = 1.8
"""Letters are that much larger than in other pictures: the picture is shown in a small size."""


def share(picture: Callable[[PictureScene], str], scene: PictureScene) -> str:
    """Return the SVG document of a table to share; `picture` draws the tables of the game."""
    wish = replace(scene, layout="fit", parts="board", ratio=BOARD[0] / BOARD[1])
    board = tag("svg", picture(wish), x=EDGE, y=EDGE, width=BOARD[0], height=BOARD[1])
    name = scene.say("title")
    label = escape(f"{name}. {scene.summary()}")
    column = at(WIDTH - COLUMN - EDGE, EDGE, _head(scene, name), *_rows(scene))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="{ROOT}"'
        f' width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{label}"'
        f' data-layout="share">{title(name)}<desc>{escape(scene.summary())}</desc>'
        f"{sheet(WIDTH, HEIGHT, flowers=False)}{board}{column}</svg>"
    )


def _head(scene: PictureScene, name: str) -> str:
    room = COLUMN / LARGER
    return scale(
        *(0, 26, LARGER),
        text(0, 14, name, class_="k-t20 k-b k-accent"),
        fit(0, 38, scene.summary(), 12, room, class_="k-t12"),
    )


def _rows(scene: PictureScene) -> list[str]:
    """Return a row for each player, in turn order: the sign, the name, the points."""
    order: Sequence[int] = scene.view.get("turn_order") or range(scene.seats)
    return [at(0, 130 + row * ROW, _row(scene, seat)) for row, seat in enumerate(order)]


def _row(scene: PictureScene, seat: int) -> str:
    room = COLUMN / LARGER
    ground = rect(0, 0, room, ROW / LARGER - 4, rx=5, class_="k-panel")
    parts = [
        ground,
        seal(seat, 16, 18.5, 22),
        fit(34, 23.5, scene.name_of(seat, 28), 13, room - 76, class_="k-t13 k-b"),
        text(room - 7, 25.5, _points(scene, seat), class_="k-t20 k-b k-e"),
    ]
    if seat == scene.active or (scene.result and seat in scene.result["winners"]):
        parts.append(rect(0, 0, room, ROW / LARGER - 4, rx=5, class_="k-now"))
    return scale(0, 0, LARGER, *parts)


def _points(scene: PictureScene, seat: int) -> int:
    view = scene.view
    counted = scene.result or view
    points: int = (
        counted["scores"][seat] if "scores" in counted else view["players"][seat]["prestige"]
    )
    return points
