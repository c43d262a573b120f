"""Answers at once: every seat's way of playing a round to its end in the imagination.

Each move is worth what it changes by itself; nothing is tried out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from cartulary.bots.caylus.outlook import Outlook
from cartulary.engine.caylus.accounts import affordable
from cartulary.engine.caylus.buildings import RESIDENCE, TILES, Produce, Trade
from cartulary.engine.caylus.favours import legal_buildings, open_columns
from cartulary.engine.caylus.goods import DENIERS, KINDS
from cartulary.engine.caylus.moves import CUBES_UP_TO, DECLINE, OFFERS, PASS, TAKES, TRADES, Move
from cartulary.engine.caylus.phase_6_castle import section_with_room
from cartulary.engine.caylus.places import CASTLE, INN_RIGHT, ROAD, TRADING_POST
from cartulary.engine.caylus.state import CaylusState
from cartulary.engine.caylus.tables import (
    CUBES_LINE,
    DENIERS_LINE,
    FAVOUR_DENIERS,
    FAVOUR_POINTS,
    LINES,
    NO_BATCH_PENALTY,
    PRESTIGE_LINE,
    PROVOST_STEPS,
    SECTIONS,
    TRADING_POST_DENIERS,
)

OF_GOODS: Final = frozenset({"produce", "owner_bonus", "trade", "favour_cubes"})
"""The kinds of decision whose moves only exchange goods."""


def is_near_provost(state: CaylusState) -> bool:
    """Return whether a worker of the seat stands where a bribe can reach it or leave it behind."""
    provost = state.provost
    return (
        state.seat
        in state.worker[max(0, provost - PROVOST_STEPS + 1) : provost + PROVOST_STEPS + 1]
    )


class Reflexes:
    """Answers by one outlook."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self._gain: dict[str, Callable[[CaylusState, Move], float]] = {
            "take": self._goods,
            "trade": self._goods,
            "joust": self._joust,
            "build": self._build,
            "build_prestige": self._build,
            "convert": self._convert,
            "offer_batch": self._batch,
            "choose_favour": self._line,
            "move_provost": self._provost,
            "move_worker": self._gate,
            "stay": self._stay,
        }

    def answer(self, state: CaylusState) -> Move:
        """Return the move that gains most by itself; no player places another worker."""
        if state.kind == "place_worker":
            return PASS
        if state.kind == "bribe" and not is_near_provost(state):
            return DECLINE
        return self.best(state, state.moves())[1]

    def best(self, state: CaylusState, legal: Sequence[Move]) -> tuple[float, Move]:
        """Return the best of some moves of the seat that decides, and what it gains."""
        if state.kind in OF_GOODS:
            return self.best_goods(state, legal)
        best, choice = self.gain(state, legal[0]), legal[0]
        for move in legal[1:]:
            gain = self.gain(state, move)
            if gain > best:
                best, choice = gain, move
        return best, choice

    def best_goods(self, state: CaylusState, legal: Sequence[Move]) -> tuple[float, Move]:
        """Return the same as `best` for moves that only exchange goods, and for `decline`."""
        goods, first, purse = state.goods, KINDS * state.seat, self.outlook.purse
        best, choice = -inf, legal[0]
        for move in legal:
            gain = 0.0
            for good, difference in move.change:
                held, worths = goods[first + good], purse[good]
                gain += worths[held + difference] - worths[held]
            gain += move.points
            if gain > best:
                best, choice = gain, move
        return best, choice

    def gain(self, state: CaylusState, move: Move) -> float:
        """Return what a move gains: to pass, to decline and to leave gain nothing."""
        gain = self._gain.get(move.json["type"])
        return gain(state, move) if gain else 0.0

    def _goods(self, state: CaylusState, move: Move) -> float:
        return move.points + self.outlook.change(state, state.seat, move.change)

    def _joust(self, state: CaylusState, move: Move) -> float:
        return self._goods(state, move) + self.outlook.favour

    def _build(self, state: CaylusState, move: Move) -> float:
        number = move.number
        tile = TILES[number]
        assert tile is not None
        return (
            self._goods(state, move)
            + state.tile_points[number]
            + self.outlook.house[number]
            - self.outlook.house[state.building[move.space]]
            + tile.favours * self.outlook.favour
        )

    def _convert(self, state: CaylusState, move: Move) -> float:
        house = self.outlook.house
        gain = self._goods(state, move) + state.tile_points[RESIDENCE] + house[RESIDENCE]
        return gain - house[state.building[move.space]]

    def _batch(self, state: CaylusState, move: Move) -> float:
        seat, number = state.seat, section_with_room(state)
        houses, outlook = state.houses[number * state.seats + seat], self.outlook
        gain = self._goods(state, move) + SECTIONS[number].points
        gain += outlook.section(state, number, houses + 1) - outlook.section(state, number, houses)
        if not state.batches[seat]:
            gain += NO_BATCH_PENALTY
        if state.batches[seat] <= max(state.batches):
            gain += self.outlook.weights.most_batches * outlook.favour / len(state.castle)
        return gain

    def _line(self, state: CaylusState, move: Move) -> float:
        seat, line = state.seat, move.number
        at = len(LINES) * seat + line
        moves_on = state.markers[at] < open_columns(state)
        column = state.markers[at] + moves_on
        gain = self.outlook.marker[line] * moves_on
        if line == PRESTIGE_LINE:
            return gain + FAVOUR_POINTS[column]
        if line == DENIERS_LINE:
            return gain + self.outlook.change(state, seat, ((DENIERS, FAVOUR_DENIERS[column]),))
        if line == CUBES_LINE:
            return gain + self._best_goods_of(state, affordable(state, seat, CUBES_UP_TO[column]))
        twin = state.copy()
        twin.markers[at] = column
        return gain + self._best_of(twin, legal_buildings(twin, seat))

    def _best_of(self, state: CaylusState, legal: Sequence[Move]) -> float:
        return max(0.0, self.best(state, legal)[0]) if legal else 0.0

    def _best_goods_of(self, state: CaylusState, legal: Sequence[Move]) -> float:
        return max(0.0, self.best_goods(state, legal)[0]) if legal else 0.0

    def _provost(self, state: CaylusState, move: Move) -> float:
        """Count own workers that the steps reach or leave behind."""
        seat, steps, provost = state.seat, move.number, state.provost
        gain = 0.0
        if steps > 0:
            reached = state.worker[provost + 1 : provost + steps + 1].count(seat)
            gain = self.outlook.weights.active_worker * reached
        else:
            left = state.worker[provost + steps + 1 : provost + 1].count(seat)
            gain = -self.outlook.weights.active_worker * left
        if state.kind == "bribe":
            gain += self.outlook.change(state, seat, ((DENIERS, -abs(steps)),))
        return gain

    def _gate(self, state: CaylusState, move: Move) -> float:
        place, seat = move.number, state.seat
        if place in ROAD and place <= state.provost:
            return self._activation(state, state.building[place])
        if place == TRADING_POST:
            return self.outlook.change(state, seat, ((DENIERS, TRADING_POST_DENIERS),))
        if place == CASTLE and affordable(state, seat, OFFERS):
            return SECTIONS[state.scored].points
        return 0.0

    def _activation(self, state: CaylusState, tile: int) -> float:
        row = TILES[tile]
        assert row is not None
        if isinstance(row.effect, Produce):
            return self._best_goods_of(state, TAKES[tile])
        if isinstance(row.effect, Trade):
            return self._best_goods_of(state, affordable(state, state.seat, TRADES[tile]))
        return self.outlook.weights.craftsman

    def _stay(self, state: CaylusState, _: Move) -> float:
        return self.outlook.weights.inn_guest if state.worker[INN_RIGHT] == state.seat else 0.0
