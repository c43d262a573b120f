"""The book of the explorer: sums in a database, on SQLite and on PostgreSQL."""

from __future__ import annotations

import random

from sqlalchemy import update

from cartulary.events.explorer.book import Book
from cartulary.events.explorer.counting import (
    ASKED,
    BOUNDS,
    Count,
    ExploredGame,
    Sums,
    explore,
    list_bands,
)
from cartulary.events.explorer.tables import KEPT, states
from tests.events.explorer.looking import count, is_ready, read, read_best
from tests.events.explorer.played import play
from tests.support.games import ALL_GAMES

ALL = list_bands(None)


def make(number: int, strength: int = 0, *, key: str = "k", band: int = 0) -> ExploredGame:
    """A game in which one seat was asked one question, and answered `a`."""
    sums = {
        Count(key, 2, band, ASKED): Sums(1, 0, 0, 0, 0),
        Count(key, 2, band, "a"): Sums(1, 1, 1, 500, 70),
        Count(key, 2, band, "b"): Sums(1, 0, 0, 0, 0),
    }
    return ExploredGame(f"g{number:03}", "beans", 2, strength, frozenset([key]), sums)


def test_a_game_that_is_added_twice_counts_once(book: Book) -> None:
    assert book.add([make(1), make(2)]) == 2
    assert book.add([make(2), make(3)]) == 1
    met = read(book, "beans", "k", None, ALL)
    assert met.asked == 3
    assert [(one.answer, one.sums) for one in met.answers] == [
        ("a", Sums(3, 3, 3, 1500, 210)),
        ("b", Sums(3, 0, 0, 0, 0)),
    ]
    assert book.find_missing(["g001", "g009"]) == ["g009"]
    assert count(book, "beans") == 3


def test_in_whatever_portions_games_are_added_the_sums_are_the_same(
    book: Book, rng: random.Random
) -> None:
    rules = ALL_GAMES["caylus"]
    games = [explore(*play("caylus", 2, seed), rules, [1550.0, None]) for seed in range(6)]
    keys = sorted({key for game in games for key in game.keys})[::9]
    book.add(games)
    whole = [read(book, "caylus", key, 2, ALL) for key in keys]
    book.clear()
    for game in rng.sample(games, len(games)):
        book.add([game])
    assert [read(book, "caylus", key, 2, ALL) for key in keys] == whole
    assert sum(met.asked for met in whole) > len(keys)


def test_sums_are_asked_for_by_rating_and_by_the_size_of_the_table(book: Book) -> None:
    book.add([make(1, band=0), make(2, band=2), make(3, band=5)])
    asked = [read(book, "beans", "k", None, list_bands(least)).asked for least in (None, *BOUNDS)]
    assert asked == [3, 2, 1, 1, 1]
    assert read(book, "beans", "k", 3, ALL).asked == 0
    assert read(book, "caylus", "k", None, ALL).asked == 0


def test_of_a_narrow_key_each_answer_was_possible_for_all(book: Book) -> None:
    sums = {
        Count("k/~0", 2, 0, ASKED): Sums(1, 0, 0, 0, 0),
        Count("k/~0", 2, 0, "a"): Sums(1, 1, 0, 0, 9),
    }
    other = {
        Count("k/~0", 2, 0, ASKED): Sums(1, 0, 0, 0, 0),
        Count("k/~0", 2, 0, "b"): Sums(1, 1, 0, 0, 9),
    }
    keys = frozenset(["k/~0"])
    book.add([ExploredGame(f"g{n}", "beans", 2, 0, keys, s) for n, s in enumerate([sums, other])])
    met = read(book, "beans", "k/~0", None, ALL)
    assert [(one.answer, one.sums.offered, one.sums.times) for one in met.answers] == [
        ("a", 2, 1),
        ("b", 2, 1),
    ]


def test_the_best_rated_games_are_kept_whatever_their_order(book: Book, rng: random.Random) -> None:
    games = [make(number, 1000 + number) for number in range(3 * KEPT)]
    for game in rng.sample(games, len(games)):
        book.add([game])
    found = read_best(book, "beans", "k", 2)
    assert [one.strength for one in found] == [1000 + 3 * KEPT - n for n in range(1, KEPT + 1)]
    assert [one.id for one in found] == [f"g{3 * KEPT - n:03}" for n in range(1, KEPT + 1)]
    assert read_best(book, "beans", "k", 3) == []


def test_tables_of_another_form_are_emptied(book: Book) -> None:
    book.add([make(1)])
    assert book.prepare()
    with book.database.writing() as connection:
        connection.execute(update(states).values(value="0"))
    assert not is_ready(book)
    assert not book.prepare()
    assert is_ready(book)
    assert count(book, "beans") == 0


def test_how_far_games_are_followed_is_noted_for_each_game(book: Book) -> None:
    assert book.read_followed("beans") == 0
    book.note_followed("beans", 5)
    book.note_followed("beans", 7)
    assert (book.read_followed("beans"), book.read_followed("caylus")) == (7, 0)


def test_skipped_games_are_not_looked_at_again(book: Book) -> None:
    names = [(f"s{n}", "beans") for n in range(3)]
    assert book.add([], names) == 0
    assert book.find_missing([name for name, _ in names]) == []
    assert book.add([make(1)], names) == 1


def test_no_reader_learns_how_many_games_were_skipped(book: Book) -> None:
    book.add([make(1)], [("private", "beans"), ("unlisted", "beans")])
    assert count(book, "beans") == 1
    book.add([], [("private too", "beans")])
    assert count(book, "beans") == 1


def test_how_many_games_are_counted_is_said_for_each_game(book: Book) -> None:
    book.add([make(1), make(2)], [("c1", "caylus")])
    book.note_followed("beans", 9)
    assert (count(book, "beans"), count(book, "caylus"), count(book, "carcassonne")) == (2, 0, 0)
    book.clear()
    assert count(book, "beans") == 0
