"""The record of a puzzle, and its form as JSON: one object a line in a file of puzzles."""

from __future__ import annotations

import hashlib
import json
from base64 import b32encode
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Json, State

Line = list[Json]
"""The moves of a seat that belong together, as contract objects: a placement and its follower, or
one answer of Caylus."""

DIGITS: Final = 8
"""The number of signs of base32 that follow the game in an id: 40 bits."""


class Puzzle(NamedTuple):
    """A position in which one idea is best, with what its explanation needs.

    Attributes:
        id: the game, a hyphen, and eight signs that follow from the position and the seat.
        game: the name of the game.
        options: all options of the game with their values, as in a transcript.
        transcript: the game up to the decision and without it, a contract transcript with its
            draws; replaying it gives the position.
        seat: the seat that decides.
        best: the lines that are accepted; all of them are the same idea.
        tempting: the line that a good player would choose wrongly.
        after: under `best` and `tempting` what may follow: steps, each with `seat`, `move` and
            `chance` (what was drawn for the move). The first steps are the line itself.
        themes: 1 to 3 ids of `themes.THEMES`, the most telling first.
        margin: how much better the best line is than the best line of another idea: `points`, and
            `wins` as a share from 0 to 1.
        facts: under `best` and `tempting` what the line causes, then the reasons for it
            (docs/facts.md).
        rating: a first guess of its rating, on the scale of Glicko-2.
        made: how it was made: `seed`, `source`, `level`, `version`.
    """

    id: str
    game: str
    options: dict[str, str | int]
    transcript: Json
    seat: int
    best: list[Line]
    tempting: Line
    after: dict[str, list[Json]]
    themes: list[str]
    margin: dict[str, float]
    facts: dict[str, list[Json]]
    rating: int
    made: Json

    def to_json(self) -> Json:
        """Return the record as a JSON object."""
        return self._asdict()


class PuzzleError(ValueError):
    """A line or a file is not a puzzle."""


def read_puzzle(value: Any) -> Puzzle:
    """Return the puzzle of a JSON object; raises `PuzzleError` for other keys."""
    if not isinstance(value, Mapping) or value.keys() != set(Puzzle._fields):
        raise PuzzleError(f"a puzzle has the keys {', '.join(Puzzle._fields)}")
    return Puzzle(**value)


def read_line(text: str | bytes) -> Puzzle:
    """Return the puzzle of a line of a file; raises `PuzzleError`."""
    try:
        return read_puzzle(json.loads(text))
    except ValueError as error:
        raise PuzzleError(str(error)) from error


def write_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of a file, without the end of the line."""
    return json.dumps(puzzle.to_json(), ensure_ascii=False, separators=(",", ":"))


def make_id(game: str, state: State[Any]) -> str:
    """Return the id of a puzzle in this position: it follows from `identity()` and the seat."""
    text = canonical_json({"identity": state.identity(), "seat": state.seat})
    digest = hashlib.sha256(text.encode()).digest()
    return f"{game}-{b32encode(digest)[:DIGITS].decode().lower()}"
