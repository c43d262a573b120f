"""A position of Carcassonne that speaks the engine protocol: the turns and what they score.

Internal moves are ints: a placement (a cell plus a rotation, see `laid`) for `place_tile`,
the number of a segment of the placed tile for `place_follower`, or `SKIP`.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import compress, islice
from typing import Any, Final, Self

from cartulary.engine.canonical import JsonText, quote
from cartulary.engine.carcassonne import scoring
from cartulary.engine.carcassonne.coded import fill_tensor, list_codes
from cartulary.engine.carcassonne.explain import explain
from cartulary.engine.carcassonne.features import (
    FOLLOWER,
    FOLLOWERS,
    MONASTERY,
    OPEN_ENDS,
)
from cartulary.engine.carcassonne.laid import AROUND, LAID_BITS, LAID_MASK, NEAR
from cartulary.engine.carcassonne.outlook import list_features
from cartulary.engine.carcassonne.position import (
    PLACE_FOLLOWER,
    PLACE_TILE,
    SKIP,
    START_PLACEMENT,
    Position,
    cell_at,
    look,
    placement,
    position,
)
from cartulary.engine.carcassonne.tiles import LETTERS, NUMBER, SEGMENT_NUMBER, TILES
from cartulary.engine.chance import Chance
from cartulary.engine.core import Decision, Json
from cartulary.engine.errors import ChanceError


def letters(bag: list[int]) -> dict[str, int]:
    """Return a bag by tile number as letters with their counts, those with 0 left out."""
    return dict(compress(zip(LETTERS, bag, strict=True), bag))


_SKIP_JSON: Final[Json] = {"type": "skip_follower"}
_FOLLOWER_JSON: Final[tuple[tuple[Json, ...], ...]] = tuple(
    tuple({"type": PLACE_FOLLOWER, "segment": segment.id} for segment in tile.segments)
    for tile in TILES
)
"""By tile and segment: placing a follower there; shared, not to change."""


class CarcassonneState(Position):
    """`Position` plus the rules."""

    __slots__ = ()

    def set_up(self, seats: int, options: Mapping[str, str | int], bag: list[int]) -> None:
        """Lay the table and the start tile, before the first draw (rules 2, setup)."""
        super().set_up(seats, options, bag)
        self._lay(*START_PLACEMENT)

    # -- what is asked --------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """True when no decision is pending and the bag is empty."""
        return not self.kind and not self.left

    @property
    def seat(self) -> int:
        """The seat that is to decide, -1 when no decision is pending."""
        return self.turn if self.kind else -1

    @property
    def chance(self) -> Chance | None:
        """The draw of a tile, pending between two turns."""
        if self.kind or not self.left:
            return None
        return Chance("tile", LETTERS, tuple(self.bag))

    @property
    def decision(self) -> Decision | None:
        """The pending decision; the context names the tile, and where it lies once placed."""
        if not self.kind:
            return None
        if self.kind == PLACE_TILE:
            return Decision(self.turn, PLACE_TILE, {"tile": LETTERS[self.tile]})
        tile, x, y, rotation, _ = self.board.read_tile(self.last)
        context = {"tile": tile.letter, "x": x, "y": y, "rotation": rotation}
        return Decision(self.turn, PLACE_FOLLOWER, context)

    def moves(self) -> list[int]:
        """Return every legal move; the list is shared and must not be changed."""
        legal = self.legal
        if legal is None:
            legal = self.legal = self._list_legal()
        return legal

    def _list_legal(self) -> list[int]:
        if self.kind == PLACE_TILE:
            return self.board.placements(self.tile)
        return [*self._free_segments(), SKIP] if self.kind else []

    def move_json(self, move: int) -> Json:
        """Return a move of the pending decision as a new object of the move contract."""
        return self.wording(move).copy()

    def wording(self, move: int) -> Json:
        """Return a move of the pending decision, perhaps as an object that all games share."""
        if self.kind == PLACE_TILE:
            return placement(move)
        if move == SKIP:
            return _SKIP_JSON
        return _FOLLOWER_JSON[self._last_tile()][move]

    def codes(self) -> list[int]:
        """Return the codes of the legal moves in the order of `moves()`, as a new list."""
        return list_codes(self)

    def tensor(self, seat: Any, out: Any) -> None:
        """Fill an array with what a seat may know, as `coded.PLANES` says."""
        fill_tensor(self, seat, out)

    def find(self, move: Json) -> int:
        """Return the internal form of a contract move; raises `IllegalMove`.

        The words of the move give its int at once, and the board says whether it is legal: a replay
        would spend a quarter of its time on lists of placements.
        """
        found = self._read_placement(move) if self.kind == PLACE_TILE else self._read_answer(move)
        # What was read of the move is of the right type, so equal words are the same words.
        if found is None or self.wording(found) != move:
            raise self._illegal(move)
        return found

    def _read_placement(self, move: Json) -> int | None:
        """Return the legal placement with the coordinates of a move, None if there is no such."""
        x, y, rotation = move.get("x"), move.get("y"), move.get("rotation")
        if type(x) is type(y) is type(rotation) is int:
            return self.board.find(self.tile, x, y, rotation // 90)
        return None

    def _read_answer(self, move: Json) -> int | None:
        """Return the legal answer to the question for a follower, None if there is no such."""
        segment = move.get("segment")
        found = SKIP
        if type(segment) is str:
            found = SEGMENT_NUMBER[self._last_tile()].get(segment, SKIP)
        return found if found in self.moves() else None

    def _last_tile(self) -> int:
        """Return the number of the tile placed last."""
        return (self.board.tiles[self.last] & LAID_MASK) >> 2

    def explain(self, move: Json) -> str:
        """Say in words which rule an illegal `move` breaks."""
        return explain(self, move)

    # -- a turn (rules 2) -----------------------------------------------------------------------

    def play(self, move: int) -> None:
        """Answer the pending decision with one of `moves()`."""
        if self.kind == PLACE_TILE:
            if self._place(move):
                return
        elif move != SKIP:
            self._follow(move)
        self._complete()
        self._end_turn()

    def _place(self, move: int) -> bool:
        """Turn step 1; True when a follower may be placed, which is then asked."""
        rotation = move % 4
        tile = self.tile
        self._lay(move - rotation, 4 * tile + rotation)
        self.tile = -1
        if self.facts is not None:
            x, y = position(move)
            self._tell(
                "tile_placed", seat=self.turn, tile=LETTERS[tile], x=x, y=y, rotation=rotation * 90
            )
        free = self._free_segments() if self.supply[self.turn] else []
        if free:
            self.kind = PLACE_FOLLOWER
            self.legal = [*free, SKIP]
        return bool(free)

    def _lay(self, cell: int, laid: int) -> None:
        """Lay a tile and join its segments; the monasteries round it lose an empty cell."""
        features, board = self.features, self.board
        base = len(features.parent)
        occupied = board.lay(cell, laid, base)
        features.lay(laid, cell, occupied, board.tiles)
        self.last = cell
        for centre, node in self.monasteries.items():
            if cell - centre in AROUND:
                features.records[node] -= 1
        if laid >> 2 in MONASTERY:
            node = base + MONASTERY[laid >> 2]
            features.records[node] -= sum(cell + step in board.tiles for step in AROUND)
            self.monasteries[cell] = node

    def _free_segments(self) -> list[int]:
        """Return the segments of the placed tile that may get a follower (rules 2, turn 3)."""
        return self.features.list_free(self.board.tiles[self.last] >> LAID_BITS)

    def _follow(self, segment: int) -> None:
        """Put a follower of the seat on a segment of the placed tile (turn step 2)."""
        packed = self.board.tiles[self.last]
        node = (packed >> LAID_BITS) + segment
        kind = TILES[(packed & LAID_MASK) >> 2].segments[segment].kind
        self._set_piece(node, self.turn, kind)
        if self.facts is not None:
            self._tell("follower_placed", seat=self.turn, feature=kind, **self._place_of(node))

    def _set_piece(self, node: int, seat: int, kind: str) -> None:
        self.features.records[self.features.root(node)] += FOLLOWER[seat]
        self.pieces[node] = (seat, kind)
        self.supply[seat] -= 1

    # -- completed features (rules 2, turn 3) ---------------------------------------------------

    def _complete(self) -> None:
        """Score what the placed tile completed; the order has no influence (rules 2, turn 5)."""
        packed, records = self.board.tiles[self.last], self.features.records
        closed = self.features.find_completed(packed >> LAID_BITS, (packed & LAID_MASK) >> 2)
        for centre, node in self.monasteries.items():
            if not records[node] & OPEN_ENDS and self.last - centre in NEAR:
                closed[node] = "monastery"
        for feature, kind in closed.items():
            self._score(feature, kind)

    def _score(self, root: int, kind: str) -> None:
        """Pay the majority of a completed feature and send all its followers home."""
        features = self.features
        manned = features.records[root] >> FOLLOWERS
        if not manned and self.facts is None:
            return
        tiny_city = int(self.options["tiny_city"])
        reason, points, detail = scoring.rate_completed(features, root, kind, tiny_city)
        self._tell("feature_completed", feature=reason, **detail)
        for seat in scoring.majority(features.followers(root, self.seats)):
            self.scores[seat] += points
            self._tell("points", seat=seat, points=points, reason=reason, **detail)
        if manned:
            self._send_home(root)

    def _send_home(self, root: int) -> None:
        features = self.features
        for node in [node for node in self.pieces if features.root(node) == root]:
            seat, _ = self.pieces.pop(node)
            self.supply[seat] += 1
            features.records[root] -= FOLLOWER[seat]
            if self.facts is not None:
                self._tell("follower_returned", seat=seat, **self._place_of(node))

    def _place_of(self, node: int) -> Json:
        """Return where a segment lies, for facts."""
        placed = self.board.find_tile(node)
        segment = placed.tile.segments[node - placed.base].id
        return {"x": placed.x, "y": placed.y, "segment": segment}

    def _end_turn(self) -> None:
        self.kind = ""
        self.legal = []
        self.turn = (self.turn + 1) % self.seats
        if not self.left:
            self._tell("play_over")

    def resolve(self, outcome: str) -> None:
        """Draw a tile; one that fits nowhere is set aside, and the draw asked again."""
        tile = NUMBER.get(outcome, -1)
        if self.kind or tile < 0 or not self.bag[tile]:
            raise ChanceError(f"{quote(outcome)} cannot be drawn: it is not in the bag")
        self.bag[tile] -= 1
        self.left -= 1
        if self.board.takes(tile):
            self.kind = PLACE_TILE
            self.tile = tile
            self.legal = None
            if self.facts is not None:
                self._tell("tile_drawn", seat=self.turn, tile=outcome)
            return
        self.discarded.append(tile)
        self._tell("tile_set_aside", tile=outcome)
        if not self.left:
            self._tell("play_over")

    def _tell(self, kind: str, **details: Any) -> None:
        if self.facts is not None:
            self.facts.append({"type": kind, **details})

    # -- what is written down --------------------------------------------------------------------

    def count(self) -> list[Json]:
        """Return the breakdown of the end-of-game score as it would be now (rules 2, end)."""
        root = self.features.root
        kinds = {root(node): kind for node, (_, kind) in self.pieces.items()}
        return scoring.breakdown(self.features, kinds, self.seats)

    def list_features(self) -> list[Json]:
        """Return every city, road, monastery and farm on the table, and what it is worth."""
        return list_features(self)

    def view(self) -> Json:
        """Return what everybody may see, as in the move contract."""
        parts = self.view_parts()
        return {**parts, "board": json.loads(parts["board"])}

    def view_parts(self) -> Json:
        """Return the view with its board written: it shows every tile, after every move."""
        return {
            "tile": None if self.tile < 0 else LETTERS[self.tile],
            "board": JsonText(f"[{','.join(self._tiles_shown())}]"),
            "discarded": [LETTERS[tile] for tile in self.discarded],
            "remaining": letters(self.bag),
            "scores": self.scores[:],
            "followers": self.supply[:],
        }

    def _tiles_shown(self) -> Sequence[str]:
        """Return the tiles in placement order.

        A move changes the texts of two or three tiles; all others are those of the last view.
        """
        tiles, pieces = self.board.tiles, self.pieces
        looks, manned = self.looks  # read once, set once: threads may share this state
        changed = pieces.keys() ^ manned
        if not changed and len(looks) == len(tiles):
            return looks
        new = islice(tiles.items(), len(looks), None)
        shown = [*looks, *[look(cell, packed & LAID_MASK) for cell, packed in new]]
        if changed:
            cells, laid = list(tiles), list(tiles.values())  # the nodes in `laid` ascend
        for node in changed:
            index = bisect_right(laid, node << LAID_BITS | LAID_MASK) - 1
            segment = node - (laid[index] >> LAID_BITS)
            follower = (segment, pieces[node][0]) if node in pieces else ()
            shown[index] = look(cells[index], laid[index] & LAID_MASK, *follower)
        self.looks = tuple(shown), frozenset(pieces)
        return shown

    def beyond_view(self) -> Json:
        """Return whose turn it is, what is asked, and the options."""
        return {
            "turn": self.turn,
            "decision": [self.seat, self.kind],
            "options": dict(self.options),
        }

    def dump(self) -> Json:
        """Return the state as JSON: what was laid in order, and what cannot be derived from it."""
        laid = [self.board.read_tile(cell) for cell in self.board.tiles][1:]
        return {
            "seats": self.seats,
            "options": dict(self.options),
            "turn": self.turn,
            "kind": self.kind,
            "tile": self.tile,
            "scores": self.scores[:],
            "bag": self.bag[:],
            "discarded": self.discarded[:],
            "laid": [[p.tile.letter, p.x, p.y, p.rotation] for p in laid],
            "pieces": [[node, seat, kind] for node, (seat, kind) in self.pieces.items()],
        }

    @classmethod
    def load(cls, dump: Json) -> Self:
        """Return the state that `dump` wrote, by laying its tiles again."""
        state = cls()
        state.set_up(dump["seats"], dump["options"], dump["bag"][:])
        for letter, x, y, rotation in dump["laid"]:
            state._lay(cell_at(x, y), 4 * NUMBER[letter] + rotation // 90)
        for node, seat, kind in dump["pieces"]:
            state._set_piece(node, seat, kind)
        state.turn, state.kind, state.tile = dump["turn"], dump["kind"], dump["tile"]
        state.scores, state.discarded = dump["scores"][:], dump["discarded"][:]
        state.legal = None
        return state
