"""Players who seek games of beans, and what their inboxes say."""

from __future__ import annotations

from typing import Any

import orjson

from cartulary.events.company.matchmaker import SeekOutcome
from cartulary.events.company.seeks import NewSeek, Seek
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.ratings.stored import write_standing
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.results import Bucket
from cartulary.ratings.scale import AVERAGE, MU, POINTS, Standing
from tests.support.fake_clock import FakeClock

LIVE = {"mode": "live", "delay": 30, "bank": 600}
DAYS = {"mode": "correspondence", "delay": 86_400, "bank": 86_400}


class Seekers:
    """A store with a clock that stands still, and the shortest words for what seekers do."""

    def __init__(self, store: Store, clock: FakeClock) -> None:
        self.store, self.clock = store, clock

    def register(self, *names: str) -> list[Player]:
        return [self.store.players.create(name)[0] for name in names]

    def claim(self, *players: Player) -> None:
        """Give players recovery codes, as far as a rated game asks."""
        for one in players:
            key = keys.player(one.id)
            self.store.registry.hset(key, "claimed_at", "2026-11-22T14:00:00.000Z")

    def rate(self, player: Player, rating: int, table: str = "2") -> None:
        """Let a player have a rating at tables of a size."""
        standing = Standing(MU + (rating - AVERAGE) / POINTS, 2.0, 20, rating)
        board = keys.ratings("standings", Bucket("people", "beans", table).text())
        self.store.registry.hset(board, player.id, write_standing(standing))

    def seek(self, player: Player, *sizes: int, **more: Any) -> SeekOutcome:
        """Seek a game, a moment after what was before."""
        self.clock.advance(1)
        wish = NewSeek("beans", more.pop("options", {}), sizes or (2,), **more)
        matchmaker = self.store.matchmaker
        return matchmaker.seek(player, matchmaker.check(player, wish))

    def match(self, player: Player, *sizes: int, **more: Any) -> Table:
        """Seek a game, and find it at once."""
        found = self.seek(player, *sizes, **more).table
        assert found is not None
        return found

    def wait(self, player: Player, *sizes: int, **more: Any) -> Seek:
        """Seek a game, and find none."""
        outcome = self.seek(player, *sizes, **more)
        assert outcome.table is None
        return outcome.sought.seek

    def pass_time(self, ms: int, *here: Player) -> None:
        """Let time pass a second at a time, while some players are at their inboxes."""
        for _ in range(ms // 1000):
            self.clock.advance(1000)
            self.attend(*here)
            self.store.matchmaker.step()

    def attend(self, *players: Player) -> None:
        for player in players:
            release = self.store.attendance.hold(player.id)
            self.store.attendance.flush()
            release()

    def list_open(self, player: Player) -> list[str]:
        return [seek.id for seek in self.store.seeks.list_of(player.id)]

    def now(self, table: Table) -> Table:
        return self.store.projector.table(table.id)

    def told(self, player: Player) -> list[dict[str, Any]]:
        """Return what the inbox of a player says of matches."""
        entries = self.store.inbox.read(player.id).entries
        items = [orjson.loads(entry.text) for entry in entries]
        return [item["data"] for item in items if item["type"] == "seek_matched"]


def names_of(table: Table) -> list[str]:
    """Return the names of the players at a table, sorted; bots by theirs."""
    return sorted((seat.player or {"name": seat.bot})["name"] for seat in table.seats)
