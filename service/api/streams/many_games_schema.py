"""One stream for many games: what it may be asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validate, validates_schema

from cartulary.service.schemas import fields
from cartulary.service.schemas.base import VERSION_MAX, Request

GAMES_MOST = 50
"""Games of one stream."""

INCLUDED = ("messages", "presence", "clock")
"""What the stream may be asked for besides the events."""

_ID = r"[^,\s]{1,64}"
_IDS = f"^({_ID}(,{_ID})*)?$"
_WORD = "|".join(INCLUDED)
_WORDS = f"^(({_WORD})(,({_WORD}))*)?$"
_VERSIONS = "^([0-9]{1,10}(,[0-9]{1,10})*)?$"


def split_words(text: str) -> list[str]:
    """Return the words of a list with commas."""
    return [word for word in text.split(",") if word]


def _listed(pattern: str, error: str, description: str, longest: int = 5000) -> fields.String:
    return fields.String(
        load_default="",
        validate=[
            validate.Length(max=longest),
            validate.Regexp(pattern.removesuffix("$") + r"\Z", error=error),
        ],
        description=description,
        metadata={"pattern": pattern},
    )


def _check_games(games: list[str]) -> None:
    if len(games) > GAMES_MOST:
        raise ValidationError(f"must name at most {GAMES_MOST} games, not {len(games)}", "games")
    if len(set(games)) < len(games):
        raise ValidationError("must not name a game twice", "games")


class ManyGamesTicketQuery(Request):
    """What the stream of a ticket follows."""

    games = _listed(
        _IDS,
        "must be ids of games, separated by commas",
        f"Ids of games, separated by commas: at most {GAMES_MOST}, none twice.",
    )
    inbox = fields.String(
        load_default="false",
        validate=validate.OneOf(("true", "false")),
        description="Whether to send the items of the caller's inbox. Needs a token or a ticket.",
    )
    include = _listed(
        _WORDS,
        f"must be some of {', '.join(INCLUDED)}, separated by commas",
        "Lines to send of each game besides its events, separated by commas: `messages`, "
        "`presence`, `clock`.",
        100,
    )

    @validates_schema(skip_on_field_errors=True)
    def _are_games_of_one_stream(self, data: Mapping[str, Any], **_: Any) -> None:
        _check_games(split_words(data["games"]))


class ManyGamesQuery(ManyGamesTicketQuery):
    """What one stream follows, and where it begins."""

    after = _listed(
        _VERSIONS,
        "must be a version for each game, separated by commas",
        "The version after which each game begins, in the order of `games`. Missing: each game "
        "begins with its first event.",
    )
    inbox_after = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="The id of the item after which the inbox begins. Missing: the inbox begins "
        "with a snapshot.",
    )
    cursor = fields.String(
        load_default="",
        validate=validate.Length(max=1000),
        description="From a line of this stream, as `Last-Event-ID`: goes on after it. Takes the "
        "place of `after` and `inbox_after`.",
    )
    present = _listed(
        _IDS,
        "must be ids of games, separated by commas",
        "Those of the games that the caller has open: there the caller is shown as present. To "
        "follow a game shows no one.",
    )
    ticket = fields.String(
        load_default="",
        validate=validate.Length(max=200),
        description="From `POST /api/v1/streams/ticket` with the same `games` and `inbox`, in "
        "place of a token.",
    )

    @validates_schema(skip_on_field_errors=True)
    def _fits_the_games(self, data: Mapping[str, Any], **_: Any) -> None:
        games, versions = split_words(data["games"]), split_words(data["after"])
        if versions and len(versions) != len(games):
            raise ValidationError("must have one version for each of the games", "after")
        if any(int(version) > VERSION_MAX for version in versions):
            raise ValidationError(f"must have no version above {VERSION_MAX}", "after")
        if not set(split_words(data["present"])) <= set(games):
            raise ValidationError("must name games of the list only", "present")
