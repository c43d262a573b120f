"""Queries and answers of the explorer."""

from __future__ import annotations

from marshmallow import validate

from cartulary.events.explorer.counting import BOUNDS
from cartulary.explorer.questions import LONGEST
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    JsonObject,
    Request,
    Whole,
    count,
    list_of,
    text,
    whole,
)
from cartulary.service.schemas.references import game_name, moves
from cartulary.service.schemas.transcripts import TranscriptField

WIDE, NARROW = BREADTHS = ("wide", "narrow")

_KEY = "A key of a question, as the answers give it."


class ExplorerQuery(Request):
    """What was played where, at which tables, by whom."""

    position = fields.String(
        validate=validate.Length(1, LONGEST),
        description="`GAME@VERSION`: the question after this event of a game that the caller may "
        "see; or a key, as an answer or `POST /explorer/{game}/keys` gives it. It has to be there.",
    )
    seats = whole(
        2,
        5,
        text=True,
        description="Tables of this size. Missing: that of the game; for a key all.",
    )
    rating = whole(
        BOUNDS[0],
        BOUNDS[-1],
        text=True,
        description=f"Seats with a rating of at least: {', '.join(map(str, BOUNDS))}. Missing: "
        "all, those without a rating included.",
    )
    breadth = fields.String(
        validate=validate.OneOf(BREADTHS),
        description="Which key of the position counts. Missing: `narrow` where twenty seats "
        "or more have met it, else `wide`.",
    )


class KeysRequest(Request):
    """A position that is in no game of this service: exactly one of the two."""

    transcript = TranscriptField(description="A transcript up to the question.")
    position = JsonObject(description="A position, as `GET /games/{id}/position` gives it.")


class KeysAnswer(Answer):
    """The keys of a question."""

    wide = text(_KEY)
    narrow = text(
        "The key with more parts, which exists in the opening only; null elsewhere.",
        allow_none=True,
    )


class AnswerFigures(Answer):
    """An answer to the question, and how the games ended for those who gave it."""

    answer = fields.String(
        required=True,
        description="The answer in the words of the explorer, as `city-own-closed` or `gate`.",
    )
    offered = count("Seats of games that could answer so.", required=True)
    times = count("Those that did.", required=True)
    won = count("Those of them that were first, alone or tied.", required=True)
    beaten = fields.Float(
        required=True,
        allow_none=True,
        description="Mean share of the other seats that they left behind, 0 to 1, tied ones half; "
        "null: no seat answered so.",
    )
    score = fields.Float(required=True, allow_none=True, description="Their mean score.")
    text = text(
        "The first of `moves` as a sentence in the language that `Accept-Language` likes best; "
        "null for a key.",
        allow_none=True,
    )
    moves = moves(
        required=True,
        description="The legal moves of the position that are this answer; none for a key.",
    )


class LearnedSeat(Answer):
    """A seat of a game to learn from."""

    name = text("The name of the player, or of the bot.")
    score = Whole(required=True, description="The final score.")


class GameToLearnFrom(Answer):
    """A game to learn from."""

    id = text("Id of the game.")
    rating = whole(
        0, required=True, allow_none=True, description="Mean rating of its seats; null: not known."
    )
    seats = list_of(LearnedSeat)


class ExplorerAnswer(Answer):
    """What was played at a question."""

    game = game_name()
    keys = fields.Nested(KeysAnswer, required=True, description="The keys of the position.")
    breadth = text("The key that counted.", validate=validate.OneOf(BREADTHS))
    seats = whole(
        2, 5, required=True, allow_none=True, description="The size of the tables; null: all."
    )
    rating = whole(0, required=True, allow_none=True, description="The least rating; null: all.")
    games = count("Public games that the explorer has counted, all in all.", required=True)
    times = count("Seats of games that were asked this.", required=True)
    answers = list_of(AnswerFigures, "The most frequent first; those that are possible here too.")
    learn = list_of(
        GameToLearnFrom, "The best-rated public games with this question, five at most."
    )
