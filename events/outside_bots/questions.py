"""Questions to webhook bots: which move, and the acceptance of a seat that was offered.

A bot with a webhook of the format `move` keeps no stream open. Each table that changes is looked at
(`workers.reactors`), and what its bots are to answer begins to wait here; the notifier asks them
(`workers.notices.bot_turns`). A question has the same name however often it arises, so it waits
once, and its name is the key of the move that answers it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple, Self

import orjson
from redis import Redis

from cartulary.events.model.clock import Clock
from cartulary.events.model.errors import LedgerError
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT
from cartulary.events.model.types import Json
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.notices.rows import MOVE, StoredWebhook
from cartulary.events.notices.waiting import NewEntry, WaitingEntry, WaitingList
from cartulary.events.outside_bots.connections import BotConnections
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.server import keys

LEASE_MS: Final = 30_000
"""Longer than an answer may take, and shorter than the lease of notices: a clock is running."""

MOST: Final = 100
"""Games of a bot that are looked at when its webhook begins to ask: it plays in fewer."""

Kind = Literal["move", "seat"]

log = logging.getLogger(__name__)


class BotQuestion(NamedTuple):
    """A question to a bot: `move` at the position `place`, or `seat`: to take the seat `place`.

    `version` is that of the game when the question arose, `seat` the one that is asked. `attempt`
    counts from 0.
    """

    kind: Kind
    bot: str
    game: str
    place: int
    version: int
    seat: int
    attempt: int = 0

    @classmethod
    def read(cls, entry: WaitingEntry) -> Self:
        """Return the question that waits as an entry."""
        return cls(*orjson.loads(entry.text))

    @property
    def name(self) -> str:
        """The name of the question, the same however often it arises."""
        return f"{self.kind}_{self.game}_{self.place}_{self.bot}"

    def text(self) -> bytes:
        """Return what the store keeps."""
        return orjson.dumps(list(self))


def find_asked(table: Table) -> BotQuestion | None:
    """Return what a bot of a player is asked at a table now; None where none is.

    Nothing while a stand-in answers for the bot, and while the game rests or is paused.
    """
    if table.play is None or not table.running:
        return None
    number = table.play.state.seat
    seat = table.seats[number]
    if not _is_bot(seat.player) or seat.answering_bot is not None or seat.forfeited is not None:
        return None
    if table.resting or (table.clocks is not None and table.clocks.paused is not None):
        return None
    assert seat.player is not None
    return BotQuestion("move", seat.player["id"], table.id, table.position, table.version, number)


def list_questions(table: Table) -> Iterator[BotQuestion]:
    """Yield what bots of players are to answer at a table: a move, offers of seats."""
    asked = find_asked(table)
    if asked is not None:
        yield asked
    for number, offer in table.open_offers.items():
        if _is_bot(offer.player):
            yield BotQuestion("seat", offer.player["id"], table.id, number, table.version, number)


def _is_bot(player: Json | None) -> bool:
    return player is not None and player.get("kind") == BOT


class BotQuestions:
    """What webhook bots are to answer. Thread-safe. Every method raises `RedisError`.

    `read_table` returns a game as it is now.
    """

    def __init__(
        self,
        redis: Redis,
        notices: NoticeRegistry,
        connections: BotConnections,
        clock: Clock,
        read_table: Callable[[str], Table],
    ) -> None:
        self._redis, self._notices, self._clock = redis, notices, clock
        self._connections, self._read_table = connections, read_table
        self._suspended = SentenceRegister(redis, keys.suspended(), clock)
        self.waiting = WaitingList(redis, keys.bot_questions(), keys.bot_question_texts(), LEASE_MS)

    def find_webhook(self, bot_id: str) -> StoredWebhook | None:
        """Return the webhook that asks a bot, None without one that is on."""
        for webhook in self._notices.list_webhooks(bot_id):
            if webhook.format == MOVE and not webhook.off:
                return webhook
        return None

    def is_there(self, bot_id: str) -> bool:
        """Return whether a bot would answer.

        It is connected, or a webhook asks it and has not failed the last time. The bot of a
        suspended player plays no further game.
        """
        if self._suspended.find(bot_id) is not None:
            return False
        if self._connections.is_connected(bot_id):
            return True
        webhook = self.find_webhook(bot_id)
        return webhook is not None and not webhook.failing_since

    def begin(self, bot_id: str) -> None:
        """Ask a bot whose webhook was registered or switched on, also what waits already."""
        self._connections.note_webhook(bot_id)
        self._ask_all(bot_id)

    def end(self, bot_id: str) -> None:
        """Note that a webhook asks a bot no more: it was removed, switched off, or has failed."""
        self._connections.forget_webhook(bot_id)

    def note_answer(self, bot_id: str) -> None:
        """Note that a bot has answered."""
        self._connections.note_webhook(bot_id)

    def ask(self, table: Table) -> None:
        """Let what the webhook bots at a table are to answer wait for the notifier.

        A table that no such bot has to answer at costs nothing.
        """
        for question in list_questions(table):
            if self.find_webhook(question.bot) is not None:
                now = self._clock.now_ms()
                self.waiting.add(NewEntry(question.name, now, question.text()))

    def _ask_all(self, bot_id: str) -> None:
        pipe = self._redis.pipeline(transaction=False)
        pipe.zrange(keys.turns(bot_id), 0, MOST - 1)
        pipe.zrange(keys.invited(bot_id), 0, MOST - 1)
        found: list[Any] = pipe.execute()
        for game in (one.decode() for games in found for one in games):
            self.ask_in(game)

    def ask_in(self, game_id: str) -> None:
        """Ask what waits in a game, if it can be read."""
        try:
            self.ask(self._read_table(game_id))
        except LedgerError as error:
            log.warning("bots are not asked in game %s: %s", game_id, error)
