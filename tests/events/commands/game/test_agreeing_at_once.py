"""Proposals and takebacks that meet other commands: each leads to exactly one effect."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NothingToTakeBack, ProposalClosed, Refused
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.conftest import timed_store
from tests.events.support.bean_games import any_move
from tests.events.support.opened_tables import At, open_table, types_of
from tests.events.support.takeback_tables import KEEP, give, sit
from tests.support.fake_clock import DAY, FakeClock

pytestmark = pytest.mark.real


@pytest.fixture
def store(real_store: Store) -> Store:
    return real_store


@pytest.fixture
def eve(store: Store) -> Player:
    return store.players.create("Eve")[0]


def at_once(commands: Sequence[Callable[[], Any]]) -> list[str]:
    """Run commands in threads that begin together; return the code of each refusal."""
    refused: list[str] = []
    start = threading.Barrier(len(commands))

    def run(command: Callable[[], Any]) -> None:
        start.wait()
        try:
            command()
        except Refused as error:
            refused.append(error.code)

    threads = [threading.Thread(target=run, args=(command,)) for command in commands]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def count(at: At, type_: str) -> int:
    return sum(event["type"] == type_ for event in at.store.ledger.events(at.id))


def test_answers_that_race_carry_the_proposal_out_once(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    for _ in range(5):
        at = sit(store, ada, bob, eve, takebacks="consent")
        at.move(KEEP)
        at.propose(ada)
        number = at.proposal
        refused = at_once([partial(at.answer, who, "accept", number) for who in (bob, eve) * 4])
        assert count(at, "proposal_answered") == 2
        assert count(at, "moves_taken_back") == count(at, "proposal_closed") == 1
        assert set(refused) <= {"proposal_closed"}
        at.must_hold()


def test_an_accept_and_a_decline_that_race_close_the_proposal_once(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    for _ in range(5):
        at = sit(store, ada, bob, eve, takebacks="consent")
        at.propose(ada, "end")
        number = at.proposal
        answers = [partial(at.answer, bob, "accept", number)] * 3
        at_once([*answers, *[partial(at.answer, eve, "decline", number)] * 3])
        assert (count(at, "proposal_closed"), count(at, "play_ended")) == (1, 0)
        at.must_hold()


def test_one_misclick_is_taken_back_once(store: Store, ada: Player, bob: Player) -> None:
    for _ in range(5):
        at = sit(store, ada, bob)
        give(at, 1)
        refused = at_once([partial(at.propose, ada, expected=3)] * 8)
        assert refused == ["stale_version"] * 7
        assert count(at, "moves_taken_back") == 1
        at.must_hold()


def test_a_takeback_and_a_move_that_race_are_judged_one_after_the_other(
    store: Store, ada: Player, bob: Player
) -> None:
    for _ in range(10):
        at = sit(store, ada, bob)
        give(at, 1)
        move = partial(store.commands.move, Intent(bob, 3), at.id, any_move(at.now))
        refused = at_once([move, partial(at.propose, ada, expected=3)])
        # Each knows version 3: the second of them comes too late, whichever it is.
        assert refused == ["stale_version"]
        assert at.now.version == 4
        at.must_hold()


def test_an_accept_and_a_move_of_a_third_seat_that_race(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    for _ in range(10):
        at = sit(store, ada, bob, eve, takebacks="consent")
        at.move(KEEP)  # 3: Bob is asked
        at.propose(ada)
        at.answer(bob)  # 5
        move = partial(store.commands.move, Intent(bob, 3), at.id, any_move(at.now))
        refused = at_once([move, partial(at.answer, eve, "accept", 4)])
        moved = count(at, "move_made") == 2
        # Move first: the proposal has lapsed in that append. Accept first: the move is stale.
        assert refused == (["proposal_closed"] if moved else ["stale_version"])
        assert count(at, "moves_taken_back") == (0 if moved else 1)
        at.must_hold()


def test_a_claim_is_accepted_as_any_other_proposal(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    clock = FakeClock()
    timed = timed_store(store, clock)
    timed.since.read()  # the rules about ages are in force from now on
    for kind, effect in (("forfeit", "seat_forfeited"), ("abort", "game_aborted")):
        at = At(timed, open_table(timed, [ada, bob, eve]), [ada, bob, eve])
        silent = at.asked()
        first, second = (one for one in (ada, bob, eve) if one != silent)
        seat = at.now.seats_of(silent.id)[0]
        clock.advance(15 * DAY)
        timed.commands.leaving.claim(Intent(first), at.id, seat, kind)
        done = at.answer(second)
        assert types_of(done) == ["proposal_answered", "proposal_closed", effect]
        at.must_hold()


def test_nobody_takes_back_the_moves_of_the_owner_before(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    cat = store.players.create("Cat")[0]
    at = sit(store, ada, bob, eve, substitutes=True)
    give(at, 1)  # Ada, who leaves then
    store.commands.leaving.resign(Intent(ada), at.id)
    store.commands.arranging.join(Intent(cat), at.id, 0)
    assert at.now.summary()["takeback"] is None
    with pytest.raises(NothingToTakeBack):
        at.propose(cat)
    at.must_hold()


def test_who_leaves_lets_the_question_lapse(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    at = sit(store, ada, bob, eve, takebacks="consent")
    at.move(KEEP)
    at.propose(ada)
    number = at.proposal
    store.commands.leaving.resign(Intent(eve), at.id)
    with pytest.raises(ProposalClosed):
        at.answer(bob, number=number)
    at.must_hold()
    # Ada and Bob are the persons who contend now: the next question asks Bob alone.
    assert at.propose(ada).events[0]["needs"] == [1]


def test_an_owner_who_is_away_is_asked_as_well(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    at = sit(store, ada, bob, eve, takebacks="consent")
    at.move(KEEP)
    store.commands.leaving.go_away(Intent(eve), at.id, 2)
    assert at.propose(ada).events[0]["needs"] == [1, 2]
    at.answer(bob)
    assert types_of(at.answer(eve))[-1] == "moves_taken_back"
    assert at.now.seats[2].away == "requested"
    at.must_hold()
