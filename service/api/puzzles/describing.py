"""What is shown of a puzzle: before the answer of the caller, and after it."""

from __future__ import annotations

from functools import partial
from typing import Final

from cartulary import locales
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.puzzles.lines import (
    OF_TRANSCRIPT,
    show_answer,
    show_hints,
    show_position,
)
from cartulary.events.puzzles.records import Attempt, PuzzleRecord
from cartulary.locales.reasoning import Sentences
from cartulary.puzzles.record import Puzzle
from cartulary.ratings.glicko import Skill
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found

PACKED: Final = tuple(name for name in Puzzle._fields if name != "made")
"""What a pack has of a puzzle: all but how it was made."""


def find_puzzle(services: Services, puzzle_id: str) -> Puzzle:
    """Return a puzzle of a game on offer; raises `Problem` 404."""
    puzzle = services.store.puzzles.shelf.find(puzzle_id)
    if puzzle is None:
        raise not_found("this puzzle")
    return puzzle


def show_puzzle(services: Services, puzzle: Puzzle, who: Player | None, lang: str) -> Json:
    """Return a puzzle as a caller may see it."""
    puzzles = services.store.puzzles
    record = PuzzleRecord() if who is None else puzzles.book.read(who.id)
    attempt = None if who is None else puzzles.book.pick_attempt(who.id, record, puzzle.id)
    step = record.hints.get(puzzle.id, 0)
    return {
        **show_position(puzzles.start(puzzle), puzzle),
        "hint": show_hints(puzzle, step) if step else None,
        "answer": attempt and show_outcome(services, puzzle, attempt, lang),
    }


def show_packed(puzzle: Puzzle) -> Json:
    """Return a puzzle with all that follows from the answer, for clients with the engine."""
    record = puzzle.to_json()
    transcript = {key: puzzle.transcript[key] for key in OF_TRANSCRIPT if key in puzzle.transcript}
    return {**{name: record[name] for name in PACKED}, "transcript": transcript}


def show_outcome(services: Services, puzzle: Puzzle, attempt: Attempt, lang: str) -> Json:
    """Return what became of an attempt, and the answer."""
    change = {
        "before": show_skill(attempt.before),
        "after": show_skill(attempt.after),
    }
    sentences = Sentences(lang, locales.name_seats(lang, puzzle.transcript["seats"]))
    words = services.offers[puzzle.game].words
    return {
        "right": attempt.right,
        "moves": attempt.moves,
        "at": format_time(attempt.at),
        "hints": attempt.hints,
        "rated": attempt.rated,
        "player": change if attempt.rated else None,
        "puzzle": show_skill(services.store.puzzles.rate(puzzle)),
        "explorer": services.store.explorer.find_key(
            puzzle.game, services.store.puzzles.start(puzzle)
        ),
        **show_answer(puzzle, partial(sentences.say, words)),
    }


def show_skill(skill: Skill) -> Json:
    """Return a rating as it is shown."""
    return {"rating": round(skill.rating), "deviation": round(skill.deviation)}
