"""What all places of Caylus have in common: their id, their title, where they are touched."""

from __future__ import annotations

from cartulary.pictures.frame import PictureScene
from cartulary.pictures.svg import escape, number, rect


def place(
    scene: PictureScene, space: str, title: str, at: tuple[float, float], size: tuple[float, float],
    *content: str, top: float = 0,
) -> str:  # fmt: skip
    """Return a place that a worker can be sent to, its upper left corner at `at`.

    It carries its id of the move contract in `data-space`, a title, and last of all a touchable
    area of `size` that begins `top` below the corner. The place of the last move gets a frame.
    """
    width, height = size
    frame = mark(width, height, top) if space == marked_space(scene) else ""
    touch = rect(0, top, width, height, rx=3, class_="k-hit")
    return (
        f'<g class="place" id="k-at-{space}" data-space="{space}"'
        f' transform="translate({number(at[0])} {number(at[1])})"><title>{escape(title)}</title>'
        f"{''.join(content)}{frame}{touch}</g>"
    )


def marked_space(scene: PictureScene) -> str | None:
    """Return the space that the last move named or built on."""
    move = scene.move
    if "space" in move:
        return str(move["space"])
    if move.get("type") == "build":
        for entry in scene.view["road"]:
            if entry["building"] == move["building"]:
                return str(entry["space"])
    return None


def mark(width: float, height: float, top: float) -> str:
    """Return the frame round the place of the last move."""
    frames = "".join(
        rect(-1.5, top - 1.5, width + 3, height + 3, rx=5, class_=name)
        for name in ("k-hi2", "k-hi")
    )
    return f'<g id="k-last-move" class="last-move" pointer-events="none">{frames}</g>'
