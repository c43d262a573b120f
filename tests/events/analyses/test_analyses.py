"""Analyses: asked for once, stored decision by decision, and kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cartulary.events.analyses.asking import Asked, Asking
from cartulary.events.analyses.storage import Analysis
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import GameNotRunning, GameRunning, QuotaExceeded
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import UNLIMITED, Quotas
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME, OPEN, beans_game
from tests.events.support.games_with_draws import play_whole

TURN = {"version": 3, "seat": 0, "loss": 0.5}
GIFT = {"version": 4, "seat": 1, "loss": 0.0}
SEATS = [{"accuracy": 90, "loss": 0.5, "luck": 1.0}, {"accuracy": 100, "loss": 0, "luck": -1.0}]


@pytest.fixture
def over(store: Store, ada: Player) -> Table:
    """A game that is over."""
    return play_whole(store, ada, store.commands.create(Intent(ada), beans_game(ME, BOT)).table)


@pytest.fixture
def ask(store: Store, ada: Player) -> Callable[[Table], Asked]:
    """Ask as Ada, who may start two analyses a day."""
    asking = Asking(store.analyses, Quotas(store.registry, UNLIMITED._replace(analyses=2)))
    return lambda table: asking.ask(ada, table)


def find(store: Store, table: Table) -> Analysis:
    found = store.analyses.find(table.id, table.head)
    assert found is not None
    return found


def test_a_game_has_no_analysis_before_somebody_asks(store: Store, over: Table) -> None:
    assert store.analyses.find(over.id) is None
    assert store.analyses.list_under_way(5) == []


def test_an_analysis_is_queued_and_then_there_already(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    first, second = ask(over), ask(over)
    assert (first.is_new, second.is_new) == (True, False)
    assert (first.analysis.status, first.analysis.progress) == ("queued", 0.0)
    assert store.analyses.list_under_way(5) == [over.id]
    assert store.analyses.read_counts() == {"started": 1, "finished": 0, "failed": 0}


def test_of_many_requests_at_once_one_starts_the_analysis(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [one.is_new for one in pool.map(ask, [over] * 8, timeout=60)]
    assert made.count(True) == 1
    assert store.analyses.read_counts()["started"] == 1


def test_only_a_game_that_is_over_has_an_analysis(
    store: Store, ada: Player, ask: Callable[[Table], Asked]
) -> None:
    running = store.commands.create(Intent(ada), beans_game(ME, BOT)).table
    waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    for table in (running, waiting):
        with pytest.raises(GameRunning):
            ask(table)
    aborted = store.commands.abort(Intent(ada), waiting.id).table
    with pytest.raises(GameNotRunning):
        ask(aborted)
    assert store.analyses.read_counts()["started"] == 0


def test_a_player_starts_a_bounded_number_a_day(
    store: Store, ada: Player, ask: Callable[[Table], Asked]
) -> None:
    games = [store.commands.create(Intent(ada), beans_game(ME, BOT)).table for _ in range(3)]
    first, second, third = (play_whole(store, ada, game) for game in games)
    ask(first)
    ask(first)  # it is there: this costs nothing
    ask(second)
    with pytest.raises(QuotaExceeded) as refused:
        ask(third)
    assert refused.value.members()["limit"] == 2
    assert refused.value.retry_after > 23 * 3600
    assert store.analyses.find(third.id) is None
    assert not ask(second).is_new


def test_decisions_are_stored_in_order_and_once(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    analysis = ask(over).analysis
    assert store.analyses.add(over.id, analysis, 0, 2, TURN)
    assert not store.analyses.add(over.id, analysis, 0, 2, TURN), "another worker was faster"
    assert not store.analyses.add(over.id, analysis, 2, 2, GIFT), "a decision is missing"
    assert (find(store, over).status, find(store, over).progress) == ("running", 0.5)
    assert store.analyses.add(over.id, analysis, 1, 2, GIFT)
    assert len(store.analyses.read_decisions(over.id)) == 2
    assert store.analyses.read_decisions(over.id, after=3) == [b'{"version":4,"seat":1,"loss":0.0}']


def test_a_finished_analysis_is_kept_for_a_while(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    analysis = ask(over).analysis
    store.analyses.add(over.id, analysis, 0, 1, TURN)
    assert store.analyses.finish(over.id, analysis, SEATS)
    assert not store.analyses.finish(over.id, analysis, SEATS)
    done = find(store, over)
    assert (done.status, done.progress, done.seats) == ("done", 1.0, SEATS)
    assert store.analyses.list_under_way(5) == []
    assert not ask(over).is_new
    for key in (keys.analysis(over.id), keys.analysed_decisions(over.id)):
        assert 29 * 86_400 < store.redis.ttl(key) <= 30 * 86_400


def test_a_failed_analysis_says_why_and_goes_on_when_it_is_started_again(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    analysis = ask(over).analysis
    store.analyses.add(over.id, analysis, 0, 2, TURN)
    assert store.analyses.fail(over.id, analysis, "error")
    failed = find(store, over)
    assert (failed.status, failed.reason, failed.progress) == ("failed", "error", 0.5)
    assert not store.analyses.add(over.id, analysis, 1, 2, GIFT)
    again = ask(over)
    assert again.is_new
    assert (again.analysis.status, again.analysis.reason, again.analysis.done) == (
        "queued",
        None,
        1,
    )
    assert store.analyses.add(over.id, again.analysis, 1, 2, GIFT)
    counts = {"started": 2, "finished": 0, "failed": 1}
    assert store.analyses.read_counts() == counts


def test_the_analysis_of_an_end_that_the_store_has_lost_is_not_found(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    store.analyses.add(over.id, ask(over).analysis, 0, 2, TURN)
    assert store.analyses.find(over.id, "another head") is None
    assert store.analyses.start(over.id, "another head") == ""
    assert store.analyses.read_decisions(over.id) == []


def test_an_analysis_that_the_queue_has_lost_is_queued_again_by_the_next_request(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    ask(over)
    store.analyses.drop(over.id)
    assert not ask(over).is_new
    assert store.analyses.list_under_way(5) == [over.id]


def test_an_analysis_that_a_worker_has_dropped_before_it_began_is_queued(
    store: Store, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = store.analyses._start  # noqa: SLF001

    def begin_late(**given: Any) -> object:
        store.analyses.drop(over.id)
        return begin(**given)

    monkeypatch.setattr(store.analyses, "_start", begin_late)
    store.analyses.start(over.id, over.head)
    assert store.analyses.list_under_way(5) == [over.id]


def test_a_repeated_attempt_counts_until_a_decision_is_stored(
    store: Store, over: Table, ask: Callable[[Table], Asked]
) -> None:
    analysis = ask(over).analysis
    assert [store.analyses.count_attempt(over.id) for _ in range(2)] == [1, 2]
    store.analyses.add(over.id, analysis, 0, 2, TURN)
    assert store.analyses.count_attempt(over.id) == 1
