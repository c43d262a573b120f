"""Turns: the games in which it is a player's turn, and what else waits for the player."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
from redis import Redis

from cartulary.events.ledger.masks import NAME, Masks
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.lobby_pages import BadCursor, Page, is_rated
from cartulary.events.lists.projections import Projections
from cartulary.events.model.clock import format_time
from cartulary.events.model.offers import Rules
from cartulary.events.model.types import Json
from cartulary.events.server import keys

MOST = 500
"""Games that are looked at for one list; a player has seats in fewer running games."""


class PlayerTurn(NamedTuple):
    """A game in which it is the turn of a player; `score` orders turns (`keys.turns`)."""

    score: int
    game: str

    @property
    def deadline_at(self) -> str | None:
        """When the time of the player is over, None in an untimed game."""
        return None if self.score >= keys.UNTIMED else format_time(self.score)


class Snapshot(NamedTuple):
    """What waits for a player: turns by deadline, unread items of the inbox, open invitations."""

    turns: list[Json]
    unread: int
    invitations: list[Json]


class Turns:
    """Reads the turns of players. Thread-safe. Every method raises `RedisError`."""

    def __init__(
        self, redis: Redis, projections: Projections, inbox: Inbox, rules: Rules, masks: Masks
    ) -> None:
        self._redis, self._projections, self._masks = redis, projections, masks
        self._inbox, self._rules = inbox, rules

    def list(self, player_id: str) -> list[PlayerTurn]:
        """Return the turns of a player, the earliest deadline first, untimed games last.

        Among untimed games the one that waits longest comes first.
        """
        found: Any = self._redis.zrange(keys.turns(player_id), 0, MOST - 1, withscores=True)
        return [PlayerTurn(int(score), game.decode()) for game, score in found]

    def page(
        self,
        player_id: str,
        wanted: Mapping[str, str | None],
        limit: int = 20,
        cursor: str | None = None,
        by_deadline: bool = False,
    ) -> Page:
        """Return the games in which it is the turn of a player.

        `wanted` may name a `game`, a `pace` (`live`, `correspondence`, `none`) and `rated`. The
        newest game comes first, or with `by_deadline` the earliest deadline. Raises `BadCursor`.
        """
        turns = self.list(player_id)
        if not by_deadline:
            turns = [PlayerTurn(0, turn.game) for turn in turns]
            turns.sort(key=lambda turn: turn.game, reverse=True)
        if cursor is not None:
            last = _read_cursor(cursor, by_deadline)
            turns = [turn for turn in turns if _is_after(turn, last, by_deadline)]
        games = self._projections.summaries([turn.game for turn in turns])
        scores = {turn.game: turn for turn in turns}
        chosen = [game for game in games if _fits(game, wanted)]
        page = chosen[:limit]
        more = len(chosen) > limit
        return Page(page, _write_cursor(scores[page[-1]["id"]]) if more else None)

    def take_snapshot(self, player_id: str) -> Snapshot:
        """Return what waits for a player now."""
        turns = {turn.game: turn for turn in self.list(player_id)}
        invited: Any = self._redis.zrevrangebylex(keys.invited(player_id), "+", "-", 0, MOST)
        games = self._projections.summaries([*turns, *(one.decode() for one in invited)])
        mine = [game for game in games if game["id"] in turns]
        return Snapshot(
            [self._describe_turn(game, player_id, turns[game["id"]]) for game in mine],
            self._inbox.count_unread(player_id),
            [
                found
                for game in games
                if (found := self._describe_invitation(game, player_id)) is not None
            ],
        )

    def mask_item(self, player_id: str, text: bytes) -> bytes:
        """Return an item of an inbox as it is shown: it names no deleted player."""
        if not self._masks.deleted:
            return text
        item = orjson.loads(text)
        data = item["data"]
        if (named := data.get("player")) is not None and named["id"] in self._masks.deleted:
            named["name"] = NAME
        if data.get("game") in self._masks.games:
            for game in self._projections.summaries([data["game"]]):
                data["title"] = self._describe(game, player_id, None)["title"]
        return orjson.dumps(item)

    def _describe_turn(self, game: Json, player_id: str, turn: PlayerTurn) -> Json:
        seat = None if game["decision"] is None else game["decision"]["seat"]
        data = self._describe(game, player_id, seat)
        return {**data, "deadline_at": turn.deadline_at}

    def _describe_invitation(self, game: Json, player_id: str) -> Json | None:
        for seat in game["seats"]:
            offer = seat.get("offer")
            if offer is not None and offer["player"]["id"] == player_id:
                data = self._describe(game, player_id, seat["seat"])
                return {**data, "expires_at": offer["expires_at"]}
        return None

    def _describe(self, game: Json, player_id: str, seat: int | None) -> Json:
        others = [
            seat["player"]["name"]
            for seat in game["seats"]
            if seat["player"] is not None and seat["player"]["id"] != player_id
        ]
        rules = self._rules.get(game["game"])
        title = game["game"] if rules is None else rules.title
        return {
            "game": game["id"],
            "version": game["version"],
            "seat": seat,
            "title": f"{title}: {', '.join(others)}" if others else title,
            "deadline_at": None,
            "url": f"/games/{game['id']}",
        }


def _fits(game: Json, wanted: Mapping[str, str | None]) -> bool:
    pace = "none" if game["pace"] is None else game["pace"]["mode"]
    return (
        wanted.get("game") in (None, game["game"])
        and wanted.get("pace") in (None, pace)
        and is_rated(game, wanted.get("rated"))
    )


def _is_after(turn: PlayerTurn, last: PlayerTurn, by_deadline: bool) -> bool:
    return turn > last if by_deadline else turn.game < last.game


def _write_cursor(turn: PlayerTurn) -> str:
    return urlsafe_b64encode(f"{turn.score}.{turn.game}".encode()).decode().rstrip("=")


def _read_cursor(cursor: str, by_deadline: bool) -> PlayerTurn:
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        score, game = text.split(".")
        turn = PlayerTurn(int(score), game)
    except ValueError as error:
        raise BadCursor("this is no cursor") from error
    if not game.isalnum() or _write_cursor(turn) != cursor or bool(turn.score) != by_deadline:
        raise BadCursor("this is no cursor")
    return turn
