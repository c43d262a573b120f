"""How the store keeps a token: one string that every request reads, and one row for its player.

`token:<sha256>` leads from the hash of a token to what a request needs. `tokens:<player>` has a
row for each token of a player, which the player can list. Both are written in one step. A token
from before the rows has none until it is used or listed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

import orjson

from cartulary.events.server import keys

READ, PLAY, ACCOUNT = "read", "play", "account"
SCOPES: Final = (READ, PLAY, ACCOUNT)
"""What a token may be for: to read what its player may read, which each token may; to write to
games; to write to the account. A token without a list of scopes means these three, for ever."""

OPERATOR: Final = "operator"
"""What only `cartulary operator` gives to a token, which then names it in its list: no request
gives it, no token passes it on."""

FORGOTTEN_MS: Final = 24 * 3_600_000
"""So long after its expiry the store forgets a token: a clock that jumps for a moment must not take
tokens away for ever."""

ID_LENGTH: Final = 16
"""Letters of the hash of a token that are its id."""

USED: Final = ":used"
"""Behind the id of a token: the field with the last day on which the token was used."""


class Stored(NamedTuple):
    """What a request needs to know of a token; `scopes` is None for a token that may do all.

    `expires_at` is in ms since the epoch, 0: never.
    """

    player_id: str
    expires_at: int = 0
    scopes: frozenset[str] | None = None

    def count_seconds(self, now_ms: float) -> float:
        """Return the seconds for which the token is still valid."""
        return (self.expires_at - now_ms) / 1000 if self.expires_at else float("inf")


def read_stored(value: bytes) -> Stored:
    """Return what a value of `token:<sha256>` says: `<player> [<expires ms> [<scopes>]]`."""
    player_id, expires_at, scopes = (*value.decode().split(" "), "", "")[:3]
    return Stored(player_id, int(expires_at or 0), frozenset(scopes.split(",")) if scopes else None)


def _write_stored(player_id: str, row: TokenRow) -> str:
    words = [player_id]
    if row.expires_at or row.scopes is not None:
        words.append(str(row.expires_at))
    if row.scopes is not None:
        words.append(",".join(row.scopes))
    return " ".join(words)


def list_scopes(scopes: Collection[str] | None) -> list[str]:
    """Return the scopes in their order; None stands for `SCOPES`."""
    return [one for one in (*SCOPES, OPERATOR) if one in (SCOPES if scopes is None else scopes)]


def limit_scopes(scopes: Collection[str]) -> list[str] | None:
    """Return the scopes of a token that a request asks for; None when they are `SCOPES`.

    Every token may read, and no request gives what only operators have.
    """
    chosen = list_scopes({*scopes, READ} - {OPERATOR})
    return None if len(chosen) == len(SCOPES) else chosen


class TokenRow(NamedTuple):
    """What a player can see of a token. Times are RFC 3339; `expires_at` as in `Stored`."""

    hash: str
    label: str
    created_at: str
    expires_at: int = 0
    scopes: list[str] | None = None

    @property
    def id(self) -> str:
        """Return the id of the token."""
        return self.hash[:ID_LENGTH]


def write_row(row: TokenRow) -> bytes:
    """Return a row as the store keeps it."""
    return orjson.dumps(row._asdict())


def read_row(value: bytes) -> TokenRow:
    """Return a stored row."""
    return TokenRow(**orjson.loads(value))


def add_token(pipe: Any, player_id: str, row: TokenRow) -> None:
    """Add the commands that store a token with its row."""
    pipe.hset(keys.tokens(player_id), row.id, write_row(row))
    until = {"pxat": row.expires_at + FORGOTTEN_MS} if row.expires_at else {}
    pipe.set(keys.token(row.hash), _write_stored(player_id, row), **until)


def remove_token(pipe: Any, player_id: str, token_hash: str) -> None:
    """Add the commands that remove a token with its row."""
    pipe.delete(keys.token(token_hash))
    token_id = token_hash[:ID_LENGTH]
    pipe.hdel(keys.tokens(player_id), token_id, token_id + USED)
