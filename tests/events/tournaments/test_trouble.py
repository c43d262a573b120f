"""What may go wrong around a tournament has a clear end: hosts that are gone, windows, races."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model.errors import (
    GameNotRunning,
    Refused,
    RoundOpen,
    SeatsOpen,
    TournamentFull,
)
from cartulary.events.model.table import Table
from cartulary.events.order.orders import Order
from cartulary.events.order.tournament_decisions import TableResult
from cartulary.events.people.players import Player
from cartulary.events.tournaments.stream.timing import UNSTARTED_MS
from cartulary.tournaments.terms import MOST_ENTRANTS
from tests.events.support.tournaments import HOUR, Cup

MANY = 14
"""Moves after which both seats of a table of Carcassonne have had three turns."""


@pytest.fixture
def cup() -> Cup:
    return Cup()


class TestEntrants:
    def test_one_entrant_alone_starts_nothing(self, cup: Cup) -> None:
        cup.announce(rounds=1)
        cup.enter("Ada")
        with pytest.raises(SeatsOpen, match="1 more must enter"):
            cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
        assert cup.now.status == "open"

    def test_one_whom_the_other_has_left_wins_when_the_running_table_has_ended(
        self, cup: Cup
    ) -> None:
        cup.begin("Ada", "Bob", rounds=3)
        cup.store.tournaments.commands.withdraw(Intent(cup.players[1]), cup.id)
        cup.look()
        cup.score(cup.tables()[0].game)
        over = cup.look()
        assert (over.status, len(over.playing)) == ("over", 1)
        standings = cup.events[-1]["standings"]
        assert [one["entrant"] for one in standings if one["rank"] == 1] == [1]

    def test_the_last_place_is_given_once(self, cup: Cup) -> None:
        cup.announce(entrants={"max": 2}, rounds=1)
        cup.enter("Ada", "Bob")
        with pytest.raises(TournamentFull):
            cup.enter("Cyd")
        assert len(cup.now.playing) == 2

    def test_ten_thousand_are_more_than_a_tournament_takes(self, cup: Cup) -> None:
        with pytest.raises(Refused) as refused:
            cup.announce(entrants={"max": 10_000})
        assert refused.value.code == "invalid"
        assert str(MOST_ENTRANTS) in str(refused.value)

    def test_a_suspended_player_leaves_and_is_not_let_in(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", "Cyd", rounds=2)
        running, (ada, *_) = cup.id, cup.players
        cup.store.office.orders.give(Order("suspend", ada.id, "a test", "cli:root"))
        assert (cup.now.entrants[0].gone, cup.look().status) == ("suspended", "running")
        cup.announce(rounds=1)
        with pytest.raises(Refused) as refused:
            cup.store.tournaments.commands.enter(Intent(ada), cup.id, None)
        assert refused.value.code == "suspended"
        assert cup.store.tournaments.streams.read(running).tournament.status == "running"


class TestHosts:
    def test_a_tournament_that_runs_goes_on_without_its_host(self, cup: Cup) -> None:
        cup.begin("Ada", "Bob", rounds=2)
        cup.store.accounts.deletion.delete(cup.host, "Host")
        assert cup.play_all().status == "over"
        assert cup.store.tournaments.streams.deliver(cup.id)[0]["host"]["name"] == "(deleted)"

    def test_one_that_waits_for_a_host_who_is_gone_is_called_off(self, cup: Cup) -> None:
        cup.announce(rounds=1)
        cup.enter("Ada", "Bob")
        cup.store.accounts.deletion.delete(cup.host, "Host")
        cup.clock.advance(UNSTARTED_MS)
        assert (cup.look().status, cup.now.code) == ("cancelled", "unstarted")

    def test_of_two_starts_at_once_one_counts(self, cup: Cup) -> None:
        cup.announce(rounds=1)
        cup.enter("Ada", "Bob")

        def start(_number: int) -> str:
            try:
                cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
            except Refused as refused:
                return refused.code
            return "started"

        with ThreadPoolExecutor(4) as pool:
            answers = sorted(pool.map(start, range(4)))
        assert answers == ["started"] + ["tournament_started"] * 3
        assert cup.types.count("started") == 1


def test_a_table_that_is_played_is_decided_by_its_game_alone(cup: Cup) -> None:
    cup.begin("Ada", "Bob", rounds=1)
    with pytest.raises(RoundOpen, match="still played"):
        cup.store.office.tournaments.decide_table(
            Intent(cup.host), cup.id, 1, TableResult("a guess", [1, 2])
        )
    cup.play()
    cup.look()
    with pytest.raises(RoundOpen, match="has ended"):
        cup.store.office.tournaments.decide_table(
            Intent(cup.host), cup.id, 1, TableResult("too late", [1, 2])
        )


class TestWindowAndMove:
    """The window of a round ends while a player makes a move."""

    @pytest.fixture
    def running(self, cup: Cup) -> Table:
        cup.begin("Ada", "Bob", game="carcassonne", rounds=1, window=24)
        (place,) = cup.tables()
        for _ in range(MANY):
            self.move(cup, place.game)
        cup.clock.advance(24 * HOUR)
        return cup.game(place)

    def move(self, cup: Cup, game_id: str) -> Table:
        table = cup.store.projector.table(game_id)
        assert table.state is not None
        owner = table.seats[table.state.seat].player
        assert owner is not None
        who = Intent(Player(owner["id"], owner["name"]))
        return cup.store.commands.move(who, game_id, table.state.legal_moves()[-1]).table

    def end_before(self, cup: Cup, monkeypatch: pytest.MonkeyPatch, first: object) -> None:
        """Let `first` happen before the next append to a game."""
        send = Ledger.send

        def send_later(ledger: Ledger, *given: object) -> object:
            monkeypatch.setattr(Ledger, "send", send)
            assert callable(first)
            first()
            return send(ledger, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(Ledger, "send", send_later)

    def test_a_move_that_comes_after_the_end_is_refused_and_the_table_is_counted(
        self, cup: Cup, running: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.end_before(cup, monkeypatch, cup.look)
        with pytest.raises(GameNotRunning):
            self.move(cup, running.id)
        assert cup.store.projector.table(running.id).version == running.version + 1
        cup.score(running.id)
        assert (cup.look().status, cup.now.tables[1].status) == ("over", "scored")
        assert cup.types.count("table_scored") == 1

    def test_a_move_that_comes_before_the_end_is_counted(
        self, cup: Cup, running: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.end_before(cup, monkeypatch, lambda: self.move(cup, running.id))
        cup.look()
        types = [event["type"] for event in cup.store.ledger.events(running.id, running.version)]
        assert types[:2] == ["move_made", "play_ended"]
        cup.score(running.id)
        assert (cup.look().status, cup.now.tables[1].status) == ("over", "scored")
