"""Finished games on their way into the archive: size, speed, what stays in the store, rebuilds.

`--games` finished games, half of each kind, every second with a person who sends idempotency keys,
are put into a store and archived in SQLite as a worker archives them.

* `bytes_each`: what the files of the archive take for each game, with all indexes; `by_kind` the
  share of each kind, `gb_of_a_million` a million games.
* `archived_per_second`: read from the store, packed, written, read back, compared, removed.
  `archiving_ms` is the CPU time of the archiver for each game.
* `left_in_store`: bytes of the store's memory for each archived game: what the key of its creation
  leads to stays, because a repeated request is answered as long as there is the game.
* `rebuild`: a game rebuilt from the archive and from the store, nothing cached, by kind:
  `archive_ms`, `store_ms`, and `over_store`, from the fastest rebuild of each game.
* `moves`: moves a second in other games, alone and while another process archives at the pace of
  the service (`workers/archiving.py`), and the `ratio`.
* `verified`: every game is read from the archive at the end, which checks its chain, and compared.

The `ratio` at the top is the least of all ratios between what was asked for and what was measured,
so 1 is enough: 12 GB for a million games, 100 games a second, 200 bytes, 1.5 over the store, moves
0.95.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bench.store._finished import Original, copy, play
from cartulary.bots.randomly import play_randomly
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.shared.progress import progress
from cartulary.events.archive.archive import Archive
from cartulary.events.archive.dictionaries import SAMPLES
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.rows import Archived
from cartulary.events.archive.side_keys import unpack_all
from cartulary.events.archiving.batches import BATCH
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from cartulary.workers.archiving import EVERY_S, archive_until

SEED = 1
AT_ONCE = 500
"""Games that are put into the store before they are archived."""
REBUILT = 10
"""Games of each kind that are rebuilt, each from the store and from the archive."""
SLICES = 4
"""Slices of moves alone, and as many next to an archiver."""
NEVER = 2**53
NOW = 1_790_000_000_000
"""The copies began within a year before this moment, in ms since the epoch."""


def main(seconds: float = 20.0, games: int = 20_000, originals: int = 200) -> dict[str, Any]:
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as directory, EmbeddedValkey(directory) as valkey:
        url = f"sqlite:///{directory}/archive.sqlite"
        store = open_store(str(valkey.url), url)
        with_person = [number % 2 == 0 for number in range(SAMPLES + originals)]
        played = {name: [play(store, name, rng, one) for one in with_person] for name in GAMES}
        store.redis.flushall()
        put(store, copies(played, 0, 2 * SAMPLES))
        archive_all(store)
        before = read_used(store)
        measured = _archive(store, played, games)
        measured["left_in_store"] = (read_used(store) - before) / games
        measured["verified"] = verify(store.archive.archive, played, games + 2 * SAMPLES)
        measured["rebuild"] = _compare(store, played, seconds / 4)
        measured["moves"] = _move(store, played, (str(valkey.url), url), games, seconds / 2)
        measured |= _weigh(store, Path(directory))
        store.close()
    return measured | {"ratio": judge(measured)}


def judge(measured: dict[str, Any]) -> float:
    """Return the least ratio between what was asked for and what was measured."""
    slowest = max(found["over_store"] for found in measured["rebuild"].values())
    return float(
        min(
            12 / measured["gb_of_a_million"],
            measured["archived_per_second"] / 100,
            200 / max(measured["left_in_store"], 1),
            1.5 / slowest,
            measured["moves"]["ratio"] / 0.95,
        )
    )


def open_store(events: str, archive: str) -> Store:
    """Open a store whose reader of the archive caches nothing."""
    reader = partial(
        ArchiveReader, open_=lambda noted: Archive.open(archive, noted=noted), capacity=0
    )
    return Store(connect(events), OFFERS, rng=random.Random(SEED), archive=reader)


def copies(played: dict[str, list[Original]], first: int, last: int) -> Iterator[Archived]:
    """Yield games `first` to `last - 1`, the kinds in turns, the same each time.

    The first games are copies of those that the dictionaries are trained from.
    """
    for number in range(first, last):
        originals = played[GAMES_IN_TURN[number % len(GAMES_IN_TURN)]]
        at = number // len(GAMES_IN_TURN)
        rest = len(originals) - SAMPLES
        original = originals[at if at < SAMPLES else SAMPLES + at % rest]
        yield copy(original, random.Random(f"{original.game} {at}"), NOW)


GAMES_IN_TURN = tuple(GAMES)


def put(store: Store, games: Iterator[Archived]) -> None:
    """Put finished games into the store, as they lie there when the inboxes know their end."""
    for game in games:
        pipe = store.redis.pipeline(transaction=False)
        add_events(pipe, game.id, game.texts)
        for record in unpack_all(game.id, game.side_keys, game.head):
            pipe.hset(record.name, mapping=dict(record.items))
        pipe.set(keys.creation(game.created_by, game.head[:32]), game.id)
        pipe.execute()
        table = store.projector.fold_entries(None, game.id, store.ledger.entries(game.id), None)
        assert table is not None
        store.projections.apply(table)
        store.projections.finished.note_told(game.id, game.version)


def add_events(pipe: Any, game_id: str, texts: Sequence[bytes]) -> None:
    for number, text in enumerate(texts, start=1):
        pipe.xadd(keys.events(game_id), {"event": text}, id=f"{number}-0")


def archive_all(store: Store) -> int:
    """Archive everything that is over, in the batches of a worker; return the number of games."""
    archiver, number = store.make_archiver(), 0
    while (done := archiver.run(NEVER, BATCH)).archived:
        number += done.archived
    return number


def read_used(store: Store) -> int:
    found: Any = store.redis.info("memory")
    return int(found["used_memory"])


def _archive(store: Store, played: dict[str, list[Original]], games: int) -> dict[str, Any]:
    """Put the games into the store and archive them; only the archiver's time counts."""
    taken = cpu = 0.0
    made, done = copies(played, 2 * SAMPLES, 2 * SAMPLES + games), 0
    with progress("archived") as show:
        while some := list(islice(made, AT_ONCE)):
            put(store, iter(some))
            began, began_cpu = time.perf_counter(), time.process_time()
            assert archive_all(store) == len(some)
            taken += time.perf_counter() - began
            cpu += time.process_time() - began_cpu
            done += len(some)
            show(done, games)
    return {
        "games": games,
        "archived_per_second": games / taken,
        "archiving_ms": 1000 * cpu / games,
    }


def verify(archive: Archive, played: dict[str, list[Original]], number: int) -> int:
    """Read all games from the archive, and compare them with what was put into the store."""
    assert archive.count() == number
    with progress("verified") as show:
        for done, game in enumerate(copies(played, 0, number), start=1):
            found = archive.read(game.id)
            assert found is not None
            assert (found.texts, found.head, found.people) == (game.texts, game.head, game.people)
            records = [unpack_all(one.id, one.side_keys, one.head) for one in (found, game)]
            assert records[0] == records[1]
            show(done, number)
    return number


def _weigh(store: Store, directory: Path) -> dict[str, Any]:
    """Return what the files take for each game, and the share of each kind."""
    archive, shares = store.archive.archive, dict.fromkeys(GAMES, 0)
    numbers = dict.fromkeys(GAMES, 0)
    for row in archive.rows():
        packed = sum(len(value) for value in row.columns.values() if isinstance(value, bytes))
        shares[row.columns["game"]] += packed
        numbers[row.columns["game"]] += 1
    store.archive.close()  # the last connection moves the log into the file
    files = sum(file.stat().st_size for file in directory.glob("archive.sqlite*"))
    over = files / sum(shares.values())
    each = {name: shares[name] * over / numbers[name] for name in GAMES}
    mean = statistics.fmean(each.values())
    return {"bytes_each": mean, "by_kind": each, "gb_of_a_million": mean * 1e6 / 1e9}


# -- rebuilds ----------------------------------------------------------------------------------


def _compare(
    store: Store, played: dict[str, list[Original]], seconds: float
) -> dict[str, dict[str, float]]:
    """Rebuild the same games from the store and from the archive, in turns."""
    chosen = list(copies(played, 2 * SAMPLES, 2 * SAMPLES + REBUILT * len(GAMES)))
    fastest: dict[tuple[str, bool], float] = {}
    for game in chosen:
        pipe = store.redis.pipeline(transaction=False)
        add_events(pipe, f"STORED{game.id}", game.texts)
        pipe.execute()
    ends = time.perf_counter() + seconds
    while not fastest or time.perf_counter() < ends:
        for game in chosen:
            for archived, game_id in ((False, f"STORED{game.id}"), (True, game.id)):
                began = time.perf_counter()
                store.projector.fold_entries(None, game_id, store.ledger.entries(game_id), None)
                taken = 1000 * (time.perf_counter() - began)
                known = fastest.get((game.id, archived), taken)
                fastest[game.id, archived] = min(known, taken)
    for game in chosen:
        store.redis.delete(keys.events(f"STORED{game.id}"))
    return {name: _report([one for one in chosen if one.game == name], fastest) for name in GAMES}


def _report(games: Sequence[Archived], fastest: dict[tuple[str, bool], float]) -> dict[str, float]:
    stored, archived = (
        statistics.fmean(fastest[one.id, of] for one in games) for of in (False, True)
    )
    return {"store_ms": stored, "archive_ms": archived, "over_store": archived / stored}


# -- moves next to the archiver ----------------------------------------------------------------

ARCHIVES = """\
import sys
from bench.store.archive import archive_as_a_worker, open_store
store = open_store(*sys.argv[1:])
print("ready", flush=True)
while seconds := sys.stdin.readline():
    print(archive_as_a_worker(store, float(seconds)), flush=True)
"""


def archive_as_a_worker(store: Store, seconds: float) -> int:
    """Archive for some seconds at the pace of the service; return the number of games."""
    number, end = 0, time.monotonic() + seconds
    while (began := time.monotonic()) < end:
        number += archive_until(store, NEVER, lambda: False)
        time.sleep(max(0.0, min(began + EVERY_S, end) - time.monotonic()))
    return number


def _move(
    store: Store,
    played: dict[str, list[Original]],
    urls: tuple[str, str],
    games: int,
    seconds: float,
) -> dict[str, float]:
    """Make moves alone and next to a process that archives, in turns."""
    rates: dict[bool, list[float]] = {False: [], True: []}
    slice_s, archived = seconds / SLICES / 2, 0
    command, first = [sys.executable, "-c", ARCHIVES, *urls], 2 * SAMPLES + games
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as archiver:
        assert archiver.stdin is not None
        assert archiver.stdout is not None
        archiver.stdout.readline()
        for _ in range(SLICES):
            rates[False].append(_count_moves(store, slice_s))
            put(store, copies(played, first, first + AT_ONCE))
            first += AT_ONCE
            archiver.stdin.write(f"{slice_s}\n")
            archiver.stdin.flush()
            rates[True].append(_count_moves(store, slice_s))
            archived += int(archiver.stdout.readline())
        archiver.stdin.close()
    alone, loaded = (statistics.median(rates[one]) for one in (False, True))
    per_second = archived / (SLICES * slice_s)
    found = {"alone": alone, "beside": loaded, "archived_per_second": per_second}
    return found | {"ratio": loaded / alone}


def _count_moves(store: Store, seconds: float) -> float:
    """Make moves in a game of bots after the other; return moves a second."""
    number, began = 0, time.perf_counter()
    player, _ = store.players.create("bench")
    request = NewGame("carcassonne", [SeatRequest("bot", "random")] * 2)
    table = None
    while (now := time.perf_counter()) < began + seconds:
        if table is None or table.status != "running":
            table = store.commands.create(Intent(player), request).table
        table = store.commands.bots.move(table.id, table.version, play_randomly).table
        number += 1
    return number / (now - began)
