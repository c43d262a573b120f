"""A puzzle of a pack: shown, tried, drawn, judged and explained without the service.

The code that follows a line and judges it is that of the service (`events.puzzles.lines`). A
message brings the whole puzzle, as `GET /puzzles/pack` has it: the device keeps it, and the worker
keeps the position of the last one alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cartulary import locales
from cartulary.engine.core import Json, State
from cartulary.engine.errors import TranscriptError
from cartulary.events.model.errors import IllegalMoveRefused, Invalid, LineUnfinished
from cartulary.events.puzzles.lines import (
    find_place,
    follow_line,
    judge_line,
    read_start,
    show_answer,
    show_hints,
    show_position,
    show_tried,
)
from cartulary.games.drawing import draw_position
from cartulary.games.offer import Offer
from cartulary.locales.reasoning import Sentences
from cartulary.offline.refusals import Refusal, invalid, not_found
from cartulary.puzzles.record import Puzzle, PuzzleError, read_puzzle


class Riddles:
    """The puzzle that is open in one worker."""

    def __init__(self, offers: Mapping[str, Offer]) -> None:
        self._offers = offers
        self._open: tuple[str, State[Any]] | None = None

    def answer(self, message: Json) -> Any:
        """Return the answer to a message about a puzzle; raises `Refusal`."""
        puzzle = _read(message.get("puzzle"))
        if puzzle.game not in self._offers:
            raise not_found(f"the game {puzzle.game!r}")
        ask = _ASKED.get(str(message.get("about")))
        if ask is None:
            raise invalid("/about", f"one of {', '.join(sorted(_ASKED))}")
        try:
            return ask(self._offers[puzzle.game], self._start(puzzle), puzzle, message)
        except IllegalMoveRefused as error:
            raise Refusal(422, "illegal_move", str(error)) from error
        except LineUnfinished as error:
            raise Refusal(422, "line_unfinished", str(error)) from error
        except Invalid as error:
            raise Refusal(422, "invalid", str(error)) from error
        except (KeyError, TypeError) as error:
            raise invalid("", f"no puzzle, or a wish that no picture has: {error}") from error

    def _start(self, puzzle: Puzzle) -> State[Any]:
        if self._open is None or self._open[0] != puzzle.id:
            rules = self._offers[puzzle.game].rules
            try:
                self._open = puzzle.id, read_start(rules, puzzle)
            except TranscriptError as error:
                raise invalid(f"/puzzle/transcript{error.pointer}", str(error)) from error
        return self._open[1]


def _read(value: Any) -> Puzzle:
    if not isinstance(value, dict):
        raise invalid("/puzzle", "must be an object")
    try:
        return read_puzzle({**value, "made": {}})
    except PuzzleError as error:
        raise invalid("/puzzle", str(error)) from error


def _show(_: Offer, start: State[Any], puzzle: Puzzle, __: Json) -> Json:
    return {**show_position(start, puzzle), "hint": None, "answer": None}


def _try(_: Offer, start: State[Any], puzzle: Puzzle, message: Json) -> Json:
    moves = _moves(message)
    return show_tried(follow_line(start, puzzle, moves), puzzle, len(moves))


def _hint(_: Offer, __: State[Any], puzzle: Puzzle, message: Json) -> Json:
    return show_hints(puzzle, 2 if message.get("step") == 2 else 1)


def _judge(offer: Offer, start: State[Any], puzzle: Puzzle, message: Json) -> Json:
    """Return what became of an answer: it moves no rating."""
    moves, lang = _moves(message), _language(message)
    sentences = Sentences(lang, locales.name_seats(lang, puzzle.transcript["seats"]))
    return {
        "right": judge_line(start, puzzle, moves),
        "moves": moves,
        "rated": False,
        "player": None,
        "explorer": None,
        **show_answer(puzzle, lambda facts: sentences.say(offer.words, facts)),
    }


def _draw(offer: Offer, start: State[Any], puzzle: Puzzle, message: Json) -> str:
    line, tried, lang = message.get("line", "start"), _moves(message), _language(message)
    if line not in ("start", "best", "tempting"):
        raise invalid("/line", "one of start, best, tempting")
    if line == "start":
        start = follow_line(start, puzzle, tried).state
    place = find_place(start, puzzle, line, int(message.get("step", 0)))
    if place is None:
        raise not_found("this picture")
    names = locales.name_seats(lang, place.state.seats)
    named = {"players": names, "seat": puzzle.seat}
    try:
        drawn = draw_position(
            offer, place.state, lang, place.last, **named, **message.get("wishes", {})
        )
    except ValueError as error:
        raise invalid("/wishes", str(error)) from error
    if drawn is None:
        raise not_found("this picture")
    return drawn


def _moves(message: Json) -> list[Json]:
    moves = message.get("moves", [])
    if not (isinstance(moves, list) and all(isinstance(one, dict) for one in moves)):
        raise invalid("/moves", "must be a list of objects")
    return moves


def _language(message: Json) -> str:
    lang = message.get("language")
    if lang not in locales.LANGUAGES:
        raise invalid("/language", f"one of {', '.join(locales.LANGUAGES)}")
    return str(lang)


_ASKED: Final[Mapping[str, Callable[[Offer, State[Any], Puzzle, Json], Any]]] = {
    "position": _show,
    "line": _try,
    "hint": _hint,
    "answer": _judge,
    "board": _draw,
}
