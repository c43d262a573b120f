"""Eight threads at the same moment on a real server: of the same commands one has an effect."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import any_move
from tests.events.support.opened_tables import At, open_table
from tests.events.support.table_before_start import at_once

pytestmark = pytest.mark.real

THREADS = 8


@pytest.fixture
def at(real_store: Store) -> At:
    people = [real_store.players.create(name)[0] for name in ("Ada", "Bob", "Cid")]
    return At(real_store, open_table(real_store, people, game="carcassonne"), people)


def person(at: At, seat: int) -> Player:
    owner = at.now.seats[seat].player
    assert owner is not None
    return Player(owner["id"], owner["name"])


def count(at: At) -> Counter[str]:
    """The events of each type; the stream holds whatever the threads have done."""
    at.must_hold()
    return Counter(event["type"] for event in at.store.ledger.events(at.id))


def test_an_answer_given_eight_times_counts_once(at: At) -> None:
    at.move()
    at.propose(person(at, 0), "end")
    number = at.proposal
    answer = partial(
        at.store.commands.proposals.answer, Intent(person(at, 1)), at.id, number, "accept"
    )
    at_once([answer] * THREADS)
    assert count(at)["proposal_answered"] == 1
    assert at.proposal == number


def test_the_last_answers_close_a_proposal_once(at: At) -> None:
    at.move()
    at.propose(person(at, 0), "end")
    answer = at.store.commands.proposals.answer
    asked = [person(at, 1), person(at, 2)] * (THREADS // 2)
    at_once([partial(answer, Intent(one), at.id, at.proposal, "accept") for one in asked])
    found = count(at)
    assert (found["proposal_answered"], found["proposal_closed"], found["play_ended"]) == (2, 1, 1)


def test_an_owner_who_returns_eight_times_is_back_once(at: At) -> None:
    at.store.commands.leaving.go_away(Intent(person(at, 1)), at.id, 1)
    at_once(
        [partial(at.store.commands.leaving.come_back, Intent(person(at, 1)), at.id, 1)] * THREADS
    )
    assert count(at)["seat_returned"] == 1
    assert at.now.seats[1].returns == 1


def test_a_seat_that_is_resigned_eight_times_is_forfeited_once(at: At) -> None:
    at_once([partial(at.store.commands.leaving.resign, Intent(person(at, 1)), at.id, 1)] * THREADS)
    assert count(at)["seat_forfeited"] == 1


def test_a_takeback_asked_for_eight_times_takes_back_once(at: At) -> None:
    at.move()  # the tile; the follower is still to come, so nothing was drawn
    version = at.now.version
    mover = at.asked()
    take_back = partial(
        at.store.commands.proposals.propose, Intent(mover, version), at.id, "takeback"
    )
    said = at_once([take_back] * THREADS)
    assert said.count("Written") == 1
    assert count(at)["moves_taken_back"] == 1


def test_an_acceptance_and_the_move_of_a_third_seat_never_both_count(at: At) -> None:
    for _ in range(THREADS):
        race(at)
        at.must_hold()


def race(at: At) -> None:
    """Let one accept a takeback while another seat moves."""
    at.move()  # so the last event is a move, also after a takeback
    while not can_ask(at.now):
        at.move()
    last = at.store.ledger.events(at.id, at.now.version - 1)[0]
    asker, others = last["seat"], [seat for seat in range(3) if seat != last["seat"]]
    at.propose(person(at, asker))
    number, table = at.proposal, at.now
    answer = at.store.commands.proposals.answer
    answer(Intent(person(at, others[0])), at.id, number, "accept")
    accept = partial(answer, Intent(person(at, others[1])), at.id, number, "accept")
    move = partial(
        at.store.commands.move, Intent(at.asked(), table.version), at.id, any_move(table)
    )
    said = Counter(at_once([accept, move]))
    assert said["Written"] == 1
    assert said["ProposalClosed"] + said["StaleVersion"] == 1
    assert at.now.course.proposal is None


def can_ask(table: Table) -> bool:
    """Return whether the last move drew chance and another seat is asked now."""
    return table.has_moves and table.life.run is None
