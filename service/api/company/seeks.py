"""Seeks: look for players for a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, request

from cartulary.events.company.seeks import NewSeek, Seek
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.service.api.company.seeks_schema import (
    SeekListAnswer,
    SeekListQuery,
    SeekRequest,
    SeekSummaryAnswer,
    SeekSummaryQuery,
    SoughtAnswer,
)
from cartulary.service.http.answers import answer_json, answer_stored
from cartulary.service.http.callers import require_player
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("seeks", __name__)

FRESH = {"Cache-Control": "no-store"}
MOST_LISTED = 100


@blueprint.post("/seeks")
@operation(
    "seeks",
    "Look for players for a game",
    {
        200: AnswerOf("Open tables fit; no seek was made.", SoughtAnswer, headers=STANDING),
        201: AnswerOf("The seek, or the one that wanted the same.", SoughtAnswer, headers=STANDING),
    },
    body=SeekRequest,
    limit="games",
    refusals=("quota_exceeded", "not_for_bots", "account_needed", "rated_game"),
)
def make_seek(services: Services, who: Player, body: dict[str, Any]) -> Response:
    """Open tables of the lobby that fit are the answer, unless `new` is true.

    Else the seek waits for players who seek the same game with the same options and pace; the
    smallest set that fits all gets a game, those who wait longest first. Who blocks or is blocked
    is matched with no such player, and two accounts of one person do not meet in a rated game.
    The item `seek_matched` of the inbox names the game. A live seek is valid while the caller has
    the stream of the inbox open, and for half a minute after that; a seek for a game over days or
    an untimed game is valid for seven days.
    """
    matchmaker = services.store.matchmaker
    wish = matchmaker.check(who, _read_wish(body))
    if not body["new"] and (tables := matchmaker.find_tables(who, wish)):
        return answer_json({"seek": None, "tables": tables}, headers=FRESH)
    done = matchmaker.seek(who, wish)
    mark_stored(request.environ)
    seek = {**done.sought.seek.describe(), "player": {"id": who.id, "name": who.name}}
    if done.table is not None:
        seek["table"] = done.table.id
    return answer_json({"seek": seek, "tables": []}, 201, FRESH)


def _read_wish(body: dict[str, Any]) -> NewSeek:
    range_ = body.get("rating_range")
    return NewSeek(
        body["game"],
        body["options"],
        tuple(body["seats"]),
        body.get("pace"),
        body["fill"],
        body["patience"],
        body["rated"],
        None if range_ is None else tuple(range_),
        body.get("min_reliability"),
    )


@blueprint.get("/seeks")
@operation(
    "seeks",
    "Who seeks a game",
    {200: AnswerOf("The open seeks.", SeekListAnswer)},
    query=SeekListQuery,
    refusals=("token_missing",),
)
def list_seeks(services: Services, who: Player | None, query: dict[str, Any]) -> Response:
    """With `player=me` those of the caller. A caller sees no seek that is not for the caller.

    These are the seeks of players who block the caller, or whom the caller blocks.
    """
    if query["player"] is not None:
        seeks = services.store.seeks.list_of(require_player(who).id)
    else:
        games = [one for one in services.offers if query["game"] in (None, one)]
        seeks = services.store.seeks.list_open(games, MOST_LISTED) if games else []
    wanted = [one for one in seeks if query["game"] in (None, one.wish.game)]
    return answer_json({"seeks": _describe(services, who, wanted)}, headers=FRESH)


def _describe(services: Services, who: Player | None, seeks: Sequence[Seek]) -> list[Json]:
    """Return seeks with their players, as far as a caller may see them."""
    store = services.store
    ids = [seek.player_id for seek in seeks]
    names = store.players.name_all(ids)
    hidden = store.preferences.find_hidden(ids)
    apart = set() if who is None else store.blocks.find_apart(who.id, ids)
    return [
        {
            **seek.describe(),
            "player": None
            if seek.player_id in hidden and (who is None or seek.player_id != who.id)
            else {"id": seek.player_id, "name": name},
        }
        for seek, name in zip(seeks, names, strict=True)
        if seek.player_id not in apart
    ]


@blueprint.delete("/seeks/<seek:seek_id>")
@operation(
    "seeks",
    "Seek no longer",
    {204: AnswerOf("Withdrawn.")},
    limit="writes",
    refusals=("not_found",),
)
def withdraw_seek(services: Services, who: Player, seek_id: str) -> Response:
    """A seek that was matched in the meantime is 404: its game is in the inbox."""
    if not services.store.seeks.withdraw(who.id, seek_id):
        raise not_found("an open seek of yours with this id")
    return answer_stored()


@blueprint.get("/seeks/summary")
@operation(
    "seeks",
    "How many seek a game, and how long that takes",
    {200: AnswerOf("By the mode of the pace.", SeekSummaryAnswer)},
    query=SeekSummaryQuery,
)
def summarise_seeks(services: Services, query: dict[str, Any]) -> Response:
    """Live games, games over days, untimed games."""
    game = query["game"]
    if game not in services.offers:
        raise invalid("/game", f"there is no game {game!r}")
    found = services.store.seeks.count_waiting(game)
    paces = [
        {
            "pace": one.mode,
            "waiting": one.waiting,
            "median_wait_s": None if one.median_ms is None else round(one.median_ms / 1000),
        }
        for one in found
    ]
    waiting = sum(one.waiting for one in found)
    return answer_json({"game": game, "waiting": waiting, "paces": paces}, headers=FRESH)
