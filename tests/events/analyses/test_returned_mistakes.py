"""Mistakes in the inbox: after three days, one at a time, gone when they were tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson
import pytest

from cartulary.events.analyses.learning import AGAIN_MS, KEPT, Learning
from cartulary.events.analyses.returned_mistakes import LOOK_MS, REST_MS, RETRY_MS, ReturnedMistakes
from cartulary.events.model.clock import format_time
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.analyses.test_learning import FinishedTable
from tests.support.fake_clock import FakeClock

SEATS = [{"luck": 0.0}, {"luck": 0.0}]


@pytest.fixture
def clock(store: Store) -> FakeClock:
    """The clock of what players learn."""
    found = FakeClock()
    store.learning = Learning(store.registry, found)
    store.returned_mistakes = ReturnedMistakes(
        store.registry, store.learning, store.analyses, store.inbox, store.rules, found
    )
    return found


def note(store: Store, game: str, player: Player, *versions: int) -> None:
    """Note a finished analysis with these moments of seat 0."""
    store.redis.hset(keys.analysis(game), "status", "done")
    moments = [{"seat": 0, "version": version} for version in versions]
    table: Any = FinishedTable(game, player)
    store.learning.note(table, SEATS, moments)


def wait(store: Store, clock: FakeClock, ms: int) -> None:
    clock.advance(ms)
    while store.returned_mistakes.step():
        pass


def read(store: Store, player: Player) -> list[dict[str, Any]]:
    return [orjson.loads(entry.text) for entry in store.inbox.read(player.id).entries]


def names(store: Store, player: Player) -> list[tuple[str, int]]:
    return [(one["data"]["game"], one["data"]["version"]) for one in read(store, player)]


def test_a_mistake_comes_back_after_three_days_to_its_player_alone(
    store: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    note(store, "A", ada, 9)
    at = clock.now + AGAIN_MS
    wait(store, clock, AGAIN_MS - 1)
    assert read(store, ada) == []
    wait(store, clock, 1)
    assert read(store, ada) == [
        {
            "id": f"A:9:mistake_returned:{ada.id}",
            "type": "mistake_returned",
            "timestamp": format_time(at),
            "data": {
                "game": "A",
                "version": 9,
                "seat": 0,
                "title": "Carcassonne",
                "deadline_at": None,
                "url": "/games/A?ask=9",
            },
        }
    ]
    assert read(store, bob) == []
    wait(store, clock, 2 * LOOK_MS)
    assert len(read(store, ada)) == store.inbox.count_unread(ada.id) == 1


@pytest.mark.parametrize("right", [True, False])
def test_one_mistake_waits_at_a_time_and_the_next_comes_a_day_after_the_last_was_tried(
    store: Store, clock: FakeClock, ada: Player, right: bool
) -> None:
    note(store, "A", ada, 3, 9)
    clock.advance(1)
    note(store, "B", ada, 5)
    wait(store, clock, 2 * AGAIN_MS)
    assert names(store, ada) == [("A", 3)]
    store.returned_mistakes.answer(ada.id, "A", 3, right)
    assert (read(store, ada), store.inbox.count_unread(ada.id)) == ([], 0)
    wait(store, clock, REST_MS - 1)
    assert read(store, ada) == []
    wait(store, clock, 1)
    assert names(store, ada) == [("A", 9)]
    store.returned_mistakes.answer(ada.id, "A", 9, right=True)
    wait(store, clock, REST_MS)
    store.returned_mistakes.answer(ada.id, "B", 5, right=True)
    wait(store, clock, AGAIN_MS)
    assert names(store, ada) == ([] if right else [("A", 3)]), "a wrong answer comes back again"


def test_an_answer_to_a_moment_that_is_not_open_leaves_the_inbox_alone(
    store: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    note(store, "A", ada, 9)
    wait(store, clock, AGAIN_MS)
    before = read(store, ada)
    for player, game, version in ((ada, "A", 4), (ada, "B", 9), (bob, "A", 9)):
        store.returned_mistakes.answer(player.id, game, version, right=True)
    wait(store, clock, 1)
    assert read(store, ada) == before


def test_a_mistake_goes_with_its_analysis(store: Store, clock: FakeClock, ada: Player) -> None:
    note(store, "A", ada, 9)
    note(store, "B", ada, 9)
    wait(store, clock, AGAIN_MS)
    assert names(store, ada) == [("A", 9)]
    store.redis.delete(keys.analysis("A"))
    wait(store, clock, LOOK_MS)
    assert names(store, ada) == [("B", 9)]
    store.redis.delete(keys.analysis("B"))
    wait(store, clock, LOOK_MS)
    assert read(store, ada) == []
    assert store.registry.zcard(keys.returning_mistakes()) == 0
    note(store, "B", ada, 9)  # the analysis was made again
    wait(store, clock, AGAIN_MS)
    assert names(store, ada) == [("B", 9)]


def test_a_game_that_is_kept_no_longer_asks_nothing(
    store: Store, clock: FakeClock, ada: Player
) -> None:
    note(store, "A", ada, 9)
    wait(store, clock, AGAIN_MS)
    for number in range(KEPT):
        note(store, f"G{number}", ada)
    wait(store, clock, LOOK_MS)
    assert read(store, ada) == []


def test_a_rebuild_finds_the_same_mistake(
    store: Store, clock: FakeClock, ada: Player, bob: Player
) -> None:
    note(store, "A", ada, 3, 9)
    note(store, "B", bob, 5)
    wait(store, clock, AGAIN_MS)
    store.returned_mistakes.answer(ada.id, "A", 3, right=False)
    wait(store, clock, REST_MS)
    before, due = read(store, ada) + read(store, bob), find_due(store)
    assert [one["data"]["version"] for one in before] == [9, 5]
    assert rebuild(store) == []
    assert read(store, ada) + read(store, bob) == before
    assert set(find_due(store)) == set(due)
    store.returned_mistakes.answer(bob.id, "B", 5, right=True)
    assert rebuild(store) == []
    assert read(store, bob) == []


def find_due(store: Store) -> dict[bytes, float]:
    found: Any = store.registry.zrange(keys.returning_mistakes(), 0, -1, withscores=True)
    return dict(found)


def test_nothing_of_a_deleted_account_is_left(store: Store, clock: FakeClock, ada: Player) -> None:
    note(store, "A", ada, 9)
    wait(store, clock, AGAIN_MS)
    store.returned_mistakes.answer(ada.id, "A", 9, right=False)
    wait(store, clock, AGAIN_MS)
    store.accounts.deletion.delete(ada, "Ada")
    left = [
        key
        for key in store.registry.scan_iter(match=f"*{ada.id}*")
        if key.startswith((keys.PROJECTIONS.encode(), keys.LEARNED_PREFIX.encode()))
    ]
    assert (left, find_due(store)) == ([], {})
    store.returned_mistakes.renew(ada.id)
    wait(store, clock, AGAIN_MS)
    assert store.inbox.read(ada.id).entries == []


def test_what_waits_for_a_guest_comes_to_the_account(
    store: Store, clock: FakeClock, ada: Player
) -> None:
    guest, token = store.players.create("Phone")
    note(store, "A", guest, 9)
    store.accounts.merging.merge(ada, token)
    wait(store, clock, AGAIN_MS)
    assert names(store, ada) == [("A", 9)]
    assert store.inbox.read(guest.id).entries == []


def test_a_player_whose_analyses_do_not_answer_holds_up_no_other(
    store: Store, clock: FakeClock, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(store, "A", ada, 9)
    clock.advance(1)
    note(store, "B", bob, 9)
    clock.advance(AGAIN_MS)
    list_done = store.analyses.list_done

    def fail(games: Sequence[str]) -> set[str]:
        if "A" in games:
            raise ConnectionError
        return list_done(games)

    with monkeypatch.context() as patch:
        patch.setattr(store.analyses, "list_done", fail)
        with pytest.raises(ConnectionError):
            store.returned_mistakes.step()
        assert store.returned_mistakes.step() == 1
        assert (names(store, ada), names(store, bob)) == ([], [("B", 9)])
    wait(store, clock, RETRY_MS)
    assert names(store, ada) == [("A", 9)]


def look_once(store: Store, patch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Let something happen, once, while the analyses of players are listed."""
    list_done, acts = store.analyses.list_done, [meanwhile]

    def meet(games: Sequence[str]) -> set[str]:
        if acts:
            acts.pop()()
        return list_done(games)

    patch.setattr(store.analyses, "list_done", meet)


def test_two_dispatchers_bring_one_item(
    store: Store, clock: FakeClock, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(store, "A", ada, 9)
    clock.advance(AGAIN_MS)
    look_once(store, monkeypatch, lambda: store.returned_mistakes.renew(ada.id))
    store.returned_mistakes.renew(ada.id)
    assert names(store, ada) == [("A", 9)]


def test_an_answer_while_a_dispatcher_looks_wins(
    store: Store, clock: FakeClock, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(store, "A", ada, 9)
    clock.advance(AGAIN_MS)
    look_once(store, monkeypatch, lambda: store.learning.answer(ada.id, "A", 9, right=True))
    store.returned_mistakes.renew(ada.id)
    assert read(store, ada) == []


def test_a_cursor_behind_a_mistake_that_was_tried_stays_valid(
    store: Store, clock: FakeClock, ada: Player
) -> None:
    note(store, "A", ada, 3)
    wait(store, clock, AGAIN_MS)
    cursor = store.inbox.read(ada.id).next_after
    store.returned_mistakes.answer(ada.id, "A", 3, right=False)
    assert store.inbox.read(ada.id, cursor) == ([], cursor, False)
    store.inbox.mark_read(ada.id, cursor)
    wait(store, clock, AGAIN_MS)
    again = store.inbox.read(ada.id, cursor)
    assert (len(again.entries), again.reset, store.inbox.count_unread(ada.id)) == (1, False, 1)


def test_a_notice_of_a_mistake_goes_to_who_wishes_it_and_no_longer_than_it_waits(
    store: Store, clock: FakeClock, ada: Player
) -> None:
    wishes = {"mistake_returned": {"push": 0}}
    store.registry.hset(keys.notice_wishes(), ada.id, orjson.dumps(wishes))
    note(store, "A", ada, 3)
    wait(store, clock, AGAIN_MS)
    (item,) = read(store, ada)
    assert store.registry.zcard(keys.intents()) == 1
    assert store.returned_mistakes.is_open(ada.id, item["id"])
    store.registry.delete(keys.intents())
    rebuild(store)
    assert store.registry.zcard(keys.intents()) == 0, "a rebuild does not tell it again"
    store.returned_mistakes.answer(ada.id, "A", 3, right=True)
    assert not store.returned_mistakes.is_open(ada.id, item["id"])
