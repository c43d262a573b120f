"""Connections to the events server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from redis import ConnectionPool, Redis, ResponseError
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import OutOfMemoryError, ReadOnlyError
from redis.exceptions import TimeoutError as TooSlow
from redis.retry import Retry

from cartulary.events.model.types import Entries
from cartulary.events.server.borrowed import NAMELESS, UNNOTIFIED, choose_blocking
from cartulary.events.server.cluster import ClusterClient, is_cluster_url, translate
from cartulary.events.server.coverage import write_slots
from cartulary.events.server.slots import SLOTS

ANSWER_WITHIN = 10
"""Seconds; a server that is silent for longer is taken for lost."""

NODE_WITHIN = 3
"""Seconds; the same for a node of a cluster. Another node replaces a node that is silent, and a
process that waits for the silent node does nothing for the games on the other nodes."""

CONNECT_WITHIN = 5
"""Seconds that a connection to a server may take."""

TAKES_NO_WRITES = ("MISCONF", "OOM", "READONLY")
"""Codes of the store: its disk is full, its memory is full, it has become a replica."""

REPLICAS_WITHIN_MS = 1000
"""How long an append waits for a replica, in ms: less than `pipeline.SILENT`."""

ANSWER_SOON = 2
"""Seconds; the same where a caller only asks whether the server is there."""


def connect(url: str, patient: bool = False) -> Redis:
    """Return a thread-safe client for `redis://`, `rediss://` or `unix://` URLs; bytes in, out.

    For `redis+cluster://` and `rediss+cluster://` it is a `ClusterClient` with the same commands.

    A command whose connection was lost is sent again a few times, so a server that was restarted
    is back without anyone noticing. An append can be sent twice (see `append.lua`). One that was
    silent is asked again by the `patient` only, for whom no person waits.
    """
    if is_cluster_url(url):
        cluster: Any = ClusterClient(
            url, socket_timeout=NODE_WITHIN, socket_connect_timeout=NODE_WITHIN
        )
        return cast(Redis, cluster)
    tried_again = (Unreachable, TooSlow) if patient else (Unreachable,)
    again = Retry(ExponentialBackoff(cap=0.5, base=0.05), 3, supported_errors=tried_again)
    redis = Redis.from_url(
        url,
        socket_timeout=ANSWER_WITHIN,
        socket_connect_timeout=CONNECT_WITHIN,
        retry=again,
        maint_notifications_config=UNNOTIFIED,
        **NAMELESS,
    )
    pool = redis.connection_pool
    pool.connection_class = choose_blocking(pool.connection_class)
    redis.set_response_callback("XRANGE", read_entries)  # a third of the time of redis-py's own
    return redis


def read_entries(answer: Iterable[tuple[bytes, Sequence[bytes]]], **_options: Any) -> Entries:
    """Return the entries of a stream as the server sends them: names and values in turns."""
    return [
        # Every entry that this release has written has the one field `event`.
        (
            entry_id,
            {fields[0]: fields[1]}
            if len(fields) == 2
            else dict(zip(fields[::2], fields[1::2], strict=True)),
        )
        for entry_id, fields in answer
    ]


def takes_no_writes(error: ResponseError) -> bool:
    """Return whether a refusal of the store means that it takes no writes for now."""
    # The client turns some codes into exceptions of their own, whose text has no code.
    known = isinstance(error, OutOfMemoryError | ReadOnlyError)
    return known or any(code in str(error) for code in TAKES_NO_WRITES)


def check(redis: Redis) -> None:
    """Raise `redis.RedisError` unless the server answers, soon, on a connection made for that.

    A cluster must take commands: whether it does without a master for each slot is a setting of its
    nodes (`cluster-require-full-coverage`).
    """
    if isinstance(redis, ClusterClient):
        _check_cluster(redis)
        return
    with dedicated(redis, socket_timeout=ANSWER_SOON, socket_connect_timeout=ANSWER_SOON) as asked:
        asked.ping()


def _check_cluster(cluster: ClusterClient) -> None:
    """Raise `redis.RedisError` unless a node says that the cluster takes commands."""
    works, missing = cluster.coverage.ask()
    if not works:
        if not missing:  # for some seconds after its nodes have found each other again
            raise Unreachable("the cluster takes no commands yet")
        raise Unreachable(
            f"{len(missing)} of the {SLOTS} slots of the cluster have no master: "
            f"{write_slots(missing)}"
        )


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


class Unconfirmed(Unreachable):
    """No replica has confirmed in time what the master has stored."""

    def __init__(self) -> None:
        super().__init__(
            "no replica has confirmed in time: the change may be stored, and may still be lost; "
            "send the request again with the same Idempotency-Key"
        )


class FellBack(Unreachable):
    """The store has lost what a key led to, since the record of the key was read."""

    def __init__(self) -> None:
        super().__init__(
            "the store fell back to an earlier copy while the request was served: send it again "
            "with the same Idempotency-Key"
        )


def pack_wait(within_ms: int) -> tuple[Any, ...]:
    """Return the words of the command that waits for a replica; 0 in the answer: too late."""
    return "WAIT", 1, within_ms


def find_key(command: tuple[Any, ...]) -> str:
    """Return the first key of a command: a script, or a command whose first word is a key."""
    return str(command[3] if command[0] in ("EVALSHA", "EVAL") else command[1])


def run_confirmed(redis: Redis, within_ms: int, *command: Any) -> Any:
    """Return the answer to a command after a replica has confirmed what the command has written.

    Both commands use one connection, because `WAIT` knows only what its own connection has written.
    Raises `Unconfirmed`, `redis.RedisError`.
    """
    server = redis.find_node(find_key(command)) if isinstance(redis, ClusterClient) else redis
    with translate():
        pipe: Any = server.pipeline(transaction=False)
        pipe.execute_command(*command)
        pipe.execute_command(*pack_wait(within_ms))
        answer, confirmed = pipe.execute()
    if not confirmed:
        raise Unconfirmed
    return answer
