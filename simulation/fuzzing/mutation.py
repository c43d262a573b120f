"""Changes of inputs without a library: what the tests of each day try."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from simulation.fuzzing.target import FuzzTarget

VALUES: Final = (
    *(b"", b"\0", b"\n", b"\xff", b"\xe2\x80\xae", b"null", b"-1", b"1e999", b"9" * 40),
    *(b"[" * 40, b'{"a":' * 40, b"true", b'""', b"\\ud800", b"0", b"[]", b"{}"),
)
"""Values that readers have stumbled over, here and elsewhere."""


def change(rng: random.Random, data: bytes, words: Sequence[bytes]) -> bytes:
    """Return the bytes with one change."""
    at = rng.randrange(len(data) + 1)
    to = min(len(data), at + rng.choice((1, 2, 8, 64)))
    return rng.choice(_CHANGES)(rng, data, at, to, words)


def _replace(rng: random.Random, data: bytes, at: int, to: int, words: Sequence[bytes]) -> bytes:
    return data[:at] + rng.choice(words) + data[to:]


def _insert(rng: random.Random, data: bytes, at: int, _to: int, words: Sequence[bytes]) -> bytes:
    return data[:at] + rng.choice(words) + data[at:]


def _flip(rng: random.Random, data: bytes, at: int, _to: int, _words: Sequence[bytes]) -> bytes:
    if at == len(data):
        return data
    return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]


def _repeat(_rng: random.Random, data: bytes, at: int, to: int, _words: Sequence[bytes]) -> bytes:
    return data[:to] + data[at:to] + data[to:]


def _cut(_rng: random.Random, data: bytes, at: int, _to: int, _words: Sequence[bytes]) -> bytes:
    return data[:at]


Change = Callable[[random.Random, bytes, int, int, Sequence[bytes]], bytes]
_CHANGES: Final[tuple[Change, ...]] = (_replace, _insert, _flip, _repeat, _cut)


def list_inputs(target: FuzzTarget, seed: int, number: int) -> Iterator[bytes]:
    """Yield changed seeds of a target: the same ones for the same seeds and the same `seed`."""
    rng = random.Random(seed)
    words = (*VALUES, *(word.encode("latin-1") for word in target.words))
    seeds = list(target.seeds())
    for _ in range(number):
        data = rng.choice(seeds)
        for _ in range(rng.choice((1, 1, 2, 4))):
            data = change(rng, data, words)
        yield data[: target.most]
