"""Judging an intent when it is due: is it true, is the player looking, is it quiet there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from cartulary.events.lists.inbox import Type
from cartulary.events.lists.inbox_items import STANDING_ANSWER
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.types import MOVE_MADE, Json
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
        due = settings.find_digest(milliseconds(intent.item["timestamp"]), intent.channel)
        if due is not None and due > now:
            return NoticeVerdict(False, "digest", due)
        return SEND

    def is_true(self, player_id: str, item: Json) -> bool:
        """Say whether an item still holds: the turn was not taken, the offer is open."""
        kind, game_id = item["type"], item["data"].get("game")
        if is_of_a_turn(item):
            return self.find_deadline(player_id, game_id) is not None
        if kind == "turn_reminder":
            return self._is_untouched(item)
        if kind in OF_AN_OFFER:
            score = self._store.registry.zscore(keys.invited(player_id), game_id)
            return score is not None
        if kind == "proposal_made":
            summary = self._store.projections.summary(game_id)
            proposal = None if summary is None else summary.get("proposal")
            return proposal is not None and proposal["id"] == item["data"]["version"]
        if kind == "mistake_returned":
            return self._store.returned_mistakes.is_open(player_id, item["id"])
        return True

    def find_fresh(self, items: Iterable[Json]) -> frozenset[str]:
        """Return the ids of the items about turns that stand because nothing happened since.

        One round trip for all of them.
        """
        turns = [item for item in items if is_of_a_turn(item)]
        games = list({item["data"]["game"]: None for item in turns})
        last = dict(zip(games, self._store.ledger.last_stored(games), strict=True)) if games else {}
        return frozenset(
            item["id"]
            for item in turns
            if last[item["data"]["game"]].version == item["data"]["version"]
        )

    def stands(self, player_id: str, item: Json) -> bool | None:
        """Say whether an item that is about to be sent still holds: what `is_true` says, and more.

        A turn is judged by the stream as well, so that a dispatcher that hangs makes no message
        wrong, and a message that was retried is not about an earlier turn of the player. None: the
        projections are behind the stream, so it is not known yet.
        """
        if not self.is_true(player_id, item):
            return False
        return self._is_same_turn(item) if is_of_a_turn(item) else True

    def _is_same_turn(self, item: Json) -> bool | None:
        """Say whether no other seat has moved since the turn of an item began, None: not known."""
        game_id, version = item["data"]["game"], item["data"]["version"]
        try:
            since = self._store.ledger.events(game_id, version - 1)
        except LedgerError:
            return True  # Of a later release: what the projections say has to do.
        if not since:
            return False  # The store has lost it.
        if any(_is_move_of_another(event, item["data"]["seat"]) for event in since[1:]):
            return False
        if len(since) == 1:
            return True
        known = self._store.projections.read_version(game_id)
        return True if known == since[-1]["version"] else None

    def _is_untouched(self, item: Json) -> bool:
        """Say whether nothing has happened in a game since the warning that it will end."""
        summary = self._store.projections.summary(item["data"]["game"])
        return summary is not None and bool(summary["version"] == item["data"]["version"])

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


def is_of_a_turn(item: Json) -> bool:
    """Say whether an item is about a turn; a reminder with a code warns that a game will end."""
    return item["type"] in OF_A_TURN and "code" not in item["data"]


def _is_move_of_another(event: Json, seat: int) -> bool:
    """Say whether an event is a move that another seat was asked for."""
    return (
        event["type"] == MOVE_MADE and event["seat"] != seat and event.get("by") != STANDING_ANSWER
    )
