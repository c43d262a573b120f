"""The format of a store keeps old processes from what a newer release has written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

from cartulary.events.server import format as formatting
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT, NewerStore, check_format, claim_format
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.conftest import OFFERS
from tests.support.night import short_or_long

NOW = 1_800_000_000_000


def stored(store: Store) -> bytes | None:
    found: bytes | None = store.redis.get(keys.store_format())  # type: ignore[assignment]
    return found


def test_claiming_a_store_notes_the_format(store: Store) -> None:
    assert stored(store) is None
    store.claim()
    assert stored(store) == b"%d" % FORMAT


def test_claiming_raises_a_lower_format(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    claim_format(store.redis, NOW)
    monkeypatch.setattr(formatting, "FORMAT", FORMAT + 1)
    claim_format(store.redis, NOW)
    assert stored(store) == b"%d" % (FORMAT + 1)


def test_a_newer_store_is_refused_and_left_as_it_is(store: Store) -> None:
    store.redis.set(keys.store_format(), FORMAT + 1)
    for refuse in (store.claim, store.ping, store.inspect):
        with pytest.raises(NewerStore, match=f"format is {FORMAT + 1}"):
            refuse()
    assert stored(store) == b"%d" % (FORMAT + 1)


def test_inspecting_a_store_changes_nothing(store: Store) -> None:
    store.inspect()
    assert store.redis.dbsize() == 0


@pytest.mark.parametrize("damaged", ["", "newest", "-1"])
def test_a_format_that_is_no_number_counts_as_none(store: Store, damaged: str) -> None:
    store.redis.set(keys.store_format(), damaged)
    check_format(store.redis)
    claim_format(store.redis, NOW)
    assert stored(store) == b"%d" % FORMAT


def test_a_process_claims_once_so_that_it_works_on_during_an_upgrade(store: Store) -> None:
    store.ping()
    store.redis.set(keys.store_format(), FORMAT + 1)
    store.ping()
    with pytest.raises(NewerStore):
        Store(store.redis, OFFERS).ping()


def test_a_rebuild_keeps_the_format(store: Store) -> None:
    store.claim()
    rebuild(store)
    assert stored(store) == b"%d" % FORMAT


@pytest.mark.real
@pytest.mark.parametrize(
    "arguments",
    [
        ["cartulary.workers.worker"],
        ["cartulary.cli", "serve", "--port", "0"],
        ["cartulary.cli", "audit"],
        ["cartulary.cli", "rebuild"],
        ["cartulary.workers.dispatcher"],
    ][: short_or_long(2, 5)],
    ids=lambda arguments: arguments[-1] if len(arguments) < 3 else "serve",
)
def test_a_process_of_an_older_release_ends_with_2_and_says_why(
    real_redis: Redis, real_redis_url: str, tmp_path: Path, arguments: list[str]
) -> None:
    real_redis.set(keys.store_format(), FORMAT + 1)
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        env={**os.environ, "CARTULARY_EVENTS_URL": real_redis_url},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "a newer release has written to this store" in done.stderr
    assert "Traceback" not in done.stderr
