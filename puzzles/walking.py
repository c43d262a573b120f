"""The questions of a game, one after another: where a puzzle may be looked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cartulary.bots.analysis.base import Analyst, find_analyst
from cartulary.engine.core import Json, State
from cartulary.engine.transcript import Playback, RecordedMove, Transcript, record
from cartulary.games.offer import Offer

OPENING: Final = 16
"""The number of moves at the start of a game that are not looked at."""

APART: Final = 12
"""The number of moves between two puzzles of a game: the next ones often have the same point."""

MOST_OF_A_GAME: Final = 6
"""The most puzzles that are taken from a game: so they are not all alike."""


class OpenQuestion:
    """A question of a game: the position, the number of its decision, and the game before it."""

    def __init__(self, state: State[Any], index: int, transcript: Json) -> None:
        self.state, self.index, self.transcript = state, index, transcript
        self.held = False

    def holds(self) -> None:
        """Note that the position passed all stages."""
        self.held = True


class WalkStart(NamedTuple):
    """Where a walk through a game begins: after `done` decisions, of which `held` hold.

    No question stands before decision `free`.
    """

    done: int = 0
    held: int = 0
    free: int = OPENING

    def after(self, looked: OpenQuestion) -> WalkStart:
        """Return where a walk goes on after a question that was looked at."""
        done = looked.index + 1
        if not looked.held:
            return self._replace(done=done)
        return WalkStart(done, self.held + 1, looked.index + APART)


BEGINNING: Final = WalkStart()


def walk(
    offer: Offer, transcript: Transcript, start: WalkStart = BEGINNING
) -> Iterator[OpenQuestion]:
    """Yield the questions of a game, until `MOST_OF_A_GAME` of them hold."""
    analyst, at = find_analyst(offer), start
    playback, made = Playback(transcript, {offer.name: offer.rules}), list[RecordedMove]()
    draws = list(playback.start.chance)
    while not playback.done and at.held < MOST_OF_A_GAME:
        state = playback.state
        if len(made) >= max(at.done, at.free) and is_question(analyst, state):
            before = _record(offer, state, (transcript, draws, made))
            looked = OpenQuestion(state.copy(), playback.index, before)
            yield looked
            at = at.after(looked)
        made.append(playback.entry)
        draws += playback.step().chance


def is_question(analyst: Analyst[Any], state: State[Any]) -> bool:
    """Return whether a turn begins here with a choice of three or more."""
    return not analyst.continues(state) and len(state.moves()) > 2


def _record(
    offer: Offer, state: State[Any], played: tuple[Transcript, list[str], list[RecordedMove]]
) -> Json:
    """Return the game up to a position as a contract transcript, without names."""
    transcript, draws, made = played
    setup = offer.rules.setup_of_transcript(
        transcript.setup, transcript.draws, transcript.bag or {}
    )
    return record(offer.rules, state, setup, draws, made).to_json()
