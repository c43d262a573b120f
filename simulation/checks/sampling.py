"""Now and then during a run: what the projections say of one game is what a rebuild makes of it.

The rebuild is the product's, on a copy of a part of the store, outside of the world. Only what has
been applied is compared: a game of which the outbox has an entry is left for later. A difference
counts when it is still there after a while: a store that fell back is mended.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.table import Table
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import relist
from simulation.checks.copied_store import CopiedStore
from simulation.checks.stored_lists import PUT_OFF
from simulation.store.values.keyspace import HashValue, Keyspace, SetValue
from simulation.store.values.sorted_set import SortedSet
from simulation.world.world import SECOND, SimulatedWorld

MENDED_NS: Final = 75 * SECOND
"""So long a difference must last: a process stands still for a minute at most, and a store that
fell back is looked through for 12 s."""

TRIES: Final = 4
"""The number of games tried for a look: one whose outbox is not worked off is left alone."""

PROJECTION: Final = keys.PROJECTIONS.encode()
STAYS: Final = PROJECTION + b"quota:", PROJECTION + b"counted:", PROJECTION + b"ratings:"
"""What may name a game that the store has not: a place that was reserved ends by itself, and games
in the archive stay counted and rated."""

DUE: Final = keys.due().encode()
"""When a game is to be judged. The sweep has judged and put off what is due later than a rebuild
says: an outage of the store lengthens a turn, and no event says so (`Expiry` of the commands).
"""

Traces = dict[bytes, Any]
"""What the projections say of a game, by their keys."""


class Suspect(NamedTuple):
    """The list that differs at each look, and since when (virtual ns)."""

    name: str
    since: int


class RebuildSampler:
    """Compares a game at each look. `complain` takes a line for each difference that stays."""

    def __init__(
        self,
        world: SimulatedWorld,
        copied: CopiedStore,
        find_spaces: Callable[[], Sequence[Keyspace]],
        list_games: Callable[[], Collection[str]],
        complain: Callable[[str], None],
    ) -> None:
        self.world, self.copied, self.complain = world, copied, complain
        self.find_spaces, self.list_games = find_spaces, list_games
        self.looks = self.unsettled = 0
        self.rng = random.Random(f"{world.seed}/samples")
        self._suspects: dict[str, Suspect] = {}
        self._folded: dict[str, Table] = {}
        self._reported: set[str] = set()

    def look(self) -> None:
        """Compare what the projections say of a game with its rebuild; changes nothing."""
        spaces = self.find_spaces()
        if not spaces:
            return
        with self.world.aside(self.rng):
            game = self._choose(spaces)
            if game is not None:
                self.looks += 1
                self._judge(game, self._find_difference(spaces, game))

    def _choose(self, spaces: Sequence[Keyspace]) -> str | None:
        due = [one for one, seen in self._suspects.items() if self._has_lasted(seen)]
        games = list(self.list_games())
        drawn = [self.rng.choice(games) for _ in range(TRIES)] if games else []
        waiting = set(list_waiting(spaces))
        for game in (*due[:1], *drawn):
            if game.encode() in waiting:
                self.unsettled += 1
            else:
                return game
        return None

    def _has_lasted(self, seen: Suspect) -> bool:
        return self.world.now - seen.since > MENDED_NS

    def _judge(self, game: str, line: str) -> None:
        seen = self._suspects.get(game)
        if not line:
            self._suspects.pop(game, None)
        elif seen is None or seen.name != line.split()[0]:
            self._suspects[game] = Suspect(line.split()[0], self.world.now)
        elif self._has_lasted(seen):
            self._complain(game, f"a list differs from its rebuild: {line}")

    def _complain(self, game: str, line: str) -> None:
        """Report a game, once."""
        self._suspects.pop(game, None)
        if game not in self._reported:
            self._reported.add(game)
            self.complain(f"at {self.world.now / SECOND:.0f} s {game}: {line}")

    def _find_difference(self, spaces: Sequence[Keyspace], game: str) -> str:
        """Return how the projections differ from a rebuild; empty where they do not."""
        mine = b"{" + game.encode() + b"}"

        def wants(key: bytes) -> bool:
            if key[:1] == b"{":
                return key.startswith((PROJECTION, mine))
            return not key.startswith(b"rq:")

        space = self.copied.fill(spaces, wants)
        store = self.copied.open_store()
        before = read_traces(space, game)
        try:
            if not store.ledger.stored_version(game):
                # A fall-back has taken it, or it is in the archive, which alone lists it.
                listed = {key: one for key, one in before.items() if not key.startswith(STAYS)}
                return compare_traces(listed, {}, 0)
            table = self._fold(store, game)
        except (BrokenHistory, UnknownEvent) as error:
            # What is stored never changes, so this stays.
            self._complain(game, f"it cannot be folded: {error}")
            return ""
        else:
            store.projections.remove(game)
            relist(store, table)
            return compare_traces(before, read_traces(space, game), table.version)
        finally:
            store.close()

    def _fold(self, store: Store, game: str) -> Table:
        """Return the table of a game, folded on from the last look where the stream goes on."""
        store.snapshots.drop(game)
        known = self._folded.get(game)
        if known is not None:
            store.projector.remember(known)
        table = self._folded[game] = store.projector.table(game)
        return table


def list_waiting(spaces: Sequence[Keyspace]) -> Iterator[bytes]:
    """Yield the ids of games that an outbox has an entry of."""
    for space in spaces:
        for name, stream in space.data.items():
            if name.startswith(b"outbox:") or name.endswith(b"}:outbox"):
                for fields in stream.entries.values():
                    yield fields[fields.index(b"game") + 1]


def read_traces(space: Keyspace, game: str) -> Traces:
    """Return what the projections say of a game: its summary, and its place in each list."""
    found: Traces = {}
    name, summary = game.encode(), keys.summary(game).encode()
    for key, value in space.data.items():
        if not key.startswith(PROJECTION):
            continue
        if key == summary:
            found[key] = dict(value)
        elif isinstance(value, HashValue | SetValue) and name in value:
            found[key] = value[name]
        elif isinstance(value, SortedSet) and (score := value.scores.get(name)) is not None:
            found[key] = score
    if PUT_OFF.encode() in found:  # the archiver moves it: a rebuild lets it look at once
        found[PUT_OFF.encode()] = True
    return found


def compare_traces(before: Traces, after: Traces, version: int) -> str:
    """Return a line about the first list that differs, empty where none does."""
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        is_put_off = key == DUE and key in before and key in after and before[key] > after[key]
        if was != now and not is_put_off:
            return f"{key.decode()} at version {version} was {was!r}, is {now!r}"[:400]
    return ""
