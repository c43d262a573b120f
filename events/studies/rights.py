"""Who may do what in studies, besides who their authors are."""

from __future__ import annotations

from typing import Final

from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import Muted, NotForBots, QuotaExceeded
from cartulary.events.people.players import Player
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.server import keys
from cartulary.events.studies.listing import StudyLists

MOST: Final = 200
"""The most studies that a player may have a part in. An invitation is no part."""


class StudyRights:
    """Judges players. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, registry: Redis, lists: StudyLists, clock: Clock) -> None:
        self._lists = lists
        self._muted = SentenceRegister(registry, keys.muted(), clock)

    def must_have_room(self, player: Player) -> None:
        """Raise `NotForBots`, or `QuotaExceeded` for a player who writes in enough studies."""
        if player.is_bot:
            raise NotForBots("a bot writes no study")
        used = self._lists.count_of(player.id)
        if used >= MOST:
            raise QuotaExceeded("studies", MOST, used, 0, None)

    def must_have_the_word(self, player: Player) -> None:
        """Raise `Muted` for a player who may write nothing that others read."""
        sentence = self._muted.find(player.id)
        if sentence is not None:
            raise Muted(sentence.until_text)
