"""Checks of the names in the stores: keys that no family names, keys that should expire."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from redis import Redis

from cartulary.cli.doctor.site import Site
from cartulary.events.server.key_catalogue import find_family
from cartulary.events.server.servers import list_servers

SAMPLE: Final = 20_000
"""Keys of each server that are looked at without `--all`."""

AT_ONCE: Final = 1000
SHOWN: Final = 3

AGAIN_S: Final = 0.3
"""After this time a key without expiry is looked at again: its process may be setting it."""


class OddKeys(NamedTuple):
    """What the names of the keys have shown.

    `looked_at` counts them; `unknown` counts those of no family, `examples` are some of them;
    `forever` are names of keys that should expire and do not, at most `AT_ONCE`.
    """

    looked_at: int
    unknown: int
    examples: list[str]
    forever: list[str]


def find_unknown_keys(site: Site) -> Iterator[str]:
    """See whether a family names each key."""
    found = site.once(find_odd_keys)
    if found.unknown:
        shown = ", ".join(found.examples)
        yield f"{found.unknown} of {found.looked_at} keys, for example {shown}"


def find_lasting_keys(site: Site) -> Iterator[str]:
    """See whether the keys that should expire do."""
    if found := site.once(find_odd_keys).forever:
        yield f"{len(found)} keys, for example {', '.join(found[:SHOWN])}"


def find_odd_keys(site: Site) -> OddKeys:
    """Look at the names of the keys on all servers, or at a sample of each.

    A server of the queues alone does not count: others may use it as well. Raises `RedisError`.
    """
    servers = list_servers(site.store.redis)
    if site.store.registry not in servers:
        servers.append(site.store.registry)
    found, total = OddKeys(0, 0, [], []), sum(int(server.dbsize()) for server in servers)
    with site.progress("keys") as show:
        for server in servers:
            names = server.scan_iter(count=AT_ONCE)
            chosen = names if site.whole else islice(names, SAMPLE)
            while some := list(islice(chosen, AT_ONCE)):
                found = _look_at(server, some, found)
                show(min(found.looked_at, total), total)
    site.looked_at["keys"] = f"{found.looked_at} of {total} keys"
    return found


def _look_at(server: Redis, names: list[bytes], so_far: OddKeys) -> OddKeys:
    odd = [name for one in names if find_family(name := _show(one)) is None]
    lasting = _find_lasting(server, names)
    return OddKeys(
        so_far.looked_at + len(names),
        so_far.unknown + len(odd),
        [*so_far.examples, *odd][:SHOWN],
        [*so_far.forever, *lasting][:AT_ONCE],
    )


def _find_lasting(server: Redis, names: list[bytes]) -> list[str]:
    """Return those of some keys that should expire and do not."""
    families = ((name, find_family(_show(name))) for name in names)
    due = [name for name, family in families if family is not None and family.expires]
    lasting = _list_lasting(server, due)
    if not lasting:
        return []
    time.sleep(AGAIN_S)
    return [_show(name) for name in _list_lasting(server, lasting)]


def _list_lasting(server: Redis, names: list[bytes]) -> list[bytes]:
    pipe = server.pipeline(transaction=False)
    for name in names:
        pipe.pttl(name)
    answers: list[Any] = pipe.execute() if names else []
    return [name for name, left in zip(names, answers, strict=True) if left == -1]


def _show(name: bytes) -> str:
    return name.decode(errors="replace")
