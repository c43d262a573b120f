"""One message a turn, none for a turn that was taken, none to a player who is looking."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import http_ece
import pytest
from standardwebhooks.webhooks import Webhook

from cartulary.events.notices.rows import StoredSecret, WebhookFormat
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.waiting import open_deliveries, open_intents
from cartulary.events.server import keys
from cartulary.notices.egress import Sender
from cartulary.notices.signatures import SigningKey
from cartulary.workers.notices.notifier import Notifier
from tests.support.fake_clock import DAY, HOUR, MINUTE, FakeClock
from tests.workers.notices.house import ADDRESS, AUTH, House


@pytest.mark.slow
def test_a_turn_is_one_notice_however_many_decisions_it_has(house: House) -> None:
    house.add_webhook("your_turn")
    table = house.move_until(house.create(), 0)
    for _ in range(3):
        house.notify()
    (body,) = house.bodies
    assert body["type"] == "your_turn"
    assert body["data"]["game"] == table.id
    assert body["data"]["url"] == f"{ADDRESS}/games/{table.id}"
    assert house.list_outcomes() == ["sent"]


def test_the_package_standardwebhooks_verifies_what_arrives(house: House) -> None:
    house.clock.now = FakeClock().now
    _, key = house.add_webhook("your_turn")
    house.move_until(house.create(), 0)
    house.notify()
    ((_, headers, body),) = house.receiver.requests
    lowered = {name.lower(): value for name, value in headers.items()}
    assert Webhook(key.text).verify(body, lowered)["type"] == "your_turn"


@pytest.mark.slow
def test_messages_carry_both_signatures_for_a_day_after_a_rotation(house: House) -> None:
    house.clock.now = FakeClock().now
    webhook, old = house.add_webhook("your_turn")
    new = SigningKey.make("v1")
    encrypted = house.store.keyring.encrypt(new.text.encode(), webhook.id).decode()
    fresh, now = StoredSecret(encrypted, None), house.clock.now_ms()
    notices = house.store.notices
    notices.change_webhook(house.ada.id, webhook.id, lambda found: found.rotate(fresh, now))
    table = house.move_until(house.create(), 0)
    house.notify()
    ((_, headers, body),) = house.receiver.requests
    lowered = {name.lower(): value for name, value in headers.items()}
    for key in (old, new):
        assert Webhook(key.text).verify(body, lowered)["type"] == "your_turn"
    house.clock.advance(DAY)
    house.move_until(house.move_until(table, 1), 0)
    house.notify()
    signed = house.receiver.requests[1][1]["webhook-signature"]
    assert len(signed.split()) == 1


@pytest.mark.slow
def test_a_turn_that_was_taken_within_its_delay_is_not_told(house: House) -> None:
    house.add_browser()
    table = house.move_until(house.create(), 0)
    house.notify()
    house.move_until(table, 1)
    house.clock.advance(2 * MINUTE)
    house.notify()
    assert house.receiver.requests == []
    assert "taken" in house.list_outcomes()


def test_a_player_who_looks_at_the_game_is_not_told(house: House) -> None:
    house.add_browser()
    table = house.move_until(house.create(), 0)
    close = house.store.presence.open(table.id, house.ada.id)
    house.clock.advance(MINUTE)
    house.store.presence.flush({table.id: 1})
    house.notify()
    close()
    assert house.receiver.requests == []
    assert "looking" in house.list_outcomes()


def test_a_push_message_says_in_the_language_of_the_browser_whose_turn_it_is(
    house: House,
) -> None:
    browser = house.add_browser()
    table = house.move_until(house.create(), 0)
    house.clock.advance(MINUTE)
    house.notify()
    ((path, headers, body),) = house.receiver.requests
    assert path == "/push/1"
    assert headers["Authorization"].startswith("vapid t=")
    assert int(headers["TTL"]) == 3 * 24 * 3600
    payload = json.loads(http_ece.decrypt(body, private_key=browser, auth_secret=AUTH))
    notification = payload["notification"]
    assert notification["title"] == "Du bist am Zug"
    assert notification["body"] == "Beans: Bob"
    assert notification["navigate"] == f"{ADDRESS}/games/{table.id}"
    assert payload["app_badge"] == 1


@pytest.mark.slow
def test_many_turns_within_ten_minutes_become_one_message(house: House) -> None:
    browser = house.add_browser()
    for _ in range(5):
        house.move_until(house.create(), 0)
    house.clock.advance(2 * MINUTE)
    house.notify()
    ((_, _, body),) = house.receiver.requests
    payload = json.loads(http_ece.decrypt(body, private_key=browser, auth_secret=AUTH))
    assert payload["notification"]["title"] == "5 Spiele warten auf dich"
    log = house.store.notice_log.read(house.ada.id)
    joined = [line.item["type"] for line in log if line.outcome == "joined"]
    assert joined.count("your_turn") == 4


@pytest.mark.slow
def test_the_message_of_the_day_is_one_however_few_games_wait(house: House) -> None:
    house.clock.now -= house.clock.now % DAY - 7 * HOUR  # 07:00 UTC
    house.store.notices.write_settings(house.ada.id, NoticeSettings.read({"digest": "08:00"}))
    browser = house.add_browser()
    for _ in range(2):
        house.move_until(house.create(), 0)
    house.clock.advance(MINUTE)
    house.notify()
    assert house.receiver.requests == []
    house.clock.advance(HOUR)
    house.notify()
    ((_, _, body),) = house.receiver.requests
    payload = json.loads(http_ece.decrypt(body, private_key=browser, auth_secret=AUTH))
    assert payload["notification"]["title"] == "2 Spiele warten auf dich"
    assert payload["notification"]["navigate"] == f"{ADDRESS}/"


@pytest.mark.slow
def test_in_quiet_hours_a_notice_waits_for_their_end_and_is_judged_again(house: House) -> None:
    house.clock.now -= house.clock.now % DAY - 23 * HOUR  # 23:00 UTC
    house.store.notices.write_settings(
        house.ada.id, NoticeSettings.read({"quiet": {"from": "22:00", "until": "07:00"}})
    )
    house.add_browser()
    told, taken = (house.move_until(house.create(), 0) for _ in range(2))
    house.clock.advance(MINUTE)
    house.notify()
    assert house.receiver.requests == []
    house.move_until(taken, 1)
    house.clock.advance(8 * HOUR)
    house.notify()
    assert len(house.receiver.requests) == 1
    assert house.list_outcomes()[-2:].count("sent") == 1
    assert told.id


@pytest.mark.slow
def test_a_reminder_comes_once_when_most_of_the_time_is_over(house: House) -> None:
    pace = {"mode": "correspondence", "delay": 86_400, "bank": 0, "refill": 0}
    house.add_webhook("your_turn", "turn_reminder")
    house.move_until(house.create(pace), 0)
    house.notify()
    house.clock.advance(int(0.79 * DAY))
    house.notify()
    assert [body["type"] for body in house.bodies] == ["your_turn"]
    house.clock.advance(int(0.02 * DAY))
    for _ in range(3):
        house.notify()
    assert [body["type"] for body in house.bodies] == ["your_turn", "turn_reminder"]


@pytest.mark.slow
def test_a_target_in_trouble_is_tried_again_with_the_same_id(house: House) -> None:
    webhook, _ = house.add_webhook("your_turn")
    house.statuses.extend([500, 503])
    house.move_until(house.create(), 0)
    house.notify()
    assert len(house.receiver.requests) == 1
    house.clock.advance(7_000)
    house.notify()
    house.clock.advance(7 * MINUTE)
    house.notify()
    ids = {headers["webhook-id"] for _, headers, _ in house.receiver.requests}
    assert (len(house.receiver.requests), len(ids)) == (3, 1)
    assert house.list_outcomes() == ["retrying", "retrying", "sent"]
    assert house.store.notices.find_webhook(house.ada.id, webhook.id).failing_since == 0


@pytest.mark.slow
def test_a_turn_that_was_taken_while_the_target_was_in_trouble_is_not_told(house: House) -> None:
    house.add_webhook("your_turn")
    house.statuses.append(500)
    table = house.move_until(house.create(), 0)
    house.notify()
    house.move_until(table, 1)
    house.clock.advance(MINUTE)
    house.notify()
    assert len(house.receiver.requests) == 1
    assert house.list_outcomes() == ["retrying", "taken"]


@pytest.mark.slow
def test_a_target_that_fails_for_five_days_is_switched_off_and_its_player_learns_it(
    house: House,
) -> None:
    webhook, _ = house.add_webhook("game_over", "your_turn")
    table = house.create()
    for _ in range(2):
        house.statuses.extend([500] * 50)
        table = house.move_until(table, 0)
        house.notify()
        table = house.move_until(table, 1)
        house.clock.advance(5 * DAY + HOUR)
        house.notify()
    found = house.store.notices.find_webhook(house.ada.id, webhook.id)
    assert found.off == "failing"
    items = [json.loads(one.text) for one in house.store.inbox.read(house.ada.id).entries]
    assert [item["type"] for item in items].count("webhook_disabled") == 1


def test_a_player_learns_that_a_webhook_is_off_whose_notifier_died_before_it_said_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    webhook, _ = house.add_webhook("your_turn")
    house.store.notices.note_outcome(house.ada.id, webhook.id, webhook.url, False)
    house.move_until(house.create(), 0)
    house.clock.advance(5 * DAY)
    house.statuses.extend([500] * 2)

    def die(*_: object) -> int:
        raise OSError("killed")

    with monkeypatch.context() as dying:
        dying.setattr(house.store.inbox, "add", die)
        house.notify()
    assert house.store.notices.find_webhook(house.ada.id, webhook.id).off == "failing"
    for _ in range(2):
        house.clock.advance(HOUR)
        house.notify()
    items = [json.loads(one.text) for one in house.store.inbox.read(house.ada.id).entries]
    assert [item["type"] for item in items].count("webhook_disabled") == 1


def test_a_subscription_that_is_gone_is_forgotten(house: House) -> None:
    house.add_browser()
    house.statuses.append(410)
    house.move_until(house.create(), 0)
    house.clock.advance(MINUTE)
    house.notify()
    assert house.store.notices.list_browsers(house.ada.id) == []
    assert not house.store.registry.hexists(keys.notice_wishes(), house.ada.id)
    assert house.list_outcomes()[-1] == "gone"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["discord", "slack"])
def test_a_name_in_a_chat_mentions_no_person_and_is_no_markup(
    house: House, form: WebhookFormat
) -> None:
    house.store.players.rename(house.bob.id, "@everyone <!here> **x** [y](https://z)")
    house.add_webhook("your_turn", form=form)
    bob = house.store.players.by_id(house.bob.id)
    assert bob is not None
    house.move_until(house._replace(bob=bob).create(), 0)
    house.notify()
    ((_, headers, _),) = house.receiver.requests
    (body,) = house.bodies
    assert "webhook-signature" not in headers
    if form == "discord":
        assert body["allowed_mentions"] == {"parse": []}
        assert "\\*\\*x\\*\\*" in body["content"]
        assert "\\[y\\]" in body["content"]
    else:
        assert "<!here>" not in body["text"]
        assert "&lt;!here&gt;" in body["text"]


@pytest.mark.slow
def test_a_notifier_that_dies_between_the_two_steps_loses_and_doubles_nothing(
    house: House,
) -> None:
    house.add_webhook("your_turn")
    house.move_until(house.create(), 0)
    now = house.clock.now_ms()
    # One takes the intent and dies; one takes the delivery and dies.
    assert len(open_intents(house.store.registry).take(now, 10)) == 1
    house.notify()
    assert house.receiver.requests == []
    house.clock.advance(MINUTE)

    async def judge_and_die() -> None:
        async with Sender(house.policy) as sender:
            notifier = Notifier(house.store, sender, house.policy, None, ADDRESS)
            notifier.notifying.step()

    asyncio.run(judge_and_die())
    assert len(open_deliveries(house.store.registry).take(house.clock.now_ms(), 10)) == 1
    house.notify()
    house.clock.advance(MINUTE)
    for _ in range(3):
        house.notify()
    assert len(house.receiver.requests) == 1


def test_a_notifier_shows_itself_in_the_store(house: House) -> None:
    house.notify()
    assert [one.name for one in house.store.heartbeats.list_processes()] == ["notifier"]


def test_the_notifier_notes_where_it_may_send_to(house: House) -> None:
    assert house.store.notice_log.read_policy() is None
    house.notify(1)
    assert house.store.notice_log.read_policy() is not None


def test_mails_are_sent_until_the_notifier_stops_where_there_is_a_mail_server(
    house: House,
) -> None:
    async def run(has_mail: bool) -> int:
        async with Sender(house.policy) as sender:
            notifier = Notifier(house.store, sender, house.policy, None, "")
            steps: list[int] = []

            def step() -> int:
                steps.append(1)
                notifier.stop()
                return 0

            mailing: Any = SimpleNamespace(step=step)
            notifier.mailing = mailing if has_mail else None
            await notifier._send_mails()  # noqa: SLF001
            return len(steps)

    assert [asyncio.run(run(has_mail)) for has_mail in (True, False)] == [1, 0]
