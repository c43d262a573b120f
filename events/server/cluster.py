"""A Redis Cluster as a client: each command goes to the node that has the slot of its keys.

The client of redis-py does the routing, follows a slot that has moved, and asks for the nodes again
after a failure. Here it is created when it is first used, so that a process starts while no node
answers, and what it raises is a `RedisError`, as everybody expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha1
from threading import Lock
from typing import Any, Final, NamedTuple, Self, cast
from urllib.parse import unquote, urlsplit

from redis import Redis
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.commands import RedisClusterCommands
from redis.connection import ConnectionPool, parse_url
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ClusterError,
    NoScriptError,
    RedisClusterException,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Unreachable
from redis.retry import Retry

from cartulary.events.server.borrowed import NAMELESS, UNNOTIFIED, choose_blocking
from cartulary.events.server.coverage import Coverage
from cartulary.events.server.slots import find_slot

SCHEMES: Final = {"redis+cluster": "redis", "rediss+cluster": "rediss"}
"""The schemes of the addresses of clusters, and what the connection to a node has."""

ATTEMPTS: Final = 3
"""How often a command is sent again, after a look at the nodes."""


class Address(NamedTuple):
    """Where a cluster is: the nodes to ask first, and how to connect to all of them."""

    nodes: list[tuple[str, int]]
    settings: dict[str, Any]

    @classmethod
    def parse(cls, url: str) -> Address:
        """Read `redis+cluster://[[user]:password@]host:port[,host:port]`.

        Raises `ValueError` for another address; the message has no password.
        """
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES:
            raise ValueError("the address of a cluster begins with redis+cluster://")
        secret, _, hosts = parts.netloc.rpartition("@")
        nodes = [_read_host(one) for one in hosts.split(",")]
        if parts.path not in ("", "/", "/0"):
            raise ValueError("a cluster has no numbered databases")
        before = f"{secret}@" if secret else ""
        query = f"?{parts.query}" if parts.query else ""
        parse: Any = parse_url
        settings = dict(parse(f"{SCHEMES[parts.scheme]}://{before}node:1/{query}"))
        for name in ("host", "port", "db"):
            settings.pop(name, None)
        return cls(nodes, settings)


def _read_host(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("the address of a cluster has a node without a name")
    return unquote(parts.hostname), parts.port or 6379


def is_cluster_url(url: str) -> bool:
    """Return whether an address is that of a cluster."""
    return urlsplit(url).scheme in SCHEMES


class _Pool(ConnectionPool):
    """A pool whose connections keep the timeout in the kernel, as in `connection`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.connection_class = choose_blocking(self.connection_class)


class _Client(RedisCluster):
    """The client of redis-py; a silent node is not asked again: its caller has waited enough."""

    ERRORS_ALLOW_RETRY: Any = (Unreachable, ClusterDownError)


class Moving(Unreachable):
    """A slot is being moved: some of the keys are on the node that has it, some on another node."""


MOVING: Final = (AskError, TryAgainError)
"""What nodes answer while a slot is being moved, or when it is on another node by now."""

_Commands: Any = RedisClusterCommands


class ClusterClient(_Commands):  # type: ignore[misc]
    """A client of a cluster. Thread-safe. All methods raise `RedisError`.

    A method that concerns no key concerns all masters (`scan_iter`), or any node.
    """

    def __init__(self, url: str, **settings: Any) -> None:
        """Belong to the cluster at a URL; nothing is connected yet. Raises `ValueError`."""
        self._address = Address.parse(url)
        self._settings = {**self._address.settings, **NAMELESS, **settings}
        self.coverage = Coverage(self)
        self._made: Any = None
        self._lock = Lock()

    # -- nodes ------------------------------------------------------------------------------------

    def find_node(self, key: str) -> Redis:
        """Return a client of the master that has a key, as far as is known."""
        with translate():
            client = self._client()
            node = client.nodes_manager.get_node_from_slot(find_slot(key))
            return cast(Redis, client.get_redis_connection(node))

    def list_masters(self) -> dict[str, Redis]:
        """Return a client of each master by its name, host and port, as far as is known."""
        with translate():
            client = self._client()
            found = sorted(client.get_primaries(), key=lambda node: str(node.name))
            return {node.name: client.get_redis_connection(node) for node in found}

    def refresh(self, failed: Redis | None = None) -> None:
        """Ask a node which of the nodes have which slots; a node that has `failed` comes last.

        To ask a node that is silent would take as long as its timeout.
        """
        last = None
        if failed is not None:
            last = "{host}:{port}".format_map(failed.connection_pool.connection_kwargs)
        with translate():
            self._client().nodes_manager.initialize(last_failed_node_name=last)

    def list_nodes(self) -> list[tuple[str, int]]:
        """Return host and port of the nodes of the address, then of the others that are known."""
        known = [] if self._made is None else self._made.get_nodes()
        return list(dict.fromkeys([*self._address.nodes, *((one.host, one.port) for one in known)]))

    def make_client(self, host: str, port: int, **changed: Any) -> Redis:
        """Return a client of one node, which gives up at once."""
        settings = {**self._settings, "retry": Retry(NoBackoff(), 0), **changed}
        return Redis(connection_pool=_Pool(host=host, port=port, **settings))

    @property
    def is_known(self) -> bool:
        """Return whether the nodes are known; else the next call of any method asks for them."""
        return self._made is not None

    # -- commands ---------------------------------------------------------------------------------

    def execute_command(self, *words: Any, **options: Any) -> Any:
        """Return the answer to a command."""
        with translate():
            return self._client().execute_command(*words, **options)

    def pipeline(self, transaction: bool = False, shard_hint: None = None) -> Any:
        """Return a pipeline; a transaction has keys of one slot.

        Unlike that of `Redis` it is no transaction by default: the commands of redis-py that take
        keys of several slots (`delete`, `exists`, `mget`) ask for such a pipeline.
        """
        if transaction:
            return _Transaction(self)
        with translate():
            return _Pipeline(self._client().pipeline(transaction=False))

    def register_script(self, script: str) -> Any:
        """Return a function that runs a script."""
        return Script(self, script)

    def __getattr__(self, name: str) -> Any:
        """Return what the commands of redis-py ask of their client."""
        with translate():
            return getattr(self._client(), name)

    def close(self) -> None:
        """End all connections."""
        with self._lock:
            made, self._made = self._made, None
        if made is not None:
            made.close()

    def _client(self) -> Any:
        made = self._made
        if made is not None:
            return made
        with self._lock:
            if self._made is None:
                make_node: Any = ClusterNode
                self._made = _Client(
                    startup_nodes=[make_node(*node) for node in self._address.nodes[1:]],
                    url="redis://{}:{}".format(*_bracket(self._address.nodes[0])),
                    connection_pool_class=_Pool,
                    retry=Retry(NoBackoff(), ATTEMPTS),
                    require_full_coverage=False,
                    maint_notifications_config=UNNOTIFIED,
                    **self._settings,
                )
            return self._made


def _bracket(node: tuple[str, int]) -> tuple[str, int]:
    host, port = node
    return (f"[{host}]" if ":" in host else host), port


class Script:
    """A script that each node learns when it is first run there, also after a failover."""

    def __init__(self, cluster: Any, text: str) -> None:
        self.script = text
        self.sha = sha1(text.encode(), usedforsecurity=False).hexdigest()
        self._cluster = cluster

    def __call__(self, keys: Any = (), args: Any = (), client: Any = None) -> Any:
        """Run the script; raises `RedisError`."""
        # The transaction of a cluster is false while it has no commands.
        chosen, words = self._cluster if client is None else client, (*keys, *args)
        if isinstance(chosen, _Transaction):
            # Its answers come later, and a node that does not know the script ends it.
            return chosen.eval(self.script, len(keys), *words)
        try:
            return chosen.evalsha(self.sha, len(keys), *words)
        except NoScriptError:
            return chosen.eval(self.script, len(keys), *words)


class _Pipeline:
    """A pipeline of redis-py that raises `RedisError`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        called: Callable[..., Any] = getattr(self._inner, name)

        def call(*words: Any, **options: Any) -> Any:
            with translate():
                return called(*words, **options)

        return call

    def __len__(self) -> int:
        return len(self._inner)


class _Transaction:
    """Commands on keys of one slot that their node runs in one step.

    The transactions of the cluster client return what the server sends; those of the client of a
    node return what the commands return.
    """

    def __init__(self, cluster: ClusterClient) -> None:
        self._cluster = cluster
        self._calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self._watched: Any = None

    def watch(self, *names: str) -> None:
        """Begin on the node of the keys; until `multi`, commands are answered at once."""
        with translate():
            self._watched = self._cluster.find_node(names[0]).pipeline(transaction=True)
        self._ask_watched("watch", *names)

    def _ask_watched(self, name: str, *words: Any, **options: Any) -> Any:
        try:
            return getattr(self._watched, name)(*words, **options)
        except (*MOVING, ClusterDownError) as error:
            self._cluster.refresh()
            kind = Moving if isinstance(error, MOVING) else Unreachable
            raise kind(f"the cluster: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._watched is not None:
            self._watched.reset()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if self._watched is not None:
            return partial(self._ask_watched, name)

        def call(*words: Any, **options: Any) -> None:
            self._calls.append((name, words, options))

        return call

    def __len__(self) -> int:
        return len(self._calls)

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Return the answers; a node that has changed is looked for again. Raises `RedisError`."""
        if self._watched is not None:
            return list(self._ask_watched("execute", raise_on_error=raise_on_error))
        if not self._calls:
            return []
        for _ in range(ATTEMPTS):
            try:
                return self._run(raise_on_error)
            except Unreachable:
                self._cluster.refresh()
        return self._run(raise_on_error)

    def _run(self, raise_on_error: bool) -> list[Any]:
        with translate():
            name, words, _ = self._calls[0]
            node = self._cluster.find_node(str(words[1 if name == "execute_command" else 0]))
            pipe: Any = node.pipeline(transaction=True)
            for name, words, options in self._calls:
                getattr(pipe, name)(*words, **options)
            return list(pipe.execute(raise_on_error))


@contextmanager
def translate() -> Iterator[None]:
    """Turn what the cluster client raises while slots have no master into `Unreachable`.

    While a slot is being moved it is `Moving`.
    """
    try:
        yield
    except MOVING as error:
        raise Moving(f"the cluster: {error}") from error
    except (RedisClusterException, ClusterDownError) as error:
        raise Unreachable(f"the cluster: {error}") from error
    except ClusterError as error:  # asked too often to come again
        raise Moving(f"the cluster: {error}") from error
    except IndexError as error:
        # The client takes the first of the masters that it has found, be there any or not.
        raise Unreachable("the cluster: no node knows a master") from error
