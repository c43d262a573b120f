"""The games as environments of PettingZoo (AEC): `env("caylus", 3)`.

An agent is a seat, `seat_0` and so on; the game says which one is next. An observation is a
dictionary: `observation`, the array of `State.tensor` as the agent sees the table, and
`action_mask`, a byte for each move, 1 for those that are legal now. Only the agent whose turn it is
has legal moves. Rewards come at the end (`played.CodedTable.reward`). Needs the extra `pettingzoo`;
pictures need the extra `pictures` as well.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import State
from cartulary.engine.errors import IllegalMove
from cartulary.envs.played import PLACEMENT, CodedTable, play_code
from cartulary.match import draw_state

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete, Space
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise ImportError(
        "cartulary.envs.pettingzoo needs PettingZoo: pip install 'cartulary-games[pettingzoo]'"
    ) from error

Observation = dict[str, Any]

ANSI: Final = "ansi"
RGB_ARRAY: Final = "rgb_array"
RENDER_MODES: Final = (ANSI, RGB_ARRAY)
WIDTH: Final = 800
"""Pixels of a picture from left to right."""


def env(
    game: str,
    seats: int = 2,
    options: Mapping[str, Any] | None = None,
    *,
    rewards: str = PLACEMENT,
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """Return an environment that refuses calls in the wrong order; see `CartularyEnv`."""
    made = CartularyEnv(game, seats, options, rewards=rewards, render_mode=render_mode)
    return OrderEnforcingWrapper(made)


class CartularyEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game with seats for agents.

    `options` are those of the game, `rewards` is `placement` or `margin`, `render_mode` is `ansi`,
    `rgb_array` or None. Raises `UnknownGame`, `InvalidSeats`, `InvalidOption`, and `ValueError` for
    an unknown render mode.
    """

    def __init__(
        self,
        game: str,
        seats: int = 2,
        options: Mapping[str, Any] | None = None,
        *,
        rewards: str = PLACEMENT,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules = CodedTable(game, seats, options, rewards)
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode is one of {[*RENDER_MODES]} or None, not {render_mode}")
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"cartulary_{game}_v{self.rules.actions.actions_version}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "actions_version": self.rules.game.actions_version,
            "tensor_version": self.rules.game.tensor_version,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces: dict[str, Space[Any]] = {
            agent: Discrete(len(self.rules.actions)) for agent in self.possible_agents
        }
        self.observation_spaces: dict[str, Space[Observation]] = {
            agent: self._make_space() for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self.state_of_game: State[Any] | None = None

    def _make_space(self) -> Space[Observation]:
        floats = Box(-1.0, np.inf, (self.rules.size,), np.float32)
        return Dict(
            {"observation": floats, "action_mask": Box(0, 1, (len(self.rules.actions),), np.int8)}
        )

    def observation_space(self, agent: str) -> Space[Observation]:
        """Return the space of the observations of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the codes of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed gives the same setup and the same draws.

        `options` has no meaning here, and PettingZoo's own test hands in some: those of the game
        belong to `env`.
        """
        rng = random.SystemRandom() if seed is None else random.Random(seed)
        self._source = RandomSource(rng)
        rules = self.rules
        setup = rules.game.draw_setup(rules.seats, rules.options, self._source)
        state = self.state_of_game = rules.game.new(rules.seats, rules.options, setup)
        state.settle(self._source)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[state.seat]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; the mask is empty unless it is the agent's turn."""
        state, seat = self._game(), self._seat_of[agent]
        floats = np.empty(self.rules.size, np.float32)
        state.tensor(seat, floats)
        mask = self.rules.actions.mask(state.codes() if state.seat == seat else ())
        return {"observation": floats, "action_mask": np.frombuffer(mask, np.int8)}

    def step(self, action: Any) -> None:
        """Make the move of a code for the agent whose turn it is.

        Raises `UnknownAction` or `IllegalMove`, and nothing has changed. After the end each agent
        steps once with None, as PettingZoo has it; a step after that raises `IllegalMove`.
        """
        state = self._game()
        if not self.agents:
            raise IllegalMove("the game is over: begin a new one with reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        play_code(self.rules, state, action)
        state.settle(self._source)
        self._cumulative_rewards[agent] = 0.0
        if state.over:
            self._end(state)
        else:
            self.agent_selection = self.possible_agents[state.seat]

    def _end(self, state: State[Any]) -> None:
        final = self.rules.reward(state.final().scores)
        self.rewards = dict(zip(self.agents, final, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """Return the table: `ansi` as JSON text, `rgb_array` as (height, width, 3) bytes."""
        state = self._game()
        if self.render_mode == ANSI:
            return _write_table(state)
        return _paint_table(self.rules, state) if self.render_mode == RGB_ARRAY else None

    def close(self) -> None:
        """Release nothing: an environment holds no file and no window."""

    def _game(self) -> State[Any]:
        if self.state_of_game is None:
            raise IllegalMove("no game has begun: call reset() first")
        return self.state_of_game


def _write_table(state: State[Any]) -> str:
    """Return who is to decide and what lies on the table, a line for each key of the view."""
    decision = state.decision
    asked = f"seat {decision.seat}: {decision.kind} {decision.context}" if decision else "over"
    return "\n".join([asked, *(f"{key}: {value}" for key, value in state.view().items())])


def _paint_table(rules: CodedTable, state: State[Any]) -> Any:
    """Return the picture of the table as an array; raises `ImportError` without `pictures`."""
    try:
        from PIL import Image

        from cartulary.raster.png import draw_png

        png = draw_png(draw_state(rules.game, state), WIDTH)
    except ImportError as error:
        raise ImportError(
            "render_mode 'rgb_array' needs pictures: pip install 'cartulary-games[pictures]'"
        ) from error
    with Image.open(BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"))
