"""What a backup and a restore refuse, and how an interrupted restore is completed."""

from __future__ import annotations

import io
from functools import partial

import pytest

from cartulary.events.backup import load as loading
from cartulary.events.backup.errors import BackupError, DamagedBackup, NotFresh
from cartulary.events.backup.load import begin, check_file, load
from cartulary.events.server import keys
from cartulary.events.server.format import (
    FORMAT,
    HalfRestored,
    NewerStore,
    check_format,
    claim_format,
)
from cartulary.events.store import Store
from tests.events.backup.files import COUNTS, TOKEN, whole
from tests.events.backup.restoring import (
    audit,
    back_up,
    carried,
    load_only,
    restore,
    some_games,
)

pytestmark = pytest.mark.real


def test_a_store_that_is_not_empty_is_refused_and_left_as_it_is(store: Store) -> None:
    some_games(store)
    file = back_up(store)
    before = carried(store.redis)
    with pytest.raises(NotFresh, match="not empty"):
        begin(store.redis, check_file(file), "the.backup")
    assert carried(store.redis) == before
    check_format(store.redis)


def test_no_process_works_on_a_store_while_it_is_restored(store: Store, other: Store) -> None:
    some_games(store)
    load_only(other, back_up(store))
    for refuse in (partial(claim_format, now=0), check_format):
        with pytest.raises(HalfRestored, match=r"restore of the\.backup was interrupted"):
            refuse(other.redis)
    assert other.redis.get("format") == b"%d" % FORMAT


class Stop(Exception):
    """Ends a restore in the middle, as a kill would."""


def test_an_interrupted_restore_is_completed_by_the_same_file(store: Store, other: Store) -> None:
    some_games(store)
    file = back_up(store)
    contents = check_file(file)
    begin(other.redis, contents, "the.backup")

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise Stop

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(loading, "AT_ONCE", 1)
        with pytest.raises(Stop):
            load(other.redis, file, contents, stop)
    assert 1 < other.redis.dbsize() < contents.counts.keys
    with pytest.raises(HalfRestored):
        other.claim()
    with pytest.raises(NotFresh, match="another file"):
        begin(other.redis, check_file(io.BytesIO(whole())), "other.backup")
    restore(other, file)
    assert carried(other.redis) == carried(store.redis)
    assert audit(other) == []
    other.claim()


def test_a_file_that_changes_while_it_is_restored_leaves_the_mark(
    store: Store, other: Store
) -> None:
    some_games(store)
    file = back_up(store)
    contents = check_file(file)
    begin(other.redis, contents, "the.backup")
    with pytest.raises(DamagedBackup):
        load(other.redis, io.BytesIO(file.getvalue()[:-20]), contents)
    with pytest.raises(HalfRestored):
        other.claim()


def test_the_store_of_a_newer_release_is_refused() -> None:
    newer = TOKEN._replace(key=b"format", items=[b"%d" % (FORMAT + 1)])
    data = whole([newer], {**dict.fromkeys(COUNTS, 0), "keys": 1})
    with pytest.raises(NewerStore, match="upgrade"):
        check_file(io.BytesIO(data))


def test_a_key_of_a_wrong_type_ends_the_backup_with_its_name(store: Store) -> None:
    store.redis.set(keys.events("01KODD"), "text")
    with pytest.raises(BackupError, match=r"\{01KODD\}:events"):
        back_up(store)
