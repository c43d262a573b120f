"""The lobby, a player's games, the games that wait for something."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.ledger.snapshots import EVERY
from cartulary.events.lists.inbox import make_item
from cartulary.events.lists.indexes import find_turn
from cartulary.events.lists.lobby_pages import BadCursor, Page
from cartulary.events.lists.projections import InboxUpdate
from cartulary.events.model.clock import SYSTEM, format_time
from cartulary.events.model.time.due import due
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.support.bean_games import (
    BOT,
    ME,
    OPEN,
    any_move,
    beans_game,
    play_out,
    private_with_open_seat,
)

NOW = SYSTEM.now_ms() + 3_600_000
"""Later than everything that a test stores."""


def ids(page: Page) -> list[str]:
    return [game["id"] for game in page.games]


def follow(store: Store) -> None:
    """What the dispatcher does: bring the projections up to date from the outbox."""
    while entries := store.outbox.read("test"):
        for entry in entries:
            store.projections.apply(store.projector.table(entry.game))
        store.outbox.ack(entries)


def walk(store: Store, limit: int, **filters: Any) -> list[str]:
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = store.projections.lobby(limit=limit, cursor=cursor, **filters)
        found += ids(page)
        cursor = page.next_cursor
        if cursor is None:
            return found


def test_a_new_game_is_in_the_lobby_at_once(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    assert store.projections.lobby().games == [table.summary()]
    assert store.projections.lobby(status="open", game="beans").games == [table.summary()]
    assert store.projections.lobby(status="running").games == []
    assert store.projections.lobby(game="carcassonne").games == []


def test_a_game_moves_from_one_list_to_the_next(store: Store, ada: Player, bob: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, ME, OPEN)).table
    store.commands.arranging.join(Intent(bob), table.id)
    assert store.projections.lobby(status="open").games == []
    assert ids(store.projections.lobby(status="running")) == [table.id]
    assert ids(store.projections.games_of(bob.id, status="running")) == [table.id]


def test_private_games_are_in_the_lists_of_their_people_only(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(visibility="private")).table
    assert store.projections.lobby().games == []
    assert store.projections.games_of(bob.id).games == []
    assert ids(store.projections.games_of(ada.id)) == [table.id]


def test_a_player_who_leaves_no_longer_has_the_game_in_the_list(
    store: Store, ada: Player, bob: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
    store.commands.arranging.join(Intent(bob), table.id)
    store.commands.arranging.leave(Intent(bob), table.id, 1)
    assert store.projections.games_of(bob.id).games == []
    assert ids(store.projections.games_of(ada.id)) == [table.id]


def test_applying_is_idempotent_and_never_goes_back(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table
    later = store.commands.move(Intent(ada), table.id, any_move(table)).table
    assert store.projections.apply(later)
    assert not store.projections.apply(later)
    assert not store.projections.apply(table)
    assert store.projections.summary(table.id) == later.summary()


def test_pages_are_newest_first_and_complete(store: Store, ada: Player) -> None:
    made = [store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.id for _ in range(11)]
    for limit in (1, 3, 11, 50):
        assert walk(store, limit) == sorted(made, reverse=True)
    assert store.projections.lobby(limit=11).next_cursor is None


def test_paging_is_stable_while_games_are_added(store: Store, ada: Player) -> None:
    made = [store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.id for _ in range(6)]
    first = store.projections.lobby(limit=3)
    for _ in range(4):
        store.commands.create(Intent(ada), beans_game(ME, OPEN))
    second = store.projections.lobby(limit=3, cursor=first.next_cursor)
    assert ids(first) + ids(second) == sorted(made, reverse=True)


@pytest.mark.parametrize("cursor", ["", "x", "!!", "Ky0t", "AAAA", "é", "MDFK=", "K" * 300])
def test_foreign_cursors_are_refused(store: Store, cursor: str) -> None:
    with pytest.raises(BadCursor):
        store.projections.lobby(cursor=cursor)


@pytest.mark.slow
def test_a_projection_thrown_away_and_rebuilt_is_the_same(
    store: Store, ada: Player, bob: Player
) -> None:
    open_ = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    private_with_open_seat(store, ada)
    store.commands.arranging.join(Intent(bob), open_.id)
    store.commands.score(
        play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table).id
    )
    play_out(store, ada, store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table)
    store.commands.arranging.leave(
        Intent(bob), store.commands.create(Intent(bob), beans_game(ME, BOT, OPEN)).table.id, 0
    )
    follow(store)

    def derived() -> dict[bytes, Any]:
        """Return all but the inboxes, which a rebuild begins again."""
        redis: Any = store.redis
        inboxes = (keys.inbox("").encode(), keys.notified().encode())
        found = [*redis.keys(f"{keys.PROJECTIONS}*"), *redis.keys("*:snapshots")]
        found = [key for key in found if not key.startswith(inboxes)]
        return {
            key: redis.hgetall(key)
            if redis.type(key) == b"hash"
            else redis.zrange(key, 0, -1, withscores=True)
            for key in found
        }

    before, steps = derived(), []
    assert rebuild(store, lambda done, total: steps.append((done, total))) == []
    assert derived() == before
    assert steps == [(done, 5) for done in range(1, 6)]


def test_a_rebuild_needs_nothing_but_the_streams(store: Store, ada: Player) -> None:
    table = play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
    stream = keys.events(table.id)
    for key in store.redis.keys("*"):
        if key != stream.encode():
            store.redis.delete(key)
    assert store.projections.lobby().games == []
    assert rebuild(store) == []
    assert store.projections.lobby().games == [table.summary()]


def test_a_rebuild_goes_on_when_one_game_is_broken(store: Store, ada: Player) -> None:
    good = store.commands.create(Intent(ada), beans_game()).table
    bad = store.commands.create(Intent(ada), beans_game()).table
    store.redis.xadd(keys.events(bad.id), {"event": b"?"}, id="3-0")
    assert rebuild(store) == [bad.id]
    assert ids(store.projections.lobby()) == [good.id]


def test_a_rebuild_makes_the_snapshots_of_imported_games(store: Store, ada: Player) -> None:
    table = play_out(
        store, ada, store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    )
    transcript = transcript_of(table, store.ledger.events(table.id), {}).to_json()
    imported = store.commands.import_transcript(Intent(ada), transcript).table
    rebuild(store)
    for game_id in (table.id, imported.id):
        names = sorted(int(name) for name in store.redis.hkeys(keys.snapshots(game_id)))
        assert names == list(range(EVERY, store.ledger.version(game_id) + 1, EVERY))


class TestDue:
    def test_a_game_is_late_while_a_bot_is_asked_or_a_score_is_due(
        self, store: Store, ada: Player
    ) -> None:
        person = store.commands.create(Intent(ada), beans_game()).table
        bot = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        assert store.projections.late(NOW) == [(bot.id, bot.version)]
        rng = random.Random(3)
        while (now := store.projector.table(bot.id)).status == "running":
            store.commands.bots.move(bot.id, now.position, lambda s, r: rng.choice(s.moves()))
        follow(store)
        assert store.projections.late(NOW) == [(bot.id, now.version)]
        store.commands.score(bot.id)
        follow(store)
        assert store.projections.late(NOW) == []
        assert store.projector.table(person.id).status == "running"

    def test_the_score_is_the_time_of_the_due_thing(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        waits_for = due(table)
        assert waits_for is not None
        assert store.redis.zscore(keys.due(), table.id) == waits_for.at
        assert store.projections.late(waits_for.at - 1) == []
        assert store.projections.late(waits_for.at) == [(table.id, table.version)]

    def test_the_longest_waiting_comes_first_and_no_more_than_asked_for(
        self, store: Store, ada: Player
    ) -> None:
        made = [store.commands.create(Intent(ada), beans_game(BOT, BOT)).table.id for _ in range(3)]
        for place, game_id in enumerate(made):
            store.redis.zadd(keys.due(), {game_id: 1000 - place})
        assert [late.game for late in store.projections.late(NOW, 2)] == made[:0:-1]

    def test_a_lost_or_stale_entry_is_repaired_by_applying_the_same_version(
        self, store: Store, ada: Player
    ) -> None:
        bot = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        person = store.commands.create(Intent(ada), beans_game()).table
        store.redis.delete(keys.due())
        store.projections.look_again(person.id, 1)
        for table in (bot, person):
            assert not store.projections.apply(table)
        assert store.projections.late(NOW) == [(bot.id, bot.version)]

    def test_an_older_version_repairs_nothing(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        moved = store.commands.bots.move(table.id, table.position, lambda s, r: s.moves()[0]).table
        store.projections.apply(moved)
        store.redis.delete(keys.due())
        store.projections.apply(table)
        assert store.projections.late(NOW) == []

    def test_a_game_to_look_at_again_is_late_from_then_on(self, store: Store) -> None:
        store.projections.look_again("01J0UNKNOWN", 5000)
        store.projections.look_again("01J0UNKNOWN", 9000)
        assert store.projections.late(4999) == []
        assert store.projections.late(5000) == [("01J0UNKNOWN", 0)]


class TestTheSetOfAnEarlierVersion:
    def test_it_is_merged_into_the_due_set(self, store: Store, ada: Player) -> None:
        store.redis.zadd(keys.waiting(), {"old": 1000, "both": 1000})
        store.redis.zadd(keys.due(), {"new": 3000, "both": 2000})
        for _ in range(2):
            store.projections.adopt_waiting()
        due_games = store.redis.zrange(keys.due(), 0, -1, withscores=True)
        assert due_games == [(b"old", 1000.0), (b"both", 2000.0), (b"new", 3000.0)]
        assert not store.redis.exists(keys.waiting())

    def test_without_it_nothing_changes(self, store: Store) -> None:
        store.projections.adopt_waiting()
        assert store.redis.keys("*") == []

    def test_a_rebuild_removes_it_and_fills_the_due_set(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        store.redis.rename(keys.due(), keys.waiting())
        assert rebuild(store) == []
        assert not store.redis.exists(keys.waiting())
        assert store.projections.late(NOW) == [(table.id, table.version)]


def test_a_list_of_untimed_games_passes_over_the_timed_games(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.lists.lobby_pages.CHOSEN_AT_ONCE", 3)
    pace = {"mode": "correspondence", "delay": 86400, "bank": 0}
    games = [
        store.commands.create(
            Intent(ada), beans_game(ME, OPEN, pace=None if n % 3 == 0 else pace)
        ).table
        for n in range(20)
    ]
    untimed = [game.id for game in games if game.terms.pace is None][::-1]
    timed = [game.id for game in games if game.terms.pace is not None][::-1]
    assert walk(store, 2, pace="none") == untimed
    assert walk(store, 100, pace="none") == untimed
    assert walk(store, 3, pace="correspondence") == timed
    assert walk(store, 3, pace="live") == []
    monkeypatch.setattr("cartulary.events.lists.lobby_pages.CHOSEN_LOOKS", 1)
    assert walk(store, 100, pace="none") == untimed


def test_a_list_is_of_rated_games_or_of_others(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.events.lists.lobby_pages.CHOSEN_AT_ONCE", 3)
    store.registry.hset(keys.player(ada.id), "claimed_at", "2026-11-22T14:00:00.000Z")
    pace = {"mode": "correspondence", "delay": 86400, "bank": 0}
    games = [
        store.commands.create(Intent(ada), beans_game(ME, OPEN, pace=pace, rated=n % 4 == 0)).table
        for n in range(10)
    ]
    rated = [game.id for game in games if game.terms.rated][::-1]
    others = [game.id for game in games if not game.terms.rated][::-1]
    assert walk(store, 2, rated="true") == rated
    assert walk(store, 2, rated="false") == others
    assert walk(store, 100, rated="true", pace="correspondence", seat="open") == rated
    assert walk(store, 100, rated="true", pace="none") == []


def test_a_rebuild_tells_nobody_outside_what_it_writes_into_inboxes() -> None:
    item = make_item("game", "your_turn", "ada", format_time(1_000), {}, 3)
    for silent, at in ((False, 1_000), (True, "")):
        words = InboxUpdate("before", "after", [("ada", item)], silent).words("")
        assert words[4:] == ["ada", item.id, item.text(), at]


def test_a_game_is_in_the_list_of_turns_of_the_player_who_is_asked(store: Store) -> None:
    ada = store.players.create("Ada")[0]
    table = store.commands.create(Intent(ada), beans_game(ME, ME)).table
    assert find_turn(table, lambda _: 5) == f"{keys.turns(ada.id)} 5"
    assert table.summary()["ladder"] is None
    waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    assert find_turn(waiting, lambda _: 5) == ""
