"""`cartulary status` says how the service does, whether it runs or not."""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from socket import gethostname
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result
from redis import Redis

from cartulary.cli.embedded.embedded import EmbeddedValkey
from cartulary.cli.main import main
from cartulary.cli.operators import status, survey
from cartulary.cli.processes.serve_state import ServeState, read_state
from cartulary.cli.processes.supervisor import Supervisor
from cartulary.cli.shared.data_directory import DataDir
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.live.live import Hub
from cartulary.events.mining.log import MinedGame, MiningLog, MiningState
from cartulary.events.notices.log import OUTCOMES
from cartulary.events.puzzles.records import DAY_MS
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.server.format import FORMAT
from cartulary.events.server.heartbeat import SILENT_S, Reports
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.games import OFFERS
from cartulary.service.process.pulse import Pulse
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.queues.registered_workers import list_workers
from cartulary.workers.worker import make_worker
from tests.support.fake_clock import FakeClock

ME, OPEN = SeatRequest("me"), SeatRequest("open")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["status", *map(str, arguments)])


def ask(*arguments: object) -> tuple[int, Any]:
    result = run("--json", *arguments)
    return result.exit_code, json.loads(result.stdout)


@pytest.fixture
def store(real_redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with three games that the environment names."""
    monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
    monkeypatch.setattr(survey.survey_store, "__defaults__", (0.1,))
    monkeypatch.setenv("CARTULARY_SECRET", secrets.token_hex(32))
    store = Store(connect(real_redis_url), OFFERS)
    store.claim()
    ada, _ = store.players.create("Ada")
    for game, seats in (("caylus", (ME, OPEN)), ("carcassonne", (ME, ME)), ("caylus", (ME, ME))):
        store.commands.create(Intent(ada), NewGame(game, seats))
    rebuild(store)
    return store


def show_all(store: Store) -> None:
    """Do what the processes of a service do in a moment without work."""
    for name in ("web", "dispatcher"):
        store.show_life(name)
    store.heartbeats.write(queued=0, queue_age=0.0)


def test_a_directory_that_is_missing_exits_2(tmp_path: Path) -> None:
    result = run("--data", tmp_path / "missing")
    assert result.exit_code == 2
    assert not (tmp_path / "missing").exists()


def test_a_service_that_is_down_is_shown_as_such_and_nothing_is_started(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1000)
    code, found = ask("--data", tmp_path)
    assert code == 1
    assert found["works"] is False
    assert found["service"]["running"] is False
    assert found["processes"] == []
    assert found["disk"]["data_bytes"] == 1000
    assert 0 < found["disk"]["free_bytes"] <= found["disk"]["total_bytes"]
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
    result = run("--data", tmp_path)
    assert result.exit_code == 1
    assert "service      not running\n" in result.stdout
    assert "no service is running here" in result.stderr


def test_another_command_that_holds_the_directory_is_named(tmp_path: Path) -> None:
    with DataDir(tmp_path):
        assert (
            f"cartulary (pid {os.getpid()}) holds the directory" in run("--data", tmp_path).stdout
        )


@pytest.mark.real
def test_the_store_says_what_it_holds_and_what_waits(store: Store, tmp_path: Path) -> None:
    show_all(store)
    store.heartbeats.write(queued=3, queue_age=1.5, by_queue={"cartulary": 1, "cartulary-think": 2})
    store.redis.zadd(keys.due(), {"01KLATE": time.time() * 1000 - 5000})
    backup: dict[Any, Any] = {
        "at": "2026-11-22T08:00:00.000Z",
        "file": "/f",
        "bytes": 5,
        "games": 3,
    }
    store.redis.hset(keys.backup(), mapping=backup)
    code, found = ask("--data", tmp_path)
    assert code == 0
    assert found["games"] == {"open": 1, "running": 2}
    assert found["durability"] == "everysec"
    assert found["store"]["memory_bytes"] > 100_000
    assert found["store"]["keys"] == store.redis.dbsize()
    assert found["store"]["format"] == found["format"]
    assert (found["outbox"], found["queued"], found["queue_age_ms"]) == (3, 3, 1500)
    assert found["queued_by_queue"] == {"cartulary": 1, "cartulary-think": 2}
    assert found["oldest_due"]["game"] == "01KLATE"
    assert 5000 <= found["oldest_due"]["age_ms"] < 60_000
    assert found["last_backup"] == backup
    assert found["appends_per_minute"] == 0
    assert found["key"] == {"source": "CARTULARY_SECRET", "fits": True, "secrets": 3}


@pytest.mark.real
def test_processes_without_serve_are_shown_with_their_own_durability(
    store: Store, tmp_path: Path, real_redis_url: str
) -> None:
    before = run("--data", tmp_path).stdout
    assert "service      not running\n" in before
    settings = StoreSettings(real_redis_url, real_redis_url, replicated=True)
    with closing(Store.open(settings, OFFERS)) as replicated:
        pulse = Pulse(replicated, Hub(replicated.ledger))
        pulse.start()
        Dispatcher(replicated, queues_on(store.redis)).step()
        pulse.stop()
    worker = make_worker(queues_on(store.redis))
    worker.register_birth()
    code, found = ask("--data", tmp_path)
    assert (code, found["durability"]) == (0, "replicated")
    assert [one["name"] for one in found["reporting"]] == ["dispatcher", "web", "worker"]
    assert {one["pid"] for one in found["reporting"]} == {os.getpid()}
    service = found["service"]
    assert (service["running"], service["by"], service["ready"]) == (True, "processes", True)
    own = {"release": version("cartulary-games"), "format": FORMAT, "host": gethostname()}
    assert all(own.items() <= one.items() for one in found["reporting"])
    page = run("--data", tmp_path).stdout
    assert "runs without `cartulary serve`: 1 dispatcher, 1 web, 1 worker; ready\n" in page
    assert f"heartbeat    web (pid {os.getpid()}) on {gethostname()}, release " in page
    assert "durability   replicated\n" in page


@pytest.mark.real
@pytest.mark.parametrize(("name", "missing"), [("web", "dispatcher"), ("dispatcher", "web")])
def test_a_service_of_which_a_part_is_missing_runs_and_is_not_ready(
    store: Store, tmp_path: Path, name: str, missing: str
) -> None:
    store.show_life(name)
    code, found = ask("--data", tmp_path)
    assert (code, found["service"]["running"], found["service"]["ready"]) == (1, True, False)
    assert found["service"]["detail"] == f"no {missing} process reports"
    result = run("--data", tmp_path)
    assert f"1 {name}; NOT ready, no {missing} process reports\n" in result.stdout
    assert "the service is not ready" in result.stderr


def test_a_sign_of_an_earlier_release_is_read_and_what_a_later_one_adds_is_left(
    fake_redis: Redis,
) -> None:
    earlier, later = ["web", "a", 1, ""], ["web", "b", 2, "", "9.0", 30, "0a", -600, 90.0, "more"]
    now = {orjson.dumps(one).decode(): 100.0 for one in (earlier, later)}
    fake_redis.zadd(keys.processes(), now)
    one, two = Reports(fake_redis, lambda: 100.5).list_processes()
    assert (one.host, one.release, one.format, one.age_s, one.silent_s) == ("a", "", 0, 0.5, 0.5)
    assert two[5:] == ("9.0", 30, "0a", -600, 10.5)


def test_a_process_whose_clock_is_set_is_shown_once_with_its_clock_of_now(
    fake_redis: Redis,
) -> None:
    now, clock = [1000.0], FakeClock(1_600_000)
    reports = Reports(fake_redis, lambda: now[0], clock)
    reports.show("web", "")
    assert [one.ahead_s for one in reports.list_processes()] == [600]
    now[0], clock.now = 1005.0, 1_004_000
    reports.show("web", "")
    assert [(one.ahead_s, one.age_s) for one in reports.list_processes()] == [(0, 5.0)]


def test_workers_are_read_without_a_change_and_those_of_others_left_out(fake_redis: Redis) -> None:
    for thinks in (True, False):
        make_worker(queues_on(fake_redis), thinks).register_birth()
    seconds = fake_redis.time()[0]
    ended = time.strftime("%Y-%m-%dT%H:%M:%S.0Z", time.gmtime(seconds - 60))
    early = time.strftime("%Y-%m-%dT%H:%M:%S.0Z", time.gmtime(seconds + 600))
    written = {"hostname": "far", "pid": "7", "birth": ended}
    for name, beat, queues in (
        ("ended", ended, "cartulary"),
        ("early", early, "cartulary"),
        ("other", early, "q"),
    ):
        fields: Any = {**written, "last_heartbeat": beat, "queues": queues}
        fake_redis.hset(f"rq:worker:{name}", mapping=fields)
        fake_redis.sadd(keys.WORKERS, f"rq:worker:{name}")
    fake_redis.sadd(keys.WORKERS, "rq:worker:gone")
    before = {key: fake_redis.dump(key) for key in fake_redis.keys("*")}
    far, fast, worker = list_workers(fake_redis)
    assert (far.name, far.host, far.pid, far.format, far.silent_s) == ("fast", "far", 7, 0, 0.0)
    assert abs(far.ahead_s - 600) <= 1
    assert (fast.name, worker.name, worker.format) == ("fast", "worker", FORMAT)
    assert before == {key: fake_redis.dump(key) for key in fake_redis.keys("*")}


def test_a_process_that_shows_itself_no_more_has_ended(fake_redis: Redis) -> None:
    now = [1000.0]
    reports = Reports(fake_redis, lambda: now[0])
    reports.show("web", "")
    now[0] += SILENT_S
    assert [(one.name, one.silent_s) for one in reports.list_processes()] == [("web", SILENT_S)]
    now[0] += 1
    assert reports.list_processes() == []
    reports.show("dispatcher", "")
    assert fake_redis.zcard(keys.processes()) == 1


@pytest.mark.real
def test_mining_is_shown_where_it_is_on_or_was(store: Store, tmp_path: Path) -> None:
    show_all(store)
    assert ask("--data", tmp_path)[1]["mining"] is None
    log, now = MiningLog(store.registry), store.clock.now_ms()
    log.note_allowed(600, now)
    game = MinedGame("caylus", "01K")
    state = MiningState(game, day=now // DAY_MS, spent_ms=12_300, games=3, puzzles=2, passed=1)
    assert log.replace(log.read(), state)
    assert ask("--data", tmp_path)[1]["mining"]["spent_s"] == 12.3
    line = "12.3 of 600 s of CPU today; so far 3 games, 2 puzzles, 1 given up; "
    assert f"mining       {line}game 01K is under way\n" in run("--data", tmp_path).stdout
    rests = state._replace(under_way=None, idle_until=now + 60_000)
    assert log.replace(state, rests)
    assert f"{line}nothing is left for now\n" in run("--data", tmp_path).stdout
    assert log.replace(rests, rests._replace(error="it is away"))
    log.note_allowed(0, now)
    assert "mining       off; so far 3 games" in run("--data", tmp_path).stdout
    assert "it FAILS: it is away\n" in run("--data", tmp_path).stdout


@pytest.mark.real
def test_the_page_has_a_line_for_each_thing(store: Store, tmp_path: Path) -> None:
    show_all(store)
    lines = dict(line.split(maxsplit=1) for line in run("--data", tmp_path).stdout.splitlines())
    assert lines["games"] == "3: 1 open, 2 running, 0 scoring, 0 over, 0 aborted"
    assert lines["durability"] == "everysec"
    assert f"keys, format level {FORMAT}" in lines["store"]
    assert lines["outbox"].startswith("3 entries, the oldest waits ")
    assert "0 games wait for a worker, the first for 0.0 s" in lines["dispatcher"]
    assert lines["due"] == "no game waits for a bot or a score"
    flags = "flags: 0 stand_in, 0 forfeit, 0 claim"
    assert lines["clocks"] == f"0 timers are late; {flags}; 0 outages"
    assert lines["backup"] == "none is noted in this store"
    assert "free; the data directory holds 0.0 MiB" in lines["disk"]


@pytest.mark.real
def test_the_key_is_named_and_not_shown(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_all(store)
    key = os.environ["CARTULARY_SECRET"]
    page = run("--data", tmp_path).stdout
    assert "that of CARTULARY_SECRET decrypts the 3 secrets of unfinished games" in page
    monkeypatch.delenv("CARTULARY_SECRET")
    assert ask("--data", tmp_path)[1]["key"] == {"source": None, "fits": False, "secrets": 3}
    (tmp_path / "secret.key").write_text(secrets.token_hex(32))
    other = run("--data", tmp_path).stdout
    assert "that of secret.key does NOT decrypt the 3 secrets" in other
    assert key not in page + other
    assert (tmp_path / "secret.key").read_text() not in other


@pytest.mark.real
def test_appends_are_counted_for_a_minute(store: Store) -> None:
    sleep = time.sleep

    def append(seconds: float) -> None:
        store.outbox.put("g", 1, "move_made")
        sleep(seconds)

    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr(time, "sleep", append)
        found = survey.survey_store(store, 0.5)
    assert 0 < found["appends_per_minute"] <= 120


@pytest.mark.real
def test_without_a_report_of_a_dispatcher_the_service_does_not_work(
    store: Store, tmp_path: Path
) -> None:
    code, found = ask("--data", tmp_path)
    assert (code, found["dispatcher_age_ms"]) == (1, None)
    assert "last report unknown ago; unknown games" in run("--data", tmp_path).stdout


@pytest.mark.real
def test_a_store_that_is_half_restored_says_what_to_do(store: Store, tmp_path: Path) -> None:
    store.redis.hset(keys.restoring(), mapping={"file": "/games.backup", "digest": "0"})
    result = run("--data", tmp_path)
    assert result.exit_code == 1
    assert "a restore of /games.backup was interrupted" in result.stdout


def test_a_store_that_does_not_answer_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTULARY_EVENTS_URL", f"unix://{tmp_path / 'nobody.sock'}")
    code, found = ask("--data", tmp_path)
    assert code == 1
    assert "nobody.sock" in found["store_problem"] or "No such file" in found["store_problem"]


def test_the_state_of_serve_names_the_processes_that_live(tmp_path: Path) -> None:
    supervisor = Supervisor()
    state = ServeState(tmp_path, supervisor, lambda: os.getpid())
    state.write()
    running = read_state(tmp_path)
    assert running is not None
    assert (running.address, [one.name for one in running.processes]) == ("", ["valkey"])
    state.announce("http://127.0.0.1:8000")
    running = read_state(tmp_path)
    assert running is not None
    assert running.address == "http://127.0.0.1:8000"
    (tmp_path / "serve.json").write_text('{"half')
    assert read_state(tmp_path) is None


def test_a_memory_that_is_full_does_not_end_serve(tmp_path: Path) -> None:
    state = ServeState(tmp_path / "missing", Supervisor(), lambda: 1)
    state.write()
    (tmp_path / "missing").mkdir()
    state.write()
    assert read_state(tmp_path / "missing") is not None


@pytest.mark.real
def test_a_server_that_a_read_only_command_started_is_not_left(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "valkey"):
        pass
    assert run("--data", tmp_path).exit_code == 1
    assert not any(path.suffix == ".sock" for path in (tmp_path / "valkey").iterdir())


def test_sizes_and_ages_are_for_people() -> None:
    machine = {"free_bytes": 3 * 2**30, "total_bytes": 2**40, "data_bytes": 5 * 2**20}
    assert status._describe_disk(machine) == (  # noqa: SLF001
        "3.0 GiB of 1024.0 GiB free; the data directory holds 5.0 MiB"
    )


def test_notices_are_shown_by_what_waits_what_was_sent_and_what_was_held_back() -> None:
    outcomes = {**dict.fromkeys(OUTCOMES, 0), "sent": 7, "refused": 1, "looking": 2}
    waiting = {"intents": 3, "deliveries": 2, "mails": 4, "late": 1}
    found = {**waiting, "outcomes": outcomes, "egress_allow": ""}
    assert status._describe_notices(found) == (  # noqa: SLF001
        "3 wait for their time, 2 messages are to be sent (1 late; start another notifier), "
        "4 e-mails; so far 7 sent, 1 refused; held back: 2 looking; CARTULARY_EGRESS_ALLOW: empty"
    )
