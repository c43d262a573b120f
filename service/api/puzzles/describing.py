"""What is shown of a puzzle: before the answer of the caller, and after it."""

from __future__ import annotations

from typing import Any, Final

from cartulary import locales
from cartulary.engine.core import State
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.puzzles.lines import count_moves
from cartulary.events.puzzles.puzzles import show_hints
from cartulary.events.puzzles.records import Attempt, PuzzleRecord
from cartulary.locales.reasoning import Sentences
from cartulary.puzzles.record import Puzzle
from cartulary.ratings.glicko import Skill
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import not_found

_OF_TRANSCRIPT: Final = (*("format", "game", "options", "seats", "setup", "draws", "bag", "moves"),)
"""What is shown of a transcript: no names of players, and nothing that a miner has added."""


def find_puzzle(services: Services, puzzle_id: str) -> Puzzle:
    """Return a puzzle of a game on offer; raises `Problem` 404."""
    puzzle = services.store.puzzles.shelf.find(puzzle_id)
    if puzzle is None:
        raise not_found("this puzzle")
    return puzzle


def name_seats_by_number(lang: str, seats: int) -> list[str]:
    """Return what the seats of a puzzle are called."""
    seat = locales.words(lang)["ui"]["new"]["seat"]
    return [locales.fill(lang, seat, {"n": number + 1}) for number in range(seats)]


def show_puzzle(services: Services, puzzle: Puzzle, who: Player | None, lang: str) -> Json:
    """Return a puzzle as a caller may see it."""
    puzzles = services.store.puzzles
    record = PuzzleRecord() if who is None else puzzles.book.read(who.id)
    attempt = None if who is None else puzzles.book.pick_attempt(who.id, record, puzzle.id)
    step = record.hints.get(puzzle.id, 0)
    transcript = puzzle.transcript
    return {
        **show_moment(puzzles.start(puzzle), puzzle, 0),
        "id": puzzle.id,
        "game": puzzle.game,
        "options": puzzle.options,
        "seats": transcript["seats"],
        "seat": puzzle.seat,
        "transcript": {key: transcript[key] for key in _OF_TRANSCRIPT if key in transcript},
        "line_moves": count_moves(puzzle),
        "hint": describe_hint(show_hints(puzzle, step)) if step else None,
        "answer": attempt and show_outcome(services, puzzle, attempt, lang),
    }


def show_moment(state: State[Any], puzzle: Puzzle, made: int) -> Json:
    """Return the position after so many moves of an answer."""
    decision = state.decision
    asked = decision is not None and state.seat == puzzle.seat and made < count_moves(puzzle)
    return {
        "view": state.view(),
        "decision": decision.to_json() if decision is not None and asked else None,
        "moves": state.legal_moves() if asked else [],
    }


def show_tried(state: State[Any], puzzle: Puzzle, made: int, facts: list[Json]) -> Json:
    """Return the same with what the last of the moves led to."""
    return {
        **show_moment(state, puzzle, made),
        "facts": facts,
        "chance": state.chance is not None,
        "features": state.list_features(),
    }


def describe_hint(hint: Json) -> Json:
    """Return a hint as it is sent."""
    candidates = hint["candidates"]
    lines = None if candidates is None else [{"moves": line} for line in candidates]
    return {**hint, "candidates": lines}


def show_outcome(services: Services, puzzle: Puzzle, attempt: Attempt, lang: str) -> Json:
    """Return what became of an attempt, and the answer."""
    change = {
        "before": show_skill(attempt.before),
        "after": show_skill(attempt.after),
    }
    return {
        "right": attempt.right,
        "moves": attempt.moves,
        "at": format_time(attempt.at),
        "hints": attempt.hints,
        "rated": attempt.rated,
        "player": change if attempt.rated else None,
        "puzzle": show_skill(services.store.puzzles.rate(puzzle)),
        "themes": puzzle.themes,
        "margin": {name: puzzle.margin[name] for name in ("points", "wins")},
        "accepted": [{"moves": line} for line in puzzle.best],
        "best": _show_future(services, puzzle, "best", puzzle.best[0], lang),
        "tempting": _show_future(services, puzzle, "tempting", puzzle.tempting, lang),
    }


def _show_future(
    services: Services, puzzle: Puzzle, name: str, line: list[Json], lang: str
) -> Json:
    facts = puzzle.facts[name]
    words = services.offers[puzzle.game].words
    names = name_seats_by_number(lang, puzzle.transcript["seats"])
    return {
        "line": line,
        "facts": facts,
        "text": Sentences(lang, names).say(words, facts),
        "after": puzzle.after[name],
    }


def show_skill(skill: Skill) -> Json:
    """Return a rating as it is shown."""
    return {"rating": round(skill.rating), "deviation": round(skill.deviation)}
