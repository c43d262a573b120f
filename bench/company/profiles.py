"""Profiles, curves and leaderboards of a large site: how long a request takes, over HTTP.

The site has `--games` finished rated games and `--players` (`bench/company/_world.py`); it is made
in `--directory` at the first run and used again at the next ones. `--archive` is the URL of another
archive than SQLite. Requests come one after the other, over a connection that is kept.

The keys of `--json`, for each kind of request: `p50_ms`, `p95_ms`, `max_ms` from the request to the
whole answer; `web_ms`, the CPU time of the web process, and `store_us`, what the server of the
store notes as its own time, both for one request. `history` is that of the most active players,
`page_deep` a page of the leaderboard somewhere in the middle, `games` a list of finished games,
`statistics` there only where the service has them. `ratio` is 50 ms ÷ the slowest `p95_ms`.
`world` has what the site takes, and how long making it took.
"""

from __future__ import annotations

import http.client
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.company._world import World, WorldPlan, find_world, open_world, read_commands
from bench.service._served import CONFIGURATION, ROOT, Served, serve
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.ratings.results import Bucket

LIMIT_MS = 50.0
BUCKET = Bucket("people", "carcassonne", "2")
BOARD = f"/leaderboards/{BUCKET.game}?seats={BUCKET.table}&ladder={BUCKET.ladder}"
MOST_ACTIVE = 50
WARM_UP = 20


def main(
    seconds: float = 0.0,
    games: int = 10_000,
    players: int = 1_000,
    requests: int = 400,
    directory: str = "",
    archive: str = "",
) -> dict[str, Any]:
    """Measure so many requests of each kind."""
    del seconds  # the number of requests says how long it takes
    plan = WorldPlan(games, players, archive=archive)
    with tempfile.TemporaryDirectory() as folder:
        world = find_world(Path(directory or f"{folder}/data"), plan)
        return {"world": {**plan._asdict(), **world.figures}, **_measure(world, requests)}


def _measure(world: World, requests: int) -> dict[str, Any]:
    with open_world(world) as (store, valkey):
        environment = {"CARTULARY_EVENTS_URL": str(valkey.url), **world.environment}
        kinds = list_kinds(store, random.Random(1))
        with serve(["-c", CONFIGURATION], environment) as served:
            asking = AskingClient(served, store)
            found = {name: asking.measure(choose, requests) for name, choose in kinds.items()}
    slowest = max(kind["p95_ms"] for kind in found.values())
    return {**found, "ratio": LIMIT_MS / slowest}


def list_kinds(store: Store, rng: random.Random) -> dict[str, Callable[[], str]]:
    """Return for each kind of request what makes a path."""
    registry: Any = store.registry
    name = BUCKET.text()
    players = [one.decode() for one in registry.zrange(keys.ratings("board", name), 0, -1)]
    active = find_most_active(store, players, MOST_ACTIVE)
    cursors = _list_cursors(registry, rng)
    where = f"game={BUCKET.game}&seats={BUCKET.table}&ladder={BUCKET.ladder}"
    kinds: dict[str, Callable[[], str]] = {
        "profile": lambda: f"/players/{rng.choice(players)}",
        "ratings": lambda: f"/players/{rng.choice(players)}/ratings",
        "history": lambda: f"/players/{rng.choice(active)}/ratings/history?{where}",
        "page_first": lambda: BOARD,
        "page_deep": lambda: f"{BOARD}&cursor={rng.choice(cursors)}",
        "games": lambda: "/games?status=over",
    }
    if "/players/{player_id}/statistics:" in (ROOT / "openapi.yaml").read_text("utf-8"):
        kinds["statistics"] = lambda: f"/players/{rng.choice(active)}/statistics?game={BUCKET.game}"
    return kinds


def find_most_active(store: Store, players: Sequence[str], number: int) -> list[str]:
    """Return the players with the most games in the bucket."""
    pipe = store.registry.pipeline(transaction=False)
    for player in players:
        pipe.zcard(keys.rated_games(BUCKET.text(), player))
    counted = sorted(zip(pipe.execute(), players, strict=True), reverse=True)
    return [player for _, player in counted[:number]]


def _list_cursors(registry: Any, rng: random.Random) -> list[str]:
    """Return cursors as pages give them, of places all over the leaderboard."""
    board = keys.ratings("board", BUCKET.text())
    size = registry.zcard(board)
    chosen = [registry.zrevrange(board, at, at, withscores=True)[0] for at in _spread(size, rng)]
    return [f"{order!r}~{player.decode()}" for player, order in chosen]


def _spread(size: int, rng: random.Random) -> list[int]:
    return [rng.randrange(size) for _ in range(100)]


class RequestFigures(NamedTuple):
    """What requests of a kind took; all but the first three for one request on average."""

    p50_ms: float
    p95_ms: float
    max_ms: float
    web_ms: float
    store_us: float


class AskingClient:
    """A client of the service over one connection."""

    def __init__(self, served: Served, store: Store) -> None:
        self._served, self._store = served, store
        self._connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)

    def ask(self, path: str) -> Any:
        """Return the answer to a request; raises `RuntimeError` for a refusal."""
        self._connection.request("GET", f"/api/v1{path}")
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {body.decode()}")
        return orjson.loads(body)

    def measure(self, choose: Callable[[], str], number: int) -> dict[str, float]:
        """Return the figures of so many requests."""
        for _ in range(WARM_UP):
            self.ask(choose())
        times = []
        web, store = self._served.cpu_seconds(), _count_store_us(self._store)
        for _ in range(number):
            path, began = choose(), time.perf_counter()
            self.ask(path)
            times.append(1000 * (time.perf_counter() - began))
        web = 1000 * (self._served.cpu_seconds() - web) / number
        store = (_count_store_us(self._store) - store) / number
        return RequestFigures(*describe_times(times), web, store)._asdict()


def describe_times(times: Sequence[float]) -> tuple[float, float, float]:
    """Return median, 95th hundredth and maximum."""
    return statistics.median(times), sorted(times)[int(0.95 * len(times))], max(times)


def _count_store_us(store: Store) -> float:
    """Return the time of all commands but `INFO`, in microseconds."""
    return sum(usec for name, (_, usec) in read_commands(store).items() if name != "info")
