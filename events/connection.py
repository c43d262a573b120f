"""Connections to the events server."""

from __future__ import annotations

import os
from typing import Any

import hiredis
from redis import ConnectionPool, Redis, ResponseError
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as TooSlow
from redis.retry import Retry

from cartulary.events.borrowed import choose_blocking

ANSWER_WITHIN = 10
"""Seconds; a server that is silent for longer is taken for lost."""

TAKES_NO_WRITES = ("MISCONF", "OOM", "READONLY")
"""Codes of the store: its disk is full, its memory is full, it has become a replica."""

ANSWER_SOON = 2
"""Seconds; the same where somebody asks for nothing else than whether it is there."""


def connect(url: str, patient: bool = False) -> Redis:
    """Return a thread-safe client for `redis://`, `rediss://` or `unix://` URLs; bytes in, out.

    A command whose connection was lost is sent again a few times, so a server that was restarted
    is back without anyone noticing. An append can be sent twice (see `append.lua`). One that was
    silent is asked again by the `patient` only, for whom nobody waits.
    """
    tried_again = (Unreachable, TooSlow) if patient else (Unreachable,)
    again = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3, supported_errors=tried_again)
    redis = Redis.from_url(
        url,
        socket_timeout=ANSWER_WITHIN,
        socket_connect_timeout=5,
        retry=again,
    )
    pool = redis.connection_pool
    pool.connection_class = choose_blocking(pool.connection_class)
    return redis


def takes_no_writes(error: ResponseError) -> bool:
    """Return whether a refusal of the store means that it takes no writes for now."""
    # The client turns some codes into exceptions of their own, whose text has no code.
    known = isinstance(error, OutOfMemoryError | ReadOnlyError)
    return known or any(code in str(error) for code in TAKES_NO_WRITES)


def check(redis: Redis) -> None:
    """Raise `redis.RedisError` unless the server answers, soon, on a connection made for that."""
    with dedicated(redis, socket_timeout=ANSWER_SOON, socket_connect_timeout=ANSWER_SOON) as asked:
        asked.ping()


def dedicated(redis: Redis, **changed: Any) -> Redis:
    """Return a client with one connection of its own to the same server, which gives up at once.

    For a caller that blocks and must learn at once that its connection is lost.
    """
    pool = redis.connection_pool
    kwargs = {**pool.connection_kwargs, "retry": Retry(NoBackoff(), 0), **changed}
    return Redis(
        connection_pool=ConnectionPool(connection_class=pool.connection_class, **kwargs),
        single_connection_client=True,
    )


class Express:
    """Connections of its own to the server of a client, for what is done all the time. Thread-safe.

    The client asks each connection whether it is still alive before it uses it, waits for its turn,
    and notes down what it does; here a command is sent and its answer read, nothing else. There are
    as many connections as threads that were here at the same time.
    """

    def __init__(self, redis: Redis) -> None:
        self._pool = redis.connection_pool
        self._idle: list[Any] = []
        self._process = os.getpid()

    def run(self, *command: Any) -> Any:
        """Return the answer to one command, which is not sent again whatever happens.

        Raises `redis.RedisError`; unless that is a `ResponseError`, the command may have been done.
        """
        connection = self._take()
        try:
            connection.send_packed_command([hiredis.pack_command(command)], check_health=False)
            answer = connection.read_response(disconnect_on_error=False)
        except ResponseError:
            self._idle.append(connection)
            raise
        except BaseException:
            connection.disconnect()
            raise
        self._idle.append(connection)
        return answer

    def _take(self) -> Any:
        if self._process != os.getpid():  # forked: these connections belong to the parent
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._pool.connection_class(**self._pool.connection_kwargs)

    def close(self) -> None:
        """End the connections that are not in use."""
        idle, self._idle = self._idle, []
        for connection in idle:
            connection.disconnect()
