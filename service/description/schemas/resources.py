"""Answers: players, games, transcripts, problems."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from cartulary.engine.ending import ENDED_BY
from cartulary.engine.ranking import OUTCOMES
from cartulary.events.preferences import TAKEBACKS
from cartulary.events.quotas import Limits
from cartulary.events.status import Status
from cartulary.service.description.schemas.base import (
    Answer,
    Keeping,
    Refusing,
    Whole,
    nullable,
    seat,
    version,
    whole,
)
from cartulary.service.description.schemas.references import (
    JsonObject,
    decision,
    game_name,
    move,
    moves,
    refer,
    view,
)

STATUSES = [str(status) for status in Status]
SEAT_STATES = ["open", "offered", "seated", "bot", "away", "vacant", "forfeited", "overdue"]


def text(description: str = "", **kwargs: Any) -> fields.String:
    """Return a required string."""
    metadata = {"description": description} if description else {}
    return fields.String(required=True, metadata=metadata, **kwargs)


def time(description: str = "") -> fields.String:
    """Return a required time: RFC 3339, UTC, milliseconds."""
    return fields.String(
        required=True, metadata={"format": "date-time", "description": description or "UTC."}
    )


def list_of(schema: type[Schema], description: str = "") -> fields.List[Any]:
    """Return a required list of objects of `schema`."""
    metadata = {"description": description} if description else {}
    return fields.List(fields.Nested(schema), required=True, metadata=metadata)


class PlayerAnswer(Answer):
    """A player."""

    id = text()
    name = text()
    created_at = time()


TAKEBACKS_TEXT = (
    "When another player asks for a takeback: `ask` the player each time; agree `always`; agree by "
    "itself to a `misclick`, the very last move within 15 s; `never`: nobody may ask."
)


class PreferencesAnswer(Answer):
    """All preferences of a player."""

    takebacks = text(TAKEBACKS_TEXT, validate=validate.OneOf(TAKEBACKS))


class OwnPlayerAnswer(PlayerAnswer):
    """The player of the token."""

    preferences = fields.Nested(PreferencesAnswer, required=True)


class NewPlayer(PlayerAnswer):
    """A new player."""

    token = text("Shown in this answer only. Send the token as `Authorization: Bearer …`.")


class PlayerName(Answer):
    """The player on a seat."""

    id = text()
    name = text()


class OptionAnswer(Answer):
    """An option of a game."""

    name = text()
    text = text()
    values = fields.List(
        fields.Raw(metadata={"type": ["string", "integer"]}),
        required=True,
        metadata={"description": "All values; the default comes first."},
    )
    default = fields.Raw(required=True, metadata={"type": ["string", "integer"]})


class BotAnswer(Answer):
    """A bot for a seat; the weakest comes first."""

    name = text()
    description = text("How the bot plays, how strong it is, and how long it thinks.")
    text = text("The same as `description`.")
    strength = whole(
        0,
        required=True,
        allow_none=True,
        metadata={
            "description": "A number like Elo from duels of the levels of this game; `medium` has "
            "1500. Null when nobody has measured it."
        },
    )
    ms = whole(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "So long the bot thinks of a move, usually at most."},
    )


class SeatsRange(Answer):
    """The number of players."""

    from_ = whole(1, required=True, data_key="from")
    to = whole(1, required=True)


class GameOffer(Answer):
    """A game on offer."""

    name = game_name()
    title = text()
    rules_version = whole(1, required=True)
    seats = fields.Nested(SeatsRange, required=True)
    options = list_of(OptionAnswer)
    bots = list_of(BotAnswer)


class CatalogueAnswer(Answer):
    """The games on offer."""

    games = list_of(GameOffer)


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
            "player is out for good; `vacant`: as well, and somebody else may take the seat."
        },
    )
    stand_in = text("Name of the bot that answers for the player.", allow_none=True)
    reason = text("Why the player is away or has forfeited.", allow_none=True)
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


class AnswerOfSeat(Answer):
    """An answer to a proposal."""

    seat = seat(required=True)
    answer = fields.String(required=True, validate=validate.OneOf(["accept", "decline"]))


class ProposalAnswer(Answer):
    """The open proposal: something that other players have to agree to."""

    id = version(required=True, metadata={"description": "The version of its event."})
    seat = seat(required=True, metadata={"description": "The seat that asks."})
    kind = fields.String(
        required=True, validate=validate.OneOf(["takeback", "pause", "abort", "end", "forfeit"])
    )
    needs = fields.List(
        whole(0, 4), required=True, metadata={"description": "The seats that have to agree."}
    )
    answers = list_of(AnswerOfSeat)
    expires_at = time()
    to_version = version(
        required=True,
        allow_none=True,
        metadata={"description": "Takebacks: the version to go back to."},
    )
    moves = fields.List(
        version(),
        required=True,
        metadata={"description": "Takebacks: the versions of the moves; otherwise empty."},
    )
    target = whole(
        0, 4, required=True, allow_none=True, metadata={"description": "Claims: the seat claimed."}
    )
    until = text("Pauses: until when.", allow_none=True)


class TakebackAnswer(Answer):
    """What may be taken back without asking anybody."""

    seat = seat(required=True, metadata={"description": "The seat whose player may."})
    free_to = version(
        required=True, metadata={"description": "The earliest version to go back to."}
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
    pace = fields.Dict(
        required=True, allow_none=True, metadata={"description": "Null: the game has no clock."}
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
    paused_until = text(allow_none=True)
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


class CommitmentAnswer(Answer):
    """A commitment to a secret of draws, for one game."""

    id = text("For `commitment` of `POST /api/v1/games`.")
    commitment = text("SHA-256 of the secret.")
    expires_at = time()


class VerificationProblem(Answer):
    """A place where the events disagree with the rules or with each other."""

    version = whole(0, required=True)
    problem = text("Stable; for programs.")
    detail = text()


class FairAnswer(Answer):
    """What is proved of the draws of a game."""

    scheme = text("`cartulary-fair/1`.")
    commitment = text("The last commitment: SHA-256 of the secret.")
    given = whole(
        0, required=True, metadata={"description": "Outcomes that a transcript gave: not drawn."}
    )
    draws = whole(0, required=True, metadata={"description": "Draws so far."})
    state = text(
        "`hidden` until the last event reveals the secret. `proved`: commitment, seed and every "
        "draw after the last renewal hold.",
        validate=validate.OneOf(["hidden", "proved", "failed"]),
    )
    renewed_at = fields.List(
        version(),
        required=True,
        metadata={"description": "Versions at which the secret was lost and replaced."},
    )


class VerificationAnswer(Answer):
    """Whether the game follows from its events."""

    valid = fields.Boolean(required=True)
    version = version(required=True)
    problems = list_of(VerificationProblem)
    head = text("Hash of the last event; empty when that is unreadable.")
    chained_from = whole(
        1,
        required=True,
        allow_none=True,
        metadata={
            "description": "Version of the first event that names the hash of the event before it. "
            "Null for a game that ended before there was a chain."
        },
    )
    masked = whole(0, required=True, metadata={"description": "Events with a deleted name."})
    fair = nullable(FairAnswer)


def _count(description: str, **kwargs: Any) -> Whole:
    return whole(0, metadata={"description": description}, **kwargs)


class HealthAnswer(Answer):
    """The health of the service."""

    status = text()


class ReadinessAnswer(HealthAnswer):
    """What waits behind the service."""

    outbox = _count("Appends that no dispatcher has handled yet.", required=True)
    outbox_age_ms = _count("Milliseconds for which the oldest of these has waited.", required=True)
    durability = fields.String(
        required=True,
        metadata={
            "description": "When an answer is on the disk: `always` before it is given, `everysec` "
            "within a second, `no` when the system of the store writes it, `off` never, `unknown` "
            "where the store does not show its configuration."
        },
    )
    dispatcher_age_ms = _count("Milliseconds since the last report of a dispatcher.", required=True)
    queued = _count("Games that waited for a worker at that report.", required=True)
    queue_age_ms = _count("Milliseconds for which the first of these waited.", required=True)


class ProblemError(Answer):
    """A fault of the request."""

    pointer = text("JSON pointer into the body; `/name` for a query parameter.")
    detail = text()


class ProblemAnswer(Answer):
    """A refusal (RFC 9457). A 4xx changes nothing; after a 5xx the outcome is unknown."""

    type = text()
    title = text()
    status = whole(400, 599, required=True)
    detail = text("For people.")
    instance = text()
    code = fields.String(required=True, metadata=refer("ProblemCode", "Stable; for programs."))
    request_id = text("The id of the request in the log.")
    errors = fields.List(
        fields.Nested(ProblemError), metadata={"description": "With `invalid`: all faults."}
    )
    current_version = version(metadata={"description": "With `stale_version`."})
    quota = fields.String(
        metadata={
            "description": "With `quota_exceeded`: what is counted for the player.",
            "enum": list(Limits._fields),
        }
    )
    limit = _count("With `quota_exceeded`: at most so many.")
    used = _count("With `quota_exceeded`: so many there are.")
    free_at = fields.String(
        allow_none=True,
        metadata={
            "description": "With `quota_exceeded`: when there is a place; null: when a game ends.",
            "format": "date-time",
        },
    )
    decision = JsonObject(metadata=refer("Decision", "With `not_your_turn`."))
    legal_moves = moves(metadata={"description": "With `illegal_move`."})
