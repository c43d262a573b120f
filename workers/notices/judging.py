"""Judging an intent when it is due: is it true, is the player looking, is it quiet there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cartulary.events.lists.inbox import Type
from cartulary.events.model.types import Json, milliseconds
from cartulary.events.notices.intents import NoticeIntent
from cartulary.events.notices.log import NoticeOutcome
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.server import keys
from cartulary.events.store import Store

OF_A_TURN: Final[frozenset[Type]] = frozenset({"your_turn", "turn_reminder"})
OF_AN_OFFER: Final[frozenset[Type]] = frozenset({"seat_offered", "rematch_opened"})


class NoticeVerdict(NamedTuple):
    """What becomes of an intent now: `send`, or not for a reason.

    `until` (ms since the epoch): it is judged again then, 0: it is settled.
    """

    send: bool
    why: NoticeOutcome = "sent"
    until: int = 0


SEND: Final = NoticeVerdict(True)


class NoticeJudge:
    """Judges by what the projections say now. Raises `RedisError`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def judge(self, intent: NoticeIntent, settings: NoticeSettings, now: int) -> NoticeVerdict:
        """Return what becomes of an intent that is due."""
        if not self.is_true(intent.player, intent.item):
            return NoticeVerdict(False, "taken")
        if intent.game is not None and intent.type not in ("game_over", "security"):
            present = self._store.presence.read(intent.game).players
            if intent.player in present:
                return NoticeVerdict(False, "looking")
        if intent.type == "security":
            return SEND  # A device has signed in: that waits for no morning.
        if (quiet := settings.find_quiet_end(now)) is not None:
            return NoticeVerdict(False, "quiet", quiet)
        due = settings.find_digest(milliseconds(intent.item["timestamp"]))
        if due is not None and due > now:
            return NoticeVerdict(False, "digest", due)
        return SEND

    def is_true(self, player_id: str, item: Json) -> bool:
        """Say whether an item still holds: the turn was not taken, the offer is open."""
        kind, game_id = item["type"], item["data"].get("game")
        if kind in OF_A_TURN:
            return self.find_deadline(player_id, game_id) is not None
        if kind in OF_AN_OFFER:
            score = self._store.registry.zscore(keys.invited(player_id), game_id)
            return score is not None
        if kind == "proposal_made":
            summary = self._store.projections.summary(game_id)
            proposal = None if summary is None else summary.get("proposal")
            return proposal is not None and proposal["version"] == item["data"]["version"]
        return True

    def find_deadline(self, player_id: str, game_id: str) -> int | None:
        """Return the score of a player's turn in a game (`keys.turns`), None: not their turn."""
        score: Any = self._store.registry.zscore(keys.turns(player_id), game_id)
        return None if score is None else int(score)

    def find_reminder(self, intent: NoticeIntent, settings: NoticeSettings) -> int | None:
        """Return when the reminder of a turn is due (ms), None without a deadline or a wish."""
        deadline = self.find_deadline(intent.player, intent.subject)
        if deadline is None or deadline >= keys.UNTIMED or settings.reminder is None:
            return None
        began = milliseconds(intent.item["timestamp"])
        return int(began + settings.reminder * (deadline - began))


def count_games(items: Sequence[Json]) -> int:
    """Return about how many games items are."""
    return len({item["data"].get("game") for item in items})
