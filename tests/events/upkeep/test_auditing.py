"""The audit of all games: in several processes, with the same reports in the same order."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from functools import partial

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.disk_set import DiskSet
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.upkeep import auditing
from cartulary.events.upkeep.auditing import audit_all, verify_studies
from tests.conftest import OFFERS
from tests.events.support.bean_games import beans_game

pytestmark = pytest.mark.real


def open_at(url: str) -> Store:
    return Store.open(StoreSettings(url, url), OFFERS)


@pytest.fixture
def store(real_store: Store) -> Store:
    return real_store


def test_games_are_audited_in_the_order_of_their_ids_whatever_the_number_of_processes(
    store: Store, ada: Player, real_redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = sorted(store.commands.create(Intent(ada), beans_game()).table.id for _ in range(40))
    store.redis.xadd(keys.events(ids[1]), {"event": b"?"}, id="3-0")
    monkeypatch.setattr(auditing, "BATCH", 3)
    found = []
    for jobs in (1, 3):
        steps = Steps()
        reports = list(audit_all(partial(open_at, real_redis_url), jobs, steps.note))
        assert [report.game_id for report in reports] == ids
        assert [report.valid for report in reports] == [one != ids[1] for one in ids]
        assert steps.seen == [(done, 40) for done in range(1, 41)]
        found.append(reports)
        assert multiprocessing.active_children() == [], "no process is left"
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("stored", "problem"),
    [
        (b'{"type":"newer","schema":1}', "unknown"),
        (b"{", "unreadable"),
        (b'{"type":"study_created","schema":1}', "unreadable"),
    ],
)
def test_a_study_that_cannot_be_read_is_named_and_the_others_are_audited(
    store: Store, stored: bytes, problem: str
) -> None:
    for study_id in ("01A", "01B"):
        store.registry.xadd(keys.study(study_id), {"event": stored}, id="1-0")
    found = dict(verify_studies(store))
    words = {study_id: [one["problem"] for one in faults] for study_id, faults in found.items()}
    assert words == {"01A": [problem], "01B": [problem]}


class Steps:
    """The progress that was reported."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def note(self, done: int, total: int) -> None:
        self.seen.append((done, total))


def test_only_a_few_batches_wait_at_a_time(
    store: Store, ada: Player, real_redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(60):
        store.commands.create(Intent(ada), beans_game())
    monkeypatch.setattr(auditing, "BATCH", 2)
    taken: list[int] = []
    real = auditing._cut  # noqa: SLF001

    def cut(games: DiskSet) -> Iterator[list[str]]:
        for batch in real(games):
            taken.append(len(batch))
            yield batch

    monkeypatch.setattr(auditing, "_cut", cut)
    for done, _ in enumerate(audit_all(partial(open_at, real_redis_url), 2), start=1):
        assert sum(taken) - done <= 2 * auditing.AHEAD * 2


def test_a_game_that_is_removed_meanwhile_is_left_out(
    store: Store, ada: Player, real_redis_url: str
) -> None:
    ids = sorted(store.commands.create(Intent(ada), beans_game()).table.id for _ in range(3))
    reports = audit_all(partial(open_at, real_redis_url), 1)
    assert next(reports).game_id == ids[0]
    store.redis.delete(keys.events(ids[1]))
    assert [report.game_id for report in reports] == ids[2:]


def test_a_store_without_games_has_no_reports(real_redis_url: str) -> None:
    for jobs in (1, 2):
        assert list(audit_all(partial(open_at, real_redis_url), jobs)) == []
