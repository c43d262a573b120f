"""A game of a person and a webhook bot whose target is a function of the test."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredSecret, StoredWebhook
from cartulary.events.outside_bots.questions import BotQuestion
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.notices.egress import EgressPolicy, Reply, Sender, Target
from cartulary.notices.signatures import SigningKey
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.notices.bot_moves import WebhookBotMoves
from cartulary.workers.notices.bot_turns import BotTurns
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.sweep import Sweep
from tests.support.fake_clock import FakeClock

Json = dict[str, Any]
ADDRESS = "https://play.example.org"
POLICY = EgressPolicy()


class Asked(NamedTuple):
    """What a target got: in what a bot looks at."""

    id: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Json:
        """What the message says."""
        found: Json = json.loads(self.body)["data"]
        return found


Answer = Callable[[Asked], Reply | Awaitable[Reply]]


def reply(body: Any, status: int = 200) -> Reply:
    """Return an answer: bytes as they are, else JSON."""
    return Reply(status, {}, body if isinstance(body, bytes) else json.dumps(body).encode())


def answer_first(asked: Asked) -> Reply:
    """Answer with the first legal move."""
    return reply({"move": asked.data["moves"][0]})


class FakeTarget(Sender):
    """Writes down what it gets, and answers what `answers` say in turn, then the first move.

    `of_games` has what it always answers in some games.
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answers: list[Answer] = []
        self.of_games: dict[str, Answer] = {}

    async def post(self, target: Target, headers: Mapping[str, str], content: bytes) -> Reply:
        asked = Asked(headers["webhook-id"], headers, content)
        self.asked.append(asked)
        answer = self.of_games.get(asked.data["game"])
        if answer is None:
            answer = self.answers.pop(0) if self.answers else answer_first
        found = answer(asked)
        return found if isinstance(found, Reply) else await found


class BotTable:
    """Ada invites her bot (seat 1) to games of Carcassonne; a webhook asks the bot."""

    def __init__(self, store: Store, clock: FakeClock) -> None:
        self.store, self.clock, self.target = store, clock, FakeTarget()
        store.claim()
        store.since.read()
        self.ada = store.players.create("Ada")[0]
        self.bot = self.make_bot("Robo")
        self.key = SigningKey.make("v1a")
        self.webhook = self.add_webhook(self.bot)
        queues = queues_on(store.redis)
        self._dispatcher = Dispatcher(store, queues)
        self._sweep = Sweep(store, Feeder(queues))

    def make_turns(self) -> BotTurns:
        """Return what asks the bots, for one event loop."""
        return BotTurns(self.store, self.target, POLICY, ADDRESS)

    def make_bot(self, name: str) -> Player:
        return self.store.own_bots.make(self.ada, name, "")[0].player

    def add_webhook(self, bot: Player) -> StoredWebhook:
        id_ = make_endpoint_id()
        encrypted = self.store.keyring.encrypt(self.key.text.encode(), id_).decode()
        secret = StoredSecret(encrypted, self.key.public_text)
        url = "https://93.184.216.34/move"
        webhook = StoredWebhook(id_, url, (), "move", (secret,), self.clock.now_ms())
        self.store.notices.add_webhook(bot.id, webhook)
        self.store.bot_questions.begin(bot.id)
        return webhook

    def invite(self, *bots: Player, works: bool = True, **more: Any) -> str:
        """Open a game with bots (by default that of this table); `works`: they sit down at once."""
        seats = [SeatRequest("me")]
        seats += [SeatRequest("invite", player=one.id) for one in bots or (self.bot,)]
        request = NewGame("carcassonne", seats, **more)
        game_id = self.store.commands.create(Intent(self.ada), request).table.id
        if works:
            self._seat_bots()
        return game_id

    def _seat_bots(self) -> None:
        """Let the notifier accept what is offered, and ask for no move."""
        self.follow()
        moves = WebhookBotMoves(self.store)
        waiting = self.store.bot_questions.waiting
        for entry in waiting.take(self.clock.now_ms(), 100):
            question = BotQuestion.read(entry)
            if question.kind == "seat":
                moves.take_seat(question)
                waiting.settle([entry])
            else:
                waiting.put_off(entry, self.clock.now_ms())
        self.follow()

    def invite_and_ask(self, *bots: Player, **more: Any) -> str:
        """Open a game, and let Ada move until a bot is asked; the bot is not asked yet."""
        game_id = self.invite(*bots, **more)
        self.target.asked.clear()
        while self.find_seat(game_id) == 0:
            self.move(game_id)
        return game_id

    def table(self, game_id: str) -> Table:
        return self.store.projector.table(game_id)

    def find_seat(self, game_id: str) -> int:
        """Return which seat is asked, -1: none."""
        decision = self.table(game_id).decision
        return -1 if decision is None else decision.seat

    def move(self, game_id: str, player: Player | None = None) -> None:
        """Let a player make the first legal move, and the dispatcher follow."""
        table = self.table(game_id)
        assert table.state is not None
        move = table.state.move_json(table.state.moves()[0])
        self.store.commands.move(Intent(player or self.ada, table.version), game_id, move)
        self.follow()

    def follow(self) -> None:
        """Let the dispatcher do all that there is to do."""
        while self._dispatcher.step():
            pass

    def sweep(self) -> None:
        """Do what the dispatcher does each second."""
        self._sweep.run()
        self.follow()

    def work(self, rounds: int = 1) -> None:
        """Let a notifier ask what is due, so many times in a row."""

        async def ask() -> None:
            turns = self.make_turns()
            for _ in range(rounds):
                await turns.step()
                await turns.drain()
                await asyncio.to_thread(self.follow)

        self.follow()
        asyncio.run(ask())

    def events(self, game_id: str) -> list[Json]:
        return list(self.store.ledger.events(game_id, 0, 1000))

    def types(self, game_id: str) -> list[str]:
        return [event["type"] for event in self.events(game_id)]

    def list_outcomes(self) -> list[str]:
        """Return what the list of deliveries says of moves, the oldest first."""
        return [line.outcome for line in reversed(self.store.notice_log.read(self.webhook.id))]

    def list_items(self, player: Player) -> list[Json]:
        """Return the inbox of a player."""
        return [json.loads(one.text) for one in self.store.inbox.read(player.id).entries]
