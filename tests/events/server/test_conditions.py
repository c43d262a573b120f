"""What servers say of their memory, and of the disks that are of this machine."""

from __future__ import annotations

import shutil
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import fakeredis
import pytest
from redis import Redis

from cartulary.events.server import keys
from cartulary.events.server.conditions import (
    RoomUse,
    ServerRoom,
    find_memory,
    is_local,
    read_durability,
    read_rooms,
)
from cartulary.events.server.heartbeat import Backlog, Reports
from cartulary.events.store import Store


@pytest.mark.real
def test_a_server_of_this_machine_tells_its_memory_and_its_disk(real_redis: Redis) -> None:
    redis: Any = real_redis
    limit = redis.info("memory")["maxmemory"]
    try:
        redis.config_set("maxmemory", 200 * 2**20)
        (room,) = read_rooms(redis, redis).values()
    finally:
        redis.config_set("maxmemory", limit)
    assert room.memory is not None
    assert room.memory.limit == 200 * 2**20
    assert 0 < room.memory.used < room.memory.limit
    assert room.disk is not None
    assert room.disk.limit == shutil.disk_usage(Path(redis.config_get("dir")["dir"])).total


def test_a_server_that_refuses_to_tell_has_unknown_room() -> None:
    server = fakeredis.FakeRedis()
    assert read_rooms(server, server) == {"store": ServerRoom(None, None)}


def test_the_disk_of_a_folder_that_this_process_cannot_reach_is_unknown() -> None:
    """The system refuses a name so long with an error, as it does with a folder that is closed."""
    redis: Any = Redis()
    redis.info = lambda _section: {}
    for folder in ("", "/no/such/folder", "/" + 300 * "x"):
        redis.config_get = lambda _name, folder=folder: {"dir": folder}
        assert read_rooms(redis, redis) == {"store": ServerRoom()}, folder


def test_without_a_limit_the_memory_of_the_machine_counts() -> None:
    said = {"used_memory": 5, "maxmemory": 0, "total_system_memory": 9}
    assert find_memory(said) == RoomUse(5, 9)
    assert find_memory({**said, "maxmemory": 7}) == RoomUse(5, 7)
    assert find_memory({"used_memory": 5}) is None


def test_only_a_socket_or_a_loopback_address_is_of_this_machine() -> None:
    addresses = {
        "unix:///run/valkey.sock": True,
        "redis://127.0.0.1:6379": True,
        "redis://[::1]:6379": True,
        "redis://10.0.0.1:6379": False,
        "redis://store.example:6379": False,
    }
    assert {url: is_local(Redis.from_url(url)) for url in addresses} == addresses


def test_a_process_says_since_when_it_runs_by_the_clock_of_the_store(
    fake_redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [(1_000, 500_000)]
    monkeypatch.setattr(fake_redis, "time", lambda: now[0])
    reports = Reports(fake_redis)
    reports.show("web", "")
    now[0] = (1_002, 250_000)
    reports.show("web", "")
    now[0] = (1_003, 500_000)
    (sign,) = reports.list_processes()
    assert (sign.silent_s, sign.age_s) == (1.25, 3.0)


def test_a_dispatcher_of_an_earlier_release_reports_no_timers(fake_redis: Redis) -> None:
    reports = Reports(fake_redis, lambda: 7.0)
    reports.write(3, 1.5, 2, 0.5)
    fake_redis.hdel(keys.dispatcher(), "timers", "timer_age", "by_queue")
    assert reports.read() == Backlog(0.0, 3, 1.5, 0, 0.0, {})


def test_a_process_that_waits_for_no_replica_leaves_durability_to_the_server(
    fake_store: Store,
) -> None:
    assert fake_store.durability == ""


@pytest.mark.parametrize(
    ("said", "durability"),
    [
        ({"appendonly": "no", "appendfsync": "always"}, "off"),
        ({"appendonly": "yes", "appendfsync": "always"}, "always"),
        ({}, "unknown"),
    ],
)
def test_a_server_says_when_an_answer_is_on_the_disk(said: dict[str, str], durability: str) -> None:
    class Server:
        def config_get(self, pattern: str) -> dict[str, str]:
            return {name: said[name] for name in said if fnmatch(name, pattern)}

    server: Any = Server()
    assert read_durability(server) == durability
