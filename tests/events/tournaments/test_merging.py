"""A guest who merges into an account goes on there in every tournament."""

from __future__ import annotations

import orjson
import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound, NotInvited, SeatTaken
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.tournaments.verification import verify_table, verify_tournament
from tests.events.support.tournaments import LIVE, Cup


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


def test_an_account_that_left_and_took_a_guest_over_plays_and_leaves_with_that_entry(
    cup: Cup,
) -> None:
    cup.announce(rounds=1)
    _, token = enter_as_guest(cup)
    (ada,) = cup.enter("Ada")
    cup.store.tournaments.commands.withdraw(Intent(ada), cup.id)
    cup.store.accounts.merging.merge(ada, token)
    assert [one.gone for one in cup.now.entrants] == [None, "left"]
    version = cup.now.version
    assert cup.store.tournaments.commands.enter(Intent(ada), cup.id, None).events == []
    assert cup.now.version == version
    cup.store.accounts.deletion.delete(ada, ada.name)
    assert [one.gone for one in cup.now.entrants] == ["closed", "left"]


def test_an_account_that_was_removed_does_not_come_back_as_a_guest(cup: Cup) -> None:
    cup.announce(rounds=1)
    _, token = enter_as_guest(cup)
    (ada,) = cup.enter("Ada")
    cup.store.tournaments.commands.remove(Intent(cup.host), cup.id, ada.id)
    cup.store.accounts.merging.merge(ada, token)
    assert [one.gone for one in cup.now.entrants] == ["left", "removed"]


def test_a_tournament_that_is_lost_does_not_keep_a_guest_from_the_others(cup: Cup) -> None:
    lost = cup.announce(rounds=1) and cup.id
    guest, token = enter_as_guest(cup)
    cup.announce(rounds=1)
    cup.store.tournaments.commands.enter(Intent(guest), cup.id, None)
    cup.store.redis.delete(keys.tournament(lost))
    ada = cup.store.players.create("Ada")[0]
    cup.store.accounts.merging.merge(ada, token)
    assert cup.now.find_entrant(ada.id) is not None


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


def test_a_person_who_sits_at_both_seats_of_a_table_forfeits_that_of_the_guest(cup: Cup) -> None:
    cup.announce(rounds=1)
    (ada,) = cup.enter("Ada")
    _, token = enter_as_guest(cup)
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    cup.look()
    (place,) = cup.tables()
    cup.store.accounts.merging.merge(ada, token)
    cup.look()
    seats = cup.game(place).seats
    assert [seats[place.seats.index(number)].forfeited for number in (1, 2)] == [None, "left"]
    cup.score(place.game)
    assert (cup.look().status, cup.now.tables[1].ranks[place.seats.index(1)]) == ("over", 1)
    assert verify_tournament(cup.store.tournaments.streams.deliver(cup.id)).valid


def test_a_live_table_keeps_both_seats_of_one_person_until_it_starts(cup: Cup) -> None:
    cup.announce(rounds=1, pace=LIVE, table=[3])
    (ada, _) = cup.enter("Ada", "Bob")
    guest, token = enter_as_guest(cup)
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    cup.look()
    (place,) = cup.tables()
    cup.make_ready(place, guest)
    cup.store.accounts.merging.merge(ada, token)
    assert [one.gone for one in cup.now.entrants] == [None, None, "left"]
    cup.look()
    cup.clock.advance(120_000)
    cup.store.round_commands.start(place.game)
    seats = cup.game(place).seats
    forfeited = [seats[place.seats.index(number)].forfeited for number in (1, 2, 3)]
    assert forfeited == [None, None, "left"]


def test_what_a_guest_is_invited_to_the_account_may_enter(cup: Cup) -> None:
    guest, token = cup.store.players.create("Phone")
    ada, eve = (cup.store.players.create(name)[0] for name in ("Ada", "Eve"))
    invited = {"invited": [guest.id, eve.id]}
    cup.announce(rounds=1, visibility="private", entrants=invited)
    with pytest.raises(NotFound):
        cup.store.tournaments.commands.enter(Intent(ada), cup.id, None)
    cup.store.accounts.merging.merge(ada, token)
    assert cup.types[-1] == "taken_over"
    assert cup.now.terms.invited == (ada.id, eve.id)
    cup.store.tournaments.commands.enter(Intent(ada), cup.id, None)
    cup.store.tournaments.commands.enter(Intent(eve), cup.id, None)
    cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
    cup.look()
    assert cup.play_all().status == "over"
    assert verify_tournament(cup.store.tournaments.streams.deliver(cup.id)).valid


def test_who_is_not_invited_is_refused_with_a_word_of_its_own(cup: Cup) -> None:
    eve = cup.store.players.create("Eve")[0]
    guest, _ = cup.store.players.create("Phone")
    cup.announce(rounds=1, entrants={"min": 2, "max": 2, "invited": [eve.id, cup.host.id]})
    with pytest.raises(NotInvited) as refused:
        cup.store.tournaments.commands.enter(Intent(guest), cup.id, None)
    assert refused.value.code == "not_invited"


def test_in_a_duplicate_a_guest_leaves_where_a_bot_of_the_account_plays(cup: Cup) -> None:
    cup.announce(rounds=1, duplicate=True)
    ada = cup.store.players.create("Ada")[0]
    bot = cup.store.own_bots.make(ada, "Robot", "")[0].player
    cup.store.tournaments.commands.enter(Intent(bot), cup.id, None)
    _, token = enter_as_guest(cup)
    cup.store.accounts.merging.merge(ada, token)
    assert [one.gone for one in cup.now.entrants] == [None, "left"]


def test_in_a_duplicate_the_bot_of_a_merged_guest_is_one_entrant_with_the_account(cup: Cup) -> None:
    cup.announce(rounds=1, duplicate=True)
    guest, token = cup.store.players.create("Phone")
    bot = cup.store.own_bots.make(guest, "Robot", "")[0].player
    cup.store.tournaments.commands.enter(Intent(bot), cup.id, None)
    ada = cup.store.players.create("Ada")[0]
    cup.store.accounts.merging.merge(ada, token)
    with pytest.raises(SeatTaken):
        cup.store.tournaments.commands.enter(Intent(ada), cup.id, None)


def test_the_export_of_an_account_has_its_tournaments(cup: Cup) -> None:
    cup.announce(rounds=1)
    (ada,) = cup.enter("Ada")
    lines = [orjson.loads(one) for one in cup.store.accounts.exporting.export(ada, "https://h")]
    (mine,) = [one for one in lines if one["type"] == "tournament"]
    assert (mine["id"], mine["hosts"]) == (cup.id, False)
    assert mine["url"] == f"https://h/tournaments/{cup.id}"
    hosted = [orjson.loads(one) for one in cup.store.accounts.exporting.export(cup.host, "")]
    assert [one["hosts"] for one in hosted if one["type"] == "tournament"] == [True]
