"""A house with two players at a table, a notifier, and a receiver of what it sends."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.lists.inbox import Type
from cartulary.events.model.table import Table
from cartulary.events.notices.kinds import TYPES
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import (
    StoredSecret,
    StoredSubscription,
    StoredWebhook,
    WebhookFormat,
)
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.notices.egress import EgressPolicy, Sender
from cartulary.notices.signatures import SigningKey
from cartulary.notices.web_push import PushServerKey
from cartulary.notices.web_push.subscriptions import encode_url
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.notices.notifier import Notifier
from tests.support.fake_clock import FakeClock
from tests.support.local_servers import Receiver

AUTH = b"0123456789abcdef"
ADDRESS = "https://play.example.org"
PUSH_KEY = PushServerKey.make("mailto:operator@example.org")


class House(NamedTuple):
    """A store with a dispatcher, two players at a table, and a receiver that is allowed."""

    store: Store
    clock: FakeClock
    dispatcher: Dispatcher
    ada: Player
    bob: Player
    receiver: Receiver
    policy: EgressPolicy
    statuses: list[int]

    def url(self) -> str:
        return f"https://127.0.0.1:{self.receiver.port}/hook"

    def create(self, pace: dict[str, Any] | None = None) -> Table:
        """Create a game of beans in which Bob is asked, so that Ada is notified later."""
        request = NewGame("beans", [SeatRequest("me"), SeatRequest("open")], pace=pace)
        game = self.store.commands.create(Intent(self.ada), request).table.id
        table = self.store.commands.arranging.join(Intent(self.bob), game).table
        self.follow()
        return self.move_until(table, 1)

    def move(self, table: Table) -> Table:
        """Let the player who is asked make the first legal move."""
        state = table.state
        assert state is not None
        player = self.ada if state.seat == 0 else self.bob
        move = state.move_json(state.moves()[0])
        done = self.store.commands.move(Intent(player, table.version), table.id, move).table
        self.follow()
        return done

    def move_until(self, table: Table, seat: int) -> Table:
        """Move until a seat is asked."""
        while table.state is not None and table.state.seat != seat:
            table = self.move(table)
        return table

    def follow(self) -> None:
        while self.dispatcher.step():
            pass

    def notify(self, steps: int = 3) -> None:
        """Let a notifier work and send all that is due."""

        async def run() -> None:
            async with Sender(self.policy) as sender:
                notifier = Notifier(self.store, sender, self.policy, PUSH_KEY, ADDRESS)
                for _ in range(steps):
                    await notifier.step()
                    await notifier.sending.drain()

        asyncio.run(run())

    def add_webhook(
        self, *types: Type, form: WebhookFormat = "standard", player: Player | None = None
    ) -> tuple[StoredWebhook, SigningKey]:
        key = SigningKey.make("v1")
        id_ = make_endpoint_id()
        encrypted = self.store.keyring.encrypt(key.text.encode(), id_).decode()
        webhook = StoredWebhook(
            *(id_, self.url(), types or TYPES, form, (StoredSecret(encrypted, None),)),
            self.clock.now_ms(),
        )
        self.store.notices.add_webhook((player or self.ada).id, webhook)
        return webhook, key

    def add_browser(self, path: str = "/push/1") -> ec.EllipticCurvePrivateKey:
        browser = ec.generate_private_key(ec.SECP256R1())
        point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"https://127.0.0.1:{self.receiver.port}{path}"
        row = StoredSubscription(
            make_endpoint_id(), endpoint, encode_url(point), encode_url(AUTH), "Phone", "de", 0
        )
        self.store.notices.add_browser(self.ada.id, row)
        return browser

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, _, body in self.receiver.requests]

    def list_outcomes(self) -> list[str]:
        """Return what the log of Ada says, the oldest first."""
        return [line.outcome for line in reversed(self.store.notice_log.read(self.ada.id))]

    def list_types(self, player: Player) -> list[str]:
        """Return the types of the items in the inbox of a player."""
        return [json.loads(one.text)["type"] for one in self.store.inbox.read(player.id).entries]
