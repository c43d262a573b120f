"""A bot of a player at a table: a person for the clocks, and for nothing else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.workers.queues.feeder import Feeder
from cartulary.workers.queues.queues import queues_on
from cartulary.workers.sweep import Sweep
from tests.service.api.bots.conftest import (
    Connect,
    MakeBot,
    invite,
    sit_down,
    types_of,
    until_asked,
)
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem

RUBBISH = {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}


@pytest.fixture
def table(bob: Caller, bot: Caller, connect: Connect) -> str:
    """A game of Bob (seat 0) and the bot (seat 1), which is asked."""
    connect(bot)
    game_id = sit_down(bob, bot, shuffle_seats=False)
    until_asked(bob, game_id, 1, {0: bob})
    return game_id


def refuse(bot: Caller, game_id: str, times: int, key: str | None = None) -> None:
    headers = {} if key is None else {"Idempotency-Key": key}
    for _ in range(times):
        refused = problem(bot.move(game_id, RUBBISH, headers=headers), 422, "illegal_move")
        assert refused["legal_moves"] == bot.legal(game_id)


def sweep(store: Store) -> None:
    """Do what the dispatcher does each second."""
    Sweep(store, Feeder(queues_on(store.redis))).run()


def test_the_third_refused_move_brings_a_stand_in_and_the_owner_learns_it(
    ada: Caller, bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    before = bob.version(table)
    refuse(bot, table, 2)
    sweep(store)
    assert bob.version(table) == before
    refuse(bot, table, 1)
    assert bob.version(table) == before, "a refusal changes nothing itself"
    sweep(store)
    event = bob.get(f"/games/{table}/events?after={before}").json["events"][0]
    assert (event["type"], event["seat"], event["reason"]) == ("stand_in_seated", 1, "bot_failed")
    assert event["by"] is None
    store.list_updater.follow(store.projector.table(table))
    (item,) = ada.get("/players/me/inbox").json["items"]
    assert (item["type"], item["data"]["game"]) == ("bot_failed", table)
    assert item["data"]["bot"] == {"id": bot.id, "name": "Robo"}
    sweep(store)
    assert types_of(bob, table).count("stand_in_seated") == 1
    assert bob.get(f"/games/{table}/verification").json["valid"]


@pytest.mark.slow
def test_the_account_that_the_owner_has_become_learns_it(
    ada: Caller, bob: Caller, bot: Caller, table: str, app: Flask, store: Store
) -> None:
    """A seat names the owner as of the moment at which the bot took it."""
    home = register_player(app, "Home")
    assert home.post("/players/me/recovery_codes").status_code == 201
    assert home.post("/players/me/merge", {"token": ada.token}).status_code == 200
    store.list_updater.follow(store.projector.table(table))
    refuse(bot, table, 3)
    sweep(store)
    store.list_updater.follow(store.projector.table(table))
    (item,) = home.get("/players/me/inbox").json["items"]
    assert (item["type"], item["data"]["bot"]["id"]) == ("bot_failed", bot.id)
    assert not store.registry.exists(keys.inbox(ada.id))


def test_an_account_that_is_deleted_learns_nothing_of_its_bots(
    ada: Caller, bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    store.list_updater.follow(store.projector.table(table))
    assert ada.post("/players/me/deletion", {"confirm": "Ada"}).status_code == 204
    store.list_updater.follow(store.projector.table(table))
    assert "stand_in_seated" in types_of(bob, table)
    assert not store.registry.exists(keys.inbox(ada.id))


def test_a_repeated_key_counts_once_and_many_processes_count_together(
    bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    refuse(bot, table, 5, key="the same")
    sweep(store)
    assert "stand_in_seated" not in types_of(bob, table)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: refuse(bot, table, 1, key=f"{n}"), range(8)))
    sweep(store)
    assert types_of(bob, table).count("stand_in_seated") == 1


def test_refusals_at_another_position_do_not_count(
    bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    refuse(bot, table, 2)
    assert bot.move(table).status_code == 201
    until_asked(bob, table, 1, {0: bob, 1: bot})
    refuse(bot, table, 2)
    sweep(store)
    assert "stand_in_seated" not in types_of(bob, table)


def test_a_bot_that_moves_after_the_third_refusal_keeps_its_seat(
    bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    refuse(bot, table, 3)
    assert bot.move(table).status_code == 201
    sweep(store)
    assert "stand_in_seated" not in types_of(bob, table)


def test_refused_moves_of_a_person_are_not_counted(
    bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    until_asked(bob, table, 0, {1: bot})
    refuse(bob, table, 4)
    sweep(store)
    assert "stand_in_seated" not in types_of(bob, table)
    assert not store.registry.keys("refusals:*")


def test_a_bot_returns_three_times_and_then_the_stand_in_plays_to_the_end(
    bob: Caller, bot: Caller, table: str, store: Store
) -> None:
    for _ in range(3):
        refuse(bot, table, 3)
        sweep(store)
        assert bot.move(table).status_code == 201
        until_asked(bob, table, 1, {0: bob, 1: bot})
    refuse(bot, table, 3)
    sweep(store)
    problem(bot.move(table), 409, "seat_forfeited")
    game = bob.get(f"/games/{table}").json
    assert (game["status"], game["seats"][1]["state"]) == ("running", "away")
    assert bob.get(f"/games/{table}/verification").json["valid"]


def test_a_bot_does_not_keep_a_game_from_resting_nor_a_person_from_winning(
    bob: Caller, bot: Caller, table: str
) -> None:
    ended = bob.post(f"/games/{table}/resignation", {})
    assert ended.status_code == 201, ended.text
    assert types_of(bob, table)[-2:] == ["seat_forfeited", "play_ended"]


def test_a_person_who_is_alone_with_bots_takes_back_freely(
    bob: Caller, bot: Caller, table: str
) -> None:
    assert bob.get(f"/games/{table}").json["takeback"]["seat"] == 0
    taken = bob.post(f"/games/{table}/proposals", {"kind": "takeback"})
    assert taken.status_code == 201, taken.text
    assert types_of(bob, table)[-1] == "moves_taken_back"


def test_a_bot_proposes_nothing_and_no_proposal_needs_it(
    ada: Caller, bob: Caller, bot: Caller, connect: Connect
) -> None:
    connect(bot)
    game_id = invite(bob, bot, ada)["id"]
    for one in (bot, ada):
        assert one.post(f"/games/{game_id}/seats", {}).status_code == 201
    problem(bot.post(f"/games/{game_id}/proposals", {"kind": "end"}), 403, "not_for_bots")
    assert bot.get(f"/games/{game_id}/proposals").json["may"]["end"] is False
    made = bob.post(f"/games/{game_id}/proposals", {"kind": "end"})
    assert made.status_code == 201, made.text
    owner_seat = next(
        one["seat"]
        for one in bob.get(f"/games/{game_id}").json["seats"]
        if one["player"]["id"] == ada.id
    )
    (event,) = [one for one in made.json["events"] if one["type"] == "proposal_made"]
    assert event["needs"] == [owner_seat]
    assert bob.get(f"/games/{game_id}/verification").json["valid"]


def test_a_bot_that_ends_a_game_early_leaves_it_alone(
    ada: Caller, bob: Caller, make_bot: MakeBot, connect: Connect
) -> None:
    first, second = make_bot("One"), make_bot("Two")
    for one in (first, second):
        connect(one)
    game_id = sit_down(bob, first, second)
    assert first.post(f"/games/{game_id}/abort").status_code == 201
    assert bob.get(f"/games/{game_id}").json["status"] == "running"
    assert types_of(bob, game_id)[-1] == "seat_forfeited"


def test_a_bot_talks_in_phrases_only(bot: Caller, table: str) -> None:
    path = f"/games/{table}/messages"
    problem(bot.post(path, {"room": "players", "text": "buy things"}), 403, "account_needed")
    said: Any = bot.post(path, {"room": "players", "phrase": "good_game"})
    assert said.status_code == 201, said.text
