"""Questions and answers about the moments of an analysed game."""

from __future__ import annotations

from marshmallow import validate

from cartulary.service.api.game.boards_schema import ReaderPictureQuery
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    JsonObject,
    Request,
    list_of,
    seat,
    version,
    whole,
)
from cartulary.service.schemas.references import move, moves, refer

FUTURES = ("made", "best")


class MomentBoardQuery(ReaderPictureQuery):
    """Which future, how many of its moves, and the choice of a picture."""

    future = fields.String(
        load_default="best",
        validate=validate.OneOf(FUTURES),
        description="`made`: after the move that was made; `best`: after the better move.",
    )
    step = whole(0, 100, text=True, load_default=0, description="So many moves of the future.")


class MomentAttempt(Request):
    """What the caller would do."""

    move = move()


class MomentJudged(Answer):
    """How good an answer is."""

    right = Flag(required=True, description="As good as the best move, within half a point.")
    best = Flag(required=True, description="It is the best move.")
    made = Flag(required=True, description="It is the move that was made.")
    loss = fields.Float(
        required=True,
        allow_none=True,
        description="What it costs against the best move, in points; null: not considered.",
    )


class FutureMove(Answer):
    """A move that might have followed."""

    seat = seat(required=True)
    move = JsonObject(required=True, metadata=refer("Move"))


class FutureAnswer(Answer):
    """What might have followed, played on by a bot with the draws of the game."""

    moves = list_of(FutureMove, "The moves, the one in question first.")
    draws = fields.List(fields.String(), required=True, description="What was drawn for them.")
    scores = fields.List(
        fields.Integer(), required=True, description="The points by seat after the last move."
    )


class LessonMoment(Answer):
    """A decision that cost its seat most, as a question."""

    version = version(required=True)
    seat = seat(required=True)
    moves = moves(required=True, description="Every legal move.")
    scores = fields.List(
        fields.Integer(), required=True, description="The points by seat before the move."
    )
    made = fields.Nested(FutureAnswer, required=True, description="After the move that was made.")
    best = fields.Nested(FutureAnswer, required=True, description="After the best move.")
