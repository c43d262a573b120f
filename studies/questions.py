"""The question of a position, "find the move": its form, and that its answers fit each other."""

from __future__ import annotations

from typing import Any

from cartulary.engine.canonical import canonical_json, quote
from cartulary.engine.core import Json
from cartulary.studies.faults import Path, must
from cartulary.studies.limits import ANSWER, HINTS, RIGHT, WRONG
from cartulary.studies.texts import check_text

Line = tuple[str, ...]
"""Moves as canonical JSON."""


def check_question(value: Any, path: Path) -> Json:
    """Return a question. Raises `FaultyStudy`. Whether its moves are legal, `lines` knows."""
    _check_keys(value, {"ask", "right"}, {"wrong", "otherwise", "hints"}, path)
    check_text(value["ask"], (*path, "ask"))
    check_text(value.get("otherwise", ""), (*path, "otherwise"))
    _check_list(value.get("hints", []), HINTS, (*path, "hints"))
    for index, hint in enumerate(value.get("hints", [])):
        check_text(hint, (*path, "hints", index))
    _check_list(value["right"], RIGHT, (*path, "right"))
    must(bool(value["right"]), "question", (*path, "right"), "a question has a right answer")
    right = [_read(moves, (*path, "right", at)) for at, moves in enumerate(value["right"])]
    _check_list(value.get("wrong", []), WRONG, (*path, "wrong"))
    wrong = [
        _read_wrong(one, (*path, "wrong", at)) for at, one in enumerate(value.get("wrong", []))
    ]
    _check_apart(right, wrong, path)
    return dict(value)


def _check_keys(value: Any, needed: set[str], optional: set[str], path: Path) -> None:
    must(isinstance(value, dict), "form", path, f"an object is needed, not {quote(value)}")
    missing, unknown = needed - set(value), set(value) - needed - optional
    must(not missing, "form", path, f"{', '.join(sorted(missing))} is missing")
    must(not unknown, "form", path, f"the key {quote(min(unknown, default=''))} is not known here")


def _check_list(value: Any, most: int, path: Path) -> None:
    must(isinstance(value, list), "form", path, f"a list is needed, not {quote(value)}")
    must(len(value) <= most, "too_much", path, f"{most} are allowed here, not {len(value)}")


def _read(moves: Any, path: Path) -> Line:
    _check_list(moves, ANSWER, path)
    right = bool(moves) and all(isinstance(move, dict) for move in moves)
    must(right, "form", path, "an answer is a list of moves, one at least")
    return tuple(canonical_json(move) for move in moves)


def _read_wrong(one: Any, path: Path) -> Line:
    _check_keys(one, {"moves", "text"}, set(), path)
    check_text(one["text"], (*path, "text"))
    return _read(one["moves"], (*path, "moves"))


def _check_apart(right: list[Line], wrong: list[Line], path: Path) -> None:
    """Refuse a line that is right and wrong, or that ends before it is clear which."""
    both = [*right, *wrong]
    for at, line in enumerate(both):
        for other in both[:at]:
            short = min(len(line), len(other))
            clear = line[:short] != other[:short]
            must(clear, "question", path, "two answers begin with the same line of moves")


def judge_answer(line: list[Json], question: Json) -> Json | None:
    """Return what a question says to moves so far, None where it waits for more.

    The answer is `{"right": bool, "text": str}`. A line that is right or wrong only when it goes on
    waits; every other is answered by `otherwise`.
    """
    played = tuple(canonical_json(move) for move in line)
    lines = [(tuple(map(canonical_json, moves)), True, "") for moves in question["right"]]
    lines += [
        (tuple(map(canonical_json, one["moves"])), False, one["text"])
        for one in question.get("wrong", [])
    ]
    for known, right, text in lines:
        if played[: len(known)] == known:
            return {"right": right, "text": text}
    if any(known[: len(played)] == played for known, _, _ in lines):
        return None
    return {"right": False, "text": question.get("otherwise", "")}
