"""Caylus as an entry of the list of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cartulary.engine.caylus import dump as dumping
from cartulary.engine.caylus.buildings import NEUTRAL_IDS
from cartulary.engine.caylus.coded import (
    ACTIONS_VERSION,
    PLANES,
    TENSOR_VERSION,
    all_actions,
)
from cartulary.engine.caylus.contract import CONTRACT
from cartulary.engine.caylus.flow import advance
from cartulary.engine.caylus.pieces import list_pieces
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.chance import Shuffler
from cartulary.engine.coded import Actions, Plane, SetupDraws
from cartulary.engine.core import Game, Json
from cartulary.engine.errors import SetupError
from cartulary.engine.figures import Figures, Habit
from cartulary.engine.options import Option
from cartulary.engine.pieces import Piece


class Caylus(Game):
    """Caylus (rules 0 to 3) for 2 to 5 seats."""

    name = "caylus"
    title = "Caylus"
    rules_version = 1
    actions_version = ACTIONS_VERSION
    tensor_version = TENSOR_VERSION
    weight = 1.0
    contract = CONTRACT
    figures = Figures(
        sources={
            "building": ("construction",),
            "owner": ("owner",),
            "castle": ("castle", "no_batch", "no_house"),
            "favour": ("favour", "simplified_favour"),
            "trade": ("trade",),
            "goods": ("gold", "cubes", "deniers"),
        },
        habits=(
            Habit(name="first_building", fact="building_built", key="building", most=1),
            Habit(name="favours", fact="favour_taken", key="line"),
        ),
    )
    setup_keys = ("turn_order", "neutrals")
    options = (
        Option("favours", ("table", "simplified"), "from the table, or 3 points each"),
        Option("edition", ("first", "second"), "second: a Jeweller, a Lawyer of 3 points"),
    )

    def draw_setup(self, seats: Any, options: Mapping[str, Any], rng: Shuffler) -> Json:
        """Draw the turn order and the order of the neutral buildings."""
        self.check(seats, options)
        return {
            "turn_order": rng.sample(range(seats), seats),
            "neutrals": rng.sample(NEUTRAL_IDS, len(NEUTRAL_IDS)),
        }

    def new(self, seats: Any, options: Mapping[str, Any], setup: Json) -> CaylusState:
        """Return the first decision of round 1, after its income.

        Raises `SetupError` for seats, options or a setup that the game does not allow.
        """
        complete = self.check(seats, options)
        self.check_setup(setup)
        turn_order = _permutation(setup, "turn_order", range(seats))
        neutrals = _permutation(setup, "neutrals", NEUTRAL_IDS)
        state = CaylusState()
        state.set_up(seats, complete, turn_order, neutrals)
        advance(state)
        return state

    def actions(self, options: Mapping[str, Any] | None = None) -> Actions:
        """Return the table of all moves, one for all options."""
        self.check(self.seats_from, options or {})
        return all_actions()

    def tensor_planes(self) -> tuple[Plane, ...]:
        """Return the layout of the array that `State.tensor` fills."""
        return PLANES

    def setup_chance(self, seats: Any, options: Mapping[str, Any]) -> SetupDraws:
        """Return the draws of the turn order and of the neutral buildings."""
        self.check(seats, options)
        return SetupDraws({"turn_order": range(seats), "neutrals": NEUTRAL_IDS})

    def load(self, dump: Json) -> CaylusState:
        """Return the state that `CaylusState.dump` wrote."""
        state = CaylusState()
        dumping.load(state, dump)
        return state

    def is_sound(self, dump: Json) -> bool:
        """Return whether the numbers of a dump are in their ranges."""
        return dumping.is_sound(dump)

    def list_pieces(self, options: Mapping[str, Any]) -> list[Piece]:
        """Return the buildings, the castle and the favours under complete options."""
        return list_pieces(options)

    def setup_of_transcript(self, setup: Json, draws: Sequence[str], bag: Json) -> Json:
        """Return the setup: all chance is in it, so draws and bag must be empty.

        Raises `SetupError` when they are not.
        """
        if draws or bag:
            raise SetupError(
                "Caylus draws nothing during play: `draws` and `bag` must be empty",
                "draws" if draws else "bag",
            )
        return dict(setup)

    def setup_to_transcript(self, setup: Json) -> Json:
        """Return the setup as it is."""
        return dict(setup)


def _permutation(setup: Json, key: str, of: Sequence[Any]) -> list[Any]:
    """Return the list `setup[key]`, after checking that it orders `of`."""
    values = setup.get(key)
    if not isinstance(values, list) or len(values) != len(of):
        raise SetupError(f"setup needs `{key}`, a list of {len(of)}", "setup", key)
    if any(type(value) is not type(of[0]) for value in values) or sorted(values) != sorted(of):
        raise SetupError(f"`{key}` must hold each of {list(of)} once", "setup", key)
    return values


CAYLUS = Caylus()
