"""The e-mail of the day: one, of what still waits, by a server that may fail or hang."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from email.message import EmailMessage
from typing import NamedTuple

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.table import Table
from cartulary.events.model.types import Json, format_time
from cartulary.events.notices.deliveries import EMAIL_PAUSES_S, Delivery
from cartulary.events.notices.kinds import CONFIRMATION
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.notices.mail import server
from cartulary.notices.mail.settings import MailSettings
from cartulary.notices.mail.tokens import read_token
from cartulary.workers.dispatcher import Dispatcher
from cartulary.workers.notices.mailing import AT_ONCE, MailSending
from cartulary.workers.notices.notifying import Notifying
from cartulary.workers.queues.queues import queues_on
from tests.conftest import timed_store
from tests.notices.mail.mail_receiver import MailReceiver, run_mail_receiver
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock

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


@pytest.fixture
def post(fake_store: Store, clock: FakeClock) -> Iterator[Post]:
    store = timed_store(fake_store, clock)
    with run_mail_receiver() as receiver:
        settings = MailSettings(
            *("127.0.0.1", receiver.port, "none", "games@example.org", "Cartulary", ADDRESS)
        )
        yield Post(
            store,
            clock,
            Dispatcher(store, queues_on(store.redis)),
            store.players.create("Ada")[0],
            store.players.create("Bob")[0],
            receiver,
            Notifying(store),
            MailSending(store, settings),
        )


def read_text(mail: EmailMessage) -> str:
    plain = mail.get_body(("plain",))
    assert plain is not None
    return str(plain.get_content()).replace("\r\n", "\n")


def test_all_games_that_wait_come_in_one_mail_at_eight(post: Post) -> None:
    post.subscribe()
    tables = [post.create() for _ in range(4)]
    post.work()
    assert post.receiver.mails == []
    post.sleep_until(8)
    mail = post.receiver.read()
    assert len(post.receiver.mails) == 1
    assert (mail["To"], mail["Subject"]) == ("ada@example.org", "4 games wait for you")
    for table in tables:
        assert f"{ADDRESS}/games/{table.id}" in read_text(mail)
    outcomes = post.list_outcomes()
    assert outcomes[:4] == ["digest"] * 4
    assert sorted(outcomes[4:]) == ["joined"] * 3 + ["sent"]


def test_a_turn_comes_in_one_mail_and_not_again_the_day_after(post: Post) -> None:
    post.subscribe()
    post.create()
    post.sleep_until(8)
    post.sleep_until(8)
    assert len(post.receiver.mails) == 1


def test_without_a_game_that_waits_there_is_no_mail(post: Post) -> None:
    post.subscribe()
    post.move_until(post.create(), 1)
    post.sleep_until(8)
    assert post.receiver.mails == []
    assert "taken" in post.list_outcomes()


def test_the_mail_comes_at_the_time_and_in_the_zone_that_the_player_has_chosen(post: Post) -> None:
    chosen = {"digest": "19:00", "timezone": "Asia/Tokyo"}  # 10:00 UTC
    post.store.notices.write_settings(post.ada.id, NoticeSettings.read(chosen))
    post.subscribe()
    post.create()
    post.clock.now -= post.clock.now % DAY - 9 * HOUR
    post.create()
    post.work()
    assert post.receiver.mails == []
    post.sleep_until(10)
    assert len(post.receiver.mails) == 1


def test_a_type_that_the_player_does_not_want_by_mail_is_not_in_it(post: Post) -> None:
    chosen = {"your_turn": {"email": None}, "game_started": {"email": {"delay": 0}}}
    post.store.notices.write_settings(post.ada.id, NoticeSettings.read(chosen))
    post.subscribe()
    post.create()
    post.sleep_until(8)
    assert post.receiver.read()["Subject"].startswith("The game begins")


def test_a_second_mail_of_the_same_day_waits_for_the_next_one(post: Post) -> None:
    """Many games are taken in several steps; and a player may choose another time of the day."""
    post.subscribe()
    post.create()
    post.sleep_until(8)
    post.create()
    later = NoticeSettings.read({"digest": "12:00"})
    post.store.notices.write_settings(post.ada.id, later)
    post.sleep_until(12)
    assert len(post.receiver.mails) == 1
    post.sleep_until(12)
    assert len(post.receiver.mails) == 2


def test_a_mail_is_in_the_language_of_its_address_and_says_how_to_end_it(post: Post) -> None:
    address = post.subscribe(language="de")
    post.create()
    post.sleep_until(8)
    mail = post.receiver.read()
    assert mail["Subject"] == "Du bist am Zug: Beans: Bob"
    assert "E-Mails abbestellen" in read_text(mail)
    link = str(mail["List-Unsubscribe"]).strip("<>")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    token = read_token(link.removeprefix(f"{ADDRESS}/email/"))
    assert token is not None
    secret = post.store.keyring.decrypt(address.encrypted.encode(), address.id)
    assert (token.purpose, token.player) == ("unsubscribe", post.ada.id)
    assert token.is_signed_with(secret)


def test_a_name_makes_no_header_and_no_markup(post: Post) -> None:
    post.subscribe()
    evil = "Beans: x\r\nBcc: all@example.org\n\n<script>alert(1)</script>\u202e"
    post.send(make_item("your_turn", evil, deadline_at="2027-01-01T10:00:00.000Z"))
    post.work()
    mail = post.receiver.read()
    assert mail["Bcc"] is None
    assert "\u202e" not in mail["Subject"]
    html = mail.get_body(("html",))
    assert html is not None
    assert "<script>" not in html.get_content()
    assert "2027-01-01 10:00 UTC" in read_text(mail)


def test_a_mail_lists_fifty_games_and_counts_the_others(post: Post) -> None:
    post.subscribe()
    post.send(*(make_item("your_turn", f"Beans {n}", game=f"G{n}") for n in range(60)))
    post.work()
    text = read_text(post.receiver.read())
    assert "Beans 49\n" in text
    assert "Beans 50\n" not in text
    assert "and 10 more" in text


def test_an_address_gets_one_mail_before_it_is_confirmed_and_it_says_nothing_of_the_player(
    post: Post,
) -> None:
    id_ = make_endpoint_id()
    encrypted = post.store.keyring.encrypt(b"s" * 32, id_).decode()
    row = StoredAddress(id_, "ada@example.org", "en", encrypted, post.clock.now_ms())
    post.store.notices.emails.ask(post.ada.id, row)
    post.store.players.rename(post.ada.id, "Buy at https://spam.example")
    post.create()
    post.send(make_item(CONFIRMATION))
    post.send(make_item())
    post.sleep_until(8)
    mail = post.receiver.read()
    assert len(post.receiver.mails) == 1
    assert mail["Subject"] == "Confirm your e-mail address for play.example.org"
    assert "spam" not in mail.as_string()
    assert mail["List-Unsubscribe"] is None
    assert sorted(post.list_outcomes()) == ["gone", "sent"]
    post.store.notices.emails.confirm(post.ada.id, id_)
    post.send(make_item(CONFIRMATION))
    post.work()
    assert len(post.receiver.mails) == 1


def test_an_address_that_the_server_refuses_is_switched_off_and_its_player_is_notified(
    post: Post,
) -> None:
    address = post.subscribe()
    post.receiver.replies["RCPT"].append("550 5.1.1 no such user")
    post.send(make_item())
    post.work()
    post.send(make_item())
    post.work()
    assert post.receiver.mails == []
    found = post.store.notices.emails.find(post.ada.id)
    assert found is not None
    assert (found.id, found.off) == (address.id, "refused")
    items = [json.loads(one.text) for one in post.store.inbox.read(post.ada.id).entries]
    assert [item["type"] for item in items] == ["email_disabled"]
    (last, refused) = post.store.notice_log.read(post.ada.id)
    assert (refused.outcome, refused.status, last.outcome) == ("gone", 550, "gone")


def test_a_refusal_for_now_is_tried_again_and_one_of_the_mail_is_not(post: Post) -> None:
    post.subscribe()
    post.receiver.replies["RCPT"].append("450 4.2.1 later")
    post.send(make_item())
    post.work()
    assert post.list_outcomes() == ["retrying"]
    post.clock.advance(2 * MINUTE)
    post.work()
    assert post.list_outcomes() == ["retrying", "sent"]
    post.receiver.replies["."].append("554 5.7.1 spam")
    post.send(make_item())
    post.work()
    post.clock.advance(DAY)
    post.work()
    assert post.list_outcomes() == ["retrying", "sent", "failed"]
    found = post.store.notices.emails.find(post.ada.id)
    assert found is not None
    assert found.is_told


def test_a_turn_that_was_taken_while_the_server_was_silent_is_not_told(post: Post) -> None:
    post.subscribe()
    table = post.create()
    post.receiver.replies["MAIL"].append("451 later")
    post.sleep_until(8)
    assert post.list_outcomes()[-1] == "retrying"
    post.move_until(table, 1)
    post.clock.advance(2 * MINUTE)
    post.work()
    assert post.receiver.mails == []
    assert post.list_outcomes()[-1] == "taken"


def test_a_server_that_hangs_is_asked_once_for_many_mails_and_none_is_lost(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ANSWER_S", 0.1)
    post.subscribe()
    for _ in range(AT_ONCE):
        post.send(make_item())
    post.receiver.hangs = True
    post.work()
    assert post.receiver.connections == 1
    assert post.list_outcomes() == ["retrying"]
    post.receiver.hangs = False
    post.clock.advance(2 * MINUTE)
    post.work()
    assert len(post.receiver.mails) == AT_ONCE


def test_a_mail_that_finds_no_server_is_given_up_after_a_day(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "ANSWER_S", 0.05)
    post.subscribe()
    post.receiver.hangs = True
    post.send(make_item())
    for _ in range(len(EMAIL_PAUSES_S) + 1):
        post.work()
        post.clock.advance(15 * HOUR)
    assert post.list_outcomes() == ["retrying"] * len(EMAIL_PAUSES_S) + ["failed"]
    assert open_deliveries(post.store.registry, "email").count() == 0


def test_a_notifier_that_is_stopped_leaves_its_mails_to_the_next_one(post: Post) -> None:
    post.subscribe()
    post.send(make_item())
    post.mailing.stop()
    post.work()
    assert (post.receiver.mails, post.list_outcomes()) == ([], [])
    assert open_deliveries(post.store.registry, "email").count() == 1
