"""Seeks: bodies of requests, and answers."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, validate

from cartulary.events.company.seeks import FILLS, MODES_OF_SEEKS, PATIENCE_S, PATIENCES_S
from cartulary.service.api.game.games_schema import GameSummary
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Flag,
    Request,
    count,
    list_of,
    nullable,
    text,
    time,
    whole,
)
from cartulary.service.schemas.pace import PaceAnswer, PaceRequest
from cartulary.service.schemas.players import PlayerName
from cartulary.service.schemas.references import chosen_options, game_name

SIZES_TEXT = "The sizes of tables that will do; the smallest that comes about is taken."
FILL_TEXT = (
    "What happens when no match is found within `patience`. `bots`: the game begins with bots in "
    "the seats that are left, and players who seek the same take these over; live games only. "
    "`none` (the default): the seek waits on."
)
PATIENCE_TEXT = f"Seconds until bots fill the seats; default: {PATIENCE_S}."


RATINGS = (-10_000, 10_000)
RANGE_TEXT = (
    "The lowest and the highest rating (ladder `people`) that the others may have at a table of "
    "that size; who has no rating counts as 1500."
)
RELIABILITY_TEXT = (
    "How many percent of their games the others have ended by playing or resigning, at least; who "
    "has played none counts as 100."
)


def _rising(values: list[Any]) -> None:
    if len(values) == 2 and values[0] > values[1]:
        raise ValidationError("begins with the lowest rating")


def _all_different(values: list[Any]) -> None:
    if len(set(values)) < len(values):
        raise ValidationError("names a size twice")


class SeekRequest(Request):
    """What the caller seeks."""

    game = game_name(validate=validate.Length(1, 64))
    options = chosen_options()
    seats = fields.List(
        whole(2, 5),
        required=True,
        validate=[validate.Length(1, 4), _all_different],
        description=SIZES_TEXT,
    )
    pace = fields.Nested(PaceRequest, allow_none=True, description="Missing or null: untimed.")
    rated = Flag(
        load_default=False,
        description="A game that counts for ratings: for players with recovery codes, with a pace, "
        "without bots.",
    )
    rating_range = fields.List(
        whole(*RATINGS),
        allow_none=True,
        validate=[validate.Length(2, 2), _rising],
        description=f"{RANGE_TEXT} Missing or null: any.",
    )
    min_reliability = whole(
        0, 100, allow_none=True, description=f"{RELIABILITY_TEXT} Missing or null: any."
    )
    fill = fields.String(
        load_default=FILLS[0], validate=validate.OneOf(FILLS), description=FILL_TEXT
    )
    patience = whole(*PATIENCES_S, load_default=PATIENCE_S, description=PATIENCE_TEXT)
    new = Flag(
        load_default=False,
        description="Seek also when open tables fit; else these are the answer.",
    )


class SeekAnswer(Answer):
    """A seek."""

    id = text()
    player = nullable(PlayerName, "Who seeks; null: the player hides.")
    game = game_name()
    options = fields.Dict(required=True, description="Complete, with defaults.")
    seats = fields.List(whole(2, 5), required=True, description=SIZES_TEXT)
    pace = nullable(PaceAnswer, "Null: untimed.")
    rated = fields.Boolean(required=True)
    rating_range = fields.List(
        whole(*RATINGS),
        required=True,
        allow_none=True,
        validate=validate.Length(2, 2),
        description=f"{RANGE_TEXT} Null: any.",
    )
    min_reliability = whole(
        0, 100, required=True, allow_none=True, description=f"{RELIABILITY_TEXT} Null: any."
    )
    fill = text(FILL_TEXT, validate=validate.OneOf(FILLS))
    patience = whole(*PATIENCES_S, required=True, description=PATIENCE_TEXT)
    created_at = time()
    expires_at = time("When it ends at the latest; a live one when its player goes.")
    table = text(
        "Id of the game that the seek was matched to, or that has begun with bots.",
        allow_none=True,
    )


class SoughtAnswer(Answer):
    """What became of the wish of the caller: a seek, or tables that fit."""

    seek = nullable(SeekAnswer, "Null: open tables fit, and no seek was made.")
    tables = list_of(GameSummary, "Open tables that fit, at most five, the fullest first.")


class SeekListAnswer(Answer):
    """Open seeks, the newest first."""

    seeks = list_of(SeekAnswer, "At most a hundred.")


class SeekListQuery(Request):
    """Which seeks."""

    game = fields.String(load_default=None, validate=validate.Length(1, 64))
    player = fields.String(
        load_default=None,
        validate=validate.OneOf(["me"]),
        description="Only those of the caller; needs a token.",
    )


class WaitAnswer(Answer):
    """Those who seek a game at a pace."""

    pace = text("`none`: untimed.", validate=validate.OneOf(MODES_OF_SEEKS))
    waiting = count("So many seeks are open.", required=True)
    median_wait_s = whole(
        0,
        required=True,
        allow_none=True,
        description="How long a seek waited for its match in the last 24 hours, the median in "
        "seconds. Null: no seek was matched.",
    )


class SeekSummaryAnswer(Answer):
    """How many seek a game."""

    game = game_name()
    waiting = count("So many seeks are open.", required=True)
    paces = list_of(WaitAnswer)


class SeekSummaryQuery(Request):
    """Of which game."""

    game = fields.String(load_default="", description="The name of a game; it is needed.")
