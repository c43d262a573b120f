"""A house whose players read their mail: a dispatcher, two players, and a mail server."""

from __future__ import annotations

import secrets
from email.message import EmailMessage
from typing import NamedTuple

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.clock import format_time
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.notices.mail.settings import MailSettings
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.notices.mailing import MailSending
from cartulary.workers.notices.notifying import Notifying
from tests.notices.mail.mail_receiver import MailReceiver
from tests.support.fake_clock import DAY, HOUR, FakeClock

ADDRESS = "https://play.example.org"


class Post(NamedTuple):
    """A store with a dispatcher, two players at tables, and a mail server."""

    store: Store
    clock: FakeClock
    dispatcher: Dispatcher
    ada: Player
    bob: Player
    receiver: MailReceiver
    notifying: Notifying
    mailing: MailSending
    settings: MailSettings

    def subscribe(self, player: Player | None = None, language: str = "en") -> StoredAddress:
        """Give a player a confirmed address."""
        who = player or self.ada
        id_, secret = make_endpoint_id(), secrets.token_bytes(32)
        encrypted = self.store.keyring.encrypt(secret, id_).decode()
        address = f"{who.name.lower()}@example.org"
        row = StoredAddress(id_, address, language, encrypted, self.clock.now_ms())
        self.store.notices.emails.ask(who.id, row)
        self.store.notices.emails.confirm(who.id, id_)
        return row

    def create(self) -> Table:
        """Create a game of beans in which it is Ada's turn."""
        request = NewGame("beans", [SeatRequest("me"), SeatRequest("open")])
        game = self.store.commands.create(Intent(self.ada), request).table.id
        table = self.store.commands.arranging.join(Intent(self.bob), game).table
        return self.move_until(table, 0)

    def move_until(self, table: Table, seat: int) -> Table:
        """Let the players make the first legal move until a seat is asked."""
        while table.state is not None and table.state.seat != seat:
            player = self.ada if table.state.seat == 0 else self.bob
            move = table.state.move_json(table.state.moves()[0])
            table = self.store.commands.move(Intent(player, table.version), table.id, move).table
        while self.dispatcher.step():
            pass
        return table

    def work(self) -> None:
        """Let a notifier do what is due."""
        for _ in range(2):
            self.notifying.step()
            self.mailing.step()

    def sleep_until(self, hour: int) -> None:
        """Let it become this hour of the day, UTC, and a second more."""
        self.work()
        now = self.clock.now_ms()
        self.clock.advance((hour * HOUR - now) % DAY + 1000)
        self.work()

    def list_outcomes(self, player: Player | None = None) -> list[str]:
        """Return what the log of a player says, the oldest first."""
        found = self.store.notice_log.read((player or self.ada).id)
        return [line.outcome for line in reversed(found)]

    def send(self, *items: Json, forced: bool = True) -> None:
        """Let a mail about items be sent to Ada, which waits for no digest."""
        address = self.store.notices.emails.find(self.ada.id)
        assert address is not None
        now, id_ = self.clock.now_ms(), make_endpoint_id()
        delivery = Delivery(id_, self.ada.id, "email", address.id, [*items], now, forced=forced)
        open_deliveries(self.store.registry, "email").add(delivery.start(now))


def make_item(kind: str = "test", title: str = "", **more: str) -> Json:
    return {
        "id": f"{kind}:1",
        "type": kind,
        "timestamp": format_time(0),
        "data": {"url": "/", "title": title, **more},
    }


def read_text(mail: EmailMessage) -> str:
    """Return the plain text of a mail."""
    plain = mail.get_body(("plain",))
    assert plain is not None
    return str(plain.get_content()).replace("\r\n", "\n")
