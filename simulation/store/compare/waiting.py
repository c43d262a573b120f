"""Sessions that wait for an item of a list or for an entry of a stream, and what wakes them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from simulation.store.compare.operations import RandomOperation
from simulation.store.compare.pair import SESSIONS, ServerPair

WRITER = SESSIONS - 1


def play_waiting(pair: ServerPair, rng: random.Random) -> None:
    """Let all sessions but one wait, and let that one write until all have their answers."""
    pair.run(WRITER, [RandomOperation(words) for words in _prepare()])
    for number in rng.sample(range(WRITER), WRITER):
        pair.block(number, _make_wait(rng, number))
    for _ in range(rng.randrange(1, 6)):
        _write(pair, rng)
    _free_all(pair)
    _play_publications(pair, rng)


def _prepare() -> list[Sequence[bytes]]:
    return [
        (b"DEL", b"w:one", b"w:two", b"w:stream"),
        (b"XADD", b"w:stream", b"1-1", b"f", b"first"),
        (b"XGROUP", b"CREATE", b"w:stream", b"g", b"$"),
    ]


def _make_wait(rng: random.Random, number: int) -> Sequence[bytes]:
    return rng.choice(
        (
            (b"BLPOP", b"w:one", b"w:two", b"0"),
            (b"BRPOP", b"w:two", b"0"),
            (b"BLMOVE", b"w:one", b"w:two", b"LEFT", b"RIGHT", b"0"),
            (b"XREAD", b"BLOCK", b"0", b"STREAMS", b"w:stream", b"$"),
            (b"XREAD", b"COUNT", b"1", b"BLOCK", b"0", b"STREAMS", b"w:stream", b"1-1"),
            (b"XREADGROUP GROUP g r%d BLOCK 0 STREAMS w:stream >" % number).split(),
        )
    )


def _write(pair: ServerPair, rng: random.Random) -> None:
    push = RandomOperation([b"RPUSH", rng.choice((b"w:one", b"w:two")), b"a", b"b"])
    add = RandomOperation([b"XADD", b"w:stream", b"1-*", b"f", b"more"])
    chosen = rng.choice((push, add, add, "transaction", "undone", "other", "ended"))
    if isinstance(chosen, RandomOperation):
        pair.run(WRITER, [chosen])
    elif chosen == "transaction":
        pair.run_transaction(WRITER, [push, add])
    elif chosen == "undone":
        pair.run_transaction(WRITER, [push, RandomOperation([b"DEL", push.words[1]])])
    elif chosen == "other":
        pair.run(
            WRITER,
            [RandomOperation([b"SET", b"w:one", b"text"]), RandomOperation([b"DEL", b"w:one"])],
        )
    else:
        ends = rng.choice((b"XGROUP DESTROY w:stream g", b"DEL w:stream", b"XDEL w:stream 1-1"))
        pair.run(WRITER, [RandomOperation(ends.split())])
    pair.read_answers()


def _free_all(pair: ServerPair) -> None:
    """Write until no session waits; a reader of a stream that has ended waits for later ids."""
    for step in range(2, 60):
        if all(one.blocked is None for one in pair.sessions):
            return
        pair.run(
            WRITER,
            [
                RandomOperation([b"RPUSH", b"w:one", b"c"]),
                RandomOperation([b"RPUSH", b"w:two", b"c"]),
                RandomOperation([b"XADD", b"w:stream", b"%d-1" % step, b"f", b"last"]),
            ],
        )
        pair.read_answers()
    raise AssertionError("a session still waits")


def _play_publications(pair: ServerPair, rng: random.Random) -> None:
    """Let one session hear channels, and another one publish."""
    for subscribe, publish, leave in (
        (b"SSUBSCRIBE", b"SPUBLISH", b"SUNSUBSCRIBE"),
        (b"SUBSCRIBE", b"PUBLISH", b"UNSUBSCRIBE"),
    ):
        channels = [b"{c}:%d" % number for number in range(rng.randrange(1, 4))]
        pair.run(0, [RandomOperation([subscribe, *channels])])
        pair.read_answers()
        pair.run(
            1, [RandomOperation([publish, b"{c}:%d" % number, b"text"]) for number in (0, 1, 9)]
        )
        pair.read_answers()
        pair.run(
            0,
            [
                RandomOperation([b"PING"]),
                RandomOperation([b"GET", b"x"]),
                RandomOperation([leave, b"{c}:9"]),
            ],
        )
        pair.run(0, [RandomOperation([leave])])
        pair.read_answers()
