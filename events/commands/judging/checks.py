"""Checks that several commands share: each raises a `Refused`, or returns."""

from __future__ import annotations

from typing import Any

from cartulary.engine.core import State
from cartulary.engine.errors import IllegalMove
from cartulary.events.model.errors import (
    AlreadyStarted,
    GameNotRunning,
    IllegalMoveRefused,
    NotFound,
    NotSeated,
    NotYourTurn,
    RoundOpen,
    SeatForfeited,
    StaleVersion,
)
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player

__all__ = [
    *("find_move", "get_decision", "judge_move", "list_contending", "must_be_open", "must_hold"),
    *("must_be_of_no_round", "must_run", "must_see"),
]


def must_see(table: Table, player: Player) -> None:
    """Raise `NotFound` when the player may not see the game: a private game stays unknown."""
    if not table.visible_to(player.id):
        raise NotFound(f"there is no game {table.id}")


def must_hold(table: Table, player: Player, seat: int | None = None) -> list[int]:
    """Return the seats that a player owns, also the lost seats.

    Raises `NotSeated` when the player does not own `seat` (None: any seat), and what `must_see`
    raises: who has a seat may see the game.
    """
    own = table.seats_of(player.id)
    if not own:
        must_see(table, player)
        raise NotSeated("you have no seat in this game")
    if seat is not None and seat not in own:
        raise NotSeated(f"seat {seat} is not yours")
    return own


def must_be_open(table: Table, expected_version: int | None) -> None:
    """Raise unless the game waits for its start and is at the expected version (None: any).

    Raises `GameNotRunning` (aborted), `AlreadyStarted`, `StaleVersion`.
    """
    if table.status is Status.ABORTED:
        raise GameNotRunning(table.status)
    if table.status is not Status.OPEN:
        raise AlreadyStarted("the game has started")
    if expected_version not in (None, table.version):
        raise StaleVersion(table.version)


def must_run(table: Table, expected_version: int | None) -> None:
    """Raise unless the game is running and at the expected version (None: any).

    Raises `GameNotRunning`, `StaleVersion`.
    """
    if table.status is not Status.RUNNING:
        raise GameNotRunning(table.status)
    if expected_version not in (None, table.version):
        raise StaleVersion(table.version)


def must_be_of_no_round(table: Table, rule: str) -> None:
    """Raise `RoundOpen` for a game of a tournament, in which this `rule` holds."""
    if table.terms.tournament is not None:
        raise RoundOpen(f"in the game of a tournament {rule}")


def find_move(state: State[Any], move: Json, seats: list[int]) -> Any:
    """Return the legal move (internal form) that `move` names, for a player on these seats.

    Raises `NotYourTurn` when another seat is asked, `IllegalMoveRefused` with the legal moves.
    """
    if state.seat not in seats:
        raise NotYourTurn(get_decision(state))
    try:
        return state.find(move)
    except IllegalMove as error:
        raise IllegalMoveRefused(error.reason, get_decision(state), error.legal_moves) from error


def judge_move(table: Table, player: Player, move: Json, expected_version: int | None) -> Any:
    """Return the legal move (internal form) with which a player answers the pending decision.

    `expected_version` holds when the position is still that of this version (None: any). Raises, in
    the order of the checks: `NotFound`, `NotSeated`, `GameNotRunning`, `StaleVersion`,
    `SeatForfeited`, `NotYourTurn`, `IllegalMoveRefused`.
    """
    seats = must_hold(table, player)
    life, play = table.life, table.play
    if life.status is not Status.RUNNING or play is None:
        raise GameNotRunning(life.status)
    if expected_version is not None and not table.unmoved_since(expected_version):
        raise StaleVersion(life.version, life.position)
    if table.course.left:
        seats = list_contending(table, seats)
    return find_move(play.state, move, seats)


def list_contending(table: Table, seats: list[int]) -> list[int]:
    """Return those of a player's seats that the player has not lost; raises `SeatForfeited`."""
    left = [seat for seat in seats if table.seats[seat].forfeited is None]
    if not left:
        raise SeatForfeited("you have lost your seat for good")
    return left


def get_decision(state: State[Any]) -> Json:
    """Return the pending decision as JSON; the game must not be over."""
    decision = state.decision
    assert decision is not None
    return decision.to_json()
