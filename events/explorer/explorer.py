"""The explorer of one process: its book, opened when it is needed, and what fills it."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

from cartulary.engine.core import State
from cartulary.explorer.questions import ask

if TYPE_CHECKING:
    from cartulary.events.explorer.book import Book
    from cartulary.events.explorer.building import Builder


class Explorer:
    """The explorer behind a URL, '' for none; `make_builder` makes what fills it. Thread-safe."""

    def __init__(self, make_builder: Callable[[], Builder], url: str = "") -> None:
        self.url, self.make_builder = url, make_builder
        self._lock = Lock()
        self._book: Book | None = None
        self._process = 0

    @property
    def is_set(self) -> bool:
        """Whether this installation has an explorer."""
        return bool(self.url)

    @property
    def book(self) -> Book:
        """The open book. Raises `InvalidArchiveUrl`, `ArchiveUnavailable`."""
        # Imported here: SQLAlchemy takes longer than all else that a process imports at its start.
        from cartulary.events.explorer.book import Book

        with self._lock:
            if self._book is None or self._process != os.getpid():
                self._book, self._process = Book(self.url), os.getpid()
            return self._book

    def find_key(self, game: str, state: State[Any]) -> str | None:
        """Return the key of a position, None without an explorer and where no seat decides."""
        if not self.is_set or state.decision is None:
            return None
        return ask(game, state).keys[-1]

    def close(self) -> None:
        """Close the book, if this process has opened it."""
        with self._lock:
            book, self._book = self._book, None
        if book is not None and self._process == os.getpid():
            book.close()
