"""Answers of the teacher: hints, and the analysis of a game that is over."""

from __future__ import annotations

from marshmallow import validate

from cartulary.events.analyses.storage import REASONS, STATUSES
from cartulary.service.api.study.moments_schema import LessonMoment
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    JsonObject,
    Request,
    list_of,
    seat,
    text,
    version,
    whole,
)
from cartulary.service.schemas.references import moves, refer

MARKS = ("best", "good", "inaccuracy", "mistake", "blunder")


class HintAnswer(Answer):
    """The move that a strong bot would make, and why."""

    version = version(required=True)
    move = JsonObject(required=True, metadata=refer("Move"))
    why = fields.List(
        fields.Dict(), required=True, description="Facts: what the move leads to (`docs/facts.md`)."
    )
    text = text("The reasons in words, in the language asked for.")


class AnalysisRequest(Request):
    """Nothing: an analysis has no choices."""


class AnalysisQuery(Request):
    """A part of the decisions."""

    after = whole(
        0,
        2**31 - 1,
        text=True,
        load_default=0,
        description="Only decisions of moves with a greater version.",
    )


def _status() -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(STATUSES))


def _number(description: str) -> fields.Float:
    return fields.Float(required=True, description=description)


class AnalysisStarted(Answer):
    """What becomes of an analysis."""

    status = _status()


class AlternativeAnswer(Answer):
    """A move that was possible instead."""

    move = JsonObject(required=True, metadata=refer("Move"))
    value = _number("As `value` of the decision.")
    win = _number("As `win` of the decision.")


class WhyBothAnswer(Answer):
    """Facts that the move that was made leads to, and those of the best move."""

    move = fields.List(fields.Dict(), required=True)
    best = fields.List(fields.Dict(), required=True)


class AnalysedDecisionAnswer(Answer):
    """What the analysis says of a decision. Values are points for the seat that decides."""

    version = version(required=True)
    seat = seat(required=True)
    kind = text("The kind of the decision.")
    move = JsonObject(required=True, metadata=refer("Move", "The move that was made."))
    best = JsonObject(required=True, metadata=refer("Move", "The best move."))
    value = _number("The expected final lead over the best other seat, after the move.")
    best_value = _number("The same after the best move.")
    loss = _number("What the move costs against the best move, in points.")
    error = _number("The standard error of `loss`.")
    win = _number("The expected share of wins after the move, 0 to 1.")
    best_win = _number("The same after the best move.")
    luck = _number("What the draw before the decision was worth to the seat, in points.")
    mark = text(validate=validate.OneOf(MARKS))
    alternatives = list_of(AlternativeAnswer, "Up to five other moves, the best first.")
    line = moves(required=True, description="The best move, and what is likely to follow.")
    why = fields.Nested(WhyBothAnswer, required=True)


class AnalysedSeatAnswer(Answer):
    """What the decisions of a seat come to."""

    accuracy = _number("0 to 100.")
    loss = _number("The sum of the losses, in points.")
    luck = _number("The sum of the luck, in points.")
    turning_points = fields.List(
        version(), required=True, description="The versions at which the expected result turned."
    )


class AnalysisAnswer(Answer):
    """The analysis of a game that is over, as it stands."""

    status = _status()
    progress = _number("The share of the decisions that are judged, 0 to 1.")
    level = text("The level of the bot that judges.")
    decisions = list_of(AnalysedDecisionAnswer, "The decisions that are judged, in their order.")
    seats = list_of(AnalysedSeatAnswer, "By seat; empty until the analysis is done.")
    moments = list_of(
        LessonMoment,
        "Up to three decisions of each person that cost most while the game was open, as questions "
        "(of each seat in a game that no person played here); empty until the analysis is done.",
    )
    reason = fields.String(
        validate=validate.OneOf([*REASONS]),
        description="Why the analysis has failed: "
        + "; ".join(f"`{word}`: {line}" for word, line in REASONS.items())
        + ".",
    )
