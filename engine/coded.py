"""Moves and positions as numbers, for programs that learn (`docs/environments.md`).

A game lists all of its moves once, in a fixed order: the place of a move in this table is its code.
A position is a flat array of 32-bit floats, which `Plane` describes part by part. Both forms have a
version, because a program that has learned them can read no others: a table or a layout that
changes without a new version fails a test. The caller brings the array, so no library is needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Final, NamedTuple

from cartulary.engine.canonical import canonical_hash, identical, quote
from cartulary.engine.chance import Chance, Source
from cartulary.engine.compiling import mypyc_attr
from cartulary.engine.errors import ChanceError, InvalidArray, InvalidSeats, NotCoded, UnknownAction

FLOAT_BYTES: Final = 4

# -- moves ---------------------------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class Actions(ABC):
    """All moves of a game in order: `code` leads from a move to its place, `move` back.

    The table is closed: every legal move of every position has a code, for all numbers of seats
    and all options. `actions_version` rises whenever a move gets another code.
    """

    actions_version: int

    def __init__(self, actions_version: int) -> None:
        self.actions_version = actions_version

    def __deepcopy__(self, memo: dict[int, Any]) -> Actions:
        """Return this table: it never changes."""
        return self

    @abstractmethod
    def __len__(self) -> int:
        """Return how many moves there are; codes run from 0 to one less."""

    @abstractmethod
    def _find(self, move: Mapping[str, Any]) -> int:
        """Return the code of a move, or any other code for an object that is no move."""

    @abstractmethod
    def _make(self, code: int) -> dict[str, Any]:
        """Return the move of a code as a new object."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield all moves in the order of their codes."""
        for code in range(len(self)):
            yield self._make(code)

    def code(self, move: Any) -> int:
        """Return the code of a contract move, legal or not.

        Raises `UnknownAction` for what is no move of this game.
        """
        if isinstance(move, dict):
            code = self._find(move)
            if identical(self._make(code), move):
                return code
        raise UnknownAction(f"{quote(move)} is not in the table of actions")

    def move(self, code: Any) -> dict[str, Any]:
        """Return the contract move of a code as a new object; raises `UnknownAction`."""
        number = self.check(code)
        return self._make(number)

    def check(self, code: Any) -> int:
        """Return a code as an int; an integer of another library is one.

        Raises `UnknownAction` for what is no integer from 0 to the last code.
        """
        number = code.__index__() if hasattr(code, "__index__") else -1
        if not 0 <= number < len(self) or isinstance(code, bool):
            raise UnknownAction(f"a code is an integer from 0 to {len(self) - 1}, not {code!r}")
        return int(number)

    def mask(self, codes: Iterable[int]) -> bytearray:
        """Return a byte for each move: 1 for these codes, 0 for all others."""
        mask = bytearray(len(self))
        for code in codes:
            mask[code] = 1
        return mask

    def fingerprint(self) -> str:
        """Return the SHA-256 of all moves in their order."""
        return canonical_hash(list(self))


# -- positions -----------------------------------------------------------------------------------


class Plane(NamedTuple):
    """A part of the array: it begins at `start` and has this shape in C order; `text` explains."""

    name: str
    start: int
    shape: tuple[int, ...]
    text: str

    @property
    def size(self) -> int:
        """Return how many floats the plane has."""
        return prod(self.shape)


def lay_out(rows: Iterable[tuple[str, tuple[int, ...], str]]) -> tuple[Plane, ...]:
    """Return the planes of these names, shapes and texts, one after the other."""
    planes: list[Plane] = []
    start = 0
    for name, shape, text in rows:
        planes.append(Plane(name, start, shape, text))
        start += planes[-1].size
    return tuple(planes)


def size_of(planes: Sequence[Plane]) -> int:
    """Return how many floats an array of these planes has."""
    return planes[-1].start + planes[-1].size


def open_array(out: Any, size: int) -> memoryview:
    """Return the bytes of a caller's array, to be written.

    Raises `InvalidArray` unless it is a writable, contiguous buffer of `size` 32-bit floats.
    """
    try:
        view = memoryview(out)
    except TypeError:
        raise InvalidArray(f"{type(out).__name__} is no array: it has no buffer") from None
    if view.format != "f" or view.nbytes != size * FLOAT_BYTES:
        have = f"{view.nbytes // view.itemsize} of format {view.format!r}"
        raise InvalidArray(f"the array must have {size} 32-bit floats (format 'f'), not {have}")
    if view.readonly or not view.c_contiguous:
        raise InvalidArray("the array must be writable, its floats one after the other (C order)")
    return view.cast("B")


def check_seat(seat: Any, seats: int) -> int:
    """Return a seat; raises `InvalidSeats` when the table has no such seat."""
    if type(seat) is not int or not 0 <= seat < seats:
        raise InvalidSeats(f"there is no seat {quote(seat)}: the seats are 0 to {seats - 1}")
    return seat


def zeros(size: int) -> array[float]:
    """Return an array of `size` floats, all 0."""
    return array("f", bytes(size * FLOAT_BYTES))


# -- the setup -----------------------------------------------------------------------------------


class SetupDraws:
    """The chance of a setup, asked draw by draw as a state asks: `chance`, `resolve`, `setup`.

    Each key of the setup is an order of some values. The draws name these one after the other; a
    value that is left alone is not asked. All orders are equally likely.
    """

    def __init__(self, orders: Mapping[str, Sequence[Any]]) -> None:
        self._orders = orders
        self._drawn: dict[str, list[Any]] = {key: [] for key in orders}
        self._complete()

    def copy(self) -> SetupDraws:
        """Return an independent copy."""
        twin = SetupDraws(self._orders)
        twin._drawn = {key: values[:] for key, values in self._drawn.items()}
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> SetupDraws:
        """Return `copy`: what it shares never changes."""
        return self.copy()

    @property
    def chance(self) -> Chance | None:
        """The pending draw: its kind is the key of the setup; None when all is drawn."""
        for key, values in self._orders.items():
            drawn = self._drawn[key]
            if len(drawn) < len(values):
                return Chance(key, [str(v) for v in values], [int(v not in drawn) for v in values])
        return None

    def resolve(self, outcome: str) -> None:
        """Answer the pending draw; raises `ChanceError` for an outcome that cannot be drawn."""
        question = self.chance
        if question is None:
            raise ChanceError(f"the setup is complete: {quote(outcome)} cannot be drawn")
        if outcome not in question.outcomes:
            raise ChanceError(f"{quote(outcome)} cannot be drawn for {question.kind!r}")
        at = question.outcomes.index(outcome)
        if not question.weights[at]:
            raise ChanceError(f"{quote(outcome)} has been drawn for {question.kind!r}")
        self._drawn[question.kind].append(self._orders[question.kind][at])
        self._complete()

    def settle(self, source: Source) -> list[str]:
        """Answer all pending draws from `source`; returns the outcomes in order."""
        outcomes: list[str] = []
        while (question := self.chance) is not None:
            outcomes.append(source.draw(question))
            self.resolve(outcomes[-1])
        return outcomes

    @property
    def setup(self) -> dict[str, Any]:
        """The setup for `Game.new`; raises `ChanceError` while a draw is pending."""
        if (question := self.chance) is not None:
            raise ChanceError(f"the draw of {question.kind!r} is pending")
        return {key: values[:] for key, values in self._drawn.items()}

    def _complete(self) -> None:
        """Take the values that are left alone in their order."""
        for key, values in self._orders.items():
            if len(self._drawn[key]) == len(values) - 1:
                self._drawn[key] += [value for value in values if value not in self._drawn[key]]


# -- what states and games have -------------------------------------------------------------------


@mypyc_attr(allow_interpreted_subclasses=True)
class CodedState:
    """What a `State` is as numbers; a game without a table of actions has none of it."""

    __slots__ = ()

    def codes(self) -> list[int]:
        """Return the codes of the legal moves in the order of `moves()`, as a new list.

        Raises `NotCoded` in a game without a table of actions.
        """
        raise NotCoded("this game has no table of actions")

    def tensor(self, seat: Any, out: Any) -> None:
        """Fill a caller's array with what `seat` may know; `Game.tensor_planes` describes it.

        `out` is a writable buffer of 32-bit floats in C order, of any shape and of exactly the
        size of the layout: a numpy array, an `array.array("f")`. Raises `InvalidArray` for another
        one and `InvalidSeats` for a seat that the table does not have; then nothing is written.
        """
        raise NotCoded("this game has no layout of tensors")


@mypyc_attr(allow_interpreted_subclasses=True)
class CodedGame:
    """What a `Game` has for programs that learn; a game without these parts raises `NotCoded`.

    Attributes: `actions_version` and `tensor_version`, 0 for a game that lacks them; each rises
    whenever the table or the layout changes.
    """

    actions_version: ClassVar[int] = 0
    tensor_version: ClassVar[int] = 0

    def actions(self, options: Mapping[str, Any] | None = None) -> Actions:
        """Return the table of all moves: one for all seats and options, which are checked only.

        Raises `InvalidOption` for an option that the game does not have, and `NotCoded`.
        """
        raise NotCoded("this game has no table of actions")

    def tensor_planes(self) -> tuple[Plane, ...]:
        """Return the layout of the array that `State.tensor` fills, one for all seats."""
        raise NotCoded("this game has no layout of tensors")

    def setup_chance(self, seats: Any, options: Mapping[str, Any]) -> SetupDraws:
        """Return the draws of the setup; all setups of `draw_setup` can come, equally likely.

        Raises `InvalidSeats` or `InvalidOption`.
        """
        raise NotCoded("this game does not say how its setup is drawn")
