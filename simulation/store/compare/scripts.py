"""The scripts of the project, of RQ, of `limits` and of redis-py, with arguments that meet."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Final

_LIMITS: Final = "limits.resources.redis.lua_scripts"
NOW: Final = 1_795_700_000_000
"""The moment that the clients of the scripts name, in ms."""

Arguments = tuple[Sequence[object], Sequence[object]]
"""Keys and values of a call."""


def _pick(rng: random.Random, *choices: object) -> object:
    return rng.choice(choices)


def _game(rng: random.Random) -> str:
    return f"G{rng.randrange(4)}"


def _player(rng: random.Random) -> str:
    return f"P{rng.randrange(5)}"


def _moment(rng: random.Random) -> int:
    return NOW + rng.randrange(-200, 200) * 1000


# -- the ledger -----------------------------------------------------------------------------------


def append(rng: random.Random) -> Arguments:
    """Return an append to a game or a tournament, often one that does not follow."""
    game, count = _game(rng), rng.randrange(1, 4)
    kind = rng.choice(("events", "events", "events", "tournament"))
    keys = [f"{{{game}}}:{kind}", f"{{{game}}}:idempotency", "outbox"]
    beside = [f"{{{game}}}:secret", f"{{{game}}}:snapshot"][: rng.randrange(3)]
    head = _pick(rng, "0" * 64, "a" * 64, "a" * 64)
    events = [
        json.dumps({"n": rng.randrange(99), "t": "é" * rng.randrange(9)}) for _ in range(count)
    ]
    if rng.random() < 0.01:
        events[0] = "x" * 40_000
    record = _pick(rng, "", f"{_player(rng)}:key{rng.randrange(4)}")
    standing = _pick(rng, "", "", "*", "r1")
    nonce = f"n{rng.randrange(9)}"
    values: list[object] = [rng.randrange(0, 6), head, nonce, record, "digest", game]
    values += ["move_made", "a" * 64, count, standing, *events]
    values += [_pick(rng, "", "value") for _ in beside] + ([] if rng.random() < 0.8 else ["trace"])
    return [*keys, *beside], values


def stand(rng: random.Random) -> Arguments:
    """Return standing answers of a player."""
    keys = [f"{{{_game(rng)}}}:idempotency", f"{{{_game(rng)}}}:standing"]
    return keys, [_player(rng), _pick(rng, "", "[]"), f"r{rng.randrange(3)}"]


def release(rng: random.Random) -> Arguments:
    """Return the release of a game whose fingerprint is wrong: the bytes of DUMP differ."""
    game = _game(rng)
    keys = [f"{{{game}}}:events", f"{{{game}}}:pin", f"{{{game}}}:idempotency"]
    return keys, ["0" * 40, 2, _pick(rng, 1, NOW * 2)]


# -- lists ----------------------------------------------------------------------------------------


def _items(rng: random.Random, with_player: bool) -> list[object]:
    values: list[object] = []
    for _ in range(rng.randrange(3)):
        values += [_player(rng)] if with_player else []
        name = f"{_game(rng)}:{rng.randrange(4)}:your_turn:x"
        values += [name, json.dumps({"id": name}), _pick(rng, "", _moment(rng))]
    return values


def project(rng: random.Random) -> Arguments:
    """Return a projection of a game."""
    game = _game(rng)
    pre = "{projections}:"
    keys = [f"{pre}game:{game}", f"{pre}due", f"{pre}told", f"{pre}over"]
    turn = _pick(rng, "", f"{pre}turns:{_player(rng)} {_moment(rng)}")
    head = f"{'h' * 8}{_pick(rng, '', ':sealed')}"
    values: list[object] = [rng.randrange(1, 5), game, json.dumps({"id": game})]
    values += [" ".join(f"{pre}index:{n}" for n in rng.sample(range(4), 2))]
    values += [_pick(rng, "", _moment(rng)), head, _pick(rng, "", 2), rng.randrange(1, 3), "clock"]
    values += [turn, _pick(rng, "", "t1"), _pick(rng, "", "t1", "t2"), 20]
    values += [_pick(rng, "", _moment(rng))]
    return keys, [*values, *_items(rng, True)]


def add_items(rng: random.Random) -> Arguments:
    """Return items for an inbox."""
    player = _player(rng)
    stream = f"{{projections}}:inbox:{player}"
    return [stream, f"{stream}:ids"], [player, 20, *_items(rng, False)]


def project_tournament(rng: random.Random) -> Arguments:
    """Return a projection of a tournament."""
    pre = "{projections}:tournaments:"
    keys = [f"{pre}{_game(rng)}", f"{pre}due", f"{pre}ended"]
    values: list[object] = [_game(rng), rng.randrange(1, 5), "{}", _moment(rng)]
    values += [_pick(rng, "", _moment(rng)), _pick(rng, "", "1")]
    return keys, [*values, *(f"{pre}in:{n}" for n in rng.sample(range(4), rng.randrange(4)))]


# -- people, talk ---------------------------------------------------------------------------------


def reserve(rng: random.Random) -> Arguments:
    """Return the reservation of a place in quotas."""
    keys = [f"{{projections}}:quota:{n}" for n in range(2)]
    values = [_game(rng), 3_600_000]
    for _ in keys:
        values += [rng.randrange(4), rng.randrange(2)]
    return keys, values


def settle_quota(rng: random.Random) -> Arguments:
    """Return the end of a reservation."""
    return [f"{{projections}}:quota:{n}" for n in range(2)], [_game(rng), _pick(rng, 0, 3_600_000)]


def note_day(rng: random.Random) -> Arguments:
    """Return a note that a token was used."""
    return ["{people}:tokens"], [_player(rng), _player(rng) + ":u", rng.randrange(3), "row"]


def say(rng: random.Random) -> Arguments:
    """Return a message, or the deletion of one."""
    game = _game(rng)
    keys = [f"{{{game}}}:{name}" for name in ("idempotency", "talk", "watchers", "events")]
    field, entry = _pick(rng, "", f"k{rng.randrange(4)}"), _pick(rng, "", "", f"{NOW}-0")
    return keys, [field, "digest", _moment(rng), "{}", f"n{rng.randrange(20)}", entry, 30]


def note(rng: random.Random) -> Arguments:
    """Return a private note."""
    keys = [f"{{{_game(rng)}}}:{name}" for name in ("idempotency", "notes", "events")]
    return keys, [_pick(rng, "", "k1"), "digest", _player(rng), _pick(rng, "", "text")]


def pace(rng: random.Random) -> Arguments:
    """Return a message that is counted."""
    return [f"pace:{_player(rng)}"], [_moment(rng), _game(rng), rng.randrange(99), 3, 60_000, 5]


def take_due(rng: random.Random) -> Arguments:
    """Return a look at what is due."""
    return ["w:due", "w:texts"], [_moment(rng), NOW + 90_000, rng.randrange(1, 4)]


def settle(rng: random.Random) -> Arguments:
    """Return entries that were taken."""
    keys = ["w:due", "w:texts", "w:later", "w:later_texts"] + (
        ["w:last"] if rng.random() < 0.3 else []
    )
    values: list[object] = [1, _moment(rng), 5000, _game(rng), "a", _pick(rng, "", NOW), "a"]
    if rng.random() < 0.5:
        values += [f"d{rng.randrange(9)}", _moment(rng), "text"]
    return keys, values


# -- what ends, what is counted -------------------------------------------------------------------


def count(rng: random.Random) -> Arguments:
    """Return a finished game that is counted for its players."""
    shares = []
    keys = ["f:games", "f:deleted"]
    for player in {_player(rng) for _ in range(2)}:
        share: dict[str, object] = {
            "player": player,
            "sums": {"g": "1", "s": str(rng.randrange(90))},
        }
        share |= {"opponents": {_player(rng): "1"}, "endings": {"f": "1"}}
        share["timed_out"] = rng.random() < 0.3
        if rng.random() < 0.5:
            share["best"] = str(rng.randrange(100))
        shares.append(share)
        keys += [f"f:{kind}:{player}" for kind in ("sums", "met", "ends", "steady")]
    game = f"{rng.randrange(10**9):026}"
    return keys, [game, 1, _moment(rng), 5, 20, json.dumps(shares)]


def note_rating(rng: random.Random) -> Arguments:
    """Return the result of a rated game."""
    keys = [f"r:{name}" for name in ("results", "times", "from", "voided", "buckets", "steps")]
    result = {"entrants": [{"player": _player(rng)}, {"bot": "easy"}], "v": rng.randrange(2)}
    return keys, [
        f"people:{rng.randrange(2)}",
        _game(rng),
        _moment(rng),
        json.dumps(result),
        "r:of:",
    ]


def beat(rng: random.Random) -> Arguments:
    """Return a heartbeat of a web process."""
    return ["b:last", "b:outages", "b:formats"], [_moment(rng), 30_000, 5_000, rng.randrange(5, 8)]


def claim(rng: random.Random) -> Arguments:
    """Return a claim of the format of the store."""
    keys = ["c:format", "c:mark", "b:last", "b:formats", "c:dispatcher", "c:workers"]
    return keys, [rng.randrange(5, 9), NOW, 60_000]


def start_analysis(rng: random.Random) -> Arguments:
    """Return an analysis that is asked for."""
    game = _game(rng)
    return [f"a:{game}", f"a:{game}:d"], [_pick(rng, "h1", "h2"), "hard", rng.randrange(3), 90_000]


def add_analysis(rng: random.Random) -> Arguments:
    """Return a decision of an analysis."""
    game = _game(rng)
    return [f"a:{game}", f"a:{game}:d"], [rng.randrange(3), rng.randrange(3), "decision", 3]


def end_analysis(rng: random.Random) -> Arguments:
    """Return the end of an analysis."""
    game = _game(rng)
    state = _pick(rng, "done", "failed")
    return [f"a:{game}", f"a:{game}:d"], [rng.randrange(3), state, "reason", "x", 90_000]


def end_film(rng: random.Random) -> Arguments:
    """Return the end of a film."""
    return [f"a:{_game(rng)}"], ["h1", "done", "body", 90_000]


def store_local(rng: random.Random) -> Arguments:
    """Return a local game that is stored."""
    player = _player(rng)
    body = f'{{"stored_at":"{rng.randrange(3)}"}}'
    keys = [f"o:{player}", f"o:{player}:s", f"o:p:{player}"]
    return keys, [_game(rng), body, "summary", 3, _pick(rng, "", "1")]


def move_local(rng: random.Random) -> Arguments:
    """Return a local game that moves to another account."""
    one, other = _player(rng), _player(rng)
    return [f"o:{one}", f"o:{one}:s", f"o:{other}", f"o:{other}:s"], [_game(rng)]


# -- seeks ----------------------------------------------------------------------------------------


def add_seek(rng: random.Random) -> Arguments:
    """Return a seek."""
    mode = _pick(rng, "live", "days")
    values: list[object] = [_moment(rng), 3, f"S{rng.randrange(30)}", _player(rng), "caylus", mode]
    values += [f"caylus {mode}", _pick(rng, "2", "2,3", "3"), NOW + 600_000, NOW + 1000, "{}"]
    values += [_pick(rng, "", "1"), *rng.choice((("", ""), (1400, 1600))), _pick(rng, "", 80)]
    return [], values


def judge_seek(rng: random.Random) -> Arguments:
    """Return another look at a seek."""
    return [], [_moment(rng), f"S{rng.randrange(30)}", NOW + 5000, _pick(rng, "", "1")]


def withdraw_seeks(rng: random.Random) -> Arguments:
    """Return a withdrawal of seeks."""
    return [], [_player(rng), _pick(rng, "", f"S{rng.randrange(30)}"), _pick(rng, "", "1")]


def end_match(rng: random.Random) -> Arguments:
    """Return the end of a match."""
    one, other = (f"S{rng.randrange(30)}" for _ in range(2))
    fates = ["done", "dropped", "open", f"avoid {other}", f"{_game(rng)} 2"]
    values: list[object] = [_moment(rng), f"{min(one, other)} {max(one, other)}", 10_000_000, 5]
    return [], [*values, one, rng.choice(fates), other, rng.choice(fates)]


# -- of libraries ---------------------------------------------------------------------------------


def lock(rng: random.Random) -> Arguments:
    """Return a use of a lock."""
    return [f"lock:{rng.randrange(2)}"], [
        _pick(rng, "one", "two"),
        90_000_000,
        _pick(rng, "0", "1"),
    ]


def rq_lock(rng: random.Random) -> Arguments:
    """Return a use of a lock of RQ."""
    return [f"lock:{rng.randrange(2)}"], [_pick(rng, "one", "two"), 90_000]


def enqueue(rng: random.Random) -> Arguments:
    """Return a job that must be new."""
    values = [f"j{rng.randrange(9)}", _pick(rng, "L", "R", "N"), _pick(rng, -1, 90_000), "f", "v"]
    return [f"rq:job:{values[0]}", "rq:queue:bots"], values


def schedule(rng: random.Random) -> Arguments:
    """Return a job for later that must be new."""
    job = f"j{rng.randrange(9)}"
    return [f"rq:job:{job}", "rq:scheduled", "rq:queues"], [job, 90_000, NOW // 1000, "q", "f", "v"]


def acquire(rng: random.Random) -> Arguments:
    """Return a request that is counted in a moving window."""
    at = NOW / 1000 + rng.randrange(100_000) / 8
    return [f"lim:{_player(rng)}"], [at, 4, 100_000, rng.randrange(1, 3)]


def look_at_window(rng: random.Random) -> Arguments:
    """Return a look at a moving window."""
    return [f"lim:{_player(rng)}"], [NOW // 1000 - 90, 4]


def increase(rng: random.Random) -> Arguments:
    """Return a request that is counted in a fixed window."""
    return [f"fixed:{_player(rng)}"], [100_000, rng.randrange(1, 3)]


def odd(rng: random.Random) -> Arguments:
    """Return words for a script about what scripts get and answer."""
    number = rng.choice((rng.randrange(10**6) / 8, rng.randrange(-(10**17), 10**17), 1e20))
    return ["s:1", "h:1"], [rng.randrange(len(_ODD)), number]


_ODD: Final = (
    "return redis.pcall('INCR', KEYS[2])",
    "return {redis.call('ECHO', tonumber(ARGV[2])), redis.call('ECHO', math.floor(ARGV[2]))}",
    "return redis.call('GET', KEYS[1], 'more')",
    "local x = redis.call('GET', KEYS[2]) return x",
    "return {1, 2.9, 'x', true, false, 3}",
    "return cjson.encode({a = {1, {}, 'x\"/'}})",
    "return cjson.encode(cjson.decode('[1,2.5,\"\\\\u00e9\",null,true,[]]'))",
    "return tostring(tonumber(ARGV[2]))",
    "return missing",
    "error('trouble')",
    "return {err = 'MY trouble'}",
    "return redis.status_reply('FINE')",
    "return redis.sha1hex(KEYS[1])",
    "return redis.call('HGETALL', 'nothing')",
    "return math.random(1000)",
    "math.randomseed(7) return {math.random(), math.random(9), math.random(3, 5)}",
    "return redis.call('SET', KEYS[1], 3)",
    "return {redis.call('SET', KEYS[1], 3), redis.call('TYPE', KEYS[1])}",
    "return redis.call('SUBSCRIBE', 'x')",
    "return type(redis.call('GET', 'nothing'))",
    "local ok, e = pcall(redis.call, 'INCR', 'h:1') return {tostring(ok), type(e), e}",
    "return string.format('%.0f', ARGV[2])",
)
ODD: Final = "\n".join(
    f"if ARGV[1] == '{number}' then {body} end" for number, body in enumerate(_ODD)
)


# -- studies --------------------------------------------------------------------------------------


def _study(rng: random.Random) -> tuple[str, list[str]]:
    study = f"S{rng.randrange(3)}"
    return study, rng.sample(["studies:public", "studies_of:P0", "studies_of:P1"], rng.randrange(4))


def write_study(rng: random.Random) -> Arguments:
    """Return an append to a study, often one that does not follow."""
    study, indexes = _study(rng)
    keys = [f"study:{study}", f"study:{study}:keys", f"study:{study}:list", *indexes]
    values: list[object] = [rng.randrange(0, 4), _pick(rng, "a" * 64, "b" * 64)]
    values += [f"n{rng.randrange(9)}", _pick(rng, "", "P0:k1", "P0:k2"), "digest", "a" * 64, study]
    values += ["{}", _moment(rng), *(f"e{n}" for n in range(rng.randrange(1, 4)))]
    return keys, values


def list_study(rng: random.Random) -> Arguments:
    """Return what lists say of a version of a study."""
    study, indexes = _study(rng)
    return [f"study:{study}:list", *indexes], [study, rng.randrange(6), "{}", _moment(rng)]


def drop_study(rng: random.Random) -> Arguments:
    """Return a study that is deleted, often only if it has a version."""
    study, _ = _study(rng)
    names = [f"study:{study}", f"study:{study}:keys", f"study:{study}:list"]
    return names, [study, f"study:{study}:live", _pick(rng, "", 0, 1, 2)]
