"""What every view needs: the parts of the service, and who is calling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flask import Flask, current_app, request

from cartulary.service.http.observe import PLAYER
from cartulary.service.http.problems import Problem

if TYPE_CHECKING:
    from cartulary.events.players import Player
    from cartulary.events.store import Store
    from cartulary.games.offer import Offer
    from cartulary.service.http.assets import Asset
    from cartulary.service.http.limits import RateLimits
    from cartulary.service.http.streams import StreamGate
    from cartulary.service.process.metrics import Metrics
    from cartulary.service.process.settings import Settings

_EXTENSION = "cartulary"


@dataclass(slots=True)
class Parts:
    """The parts of one process of the service; `files` are those of the client that it makes."""

    settings: Settings
    store: Store
    offers: Mapping[str, Offer]
    limits: RateLimits
    metrics: Metrics
    streams: StreamGate
    files: dict[str, Asset] = field(default_factory=dict)


def install(app: Flask, made: Parts) -> None:
    """Give the app its parts."""
    app.extensions[_EXTENSION] = made


def parts() -> Parts:
    """Return the parts of the app that answers this request."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    found: Parts = app.extensions[_EXTENSION]
    return found


def environ() -> dict[str, Any]:
    """Return the WSGI environment of this request.

    Not `request.environ`: an attribute of that stand-in costs a microsecond each time.
    """
    found: dict[str, Any] = request._get_current_object().environ  # type: ignore[attr-defined]
    return found


def caller() -> Player | None:
    """Return who is calling, None for a request without a token.

    Raises `Problem` 401 `token_unknown` for a token that is nobody's, also where none is needed:
    a client that sends one believes in it.
    """
    return _caller(parts())


def player() -> Player:
    """Return who is calling; raises `Problem` 401 `token_missing` when nobody says so."""
    return _player(parts())


def writer() -> Player:
    """`player`, for a request that writes: counted against the limit of writes."""
    here = parts()
    found = _player(here)
    here.limits.hit("writes", found.id)
    return found


def _caller(here: Parts) -> Player | None:
    asked = environ()
    header = asked.get("HTTP_AUTHORIZATION")
    if not header:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("token_unknown", "send the token as `Authorization: Bearer …`")
    found = here.store.players.by_token(token.strip())
    if found is None:
        raise Problem("token_unknown", "no player has this token")
    asked[PLAYER] = found.id
    return found


def _player(here: Parts) -> Player:
    found = _caller(here)
    if found is None:
        raise Problem("token_missing", "send the token as `Authorization: Bearer …`")
    return found
