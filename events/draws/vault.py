"""The vault: the secrets of the draws, encrypted in the store, and the commitments made beforehand.

A secret is encrypted with the key of this process and bound to the id of its game: copied to
another game it does not decrypt. The append that creates a game stores the secret in the same step,
and the append that ends the game deletes it (`append.lua`).
"""

from __future__ import annotations

from time import time
from typing import Any, Final, NamedTuple

from redis import Redis
from ulid import ULID

from cartulary.events.draws.keyring import Keyring
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import Invalid
from cartulary.events.model.failures import WrongKey
from cartulary.events.model.fairness import commit
from cartulary.events.server import keys

COMMITMENT_S: Final = 600
"""Seconds within which a commitment can be used."""

UNUSABLE: Final = (
    "/commitment",
    "a commitment is for one use by the player who asked for it, within ten minutes: ask for "
    "another one with POST /api/v1/fair/commitments",
)


class Commitment(NamedTuple):
    """A commitment made beforehand; `expires_at` is RFC 3339."""

    id: str
    commitment: str
    expires_at: str


class Vault:
    """The secrets of all games. Thread-safe."""

    def __init__(self, redis: Redis, keyring: Keyring, registry: Redis | None = None) -> None:
        """Keep secrets on `redis`; `registry` has commitments and the check value of the key."""
        self._redis = redis
        self._registry = redis if registry is None else registry
        self._keyring = keyring
        self._checked = False

    # -- the secrets of games -------------------------------------------------------------------

    def encrypt(self, bound_to: str, secret: bytes) -> bytes:
        """Return a secret as the store keeps it, only valid for the game that it is bound to.

        Raises `WrongKey` when the secrets of the store are encrypted with another key: secrets
        under two keys would be worse than a game that is not opened.
        """
        if not self._checked:
            self.claim()
        return self._keyring.encrypt(secret, bound_to)

    def read(self, game_id: str) -> bytes | None:
        """Return the secret of a game, None when it is missing; raises `WrongKey`."""
        stored: Any = self._redis.get(keys.secret(game_id))
        return None if stored is None else self._keyring.decrypt(stored, game_id)

    def has(self, game_id: str, commitment: str) -> bool:
        """Return whether the secret of a game is stored, decrypts, and has the commitment."""
        try:
            secret = self.read(game_id)
        except WrongKey:
            return False
        return secret is not None and commit(secret) == commitment

    def drop(self, game_id: str) -> None:
        """Delete the secret of a game, if it has any."""
        self._redis.delete(keys.secret(game_id))

    # -- the key --------------------------------------------------------------------------------

    def fits(self) -> bool:
        """Return whether a key of this process is that of the store; changes nothing."""
        stored: Any = self._registry.get(keys.key_check())
        return stored is None or self._keyring.knows(stored)

    def count(self) -> int:
        """Return the number of stored secrets: that of unfinished games with fair draws."""
        return sum(1 for _ in self._redis.scan_iter(match=keys.SECRETS_PATTERN, count=1000))

    def claim(self) -> None:
        """Note which key encrypts the secrets of the store, unless that is noted already.

        Raises `WrongKey` when it is another key.
        """
        stored: Any = self._registry.set(keys.key_check(), self._keyring.check, nx=True, get=True)
        if stored is not None and not self._keyring.knows(stored):
            raise WrongKey("the secrets of this store are encrypted with another CARTULARY_SECRET")
        self._checked = True

    def disregard_noted_key(self) -> None:
        """Encrypt with the key of this process, whatever key is noted; `adopt` comes afterwards."""
        self._checked = True

    def adopt(self) -> None:
        """Note the key of this process as that of the store, whatever key was noted before."""
        self._registry.set(keys.key_check(), self._keyring.check)
        self._checked = True

    def rotate(self) -> tuple[int, list[str]]:
        """Encrypt every secret with the first key of this process; then adopt the key.

        Safe while processes run that have the new and the old key. Returns the number of secrets
        and the games whose secret no key decrypts; such a secret stays as it is.
        """
        done, unreadable = 0, []
        for key in list(self._redis.scan_iter(match=keys.SECRETS_PATTERN, count=1000)):
            game_id = keys.game_of_events(key.decode())
            try:
                done += self._encrypt_again(game_id)
            except WrongKey:
                unreadable.append(game_id)
        self.adopt()
        return done, sorted(unreadable)

    def _encrypt_again(self, game_id: str) -> bool:
        """Encrypt a secret with the first key; False when the game ended in the meantime."""
        name = keys.secret(game_id)
        stored: Any = self._redis.get(name)
        if stored is None:
            return False
        again = self._keyring.encrypt(self._keyring.decrypt(stored, game_id), game_id)
        replaced: Any = self._redis.eval(_REPLACE, 1, name, stored, again)
        return bool(replaced)

    # -- commitments made beforehand --------------------------------------------------------------

    def prepare(self, player_id: str, secret: bytes) -> Commitment:
        """Store a secret for one use by a player, and return its commitment; raises `WrongKey`."""
        made = Commitment(str(ULID()), commit(secret), _expiry())
        name = keys.commitment(player_id, made.id)
        self._registry.set(name, self.encrypt(name, secret), ex=COMMITMENT_S)
        return made

    def find_prepared(self, player_id: str, commitment_id: str, use: str) -> bytes:
        """Return the secret of a commitment, which stays usable; `use` names the request.

        A request that has used the commitment may be repeated: it finds the secret again. Raises
        `Invalid` for a commitment that is used, expired, another player's or unknown.
        """
        name = keys.commitment(player_id, commitment_id)
        stored: Any = self._registry.get(name)
        secret, _, used_by = (stored or b"").partition(_GAP)
        if stored is None or used_by not in (b"", use.encode()):
            raise Invalid([UNUSABLE])
        return self._keyring.decrypt(secret, name)

    def use_prepared(self, player_id: str, commitment_id: str, use: str) -> None:
        """Use a commitment up for a request; raises `Invalid` when another request was faster."""
        name = keys.commitment(player_id, commitment_id)
        if not self._registry.eval(_USE, 1, name, _GAP, use):
            raise Invalid([UNUSABLE])


_GAP: Final = b" "
"""Base64 has no space: after it stands the request that has used the commitment."""

_USE: Final = """
local stored = redis.call('GET', KEYS[1])
if not stored then
  return 0
end
local gap = string.find(stored, ARGV[1], 1, true)
if gap then
  return string.sub(stored, gap + 1) == ARGV[2] and 1 or 0
end
redis.call('SET', KEYS[1], stored .. ARGV[1] .. ARGV[2], 'KEEPTTL')
return 1
"""

_REPLACE: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""


def _expiry() -> str:
    return format_time(int((time() + COMMITMENT_S) * 1000))
