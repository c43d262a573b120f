"""Commands that hiredis reads for fakeredis, as it reads the answers of a real server."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from fakeredis._socket import FakeSocket
from hiredis import Reader

PARSE = "_parse_commands"
"""What we replace of fakeredis; `tests/project/test_borrowed.py` says what it has to be."""


def _parse_with_hiredis(self: Any) -> Generator[None, Any, None]:
    """Take pieces of what a client wrote, and run each command that is complete.

    fakeredis reads a command line by line in Python: a twentieth of the time of all quick tests.
    Raises `hiredis.ProtocolError` for what is no command; redis-py writes no such thing.
    """
    reader = Reader()
    while True:
        fields = False if self._paused else reader.gets()
        if fields is False:
            reader.feed((yield))
        else:
            self._process_command(fields)


def read_commands_with_hiredis() -> None:
    """Let the fake servers of this process read commands faster."""
    setattr(FakeSocket, PARSE, _parse_with_hiredis)
