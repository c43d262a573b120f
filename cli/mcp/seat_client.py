"""The client of the service for a model: what `cartulary.client` has, and the reads in words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final, cast

from cartulary.client import AsyncClient
from cartulary.client.core.calls import find_id
from cartulary.client.core.requests import Call, Lost, Outcome, make_error, make_request

Json = dict[str, Any]


_SUMMARY: Final = re.compile(r' aria-label="[^"]*"|<desc>[^<]*</desc>')
"""What a picture says to those who do not see it: the names of players are in it."""


class RawCall(Call[bytes]):
    """A request whose answer is a text or a picture."""

    def finish(self, outcome: Outcome) -> bytes:
        """Return the body as it came; raises `ApiProblem`, `ConnectionLost`."""
        if isinstance(outcome, Lost) or outcome.status >= 300:
            raise make_error(self.request, outcome)
        return outcome.body


class SeatClient(AsyncClient):
    """A client with the calls that words need; raises what `AsyncClient` raises."""

    async def list_offers(self) -> list[Json]:
        """Return what can be played."""
        return cast("list[Json]", (await self._read("/catalogue"))["games"])

    async def list_moves_in_words(self, game: str) -> Json:
        """Return the legal moves with numbers and sentences, and their version."""
        return await self._read(f"/games/{find_id(game)}/moves", words=1)

    async def explain_move(self, game: str, move: Mapping[str, Any]) -> Json:
        """Return whether a move is legal now, and the broken rule."""
        return await self._read(f"/games/{find_id(game)}/why", move=json.dumps(move))

    async def read_position(self, game: str) -> str:
        """Return the table in words."""
        return (await self._read_raw(f"/games/{find_id(game)}/position.txt")).decode()

    async def read_pixels(self, game: str) -> bytes:
        """Return the picture of the board as PNG, without the players, as `read_drawing` does."""
        return await self._read_raw(f"/games/{find_id(game)}/board.png", parts="board")

    async def read_drawing(self, game: str) -> str:
        """Return the picture of the board as SVG, without the players: a model reads its texts.

        `position.txt` has the players, with names in quotation marks.
        """
        drawn = await self._read_raw(f"/games/{find_id(game)}/board.svg", parts="board")
        return _SUMMARY.sub("", drawn.decode())

    async def _read(self, path: str, **query: object) -> Json:
        request = make_request("GET", path, query=query)
        return await self._send(Call(request, lambda body: cast("Json", body)))

    async def _read_raw(self, path: str, **query: object) -> bytes:
        return await self._send(RawCall(make_request("GET", path, query=query), bytes))
