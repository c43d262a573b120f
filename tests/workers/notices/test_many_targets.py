"""Many targets of one player: each gets its message, and none waits for another one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from cartulary.events.model.clock import format_time
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.rows import StoredAddress
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.server.format import UnusableStore
from cartulary.events.store import Store
from cartulary.notices.egress import Sender
from cartulary.notices.mail.settings import MailSettings
from cartulary.workers.notices.notifier import Notifier
from tests.notices.mail.mail_receiver import MailReceiver, run_mail_receiver
from tests.support.fake_clock import MINUTE
from tests.workers.notices.house import ADDRESS, House


@pytest.mark.slow
def test_each_device_of_a_player_gets_one(house: House) -> None:
    for number in range(8):
        house.add_browser(f"/push/{number}")
    house.move_until(house.create(), 0)
    house.clock.advance(MINUTE)
    for _ in range(3):
        house.notify()
    paths = sorted(path for path, _, _ in house.receiver.requests)
    assert paths == [f"/push/{number}" for number in range(8)]


@pytest.mark.slow
def test_a_device_that_is_gone_is_forgotten_and_the_others_get_theirs(house: House) -> None:
    for number in range(8):
        house.add_browser(f"/push/{number}")
    house.statuses.append(410)
    for _ in range(2):
        table = house.move_until(house.create(), 0)
        house.clock.advance(MINUTE)
        for _ in range(3):
            house.notify()
        house.move_until(table, 1)
    paths = [path for path, _, _ in house.receiver.requests]
    (gone,) = {f"/push/{number}" for number in range(8)} - {*paths[8:]}
    assert sorted(paths[:8]) == [f"/push/{number}" for number in range(8)]
    assert len(paths) == 8 + 7
    left = [browser.endpoint for browser in house.store.notices.list_browsers(house.ada.id)]
    assert len(left) == 7
    assert not any(endpoint.endswith(gone) for endpoint in left)
    outcomes = [one for one in house.list_outcomes() if one in ("gone", "sent")]
    assert sorted(outcomes) == ["gone"] + ["sent"] * 14


def test_a_mail_server_that_hangs_holds_up_no_webhook(house: House) -> None:
    address = StoredAddress("m1", "ada@example.org", "en", "", house.clock.now_ms())
    secret = house.store.keyring.encrypt(b"s" * 32, "m1").decode()
    house.store.notices.emails.ask(house.ada.id, replace(address, encrypted=secret))
    house.store.notices.emails.confirm(house.ada.id, "m1")
    house.add_webhook("your_turn")
    item = {"type": "test", "timestamp": format_time(0), "data": {"url": "/", "title": ""}}
    mail = Delivery("d1", house.ada.id, "email", "m1", [item], 0, forced=True)
    open_deliveries(house.store.registry, "email").add(mail.start(0))
    house.move_until(house.create(), 0)

    async def run(receiver: MailReceiver) -> None:
        settings = MailSettings(
            *("127.0.0.1", receiver.port, "none", "games@example.org", "", ADDRESS)
        )
        async with Sender(house.policy) as sender:
            notifier = Notifier(house.store, sender, house.policy, None, ADDRESS, mail=settings)
            running = asyncio.create_task(notifier.run())
            await asyncio.to_thread(receiver.stalled.wait, 30)
            while not house.receiver.requests:
                await asyncio.sleep(0.01)
            notifier.stop()
            await asyncio.wait_for(running, 30)

    with run_mail_receiver() as receiver:
        receiver.stalls.add("RCPT")
        asyncio.run(run(receiver))
    assert [body["type"] for body in house.bodies] == ["your_turn"]
    assert open_deliveries(house.store.registry, "email").count() == 1


def test_a_store_that_cannot_be_used_ends_the_notifier_and_its_mails(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Store) -> None:
        raise UnusableStore("of a newer release")

    async def run(port: int) -> None:
        settings = MailSettings(*("127.0.0.1", port, "none", "games@example.org", "", ADDRESS))
        async with Sender(house.policy) as sender:
            notifier = Notifier(house.store, sender, house.policy, None, ADDRESS, mail=settings)
            await asyncio.wait_for(notifier.run(), 30)

    monkeypatch.setattr(Store, "claim", refuse)
    with run_mail_receiver() as receiver, pytest.raises(UnusableStore):
        asyncio.run(run(receiver.port))
