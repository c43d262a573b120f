"""What becomes of a game whose webhook bot fails, is late, or is asked twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.notices.registry import GIVEN_UP_MS
from cartulary.events.outside_bots.questions import LEASE_MS, BotQuestion
from cartulary.events.store import Store
from cartulary.notices.egress import DeliveryFailed, EgressPolicy, Reply, Sender, TargetRefused
from cartulary.notices.egress.policy import AllowedNetwork
from cartulary.workers.notices.bot_requests import PAUSES_MS
from cartulary.workers.notices.bot_turns import BotTurns
from tests.conftest import timed_store
from tests.support.fake_clock import FakeClock
from tests.support.local_servers import make_certificate, run_receiver
from tests.workers.notices.bots_at_the_table import (
    ADDRESS,
    Answer,
    Asked,
    BotTable,
    answer_first,
    reply,
)

RUBBISH = {"type": "place_tile", "x": 99, "y": 99, "rotation": 0}


@pytest.fixture
def room(fake_store: Store, clock: FakeClock) -> BotTable:
    return BotTable(timed_store(fake_store, clock), clock)


def fail(error: Exception) -> Answer:
    def answer(*_: object) -> Reply:
        raise error

    return answer


def say(body: Any, status: int = 200) -> Answer:
    return lambda _asked: reply(body, status)


def move_target(room: BotTable, url: str) -> None:
    room.store.notices.change_webhook(
        room.bot.id, room.webhook.id, lambda found: replace(found, url=url)
    )


BAD = {
    "late": fail(DeliveryFailed("the bot did not answer in time")),
    "not_public": fail(TargetRefused("not_public", "The address leads into the house.")),
    "error": say(b"", 500),
    "redirect": say(b"", 302),
    "nothing": say(b"", 204),
    "no_json": say(b"\xff{"),
    "cut": say(b'{"move": {"type": "place_tile", "x": ' + b" " * 70_000),
    "list": say([RUBBISH]),
    "no_move": say({"resign": True}),
    "text": say({"move": "place_tile"}),
    "illegal": say({"move": RUBBISH}),
    "deep": say(b'{"move": {"type": ' + b"[" * 500 + b"]" * 500 + b"}}"),
}


def test_the_answer_of_a_webhook_that_was_removed_or_moved_meanwhile_counts_no_more(
    room: BotTable,
) -> None:
    """Else what has stolen the token of a bot would make one more move."""
    game = room.invite_and_ask()
    before = room.table(game).version

    def answer_after_move(asked: Asked) -> Reply:
        move_target(room, "https://93.184.216.35/new")
        return answer_first(asked)

    def answer_after_renewal(asked: Asked) -> Reply:
        room.store.own_bots.renew_token(room.ada.id, room.bot.id)
        return answer_first(asked)

    def answer_after_removal(asked: Asked) -> Reply:
        room.store.notices.remove_webhook(room.bot.id, room.webhook.id)
        return answer_first(asked)

    room.target.answers += [answer_after_move, answer_after_renewal, answer_after_removal]
    room.work(4)
    assert len(room.target.asked) == 2
    room.webhook = room.add_webhook(room.bot)
    room.work(2)
    assert len(room.target.asked) == 3
    assert room.table(game).version == before
    assert room.list_outcomes() == []
    room.webhook = room.add_webhook(room.bot)
    room.work()
    assert room.table(game).version > before


@pytest.mark.parametrize("answer", BAD.values(), ids=BAD.keys())
@pytest.mark.slow
def test_a_bot_is_asked_twice_more_within_a_minute_and_then_a_stand_in_plays(
    room: BotTable, answer: Answer
) -> None:
    game = room.invite_and_ask()
    room.target.answers += [answer] * 3
    room.work(2)
    for pause in PAUSES_MS:
        room.sweep()
        assert "stand_in_seated" not in room.types(game)
        room.clock.advance(pause)
        room.work(2)
    assert len({one.id for one in room.target.asked}) == 1
    assert room.list_outcomes() == ["retrying", "retrying", "failed"]
    assert sum(PAUSES_MS) + 30_000 < 60_000
    room.sweep()
    event = next(one for one in room.events(game) if one["type"] == "stand_in_seated")
    assert (event["seat"], event["reason"], event["by"]) == (1, "bot_failed", None)
    assert [item["type"] for item in room.list_items(room.ada)].count("bot_failed") == 1
    assert room.store.connected_bots.list_connected(9) == []
    assert not room.store.bot_questions.is_there(room.bot.id)
    room.work(2)
    assert len(room.target.asked) == 3


def test_a_bot_that_answers_the_third_time_keeps_its_seat(room: BotTable) -> None:
    game = room.invite_and_ask()
    room.target.answers += [BAD["error"], BAD["illegal"]]
    room.work()
    for pause in PAUSES_MS:
        room.clock.advance(pause)
        room.work()
    assert room.list_outcomes() == ["retrying", "retrying", "sent"]
    room.sweep()
    assert "stand_in_seated" not in room.types(game)
    assert room.store.bot_questions.is_there(room.bot.id)


def test_a_question_whose_answer_was_lost_is_asked_again_with_its_id(room: BotTable) -> None:
    """The notifier has asked and dies: no process has heard the answer."""
    game = room.invite_and_ask()
    (entry,) = room.store.bot_questions.waiting.take(room.clock.now_ms(), 9)
    room.work()
    assert room.target.asked == []
    room.clock.advance(LEASE_MS)
    before = room.table(game).version
    room.work()
    (asked,) = room.target.asked
    assert asked.id == f"msg_{BotQuestion.read(entry).name}"
    assert room.table(game).version == before + 1


def test_a_notifier_that_dies_after_the_move_makes_no_second_one(
    room: BotTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = room.invite_and_ask()
    before = room.table(game).version
    with monkeypatch.context() as dying:
        dying.setattr(room.store.bot_questions.waiting, "settle", fail(OSError("killed")))
        room.work()
    assert room.table(game).version == before + 1
    room.clock.advance(LEASE_MS)
    first = room.target.asked[0]
    room.work(3)
    assert [one.id for one in room.target.asked].count(first.id) == 1
    assert room.types(game).count("move_made") == len(made_versions(room, game))


def made_versions(room: BotTable, game: str) -> set[int]:
    return {one["version"] for one in room.events(game) if one["type"] == "move_made"}


def test_two_answers_to_one_question_make_one_move(room: BotTable) -> None:
    """Two notifiers have asked, because the lease of the first was over."""
    game = room.invite_and_ask()
    before = room.table(game).version

    async def ask_twice() -> None:
        both = [BotTurns(room.store, room.target, EgressPolicy(), ADDRESS) for _ in range(2)]
        held = asyncio.Event()

        async def answer_late(asked: Asked) -> Reply:
            await held.wait()
            return reply({"move": asked.data["moves"][-1]})

        room.target.answers += [answer_late, answer_late]
        await both[0].step()
        room.clock.advance(LEASE_MS)
        await both[1].step()
        while len(room.target.asked) < 2:
            await asyncio.sleep(0.01)
        held.set()
        for turns in both:
            await turns.drain()

    asyncio.run(ask_twice())
    assert len({one.id for one in room.target.asked}) == 1
    assert room.table(game).version == before + 1


def move_itself(room: BotTable) -> Callable[[str], None]:
    return lambda game: room.move(game, room.bot)


def give_up(room: BotTable) -> Callable[[str], None]:
    leaving = room.store.commands.leaving
    return lambda game: leaving.resign(Intent(room.ada), game) and None


@pytest.mark.parametrize("change", [move_itself, give_up])
def test_an_answer_that_comes_too_late_is_no_failure(
    room: BotTable, change: Callable[[BotTable], Callable[[str], None]]
) -> None:
    """The game is at another version by then, or over, while the bot was thinking."""
    game = room.invite_and_ask()

    def answer(asked: Asked) -> Reply:
        change(room)(game)
        return reply({"move": asked.data["moves"][0]})

    room.target.answers.append(answer)
    room.work()
    moves = room.types(game).count("move_made")
    assert room.list_outcomes()[0] == "taken"
    assert room.store.notices.find_webhook(room.bot.id, room.webhook.id).failing_since == 0
    assert moves == len(made_versions(room, game))


def test_a_question_whose_game_is_over_is_not_asked_again(room: BotTable) -> None:
    game = room.invite_and_ask()
    room.target.answers.append(BAD["error"])
    room.work()
    room.store.commands.leaving.resign(Intent(room.ada), game)
    room.clock.advance(PAUSES_MS[0])
    room.work()
    assert len(room.target.asked) == 1
    assert room.list_outcomes() == ["retrying", "taken"]


@pytest.mark.slow
@pytest.mark.parametrize("is_gone", [True, False], ids=["deleted", "switched_off"])
def test_a_webhook_that_is_gone_is_not_asked(room: BotTable, is_gone: bool) -> None:
    game = room.invite_and_ask()
    notices = room.store.notices
    if is_gone:
        notices.remove_webhook(room.bot.id, room.webhook.id)
    else:
        notices.change_webhook(
            room.bot.id, room.webhook.id, lambda found: replace(found, off="player")
        )
    room.work(2)
    assert room.target.asked == []
    assert room.find_seat(game) == 1


def test_a_target_that_is_gone_is_switched_off_and_the_owner_learns_it(room: BotTable) -> None:
    game = room.invite_and_ask()
    room.target.answers.append(say(b"", 410))
    room.work()
    room.sweep()
    assert room.store.notices.find_webhook(room.bot.id, room.webhook.id).off == "gone"
    assert room.list_outcomes() == ["gone"]
    assert "stand_in_seated" in room.types(game)
    items = {item["type"]: item["data"] for item in room.list_items(room.ada)}
    assert items["webhook_disabled"]["bot"] == {"id": room.bot.id, "name": "Robo"}


@pytest.mark.parametrize("questions", [1, 2])
def test_a_stand_in_plays_for_a_bot_whose_webhook_goes_off_at_an_early_question(
    room: BotTable, questions: int
) -> None:
    game = room.invite_and_ask()
    room.store.notices.note_outcome(room.bot.id, room.webhook.id, room.webhook.url, False)
    room.clock.advance(GIVEN_UP_MS - (questions - 1) * PAUSES_MS[0])
    room.target.answers += [BAD["error"]] * questions
    for _ in range(questions):
        room.sweep()
        assert "stand_in_seated" not in room.types(game)
        room.work()
        room.clock.advance(PAUSES_MS[0])
    assert room.list_outcomes()[-1] == "failed"
    room.sweep()
    assert "stand_in_seated" in room.types(game)
    assert [item["type"] for item in room.list_items(room.ada)].count("bot_failed") == 1


@pytest.mark.parametrize("connected", [False, True])
def test_a_question_whose_webhook_has_failed_goes_to_a_stand_in_unless_the_bot_is_connected(
    room: BotTable, connected: bool
) -> None:
    game = room.invite_and_ask()
    room.store.notices.note_gone(room.bot.id, room.webhook.id, room.webhook.url)
    if connected:
        room.store.connected_bots.hold(room.bot.id)
    room.work()
    room.sweep()
    assert room.target.asked == []
    assert ("stand_in_seated" in room.types(game)) is not connected


@pytest.mark.parametrize(
    ("status", "since", "why"),
    [(500, GIVEN_UP_MS, "failing"), (410, 0, "gone")],
    ids=["failing", "gone"],
)
def test_an_owner_learns_that_a_webhook_is_off_whose_notifier_died_before_it_said_so(
    room: BotTable,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    since: int,
    why: str,
) -> None:
    game = room.invite_and_ask()
    room.store.notices.note_outcome(room.bot.id, room.webhook.id, room.webhook.url, False)
    room.clock.advance(since)
    room.target.answers.append(say(b"", status))
    with monkeypatch.context() as dying:
        dying.setattr(room.store.inbox, "add", fail(OSError("killed")))
        room.work()
    assert room.store.notices.find_webhook(room.bot.id, room.webhook.id).off == why
    for _ in range(2):
        room.clock.advance(LEASE_MS)
        room.work()
    assert [item["type"] for item in room.list_items(room.ada)].count("webhook_disabled") == 1
    room.sweep()
    assert "stand_in_seated" in room.types(game)
    assert len(room.target.asked) == 1


def test_what_goes_wrong_in_the_house_is_asked_again_and_no_failure_of_the_bot(
    room: BotTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = room.invite_and_ask()
    with monkeypatch.context() as trouble:
        trouble.setattr(room.store.commands, "move", fail(OSError("the store is away")))
        room.work()
    assert room.list_outcomes() == []
    room.clock.advance(LEASE_MS)
    room.work()
    assert len({one.id for one in room.target.asked[:2]}) == 1
    assert "move_made" in room.types(game)
    assert room.list_outcomes()[0] == "sent"


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["endless", "silent"])
def test_a_real_target_that_answers_without_end_or_not_at_all_fails(
    room: BotTable, tmp_path: Path, trouble: str
) -> None:
    certificate = make_certificate(tmp_path)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        if trouble == "silent":
            time.sleep(0.6)
            return
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**7))
        handler.end_headers()
        for _ in range(160):
            handler.wfile.write(b" " * 65_536)

    with run_receiver(certificate, answer) as receiver:
        policy = EgressPolicy(
            allow=(AllowedNetwork.read(f"127.0.0.1/32:{receiver.port}"),),
            certificates=str(certificate[0]),
            resolvers=("127.0.0.1:1",),
        )
        move_target(room, f"https://127.0.0.1:{receiver.port}/move")
        room.invite_and_ask()
        room.follow()

        async def ask() -> None:
            async with Sender(policy, seconds=0.3 if trouble == "silent" else 5) as sender:
                turns = BotTurns(room.store, sender, policy, ADDRESS)
                await turns.step()
                await turns.drain()

        asyncio.run(ask())
    assert len(receiver.requests) == 1
    (line,) = room.store.notice_log.read(room.webhook.id)
    assert line.outcome == "retrying"
    assert ("64 KiB" if trouble == "endless" else "in time") in line.error
