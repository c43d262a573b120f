"""Taking royal favours (rules 2, favour table, and 3, favours).

Favours lie on a stack: the last one won is taken first, before whatever brought it goes on. The
top of the stack is (seat, the question that is due, what brought the favour): first `favour`, the
choice of a line, then perhaps what that line asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cartulary.engine.caylus.accounts import affordable, earn, exchange, score, tell
from cartulary.engine.caylus.construction import (
    construct,
    legal_builds,
    legal_converts,
    legal_prestige,
)
from cartulary.engine.caylus.moves import ALL_LINES, CUBES_UP_TO, DECLINE, LINES_LEFT, Move
from cartulary.engine.caylus.position import Position
from cartulary.engine.caylus.rounds import ask
from cartulary.engine.caylus.tables import (
    BUILD_PRESTIGE_COLUMN,
    BUILD_STONE_COLUMN,
    BUILD_WOOD_COLUMN,
    BUILDINGS_LINE,
    CONVERT_COLUMN,
    CUBES_LINE,
    FAVOUR_DENIERS,
    FAVOUR_POINTS,
    LINES,
    PRESTIGE_LINE,
    SECTIONS,
)

LINE_COUNT: Final = len(LINES)


def step(state: Position) -> bool:
    """Ask the question on top of the stack; without a choice the favour lapses."""
    seat, kind, source = state.stack[-1]
    legal = LEGAL[kind](state, seat)
    if legal and legal != [DECLINE]:
        return ask(state, seat, kind, legal)
    state.stack = state.stack[:-1]
    if kind == "favour":
        tell(state, "favour_lapsed", seat=seat, source=source)
    return False


# -- the line ------------------------------------------------------------------------------------


def lines_used(state: Position, seat: int) -> int:
    """Return the mask of the lines that the seat has used in this phase."""
    return state.used >> LINE_COUNT * seat & ALL_LINES


def open_columns(state: Position) -> int:
    """Return how far the markers may go; columns open when a section has been scored."""
    return SECTIONS[state.scored].columns


def legal_lines(state: Position, seat: int) -> Sequence[Move]:
    """Return the lines not yet used in this phase."""
    return LINES_LEFT[lines_used(state, seat)]


def answer_favour(state: Position, move: Move) -> None:
    """Advance the marker if its column is open; pay, or ask what the line asks."""
    seat, _, source = state.stack[-1]
    line = move.number
    state.stack = state.stack[:-1]
    state.used |= 1 << LINE_COUNT * seat + line
    before = state.markers[LINE_COUNT * seat + line]
    column = advance_marker(state, seat, line)
    tell(
        state,
        "favour_taken",
        seat=seat,
        line=LINES[line],
        column=column,
        advanced=column > before,
        source=source,
    )
    if line == PRESTIGE_LINE:
        score(state, seat, FAVOUR_POINTS[column], "favour", source=source)
    elif line in (CUBES_LINE, BUILDINGS_LINE):
        state.stack += ((seat, f"favour_{LINES[line]}", source),)
    else:
        earn(state, seat, FAVOUR_DENIERS[column], "favour", source=source)


def advance_marker(state: Position, seat: int, line: int) -> int:
    """Move a marker one column on unless the next one is closed; returns its column."""
    at = LINE_COUNT * seat + line
    if state.markers[at] < open_columns(state):
        state.markers[at] += 1
    return state.markers[at]


# -- the line of cubes ---------------------------------------------------------------------------


def legal_cubes(state: Position, seat: int) -> list[Move]:
    """Return what the columns up to the marker give, and `decline`."""
    marker = state.markers[LINE_COUNT * seat + CUBES_LINE]
    return [*affordable(state, seat, CUBES_UP_TO[marker]), DECLINE]


def answer_cubes(state: Position, move: Move) -> None:
    """Take the cubes of one column."""
    seat, _, source = state.stack[-1]
    state.stack = state.stack[:-1]
    if move is not DECLINE:
        exchange(state, seat, move, "favour", source=source)


# -- the line of buildings -----------------------------------------------------------------------


def legal_buildings(state: Position, seat: int) -> list[Move]:
    """Return what can be built in the columns up to the marker, and `decline`."""
    marker = state.markers[LINE_COUNT * seat + BUILDINGS_LINE]
    moves: list[Move] = []
    if marker >= BUILD_WOOD_COLUMN:
        moves += legal_builds(state, seat, "wood", by_favour=True)
    if marker >= BUILD_STONE_COLUMN:
        moves += legal_builds(state, seat, "stone", by_favour=True)
    if marker >= CONVERT_COLUMN:
        moves += legal_converts(state, seat, by_favour=True)
    if marker >= BUILD_PRESTIGE_COLUMN:
        moves += legal_prestige(state, seat)
    moves.append(DECLINE)
    return moves


def answer_buildings(state: Position, move: Move) -> None:
    """Build; a favour that this brings is taken before the remaining ones."""
    seat, _, source = state.stack[-1]
    state.stack = state.stack[:-1]
    if move is not DECLINE:
        construct(state, seat, move, source=source)


LEGAL: Final[dict[str, Callable[[Position, int], Sequence[Move]]]] = {
    "favour": legal_lines,
    "favour_cubes": legal_cubes,
    "favour_buildings": legal_buildings,
}
