"""Checks of the servers: whether they answer, keep what they get, and have room."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from cartulary.cli.doctor.site import DiskUse, ServerReport, Site
from cartulary.cli.shared.data_directory import is_directory
from cartulary.cli.shared.environment import queue_url
from cartulary.cli.shared.errors import Unusable
from cartulary.events.server.conditions import KEEPS, find_memory
from cartulary.events.server.servers import find_missing, write_slots
from cartulary.events.settings import REPLICATED

OLDEST: Final = 7
"""The oldest major version of Valkey or Redis that has what the scripts use."""

MEMORY_SHARE: Final = 0.85
"""A server that uses more of its memory is warned of: above the limit it takes no writes."""

DISK_SHARE, DISK_FREE = 0.05, 1 << 30
"""A disk is nearly full with less than this share free and less than so many bytes; below a
tenth of the bytes always."""

LAG_S: Final = 10
"""A replica that has not been heard of for so long is behind; masters hear of it each second."""


def find_no_store(site: Site) -> Iterator[str]:
    """See whether it is known where the store is."""
    if not site.url and not _has_bad_address():
        yield f"no `cartulary serve` runs on {site.data}, and CARTULARY_EVENTS_URL is not set"


def find_silence(site: Site) -> Iterator[str]:
    """See whether all servers answer."""
    if site.url and site.trouble and not _has_bad_address():
        yield site.trouble


def _has_bad_address() -> bool:
    """Return whether an address cannot be read, so that `setting_invalid` names it."""
    try:
        queue_url()
    except Unusable:
        return True
    return False


def find_old_server(site: Site) -> Iterator[str]:
    """See whether the servers are new enough."""
    for server in site.servers:
        version = _read_version(server)
        if not version[:1].isdigit() or int(version.split(".")[0]) < OLDEST:
            yield f"{server.name} is of version {version or 'unknown'}"


def _read_version(server: ServerReport) -> str:
    info = server.info
    return str(info.get("valkey_version") or info.get("redis_version") or "")


def find_replica(site: Site) -> Iterator[str]:
    """See whether an address leads to a replica, which takes no writes."""
    for server in site.servers:
        if server.info.get("role") == "slave":
            master = f"{server.info.get('master_host')}:{server.info.get('master_port')}"
            yield f"{server.name} is a replica of {master}"


def find_no_file(site: Site) -> Iterator[str]:
    """See whether each server has an append-only file."""
    for server in site.servers:
        if not server.info.get("aof_enabled"):
            yield f"{server.name} has `appendonly no`"


def find_no_fsync(site: Site) -> Iterator[str]:
    """See whether the append-only file reaches the disk."""
    for server in site.servers:
        if server.config is not None and server.config.get("appendfsync") == "no":
            yield f"{server.name} has `appendfsync no`"


def find_hidden_config(site: Site) -> Iterator[str]:
    """See whether the servers show their configuration."""
    for server in site.servers:
        if server.config is None:
            yield f"{server.name} refuses `CONFIG GET`: when it writes to its disk is unknown"


def find_failed_writes(site: Site) -> Iterator[str]:
    """See whether the last writes to the disk have succeeded."""
    words = {
        "aof_last_write_status": "the last write of the append-only file",
        "aof_last_bgrewrite_status": "the last rewrite of the append-only file",
        "rdb_last_bgsave_status": "the last snapshot (BGSAVE)",
    }
    for server in site.servers:
        for field, what in words.items():
            if server.info.get(field, "ok") != "ok":
                yield f"on {server.name} {what} has failed"


def find_eviction(site: Site) -> Iterator[str]:
    """See whether a server removes keys when its memory is full."""
    for server in site.servers:
        policy = server.info.get("maxmemory_policy", KEEPS)
        if policy != KEEPS:
            yield f"{server.name} has `maxmemory-policy {policy}`"


def find_short_memory(site: Site) -> Iterator[str]:
    """See whether the memory of a server is nearly full."""
    for server in site.servers:
        memory = find_memory(server.info)
        if memory is not None and memory.used > MEMORY_SHARE * memory.limit:
            used, limit = map(_show_size, memory)
            yield f"{server.name} uses {used} of {limit} of memory"


def find_short_disk(site: Site) -> Iterator[str]:
    """See whether a disk of this machine on which the service writes is nearly full."""
    seen: set[tuple[int, int]] = set()
    for path in _list_folders(site):
        use = site.disk(path)
        if is_nearly_full(use) and (use.total, use.free) not in seen:
            seen.add((use.total, use.free))
            yield (
                f"{_show_size(use.free)} of {_show_size(use.total)} are free on the disk of {path}"
            )


def _list_folders(site: Site) -> Iterator[Path]:
    """Yield the folders of this machine in which the service writes, as far as is known."""
    if is_directory(site.data):
        yield site.data
    archive = site.find_archive_file()
    if archive is not None and archive.parent.is_dir():
        yield archive.parent
    if site.trouble:
        return
    for server in site.servers:
        folder = Path((server.config or {}).get("dir") or "")
        if server.local and folder.is_absolute() and folder.is_dir():
            yield folder


def is_nearly_full(use: DiskUse) -> bool:
    """Return whether a disk has too little room."""
    if use.free < DISK_FREE // 10:
        return True
    return use.free < DISK_FREE and use.free < DISK_SHARE * use.total


def find_broken_promise(site: Site) -> Iterator[str]:
    """See whether the servers keep what the settings promise of the disk."""
    chosen = site.environment.text("DURABILITY")
    if chosen not in ("always", "everysec"):
        return
    for server in site.servers:
        kept = (server.config or {}).get("appendfsync", chosen)
        if "games" in server.name and kept not in (chosen, "always"):
            yield f"CARTULARY_DURABILITY is `{chosen}`, and {server.name} has `appendfsync {kept}`"


def find_no_replica(site: Site) -> Iterator[str]:
    """See whether the replicas are there that the settings promise."""
    if site.environment.text("DURABILITY") != REPLICATED:
        return
    for server in site.servers:
        if "games" in server.name and not _list_replicas(server):
            yield f"{server.name} has no replica, and CARTULARY_DURABILITY is `replicated`"


def find_late_replicas(site: Site) -> Iterator[str]:
    """See whether replicas follow their masters."""
    for server in site.servers:
        for replica in _list_replicas(server):
            where = f"the replica {replica.get('ip')}:{replica.get('port')} of {server.name}"
            if replica.get("state") != "online":
                yield f"{where} is in the state `{replica.get('state')}`"
            elif int(replica.get("lag", 0)) > LAG_S:
                yield f"{where} was last heard of {replica['lag']} s ago"


def _list_replicas(server: ServerReport) -> list[Any]:
    number = int(server.info.get("connected_slaves", 0))
    found = [server.info.get(f"slave{one}") for one in range(number)]
    return [one for one in found if isinstance(one, dict)]


def find_missing_slots(site: Site) -> Iterator[str]:
    """See whether each slot of the cluster has a master."""
    if missing := find_missing(site.store.redis):
        yield f"no master has the slots {write_slots(missing)}"


def find_full_coverage(site: Site) -> Iterator[str]:
    """See whether one missing slot would stop the whole cluster."""
    for server in site.servers:
        config = server.config or {}
        is_node = bool(server.info.get("cluster_enabled"))
        if is_node and config.get("cluster-require-full-coverage") == "yes":
            yield f"{server.name} ({config.get('port')}) has `cluster-require-full-coverage yes`"


def _show_size(count: int) -> str:
    return f"{count / 2**20:.0f} MiB" if count < 2**30 else f"{count / 2**30:.1f} GiB"
