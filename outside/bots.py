"""The bots of others by their names."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from cartulary.bots import Budget
from cartulary.outside.engines import EngineSeat
from cartulary.outside.functions import FunctionSeat, find_file, load_function
from cartulary.outside.seats import BotSeat, Log, log_to_stderr
from cartulary.outside.spelling import InvalidName, Spelling, read_name

LARGEST: Final = 1 << 22
"""Bytes of a file whose content says whether a bot has changed; of a larger file it is the size."""


class LoadedBot(NamedTuple):
    """A bot of others.

    `source` changes with the file of the bot, not with what that file imports. `sit` seats the bot
    at a table; it takes a function for lines about the bot, and whether an engine that starts is
    such a line. `is_bounded`: a thought ends by itself when
    it takes too long.
    """

    name: str
    budget: Budget
    source: str
    sit: Callable[[Log, bool], BotSeat]
    is_bounded: bool

    def open(self, log: Log = log_to_stderr, *, greet: bool = True) -> BotSeat:
        """Return the bot at a table: a context manager."""
        return self.sit(log, greet)


def find_bot(name: str) -> LoadedBot:
    """Return a bot by its name (`spelling`); raises `InvalidName`."""
    return open_bot(read_name(name))


def open_bot(spelling: Spelling) -> LoadedBot:
    """Return the bot of a name that was read; raises `InvalidName`."""
    name, words = spelling.name, spelling.words
    if words:
        if shutil.which(words[0]) is None:
            raise InvalidName(f"{name!r}: there is no program {words[0]!r}")
        source = _digest(Path(word) for word in words)

        def start(log: Log, greet: bool) -> BotSeat:
            return EngineSeat(name, words, log, greet=greet)

        return LoadedBot(name, spelling.budget, source, start, True)
    function = load_function(spelling)
    file = find_file(spelling.module)
    source = _digest([] if file is None else [file])

    def sit(_log: Log, _greet: bool) -> BotSeat:
        return FunctionSeat(name, function)

    return LoadedBot(name, spelling.budget, source, sit, False)


def _digest(files: Iterable[Path]) -> str:
    """Return 16 hex digits of the files that there are."""
    found = hashlib.sha256()
    for file in files:
        if file.is_file():
            size = file.stat().st_size
            found.update(file.read_bytes() if size <= LARGEST else str(size).encode())
    return found.hexdigest()[:16]
