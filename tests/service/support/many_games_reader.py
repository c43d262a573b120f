"""A reader of a stream of many games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import orjson

from tests.service.support.caller import Caller

SSE, NDJSON = "text/event-stream", "application/x-ndjson"

Json = dict[str, Any]


class ManyGamesReader:
    """Reads the lines of `GET /streams` as NDJSON; a context manager."""

    def __init__(self, caller: Caller, query: str, cursor: str = "") -> None:
        headers = {"Accept": NDJSON, **({"Last-Event-ID": cursor} if cursor else {})}
        self.answer = caller.get(f"/streams?{query}", headers=headers)
        assert self.answer.status_code == 200, self.answer.text
        self.cursor = cursor
        self._lines = self._split()

    def _split(self) -> Iterator[Json]:
        rest = b""
        for piece in self.answer.iter_encoded():
            *whole, rest = (rest + piece).split(b"\n")
            for line in filter(None, whole):
                read = orjson.loads(line)
                self.cursor = read.pop("cursor", self.cursor)
                yield read

    def read(self, number: int) -> list[Json]:
        """Return so many lines, without their cursors; waits for them."""
        return [next(self._lines) for _ in range(number)]

    def read_to_end(self) -> list[Json]:
        """Return all lines until the stream ends."""
        return list(self._lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()


def versions_of(lines: list[Json], game_id: str) -> list[int]:
    """Return the versions of the events of a game among lines."""
    return [
        line["event"]["version"]
        for line in lines
        if line.get("game") == game_id and "event" in line
    ]
