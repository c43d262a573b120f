"""An engine for the line protocol that lets meeple_cat choose: see README.md next to this folder.

Letters, orientations and the names of places differ, so tiles are matched by what they look like.
meeple_cat counts y to the north, knows two fields where our tile H has one, and has a pennant more
among the tiles with three sides of city.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.outsiders.parts import (
    TilePart,
    find_likest,
    find_tile,
    list_ours,
    list_rotations,
    match_tiles,
    turn,
)
from bench.outsiders.speaking import Program, answer_questions
from cartulary.engine.carcassonne.tiles import SIDES
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


class Translator:
    """Turns our moves into theirs and back."""

    def __init__(self, catalogue: Json) -> None:
        self._pairs = match_tiles({letter: list_theirs(tile) for letter, tile in catalogue.items()})

    def letter(self, ours: str) -> str:
        """Return their letter."""
        return self._pairs[ours].name

    def placement(self, letter: str, move: Json) -> Json:
        """Return our placement in their words."""
        rotation = (move["rotation"] + 90 * self._pairs[letter].quarters) % 360
        return {"x": move["x"], "y": -move["y"], "rotation": rotation}

    def list_places(self, letter: str, action: Json) -> list[Json]:
        """Return their placement in our words, with each rotation in which the tile looks alike."""
        quarters = action["rotation"] // 90 - self._pairs[letter].quarters
        return [
            {"type": "place_tile", "x": action["x"], "y": -action["y"], "rotation": 90 * at}
            for at in list_rotations(letter, quarters)
        ]

    def spot(self, letter: str, rotation: int, segment: str) -> str:
        """Return the name of a place for a follower on a tile that lies with our rotation."""
        ours = next(part for part in list_ours(find_tile(letter)) if part.names[0] == segment)
        theirs = find_likest(self._pairs[letter].parts, ours)
        return turn_name(theirs.names[0], rotation // 90 + self._pairs[letter].quarters)

    def segments(self, letter: str, rotation: int) -> dict[str, str]:
        """Return our segment for each name of a place on a tile that lies with our rotation."""
        quarters = rotation // 90 + self._pairs[letter].quarters
        return {
            turn_name(name, quarters): find_likest(list_ours(find_tile(letter)), part).names[0]
            for part in self._pairs[letter].parts
            for name in part.names
        }


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
        self._program = Program([PROGRAM, PROFILES, profile])
        self._translator = Translator(self._program.ask({"ask": "tiles"}))

    def think(self, question: Json) -> Json:
        """Return the answer to a question for a move.

        When what they choose is not legal here (their tile H has two fields), the follower stays at
        home or the tile goes to the first legal place, and `info` says so. It also says how many
        actions they saw, `of` how many there are here.
        """
        legal, played = question["legal"], Replayed(question["transcript"], self._translator)
        kind = "place_tile" if legal[0]["type"] == "place_tile" else "place_meeple"
        answer = self._program.ask(
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
    answer_questions("meeple_cat", "ocarreras", bridge.think)


if __name__ == "__main__":
    main()
