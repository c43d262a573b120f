"""Asking webhook bots for their moves: one request for each decision, many bots at once.

Its places and connections are not those of notices: bots that think hold up no message, and targets
of messages that hang hold up no bot.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from cartulary.events.model.clock import format_time
from cartulary.events.model.failures import WrongKey
from cartulary.events.model.table import Table
from cartulary.events.notices.log import LoggedNotice, NoticeOutcome
from cartulary.events.notices.rows import StoredWebhook
from cartulary.events.notices.waiting import WaitingEntry
from cartulary.events.outside_bots.questions import BotQuestion
from cartulary.events.store import Store
from cartulary.notices.egress import DeliveryFailed, EgressPolicy, Reply, Sender, TargetRefused
from cartulary.workers.notices.bot_moves import WebhookBotMoves
from cartulary.workers.notices.bot_requests import (
    PAUSES_MS,
    NoMoveAnswered,
    describe_question,
    name_question,
    read_answer,
    write_question,
)
from cartulary.workers.notices.composing import OutgoingRequest, address_webhook
from cartulary.workers.notices.places import OwnPlaces
from cartulary.workers.notices.side_by_side import SideBySide

AT_ONCE: Final = 200
"""Questions that are under way at the same time: as many as a sender has connections."""

OF_ONE_BOT: Final = 4
"""So a bot that hangs holds four places, for less than a minute: then it has failed."""

BUSY_MS: Final = 250
"""For so long a question waits whose bot thinks about others."""

GONE: Final = 410

log = logging.getLogger("cartulary.notices")


class BotTurns:
    """Takes questions that are due and asks the bots; for one event loop."""

    def __init__(self, store: Store, sender: Sender, policy: EgressPolicy, address: str) -> None:
        self._store, self._log = store, store.notice_log
        self._questions = store.bot_questions
        self._moves = WebhookBotMoves(store)
        self._sender, self._policy, self._address = sender, policy, address
        self._places = OwnPlaces(lambda _: OF_ONE_BOT)
        self._side_by_side = SideBySide(
            *(self._questions.waiting, store.clock, AT_ONCE, BotQuestion.read, self._find_pause_ms)
        )

    async def step(self) -> int:
        """Begin to ask what is due; returns how many questions were taken."""
        return await self._side_by_side.step(self._start)

    async def _start(self, taken: Sequence[tuple[WaitingEntry, BotQuestion]]) -> None:
        for entry, question in taken:
            self._side_by_side.begin(self._ask(entry, question))

    def _find_pause_ms(self, question: BotQuestion) -> int:
        return 0 if self._places.take(question.bot) else BUSY_MS

    async def drain(self) -> None:
        """Wait for what is under way."""
        await self._side_by_side.drain()

    async def _ask(self, entry: WaitingEntry, question: BotQuestion) -> None:
        try:
            if question.kind == "seat":
                await asyncio.to_thread(self._take_seat, entry, question)
            else:
                await self._ask_for_move(entry, question)
        except Exception:
            # The lease ends, and the bot is asked again: one question that always fails must not
            # end the process for all others.
            log.exception("the question %s has failed", question.name)
        finally:
            self._places.free(question.bot)

    def _take_seat(self, entry: WaitingEntry, question: BotQuestion) -> None:
        self._moves.take_seat(question)
        self._questions.waiting.settle([entry])

    async def _ask_for_move(self, entry: WaitingEntry, question: BotQuestion) -> None:
        webhook = await asyncio.to_thread(self._questions.find_webhook, question.bot)
        table = await asyncio.to_thread(self._moves.find_table, question)
        if webhook is None or table is None:
            await asyncio.to_thread(self._drop, entry, question, webhook, table is not None)
            return
        reply, error = await self._post(question, webhook, table)
        await asyncio.to_thread(self._finish, entry, question, webhook, reply, error)

    def _drop(
        self,
        entry: WaitingEntry,
        question: BotQuestion,
        webhook: StoredWebhook | None,
        waits: bool,
    ) -> None:
        """Settle a question to which no answer is wanted any more, or to which none can come.

        `waits`: the game still waits for the move.
        """
        if webhook is None:
            failed = self._moves.tell_of_failed(question.bot)
            # A bot that is connected as well may move by itself, within its time.
            if failed and waits and not self._questions.is_there(question.bot):
                self._moves.fail(question)
        self._questions.waiting.settle([entry])
        if webhook is not None:
            self._write_log(question, webhook, "taken", 0, "")

    async def _post(
        self, question: BotQuestion, webhook: StoredWebhook, table: Table
    ) -> tuple[Reply | None, str]:
        try:
            request = await asyncio.to_thread(self._compose, question, webhook, table)
            return await self._sender.post(request.target, request.headers, request.body), ""
        except (DeliveryFailed, TargetRefused, WrongKey) as error:
            return None, str(error)

    def _compose(
        self, question: BotQuestion, webhook: StoredWebhook, table: Table
    ) -> OutgoingRequest:
        now, deadline = self._store.clock.now_ms(), self._moves.find_deadline(question)
        body = write_question(question, table, deadline, self._address, now)
        message, keyring = name_question(question), self._store.keyring
        return address_webhook(webhook, message, body, self._policy, keyring, now)

    # -- after ------------------------------------------------------------------------------------

    def _finish(
        self,
        entry: WaitingEntry,
        question: BotQuestion,
        webhook: StoredWebhook,
        reply: Reply | None,
        error: str,
    ) -> None:
        if not self._still_asks(webhook, question):
            # What it has answered counts no more: the token that set it may have been stolen.
            self._questions.waiting.put_off(entry, self._store.clock.now_ms())
            return
        status = 0 if reply is None else reply.status
        try:
            move = read_answer(reply, error)
            late = "" if move is None else self._move(question, move)
        except NoMoveAnswered as fault:
            self._repeat_or_fail(entry, question, webhook, status, str(fault))
            return
        self._moves.note_answer(webhook, question.bot)
        self._questions.waiting.settle([entry])
        outcome: NoticeOutcome = "taken" if late else "sent"
        self._write_log(question, webhook, outcome, status, late)

    def _still_asks(self, webhook: StoredWebhook, question: BotQuestion) -> bool:
        """Say whether a webhook that was asked is that of the bot by now, at the same address."""
        found = self._questions.find_webhook(question.bot)
        return found is not None and (found.id, found.url) == (webhook.id, webhook.url)

    def _move(self, question: BotQuestion, move: dict[str, object]) -> str:
        return self._moves.move(question, move, self._store.clock.now_ms())

    def _repeat_or_fail(
        self,
        entry: WaitingEntry,
        question: BotQuestion,
        webhook: StoredWebhook,
        status: int,
        fault: str,
    ) -> None:
        """Ask again twice within a minute; then the bot has failed, or once its webhook is off."""
        # First: a question that comes again because this process dies finds no webhook that is on.
        on = self._moves.note_failure(webhook, question.bot, gone=status == GONE)
        if on and question.attempt < len(PAUSES_MS):
            due = self._store.clock.now_ms() + PAUSES_MS[question.attempt]
            later = question._replace(attempt=question.attempt + 1)
            self._questions.waiting.put_off(entry, due, later.text())
            self._write_log(question, webhook, "retrying", status, fault, due)
            return
        if self._moves.find_table(question) is not None:
            self._moves.fail(question)
        self._questions.waiting.settle([entry])
        outcome: NoticeOutcome = "gone" if status == GONE else "failed"
        self._write_log(question, webhook, outcome, status, fault)

    def _write_log(
        self,
        question: BotQuestion,
        webhook: StoredWebhook,
        outcome: NoticeOutcome,
        status: int,
        error: str,
        again_at: int = 0,
    ) -> None:
        now = self._store.clock.now_ms()
        item = describe_question(question, format_time(now))
        line = LoggedNotice(
            *(question.name, now, outcome, "webhook", item),
            *(status, question.attempt, again_at, error),
        )
        self._log.write((question.bot, webhook.id), line)
