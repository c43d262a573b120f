"""The tokens of a player: issued for a device or a program, listed, and revoked.

A token that issues another token gives nothing that it does not have: neither scopes nor time.
What issues a token and what revokes all others watch the same keys, so that a token that is being
revoked issues nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.client import Pipeline

from cartulary.events.model.clock import SYSTEM, Clock, format_time
from cartulary.events.model.errors import NotFound, QuotaExceeded, Refused
from cartulary.events.model.types import Json
from cartulary.events.people.players import PlayerRegistry, hash_token, make_token
from cartulary.events.people.rows import (
    USED,
    Stored,
    TokenRow,
    add_token,
    limit_scopes,
    list_scopes,
    read_row,
    read_stored,
    remove_token,
    write_row,
)
from cartulary.events.server import keys

MOST: Final = 50
"""The most tokens that a player may have."""

_GONE: Final = "the token has been revoked, or it has expired"


class TokenGone(Refused, code="token_unknown"):
    """The token of the request became invalid while the request was under way."""


class Wish(NamedTuple):
    """What a new token is to be; `expires_at` is in ms since the epoch, 0: never."""

    label: str
    scopes: list[str] | None = None
    expires_at: int = 0


class Token(NamedTuple):
    """A token as its player sees it; `last_used_at` is a day, None: not since its issue."""

    row: TokenRow
    last_used_at: str | None

    def describe(self) -> Json:
        """Return it as JSON: without its hash."""
        row = self.row
        return {
            "id": row.id,
            "label": row.label,
            "scopes": list_scopes(row.scopes),
            "created_at": row.created_at,
            "expires_at": format_time(row.expires_at) if row.expires_at else None,
            "last_used_at": self.last_used_at,
        }


class Issued(NamedTuple):
    """A new token, and what its player sees of it."""

    secret: str
    token: Token


class Tokens:
    """The tokens of all players. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, players: PlayerRegistry, clock: Clock = SYSTEM) -> None:
        self._redis, self._players, self._clock = redis, players, clock

    def issue(
        self,
        player_id: str,
        wish: Wish,
        by: str | None = None,
        check: Callable[[Pipeline], None] | None = None,
    ) -> Issued:
        """Issue a token; it is shown this once.

        `by` is the hash of the token that asks. `check` raises when the token must not be issued;
        it is asked in the same step. Raises `TokenGone` when that token is invalid,
        `QuotaExceeded`.
        """
        secret = make_token()
        row = TokenRow(hash_token(secret), wish.label, self._now(), wish.expires_at, wish.scopes)

        def issue(pipe: Pipeline) -> None:
            self.must_be_valid(pipe, by)
            self._must_have_room(pipe, player_id)
            if check is not None:
                check(pipe)
            pipe.multi()
            add_token(pipe, player_id, row)

        self.change(player_id, by, issue)
        return Issued(secret, Token(row, None))

    def issue_alike(self, player_id: str, label: str, like: str) -> Issued:
        """Issue a token with the scopes and the end of another one, whose hash is `like`.

        What only operators have it does not get. Raises `TokenGone` when that token is invalid,
        `QuotaExceeded`.
        """
        stored = self.read(self._redis, like)
        if stored is None:
            raise TokenGone(_GONE)
        scopes = None if stored.scopes is None else limit_scopes(stored.scopes)
        return self.issue(player_id, Wish(label, scopes, stored.expires_at), like)

    def replace_all(
        self, player_id: str, wish: Wish, also: Callable[[Pipeline], None] | None = None
    ) -> Issued:
        """Issue a token, revoke all others of the player and remove the passkeys, in one step.

        `also` adds more commands to this step.
        """
        secret = make_token()
        row = TokenRow(hash_token(secret), wish.label, self._now(), wish.expires_at, wish.scopes)
        self._revoke_all(player_id, None, row, also)
        return Issued(secret, Token(row, None))

    def change(
        self, player_id: str, by: str | None, change: Callable[[Pipeline], Any], *more: str
    ) -> None:
        """Change something in one step, again from the start when the tokens have changed.

        So it is when one of the keys `more` has changed.
        """
        watched = [keys.tokens(player_id), *([keys.token(by)] if by else []), *more]
        self._redis.transaction(change, *watched)

    def guard(self, by: str | None) -> Callable[[Pipeline], None]:
        """Return a step of a transaction that fails with `TokenGone` when a token is invalid then.

        For what is no part of `change`; None is the token of no request.
        """

        def check(pipe: Pipeline) -> None:
            if by is not None:
                pipe.watch(keys.token(by))  # type: ignore[no-untyped-call]
                self.must_be_valid(pipe, by)

        return check

    def must_be_valid(self, pipe: Pipeline, by: str | None) -> None:
        """Raise `TokenGone` when the token with a hash is invalid; a step of `change`."""
        if by is not None and self.read(pipe, by) is None:
            raise TokenGone(_GONE)

    def read(self, pipe: Any, token_hash: str) -> Stored | None:
        """Return what is stored of a valid token, None for an invalid token."""
        value = pipe.get(keys.token(token_hash))
        stored = None if value is None else read_stored(value)
        return stored if stored and stored.count_seconds(self._clock.now_ms()) > 0 else None

    def check_room(self, player_id: str) -> None:
        """Raise `QuotaExceeded` when a player has as many tokens as a player may have."""
        self._must_have_room(self._redis, player_id)

    def _must_have_room(self, pipe: Any, player_id: str) -> None:
        rows = _read_rows(pipe.hgetall(keys.tokens(player_id)))
        now = self._clock.now_ms()
        living = [row for row in rows if not row.expires_at or row.expires_at > now]
        if len(living) >= MOST:
            raise QuotaExceeded("tokens", MOST, len(living), 0, None)

    def end_of(self, token_hash: str) -> int:
        """Return when a valid token expires, in ms since the epoch, 0: never.

        Raises `TokenGone`.
        """
        stored = self.read(self._redis, token_hash)
        if stored is None:
            raise TokenGone(_GONE)
        return stored.expires_at

    def find(self, player_id: str, token_id: str) -> Token:
        """Return a token of a player; raises `NotFound`."""
        for one in self.list_of(player_id):
            if one.row.id == token_id:
                return one
        raise NotFound("you have no such token")

    def list_of(self, player_id: str) -> list[Token]:
        """Return the valid tokens of a player, the oldest first.

        A registration from before the rows gets the row of its token; the rows of tokens that have
        expired or that a killed process has left go.
        """
        fields: Any = self._redis.hgetall(keys.tokens(player_id))
        rows = {row.hash: row for row in _read_rows(fields)}
        first = self._read_first(player_id)
        if first is not None:
            rows.setdefault(first.hash, first)
        dead = set(self._players.find_invalid(list(rows)))
        self._tidy(player_id, dead, first if first and first.hash not in dead else None)
        living = [row for row in rows.values() if row.hash not in dead]
        days = [fields.get(f"{row.id}{USED}".encode()) for row in living]
        found = [
            Token(row, day.decode() if day else None) for row, day in zip(living, days, strict=True)
        ]
        return sorted(found, key=lambda one: (one.row.created_at, one.row.id))

    def _tidy(self, player_id: str, dead: Iterable[str], first: TokenRow | None) -> None:
        pipe = self._redis.pipeline(transaction=False)
        for token_hash in dead:
            remove_token(pipe, player_id, token_hash)
        if first is not None:
            pipe.hsetnx(keys.tokens(player_id), first.id, write_row(first))
        pipe.execute()

    def _read_first(self, player_id: str) -> TokenRow | None:
        """Return the row that the token of a registration has, None where that is unknown."""
        found: Any = self._redis.hmget(keys.player(player_id), "token_hash", "created_at")
        token_hash, created_at = found
        return TokenRow(token_hash.decode(), "", created_at.decode()) if token_hash else None

    def revoke(self, player_id: str, token_id: str) -> None:
        """Make a token invalid: here at once, elsewhere and for streams within 5 s.

        Raises `NotFound`.
        """
        self._revoke(player_id, [self.find(player_id, token_id).row.hash])

    def revoke_scope(self, player_id: str, scope: str) -> None:
        """Make all tokens of a player invalid whose list of scopes names this one."""
        tokens = self.list_of(player_id)
        self._revoke(player_id, [one.row.hash for one in tokens if scope in (one.row.scopes or ())])

    def revoke_others(self, player_id: str, but: str | None) -> None:
        """Make all tokens of a player invalid but the token with a hash (None: all of them)."""
        self._revoke_all(player_id, but, None)

    def _revoke_all(
        self,
        player_id: str,
        but: str | None,
        new: TokenRow | None,
        also: Callable[[Pipeline], None] | None = None,
    ) -> None:
        revoked = list[str]()

        def revoke(pipe: Pipeline) -> None:
            revoked[:] = self._list_revoked(pipe, player_id, but)
            pipe.multi()
            for token_hash in revoked:
                remove_token(pipe, player_id, token_hash)
            if new is not None:
                # A stranger who had a token may have added a passkey with it.
                pipe.delete(keys.passkeys(player_id))
                add_token(pipe, player_id, new)
            if also is not None:
                also(pipe)

        self.change(player_id, None, revoke)
        for token_hash in revoked:
            self._players.forget(token_hash)

    def _list_revoked(self, pipe: Any, player_id: str, but: str | None) -> list[str]:
        """Return the hashes of all tokens of a player but one, valid or not."""
        first = self._read_first(player_id)
        hashes = [row.hash for row in _read_rows(pipe.hgetall(keys.tokens(player_id)))]
        if first is not None:
            hashes.append(first.hash)
        return [one for one in dict.fromkeys(hashes) if one != but]

    def _revoke(self, player_id: str, hashes: Iterable[str]) -> None:
        pipe = self._redis.pipeline(transaction=True)
        for token_hash in hashes:
            remove_token(pipe, player_id, token_hash)
            self._players.forget(token_hash)
        pipe.execute()

    def _now(self) -> str:
        return format_time(self._clock.now_ms())


def _read_rows(fields: Any) -> list[TokenRow]:
    """Return the rows of `tokens:<player>`."""
    return [read_row(value) for name, value in fields.items() if b":" not in name]
