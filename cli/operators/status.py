"""`cartulary status`: a page of words and numbers about the running service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import click
import orjson
from redis import RedisError

from cartulary.cli.operators.store import (
    data_option,
    find_archive_url,
    open_by_url,
    refuse_unusable,
)
from cartulary.cli.operators.survey import (
    PROCESSES,
    SAMPLE_S,
    describe_key,
    describe_service,
    judge,
    survey_machine,
    survey_store,
)
from cartulary.cli.shared.data_directory import is_directory, url_in_use
from cartulary.cli.shared.environment import events_url
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.events.model.types import Json
from cartulary.events.notices.log import OF_ENDPOINTS
from cartulary.events.server.format import UnusableStore

UNKNOWN = "unknown"
STATUSES = ("open", "running", "scoring", "over", "aborted")


@click.command()
@data_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def status(data: Path, as_json: bool) -> None:
    """Show how the service does.

    Shows processes, readiness, durability, memory, games, appends per minute, what waits, streams,
    disk, and the last backup. Takes two seconds, and changes and starts nothing. Exit 1 when the
    service is not ready.
    """
    url = events_url() or url_in_use(data)
    if not url and not is_directory(data):
        raise Unusable(
            f"there is no data directory {data}; name it with --data or set CARTULARY_EVENTS_URL"
        )
    found = survey_machine(data)
    if url:
        found |= _ask_store(url, data)
    found["service"] = describe_service(found["service"], found.get("reporting", ()))
    found["works"] = judge(found)
    if as_json:
        click.echo(orjson.dumps(found).decode())
    else:
        for label, text in describe(found):
            click.echo(f"{label:<12} {text}")
    if not found["works"]:
        raise Failed(_describe_failure(found))


def _ask_store(url: str, data: Path) -> Json:
    """Return what the store says, and why where it says nothing."""
    with refuse_unusable():
        store = open_by_url(url, find_archive_url(data))
    try:
        store.inspect()
        return {**survey_store(store), "key": describe_key(store, data)}
    except (RedisError, UnusableStore) as error:
        return {"store_problem": str(error)}
    finally:
        store.close()


def _describe_failure(found: Json) -> str:
    if found["service"]["running"]:
        return "the service is not ready; `cartulary doctor` says what is wrong"
    return "no service is running here"


def describe(found: Json) -> Iterator[tuple[str, str]]:
    """Yield the lines of the page: a label and a text."""
    yield "cartulary", f"{found['software']}, format level {found['format']}"
    signs = found.get("reporting", [])
    yield "service", _describe_service(found["service"], signs)
    yield from _describe_children(found["processes"])
    yield from _describe_signs(signs)
    if "store_problem" in found:
        yield "store", found["store_problem"]
    elif "store" in found:
        yield from _describe_store(found)
    else:
        yield "store", "not running"
    if found["streams"] is not None:
        yield "streams", f"{found['streams']} open"
    yield "disk", _describe_disk(found["disk"])


def _describe_service(service: Json, signs: list[Json]) -> str:
    if service["by"] == PROCESSES:
        counts = Counter(one["name"] for one in signs)
        shown = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))
        ready = "ready" if service["ready"] else f"NOT ready, {service['detail']}"
        return f"runs without `cartulary serve`: {shown}; {ready}"
    if not service["running"]:
        holder = service["holder"]
        return "not running" if holder is None else f"not running; {holder} holds the directory"
    if service["ready"]:
        return f"ready on {service['address']}, running since {service['since']}"
    return f"not ready: {service['detail']}; running since {service['since']}"


def _describe_children(processes: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield a line for each child of a `serve` on this machine."""
    for one in processes:
        silent = one["silent_s"]
        life = "" if silent is None else f", last sign of life {silent:.1f} s ago"
        yield "process", f"{one['name']} (pid {one['pid']}) since {one['since']}{life}"


def _describe_signs(signs: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield a line for each process that shows itself in the store, of any machine."""
    for one in signs:
        release = f"release {one['release'] or UNKNOWN}, format level {one['format'] or UNKNOWN}"
        off = f"; its clock is {one['ahead_s']:+d} s off" if one["ahead_s"] else ""
        yield (
            "heartbeat",
            f"{one['name']} (pid {one['pid']}) on {one['host']}, {release}, runs for "
            f"{one['age_s']:.0f} s, last sign of life {one['silent_s']:.1f} s ago{off}",
        )


def _describe_store(found: Json) -> Iterator[tuple[str, str]]:
    store, games = found["store"], found["games"]
    limit = store["memory_limit_bytes"]
    of = "no limit" if limit is None else f"limit {_size(limit)}"
    waits = "" if store["format"] >= found["format"] else ": an earlier release runs"
    failing = "" if store["last_write_ok"] else "; its last write to the disk FAILED"
    yield (
        "store",
        f"{store['name']} {store['version']}, {_size(store['memory_bytes'])} of memory ({of}), "
        f"{store['keys']} keys, format level {store['format']}{waits}{failing}",
    )
    if found["missing_slots"]:
        yield "cluster", f"no master has the slots {found['missing_slots']}: their games get 503"
    yield "durability", found["durability"]
    shown = ", ".join(f"{games.get(one, 0)} {one}" for one in (*STATUSES, *games.keys() - STATUSES))
    yield "games", f"{sum(games.values())}: {shown}"
    yield (
        "appends",
        f"{_or_unknown(found['appends_per_minute'])} per minute (moves, seats and results, "
        f"measured for {SAMPLE_S:.0f} s)",
    )
    yield (
        "outbox",
        f"{found['outbox']} entries, the oldest waits {_write_age(found['outbox_age_ms'])}",
    )
    yield (
        "dispatcher",
        f"last report {_write_age(found['dispatcher_age_ms'])} ago; "
        f"{_or_unknown(found['queued'])} games wait for a worker, "
        f"the first for {_write_age(found['queue_age_ms'])}",
    )
    if by_queue := found["queued_by_queue"]:
        yield "queues", ", ".join(f"{number} in {name}" for name, number in by_queue.items())
    due = found["oldest_due"]
    waits = "no game" if due is None else f"game {due['game']} for {_write_age(due['age_ms'])}"
    yield "due", f"{waits} waits for a bot or a score"
    yield "clocks", _describe_clocks(found)
    yield "key", _describe_key(found["key"])
    yield "archive", _describe_archive(found["archive"])
    if (mining := found["mining"]) is not None:
        yield "mining", _describe_mining(mining)
    yield "notices", _describe_notices(found["notices"])
    yield "backup", _describe_backup(found["last_backup"])


def _describe_clocks(found: Json) -> str:
    flags, outages = found["flags"], found["outages"]
    shown = ", ".join(f"{number} {name}" for name, number in flags.items())
    last = f", the last from {outages[-1][0]} until {outages[-1][1]}" if outages else ""
    late = _or_unknown(found["timers_late"])
    return f"{late} timers are late; flags: {shown}; {len(outages)} outages{last}"


def _describe_key(key: Json) -> str:
    if key["source"] is None:
        return f"no key is here; {_or_unknown(key['secrets'])} secrets are stored"
    verb = "decrypts" if key["fits"] else "does NOT decrypt"
    secrets = _or_unknown(key["secrets"])
    return f"that of {key['source']} {verb} the {secrets} secrets of unfinished games"


def _describe_archive(archive: Json | None) -> str:
    if archive is None:
        return "there is no archive"
    failing = "" if archive["error"] is None else f"; it FAILS: {archive['error']}"
    held = f"{_or_unknown(archive['games'])} games, {archive['waiting']} wait"
    tournaments = f"; {archive['tournaments']} tournaments" if archive["tournaments"] else ""
    return f"{held}{tournaments}{failing}"


def _describe_mining(mining: Json) -> str:
    allowed, game = mining["allowed_s"], mining["game"]
    today = f"{mining['spent_s']:.1f} of {allowed} s of CPU today" if allowed else "off"
    so_far = f"{mining['games']} games, {mining['puzzles']} puzzles, {mining['passed']} given up"
    if mining["error"] is not None:
        now = f"it FAILS: {mining['error']}"
    elif mining["rests"]:
        now = "nothing is left for now"
    else:
        now = "between two games" if game is None else f"game {game} is under way"
    return f"{today}; so far {so_far}; {now}"


def _describe_notices(notices: Json) -> str:
    outcomes, allowed = notices["outcomes"], notices["egress_allow"]
    sent = _count_outcomes(outcomes, OF_ENDPOINTS)
    withheld = _count_outcomes(outcomes, outcomes.keys() - OF_ENDPOINTS)
    if allowed is None:
        beyond = "no notifier has run here"
    else:
        beyond = f"CARTULARY_EGRESS_ALLOW: {allowed or 'empty'}"
    late = f"{notices['late']} late" + ("; start another notifier" if notices["late"] else "")
    return (
        f"{notices['intents']} wait for their time, {notices['deliveries']} messages are to be "
        f"sent ({late}), {notices['mails']} e-mails; so far {sent or 'none was sent'}; "
        f"held back: {withheld or 'none'}; {beyond}"
    )


def _count_outcomes(outcomes: Json, wanted: Collection[str]) -> str:
    """Return what has happened to notices, and how often."""
    found = ((name, number) for name, number in outcomes.items() if name in wanted and number)
    return ", ".join(f"{number} {name}" for name, number in found)


def _describe_backup(backup: Json | None) -> str:
    if backup is None:
        return "none is noted in this store"
    return f"{backup['at']}, {backup['games']} games, {_size(backup['bytes'])}: {backup['file']}"


def _describe_disk(disk: Json | None) -> str:
    if disk is None:
        return UNKNOWN
    return (
        f"{_size(disk['free_bytes'])} of {_size(disk['total_bytes'])} free; the data directory "
        f"holds {_size(disk['data_bytes'])}"
    )


def _or_unknown(value: Any) -> str:
    return UNKNOWN if value is None else str(value)


def _write_age(ms: int | None) -> str:
    return UNKNOWN if ms is None else f"{ms / 1000:.1f} s"


def _size(count: int | None) -> str:
    if count is None:
        return UNKNOWN
    return f"{count / 2**20:.1f} MiB" if count < 2**30 else f"{count / 2**30:.1f} GiB"
