"""An engine for the line protocol that lets JCloisterZone's LegacyAiPlayer choose.

See README.md next to this folder. Its tiles are those of the rules under other names, some turned;
a place is the sides (`W.E`) or half-sides (`NL.NR`) of a tile without a rotation, or `CLOISTER`.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import pathsep
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from bench.outsiders.parts import (
    TilePart,
    find_likest,
    find_tile,
    list_ours,
    list_rotations,
    match_tiles,
)
from bench.outsiders.speaking import Program, answer_questions
from cartulary.engine.core import Json
from cartulary.engine.transcript import Playback
from cartulary.engine.transcript import from_json as read_transcript
from cartulary.games import GAMES

OUT: Final = Path(__file__).parents[3] / "out/outsiders/jcloisterzone"
TILES: Final = OUT / "source/src/main/resources/tile-definitions/basic.xml"
COMMAND: Final = ("java", "-Xss4m", "-cp", pathsep.join([f"{OUT}/classes", f"{OUT}/jars/*"]), "Ask")

PLACES: Final = ("N", "E", "S", "W", "NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
KINDS: Final = {"cloister": "monastery", "road": "road", "city": "city", "farm": "field"}
"""Their word for each of ours."""

HOME: Final[Json] = {"type": "skip_follower"}


def read_tiles(text: str) -> dict[str, list[TilePart]]:
    """Return the parts of each tile of their definitions, in XML."""
    return {
        tile.attrib["id"]: list(_read_parts(tile))
        for tile in ElementTree.fromstring(text).iter("tile")
    }


def _read_parts(tile: ElementTree.Element) -> Iterator[TilePart]:
    for one in tile:
        if one.tag not in KINDS:
            continue
        edges = (one.text or "").split()
        place = ".".join(edge for edge in PLACES if edge in edges) or "CLOISTER"
        pennant = one.attrib.get("pennant") == "yes"
        yield TilePart(KINDS[one.tag], frozenset(edges), pennant, (place,))


class LegacyPlayer:
    """Their player in a process of its own."""

    def __init__(self) -> None:
        self._pairs = match_tiles(read_tiles(TILES.read_text()))
        self._program = Program(COMMAND)

    def think(self, question: Json) -> Json:
        """Return the answer to a question for a move; what is not legal here raises ValueError."""
        playback = Playback(read_transcript(question["transcript"], GAMES), GAMES)
        moves: list[Json] = []
        last = ("", 0)
        while not playback.done:
            move = playback.state.move_json(playback.check())
            if move["type"] == "place_tile":
                last = (playback.state.view()["tile"], move["rotation"])
                moves.append(self._place(last[0], move))
            elif move["type"] == "place_follower":
                moves[-1]["place"] = self._name_place(last[0], move["segment"])
            playback.step()
        view = playback.state.view()
        answer = self._program.ask(
            {
                "seats": playback.state.seats,
                "seat": question["seat"],
                "moves": moves,
                "bag": [
                    self._pairs[letter].name
                    for letter, count in view["remaining"].items()
                    for _ in range(count)
                ],
                "tile": view["tile"] and self._pairs[view["tile"]].name,
            }
        )
        if answer["scores"] != view["scores"]:
            raise ValueError(f"they count {answer['scores']}, we {view['scores']}")
        chosen = self._read(view["tile"] or last[0], answer)
        for move in chosen:
            if move in question["legal"]:
                return {"move": move}
        raise ValueError(f"{answer} is {chosen}, which is not legal: {question['legal']}")

    def _place(self, letter: str, move: Json) -> Json:
        pair = self._pairs[letter]
        rotation = (move["rotation"] + 90 * pair.quarters) % 360
        return {"tile": pair.name, "x": move["x"], "y": move["y"], "rotation": rotation}

    def _name_place(self, letter: str, segment: str) -> str:
        ours = next(part for part in list_ours(find_tile(letter)) if part.names[0] == segment)
        return find_likest(self._pairs[letter].parts, ours).names[0]

    def _read(self, letter: str, answer: Json) -> list[Json]:
        """Return what their answer is in our words; of a tile that looks alike, each rotation."""
        pair = self._pairs[letter]
        if "rotation" in answer:
            quarters = answer["rotation"] // 90 - pair.quarters
            return [
                {"type": "place_tile", "x": answer["x"], "y": answer["y"], "rotation": 90 * at}
                for at in list_rotations(letter, quarters)
            ]
        if "place" not in answer:
            return [HOME]
        theirs = next(part for part in pair.parts if part.names[0] == answer["place"])
        segment = find_likest(list_ours(find_tile(letter)), theirs).names[0]
        return [{"type": "place_follower", "segment": segment}]


def main() -> None:
    """Answer the questions on stdin."""
    answer_questions("JCloisterZone", "Roman Krejcik and others", LegacyPlayer().think)


if __name__ == "__main__":
    main()
