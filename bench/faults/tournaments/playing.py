"""The bots of a run: they enter one tournament after the other, and play each to its end."""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from typing import Any, Final, NamedTuple

from bench.faults.clients import ReconnectingClient, Stuck
from bench.faults.journal import Journal, Json
from bench.faults.playing import guard
from bench.faults.tournaments.forms import ROUNDS, write_terms
from bench.faults.tournaments.tables import AWAY_S, RETRY_S, RoundTable, SeatedEntrant

LOOK_S: Final = 0.5
"""Seconds between two looks at a tournament."""

STUCK_S: Final = 900.0
"""Seconds without an event after which a tournament is stuck."""

ARENA_MINUTES: Final = 10

ENDED: Final = ("over", "cancelled")


class SeenResult(NamedTuple):
    """A result that the service has shown, and when (`time.monotonic`)."""

    game: str
    ranks: list[int]
    at: float


class PlayedTournament:
    """A tournament of bots on a service.

    `seen` has the results that were shown, by their tables; `left` the players who have left.
    """

    def __init__(
        self,
        port: int,
        journal: Journal,
        bots: dict[str, str],
        seed: str,
    ) -> None:
        """`bots` are the tokens of the entrants by their ids."""
        self._port, self._journal, self._bots, self._seed = port, journal, bots, seed
        self._caller = ReconnectingClient(port, journal, RETRY_S, AWAY_S)
        self.id, self._path = "", ""
        self.seen: dict[int, SeenResult] = {}
        self.left: list[str] = []
        self.now: Json = {"status": "open", "version": 0}
        self._tables: list[Json] = []
        self._entrants: dict[int, str] = {}
        self._players: dict[str, threading.Thread] = {}
        self._done: dict[str, float] = {}

    def open(self, host: str, terms: Json) -> None:
        """Announce it, let all enter, and start it."""
        made = self._caller.insist("POST", "/tournaments", terms, host, f"{self._seed} announced")
        self.id = made.body["id"]
        self._path = f"/tournaments/{self.id}"
        for player, token in self._bots.items():
            self._write(f"{self._path}/entry", token, f"{self._seed} {player}")
        self._write(f"{self._path}/start", host, f"{self._seed} started")
        entrants = self._caller.insist("GET", f"{self._path}/entrants").body["entrants"]
        self._entrants = {one["entrant"]: one["player"]["id"] for one in entrants}

    def _write(self, path: str, token: str, key: str) -> None:
        answer = self._caller.insist("POST", path, {}, token, key)
        if answer.status not in (200, 201):
            self._journal.note_trouble(f"POST {path}: {answer.status} {answer.body}")

    @property
    def is_in_the_middle(self) -> bool:
        """Whether some tables have results, and others are played."""
        states = {one["status"] for one in self._tables}
        return self.now["status"] == "running" and {"playing", "scored"} <= states

    def play(self) -> None:
        """Play until it has ended; raises `Stuck`."""
        progressed, version = time.monotonic(), -1
        while self.now["status"] not in ENDED:
            self._look()
            if self.now["version"] != version:
                progressed, version = time.monotonic(), self.now["version"]
            elif time.monotonic() - progressed > STUCK_S:
                raise Stuck(f"tournament {self.id} stays at version {version}")
            time.sleep(LOOK_S)
        for thread in self._players.values():
            thread.join()
        self._caller.close()

    def _look(self) -> None:
        """See where it is; sit down at tables that wait for their players."""
        sent = time.monotonic()
        self.now = self._caller.insist("GET", self._path).body
        self._tables = self._caller.insist("GET", f"{self._path}/games").body["games"]
        self._journal.note_round(self.id, sent)
        for table in self._tables:
            if table["status"] == "scored":
                result = SeenResult(table["game"], table["ranks"], time.monotonic())
                self.seen[table["table"]] = result
            elif table["status"] == "playing" and self._is_free(table["game"]):
                self._sit_down(table)

    def _is_free(self, game: str) -> bool:
        """Return whether the seats of a game wait for their players."""
        thread, done = self._players.get(game), self._done.get(game)
        if thread is not None and thread.is_alive():
            return False
        return done is None or self._journal.fell_back_since(done)

    def _sit_down(self, table: Json) -> None:
        """Play a game in a thread of its own, once it is made."""
        game = table["game"]
        players = [self._entrants[number] for number in table["seats"]]
        seated = [SeatedEntrant(one, self._bots[one]) for one in players]
        if self._caller.insist("GET", f"/games/{game}", None, seated[0].token).status != 200:
            return
        thread = threading.Thread(target=self._play_table, args=(game, seated), daemon=True)
        self._players[game] = thread
        thread.start()

    def _play_table(self, game: str, seated: list[SeatedEntrant]) -> None:
        caller = ReconnectingClient(self._port, self._journal, RETRY_S, AWAY_S)
        # The same entrants come again where a restored game begins a second time.
        rng = random.Random(f"{self._seed} {game}")
        table = RoundTable(caller, self._journal, game, f"{self._path}/entry", seated, rng)
        # Their requests are new: the store may have kept a key of the first time.
        rng.seed(f"{self._seed} {game} {len(self._journal.fallbacks)}")
        guard(self._journal, table.open)
        guard(self._journal, table.play)
        self.left += table.left
        self._done[game] = time.monotonic()
        caller.close()


class TournamentPlayers:
    """A host and bots who play one tournament after the other until `stop`."""

    def __init__(
        self,
        port: int,
        journal: Journal,
        entrants: int,
        forms: list[str],
        seed: int,
        rounds: int = ROUNDS,
    ) -> None:
        self._port, self._journal, self._number = port, journal, entrants
        self._forms, self._seed, self._rounds = forms, seed, rounds
        self._bots: dict[str, str] = {}
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self.tournaments: list[PlayedTournament] = []

    def start(self) -> None:
        """Register all, and let them play."""
        caller = ReconnectingClient(self._port, self._journal)
        self._host = self._register(caller, "Host")
        for number in range(self._number):
            # An owner and the owner's bots are one entrant of a duplicate.
            owner = self._register(caller, f"Owner {number}")
            made = caller.insist("POST", "/players/me/bots", {"name": f"Bot {number}"}, owner).body
            self._bots[made["id"]] = made["token"]
        caller.close()
        self._thread.start()

    def _register(self, caller: ReconnectingClient, name: str) -> str:
        made: Any = caller.insist("POST", "/players", {"name": name}).body["token"]
        return str(made)

    @property
    def current(self) -> PlayedTournament | None:
        """The tournament that is played."""
        return self.tournaments[-1] if self.tournaments else None

    def stop(self, within: float) -> int:
        """Let the tournament end; return 1 where it has not ended after `within` seconds."""
        self._stopping.set()
        self._thread.join(within)
        return int(self._thread.is_alive())

    def _play(self) -> None:
        while not self._stopping.is_set():
            self._play_next(len(self.tournaments))

    def _play_next(self, number: int) -> None:
        seed = f"tournament {number} of {self._seed}"
        played = PlayedTournament(self._port, self._journal, self._bots, seed)
        form = self._forms[number % len(self._forms)]
        more = {"minutes": ARENA_MINUTES} if form == "arena" else {"rounds": self._rounds}
        terms = write_terms(form, entrants={"max": self._number}, **more)
        guard(self._journal, partial(played.open, self._host, terms))
        self.tournaments.append(played)
        guard(self._journal, played.play)
