"""A store that falls back to an earlier copy: everybody sees what is stored, and play goes on."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.lists.projections import Projections
from cartulary.events.live.live import Hub
from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.events.upkeep.stale_lists import SETTLED_S, STOOD_STILL_S, Mender
from tests.conftest import OFFERS
from tests.events.support.bean_games import ME, any_move, beans_game, shown
from tests.support.polling import until

pytestmark = pytest.mark.real

PROCESSES, GAMES = 3, 30


class Falling:
    """A server that can be copied, killed, and started again on the copy."""

    def __init__(self, directory: Path) -> None:
        # A copy has what was answered before: with `everysec` a slow sync holds writes back.
        self.valkey = EmbeddedValkey(directory / "data", "always")
        self.url = self.valkey.start()
        self._copy = directory / "copy"

    def copy(self) -> None:
        """Keep what is stored now."""
        shutil.copytree(self.valkey.data_dir / "appendonlydir", self._copy)

    def fall_back(self) -> None:
        """Lose everything that was stored after the copy."""
        assert self.valkey.pid is not None
        os.kill(self.valkey.pid, signal.SIGKILL)
        self.valkey.stop()
        shutil.rmtree(self.valkey.data_dir / "appendonlydir")
        shutil.move(self._copy, self.valkey.data_dir / "appendonlydir")
        assert self.valkey.start() == self.url


@pytest.fixture
def server() -> Iterator[Falling]:
    # Not `tmp_path`: a path too long for a socket would have another socket after the restart.
    with tempfile.TemporaryDirectory(prefix="fall-") as directory:
        falling = Falling(Path(directory))
        yield falling
        falling.valkey.stop()


@pytest.fixture
def processes(server: Falling) -> Iterator[list[Store]]:
    """Stores with memories of their own, as so many processes have."""
    stores = [Store(connect(server.url), OFFERS, rng=random.Random(n)) for n in range(PROCESSES)]
    yield stores
    for store in stores:
        store.close()


def play(store: Store, player: Player, table: Table, moves: int, seed: int = 1) -> Table:
    rng = random.Random(seed)
    for _ in range(moves):
        table = store.commands.move(
            Intent(player, table.version), table.id, any_move(table, rng)
        ).table
    return table


def open_games(store: Store, player: Player) -> list[Table]:
    wanted = [NewGame("carcassonne", [ME, ME]), NewGame("caylus", [ME, ME])]
    opened = [store.commands.create(Intent(player), wanted[n % 2]).table for n in range(GAMES)]
    return [play(store, player, table, 5) for table in opened]


def test_every_view_shows_what_is_stored_and_every_legal_move_is_accepted(
    server: Falling, processes: list[Store]
) -> None:
    ada = processes[0].players.create("Ada")[0]
    before = open_games(processes[0], ada)
    server.copy()
    lost = [play(processes[n % 3], ada, table, 1 + n % 4, n) for n, table in enumerate(before)]
    for store in processes:
        for table in lost:
            assert store.projector.table(table.id).version == table.version
            assert store.projector.table(table.id, table.version - 1).head
    server.fall_back()
    for number, (table, gone) in enumerate(zip(before, lost, strict=True)):
        for store in processes[number % 3 :] + processes[: number % 3]:
            with pytest.raises(NotFound):
                store.projector.table(table.id, gone.version)
            assert shown(store.projector.table(table.id)) == shown(table)
            assert store.projector.table(table.id).head == table.head
    for number, table in enumerate(before):
        mover = processes[(number + 1) % 3]
        assert mover.commands.move(Intent(ada, table.version), table.id, any_move(table)).events
        after = play(processes[number % 3], ada, mover.projector.table(table.id), 6, number + 7)
        assert {store.projector.table(table.id).head for store in processes} == {after.head}
    assert [one for one in before if processes[0].audit.game(one.id).problems] == []


def test_a_process_that_remembers_a_lost_branch_writes_to_the_stored_branch(
    server: Falling, processes: list[Store]
) -> None:
    """The versions are equal, so only the hash of the last event tells the branches apart."""
    ada = processes[0].players.create("Ada")[0]
    before = open_games(processes[0], ada)
    server.copy()
    lost = [play(processes[0], ada, table, 3, 11) for table in before]
    server.fall_back()
    stored = [play(processes[1], ada, table, 3, 12) for table in before]
    branches = [pair for pair in zip(lost, stored, strict=True) if pair[0].head != pair[1].head]
    assert len(branches) > GAMES // 2
    for gone, now in branches:
        assert gone.version == now.version
        remembered = processes[0].projector.newest(gone.id)
        assert remembered is not None
        assert remembered.head == gone.head, "the process must believe in the lost branch"
        written = processes[0].commands.move(Intent(ada, now.version), now.id, any_move(now))
        assert written.events[0]["prev"] == now.head
        assert processes[0].audit.game(now.id).problems == []


def test_a_snapshot_of_a_lost_version_is_not_used(server: Falling, processes: list[Store]) -> None:
    ada = processes[0].players.create("Ada")[0]
    table = processes[0].commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    table = play(processes[0], ada, table, EVERY - table.version - 3)
    server.copy()
    gone = play(processes[0], ada, table, 3, 11)
    server.fall_back()
    now = play(processes[1], ada, table, 6, 12)
    assert gone.version == EVERY
    # A process that was slow writes its snapshot only after the store has fallen back.
    processes[0].snapshots.save(gone)
    for version in (None, EVERY, EVERY + 1):
        cold = Store(connect(server.url), OFFERS)
        processes[0].snapshots.save(gone)
        assert cold.projector.table(table.id, version).head == (
            processes[1].projector.table(table.id, version).head
        )
        assert cold.snapshots.load(table.id, EVERY) is None, "it is removed"
        cold.close()
    assert now.version == EVERY + 3


def test_summaries_of_lost_versions_are_made_again(server: Falling, processes: list[Store]) -> None:
    first, second, third = processes
    ada = first.players.create("Ada")[0]
    table = first.commands.create(Intent(ada), beans_game()).table
    first.projections.apply(table)
    server.copy()
    mender = Mender(third)
    assert mender.step() == 0
    gone = play(first, ada, table, 2)
    vanished = first.commands.create(Intent(ada), beans_game()).table
    server.fall_back()
    # A process that was slow writes its summaries only after the store has fallen back.
    first.projections.apply(gone)
    first.projections.apply(vanished)
    assert second.projections.summary(table.id) != shown_summary(table)
    until(lambda: mender.step() > 0)
    assert second.projections.summary(table.id) == shown_summary(table)
    assert [one["id"] for one in second.projections.lobby().games] == [table.id]
    mender.close()


def test_what_the_inboxes_know_of_lost_events_is_made_again_with_the_summary(
    server: Falling, processes: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seed B-1 of profile relief: else it stays at the lost version until the next event."""
    first, second, third = processes
    ada = first.players.create("Ada")[0]
    table = first.commands.create(Intent(ada), beans_game()).table
    first.list_updater.follow(table)
    known = second.projections.read_told(table.id)
    server.copy()
    mender = Mender(third)
    assert mender.step() == 0
    gone, project = play(first, ada, table, 2), first.projections.project

    def project_late(*words: Any) -> Any:
        monkeypatch.undo()
        server.fall_back()
        return project(*words)

    monkeypatch.setattr(first.projections, "project", project_late)
    first.list_updater.follow(gone)  # it had read the events before the store fell back
    assert second.projections.read_told(table.id) != known
    until(lambda: mender.step() > 0)
    assert second.projections.read_told(table.id) == known
    mender.close()


def test_a_summary_that_comes_late_is_made_again_when_all_has_settled_and_once_more(
    server: Falling, processes: list[Store]
) -> None:
    ada = processes[0].players.create("Ada")[0]
    table = processes[0].commands.create(Intent(ada), beans_game()).table
    server.copy()
    now = [0.0]
    mender = Mender(processes[1], clock=lambda: now[0])
    gone = play(processes[0], ada, table, 2)
    server.fall_back()
    while mender.step() or mender.is_looking:
        pass
    processes[0].projections.apply(gone)
    assert mender.step() == 0
    for moment in (SETTLED_S, STOOD_STILL_S):
        now[0] = moment
        assert mender.step() == 1
        assert processes[2].projections.summary(table.id) == shown_summary(table)
        processes[0].projections.apply(gone)  # by a process that has stood still
        assert mender.step() == 0
    mender.close()


def test_the_next_event_mends_a_summary_that_is_ahead(
    server: Falling, processes: list[Store]
) -> None:
    ada = processes[0].players.create("Ada")[0]
    table = processes[0].commands.create(Intent(ada), beans_game()).table
    server.copy()
    gone = play(processes[0], ada, table, 2)
    server.fall_back()
    processes[0].projections.apply(gone)
    now = play(processes[1], ada, table, 1, 5)
    assert processes[1].projections.apply(now)
    assert processes[1].projections.summary(table.id) == shown_summary(now)


def test_a_summary_at_the_same_version_of_a_lost_branch_is_made_again(
    server: Falling, processes: list[Store]
) -> None:
    ada = processes[0].players.create("Ada")[0]
    table = processes[0].commands.create(Intent(ada), beans_game()).table
    server.copy()
    gone = play(processes[0], ada, table, 2, 1)
    server.fall_back()
    now = play(processes[1], ada, table, 2, 2)
    projections: Projections = processes[1].projections
    projections.apply(gone)
    assert projections.apply(now)
    assert not projections.apply(now)
    assert projections.summary(table.id) == shown_summary(now)


def test_a_process_that_slept_writes_no_summary_of_a_lost_event_over_that_of_the_stored_event(
    server: Falling, processes: list[Store]
) -> None:
    asleep, awake, dispatcher = processes
    ada = awake.players.create("Ada")[0]
    table = awake.commands.create(Intent(ada), beans_game()).table
    server.copy()
    play(awake, ada, table, 2, 1)
    gone = asleep.projector.table(table.id)  # and here it stands still
    server.fall_back()
    now = play(awake, ada, table, 2, 2)
    assert (gone.version, gone.head == now.head) == (now.version, False)
    awake.list_updater.follow(now)
    before = awake.redis.hgetall(keys.summary(table.id)), list_due(awake)
    asleep.list_updater.follow(gone)
    assert (awake.redis.hgetall(keys.summary(table.id)), list_due(awake)) == before
    assert dispatcher.projections.summary(table.id) == shown_summary(now)


def list_due(store: Store) -> Any:
    return store.redis.zrange(keys.due(), 0, -1, withscores=True)


@pytest.mark.parametrize("moves", [0, 2, 4])
def test_a_stream_of_a_lost_branch_ends_and_a_new_stream_shows_what_is_stored(
    server: Falling, processes: list[Store], moves: int
) -> None:
    """The stored branch may be shorter than the lost branch, as long or longer."""
    ada = processes[0].players.create("Ada")[0]
    table = processes[0].commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    server.copy()
    lost = play(processes[0], ada, table, 2, 21)
    hub = Hub(processes[2].ledger)
    with closing(hub), hub.subscribe(table.id, 0) as subscription:
        assert subscription.get(5)[-1].hash == lost.head
        server.fall_back()
        now = play(processes[1], ada, table, moves, 22)
        assert now.head != lost.head
        until(lambda: subscription.closed)
        assert [event.version for event in subscription.get(0)] == []
    with hub.subscribe(table.id, 0) as again:
        events = again.get(5)
        assert [event.version for event in events] == list(range(1, now.version + 1))
        assert events[-1].hash == now.head


def shown_summary(table: Table) -> dict[str, object]:
    return {key: value for key, value in shown(table).items() if key != "view"}
