"""The story of games in which people leave and take moves back."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVES_TAKEN_BACK, SEAT_FORFEITED, SEAT_TAKEN_OVER
from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.support.small_transcript import small


def append(store: Store, game: str, type_: str, **fields: Any) -> Table:
    """Append an event, as the commands do."""

    def decide(_table: Table, draft: Draft) -> None:
        draft.add(type_, **fields)

    return store.commands.writer.write(game, None, decide).table


def play(caller: Caller, game: str, count: int) -> list[int]:
    """Make moves of everybody; return their versions."""
    return [caller.move(game).json["version"] for _ in range(count)]


@pytest.fixture
def game(ada: Caller) -> str:
    """A running game of Carcassonne; Ada has all three seats."""
    return str(ada.open("me", "me", "me")["id"])


@pytest.fixture
def imported(ada: Caller) -> str:
    """A game that is over."""
    return str(ada.post("/games/import", small()).json["id"])


def lines_of(caller: Caller, game: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = caller.get(f"/games/{game}/story").json["lines"]
    return lines


def test_the_lines_of_moves_that_were_taken_back_are_marked(
    ada: Caller, store: Store, game: str
) -> None:
    kept = play(ada, game, 4)
    gone = play(ada, game, 3)
    before = store.projector.table(game, kept[-1])
    back = append(
        store,
        game,
        MOVES_TAKEN_BACK,
        seat=0,
        to_version=kept[-1],
        moves=gone,
        proposal=None,
        state_hash=before.state_hash,
    ).version
    play(ada, game, 2)
    lines = lines_of(ada, game)
    marked = {line["version"] for line in lines if line.get("taken_back")}
    assert marked == {line["version"] for line in lines} & set(gone)
    assert marked
    (told,) = [line["text"] for line in lines if line["version"] == back]
    assert told == "Ada takes 3 moves back."


def test_a_page_of_a_story_is_final_when_the_game_is(ada: Caller, game: str, imported: str) -> None:
    play(ada, game, 5)
    running = ada.get(f"/games/{game}/story?limit=3")
    over = ada.get(f"/games/{imported}/story?limit=3")
    assert running.headers["Cache-Control"] == "no-cache"
    assert over.headers["Cache-Control"].endswith("max-age=86400")


def test_a_line_names_the_player_who_sat_there_at_that_time(
    ada: Caller, bob: Caller, store: Store, game: str
) -> None:
    play(ada, game, 2)
    left, came = {"id": ada.id, "name": "Ada"}, {"id": bob.id, "name": "Bob"}
    append(store, game, SEAT_FORFEITED, seat=0, player=left, reason="left", stand_in="random")
    append(
        store,
        game,
        SEAT_TAKEN_OVER,
        seat=0,
        player=came,
        **{"from": {"player": left, "reason": "left"}},
    )
    lines = lines_of(ada, game)
    assert lines[-1]["text"] == "Bob takes over the seat of Ada."
    assert any(line["text"].startswith("Ada:") for line in lines)
    assert not any(line["text"].startswith("Bob:") for line in lines)
