"""A rated result on a large site: how soon its players' ratings and places follow, over HTTP.

The site is that of `python -m bench profiles`, with the same arguments, under a real `cartulary
serve`. Two new players play `--rounds` rated games that one of them resigns at once, and ask for
their ratings until these have moved.

The keys of `--json`: `quiet`, the milliseconds from the time in `game_scored` to the answer that
shows rating and place on the leaderboard (`p50_ms`, `p95_ms`, `max_ms`); `late`, the same while the
whole bucket is folded again, as after a result that belongs before all others (the bench sets the
mark that such a result would set, and the site stays as it was). `folding` has how many results
were folded again meanwhile, `per_second`, `us_each` of the dispatcher's processor for a result, and
`whole_s`, how long all would take. `ratio` is 1 s ÷ the slowest `p95_ms`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.company._world import WorldPlan, find_world
from bench.company.profiles import BUCKET, AskingClient, describe_times
from bench.faults.service import ServiceProcess, until
from bench.service._served import Served, cpu_seconds, post
from cartulary.cli.operators.store import open_by_url
from cartulary.events.ratings.stored import write_place
from cartulary.events.server import keys
from cartulary.events.store import Store

LIMIT_MS = 1000.0
WITHIN_S = 120.0
PACE = {"mode": "live", "delay": 30, "bank": 1200}


def main(
    seconds: float = 0.0,
    games: int = 10_000,
    players: int = 1_000,
    rounds: int = 20,
    directory: str = "",
) -> dict[str, Any]:
    """Play so many games while little is to be folded, and as many while much is."""
    del seconds  # the number of rounds says how long it takes
    plan = WorldPlan(games, players)
    with tempfile.TemporaryDirectory() as folder:
        world = find_world(Path(directory or f"{folder}/data"), plan)
        log, environment = Path(folder) / "log", world.environment
        with ServiceProcess(world.data, log=log, environment=environment) as service:
            store = open_by_url(service.addresses[0], world.archive_url)
            try:
                return _measure(service, store, rounds)
            finally:
                store.close()


def _measure(service: ServiceProcess, store: Store, rounds: int) -> dict[str, Any]:
    pair = RatedPair(service, store)
    quiet = [pair.play() for _ in range(rounds)]
    dispatcher = service.pids("dispatcher")[0]
    mark_all(store)
    waiting, began = store.ratings.count_waiting(BUCKET), time.monotonic()
    cpu = cpu_seconds(dispatcher)
    late = [pair.play() for _ in range(rounds)]
    taken, cpu = time.monotonic() - began, cpu_seconds(dispatcher) - cpu
    folded = waiting + rounds - store.ratings.count_waiting(BUCKET)
    store.registry.hdel(keys.ratings_pending(), BUCKET.text())  # all is as it was
    folding = {
        "waiting": waiting,
        "folded": folded,
        "per_second": folded / taken,
        "us_each": 1e6 * cpu / max(1, folded),
        "whole_s": waiting / (folded / taken),
    }
    found = {"quiet": describe_delays(quiet), "late": describe_delays(late), "folding": folding}
    slowest = max(found[name]["p95_ms"] for name in ("quiet", "late"))
    return {**found, "ratio": LIMIT_MS / slowest}


def mark_all(store: Store) -> None:
    """Mark the first result of the bucket, as a late result does that belongs before it."""
    first, _ = next(store.rating_reader.list_results(BUCKET))
    store.registry.hset(keys.ratings_pending(), BUCKET.text(), write_place(first.place))


def describe_delays(delays: Sequence[float]) -> dict[str, float]:
    """Return median, 95th hundredth and maximum of some delays in ms."""
    return dict(zip(("p50_ms", "p95_ms", "max_ms"), describe_times(delays), strict=True))


class RatedPair:
    """Two new players who play rated games with each other."""

    def __init__(self, service: ServiceProcess, store: Store) -> None:
        self._port = service.port
        made = [post(self._port, "/players", {"name": name}) for name in ("early", "late")]
        self._tokens = [one["token"] for one in made]
        for token in self._tokens:
            post(self._port, "/players/me/recovery_codes", {}, token)
        self.ids = [one["id"] for one in made]
        self._asking = AskingClient(Served(self._port, service.pids("web")[0]), store)
        self._games = 0

    def play(self) -> float:
        """Play a game; return the ms from the time of its result to both ratings."""
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": BUCKET.game, "seats": seats, "rated": True, "pace": PACE}
        game = post(self._port, "/games", body, self._tokens[0])["id"]
        post(self._port, f"/games/{game}/seats", {"seat": 1}, self._tokens[1])
        post(self._port, f"/games/{game}/resignation", {"seat": 1}, self._tokens[1])
        self._games += 1
        until(self._is_shown, WITHIN_S, 0.005)
        seen = time.time()
        events = self._asking.ask(f"/games/{game}/events?limit=500")["events"]
        assert events[-1]["type"] == "game_scored"
        return 1000 * (seen - datetime.fromisoformat(events[-1]["at"]).timestamp())

    def _is_shown(self) -> bool:
        """Return whether the ratings of both have all their games, and a place."""
        answers = [self._asking.ask(f"/players/{one}/ratings")["ratings"] for one in self.ids]
        wanted = {"games": self._games, "game": BUCKET.game}
        return all(
            rows
            and {name: rows[0][name] for name in wanted} == wanted
            and rows[0]["rank"] is not None
            for rows in answers
        )
