"""Carcassonne: its moves and its view, as in the move contract."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cartulary.service.description.schemas.base import (
    Answer,
    Pattern,
    Request,
    Whole,
    constant,
    nullable,
    seat,
    whole,
)

_LETTERS = [*"ABCDEFGHIJKLMNOPQRSTUVWX"]


def _letter(**kwargs: Any) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(_LETTERS), **kwargs)


def _segment() -> fields.String:
    return fields.String(
        required=True,
        validate=Pattern(r"^[crfm][0-9]$"),
        metadata={
            "description": "City (c), road (r), field (f) or monastery (m) of the tile; the id "
            "stays with the tile when it is rotated."
        },
    )


def _x() -> Whole:
    return Whole(required=True, metadata={"description": "Grows to the east."})


def _y() -> Whole:
    return Whole(required=True, metadata={"description": "Grows to the south."})


def _rotation() -> Whole:
    return Whole(
        required=True,
        validate=validate.OneOf([0, 90, 180, 270]),
        metadata={"description": "Degrees clockwise."},
    )


class PlaceTile(Request):
    """Lay the tile in hand."""

    type = constant("place_tile")
    x = _x()
    y = _y()
    rotation = _rotation()


class PlaceFollower(Request):
    """Put a follower on a segment of the tile just laid."""

    type = constant("place_follower")
    segment = _segment()


class SkipFollower(Request):
    """Put no follower down."""

    type = constant("skip_follower")


MOVES: dict[str, type[Schema]] = {
    "place_tile": PlaceTile,
    "place_follower": PlaceFollower,
    "skip_follower": SkipFollower,
}

DECISIONS = {
    "place_tile": ["place_tile"],
    "place_follower": ["place_follower", "skip_follower"],
}


class Follower(Answer):
    """A follower that stands on a tile."""

    seat = seat(required=True)
    segment = _segment()


class PlacedTile(Answer):
    """A tile on the table."""

    tile = _letter()
    x = _x()
    y = _y()
    rotation = _rotation()
    follower = nullable(Follower)


class CarcassonneView(Answer):
    """The table of Carcassonne: what everybody may see."""

    tile = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(_LETTERS),
        metadata={"description": "Drawn and not yet placed."},
    )
    board = fields.List(
        fields.Nested(PlacedTile), required=True, metadata={"description": "In placement order."}
    )
    discarded = fields.List(
        _letter(),
        required=True,
        metadata={"description": "Set aside because they fitted nowhere, in drawing order."},
    )
    remaining = fields.Dict(
        keys=_letter(),
        values=whole(1),
        required=True,
        metadata={"description": "How many of each letter are left in the bag."},
    )
    scores = fields.List(Whole(), required=True)
    followers = fields.List(
        whole(0), required=True, metadata={"description": "Followers at hand, per seat."}
    )
