"""The choice of a picture."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate

from cartulary.pictures.colours import SEATS, THEMES
from cartulary.pictures.frame import LAYOUTS, PARTS
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Request, Whole, ratio, whole

STYLES = ("css", "plain")


def _parts() -> fields.String:
    return fields.String(
        load_default="all",
        validate=validate.OneOf(PARTS),
        description="`board`: without the heading, the question and the players. In Caylus "
        "each part of the board is a group with `data-section`.",
    )


class PictureQuery(Request):
    """What may be wished of a picture besides its layout."""

    parts = _parts()
    ratio = ratio(
        0.2,
        5,
        load_default=1.0,
        description="With the layout `fit`: the width of the box that the picture is to "
        "fill, over its height; rounded to 0.05.",
    )


def _version() -> Whole:
    return whole(
        1,
        2**31 - 1,
        text=True,
        load_default=None,
        description="The table after this event; missing: after the last event.",
    )


class Colours(fields.String):
    """The colour of each seat as a digit, each once; read as a list of numbers."""

    def _deserialize(self, value: Any, *arguments: Any, **names: Any) -> Any:
        digits = super()._deserialize(value, *arguments, **names)
        if sorted(digits) != [str(number) for number in range(len(SEATS))]:
            raise ValidationError("each of the digits 0 to 4 once, such as 21034")
        return [int(digit) for digit in digits]


def _colours() -> Colours:
    return Colours(
        load_default=None,
        description="The colour of each seat, as the number of the seat that has it without this "
        "wish: 0 blue, 1 orange, 2 yellow, 3 pink, 4 black. With `21034` the first and the third "
        "seat change colours. The shapes stay.",
        metadata={"pattern": "^[0-4]{5}$"},
    )


class ReaderPictureQuery(PictureQuery):
    """A picture for a reader."""

    seat = whole(0, 4, text=True, load_default=None, description="The reader's own seat.")
    layout = fields.String(
        load_default="tall",
        validate=validate.OneOf(LAYOUTS),
        description="`tall` is 360 units wide, for phones. `fit` is the arrangement with "
        "the largest scale in a box of `ratio`; `data-letter` of its root is the size of its "
        "smallest letter in units, missing where it has no letters. `share` shows the board "
        "and the points in 1200 by 630 units, for a link to the table.",
    )
    theme = fields.String(load_default="auto", validate=validate.OneOf(THEMES))
    colours = _colours()


class BoardQuery(ReaderPictureQuery):
    """The choice of a picture."""

    version = _version()
    style = fields.String(
        load_default="css",
        validate=validate.OneOf(STYLES),
        description="`plain`: without a stylesheet, for programs that draw an SVG and are no "
        "browser. Every colour stands in an attribute, fonts are `serif` and `sans-serif`, and "
        "`auto` is the light theme.",
    )


class PngQuery(Request):
    """The choice of a picture in pixels."""

    width = whole(200, 2400, text=True, load_default=1200, description="Pixels.")
    version = _version()
    parts = _parts()
    layout = fields.String(
        load_default="tall",
        validate=validate.OneOf(("tall", "wide", "share")),
        description="As in the SVG; `share` is 1200 by 630 pixels large at a width of 1200.",
    )
    theme = fields.String(
        load_default="auto",
        validate=validate.OneOf(THEMES),
        description="`auto` is the light theme: pixels do not follow the reader.",
    )
    colours = _colours()
