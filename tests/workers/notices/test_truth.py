"""What is sent was true a moment before: the stream is asked, not the projections alone."""

from __future__ import annotations

import orjson
import pytest
from redis import ConnectionError as RedisConnectionError

from cartulary.events.commands.commands import Intent
from cartulary.events.lists.inbox import make_item
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.log import LoggedNotice
from cartulary.events.notices.waiting import SENT_WITHIN_MS, UNREADABLE_MS, open_deliveries
from cartulary.events.server import keys
from cartulary.workers.notices.judging import NoticeJudge
from cartulary.workers.notices.sending import BEHIND_MS
from tests.support.fake_clock import MINUTE
from tests.workers.notices.house import House


@pytest.mark.slow
def test_a_message_that_was_retried_is_not_about_an_earlier_turn_of_the_player(
    house: House,
) -> None:
    house.add_webhook("your_turn")
    house.statuses.append(500)
    table = house.move_until(house.create(), 0)
    house.notify()
    later = house.move_until(house.move_until(table, 1), 0)
    house.clock.advance(MINUTE)
    for _ in range(3):
        house.notify()
    assert [body["data"]["version"] for body in house.bodies] == [table.version, later.version]
    assert sorted(house.list_outcomes()) == ["retrying", "sent", "taken"]


@pytest.mark.slow
def test_a_turn_that_was_taken_is_not_told_while_the_dispatcher_hangs(house: House) -> None:
    house.add_webhook("your_turn")
    table = house.move_until(house.create(), 0)
    state = table.state
    assert state is not None
    # The move is stored, and no dispatcher has followed it.
    move = state.move_json(state.moves()[0])
    house.store.commands.move(Intent(house.ada, table.version), table.id, move)
    house.notify()
    assert house.receiver.requests == []
    assert open_deliveries(house.store.registry).count() == 1
    house.follow()
    house.clock.advance(BEHIND_MS)
    house.notify()
    after = house.store.projector.table(table.id)
    is_still_asked = after.state is not None and after.state.seat == 0
    assert len(house.receiver.requests) == int(is_still_asked)
    assert open_deliveries(house.store.registry).count() == 0


def test_a_warning_that_a_game_will_end_is_true_until_something_happens_in_it(
    house: House,
) -> None:
    table = house.create()
    data = {"game": table.id, "version": table.version, "code": "empty", "seat": 0}
    item = make_item(table.id, "turn_reminder", house.ada.id, table.updated_at, data)
    judge = NoticeJudge(house.store)
    assert judge.stands(house.ada.id, orjson.loads(item.text()))
    house.move(table)
    assert not judge.stands(house.ada.id, orjson.loads(item.text()))


def test_a_notice_of_a_proposal_goes_out_only_while_it_is_open(house: House) -> None:
    house.add_webhook("proposal_made", player=house.bob)
    table, proposals = house.create(), house.store.commands.proposals
    for outcome in ("told", "withdrawn"):
        made = proposals.propose(Intent(house.ada), table.id, "end").table
        house.follow()
        if outcome == "told":
            house.notify()
        proposals.withdraw(Intent(house.ada), table.id, made.version)
        house.follow()
        house.notify()
    told = [(body["type"], body["data"]["kind"]) for body in house.bodies]
    assert told == [("proposal_made", "end")]


def test_a_notice_that_cannot_be_judged_waits_and_holds_up_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.add_webhook("your_turn", "game_started")
    is_true = NoticeJudge.is_true

    def fail_for_starts(judge: NoticeJudge, player_id: str, item: Json) -> bool:
        if item["type"] == "game_started":
            raise KeyError(item["type"])
        return is_true(judge, player_id, item)

    with monkeypatch.context() as patch:
        patch.setattr(NoticeJudge, "is_true", fail_for_starts)
        house.move_until(house.create(), 0)
        house.notify()
    assert [body["type"] for body in house.bodies] == ["your_turn"]
    house.clock.advance(UNREADABLE_MS)
    house.notify()
    assert [body["type"] for body in house.bodies] == ["your_turn", "game_started"]


def test_a_notice_of_a_mistake_is_true_until_it_was_tried(house: House) -> None:
    data = {"game": "A", "version": 9, "seat": 0, "url": "/games/A?ask=9"}
    item = make_item("A", "mistake_returned", house.ada.id, format_time(0), data, 9)
    judge = NoticeJudge(house.store)
    assert not judge.stands(house.ada.id, orjson.loads(item.text()))
    house.store.registry.set(keys.returned_mistake(house.ada.id), item.id)
    assert judge.stands(house.ada.id, orjson.loads(item.text()))


def test_a_store_that_does_not_answer_for_a_moment_costs_no_attempt(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.add_webhook("your_turn")
    house.move_until(house.create(), 0)
    settled = []
    settle = house.store.notice_log.write

    def fail_once(owners: tuple[str, ...], line: LoggedNotice) -> None:
        settled.append(line)
        if len(settled) == 1:
            raise RedisConnectionError
        settle(owners, line)

    monkeypatch.setattr(house.store.notice_log, "write", fail_once)
    house.notify()
    house.clock.advance(SENT_WITHIN_MS)
    house.notify()
    assert len(house.receiver.requests) == 1
    assert house.list_outcomes() == ["sent"]
