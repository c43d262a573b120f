"""Carcassonne as an entry of the list of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cartulary.engine.canonical import quote
from cartulary.engine.carcassonne.coded import (
    ACTIONS_VERSION,
    PLANES,
    TENSOR_VERSION,
    all_actions,
)
from cartulary.engine.carcassonne.contract import CONTRACT
from cartulary.engine.carcassonne.pieces import list_pieces
from cartulary.engine.carcassonne.sound import is_sound
from cartulary.engine.carcassonne.state import CarcassonneState, letters
from cartulary.engine.carcassonne.tiles import BAG, LETTERS, NUMBER, TILES
from cartulary.engine.chance import Shuffler
from cartulary.engine.coded import Actions, Plane, SetupDraws
from cartulary.engine.core import Game, Json, State
from cartulary.engine.errors import SetupError
from cartulary.engine.figures import Figures, Habit
from cartulary.engine.options import Option
from cartulary.engine.pieces import Piece


class Carcassonne(Game):
    """Base game, 2005 edition (rules 2).

    The setup is `{}` for the full bag of 71 tiles, or `{"bag": {letter: count}}` for a puzzle.
    """

    name = "carcassonne"
    title = "Carcassonne"
    rules_version = 1
    actions_version = ACTIONS_VERSION
    tensor_version = TENSOR_VERSION
    weight = 7.0
    contract = CONTRACT
    figures = Figures(
        sources={
            "city": ("city",),
            "road": ("road",),
            "monastery": ("monastery",),
            "field": ("farm",),
        },
        habits=(Habit(name="followers", fact="follower_placed", key="feature"),),
    )
    setup_keys = ("bag",)
    options = (
        Option("tiny_city", (4, 2), "points of a completed city of two tiles (2 in old editions)"),
    )

    def draw_setup(self, seats: Any, options: Mapping[str, Any], rng: Shuffler) -> Json:
        """Return the empty setup: seat 0 begins, and tiles are drawn during the play."""
        return {}

    def new(self, seats: Any, options: Mapping[str, Any], setup: Json) -> CarcassonneState:
        """Return the state in which the first tile is about to be drawn."""
        complete = self.check(seats, options)
        self.check_setup(setup)
        bag = _checked_bag(setup["bag"], "setup", "bag") if "bag" in setup else list(BAG)
        state = CarcassonneState()
        state.set_up(seats, complete, bag)
        return state

    def actions(self, options: Mapping[str, Any] | None = None) -> Actions:
        """Return the table of all moves, one for all options."""
        self.check(self.seats_from, options or {})
        return all_actions()

    def tensor_planes(self) -> tuple[Plane, ...]:
        """Return the layout of the array that `State.tensor` fills."""
        return PLANES

    def setup_chance(self, seats: Any, options: Mapping[str, Any]) -> SetupDraws:
        """Return no draws: seat 0 begins, and tiles are drawn during the play."""
        self.check(seats, options)
        return SetupDraws({})

    def load(self, dump: Json) -> CarcassonneState:
        """Return the state that `CarcassonneState.dump` wrote."""
        return CarcassonneState.load(dump)

    def is_sound(self, dump: Json) -> bool:
        """Return whether the numbers of a dump are in their ranges."""
        return is_sound(dump)

    def list_pieces(self, options: Mapping[str, Any]) -> list[Piece]:
        """Return the features, the followers and the tiles under complete options."""
        return list_pieces(options)

    def setup_of_transcript(self, setup: Json, draws: Sequence[str], bag: Json) -> Json:
        """Return the setup whose bag is everything drawn and everything left."""
        if setup:
            raise SetupError(
                f"the setup of {self.name} in a transcript is empty, not {quote(setup)}"
            )
        counts = _checked_bag(bag, "bag")
        for index, letter in enumerate(draws):
            number = _number(letter, "draws", index)
            counts[number] += 1
            _check_count(number, counts[number], "draws", index)
        return {} if counts == list(BAG) else {"bag": letters(counts)}

    def setup_to_transcript(self, setup: Json) -> Json:
        """Return the empty setup: in a transcript the draws tell the bag."""
        return {}

    def bag(self, state: State[Any]) -> Json | None:
        """Return the letters that are still in the bag."""
        assert isinstance(state, CarcassonneState)
        return letters(state.bag)


def _number(letter: Any, *path: str | int) -> int:
    if not isinstance(letter, str) or letter not in NUMBER:
        raise SetupError(f"there is no tile {quote(letter)}; there are {''.join(LETTERS)}", *path)
    return NUMBER[letter]


def _check_count(number: int, count: Any, *path: str | int) -> None:
    most = BAG[number]
    if type(count) is not int or not 0 <= count <= most:
        raise SetupError(
            f"the bag holds 0 to {most} of tile {LETTERS[number]}, not {quote(count)}", *path
        )


def _checked_bag(bag: Any, *path: str | int) -> list[int]:
    """Return a bag by tile number.

    Raises `SetupError` unless it maps known letters to counts of the set without the start tile.
    """
    if not isinstance(bag, dict):
        raise SetupError(f"a bag is an object of letters and counts, not {quote(bag)}", *path)
    counts = [0] * len(TILES)
    for letter, count in bag.items():
        number = _number(letter, *path, letter)
        _check_count(number, count, *path, letter)
        counts[number] = count
    return counts
