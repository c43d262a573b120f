"""Tournaments that have ended go into the archive and back: no step may lose one."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.connection import Connection
from sqlalchemy import Engine, event

from cartulary.events.archive.archive_backup import Carrier, read_rows
from cartulary.events.archive.reading import ArchiveReader, open_by_url
from cartulary.events.archiving.taking import RELEASE_WITHIN_MS, Release
from cartulary.events.backup.dump import dump
from cartulary.events.backup.load import begin, check_file, end, load
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound, TournamentStarted
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.events.upkeep.auditing import verify_tournaments
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.archive.database import run
from tests.events.support.tournaments import Cup
from tests.support.games import ALL_OFFERS
from tests.support.night import short_or_long

pytestmark = pytest.mark.real

NAMES = ("Ada", "Bob", "Cyd", "Dan")
NEVER = 2**53
STRIDE = short_or_long(5, 1)
"""By day a process dies at each fifth step, at night at each one."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/archive.sqlite"


@pytest.fixture
def cup(real_redis: Redis, url: str) -> Iterator[Cup]:
    """A tournament in a store with an archive."""
    cup = Cup(real_redis, url)
    yield cup
    cup.store.archive.close()


@pytest.fixture
def ended(cup: Cup) -> Cup:
    """A duplicate that was played to its end."""
    cup.begin(*NAMES, rounds=1, duplicate=True)
    assert cup.play_all().status == "over"
    return cup


def archive(store: Store) -> int:
    store.redis.delete(*[keys.pin(one) for one in store.tournaments.streams.all_ids()])
    return store.tournaments.make_archiver().run(NEVER).archived


def is_stored(cup: Cup) -> bool:
    return bool(cup.store.redis.exists(keys.tournament(cup.id)))


def is_archived(cup: Cup) -> bool:
    return cup.store.tournaments.streams.archived.read(cup.id) is not None


def read(cup: Cup) -> list[Any]:
    """Return all that a process which has just started reads of a tournament."""
    tournaments = cup.open().tournaments
    known = tournaments.streams.read(cup.id)
    return [
        *(tournaments.streams.deliver(cup.id), known.head, known.tournament),
        tournaments.ranking.describe(known),
        *(tournaments.streams.at(cup.id, 3), tournaments.streams.deliver(cup.id, 2, 2)),
        tournaments.lists.read_page(None),
    ]


def test_an_archived_tournament_reads_as_before_and_leaves_no_key_of_its_own(ended: Cup) -> None:
    known = read(ended)
    assert archive(ended.store) == 1
    assert ended.store.redis.keys(f"{{{ended.id}}}:*") == []
    assert read(ended) == known
    assert ended.now.status == "over", "the process that had read it before"
    assert archive(ended.store) == 0
    assert is_archived(ended)
    assert not is_stored(ended), "no read brings it back"


def test_it_comes_back_as_it_was_and_goes_again_when_its_time_is_over(ended: Cup) -> None:
    known = read(ended)
    before = ended.store.redis.dump(keys.idempotency(ended.id))
    archive(ended.store)
    ended.clock.advance(5_000)
    back = ended.store.tournaments.bringing_back
    assert back.unarchive(ended.id)
    assert (is_stored(ended), is_archived(ended)) == (True, False)
    assert ended.store.redis.dump(keys.idempotency(ended.id)) == before
    assert read(ended) == known
    archiver, now = ended.store.tournaments.make_archiver(), ended.clock.now_ms()
    assert archiver.run(now).looked_at == 0, "as long as after its end"
    assert archiver.run(now + 1).left == 1, "it is pinned for a minute"
    assert archive(ended.store) == 1
    assert read(ended) == known


def test_only_what_has_ended_and_is_in_the_inboxes_is_archived(cup: Cup) -> None:
    cup.begin(*NAMES, rounds=1)
    waiting = cup.store.tournaments.lists.ended
    assert waiting.count_before(NEVER) == 0
    cup.play()
    cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
    assert cup.now.status == "cancelled"
    assert waiting.count_before(NEVER) == 0, "no inbox knows it"
    cup.store.tournaments.driver.run()
    assert waiting.count_before(NEVER) == 1
    assert archive(cup.store) == 1
    assert cup.now.status == "cancelled"


def test_an_earlier_end_than_asked_for_stays(ended: Cup) -> None:
    at = ended.clock.now_ms()
    assert ended.store.tournaments.make_archiver().run(at - 1).looked_at == 0
    assert is_stored(ended)


def test_writes_to_an_archived_tournament_are_refused_as_to_one_that_has_ended(ended: Cup) -> None:
    commands, ada = ended.store.tournaments.commands, Intent(ended.players[0])
    late = Intent(ended.store.players.create("Late")[0])
    host, number = Intent(ended.host), ended.now.tables[1].number

    def list_refusals() -> list[tuple[type, str]]:
        return [
            _refuse(lambda: commands.enter(late, ended.id, None)),
            _refuse(lambda: commands.withdraw(ada, ended.id)),
            _refuse(lambda: commands.withdraw(late, ended.id)),
            _refuse(lambda: commands.start(host, ended.id)),
            _refuse(lambda: commands.cancel(host, ended.id)),
            _refuse(lambda: commands.remove(host, ended.id, ada.who.id)),
            _refuse(lambda: commands.accept_time(ada, ended.id, number, NEVER)),
        ]

    before = list_refusals()
    assert {one for one, _ in before} >= {TournamentStarted}
    archive(ended.store)
    assert list_refusals() == before
    assert commands.enter(ada, ended.id, None).events == [], "who has entered changes nothing"
    assert not is_stored(ended)


def _refuse(command: Callable[[], object]) -> tuple[type, str]:
    with pytest.raises(Exception) as refused:  # noqa: PT011 - compared by the caller
        command()
    return refused.type, str(refused.value)


def test_a_repeated_request_gets_its_stored_answer_from_the_archive(cup: Cup) -> None:
    cup.announce()
    body: dict[str, Any] = {}
    first = cup.store.tournaments.commands.cancel(Intent(cup.host, key="k", body=body), cup.id)
    cup.look()
    assert archive(cup.store) == 1
    again = cup.store.tournaments.commands.cancel(Intent(cup.host, key="k", body=body), cup.id)
    assert again.replayed
    assert (again.events, again.tournament) == (first.events, first.tournament)


# -- processes that die ---------------------------------------------------------------------------


def kill_at(step: int) -> None:
    """Kill this process at a step: before or after a message to the store or to the archive."""
    left = [step]
    send: Any = Connection.send_packed_command

    def count_down(*_: Any) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def send_and_count(connection: Connection, *args: Any, **more: Any) -> None:
        count_down()
        send(connection, *args, **more)
        count_down()

    setattr(Connection, send.__name__, send_and_count)
    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, count_down)


def die_at_each_step(
    cup: Cup, address: str, url: str, act: Callable[[Store], object]
) -> Iterator[int]:
    """Let processes do `act` and die, each a step later, until one comes to its end.

    Yields after each death.
    """
    for step in count(1, STRIDE):
        cup.store.archive.close()
        child = os.fork()
        if not child:
            try:
                mortal = Cup(connect(address), url).store
                kill_at(step)
                act(mortal)
                os._exit(0)
            finally:
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        if not status:
            return
        assert os.WTERMSIG(status) == signal.SIGKILL
        yield step


@pytest.mark.process
def test_an_archiver_that_dies_between_any_two_steps_loses_nothing(
    ended: Cup, real_redis_url: str, url: str
) -> None:
    known, steps = read(ended), 0
    for _ in die_at_each_step(ended, real_redis_url, url, archive):
        steps += 1
        assert read(ended) == known
        assert is_stored(ended) or is_archived(ended)
        if not is_stored(ended):
            assert ended.store.redis.keys(f"{{{ended.id}}}:*") == []
    assert STRIDE * steps >= 20
    archive(ended.store)
    assert (is_stored(ended), is_archived(ended)) == (False, True)
    assert ended.store.tournaments.lists.ended.count_before(NEVER) == 0
    assert read(ended) == known


@pytest.mark.process
def test_a_return_that_dies_between_any_two_steps_loses_nothing(
    ended: Cup, real_redis_url: str, url: str
) -> None:
    known, steps = read(ended), 0
    archive(ended.store)

    def unarchive(store: Store) -> None:
        store.tournaments.bringing_back.unarchive(ended.id)

    for _ in die_at_each_step(ended, real_redis_url, url, unarchive):
        steps += 1
        assert read(ended) == known
        assert is_stored(ended) or is_archived(ended)
        if is_stored(ended):
            assert ended.store.tournaments.lists.ended.count_before(NEVER) == 1
        archive(ended.store)  # each death meets an archived tournament
    assert STRIDE * steps >= 10
    assert (is_stored(ended), is_archived(ended)) == (True, False)
    assert read(ended) == known
    with pytest.raises(NotFound):
        ended.store.tournaments.bringing_back.unarchive("01MISSING")


def test_an_archiver_that_was_frozen_does_not_rely_on_a_row_that_has_left(ended: Cup) -> None:
    taker = ended.store.tournaments.make_archiver()._taker  # noqa: SLF001 - the step in between
    taken = taker.take(ended.id)
    assert taker.release(taken._replace(at=taken.at - RELEASE_WITHIN_MS)) is Release.STAYS
    ended.store.redis.set(keys.pin(ended.id), 1)
    assert taker.release(taken) is Release.STAYS
    ended.store.redis.delete(keys.pin(ended.id))
    ended.store.redis.hset(keys.idempotency(ended.id), "later", "1 1 x")
    assert taker.release(taken) is Release.STAYS, "it was written to"
    assert is_stored(ended)


def test_a_stream_whose_chain_does_not_hold_stays_in_the_store(ended: Cup) -> None:
    key = keys.tournament(ended.id)
    entries: Any = ended.store.redis.xrange(key)
    ended.store.redis.delete(key)
    for entry_id, fields in entries:
        text = fields[b"event"].replace(b'"Cyd"', b'"Cid"')
        ended.store.redis.xadd(key, {**fields, b"event": text}, entry_id)
    done = ended.store.tournaments.make_archiver().run(NEVER)
    assert (done.archived, done.left) == (0, 1)
    assert is_stored(ended)
    later = ended.clock.now_ms() + 3_600_000
    assert ended.store.tournaments.make_archiver().run(later).looked_at == 0, "tomorrow again"


# -- what operators do ----------------------------------------------------------------------------


def test_a_rebuild_keeps_archived_tournaments_in_all_lists_and_the_archive_alone_has_them(
    ended: Cup,
) -> None:
    ada = ended.players[0]
    archive(ended.store)
    before = ended.store.tournaments.lists.read_page(None)
    assert [one["id"] for one in before.tournaments] == [ended.id]
    assert rebuild(ended.store) == []
    assert ended.store.tournaments.lists.read_page(None) == before
    assert ended.store.tournaments.lists.read_page(None, player=ada.id) == before
    told = ended.told(ada)
    ended.store.tournaments.driver.run()
    assert ended.told(ada) == told, "tells nothing twice"
    assert archive(ended.store) == 1, "it is found in the archive"
    assert ended.store.tournaments.lists.ended.count_before(NEVER) == 0


def test_an_audit_verifies_archived_tournaments_and_names_a_damaged_one(
    ended: Cup, url: str
) -> None:
    archive(ended.store)
    ((_, report),) = verify_tournaments(ended.store)
    assert (report.problems, report.pairings) == ([], "proved")
    assert [one["state"] for one in report.rounds] == ["proved"]
    run(url, "UPDATE tournaments SET version = version + 1")
    ((name, damaged),) = verify_tournaments(ended.open())
    assert (name, damaged.valid) == (ended.id, False)
    assert "its row was changed" in damaged.problems[0]["detail"]
    with pytest.raises(BrokenHistory):
        ended.store.tournaments.bringing_back.unarchive(ended.id)
    run(url, "DELETE FROM tournaments")
    ((name, lost),) = verify_tournaments(ended.open())
    assert (name, "its row is missing" in lost.problems[0]["detail"]) == (ended.id, True)
    assert rebuild(ended.store) == [ended.id]


def test_a_backup_carries_archived_tournaments(
    ended: Cup, real_redis: Redis, tmp_path: Path
) -> None:
    known, other_url = read(ended), f"sqlite:///{tmp_path}/other.sqlite"
    archive(ended.store)
    file = io.BytesIO()
    counts = dump(real_redis, file, archived=read_rows(ended.store.archive))
    assert counts.games == len(list(ended.store.ledger.game_ids())), "a tournament is no game"
    real_redis.flushall()
    contents = check_file(file)
    assert contents.archived == 1
    begin(real_redis, contents, "file")
    carrier = Carrier(ArchiveReader(lambda: None, partial(open_by_url, other_url)))
    load(real_redis, file, contents, put_archived=carrier.add)
    carrier.finish()
    end(real_redis)
    other = Cup(real_redis, other_url)
    rebuild(other.store)
    other.id, other.clock = ended.id, ended.clock
    assert read(other) == known
    assert not is_stored(other)
    other.store.archive.close()


def test_a_deleted_name_is_masked_in_an_archived_tournament(ended: Cup) -> None:
    archive(ended.store)
    gone = ended.players[1]
    ended.store.accounts.deletion.delete(gone, gone.name)
    shown = ended.open().tournaments.streams.deliver(ended.id)
    entered = [one for one in shown if one["type"] == "entered"]
    assert [one["player"]["name"] for one in entered].count("(deleted)") == 1
    assert [one.get("masked", False) for one in entered].count(True) == 1
    assert not is_stored(ended)


def test_the_games_of_an_archived_duplicate_stay_open_and_proved(ended: Cup) -> None:
    archive(ended.store)
    store = ended.open()
    for table in ended.now.tables.values():
        assert not store.projector.table(table.game).sealed
        assert store.audit.game(table.game).fair["state"] == "proved"  # type: ignore[index]


def test_games_and_their_tournament_are_archived_each_by_itself(ended: Cup) -> None:
    store = ended.store
    games = [one.game for one in ended.now.tables.values()]
    for game_id in games:
        store.list_updater.follow(store.projector.table(game_id))
    assert store.make_archiver().run(NEVER).archived == len(games)
    assert is_stored(ended)
    assert archive(store) == 1
    fresh = Store(store.redis, ALL_OFFERS, clock=ended.clock, archive=lambda _noted: store.archive)
    assert all(fresh.audit.game(game_id).valid for game_id in games)
    assert fresh.tournaments.streams.read(ended.id).tournament == ended.now
