"""The protocol that every game speaks.

A `Game` is an entry of the list of games: its name, seats and options, and how to set it up. A
`State` is one position. It waits for exactly one of three things:

* an answer to a **decision** (`decision` is set): one seat, one kind, at least one legal move;
* the outcome of a **draw** (`chance` is set): see `engine.chance`;
* nothing (`over`): the play has ended and `final()` counts the score.

Moves exist in two forms. Inside, a move is a value that is small and quick for the game (an int,
an interned object); `moves`, `play` and `resolve` speak that form and are what a search loop uses.
At the boundary a move is the contract's JSON object; `legal_moves`, `apply` and `move_json` speak
that one. Questions that nest (a favour inside a building inside a phase, asked of another seat)
belong to the game: it keeps them as a stack in its state, never as flags of this protocol.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from cartulary.engine.canonical import canonical_hash, identical, quote
from cartulary.engine.chance import Chance, Shuffler, Source
from cartulary.engine.coded import CodedGame, CodedState
from cartulary.engine.compiling import mypyc_attr
from cartulary.engine.contract import Contract
from cartulary.engine.errors import (
    IllegalMove,
    InvalidSeats,
    PositionError,
    SetupError,
    UnknownGame,
)
from cartulary.engine.figures import Figures
from cartulary.engine.options import Option, complete_options
from cartulary.engine.pieces import Piece
from cartulary.engine.position import must_be_position, read_state, write_position
from cartulary.engine.schema import faults

Json = dict[str, Any]
"""A JSON object of the contract (a move, a view, a fact)."""

M = TypeVar("M")
"""A game's internal move."""

T = TypeVar("T")


class Decision(NamedTuple):
    """What the game waits for: one seat, one kind of question; `context` is for people only."""

    seat: int
    kind: str
    context: Json

    def to_json(self) -> Json:
        """Return the decision as in the move contract."""
        return {"seat": self.seat, "kind": self.kind, "context": self.context}


class Step(NamedTuple):
    """What one move led to: the facts in order, and the outcomes that were drawn for it."""

    facts: list[Json]
    chance: list[str]


class Result(NamedTuple):
    """The end of a game: final scores, winners in ascending order, every counted entry."""

    scores: list[int]
    winners: list[int]
    breakdown: list[Json]

    def to_json(self) -> Json:
        """Return the result as in "End of the game" of the move contract."""
        return {"scores": self.scores, "winners": self.winners, "breakdown": self.breakdown}


@mypyc_attr(allow_interpreted_subclasses=True)
class State(CodedState, ABC, Generic[M]):
    """One position of a game: mutable, with a cheap `copy`.

    Attributes: `seats`, the number of seats; `options`, all options with their values; `scores`,
    the points so far per seat; `facts`, a list that rules append facts to, or None when facts are
    not wanted (search, simulation), which is the normal case.
    """

    __slots__ = ("facts", "options", "scores", "seats")

    seats: int
    options: Mapping[str, str | int]
    scores: list[int]
    facts: list[Json] | None

    # -- what each game provides ----------------------------------------------------------------

    @property
    @abstractmethod
    def decision(self) -> Decision | None:
        """The pending decision, or None while a draw is pending or the play is over."""

    @property
    @abstractmethod
    def chance(self) -> Chance | None:
        """The pending draw, or None."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """True when the last decision has been answered: only counting is left."""

    @property
    @abstractmethod
    def seat(self) -> int:
        """The seat that is to decide, -1 when no decision is pending."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """The kind of the pending decision, the empty string when none is pending."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """Return every legal move in internal form, each once, always in the same order.

        Empty when no decision is pending. The list may be the state's own: do not change it.
        """

    @abstractmethod
    def play(self, move: M) -> None:
        """Answer the pending decision with one of `moves()`; legality is not checked again."""

    @abstractmethod
    def resolve(self, outcome: str) -> None:
        """Answer the pending draw.

        Raises `ChanceError` when the outcome cannot be drawn.
        """

    @abstractmethod
    def move_json(self, move: M) -> Json:
        """Return a move of the pending decision as a new object of the move contract."""

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent copy, without a list of facts."""

    @abstractmethod
    def view(self) -> Json:
        """Return what everybody may see, as in the move contract."""

    @abstractmethod
    def beyond_view(self) -> Json:
        """Return, as JSON, what the future of the game depends on besides the view.

        The keys are words of the contract. The result is a part of `identity`.
        """

    @abstractmethod
    def count(self) -> list[Json]:
        """Return the breakdown of the end-of-game score; changes nothing."""

    @abstractmethod
    def dump(self) -> Json:
        """Return the whole state as JSON for a snapshot; `Game.load` reads it back."""

    def explain(self, move: Json) -> str:
        """Say in words which rule an illegal `move` breaks; games override this."""
        return f"{quote(move)} is not a legal answer to the decision {self.kind!r}"

    def wording(self, move: M) -> Json:
        """Return `move_json` for a comparison: perhaps a shared object, so do not change it.

        Games override this, because `find` would otherwise make an object for each legal move.
        """
        return self.move_json(move)

    def view_parts(self) -> Json:
        """Return the view, in which the value of a key may be `JsonText` instead.

        Games override this for a part that is long and changes little from one move to the next.
        """
        return self.view()

    def list_features(self) -> list[Json]:
        """Return what lies on several places of the board together, and what it is worth.

        It is for people. Each has its `kind` and its `segments`: the places. A game without such
        things has an empty list.
        """
        return []

    # -- what all games share -------------------------------------------------------------------

    def __copy__(self) -> Self:
        """Return `copy`, so that a copy by the module `copy` shares no list with this state."""
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return `copy`: what it shares never changes."""
        return self.copy()

    def identity(self) -> Json:
        """Return, as JSON, all that the future of the game depends on, the view included.

        Two states of one game with equal identities have the same legal moves from then on. The
        state hash is made of it, so its form is part of `rules_version`.
        """
        return {"view": self.view(), **self.beyond_view()}

    def legal_moves(self) -> list[Json]:
        """Return every legal move of the pending decision as contract objects (a new list)."""
        return [self.move_json(move) for move in self.moves()]

    def find(self, move: Json) -> M:
        """Return the internal form of a contract move.

        Raises `IllegalMove` unless it equals a legal move in type and value: `1.0` and `true` are
        not `1`, and an additional key makes the move illegal (`docs/moves.md`).
        """
        for candidate in self.moves():
            legal = self.wording(candidate)
            if legal == move and identical(legal, move):
                return candidate
        raise self._illegal(move)

    def _illegal(self, move: Json) -> IllegalMove:
        decision = self.decision
        if decision is None:
            return IllegalMove("the play is over: no decision is pending")
        return IllegalMove(self.explain(move), decision.seat, decision.kind, self.legal_moves())

    def apply(self, move: Json, source: Source) -> Step:
        """Check and make a contract move, with every draw that follows from it.

        Raises `IllegalMove` (the state is unchanged) or `ChanceError` from the source (a replay
        whose record does not fit; the state is then not to be used further).
        """
        found = self.find(move)
        facts: list[Json] = []
        self.facts = facts
        try:
            self.play(found)
            return Step(facts, self.settle(source))
        finally:
            self.facts = None

    def settle(self, source: Source) -> list[str]:
        """Answer all pending draws from `source`; returns the outcomes in order."""
        drawn: list[str] = []
        while not self.kind and (question := self.chance) is not None:
            outcome = source.draw(question)
            self.resolve(outcome)
            drawn.append(outcome)
        return drawn

    def final(self) -> Result:
        """Count the end-of-game score of a play that is over; changes nothing."""
        breakdown = self.count()
        scores = list(self.scores)
        for entry in breakdown:
            scores[entry["seat"]] += entry["points"]
        best = max(scores)
        return Result(scores, [s for s, points in enumerate(scores) if points == best], breakdown)

    def state_hash(self) -> str:
        """Return the SHA-256 of `identity()`: the same on every machine and Python version."""
        return canonical_hash(self.identity())


@mypyc_attr(allow_interpreted_subclasses=True)
class Game(CodedGame, ABC):
    """A game on offer.

    Attributes: `name`; `title`, for people; `rules_version`, raised whenever the same moves may
    lead to another state, recorded at the start of each game; `seats_from` and `seats_to`;
    `options` with their values; `setup_keys`, the keys that a setup may have; `contract`, the
    schemas of its moves, decisions, facts and view; `figures`, what its statistics count;
    `weight`, the bytes of memory that a state takes for each byte of its view as JSON, for caches
    that are bounded by bytes.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    seats_from: ClassVar[int] = 2
    seats_to: ClassVar[int] = 5
    options: ClassVar[tuple[Option, ...]] = ()
    setup_keys: ClassVar[tuple[str, ...]] = ()
    contract: ClassVar[Contract]
    figures: ClassVar[Figures] = Figures()
    weight: ClassVar[float] = 8.0

    def check_setup(self, setup: Json) -> None:
        """Raise `SetupError` when a setup has a key that the game does not know."""
        if unknown := sorted(setup.keys() - set(self.setup_keys)):
            raise SetupError(
                f"the setup of {self.name} has no key {unknown[0]!r}", "setup", unknown[0]
            )

    def check(self, seats: Any, options: Mapping[str, Any]) -> dict[str, str | int]:
        """Return the options completed with defaults.

        Raises `InvalidSeats` or `InvalidOption`; a value must be equal in kind, too. `seats` may be
        anything: a compiled parameter of type `int` would raise `TypeError` before this check.
        """
        if type(seats) is not int or not self.seats_from <= seats <= self.seats_to:
            raise InvalidSeats(
                f"{self.name} is for {self.seats_from} to {self.seats_to} seats, not {quote(seats)}"
            )
        return complete_options(self.name, self.options, options)

    @abstractmethod
    def draw_setup(self, seats: int, options: Mapping[str, Any], rng: Shuffler) -> Json:
        """Draw the chance of the start (turn order, neutral buildings, …) as a `setup`."""

    @abstractmethod
    def new(self, seats: int, options: Mapping[str, Any], setup: Json) -> State[Any]:
        """Return the first state; the first draw may be pending.

        Raises `SetupError` for seats, options or a setup that the game does not allow.
        """

    @abstractmethod
    def load(self, dump: Json) -> State[Any]:
        """Return the state that `State.dump` wrote."""

    def write_position(self, state: State[Any], kept: Sequence[str] = ()) -> Json:
        """Return a state as a position, with the outcomes that later draws take first."""
        return write_position(self.name, state, kept)

    def from_position(self, position: Any) -> State[Any]:
        """Return the state of a position, hashed again (`engine.position`).

        Raises `PositionError` for what does not fit: it may come from a stranger, so the type says
        nothing. The compiled form would raise `TypeError` for what does not have it.
        """
        must_be_position(position, self.name)
        try:
            options = self.check(position["seats"], position["options"])
        except SetupError as error:
            raise PositionError(str(error)) from error
        state: State[Any] = read_state(
            position, options, self.load, self._find_faults, self.is_sound
        )
        return state

    def is_sound(self, dump: Json) -> bool:
        """Return whether the numbers of a dump from a stranger are in their ranges.

        `from_position` asks before `load`. It may raise what reading a wrong form raises. A game
        that says nothing of its own takes any dump that `load` takes.
        """
        return True

    def _find_faults(self, view: Json) -> bool:
        """Return whether a view does not fit the contract."""
        return any(faults(self.contract.view, view, self.contract.definitions))

    @abstractmethod
    def setup_of_transcript(self, setup: Json, draws: Sequence[str], bag: Json) -> Json:
        """Return the setup for `new` from the `setup`, `draws` and `bag` of a transcript.

        Raises `SetupError` for outcomes that the game does not have.
        """

    @abstractmethod
    def setup_to_transcript(self, setup: Json) -> Json:
        """Return the `setup` of a transcript from one of `new`."""

    def list_pieces(self, options: Mapping[str, Any]) -> Sequence[Piece]:
        """Return what the pieces cost, do and are worth under complete options; none by default."""
        return ()

    def bag(self, state: State[Any]) -> Json | None:
        """Return what an unfinished transcript must carry of the draws to come, or None."""
        return None


def is_whole(value: Any, known: range) -> bool:
    """Return whether a value from outside is an integer, and no truth value, of a range."""
    return type(value) is int and value in known


def find_game(games: Mapping[str, T], name: str) -> T:
    """Return the game (its rules, or its offer) of this name; raises `UnknownGame`."""
    if name not in games:
        raise UnknownGame(f"there is no game {quote(name)}; there are {sorted(games)}")
    return games[name]
