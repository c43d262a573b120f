"""The jobs: late, repeated, concurrent, they do each thing once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cartulary.bots.catalogue import BOTS
from cartulary.events.players import Player
from cartulary.events.store import Store
from cartulary.workers import jobs
from tests.workers.conftest import BOT, ME, new_game, until_asked


def types(store: Store, game_id: str) -> list[str]:
    return [event["type"] for event in store.ledger.events(game_id)]


def moves(store: Store, game_id: str) -> list[dict[str, Any]]:
    events = store.ledger.events(game_id)
    return [event["move"] for event in events if event["type"] == "move_made"]


@pytest.fixture(autouse=True)
def _own_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "store", lambda: store)


def test_bots_move_until_the_play_is_over(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    made = jobs.play_on(store, table.id, table.version, budget=60)
    after = store.projector.table(table.id)
    assert made == len(moves(store, table.id)) > 0
    assert after.status == "scoring"


def test_bots_stop_where_a_person_is_asked(store: Store, ada: Player) -> None:
    table = until_asked(store, ada, BOT, ME)
    jobs.play_on(store, table.id, table.version, budget=60)
    after = store.projector.table(table.id)
    assert after.decision is not None
    assert after.decision.seat == 1


def test_a_job_makes_one_move_even_when_its_time_is_over(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    assert jobs.play_on(store, table.id, table.version, budget=0) == 1
    assert store.ledger.version(table.id) == table.version + 1


def test_a_late_job_does_nothing(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.version, budget=0)
    before = store.ledger.events(table.id)
    assert jobs.bot_turn(table.id, table.version) == 0
    assert store.ledger.events(table.id) == before


def test_a_job_for_a_person_s_turn_does_nothing(store: Store, ada: Player) -> None:
    table = until_asked(store, ada, ME, BOT)
    assert jobs.bot_turn(table.id, table.version) == 0
    assert store.ledger.version(table.id) == table.version


def test_a_job_repeated_from_the_same_position_plays_the_same_move(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    chosen: list[Any] = []

    def remember(state: Any, rng: Any) -> Any:
        chosen.append(BOTS["beans"]["random"].bot(state, rng))
        return chosen[-1]

    monkeypatch.setattr(jobs, "bot_named", lambda game, name: remember)
    append = store.ledger.append

    def killed(*arguments: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(store.ledger, "append", killed)
    with pytest.raises(KeyboardInterrupt):
        jobs.play_on(store, table.id, table.version, budget=0)
    monkeypatch.setattr(store.ledger, "append", append)
    jobs.play_on(store, table.id, table.version, budget=0)
    assert chosen[0] == chosen[1]
    assert len(moves(store, table.id)) == 1


def test_many_jobs_at_once_make_each_move_once(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: jobs.play_on(store, table.id, table.version, 0), range(16)))
    assert sum(made) == len(moves(store, table.id)) == 1


def test_the_score_is_counted_once(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    jobs.play_on(store, table.id, table.version, budget=60)
    version = store.ledger.version(table.id)
    assert jobs.score(table.id, version) == 1
    assert jobs.score(table.id, version) == 0
    assert types(store, table.id).count("game_scored") == 1
    assert store.projector.table(table.id).status == "over"


def test_a_score_job_that_comes_too_early_does_nothing(store: Store, ada: Player) -> None:
    table = new_game(store, ada)
    assert jobs.score(table.id, table.version) == 0
    assert store.ledger.version(table.id) == table.version


def test_a_bot_that_is_no_longer_on_offer_fails_visibly(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_game(store, ada)
    monkeypatch.setitem(BOTS, "beans", {})
    with pytest.raises(KeyError):
        jobs.bot_turn(table.id, table.version)
    assert store.ledger.version(table.id) == table.version
