"""Tallies: the figures of a player as they are kept: fields of a hash, all but the best score sums.

Sums do not depend on the order in which games are counted, and those of several hashes are added
up when they are read. Pure. The fields are short because each player has many of them:

`g` games, `r:<rank>` games with a rank; `n` games played to the end, and of these `s` the points in
all, `b` and `i` the best score and its game, `p:<source>` points, `h:<habit>:<value>` how often;
`t:<span>` turns by span of time; `l:<level>:<w|t|l>` results against a level of the service.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from cartulary.events.profiles.finding import GameShare, Pairing
from cartulary.events.profiles.turns import find_median

BEST: Final = (b"b", b"i")
"""The fields that are no sums."""

GAME, WON, TIED = 2**34, 2**17, 1
"""What a game against a player adds to one number, by which opponents are ordered."""

MOST_GAMES: Final = 2**17 - 1
"""Games of two players that are counted at most: more of them would be read as others."""


class Record(NamedTuple):
    """Results against an opponent."""

    games: int
    won: int
    tied: int

    @property
    def lost(self) -> int:
        """The games in which the opponent was ahead."""
        return self.games - self.won - self.tied


class Best(NamedTuple):
    """The best score, and its game."""

    score: int
    game: str


class PlayerTally(NamedTuple):
    """Figures of a player; `whole` are the games that were played to the end.

    `ranks` counts the games with each rank, the first rank first. `score` is the sum of all scores.
    """

    games: int
    ranks: Sequence[int]
    whole: int
    score: int
    best: Best | None
    points: Mapping[str, int]
    habits: Mapping[str, Mapping[str, int]]
    levels: Mapping[str, Record]
    median_turn_s: int | None


class Reliability(NamedTuple):
    """How a player ends games. `since_timeout` is None for a player who has not timed out."""

    games: int
    finished: int
    timed_out: int
    resigned: int
    since_timeout: int | None
    median_turn_s: int | None


def write_sums(share: GameShare) -> dict[str, int]:
    """Return what a game adds to the figures of a player; nothing for a substitute."""
    if share.rank is None:
        return {}
    sums = Counter({"g": 1, f"r:{share.rank}": 1, **_write_spans(share)})
    for pairing in share.pairings:
        if pairing.bot is not None:
            sums[f"l:{pairing.bot}:{pairing.result[0]}"] += 1
    if share.play is not None:
        sums.update({"n": 1, "s": share.play.score})
        sums.update({f"p:{source}": number for source, number in share.play.points.items()})
        sums.update({f"h:{habit}:{one}": n for (habit, one), n in share.play.habits.items()})
    return dict(sums)


def write_endings(share: GameShare) -> dict[str, int]:
    """Return what a game adds to what is known of the reliability of a player."""
    words = {"finished": "f", "timed_out": "x", "resigned": "q"}
    known = {words[share.outcome]: 1} if share.outcome in words else {}
    return {"g": 1, **known, **_write_spans(share)}


def _write_spans(share: GameShare) -> dict[str, int]:
    return {f"t:{span}": turns for span, turns in share.spans.items()}


def weigh_pairing(pairing: Pairing) -> int:
    """Return what a result adds to the number of an opponent."""
    return GAME + {"won": WON, "tied": TIED, "lost": 0}[pairing.result]


def read_record(number: int) -> Record:
    """Return the results that the number of an opponent says."""
    return Record(number // GAME, number % GAME // WON, number % WON)


def read_tally(stored: Sequence[Mapping[bytes, bytes]]) -> PlayerTally:
    """Return the figures of some hashes, added up."""
    sums = _add_up(stored)
    ranks = _select(sums, "r")
    return PlayerTally(
        sums["g"],
        [ranks[str(rank)] for rank in range(1, 1 + max(map(int, ranks), default=0))],
        sums["n"],
        sums["s"],
        _find_best(stored),
        _select(sums, "p"),
        _nest(_select(sums, "h")),
        {
            level: Record(sum(of.values()), of.get("w", 0), of.get("t", 0))
            for level, of in _nest(_select(sums, "l")).items()
        },
        _find_median(sums),
    )


def read_reliability(stored: Mapping[bytes, bytes], steady: int) -> Reliability:
    """Return how a player ends games; `steady` counts the games since the last time-out."""
    sums = _add_up([stored])
    since = steady if sums["x"] else None
    return Reliability(sums["g"], sums["f"], sums["x"], sums["q"], since, _find_median(sums))


def _add_up(stored: Iterable[Mapping[bytes, bytes]]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for one in stored:
        for name, value in one.items():
            if name not in BEST:
                sums[name.decode()] += int(value)
    return sums


def _select(sums: Mapping[str, int], kind: str) -> Counter[str]:
    """Return the fields of a kind without its letter."""
    return Counter({name[2:]: n for name, n in sums.items() if name.startswith(f"{kind}:")})


def _nest(found: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the fields of a name by the words behind it."""
    nested: dict[str, dict[str, int]] = {}
    for name, number in found.items():
        first, _, rest = name.partition(":")
        nested.setdefault(first, {})[rest] = number
    return nested


def _find_median(sums: Mapping[str, int]) -> int | None:
    return find_median({int(span): turns for span, turns in _select(sums, "t").items()})


def _find_best(stored: Iterable[Mapping[bytes, bytes]]) -> Best | None:
    found = [Best(int(one[b"b"]), one[b"i"].decode()) for one in stored if b"b" in one]
    return min(found, key=lambda best: (-best.score, best.game), default=None)
