"""A copy of all databases of a server at one moment."""

from __future__ import annotations

import random
from typing import NamedTuple

from simulation.store.values.keyspace import HashValue, Keyspace, ListValue, SetValue, StoredValue


class StateCopy(NamedTuple):
    """Copies of the databases, and the place in the journal that they have reached."""

    spaces: dict[int, tuple[dict[bytes, StoredValue], dict[bytes, int]]]
    place: int


def copy_value(value: StoredValue) -> StoredValue:
    """Return a value that changes alone."""
    if type(value) in (HashValue, SetValue, ListValue):
        return type(value)(value)  # `copy` of a dictionary makes no object of its own class
    return value if type(value) is bytes else value.copy()


def take(spaces: dict[int, Keyspace], place: int) -> StateCopy:
    """Copy databases."""
    return StateCopy({number: _copy(space) for number, space in spaces.items()}, place)


def _copy(space: Keyspace) -> tuple[dict[bytes, StoredValue], dict[bytes, int]]:
    data = {key: copy_value(space.data[key]) for key in space.serials}
    return data, dict(space.expires)


def fill(snapshot: StateCopy, rng: random.Random) -> dict[int, Keyspace]:
    """Return new databases with the content of a copy, which stays as it is."""
    spaces: dict[int, Keyspace] = {}
    for number, (data, expires) in snapshot.spaces.items():
        space = spaces[number] = Keyspace(number, rng)
        for key, value in data.items():
            space.put(key, copy_value(value))
        for key, at in expires.items():
            space.expires[key] = at
    return spaces
