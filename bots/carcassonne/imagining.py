"""Ways on from a position in the imagination, on which every seat plays greedily.

Most of what a turn of the imagination rates has been rated before: on the way before, from the same
position, or for another answer. So each open cell keeps the prospects of the tiles that were tried
there, until a tile changes what lies next to it. A test compares with fresh ratings.
"""

from __future__ import annotations

from typing import Final

from cartulary.bots.carcassonne.chances import rate_stay
from cartulary.bots.carcassonne.placing import Placing, Prospect
from cartulary.bots.carcassonne.ratings import FIELD, KINDS, Ratings
from cartulary.bots.carcassonne.turn import PlacementAnswer
from cartulary.engine.carcassonne.features import FOLLOWERS, MONASTERY
from cartulary.engine.carcassonne.laid import (
    AROUND,
    LAID,
    LAID_BITS,
    LAID_MASK,
    OCCUPIED,
    STEPS,
    opposite,
)
from cartulary.engine.carcassonne.position import PLACE_FOLLOWER, PLACE_TILE, SKIP
from cartulary.engine.carcassonne.state import CarcassonneState
from cartulary.engine.carcassonne.tiles import LETTERS

SIDES: Final = tuple(
    tuple((STEPS[side], opposite(side)) for side in range(4) if occupied >> side & 1)
    for occupied in range(16)
)
"""By set of occupied sides of an open cell: the ways to the tiles there, and their sides."""


MANY: Final = 12
"""From this number of tiles on, `find_left` takes their number as constant."""


def rate_farmer(seats: int, left: int) -> int:
    """Return in units what a search takes a new follower on a field to cost."""
    return rate_stay(left) if seats == 2 else 0


def find_left(state: CarcassonneState) -> int:
    """Return how many tiles the imagination takes to be left, 0 for as many as there are.

    While there are many, a few tiles more or less change no belief much; so what was rated for one
    turn holds for the next.
    """
    return state.left if state.left >= MANY else 0


def play_answer(position: CarcassonneState, answer: PlacementAnswer) -> None:
    """Answer the pending decision, and the question for a follower that may come after it."""
    position.play(answer.move)
    if position.kind == PLACE_FOLLOWER:
        position.play(answer.segment)


class OpenCell:
    """What is known of an open cell: prospects by tile, rotation, tiles left and seat.

    It holds for all positions in which no neighbour of the cell is another than when the table had
    so many `nodes`. Fields may have met cities since that they touched before, so the marks of
    nodes that came later are left out.
    """

    __slots__ = ("_known", "_prospects")

    def __init__(self, nodes: int) -> None:
        self._known = (1 << nodes) - 1
        self._prospects: dict[int, Prospect] = {}

    def find(self, ratings: Ratings, placement: int) -> Prospect:
        """Return the prospect of a placement (a cell plus a rotation) of the tile in hand."""
        key = ratings.left << 10 | ratings.view << 7 | ratings.state.tile << 2 | placement & 3
        found = self._prospects.get(key)
        if found is None:
            found = foresee(ratings, placement)
            if not found.is_fleeting:
                found.limit(self._known)
                self._prospects[key] = found
        return found


def foresee(ratings: Ratings, placement: int) -> Prospect:
    """Return the prospect of a placement (a cell plus a rotation) of the tile in hand."""
    laid = ratings.state.tile << 2 | placement & 3
    return Placing(ratings, placement & ~3, laid).foresee()


class Scene:
    """A position that many ways begin at, and what is known of its open cells.

    `left`: so many tiles are taken to be left, 0 for as many as there are. `neighbours` has the
    open cells next to each feature, by its root.
    """

    __slots__ = ("known", "left", "neighbours", "state")

    def __init__(self, state: CarcassonneState, left: int = 0) -> None:
        self.state, self.left = state, left
        nodes = len(state.features.parent)
        self.known = {cell: OpenCell(nodes) for cell in state.board.open}
        self.neighbours: dict[int, list[int]] = {}
        root, tiles = state.features.root, state.board.tiles
        for cell, code in state.board.open.items():
            for step, side in SIDES[OCCUPIED[code]]:
                packed = tiles[cell + step]
                for port in LAID[packed & LAID_MASK].ports[side]:
                    feature = root((packed >> LAID_BITS) + port)
                    self.neighbours.setdefault(feature, []).append(cell)

    def answer(self, answer: PlacementAnswer) -> Scene:
        """Return the scene after an answer; it shares what a placement leaves as it is."""
        way = Way(self)
        is_placement = self.state.kind == PLACE_TILE
        if is_placement:
            way.change(answer)
        play_answer(way.position, answer)
        scene = Scene(way.position, self.left)
        if is_placement:
            for cell in scene.known:
                if cell in self.known and not (cell in way.changed or cell in way.near):
                    scene.known[cell] = self.known[cell]
        return scene


class Way:
    """A way on from a scene.

    `changed` has the cells where the prospects of the scene hold no longer, and `near` the cells
    where those of monasteries do not.
    """

    __slots__ = ("changed", "near", "position", "scene")

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.position = scene.state.copy()
        self.changed: set[int] = set()
        self.near: set[int] = set()

    def play(self, draws: list[int], depth: int) -> None:
        """Play some turns with these draws, the next one last."""
        position = self.position
        for turn in range(depth):
            while not position.kind and draws:
                position.resolve(LETTERS[draws.pop()])
            if not position.kind:
                return
            answer = self.choose()
            if turn < depth - 1:
                self.change(answer)
            play_answer(position, answer)

    def choose(self) -> PlacementAnswer:
        """Return the placement and the follower that promise most, as `max(list_answers(…))`."""
        position = self.position
        left = self.scene.left or position.left
        ratings = Ratings(position, rate_farmer(position.seats, left), left)
        changed, near, known = self.changed, self.near, self.scene.known
        is_monastery = position.tile in MONASTERY
        worth, best, follower = 0, -1, SKIP
        for move in position.moves():
            cell = move & ~3
            if cell in changed or (is_monastery and cell in near):
                prospect = foresee(ratings, move)
            else:
                prospect = known[cell].find(ratings, move)
            promised, segment = prospect.choose(ratings)
            if best < 0 or promised > worth or (promised == worth and move > best):
                worth, best, follower = promised, move, segment
        return PlacementAnswer(worth, best, follower)

    def change(self, answer: PlacementAnswer) -> None:
        """Mark the cells where an answer, that is not played yet, changes a prospect."""
        changed, neighbours = self.changed, self.scene.neighbours
        rotation = answer.move & 3
        cell, tile = answer.move - rotation, self.position.tile
        ratings = Ratings(self.position)
        placing = Placing(ratings, cell, tile << 2 | rotation)
        changed.update([cell + step for step in STEPS])
        self.near.update([cell + step for step in AROUND])
        if tile in MONASTERY:
            changed.update(self.near)
        for centre, _ in ratings.monasteries:
            if cell - centre in AROUND:
                changed.update([centre + step for step in AROUND])
        kinds, fields = KINDS[tile], placing.list_changed_fields(answer.segment)
        for root, segment in placing.joined.items():
            if kinds[segment] != FIELD or segment in fields:
                changed.update(neighbours.get(root, ()))
        for field in fields:
            if placing.records[field] >> FOLLOWERS or placing.is_in(answer.segment, field):
                for city in ratings.find_cities(placing.marks[field]):
                    changed.update(neighbours.get(city, ()))


def play_on(scene: Scene, draws: list[int], depth: int) -> CarcassonneState:
    """Return the position after some greedy turns with these draws, the next one last."""
    way = Way(scene)
    way.play(draws[:], depth)
    return way.position
