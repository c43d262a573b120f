"""Refused moves of bots of players: counted by bot, game and position, in the store.

A refusal changes nothing. The third refusal of a bot at one position schedules a command of the
service, which the sweep gives: a stand-in answers for the bot (`stand_in_seated`, `bot_failed`).
A repeated idempotency key counts once, and the count is exact over all processes. A webhook bot
that was asked three times in vain has failed as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from uuid import uuid4

from redis import Redis

from cartulary.events.commands.judging.endings import put_stand_in
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import BOT_FAILED
from cartulary.events.people.players import hash_token
from cartulary.events.server import keys

REFUSALS: Final = 3
"""The number of refused moves at one position with which the bot has failed."""

COUNTED_S: Final = 24 * 3600
"""How long refusals are counted: a late bot fails sooner."""


class Failure(NamedTuple):
    """A seat whose bot has failed at a position of a game."""

    game: str
    position: int
    seat: int


class FailingBots:
    """Counts refusals and replaces bots that fail. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, writer: EventWriter, offers: Offers) -> None:
        self._redis, self._writer, self._offers = redis, writer, offers

    def note_refusal(self, table: Table, player_id: str, key: str | None) -> None:
        """Count a refused move of the bot that is asked; a repeated `key` counts once."""
        play = table.play
        if play is None:
            return
        counted = keys.refusals(table.id, table.position, player_id)
        member = str(uuid4()) if key is None else hash_token(key)
        pipe = self._redis.pipeline(transaction=True)
        pipe.sadd(counted, member)
        pipe.scard(counted)
        pipe.expire(counted, COUNTED_S)
        if pipe.execute()[1] >= REFUSALS:
            self.schedule(Failure(table.id, table.position, play.state.seat))

    def schedule(self, failure: Failure) -> None:
        """Let the sweep replace a bot that has failed, unless it moves before that."""
        self._redis.sadd(keys.failing_bots(), _write(failure))

    def list_failed(self) -> list[Failure]:
        """Return the seats for which a command is scheduled."""
        found: Any = self._redis.smembers(keys.failing_bots())
        return list(_read_failures(found))

    def replace(self, failure: Failure) -> Written:
        """Let a stand-in answer for a bot that still is asked at this position; else do nothing.

        Raises `NotFound`, `BrokenHistory`, `StaleVersion` when others are always faster.
        """

        def decide(table: Table, draft: Draft) -> None:
            if _still_asks(table, failure):
                put_stand_in(draft, failure.seat, BOT_FAILED, None, self._offers)

        return self._writer.write(failure.game, None, decide)

    def forget(self, failure: Failure) -> None:
        """Note that a scheduled command is done."""
        self._redis.srem(keys.failing_bots(), _write(failure))


def _still_asks(table: Table, failure: Failure) -> bool:
    """Return whether a table still waits at a position for the bot of a player."""
    if not table.running or table.play is None or table.position != failure.position:
        return False
    seat = table.seats[failure.seat]
    asked = table.play.state.seat == failure.seat
    return asked and seat.player is not None and not seat.person and seat.answering_bot is None


def _write(failure: Failure) -> str:
    return f"{failure.position}:{failure.seat}:{failure.game}"


def _read_failures(members: set[bytes]) -> Iterator[Failure]:
    for member in members:
        position, seat, game = member.decode().split(":", 2)
        yield Failure(game, int(position), int(seat))
