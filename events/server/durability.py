"""When the store has an answer on the disk: what its configuration says."""

from __future__ import annotations

from typing import Any

from redis import Redis, ResponseError

UNKNOWN = "unknown"


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
