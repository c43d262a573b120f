"""What `cartulary status` shows: figures of the store, of the processes, of the disk."""

from __future__ import annotations

import http.client
import shutil
import ssl
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from redis import Redis, RedisError

from cartulary.cli.processes.serve_state import Running, read_state
from cartulary.cli.shared.data_directory import Note, is_directory, read_note
from cartulary.cli.shared.environment import queue_url, read_setting
from cartulary.cli.shared.key_file import NAME, VARIABLE, find_keys, make_keyring
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.draws.vault import Vault
from cartulary.events.mining.log import MiningLog
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.waiting import count_waiting
from cartulary.events.puzzles.records import DAY_MS
from cartulary.events.server import keys
from cartulary.events.server.conditions import read_durability
from cartulary.events.server.connection import connect
from cartulary.events.server.format import FORMAT, read_level
from cartulary.events.server.heartbeat import Sign, read_release
from cartulary.events.server.servers import find_missing, list_servers, write_slots
from cartulary.events.store import Store
from cartulary.service.process.metrics import collect_all
from cartulary.workers.queues.registered_workers import list_workers

SAMPLE_S = 2.0
"""Seconds between the two readings that give the appends per minute."""

WORKS_WITHIN_S = 15.0
"""A web process shows itself every 5 s, all others more often: one that is silent for longer does
not work."""

SERVE, PROCESSES = "serve", "processes"
"""How a service was started: by `cartulary serve`, or its processes by other means."""

ANSWER_WITHIN_S = 5.0

SCANNED = 1000


def survey_machine(data: Path) -> Json:
    """Return what can be found out without the store: processes, readiness, disk."""
    note = read_note(data)
    running = read_state(Path(note.memory)) if note is not None and note.memory else None
    return {
        "software": read_release(),
        "format": FORMAT,
        "service": _describe_service(note, running),
        "processes": [] if running is None else [one._asdict() for one in running.processes],
        "streams": _count_streams(running),
        "disk": _measure_disk(data),
    }


def _describe_service(note: Note | None, running: Running | None) -> Json:
    """Return whether a `serve` holds the directory, and what its `/readyz` answers."""
    found: Json = {
        "running": running is not None,
        "by": None if running is None else SERVE,
        "holder": None if note is None else note.holder or None,
        "address": None,
        "since": None,
        "ready": None,
        "detail": None,
    }
    if running is None:
        return found
    found |= {"address": running.address or None, "since": running.since, "ready": False}
    if not running.address:
        return found | {"detail": "it is starting"}
    ready, detail = ask_readiness(running.address)
    return found | {"ready": ready, "detail": detail}


def ask_readiness(address: str) -> tuple[bool, str | None]:
    """Return whether a service is ready, and why not."""
    parts = urlsplit(address)
    connection = _connect(parts.scheme, parts.hostname or "", parts.port or 0)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as error:
        return False, f"it does not answer: {error}"
    finally:
        connection.close()
    if answer.status == 200:
        return True, None
    try:
        return False, str(orjson.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return False, f"it answers {answer.status}"


def _connect(scheme: str, host: str, port: int) -> http.client.HTTPConnection:
    if scheme == "http":
        return http.client.HTTPConnection(host, port, timeout=ANSWER_WITHIN_S)
    # The certificate names the public host, and the question goes to a process of our own.
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return http.client.HTTPSConnection(host, port, timeout=ANSWER_WITHIN_S, context=context)


def _count_streams(running: Running | None) -> int | None:
    """Return the number of open streams of all web processes, None where it is unknown."""
    if running is None or not (folder := running.memory / "metrics").is_dir():
        return None
    for metric in collect_all(folder).collect():
        if metric.name == "cartulary_streams":
            return int(sum(sample.value for sample in metric.samples))
    return 0


def _measure_disk(data: Path) -> Json | None:
    if not is_directory(data):
        return None
    usage = shutil.disk_usage(data)
    sizes = (path.stat().st_size for path in data.rglob("*") if path.is_file())
    return {"free_bytes": usage.free, "total_bytes": usage.total, "data_bytes": sum(sizes)}


def survey_store(store: Store, sample_s: float = SAMPLE_S) -> Json:
    """Return what the store says; takes `sample_s` seconds and changes nothing.

    Raises `RedisError`.
    """
    began, before = time.monotonic(), count_appends(store)
    queue = connect(url) if (url := queue_url()) else store.registry
    found: Json = {
        "durability": _find_durability(store),
        "reporting": [one._asdict() for one in list_reporting(store, queue)],
        "missing_slots": write_slots(find_missing(store.redis)),
        "store": _describe_server(store),
        "games": _count_games(store.registry),
        "archive": _describe_archive(store),
        "mining": _describe_mining(store),
        "notices": _describe_notices(store),
        **_describe_backlog(store),
        "last_backup": _read_backup(store.registry),
    }
    time.sleep(max(0.0, began + sample_s - time.monotonic()))
    minutes = (time.monotonic() - began) / 60
    appends = None if before is None else (count_appends(store) or before) - before
    found["appends_per_minute"] = None if appends is None else round(appends / minutes)
    return found


def _find_durability(store: Store) -> str:
    """Return the durability of the web processes as they have it, else that of the server."""
    own = {one.durability for one in store.heartbeats.list_processes() if one.name == "web"} or {""}
    return " and ".join(sorted(one or read_durability(store.redis) for one in own))


def list_reporting(store: Store, queue: Redis) -> list[Sign]:
    """Return the processes that show themselves in the store, workers in that of their `queue`.

    Raises `RedisError`.
    """
    return [*store.heartbeats.list_processes(), *list_workers(queue)]


def describe_service(service: Json, signs: Sequence[Json]) -> Json:
    """Return what is known of the service where no `serve` holds the directory.

    Its processes may have been started by other means, here or on other machines: they show
    themselves in the store. It is ready when a web process and a dispatcher work, as `/readyz` is.
    """
    working = {one["name"] for one in signs if one["silent_s"] <= WORKS_WITHIN_S}
    if service["running"] or not working:
        return service
    missing = [name for name in ("web", "dispatcher") if name not in working]
    detail = f"no {' and no '.join(missing)} process reports" if missing else None
    return {**service, "running": True, "by": PROCESSES, "ready": not missing, "detail": detail}


def _describe_archive(store: Store) -> Json | None:
    """Return what the archive contains, and what waits for it; None without an archive."""
    if not store.archive.is_set:
        return None
    noted = store.archive_state.read()
    after = store.archive_after
    before = None if after is None else store.clock.now_ms() - 1000 * after
    games = tournaments = None
    try:
        games, error = store.archive.archive.count(), noted.error or None
        tournaments = store.tournaments.streams.archived.count()
    except ArchiveError as failure:
        error = str(failure)
    return {
        "games": games,
        "tournaments": tournaments,
        "waiting": 0 if before is None else store.projections.finished.count_before(before),
        "error": error,
        "failures": noted.failures,
    }


def _describe_mining(store: Store) -> Json | None:
    """Return how far the mining of the archive is; None where it never was on."""
    now = store.clock.now_ms()
    state, allowed, _ = MiningLog(store.registry).read_report(now)
    if not allowed and not state.games and not state.cpu_ms:
        return None
    under_way = state.under_way
    return {
        "allowed_s": allowed,
        "spent_s": state.read_spent(now // DAY_MS) / 1000,
        "games": state.games,
        "puzzles": state.puzzles,
        "passed": state.passed,
        "game": None if under_way is None else under_way.id,
        "rests": state.idle_until > now,
        "error": state.error or None,
    }


def _describe_notices(store: Store) -> Json:
    """Return what waits, what has become of notices, and where they may go besides the internet.

    `egress_allow` is None when no notifier has run on this store.
    """
    return {
        **count_waiting(store.registry, store.clock.now_ms()),
        "questions": store.bot_questions.waiting.count(),
        "outcomes": store.notice_log.read_counts(),
        "egress_allow": store.notice_log.read_policy(),
    }


def count_appends(store: Store) -> int | None:
    """Return how many appends there have ever been: each adds an entry to the outbox."""
    total = 0
    for shard in store.outbox.list_shards():
        if store.redis.exists(shard):
            info: Any = store.redis.xinfo_stream(shard)
            if "entries-added" not in info:
                return None
            total += int(info["entries-added"])
    return total


def _describe_server(store: Store) -> Json:
    servers = _list_servers(store.redis)
    said: list[Any] = [server.info() for server in servers]
    info = said[0]
    limits = [one.get("maxmemory") or 0 for one in said]
    return {
        "name": info.get("server_name") or "redis",
        "version": info.get("valkey_version") or info.get("redis_version"),
        "memory_bytes": sum(one.get("used_memory", 0) for one in said),
        "memory_limit_bytes": sum(limits) if all(limits) else None,
        "keys": sum(int(server.dbsize()) for server in servers),
        "format": read_level(store.registry),
        "last_write_ok": all(one.get("aof_last_write_status", "ok") == "ok" for one in said),
    }


def _list_servers(redis: Redis) -> list[Redis]:
    """Return a client of each server that has games, of several only those that answer."""
    servers = list_servers(redis)
    return servers if len(servers) == 1 else [server for server in servers if answers(server)]


def answers(server: Redis) -> bool:
    """Return whether a master answers: its slots are missing otherwise, and `status` names them."""
    try:
        return bool(server.ping())
    except RedisError:
        return False


def _count_games(redis: Redis) -> dict[str, int]:
    """Return the number of games in each status, from the summaries."""
    counts: Counter[str] = Counter()
    found = redis.scan_iter(match=keys.summary("*"), count=SCANNED)
    while some := list(islice(found, SCANNED)):
        pipe = redis.pipeline(transaction=False)
        for key in some:
            pipe.hget(key, "json")
        summaries = (orjson.loads(text) for text in pipe.execute() if text is not None)
        counts.update(str(summary["status"]) for summary in summaries)
    return dict(sorted(counts.items()))


def describe_key(store: Store, data: Path) -> Json:
    """Return where the key of the secrets is, whether it fits, and how many secrets there are.

    The number is None while slots of the cluster are missing.

    `source` is `CARTULARY_SECRET`, `secret.key`, or None where there is no key.
    """
    found = find_keys(data)
    source = (VARIABLE if read_setting("SECRET") else NAME) if found else None
    vault = Vault(store.redis, make_keyring(found), store.registry)
    secrets = None if find_missing(store.redis) else vault.count()
    return {"source": source, "fits": vault.fits(), "secrets": secrets}


def _describe_backlog(store: Store) -> Json:
    """Return what waits: appends for a dispatcher, games for a worker; ages in milliseconds."""
    report = store.heartbeats.read()
    found: Json = {
        "outbox": store.outbox.depth(),
        "outbox_age_ms": round(1000 * store.outbox.read_age()),
        "dispatcher_age_ms": None,
        "queued": None,
        "queued_by_queue": {},
        "queue_age_ms": None,
        "oldest_due": find_oldest_due(store.registry),
        "timers_late": None,
        "flags": store.commands.timeouts.read_counts(),
        "outages": [list(map(format_time, one)) for one in store.outages.read()],
    }
    if report is not None:
        found |= {
            "dispatcher_age_ms": round(1000 * report.age),
            "queued": report.queued,
            "queued_by_queue": dict(report.by_queue),
            "queue_age_ms": round(1000 * report.queue_age),
            "timers_late": report.timers,
        }
    return found


def find_oldest_due(redis: Redis) -> Json | None:
    """Return the game whose bot, or whose score, has been due for the longest time."""
    return next(iter(list_due(redis, 1)), None)


def list_due(redis: Redis, number: int) -> list[Json]:
    """Return the games whose bots, or whose scores, have been due for the longest times."""
    first: Any = redis.zrange(keys.due(), 0, number - 1, withscores=True)
    seconds, micros = redis.time()
    now = 1000 * seconds + micros / 1000
    return [
        {"game": game_id.decode(), "age_ms": round(now - at)} for game_id, at in first if at <= now
    ]


def _read_backup(redis: Redis) -> Json | None:
    found: Any = redis.hgetall(keys.backup())
    if not found:
        return None
    noted = {name.decode(): value.decode() for name, value in found.items()}
    return {**noted, "bytes": int(noted["bytes"]), "games": int(noted["games"])}


def judge(found: Json) -> bool:
    """Return whether the service works, as far as `found` shows."""
    return bool(found["service"]["ready"])
