"""The inbox: items in order, each once, about five hundred of them; read up to a mark."""

from __future__ import annotations

import pytest

from cartulary.events.lists.inbox import (
    MOST,
    READ_KEPT,
    READ_S,
    BadPlace,
    InboxSlice,
    Item,
    make_item,
)
from cartulary.events.server import keys
from cartulary.events.store import Store

AT = "2026-11-22T14:00:00.000Z"
A_BLOCK = 100
"""A server drops items in blocks: of so many at most, unless its settings say otherwise."""


def item(version: int) -> Item:
    return make_item("01GAME", "your_turn", "ada", AT, {"game": "01GAME"}, version)


def fill(store: Store, *versions: int) -> None:
    store.inbox.add("ada", [item(version) for version in versions])


def versions_of(found: InboxSlice) -> list[int]:
    return [int(entry.text.split(b":")[2]) for entry in found.entries]


def test_an_inbox_gives_its_items_in_order_a_page_at_a_time(store: Store) -> None:
    fill(store, 3, 4, 5)
    first = store.inbox.read("ada", limit=2)
    assert versions_of(first) == [3, 4]
    assert not first.reset
    second = store.inbox.read("ada", first.next_after)
    assert versions_of(second) == [5]
    last = store.inbox.read("ada", second.next_after)
    assert last == InboxSlice([], second.next_after, reset=False)


def test_the_id_of_an_item_names_game_version_type_and_player(store: Store) -> None:
    assert item(7).id == "01GAME:7:your_turn:ada"


def test_an_item_that_is_added_twice_is_there_once(store: Store) -> None:
    assert store.inbox.add("ada", [item(1), item(1)]) == 1
    assert store.inbox.add("ada", [item(1), item(2)]) == 1
    assert versions_of(store.inbox.read("ada")) == [1, 2]


def test_the_inboxes_of_two_players_have_nothing_in_common(store: Store) -> None:
    fill(store, 1)
    assert store.inbox.read("bob") == InboxSlice([], "0-0", reset=False)
    assert store.inbox.count_unread("bob") == 0


def test_the_id_of_an_item_is_a_cursor_too(store: Store) -> None:
    fill(store, 1, 2, 3)
    assert versions_of(store.inbox.read("ada", item(2).id)) == [3]


@pytest.mark.slow
def test_an_inbox_drops_its_oldest_items_and_forgets_their_ids(store: Store) -> None:
    fill(store, *range(1, 3 * MOST))
    assert store.redis.xlen(keys.inbox("ada")) < MOST + 200
    fill(store, 3 * MOST)
    assert store.redis.hlen(keys.inbox_ids("ada")) < 1.25 * (MOST + 200) + 20
    assert versions_of(store.inbox.read("ada", item(3 * MOST - 1).id)) == [3 * MOST]


@pytest.mark.slow
def test_a_cursor_before_the_oldest_item_is_stale(store: Store) -> None:
    fill(store, *range(1, 3 * MOST))
    found = store.inbox.read("ada", "5-0", limit=3)
    assert found.reset
    assert versions_of(found) == versions_of(store.inbox.read("ada", limit=3))


@pytest.mark.parametrize("after", ["99999999999999-0", "01GAME:9:your_turn:ada"])
def test_a_cursor_beyond_the_end_and_an_item_that_is_gone_are_stale(
    store: Store, after: str
) -> None:
    fill(store, 1, 2)
    found = store.inbox.read("ada", after)
    assert found.reset
    assert store.inbox.read("ada", found.next_after) == InboxSlice(
        [], found.next_after, reset=False
    )


@pytest.mark.parametrize("after", ["x", "1-", "-1", "1-2-3", "1" * 40, "(0-0"])
def test_what_is_no_cursor_is_refused(store: Store, after: str) -> None:
    with pytest.raises(BadPlace):
        store.inbox.read("ada", after)


def test_items_are_unread_until_the_mark_passes_them(store: Store) -> None:
    fill(store, 1, 2, 3)
    assert store.inbox.count_unread("ada") == 3
    store.inbox.mark_read("ada", item(2).id)
    assert store.inbox.count_unread("ada") == 1
    store.inbox.mark_read("ada", item(1).id)
    assert store.inbox.count_unread("ada") == 1
    fill(store, 4)
    assert store.inbox.count_unread("ada") == 2


def test_a_mark_beyond_the_end_leaves_later_items_unread(store: Store) -> None:
    fill(store, 1)
    store.inbox.mark_read("ada", "99999999999999-0")
    assert store.inbox.count_unread("ada") == 0
    fill(store, 2)
    assert store.inbox.count_unread("ada") == 1


def test_an_item_that_an_earlier_release_has_noted_is_known(store: Store) -> None:
    fill(store, 1, 2)
    ids = keys.inbox_ids("ada")
    entry = store.inbox.read("ada").next_after
    store.redis.delete(ids)
    store.redis.hset(ids, item(2).id, entry)
    assert store.inbox.add("ada", [item(2)]) == 0
    assert store.inbox.read("ada", item(2).id) == InboxSlice([], entry, reset=False)


@pytest.mark.slow
def test_of_the_read_items_the_newest_stay_and_of_the_unread_all(store: Store) -> None:
    fill(store, *range(1, 401))
    store.inbox.mark_read("ada", item(300).id)
    left = versions_of(store.inbox.read("ada", limit=MOST))
    assert left[-100 - READ_KEPT :] == [*range(301 - READ_KEPT, 401)]
    assert len(left) < 100 + READ_KEPT + A_BLOCK
    assert store.inbox.count_unread("ada") == 100
    fill(store, 401)
    assert store.redis.hlen(keys.inbox_ids("ada")) < 1.25 * len(left) + 21
    assert store.inbox.read("ada", item(1).id).reset
    assert not store.inbox.read("ada", item(300).id).reset


def test_a_player_with_few_items_loses_none_by_reading(store: Store) -> None:
    fill(store, *range(1, READ_KEPT + 1))
    store.inbox.mark_read("ada", item(READ_KEPT).id)
    assert len(store.inbox.read("ada").entries) == READ_KEPT


def test_an_inbox_to_which_nothing_comes_is_gone_after_a_while_with_its_mark(store: Store) -> None:
    fill(store, 1)
    store.inbox.mark_read("ada", item(1).id)
    of_ada = (keys.inbox("ada"), keys.inbox_ids("ada"), keys.inbox_read("ada"))
    for key in of_ada:
        store.redis.expire(key, 5)
    fill(store, 2)
    for key in of_ada:
        assert READ_S - 60 < store.redis.ttl(key) <= READ_S
