"""A large site, made for the benches: players, and rated games in the archive and in the store.

A data directory of `cartulary serve` that is made once and used by several benches. The games are
copies of some that were played (`_originals`); each player's share of them falls off evenly, the
most active has played some thousand of a million. A `copies`-th of the streams is made, and lies
there under so many ids: games that differ in their ids and summaries only. Most games are in the
archive, `stored` of each thousand in the store, the newest ones. The ratings are folded by the
service's own fold. What is missing of a site: inboxes, chats, the keys of the creations.
"""

from __future__ import annotations

import random
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from ulid import ULID

from bench.company._originals import RatedOriginal, copy_game, play_originals
from bench.store._finished import make_id, make_name
from bench.store._row_writer import GameCopies, RowWriter
from bench.store.archive import put, read_used
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.operators.store import open_by_url
from cartulary.cli.shared.environment import ARCHIVE_FILE, ARCHIVE_URL
from cartulary.cli.shared.progress import progress
from cartulary.events.model.clock import format_time
from cartulary.events.people.name_folding import write_entry
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.ratings.results import GameResult

SEED = 32
ORIGINALS = 16
"""Games of each kind and size of table that are played."""

AT_ONCE = 1000
"""Games that are written in one transaction of the archive."""

DAYS = 80
"""The games have ended within so many days: all players are on the leaderboards."""

DAY_MS = 24 * 3_600_000
NOTES = "world.json"


class WorldPlan(NamedTuple):
    """What is made: so many games and players."""

    games: int
    players: int
    copies: int = 10
    stored: int = 10
    archive: str = ""
    """The URL of the archive, '' for a file in the directory."""


class World(NamedTuple):
    """A site in a data directory, and what it took to make it."""

    data: Path
    plan: WorldPlan
    secret: str
    figures: dict[str, float]

    @property
    def archive_url(self) -> str:
        """The URL of the archive."""
        return self.plan.archive or f"sqlite:///{self.data.absolute() / ARCHIVE_FILE}"

    @property
    def environment(self) -> dict[str, str]:
        """Settings of the processes that work on the site: what is in the store stays there."""
        settings = {"CARTULARY_SECRET": self.secret, "CARTULARY_ARCHIVE_AFTER": "off"}
        return {**settings, ARCHIVE_URL: self.archive_url}


@contextmanager
def open_world(world: World) -> Iterator[tuple[Store, EmbeddedValkey]]:
    """Yield the store of a site and its server, which is started."""
    with EmbeddedValkey(world.data / "valkey") as valkey:
        store = open_by_url(str(valkey.url), world.archive_url)
        try:
            yield store, valkey
        finally:
            store.close()


def find_world(data: Path, plan: WorldPlan) -> World:
    """Return the site in a directory; it is made where the directory is empty or missing.

    Raises `RuntimeError` for a directory with another site, or one whose making was broken off.
    """
    notes = data / NOTES
    if notes.exists():
        known = orjson.loads(notes.read_bytes())
        world = World(data, WorldPlan(**known["plan"]), known["secret"], known["figures"])
        if world.plan[:2] != plan[:2]:
            raise RuntimeError(f"{data} has {world.plan}: choose another --directory")
        return world
    if data.exists() and any(data.iterdir()):
        raise RuntimeError(f"{data} is not empty, and has no whole site: remove it")
    data.mkdir(parents=True, exist_ok=True)
    world = World(data, plan, secrets.token_hex(32), {})
    originals = _play_elsewhere(min(ORIGINALS, max(2, plan.games // 100)))
    with open_world(world) as (store, _):
        store.claim()
        figures = fill(store, plan._replace(archive=world.archive_url), originals)
    figures["archive_bytes_each"] = _measure_files(data) / max(1, plan.games)
    world = world._replace(figures=figures)
    text = {"plan": plan._asdict(), "secret": world.secret, "figures": figures}
    notes.write_bytes(orjson.dumps(text))
    return world


def _play_elsewhere(number: int) -> list[RatedOriginal]:
    """Play the originals in a store of their own: the site has its own players only."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedValkey(folder) as valkey:
        store = Store(connect(str(valkey.url)), OFFERS, rng=random.Random(SEED))
        try:
            return play_originals(store, random.Random(SEED), number)
        finally:
            store.close()


def _measure_files(data: Path) -> int:
    return sum(file.stat().st_size for file in data.glob(f"{ARCHIVE_FILE}*"))


# -- making it ---------------------------------------------------------------------------------


def fill(
    store: Store,
    plan: WorldPlan,
    originals: Sequence[RatedOriginal],
    weigh: Callable[[Store], int] = read_used,
) -> dict[str, float]:
    """Make the site in an empty store; return how long each step took, and the bytes.

    `weigh` returns the bytes that the store takes.
    """
    rng = random.Random(SEED)
    store.archive_state.claim(store.archive.archive.identify())
    figures: dict[str, float] = {}
    with _timed(figures, "players"):
        players = _register(store, plan.players, rng)
    before = weigh(store)
    with _timed(figures, "games"):
        _write_games(store, originals, players, plan, rng)
    figures["noted_bytes_each"] = (weigh(store) - before) / plan.games
    with _timed(figures, "fold"), progress("folded") as show:
        store.ratings.fold_all(progress=show)
    figures["store_bytes_each"] = (weigh(store) - before) / plan.games
    return figures


@contextmanager
def _timed(figures: dict[str, float], name: str) -> Iterator[None]:
    """Note the seconds of a step, and the CPU seconds of this process."""
    began, cpu = time.perf_counter(), time.process_time()
    yield
    figures[f"{name}_s"] = time.perf_counter() - began
    figures[f"{name}_cpu_s"] = time.process_time() - cpu


def _register(store: Store, number: int, rng: random.Random) -> list[Player]:
    """Write players as the registry has them, but for tokens: they only play."""
    players: list[Player] = []
    created_at = format_time(store.clock.now_ms() - DAYS * DAY_MS)
    with progress("players") as show:
        while len(players) < number:
            pipe = store.registry.pipeline(transaction=False)
            for at in range(len(players), min(number, len(players) + AT_ONCE)):
                player = Player(str(ULID()), f"{make_name(rng)} {at}", created_at)
                record: Any = {"id": player.id, "name": player.name, "created_at": created_at}
                pipe.hset(keys.player(player.id), mapping=record)
                pipe.zadd(keys.names(), {write_entry(player.name, player.id): 0})
                players.append(player)
            pipe.execute()
            show(len(players), number)
    return players


def _write_games(
    store: Store,
    originals: Sequence[RatedOriginal],
    players: Sequence[Player],
    plan: WorldPlan,
    rng: random.Random,
) -> None:
    """Write the games and note their results; the newest ones are in the store."""
    made, done = make_games(originals, players, plan, rng, store.clock.now_ms()), 0
    archived = plan.games - plan.games * plan.stored // 1000
    writer = RowWriter(plan.archive)
    with closing(writer), progress("games") as show:
        while some := list(islice(made, max(1, _limit(archived - done) // plan.copies))):
            if done < archived:
                writer.write([copies for copies, _ in some])
            else:
                put(store, (game for copies, _ in some for game in copies.list_games()))
            results = [one for _, found in some for one in found]
            store.ratings.note_all(results)
            done += len(results)
            show(done, plan.games)


def _limit(left: int) -> int:
    """Return how many games are written at once while so many are left for the archive."""
    return min(AT_ONCE, left) if left > 0 else AT_ONCE


def make_games(
    originals: Sequence[RatedOriginal],
    players: Sequence[Player],
    plan: WorldPlan,
    rng: random.Random,
    now: int,
) -> Iterator[tuple[GameCopies, list[GameResult]]]:
    """Yield the games in the order of their ends with their copies, and the results of all."""
    left, began = plan.games, now - DAYS * DAY_MS
    while left:
        ended_at = began + (plan.games - left) * DAYS * DAY_MS // plan.games
        original = rng.choice(originals)
        seated = choose_players(players, len(original.players), rng)
        first, *others = (make_id(rng, ended_at) for _ in range(min(plan.copies, left)))
        game, result = copy_game(original, seated, first, ended_at)
        results = [result, *(result._replace(id=one) for one in others)]
        yield GameCopies(game, others), results
        left -= len(results)


def choose_players(players: Sequence[Player], number: int, rng: random.Random) -> list[Player]:
    """Return different players; those at the front of the list play most."""
    chosen: dict[str, Player] = {}
    while len(chosen) < number:
        player = players[int(len(players) * rng.random() ** 2)]
        chosen[player.id] = player
    return list(chosen.values())


def read_commands(store: Store) -> dict[str, tuple[int, int]]:
    """Return the calls of each command of the server, and the microseconds that they took."""
    found: Any = store.redis.info("commandstats")
    return {
        name.removeprefix("cmdstat_"): (row["calls"], row["usec"]) for name, row in found.items()
    }
