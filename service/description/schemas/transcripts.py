"""Transcripts: the portable record of a game."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.engine.ending import ENDED_BY
from cartulary.engine.ranking import OUTCOMES
from cartulary.service.description.schemas.base import (
    Answer,
    Keeping,
    Refusing,
    Whole,
    list_of,
    seat,
    text,
    whole,
)
from cartulary.service.description.schemas.references import game_name, move


class TranscriptMove(Answer):
    """A move of a transcript."""

    Meta = Refusing

    seat = seat(required=True)
    move = move()


class TranscriptResult(Answer):
    """The result of a transcript; `breakdown` may be there as well."""

    Meta = Keeping

    scores = fields.List(Whole(), required=True)
    winners = fields.List(seat(), required=True)


class TranscriptLeaver(Answer):
    """A seat that its owner left."""

    Meta = Refusing

    seat = seat(required=True)
    before = whole(
        0,
        required=True,
        metadata={
            "description": "Index of the first move that the seat did not answer itself; the "
            "number of moves when there is no such move."
        },
    )


class TranscriptEnding(Answer):
    """How a game ended that somebody left, or that ended before its play did."""

    by = text("What ended the play.", validate=validate.OneOf(ENDED_BY))
    outcomes = fields.List(
        fields.String(validate=validate.OneOf(OUTCOMES)),
        required=True,
        metadata={"description": "How the game ended for each seat."},
    )
    ranks = fields.List(
        whole(1), required=True, metadata={"description": "The rank of each seat, 1 the best."}
    )
    left = list_of(TranscriptLeaver, "Who left, in the order of leaving.")


class TranscriptAnswer(Answer):
    """The portable record of a game. Unknown keys at the top level are kept and ignored."""

    Meta = Keeping

    format = text(validate=validate.OneOf(["cartulary/1"]))
    game = game_name()
    options = fields.Dict(metadata={"description": "Missing: the defaults."})
    seats = whole(2, 5, required=True)
    players = fields.List(
        fields.String(),
        metadata={
            "description": "A name for each seat; an import checks them like names of players."
        },
    )
    setup = fields.Dict(
        required=True,
        metadata={"description": "The chance of the start; its keys depend on the game."},
    )
    draws = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The draws during the play, in order."},
    )
    bag = fields.Dict(
        keys=fields.String(),
        values=whole(0),
        metadata={"description": "The draws to come, in a transcript of an unfinished game."},
    )
    moves = list_of(TranscriptMove)
    result = fields.Nested(
        TranscriptResult, metadata={"description": "Missing: the game is not finished."}
    )
    ending = fields.Nested(
        TranscriptEnding,
        metadata={"description": "Missing: nobody left, and the play went on to its end."},
    )
