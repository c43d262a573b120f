"""Tournaments: answers."""

from __future__ import annotations

from typing import Final

from marshmallow import validate

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    count,
    list_of,
    one_of,
    text,
    time,
    version,
    whole,
)
from cartulary.service.schemas.pace import PaceAnswer
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import game_name, tournament_event
from cartulary.tournaments.events import CANCEL_CODES, WITHDRAW_REASONS
from cartulary.tournaments.points import SCORE_KINDS
from cartulary.tournaments.state import STATUSES, TABLE_STATUSES
from cartulary.tournaments.terms import (
    FORMATS,
    MINUTES,
    MOST_ENTRANTS,
    TIEBREAKS,
    VISIBILITIES,
)
from cartulary.tournaments.verification import PROOFS

THOUSANDTHS: Final = "In thousandths."
RESULTS_MAX: Final = 2**31 - 1


# -- what a host asks for -------------------------------------------------------------------------


class EntrantCountAnswer(Answer):
    """Who may enter, and how many have."""

    count = count("So many have entered and play on.", required=True)
    min = whole(2, MOST_ENTRANTS, required=True)
    max = whole(2, MOST_ENTRANTS, required=True)
    rating = fields.List(whole(0, 10_000), required=True, allow_none=True)
    by_invitation = fields.Boolean(required=True)


class TournamentStartAnswer(Answer):
    """What starts the tournament: one of the three."""

    at = fields.String(metadata={"format": "date-time"})
    when_full = fields.Boolean()
    by_host = fields.Boolean()


class TournamentSummary(Answer):
    """A tournament as lists show it."""

    id = text()
    name = text()
    host = fields.Nested(PlayerName, required=True)
    game = game_name()
    table = fields.List(whole(2, 5), required=True, description="The sizes of tables.")
    format = one_of(FORMATS)
    pace = fields.Nested(PaceAnswer, required=True)
    rated = fields.Boolean(required=True)
    duplicate = fields.Boolean(required=True)
    visibility = one_of(VISIBILITIES)
    status = one_of(STATUSES)
    version = version(required=True)
    entrants = fields.Nested(EntrantCountAnswer, required=True)
    start = fields.Nested(TournamentStartAnswer, required=True)
    round = count("So many rounds have been paired.", required=True)
    rounds = whole(
        1, required=True, allow_none=True, description="How many there will be; null: not known."
    )
    created_at = time()
    updated_at = time()


class TournamentPage(Answer):
    """Tournaments, the newest first."""

    tournaments = list_of(TournamentSummary)
    next_cursor = text("The value of `cursor` for the next page, null at the end.", allow_none=True)


class TournamentPairingAnswer(Answer):
    """What seeds the pairings and the draw: proved once the secret is out."""

    commitment = text("SHA-256 of the secret.")
    secret = text("Null before the end, and where it is lost.", allow_none=True)


class TournamentAnswer(TournamentSummary):
    """A tournament."""

    options = fields.Dict(required=True, description="Complete, with defaults.")
    minutes = whole(*MINUTES, required=True, allow_none=True, description="Of an arena.")
    window = whole(1, required=True, allow_none=True, description="Hours; null in an arena.")
    tiebreaks = fields.List(one_of(TIEBREAKS), required=True)
    code = text("Why it was cancelled.", allow_none=True, validate=validate.OneOf(CANCEL_CODES))
    explanation = text("Why operators have called it off, in their words.", allow_none=True)
    started_at = time(allow_none=True)
    pairing = fields.Nested(TournamentPairingAnswer, required=True)
    chain = text(
        "The commitment of the next round of a duplicate; null in others.", allow_none=True
    )
    entropy = text("That of all draws of a duplicate, from the start on.", allow_none=True)


class TournamentWrittenAnswer(Answer):
    """What a request has done."""

    version = version(required=True)
    events = fields.List(
        tournament_event(), required=True, description="Empty where nothing had to be done."
    )
    tournament = fields.Nested(TournamentAnswer, required=True)


class TournamentEntrantAnswer(Answer):
    """An entrant."""

    entrant = whole(1, required=True, description="The number by which events name the entrant.")
    player = fields.Nested(PlayerName, required=True)
    gone = text(
        "Why the entrant plays no further table; null: plays.",
        allow_none=True,
        validate=validate.OneOf([*WITHDRAW_REASONS, "removed"]),
    )
    absences = count("At so many tables the entrant was not there.", required=True)


class EntrantListAnswer(Answer):
    """The entrants in the order of their entries."""

    version = version(required=True)
    entrants = list_of(TournamentEntrantAnswer)


class RoundScoreAnswer(Answer):
    """What an entrant has from a round."""

    round = whole(1, required=True)
    kind = one_of(SCORE_KINDS, "`bye`, `void`: counts like the mean of the other rounds.")
    table = whole(1, required=True, allow_none=True)
    points = whole(0, required=True, allow_none=True, description=f"{THOUSANDTHS} Null: not yet.")


class TiebreakFigures(Answer):
    """What separates equal points, in thousandths."""

    opponents = whole(-RESULTS_MAX, RESULTS_MAX, description="The mean points of the opponents.")
    margin = whole(
        -RESULTS_MAX,
        RESULTS_MAX,
        description="Own score less the table's mean, by a fixed deviation.",
    )
    head_to_head = whole(-RESULTS_MAX, RESULTS_MAX, description="How much of the meetings was won.")


class TournamentStandingAnswer(Answer):
    """The place of an entrant."""

    rank = whole(1, required=True)
    entrant = whole(1, required=True)
    player = fields.Nested(PlayerName, required=True)
    points = whole(0, required=True, description=THOUSANDTHS)
    exact = text("The points as a fraction.")
    gone = text("Why the entrant plays no further table.", allow_none=True)
    byes = count("Rounds without a table.", required=True)
    tiebreaks = fields.Nested(TiebreakFigures, required=True)
    rounds = list_of(RoundScoreAnswer)


class StandingListAnswer(Answer):
    """The standings, the best first. A function of the stream up to `version`."""

    version = version(required=True)
    status = one_of(STATUSES)
    standings = list_of(TournamentStandingAnswer)


class TournamentTableAnswer(Answer):
    """A table of a round. A duplicate shows results once its round is closed."""

    table = whole(1, required=True, description="Counted over the whole tournament.")
    round = whole(1, required=True)
    game = text("The id of its game; in an open round of a duplicate 404 for all others.")
    seats = fields.List(whole(1), required=True, description="The numbers of the entrants.")
    status = one_of(TABLE_STATUSES)
    ranks = fields.List(whole(1, 5), required=True, allow_none=True)
    scores = fields.List(whole(-RESULTS_MAX, RESULTS_MAX), required=True, allow_none=True)
    outcomes = fields.List(fields.String(), required=True, allow_none=True)
    absent = fields.List(
        whole(0, 4), required=True, description="Seats whose players were not there at the start."
    )
    reason = text("Why an operator, or the service, decided the table.", allow_none=True)
    explanation = text("Of a table that an operator has voided: why.", allow_none=True)


class TournamentRoundAnswer(Answer):
    """A round."""

    round = whole(1, required=True)
    status = one_of(("open", "closed"))
    ends_at = time("When its window ends; outages move it.", allow_none=True)
    commitment = text("Of the secret of a duplicate round.", allow_none=True)
    secret = text("What a closed duplicate round shows.", allow_none=True)
    byes = fields.List(whole(1), required=True, description="The entrants without a table.")
    tables = list_of(TournamentTableAnswer)


class TournamentProblem(Answer):
    """What does not agree."""

    version = whole(1, required=True, description="The event.")
    problem = text("A stable word.")
    detail = text()


class RoundProof(Answer):
    """What is known of the draws of a duplicate round."""

    round = whole(1, required=True, description="The number of the round.")
    commitment = text("Of the secret.", allow_none=True)
    secret = text("Null while it is hidden, and where it is lost.", allow_none=True)
    state = one_of(PROOFS, "`lost`: the round was closed without it.")


class TournamentVerificationAnswer(Answer):
    """What follows from the stream, computed again."""

    valid = fields.Boolean(required=True, description="Whether there is no problem.")
    version = version(required=True)
    problems = list_of(TournamentProblem, "What does not agree, by version.")
    head = text("The hash of the last event.")
    masked = count("So many events name a deleted player.", required=True)
    pairings = one_of(PROOFS, "`hidden` until the end shows the secret of the pairings.")
    rounds = list_of(RoundProof, "Of a duplicate; the draws themselves prove its games.")


class TableListAnswer(Answer):
    """Tables, by their numbers."""

    version = version(required=True)
    games = list_of(TournamentTableAnswer)


class TournamentEventsPage(Answer):
    """Events, the oldest first."""

    events = fields.List(tournament_event(), required=True)
    next_after = whole(0, required=True, description="The value of `after` for the next page.")
    reset = fields.Boolean(
        description="True when `after` is beyond the end, which `next_after` then names."
    )
