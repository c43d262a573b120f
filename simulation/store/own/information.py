"""What a server says of itself: INFO, CONFIG, COMMAND; and FLUSHALL, which concerns all of it."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.patterns import compile_pattern
from simulation.store.commands.shape import (
    Command,
    FindKeys,
    all_but_last,
    all_keys,
    first_key,
    two_keys,
)
from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import (
    OK,
    Simple,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    refuse_syntax,
)
from simulation.store.values.session import ModelSession

_POSITIONS: Final[dict[FindKeys, tuple[int, int, int]]] = {
    first_key: (1, 1, 1),
    two_keys: (1, 2, 1),
    all_keys: (1, -1, 1),
    all_but_last: (1, -2, 1),
}


def inform(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """INFO, of all sections or of some: lines `name:value` below `# Section`."""
    wanted = {word.decode(errors="replace").lower() for word in words[1:]}
    shows_all = not wanted or bool(wanted & {"all", "default", "everything"})
    parts = [
        f"# {name.capitalize()}\r\n" + "".join(f"{key}:{value}\r\n" for key, value in lines.items())
        for name, lines in _list_sections(server).items()
        if shows_all or name in wanted
    ]
    return "\r\n".join(parts).encode()


def _list_sections(server: BareServer) -> dict[str, dict[str, object]]:
    up_s = max(0, server.now - server.started_at) // 1000
    return {
        "server": {
            "redis_version": "7.2.4",
            "server_name": "valkey",
            "valkey_version": "9.1.2",
            "server_mode": "cluster" if server.cluster else "standalone",
            "process_id": server.runs,
            "run_id": server.run_id,
            "tcp_port": server.port,
            "server_time_usec": server.now * 1000,
            "uptime_in_seconds": up_s,
            "uptime_in_days": up_s // 86400,
        },
        "clients": {
            "connected_clients": len(server.sessions),
            "blocked_clients": sum(one.blocked is not None for one in server.sessions.values()),
            "maxclients": 10000,
        },
        "memory": {
            "used_memory": 1000000,
            "used_memory_rss": 1000000,
            "used_memory_peak": 1000000,
            "maxmemory": 0,
            "maxmemory_policy": "noeviction",
            "mem_fragmentation_ratio": "1.00",
        },
        "persistence": {
            "loading": int(server.is_loading),
            # It has read more each time that it is asked.
            **({"loading_loaded_bytes": server.now} if server.is_loading else {}),
            "async_loading": 0,
            "aof_enabled": 1,
            "aof_rewrite_in_progress": 0,
            "aof_last_write_status": "err" if server.disk_failed else "ok",
            "aof_last_bgrewrite_status": "ok",
            "rdb_last_bgsave_status": "ok",
            "rdb_bgsave_in_progress": 0,
        },
        "stats": {"total_commands_processed": server.executed, "evicted_keys": 0},
        "replication": server.describe_replication(),
        "cluster": {"cluster_enabled": int(bool(server.cluster))},
        "keyspace": {
            f"db{space.number}": f"keys={len(space.data)},expires={len(space.expires)},avg_ttl=0"
            for space in server.spaces.values()
            if space.data
        },
    }


def configure(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """CONFIG GET pattern …, and CONFIG SET name value … of settings that the model has."""
    action = words[1].upper()
    if action == b"GET" and len(words) > 2:
        patterns = [compile_pattern(word.lower()) for word in words[2:]]
        return [
            part
            for name, value in server.settings.items()
            if any(one is None or one.match(name) for one in patterns)
            for part in (name, value)
        ]
    if action == b"SET" and len(words) > 3 and not len(words) % 2:
        pairs = dict(zip(words[2::2], words[3::2], strict=True))
        if unknown := pairs.keys() - server.settings.keys():
            raise Unmodelled(f"CONFIG SET {unknown.pop().decode(errors='replace')}")
        server.settings.update(pairs)
        return OK
    if action == b"RESETSTAT":
        return OK
    raise Unmodelled(f"CONFIG {action.decode(errors='replace')}")


def describe_commands(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """COMMAND, COMMAND COUNT, COMMAND GETKEYS command …."""
    if len(words) == 1:
        return [_describe(name, one) for name, one in server.commands.items()]
    action = words[1].upper()
    if action == b"COUNT":
        return len(server.commands)
    if action == b"GETKEYS" and len(words) > 2:
        command = server.commands.get(words[2].upper())
        if command is None:
            raise StoreRefusal("Invalid command specified")
        found = [] if command.keys is None else [*command.keys(words[2:])]
        if not found:
            raise StoreRefusal("The command has no key arguments")
        return [*found]
    raise Unmodelled(f"COMMAND {action.decode(errors='replace')}")


def _describe(name: bytes, command: Command | OwnCommand) -> StoreReply:
    flags: list[StoreReply] = [Simple("write" if "w" in command.flags else "readonly")]
    if "m" in command.flags:
        flags.append(Simple("denyoom"))
    positions = (0, 0, 0)
    if command.keys is not None:
        positions = _POSITIONS.get(command.keys, (0, 0, 0))
        if not any(positions):
            flags.append(Simple("movablekeys"))
    return [name.lower(), command.arity, flags, *positions, [], [], [], []]


def empty_all(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """FLUSHALL, with ASYNC or SYNC."""
    if len(words) > 2 or (len(words) == 2 and words[1].upper() not in (b"ASYNC", b"SYNC")):
        raise refuse_syntax()
    for number in [*server.spaces]:
        server.run_data(number, [b"FLUSHDB"])
    server.was_emptied = True
    return OK


COMMANDS: Final = {
    b"INFO": OwnCommand(inform, -1, "l"),
    b"CONFIG": OwnCommand(configure, -2, "sl"),
    b"COMMAND": OwnCommand(describe_commands, -1, "l"),
    b"FLUSHALL": OwnCommand(empty_all, -1, "w"),
}
