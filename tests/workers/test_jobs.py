"""The jobs: late, repeated, concurrent, they do each thing once."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from rq.timeouts import JobTimeoutException

from cartulary.bots.base import BotEntry
from cartulary.bots.randomly import play_randomly
from cartulary.events.commands.commands import Written
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.people.players import Player
from cartulary.events.server.leases import Leases
from cartulary.events.store import Store
from cartulary.workers import jobs, wiring
from cartulary.workers.queues.queues import Queues, put
from cartulary.workers.wiring import provide, provided
from tests.conftest import OFFERS
from tests.support.polling import until
from tests.workers.conftest import BOT, ME, new_game, until_asked


def types(store: Store, game_id: str) -> list[str]:
    return [event["type"] for event in store.ledger.events(game_id)]


def moves(store: Store, game_id: str) -> list[dict[str, Any]]:
    events = store.ledger.events(game_id)
    return [event["move"] for event in events if event["type"] == "move_made"]


def test_bots_move_until_the_play_is_over(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    made = jobs.play_on(store, table.id, table.position, budget=60)
    after = store.projector.table(table.id)
    assert made == len(moves(store, table.id)) > 0
    assert after.status == "scoring"


def test_bots_stop_where_a_person_is_asked(store: Store, ada: Player) -> None:
    table = until_asked(store, ada, BOT, ME)
    jobs.play_on(store, table.id, table.position, budget=60)
    after = store.projector.table(table.id)
    assert after.decision is not None
    assert after.decision.seat == 1


def test_a_job_makes_one_move_even_when_its_time_is_over(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    assert jobs.play_on(store, table.id, table.position, budget=0) == 1
    assert store.ledger.version(table.id) == table.version + 1


def test_a_late_job_does_nothing(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.position, budget=0)
    before = store.ledger.events(table.id)
    assert jobs.bot_turn(table.id, table.position) == 0
    assert store.ledger.events(table.id) == before


def test_a_job_for_a_person_s_turn_does_nothing(store: Store, ada: Player) -> None:
    table = until_asked(store, ada, ME, BOT)
    assert jobs.bot_turn(table.id, table.position) == 0
    assert store.ledger.version(table.id) == table.version


def test_a_job_repeated_from_the_same_position_plays_the_same_move(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    chosen: list[Any] = []

    def remember(state: Any, rng: Any) -> Any:
        chosen.append(play_randomly(state, rng))
        return chosen[-1]

    monkeypatch.setattr(jobs, "find_entry", lambda game, name: BotEntry(remember, ""))
    append = store.ledger.append

    def killed(*arguments: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(store.ledger, "append", killed)
    with pytest.raises(KeyboardInterrupt):
        jobs.play_on(store, table.id, table.position, budget=0)
    monkeypatch.setattr(store.ledger, "append", append)
    jobs.play_on(store, table.id, table.position, budget=0)
    assert chosen[0] == chosen[1]
    assert len(moves(store, table.id)) == 1


def test_many_jobs_at_once_make_each_move_once(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: jobs.play_on(store, table.id, table.position, 0), range(16)))
    assert sum(made) == len(moves(store, table.id)) == 1


def test_the_score_is_counted_once(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.position, budget=60)
    position = store.projector.table(table.id).position
    assert jobs.score(table.id, position) == 1
    assert jobs.score(table.id, position) == 0
    assert types(store, table.id).count("game_scored") == 1
    assert store.projector.table(table.id).status == "over"


def test_a_score_job_that_comes_too_early_does_nothing(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    assert jobs.score(table.id, table.position) == 0
    assert store.ledger.version(table.id) == table.version


def test_a_bot_that_is_no_longer_on_offer_fails_visibly(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    provide(store, {})
    with pytest.raises(KeyError):
        jobs.bot_turn(table.id, table.position)
    assert store.ledger.version(table.id) == table.version


def test_a_job_in_a_process_without_a_store_fails_visibly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring, "_stores", [])
    with pytest.raises(RuntimeError, match="no store is provided"):
        provided()


def slow_bot(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Event]:
    """Make all bots think until the event is set; returns the list of started thoughts as well."""
    started: list[str] = []
    go_on = Event()

    def think(state: Any, rng: Any) -> Any:
        started.append("thinks")
        assert go_on.wait(60)
        return state.moves()[0]

    monkeypatch.setattr(jobs, "find_entry", lambda game, name: BotEntry(think, ""))
    return started, go_on


@pytest.mark.slow
def test_a_bot_that_thinks_is_started_once(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "leases", Leases(store.redis, seconds=2.0))
    table = new_game(store, ada)
    started, go_on = slow_bot(monkeypatch)
    with ThreadPoolExecutor(1) as pool:
        try:
            first = pool.submit(jobs.play_on, store, table.id, table.position, 0)
            until(lambda: started)
            for _ in range(6):  # longer than the life of a lease that no thread renews
                time.sleep(0.5)
                assert jobs.play_on(store, table.id, table.position, 0) == 0
        finally:
            go_on.set()
        assert first.result(60) == 1
    assert started == ["thinks"]
    store.leases.close()


def raising(error: Exception) -> Any:
    """A bot that changes the position in its hand, uses its generator, and then fails."""

    def fail(state: Any, rng: random.Random) -> Any:
        rng.random()
        state.play(state.moves()[0])
        raise error

    return fail


def put_bots(monkeypatch: pytest.MonkeyPatch, **bots: Any) -> None:
    """Let a game have these bots; a seat of the tests asks for `random`."""
    monkeypatch.setattr(jobs, "list_bots", lambda game: [*bots])
    monkeypatch.setattr(jobs, "find_entry", lambda game, name: BotEntry(bots[name], "", version=7))


def first_move(store: Store, player: Player) -> dict[str, Any]:
    """The event of the first move of a new game of bots."""
    table = new_game(store, player)
    assert jobs.play_on(store, table.id, table.position, 0) == 1
    event: dict[str, Any] = store.ledger.events(table.id)[-1]
    return event


def test_when_all_bots_fail_the_next_job_tries(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    with monkeypatch.context() as patch:
        put_bots(patch, random=raising(KeyError()), medium=raising(ZeroDivisionError()))
        with pytest.raises(ZeroDivisionError):
            jobs.play_on(store, table.id, table.position)
    assert moves(store, table.id) == []
    assert jobs.play_on(store, table.id, table.position, 0) == 1


@pytest.mark.parametrize(
    ("error", "reason"),
    [(ZeroDivisionError(), "failed"), (JobTimeoutException(), "late"), (KeyError(), "failed")],
)
def test_medium_moves_for_a_bot_that_fails(
    store: Store,
    ada: Player,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    reason: str,
) -> None:
    put_bots(monkeypatch, random=raising(error), medium=play_randomly)
    bot = first_move(store, ada)["bot"]
    assert (bot["level"], bot["version"], bot["fallback"]) == ("medium", 7, reason)


def test_medium_moves_for_a_bot_whose_move_is_not_legal(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_bots(monkeypatch, random=lambda state, rng: "nonsense", medium=play_randomly)
    assert first_move(store, ada)["bot"]["fallback"] == "failed"


def test_medium_moves_for_a_bot_that_is_not_on_offer_any_more(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_bots(monkeypatch, medium=play_randomly)
    bot = first_move(store, ada)["bot"]
    assert (bot["level"], bot["fallback"]) == ("medium", "not_offered")


def test_random_moves_when_medium_fails_too(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = {"medium": raising(ValueError()), "random": play_randomly}
    monkeypatch.setattr(jobs, "list_bots", lambda game: [*bots])
    monkeypatch.setattr(jobs, "find_entry", lambda game, name: BotEntry(bots[name], ""))
    thinkers = jobs.list_thinkers("beans", "hard")
    assert [(thinker.level, thinker.fallback) for thinker in thinkers] == [
        ("medium", "not_offered"),
        ("random", "not_offered"),
    ]
    table = new_game(store, ada)
    bot = store.commands.bots.move(table.id, table.position, thinkers).events[0]["bot"]
    assert (bot["level"], bot["fallback"]) == ("random", "not_offered")


def test_a_substitute_thinks_with_the_seed_in_the_event(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float] = []

    def remember(state: Any, rng: random.Random) -> Any:
        seen.append(rng.random())
        return state.moves()[0]

    put_bots(monkeypatch, random=raising(ValueError()), medium=remember)
    seed = first_move(store, ada)["bot"]["seed"]
    assert seen == [random.Random(int(seed, 16)).random()]


def test_a_bot_that_moves_itself_has_no_fallback(store: Store, ada: Player) -> None:
    assert "fallback" not in first_move(store, ada)["bot"]


def test_a_score_that_somebody_counts_is_not_counted_again(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.position, budget=60)
    position = store.projector.table(table.id).position
    with store.leases.hold(table.id, position):
        assert jobs.score(table.id, position) == 0
    assert jobs.score(table.id, position) == 1


def test_an_event_that_leaves_the_position_alone_voids_no_job(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    later = table._replace(life=table.life._replace(version=table.version + 1))
    monkeypatch.setattr(store.projector, "table", lambda game_id: later)
    asked: list[tuple[str, int]] = []

    def move(game_id: str, position: int, choose: Any) -> Written:
        asked.append((game_id, position))
        return Written(later, [])

    monkeypatch.setattr(store.commands.bots, "move", move)
    jobs.play_on(store, table.id, table.position)
    assert asked == [(table.id, table.position)]


def test_a_bot_thinks_once_however_often_the_append_is_repeated(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    append, conflicts, thoughts = store.ledger.append, [1, 2], []

    def losing(*arguments: Any, **named: Any) -> Any:
        if conflicts:
            conflicts.pop()
            raise VersionConflict(table.version)
        return append(*arguments, **named)

    def think(state: Any, rng: Any) -> Any:
        thoughts.append(state.seat)
        return state.moves()[0]

    monkeypatch.setattr(store.ledger, "append", losing)
    assert store.commands.bots.move(table.id, table.position, think).events
    assert conflicts == []
    assert len(thoughts) == 1


def test_a_bot_does_not_move_on_a_table_that_others_have_left_behind(
    store: Store, ada: Player
) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.position, budget=0)
    store.projector.forget()
    store.projector.remember(table)  # a process that has missed the move
    assert not store.commands.bots.move(table.id, table.position, lambda s, r: s.moves()[0]).events
    assert store.ledger.version(table.id) == table.version + 1


def test_a_job_ends_for_people_who_wait_after_a_while(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BOTS_S", 0.0)
    table = new_game(store, ada)
    assert jobs.play_on(store, table.id, table.position, 60, is_wanted=lambda: True) == 1
    position = store.projector.table(table.id).position
    assert jobs.play_on(store, table.id, position, 60, is_wanted=lambda: False) > 1


def test_a_game_with_people_gives_way_later_than_a_game_of_bots(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BOTS_S", 0.0)
    monkeypatch.setattr(jobs, "PEOPLE_S", 60.0)
    table = until_asked(store, ada, BOT, BOT, ME)
    assert jobs.play_on(store, table.id, table.position, 60, is_wanted=lambda: True) > 1


def test_people_wait_while_a_job_of_theirs_is_in_the_queue(store: Store, queue: Queues) -> None:
    provide(store, OFFERS, queue)
    assert not wiring.do_people_wait()
    put(queue.bots, "bot", "g", 1)
    assert not wiring.do_people_wait()
    put(queue.people, "bot", "h", 1)
    assert wiring.do_people_wait()


@pytest.mark.parametrize("thinks", [True, False])
def test_a_worker_asks_for_people_in_the_queue_that_it_takes_jobs_from(
    store: Store, thinks: bool
) -> None:
    asked: list[bool] = []
    queues: Any = SimpleNamespace(do_people_wait=lambda thinks: asked.append(thinks))
    provide(store, {}, queues, thinks)
    try:
        assert not wiring.do_people_wait()
    finally:
        provide(store, OFFERS)
    assert asked == [thinks]
