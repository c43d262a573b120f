"""An item of the inbox becomes an intent for each channel that its player wants, and no other."""

from __future__ import annotations

import orjson
import pytest

from cartulary.events.lists.inbox import Item, make_item
from cartulary.events.model.clock import format_time
from cartulary.events.model.errors import NotFound, QuotaExceeded
from cartulary.events.notices.intents import NoticeIntent
from cartulary.events.notices.registry import MOST_WEBHOOKS, make_endpoint_id
from cartulary.events.notices.rows import StoredSecret, StoredSubscription, StoredWebhook
from cartulary.events.notices.settings import NoticeSettings
from cartulary.events.notices.waiting import (
    JUDGED_WITHIN_MS,
    NewEntry,
    open_deliveries,
    open_intents,
)
from cartulary.events.notices.wishes import NoticeWishes, find_wishes
from cartulary.events.server import keys
from cartulary.events.store import Store

NOW = 1_800_000_000_000


def make_browser(endpoint: str = "https://push.example/1", id_: str = "") -> StoredSubscription:
    return StoredSubscription(id_ or make_endpoint_id(), endpoint, "k", "a", "Phone", "en", NOW)


def make_webhook(*types: str, id_: str = "") -> StoredWebhook:
    found = id_ or make_endpoint_id()
    return StoredWebhook(found, "https://a.example/", types, "standard", (), NOW)  # type: ignore[arg-type]


def tell(store: Store, version: int = 7, kind: str = "your_turn", game: str = "01GAME") -> Item:
    data = {"game": game, "version": version, "title": "Beans: Bob", "url": f"/games/{game}"}
    item = make_item(game, kind, "ada", format_time(NOW), data, version)  # type: ignore[arg-type]
    store.inbox.add("ada", [item])
    return item


def list_waiting(store: Store) -> list[NoticeIntent]:
    entries = open_intents(store.registry).take(NOW + 10**9, 100)
    return [NoticeIntent.read(entry) for entry in entries]


def test_a_player_without_browser_and_webhook_gets_no_intent(store: Store) -> None:
    tell(store)
    assert open_intents(store.registry).count() == 0


def test_an_item_waits_for_its_delay_in_each_channel(store: Store) -> None:
    store.notices.add_browser("ada", make_browser())
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    tell(store)
    intents = open_intents(store.registry)
    assert [NoticeIntent.read(one).channel for one in intents.take(NOW, 10)] == ["webhook"]
    assert [NoticeIntent.read(one).channel for one in intents.take(NOW + 60_000, 10)] == [
        "webhook",  # Its lease has ended before.
        "push",
    ]


def test_a_webhook_gets_its_types_alone(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("game_over"))
    tell(store)
    tell(store, 8, "game_over")
    assert [one.type for one in list_waiting(store)] == ["game_over"]


def test_a_newer_turn_of_a_game_takes_the_place_of_an_older_one(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    tell(store, 7)
    tell(store, 9)
    tell(store, 3, game="01OTHER")
    assert [(one.game, one.version) for one in list_waiting(store)] == [
        ("01GAME", 9),
        ("01OTHER", 3),
    ]


def test_what_is_taken_comes_back_after_its_lease_and_not_before(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    tell(store)
    intents = open_intents(store.registry)
    assert len(intents.take(NOW, 10)) == 1
    assert intents.take(NOW + JUDGED_WITHIN_MS - 1, 10) == []
    assert len(intents.take(NOW + JUDGED_WITHIN_MS, 10)) == 1


def test_settling_an_intent_removes_it_and_adds_its_delivery_in_one_step(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    tell(store)
    intents, deliveries = open_intents(store.registry), open_deliveries(store.registry)
    (entry,) = intents.take(NOW, 10)
    assert intents.settle([entry], [NewEntry("d1", NOW, b"text")]) == 1
    assert (intents.count(), deliveries.count()) == (0, 1)
    # A second process that had taken the same entry adds nothing.
    assert intents.settle([entry], [NewEntry("d2", NOW, b"text")]) == 0
    assert deliveries.count() == 1


def test_settling_an_old_turn_leaves_a_newer_one_waiting(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    tell(store, 7)
    intents = open_intents(store.registry)
    (entry,) = intents.take(NOW, 10)
    tell(store, 9)
    assert intents.settle([entry], [NewEntry("d1", NOW, b"text")]) == 0
    assert [one.version for one in list_waiting(store)] == [9]


def test_a_rebuild_tells_no_player_again(store: Store) -> None:
    store.notices.add_webhook("ada", make_webhook("your_turn"))
    store.projections.clear()
    assert open_intents(store.registry).count() == 0
    assert store.registry.hexists(keys.notice_wishes(), "ada")


def test_settings_that_switch_a_type_off_lead_to_no_intent(store: Store) -> None:
    store.notices.add_browser("ada", make_browser())
    off = {"your_turn": {"push": None}, "turn_reminder": {"push": None}}
    store.notices.write_settings("ada", NoticeSettings.read(off))
    tell(store)
    assert list_waiting(store) == []


def test_wishes_that_a_dying_process_has_left_stale_are_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.notices.add_browser("ada", make_browser())
    with monkeypatch.context() as patched:
        patched.setattr(NoticeWishes, "write", lambda *_: None)
        store.notices.add_browser("bob", make_browser())
    assert store.registry.hexists(keys.notice_wishes(), "ada")
    store.notices.wishes.repair()
    assert not store.registry.hexists(keys.notice_wishes(), "ada")
    assert store.registry.hexists(keys.notice_wishes(), "bob")
    assert store.registry.scard(keys.stale_wishes()) == 0


def test_an_endpoint_belongs_to_the_player_who_registered_it_last(store: Store) -> None:
    first = store.notices.add_browser("ada", make_browser())
    again = store.notices.add_browser("ada", make_browser())
    assert (again.id, len(store.notices.list_browsers("ada"))) == (first.id, 1)
    store.notices.add_browser("bob", make_browser())
    assert store.notices.list_browsers("ada") == []
    assert not store.registry.hexists(keys.notice_wishes(), "ada")
    assert store.registry.hexists(keys.notice_wishes(), "bob")


def test_a_player_has_at_most_five_webhooks(store: Store) -> None:
    for _ in range(MOST_WEBHOOKS):
        store.notices.add_webhook("ada", make_webhook("your_turn"))
    with pytest.raises(QuotaExceeded):
        store.notices.add_webhook("ada", make_webhook("your_turn"))


def test_a_removed_webhook_is_gone_with_its_wishes(store: Store) -> None:
    webhook = make_webhook("your_turn")
    store.notices.add_webhook("ada", webhook)
    store.notices.remove_webhook("ada", webhook.id)
    assert not store.registry.hexists(keys.notice_wishes(), "ada")
    with pytest.raises(NotFound):
        store.notices.remove_webhook("ada", webhook.id)


def test_two_secrets_sign_for_a_day_after_a_rotation() -> None:
    old, new = StoredSecret("old", None), StoredSecret("new", None)
    webhook = StoredWebhook("w", "https://a.example/", (), "standard", (old,), NOW)
    rotated = webhook.rotate(new, NOW)
    assert [one.encrypted for one in rotated.list_signing(NOW)] == ["new", "old"]
    assert [one.encrypted for one in rotated.list_signing(NOW + 24 * 3_600_000)] == ["new"]
    assert StoredWebhook.read(orjson.dumps(orjson.loads(rotated.text()))) == rotated


def test_a_reminder_alone_lets_an_intent_for_the_turn_arise_at_once() -> None:
    settings = NoticeSettings.read({"your_turn": {"push": None}, "turn_reminder": {"push": 60}})
    wishes = find_wishes(settings, has_browser=True, webhooks=())
    assert (wishes["turn_reminder"]["push"], wishes["your_turn"]["push"]) == (60_000, 0)
