"""The games of OpenSpiel: importing this registers `cartulary_carcassonne` and `cartulary_caylus`.

    import pyspiel
    import cartulary.envs.openspiel

    game = pyspiel.load_game("cartulary_caylus(seats=3,favours=simplified)")

Parameters are `seats`, `rewards` (`placement` or `margin`) and the options of the game. Every draw
is a chance node: the turn order and the neutral buildings of Caylus, the tiles of Carcassonne.
Nothing is hidden in either game, so the tensor of an information state is that of an observation;
its string is the history. A state is written and read by its history. Needs the extra `openspiel`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from cartulary.engine.chance import Chance
from cartulary.engine.core import Game, State
from cartulary.engine.errors import ChanceError, IllegalMove
from cartulary.envs.played import MARGIN, PLACEMENT, CodedTable, play_code
from cartulary.games import GAMES

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError(
        "cartulary.envs.openspiel needs OpenSpiel: pip install 'cartulary-games[openspiel]'"
    ) from error

PREFIX: Final = "cartulary_"
MOST_CHANCE: Final = 24
"""Outcomes of a draw: the tiles of Carcassonne are most."""
MOST_POINTS: Final = 1000.0
"""Bound of a margin; no game comes near it."""
LONGEST: Final = 2000
"""Bound of the moves and draws of a seat; no game comes near it."""


def _parameters(game: Game) -> dict[str, Any]:
    """Return the parameters with their defaults."""
    options = {option.name: option.default for option in game.options}
    return {"seats": game.seats_from, "rewards": PLACEMENT, **options}


def _describe(game: Game) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=PREFIX + game.name,
        long_name=f"Cartulary {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats_to,
        min_num_players=game.seats_from,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(game),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its parameters; each game of ours is a subclass that sets `kind`."""

    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        name = self.kind.short_name.removeprefix(PREFIX)
        chosen = _parameters(GAMES[name]) | dict(params or {})
        seats, rewards = chosen.pop("seats"), chosen.pop("rewards")
        self.rules = CodedTable(name, seats, chosen, rewards)
        most = MOST_POINTS if rewards == MARGIN else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=MOST_CHANCE,
            num_players=seats,
            min_utility=-most,
            max_utility=most,
            max_game_length=LONGEST * seats,
        )
        super().__init__(self.kind, info, dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """Return the state before the first draw."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """Return what fills the tensor and writes the string of a state for a player."""
        if params:
            raise ValueError(f"an observer of this game has no parameters, not {params}")
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return SpielObserver(self.rules, recalls=recalls)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position: the draws of the setup first, then the state of the engine."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.draws = self.rules.game.setup_chance(self.rules.seats, self.rules.options)
        self.table: State[Any] | None = None
        self._begin()

    def _begin(self) -> None:
        """Set the table up once the setup is drawn."""
        if self.draws.chance is None:
            rules = self.rules
            self.table = rules.game.new(rules.seats, rules.options, self.draws.setup)

    def _question(self) -> Chance | None:
        return self.draws.chance if self.table is None else self.table.chance

    def current_player(self) -> int:
        """Return the seat that decides, `CHANCE` or `TERMINAL`."""
        if self._question() is not None:
            return int(pyspiel.PlayerId.CHANCE)
        assert self.table is not None
        return int(pyspiel.PlayerId.TERMINAL) if self.table.over else self.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        """Return the codes of the legal moves of a seat, in ascending order."""
        if self.table is None or player != self.table.seat:
            return []
        return sorted(self.table.codes())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes that can be drawn, by their place in the question, and how likely."""
        question = self._question()
        if question is None:
            raise ChanceError("no draw is pending")
        total = sum(question.weights)
        return [(at, weight / total) for at, weight in enumerate(question.weights) if weight]

    def _apply_action(self, action: int) -> None:
        """Answer the pending draw or decision.

        Raises `ChanceError`, `UnknownAction` or `IllegalMove`, and nothing has changed.
        """
        question = self._question()
        if question is not None:
            self._resolve(_outcome(question, action))
        elif self.table is None or self.table.over:
            raise IllegalMove("the game is over: no move is pending")
        else:
            play_code(self.rules, self.table, action)

    def _resolve(self, outcome: str) -> None:
        if self.table is not None:
            self.table.resolve(outcome)
        else:
            self.draws.resolve(outcome)
            self._begin()

    def _action_to_string(self, player: int, action: int) -> str:
        """Return a move as the contract writes it, a draw as what is drawn."""
        if player == pyspiel.PlayerId.CHANCE:
            question = self._question()
            return "" if question is None else f"{question.kind} {_outcome(question, action)}"
        return json.dumps(self.rules.actions.move(action), separators=(",", ":"))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.table is not None and self.table.over

    def returns(self) -> list[float]:
        """Return the rewards of the finished game, zeros before."""
        if self.table is None or not self.table.over:
            return [0.0] * self.rules.seats
        return self.rules.reward(self.table.final().scores)

    def __str__(self) -> str:
        """Return the table in the words of the contract."""
        return json.dumps(self.draws_or_table(), sort_keys=True)

    def draws_or_table(self) -> dict[str, Any]:
        """Return all that the future depends on."""
        if self.table is None:
            question = self.draws.chance
            assert question is not None
            left = [o for o, w in zip(question.outcomes, question.weights, strict=True) if w]
            return {"draw": question.kind, "left": left}
        return self.table.identity()


def _outcome(question: Chance, action: int) -> str:
    if not 0 <= action < len(question.outcomes) or not question.weights[action]:
        raise ChanceError(f"outcome {action} cannot be drawn for {question.kind!r}")
    return question.outcomes[action]


class SpielObserver:
    """What a player sees: `tensor` and its planes by name in `dict`, as views of it."""

    def __init__(self, rules: CodedTable, *, recalls: bool) -> None:
        self._recalls = recalls
        self.tensor = np.zeros(rules.size, np.float32)
        self.dict = {
            plane.name: self.tensor[plane.start : plane.start + plane.size].reshape(plane.shape)
            for plane in rules.game.tensor_planes()
        }

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill `tensor`; while the setup is drawn all of it is 0."""
        if state.table is None:
            self.tensor.fill(0)
        else:
            state.table.tensor(player, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the history of a state, or what lies on the table, for a player."""
        return f"{player}: {state.history_str()}" if self._recalls else f"{player}: {state}"


# OpenSpiel drops what it was given after the interpreter has ended, so that must be what stays: a
# class does, a function of ours would be freed without an interpreter and end the process.
GAME_CLASSES: Final[dict[str, type[SpielGame]]] = {
    game.name: type(game.title, (SpielGame,), {"kind": _describe(game)}) for game in GAMES.values()
}
"""The class of each game, which OpenSpiel knows by its short name."""

for _class in GAME_CLASSES.values():
    pyspiel.register_game(_class.kind, _class)
