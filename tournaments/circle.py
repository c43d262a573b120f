"""The circle of a round robin: everybody meets everybody, and sits first as often as second."""

from __future__ import annotations

from collections.abc import Sequence


def pair_circle(order: Sequence[int], round_: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the pairs of a round, counted from 1, in the order of the seats, and the byes.

    One entrant stays, the others move on by a place each round; of an odd number the place that
    stays is empty. The next time round the seats are exchanged.
    """
    moving = list(order) if len(order) % 2 else list(order[:-1])
    count = len(moving)
    cycle, turn = divmod(round_ - 1, count)
    pairs = []
    for step in range(1, (count + 1) // 2):
        one, other = moving[(turn + step) % count], moving[(turn - step) % count]
        pairs.append((one, other) if step % 2 else (other, one))
    alone = moving[turn]
    if len(order) % 2 == 0:
        pairs.insert(0, (order[-1], alone) if turn % 2 else (alone, order[-1]))
    pairs = [(other, one) for one, other in pairs] if cycle % 2 else pairs
    return pairs, [] if len(order) % 2 == 0 else [alone]
