"""What becomes of the answers of webhook bots: moves and seats, by the usual commands.

The key of a move is the id of its question, so an answer that comes twice makes one move.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from threading import Lock
from typing import Final

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.game.failing_bots import Failure
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import (
    IllegalMoveRefused,
    LedgerError,
    NotFound,
    Refused,
    StaleVersion,
)
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.notices.rows import MOVE, StoredWebhook
from cartulary.events.outside_bots.questions import BotQuestion, find_asked
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers.notices.bot_requests import NoMoveAnswered, name_question
from cartulary.workers.notices.switched_off import tell_of_failed

_MOST_SAID: Final = 300
"""Letters of a reason in the list of deliveries."""

log = logging.getLogger("cartulary.notices")


class WebhookBotMoves:
    """Gives the commands of webhook bots. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, store: Store) -> None:
        self._store, self._questions = store, store.bot_questions
        # One at a time: whether another game fits depends on the seats that were taken before.
        self._seating = Lock()

    def find_table(self, question: BotQuestion) -> Table | None:
        """Return the table at which a question still waits, as it is shown; else None."""
        try:
            table = self._store.projector.table(question.game)
        except LedgerError:
            return None  # It is damaged, archived or gone: whatever it is, it asks no bot.
        asked = find_asked(table)
        if asked is None or (asked.bot, asked.place) != (question.bot, question.place):
            return None
        self._store.masks.look()
        return self._store.masks.mask_table(table)

    def find_deadline(self, question: BotQuestion) -> str | None:
        """Return when the time of the bot is over, None in an untimed game."""
        score = self._store.registry.zscore(keys.turns(question.bot), question.game)
        if score is None or score >= keys.UNTIMED:
            return None
        return format_time(int(score))

    def move(self, question: BotQuestion, move: Json, received: int) -> str:
        """Make the move that a bot has answered; returns why there was none to make, else ''.

        Raises `NoMoveAnswered` for a move that is not legal.
        """
        bot = self._store.players.by_id(question.bot)
        if bot is None:
            return "The bot is closed."
        # The bot may send the same move with this key over the API: it is the same request.
        body = {"move": move, "expected_version": question.version}
        key = name_question(question)
        intent = Intent(bot, question.version, key, body, received)
        try:
            self._store.commands.move(intent, question.game, move)
        except IllegalMoveRefused as error:
            raise NoMoveAnswered(f"The move is not legal: {error}"[:_MOST_SAID]) from error
        except Refused as error:
            return str(error)[:_MOST_SAID]
        return ""

    def fail(self, question: BotQuestion) -> None:
        """Let a stand-in answer for a bot that has not answered."""
        failure = Failure(question.game, question.place, question.seat)
        self._store.commands.failing_bots.schedule(failure)
        self._questions.end(question.bot)

    # -- seats ------------------------------------------------------------------------------------

    def take_seat(self, question: BotQuestion) -> None:
        """Accept the offer of a seat for a bot, or decline it when it does not fit any more.

        Raises `StaleVersion` when others are always faster: then the question stays.
        """
        bot = self._store.players.by_id(question.bot)
        if bot is None:
            return
        what = "sit down"
        try:
            with self._seating:
                table = self._answer_offer(
                    question, bot, self._store.projector.table(question.game)
                )
            what = "say that it is ready"
            self._be_ready(question, bot, table)
        except StaleVersion:
            raise
        except LedgerError as error:
            # Another player was faster, the host has changed the table, or it cannot be read.
            log.info("a bot does not %s in game %s: %s", what, question.game, error)

    def _answer_offer(self, question: BotQuestion, bot: Player, table: Table) -> Table:
        """Answer an offer that is still open; returns the table as it is by then."""
        offer = table.open_offers.get(question.place)
        if offer is None or offer.player["id"] != bot.id:
            return table
        arranging, place = self._store.commands.arranging, question.place
        reason = self._find_reason(table, bot, offer.by)
        if reason is not None:
            return arranging.decline(question.game, place, bot, reason).table
        return arranging.join(Intent(bot), question.game, place).table

    def _be_ready(self, question: BotQuestion, bot: Player, table: Table) -> None:
        """Say that a bot is ready for a live game.

        Also for one that sits already: who has let it sit down may have died before this step.
        """
        place = question.place
        if place in table.seats_of(bot.id) and table.live and table.status is Status.OPEN:
            self._store.commands.time.ready(Intent(bot), question.game, place, True)

    def _find_reason(self, table: Table, bot: Player, host_id: str) -> str | None:
        """Return why an offer does not fit by now: other games may have begun meanwhile."""
        host = self._store.players.by_id(host_id)
        return "not_now" if host is None else self._store.acceptance.find_reason(table, bot, host)

    # -- the webhook ------------------------------------------------------------------------------

    def note_answer(self, webhook: StoredWebhook, bot_id: str) -> None:
        """Note that a bot has answered."""
        self._questions.note_answer(bot_id)
        with suppress(NotFound):  # It was removed in the meantime.
            self._store.notices.note_outcome(bot_id, webhook.id, webhook.url, True)

    def note_failure(self, webhook: StoredWebhook, bot_id: str, *, gone: bool) -> bool:
        """Note that a bot has not answered, or that its target is gone (410).

        Returns whether its webhook still asks it. Its owner learns when it does not.
        """
        notices = self._store.notices
        try:
            if gone:
                found = notices.note_gone(bot_id, webhook.id, webhook.url)
            else:
                found = notices.note_outcome(bot_id, webhook.id, webhook.url, False)
        except NotFound:
            return True  # It was removed in the meantime: its next question says so.
        tell_of_failed(self._store, bot_id, found)
        return not found.has_failed

    def tell_of_failed(self, bot_id: str) -> bool:
        """Tell the owner of a bot of its webhook that is off because it failed or is gone.

        Returns whether there is one. Who has switched it off may have died before; the inbox has
        the item once.
        """
        found = [one for one in self._store.notices.list_webhooks(bot_id) if one.format == MOVE]
        for webhook in found:
            tell_of_failed(self._store, bot_id, webhook)
        return any(webhook.has_failed for webhook in found)
