"""What a person waits for a bot while the workers mine the archive for puzzles.

A person plays against a bot of the house, in turn while nothing is mined and while a game is under
way, in the same processes. The `ratio` is the median of those of the rounds, each that of the
medians from the person's move until the bot has answered. `mined` says how much CPU the mining got
next to the person, in seconds, and of how long.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

from bench.service._crowded import CrowdPlayer, run_house_on
from bench.service._served import SECRET, UNLIMITED
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent
from cartulary.events.mining.log import MinedGame, MiningLog, MiningState
from cartulary.events.server import keys
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.puzzles.tables import play_table

ROUNDS = 24
TABLES = 2
"""So many games of each kind are archived; each round goes on with the next one."""

NEVER = 2**53


def main(seconds: float = 144.0) -> dict[str, Any]:
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
        "slowest_ms": {"alone": max(alone) * 1000, "beside": max(beside) * 1000},
        "mined": {"cpu_s": mined, "of_s": seconds / 2},
        "ratios": " ".join(f"{one:.2f}" for one in sorted(ratios)),
        "ratio": statistics.median(ratios),
        "ratio_p95": p95_beside / p95_alone,
    }


@contextmanager
def _run() -> Iterator[tuple[int, MiningLog, Iterator[MinedGame]]]:
    """Run a house with archived games; yields its port, the log, and games to mine, for ever."""
    with (
        tempfile.TemporaryDirectory() as directory,
        EmbeddedValkey(Path(directory)) as valkey,
    ):
        url, archive = str(valkey.url), f"sqlite:///{directory}/archive.sqlite"
        more = {"CARTULARY_ARCHIVE_URL": archive, "CARTULARY_MINING_SECONDS": "21600"}
        os.environ.update(SECRET)
        store = Store.open(StoreSettings(url, url, archive_url=archive), OFFERS)
        store.claim()
        games = _archive_games(store)
        log = MiningLog(store.registry)
        _switch(log, None)
        with run_house_on(url, {**UNLIMITED, **more}) as port:
            yield port, log, cycle(games)
        store.close()


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
