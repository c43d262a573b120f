"""Lines: the position of a puzzle, what a line of moves leads to, and whether it is right. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Game, State
from cartulary.engine.errors import IllegalMove
from cartulary.engine.transcript import Playback, from_json
from cartulary.events.model.errors import IllegalMoveRefused, Invalid, LineUnfinished
from cartulary.events.model.types import Json
from cartulary.puzzles.record import Puzzle
from cartulary.puzzles.turns import MOST_MOVES

OF_TRANSCRIPT = (*("format", "game", "options", "seats", "setup", "draws", "bag", "moves"),)
"""What is shown of a transcript: no names of players, and nothing that a miner has added."""


class LinePlace(NamedTuple):
    """A place of one of the three lines that pictures show: `start`, `best`, `tempting`.

    After `step` moves; `last` is the move before, None at the start.
    """

    state: State[Any]
    last: Json | None
    steps: int


def read_start(game: Game, puzzle: Puzzle) -> State[Any]:
    """Return the position of a puzzle."""
    games = {game.name: game}
    playback = Playback(from_json(puzzle.transcript, games), games)
    while not playback.done:
        playback.step()
    return playback.state


def count_moves(puzzle: Puzzle) -> int:
    """Return how many moves an answer has at most: the seat may be asked less often."""
    return MOST_MOVES.get(puzzle.game, 1)


class TriedLine(NamedTuple):
    """The position after moves, and what the last one led to."""

    state: State[Any]
    facts: list[Json]


def follow_line(start: State[Any], puzzle: Puzzle, moves: Sequence[Json]) -> TriedLine:
    """Return where moves of the seat that is asked lead, up to the first draw.

    Raises `IllegalMoveRefused` for a move that is not legal, which may be of another position, and
    `Invalid` for moves after the end of the line.
    """
    state, facts = start.copy(), list[Json]()
    for number, move in enumerate(moves):
        if number >= count_moves(puzzle) or state.seat != puzzle.seat:
            raise Invalid([(f"/moves/{number}", "the answer ends before this move")])
        try:
            found = state.find(move)
        except IllegalMove as error:
            raise _refuse(error, state) from error
        state.facts = facts = []
        state.play(found)
    state.facts = None
    return TriedLine(state, facts)


def _refuse(error: IllegalMove, state: State[Any]) -> IllegalMoveRefused:
    decision = state.decision
    assert decision is not None
    return IllegalMoveRefused(str(error.reason), decision.to_json(), state.legal_moves())


def judge_line(start: State[Any], puzzle: Puzzle, moves: Sequence[Json]) -> bool:
    """Return whether a whole answer is right: it leads where an accepted line leads.

    Whether an answer is whole depends on the position and the number of moves alone, so a refusal
    says nothing about the accepted lines. Raises `LineUnfinished`, and what `follow_line` raises.
    """
    end = follow_line(start, puzzle, moves).state
    if len(moves) < count_moves(puzzle) and end.seat == puzzle.seat:
        decision = end.decision
        assert decision is not None
        raise LineUnfinished(decision.to_json(), end.legal_moves())
    reached = end.state_hash()
    return any(
        canonical_json([*moves[: len(line)]]) == canonical_json(line)
        or follow_line(start, puzzle, line).state.state_hash() == reached
        for line in puzzle.best
    )


def list_candidates(puzzle: Puzzle) -> list[list[Json]]:
    """Return an accepted line and the tempting one, in an order that does not tell them apart."""
    return sorted([puzzle.best[0], puzzle.tempting], key=canonical_json)


def find_place(start: State[Any], puzzle: Puzzle, line: str, step: int) -> LinePlace | None:
    """Return a place of a line by its name, None where the line is shorter."""
    steps = [] if line == "start" else puzzle.after[line]
    if step > len(steps):
        return None
    state = start.copy()
    for one in steps[:step]:
        state.play(state.find(one["move"]))
        for outcome in one["chance"]:
            state.resolve(outcome)
    return LinePlace(state, steps[step - 1] if step else None, len(steps))


def show_position(start: State[Any], puzzle: Puzzle) -> Json:
    """Return the question of a puzzle as it is shown: nothing that follows from the answer."""
    transcript = puzzle.transcript
    return {
        **show_moment(start, puzzle, 0),
        "id": puzzle.id,
        "game": puzzle.game,
        "options": puzzle.options,
        "seats": transcript["seats"],
        "seat": puzzle.seat,
        "transcript": {key: transcript[key] for key in OF_TRANSCRIPT if key in transcript},
        "line_moves": count_moves(puzzle),
    }


def show_moment(state: State[Any], puzzle: Puzzle, made: int) -> Json:
    """Return the position after so many moves of an answer."""
    decision = state.decision
    asked = decision is not None and state.seat == puzzle.seat and made < count_moves(puzzle)
    return {
        "view": state.view(),
        "decision": decision.to_json() if decision is not None and asked else None,
        "moves": state.legal_moves() if asked else [],
    }


def show_tried(tried: TriedLine, puzzle: Puzzle, made: int) -> Json:
    """Return the same with what the last of the moves led to."""
    return {
        **show_moment(tried.state, puzzle, made),
        "facts": tried.facts,
        "chance": tried.state.chance is not None,
        "features": tried.state.list_features(),
    }


def show_hints(puzzle: Puzzle, step: int) -> Json:
    """Return the hints up to a step. 1: the themes. 2: two lines, of which one is right."""
    candidates = [{"moves": line} for line in list_candidates(puzzle)]
    return {
        "step": step,
        "themes": list(puzzle.themes),
        "candidates": candidates if step > 1 else None,
    }


def show_answer(puzzle: Puzzle, say: Callable[[list[Json]], str]) -> Json:
    """Return the answer as it is shown after the attempt; `say` puts facts into words."""
    futures = {"best": puzzle.best[0], "tempting": puzzle.tempting}
    return {
        "themes": puzzle.themes,
        "margin": {name: puzzle.margin[name] for name in ("points", "wins")},
        "accepted": [{"moves": line} for line in puzzle.best],
        **{
            name: {
                "line": line,
                "facts": puzzle.facts[name],
                "text": say(puzzle.facts[name]),
                "after": puzzle.after[name],
            }
            for name, line in futures.items()
        },
    }
