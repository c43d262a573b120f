"""The games of a round are made once for each table, by the service, on its terms."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.rounds.making import RoundPlace
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.model.errors import NothingToTakeBack, RoundOpen, TakebacksOff
from cartulary.events.model.fairness import derive_seed
from cartulary.events.model.status import Status
from cartulary.events.server import keys
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.support.rounds import DUPLICATE, ENTROPY, LIVE, SECRET, TOURNAMENT, Round

PLACE = RoundPlace(TOURNAMENT, 1, 1)


def test_a_game_of_a_round_belongs_to_the_service_and_its_players_arrange_nothing(
    played: Round,
) -> None:
    ada, bob = played.enter("Ada", "Bob")
    table = played.make(1, ada, bob)
    created = played.store.ledger.events(table.id, 0, 1)[0]
    assert created["tournament"] == {"id": TOURNAMENT, "round": 1, "table": 1}
    assert created["created_by"] == "service"
    assert (created["takebacks"], created["on_timeout"]) == ("none", "forfeit")
    assert created["shuffle_seats"] is False
    assert "substitutes" not in created
    assert [seat["player"]["id"] for seat in created["seats"]] == [ada.id, bob.id]
    assert table.status is Status.RUNNING
    assert "service" not in table.people


def test_the_game_of_a_table_is_made_once_whatever_id_is_asked_for(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    first = played.make(1, ada, bob)
    again = played.make(1, ada, bob)
    assert again.id == first.id
    assert again.version == first.version
    assert played.make(2, ada, bob).id != first.id


def test_a_restored_game_whose_note_is_lost_is_adopted_after_a_rebuild(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    first = played.make(1, ada, bob)
    played.store.registry.delete(keys.round_games(TOURNAMENT))
    assert played.store.round_maker.find(PLACE) is None
    rebuild(played.store)
    assert played.make(1, ada, bob).id == first.id


def test_a_game_of_another_table_is_not_taken_for_that_of_this_table(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    other = played.make(2, ada, bob)
    with pytest.raises(RoundOpen, match="was not made for table 1"):
        played.make(1, ada, bob, game_id=other.id)


def test_a_rated_table_that_no_rating_compares_is_casual(played: Round) -> None:
    guests = played.enter("Ada", "Bob")  # without recovery codes
    assert not played.make(1, *guests, rated=True).terms.rated


def test_no_game_of_a_round_is_made_while_an_earlier_release_runs(
    played: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = played.enter("Ada", "Bob")
    monkeypatch.setattr(played.store.round_maker, "_read_format", lambda: 8)
    with pytest.raises(RoundOpen, match="upgrade"):
        played.make(1, ada, bob)


def test_all_games_of_a_duplicate_round_have_the_same_commitment_and_entropy(
    played: Round,
) -> None:
    names = played.enter("Ada", "Bob", "Eve", "Kim")
    tables = [
        played.make(1, *names[:2], duplicate=DUPLICATE),
        played.make(2, *names[2:], duplicate=DUPLICATE),
    ]
    fairs = [played.store.ledger.events(one.id, 0, 1)[0]["fair"] for one in tables]
    assert (
        fairs[0]
        == fairs[1]
        == {
            "scheme": "cartulary-fair/1",
            "commitment": sha256(SECRET).hexdigest(),
            "given": 0,
            "round": f"{TOURNAMENT}/1",
            "entropy": ENTROPY,
        }
    )
    assert tables[0].entropies == (ENTROPY,)
    assert derive_seed(SECRET, tables[0].entropies) == derive_seed(SECRET, [ENTROPY])
    starts = [played.store.ledger.events(one.id, 1, 1)[0] for one in tables]
    assert starts[0]["chance"] == starts[1]["chance"]
    assert played.store.vault.read(tables[0].id) == SECRET


def test_the_secret_of_a_round_lies_encrypted_beside_each_game(played: Round) -> None:
    table = played.make(1, *played.enter("Ada", "Bob"), duplicate=DUPLICATE)
    stored = played.store.redis.get(keys.secret(table.id))
    assert isinstance(stored, bytes)
    assert SECRET.hex().encode() not in stored
    assert SECRET not in stored


def test_nothing_is_taken_back_although_one_person_contends(played: Round) -> None:
    ada, bot = played.enter("Ada", "Bob")
    bot = bot._replace(kind="bot", owner=ada.id)
    table = played.make(1, ada, bot)
    for _ in range(3):
        table = played.play(table.id, 1)
        assert table.free_takeback is None
    with pytest.raises((TakebacksOff, NothingToTakeBack)):
        played.store.commands.proposals.propose(Intent(ada), table.id, "takeback")


def test_players_neither_call_off_nor_agree_nor_branch_nor_leave_to_a_bot(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    table, commands, intent = played.make(1, ada, bob), played.store.commands, Intent(ada)
    refused: tuple[Callable[[], object], ...] = (
        lambda: commands.abort(intent, table.id),
        lambda: commands.proposals.propose(intent, table.id, "abort"),
        lambda: commands.proposals.propose(intent, table.id, "end"),
        lambda: commands.leaving.go_away(intent, table.id, 0),
        lambda: commands.time.give(intent, table.id, 1, 60),
        lambda: commands.again.branch(intent, table.id, NewBranch(table.version)),
    )
    for act in refused:
        with pytest.raises(RoundOpen):
            act()
    may = commands.proposals.describe(table, ada)["may"]
    assert (may["abort"], may["end"], may["takeback"]["ask"]) == (False, False, False)


def test_a_seat_at_a_table_that_waits_is_not_given_up(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    table = played.make(1, ada, bob, pace=LIVE)
    with pytest.raises(RoundOpen):
        played.store.commands.arranging.leave(Intent(ada), table.id, 0)


@pytest.mark.slow
def test_there_is_no_rematch_of_a_game_of_a_round(played: Round) -> None:
    ada, bob = played.enter("Ada", "Bob")
    table = played.play(played.make(1, ada, bob).id)
    assert table.status is Status.OVER
    with pytest.raises(RoundOpen, match="no rematch"):
        played.store.commands.again.open_rematch(Intent(ada), table.id)
