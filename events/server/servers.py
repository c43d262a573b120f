"""Where the games are: on one server, or on the masters of a cluster. Callers need not know which.

What differs between the two is here, in the clients (`connection`, `pipeline`), the watch for
restarts and the outboxes. Outside of `events/server/` no module asks which of the two a store is;
only settings and commands read addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from redis import Redis
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError
from ulid import ULID

from cartulary.events.server import keys
from cartulary.events.server.cluster import Address, ClusterClient, Moving, is_cluster_url
from cartulary.events.server.cluster_outbox import make_outbox
from cartulary.events.server.connection import connect
from cartulary.events.server.coverage import NONE_MISSING, write_slots
from cartulary.events.server.slots import FIXED, draw_game_id, find_slot

__all__ = ["Moving", "is_cluster_url", "make_outbox", "write_slots"]
"""What other modules of this room define and callers outside of the room need."""


def connect_games(url: str, find_registry: Callable[[], str]) -> tuple[Redis, Redis]:
    """Return a client of the games at a URL, and one of the registry: by default the same.

    A cluster has its registry at the URL that `find_registry` returns.
    """
    games = connect(url)
    return games, connect(find_registry()) if is_cluster_url(url) else games


def check_address(url: str) -> None:
    """Raise `ValueError`, `TypeError` or `RedisError` for no address; connects to nothing."""
    if is_cluster_url(url):
        Address.parse(url)
        return
    connection = connect(url).connection_pool.make_connection()
    (getattr(connection, "host", None) or "").encode("idna")


def list_servers(redis: Redis, fresh: bool = False) -> list[Redis]:
    """Return a client of each server that has games, as far as is known.

    With `fresh` a node is asked which masters there are. Raises `RedisError`.
    """
    if not isinstance(redis, ClusterClient):
        return [redis]
    if fresh:
        redis.refresh()
    return list(redis.list_masters().values())


def find_server(redis: Redis, key: str) -> Redis:
    """Return a client of the server that has a key of a game, as far as is known.

    Raises `RedisError` for a key in a missing slot.
    """
    return redis.find_node(key) if isinstance(redis, ClusterClient) else redis


def group_by_server(
    redis: Redis, names: Iterable[str]
) -> dict[tuple[Redis | None, int], list[str]]:
    """Return keys of games in groups that one command may name, each with its server.

    The server is None where no server is known. A cluster refuses a command that names keys of
    several slots: the number is that of the slot.
    """
    found: dict[tuple[Redis | None, int], list[str]] = {}
    for name in names:
        slot = find_slot(name) if isinstance(redis, ClusterClient) else 0
        found.setdefault((_find_or_none(redis, name), slot), []).append(name)
    return found


def _find_or_none(redis: Redis, key: str) -> Redis | None:
    try:
        return find_server(redis, key)
    except RedisError:
        return None


def find_missing(redis: Redis) -> frozenset[int]:
    """Return the slots of a cluster that have no master, as far as is known; none of a server."""
    return redis.coverage.read_missing() if isinstance(redis, ClusterClient) else NONE_MISSING


def is_missing(redis: Redis, key: str) -> bool:
    """Return whether a key lies in a slot without a master, as far as is known."""
    return isinstance(redis, ClusterClient) and redis.coverage.is_missing(key)


def lacks(missing: frozenset[int], key: str) -> bool:
    """Return whether a key is in one of the missing slots that `find_missing` has returned."""
    return bool(missing) and find_slot(key) in missing


def read_slots(redis: Redis, raw: Iterable[Redis]) -> list[bytes]:
    """Return what each node says of its slots, in brackets those that are on their way.

    `raw` are clients that give answers as they are sent. Empty for a server, which has no slots.
    """
    return [_read_own_slots(one) for one in raw] if isinstance(redis, ClusterClient) else []


def _read_own_slots(raw: Redis) -> bytes:
    nodes: bytes = raw.execute_command("CLUSTER NODES")  # type: ignore[no-untyped-call]
    own = next(line for line in nodes.splitlines() if b"myself" in line.split()[2])
    return b" ".join(own.split()[8:])


# -- what a new game, an append and a restored key need --------------------------------------------


def draw_id(redis: Redis) -> str:
    """Return the id of a new game: one whose keys share a slot with an outbox.

    Raises `RedisError` when no node takes new games.
    """
    if not isinstance(redis, ClusterClient):
        return str(ULID())
    missing = redis.coverage.read_missing()
    if missing.issuperset(FIXED):
        raise Unreachable("no node of the cluster takes new games")
    return draw_game_id(missing)


def choose_append_keys(redis: Redis) -> Callable[[str], tuple[str, ...]]:
    """Return what names the keys of an append to a game."""
    in_cluster = isinstance(redis, ClusterClient)
    return keys.name_append_in_cluster if in_cluster else keys.name_append


def choose_tournament_keys(redis: Redis) -> Callable[[str], tuple[str, ...]]:
    """Return what names the keys of an append to a tournament."""
    in_cluster = isinstance(redis, ClusterClient)
    return keys.name_tournament_append_in_cluster if in_cluster else keys.name_tournament_append


def find_odd_outbox(redis: Redis, name: str) -> int | None:
    """Return the slot of a restored key when the outbox of that slot is not one that all have."""
    if not isinstance(redis, ClusterClient):
        return None
    slot = find_slot(name)
    return None if slot in FIXED else slot
