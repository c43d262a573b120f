"""Tournaments of beans for tests: players, a clock, and the looks of a dispatcher."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import fakeredis
import orjson
import pytest
from redis import Redis

from cartulary.events.archive.reading import choose_reader
from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import format_time
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.tournaments.state import Tournament, TournamentRound, TournamentTable
from tests.support.fake_clock import FakeClock
from tests.support.games import ALL_OFFERS

DAILY: Final = {"mode": "correspondence", "delay": 86_400, "bank": 259_200, "refill": 21_600}
LIVE: Final = {"mode": "live", "delay": 30, "bank": 600}
HOUR: Final = 3_600_000


class Cup:
    """A tournament in a store of its own."""

    def __init__(self, redis: Redis | None = None, archive_url: str = "") -> None:
        """Make a store without a server and without an archive, where none is given."""
        self.clock, self.server = FakeClock(), fakeredis.FakeServer()
        self._redis, self._archive_url = redis, archive_url
        self.store = self.open()
        self.host = self.store.players.create("Host")[0]
        self.players: list[Player] = []
        self.id = ""

    def open(self) -> Store:
        """Open the store as a process that has just started does."""
        redis = self._redis or fakeredis.FakeRedis(server=self.server)
        reader = choose_reader(self._archive_url)
        self.store = Store(redis, ALL_OFFERS, clock=self.clock, archive=reader)
        self.store.claim()
        return self.store

    # -- what hosts and entrants do ---------------------------------------------------------------

    def announce(self, **more: Any) -> Tournament:
        """Announce a tournament: Swiss at tables of two, over days, started by its host."""
        terms: dict[str, Any] = {
            "name": "Thursday",
            "game": "beans",
            "table": [2],
            "format": "swiss",
            "pace": DAILY,
            "start": {"by_host": True},
            **more,
        }
        terms = {name: value for name, value in terms.items() if value is not None}
        self.id, done = self.store.tournaments.commands.create(Intent(self.host), terms)
        return done.tournament

    def enter(self, *names: str) -> list[Player]:
        """Register players, and let them enter."""
        entered = [self.store.players.create(name)[0] for name in names]
        self.players += entered
        for one in entered:
            self.store.tournaments.commands.enter(Intent(one), self.id, None)
        return entered

    def begin(self, *names: str, **terms: Any) -> Tournament:
        """Announce a tournament, let players enter, start it, and make the games of its round."""
        self.announce(**terms)
        self.enter(*names)
        self.store.tournaments.commands.start(Intent(self.host), self.id)
        return self.look()

    # -- what dispatchers do ----------------------------------------------------------------------

    def look(self) -> Tournament:
        """Let a dispatcher look at the tournament; return it as it is then."""
        self.store.tournaments.driver.step(self.id)
        return self.now

    @property
    def now(self) -> Tournament:
        """The tournament as it is stored."""
        return self.store.tournaments.streams.read(self.id).tournament

    @property
    def types(self) -> list[str]:
        """The types of all events."""
        return [event["type"] for event in self.events]

    @property
    def events(self) -> list[Json]:
        """All events."""
        return self.store.tournaments.streams.events(self.id)

    @property
    def round(self) -> TournamentRound:
        """The last round."""
        return self.now.rounds[-1]

    def tables(self) -> list[TournamentTable]:
        """The tables of the last round."""
        return [self.now.tables[number] for number in self.round.tables]

    # -- games ------------------------------------------------------------------------------------

    def game(self, place: TournamentTable) -> Table:
        """The game of a table."""
        return self.store.projector.table(place.game)

    def play(self, *places: TournamentTable) -> list[Table]:
        """Play the games of some tables to the end, by default those of the last round."""
        return [self._play(one.game) for one in places or self.tables()]

    def _play(self, game_id: str) -> Table:
        table = self.store.projector.table(game_id)
        while table.running:
            assert table.state is not None
            owner = table.seats[table.state.seat].player
            assert owner is not None
            who = Intent(Player(owner["id"], owner["name"]))
            table = self.store.commands.move(who, game_id, table.state.legal_moves()[-1]).table
        if table.status is Status.SCORING:
            table = self.store.commands.score(game_id).table
        return table

    def score(self, game_id: str) -> None:
        """Let a worker count a game whose play is over."""
        if self.store.projector.table(game_id).status is Status.SCORING:
            self.store.commands.score(game_id)

    def make_all_ready(self, place: TournamentTable) -> None:
        """Let all at a live table be ready."""
        self.make_ready(place, self.host)

    def make_ready(self, place: TournamentTable, but: Player) -> None:
        """Let all at a live table be ready but one player."""
        for number, seat in enumerate(self.game(place).seats):
            owner = seat.player
            if owner is not None and owner["id"] != but.id:
                who = Intent(Player(owner["id"], owner["name"]))
                self.store.commands.time.ready(who, place.game, number, True)

    def time(self, ahead: int) -> str:
        """A time so many ms ahead, as requests name it."""
        return format_time(self.clock.now_ms() + ahead)

    def play_all(self, limit: int = 20) -> Tournament:
        """Play all rounds to the end of the tournament."""
        for _ in range(limit):
            if self.now.status != "running":
                break
            self.play(*[one for one in self.tables() if one.status == "playing"])
            self.look()
        return self.now

    def told(self, player: Player) -> list[tuple[str, Json]]:
        """What the inbox of a player says of tournaments."""
        entries = self.store.inbox.read(player.id).entries
        items: Sequence[Json] = [orjson.loads(entry.text) for entry in entries]
        return [(one["type"], one["data"]) for one in items if "tournament" in one["data"]]


class Killed(BaseException):
    """The process of a test ends here, as after `kill -9`."""


class DyingServer:
    """A server that ends the process of its client before command number `life` (0: never)."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.life = self.sent = 0
        kind: Any = type(fakeredis.FakeRedis().connection_pool.make_connection())
        send = kind.send_command

        def send_or_die(connection: Any, *words: Any, **more: Any) -> Any:
            self.sent += 1
            if self.sent == self.life:
                raise Killed
            return send(connection, *words, **more)

        monkeypatch.setattr(kind, "send_command", send_or_die)

    def live_for(self, commands: int) -> None:
        """Let the next process live for so many commands."""
        self.sent, self.life = 0, commands
