"""The other lines of a transcript, read for a chapter: `variations`.

A variation stands next to a move of a line that comes before it: of the main line, which is line 0,
or of an earlier variation. All are counted before the engine plays the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cartulary.engine.canonical import quote
from cartulary.engine.core import Json, State
from cartulary.studies.faults import Path, must
from cartulary.studies.form import check_draws, check_keys, check_list, check_notes
from cartulary.studies.limits import BRANCHES, LINE, NESTING, NODES
from cartulary.studies.lines import check_answers, name_step, play_node

_KEYS: Final = frozenset(("line", "before", "moves"))
_MOVE: Final = frozenset(("seat", "move"))
_NOTES: Final = ("text", "marks", "question")
_MORE: Final = frozenset(("draws", *_NOTES))


class _Line(NamedTuple):
    """A line: its number, what it stands next to (line, index), and how much lies before it.

    `nested` counts the lines that it is within, `before` the moves from the start to its first.
    """

    number: int
    path: Path
    moves: list[Json]
    length: int
    beside: tuple[int, int] = (0, 0)
    nested: int = 0
    before: int = 0


class Variations:
    """The variations of a transcript whose main line has `moves` moves, by what they stand next to.

    Making one checks the form of all. Raises `FaultyStudy` at what is wrong or too much.
    """

    def __init__(self, value: Any, moves: int, path: Path) -> None:
        self._lines = [_Line(0, (), [], moves)]
        self._beside: dict[tuple[int, int], list[_Line]] = {}
        left = NODES - moves
        for index, one in enumerate(check_list(value, NODES, path)):
            place = (*path, index)
            read = _read_moves(one, place)
            left -= len(read)
            must(left >= 0, "too_much", place, f"a study has {NODES} moves at most")
            self._add(one, read, place)

    def _add(self, one: Json, moves: list[Json], path: Path) -> None:
        line, index = self._find_place(one, path)
        of = self._lines[line]
        number, before = len(self._lines), of.before + index
        made = _Line(number, path, moves, len(moves), (line, index), of.nested + 1, before)
        deep = f"branches nest {NESTING} deep at most"
        must(made.nested <= NESTING, "too_much", (*path, "line"), deep)
        long = f"a line has {LINE} moves at most"
        must(before + len(moves) <= LINE, "too_much", (*path, "moves"), long)
        beside = self._beside.setdefault(made.beside, [])
        many = f"a position has {BRANCHES} moves at most"
        must(len(beside) < BRANCHES - 1, "too_much", path, many)
        beside.append(made)
        self._lines.append(made)

    def _find_place(self, one: Json, path: Path) -> tuple[int, int]:
        """Return the line and the index that a variation names: never the first of a variation."""
        line = _read_index(one["line"], len(self._lines), (*path, "line"), "a line before this")
        length = self._lines[line].length
        index = _read_index(one["before"], length, (*path, "before"), "a move of that line")
        # What stands next to the first move of a variation stands next to what that one replaces.
        return (line, index) if index or not line else self._lines[line].beside

    def leave_before(self, index: int, line: int = 0) -> bool:
        """Return whether a variation stands next to a move of a line."""
        return (line, index) in self._beside

    def add_to(self, node: Json, state: State[Any], index: int, line: int = 0) -> None:
        """Give a node of a line what stands next to it; `state` is the position before its move.

        Raises `FaultyStudy` at the first move or draw that is not right.
        """
        seen = {name_step(node)}
        for one in self._beside.get((line, index), ()):
            branch = list(self._play(one, state.copy()))
            path = (*one.path, "moves", 0)
            new = name_step(branch[0]) not in seen
            must(new, "twice", path, "the position has this move with these draws")
            seen.add(name_step(branch[0]))
            node.setdefault("instead", []).append(branch)

    def _play(self, one: _Line, state: State[Any]) -> Iterator[Json]:
        for index, entry in enumerate(one.moves):
            path = (*one.path, "moves", index)
            before = state.copy() if self.leave_before(index, one.number) else state
            _must_decide(entry["seat"], state, path)
            node = {key: entry[key] for key in ("move", "draws", *_NOTES) if entry.get(key)}
            play_node(state, entry["move"], entry.get("draws", ()), path)
            if "question" in entry:
                check_answers(state, entry["question"], (*path, "question"))
            if before is not state:
                self.add_to(node, before, index, one.number)
            yield node


def _must_decide(seat: int, state: State[Any], path: Path) -> None:
    """Refuse a move of another seat; that the play waits for a draw or is over, `lines` says."""
    other = state.chance is None and not state.over and state.seat != seat
    detail = f"it is for seat {state.seat} to decide, not for {quote(seat)}"
    must(not other, "illegal", (*path, "seat"), detail)


def _read_moves(one: Any, path: Path) -> list[Json]:
    check_keys(one, _KEYS, frozenset(), path)
    moves = check_list(one["moves"], NODES, (*path, "moves"))
    must(bool(moves), "form", (*path, "moves"), "a variation has a move")
    for index, entry in enumerate(moves):
        _check_entry(entry, (*path, "moves", index))
    return moves


def _check_entry(entry: Any, path: Path) -> None:
    check_keys(entry, _MOVE, _MORE, path)
    must(type(entry["seat"]) is int, "form", (*path, "seat"), "a seat is a number")
    must(isinstance(entry["move"], dict), "form", (*path, "move"), "a move is an object")
    check_draws(entry, path)
    check_notes(entry, path)


def _read_index(value: Any, end: int, path: Path, what: str) -> int:
    known = type(value) is int and 0 <= value < end
    must(known, "form", path, f"{quote(value)} is not the number of {what}")
    return int(value)
