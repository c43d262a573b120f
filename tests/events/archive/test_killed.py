"""A process of an archiver that is killed leaves every game whole, in at least one place."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.support.small_transcript import small
from tests.support.store_with_archive import open_with_archive, tell_all

KILLS = 3
ENOUGH = 10**6


def run_archiver(url: str, folder: Path, step: int) -> int:
    words = [sys.executable, "-m", "tests.events.archive.dying", url, str(folder), str(step)]
    return subprocess.run(words, check=False, timeout=60).returncode


def read(store: Store, game_id: str) -> list[Any]:
    store.projector.forget()
    texts = [fields[b"event"] for _, fields in store.ledger.entries(game_id)]
    return [texts, store.notes.find("somebody", game_id), store.projections.summary(game_id)]


def check_whole(store: Store, game_id: str, texts: list[bytes]) -> tuple[bool, bool]:
    """Check that each place has the whole game or nothing of it; return which of them has it."""
    stored = store.redis.exists(keys.events(game_id))
    left = [key for key in store.redis.scan_iter(f"{{{game_id}}}:*") if not key.endswith(b":pin")]
    assert stored or left == []
    if stored:
        found: Any = store.redis.xrange(keys.events(game_id))
        assert [fields[b"event"] for _, fields in found] == texts
    row = store.archive.read(game_id)
    assert row is None or list(row.texts) == texts
    return bool(stored), row is not None


@pytest.mark.real
def test_a_killed_archiver_leaves_each_game_whole_and_the_next_one_finishes(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, rng: random.Random
) -> None:
    with open_with_archive(real_redis, tmp_path) as store:
        ada = store.players.create("Ada")[0]
        games = [store.commands.import_transcript(Intent(ada), small()).table.id for _ in range(6)]
        for game_id in games:
            store.redis.hset(keys.notes(game_id), "somebody", f"a note on {game_id}")
        tell_all(store)
        known = {game_id: read(store, game_id) for game_id in games}
        for _ in range(KILLS):
            # The name of the test is the seed: the steps are the same in every run.
            killed = run_archiver(real_redis_url, tmp_path, rng.randint(1, 30))
            assert killed == -signal.SIGKILL
            for game_id, whole in known.items():
                assert any(check_whole(store, game_id, whole[0]))
                assert read(store, game_id) == whole
        assert run_archiver(real_redis_url, tmp_path, ENOUGH) == 0
        for game_id, whole in known.items():
            assert check_whole(store, game_id, whole[0]) == (False, True)
            assert read(store, game_id) == whole
