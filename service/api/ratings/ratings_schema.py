"""Answers and queries about ratings."""

from __future__ import annotations

from typing import Any

from marshmallow import validate

from cartulary.events.model.ladders import LADDERS, PEOPLE
from cartulary.ratings.results import TABLES, TWO
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    Request,
    count,
    list_of,
    nullable,
    seat,
    text,
    time,
    whole,
)
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import game_name

LADDER = (
    "`people`: rated games of persons. `bots`: of bots. `practice`: games of one person against "
    "the bots of the service."
)
TABLE = "`2`: tables of two. `many`: larger tables."


def _number(description: str) -> Any:
    return fields.Integer(required=True, description=description)


class StrengthAnswer(Answer):
    """How well a player plays, as far as it is known."""

    rating = _number("814 points more are ten times the chance to be first; 1500 at the start.")
    deviation = count("How far off the rating may be, 19 times of 20.", required=True)
    provisional = fields.Boolean(
        required=True, description="True while the rating rests on few games."
    )
    games = count("The games that count.", required=True)


class PlayerRatingAnswer(StrengthAnswer):
    """A rating of a player."""

    game = game_name()
    seats = text(TABLE, validate=validate.OneOf(TABLES))
    ladder = text(LADDER, validate=validate.OneOf(LADDERS))
    rank = whole(
        1,
        required=True,
        allow_none=True,
        description="The place on the leaderboard; null for a player without a game in 90 days.",
    )
    best = _number("The highest rating so far.")


class RatingListAnswer(Answer):
    """The ratings of a player; those without a game are missing."""

    ratings = list_of(PlayerRatingAnswer, "One for each game, size of table and ladder.")


class BucketQuery(Request):
    """Which ratings."""

    seats = fields.String(
        load_default=TWO, validate=validate.OneOf(TABLES), description=f"{TABLE} Default: `2`."
    )
    ladder = fields.String(
        load_default=PEOPLE,
        validate=validate.OneOf(LADDERS),
        description=f"{LADDER} Default: `people`.",
    )


class HistoryQuery(BucketQuery):
    """Which ratings of a player."""

    game = fields.String(
        validate=validate.Length(1, 64), description="The name of a game; it has to be there."
    )


class LeaderboardQuery(BucketQuery):
    """Which page of a leaderboard."""

    cursor = fields.String(description="`next_cursor` of the page before.")


class HistoryPoint(StrengthAnswer):
    """The rating after a game."""

    at = time("When the game ended.")
    change = _number("What the game has changed.")
    game = text(
        "Id of the game; null for a game of which the caller may not learn.", allow_none=True
    )


class HistoryAnswer(Answer):
    """The curve of a rating."""

    points = list_of(
        HistoryPoint, "A point for each game, the oldest first; of more than 1000, 1000 evenly."
    )


class BoardRow(StrengthAnswer):
    """A player on a leaderboard."""

    rank = whole(1, required=True, description="The place; who hides or is gone leaves a gap.")
    player = fields.Nested(PlayerName, required=True)


class BoardAnswer(Answer):
    """A page of a leaderboard: who plays best almost certainly, of those active in 90 days."""

    players = list_of(BoardRow, "Fifty at most.")
    next_cursor = text(
        "The value of `cursor` for the next page; null: the last one.", allow_none=True
    )


class PreviewQuery(Request):
    """Whether to look ahead."""

    preview = fields.String(
        validate=validate.OneOf(["true", "false"]),
        description="`true`: with `changes`, what each rank would do.",
    )


class SeatRatings(Answer):
    """What a game does to the rating of a seat."""

    seat = seat(required=True)
    player = nullable(PlayerName)
    before = nullable(
        StrengthAnswer, "Before the game, or now while it is not over; null for a bot."
    )
    after = nullable(StrengthAnswer, "After the game; null until then.")
    changes = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        description="With `preview`, before the end: the change of the rating by rank, the first "
        "rank first, when the others end in the order of their strength. Else null.",
    )


class GameRatingsAnswer(Answer):
    """What a game does to the ratings of its players."""

    ladder = text(
        f"{LADDER} Null: the game counts for none.",
        allow_none=True,
        validate=validate.OneOf([*LADDERS, None]),
    )
    voided = Flag(required=True, description="True: an operator lets the game count no more.")
    seats = list_of(SeatRatings)
