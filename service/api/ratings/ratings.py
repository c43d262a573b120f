"""Ratings: of a player, over time, of a game, and the leaderboards."""

from __future__ import annotations

from collections.abc import Container
from itertools import product
from typing import Any

from flask import Blueprint, Response

from cartulary.events.model.clock import format_time
from cartulary.events.model.ladders import LADDERS
from cartulary.events.people.players import Player, name_of
from cartulary.events.ratings.describing import describe_standing
from cartulary.events.ratings.reading import BadBoardCursor, BoardPlace, RatingOf, RatingPoint
from cartulary.ratings.results import TABLES, Bucket
from cartulary.service.api.game.tables import find_table
from cartulary.service.api.profiles.shown import require_shown
from cartulary.service.api.ratings.ratings_schema import (
    BoardAnswer,
    GameRatingsAnswer,
    HistoryAnswer,
    HistoryQuery,
    LeaderboardQuery,
    PreviewQuery,
    RatingListAnswer,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid, not_found

blueprint = Blueprint("ratings", __name__)
_FRESH = {"Cache-Control": "no-store"}
"""A rating moves without an event of the game, and within a second of its end."""


@blueprint.get("/players/<player_id>/ratings")
@operation(
    "ratings",
    "The ratings of a player",
    {200: AnswerOf("The ratings.", RatingListAnswer)},
    refusals=("not_found",),
    token="optional",
)
def list_ratings(services: Services, who: Player | None, player_id: str) -> Response:
    """A rating for each ladder, game and size of table at which the player has finished a game.

    A player who hides is not found by others.
    """
    require_shown(services, who, player_id)
    return answer_json({"ratings": read_ratings(services, player_id)}, headers=_FRESH)


def read_ratings(services: Services, player_id: str) -> list[dict[str, Any]]:
    """Return the ratings of a player, as the answers show them."""
    games = sorted(services.offers)
    buckets = [Bucket(*words) for words in product(LADDERS, games, TABLES)]
    found = services.store.rating_reader.read_player(player_id, buckets)
    return [_describe_rating(one) for one in found]


def _describe_rating(one: RatingOf) -> dict[str, Any]:
    bucket = one.bucket
    return {
        "game": bucket.game,
        "seats": bucket.table,
        "ladder": bucket.ladder,
        **describe_standing(one.standing),
        "rank": one.rank,
        "best": one.standing.best,
    }


@blueprint.get("/players/<player_id>/ratings/history")
@operation(
    "ratings",
    "The curve of a rating",
    {200: AnswerOf("The points.", HistoryAnswer)},
    query=HistoryQuery,
    refusals=("not_found",),
    token="optional",
)
def show_history(
    services: Services, who: Player | None, player_id: str, query: dict[str, Any]
) -> Response:
    """No points for a player without a game that counts there.

    A player who hides is not found by others. They learn which game it was of public games only.
    """
    require_shown(services, who, player_id)
    if "game" not in query:
        raise invalid("/game", "say of which game")
    bucket = _find_bucket(services, query["game"], query)
    found = services.store.rating_reader.read_history(player_id, bucket)
    ids = [point.game for point in found]
    is_self = who is not None and who.id == player_id
    named = set(ids) if is_self else services.store.profiles.find_public(ids)
    points = [_describe_point(point, named) for point in found]
    return answer_json({"points": points}, headers=_FRESH)


def _describe_point(point: RatingPoint, named: Container[str]) -> dict[str, Any]:
    return {
        "at": format_time(point.at),
        **describe_standing(point.standing),
        "change": point.change,
        "game": point.game if point.game in named else None,
    }


@blueprint.get("/leaderboards/<game_name>")
@operation(
    "ratings",
    "A leaderboard",
    {200: AnswerOf("A page, the best first.", BoardAnswer)},
    query=LeaderboardQuery,
    refusals=("not_found", "bad_cursor"),
    token="optional",
)
def show_leaderboard(services: Services, game_name: str, query: dict[str, Any]) -> Response:
    """The order is by what is almost certain: the rating less one and a half deviations.

    A player whose last game is more than 90 days ago is missing, and so is one who hides.
    """
    bucket = _find_bucket(services, game_name, query)
    try:
        page = services.store.rating_reader.read_board(bucket, query.get("cursor"))
    except BadBoardCursor:
        raise Problem("bad_cursor", "take `next_cursor` of a page of this leaderboard") from None
    hidden = services.store.preferences.find_hidden([one.player for one in page.players])
    shown = [one for one in page.players if one.player not in hidden]
    players = services.store.players.find_all([one.player for one in shown])
    places = zip(shown, players, strict=True)
    rows = [row for place in places if (row := _describe_place(services, bucket, *place))]
    return answer_json({"players": rows, "next_cursor": page.next_cursor}, headers=_FRESH)


def _describe_place(
    services: Services, bucket: Bucket, one: BoardPlace, player: Player | None
) -> dict[str, Any] | None:
    """Return a row of a leaderboard, None for a player whose account is deleted."""
    if player is None:
        services.store.rating_reader.forget(one.player, bucket)
        return None
    return {"rank": one.rank, "player": name_of(player), **describe_standing(one.standing)}


@blueprint.get("/games/<game:game_id>/ratings")
@operation(
    "ratings",
    "What a game does to ratings",
    {200: AnswerOf("Before and after of each seat.", GameRatingsAnswer)},
    query=PreviewQuery,
    refusals=("not_found",),
)
def show_game_ratings(
    services: Services, game_id: str, who: Player | None, query: dict[str, Any]
) -> Response:
    """With `preview` also for a caller who has not sat down yet: on the first open seat.

    A rating follows the end of its game within a second.
    """
    table = find_table(services, game_id, who)
    ahead = query.get("preview") == "true"
    caller = None if who is None else who.id
    found = services.store.game_ratings.describe(table, caller, ahead)
    return answer_json(found, headers=_FRESH)


def _find_bucket(services: Services, game: str, query: dict[str, Any]) -> Bucket:
    if game not in services.offers:
        raise not_found("this game")
    return Bucket(query["ladder"], game, query["seats"])
