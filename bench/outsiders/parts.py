"""Parts of tiles: by these a bridge finds the tile of another engine that looks like ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cartulary.engine.carcassonne.tiles import SIDES, TILES, Tile


class TilePart(NamedTuple):
    """A part of a tile: its kind, its sides (`N`) or half-sides (`NL`), and what it is called."""

    kind: str
    edges: frozenset[str]
    pennant: bool
    names: tuple[str, ...]

    def turn(self, quarters: int) -> TilePart:
        """Return the part of a tile that was turned clockwise so often."""
        edges = frozenset(turn(edge, quarters) for edge in self.edges)
        return self._replace(edges=edges)


def turn(edge: str, quarters: int) -> str:
    """Return a side or half-side that was turned clockwise so often."""
    return SIDES[(SIDES.index(edge[0]) + quarters) % 4] + edge[1:]


def list_ours(tile: Tile) -> list[TilePart]:
    """Return the parts of one of our tiles."""
    return [
        TilePart(one.kind, frozenset(one.edges), one.pennant, (one.id,)) for one in tile.segments
    ]


def look(parts: Iterable[TilePart]) -> frozenset[tuple[str, frozenset[str], bool]]:
    """Return what makes a tile differ from others; its fields follow from the rest."""
    return frozenset((one.kind, one.edges, one.pennant) for one in parts if one.kind != "field")


class TilePair(NamedTuple):
    """Their tile that looks like ours: its name, the quarters by which it is turned, its parts.

    The parts lie as those of our tile without a rotation, with the names without a rotation.
    """

    name: str
    quarters: int
    parts: tuple[TilePart, ...]


def match_tiles(catalogue: Mapping[str, Sequence[TilePart]]) -> dict[str, TilePair]:
    """Return their tile for each of our letters; without one, theirs with other pennants.

    `catalogue` has the parts of each of their tiles. Raises `KeyError` for a tile that is missing.
    """
    known = {
        look(turned): TilePair(name, quarters, turned)
        for name, parts in catalogue.items()
        for quarters in (3, 2, 1, 0)
        for turned in [tuple(part.turn(quarters) for part in parts)]
    }
    plain = {look(_remove_pennants(pair.parts)): pair for pair in known.values()}
    return {
        tile.letter: known.get(look(list_ours(tile)))
        or plain[look(_remove_pennants(list_ours(tile)))]
        for tile in TILES
    }


def _remove_pennants(parts: Iterable[TilePart]) -> list[TilePart]:
    return [part._replace(pennant=False) for part in parts]


def find_likest(parts: Iterable[TilePart], wanted: TilePart) -> TilePart:
    """Return the part of the same kind with most edges in common."""
    return max(parts, key=lambda part: (part.kind == wanted.kind, len(part.edges & wanted.edges)))


def find_tile(letter: str) -> Tile:
    """Return our tile with this letter."""
    return next(tile for tile in TILES if tile.letter == letter)


def list_rotations(letter: str, quarters: int) -> list[int]:
    """Return the quarters by which our tile may be turned to look as it does after `quarters`."""
    parts = list_ours(find_tile(letter))
    wanted = look(part.turn(quarters) for part in parts)
    return [at for at in range(4) if look(part.turn(at) for part in parts) == wanted]
