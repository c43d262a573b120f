"""Tournaments: bodies of requests, and answers."""

from __future__ import annotations

from typing import Final

from marshmallow import validate

from cartulary.events.tournaments.stream.listing import PAGE
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    Named,
    Request,
    count,
    list_of,
    text,
    time,
    version,
    whole,
)
from cartulary.service.schemas.pace import PaceAnswer, PaceRequest
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import game_name, tournament_event
from cartulary.tournaments.events import CANCEL_CODES, WITHDRAW_REASONS
from cartulary.tournaments.points import SCORE_KINDS
from cartulary.tournaments.state import STATUSES, TABLE_STATUSES
from cartulary.tournaments.terms import (
    FORMATS,
    MINUTES,
    MOST_ENTRANTS,
    MOST_ROUNDS,
    TIEBREAKS,
    VISIBILITIES,
)
from cartulary.tournaments.verification import PROOFS

THOUSANDTHS: Final = "In thousandths."
RESULTS_MAX: Final = 2**31 - 1


def _words(values: tuple[str, ...], description: str = "") -> fields.String:
    return text(description, validate=validate.OneOf(values))


# -- what a host asks for -------------------------------------------------------------------------


class TournamentEntrantsRequest(Request):
    """Who may enter, and how many."""

    min = whole(2, MOST_ENTRANTS, description="Default: as many as a table seats, or two tables.")
    max = whole(2, MOST_ENTRANTS, description="Default: 200, or the number of those invited.")
    invited = fields.List(
        fields.String(validate=validate.Length(1, 64)),
        validate=validate.Length(1, MOST_ENTRANTS),
        description="Ids of players; missing: all may enter.",
    )
    rating = fields.List(
        whole(0, 10_000),
        validate=validate.Length(2, 2),
        description="The lowest and the highest rating (ladder `people`); missing: any.",
    )


class TournamentStartRequest(Request):
    """What starts the tournament: one of the three."""

    at = fields.String(
        metadata={"format": "date-time", "description": "A time that lies ahead, within a year."}
    )
    when_full = Flag(description="True: as soon as `entrants.max` have entered.")
    by_host = Flag(description="True: its host does, with `POST …/start`.")


class TournamentRequest(Request):
    """A tournament as its host asks for it."""

    name = text("What it is called, on one line.", validate=validate.Length(1, 64))
    game = game_name(validate=validate.Length(1, 64))
    options = Named(
        keys=fields.String(),
        values=fields.Raw(metadata={"type": ["string", "integer"]}),
        load_default=dict,
        description="See the catalogue; an option that is missing has its default.",
    )
    table = fields.List(
        whole(2, 5),
        required=True,
        validate=validate.Length(1, 4),
        description="The sizes of tables; rounds have as few byes as possible, then the largest.",
    )
    format = _words(FORMATS, "`round_robin` and `arena` have tables of two.")
    rounds = whole(1, MOST_ROUNDS, description="Missing: it follows from the entrants.")
    minutes = whole(*MINUTES, description="How long an arena lasts; only there, and needed there.")
    pace = fields.Nested(PaceRequest, required=True, description="Of all games.")
    window = whole(
        1, 2_160, description="Hours that a round may last; default: 3 live, 168 over days."
    )
    entrants = fields.Nested(TournamentEntrantsRequest, description="Missing: all may enter.")
    rated = Flag(load_default=False, description="Its games count for ratings, with conditions.")
    duplicate = Flag(
        load_default=False,
        description="All tables of a round have the same draws. Swiss, one table size, `rounds`.",
    )
    visibility = fields.String(
        load_default=VISIBILITIES[0],
        validate=validate.OneOf(VISIBILITIES),
        description="`unlisted`: in no list; `private`: for host, invited and entrants only.",
    )
    start = fields.Nested(
        TournamentStartRequest, required=True, description="Exactly one of its members."
    )
    tiebreaks = fields.List(
        fields.String(validate=validate.OneOf(TIEBREAKS)),
        validate=validate.Length(max=len(TIEBREAKS)),
        description="What separates equal points, in this order; the draw always comes last.",
    )


class EntryRequest(Request):
    """An entry."""

    entropy = fields.String(
        description="What the player adds to the draws of a duplicate: 16 to 64 characters of "
        "A-Z, a-z, 0-9, - and _."
    )


class TableResultRequest(Request):
    """What an operator decides about a table."""

    reason = text("Why: all read it.", validate=validate.Length(1, 500))
    ranks = fields.List(
        whole(1, 5),
        allow_none=True,
        validate=validate.Length(2, 5),
        description="By seat, 1 is the best; ties share a rank. Null: it counts for no entrant.",
    )
    scores = fields.List(
        whole(-RESULTS_MAX, RESULTS_MAX),
        validate=validate.Length(2, 5),
        description="By seat; missing: those of the game.",
    )


# -- queries --------------------------------------------------------------------------------------


class TournamentListQuery(Request):
    """Which tournaments."""

    status = fields.String(load_default=None, validate=validate.OneOf(STATUSES))
    game = fields.String(load_default=None, validate=validate.Length(1, 64))
    player = fields.String(
        load_default=None,
        validate=validate.Length(1, 64),
        description="Those that a player hosts or has entered, by id; `me`: the caller.",
    )
    limit = whole(1, PAGE, text=True, load_default=PAGE)
    cursor = fields.String(load_default=None, validate=validate.Length(1, 64))


class TournamentGamesQuery(Request):
    """Of which round."""

    round = whole(1, 2**31 - 1, text=True, load_default=None)


class TournamentEventsQuery(Request):
    """A part of the events."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)
    limit = whole(1, 1000, text=True, load_default=100)


class TournamentStreamQuery(Request):
    """Where a stream begins."""

    after = whole(0, 2**31 - 1, text=True, load_default=0)


# -- answers --------------------------------------------------------------------------------------


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
    format = _words(FORMATS)
    pace = fields.Nested(PaceAnswer, required=True)
    rated = fields.Boolean(required=True)
    duplicate = fields.Boolean(required=True)
    visibility = _words(VISIBILITIES)
    status = _words(STATUSES)
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
    tiebreaks = fields.List(_words(TIEBREAKS), required=True)
    code = text("Why it was cancelled.", allow_none=True, validate=validate.OneOf(CANCEL_CODES))
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
    kind = _words(SCORE_KINDS, "`bye`, `void`: counts like the mean of the other rounds.")
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
    status = _words(STATUSES)
    standings = list_of(TournamentStandingAnswer)


class TournamentTableAnswer(Answer):
    """A table of a round. A duplicate shows results once its round is closed."""

    table = whole(1, required=True, description="Counted over the whole tournament.")
    round = whole(1, required=True)
    game = text("The id of its game; in an open round of a duplicate 404 for all others.")
    seats = fields.List(whole(1), required=True, description="The numbers of the entrants.")
    status = _words(TABLE_STATUSES)
    ranks = fields.List(whole(1, 5), required=True, allow_none=True)
    scores = fields.List(whole(-RESULTS_MAX, RESULTS_MAX), required=True, allow_none=True)
    outcomes = fields.List(fields.String(), required=True, allow_none=True)
    absent = fields.List(
        whole(0, 4), required=True, description="Seats whose players were not there at the start."
    )
    reason = text("Why an operator, or the service, decided the table.", allow_none=True)


class TournamentRoundAnswer(Answer):
    """A round."""

    round = whole(1, required=True)
    status = _words(("open", "closed"))
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
    state = _words(PROOFS, "`lost`: the round was closed without it.")


class TournamentVerificationAnswer(Answer):
    """What follows from the stream, computed again."""

    valid = fields.Boolean(required=True, description="Whether there is no problem.")
    version = version(required=True)
    problems = list_of(TournamentProblem, "What does not agree, by version.")
    head = text("The hash of the last event.")
    masked = count("So many events name a deleted player.", required=True)
    pairings = _words(PROOFS, "`hidden` until the end shows the secret of the pairings.")
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
