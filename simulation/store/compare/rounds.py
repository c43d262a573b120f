"""One round: random operations on all sessions, transactions, readers that wait, a restart."""

from __future__ import annotations

import random
from typing import Final

from simulation.store.compare.calls import make_calls
from simulation.store.compare.mix import make_operations
from simulation.store.compare.operations import ALL_NAMES, RandomOperation
from simulation.store.compare.pair import SESSIONS, ServerPair
from simulation.store.compare.waiting import play_waiting

BATCHES: Final = 10
BATCH: Final = 150
CALLS: Final = 4
"""Batches of calls of scripts."""


def play_round(pair: ServerPair, seed: str, number: int) -> None:
    """Run some thousand operations; raises `Difference`. The same seed makes the same round."""
    rng = random.Random(seed)
    for _ in range(BATCHES):
        operations = make_operations(rng, BATCH)
        pair.run(rng.randrange(SESSIONS), [one for one in operations if one.order != "blocking"])
        _play_transaction(pair, rng)
    for _ in range(CALLS):
        pair.run(rng.randrange(SESSIONS), make_calls(rng, BATCH // 2))
    play_waiting(pair, rng)
    pair.compare_states()
    if number % 25 == 24:
        pair.restart(kill=number % 50 == 49)
    if number % 3 == 2:
        pair.empty()


def _play_transaction(pair: ServerPair, rng: random.Random) -> None:
    """Watch keys, let another session write to one of them or not, run a transaction."""
    mine, other = rng.sample(range(SESSIONS), 2)
    operations = [one for one in make_operations(rng, 6) if one.order not in ("chance", "stream")]
    if rng.random() < 0.5:
        watched = [rng.choice(ALL_NAMES) for _ in range(2)]
        pair.run(mine, [RandomOperation([b"WATCH", *watched])])
        pair.run(other, [RandomOperation([b"DEL", rng.choice(ALL_NAMES)]), *_write_somewhere(rng)])
    if rng.random() < 0.05:
        operations.append(RandomOperation([b"WATCH", b"x"]))
    if rng.random() < 0.05:
        operations.append(RandomOperation([b"MULTI"]))
    pair.run_transaction(mine, operations)


def _write_somewhere(rng: random.Random) -> list[RandomOperation]:
    keys = [b"s:%d" % rng.randrange(5), b"h:%d" % rng.randrange(4)]
    return [
        RandomOperation([b"SET", keys[0], b"1"]),
        RandomOperation([b"HSET", keys[1], b"f", b"1"]),
    ]
