"""What lists say of tournaments, and which of them go on by themselves. A projection."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis
from redis.exceptions import RedisError

from cartulary.events.ledger.masks import Masks
from cartulary.events.lists.waiting import WaitingForArchive
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.types import Json
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script
from cartulary.events.tournaments.stream.describing import summarise
from cartulary.events.tournaments.stream.timing import find_due
from cartulary.tournaments.state import OPEN, Tournament

log = logging.getLogger(__name__)

PAGE: Final = 20
"""Tournaments of a page."""

LOOKED_AT: Final = 200
"""The most tournaments that are looked at for a page; the next page goes on after them."""

ALL: Final = "all"


class TournamentSlice(NamedTuple):
    """Summaries, the newest first, and the cursor of the next page, None at the end."""

    tournaments: list[Json]
    next_cursor: str | None


class TournamentLists:
    """The lists of tournaments. Thread-safe. All methods but `show_soon` raise `RedisError`."""

    def __init__(self, registry: Redis, masks: Masks) -> None:
        self._registry, self._masks = registry, masks
        script = read_script("tournaments.stream", "project.lua")
        self._project = registry.register_script(script)
        self.ended = WaitingForArchive(registry, keys.tournaments_ended())
        """Those that have ended and are in the store; other lists have archived ones as well."""

    def show(self, tournament_id: str, tournament: Tournament, is_settled: bool = False) -> None:
        """Bring the lists to a tournament; an older one changes nothing.

        `is_settled`: all that follows from its end is done.
        """
        self._project(
            keys=[
                keys.tournament_summary(tournament_id),
                keys.tournaments_due(),
                keys.tournaments_ended(),
            ],
            args=[
                tournament_id,
                tournament.version,
                orjson.dumps(summarise(tournament_id, tournament)),
                find_due(tournament),
                milliseconds(tournament.updated_at) if tournament.ended else "",
                "1" if is_settled else "",
                *[keys.tournaments(index) for index in _list_indexes(tournament)],
            ],
        )

    def show_soon(self, tournament_id: str, tournament: Tournament) -> None:
        """Show what was stored at once; where that fails the dispatcher shows it."""
        try:
            self.show(tournament_id, tournament)
        except RedisError as error:
            log.warning("after an append: %s", error)

    def list_due(self, now: int, limit: int) -> list[str]:
        """Return the tournaments that are to be looked at, the longest waiting first."""
        found: Any = self._registry.zrangebyscore(keys.tournaments_due(), "-inf", now, 0, limit)
        return [one.decode() for one in found]

    def look_again(self, tournament_id: str, at: int) -> None:
        """Let a tournament that waits be looked at again at a time (ms since the epoch)."""
        self._registry.zadd(keys.tournaments_due(), {tournament_id: at}, xx=True)

    def forget(self, tournament_id: str) -> None:
        """Drop a tournament that the store does not have any more."""
        stored: Any = self._registry.hget(keys.tournament_summary(tournament_id), "indexes")
        pipe = self._registry.pipeline(transaction=True)
        for index in orjson.loads(stored or b"[]"):
            pipe.zrem(index, tournament_id)
        pipe.zrem(keys.tournaments_due(), tournament_id)
        pipe.zrem(keys.tournaments_ended(), tournament_id)
        pipe.delete(keys.tournament_summary(tournament_id))
        pipe.execute()

    def count_hosted(self, player_id: str) -> int:
        """Return how many tournaments of a host have not ended."""
        found: Any = self._registry.zcard(keys.tournaments(f"hosted:{player_id}"))
        return int(found)

    def list_entered(self, player_id: str) -> list[str]:
        """Return the tournaments of a player that have not ended: as entrant, host or invited."""
        indexes = (f"entered:{player_id}", f"hosted:{player_id}", f"invited:{player_id}")
        pipe = self._registry.pipeline(transaction=False)
        for index in indexes:
            pipe.zrange(keys.tournaments(index), 0, -1)
        return sorted({one.decode() for found in pipe.execute() for one in found})

    def read_page(
        self,
        caller: str | None,
        status: str | None = None,
        game: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = PAGE,
    ) -> TournamentSlice:
        """Return the tournaments that a caller may see in lists, filtered, the newest first.

        Public ones, and those of the caller. `cursor` is the id after which the page begins.
        """
        index = f"player:{player}" if player is not None else f"status:{status or ALL}"
        begin = "+" if cursor is None else f"({cursor}"
        found: Any = self._registry.zrevrangebylex(
            keys.tournaments(index), begin, "-", 0, LOOKED_AT + 1
        )
        ids = [one.decode() for one in found]
        page: list[Json] = []
        for number, one in enumerate(self._read(ids[:LOOKED_AT])):
            wanted = one is not None and _is_wanted(one, caller, status, game)
            if wanted:
                page.append(self.mask(one))
            if len(page) == limit and number + 1 < len(ids):
                return TournamentSlice(page, ids[number])
        return TournamentSlice(page, ids[LOOKED_AT - 1] if len(ids) > LOOKED_AT else None)

    def read_many(self, tournament_ids: Sequence[str]) -> list[Json | None]:
        """Return the summaries of some tournaments, in one round trip; None for a missing one."""
        return [None if one is None else self.mask(one) for one in self._read(tournament_ids)]

    def _read(self, tournament_ids: Sequence[str]) -> list[Any]:
        pipe = self._registry.pipeline(transaction=False)
        for tournament_id in tournament_ids:
            pipe.hget(keys.tournament_summary(tournament_id), "json")
        self._masks.look()
        return [None if one is None else orjson.loads(one) for one in pipe.execute()]

    def mask(self, summary: Json) -> Json:
        """Return a summary as it is shown: without what is for no list, deleted names masked."""
        shown = {name: value for name, value in summary.items() if name != "people"}
        return {**shown, "host": self._masks.mask_player(summary["host"])}


def _list_indexes(tournament: Tournament) -> list[str]:
    """Return the indexes that a tournament stands in."""
    host = str(tournament.host["id"])
    players = {str(one.player["id"]) for one in tournament.ranked}
    indexes = [f"status:{ALL}", f"status:{tournament.status}"]
    indexes += [f"player:{one}" for one in sorted({host, *players})]
    if not tournament.ended:
        indexes.append(f"hosted:{host}")
        indexes += [f"entered:{one.player['id']}" for one in tournament.playing]
    if tournament.status == OPEN:
        indexes += [f"invited:{one}" for one in tournament.terms.invited or ()]
    return indexes


def _is_wanted(
    summary: Mapping[str, Any], caller: str | None, status: str | None, game: str | None
) -> bool:
    seen = summary["visibility"] == "public" or (caller is not None and caller in summary["people"])
    return seen and status in (None, summary["status"]) and game in (None, summary["game"])
