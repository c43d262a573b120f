"""Single questions to a book of the explorer, each as of its own moment."""

from __future__ import annotations

from cartulary.events.explorer.book import Book
from cartulary.events.explorer.counting import BestGame, Met


def read(book: Book, game: str, key: str, seats: int | None, bands: range) -> Met:
    with book.open() as opened:
        return opened.read(game, key, seats, bands)


def read_best(book: Book, game: str, key: str, seats: int | None) -> list[BestGame]:
    with book.open() as opened:
        return opened.read_best(game, key, seats)


def count(book: Book, game: str) -> int:
    with book.open() as opened:
        return opened.count(game)


def is_ready(book: Book) -> bool:
    with book.open() as opened:
        return opened.is_ready()
