"""Answers to puzzles: try a line, send it, ask for a hint, read what became of all of them."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, request

from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.events.puzzles.lines import follow_line, show_tried
from cartulary.service.api.puzzles.describing import (
    find_puzzle,
    show_outcome,
    show_skill,
)
from cartulary.service.api.puzzles.puzzles_schema import (
    PuzzleHintAnswer,
    PuzzleHintRequest,
    PuzzleLineRequest,
    PuzzleOutcome,
    PuzzleTried,
    PuzzleTryRequest,
    SolvedAnswer,
    SolvedQuery,
)
from cartulary.service.http.answers import answer_json
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import STANDING, AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.write_outcome import mark_stored

blueprint = Blueprint("puzzle_attempts", __name__)

PAGE: Final = 50
_PRIVATE = {"Cache-Control": "no-store"}


@blueprint.post("/puzzles/<puzzle:puzzle_id>/attempts")
@operation(
    "puzzles",
    "Answer a puzzle",
    {
        201: AnswerOf("Judged and stored.", PuzzleOutcome, headers=STANDING),
        200: AnswerOf(
            "An earlier request with this key was stored.",
            PuzzleOutcome,
            headers=("Idempotency-Replayed", *STANDING),
        ),
    },
    body=PuzzleLineRequest,
    limit="writes",
    refusals=("not_found", "not_for_bots", "puzzle_answered", "illegal_move", "line_unfinished"),
)
def answer_puzzle(
    services: Services,
    puzzle_id: str,
    who: Player,
    key: str | None,
    body: dict[str, Any],
    lang: str,
) -> Response:
    """One attempt counts: it is a rated game between the caller and the puzzle (Glicko-2).

    After a hint no rating moves, and none at a puzzle that the caller has got with its answer in a
    pack. A refused answer is no attempt. Bots have no attempts.
    """
    puzzle = find_puzzle(services, puzzle_id)
    judged = services.store.puzzles.answer(
        who, puzzle, body["moves"], key, body.get("seconds_ago", 0)
    )
    if not judged.replayed:
        mark_stored(request.environ)
    shown = show_outcome(services, puzzle, judged.attempt, lang)
    answer = answer_json(shown, 200 if judged.replayed else 201, _PRIVATE)
    if judged.replayed:
        answer.headers["Idempotency-Replayed"] = "true"
    return mark_language(answer, lang)


@blueprint.post("/puzzles/<puzzle:puzzle_id>/preview")
@operation(
    "puzzles",
    "Try the first moves of an answer",
    {200: AnswerOf("The position after them.", PuzzleTried, headers=STANDING)},
    body=PuzzleTryRequest,
    limit="previews",
    scope="read",
    stores_nothing=True,
    refusals=("not_found", "illegal_move"),
)
def try_line(services: Services, puzzle_id: str, who: Player, body: dict[str, Any]) -> Response:
    """For clients without an engine: what may follow a placement. It judges nothing."""
    del who
    puzzle, moves = find_puzzle(services, puzzle_id), body["moves"]
    tried = follow_line(services.store.puzzles.start(puzzle), puzzle, moves)
    shown = show_tried(tried, puzzle, len(moves))
    return answer_json(shown, headers=_PRIVATE)


@blueprint.post("/puzzles/<puzzle:puzzle_id>/hints")
@operation(
    "puzzles",
    "Ask for a hint",
    {200: AnswerOf("The hint.", PuzzleHintAnswer, headers=STANDING)},
    body=PuzzleHintRequest,
    limit="writes",
    refusals=("not_found", "not_for_bots", "puzzle_answered"),
)
def take_puzzle_hint(
    services: Services, puzzle_id: str, who: Player, body: dict[str, Any]
) -> Response:
    """A hint costs: the attempt after it moves no rating and keeps no day of a streak."""
    puzzle = find_puzzle(services, puzzle_id)
    hint = services.store.puzzles.give_hint(who, puzzle, body["step"])
    mark_stored(request.environ)
    return answer_json(hint, headers=_PRIVATE)


@blueprint.get("/players/me/puzzles")
@operation(
    "puzzles",
    "What the caller has made of puzzles",
    {200: AnswerOf("Ratings, streak and attempts.", SolvedAnswer)},
    query=SolvedQuery,
    refusals=("bad_cursor",),
)
def show_solved(services: Services, who: Player, query: dict[str, Any]) -> Response:
    """No other player sees it."""
    puzzles = services.store.puzzles
    record, before = puzzles.book.read(who.id), _read_cursor(query.get("cursor"))
    found = puzzles.book.list_attempts(who.id, before, PAGE + 1)
    attempts = [
        {
            **{name: getattr(one, name) for name in ("puzzle", "game", "right", "hints", "rated")},
            "at": format_time(one.at),
            "change": round(one.after.rating) - round(one.before.rating),
            "after": show_skill(one.after),
            "themes": puzzles.shelf.find_themes(one.game, one.puzzle),
        }
        for _, one in found[:PAGE]
    ]
    ratings = [{"game": game, **show_skill(skill)} for game, skill in record.skills.items()]
    streak = record.streak
    return answer_json(
        {
            "ratings": sorted(ratings, key=lambda one: str(one["game"])),
            "streak": {"days": streak.count_until(puzzles.today()), "best": streak.best},
            "attempts": attempts,
            "next_cursor": str(found[PAGE - 1][0]) if len(found) > PAGE else None,
        },
        headers=_PRIVATE,
    )


def _read_cursor(text: str | None) -> int | None:
    """Return the number of the last attempt of the page before; raises `Problem` 400."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and text[0] != "0"):
        raise Problem("bad_cursor", "the cursor is invalid")
    return int(text)
