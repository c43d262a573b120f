"""The audit finds every kind of tampering, at the version where it happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest

from cartulary.events.audit import audit
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import beans_game

Stream = list[dict[str, Any]]
Tamper = Callable[[Stream], None]


def stored(store: Store, game_id: str) -> Stream:
    return [orjson.loads(fields[b"event"]) for _, fields in store.ledger.entries(game_id)]


def write(store: Store, game_id: str, stream: Stream) -> None:
    """A stream as a person with access to the server could write it."""
    for number, event in enumerate(stream, start=1):
        store.redis.xadd(keys.events(game_id), {"event": orjson.dumps(event)}, id=f"{number}-0")


@pytest.fixture
def honest(store: Store, ada: Player) -> Stream:
    """The stream of a finished game in which everyone keeps all beans: every move draws."""
    table = store.commands.create(Intent(ada), beans_game()).table
    while table.status == "running":
        table = store.commands.move(Intent(ada), table.id, {"type": "keep"}).table
    store.commands.score(table.id)
    return stored(store, table.id)


def found(store: Store, stream: Stream) -> list[tuple[int, str]]:
    write(store, "TAMPERED", stream)
    report = store.audit.game("TAMPERED")
    assert report.valid == (not report.problems)
    assert all(problem["detail"] for problem in report.problems)
    return [(problem["version"], problem["problem"]) for problem in report.problems]


def test_an_honest_game_holds(store: Store, honest: Stream) -> None:
    assert found(store, honest) == []
    fair = store.audit.game("TAMPERED").fair
    assert fair is not None
    assert fair["draws"] == 2 + sum(len(event.get("chance", ())) for event in honest)
    assert store.audit.game("TAMPERED").to_json() == {
        "valid": True,
        "version": len(honest),
        "problems": [],
        "head": store.ledger.last(["TAMPERED"])[0].hash,
        "chained_from": 1,
        "masked": 0,
        "fair": {
            **honest[0]["fair"],
            "draws": fair["draws"],
            "state": "proved",
            "renewed_at": [],
        },
    }


def test_a_field_whose_parts_have_another_form_is_a_problem_of_the_game(
    store: Store, ada: Player
) -> None:
    """Else one such game would end the audit of all others."""
    pace = {"mode": "correspondence", "delay": 86_400, "bank": 0, "refill": 0}
    table = store.commands.create(Intent(ada), beans_game()._replace(pace=pace)).table
    store.commands.move(Intent(ada), table.id, {"type": "keep"})
    stream = stored(store, table.id)
    stream[0]["pace"]["bank"] = ["all"]
    assert "unreadable" in [problem for _, problem in found(store, stream)]


def at(index: int, **changes: Any) -> Tamper:
    """Change fields of the event at this index (its version is one more)."""
    return lambda stream: stream[index].update(changes)


def another_draw(stream: Stream) -> None:
    drawn = stream[2]["chance"][0]
    stream[2]["chance"] = [next(other for other in "123" if other != drawn)]


def another_seat(stream: Stream) -> None:
    stream[2]["seat"] = 1 - stream[2]["seat"]


def one_point_more(stream: Stream) -> None:
    stream[-1]["result"]["scores"][0] += 1


def flatter(stream: Stream) -> None:
    stream[2]["facts"] = [{"type": "points", "seat": 0, "points": 99, "reason": "beans"}]


def swap_moves(stream: Stream) -> None:
    stream[2], stream[3] = stream[3], stream[2]


def renumbered_without(index: int) -> Tamper:
    def tamper(stream: Stream) -> None:
        del stream[index]
        for version, event in enumerate(stream, start=1):
            event["version"] = version

    return tamper


def score_twice(stream: Stream) -> None:
    stream.append({**stream[-1], "version": len(stream) + 1})


@pytest.mark.parametrize(
    ("tamper", "first"),
    [
        (at(2, move={"type": "fly"}), (3, "illegal_move")),
        (at(2, state_hash="0" * 64), (3, "state_hash")),
        (at(1, state_hash="0" * 64), (2, "state_hash")),
        (at(1, facts=[{"type": "gift"}]), (2, "facts")),
        (flatter, (3, "facts")),
        (another_draw, (3, "state_hash")),
        (at(2, chance=["7"]), (3, "chance")),
        (at(2, chance=[]), (3, "chance")),
        (at(2, chance=["1", "2"]), (3, "chance")),
        (at(1, setup={}), (2, "setup")),
        (at(0, game="chess"), (1, "unknown")),
        (another_seat, (3, "wrong_seat")),
        (one_point_more, (-1, "result")),
        (swap_moves, (3, "version_gap")),
        (at(3, version=9), (4, "version_gap")),
        (renumbered_without(0), (1, "order")),
        (renumbered_without(1), (2, "order")),
        (score_twice, (0, "order")),
        (at(2, schema=7), (3, "unknown")),
        (at(2, type="move_taken_back"), (3, "unknown")),
        (at(2, move="keep"), (3, "unreadable")),
        (at(-1, result=None), (-1, "unreadable")),
    ],
)
@pytest.mark.slow
def test_finds_the_event_that_was_tampered_with(
    store: Store, honest: Stream, tamper: Tamper, first: tuple[int, str]
) -> None:
    """A version of 0 or below counts from the end: 0 is one past the honest last one."""
    last = len(honest)
    tamper(honest)
    version, problem = first
    expected = version if version > 0 else last + 1 + version
    assert found(store, honest)[0] == (expected, problem)


def test_a_field_that_is_missing_is_found(store: Store, honest: Stream) -> None:
    del honest[2]["facts"]
    assert found(store, honest) == [(3, "unreadable"), (3, "chain")]


def test_a_state_that_differs_is_reported_once(store: Store, honest: Stream) -> None:
    for event in honest[2:-1]:
        event["state_hash"] = "0" * 64
    assert found(store, honest) == [(3, "state_hash"), (3, "chain")]


def test_a_seat_cannot_be_taken_twice(store: Store, honest: Stream) -> None:
    taken = {"schema": 1, "version": 2, "type": "seat_taken", "at": "", "seat": 0, "player": {}}
    assert found(store, [honest[0], taken]) == [(2, "seat"), (2, "chain")]
    nowhere = {**taken, "seat": 5}
    write(store, "NOWHERE", [honest[0], nowhere])
    assert store.audit.game("NOWHERE").problems[0]["problem"] == "seat"


@pytest.mark.parametrize("lost", [3, -1])
def test_an_entry_that_was_removed_is_found(store: Store, honest: Stream, lost: int) -> None:
    write(store, "LOST", honest)
    version = lost if lost > 0 else len(honest)
    store.redis.xdel(keys.events("LOST"), f"{version}-0")
    (problem,) = store.audit.game("LOST").problems
    assert (problem["version"], problem["problem"]) == (version, "version_gap")


def test_an_event_that_is_appended_during_the_audit_is_not_lost(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = store.commands.create(Intent(ada), beans_game()).table

    def make_report(*arguments: Any) -> audit.AuditReport:
        store.commands.move(Intent(ada), table.id, {"type": "keep"})
        return honestly(*arguments)

    honestly = audit.make_report
    monkeypatch.setattr(audit, "make_report", make_report)
    report = store.audit.game(table.id)
    assert report.problems == []
    assert report.version == table.version


def test_an_entry_that_is_no_event_is_found(store: Store, honest: Stream) -> None:
    write(store, "ODD", honest[:2])
    store.redis.xadd(keys.events("ODD"), {"something": "else"}, id="3-0")
    report = store.audit.game("ODD")
    assert report.problems[0]["problem"] == "unreadable"
    assert report.head == ""
    store.redis.xadd(keys.events("GAP"), {"event": orjson.dumps(honest[0])}, id="2-0")
    assert store.audit.game("GAP").problems[0]["problem"] == "version_gap"


def test_other_rules_of_today_are_named(
    store: Store, honest: Stream, beans: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beans, "rules_version", 2)
    assert found(store, honest) == [], "rules that lead to the same states harm nothing"
    honest[2]["state_hash"] = "0" * 64
    write(store, "OTHER", honest)
    assert "rules 1" in store.audit.game("OTHER").problems[0]["detail"]


def test_an_unknown_game_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound):
        store.audit.game("nothing")
