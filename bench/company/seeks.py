"""Seeks of many players at once: how long a match takes, in the service and in the store.

`--players` players seek games one after the other, through `--clients` connections at the same time
(with more of them than cores, most of a time is the wait for a core): of two kinds, at tables of
two, of two or three, of three or four, untimed or over days. Two web processes answer.

The keys of `--json`: `matched` and `waiting`, requests that led to a game and that did not, with
`p50_ms`, `p95_ms`, `max_ms`; `store`, the time of the script that adds and matches a seek, as the
server of the store notes it: `p50_us`, `p95_us`, `max_us`; `crowded`, the same for a seek that
finds a hundred others with whom it fits, who all block each other; `games`, the games that came of
it, and `twice`, the seeks that were served twice or had more than one game, which must be 0;
`web_ms`, the CPU time of the web processes for a request.
`ratio` is the least of 50 ms ÷ `matched.p95_ms`, and 5 ms ÷ the slowest script.
"""

from __future__ import annotations

import http.client
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bench.company._world import read_commands
from bench.company.profiles import describe_times
from bench.service._served import CONFIGURATION, SECRET, serve
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.company.seeks import NewSeek
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS

PROCESSES = 2
SIZES = ((2,), (2, 3), (3, 4), (2, 3, 4))
DAYS = {"mode": "correspondence", "delay": 86_400, "bank": 259_200}
PACES = (None, DAYS)
CROWD, LATE = 100, 20
MATCH_MS, STORE_US = 50.0, 5000.0
LOGGED = 1_000_000
"""Entries that the log of slow commands keeps: all of a run."""


class MadeSeek(NamedTuple):
    """An answer to a seek: the player, how long it took in ms, and the game that came of it."""

    player: str
    ms: float
    game: str | None


def main(seconds: float = 0.0, players: int = 1_000, clients: int = 2) -> dict[str, Any]:
    """Let all players seek once."""
    del seconds  # the number of players says how long it takes
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(Path(folder)) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS)
        log_all(store)
        environment = {"CARTULARY_EVENTS_URL": str(valkey.url), **SECRET}
        with serve(["-c", CONFIGURATION], environment, PROCESSES) as served:
            web_s = served.cpu_seconds()
            made = _seek_all(store, served.port, players, clients)
            web_s = served.cpu_seconds() - web_s
            store_us = read_script_times(store)
            twice = find_served_twice(store, made)
        crowded = measure_crowd(store)
        store.close()
    return {**describe(made, store_us, crowded, twice), "web_ms": 1000 * web_s / players}


def log_all(store: Store) -> None:
    """Let the server of the store note how long each command takes."""
    registry: Any = store.registry
    registry.config_set("slowlog-max-len", LOGGED)
    registry.config_set("slowlog-log-slower-than", 0)


def _seek_all(store: Store, port: int, number: int, clients: int) -> list[MadeSeek]:
    rng = random.Random(1)
    people = [store.players.create(f"seeker {at}") for at in range(number)]
    wishes = [(player.id, token, _choose_wish(rng)) for player, token in people]
    with ThreadPoolExecutor(clients) as pool:
        parts = pool.map(lambda at: _seek(port, wishes[at::clients]), range(clients))
        return [made for part in parts for made in part]


def _choose_wish(rng: random.Random) -> dict[str, Any]:
    wish = {"game": rng.choice(sorted(OFFERS)), "seats": list(rng.choice(SIZES)), "new": True}
    return {**wish, "pace": rng.choice(PACES)}


def _seek(port: int, wishes: Sequence[tuple[str, str, dict[str, Any]]]) -> list[MadeSeek]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    made = []
    for player, token, wish in wishes:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        began = time.perf_counter()
        connection.request("POST", "/api/v1/seeks", orjson.dumps(wish), headers)
        answer = connection.getresponse()
        body = orjson.loads(answer.read())
        taken = 1000 * (time.perf_counter() - began)
        if answer.status != 201:
            raise RuntimeError(f"{answer.status} {body}")
        made.append(MadeSeek(player, taken, body["seek"]["table"]))
    connection.close()
    return made


def read_script_times(store: Store) -> list[int]:
    """Return how long each run of the script that adds a seek took, in µs; empties the log."""
    registry: Any = store.registry
    sha = store.seeks._add.sha.encode()  # noqa: SLF001  how the log names the script
    entries = registry.slowlog_get(LOGGED)
    registry.slowlog_reset()
    return [
        entry["duration"] for entry in entries if entry["command"].startswith(b"EVALSHA " + sha)
    ]


def find_served_twice(store: Store, made: Sequence[MadeSeek]) -> int:
    """Return how many players sit in more than one game, or wait although they have a game."""
    seated = Counter[str]()
    for player in (one.player for one in made):
        seated[player] = len(store.projections.games_of(player, limit=10).games)
    waiting = {one.player for one in made if store.seeks.list_of(one.player)}
    return sum(games + (player in waiting) > 1 for player, games in seated.items())


def measure_crowd(store: Store) -> list[int]:
    """Return the times of the script for seeks that search in vain among a crowd, in µs."""
    registry: Any = store.registry
    registry.config_set("slowlog-log-slower-than", -1)  # reading the log slows the next command
    names = [store.players.create(f"crowd {at}")[0].id for at in range(CROWD)]
    for player in names:
        others = [other for other in names if other != player]
        registry.sadd(keys.blocked_by(player), *others)
    wish = NewSeek("carcassonne", {}, (4, 5))
    for player in names:
        store.seeks.add(player, wish)
    return [_time_in_vain(store, f"late {at}", wish) for at in range(LATE)]


def _time_in_vain(store: Store, name: str, wish: NewSeek) -> int:
    player = store.players.create(name)[0].id
    before = read_commands(store)["evalsha"][1]
    found = store.seeks.add(player, wish)
    after = read_commands(store)["evalsha"][1]
    assert found.match is None
    store.seeks.withdraw(player)
    return after - before


def describe(
    made: Sequence[MadeSeek], store_us: Sequence[int], crowded: Sequence[int], twice: int
) -> dict[str, Any]:
    """Return what was measured."""
    matched = describe_kind([one.ms for one in made if one.game], "ms")
    slowest = max(*store_us, *crowded)
    return {
        "seeks": len(made),
        "matched": matched,
        "waiting": describe_kind([one.ms for one in made if not one.game], "ms"),
        "store": describe_kind(store_us, "us"),
        "crowded": describe_kind(crowded, "us"),
        "games": len({one.game for one in made if one.game}),
        "twice": twice,
        "ratio": min(MATCH_MS / matched["p95_ms"], STORE_US / slowest),
    }


def describe_kind(times: Sequence[float], unit: str) -> dict[str, float]:
    """Return number, median, 95th hundredth and maximum of some times."""
    if len(times) == 0:
        return {"number": 0}
    names = (f"p50_{unit}", f"p95_{unit}", f"max_{unit}")
    return {"number": len(times), **dict(zip(names, describe_times(times), strict=True))}
