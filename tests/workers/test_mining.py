"""The job that mines: when it is enqueued, to what it gives way, and a real worker that mines."""

from __future__ import annotations

import signal
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from redis import Redis

from cartulary.events.commands.commands import Intent
from cartulary.events.mining import miner
from cartulary.events.mining.log import NOTED_MS, MinedGame, MiningLog, MiningState
from cartulary.events.mining.miner import ORIGIN, MiningSlice
from cartulary.events.puzzles.records import DAY_MS
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.puzzles.packs import load_pack
from cartulary.puzzles.record import Puzzle
from cartulary.puzzles.tables import play_table
from cartulary.puzzles.walking import WalkStart
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from cartulary.workers import mining
from cartulary.workers.mining import PLACE, MiningFeeder, mine_some, try_to
from cartulary.workers.queues.low_priority_poll import put_job
from cartulary.workers.queues.queues import Queues, put
from cartulary.workers.thinking.analysis_slices import put_slice
from cartulary.workers.wiring import provide
from tests.service.support.caller import Caller, register_player
from tests.support.polling import until
from tests.support.store_with_archive import archive_all, find_url, open_with_archive
from tests.workers.test_processes import DISPATCHER, running

LEFT = MiningState(idle_until=0)


@pytest.fixture
def feeder(store: Store, queue: Queues, monkeypatch: pytest.MonkeyPatch) -> MiningFeeder:
    """What enqueues jobs for ten seconds of CPU a day, on a store that has an archive."""
    monkeypatch.setattr(type(store.archive), "is_set", property(lambda _: True))
    found = MiningFeeder(store, queue)
    found.allowed_s = 10
    return found


def replace(store: Store, **changed: Any) -> None:
    log = MiningLog(store.registry)
    assert log.replace(log.read(), log.read()._replace(**changed))


def test_a_job_waits_at_most_once(feeder: MiningFeeder, queue: Queues) -> None:
    assert [feeder.run(), feeder.run()] == [1, 0]
    assert queue.analysis.count == 1


def test_no_job_comes_while_a_worker_mines(feeder: MiningFeeder, store: Store) -> None:
    with store.leases.hold(PLACE, 0):
        assert feeder.run() == 0
    assert feeder.run() == 1


def test_by_default_nothing_is_mined_and_nothing_is_noted(
    feeder: MiningFeeder, store: Store
) -> None:
    feeder.allowed_s = 0
    assert feeder.run() == 0
    assert not store.registry.exists(keys.mining())


def test_a_setting_is_noted_and_forgotten_when_no_dispatcher_notes_it(
    feeder: MiningFeeder, store: Store
) -> None:
    feeder.run()
    log, now = MiningLog(store.registry), store.clock.now_ms()
    assert log.read_report(now).allowed_s == 10
    assert log.read_report(now + NOTED_MS).allowed_s == 0


def test_an_analysis_goes_first(feeder: MiningFeeder, queue: Queues) -> None:
    put_slice(queue.analysis, "01K", 0)
    assert feeder.run() == 0


def test_no_job_comes_after_the_cpu_of_the_day_is_used_until_the_next_day(
    feeder: MiningFeeder, store: Store
) -> None:
    today = store.clock.now_ms() // DAY_MS
    replace(store, day=today, spent_ms=10_000)
    assert feeder.run() == 0
    replace(store, day=today - 1)
    assert feeder.run() == 1


def test_no_job_comes_where_nothing_is_left(feeder: MiningFeeder, store: Store) -> None:
    replace(store, idle_until=store.clock.now_ms() + 60_000)
    assert feeder.run() == 0


def test_a_job_that_no_worker_takes_is_noted_with_its_time(
    feeder: MiningFeeder, store: Store, queue: Queues
) -> None:
    feeder.run()
    log = MiningLog(store.registry)
    first = log.read_report(store.clock.now_ms()).waits_since
    assert store.clock.now_ms() - 60_000 < first <= store.clock.now_ms()
    analysis: Any = queue.analysis
    analysis.empty()
    feeder.run()
    assert log.read_report(store.clock.now_ms()).waits_since == first
    replace(store, games=1)
    assert log.read_report(store.clock.now_ms()).waits_since == 0


class StandIn:
    """A miner that notes that it ran, and for how long it may go on."""

    ran = 0
    slices: list[MiningSlice]

    def __init__(self, *_: Any) -> None:
        pass

    def run(self, slice_: MiningSlice) -> int:
        StandIn.ran += 1
        StandIn.slices.append(slice_)
        return 1


@pytest.fixture
def ran(
    feeder: MiningFeeder, store: Store, queue: Queues, monkeypatch: pytest.MonkeyPatch
) -> type[StandIn]:
    """A stand-in for the miner in a worker that takes jobs from the queues."""
    monkeypatch.setattr(miner, "Miner", StandIn)
    StandIn.ran, StandIn.slices = 0, []
    provide(store, OFFERS, queue)
    return StandIn


@pytest.mark.usefixtures("ran")
def test_of_two_workers_one_mines(store: Store) -> None:
    with store.leases.hold(PLACE, 0) as lease:
        assert lease is not None
        assert mine_some(10) == 0
    assert mine_some(10) == 1


@pytest.mark.parametrize("waits", ["people", "bots", "think", "analysis"])
def test_a_job_that_waits_goes_first_and_ends_a_slice(
    ran: type[StandIn], queue: Queues, waits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mining, "SLICE_S", 60.0)
    assert mine_some(10) == 1
    slice_ = ran.slices[0]
    assert not slice_.is_over()
    where = {"think": queue.think.people, "analysis": queue.analysis}
    put(where.get(waits) or getattr(queue, waits), "bot", "01K", 3)
    assert slice_.is_over()
    assert not slice_.attempt(lambda: spin(5.0))
    assert (mine_some(10), ran.ran) == (0, 1)


def test_the_next_job_of_its_own_kind_ends_no_slice(
    ran: type[StandIn], feeder: MiningFeeder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mining, "SLICE_S", 60.0)
    mine_some(10)
    assert feeder.run() == 1
    assert not ran.slices[0].is_over()
    assert ran.slices[0].attempt(lambda: spin(0.1))


def spin(seconds: float) -> None:
    """Use CPU until it is interrupted."""
    watch = mining.CpuWatch()
    while watch.read_ms() < 1000 * seconds:
        pass


def test_the_cpu_that_is_left_of_the_day_bounds_a_slice(
    ran: type[StandIn], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = store.clock.now_ms() // DAY_MS
    replace(store, day=today, spent_ms=9_990)
    used = [0]
    monkeypatch.setattr(mining.CpuWatch, "read_ms", lambda _: used[0])
    monkeypatch.setattr(mining, "SLICE_S", 60.0)
    assert mine_some(10) == 1
    assert not ran.slices[0].is_over()
    used[0] = 10
    assert ran.slices[0].is_over()
    replace(store, spent_ms=10_000)
    assert (mine_some(10), ran.ran) == (0, 1)


def test_a_slice_takes_a_quarter_of_a_second(
    ran: type[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [7.0]
    monkeypatch.setattr(mining, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(mining, "CpuWatch", lambda: SimpleNamespace(read_ms=lambda: 0))
    mine_some(1000)
    now[0] = 7.24
    assert not ran.slices[0].is_over()
    now[0] = 7.25
    assert ran.slices[0].is_over()


def test_what_nothing_interrupts_ends() -> None:
    done: list[int] = []
    assert try_to(lambda: done.append(1), lambda: False)
    assert done == [1]


def test_a_store_without_an_archive_is_not_mined(
    ran: type[StandIn], feeder: MiningFeeder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert (feeder.run(), mine_some(10)) == (0, 0)
    assert ran.ran == 0


def test_the_job_is_known_by_its_name(queue: Queues) -> None:
    assert put_job(queue.analysis, mining.JOB, "mine-1", 10)
    assert queue.analysis.jobs[0].func is mine_some


# -- real processes ---------------------------------------------------------------------------

KILLED = """
    import os, signal
    from cartulary.events.mining import miner
    from cartulary.workers import worker
    mine_question = miner.mine_question
    def mine(offer, looked, origin, seed):
        if looked.index == int(os.environ["DIES_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)
        return mine_question(offer, looked, origin, seed)
    miner.mine_question = mine
    miner.choose_seed = lambda _: "37/1"
    worker.main()
"""
"""A worker that mines with the seed of the pack that ships, and which may die at a question."""

SHIPPED_TABLE = 1
"""The first table of the shipped run of Carcassonne that has a puzzle."""


@pytest.fixture
def archived(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    with open_with_archive(real_redis, tmp_path) as store:
        store.claim()
        store.puzzles.shelf.load = lambda _: None
        yield store


@pytest.mark.slow
@pytest.mark.real
def test_an_archived_game_becomes_a_puzzle_though_a_worker_is_killed_in_its_middle(
    archived: Store, real_redis_url: str, tmp_path: Path
) -> None:
    """Real dispatcher, workers and bots; the puzzle is the one that ships for that seed."""
    offer, pack = OFFERS["carcassonne"], load_pack(OFFERS["carcassonne"])
    wanted = pack.read(pack.entries[0].id)
    place = len(wanted.transcript["moves"])
    game_id = put_game_under_way(archived, place - 6)
    program, log = textwrap.dedent(KILLED), MiningLog(archived.registry)
    environment = {
        "CARTULARY_ARCHIVE_URL": find_url(tmp_path),
        "CARTULARY_MINING_SECONDS": "600",
    }
    with running(real_redis_url, *DISPATCHER, **environment):
        with running(real_redis_url, "-c", program, DIES_AT=str(place), **environment) as killed:
            assert killed.wait(60) == -signal.SIGKILL
        under_way = log.read().under_way
        assert under_way is not None
        assert (under_way.id, under_way.tries) == (game_id, 1)
        assert archived.puzzles.shelf.list_games() == []
        with running(real_redis_url, "-c", program, DIES_AT="-1", **environment):
            until(lambda: log.read().puzzles == 1, within=60)
    check_next(archived, wanted, offer.name)
    assert 0 < log.read().cpu_ms < 60_000


def put_game_under_way(store: Store, done: int) -> str:
    """Archive a game of the shipped run, of which so many decisions were looked at."""
    table = play_table(OFFERS["carcassonne"], "37", SHIPPED_TABLE)
    ada = store.players.create("Ada")[0]
    game_id = store.commands.import_transcript(Intent(ada), table.to_json()).table.id
    archive_all(store)
    game = MinedGame("carcassonne", game_id, WalkStart(done))
    assert MiningLog(store.registry).replace(MiningState(), MiningState(game))
    return game_id


def check_next(store: Store, wanted: Puzzle, game: str) -> None:
    """Hold that the service shows a puzzle to a player who asks for the next one."""
    found = store.puzzles.shelf.find(wanted.id)
    assert found is not None
    assert found == wanted._replace(made=ORIGIN.describe())
    app = create_app(WebSettings(log_requests=False), store, OFFERS)
    try:
        player: Caller = register_player(app, "Bob")
        shown = player.get(f"/puzzles/next?game={game}")
        assert (shown.status_code, shown.json["id"]) == (200, wanted.id)
    finally:
        app.extensions["cartulary"].board_pictures.close()
        app.extensions["cartulary"].hub.close()


@pytest.mark.slow
@pytest.mark.real
def test_a_worker_mines_no_private_game_and_none_of_a_deleted_player(
    archived: Store, real_redis_url: str, tmp_path: Path
) -> None:
    transcript = play_table(OFFERS["carcassonne"], "37", SHIPPED_TABLE).to_json()
    ada, gone = (archived.players.create(name)[0] for name in ("Ada", "Bob"))
    archived.commands.import_transcript(Intent(ada), transcript, visibility="private")
    archived.commands.import_transcript(Intent(gone), transcript)
    archive_all(archived)
    archived.accounts.deletion.delete(gone, "Bob")
    program = "from cartulary.events.mining import miner; miner.RIPE_MS = -60_000\n"
    program += "from cartulary.workers import worker; worker.main()"
    environment = {
        "CARTULARY_ARCHIVE_URL": find_url(tmp_path),
        "CARTULARY_MINING_SECONDS": "600",
    }
    log = MiningLog(archived.registry)
    with (
        running(real_redis_url, *DISPATCHER, **environment),
        running(real_redis_url, "-c", program, **environment),
    ):
        until(lambda: log.read().idle_until > 0, within=60)
    state = log.read()
    assert (state.games, state.puzzles, state.under_way) == (0, 0, None)
    assert archived.puzzles.shelf.list_games() == []
