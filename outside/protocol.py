"""The line protocol: requests to an engine, and what its answers may be (`docs/bots.md`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cartulary.bots import Budget
from cartulary.engine.canonical import quote
from cartulary.engine.core import Json
from cartulary.engine.strict import Malformed, parse
from cartulary.outside.faults import OTHER_ID, RUBBISH

VERSION: Final = 1


class BadAnswer(ValueError):
    """A line that is no answer to the request; `kind` is the word of its fault."""

    def __init__(self, kind: str, why: str) -> None:
        super().__init__(why)
        self.kind = kind


def write_request(request: Mapping[str, Any]) -> bytes:
    """Return a request as a line."""
    return json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def ask_hello() -> Json:
    """Return the first request."""
    return {"type": "hello", "protocol": VERSION}


def ask_new_game(game: str, options: Mapping[str, Any], seats: int) -> Json:
    """Return the request that announces a game."""
    return {"type": "new_game", "game": game, "options": dict(options), "seats": seats}


def ask_think(transcript: Json, seat: int, legal: Sequence[Json], budget: Budget) -> Json:
    """Return the request for a move; a bound that the budget lacks is left out."""
    bounds = {"iterations": budget.iterations, "seconds": budget.seconds}
    return {
        "type": "think",
        "transcript": transcript,
        "seat": seat,
        "legal": list(legal),
        "budget": {name: bound for name, bound in bounds.items() if bound is not None},
    }


def read_answer(line: bytes, number: int) -> Json:
    """Return the answer to the request of a number; raises `BadAnswer`."""
    try:
        found = parse(line)
    except Malformed as error:
        raise BadAnswer(RUBBISH, f"wrote a line that is {error}: {_show(line)}") from None
    if not isinstance(found, dict):
        raise BadAnswer(RUBBISH, f"wrote a line that is no object: {_show(line)}")
    if type(found.get("id")) is not int:
        raise BadAnswer(RUBBISH, f"wrote an answer without an id: {_show(line)}")
    if found["id"] != number:
        raise BadAnswer(OTHER_ID, f"answered request {found['id']}, asked was request {number}")
    return found


def read_name(answer: Json) -> str:
    """Return what an engine calls itself; raises `BadAnswer`."""
    name, author = answer.get("name"), answer.get("author", "")
    if not isinstance(name, str) or not name.strip() or not isinstance(author, str):
        raise BadAnswer(RUBBISH, f"answered hello without a name: {quote(answer)}")
    return " ".join(f"{name} by {author}".split())[:100] if author else name.strip()[:100]


def read_move(answer: Json) -> Json | None:
    """Return the move of an answer, None for a resignation; raises `BadAnswer`."""
    if answer.get("resign") is True:
        return None
    move = answer.get("move")
    if not isinstance(move, dict):
        raise BadAnswer(RUBBISH, f"answered without a move: {quote(answer)}")
    return move


def read_info(answer: Json) -> str:
    """Return in a line what an engine says of its thought, '' when it says nothing."""
    info = answer.get("info")
    return quote(info) if isinstance(info, dict) and info else ""


def _show(line: bytes) -> str:
    text = line[:80].decode(errors="replace")
    return quote(f"{text}…" if len(line) > 80 else text)
