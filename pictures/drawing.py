"""The door of the room: `draw`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from cartulary.pictures.colours import recolour
from cartulary.pictures.frame import LAYOUTS, PARTS, PictureScene
from cartulary.pictures.plain import simplify
from cartulary.pictures.share import share
from cartulary.pictures.svg import shorten
from cartulary.pictures.words import say

Picture: TypeAlias = Callable[[PictureScene], str]
"""What draws the tables of one game: from a scene to the text of an SVG document."""


def draw(
    picture: Picture,
    view: Mapping[str, Any],
    *,
    words: Mapping[str, str],
    decision: Mapping[str, Any] | None = None,
    players: Sequence[str | None] | None = None,
    seat: int | None = None,
    status: str | None = None,
    result: Mapping[str, Any] | None = None,
    last_move: Mapping[str, Any] | None = None,
    theme: str = "auto",
    layout: str = "tall",
    style: bool = True,
    plain: bool = False,
    parts: str = "all",
    ratio: float = 1.0,
    options: Mapping[str, Any] | None = None,
    colours: Sequence[int] | None = None,
) -> str:
    """Return the picture of a table as the text of an SVG document.

    `picture` draws the tables of the game. `view`, `decision` and `result` are those of the move
    contract. `players` names the seats (any text; None for an empty seat), `seat` is the reader's
    own. `status` is that of the game when no decision is pending. `last_move` is marked: a move,
    or any object with `seat` and `move` (an event, an entry of a transcript). `theme` is `auto`,
    `light` or `dark`; `layout` is `tall` (360 units wide, for phones), `wide`, `fit`: the
    arrangement that is largest in a box `ratio` times as wide as high, or `share`: the board and
    the standings in 1200 by 630 units. `parts` is `all`, or `board`
    for a picture without heading, question and players. `words` are those of the game for pictures
    (`locales.GameWords.picture`). With `style=False` the picture carries no stylesheet: the page
    has it (`stylesheet`); with `plain=True` it needs none (`pictures.plain`). `options` are those
    of the game with their values; what a picture needs of them and does not find it reads off the
    view. `colours` are the colours of the seats, as numbers of `colours.SEATS`; without them each
    seat has that of its own number.

    Raises `ValueError` for an unknown theme, layout, choice of parts or order of colours.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"layout is one of {list(LAYOUTS)}, not {layout!r}")
    if parts not in PARTS:
        raise ValueError(f"parts is one of {list(PARTS)}, not {parts!r}")
    seats = len(view["scores"] if "scores" in view else view["players"])
    scene = PictureScene(
        view=view,
        names=_names(players, seats, words),
        decision=decision,
        seat=seat,
        status=status,
        result=result,
        last_move=last_move,
        layout=layout,
        theme=theme,
        style=style,
        words=words,
        parts=parts,
        ratio=ratio,
        options=options or {},
    )
    drawn = share(picture, scene) if layout == "share" else picture(scene)
    if colours is not None:
        drawn = recolour(drawn, colours)
    return simplify(drawn, theme) if plain else drawn


def _names(players: Sequence[str | None] | None, seats: int, words: Mapping[str, str]) -> list[str]:
    """Return a name for every seat, not yet escaped: as given, else its number."""
    given = [*(players or ())][:seats]
    given += [None] * (seats - len(given))
    return [
        shorten(name or "", 40) or say(words, "somebody", number=seat + 1)
        for seat, name in enumerate(given)
    ]
