"""Whole tournaments on a real store, while the process that moves them on dies again and again.

`--entrants` players of Carcassonne at live tables (`--form`: `swiss`, `round_robin`, `arena`,
`duplicate`) play random moves; a tenth is not there when a table starts, a twentieth leaves in the
middle. Time is that of a clock which the bench sets. `--faults` times the dispatcher dies before a
command to the store (`kills`), loses its connection (`resets`), or its clock jumps (`jumps`). It
raises unless every round closes, no entrant sits at two tables of a round, and each table has one
game and one result.

`--served` plays on a real `cartulary serve` instead (`bench/faults/tournaments/`): bots over HTTP,
`--form all` one tournament of each form after the other, until `--faults` faults of the kinds of
the soak have come, at most `--pause` seconds apart. Half-way a backup is restored into another
directory, where the tournament goes on. Then `problems` has what does not hold.

`step_ms` is one look of the dispatcher; `pair_ms` the pairing of a round alone, `standings_ms` what
`GET …/standings` computes. `ratio` is 1000 ms ÷ the longest pairing.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import redis as redis_client
from redis import Redis

from bench.faults.tournaments.forms import ABSENT, FORMS, LEAVING, ROUNDS, write_terms
from bench.faults.tournaments.judging import judge_stream
from bench.faults.tournaments.run import PAUSE_S, TournamentRun, describe_run
from cartulary.bots.thought import Budget
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.model.errors import Refused
from cartulary.events.model.status import Status
from cartulary.events.model.thinking import Thinker
from cartulary.events.people.players import Player
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.tournaments.pairing import pair_next
from cartulary.tournaments.standings import describe_standings, rank_entrants
from cartulary.tournaments.state import SCORED, Tournament

READY_MS: Final = 121_000

_RANDOM: Final = OFFERS["carcassonne"].bots["random"]
STAND_INS: Final = [Thinker("random", lambda state, rng: _RANDOM.think(state, rng, Budget(1)))]
"""Who plays on for one who was not there."""


class Killed(BaseException):
    """The dispatcher ends here, as after `kill -9`."""


class SetClock:
    """A clock that the bench sets."""

    def __init__(self) -> None:
        self.now = time.time_ns() // 1_000_000

    def now_ms(self) -> int:
        """Return the time in ms since the epoch."""
        return self.now


class Faults:
    """What happens to a dispatcher: it dies, or loses its connection, before some command."""

    def __init__(self, connection: Any, rng: random.Random, clock: SetClock, most: int) -> None:
        self._rng, self._clock, self._most = rng, clock, most
        self.counts: Counter[str] = Counter()
        self._left, self._kind = 0, ""
        self._connection, self._send = connection, connection.send_packed_command
        send: Callable[..., Any] = self._send

        def send_or_fail(one: Any, *words: Any, **more: Any) -> Any:
            self._left -= 1
            if self._left == 0:
                self.counts[self._kind] += 1
                if self._kind == "kills":
                    raise Killed
                raise redis_client.ConnectionError("reset by the bench")
            return send(one, *words, **more)

        connection.send_packed_command = send_or_fail

    def arm(self) -> None:
        """Let something happen within the next commands, as long as faults are left."""
        if self.counts.total() >= self._most:
            return
        self._kind = self._rng.choice(["kills", "kills", "resets", "jumps"])
        if self._kind == "jumps":
            self.counts["jumps"] += 1
            self._clock.now += self._rng.choice([-45_000, 30_000])
            return
        self._left = self._rng.randrange(1, 13)

    def end(self) -> None:
        """Let connections be as they were."""
        self._connection.send_packed_command = self._send

    def disarm(self) -> None:
        """Let nothing happen any more."""
        self._left = 0


class Evening:
    """A tournament, its players, and the dispatcher that dies."""

    def __init__(
        self, open_redis: Callable[[], Redis], entrants: int, form: str, faults: int, seed: int
    ) -> None:
        self.rng, self.clock, self._open_redis = random.Random(seed), SetClock(), open_redis
        self.store = self._open()
        kind = type(self.store.redis.connection_pool.make_connection())
        self.faults = Faults(kind, self.rng, self.clock, faults)
        self.steps: list[float] = []
        self.pairings: list[float] = []
        self.host = self.store.players.create("Host")[0]
        self.players = [self.store.players.create(f"Player {n}")[0] for n in range(entrants)]
        self.id, _ = self.store.tournaments.commands.create(Intent(self.host), write_terms(form))
        for player in self.players:
            self.store.tournaments.commands.enter(Intent(player), self.id, None)
        self.store.tournaments.commands.start(Intent(self.host), self.id)

    def _open(self) -> Store:
        return Store(self._open_redis(), OFFERS, clock=self.clock)

    @property
    def now(self) -> Tournament:
        """The tournament as it is stored."""
        return self.store.tournaments.streams.read(self.id).tournament

    def play(self, rounds: int | None = None) -> Tournament:
        """Play it to its end, or until so many rounds are closed and the next one is paired."""
        while (tournament := self.now).status == "running":
            self._look()
            if rounds is not None and len(self.now.rounds) > rounds:
                return self.now
            tournament = self.now
            for table in list(tournament.playing_tables()):
                self._sit_down(table.game)
            self.clock.now += READY_MS
            for table in list(self.now.playing_tables()):
                self._play_table(table.game)
                self._look()
            self._let_some_leave(tournament)
            if tournament.terms.arena:
                self.clock.now += 600_000
        return tournament

    def _look(self) -> None:
        """Let a dispatcher look until it has looked once without dying."""
        self._measure_pairing()
        while True:
            self.faults.arm()
            began = time.perf_counter()
            try:
                self.store.tournaments.driver.step(self.id)
            except (Killed, redis_client.RedisError):
                self.faults.disarm()
                self.store = self._open()
                continue
            self.faults.disarm()
            self.steps.append(1000 * (time.perf_counter() - began))
            if all(self.store.ledger.stored_version(one.game) for one in self._playing()):
                return

    def _playing(self) -> list[Any]:
        return list(self.now.playing_tables())

    def _measure_pairing(self) -> None:
        tournament = self.now
        if any(True for _ in tournament.playing_tables()):
            return
        secrets = TournamentSecrets(self.store.vault, self.store.draws)
        secret = secrets.find(self.id, tournament.pairing)
        if secret is not None:
            began = time.perf_counter()
            pair_next(tournament, secret.pairing)
            self.pairings.append(1000 * (time.perf_counter() - began))

    def _sit_down(self, game_id: str) -> None:
        """Let all at a table but a tenth be ready."""
        table = self.store.projector.table(game_id)
        if table.status is not Status.OPEN:
            return
        for number, seat in enumerate(table.seats):
            assert seat.player is not None
            who = Intent(Player(seat.player["id"], seat.player["name"]))
            if self.rng.random() >= ABSENT and self.store.projector.table(game_id).status is (
                Status.OPEN
            ):
                self.store.commands.time.ready(who, game_id, number, True)

    def _play_table(self, game_id: str) -> None:
        """Start a table whose time has come; make random moves to the end, and count it."""
        table = self.store.round_commands.start(game_id).table
        while (state := table.state) is not None and table.running:
            if table.bot_to_move is not None:
                table = self.store.commands.bots.move(game_id, table.position, STAND_INS).table
                continue
            owner = table.seats[state.seat].player
            assert owner is not None
            move = self.rng.choice(state.legal_moves())
            who = Intent(Player(owner["id"], owner["name"]))
            table = self.store.commands.move(who, game_id, move).table
        if table.status is Status.SCORING:
            self.store.commands.score(game_id)

    def _let_some_leave(self, tournament: Tournament) -> None:
        for entrant in tournament.playing:
            if self.rng.random() < LEAVING / ROUNDS:
                who = Player(entrant.player["id"], entrant.player["name"])
                try:
                    self.store.tournaments.commands.withdraw(Intent(who), self.id)
                except Refused:
                    continue  # the last round was closed in the meantime


def check(evening: Evening, tournament: Tournament) -> int:
    """Raise `RuntimeError` for what must not happen; return how many tables have results."""
    for fault in judge_stream(evening.store.tournaments.streams.deliver(evening.id)):
        raise RuntimeError(fault)
    games = {table.game for table in tournament.tables.values()}
    if set(evening.store.ledger.game_ids()) != games:
        raise RuntimeError("a table has two games")
    return sum(table.status == SCORED for table in tournament.tables.values())


def main(
    seconds: float = 0.0,
    entrants: int = 25,
    form: str = "swiss",
    faults: int = 60,
    seed: int = 1,
    served: bool = False,
    minutes: float = 60.0,
    pause: float = PAUSE_S,
    directory: str = "",
) -> dict[str, Any]:
    """Play one tournament to its end, with `--served` on a service as real processes."""
    del seconds  # the entrants say how long it takes
    if served:
        return _main_served(entrants, form, faults, seed, minutes, pause, directory)
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(Path(folder)) as valkey:
        began, cpu = time.perf_counter(), time.process_time()
        assert valkey.url is not None
        evening = Evening(partial(connect, valkey.url), entrants, form, faults, seed)
        tournament = evening.play()
        evening.faults.end()
        results = check(evening, tournament)
        began, cpu = time.perf_counter() - began, time.process_time() - cpu
        standings = time.perf_counter()
        describe_standings(tournament, rank_entrants(tournament))
        return {
            "status": tournament.status,
            "rounds": len(tournament.rounds),
            "tables": len(tournament.tables),
            "results": results,
            "withdrew": len(tournament.entrants) - len(tournament.playing),
            "faults": dict(evening.faults.counts),
            "seconds": began,
            "cpu_s": cpu,
            "step_ms": _describe(evening.steps),
            "pair_ms": _describe(evening.pairings),
            "standings_ms": 1000 * (time.perf_counter() - standings),
            "ratio": 1000 / max(evening.pairings),
        }


def _main_served(
    entrants: int,
    form: str,
    faults: int,
    seed: int,
    minutes: float,
    pause: float,
    directory: str,
) -> dict[str, Any]:
    forms = list(FORMS) if form == "all" else [form]
    say = partial(click.echo, err=True)
    run = TournamentRun(entrants, forms, faults, seed, minutes, pause, say=say)
    outcome = run.main(Path(directory) if directory else None)
    return describe_run(run, outcome)


def _describe(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"median": ordered[len(ordered) // 2], "most": ordered[-1]}
