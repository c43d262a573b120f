"""A webhook bot is asked once for each decision, and what it answers becomes a move."""

from __future__ import annotations

import asyncio

import pytest
from redis import RedisError

from cartulary.events.commands.commands import Intent
from cartulary.events.lists.inbox import make_item
from cartulary.events.model.errors import StaleVersion
from cartulary.events.model.table_parts import Clocks
from cartulary.events.outside_bots.accepts import Accepts
from cartulary.events.outside_bots.connections import ASKED_MS
from cartulary.events.outside_bots.questions import LEASE_MS, find_asked
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.games import OFFERS
from cartulary.notices.egress import Reply
from cartulary.notices.signatures import is_signed_by
from cartulary.workers.notices.bot_turns import OF_ONE_BOT
from tests.conftest import timed_store
from tests.support.fake_clock import DAY, HOUR, FakeClock
from tests.workers.notices.bots_at_the_table import ADDRESS, Asked, BotTable, answer_first, reply

LIVE = {"mode": "live", "delay": 30, "bank": 600}


@pytest.fixture
def room(fake_store: Store, clock: FakeClock) -> BotTable:
    return BotTable(timed_store(fake_store, clock), clock)


@pytest.mark.slow
def test_each_decision_of_a_bot_is_asked_once_also_those_of_one_turn(room: BotTable) -> None:
    game = room.invite_and_ask()
    for _ in range(6):
        room.work(3)
        while room.find_seat(game) == 0:
            room.move(game)
    made = [one for one in room.events(game) if one["type"] == "move_made" and one["seat"] == 1]
    assert len(made) >= 6
    assert len({one.id for one in room.target.asked}) == len(room.target.asked) == len(made)
    kinds = [one.data["decision"]["kind"] for one in room.target.asked]
    assert {"place_tile", "place_follower"} <= set(kinds)
    assert set(room.list_outcomes()) == {"sent"}


def test_a_question_has_version_moves_and_a_position_that_the_engine_takes(room: BotTable) -> None:
    game = room.invite_and_ask()
    table = room.table(game)
    room.work()
    (asked,) = room.target.asked
    assert table.state is not None
    assert asked.data["version"] == table.version
    assert asked.data["moves"] == list(table.state.legal_moves())
    assert asked.data["decision"] == table.state.decision.to_json()  # type: ignore[union-attr]
    assert (asked.data["game"], asked.data["seat"]) == (game, 1)
    assert asked.data["url"] == f"{ADDRESS}/games/{game}"
    state = OFFERS["carcassonne"].rules.from_position(asked.data["position"])
    assert state.legal_moves() == table.state.legal_moves()


def test_a_question_is_signed_with_the_key_of_the_webhook(room: BotTable) -> None:
    room.invite_and_ask()
    room.work()
    (asked,) = room.target.asked
    public = room.key.public_text or ""
    assert is_signed_by(public, dict(asked.headers), asked.body)
    assert not is_signed_by(public, dict(asked.headers), asked.body + b" ")


def test_a_timed_game_says_until_when_the_bot_has_time(room: BotTable) -> None:
    room.invite_and_ask(pace=LIVE)
    room.work()
    assert room.target.asked[0].data["deadline_at"] > "2026"


def test_a_bot_sits_down_when_an_invitation_fits_and_needs_no_stream(room: BotTable) -> None:
    game = room.invite()
    assert room.types(game)[:4] == ["game_created", "seat_offered", "seat_taken", "game_started"]


def test_a_bot_is_ready_at_a_live_table_that_its_host_starts(room: BotTable) -> None:
    game = room.invite(pace=LIVE, start="host")
    assert room.table(game).seats[1].ready


@pytest.mark.parametrize("trouble", [RedisError(), StaleVersion(3, 3)], ids=["died", "overtaken"])
def test_a_bot_that_sat_down_and_could_not_say_so_is_ready_after_the_next_question(
    room: BotTable, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def die(*_: object) -> None:
        raise trouble

    game = room.invite(pace=LIVE, start="host", works=False)
    with monkeypatch.context() as dying:
        dying.setattr(room.store.commands.time, "ready", die)
        room.work()
    assert room.types(game) == ["game_created", "seat_offered", "seat_taken"]
    room.clock.advance(LEASE_MS)
    room.work(2)
    assert room.types(game)[3:] == ["seat_readied"]


def test_an_invitation_that_does_not_fit_is_declined(room: BotTable) -> None:
    room.store.acceptance.write(room.bot.id, Accepts(games=("caylus",)))
    game = room.invite()
    (declined,) = [one for one in room.events(game) if one["type"] == "seat_declined"]
    assert declined["reason"] == "game"


def test_of_two_invitations_at_once_a_bot_for_one_game_takes_one(room: BotTable) -> None:
    room.store.acceptance.write(room.bot.id, Accepts(parallel=1))
    games = [room.invite(works=False) for _ in range(2)]
    room.work(2)
    taken = sorted("seat_taken" in room.types(game) for game in games)
    assert taken == [False, True]
    (declined,) = [
        one for game in games for one in room.events(game) if one["type"] == "seat_declined"
    ]
    assert declined["reason"] == "busy"


def test_a_bot_is_listed_for_a_day_after_its_last_move(room: BotTable) -> None:
    room.invite_and_ask()
    room.clock.advance(DAY - HOUR)
    assert room.store.connected_bots.list_connected(9) == [room.bot.id]
    room.work()
    room.clock.advance(ASKED_MS - 1)
    assert room.store.connected_bots.list_connected(9) == [room.bot.id]
    room.clock.advance(1)
    assert room.store.connected_bots.list_connected(9) == []
    assert room.store.bot_questions.is_there(room.bot.id)


@pytest.mark.slow
def test_a_bot_plays_several_games_and_one_that_hangs_holds_up_no_other(room: BotTable) -> None:
    slow = room.make_bot("Slow")
    room.add_webhook(slow)
    room.store.acceptance.write(slow.id, Accepts(parallel=20))
    hanging = [room.invite_and_ask(slow) for _ in range(OF_ONE_BOT + 2)]
    games = [room.invite_and_ask() for _ in range(3)]
    room.target.asked.clear()

    async def play() -> None:
        release = asyncio.Event()

        async def hang(asked: Asked) -> Reply:
            await release.wait()
            return answer_first(asked)

        room.target.of_games = dict.fromkeys(hanging, hang)
        turns = room.make_turns()
        while any(room.find_seat(game) == 1 for game in games):
            await turns.step()
            await asyncio.to_thread(room.follow)
            await asyncio.sleep(0.001)
        release.set()
        await turns.drain()

    asyncio.run(play())
    asked = [one.data["game"] for one in room.target.asked]
    assert set(games) <= set(asked)
    assert sum(one in hanging for one in asked) == OF_ONE_BOT


def test_a_bot_that_answers_202_moves_over_the_api_and_is_not_asked_again(room: BotTable) -> None:
    game = room.invite_and_ask()
    room.target.answers.append(lambda _asked: reply(b"", 202))
    room.work(2)
    (asked,) = room.target.asked
    move = asked.data["moves"][0]
    body = {"move": move, "expected_version": asked.data["version"]}
    intent = Intent(room.bot, asked.data["version"], asked.id, body)
    done = room.store.commands.move(intent, game, move)
    assert done.table.version == asked.data["version"] + 1
    assert room.list_outcomes() == ["sent"]


def test_a_bot_that_is_asked_when_its_webhook_is_registered_is_asked_at_once(
    room: BotTable,
) -> None:
    game = room.invite_and_ask()
    room.store.notices.remove_webhook(room.bot.id, room.webhook.id)
    room.work()
    assert room.target.asked == []
    room.add_webhook(room.bot)
    room.work()
    assert [one.data["game"] for one in room.target.asked] == [game]


def test_a_rebuild_asks_what_the_queues_have_lost(room: BotTable) -> None:
    game = room.invite_and_ask()
    for entry in room.store.bot_questions.waiting.take(room.clock.now_ms(), 9):
        room.store.bot_questions.waiting.settle([entry])
    room.work()
    assert room.target.asked == []
    rebuild(room.store)
    room.work()
    assert [one.data["game"] for one in room.target.asked] == [game]


def test_nothing_is_asked_while_a_game_is_paused_or_rests(room: BotTable) -> None:
    game = room.invite_and_ask(pace=LIVE)
    table = room.table(game)
    assert find_asked(table) is not None
    assert table.clocks is not None
    paused: Clocks = table.clocks._replace(paused=(1, 2))
    assert find_asked(table._replace(clocks=paused)) is None
    away = table.seats[0]._replace(away="absent", stand_in="medium")
    assert find_asked(table._replace(seats=(away, *table.seats[1:]))) is None
    stood_in = table.seats[1]._replace(away="bot_failed", stand_in="medium")
    assert find_asked(table._replace(seats=(table.seats[0], stood_in))) is None


def test_a_game_without_bots_of_players_asks_the_store_nothing(
    room: BotTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = room.invite_and_ask()
    while room.find_seat(game) == 1:
        room.work()
    monkeypatch.setattr(room.store.notices, "list_webhooks", lambda _bot: pytest.fail("asked"))
    room.store.bot_questions.ask(room.table(game))


def test_items_of_the_inbox_do_not_go_to_a_webhook_for_moves(room: BotTable) -> None:
    item = make_item("g", "game_over", room.bot.id, "2026-11-20T10:00:00.000Z", {"url": "/"})
    room.store.inbox.add(room.bot.id, [item])
    assert room.store.registry.keys("*intents*") == []
