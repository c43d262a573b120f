"""The secrets of tournaments: what seeds the pairing, and the chain of a duplicate.

Both lie in one string next to the stream of the tournament, encrypted as the secrets of games are:
32 bytes for the pairing; in a duplicate 32 more, the last secret of the chain, from which all
earlier ones follow. The append that ends the tournament deletes the string.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple

from cartulary.events.draws.draws import Draws
from cartulary.events.draws.vault import Vault
from cartulary.events.model.fairness import SECRET_BYTES, commit
from cartulary.events.server import keys

MOST_LINKS: Final = 100
"""No chain is longer: a tournament has fewer rounds."""

SideKeys = dict[Callable[[str], str], bytes | None]


class TournamentSecret(NamedTuple):
    """The secrets of a tournament; `chain_end` is c_n of a duplicate with n rounds, else None."""

    pairing: bytes
    chain_end: bytes | None = None

    def commit_pairing(self) -> str:
        """Return the commitment to the secret of the pairing: 64 hex digits."""
        return commit(self.pairing)

    def find_link(self, commitment: str) -> bytes | None:
        """Return the secret of the chain that has a commitment, None where none has it."""
        link = self.chain_end or b""
        for _ in range(MOST_LINKS if link else 0):
            if commit(link) == commitment:
                return link
            link = sha256(link).digest()
        return None

    def commit_chain(self, rounds: int) -> str | None:
        """Return the end of the chain for so many rounds, to which its host commits.

        None where there is no chain.
        """
        link = self.chain_end
        if link is None:
            return None
        for _ in range(rounds):
            link = sha256(link).digest()
        return link.hex()


class TournamentSecrets:
    """The secrets of all tournaments. Thread-safe. All methods raise `RedisError`, `WrongKey`."""

    def __init__(self, vault: Vault, draws: Draws) -> None:
        self._vault, self._draws = vault, draws

    def make(self, with_chain: bool) -> TournamentSecret:
        """Return new secrets."""
        chain_end = self._draws.make_secret() if with_chain else None
        return TournamentSecret(self._draws.make_secret(), chain_end)

    def renew_chain(self, secret: TournamentSecret) -> TournamentSecret:
        """Return the secrets with another chain."""
        return secret._replace(chain_end=self._draws.make_secret())

    def store_with(self, tournament_id: str, secret: TournamentSecret, side: SideKeys) -> None:
        """Let an append store the secrets."""
        whole = secret.pairing + (secret.chain_end or b"")
        side[keys.secret] = self._vault.encrypt(tournament_id, whole)

    def delete_with(self, side: SideKeys) -> None:
        """Let an append delete the secrets: it reveals them."""
        side[keys.secret] = None

    def find(self, tournament_id: str, commitment: str) -> TournamentSecret | None:
        """Return the secrets of a tournament, None when they are lost.

        `commitment` is that to the secret of the pairing. Raises `WrongKey`: a secret under another
        key is not lost.
        """
        whole = self._vault.read(tournament_id)
        if whole is None or len(whole) not in _LENGTHS:
            return None
        secret = TournamentSecret(whole[:SECRET_BYTES], whole[SECRET_BYTES:] or None)
        return secret if secret.commit_pairing() == commitment else None


_LENGTHS: Final = (SECRET_BYTES, 2 * SECRET_BYTES)
