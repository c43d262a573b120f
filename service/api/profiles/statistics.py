"""The statistics of a player, and how reliable the player is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response

from cartulary.events.people.players import Player, name_of
from cartulary.events.profiles.tallies import PlayerTally, Record
from cartulary.ratings.results import TABLES
from cartulary.service.api.profiles.shown import require_shown
from cartulary.service.api.profiles.statistics_schema import StatisticsAnswer, StatisticsQuery
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import invalid, not_found

blueprint = Blueprint("statistics", __name__)


@blueprint.get("/players/<player_id>/statistics")
@operation(
    "players",
    "What the games of a player come to",
    {200: AnswerOf("The figures.", StatisticsAnswer)},
    query=StatisticsQuery,
    refusals=("not_found",),
    token="optional",
)
def show_statistics(
    services: Services, who: Player | None, player_id: str, query: dict[str, Any]
) -> Response:
    """Imported games and branches do not count. A player who hides is not found by others.

    The player sees the figures of all own games, others those of public ones. They follow the end
    of a game within a second.
    """
    require_shown(services, who, player_id)
    if "game" not in query:
        raise invalid("/game", "say of which game")
    if query["game"] not in services.offers:
        raise not_found("this game")
    seats = query.get("seats")
    tables = TABLES if seats is None else (seats,)
    is_self = who is not None and who.id == player_id
    found = services.store.profiles.read(player_id, query["game"], tables, is_self)
    shown = {
        "game": query["game"],
        "seats": seats,
        **_describe_tally(found.tally),
        "against": [
            {"player": name_of(one.player), **_describe_record(one.record)} for one in found.against
        ],
    }
    return answer_json(shown, headers={"Cache-Control": "no-store"})


def _describe_tally(tally: PlayerTally) -> dict[str, Any]:
    levels = sorted(tally.levels.items(), key=lambda item: (-item[1].games, item[0]))
    return {
        "games": tally.games,
        "ranks": list(tally.ranks),
        "finished": tally.whole,
        "scores": _describe_scores(tally),
        "points": _describe_points(tally),
        "habits": [
            {"habit": name, "values": _list_values(tally.habits[name])}
            for name in sorted(tally.habits)
        ],
        "levels": [{"bot": bot, **_describe_record(record)} for bot, record in levels],
        "median_turn_s": tally.median_turn_s,
    }


def _describe_scores(tally: PlayerTally) -> dict[str, Any] | None:
    if tally.best is None:
        return None
    return {"mean": round(tally.score / tally.whole, 1), "best": tally.best._asdict()}


def _describe_points(tally: PlayerTally) -> list[dict[str, Any]]:
    order = sorted(tally.points, key=lambda source: (-tally.points[source], source))
    return [{"source": source, "points": tally.points[source]} for source in order]


def _list_values(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    order = sorted(counts, key=lambda value: (-counts[value], value))
    return [{"value": value, "times": counts[value]} for value in order]


def _describe_record(record: Record) -> dict[str, int]:
    return {**record._asdict(), "lost": record.lost}


def describe_reliability(services: Services, player_id: str) -> dict[str, int | None]:
    """Return how a player ends games, as the answers show it."""
    return services.store.profiles.read_reliability(player_id)._asdict()
