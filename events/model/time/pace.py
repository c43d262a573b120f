"""Pace: how much time the players of a game have (`docs/living.md`, "Clocks").

A pace gives every turn a free `delay`, and every seat a `bank` for the whole game, from which a
turn takes what it needs beyond the delay. A game without a pace is untimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from cartulary.events.model.types import Json

LIVE, CORRESPONDENCE = MODES = ("live", "correspondence")

FIRST_DELAY_MS: Final = 60_000
"""In a live game the delay is at least so long in the first turn of a seat."""

GRACE_MS: Final = {LIVE: 2_000, CORRESPONDENCE: 60_000}
"""A flag falls so long after the deadline: a move may be on its way."""


class Pace(NamedTuple):
    """The time of a game; `delay`, `bank` and `refill` are in seconds.

    `delay` is free in every turn and never saved up, `bank` is the reserve for the whole game,
    `refill` comes back into the bank after a turn. `vacation`: the vacation of the owner of a seat
    stops the clock of the seat.
    """

    mode: str
    delay: int
    bank: int
    refill: int = 0
    vacation: bool = False

    @property
    def live(self) -> bool:
        """True for a game in which everybody is at the table."""
        return self.mode == LIVE

    @property
    def bank_ms(self) -> int:
        """The bank at the start in ms."""
        return 1000 * self.bank

    @property
    def refill_ms(self) -> int:
        """The refill in ms."""
        return 1000 * self.refill

    @property
    def grace_ms(self) -> int:
        """How long after the deadline a flag falls, in ms."""
        return GRACE_MS[self.mode]

    def to_json(self) -> Json:
        """Return the pace as in the HTTP contract, complete."""
        pace = self._asdict()
        if self.live:
            del pace["vacation"]
        return pace


PRESETS: Final[Mapping[str, Pace | None]] = {
    "live_quick": Pace(LIVE, 20, 600),
    "live": Pace(LIVE, 30, 1_200),
    "live_slow": Pace(LIVE, 60, 2_400),
    "daily": Pace(CORRESPONDENCE, 86_400, 259_200, 21_600, vacation=True),
    "relaxed": Pace(CORRESPONDENCE, 259_200, 604_800, 43_200, vacation=True),
    "untimed": None,
}
"""The paces of the catalogue by name."""

DELAYS: Final = {LIVE: (5, 300), CORRESPONDENCE: (3_600, 1_209_600)}
"""The least and the greatest delay in seconds, by mode."""

BANKS: Final = {LIVE: (0, 7_200), CORRESPONDENCE: (0, 2_592_000)}
"""The least and the greatest bank in seconds, by mode."""

REFILL_MAX_LIVE: Final = 300
"""The greatest refill of a live game in seconds; in correspondence the delay is the limit."""


def read_pace(pace: Mapping[str, Any] | None) -> Pace | None:
    """Return the pace of an event or a request that holds; None for an untimed game."""
    return None if pace is None else _make_pace(tuple(pace.items()))


@lru_cache(maxsize=256)
def _make_pace(items: tuple[tuple[str, Any], ...]) -> Pace:
    """Make a pace; cached, because a move asks for the pace several times, and most are presets."""
    return Pace(**dict(items))


def find_faults(pace: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the pace that a player asks for: a JSON pointer and a sentence."""
    known = Pace._fields
    for name in pace:
        if name not in known:
            yield f"/{name}", f"a pace has {', '.join(known)}"
    mode = pace.get("mode")
    if mode not in MODES:
        yield "/mode", f"one of {', '.join(MODES)}"
        return
    yield from _faults_of_number(pace, "delay", *DELAYS[mode])
    yield from _faults_of_number(pace, "bank", *BANKS[mode])
    if "refill" in pace:
        yield from _faults_of_number(pace, "refill", 0, _find_refill_max(pace))
    if "vacation" in pace and mode == LIVE:
        yield "/vacation", "belongs to correspondence only"
    elif type(pace.get("vacation", True)) is not bool:
        yield "/vacation", "true or false"


def _find_refill_max(pace: Mapping[str, Any]) -> int:
    if pace["mode"] == LIVE:
        return REFILL_MAX_LIVE
    delay = pace.get("delay")
    return delay if type(delay) is int else DELAYS[CORRESPONDENCE][1]


def _faults_of_number(
    pace: Mapping[str, Any], name: str, least: int, most: int
) -> Iterator[tuple[str, str]]:
    value = pace.get(name)
    if type(value) is not int or not least <= value <= most:
        yield f"/{name}", f"a whole number of seconds from {least} to {most}"


def complete(pace: Mapping[str, Any]) -> Json:
    """Return a pace without faults with its defaults: no refill, and vacations stop the clock."""
    defaults: Json = {} if pace["mode"] == LIVE else {"vacation": True}
    return Pace(**{**defaults, **pace}).to_json()
