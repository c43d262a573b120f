"""The game of a table as a list of decisions and turns, made again by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cartulary.engine.canonical import canonical_json
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, State
from cartulary.events.model.types import GAME_STARTED, MOVE_MADE, Json


class PlayedMove(NamedTuple):
    """A move that was stored: `chance` is what was drawn after it, `by` a stand-in, if any."""

    version: int
    seat: int
    move: Json
    chance: list[str]
    by: str | None


class TableGame(NamedTuple):
    """The moves of a table of a round, as its game has stored them."""

    table: int
    seats: int
    setup: Json
    chance: list[str]
    moves: list[PlayedMove]


class PlayedDecision(NamedTuple):
    """A decision of a table: what was asked, and what was answered (`key` is its canonical JSON).

    `turn` counts the turns of the game from 0: unbroken runs of decisions of one seat.
    """

    version: int
    turn: int
    seat: int
    kind: str
    context: Json
    move: Json
    key: str
    by: str | None


class PlayedTurn(NamedTuple):
    """A turn: the seat, its decisions, what was drawn before it, and the scores after it.

    `number` counts the turns of the seat from 0; `gained` is what the seat has won in the turn.
    """

    turn: int
    number: int
    seat: int
    decisions: list[PlayedDecision]
    drawn: list[str]
    gained: int
    scores: list[int]


class ReplayedTable(NamedTuple):
    """A table with its decisions and turns, in order."""

    table: int
    decisions: list[PlayedDecision]
    turns: list[PlayedTurn]


def read_played(table: int, events: Iterable[Json]) -> TableGame | None:
    """Return what was played at a table, from the events of its game; None before the start.

    Games of a tournament have no takebacks, so every move stands.
    """
    start: Json | None = None
    moves = []
    seats = 0
    for event in events:
        if event["type"] == GAME_STARTED:
            start = event
        elif event["type"] == MOVE_MADE:
            moves.append(
                PlayedMove(
                    event["version"],
                    event["seat"],
                    event["move"],
                    event["chance"],
                    event.get("by"),
                )
            )
        seats = len(event["seats"]) if "seats" in event and not seats else seats
    if start is None:
        return None
    return TableGame(table, seats, start["setup"], start["chance"], moves)


def replay_table(game: Game, options: Json, played: TableGame) -> ReplayedTable:
    """Return the decisions and turns of a table.

    Raises `EngineError` for moves and draws that the rules do not allow.
    """
    state: State[object] = game.new(played.seats, options, played.setup)
    drawn = state.settle(RecordedSource(played.chance))
    decisions, turns = list[PlayedDecision](), list[PlayedTurn]()
    counts = [0] * played.seats
    for move in played.moves:
        if not turns or turns[-1].seat != move.seat:
            turns.append(PlayedTurn(len(turns), counts[move.seat], move.seat, [], drawn, 0, []))
            counts[move.seat] += 1
            drawn = []
        decision, found = _apply(state, move, len(turns) - 1)
        decisions.append(decision)
        drawn = [*drawn, *found]
        turns[-1].decisions.append(decision)
        turns[-1] = turns[-1]._replace(scores=list(state.scores))
    return ReplayedTable(played.table, decisions, _count_gains(turns))


def _apply(state: State[object], move: PlayedMove, turn: int) -> tuple[PlayedDecision, list[str]]:
    asked = state.decision
    context = {} if asked is None else asked.context
    kind = "" if asked is None else asked.kind
    step = state.apply(move.move, RecordedSource(move.chance))
    key = canonical_json(move.move)
    decision = PlayedDecision(move.version, turn, move.seat, kind, context, move.move, key, move.by)
    return decision, step.chance


def _count_gains(turns: Sequence[PlayedTurn]) -> list[PlayedTurn]:
    """Return the turns with what the seat has won from the end of the turn before to its own."""
    found, before = list[PlayedTurn](), list[int]()
    for turn in turns:
        was = before[turn.seat] if before else 0
        found.append(turn._replace(gained=turn.scores[turn.seat] - was))
        before = turn.scores
    return found
