"""Find out who is calling, by the token of the request, and whether that is allowed now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cartulary.events.model.errors import Suspended
from cartulary.events.people.players import hash_token
from cartulary.events.people.rows import ACCOUNT, OPERATOR, PLAY, SCOPES
from cartulary.service.http.operations import OF_ITSELF
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.observer import PLAYER
from cartulary.service.http.wire.problems import Problem
from cartulary.service.http.wire.server_marks import AT_ONCE, COUNTED
from cartulary.service.process.bounds import find_network

if TYPE_CHECKING:
    from cartulary.events.people.players import Player
    from cartulary.events.people.sentences import Sentence

_SCOPES = "cartulary.scopes"
"""The scopes of the token of a request; missing for a token that may do all."""
SUSPENDED = "cartulary.suspended"
"""What the operators have decided about the player of a request; missing for most players."""
_TICKET = "cartulary.ticket"
"""The hash of the token that asked for the ticket of a request."""


def read_token(environ: Environ) -> str | None:
    """Return the token of a request, None without one; raises `Problem` 401 for another scheme."""
    header = environ.get("HTTP_AUTHORIZATION")
    if not header:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("token_unknown", "send the token as `Authorization: Bearer …`")
    return str(token.strip())


def find_caller(environ: Environ, services: Services) -> Player | None:
    """Return the player of the token, None for a request without a token.

    Raises `Problem` 401 `token_unknown` for an unknown, expired or revoked token, even where no
    token is needed: a client that sends a token relies on it.
    """
    token = read_token(environ)
    if token is None:
        return None
    players = services.store.players
    # The event loop must not wait for the store: there, a token that is not cached is unknown.
    found = players.cached(token) if AT_ONCE in environ else players.access(hash_token(token))
    if found is None:
        raise Problem("token_unknown", "no player has this token, or it has expired")
    environ[PLAYER] = found.player.id
    services.store.presence.note(found.player.id)
    if found.scopes is not None:
        environ[_SCOPES] = found.scopes
    if found.suspended is not None:
        environ[SUSPENDED] = found.suspended
    return found.player


def must_reach(environ: Environ, scope: str) -> None:
    """Raise `Problem` 403 `scope_missing` when the token of a request lacks a scope.

    A token without a list of scopes is from a registration, or from before there were lists: it
    never means operator.
    """
    scopes: frozenset[str] | None = environ.get(_SCOPES)
    if scope not in (SCOPES if scopes is None else scopes):
        way = ": only `cartulary operator NAME` gives it" if scope == OPERATOR else ""
        raise Problem("scope_missing", f"the token lacks the scope `{scope}`{way}", scope=scope)


def must_not_be_suspended(environ: Environ, services: Services) -> None:
    """Raise `Suspended` when what the operators have decided keeps a player from writing.

    For a request whose environment has `SUSPENDED`.
    """
    sentence: Sentence = environ[SUSPENDED]
    if environ["REQUEST_METHOD"] not in ("GET", "HEAD") and sentence.holds(
        services.store.clock.now_ms()
    ):
        raise Suspended(sentence.until_text)


def scopes_of(environ: Environ) -> frozenset[str] | None:
    """Return the scopes of the token of a request, None when it may do all."""
    found: frozenset[str] | None = environ.get(_SCOPES)
    return found


def is_operator(environ: Environ) -> bool:
    """Return whether the token of a request has the scope of operators."""
    return OPERATOR in (scopes_of(environ) or ())


def redeem_ticket(
    environ: Environ,
    services: Services,
    ticket: str,
    included: Sequence[str] = (),
    bound_to: str | None = None,
) -> Player:
    """Return the player of a ticket, and use the ticket up.

    `included` are the named events that the request asks for. The ticket has to be bound to
    `bound_to`, by default to the path of the request.

    Raises `Problem` 401 `ticket_unknown`.
    """
    place = environ["PATH_INFO"] if bound_to is None else bound_to
    found = services.store.tickets.redeem(ticket, place, included)
    if found is None:
        raise Problem(
            "ticket_unknown",
            "the ticket is unknown, used, older than a minute, or not for what is asked",
        )
    environ[PLAYER] = found.player.id
    services.store.presence.note(found.player.id)
    environ[_TICKET] = found.token_hash
    return found.player


def hash_caller_token(environ: Environ) -> str | None:
    """Return the hash of the token that a request came with, itself or by a ticket."""
    by_ticket: str | None = environ.get(_TICKET)
    if by_ticket is not None:
        return by_ticket
    token = read_token(environ)
    return None if token is None else hash_token(token)


def require_scope(scope: str, environ: Environ, services: Services) -> Player:
    """Return the player of the token.

    Raises `Problem` 401 for a missing or unknown token, 403 for a token without the scope.
    """
    who = require_player(find_caller(environ, services))
    if scope == OF_ITSELF:
        scope = PLAY if who.is_bot else ACCOUNT
    must_reach(environ, scope)
    return who


def require_writer(limit: str, scope: str, environ: Environ, services: Services) -> Player:
    """Return the player of the token, and count the request once, also when it comes back.

    Raises what `require_scope` raises, and `Problem` 429 above the limit.
    """
    who = require_scope(scope, environ, services)
    if COUNTED not in environ:
        services.limits.hit(limit, who.id, environ)
        environ[COUNTED] = True
    return who


def limit_address(limit: str, environ: Environ, services: Services) -> None:
    """Count a request of an address, or of its network; raises `Problem` 429 above the limit."""
    services.limits.hit(limit, find_network(environ.get("REMOTE_ADDR") or ""), environ)


def require_player(who: Player | None) -> Player:
    """Return `who`; raises `Problem` 401 `token_missing` for None."""
    if who is None:
        raise Problem("token_missing", "send the token as `Authorization: Bearer …`")
    return who
