"""A webhook whose target is gone or fails goes off, and who can switch it on again learns it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cartulary.events.model.clock import format_time
from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.payloads import TEST
from cartulary.events.notices.registry import GIVEN_UP_MS
from cartulary.events.notices.rows import StoredWebhook
from cartulary.events.notices.waiting import open_deliveries
from cartulary.events.people.players import Player
from cartulary.notices.egress import Reply, Sender
from tests.workers.notices.house import House

GONE = 410
ELSEWHERE = "https://elsewhere.example/hook"


def send_test(house: House, player: Player, webhook: StoredWebhook) -> None:
    """Send a message as `POST …/test` does."""
    now = house.clock.now_ms()
    data = {"url": "/", "title": ""}
    name = f"test:{now}"
    item = {"id": name, "type": TEST, "timestamp": format_time(now), "data": data}
    delivery = Delivery(name, player.id, "webhook", webhook.id, [item], now, forced=True)
    open_deliveries(house.store.registry, "webhook").add(delivery.start(now))
    house.notify()


def switch_on(house: House, player: Player, webhook: StoredWebhook) -> None:
    house.store.notices.change_webhook(
        player.id, webhook.id, lambda found: replace(found, off="", failing_since=0)
    )


@pytest.mark.parametrize("answer", [GONE, 500], ids=["gone", "failing"])
def test_a_webhook_that_goes_off_a_second_time_has_a_second_item(house: House, answer: int) -> None:
    webhook, _ = house.add_webhook()
    for times in (1, 2):
        for _ in range(2):
            house.statuses[:] = [answer] * 9
            send_test(house, house.ada, webhook)
            house.clock.advance(GIVEN_UP_MS)
        assert house.store.notices.find_webhook(house.ada.id, webhook.id).off
        assert house.list_types(house.ada).count("webhook_disabled") == times
        switch_on(house, house.ada, webhook)


def test_a_message_that_arrives_at_a_webhook_that_is_off_says_nothing_of_it(house: House) -> None:
    webhook, _ = house.add_webhook()
    house.statuses.append(GONE)
    send_test(house, house.ada, webhook)
    before = house.store.notices.find_webhook(house.ada.id, webhook.id)
    send_test(house, house.ada, webhook)
    assert house.store.notices.find_webhook(house.ada.id, webhook.id) == before
    assert house.list_types(house.ada).count("webhook_disabled") == 1


@pytest.mark.parametrize("answer", [GONE, 500, 200])
def test_what_an_old_address_answers_says_nothing_of_the_new_one(
    house: House, monkeypatch: pytest.MonkeyPatch, answer: int
) -> None:
    """The player changes the address while a message is on its way to the one before."""
    webhook, _ = house.add_webhook()
    post, since = Sender.post, house.clock.now_ms() if answer == 200 else 0
    changed = replace(webhook, url=ELSEWHERE, failing_since=since)

    async def post_slowly(*args: object) -> Reply:
        reply = await post(*args)  # type: ignore[arg-type]
        house.store.notices.change_webhook(house.ada.id, webhook.id, lambda _: changed)
        return reply

    monkeypatch.setattr(Sender, "post", post_slowly)
    house.store.notices.change_webhook(
        house.ada.id, webhook.id, lambda found: replace(found, failing_since=since)
    )
    house.statuses.append(answer)
    send_test(house, house.ada, webhook)
    assert len(house.receiver.requests) == 1
    assert house.store.notices.find_webhook(house.ada.id, webhook.id) == changed
    assert "webhook_disabled" not in house.list_types(house.ada)


def test_the_owner_of_a_bot_learns_that_a_test_of_its_webhook_found_no_target(
    house: House,
) -> None:
    bot = house.store.own_bots.make(house.ada, "Robo", "")[0].player
    webhook, _ = house.add_webhook(form="move", player=bot)
    house.store.bot_questions.begin(bot.id)
    house.statuses.append(GONE)
    send_test(house, bot, webhook)
    assert house.list_types(bot) == []
    assert house.list_types(house.ada) == ["webhook_disabled"]
    assert house.store.connected_bots.list_connected(9) == []
