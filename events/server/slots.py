"""The slots of a Redis Cluster, and which of them games and outboxes have.

An append writes to a game and to an outbox in one step, so both must be in one slot. A new game
therefore gets an id whose slot is one of `FIXED`, and each of these slots has an outbox. A restored
game has the slot that its id leads to, and the outbox of that slot.
"""

from __future__ import annotations

from binascii import crc_hqx
from functools import lru_cache
from secrets import choice, randbelow
from typing import Final

from ulid import ULID

SLOTS: Final = 16384
"""The slots of a cluster."""

FIXED: Final = tuple((2 * number + 1) * SLOTS // 48 for number in range(24))
"""The slots of new games: the same number for each master of 2, 3, 4, 6, 8, 12 or 24."""

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The digits of a ULID."""
_TIME: Final = 10
"""Digits at the begin of a ULID that say its millisecond."""
_RANDOM: Final = 12
"""Digits after them that are drawn: those of ids made in the same millisecond may not agree, as
those of the library do, because few tails are left for one head."""
_TAIL: Final = 4
"""Digits at the end of an id that are chosen for the slot: a million ids, 1500 for each game."""
_FIXED: Final = frozenset(FIXED)


def find_slot(key: str) -> int:
    """Return the slot of a key: that of its hash tag, where it has a tag."""
    begin = key.find("{")
    if begin >= 0:
        end = key.find("}", begin + 1)
        if end > begin + 1:
            key = key[begin + 1 : end]
    return crc_hqx(key.encode(), 0) % SLOTS


@lru_cache(maxsize=1024)
def find_tag(slot: int) -> str:
    """Return the smallest number that has a slot as a hash tag."""
    number = 0
    while crc_hqx(b"%d" % number, 0) % SLOTS != slot:
        number += 1
    return str(number)


def draw_game_id(missing: frozenset[int] = frozenset()) -> str:
    """Return a new ULID whose slot is one of `FIXED`, and none of the missing slots.

    All slots of `FIXED` may not be missing.
    """
    chosen = _FIXED - missing if missing else _FIXED
    head = str(ULID())[:_TIME] + "".join(choice(_ALPHABET) for _ in range(_RANDOM))
    begun, most = crc_hqx(head.encode(), 0), len(_ALPHABET) ** _TAIL
    first = randbelow(most)
    for step in range(most):
        tail = _write((first + step) % most)
        if crc_hqx(tail.encode(), begun) % SLOTS in chosen:
            return head + tail
    return draw_game_id(missing)


def _write(number: int) -> str:
    digits = ""
    for _ in range(_TAIL):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
