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
from cartulary.outside.seats import Log, Seat, log_to_stderr
from cartulary.outside.spelling import InvalidName, Spelling, read_name

LARGEST: Final = 1 << 22
"""Bytes of a file whose content says whether a bot has changed; of a larger file it is the size."""


class OutsideBot(NamedTuple):
    """A bot of others.

    `source` changes with the file of the bot, not with what that file imports. `sit` seats the bot
    at a table; it takes what the bot writes for people.
    """

    name: str
    budget: Budget
    source: str
    sit: Callable[[Log], Seat]

    def open(self, log: Log = log_to_stderr) -> Seat:
        """Return the bot at a table: a context manager."""
        return self.sit(log)


def find_bot(name: str) -> OutsideBot:
    """Return a bot by its name (`spelling`); raises `InvalidName`."""
    return open_bot(read_name(name))


def open_bot(spelling: Spelling) -> OutsideBot:
    """Return the bot of a name that was read; raises `InvalidName`."""
    name, words = spelling.name, spelling.words
    if words:
        if shutil.which(words[0]) is None:
            raise InvalidName(f"{name!r}: there is no program {words[0]!r}")
        files = [Path(word) for word in words]
        return OutsideBot(
            name, spelling.budget, _digest(files), lambda log: EngineSeat(name, words, log)
        )
    function = load_function(spelling)
    file = find_file(spelling.module)
    source = _digest([] if file is None else [file])
    return OutsideBot(name, spelling.budget, source, lambda _log: FunctionSeat(name, function))


def _digest(files: Iterable[Path]) -> str:
    """Return 16 hex digits of the files that there are."""
    found = hashlib.sha256()
    for file in files:
        if file.is_file():
            size = file.stat().st_size
            found.update(file.read_bytes() if size <= LARGEST else str(size).encode())
    return found.hexdigest()[:16]
