"""The examples of puzzles acted out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cartulary.events.store import Store
from tests.events.support.handmade_puzzles import put_puzzles, small_puzzle
from tests.service.support.caller import Caller

PATHS = {
    "answer_puzzle": "/attempts",
    "try_line": "/preview",
    "take_puzzle_hint": "/hints",
    "fill_puzzle_pack": "",
}


def ask_puzzle(operation: str, body: dict[str, Any], caller: Caller, store: Store) -> Any:
    """Send a request about a puzzle without an attempt."""
    put_puzzles(store, small_puzzle())
    what = "pack" if operation == "fill_puzzle_pack" else small_puzzle().id
    return caller.post(f"/puzzles/{what}{PATHS[operation]}", body)


def solve_puzzles(ada: Caller, store: Store, asked: Any) -> Iterator[tuple[str, list[Any]]]:
    """Look at a puzzle, take hints and answer it."""
    put_puzzles(store, small_puzzle(), small_puzzle(1))
    yield "list_puzzle_games", [ada.get("/puzzles").json]
    yield "show_daily_puzzle", [ada.get("/puzzles/daily").json]
    yield "show_next_puzzle", [ada.get("/puzzles/next").json]
    for operation in ("try_line", "take_puzzle_hint", "answer_puzzle", "fill_puzzle_pack"):
        found = [ask_puzzle(operation, body, ada, store).json for body in asked[operation]]
        yield operation, found
    yield "show_puzzle_pack", [ada.get("/puzzles/pack?game=carcassonne").json]
    yield "show_one_puzzle", [ada.get(f"/puzzles/{small_puzzle().id}").json]
    yield "show_solved", [ada.get("/players/me/puzzles").json]
