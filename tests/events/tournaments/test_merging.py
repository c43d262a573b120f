"""A guest who merges into an account goes on there in every tournament."""

from __future__ import annotations

import orjson
import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.tournaments.verification import verify_table, verify_tournament
from tests.events.support.tournaments import Cup


@pytest.fixture
def cup() -> Cup:
    return Cup()


def enter_as_guest(cup: Cup) -> tuple[Player, str]:
    """Let a guest enter; return the guest with the token."""
    guest, token = cup.store.players.create("Phone")
    cup.store.tournaments.commands.enter(Intent(guest), cup.id, None)
    return guest, token


def test_the_entry_and_the_running_game_are_those_of_the_account(cup: Cup) -> None:
    cup.announce(rounds=2)
    _, token = enter_as_guest(cup)
    cup.enter("Bob")
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    cup.look()
    ada = cup.store.players.create("Ada")[0]
    cup.store.accounts.merging.merge(ada, token)
    cup.store.accounts.merging.merge(ada, token)
    assert cup.types.count("taken_over") == 1
    entrant = cup.now.find_entrant(ada.id)
    assert entrant is not None
    assert (entrant.number, cup.now.entrants[0].player["name"]) == (1, "Ada")
    assert cup.play_all().status == "over"
    last = cup.game(cup.tables()[0])
    assert ada.id in [one.player and one.player["id"] for one in last.seats]
    events = cup.store.tournaments.streams.deliver(cup.id)
    report = verify_tournament(events)
    assert (report.problems, report.pairings) == ([], "proved")
    assert report.tournament is not None
    for number, table in report.tournament.tables.items():
        played = cup.store.ledger.deliver(table.game, 0, 1000)
        assert verify_table(cup.id, report.tournament, number, played) == []
    mine = cup.store.tournaments.lists.read_page(None, player=ada.id).tournaments
    assert [one["id"] for one in mine] == [cup.id]


def test_of_two_entries_of_one_person_that_of_the_guest_ends(cup: Cup) -> None:
    cup.announce(rounds=1)
    (ada,) = cup.enter("Ada")
    _, token = enter_as_guest(cup)
    cup.store.accounts.merging.merge(ada, token)
    assert [one.gone for one in cup.now.entrants] == [None, "left"]
    assert cup.types[-1] == "withdrew"


def test_the_account_hosts_what_the_guest_has_announced(cup: Cup) -> None:
    cup.host, token = cup.store.players.create("Phone")
    cup.announce(rounds=1)
    ada, _ = cup.enter("Ada", "Bob")
    cup.store.tournaments.commands.enter(Intent(cup.host), cup.id, None)
    cup.store.accounts.merging.merge(ada, token)
    assert cup.now.host["id"] == ada.id
    assert [one.gone for one in cup.now.entrants] == [None, None, "left"]
    cup.store.tournaments.commands.start(Intent(ada), cup.id)
    assert cup.look().status == "running"


def test_the_export_of_an_account_has_its_tournaments(cup: Cup) -> None:
    cup.announce(rounds=1)
    (ada,) = cup.enter("Ada")
    lines = [orjson.loads(one) for one in cup.store.accounts.exporting.export(ada, "https://h")]
    (mine,) = [one for one in lines if one["type"] == "tournament"]
    assert (mine["id"], mine["hosts"]) == (cup.id, False)
    assert mine["url"] == f"https://h/tournaments/{cup.id}"
    hosted = [orjson.loads(one) for one in cup.store.accounts.exporting.export(cup.host, "")]
    assert [one["hosts"] for one in hosted if one["type"] == "tournament"] == [True]
