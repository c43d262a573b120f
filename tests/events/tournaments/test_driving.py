"""A tournament goes on by itself, and a dispatcher may die anywhere."""

from __future__ import annotations

from collections import Counter

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.status import Status
from cartulary.events.tournaments.unsealing import Unsealing
from tests.events.support.tournaments import HOUR, LIVE, Cup, DyingServer, Killed


@pytest.fixture
def cup() -> Cup:
    return Cup()


@pytest.mark.slow
def test_a_swiss_of_four_goes_on_to_its_standings(cup: Cup) -> None:
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=2)
    assert [cup.game(one).status for one in cup.tables()] == [Status.RUNNING] * 2
    over = cup.play_all()
    assert cup.types == [
        "tournament_created",
        *["entered"] * 4,
        *("started", "round_paired", "table_scored", "table_scored", "round_closed"),
        *("round_paired", "table_scored", "table_scored", "round_closed", "tournament_over"),
    ]
    assert over.status == "over"
    assert over.pairing_secret is not None


@pytest.mark.slow
def test_a_dispatcher_that_dies_at_any_command_loses_and_doubles_nothing(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = DyingServer(monkeypatch)
    cup.announce(rounds=2)
    cup.enter("Ada", "Bob", "Cyd")
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    deaths, life = 0, 1
    while cup.now.status == "running" and deaths < 500:
        server.live_for(life)
        try:
            cup.look()
            life = 1
            server.live_for(0)
            cup.play(*[one for one in cup.tables() if one.status == "playing"])
        except Killed:
            # The next process lives a little longer, so that each command is once the last.
            deaths, life = deaths + 1, life + 1
            server.live_for(0)
            cup.open()
    assert deaths > 40
    assert cup.now.status == "over"
    scored = Counter(event["table"] for event in cup.events if event["type"] == "table_scored")
    assert set(scored.values()) == {1}
    named = {table.game for table in cup.now.tables.values()}
    assert set(cup.store.ledger.game_ids()) == named
    for round_ in cup.now.rounds:
        seated = [one for number in round_.tables for one in cup.now.tables[number].seats]
        assert sorted([*seated, *round_.byes]) == [1, 2, 3]


def test_two_dispatchers_at_once_pair_a_round_once(cup: Cup) -> None:
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=1)
    other = Cup()
    other.server, other.clock, other.id = cup.server, cup.clock, cup.id
    other.open()
    stale = other.store.tournaments.streams.read(cup.id)
    cup.play()
    cup.look()
    assert cup.now.status == "over"
    assert stale.version < cup.now.version
    other.look()
    assert cup.types.count("table_scored") == 2
    assert cup.types.count("tournament_over") == 1


def test_what_follows_from_an_end_by_the_host_is_done_once_by_the_next_look(cup: Cup) -> None:
    cup.begin("Ada", "Bob", rounds=2)
    (place,) = cup.tables()
    cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
    cup.store.tournaments.driver.follow(cup.id)
    assert cup.game(place).running
    assert cup.store.tournaments.driver.run() == 1
    assert cup.game(place).status.finished
    assert [type_ for type_, _ in cup.told(cup.players[0])].count("tournament_over") == 1
    cup.store.tournaments.driver.follow(cup.id)
    assert cup.store.tournaments.driver.run() == 0


def test_what_follows_from_the_end_is_done_where_the_dispatcher_died_after_it(
    cup: Cup, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=1, duplicate=True)
    cup.play()

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(Unsealing, "unseal", die)
    with pytest.raises(Killed):
        cup.look()
    monkeypatch.undo()
    assert cup.now.status == "over"
    assert cup.game(cup.tables()[0]).sealed
    assert cup.open().tournaments.driver.run() == 1
    assert not cup.open().projector.table(cup.tables()[0].game).sealed
    assert cup.told(cup.players[0])[-1][0] == "tournament_over"


class TestStarts:
    def test_a_time_starts_it_when_enough_have_entered(self, cup: Cup) -> None:
        at = cup.time(HOUR)
        cup.announce(start={"at": at}, rounds=1)
        cup.enter("Ada", "Bob")
        assert cup.look().status == "open"
        cup.clock.advance(HOUR)
        assert cup.store.tournaments.lists.list_due(cup.clock.now_ms(), 10) == [cup.id]
        assert cup.look().status == "running"

    def test_too_few_at_that_time_call_it_off(self, cup: Cup) -> None:
        cup.announce(start={"at": cup.time(HOUR)})
        (ada,) = cup.enter("Ada")
        cup.clock.advance(HOUR)
        assert (cup.look().status, cup.now.code) == ("cancelled", "unstarted")
        assert cup.told(ada)[-1][1]["code"] == "unstarted"

    def test_the_last_entry_starts_one_that_waits_to_be_full(self, cup: Cup) -> None:
        cup.announce(start={"when_full": True}, entrants={"max": 3}, table=[3], rounds=1)
        cup.enter("Ada", "Bob")
        assert cup.look().status == "open"
        cup.enter("Cyd")
        assert cup.store.tournaments.driver.run() == 1
        assert cup.now.status == "running"


class TestWindows:
    def test_the_end_of_a_window_ends_the_tables_that_still_run(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", rounds=1, window=24)
        cup.clock.advance(24 * HOUR - 1)
        assert cup.look().status == "running"
        cup.clock.advance(1)
        cup.look()
        assert cup.now.tables[1].status == "voided"
        assert cup.now.tables[1].reason == "window"
        assert cup.now.status == "over"

    def test_an_outage_lengthens_the_window(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", rounds=1, window=24)
        begin = cup.clock.now_ms() + HOUR
        cup.store.registry.zadd("outages", {f"{begin}-{begin + HOUR}": begin})
        cup.clock.advance(24 * HOUR)
        assert cup.look().status == "running"
        cup.clock.advance(HOUR)
        assert cup.look().status == "over"

    def test_a_game_that_an_operator_aborts_voids_its_table(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=1)
        first, second = cup.tables()
        cup.store.round_commands.abort(first.game)
        cup.play(second)
        cup.look()
        assert [one.status for one in cup.tables()] == ["voided", "scored"]
        assert cup.now.tables[1].reason == "aborted"


class TestAbsence:
    @pytest.mark.slow
    def test_who_is_absent_twice_is_withdrawn(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", "Cyd", "Dan", pace=LIVE, rounds=3)
        for _ in range(2):
            for place in cup.tables():
                cup.make_ready(place, but=cup.players[0])
            cup.clock.advance(120_000)
            for place in cup.tables():
                cup.store.round_commands.start(place.game)
                cup.score(place.game)
            cup.play(*[one for one in cup.tables() if one.status == "playing"])
            cup.look()
        withdrawn = [event for event in cup.events if event["type"] == "withdrew"]
        assert [(one["entrant"], one["reason"]) for one in withdrawn] == [(1, "absent")]

    def test_who_leaves_forfeits_the_running_table_and_keeps_the_points(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", "Cyd", rounds=2)
        (place,) = cup.tables()
        number = place.seats[0]
        leaver = cup.players[number - 1]
        cup.store.tournaments.commands.withdraw(Intent(leaver), cup.id)
        cup.look()
        cup.score(place.game)
        cup.look()
        table = cup.now.tables[1]
        assert table.outcomes[0] == "left"
        assert table.ranks == (2, 1)
        assert leaver.id not in [one.player["id"] for one in cup.now.playing]

    def test_an_account_that_is_closed_leaves_its_tournaments(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", "Cyd", rounds=2)
        ada = cup.players[0]
        cup.store.accounts.deletion.delete(ada, "Ada")
        assert (cup.now.entrants[0].gone, cup.look().status) == ("closed", "running")
        entered = cup.store.tournaments.streams.deliver(cup.id)[1]
        assert (entered["player"]["name"], entered["masked"]) == ("(deleted)", True)

    def test_a_tournament_whose_entrants_are_all_gone_ends(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", rounds=3)
        for one in cup.players:
            cup.store.tournaments.commands.withdraw(Intent(one), cup.id)
        cup.look()
        for place in cup.tables():
            cup.score(place.game)
        assert cup.look().status == "over"
