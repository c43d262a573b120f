"""Finished games in the archive: bytes of disk, games archived a second, how fast they are read.

`--games` finished games, half of each kind, every second with a person who sends idempotency keys,
go into an archive in SQLite. `bytes_each` is
what the files take for each game with all indexes, for all games and by kind (each kind has an
archive of its own), `gb_of_a_million` a million games of both kinds. `archived_per_second` is the
time to pack, write, read back and compare. `rebuild` compares a game rebuilt from the archive with
the same game rebuilt from the store, in turns: `archive_ms`, `store_ms`, `over_store`. At the end
every game is read and compared byte for byte, which checks its chain (`verified`).

The `ratio` is the least of what was asked for over what was measured, so 1 is enough: 12 GB over
the size of a million games, games a second over 100, 1.5 over `over_store`.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from bench._finished import Original, copy, play
from cartulary.events import keys
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.dictionaries import SAMPLES
from cartulary.events.archive.rows import Archived
from cartulary.events.connection import connect
from cartulary.events.embedded import EmbeddedValkey
from cartulary.events.fold import fold
from cartulary.events.ledger import decode
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS

OPTIONS = {"games": 20_000, "originals": 200}
SEED = 1
BATCH = 50
MOST_GB, LEAST_PER_SECOND, MOST_OVER_STORE = 12.0, 100.0, 1.5
NOW = 1_790_000_000_000
"""The copies began within a year before this moment, in ms since the epoch."""


def main(seconds: float, games: int, originals: int) -> dict[str, Any]:
    rng = random.Random(SEED)
    measured: dict[str, Any] = {"games": games}
    sizes, speeds, rebuilds = [], [], []
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=rng)
        for name in GAMES:
            with_person = [number % 2 == 0 for number in range(SAMPLES + originals)]
            played = [play(store, name, rng, person) for person in with_person]
            found = _measure(Path(directory), name, played, games // 2)
            found["rebuild"] = _compare(store, Path(directory), name, played, seconds / 4)
            measured[name] = found
            sizes.append(found["bytes_each"])
            speeds.append(found["archived_per_second"])
            rebuilds.append(found["rebuild"]["over_store"])
        store.close()
    measured["bytes_each"] = statistics.fmean(sizes)
    measured["gb_of_a_million"] = measured["bytes_each"] * 1e6 / 1e9
    measured["archived_per_second"] = statistics.harmonic_mean(speeds)
    measured["ratio"] = min(
        MOST_GB / measured["gb_of_a_million"],
        measured["archived_per_second"] / LEAST_PER_SECOND,
        MOST_OVER_STORE / max(rebuilds),
    )
    return measured


def _make(played: Sequence[Original], number: int) -> Iterator[Archived]:
    """Yield games, the same each time: first those that the dictionaries are trained from."""
    samples, others = played[:SAMPLES], played[SAMPLES:]
    for at in range(number):
        original = samples[at] if at < SAMPLES else others[at % len(others)]
        yield copy(original, random.Random(f"{original.game} {at}"), NOW)


def _measure(directory: Path, name: str, played: Sequence[Original], number: int) -> dict[str, Any]:
    """Archive games of one kind; the time to make the copies does not count."""
    archive = Archive.open(f"sqlite:///{directory}/{name}.sqlite")
    taken, cpu, games = 0.0, 0.0, _make(played, number)
    while batch := list(islice(games, BATCH)):
        began, began_cpu = time.perf_counter(), time.process_time()
        archive.write(batch)
        assert all(archive.read(game.id) == game for game in batch)
        taken += time.perf_counter() - began
        cpu += time.process_time() - began_cpu
    verified = sum(archive.read(game.id) == game for game in _make(played, number))
    assert archive.count() == verified == number
    archive.close()
    files = sum(file.stat().st_size for file in directory.glob(f"{name}.sqlite*"))
    texts = [sum(len(text) for text in game.texts) for game in _make(played, min(number, 300))]
    return {
        "bytes_each": files / number,
        "bytes_of_texts": statistics.fmean(texts),
        "archived_per_second": number / taken,
        "cpu_ms_each": 1000 * cpu / number,
        "verified": verified,
    }


# -- rebuilds ----------------------------------------------------------------------------------


def _compare(
    store: Store, directory: Path, name: str, played: Sequence[Original], seconds: float
) -> dict[str, float]:
    """Rebuild the same games from the store and from the archive, in turns."""
    archive = Archive.open(f"sqlite:///{directory}/{name}.sqlite")
    games = list(_make(played, min(SAMPLES + 20, archive.count())))[-20:]
    for game in games:
        pipe = store.redis.pipeline(transaction=False)
        for number, text in enumerate(game.texts, start=1):
            pipe.xadd(keys.events(game.id), {"event": text}, id=f"{number}-0")
        pipe.execute()

    def from_store(game_id: str) -> object:
        return fold(store.rules, game_id, None, store.ledger.events(game_id))

    def from_archive(game_id: str) -> object:
        found = archive.read(game_id)
        assert found is not None
        texts = enumerate(found.texts, start=1)
        events = [decode(game_id, b"%d-0" % number, {b"event": text}) for number, text in texts]
        return fold(store.rules, game_id, None, events)

    times: dict[str, list[float]] = {"store": [], "archive": []}
    ends = time.perf_counter() + seconds
    while not times["store"] or time.perf_counter() < ends:
        for game in games:
            times["store"].append(_time(from_store, game.id))
            times["archive"].append(_time(from_archive, game.id))
    archive.close()
    means = {place: 1000 * statistics.median(taken) for place, taken in times.items()}
    return {
        "store_ms": means["store"],
        "archive_ms": means["archive"],
        "over_store": means["archive"] / means["store"],
    }


def _time(run: Callable[[str], object], game_id: str) -> float:
    began = time.perf_counter()
    run(game_id)
    return time.perf_counter() - began
