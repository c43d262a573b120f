"""Answers: games, with their seats and their result."""

from __future__ import annotations

from marshmallow import fields, validate

from cartulary.engine.ending import ENDED_BY
from cartulary.engine.ranking import OUTCOMES
from cartulary.events.opening import BOT_DELAY_MAX_MS
from cartulary.events.status import Status
from cartulary.service.description.schemas.base import (
    Answer,
    Whole,
    list_of,
    nullable,
    seat,
    text,
    time,
    version,
    whole,
)
from cartulary.service.description.schemas.pace import PaceAnswer
from cartulary.service.description.schemas.players import PlayerName
from cartulary.service.description.schemas.proposals import ProposalAnswer, TakebackAnswer
from cartulary.service.description.schemas.references import decision, game_name, refer, view

STATUSES = [str(status) for status in Status]
SEAT_STATES = ["open", "offered", "seated", "bot", "away", "vacant", "forfeited", "overdue"]


class OfferAnswer(Answer):
    """An offer of a seat."""

    player = fields.Nested(PlayerName, required=True)
    by = text("Id of the player who made the offer.")
    expires_at = time("Until then nobody else may take the seat.")


class SeatAnswer(Answer):
    """A seat with a player or a bot; an open seat has neither."""

    seat = seat(required=True)
    player = nullable(PlayerName)
    bot = text("Name of the bot.", allow_none=True)
    state = fields.String(
        required=True,
        validate=validate.OneOf(SEAT_STATES),
        metadata={
            "description": "`away`: a stand-in answers and the player may return; `forfeited`: the "
            "player is out for good; `vacant`: as well, and somebody else may take the seat; "
            "`overdue`: the time of the player is over."
        },
    )
    stand_in = text("Name of the bot that answers for the player.", allow_none=True)
    reason = text("Why the player is away or has forfeited.", allow_none=True)
    ready = fields.Boolean(
        required=True,
        allow_none=True,
        metadata={"description": "Live games before the start: is the player ready? Else null."},
    )
    bank = whole(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "Timed games: the time in the bank in ms. Bots have none: null."},
    )
    offer = fields.Nested(OfferAnswer, metadata={"description": "Offered seats only."})
    name = fields.String(
        metadata={
            "description": "Imported games only: the name that the transcript gives to this seat."
        }
    )


class BreakdownEntry(Answer):
    """An entry of the score at the end of a game."""

    seat = seat(required=True)
    reason = fields.String(required=True, metadata=refer("BreakdownReason"))
    points = Whole(required=True)
    detail = fields.Raw(
        metadata={"description": "The counts behind the points; they depend on the reason."}
    )


class ResultAnswer(Answer):
    """The end of a game."""

    scores = fields.List(Whole(), required=True)
    winners = fields.List(
        seat(), required=True, metadata={"description": "The seats that win; several after a tie."}
    )
    breakdown = list_of(BreakdownEntry)
    ranks = fields.List(
        whole(1),
        metadata={
            "description": "The rank of each seat, 1 the best; ties share a rank. Missing in the "
            "results of old games."
        },
    )
    outcomes = fields.List(
        fields.String(validate=validate.OneOf(OUTCOMES)),
        metadata={"description": "How the game ended for each seat."},
    )
    ended_by = fields.String(
        validate=validate.OneOf(ENDED_BY),
        metadata={"description": "What ended the play."},
    )
    stand_in_moves = fields.List(
        whole(0), metadata={"description": "The number of moves of stand-ins, for each seat."}
    )


class OriginAnswer(Answer):
    """A version of another game."""

    game = text("Id of the game.")
    version = version(required=True)


class GameSummary(Answer):
    """A game without its table."""

    id = text()
    game = game_name()
    options = fields.Dict(required=True, metadata={"description": "Complete, with defaults."})
    status = fields.String(required=True, metadata=refer("GameStatus"))
    visibility = fields.String(required=True, metadata=refer("Visibility"))
    version = version(required=True)
    host = text("Id of the player who may arrange the table.")
    start = fields.String(
        required=True,
        validate=validate.OneOf(["full", "host"]),
        metadata={"description": "`full`: starts with the last seat; `host`: the host starts it."},
    )
    takebacks = fields.String(
        required=True,
        validate=validate.OneOf(["none", "undo", "consent"]),
        metadata={"description": "Which moves may be taken back."},
    )
    substitutes = fields.Boolean(
        required=True, metadata={"description": "Others may take over forfeited seats."}
    )
    on_timeout = fields.String(
        required=True,
        validate=validate.OneOf(["stand_in", "forfeit", "claim"]),
        metadata={"description": "What follows from silence."},
    )
    pace = nullable(PaceAnswer, "Null: the game is untimed.")
    hints = fields.Boolean(
        required=True, metadata={"description": "The player of this practice game gets hints."}
    )
    bot_delay = whole(
        0,
        BOT_DELAY_MAX_MS,
        required=True,
        metadata={"description": "No bot moves for so many ms after an event."},
    )
    rated = fields.Boolean(required=True)
    seats = list_of(SeatAnswer)
    decision = decision()
    proposal = nullable(ProposalAnswer)
    takeback = nullable(TakebackAnswer)
    resting = fields.Boolean(
        required=True,
        metadata={"description": "True: nobody is left at the table, so no bot moves either."},
    )
    paused_until = text("The clocks stand until then; null: no pause.", allow_none=True)
    result = nullable(ResultAnswer)
    rematch_of = text("Id of the game that this game repeats.", allow_none=True)
    branched_from = nullable(OriginAnswer)
    created_at = time()
    updated_at = time()


class GameAnswer(GameSummary):
    """A game."""

    view = view()


class GamesPage(Answer):
    """A page of games, the newest first."""

    games = list_of(GameSummary)
    next_cursor = text("Null on the last page.", allow_none=True)
