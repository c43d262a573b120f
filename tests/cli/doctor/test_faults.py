"""The doctor finds each fault that is planted in a healthy installation, and names nothing else."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rq.job import Job

from cartulary.cli.doctor.mining_checks import find_stuck_mining
from cartulary.cli.doctor.site import DiskUse, Site
from cartulary.cli.doctor.table import CHECK_FAILED, CHECKS
from cartulary.events.archive.archive import Archive
from cartulary.events.backup.proven import Proven, note_proven
from cartulary.events.model.clock import format_time
from cartulary.events.server import keys
from cartulary.events.server.format import FORMAT
from cartulary.events.settings import StoreSettings
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.workers.queues.queues import put, queues_on
from tests.cli.doctor.installation import (
    HOUR_MS,
    OTHER_KEY,
    Installation,
    now_ms,
    sign_of,
)
from tests.support.fake_clock import FakeClock
from tests.support.local_servers import make_certificate

pytestmark = pytest.mark.real

Plant = Callable[[Installation], object]
"""Plants a fault; a dictionary that it returns has arguments of `Site`."""

FAULTS: dict[str, Plant] = {}
"""A way to plant each fault, by the code of what the doctor has to find."""


def plants(code: str) -> Callable[[Plant], Plant]:
    """Note how a fault is planted."""

    def note(plant: Plant) -> Plant:
        FAULTS[code] = plant
        return plant

    return note


def set_config(name: str, value: str) -> Plant:
    return lambda at: at.redis.config_set(name, value)


def set_variable(name: str, value: str) -> Plant:
    return lambda at: at.patch.setenv(f"CARTULARY_{name}", value)


def say_of_server(info: dict[str, Any], config: dict[str, str] | None = None) -> Plant:
    """Let the server say something else of itself: what no test can bring about in a moment."""

    def plant(at: Installation) -> dict[str, Any]:
        site = at.site()
        real = site.servers[0]
        site.close()
        said = {**(real.config or {}), **(config or {})}
        found = [real._replace(info={**real.info, **info}, config=said)]
        at.patch.setattr(Site, "servers", found)
        return {}

    return plant


FAULTS |= {
    "setting_unknown": set_variable("TREADS", "8"),
    "setting_invalid": set_variable("THREADS", "many"),
    "settings_contradict": set_variable("PUBLIC_URL", "https://games.example"),
    "certificate_unreadable": set_variable("CERTIFICATE", "/missing.pem"),
    "key_wrong": set_variable("SECRET", OTHER_KEY),
    "store_unknown": lambda _at: {"url": ""},
    "store_silent": lambda at: {"url": f"unix://{at.folder}/missing.sock"},
    "store_forgets": set_config("appendonly", "no"),
    "store_fsync_off": set_config("appendfsync", "no"),
    "store_evicts": set_config("maxmemory-policy", "allkeys-lru"),
    "store_promise_broken": set_variable("DURABILITY", "always"),
    "replica_missing": set_variable("DURABILITY", "replicated"),
    "store_old": say_of_server({"valkey_version": "6.2.1"}),
    "store_is_replica": say_of_server({"role": "slave", "master_host": "a", "master_port": 6379}),
    "store_write_failed": say_of_server({"aof_last_write_status": "err"}),
    "replica_late": say_of_server(
        {"connected_slaves": 1, "slave0": {"ip": "b", "port": 1, "state": "online", "lag": 60}}
    ),
    "cluster_all_or_nothing": say_of_server(
        {"cluster_enabled": 1}, {"cluster-require-full-coverage": "yes"}
    ),
    "clock_off": lambda _at: {"clock": FakeClock(now_ms() + 600_000)},
    "disk_short": lambda _at: {"disk": lambda path: DiskUse(path, 1 << 40, 50 << 20)},
    "keys_unknown": lambda at: at.redis.set("somebody:else", 1),
    "keys_lasting": lambda at: at.redis.set(keys.ticket("00"), "bound"),
    "summary_missing": lambda at: at.redis.delete(keys.summary(at.running)),
    "summary_without_game": lambda at: at.redis.delete(keys.events(at.open)),
    "web_missing": lambda at: at.hide("web"),
    "dispatcher_missing": lambda at: at.hide("dispatcher"),
    "notifier_missing": lambda at: at.hide("notifier"),
    "key_differs": lambda at: at.show_with_other_key(),
    "format_newer": lambda at: at.redis.set(keys.store_format(), FORMAT + 1),
    "format_held_back": lambda at: at.redis.set(keys.store_format(), FORMAT - 1),
    "timers_late": lambda at: at.store.heartbeats.write(0, 0.0, timers=3, timer_age=90.0),
    "game_waits": lambda at: at.redis.zadd(keys.due(), {at.running: now_ms() - 120_000}, lt=True),
    "notices_late": lambda at: at.redis.zadd(keys.deliveries(), {"one": now_ms() - 120_000}),
}


@plants("memory_short")
def _fill_memory(at: Installation) -> None:
    used = int(at.redis.info("memory")["used_memory"])
    at.redis.config_set("maxmemory", used + used // 10)


@plants("store_config_hidden")
def _hide_config(at: Installation) -> dict[str, Any]:
    rights = ["reset", "on", ">word", "~*", "&*", "+@all", "-config"]
    at.redis.execute_command("ACL", "SETUSER", "reader", *rights)
    return {"url": at.url.replace("unix://", "unix://reader:word@")}


@plants("slots_missing")
def _lose_slots(at: Installation) -> None:
    found = "cartulary.cli.doctor.server_checks.find_missing"
    at.patch.setattr(found, lambda _redis: frozenset({5, 6, 7, 9}))


@plants("key_unreadable")
def _damage_key(at: Installation) -> None:
    at.patch.delenv("CARTULARY_SECRET")
    (at.folder / "secret.key").write_text("half of a k")


@plants("key_missing")
def _forget_key(at: Installation) -> None:
    at.patch.delenv("CARTULARY_SECRET")


@plants("certificate_ended")
def _let_certificate_end(at: Installation) -> None:
    _certify(at, timedelta(days=-1))


@plants("certificate_ending")
def _let_certificate_come_to_its_end(at: Installation) -> None:
    _certify(at, timedelta(days=9))


def _certify(at: Installation, left: timedelta) -> None:
    files = make_certificate(at.folder, until=datetime.now(UTC) + left)
    for name, file in zip(("CERTIFICATE", "KEY"), files, strict=True):
        at.patch.setenv(f"CARTULARY_{name}", str(file))


@plants("clock_of_process_off")
def _set_clock(at: Installation) -> None:
    clock = FakeClock(now_ms() - 600_000)
    at.hide("web")
    store = Store.open(StoreSettings.from_env(), OFFERS, clock=clock)
    store.show_life("web")
    store.close()


@plants("outage_ahead")
def _note_outage(at: Installation) -> None:
    begin, end = now_ms(), now_ms() + 9 * HOUR_MS
    at.redis.zadd(keys.outages(), {f"{begin}-{end}": begin})


@plants("restore_unfinished")
def _interrupt_restore(at: Installation) -> None:
    at.redis.hset(keys.restoring(), mapping={"file": "/all.backup", "digest": "0"})


@plants("game_damaged")
def _damage_game(at: Installation) -> None:
    entries = at.redis.xrange(keys.events(at.running))
    at.redis.delete(keys.events(at.running), keys.idempotency(at.running))
    for id_, fields in entries:
        at.redis.xadd(
            keys.events(at.running), {"event": fields[b"event"].replace(b'"seat', b'"sat')}, id_
        )
    at.redis.delete(f"{{{at.running}}}:snapshots")


@plants("summary_differs")
def _change_list(at: Installation) -> None:
    at.redis.zrem(keys.index("public", "any", "any"), at.open)


@plants("worker_missing")
def _end_workers(at: Installation) -> None:
    for worker in at.workers:
        worker.register_death()


@plants("thinker_missing")
def _end_thinker(at: Installation) -> None:
    at.workers[1].register_death()


@plants("release_differs")
def _show_other_release(at: Installation) -> None:
    now = at.redis.time()[0]
    mark = at.store.keyring.mark
    shown = sign_of("web", "old-machine", 7, "", "0.0.9", FORMAT - 1, mark, 0, now)
    at.redis.zadd(keys.processes(), {shown: now})


@plants("outbox_stuck")
def _let_appends_wait(at: Installation) -> None:
    shard = at.store.outbox.list_shards()[0]
    at.redis.delete(shard)
    fields = {"game": at.running, "version": 1, "type": "move_made"}
    at.redis.xadd(shard, fields, id=f"{now_ms() - 90_000}-0")


@plants("queue_stuck")
def _let_jobs_wait(at: Installation) -> None:
    put(queues_on(at.redis).people, "bot", at.running, 3)
    early = time.strftime("%Y-%m-%dT%H:%M:%S.0Z", time.gmtime(time.time() - 600))
    at.redis.hset(Job.key_for(f"bot-{at.running}-3"), "enqueued_at", early)


@plants("jobs_failed")
def _let_job_fail(at: Installation) -> None:
    registry = queues_on(at.redis).people.failed_job_registry
    at.redis.zadd(registry.key, {"score-01K-9": time.time() + 3600})


@plants("archive_failing")
def _exchange_archive(at: Installation) -> None:
    url = f"sqlite:///{at.folder}/another.sqlite"
    Archive.open(url).close()
    at.patch.setenv("CARTULARY_ARCHIVE_URL", url)


@plants("archive_behind")
def _let_games_wait(at: Installation) -> None:
    early = {f"01K{number}": now_ms() - 9 * HOUR_MS for number in range(20)}
    at.redis.zadd(keys.finished(), early)


ALLOWED: dict[str, Any] = {"allowed": 600}


def note_mining(at: Installation, noted: dict[str, Any]) -> None:
    """Note what a dispatcher and workers say of mining, just now."""
    at.redis.hset(keys.mining(), mapping={**noted, "allowed_at": now_ms()})


@plants("mining_stuck")
def _mine_nothing(at: Installation) -> None:
    at.patch.setenv("CARTULARY_MINING_SECONDS", "600")
    note_mining(at, ALLOWED | {"waits": now_ms() - 2 * HOUR_MS})


@plants("archive_damaged")
def _damage_archive(at: Installation) -> None:
    with sqlite3.connect(at.folder / "archive.sqlite") as database:
        database.execute("UPDATE games SET events = zeroblob(length(events))")


@plants("backup_missing")
def _make_no_backup(at: Installation) -> None:
    at.redis.delete(keys.proven_backup())
    at.redis.hset(keys.rules_since(), "ages", format_time(now_ms() - 72 * HOUR_MS))


@plants("backup_old")
def _make_no_backup_lately(at: Installation) -> None:
    note_proven(at.redis, Proven(now_ms() - 72 * HOUR_MS, "s3://backups", 3, "0.1.0"))


def test_a_healthy_installation_is_found_healthy_by_all_checks(installation: Installation) -> None:
    for whole in (False, True):
        report = installation.examine(whole=whole)
        assert [(one.check.code, one.seen) for one in report.findings] == []
        assert report.made == [check.code for check in CHECKS]
        assert report.looked_at["games"] == "2 games"
        assert report.looked_at["archive"] == "1 archived games"


@pytest.mark.parametrize("code", [check.code for check in CHECKS])
def test_a_planted_fault_is_found_and_nothing_else(installation: Installation, code: str) -> None:
    changed = FAULTS[code](installation)
    report = installation.examine(**(changed if isinstance(changed, dict) else {}))
    assert [one.check.code for one in report.findings] == [code], report.findings
    (found,) = report.findings
    assert found.seen
    assert code in report.made


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("ARCHIVE_AFTER", "soon", "setting_invalid"),
        ("NOTICES", "perhaps", "setting_invalid"),
        ("OUTAGE_MARGIN", "-1", "setting_invalid"),
        ("QUEUE_URL", "redis+cluster://a:1", "setting_invalid"),
        ("EVENTS_URL", "http://a", "setting_invalid"),
        ("SECRET_FILE", "/second", "setting_invalid"),
        ("SECRET", "too short", "key_unreadable"),
        ("ARCHIVE_URL", "mysql://a/b", "archive_failing"),
        ("EXPLORER_URL", "mysql://a:secret@b/c", "setting_invalid"),
        ("EXPLORER_URL", "sqlite:///", "setting_invalid"),
    ],
)
def test_a_setting_that_is_wrong_is_named_once(
    installation: Installation, name: str, value: str, code: str
) -> None:
    installation.patch.setenv(f"CARTULARY_{name}", value)
    report = installation.examine()
    assert [one.check.code for one in report.findings] == [code], report.findings


def test_a_full_disk_is_named_also_where_it_has_ended_the_server(
    installation: Installation,
) -> None:
    report = installation.examine(
        url=f"unix://{installation.folder}/missing.sock",
        disk=lambda path: DiskUse(path, 1 << 40, 0),
    )
    assert [one.check.code for one in report.findings] == ["store_silent", "disk_short"]


def test_a_check_that_ends_with_an_error_says_so_and_the_others_go_on(
    installation: Installation,
) -> None:
    installation.redis.delete(keys.processes())
    installation.redis.set(keys.processes(), "no sorted set")
    report = installation.examine()
    codes = {one.check.code for one in report.findings}
    assert CHECK_FAILED.code in codes
    assert all("WRONGTYPE" in one.seen for one in report.findings if one.check is CHECK_FAILED)
    assert "backup_old" in report.made
    assert "web_missing" not in report.made


@pytest.mark.parametrize(
    ("noted", "seen"),
    [
        ({}, "the dispatcher allows 0 s of CPU a day"),
        (ALLOWED | {"state": '{"error":"it is away"}'}, "it is away"),
    ],
)
def test_the_doctor_says_why_nothing_is_mined(
    installation: Installation, noted: dict[str, Any], seen: str
) -> None:
    installation.patch.setenv("CARTULARY_MINING_SECONDS", "600")
    if noted:
        note_mining(installation, noted)
    found = {one.check.code: one.seen for one in installation.examine().findings}
    assert list(found) == ["mining_stuck"]
    assert seen in found["mining_stuck"]


def test_mining_that_is_on_and_goes_on_is_healthy(installation: Installation) -> None:
    installation.patch.setenv("CARTULARY_MINING_SECONDS", "600")
    note_mining(installation, ALLOWED | {"waits": now_ms() - 1000})
    assert installation.examine().findings == []


def test_mining_without_an_archive_is_found(installation: Installation) -> None:
    site = installation.site()
    installation.patch.setenv("CARTULARY_MINING_SECONDS", "600")
    installation.patch.setattr(type(site.store.archive), "is_set", property(lambda _: False))
    assert list(find_stuck_mining(site)) == ["there is no archive that could be mined"]
    site.close()
