"""What both games' pictures share: the scene that is drawn, the sheet, headings and panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cartulary.pictures import words
from cartulary.pictures.seats import SHAPES, definitions
from cartulary.pictures.style import ROOT, stylesheet
from cartulary.pictures.svg import (
    circle,
    escape,
    group,
    number,
    path,
    rect,
    shorten,
    tag,
    text,
    text_width,
)

LAYOUTS: Final = ("tall", "wide", "fit", "share")
"""A column of 360 units for phones; a table of about 1200 units; what is largest in a box; the
board and the points in 1200 by 630 units, to share."""
PARTS: Final = ("all", "board")
"""Everything, or the board alone: no heading, no question, no players."""


@dataclass(frozen=True, slots=True)
class PictureScene:
    """All that a picture is made of; see `pictures.draw` for the meaning of each part."""

    view: Mapping[str, Any]
    names: Sequence[str]
    decision: Mapping[str, Any] | None = None
    seat: int | None = None
    status: str | None = None
    result: Mapping[str, Any] | None = None
    last_move: Mapping[str, Any] | None = None
    layout: str = "tall"
    theme: str = "auto"
    style: bool = True
    words: Mapping[str, str] = field(default_factory=dict)
    parts: str = "all"
    ratio: float = 1.0
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def active(self) -> int | None:
        """The seat that is to decide, or None."""
        return self.decision["seat"] if self.decision else None

    def say(self, word: str, **parts: object) -> str:
        """Return a word or sentence of the picture in the language of the scene."""
        return words.say(self.words, word, **parts)

    def label(self, seat: int) -> str:
        """Return what a sign of a seat is called: the player's name and the shape."""
        shape = self.say(f"shape.{SHAPES[seat][0]}")
        return self.say("seat", name=self.names[seat], shape=shape)

    @property
    def move(self) -> Mapping[str, Any]:
        """The last move as in the move contract; empty before the first move."""
        last = self.last_move or {}
        move: Mapping[str, Any] = last.get("move") or last
        return move

    def name_of(self, seat: int, length: int) -> str:
        """Return the name of a seat in `length` characters, marked when it is the reader's own."""
        mark = f" ({self.say('you')})" if seat == self.seat else ""
        return shorten(self.names[seat], length - len(mark)) + mark

    def summary(self) -> str:
        """Return one sentence: whose turn it is, or who has won."""
        if self.result:
            winners = ", ".join(self.names[seat] for seat in self.result["winners"])
            return self.say("winners", names=winners)
        if self.decision:
            ask = self.say(f"asks.{self.decision['kind']}")
            return self.say("turn", name=self.names[self.decision["seat"]], ask=ask)
        return self.say(f"status.{self.status or 'scoring'}")


def sheet(width: float, height: float, flowers: bool = True) -> str:
    """Return the parchment: ground, a double rule, and a flower in each corner if wished."""
    corners = "".join(
        group(
            path("M2 2h14M2 2v14", class_="k-rule"),
            path("M6.5 6.5q7-1 8 4q-3 .5-4.5-1q1.5 1.5 1 4.5q-5.5-1-4.5-7.5z",
                 class_="k-orn"),
            transform=f"translate({number(x)} {number(y)}) scale({sx} {sy})",
        )
        for x, y, sx, sy in ((0, 0, 1, 1), (width, 0, -1, 1), (0, height, 1, -1),
                             (width, height, -1, -1))
        if flowers
    )  # fmt: skip
    return (
        rect(0, 0, width, height, class_="k-page")
        + rect(2.5, 2.5, width - 5, height - 5, class_="k-rule", rx=2)
        + rect(5, 5, width - 10, height - 10, class_="k-rule", rx=1, opacity="0.6")
        + corners
    )


def panel(x: float, y: float, width: float, height: float, **values: object) -> str:
    """Return the ground of a panel."""
    return rect(x, y, width, height, rx=5, class_="k-panel", **values)


def heading(x: float, y: float, width: float, content: str) -> str:
    """Return a heading with a rule that runs on to the right."""
    start = x + text_width(content, 11) + 0.8 * len(content) + 6
    line = ""
    if start < x + width - 6:
        line = path(f"M{number(start)} {number(y - 3.5)}H{number(x + width)}", class_="k-rule")
        line += circle(start, y - 3.5, 1.6, class_="k-orn")
    return text(x, y, content, class_="k-t11 k-b k-sc k-accent") + line


def document(
    scene: PictureScene,
    title: str,
    width: float,
    height: float,
    symbols: str,
    body: str,
    letter: float | None = None,
) -> str:
    """Return the whole SVG document; `letter` is the size of its smallest letter in units."""
    style = tag("style", stylesheet(scene.theme)) if scene.style else ""
    label = escape(f"{title}. {scene.summary()}")
    names = f"<title>{escape(title)}</title><desc>{escape(scene.summary())}</desc>"
    view_box = f"0 0 {number(width)} {number(height)}"
    least = "" if letter is None else f' data-letter="{number(letter)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}" class="{ROOT}" role="img"'
        f' aria-label="{label}" data-layout="{scene.layout}"{least}>'
        f"{names}{style}<defs>{definitions(scene.seats)}{symbols}</defs>"
        f"{sheet(width, height, scene.parts == 'all')}{body}</svg>"
    )
