"""From intents to deliveries: one message for a turn, one for several games at once."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson
from redis.exceptions import RedisError

from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.intents import NoticeIntent, name_intent
from cartulary.events.notices.kinds import Channel
from cartulary.events.notices.log import LoggedNotice, NoticeOutcome
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.waiting import (
    UNREADABLE_MS,
    MarkedPause,
    NewEntry,
    WaitingEntry,
    open_intents,
)
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers.notices.judging import NoticeJudge, NoticeVerdict

log = logging.getLogger("cartulary.notices")

AT_ONCE: Final = 500
"""Intents that are taken at once."""

SEVERAL: Final = 3
"""More turns than these within `WINDOW_MS` become one message about all of them."""

WINDOW_MS: Final = 10 * 60 * 1000

MAIL_PAUSE_MS: Final = 12 * 3600 * 1000
"""For so long there is no second mail of the day: many games are taken in several steps."""


class _Judged(NamedTuple):
    entry: WaitingEntry
    intent: NoticeIntent


class Notifying:
    """Takes intents that are due and settles them. For one thread. Raises `RedisError`."""

    def __init__(self, store: Store) -> None:
        self._store, self._registry, self._log = store, store.notices, store.notice_log
        self._intents = open_intents(store.registry)
        self._judge = NoticeJudge(store)

    def step(self) -> int:
        """Settle what is due now; returns how many intents were taken."""
        self._registry.wishes.repair()
        now = self._store.clock.now_ms()
        taken = self._intents.take_as(NoticeIntent.read, now, AT_ONCE)
        groups: defaultdict[tuple[str, Channel], list[_Judged]] = defaultdict(list)
        settings = self._registry.read_settings_of(list({one.player: None for _, one in taken}))
        for entry, intent in taken:
            judged = self._try(entry, intent, settings[intent.player], now)
            if judged is not None:
                groups[intent.player, intent.channel].append(judged)
        for (player, channel), found in groups.items():
            self._deliver(player, channel, found, now, settings[player])
        return len(taken)

    def _try(
        self, entry: WaitingEntry, intent: NoticeIntent, settings: NoticeSettings, now: int
    ) -> _Judged | None:
        try:
            return self._judge_one(entry, intent, settings, now)
        except RedisError:
            raise
        except Exception:
            # It is judged again: one that always fails must not end the process for all others.
            log.exception("the notice %s has failed", entry.name)
            self._intents.put_off(entry, now + UNREADABLE_MS)
            return None

    def _judge_one(
        self, entry: WaitingEntry, intent: NoticeIntent, settings: NoticeSettings, now: int
    ) -> _Judged | None:
        """Return an intent that is to be sent now; settle or put off every other one."""
        if intent.type == "your_turn":
            self._plan_reminder(intent, settings)
        if settings.find_delay(intent.type, intent.channel) is None:
            self._intents.settle([entry])
            return None
        if intent.type == "turn_reminder":
            due = self._judge.find_reminder(intent, settings)
            # A vacation, an outage or time that was given has moved the deadline.
            if due is not None and due > now:
                self._intents.put_off(entry, due)
                return None
        verdict = (
            NoticeVerdict(False, "joined")
            if self._says_its_turn(intent)
            else self._judge.judge(intent, settings, now)
        )
        if verdict.send:
            return _Judged(entry, intent)
        if verdict.until:
            self._intents.put_off(entry, verdict.until)
        else:
            self._intents.settle([entry])
        self._note(intent, verdict.why, now, verdict.until)
        return None

    def _says_its_turn(self, intent: NoticeIntent) -> bool:
        """Say whether the notice of a start is part of that of the first turn: one message."""
        if intent.channel != "push" or intent.type != "game_started":
            return False
        name = name_intent(intent.player, intent.channel, intent.subject, "your_turn")
        return self._intents.has(name)

    def _plan_reminder(self, intent: NoticeIntent, settings: NoticeSettings) -> None:
        """Let the reminder of a turn wait for its time; the one of an earlier turn is replaced."""
        if settings.find_delay("turn_reminder", intent.channel) is None:
            return
        due = self._judge.find_reminder(intent, settings)
        if due is None:
            return
        item = {**intent.item, "type": "turn_reminder"}
        item["id"] = item["id"].replace(":your_turn:", ":turn_reminder:")
        name = name_intent(intent.player, intent.channel, intent.subject, "turn_reminder")
        self._intents.replace(NewEntry(name, due, orjson.dumps(item)))

    # -- deliveries -------------------------------------------------------------------------------

    def _deliver(
        self,
        player: str,
        channel: Channel,
        found: Sequence[_Judged],
        now: int,
        settings: NoticeSettings,
    ) -> None:
        """Settle intents, each with its deliveries, or together those that become one message."""
        if channel == "email":
            self._deliver_mail(player, found, now)
            return
        joined = [] if channel == "webhook" else self._choose_joined(player, found, now, settings)
        if joined:
            items = [one.intent.item for one in joined]
            self._settle(player, channel, joined, items, now)
        for one in found:
            if one not in joined:
                self._settle(player, channel, [one], [one.intent.item], now)

    def _choose_joined(
        self, player: str, found: Sequence[_Judged], now: int, settings: NoticeSettings
    ) -> list[_Judged]:
        """Return what becomes one push message: that of the day, or many turns within minutes."""
        if settings.digest is not None:
            return [one for one in found if one.intent.type != "security"]
        turns = [one for one in found if one.intent.type == "your_turn"]
        if turns and self._count_recent(player, now) + len(turns) > SEVERAL:
            return turns
        self._remember(player, len(turns), now)
        return []

    def _deliver_mail(self, player: str, found: Sequence[_Judged], now: int) -> None:
        """Settle intents with one mail of the day, or let them wait for that of tomorrow."""
        urgent = [one for one in found if one.intent.type == "security"]
        others = [one for one in found if one not in urgent]
        if urgent:
            self._settle(player, "email", urgent, [one.intent.item for one in urgent], now)
        if others and not self._settle_mail(player, others, now):
            self._wait_for_next_mail(player, others, now)

    def _settle_mail(self, player: str, judged: Sequence[_Judged], now: int) -> bool:
        """Settle intents with the mail of the day; returns False when there was one already."""
        items = [one.intent.item for one in judged]
        deliveries = list(self._list_deliveries(player, "email", items, now))
        pause = MarkedPause(keys.mailed(player), now, MAIL_PAUSE_MS)
        entries = [one.entry for one in judged]
        if not self._intents.settle_once(entries, deliveries, "email", pause):
            return False
        self._note_joined(judged, now)
        return True

    def _wait_for_next_mail(self, player: str, judged: Sequence[_Judged], now: int) -> None:
        due = self._registry.read_settings(player).find_digest(now, "email")
        for one in judged:
            self._intents.put_off(one.entry, due or now + MAIL_PAUSE_MS)
            self._note(one.intent, "digest", now, due or 0)

    def _settle(
        self,
        player: str,
        channel: Channel,
        judged: Sequence[_Judged],
        items: list[Json],
        now: int,
    ) -> None:
        deliveries = list(self._list_deliveries(player, channel, items, now))
        self._intents.settle([one.entry for one in judged], deliveries, channel)
        self._note_joined(judged, now)

    def _note_joined(self, judged: Sequence[_Judged], now: int) -> None:
        for one in judged[1:]:
            self._note(one.intent, "joined", now)

    def _list_deliveries(
        self, player: str, channel: Channel, items: list[Json], now: int
    ) -> Iterator[NewEntry]:
        for endpoint in self._list_endpoints(player, channel, items):
            id_ = f"{items[0]['id']}:{channel}:{endpoint}"
            yield Delivery(id_, player, channel, endpoint, items, now).start(now)

    def _list_endpoints(
        self, player: str, channel: Channel, items: Sequence[Json]
    ) -> Iterator[str]:
        if channel == "push":
            yield from (browser.id for browser in self._registry.list_browsers(player))
            return
        if channel == "email":
            address = self._registry.emails.find(player)
            yield from [address.id] if address is not None and address.is_told else []
            return
        kinds = {item["type"] for item in items}
        for webhook in self._registry.list_webhooks(player):
            if not webhook.off and kinds <= set(webhook.types):
                yield webhook.id

    # -- what was sent lately ---------------------------------------------------------------------

    def _count_recent(self, player: str, now: int) -> int:
        key = keys.told_lately(player)
        found: Any = self._store.registry.zcount(key, now - WINDOW_MS, "+inf")
        return int(found)

    def _remember(self, player: str, turns: int, now: int) -> None:
        if not turns:
            return
        key = keys.told_lately(player)
        pipe = self._store.registry.pipeline(transaction=False)
        pipe.zadd(key, {f"{now}-{number}": now for number in range(turns)})
        pipe.pexpire(key, WINDOW_MS)
        pipe.execute()

    def _note(self, intent: NoticeIntent, why: NoticeOutcome, now: int, until: int = 0) -> None:
        line = LoggedNotice(intent.item["id"], now, why, intent.channel, intent.item, next=until)
        self._log.write((intent.player,), line)
