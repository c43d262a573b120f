"""The shelf: the puzzle of the day, the next one, puzzles of an installation's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cartulary.events.model.errors import Invalid
from cartulary.events.people.players import Player
from cartulary.events.puzzles.lines import count_moves, find_place, judge_line, read_start
from cartulary.events.puzzles.puzzles import NEAR
from cartulary.events.puzzles.shelf import PuzzleShelf, ShelfRow
from cartulary.events.puzzles.shipped import find_pack
from cartulary.events.store import Store
from cartulary.games import GAMES, OFFERS
from tests.events.support.handmade_puzzles import (
    CITY,
    NOBODY,
    caylus_puzzle,
    put_puzzles,
    small_puzzle,
)

PUZZLES = [small_puzzle(number, rating=1000 + 100 * number) for number in range(10)]


def test_the_puzzle_of_a_day_is_the_same_everywhere_and_the_games_take_turns(store: Store) -> None:
    shelf = put_puzzles(store, *PUZZLES, caylus_puzzle())
    days = [shelf.find_daily(day) for day in range(20)]
    other = PuzzleShelf(store.registry, ["caylus", "carcassonne"], shelf.load)
    assert [other.find_daily(day) for day in range(20)] == days
    found = [one.id for one in days if one is not None]
    assert [one.partition("-")[0] for one in found] == ["carcassonne", "caylus"] * 10
    assert set(found[::2]) == {one.id for one in PUZZLES}
    assert [*found[::2]] != sorted(found[::2])


def test_the_puzzle_of_a_day_does_not_depend_on_what_is_mined_here(store: Store) -> None:
    shelf = put_puzzles(store, *PUZZLES)
    before = [shelf.find_daily(day) for day in range(10)]
    shelf.add([small_puzzle(20), caylus_puzzle()])
    assert shelf.find(small_puzzle(20).id) == small_puzzle(20)
    assert [shelf.find_daily(day) for day in range(10)] == before


def test_a_shelf_without_puzzles_offers_no_puzzle(store: Store, ada: Player) -> None:
    shelf = put_puzzles(store)
    assert (shelf.list_games(), shelf.find_daily(7)) == ([], None)
    assert store.puzzles.choose_next(ada.id, "carcassonne", None) is None


def test_the_next_puzzle_is_near_the_player_and_not_answered(store: Store, ada: Player) -> None:
    put_puzzles(store, *PUZZLES, caylus_puzzle())
    seen: list[str] = []
    while puzzle := store.puzzles.choose_next(ada.id, "carcassonne", None):
        assert puzzle == store.puzzles.choose_next(ada.id, "carcassonne", None)
        rating = store.puzzles.book.read(ada.id).find_skill("carcassonne").rating
        missing = [one for one in PUZZLES if one.id not in seen]
        assert abs(puzzle.rating - rating) == min(abs(one.rating - rating) for one in missing)
        seen.append(puzzle.id)
        store.puzzles.answer(ada, puzzle, CITY, None)
    assert len(seen) == len(PUZZLES)


def test_the_next_puzzle_has_the_theme(store: Store, ada: Player) -> None:
    block = small_puzzle(11, rating=2500, themes=("block", "city"))
    put_puzzles(store, *PUZZLES, block)
    assert store.puzzles.shelf.list_themes("carcassonne") == ["block", "city"]
    assert store.puzzles.choose_next(ada.id, "carcassonne", "block") == block
    with pytest.raises(Invalid, match="block, city"):
        store.puzzles.choose_next(ada.id, "carcassonne", "blok")


def test_without_a_wish_the_next_puzzle_has_another_theme_than_the_last(
    store: Store, ada: Player
) -> None:
    blocks = [small_puzzle(20 + n, rating=1500 + n, themes=("block",)) for n in range(3)]
    far = small_puzzle(30, rating=2400, themes=("city", "block"))
    put_puzzles(store, *blocks, far)
    order = []
    while puzzle := store.puzzles.choose_next(ada.id, "carcassonne", None):
        order.append(puzzle.themes[0])
        store.puzzles.answer(ada, puzzle, CITY, None)
    assert order == ["block", "city", "block", "block"]


def test_puzzles_mined_here_have_no_names_and_are_found_by_other_processes(store: Store) -> None:
    shelf = put_puzzles(store, *PUZZLES)
    other = PuzzleShelf(store.registry, ["carcassonne"], shelf.load)
    assert other.find("carcassonne-mine") is None
    named = small_puzzle()._replace(
        id="carcassonne-mine", transcript={**small_puzzle().transcript, "players": ["Ada", "Bob"]}
    )
    assert (shelf.add([named]), shelf.add([named])) == (1, 0)
    found = other.find("carcassonne-mine")
    assert found is not None
    assert found.transcript == small_puzzle().transcript


def test_a_puzzle_that_is_mined_again_stays_as_it_was(store: Store) -> None:
    shelf, mined = put_puzzles(store), small_puzzle()
    assert (shelf.add([mined]), shelf.add([mined._replace(best=[NOBODY], rating=900)])) == (1, 0)
    other = PuzzleShelf(store.registry, ["carcassonne"], shelf.load)
    assert shelf.find(mined.id) == other.find(mined.id) == mined


def test_the_length_of_an_answer_does_not_depend_on_the_accepted_line() -> None:
    short = small_puzzle()._replace(best=[CITY[:1]])
    assert count_moves(short) == count_moves(small_puzzle()) == len(CITY)


@pytest.mark.parametrize("game", GAMES)
def test_every_first_puzzle_of_a_pack_accepts_its_lines_and_refuses_the_tempting_one(
    game: str,
) -> None:
    pack = find_pack(OFFERS[game])
    assert pack is not None
    for entry in pack.entries[:5]:
        puzzle = pack.read(entry.id)
        start = read_start(GAMES[game], puzzle)
        assert all(judge_line(start, puzzle, line) for line in puzzle.best)
        assert not judge_line(start, puzzle, puzzle.tempting)
        place = find_place(start, puzzle, "tempting", len(puzzle.after["tempting"]))
        assert place is not None


def test_choosing_looks_at_few_of_many_puzzles(store: Store, ada: Player) -> None:
    themes = ("city",), ("block",)
    put_puzzles(store, *(small_puzzle(n, 1000 + n, themes[n % 2]) for n in range(200)))
    shelf, looked = store.puzzles.shelf, list[str]()
    walk = shelf.walk_near

    def count(*arguments: Any) -> Iterator[ShelfRow]:
        for row in walk(*arguments):
            looked.append(row.id)
            yield row

    shelf.walk_near = count  # type: ignore[method-assign, assignment]
    for _ in range(3):
        looked.clear()
        puzzle = store.puzzles.choose_next(ada.id, "carcassonne", None)
        assert puzzle is not None
        assert NEAR <= len(looked) <= 2 * NEAR + 2
        store.puzzles.answer(ada, puzzle, CITY, None)
