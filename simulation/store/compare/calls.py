"""Which scripts are compared, and their calls, as clients make them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Final

from redis.lock import Lock
from rq import scripts as of_rq

from cartulary.events.people import days
from cartulary.events.server.scripts import read_script
from simulation.store.compare.operations import RandomOperation
from simulation.store.compare.scripts import (
    ODD,
    Arguments,
    acquire,
    add_analysis,
    add_items,
    add_seek,
    append,
    beat,
    claim,
    count,
    drop_study,
    end_analysis,
    end_film,
    end_match,
    enqueue,
    increase,
    judge_seek,
    list_study,
    lock,
    look_at_window,
    move_local,
    note,
    note_day,
    note_rating,
    odd,
    pace,
    project,
    project_tournament,
    release,
    reserve,
    rq_lock,
    say,
    schedule,
    settle,
    settle_quota,
    stand,
    start_analysis,
    store_local,
    take_due,
    withdraw_seeks,
    write_study,
)

_LIMITS: Final = "limits.resources.redis.lua_scripts"

Make = Callable[[random.Random], Arguments]


@cache
def list_scripts() -> tuple[tuple[str, Make, int], ...]:
    """Return the texts of all scripts, what makes their arguments, and how often they come."""

    def read_limit(name: str) -> str:
        return files(_LIMITS).joinpath(name).read_text(encoding="utf-8")

    return (
        (read_script("ledger", "append.lua"), append, 12),
        (read_script("ledger", "standing.lua"), stand, 2),
        (read_script("archiving", "release.lua"), release, 1),
        (read_script("lists", "add_items.lua", "project.lua"), project, 8),
        (read_script("lists", "add_items.lua", "inbox.lua"), add_items, 3),
        (read_script("tournaments.stream", "project.lua"), project_tournament, 3),
        (read_script("people", "reserve.lua"), reserve, 2),
        (read_script("people", "settle.lua"), settle_quota, 2),
        (days._NOTE, note_day, 1),  # noqa: SLF001
        (read_script("chat", "say.lua"), say, 4),
        (read_script("chat", "note.lua"), note, 2),
        (read_script("chat", "pace.lua"), pace, 3),
        (read_script("notices", "take_due.lua"), take_due, 3),
        (read_script("notices", "settle.lua"), settle, 4),
        (read_script("profiles", "count.lua"), count, 4),
        (read_script("ratings", "note.lua"), note_rating, 3),
        (read_script("time", "beat.lua"), beat, 3),
        (read_script("server", "claim.lua"), claim, 2),
        (read_script("analyses", "start.lua"), start_analysis, 2),
        (read_script("analyses", "add.lua"), add_analysis, 3),
        (read_script("analyses", "end.lua"), end_analysis, 1),
        (read_script("films", "end_film.lua"), end_film, 1),
        (read_script("accounts", "store_local_game.lua"), store_local, 3),
        (read_script("accounts", "move_local_game.lua"), move_local, 2),
        (read_script("company", "seeks.lua", "add_seek.lua"), add_seek, 8),
        (read_script("company", "seeks.lua", "judge_seek.lua"), judge_seek, 5),
        (read_script("company", "seeks.lua", "withdraw_seeks.lua"), withdraw_seeks, 1),
        (read_script("company", "seeks.lua", "end_match.lua"), end_match, 3),
        (read_script("studies", "list.lua", "write.lua"), write_study, 6),
        (read_script("studies", "list.lua", "relist.lua"), list_study, 2),
        (read_script("studies", "drop.lua"), drop_study, 1),
        (Lock.LUA_RELEASE_SCRIPT, lock, 1),
        (Lock.LUA_REACQUIRE_SCRIPT, lock, 1),
        (of_rq.ACQUIRE_OR_REFRESH_LOCK_SCRIPT, rq_lock, 2),
        (of_rq.RELEASE_LOCK_SCRIPT, rq_lock, 1),
        (of_rq.UNIQUE_ENQUEUE_SCRIPT, enqueue, 2),
        (of_rq.UNIQUE_SCHEDULE_SCRIPT, schedule, 2),
        (read_limit("acquire_moving_window.lua"), acquire, 3),
        (read_limit("moving_window.lua"), look_at_window, 2),
        (read_limit("incr_expire.lua"), increase, 1),
        (ODD, odd, 6),
    )


def make_calls(rng: random.Random, number: int) -> list[RandomOperation]:
    """Return calls of scripts, each with what a client does where the server has forgotten it."""
    scripts = list_scripts()
    chosen = rng.choices(scripts, [one[2] for one in scripts], k=number)
    calls: list[RandomOperation] = []
    for text, make, _ in chosen:
        keys, values = make(rng)
        words = [str(len(keys)).encode(), *(str(one).encode() for one in (*keys, *values))]
        body = text.encode()
        if rng.random() < 0.5:
            digest = sha1(body, usedforsecurity=False).hexdigest().encode()
            calls.append(RandomOperation([b"EVALSHA", digest, *words]))
        else:
            calls.append(RandomOperation([b"EVAL", body, *words]))
        calls += _find_clock(make, keys, values)
        if rng.random() < 0.002:
            calls.append(RandomOperation([b"SCRIPT", b"FLUSH"]))
    return calls


def _find_clock(
    make: Make, keys: Sequence[object], values: Sequence[object]
) -> list[RandomOperation]:
    """Return what reads from the server at which moment it has run a script."""
    if make is append:
        return [RandomOperation([b"XREVRANGE", b"outbox", b"+", b"-", b"COUNT", b"1"], "clock")]
    if make in (project, add_items):
        players = {str(one) for one in values if str(one)[:1] == "P"}
        streams = sorted(f"{{projections}}:inbox:{player}".encode() for player in players)
        return [
            RandomOperation([b"XREVRANGE", one, b"+", b"-", b"COUNT", b"1"], "clock")
            for one in streams
        ]
    if make in (reserve, settle_quota):
        game = str(values[0]).encode()
        return [RandomOperation([b"ZSCORE", str(key).encode(), game], "clock") for key in keys]
    return []
