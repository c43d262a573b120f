"""The comparison of a duplicate round: query and answers."""

from __future__ import annotations

from typing import Final

from marshmallow import validate

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import Answer, Request, list_of, text, version, whole
from cartulary.service.schemas.references import move, moves, refer
from cartulary.tournaments.state import TABLE_STATUSES

BOUND: Final = 2**31 - 1
LEAD: Final = "The score less the mean of the table, in thousandths."


class ComparisonQuery(Request):
    """Of which seat."""

    seat = whole(
        0, 4, text=True, load_default=None, description="Only the turns of this seat; missing: all."
    )


class ComparedTable(Answer):
    """A table of the round."""

    table = whole(1, required=True, description="The number of the table.")
    game = text("The id of its game.")
    status = text(validate=validate.OneOf(TABLE_STATUSES))
    seats = fields.List(whole(1), required=True, description="The numbers of the entrants.")
    scores = fields.List(whole(-BOUND, BOUND), required=True)
    ranks = fields.List(whole(1, 5), required=True, description="The rank of each seat.")
    outcomes = fields.List(fields.String(), required=True, description="How each seat ended.")
    leads = fields.List(whole(-BOUND, BOUND), required=True, description=LEAD)
    points = fields.List(
        fields.Integer(allow_none=True),
        required=True,
        description="Of each seat, in thousandths; null: it counts like a bye.",
    )


class PartingChoice(Answer):
    """What some tables chose."""

    move = move()
    tables = fields.List(whole(1), required=True, description="The tables that chose it.")
    lead = whole(
        -BOUND,
        BOUND,
        required=True,
        allow_none=True,
        description="What came of it: the mean lead of the seat at the end, in thousandths.",
    )


class PartingAnswer(Answer):
    """A decision at which tables that were alike went different ways."""

    decision = whole(0, required=True, description="Counts the decisions of the game from 0.")
    turn = whole(0, required=True, description="Counts the turns of the game from 0.")
    seat = whole(0, 4, required=True)
    kind = fields.String(required=True, metadata=refer("DecisionKind", "What the seat was asked."))
    context = fields.Dict(required=True, description="What the question was about.")
    choices = list_of(PartingChoice, "The ways, each with its tables.")


class DrawShiftAnswer(Answer):
    """A table drew more before a turn than others: later tiles come to other seats there."""

    table = whole(1, required=True, description="The number of the table.")
    turn = whole(0, required=True, description="Counts the turns of the game from 0.")
    seat = whole(0, 4, required=True)
    aside = fields.List(fields.String(), required=True, description="What was set aside.")


class ComparedPlay(Answer):
    """What a turn was at one table."""

    table = whole(1, required=True, description="The number of the table.")
    turn = whole(0, required=True, description="Counts the turns of the game from 0.")
    version = version(required=True)
    drawn = fields.List(fields.String(), required=True, description="What was drawn before it.")
    moves = moves(required=True, description="What the seat did.")
    gained = whole(-BOUND, BOUND, required=True, description="The points that it won.")
    score = whole(-BOUND, BOUND, required=True, description="The score of the seat after it.")
    lead = whole(-BOUND, BOUND, required=True, description=LEAD)
    by = fields.String(description="`stand_in`: a bot has moved for the seat.")


class ComparedTurn(Answer):
    """A turn of a seat, table next to table."""

    number = whole(0, required=True, description="Counts the turns of the seat from 0.")
    same_draws = fields.Boolean(required=True, description="Whether all drew the same before it.")
    same_moves = fields.Boolean(required=True, description="Whether all did the same.")
    tables = list_of(ComparedPlay, "The tables that had this turn.")


class ComparedSeat(Answer):
    """The turns of a seat."""

    seat = whole(0, 4, required=True)
    turns = list_of(ComparedTurn, "In their order.")


class RoundComparisonAnswer(Answer):
    """What each table made of the same draws."""

    round = whole(1, required=True, description="The number of the round.")
    tables = list_of(ComparedTable, "The tables, by their numbers.")
    partings = list_of(PartingAnswer, "In the order of the decisions.")
    shifts = list_of(DrawShiftAnswer, "In the order of the turns.")
    seats = list_of(ComparedSeat)
