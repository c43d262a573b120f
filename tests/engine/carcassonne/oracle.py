"""A slow, independent Carcassonne: it finds everything again from the view by flood fill.

It shares nothing with the engine: its tile data are the rulebook's JSON table, its segments meet
half-edge by half-edge. It answers what is legal and what features there are on a given board.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

DATA = json.loads((Path(__file__).parent / "carcassonne_tiles.json").read_text())
TILES = {tile["letter"]: tile for tile in DATA["tiles"]}
COMPASS = "NESW"
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
FACING = {**DATA["neighbour_half_edge"], **OPPOSITE}

Node = tuple[int, int, str]
"""A segment on the board: x, y, segment id."""


class Feature(NamedTuple):
    """A connected feature: its nodes, distinct tiles, open ends, pennants, followers by seat."""

    kind: str
    nodes: frozenset[Node]
    tiles: int
    open: int
    pennants: int
    followers: Counter[int]

    def majority(self) -> list[int]:
        most = max(self.followers.values(), default=0)
        return sorted(seat for seat, count in self.followers.items() if count == most)


def turn(edge: str, rotation: int) -> str:
    return COMPASS[(COMPASS.index(edge[0]) + rotation // 90) % 4] + edge[1:]


def segments(letter: str) -> dict[str, tuple[str, list[str]]]:
    """Return id to kind and edges (sides or half-edges), in the reference orientation."""
    tile = TILES[letter]
    found = {city["id"]: ("city", city["edges"]) for city in tile["cities"]}
    found |= {road["id"]: ("road", road["edges"]) for road in tile["roads"]}
    if tile["monastery"]:
        found["m0"] = ("monastery", [])
    return found | {field["id"]: ("field", field["half_edges"]) for field in tile["fields"]}


class Table:
    """A board as in the view, spread out for slow questions."""

    def __init__(self, board: list[dict[str, Any]]) -> None:
        self.at = {(tile["x"], tile["y"]): tile for tile in board}
        self.last = board[-1]
        self.followers: dict[Node, int] = {
            (tile["x"], tile["y"], tile["follower"]["segment"]): tile["follower"]["seat"]
            for tile in board
            if tile["follower"]
        }
        self.edge_owner: dict[tuple[int, int, str], Node] = {}
        self.kind: dict[Node, str] = {}
        self.edges: dict[Node, list[str]] = {}
        for (x, y), tile in self.at.items():
            for name, (kind, edges) in segments(tile["tile"]).items():
                node = (x, y, name)
                self.kind[node] = kind
                self.edges[node] = [turn(edge, tile["rotation"]) for edge in edges]
                for edge in self.edges[node]:
                    self.edge_owner[(x, y, self._tag(kind, edge))] = node

    @staticmethod
    def _tag(kind: str, edge: str) -> str:
        return f"{kind} {edge}"

    def neighbour(self, node: Node, edge: str) -> Node | None:
        """Return the segment that meets `node` across `edge`, None where no tile lies."""
        x, y, _ = node
        dx, dy = STEP[edge[0]]
        if (x + dx, y + dy) not in self.at:
            return None
        return self.edge_owner[(x + dx, y + dy, self._tag(self.kind[node], FACING[edge]))]

    def feature(self, node: Node) -> Feature:
        """Flood the feature that `node` belongs to."""
        reached, frontier, ends = {node}, [node], 0
        while frontier:
            current = frontier.pop()
            for edge in self.edges[current]:
                other = self.neighbour(current, edge)
                if other is None:
                    ends += 1
                elif other not in reached:
                    reached.add(other)
                    frontier.append(other)
        kind = self.kind[node]
        tiles = len({member[:2] for member in reached})
        if kind == "monastery":
            tiles = self.round(node[0], node[1])
            ends = 9 - tiles
        pennants = sum(self.pennant(member) for member in reached) if kind == "city" else 0
        held = Counter(self.followers[member] for member in reached if member in self.followers)
        return Feature(kind, frozenset(reached), tiles, ends, pennants, held)

    def features(self) -> list[Feature]:
        """Every feature of the board, each once."""
        found: list[Feature] = []
        seen: set[Node] = set()
        for node in self.kind:
            if node not in seen:
                found.append(self.feature(node))
                seen |= found[-1].nodes
        return found

    def round(self, x: int, y: int) -> int:
        return sum((x + dx, y + dy) in self.at for dx in (-1, 0, 1) for dy in (-1, 0, 1))

    def pennant(self, node: Node) -> bool:
        cities = TILES[self.at[node[:2]]["tile"]]["cities"]
        return any(city["id"] == node[2] and city["pennant"] for city in cities)

    def completed_cities(self, farm: Feature) -> int:
        """Return how many completed cities a farm touches, each once."""
        touched = set()
        for x, y, name in farm.nodes:
            fields = TILES[self.at[x, y]["tile"]]["fields"]
            for city in next(field["adjacent_cities"] for field in fields if field["id"] == name):
                feature = self.feature((x, y, city))
                if not feature.open:
                    touched.add(feature.nodes)
        return len(touched)

    # -- what is legal ------------------------------------------------------------------------

    def placements(self, letter: str) -> set[tuple[int, int, int]]:
        cells = {(x + dx, y + dy) for x, y in self.at for dx, dy in STEP.values()} - set(self.at)
        return {
            (x, y, rotation)
            for x, y in cells
            for rotation in range(0, TILES[letter]["rotation_period"], 90)
            if self._fits(letter, x, y, rotation)
        }

    def _fits(self, letter: str, x: int, y: int, rotation: int) -> bool:
        for side, (dx, dy) in STEP.items():
            if (other := self.at.get((x + dx, y + dy))) is not None:
                theirs = self._edge(other["tile"], other["rotation"], OPPOSITE[side])
                if self._edge(letter, rotation, side) != theirs:
                    return False
        return True

    @staticmethod
    def _edge(letter: str, rotation: int, side: str) -> str:
        return str(TILES[letter]["edges"][turn(side, 360 - rotation)])

    def free_segments(self) -> set[str]:
        """Segments of the tile laid last whose feature holds no follower."""
        x, y = self.last["x"], self.last["y"]
        return {
            name for name in segments(self.last["tile"]) if not self.feature((x, y, name)).followers
        }

    # -- what is paid -------------------------------------------------------------------------

    def completed_now(self) -> list[Feature]:
        """Completed features, other than farms, in which a follower still stands."""
        return [
            feature
            for feature in self.features()
            if feature.kind != "field" and not feature.open and feature.followers
        ]

    def end_count(self) -> list[tuple[int, str, int]]:
        """Return seat, reason and points of every entry of the end count, sorted."""
        entries = []
        for feature in self.features():
            if feature.followers:
                reason, points = self._end_points(feature)
                entries += [(seat, reason, points) for seat in feature.majority()]
        return sorted(entries)

    def _end_points(self, feature: Feature) -> tuple[str, int]:
        if feature.kind == "field":
            return "farm", 3 * self.completed_cities(feature)
        return feature.kind, feature.tiles + feature.pennants


def completed_points(feature: Feature, tiny_city: int) -> int:
    """Return what a completed feature pays."""
    if feature.kind != "city":
        return feature.tiles
    return tiny_city if feature.tiles == 2 else 2 * feature.tiles + 2 * feature.pennants
