"""What the ledger needs of the games on offer. They are handed in: no game is named in here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from cartulary.engine.core import Game

Rules = Mapping[str, Game]
"""The rules of the games on offer, by the name of the game."""


class Offered(Protocol):
    """A game on offer, as far as the ledger is concerned."""

    @property
    def rules(self) -> Game:
        """The rules that fold its events and judge its moves."""

    @property
    def bots(self) -> Collection[str]:
        """The names of the bots that may sit at its table; a mapping by name will do.

        A bot of a mapping may have a `strength`, which the league has measured.
        """


def find_strength(bots: Collection[str], name: str) -> int | None:
    """Return the strength of a bot on offer, None where the league has measured none."""
    entry = bots[name] if isinstance(bots, Mapping) and name in bots else None
    found: int | None = getattr(entry, "strength", None)
    return found


Offers = Mapping[str, Offered]
"""The games on offer, by name."""
