"""What operators see of players: how they stand, found by id or by name, hidden ones as well."""

from __future__ import annotations

from typing import NamedTuple

from cartulary.events.chat.complaints import Complaints
from cartulary.events.order.log import LogEntry, OperatorLog
from cartulary.events.order.operators import Operators
from cartulary.events.people.name_folding import fold_name
from cartulary.events.people.name_index import NameIndex
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.sentences import Sentence, SentenceRegister


class PlayerStanding(NamedTuple):
    """A player as operators see one; `reports` counts what others have reported about the player.

    `log` has the newest lines about the player.
    """

    player: Player
    claimed_at: str | None
    muted: Sentence | None
    suspended: Sentence | None
    is_operator: bool
    reports: int
    log: list[LogEntry]


class PlayerStandings:
    """How all players stand. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        players: PlayerRegistry,
        names: NameIndex,
        muted: SentenceRegister,
        suspended: SentenceRegister,
        operators: Operators,
        complaints: Complaints,
        log: OperatorLog,
    ) -> None:
        self._players, self._names = players, names
        self._muted, self._suspended = muted, suspended
        self._operators, self._complaints, self._log = operators, complaints, log

    def describe(self, player: Player) -> PlayerStanding:
        """Return how a player stands."""
        return PlayerStanding(
            player,
            self._players.claimed_at(player.id),
            self._muted.find(player.id),
            self._suspended.find(player.id),
            self._operators.has(player.id),
            self._complaints.count_about(player.id),
            self._log.about(player.id),
        )

    def search(self, text: str) -> list[Player]:
        """Return the player with this id, or the first page of those whose names begin so."""
        by_id = self._players.by_id(text.strip())
        if by_id is not None:
            return [by_id]
        return self._names.search(text, with_hidden=True).players

    def find_exactly(self, text: str) -> list[Player]:
        """Return the player with this id, or those who have exactly this name."""
        found = self.search(text)
        exact = [one for one in found if one.name == text]
        same = [one for one in found if fold_name(one.name) == fold_name(text)]
        return exact or same or [one for one in found if one.id == text.strip()]
