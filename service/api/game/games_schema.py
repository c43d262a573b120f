"""Answers: games, with their seats, their open proposal and their result."""

from __future__ import annotations

from marshmallow import validate

from cartulary.engine.ending import ENDED_BY
from cartulary.engine.ranking import OUTCOMES
from cartulary.events.commands.table.opening import BOT_DELAY_MAX_MS
from cartulary.events.model.ladders import LADDERS
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Whole,
    count,
    list_of,
    nullable,
    seat,
    text,
    time,
    version,
    whole,
)
from cartulary.service.schemas.pace import PaceAnswer
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import decision, game_name, refer, view

SEAT_STATES = ["open", "offered", "seated", "bot", "away", "vacant", "forfeited", "overdue"]


class OfferAnswer(Answer):
    """An offer of a seat."""

    player = fields.Nested(PlayerName, required=True)
    by = text("Id of the player who made the offer.")
    expires_at = time("Until then no other player may take the seat.")


class TableSeatAnswer(Answer):
    """A seat with a player or a bot; an open seat has neither."""

    seat = seat(required=True)
    player = nullable(PlayerName)
    bot = text("Name of the bot.", allow_none=True)
    state = text(
        "`away`: a stand-in answers and the player may return; `forfeited`: the "
        "player is out for good; `vacant`: as well, and another player may take the seat; "
        "`overdue`: the time of the player is over.",
        validate=validate.OneOf(SEAT_STATES),
    )
    stand_in = text("Name of the bot that answers for the player.", allow_none=True)
    reason = text("Why the player is away or has forfeited.", allow_none=True)
    ready = fields.Boolean(
        required=True,
        allow_none=True,
        description="Live games before the start: is the player ready? Else null.",
    )
    bank = count(
        "Timed games: the time in the bank in ms. Bots have none: null.",
        required=True,
        allow_none=True,
    )
    offer = fields.Nested(OfferAnswer, description="Offered seats only.")
    name = fields.String(
        description="Imported games only: the name that the transcript gives to this seat."
    )


class BreakdownEntry(Answer):
    """An entry of the score at the end of a game."""

    seat = seat(required=True)
    reason = fields.String(required=True, metadata=refer("BreakdownReason"))
    points = Whole(required=True)
    detail = fields.Raw(description="The counts behind the points; they depend on the reason.")


class ResultAnswer(Answer):
    """The end of a game."""

    scores = fields.List(Whole(), required=True)
    winners = fields.List(
        seat(), required=True, description="The seats that win; several after a tie."
    )
    breakdown = list_of(BreakdownEntry)
    ranks = fields.List(
        whole(1),
        description="The rank of each seat, 1 the best; ties share a rank. Missing in the "
        "results of old games.",
    )
    outcomes = fields.List(
        fields.String(validate=validate.OneOf(OUTCOMES)),
        description="How the game ended for each seat.",
    )
    ended_by = fields.String(validate=validate.OneOf(ENDED_BY), description="What ended the play.")
    stand_in_moves = fields.List(
        whole(0), description="The number of moves of stand-ins, for each seat."
    )


class OriginAnswer(Answer):
    """A version of another game."""

    game = text("Id of the game.")
    version = version(required=True)


class AnswerOfSeat(Answer):
    """An answer to a proposal."""

    seat = seat(required=True)
    answer = text(validate=validate.OneOf(["accept", "decline"]))


class ProposalAnswer(Answer):
    """The open proposal: something that other players have to agree to."""

    id = version(required=True, description="The version of its event.")
    seat = seat(required=True, description="The seat that asks.")
    kind = text(validate=validate.OneOf(["takeback", "pause", "abort", "end", "forfeit"]))
    needs = fields.List(whole(0, 4), required=True, description="The seats that have to agree.")
    answers = list_of(AnswerOfSeat)
    expires_at = time()
    to_version = version(
        required=True, allow_none=True, description="Takebacks: the version to go back to."
    )
    moves = fields.List(
        version(),
        required=True,
        description="Takebacks: the versions of the moves; otherwise empty.",
    )
    target = whole(0, 4, required=True, allow_none=True, description="Claims: the seat claimed.")
    until = text("Pauses: until when.", allow_none=True)


class TakebackAnswer(Answer):
    """What may be taken back without asking another player."""

    seat = seat(required=True, description="The seat whose player may.")
    free_to = version(required=True, description="The earliest version to go back to.")


class TournamentPlaceAnswer(Answer):
    """For which table of a tournament the service has made a game."""

    id = text("Id of the tournament.")
    round = whole(1, required=True, description="The number of the round.")
    table = whole(1, required=True, description="The number of the table in the tournament.")


class GameSummary(Answer):
    """A game without its table."""

    id = text()
    game = game_name()
    options = fields.Dict(required=True, description="Complete, with defaults.")
    status = fields.String(required=True, metadata=refer("GameStatus"))
    visibility = fields.String(required=True, metadata=refer("Visibility"))
    version = version(required=True)
    host = text("Id of the player who may arrange the table.")
    start = text(
        "`full`: starts with the last seat; `host`: the host starts it.",
        validate=validate.OneOf(["full", "host"]),
    )
    takebacks = text(
        "Which moves may be taken back.", validate=validate.OneOf(["none", "undo", "consent"])
    )
    substitutes = fields.Boolean(required=True, description="Others may take over forfeited seats.")
    on_timeout = text(
        "What follows from silence.", validate=validate.OneOf(["stand_in", "forfeit", "claim"])
    )
    pace = nullable(PaceAnswer, "Null: the game is untimed.")
    hints = fields.Boolean(
        required=True, description="The player of this practice game gets hints."
    )
    bot_delay = whole(
        0,
        BOT_DELAY_MAX_MS,
        required=True,
        description="No bot moves for so many ms after an event.",
    )
    rated = fields.Boolean(required=True)
    ladder = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf([*LADDERS, None]),
        description="For which ratings the game counts; null: for none. A practice game stops to "
        "count with the first hint, and with a takeback that taught its player something.",
    )
    seats = list_of(TableSeatAnswer)
    decision = decision()
    proposal = nullable(ProposalAnswer)
    takeback = nullable(TakebackAnswer)
    resting = fields.Boolean(
        required=True, description="True: no person is left at the table, so no bot moves either."
    )
    paused_until = text("The clocks stand until then; null: no pause.", allow_none=True)
    result = nullable(ResultAnswer)
    rematch_of = text("Id of the game that this game repeats.", allow_none=True)
    branched_from = nullable(OriginAnswer)
    tournament = nullable(TournamentPlaceAnswer)
    created_at = time()
    updated_at = time()


class GameAnswer(GameSummary):
    """A game."""

    view = view()


class GamesPage(Answer):
    """A page of games, the newest first."""

    games = list_of(GameSummary)
    next_cursor = text("Null on the last page.", allow_none=True)
