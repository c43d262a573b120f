"""A client of the service for Python: `Client`, and `AsyncClient` for programs with an event loop.

    from cartulary.client import Client

    with Client("http://127.0.0.1:8000") as client:
        client.create_player("Ada")
        game = client.create_game("carcassonne", [{"kind": "me"}, {"kind": "bot", "bot": "easy"}])

Writes carry idempotency keys and are repeated as `docs/http.md` says; streams go on after the last
line. The types of answers are in `cartulary.client.core.api_types`; they are open, so a client
reads the answers of later releases. The extra `client` installs what is needed.
"""

from cartulary.client.async_client import AsyncClient
from cartulary.client.core.following_many import ClosedLine, GameLine, ItemLine, ManyLine
from cartulary.client.core.lines import EventLine, NamedLine, ResetLine, StreamLine
from cartulary.client.core.problems import (
    ApiProblem,
    ClientError,
    Conflict,
    ConnectionLost,
    Forbidden,
    IllegalMove,
    Invalid,
    NotFound,
    StaleVersion,
    TooMany,
    Unauthenticated,
    Unavailable,
)
from cartulary.client.core.retries import RetryPolicy
from cartulary.client.sync_client import Client

__all__ = [
    "ApiProblem",
    "AsyncClient",
    "Client",
    "ClientError",
    "ClosedLine",
    "Conflict",
    "ConnectionLost",
    "EventLine",
    "Forbidden",
    "GameLine",
    "IllegalMove",
    "Invalid",
    "ItemLine",
    "ManyLine",
    "NamedLine",
    "NotFound",
    "ResetLine",
    "RetryPolicy",
    "StaleVersion",
    "StreamLine",
    "TooMany",
    "Unauthenticated",
    "Unavailable",
]
