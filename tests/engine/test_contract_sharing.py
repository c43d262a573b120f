"""Threads may read one state at the same time: reading changes nothing that others can notice.

Threads meet at the wrong moment once in many thousand times. Here they meet at many lines, one
after another: one reader is stopped there, another one reads all of it, and the first one goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import count, islice
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from cartulary import engine
from cartulary.engine.core import State
from cartulary.engine.form import FORM, PURE
from tests.engine.random_play import positions
from tests.support.games import ALL_GAMES
from tests.support.night import short_or_long

ENGINE = str(Path(engine.__file__).parent)
SEED = 20_070_203
EVERY = short_or_long(3, 1)
"""Readers meet at every third line by day, at each line at night."""


class Meeting:
    """Calls `other` before the line number `at` of the engine that is run within it."""

    def __init__(self, other: Callable[[], object], at: int) -> None:
        self.other, self.at = other, at
        self.happened = False

    def __enter__(self) -> Meeting:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(ENGINE):
            return None
        if event == "line":
            self.at -= 1
            if self.at < 0 and not self.happened:
                self.happened = True
                sys.settrace(None)
                self.other()
        return self._trace


def read(state: State[Any]) -> tuple[Any, ...]:
    """Everything that a reader asks a shared state for."""
    return (state.view(), state.state_hash(), state.moves(), state.copy().state_hash())


@pytest.mark.skipif(FORM != PURE, reason="the compiled form has no lines to stop at")
@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.slow
def test_readers_of_one_state_do_not_disturb_each_other(name: str) -> None:
    game = ALL_GAMES[name]
    options = {option.name: option.values[0] for option in game.options}
    early = list(islice(positions(game, game.seats_from, options, SEED), 31))
    position = early[30] if len(early) > 30 else early[len(early) // 2]
    expected = read(position.copy())
    for line in count(step=EVERY):
        shared = position.copy()
        with Meeting(partial(read, shared), line) as meeting:
            assert read(shared) == expected, f"line {line}"
        if not meeting.happened:
            break
        assert read(shared) == expected, f"line {line}, afterwards"
    assert line > 0
