"""A run: tournaments are played over faults, and go on from a backup in another directory."""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from bench.faults.clients import ReconnectingClient
from bench.faults.journal import Journal, Json
from bench.faults.kinds import KINDS, FaultTargets
from bench.faults.reckoning import Reckoning, open_store_of, read_events
from bench.faults.run import FaultRun, RunOutcome
from bench.faults.service import NotInTime, until
from bench.faults.tournaments.forms import ROUNDS
from bench.faults.tournaments.judging import judge_tournament
from bench.faults.tournaments.moving import move_elsewhere, verify_draws
from bench.faults.tournaments.playing import PlayedTournament, TournamentPlayers

LEFT_OUT: Final = ("archiver killed", "store fell back", "store killed on a slow disk")
"""Kinds of faults that are not for tournaments: the move to another directory is the one fall-back,
and nothing is archived."""

PAUSE_S: Final = 12.0
"""At most so many seconds between two faults: they come during a whole tournament."""

FINISHED_WITHIN_S: Final = 3600.0
"""Seconds within which the last tournament has to end when no fault comes any more."""

UNDER_PLAY_S: Final = 1.0
"""Moves are made while the last one is so many seconds ago."""

MIDDLE_WITHIN_S: Final = 1800.0
"""Seconds within which a tournament has to be in its middle."""


class TournamentRun(FaultRun):
    """One run: `forms` are played in turn until there were so many faults.

    After the first half of them the service moves to another directory, in the middle of a
    tournament.
    """

    def __init__(
        self,
        entrants: int,
        forms: Sequence[str],
        faults: int,
        seed: int,
        minutes: float,
        pause_s: float = PAUSE_S,
        rounds: int = ROUNDS,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        kinds = [kind for kind in KINDS if kind not in LEFT_OUT]
        super().__init__(minutes, seed, faults, kinds=kinds, pause_s=pause_s, say=say)
        self._entrants, self._forms, self._all = entrants, list(forms), faults
        self._rounds = rounds
        self.played: list[PlayedTournament] = []
        self.results = self.tables = self.voided = 0
        self.stray = 0
        """Games of no table: a round that the backup did not have may be paired otherwise."""
        self.withdrawn: Counter[str] = Counter()

    def _play(self, scene: FaultTargets) -> None:
        """Let the bots play through all faults, and to the end of their tournament."""
        whom = self._entrants, self._forms, self.outcome.seed, self._rounds
        players = TournamentPlayers(scene.proxy.port, scene.journal, *whom)
        began = time.monotonic()
        players.start()
        deadline = began + self._until_s
        self._most = self._all // 2
        self._inflict_all(scene, deadline)
        self._move(scene, players)
        self._most = self._all
        self._inflict_all(scene, deadline)
        self._say("no more faults; the tournament goes on to its end")
        if players.stop(FINISHED_WITHIN_S):
            scene.journal.note_trouble("the last tournament did not end")
        self.outcome.played_s = time.monotonic() - began
        self.played = players.tournaments

    def _move(self, scene: FaultTargets, players: TournamentPlayers) -> None:
        try:
            until(partial(_is_in_the_middle, players, scene.journal), MIDDLE_WITHIN_S, 0.2)
            move_elsewhere(scene)
        except NotInTime as error:
            scene.journal.note_trouble(f"move: {error}")
        except subprocess.CalledProcessError as error:
            scene.journal.note_trouble(f"{error.cmd[3]}: {error.stdout}{error.stderr}")
            scene.service.start()
        else:
            self._say("the tournament goes on in another directory")

    def _compare(self, scene: FaultTargets, caller: ReconnectingClient) -> Reckoning:
        """Compare games, tournaments and the store."""
        found = super()._compare(scene, caller)
        known: dict[str, str] = {}
        for played in self.played:
            events = list(_read_all(caller, played.id))
            tables = self._count(events)
            known |= tables
            lines = judge_tournament(played, events, partial(_read_game, caller), scene.journal)
            found.trouble += [f"tournament {played.id}: {line}" for line in lines]
            if said := verify_draws(scene.service, played.id):
                found.trouble.append(f"verify --fair: {said}")
        # A void table has no result because its game has none.
        void = {game for game, status in known.items() if status == "voided"}
        found.unfinished = [one for one in found.unfinished if one.split()[0] not in void]
        with open_store_of(scene.service) as store:
            stray = set(store.ledger.game_ids()) - set(known)
        self.stray = len(stray)
        if not scene.journal.fallbacks:
            found.trouble += [f"game {game} is that of no table" for game in sorted(stray)]
        return found

    def _count(self, events: list[Json]) -> dict[str, str]:
        """Count what a tournament had; return how its games have ended, by their ids."""
        games = {
            table["table"]: table["game"]
            for event in events
            if event["type"] == "round_paired"
            for table in event["tables"]
        }
        ends = {
            event["table"]: event["type"].removeprefix("table_")
            for event in events
            if event["type"] in ("table_scored", "table_voided")
        }
        self.tables += len(games)
        self.results += sum(one == "scored" for one in ends.values())
        self.voided += sum(one == "voided" for one in ends.values())
        self.withdrawn.update(event["reason"] for event in events if event["type"] == "withdrew")
        return {game: ends.get(table, "playing") for table, game in games.items()}


def _is_in_the_middle(players: TournamentPlayers, journal: Journal) -> bool:
    """Return whether tables have results and moves are made: the backup is made under play."""
    current, moved = players.current, journal.moved[-1:]
    under_play = any(time.monotonic() - came < UNDER_PLAY_S for _, came in moved)
    return under_play and current is not None and current.is_in_the_middle


def _read_game(caller: ReconnectingClient, game: str) -> list[Json]:
    return list(read_events(caller, game))


def _read_all(caller: ReconnectingClient, tournament: str) -> Iterator[Json]:
    after = 0
    while True:
        path = f"/tournaments/{tournament}/events?after={after}&limit=500"
        page = caller.insist("GET", path).body
        if not page.get("events"):
            return
        yield from page["events"]
        after = page["next_after"]


def describe_run(run: TournamentRun, outcome: RunOutcome) -> dict[str, Any]:
    """Return the result of a run as nested objects."""
    found = outcome.reckoning
    times = [fault.recovered for fault in outcome.faults if fault.recovered is not None]
    return {
        "seed": outcome.seed,
        "minutes": outcome.played_s / 60,
        "faults": len(outcome.faults),
        "kinds": dict(sorted(Counter(fault.kind for fault in outcome.faults).items())),
        "skipped": outcome.skipped,
        "tournaments": len(run.played),
        "tables": run.tables,
        "results": run.results,
        "voided": run.voided,
        "stray_games": run.stray,
        "withdrew": dict(run.withdrawn),
        "games": found.games,
        "moves": found.moves,
        "acknowledged": found.acknowledged,
        "taken_by_the_move": found.taken,
        "retries": outcome.retries,
        "slowest_recovery_s": max(times, default=0.0),
        "problems": [*outcome.problems()],
        "clean": not any(outcome.problems()),
        "ratio": float(not any(outcome.problems())),
    }
