"""What the servers say of themselves: when an answer is on their disk, and how much room they have.

A server that is full of memory or disk refuses writes, so no move is stored. What a server does not
tell (a service of others may refuse `INFO` or `CONFIG`) is unknown, and never guessed. Of disks
only those of this machine are known.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from redis import Redis, ResponseError

from cartulary.events.server.servers import list_servers

UNKNOWN: Final = "unknown"
KEEPS: Final = "noeviction"
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class RoomUse(NamedTuple):
    """Bytes that are used, and how many there are at most."""

    used: int
    limit: int


class ServerRoom(NamedTuple):
    """The room of a server; None for what it does not tell, or what is on another machine.

    `policy` is what it does without room in its memory: `noeviction`, or it removes keys. '' where
    it does not tell.
    """

    memory: RoomUse | None = None
    disk: RoomUse | None = None
    policy: str = ""

    @property
    def evicts(self) -> bool:
        """Whether games are lost when the memory is full."""
        return self.policy not in ("", KEEPS)


NOTHING: Final = ServerRoom(RoomUse(0, 0), RoomUse(0, 0))
"""The room of a server that is gone."""


def read_rooms(redis: Redis, registry: Redis) -> dict[str, ServerRoom]:
    """Return the room of each server by its name: `store`, or those of a cluster and `registry`.

    Raises `RedisError` when a server does not answer.
    """
    found = {}
    for name, server in _name_servers(redis, registry):
        said = _read_info(server)
        policy = str(said.get("maxmemory_policy", ""))
        found[name] = ServerRoom(find_memory(said), _measure_disk(server), policy)
    return found


def _name_servers(redis: Redis, registry: Redis) -> Iterator[tuple[str, Redis]]:
    if redis is registry:
        yield "store", redis
        return
    for server in list_servers(redis):
        address = server.connection_pool.connection_kwargs
        yield f"{address.get('host', 'games')}:{address.get('port', '')}", server
    yield "registry", registry


def _read_info(server: Redis) -> Mapping[str, Any]:
    try:
        found: Any = server.info("memory")
    except ResponseError:
        return {}
    return dict(found)


def find_memory(info: Mapping[str, Any]) -> RoomUse | None:
    """Return the memory of a server by its `INFO`: without a limit that of its machine counts."""
    limit = int(info.get("maxmemory") or info.get("total_system_memory") or 0)
    return RoomUse(int(info.get("used_memory", 0)), limit) if limit else None


def is_local(server: Redis) -> bool:
    """Return whether a server runs on this machine, so that its files are here."""
    address = server.connection_pool.connection_kwargs
    return "path" in address or address.get("host") in LOOPBACK


def _measure_disk(server: Redis) -> RoomUse | None:
    if not is_local(server):
        return None
    try:
        said: Any = server.config_get("dir")
    except ResponseError:
        return None
    folder = Path(said.get("dir", ""))
    if not folder.is_absolute():
        return None
    try:
        found = shutil.disk_usage(folder)
    except OSError:  # a folder of a container, or one that is closed to the user of this process
        return None
    # What is kept for root is not free.
    return RoomUse(found.total - found.free, found.total)


def read_durability(redis: Redis) -> str:
    """Return what a server promises about its disk.

    `always`: an answer is on the disk before it is given; `everysec`: within a second; `no`: when
    the system writes it; `off`: never; `unknown`: the server does not show its configuration.
    Raises `RedisError` when the server does not answer.
    """
    try:
        found: Any = redis.config_get("append*")
    except ResponseError:  # a service that others run often refuses the command
        return UNKNOWN
    if found.get("appendonly") == "no":
        return "off"
    return str(found.get("appendfsync", UNKNOWN))
