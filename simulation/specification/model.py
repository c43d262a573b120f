"""What a specification is made of: a state, actions with guards, invariants, promises.

A state is a named tuple of values that can be hashed. An action gives for a state each way in which
it may happen there: the words that tell of it (who first, then what), and the state after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

S = TypeVar("S", bound=tuple[Any, ...])

Words = tuple[Any, ...]
"""Who acts, and with what: `("ada", 3)`. A trace has the same words."""

Ways = Iterable[tuple[Words, S]]


class Fairness(Enum):
    """What an actor promises of an action.

    `WEAK`: the actor acts when it could for ever; `STRONG`: also when it could again and again;
    `NO`: it may never act, as a fault or a player.
    """

    NO, WEAK, STRONG = 0, 1, 2


class Action(NamedTuple, Generic[S]):
    """Something that may happen. A trace shows an action unless it is `hidden`.

    `stands_for` names the code (`module.path: function`), or what happens around the code.
    """

    name: str
    ways: Callable[[S], Ways[S]]
    stands_for: str
    fair: Fairness = Fairness.NO
    hidden: bool = False


class Promise(NamedTuple, Generic[S]):
    """Liveness: after each state in which `whenever` holds comes one in which `then` holds."""

    name: str
    whenever: Callable[[S], bool]
    then: Callable[[S], bool]


class Model(NamedTuple, Generic[S]):
    """A protocol. `bounds` says in words how small it is made for the search."""

    name: str
    bounds: str
    initial: S
    actions: tuple[Action[S], ...]
    invariants: Mapping[str, Callable[[S], bool]]
    promises: tuple[Promise[S], ...] = ()


class ModelStep(NamedTuple):
    """An action that has happened: its name, and its words."""

    action: str
    words: Words

    def __str__(self) -> str:
        return " ".join([self.action, *(str(word) for word in self.words)])


T = TypeVar("T")


def put(items: tuple[T, ...], at: int, new: T) -> tuple[T, ...]:
    """Return a tuple with another value at one place."""
    return (*items[:at], new, *items[at + 1 :])
