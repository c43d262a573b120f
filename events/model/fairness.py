"""Fair draws, to the byte as the contract fixes them. Pure: no clock, no random source, no store.

The server commits to a secret before the game starts. The seed of all draws follows from the secret
and the entropies of the seats, and each draw follows from the seed and its number. After the end
the secret stands in the stream, so any reader can compute every draw again.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final, TypeVar

from cartulary.engine.chance import Chance
from cartulary.engine.core import Game
from cartulary.engine.errors import ChanceError

Item = TypeVar("Item")

SCHEME: Final = "cartulary-fair/1"
SECRET_BYTES: Final = 32
_RANGE: Final = 2**64
_BLOCK: Final = 64
"""Bytes that SHA-256 takes at a time."""
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def commit(secret: bytes) -> str:
    """Return the commitment to a secret of 32 bytes: 64 hex digits."""
    return hashlib.sha256(secret).hexdigest()


def derive_seed(secret: bytes, entropies: Sequence[str]) -> bytes:
    """Return the seed of a game from its secret and the entropy of every seat, '' where missing."""
    return _hmac(secret, "\n".join([SCHEME, *entropies]).encode())


def derive_bot_seed(seed: bytes, position: int, seat: int) -> str:
    """Return the seed of a bot's generator for one decision: 16 hex digits."""
    return _hmac(seed, b"bot:%d:%d" % (position, seat))[:8].hex()


def derive_index(seed: bytes, number: int, outcomes: int) -> int:
    """Return the index of draw `number` among `outcomes` equally likely ones.

    A value at or above the largest multiple of `outcomes` is drawn again: else small indices would
    be more likely.
    """
    limit = _RANGE - _RANGE % outcomes
    attempt = 0
    while True:
        value = int.from_bytes(_hmac(seed, b"%d:%d" % (number, attempt))[:8])
        if value < limit:
            return value % outcomes
        attempt += 1


class DerivedSource:
    """Answers draws and shuffles from a seed; `number` is that of the next draw of the game."""

    def __init__(self, seed: bytes, number: int = 0) -> None:
        self._seed = seed
        self.number = number

    def draw(self, question: Chance) -> str:
        """Return an outcome; each stands in the list, in ascending order, as often as its weight.

        Raises `ChanceError` when there is nothing to draw.
        """
        outcomes, weights = question.outcomes, question.weights
        if not _is_ascending(outcomes):
            pairs = sorted(zip(outcomes, weights, strict=True))
            outcomes = tuple(outcome for outcome, _ in pairs)
            weights = tuple(weight for _, weight in pairs)
        sums = list(accumulate(weights))
        if not sums or not sums[-1]:
            raise ChanceError(f"nothing is left to draw for {question.kind!r}")
        return outcomes[bisect_right(sums, self._index(sums[-1]))]

    def sample(self, population: Sequence[Item], k: int) -> list[Item]:
        """Return a shuffle of the whole population: `k` is its length, as for `random.sample`.

        Raises `ValueError` for another `k`: the scheme knows whole shuffles only.
        """
        left = list(population)
        if k != len(left):
            raise ValueError(f"the whole population is shuffled: {len(left)} elements, not {k}")
        return [left.pop(self._index(len(left))) for _ in range(k)]

    def _index(self, outcomes: int) -> int:
        number, self.number = self.number, self.number + 1
        return derive_index(self._seed, number, outcomes)


@lru_cache(maxsize=64)
def _is_ascending(outcomes: tuple[str, ...]) -> bool:
    """Return whether outcomes stand in ascending order; a game asks with the same ones each time.

    To sort them for each draw takes as long as the HMAC.
    """
    return list(outcomes) == sorted(outcomes)


class _Counter:
    """Answers shuffles with the natural order, and counts the numbers that they take."""

    def __init__(self) -> None:
        self.number = 0

    def sample(self, population: Sequence[Item], k: int) -> list[Item]:
        self.number += k
        return list(population)


def count_setup(game: Game, seats: int, options: Mapping[str, Any]) -> int:
    """Return how many draws the setup of a game takes: n for each shuffle of n elements."""
    counter = _Counter()
    game.draw_setup(seats, options, counter)
    return counter.number


def _hmac(key: bytes, message: bytes) -> bytes:
    """Return the HMAC-SHA-256 of a message, as `hmac.digest` in half the time."""
    inner, outer = _begin_hmac(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(message)
    outer.update(inner.digest())
    return outer.digest()


@lru_cache(maxsize=256)
def _begin_hmac(key: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Return the inner and the outer hash of an HMAC after its key (RFC 2104); do not update them.

    Cached, because all draws of a game have the same key.
    """
    block = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\0")
    return hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))
