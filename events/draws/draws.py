"""The draws of games: where chance comes from when a move is made.

A fair game draws from its seed, which follows from its secret. A game from before fair draws goes
on with the system's random source. A replay reads what was recorded and needs nothing of this.
"""

from __future__ import annotations

import random
from typing import Final

from cartulary.engine.chance import Dealer, RandomSource
from cartulary.events.draws.vault import Vault
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.cache import Cache
from cartulary.events.model.errors import NotCached
from cartulary.events.model.failures import SecretMissing
from cartulary.events.model.fairness import (
    SECRET_BYTES,
    DerivedSource,
    commit,
    derive_bot_seed,
    derive_seed,
)
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.server import keys

CAPACITY: Final = 4 * 1024 * 1024
"""Bytes of secrets that a process caches in its memory."""
WEIGHT: Final = 200
"""Bytes of a cached secret and its commitment."""


class Draws:
    """The chance of all games. Thread-safe.

    `rng` makes secrets, and the draws of games from before fair draws: the system's random source,
    but in tests.
    """

    def __init__(self, vault: Vault, rng: random.Random | None = None) -> None:
        self._vault = vault
        self._rng = rng or random.SystemRandom()
        self._dealer = RandomSource(self._rng)
        self._secrets: Cache[str, bytes] = Cache(CAPACITY, lambda _secret, _before: WEIGHT)
        self._seeds: Cache[str, bytes] = Cache(CAPACITY, lambda _seed, _before: WEIGHT)

    def make_secret(self) -> bytes:
        """Return a new secret."""
        return self._rng.randbytes(SECRET_BYTES)

    def remember(self, secret: bytes) -> str:
        """Cache a secret and return its commitment."""
        commitment = commit(secret)
        self._secrets.put(commitment, secret)
        return commitment

    def forget(self) -> None:
        """Drop what is cached."""
        self._secrets.clear()
        self._seeds.clear()

    def source(self, table: Table) -> Dealer:
        """Return what answers the next draws of a table.

        Raises `SecretMissing`, `WrongKey`, `RedisError`.
        """
        if table.fair is None:
            return self._dealer
        return DerivedSource(self._seed(table), max(table.fair.number, 0))

    def cached_source(self, table: Table) -> Dealer:
        """Return what answers the next draws, without asking the store; raises `NotCached`."""
        fair = table.fair
        if fair is None:
            return self._dealer
        seed = self._seeds.get(fair.commitment) if fair.entropies else None
        if seed is None:
            if self._secrets.get(fair.commitment) is None:
                raise NotCached
            seed = self._seed(table)
        return DerivedSource(seed, max(fair.number, 0))

    def bot_seed(self, table: Table) -> str | None:
        """Return the seed for the bot that is to move; None in a game without fair draws.

        16 hex digits. Raises `SecretMissing`, `WrongKey`, `RedisError`.
        """
        if table.fair is None or table.play is None:
            return None
        return derive_bot_seed(self._seed(table), table.position, table.play.state.seat)

    def reveal(self, table: Table, draft: Draft) -> Json:
        """Return what the last event of a draft says of the secret: null when the secret is lost.

        Null as well in a game of a duplicate round, whose secret its tournament reveals.

        The append deletes the secret. Raises `WrongKey`: a secret under another key is not lost.
        """
        if table.fair is None:
            return {}
        draft.side_keys[keys.secret] = None
        if table.fair.round is not None:
            return {"secret": None}  # the other tables of the round have the same draws
        secret = self._find(table)
        return {"secret": None if secret is None else secret.hex()}

    def _seed(self, table: Table) -> bytes:
        """Return the seed of a fair table; from the start on it stays the same, and is cached."""
        assert table.fair is not None
        commitment, has_started = table.fair.commitment, table.fair.entropies
        seed = self._seeds.get(commitment) if has_started else None
        if seed is not None:
            return seed
        secret = self._find(table)
        if secret is None:
            raise SecretMissing(table.id)
        seed = derive_seed(secret, table.entropies)
        if has_started:
            self._seeds.put(commitment, seed)
        return seed

    def _find(self, table: Table) -> bytes | None:
        """Return the secret of a fair table, None when the store does not have it."""
        assert table.fair is not None
        secret = self._secrets.get(table.fair.commitment)
        if secret is None:
            secret = self._vault.read(table.id)
            if secret is None or self.remember(secret) != table.fair.commitment:
                return None
        return secret


class NewSecret:
    """The secret of a game that is being opened: made, or taken from a commitment made beforehand.

    A game that draws nothing asks for no commitment, and has no secret.
    """

    def __init__(
        self,
        draws: Draws,
        vault: Vault,
        player_id: str,
        prepared: str | None,
        use: str = "",
        given: bytes | None = None,
    ) -> None:
        """Open for a player; `prepared` is the id of the commitment made beforehand, if any.

        `use` names the request, so that a repeated request may use the same commitment again.
        `given` is the secret of a duplicate round, which all its games share.
        """
        self._draws, self._vault = draws, vault
        self._player_id, self._prepared, self._use = player_id, prepared, use
        self._given = given
        self._secret: bytes | None = None

    def commit(self) -> str:
        """Choose the secret and return its commitment.

        Raises `Invalid` for a commitment that cannot be used, `WrongKey`.
        """
        if self._given is not None:
            self._secret = self._given
        elif self._prepared is None:
            self._secret = self._draws.make_secret()
        else:
            self._secret = self._vault.find_prepared(self._player_id, self._prepared, self._use)
        return self._draws.remember(self._secret)

    def store_with(self, draft: Draft) -> None:
        """Let the append of a draft store the secret, if there is any; call it just before.

        Uses the commitment made beforehand up. Raises `Invalid` when another request has used it,
        `WrongKey`.
        """
        if self._secret is not None:
            draft.side_keys[keys.secret] = self._vault.encrypt(draft.game_id, self._secret)
            if self._prepared is not None:
                self._vault.use_prepared(self._player_id, self._prepared, self._use)
