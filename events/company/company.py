"""The company of a player: those whom the player follows, and what they do now.

A player who hides, and one who blocks or is blocked, looks like one who is away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from redis import Redis

from cartulary.events.company.follows import Follows
from cartulary.events.lists.indexes import ANY
from cartulary.events.lists.presence import Presence
from cartulary.events.lists.projections import Projections
from cartulary.events.model.status import Status
from cartulary.events.model.types import Json
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.server import keys

SHOWN: Final = 5
"""The most games that a player plays, and the most open tables of the player, that are shown."""

LOOKED_AT: Final = 20
"""The most games of a player in a status that are looked at: not all of them may be seen."""

_STATUSES: Final = (Status.RUNNING, Status.OPEN)


class Companion(NamedTuple):
    """A followed player; the games are summaries (`Table.summary`), the newest first."""

    id: str
    name: str
    since: str
    is_online: bool
    playing: list[Json]
    hosting: list[Json]


class Companions:
    """Reads the company of players. Thread-safe. Raises `RedisError`."""

    def __init__(
        self,
        redis: Redis,
        follows: Follows,
        blocks: Blocks,
        preferences: Preferences,
        players: PlayerRegistry,
        presence: Presence,
        projections: Projections,
    ) -> None:
        self._redis, self._follows, self._blocks = redis, follows, blocks
        self._preferences, self._players = preferences, players
        self._presence, self._projections = presence, projections

    def find_shown(self, player_id: str | None, others: Sequence[str]) -> list[str]:
        """Return those of some players whose doings a caller (None: without a token) may see."""
        hidden = self._preferences.find_hidden(others)
        apart = set() if player_id is None else self._blocks.find_apart(player_id, others)
        return [one for one in others if one not in hidden and one not in apart]

    def is_online(self, player_id: str | None, other_id: str) -> bool:
        """Return whether another player is here, as far as a caller may know that."""
        shown = self.find_shown(player_id, [other_id])
        return bool(self._presence.find_online(shown))

    def list_hosted(self, other_id: str, player_id: str | None) -> list[Json]:
        """Return the open tables of another player, as far as a caller may see them.

        Summaries (`Table.summary`), the newest first. The player sees all own tables.
        """
        shown = [other_id] if other_id == player_id else self.find_shown(player_id, [other_id])
        games = self._read_games(shown).get(other_id, ())
        return _choose_games(games, other_id, player_id or "")[1]

    def list_of(self, player_id: str) -> list[Companion]:
        """Return those whom a player follows, the longest followed first."""
        ties = self._follows.list_of(player_id)
        names = self._players.name_all([tie.player_id for tie in ties])
        shown = self.find_shown(player_id, [tie.player_id for tie in ties])
        online = self._presence.find_online(shown)
        games = self._read_games(shown)
        return [
            Companion(
                tie.player_id,
                name,
                tie.since,
                tie.player_id in online,
                *_choose_games(games.get(tie.player_id, ()), tie.player_id, player_id),
            )
            for tie, name in zip(ties, names, strict=True)
        ]

    def _read_games(self, player_ids: Sequence[str]) -> Mapping[str, Sequence[Json]]:
        """Return the last running and open games that concern some players, in two round trips."""
        pipe = self._redis.pipeline(transaction=False)
        wanted = [(one, status) for one in player_ids for status in _STATUSES]
        for one, status in wanted:
            index = keys.index(f"player:{one}", status, ANY)
            pipe.zrevrange(index, 0, LOOKED_AT - 1)
        ids: dict[str, list[str]] = {one: [] for one in player_ids}
        for (one, _), found in zip(wanted, pipe.execute(), strict=True):
            ids[one] += [game_id.decode() for game_id in found]
        games = self._projections.summaries(sorted(set(chain.from_iterable(ids.values()))))
        by_id = {game["id"]: game for game in games}
        return {one: [by_id[game] for game in found if game in by_id] for one, found in ids.items()}


def _choose_games(
    games: Sequence[Json], other_id: str, player_id: str
) -> tuple[list[Json], list[Json]]:
    """Return the games that another player plays, and the open tables that the other hosts."""
    seen = [game for game in games if _is_shown(game, player_id)]
    playing = [game for game in seen if game["status"] == "running" and _plays(game, other_id)]
    hosting = [game for game in seen if game["host"] == other_id and _has_open_seat(game)]
    return playing[:SHOWN], hosting[:SHOWN]


def _is_shown(game: Json, player_id: str) -> bool:
    """Return whether a game is in the lobby or concerns the caller: a link is for those invited."""
    if game["visibility"] == "public" or game["host"] == player_id:
        return True
    people = [seat["player"] for seat in game["seats"]]
    people += [seat["offer"]["player"] for seat in game["seats"] if "offer" in seat]
    return any(one is not None and one["id"] == player_id for one in people)


def _plays(game: Json, player_id: str) -> bool:
    return any(
        seat["player"] is not None
        and seat["player"]["id"] == player_id
        and seat["state"] not in ("vacant", "forfeited")
        for seat in game["seats"]
    )


def _has_open_seat(game: Json) -> bool:
    return game["status"] == "open" and any(seat["state"] == "open" for seat in game["seats"])
