"""Answers and queries about the figures of a player."""

from __future__ import annotations

from marshmallow import validate

from cartulary.ratings.results import TABLES
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Request,
    Whole,
    count,
    list_of,
    nullable,
    text,
    whole,
)
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import game_name

MEDIAN = (
    "Seconds: half of the turns took longer, right within a tenth; null without a turn. The time "
    "of a turn is what the clock charged, or the time since the last move of another seat."
)


class ReliabilityAnswer(Answer):
    """How a player ends games, public or not."""

    games = count("Games with a result in which the player had a seat.", required=True)
    finished = count("Those that the player played to the end.", required=True)
    timed_out = count("Those that the player lost on time.", required=True)
    resigned = count("Those in which the player resigned.", required=True)
    since_timeout = whole(
        0,
        required=True,
        allow_none=True,
        description="Games since the last one that was lost on time, 20 at most; null: none was.",
    )
    median_turn_s = whole(0, required=True, allow_none=True, description=MEDIAN)


class StatisticsQuery(Request):
    """Which figures of a player."""

    game = fields.String(
        validate=validate.Length(1, 64), description="The name of a game; it has to be there."
    )
    seats = fields.String(
        validate=validate.OneOf(TABLES),
        description="`2`: tables of two. `many`: larger tables. Missing: all tables.",
    )


class BestAnswer(Answer):
    """The best score."""

    score = Whole(required=True, description="The points.")
    game = text("Id of the game.")


class ScoresAnswer(Answer):
    """The scores of games that the player played to the end."""

    mean = fields.Float(required=True, description="The mean.")
    best = fields.Nested(BestAnswer, required=True, description="The best one.")


class SourceFigures(Answer):
    """Points from one source."""

    source = text(
        "In Carcassonne `city`, `road`, `monastery`, `field`; in Caylus `building`, `owner`, "
        "`castle`, `favour`, `trade`, `goods`; `other`: the events do not say."
    )
    points = Whole(required=True, description="The points of all these games.")


class HabitValue(Answer):
    """A value of a habit."""

    value = text("A word of the facts of the game, as `library` or `field`.")
    times = count("How often.", required=True)


class HabitFigures(Answer):
    """What a player does often."""

    habit = text(
        "In Carcassonne `followers`, by feature; in Caylus `first_building` and `favours`, by line."
    )
    values = list_of(HabitValue, "The most frequent first.")


class RecordAnswer(Answer):
    """Results against another."""

    games = count("The games together.", required=True)
    won = count("Those in which the player was ahead.", required=True)
    tied = count("Those with the same rank.", required=True)
    lost = count("Those in which the other was ahead.", required=True)


class OpponentAnswer(RecordAnswer):
    """Results against another player."""

    player = fields.Nested(PlayerName, required=True)


class LevelAnswer(RecordAnswer):
    """Results against a bot of the service."""

    bot = text("The name of the bot.")


class StatisticsAnswer(Answer):
    """What the finished games of a player come to, in one game."""

    game = game_name()
    seats = text(
        "The size of the tables; null: all.",
        allow_none=True,
        validate=validate.OneOf([*TABLES, None]),
    )
    games = count("Games with a result that the player began.", required=True)
    ranks = fields.List(
        whole(0), required=True, description="How often the player was first, second, and so on."
    )
    finished = count(
        "Games that the player played to their end. Scores, points and habits are those of these.",
        required=True,
    )
    scores = nullable(ScoresAnswer, "Null without such a game.")
    points = list_of(SourceFigures, "The source with the most points first.")
    habits = list_of(HabitFigures, "What the player does often, in the order of its names.")
    against = list_of(
        OpponentAnswer, "The ten most frequent opponents; players who hide or are gone are missing."
    )
    levels = list_of(LevelAnswer, "The bots of the service, the most frequent first.")
    median_turn_s = whole(0, required=True, allow_none=True, description=MEDIAN)
