"""The table: what others see of it, and what folding refuses."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import now
from cartulary.events.model.effects.fold import evolve, fold
from cartulary.events.model.failures import BrokenHistory, UnknownEvent
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.types import MOVE_MADE, Json
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import (
    BOT,
    ME,
    OPEN,
    any_move,
    beans_game,
    play_out,
    private_with_open_seat,
    shown,
)
from tests.support.toy_game import BeansState

MISSING = object()
VALUES: tuple[object, ...] = (MISSING, None, 7, -1, 1.5, "x", [], ["x"], {}, {"by": 3})


def test_a_game_is_shown_as_in_the_contract(fake_store: Store) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = fake_store.commands.create(Intent(ada), beans_game(ME, BOT)).table
    read = shown(table)
    assert table.state is not None
    assert table.decision is not None
    assert read == {
        "id": table.id,
        "game": "beans",
        "options": {"goal": 9},
        "status": "running",
        "version": 2,
        "visibility": "public",
        "seats": [
            {
                "seat": 0,
                "player": {"id": ada.id, "name": "Ada"},
                "bot": None,
                "state": "seated",
                "stand_in": None,
                "reason": None,
                "ready": None,
                "bank": None,
            },
            {
                "seat": 1,
                "player": None,
                "bot": "random",
                "state": "bot",
                "stand_in": None,
                "reason": None,
                "ready": None,
                "bank": None,
            },
        ],
        "host": ada.id,
        "start": "full",
        "takebacks": "undo",
        "substitutes": False,
        "on_timeout": "claim",
        "pace": None,
        "hints": False,
        "bot_delay": 0,
        "rated": False,
        "ladder": None,
        "decision": table.decision.to_json(),
        "view": table.state.view(),
        "proposal": None,
        "takeback": None,
        "resting": False,
        "paused_until": None,
        "result": None,
        "rematch_of": None,
        "branched_from": None,
        "tournament": None,
        "created_at": table.created_at,
        "updated_at": table.updated_at,
    }


def test_folding_never_changes_an_earlier_table(fake_store: Store) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = fake_store.commands.create(Intent(ada), beans_game()).table
    written = fake_store.commands.move(Intent(ada), table.id, any_move(table))
    before = table.text()
    after = evolve(fake_store.rules, table.id, table, written.events[0])
    assert after.text() == written.table.text()
    assert table.text() == before


def test_no_event_is_no_table() -> None:
    assert fold({}, "G", None, []) is None


@pytest.mark.parametrize(
    ("caller", "sees"), [("creator", True), ("seated", True), ("stranger", False), (None, False)]
)
def test_who_sees_a_private_game(fake_store: Store, caller: str | None, sees: bool) -> None:
    people: dict[str | None, Player] = {
        name: fake_store.players.create(name)[0] for name in ("creator", "seated", "stranger")
    }
    table = private_with_open_seat(fake_store, people["creator"])
    seated = people["seated"]
    taken: dict[str, Any] = {"seat": 1, "player": {"id": seated.id, "name": seated.name}}
    event = {"version": 2, "type": "seat_taken", "at": table.created_at, **taken}
    table = evolve(fake_store.rules, table.id, table, event)
    assert table.visible_to(people[caller].id if caller else None) is sees


def test_an_event_that_cannot_come_names_game_version_and_problem(fake_store: Store) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = fake_store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    event = {"version": 2, "type": "game_scored", "at": "", "result": {}}
    with pytest.raises(BrokenHistory) as broken:
        evolve(fake_store.rules, table.id, table, event)
    assert (broken.value.game_id, broken.value.version, broken.value.problem) == (
        table.id,
        2,
        "order",
    )


@pytest.mark.parametrize(
    ("nanoseconds", "written"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_795_262_399_999_999_999, "2026-11-21T11:59:59.999Z"),
        (1_795_262_400_000_000_000, "2026-11-21T12:00:00.000Z"),
        (1_795_262_400_007_000_000, "2026-11-21T12:00:00.007Z"),
    ],
)
def test_times_are_utc_with_milliseconds_cut_off(
    monkeypatch: pytest.MonkeyPatch, nanoseconds: int, written: str
) -> None:
    monkeypatch.setattr("cartulary.events.model.clock.time_ns", lambda: nanoseconds)
    assert now() == written


class TestPosition:
    """The version of the last event that changed the position."""

    def test_it_is_0_before_the_start(self, fake_store: Store) -> None:
        ada = fake_store.players.create("Ada")[0]
        assert fake_store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.position == 0

    def test_the_start_and_each_move_change_it(self, fake_store: Store) -> None:
        ada = fake_store.players.create("Ada")[0]
        table = fake_store.commands.create(Intent(ada), beans_game()).table
        assert (table.version, table.position) == (2, 2)
        table = fake_store.commands.move(Intent(ada), table.id, any_move(table)).table
        assert (table.version, table.position) == (3, 3)

    def test_the_score_does_not_change_it(self, fake_store: Store) -> None:
        ada = fake_store.players.create("Ada")[0]
        table = play_out(
            fake_store, ada, fake_store.commands.create(Intent(ada), beans_game()).table
        )
        scored = fake_store.commands.score(table.id).table
        assert (scored.version, scored.position) == (table.version + 1, table.version)


class TestParts:
    """A table is frozen, and an event gives a new table that shares what it leaves alone."""

    @pytest.fixture
    def table(self, fake_store: Store) -> Table:
        ada = fake_store.players.create("Ada")[0]
        return fake_store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table

    @pytest.mark.parametrize("part", Table._fields)
    def test_no_part_can_be_replaced(self, table: Table, part: str) -> None:
        with pytest.raises(AttributeError):
            setattr(table, part, None)

    def test_a_new_attribute_cannot_be_added(self, table: Table) -> None:
        with pytest.raises(AttributeError):
            table.half_made = True  # type: ignore[attr-defined]

    def test_an_event_of_the_seats_leaves_the_other_parts_alone(
        self, fake_store: Store, table: Table
    ) -> None:
        bob = fake_store.players.create("Bob")[0]
        after = fake_store.commands.arranging.join(Intent(bob), table.id).table
        assert after.seats != table.seats
        assert (after.terms, after.play, after.ending) == (table.terms, None, None)
        assert table.seats[1].open

    def test_folding_copies_the_state_once_for_all_events(
        self, fake_store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada = fake_store.players.create("Ada")[0]
        start = fake_store.commands.create(Intent(ada), beans_game()).table
        played = play_out(fake_store, ada, start)
        events = fake_store.ledger.events(start.id, start.version)
        copied: list[BeansState] = []
        copy = BeansState.copy

        def spy(state: BeansState) -> BeansState:
            copied.append(state)
            return copy(state)

        monkeypatch.setattr(BeansState, "copy", spy)
        again = fold(fake_store.rules, start.id, start, events, played.head)
        assert again is not None
        assert len(events) > 3
        assert copied == [start.state]
        assert (again.state_hash, again.life) == (played.state_hash, played.life)
        whole = fold(fake_store.rules, start.id, None, fake_store.ledger.events(start.id))
        assert whole is not None
        assert len(copied) == 1, "a state that the fold has made itself needs no copy"


@pytest.mark.parametrize("key", ["type", "version", "seat", "move", "chance", "at", "state_hash"])
def test_folding_at_once_refuses_what_folding_one_by_one_refuses_with_the_same_words(
    fake_store: Store, key: str
) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = play_out(fake_store, ada, fake_store.commands.create(Intent(ada), beans_game()).table)
    events = fake_store.ledger.events(table.id)
    moves = [number for number, one in enumerate(events) if one["type"] == MOVE_MADE]
    for number, value in product((moves[0], moves[1], moves[-1]), VALUES):
        changed = {name: one for name, one in events[number].items() if name != key}
        if value is not MISSING:
            changed[key] = value
        damaged = [*events[:number], changed, *events[number + 1 :]]
        assert fold_at_once(fake_store, damaged) == fold_one_by_one(fake_store, damaged)


def fold_at_once(store: Store, events: list[Json]) -> tuple[Table | None, str, int]:
    try:
        found = fold(store.rules, "G", None, events)
    except BrokenHistory as error:
        return None, str(error), error.version
    assert found is not None
    return found._replace(play=None), shown(found)["view"], found.version


def fold_one_by_one(store: Store, events: list[Json]) -> tuple[Table | None, str, int]:
    table: Table | None = None
    try:
        for event in events:
            table = evolve(store.rules, "G", table, event)
    except BrokenHistory as error:
        return None, str(error), error.version
    assert table is not None
    return table._replace(play=None), shown(table)["view"], table.version


@pytest.mark.parametrize("status", Status)
def test_over_and_aborted_are_finished(status: Status) -> None:
    assert status.finished is (status in ("over", "aborted"))


def test_a_game_that_is_not_on_offer_is_unknown_and_not_broken(fake_store: Store) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = fake_store.commands.create(Intent(ada), beans_game()).table
    with pytest.raises(UnknownEvent) as unknown:
        fold({}, table.id, None, fake_store.ledger.events(table.id))
    assert (unknown.value.game_id, unknown.value.version) == (table.id, 1)
