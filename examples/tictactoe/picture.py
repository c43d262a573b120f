"""The picture of tic-tac-toe."""

from __future__ import annotations

from cartulary.pictures.frame import PictureScene, document, panel
from cartulary.pictures.seats import seal
from cartulary.pictures.svg import at, rect, text

CELL = 100
WIDTH, HEADER, ROW = 360, 60, 30


def draw(scene: PictureScene) -> str:
    """Return the SVG document: what is asked, the board, the seats with their points."""
    cells = "".join(_cell(scene, n, owner) for n, owner in enumerate(scene.view["cells"]))
    seats = "".join(at(30, 380 + seat * ROW, _seat(scene, seat)) for seat in range(scene.seats))
    asked = text(30, 36, scene.summary(), class_="k-t13 k-b")
    return document(scene, scene.say("title"), WIDTH, 450, "", asked + at(30, 60, cells) + seats)


def _cell(scene: PictureScene, number: int, owner: int | None) -> str:
    """Return a cell; `data-x` and `data-y` are those of the move that marks it."""
    x, y = number % 3, number // 3
    mark = "" if owner is None else seal(owner, 50, 50, 60)
    is_last = (scene.move.get("x"), scene.move.get("y")) == (x, y)
    frame = rect(2, 2, 96, 96, class_="k-now" if is_last else "k-rule")
    ground = rect(2, 2, 96, 96, class_="k-well")
    return at(x * CELL, y * CELL, ground, mark, frame, data_x=x, data_y=y)


def _seat(scene: PictureScene, seat: int) -> str:
    points = (scene.result or scene.view)["scores"][seat]
    name = text(32, 15, scene.name_of(seat, 28), class_="k-t13 k-b")
    return (
        panel(0, -4, 300, 26) + seal(seat, 15, 9, 16) + name + text(288, 16, points, class_="k-e")
    )
