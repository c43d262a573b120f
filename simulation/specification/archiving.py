"""A finished game goes into the archive and comes back: it is always in one of the two, whole.

The archiver looks at the row, takes the game out of the store as it is, writes the row, reads it
back, and releases the game: one step of the store that does nothing when the game has changed, is
pinned, or was taken too long ago. Who writes to a finished game pins it first, brings it back when
it is not in the store, and writes then. An operator brings a game back for good: the row goes.

A game is here the number of its writes. Time: a pin lasts 60 s; a game may be released for 40 s
after it was taken, a row may be written or removed for 15 s after the look or the pin. So whatever
was taken before a pin is `stale` when the pin ends, and who pins has removed the row by then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

IDLE, LOOKED, TAKEN, WRITTEN, CHECKED = "idle", "looked", "taken", "written", "checked"
PINNED, ABSENT, FETCHED, READY, DONE = "pinned", "absent", "fetched", "ready", "done"
REFUSED = "refused"
RELEASED, STAYS, GONE = "released", "stays", "gone"
WRITE, REMOVE = "write", "remove"
"""What a guest wants: to write to the game, or to remove the row."""


class ArchiverStep(NamedTuple):
    """An archiver: the row that it has seen, the game that it has taken, whether that is stale."""

    does: str = IDLE
    seen: int | None = None
    taken: int = 0
    is_stale: bool = False


class Guest(NamedTuple):
    """Who comes to an archived game, and the row that was read for it."""

    does: str = IDLE
    row: int = 0


class Archiving(NamedTuple):
    """A game in the store and in the archive (None: it is not there), and who moves it.

    `last` counts the writes, which only the model knows; `faults`: rows that will not be written as
    they were given.
    """

    store: int | None
    row: int | None
    pin: bool
    archivers: tuple[ArchiverStep, ...]
    guests: tuple[Guest, ...]
    last: int
    faults: int
    strays: int = 0
    """Writes that came to a game that was not in the store."""
    visits: int = 0
    """How often a guest who is done may come again."""
    deaths: int = 1
    """How often an archiver may still die, or put the game off."""
    freezes: int = 0
    """How often a writer may still be frozen for longer than its pin lasts."""


class Moves:
    """The actions. `guests` says what each guest wants; `without` leaves defences out."""

    def __init__(
        self,
        archivers: list[str],
        guests: dict[str, str],
        without: Collection[str],
    ) -> None:
        self._archivers, self._guests = archivers, list(guests)
        self._wishes = guests
        self._without = frozenset(without)

    # -- the archiver -----------------------------------------------------------------------------

    def look(self, now: Archiving) -> Ways[Archiving]:
        """Look at the seal of the row."""
        for at, name, _ in self._list(now, IDLE):
            yield (name, now.row), _put(now, at, ArchiverStep(LOOKED, now.row))

    def take(self, now: Archiving) -> Ways[Archiving]:
        """Read the whole game in one step, with its fingerprint; or it is not in the store."""
        for at, name, one in self._list(now, LOOKED):
            changed = (
                ArchiverStep() if now.store is None else ArchiverStep(TAKEN, one.seen, now.store)
            )
            yield (name, now.store), _put(now, at, changed)

    def write_row(self, now: Archiving) -> Ways[Archiving]:
        """Write the row in a transaction, unless it has become another since the look.

        A row that was removed since is written again: better a game in two places.
        """
        for at, name, one in self._list(now, TAKEN):
            if one.is_stale or now.row not in (None, one.seen, one.taken):
                yield (name, one.taken, False), _put(now, at, ArchiverStep())
                continue
            does = CHECKED if "read back" in self._without else WRITTEN
            written = _put(now, at, one._replace(does=does))
            yield (name, one.taken, True), written._replace(row=one.taken)
            if now.faults:
                yield (name, one.taken, True), written._replace(faults=now.faults - 1)

    def compare_row(self, now: Archiving) -> Ways[Archiving]:
        """Read the row in a new transaction, and compare it byte for byte."""
        for at, name, one in self._list(now, WRITTEN):
            is_same = now.row == one.taken
            changed = one._replace(does=CHECKED) if is_same else ArchiverStep()
            yield (name, is_same), _put(now, at, changed)

    def release(self, now: Archiving) -> Ways[Archiving]:
        """Remove the game from the store, unless it has changed, is pinned, or it is too late."""
        for at, name, one in self._list(now, CHECKED):
            stays = (
                (now.pin and "pin" not in self._without)
                or (one.is_stale and "late" not in self._without)
                or (now.store != one.taken and "fingerprint" not in self._without)
            )
            done = _put(now, at, ArchiverStep())
            if now.store is None:
                yield (name, GONE), done
            elif stays:
                yield (name, STAYS), done
            else:
                yield (name, RELEASED), done._replace(store=None)

    def kill_archiver(self, now: Archiving) -> Ways[Archiving]:
        """Let an archiver die between two steps, or put the game off: an inbox lacks its end."""
        for at, name, _ in self._list(now, LOOKED, TAKEN, WRITTEN, CHECKED):
            if now.deaths:
                yield (name,), _put(now, at, ArchiverStep(), deaths=now.deaths - 1)

    # -- who comes to the game ------------------------------------------------------------------

    def set_pin(self, now: Archiving) -> Ways[Archiving]:
        """Pin the game, and ask in the same step whether the store has it."""
        yield from self._pin(now, IDLE, *([DONE] if now.visits else []))

    def pin_again(self, now: Archiving) -> Ways[Archiving]:
        """Pin the game after the store has refused a write, because the game has left."""
        yield from self._pin(now, REFUSED)

    def _pin(self, now: Archiving, *does: str) -> Ways[Archiving]:
        for at, name, one in self._list_guests(now, *does):
            is_stored, left = now.store is not None, now.visits - (one.does == DONE)
            changed = one._replace(does=READY if is_stored else ABSENT)
            yield (name, is_stored), _visit(now, at, changed, pin=True, visits=left)

    def fetch(self, now: Archiving) -> Ways[Archiving]:
        """Read the row; without one the game has come back meanwhile, or there is no such game."""
        for at, name, one in self._list_guests(now, ABSENT, FETCHED):
            if now.row is not None:
                yield (name, now.row), _visit(now, at, one._replace(does=FETCHED, row=now.row))
            else:
                does = DONE if now.store is None else READY
                yield (name, None), _visit(now, at, one._replace(does=does))

    def put_back(self, now: Archiving) -> Ways[Archiving]:
        """Write the game to the store in one step and pin it, unless another has done so."""
        for at, name, one in self._list_guests(now, FETCHED):
            ready = one._replace(does=READY, row=0)
            if now.store is None:
                yield (name, True), _visit(now, at, ready, store=one.row, pin=True)
            else:
                yield (name, False), _visit(now, at, ready)

    def write(self, now: Archiving) -> Ways[Archiving]:
        """Write to the game, in a step that the store refuses where it does not have the game."""
        for at, name, one in self._list_guests(now, READY):
            if self._wishes[name] != WRITE:
                continue
            done = _visit(now, at, one._replace(does=DONE, row=0))
            if now.store is None and "refusal" in self._without:
                yield (name, True), done._replace(strays=now.strays + 1)
            elif now.store is None:
                yield (name, False), _visit(now, at, one._replace(does=REFUSED))
            else:
                yield (name, True), done._replace(store=now.store + 1, last=now.last + 1)

    def remove_row(self, now: Archiving) -> Ways[Archiving]:
        """Remove the row, which may be gone by then."""
        for at, name, one in self._list_guests(now, READY):
            if self._wishes[name] == REMOVE:
                done = one._replace(does=DONE, row=0)
                yield (name, now.row is not None), _visit(now, at, done, row=None)

    def leave(self, now: Archiving) -> Ways[Archiving]:
        """Leave: the archive has no row."""
        for at, name, one in self._list_guests(now, READY):
            if self._wishes[name] == REMOVE and now.row is None:
                yield (name,), _visit(now, at, one._replace(does=DONE, row=0))

    def end_pin(self, now: Archiving) -> Ways[Archiving]:
        """End the minute: what was taken or read before is stale.

        A writer may be frozen for so long. Who removes a row has removed it by now.
        """
        late = [
            name
            for name, one in zip(self._guests, now.guests, strict=True)
            if one.does not in (IDLE, DONE)
        ]
        if now.pin and all(now.freezes and self._wishes[name] == WRITE for name in late):
            old = tuple(
                one if one.does == IDLE else one._replace(is_stale=True) for one in now.archivers
            )
            # A row that was read so long ago is read again.
            guests = tuple(Guest(ABSENT) if one.does == FETCHED else one for one in now.guests)
            left = now.freezes - bool(late)
            yield (), now._replace(pin=False, archivers=old, guests=guests, freezes=left)

    def _list(self, now: Archiving, *does: str) -> Iterator[tuple[int, str, ArchiverStep]]:
        for at, (name, one) in enumerate(zip(self._archivers, now.archivers, strict=True)):
            if one.does in does:
                yield at, name, one

    def _list_guests(self, now: Archiving, *does: str) -> Iterator[tuple[int, str, Guest]]:
        for at, (name, one) in enumerate(zip(self._guests, now.guests, strict=True)):
            if one.does in does:
                yield at, name, one


def _put(now: Archiving, at: int, one: ArchiverStep, **changed: Any) -> Archiving:
    return now._replace(archivers=put(now.archivers, at, one), **changed)


def _visit(now: Archiving, at: int, one: Guest, **changed: Any) -> Archiving:
    return now._replace(guests=put(now.guests, at, one), **changed)


def is_whole(now: Archiving) -> bool:
    """Return whether the last state of the game is in the store, or else in the archive."""
    return now.last == (now.row if now.store is None else now.store)


def are_done(now: Archiving) -> bool:
    """Return whether everybody who came to the game is done with it."""
    return all(one.does == DONE for one in now.guests)


def build(
    archivers: tuple[str, ...] = ("archiver-1", "archiver-2"),
    guests: dict[str, str] | None = None,
    faults: int = 1,
    freezes: int = 1,
    visits: int = 0,
    deaths: int = 1,
    without: Collection[str] = (),
) -> Model[Archiving]:
    """Return the model for a game that is over; `guests` says what each of them wants.

    `freezes`: how often a writer may be frozen for longer than its pin lasts.
    """
    guests = {"writer": WRITE, "operator": REMOVE} if guests is None else guests
    acts = Moves(list(archivers), guests, without)
    initial = Archiving(
        *(
            0,
            None,
            False,
            tuple(ArchiverStep() for _ in archivers),
            tuple(Guest() for _ in guests),
        ),
        *(0, faults, 0, visits, deaths, freezes),
    )
    batches, taking = "events.archiving.batches: BatchArchiver", "events.archiving.taking: Taker"
    back, weak = "events.archiving.bringing_back", Fairness.WEAK
    return Model(
        "archive and back",
        f"{len(archivers)} archivers, {len(guests)} who write to the game or remove its row,"
        f" {faults} row not written, {deaths} death, {freezes} writer frozen for a minute",
        initial,
        (
            Action("look", acts.look, f"{batches}._look", weak),
            Action("take", acts.take, f"{taking}.take", weak),
            Action("write row", acts.write_row, f"{batches}._write", weak),
            Action("read back", acts.compare_row, f"{batches}._is_written", weak),
            Action("release", acts.release, f"{taking}.release", weak),
            Action("stop", acts.kill_archiver, f"{batches}._take", hidden=True),
            Action("pin", acts.set_pin, f"{back}: BringingBack.pin"),
            Action("pin again", acts.pin_again, f"{back}: BringingBack.write_there", weak),
            Action("fetch", acts.fetch, f"{back}: BringingBack.pin", weak),
            Action("put back", acts.put_back, f"{back}: put_back", weak),
            Action("write", acts.write, "events.chat.talk: Talk.say", weak),
            Action("remove row", acts.remove_row, f"{back}: BringingBack.unarchive", weak),
            Action("leave", acts.leave, f"{back}: BringingBack.unarchive", weak),
            Action("end pin", acts.end_pin, "the store: EXPIRE", weak, hidden=True),
        ),
        {
            "the last state is in the store, or else in the archive": is_whole,
            "what is written comes to a game in the store": lambda now: not now.strays,
        },
        (
            Promise(
                "a game to which no guest comes any more gets into the archive",
                are_done,
                lambda now: now.store is None and now.row == now.last,
            ),
            Promise(
                "who comes to a game gets done",
                lambda now: any(one.does not in (IDLE, DONE) for one in now.guests),
                lambda now: all(one.does in (IDLE, DONE) for one in now.guests),
            ),
        ),
    )
