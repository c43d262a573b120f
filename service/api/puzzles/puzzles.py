"""Puzzles: which games have some, the one of the day, the next one, one by its id, its picture."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.datastructures import ETags

from cartulary.events.model.errors import PuzzleOpen
from cartulary.events.people.players import Player
from cartulary.events.puzzles.lines import LinePlace, find_place, follow_line
from cartulary.games.drawing import draw_position
from cartulary.locales import name_seats
from cartulary.puzzles.record import Puzzle
from cartulary.service.api.puzzles.describing import (
    find_puzzle,
    show_puzzle,
)
from cartulary.service.api.puzzles.puzzles_schema import (
    NextPuzzleQuery,
    PuzzleAnswer,
    PuzzleBoardQuery,
    PuzzleListAnswer,
)
from cartulary.service.http.answers import answer_changed, answer_json, set_tag
from cartulary.service.http.bodies import parse_json
from cartulary.service.http.compression import compress
from cartulary.service.http.conditions import is_known, tag_content
from cartulary.service.http.endpoints import operation
from cartulary.service.http.languages import mark_language
from cartulary.service.http.operations import AnswerOf
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem, invalid, not_found

blueprint = Blueprint("puzzles", __name__)

SVG = "image/svg+xml"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_SHOWN = {
    200: AnswerOf("The puzzle.", PuzzleAnswer, headers=("ETag",)),
    304: AnswerOf("It is what the client has."),
}


@blueprint.get("/puzzles")
@operation("puzzles", "Games with puzzles", {200: AnswerOf("The games.", PuzzleListAnswer)})
def list_puzzle_games(services: Services) -> Response:
    """With the themes of their puzzles."""
    shelf = services.store.puzzles.shelf
    games = [{"game": game, "themes": shelf.list_themes(game)} for game in shelf.list_games()]
    return answer_json({"games": games}, headers={"Cache-Control": "no-cache"})


@blueprint.get("/puzzles/daily")
@operation("puzzles", "The puzzle of the day", _SHOWN, refusals=("not_found",))
def show_daily_puzzle(services: Services, who: Player | None, lang: str, known: ETags) -> Response:
    """The same for everybody until midnight UTC. Not found where no game has puzzles."""
    puzzle = services.store.puzzles.find_daily()
    if puzzle is None:
        raise not_found("a puzzle of the day")
    return _answer_puzzle(services, puzzle, who, lang, known)


@blueprint.get("/puzzles/next")
@operation(
    "puzzles",
    "The next puzzle",
    {200: AnswerOf("The puzzle.", PuzzleAnswer)},
    query=NextPuzzleQuery,
    refusals=("not_found",),
)
def show_next_puzzle(services: Services, who: Player, query: dict[str, Any], lang: str) -> Response:
    """One that the caller has not answered, rated near the caller.

    Asking again gives the same one, unless ratings have moved meanwhile. Not found when the caller
    has answered all of them.
    """
    puzzles = services.store.puzzles
    games = puzzles.shelf.list_games()
    if not games:
        raise not_found("a puzzle")
    game = query.get("game", games[0])
    if game not in games:
        raise invalid("/game", f"must be one of: {', '.join(games)}")
    puzzle = puzzles.choose_next(who.id, game, query.get("theme"))
    if puzzle is None:
        raise not_found("a puzzle that you have not answered")
    answer = answer_json(show_puzzle(services, puzzle, who, lang))
    answer.headers["Cache-Control"] = "no-store"
    return mark_language(answer, lang)


@blueprint.get("/puzzles/<puzzle:puzzle_id>")
@operation("puzzles", "A puzzle", _SHOWN, refusals=("not_found",))
def show_one_puzzle(
    services: Services, puzzle_id: str, who: Player | None, lang: str, known: ETags
) -> Response:
    """With the answer for callers who have answered. The position is complete without an engine."""
    return _answer_puzzle(services, find_puzzle(services, puzzle_id), who, lang, known)


def _answer_puzzle(
    services: Services, puzzle: Puzzle, who: Player | None, lang: str, known: ETags
) -> Response:
    body = orjson.dumps(show_puzzle(services, puzzle, who, lang))
    caching = "private, no-cache"
    return mark_language(answer_changed(known, lambda: body, tag_content(body), caching), lang)


@blueprint.get("/puzzles/<puzzle:puzzle_id>/board.svg")
@operation(
    "puzzles",
    "The picture of a puzzle",
    {
        200: AnswerOf("The picture.", media=(SVG,), headers=("ETag",)),
        304: AnswerOf("It is what the client has."),
    },
    query=PuzzleBoardQuery,
    refusals=("not_found", "puzzle_open", "illegal_move"),
)
def show_puzzle_board(
    services: Services,
    puzzle_id: str,
    who: Player | None,
    query: dict[str, Any],
    known: ETags,
    lang: str,
) -> Response:
    """The position, or a step of a future for those who have answered: else 409 `puzzle_open`."""
    puzzle = find_puzzle(services, puzzle_id)
    line, step, tried = query.pop("line"), query.pop("step"), query.pop("tried")
    _must_be_answered(services, puzzle, who, line)
    start = services.store.puzzles.start(puzzle)
    if line == "start" and tried != "[]":
        start = follow_line(start, puzzle, _read_moves(tried)).state
    place = find_place(start, puzzle, line, step)
    if place is None:
        raise not_found("this step")
    body = _draw(services, puzzle, place, lang, query).encode()
    tag = tag_content(body)
    if is_known(known, tag):
        answer = Response(status=304)
    else:
        answer = Response(body, mimetype=SVG)
        answer.headers["Content-Security-Policy"] = _POLICY
        answer = compress(answer)
    return mark_language(set_tag(answer, tag, "private, no-cache"), lang)


def _read_moves(text: str) -> list[Any]:
    """Return the moves of the query; raises `Problem` 422 for what is no list of objects."""
    try:
        moves = parse_json(text.encode("utf-8", "replace"))
    except Problem as error:
        raise invalid("/tried", "must be moves as JSON") from error
    if not (isinstance(moves, list) and all(isinstance(one, dict) for one in moves)):
        raise invalid("/tried", "must be a list of objects")
    return moves


def _must_be_answered(services: Services, puzzle: Puzzle, who: Player | None, line: str) -> None:
    if line == "start":
        return
    record = None if who is None else services.store.puzzles.book.read(who.id)
    if record is None or puzzle.id not in record.attempts:
        raise PuzzleOpen


def _draw(
    services: Services, puzzle: Puzzle, place: LinePlace, lang: str, wishes: dict[str, Any]
) -> str:
    """Return the picture of a place of a puzzle; raises `Problem` 404 without a picture."""
    names = name_seats(lang, place.state.seats)
    offer, named = services.offers[puzzle.game], {"players": names, "seat": puzzle.seat}
    drawn = draw_position(offer, place.state, lang, place.last, **named, **wishes)
    if drawn is None:
        raise not_found("a picture of this game")
    return drawn
