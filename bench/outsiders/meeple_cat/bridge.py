"""An engine for the line protocol that lets meeple_cat choose: see README.md next to this folder.

Letters, orientations and the names of places differ, so tiles are matched by what they look like.
meeple_cat counts y to the north, knows two fields where our tile H has one, and has a pennant more
among the tiles with three sides of city.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cartulary.engine.carcassonne.tiles import SIDES, TILES, Tile
from cartulary.engine.core import Json
from cartulary.engine.transcript import Playback
from cartulary.engine.transcript import from_json as read_transcript
from cartulary.games import GAMES

OUT: Final = Path(__file__).parents[3] / "out/outsiders"
PROGRAM: Final = str(OUT / "target/release/meeple-cat-bridge")
PROFILES: Final = str(OUT / "meeple_cat/game-engine/bot_profiles.toml")

HALVES: Final = {
    "N": ("W", "E"),
    "E": ("N", "S"),
    "S": ("E", "W"),
    "W": ("S", "N"),
}
"""By side: what the left and the right half of it are near, seen from the middle of the tile."""


HOME: Final[Json] = {"type": "skip_follower"}


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


def list_theirs(features: Sequence[Json]) -> list[TilePart]:
    """Return the parts of one of their tiles."""
    return [
        TilePart(
            one["feature_type"],
            frozenset(edge for name in one["edges"] for edge in _read_edge(one, name)),
            one["has_pennant"],
            tuple(one["meeple_spots"]),
        )
        for one in features
    ]


def _read_edge(feature: Json, name: str) -> list[str]:
    side, _, near = name.partition(":")
    if feature["feature_type"] != "field":
        return [side]
    return [side + half for half, at in zip("LR", HALVES[side], strict=True) if near in ("", at)]


def look(parts: Iterable[TilePart]) -> frozenset[tuple[str, frozenset[str], bool]]:
    """Return what makes a tile differ from others; its fields follow from the rest."""
    return frozenset((one.kind, one.edges, one.pennant) for one in parts if one.kind != "field")


class TilePair(NamedTuple):
    """Their tile that looks like ours: its letter, the quarters by which it is turned, its parts.

    The parts lie as those of our tile without a rotation, with the names without a rotation.
    """

    letter: str
    quarters: int
    parts: tuple[TilePart, ...]


def match_tiles(catalogue: Json) -> dict[str, TilePair]:
    """Return their tile for each of our letters; raises `KeyError` for one that is missing."""
    known = {
        look(part.turn(quarters) for part in list_theirs(features)): TilePair(
            letter, quarters, tuple(part.turn(quarters) for part in list_theirs(features))
        )
        for letter, features in catalogue.items()
        for quarters in (3, 2, 1, 0)
    }
    pairs = {tile.letter: known.get(look(list_ours(tile))) for tile in TILES}
    plain = {
        look(part._replace(pennant=False) for part in pair.parts): pair for pair in known.values()
    }
    return {
        tile.letter: pairs[tile.letter]
        or plain[look(part._replace(pennant=False) for part in list_ours(tile))]
        for tile in TILES
    }


class Translator:
    """Turns our moves into theirs and back."""

    def __init__(self, catalogue: Json) -> None:
        self._pairs = match_tiles(catalogue)

    def letter(self, ours: str) -> str:
        """Return their letter."""
        return self._pairs[ours].letter

    def placement(self, letter: str, move: Json) -> Json:
        """Return our placement in their words."""
        rotation = (move["rotation"] + 90 * self._pairs[letter].quarters) % 360
        return {"x": move["x"], "y": -move["y"], "rotation": rotation}

    def list_places(self, letter: str, action: Json) -> list[Json]:
        """Return their placement in our words, with each rotation in which the tile looks alike."""
        quarters, parts = (
            action["rotation"] // 90 - self._pairs[letter].quarters,
            list_ours(_find(letter)),
        )
        wanted = look(part.turn(quarters) for part in parts)
        return [
            {"type": "place_tile", "x": action["x"], "y": -action["y"], "rotation": 90 * at}
            for at in range(4)
            if look(part.turn(at) for part in parts) == wanted
        ]

    def spot(self, letter: str, rotation: int, segment: str) -> str:
        """Return the name of a place for a follower on a tile that lies with our rotation."""
        ours = next(part for part in list_ours(_find(letter)) if part.names[0] == segment)
        theirs = _find_likest(self._pairs[letter].parts, ours)
        return turn_name(theirs.names[0], rotation // 90 + self._pairs[letter].quarters)

    def segments(self, letter: str, rotation: int) -> dict[str, str]:
        """Return our segment for each name of a place on a tile that lies with our rotation."""
        quarters = rotation // 90 + self._pairs[letter].quarters
        return {
            turn_name(name, quarters): _find_likest(list_ours(_find(letter)), part).names[0]
            for part in self._pairs[letter].parts
            for name in part.names
        }


def _find_likest(parts: Iterable[TilePart], wanted: TilePart) -> TilePart:
    """Return the part of the same kind with most edges in common."""
    return max(parts, key=lambda part: (part.kind == wanted.kind, len(part.edges & wanted.edges)))


def _find(letter: str) -> Tile:
    return next(tile for tile in TILES if tile.letter == letter)


def turn_name(name: str, quarters: int) -> str:
    """Return the name of a place (`road_SW`) on a tile that was turned clockwise so often."""
    kind, _, sides = name.partition("_")
    if not sides or quarters % 4 == 0:
        return name  # theirs as they stand, `field_SE`; of a turned tile they follow N, E, S, W
    turned = {turn(side, quarters) for side in sides}
    return f"{kind}_{''.join(side for side in SIDES if side in turned)}"


class Replayed:
    """A game so far, in their words.

    `moves` are the tiles that lie, the last one without `spot` while its follower is asked for;
    `tile` is the tile in hand, and `bag` the tiles that may come.
    """

    def __init__(self, transcript: Json, translator: Translator) -> None:
        self._translator = translator
        playback = Playback(read_transcript(transcript, GAMES), GAMES)
        self.moves: list[Json] = []
        self._last = ("", 0)
        while not playback.done:
            self._add(playback.state.view(), playback.state.move_json(playback.check()))
            playback.step()
        view = playback.state.view()
        self.seats = playback.state.seats
        self.tile = translator.letter(view["tile"]) if view["tile"] else None
        self.bag = [
            translator.letter(letter)
            for letter, count in view["remaining"].items()
            for _ in range(count)
        ]
        if view["tile"]:
            self._last = (view["tile"], 0)

    def _add(self, view: Json, move: Json) -> None:
        if move["type"] == "place_tile":
            self._last = (view["tile"], move["rotation"])
            place = self._translator.placement(view["tile"], move)
            self.moves.append({"tile": self._translator.letter(view["tile"]), **place})
        elif move["type"] == "place_follower":
            self.moves[-1]["spot"] = self._translator.spot(*self._last, move["segment"])

    def read(self, kind: str, action: Json) -> list[Json]:
        """Return what their action is in our words; of a tile that looks alike, each rotation."""
        if kind == "place_tile":
            return self._translator.list_places(self._last[0], action)
        if action.get("skip"):
            return [HOME]
        segment = self._translator.segments(*self._last)[action["meeple_spot"]]
        return [{"type": "place_follower", "segment": segment}]


class Bridge:
    """Their engine in a process of its own, with a profile of `bot_profiles.toml`."""

    def __init__(self, profile: str) -> None:
        command = [PROGRAM, PROFILES, profile]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._translator = Translator(self._ask({"ask": "tiles"}))

    def _ask(self, question: Json) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def think(self, question: Json) -> Json:
        """Return the answer to a question for a move.

        When what they choose is not legal here (their tile H has two fields), the follower stays at
        home or the tile goes to the first legal place, and `info` says so. It also says how many
        actions they saw, `of` how many there are here.
        """
        legal, played = question["legal"], Replayed(question["transcript"], self._translator)
        kind = "place_tile" if legal[0]["type"] == "place_tile" else "place_meeple"
        answer = self._ask(
            {
                "ask": kind,
                "seats": played.seats,
                "seat": question["seat"],
                "moves": played.moves,
                "tile": played.tile,
                "bag": played.bag,
                "ms": 1000 * question["budget"].get("seconds", 1.0),
            }
        )
        info = {
            "simulations": answer["simulations"],
            "actions": answer["actions"],
            "of": len(legal),
        }
        chosen = played.read(kind, answer["action"])
        for move in chosen:
            if move in legal:
                return {"move": move, "info": info}
        return {"move": HOME if HOME in legal else legal[0], "info": {**info, "illegal": chosen[0]}}


def main() -> None:
    """Answer the questions on stdin."""
    bridge = Bridge(sys.argv[1] if len(sys.argv) > 1 else "hard")
    for line in sys.stdin:
        question = json.loads(line)
        answer: Json = {}
        if question["type"] == "quit":
            return
        if question["type"] == "hello":
            answer = {"name": "meeple_cat", "author": "ocarreras"}
        elif question["type"] == "think":
            answer = bridge.think(question)
        print(json.dumps({"id": question["id"], **answer}), flush=True)


if __name__ == "__main__":
    main()
