"""The client of a bot: `AsyncClient`, with the calls that only bots need, and with patience."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from cartulary.client import AsyncClient, RetryPolicy
from cartulary.client.core.calls import find_id
from cartulary.client.core.requests import Call, make_request

PATIENT: Final = RetryPolicy(attempts=1 << 30, patience=3600.0)
"""A bot waits for a service that restarts, however long it takes: it has nothing else to do."""

Json = dict[str, Any]


class BotClient(AsyncClient):
    """Raises what `AsyncClient` raises.

    `version` is that of the game as it was read just before: it makes the key of a request, because
    the same request at the same seat may be needed again when the game has changed.
    """

    async def set_bot(self, accepts: Mapping[str, object]) -> Json:
        """Say which invitations the bot accepts."""
        request = make_request("PUT", "/players/me/bot", {"accepts": dict(accepts)})
        return await self._send(Call(request, _as_is))

    async def read_transcript(self, game: str) -> Json:
        """Return a game as a file."""
        request = make_request("GET", f"/games/{find_id(game)}/transcript")
        return await self._send(Call(request, _as_is))

    async def read_seconds(self, game: str) -> float | None:
        """Return how many seconds are left for the decision, None where no clock runs."""
        request = make_request("GET", f"/games/{find_id(game)}/clock")
        clock = await self._send(Call(request, _as_is))
        if clock.get("deadline_at") is None:
            return None
        now, deadline = (datetime.fromisoformat(clock[name]) for name in ("now", "deadline_at"))
        return max(0.0, (deadline - now).total_seconds())

    async def say_ready(self, game: str, seat: int, version: int) -> Json:
        """Say at a live table that the bot is ready."""
        path = f"/games/{find_id(game)}/seats/{seat}/ready"
        key = f"bot-ready-{seat}-{version}"
        request = make_request("PUT", path, {"ready": True}, key=key)
        return await self._send(Call(request, _as_is))

    async def return_to(self, game: str, seat: int, version: int) -> Json:
        """Return to a seat at which a stand-in answers."""
        path = f"/games/{find_id(game)}/seats/{seat}/return"
        request = make_request("POST", path, {}, key=f"bot-return-{seat}-{version}")
        return await self._send(Call(request, _as_is))


def _as_is(body: Any) -> Any:
    return body
