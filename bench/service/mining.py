"""What it costs to mine the archive for puzzles, and what a person waits for a bot meanwhile.

`games`: the CPU of a whole game by kind, and its puzzles. `gives_way`: the CPU that a slice still
uses after a job of a game has come, in ms: so long the job waits where no other worker is free.
`answers`: a person plays against a bot of the house, in turn while nothing is mined and while a
game is under way, in the same processes. The `ratio` is the median of those of the rounds, each
that of the medians from the person's move until the bot has answered. `mined` says how much CPU the
mining got next to the person, in seconds, and of how long.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from threading import Thread, get_ident
from typing import Any

from bench.service._crowded import CrowdPlayer, run_house_on
from bench.service._served import SECRET, UNLIMITED
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent
from cartulary.events.mining.log import MinedGame, MiningLog, MiningState
from cartulary.events.mining.miner import ORIGIN
from cartulary.events.server import keys
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.puzzles.mining import mine_game
from cartulary.puzzles.tables import play_table
from cartulary.workers.mining import MOST_S, mine_some
from cartulary.workers.queues.queues import Queues, queues_on
from cartulary.workers.wiring import provide

ROUNDS = 24
SAMPLES = 60
TABLES = 2
"""The number of games of each kind that are archived; each round goes on with the next one."""

NEVER = 2**53


def main(seconds: float = 144.0, games: int = 6) -> dict[str, Any]:
    return {
        "games": {name: _mine_whole(name, games) for name in OFFERS},
        "gives_way": _measure_giving_way(),
        "answers": _measure_answers(seconds),
    }


def _mine_whole(name: str, games: int) -> dict[str, float]:
    """Return what games cost that bots have played, by the same rules and in one go."""
    offer, found, used = OFFERS[name], 0, list[float]()
    for number in range(games):
        transcript = play_table(offer, "bench", number)
        began = time.process_time()
        found += sum(1 for _ in mine_game(offer, transcript, ORIGIN, number))
        used.append(time.process_time() - began)
    return {"mean_cpu_s": statistics.mean(used), "most_cpu_s": max(used), "puzzles": found / games}


def _measure_giving_way() -> dict[str, float]:
    """Return the CPU that slices use after a job has come, in this process."""
    rng, taken = random.Random(1), list[float]()
    with tempfile.TemporaryDirectory() as directory, _store(directory) as (store, games, _):
        queues, log, main_clock = queues_on(store.redis), MiningLog(store.registry), _own_clock()
        provide(store, OFFERS, queues)
        while len(taken) < SAMPLES:
            _switch(log, next(games))
            came: list[float] = []
            client = Thread(target=_come, args=(queues, rng.uniform(0.01, 0.2), main_clock, came))
            client.start()
            mine_some(MOST_S)
            ended = time.clock_gettime(main_clock)
            if came:  # else the slice was over before
                taken.append(1000 * (ended - came[0]))
            client.join()
            queues.connection.delete(queues.people.key)
        provide(store, {})
    return {"p50_ms": statistics.median(taken), "most_ms": max(taken)}


def _own_clock() -> int:
    """Return the clock of the CPU of this thread, which other threads can read."""
    return time.pthread_getcpuclockid(get_ident())


def _come(queues: Queues, after: float, clock: int, came: list[float]) -> None:
    """Put a job into the queue, and note what the other thread has used then."""
    time.sleep(after)
    queues.connection.rpush(queues.people.key, "job")
    came.append(time.clock_gettime(clock))


def _measure_answers(seconds: float) -> dict[str, Any]:
    with _run() as (port, log, games):
        person = CrowdPlayer(port)
        person.answer_for(2.0)  # warms caches up
        alone: list[float] = []
        beside: list[float] = []
        ratios: list[float] = []
        began = log.read().cpu_ms
        for _ in range(ROUNDS):
            _switch(log, None)
            without = person.answer_for(seconds / ROUNDS / 2)
            _switch(log, next(games))
            mining = person.answer_for(seconds / ROUNDS / 2)
            ratios.append(statistics.median(mining) / statistics.median(without))
            alone, beside = alone + without, beside + mining
        mined = (log.read().cpu_ms - began) / 1000
    p95_alone, p95_beside = (statistics.quantiles(found, n=20)[18] for found in (alone, beside))
    return {
        "bot_answers": len(alone) + len(beside),
        "alone": {"p50_ms": statistics.median(alone) * 1000, "p95_ms": p95_alone * 1000},
        "beside": {"p50_ms": statistics.median(beside) * 1000, "p95_ms": p95_beside * 1000},
        "mined": {"cpu_s": mined, "of_s": seconds / 2},
        "ratios": " ".join(f"{one:.2f}" for one in sorted(ratios)),
        "ratio": statistics.median(ratios),
        "ratio_p95": p95_beside / p95_alone,
    }


@contextmanager
def _run() -> Iterator[tuple[int, MiningLog, Iterator[MinedGame]]]:
    """Run a house with archived games; yields its port, the log, and games to mine, for ever."""
    with tempfile.TemporaryDirectory() as directory, _store(directory) as (store, games, url):
        log = MiningLog(store.registry)
        _switch(log, None)
        more = {
            "CARTULARY_ARCHIVE_URL": _name_archive(directory),
            "CARTULARY_MINING_SECONDS": str(MOST_S),
        }
        with run_house_on(url, {**UNLIMITED, **more}) as port:
            yield port, log, games


@contextmanager
def _store(directory: str) -> Iterator[tuple[Store, Iterator[MinedGame], str]]:
    """Yield a store with archived games, these, for ever, and the address of its server."""
    with EmbeddedValkey(Path(directory)) as valkey:
        url = str(valkey.url)
        os.environ.update(SECRET)
        settings = StoreSettings(url, url, archive_url=_name_archive(directory))
        store = Store.open(settings, OFFERS)
        store.claim()
        yield store, cycle(_archive_games(store)), url
        store.close()


def _name_archive(directory: str) -> str:
    return f"sqlite:///{directory}/archive.sqlite"


def _archive_games(store: Store) -> list[MinedGame]:
    bea, found = store.players.create("Bea")[0], []
    for number in range(TABLES):
        for name, offer in OFFERS.items():
            played = play_table(offer, "bench", number).to_json()
            table = store.commands.import_transcript(Intent(bea), played).table
            store.list_updater.follow(table)
            store.redis.delete(keys.pin(table.id))
            found.append(MinedGame(name, table.id))
    store.make_archiver().run(NEVER, len(found))
    return found


def _switch(log: MiningLog, game: MinedGame | None) -> None:
    """Let the workers mine a game from its start, None: nothing; a slice under way ends first."""
    rests = 0 if game is not None else NEVER
    while True:
        before = log.read()
        after: MiningState = before._replace(under_way=game, idle_until=rests)
        if log.replace(before, after):
            break
        time.sleep(0.01)
    if game is None:
        time.sleep(0.5)
