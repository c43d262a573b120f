"""Connections to the events server."""

from __future__ import annotations

from typing import Any

from redis import ConnectionPool, Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.retry import Retry


def connect(url: str) -> Redis:
    """Return a thread-safe client for `redis://`, `rediss://` or `unix://` URLs; bytes in, out.

    A command whose connection was lost is sent again a few times, so a server that was restarted
    is back without anyone noticing. An append can be sent twice (see `append.lua`).
    """
    return Redis.from_url(
        url,
        socket_timeout=10,
        socket_connect_timeout=5,
        retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), 3),
    )


def dedicated(redis: Redis) -> Redis:
    """Return a client with one connection of its own to the same server, which gives up at once.

    For whoever blocks, and must know that its connection was lost.
    """
    pool = redis.connection_pool
    kwargs = {**pool.connection_kwargs, "retry": Retry(NoBackoff(), 0)}
    return Redis(
        connection_pool=ConnectionPool(connection_class=pool.connection_class, **kwargs),
        single_connection_client=True,
    )


def at_once(redis: Redis, *command: Any) -> Any:
    """Run one command without retries and without what the client notes down about each.

    Half the price, for what is done all the time. Raises `redis.RedisError`.
    """
    pool = redis.connection_pool
    connection = pool.get_connection()
    try:
        connection.send_command(*command)  # type: ignore[no-untyped-call]
        return connection.read_response()
    finally:
        pool.release(connection)
