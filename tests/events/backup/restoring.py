"""Making a backup of a store, restoring it, and comparing the two stores."""

from __future__ import annotations

import io
from typing import Any

from cartulary.events.backup import load as loading
from cartulary.events.backup.dump import Counts, dump
from cartulary.events.backup.load import begin, check_file, load
from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.events.server.key_catalogue import is_carried
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game, play_out


def back_up(store: Store) -> io.BytesIO:
    file = io.BytesIO()
    dump(store.redis, file)
    return file


def restore(store: Store, file: io.BytesIO) -> Counts:
    contents = check_file(file)
    begin(store.redis, contents, "the.backup")
    load(store.redis, file, contents)
    assert rebuild(store) == []
    loading.end(store.redis)
    return contents.counts


def value(redis: Any, key: bytes) -> Any:
    """What a key holds, whatever its type, and when it expires."""
    read = {
        b"string": redis.get,
        b"hash": redis.hgetall,
        b"set": redis.smembers,
        b"zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        b"list": lambda key: redis.lrange(key, 0, -1),
        b"stream": lambda key: (redis.xrange(key), redis.xinfo_stream(key)["last-generated-id"]),
    }
    return read[redis.type(key)](key), redis.pexpiretime(key)


def carried(redis: Any) -> dict[bytes, Any]:
    """All keys that a backup carries, with their values."""
    return {key: value(redis, key) for key in redis.keys("*") if is_carried(key.decode("latin1"))}


def audit(store: Store) -> list[dict[str, Any]]:
    return [p for game_id in store.ledger.game_ids() for p in store.audit.game(game_id).problems]


def some_games(store: Store) -> Player:
    """An open, a running and a finished game, created and played with keys."""
    ada, _ = store.players.create("Ana Žižić")
    store.commands.create(Intent(ada, key="open"), beans_game(ME, OPEN))
    running = store.commands.create(Intent(ada, key="running"), beans_game()).table
    store.commands.move(Intent(ada, key="first"), running.id, any_move(running))
    over = play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
    store.commands.score(over.id)
    return ada


def load_only(store: Store, file: io.BytesIO) -> None:
    contents = check_file(file)
    begin(store.redis, contents, "the.backup")
    load(store.redis, file, contents)
