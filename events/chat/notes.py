"""Notes: a text that a player keeps on a game, which no other player reads."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.streams import IdempotencyRecord
from cartulary.events.model.errors import IdempotencyMismatch
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.scripts import read_script

LONGEST: Final = 4096
"""Bytes (UTF-8) of a note."""


def fault_of_note(text: str) -> str | None:
    """Return what is wrong with a note, None when nothing is wrong."""
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text if letter not in "\n\t"):
        return "must not hold control characters but line feeds and tabs"
    if len(text.encode()) > LONGEST:
        return f"must have at most {LONGEST} bytes in UTF-8"
    return None


class Notes:
    """The notes of all players on all games. Thread-safe."""

    def __init__(self, ledger: Ledger, projector: Projector, bringing_back: BringingBack) -> None:
        self._bringing_back = bringing_back
        self._ledger, self._projector = ledger, projector
        self._redis, self._registry = ledger.redis, ledger.registry
        script = read_script("chat", "note.lua")
        self._keep = self._redis.register_script(script)

    def read(self, player: Player, game_id: str) -> str:
        """Return the note of a player, '' without a note. Raises `NotFound`."""
        self._projector.visible(game_id, player.id)
        return self.find(player.id, game_id) or ""

    def find(self, player_id: str, game_id: str) -> str | None:
        """Return the note of a player, None without a note. Checks no right to read it."""
        found = self._ledger.read_value(
            game_id,
            lambda pipe: pipe.hget(keys.notes(game_id), player_id),
            lambda carried: carried.read_hash("notes").get(player_id.encode()),
        )
        return found.decode() if found else None

    def write(self, player: Player, game_id: str, text: str, key: str | None = None) -> bool:
        """Keep a note in the place of the one before; an empty text removes it.

        Returns whether the key was used before with the same text: then nothing has changed.
        Raises `NotFound`, `IdempotencyMismatch`.
        """
        self._projector.visible(game_id, player.id)
        # First, so that no note is left behind when the account is deleted.
        self._bringing_back.pin(game_id)
        self._registry.sadd(keys.wrote(player.id), game_id)
        field, digest = Idempotency.of(player.id, key, "note", text) or ("", "")
        answer = self._write(game_id, field, digest, player.id, text)
        if answer[0] == 1:
            return False
        if IdempotencyRecord.parse(answer[1]).digest != digest:
            raise IdempotencyMismatch
        return True

    def forget(self, player_id: str, game_id: str) -> None:
        """Remove the note of a player whose account is deleted."""
        if self.find(player_id, game_id) is not None:
            self._bringing_back.pin(game_id)
            self._write(game_id, "", "", player_id, "")

    def _write(self, game_id: str, *words: str) -> Any:
        names = [keys.idempotency(game_id), keys.notes(game_id), keys.events(game_id)]
        return self._bringing_back.write_there(
            game_id, lambda: self._keep(keys=names, args=list(words))
        )
