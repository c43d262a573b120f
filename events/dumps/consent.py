"""Consent: whether all people of a game have said yes to open data.

Each person is asked once, and has said no until then. Built-in bots have no owner. A bot that a
player has made says what its owner says. A guest who merged into an account says what the account
says. A deleted player has no preferences left, so the answer is no.
"""

from __future__ import annotations

from collections.abc import Collection

from cartulary.events.people.players import PlayerRegistry
from cartulary.events.people.preferences import YES, Preferences


class Consents:
    """The answers of people, each asked once, as of one moment. All methods raise `RedisError`."""

    def __init__(self, players: PlayerRegistry, preferences: Preferences) -> None:
        self._players, self._preferences = players, preferences
        self._accounts: dict[str, str] = {}
        self._answers: dict[str, bool] = {}

    def find_account(self, player_id: str) -> str:
        """Return the account that a player is: that of the merged guest, else the same."""
        found = self._accounts.get(player_id)
        if found is None:
            found = self._accounts[player_id] = self._players.find_account(player_id)
        return found

    def are_given(self, people: Collection[str]) -> bool:
        """Return whether all of some players have said yes."""
        return all(self._is_given(self.find_account(one)) for one in people)

    def _is_given(self, account: str) -> bool:
        found = self._answers.get(account)
        if found is None:
            found = self._answers[account] = self._ask(account)
        return found

    def _ask(self, account: str) -> bool:
        player = self._players.by_id(account)
        if player is None or not player.name:
            return False
        if player.owner:
            return self._is_given(self.find_account(player.owner))
        return self._preferences.of(account)["open_data"] == YES
