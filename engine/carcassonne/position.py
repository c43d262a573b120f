"""Everything that lies on the table of Carcassonne, without a rule in it: flat and small.

`copy` is what a search pays for each node, so lists of ints stand here where objects could.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from cartulary.engine.carcassonne.board import Board, cell_at
from cartulary.engine.carcassonne.features import Features
from cartulary.engine.core import State

PLACE_FOLLOWER: Final = "place_follower"
SKIP: Final = -1
SUPPLY: Final = 7
"""Followers per seat; the eighth is the score marker (rules 2, setup)."""


class Position(State[int]):
    """The table.

    `turn`, the seat whose turn it is; `kind`, the question that the seat is to answer or "";
    `tile`, the number of the tile in hand or -1; `last`, the cell of the tile placed last; `bag`,
    copies left by tile number, and `left`, their sum; `discarded`, tiles set aside; `board`,
    `features`; `supply`, followers in front of each seat; `pieces`, node to seat and kind of
    segment of every follower on the table; `monasteries`, cell to node; `legal`, the list that
    `moves` returns, never changed in place, None until a caller asks for it; `looks`, the tiles as
    texts and the nodes with a follower, both as the last view has shown them: a tile never moves,
    and a node has a follower of one seat only.
    """

    __slots__ = (
        "bag",
        "board",
        "discarded",
        "features",
        "kind",
        "last",
        "left",
        "legal",
        "looks",
        "monasteries",
        "pieces",
        "supply",
        "tile",
        "turn",
    )

    bag: list[int]
    board: Board
    discarded: list[int]
    features: Features
    kind: str
    last: int
    left: int
    legal: list[int] | None
    looks: tuple[tuple[str, ...], frozenset[int]]
    monasteries: dict[int, int]
    pieces: dict[int, tuple[int, str]]
    supply: list[int]
    tile: int
    turn: int

    def set_up(self, seats: int, options: Mapping[str, str | int], bag: list[int]) -> None:
        """Lay an empty table; the state lays the start tile."""
        self.seats = seats
        self.options = options
        self.scores = [0] * seats
        self.facts = None
        self.turn = 0
        self.kind = ""
        self.tile = -1
        self.legal = []
        self.bag = bag
        self.left = sum(bag)
        self.discarded = []
        self.board = Board({cell_at(0, 0): 0}, {})
        self.features = Features([], [], [])
        self.supply = [SUPPLY] * seats
        self.pieces = {}
        self.monasteries = {}
        self.looks = (), frozenset()

    def copy(self) -> Self:
        """Return an independent copy, without a list of facts."""
        twin = type(self)()
        twin.seats = self.seats
        twin.options = self.options
        twin.scores = self.scores[:]
        twin.facts = None
        twin.turn = self.turn
        twin.kind = self.kind
        twin.tile = self.tile
        twin.last = self.last
        twin.legal = self.legal
        twin.bag = self.bag[:]
        twin.left = self.left
        twin.discarded = self.discarded[:]
        twin.board = self.board.copy()
        twin.features = self.features.copy()
        twin.supply = self.supply[:]
        twin.pieces = self.pieces.copy()
        twin.monasteries = self.monasteries.copy()
        twin.looks = self.looks
        return twin
