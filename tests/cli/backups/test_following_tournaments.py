"""`backup --follow`: a tournament arrives, and so does its way into the archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from cartulary.cli.backups import making
from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.archive.archive_backup import read_rows
from cartulary.events.server import keys
from cartulary.events.upkeep.auditing import verify_tournaments
from tests.cli.backups.following import Shipping
from tests.events.backup.restoring import carried
from tests.events.support.tournaments import Cup

pytestmark = pytest.mark.real

NEVER = 2**53


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    with EmbeddedValkey(tmp_path / "elsewhere") as valkey:
        assert valkey.url is not None
        yield valkey.url


@pytest.fixture
def cup(real_redis: Redis, tmp_path: Path) -> Iterator[Cup]:
    cup = Cup(real_redis, f"sqlite:///{tmp_path}/archive.sqlite")
    yield cup
    cup.store.archive.close()


def test_a_tournament_that_is_archived_meanwhile_arrives_in_the_archive(
    cup: Cup, tmp_path: Path, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "prove", lambda _file, _jobs: None)
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=1, duplicate=True)
    store = cup.store
    (tmp_path / "shipping").mkdir()
    shipping = Shipping(store, tmp_path / "shipping")
    shipping.begin()
    assert cup.play_all().status == "over"
    shipping.turn()
    store.redis.delete(*[keys.pin(one) for one in store.tournaments.streams.all_ids()])
    assert store.tournaments.make_archiver().run(NEVER).archived == 1
    shipping.turn()
    assert not store.redis.exists(keys.tournament(cup.id))
    with shipping.restored(elsewhere) as other:
        assert carried(other.redis) == carried(store.redis)
        assert list(read_rows(other.archive)) == list(read_rows(store.archive))
        assert [report.valid for _id, report in verify_tournaments(other)] == [True]
    shipping.follower.end()
