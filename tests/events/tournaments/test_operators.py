"""What operators decide about tournaments: with a reason, for all to read, and in their log."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import (
    Invalid,
    NotEntered,
    SeatsOpen,
    StaleVersion,
    TournamentFull,
    TournamentStarted,
)
from cartulary.events.order.log import LogEntry
from cartulary.events.order.tournament_decisions import TableResult, TournamentOrder
from cartulary.events.people.players import Player
from cartulary.tournaments.state import Tournament
from cartulary.tournaments.verification import verify_tournament
from tests.events.support.tournaments import Cup

REASON = "the host is gone"


class Court:
    """A tournament, and an operator who is not in it."""

    def __init__(self) -> None:
        self.cup = Cup()
        self.judge = self.cup.store.players.create("Judge")[0]

    def order(self, command: Any, who: Player | None = None, **more: Any) -> Tournament:
        """Order something; return the tournament since."""
        order = TournamentOrder(command, REASON, "" if who is None else who.id)
        decisions = self.cup.store.office.tournaments
        return decisions.order(Intent(self.judge, **more), self.cup.id, order).tournament

    def logged(self) -> list[LogEntry]:
        """The log of the operators, the oldest line first."""
        return self.cup.store.office.log.read().entries[::-1]

    def is_proved(self) -> bool:
        """Whether everything that follows from the stream is as it should be."""
        return verify_tournament(self.cup.store.tournaments.streams.deliver(self.cup.id)).valid


@pytest.fixture
def court() -> Court:
    return Court()


def test_a_table_that_an_operator_voids_keeps_the_reason_and_who_did(court: Court) -> None:
    cup = court.cup
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=2)
    cup.play()
    cup.look()
    decided = TableResult("both have left the room")
    cup.store.office.tournaments.decide_table(Intent(court.judge), cup.id, 1, decided)
    event = cup.events[-1]
    assert event["type"] == "table_voided"
    assert (event["reason"], event["by"]) == ("operator", court.judge.id)
    assert event["explanation"] == cup.now.tables[1].explanation == "both have left the room"
    (line,) = court.logged()
    assert (line.command, line.reason) == ("tournament_table", "both have left the room")
    assert (line.by, line.tournament) == (court.judge.id, cup.id)
    again = TableResult("the protocol was found", [1, 2], [5, 3])
    cup.store.office.tournaments.decide_table(Intent(court.judge), cup.id, 1, again)
    assert cup.now.tables[1].explanation is None
    assert cup.now.tables[1].scores == (5, 3)
    assert court.is_proved()


def test_a_tournament_whose_host_is_gone_is_started_by_an_operator(court: Court) -> None:
    cup = court.cup
    cup.announce(rounds=1)
    cup.enter("Ada")
    with pytest.raises(SeatsOpen):
        court.order("start")
    assert court.logged() == []
    cup.enter("Bob")
    assert court.order("start").status == "running"
    with pytest.raises(TournamentStarted):
        court.order("start")
    assert [one.command for one in court.logged()] == ["tournament_start"]
    cup.look()
    assert cup.play_all().status == "over"


def test_an_operator_calls_a_tournament_off_with_words_that_all_read(court: Court) -> None:
    cup = court.cup
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=2)
    after = court.order("cancel")
    assert (after.status, after.code, after.explanation) == ("cancelled", "service", REASON)
    cup.look()
    assert all(cup.game(one).status.finished for one in cup.tables())
    assert ("tournament_over", "service") in [
        (type_, data.get("code")) for type_, data in cup.told(cup.players[0])
    ]
    with pytest.raises(TournamentStarted):
        court.order("cancel")
    assert court.is_proved()


def test_a_duplicate_that_an_operator_calls_off_shows_the_secret_of_ended_games_only(
    court: Court,
) -> None:
    cup = court.cup
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=2, duplicate=True)
    places = cup.tables()
    court.order("cancel")
    assert cup.events[-1]["secret"] is not None
    assert all(cup.game(one).status.finished for one in places)
    assert court.is_proved()


def test_an_entrant_who_is_removed_after_the_start_forfeits_and_keeps_points(court: Court) -> None:
    cup = court.cup
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=2)
    cup.play()
    cup.look()
    ada = cup.players[0]
    place = next(one for one in cup.tables() if 1 in one.seats)
    court.order("remove", ada)
    cup.look()
    assert cup.game(place).seats[place.seats.index(1)].forfeited == "left"
    event = next(one for one in cup.events if one["type"] == "entrant_removed")
    assert (event["by"], event["reason"]) == (court.judge.id, REASON)
    with pytest.raises(NotEntered):
        court.order("remove", ada)
    (line,) = court.logged()
    assert (line.command, line.player) == ("tournament_remove", ada.id)


def test_a_reinstated_entrant_plays_from_the_next_round_on(court: Court) -> None:
    cup = court.cup
    cup.begin("Ada", "Bob", "Cyd", "Dan", rounds=3)
    ada = cup.players[0]
    cup.store.tournaments.commands.withdraw(Intent(ada), cup.id)
    cup.look()
    cup.play(*[one for one in cup.tables() if one.status == "playing"])
    cup.look()
    assert all(1 not in one.seats for one in cup.tables())
    assert court.order("reinstate", ada).entrant(1).gone is None
    assert court.order("reinstate", ada).version == cup.now.version
    assert cup.types.count("reinstated") == 1
    cup.play(*[one for one in cup.tables() if one.status == "playing"])
    cup.look()
    assert any(1 in one.seats for one in cup.tables())
    assert cup.play_all().status == "over"
    assert court.is_proved()


def test_who_was_gone_before_the_start_is_reinstated_until_then_only(court: Court) -> None:
    cup = court.cup
    cup.announce(rounds=1, entrants={"max": 3})
    ada, bob, cyd = cup.enter("Ada", "Bob", "Cyd")
    cup.store.tournaments.commands.remove(Intent(cup.host), cup.id, ada.id)
    assert court.order("reinstate", ada).entrant(1).early is False
    cup.store.tournaments.commands.withdraw(Intent(bob), cup.id)
    (dan,) = cup.enter("Dan")
    with pytest.raises(TournamentFull):
        court.order("reinstate", bob)
    cup.store.tournaments.commands.withdraw(Intent(dan), cup.id)
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    with pytest.raises(TournamentStarted):
        court.order("reinstate", bob)
    with pytest.raises(NotEntered):
        court.order("reinstate", court.judge)
    assert cyd.id in {one.player["id"] for one in cup.now.playing}


def test_no_closed_account_and_no_suspended_player_is_reinstated(court: Court) -> None:
    cup = court.cup
    cup.announce(rounds=1)
    ada, bob = cup.enter("Ada", "Bob")
    for one in (ada, bob):
        cup.store.tournaments.commands.withdraw(Intent(one), cup.id)
    cup.store.accounts.deletion.delete(ada, ada.name)
    cup.store.office.suspended.impose(bob.id, "insults")
    for one in (ada, bob):
        with pytest.raises(Invalid):
            court.order("reinstate", one)
    assert "reinstated" not in cup.types


def test_a_guest_who_left_and_has_merged_comes_back_as_the_account(court: Court) -> None:
    cup = court.cup
    guest, token = cup.store.players.create("Phone")
    cup.announce(rounds=2)
    cup.store.tournaments.commands.enter(Intent(guest), cup.id, None)
    cup.enter("Bob", "Cyd", "Dan")
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    cup.look()
    cup.store.tournaments.commands.withdraw(Intent(guest), cup.id)
    ada = cup.store.players.create("Ada")[0]
    cup.store.accounts.merging.merge(ada, token)
    court.order("reinstate", guest)
    back = cup.now.find_entrant(ada.id)
    assert back is not None
    assert (back.number, back.gone, cup.types[-1]) == (1, None, "taken_over")
    assert cup.play_all().status == "over"
    assert court.is_proved()


def test_a_guest_is_not_reinstated_next_to_the_account_that_plays(court: Court) -> None:
    cup = court.cup
    guest, token = cup.store.players.create("Phone")
    cup.announce(rounds=1)
    cup.store.tournaments.commands.enter(Intent(guest), cup.id, None)
    (ada,) = cup.enter("Ada")
    cup.store.accounts.merging.merge(ada, token)
    with pytest.raises(Invalid):
        court.order("reinstate", guest)
    assert [one.gone for one in cup.now.entrants] == ["left", None]


def test_an_order_for_another_version_stores_nothing_and_a_key_repeats_nothing(
    court: Court,
) -> None:
    cup = court.cup
    cup.announce(rounds=1)
    (ada,) = cup.enter("Ada")
    with pytest.raises(StaleVersion):
        court.order("remove", ada, expected=1)
    first = court.order("remove", ada, key="once")
    assert court.order("remove", ada, key="once") == first
    assert [one.command for one in court.logged()] == ["tournament_remove"]
