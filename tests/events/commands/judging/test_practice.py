"""Hints are for practice games only: one player, and bots on all other seats."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.commands.table.branching import NewBranch
from cartulary.events.commands.table.opening import NewGame, SeatRequest
from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.model.errors import Invalid
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME, OPEN, beans_game
from tests.events.support.games_with_draws import play_whole

GUEST = SeatRequest("invite", player="01HZZZZZZZZZZZZZZZZZZZZZZZ")


def test_a_practice_game_with_hints_says_so_in_its_first_event(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, BOT, hints=True)).table
    assert store.ledger.events(table.id, 0, 1)[0]["hints"] is True
    assert table.hints is table.summary()["hints"] is True


@pytest.mark.parametrize("hints", [None, False])
def test_a_game_without_hints_has_no_such_key(
    store: Store, ada: Player, hints: bool | None
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, BOT, hints=hints)).table
    assert "hints" not in store.ledger.events(table.id, 0, 1)[0]
    assert table.summary()["hints"] is False


@pytest.mark.parametrize(
    "seats", [(ME, OPEN), (ME, BOT, OPEN), (ME, BOT, GUEST), (ME, ME), (BOT, BOT)]
)
def test_hints_need_one_player_and_bots(
    store: Store, ada: Player, seats: tuple[SeatRequest, ...]
) -> None:
    with pytest.raises(Invalid) as refused:
        store.commands.create(Intent(ada), NewGame("beans", seats, hints=True))
    assert [error["pointer"] for error in refused.value.errors][-1] == "/hints"
    assert store.projections.games_of(ada.id).games == []


def test_a_table_that_somebody_else_joins_has_no_hints(
    store: Store, ada: Player, bob: Player
) -> None:
    game = store.commands.create(
        Intent(ada), beans_game(ME, BOT, BOT, hints=True, start="host")
    ).table
    assert game.hints
    store.commands.arranging.change_seat(Intent(ada), game.id, 1, SeatRequest("open"))
    joined = store.commands.arranging.join(Intent(bob), game.id).table
    assert joined.terms.hints
    assert not joined.hints


def test_a_rematch_and_a_branch_for_practice_have_hints_again(store: Store, ada: Player) -> None:
    over = play_whole(
        store, ada, store.commands.create(Intent(ada), beans_game(ME, BOT, hints=True)).table
    )
    assert store.commands.again.open_rematch(Intent(ada), over.id).table.hints
    assert store.commands.again.branch(Intent(ada), over.id, NewBranch(2)).table.hints
    alone = NewBranch(2, [ME, ME])
    assert not store.commands.again.branch(Intent(ada), over.id, alone).table.terms.hints


def test_a_snapshot_keeps_the_hints_and_an_older_snapshot_has_none(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, BOT, hints=True)).table
    stored = freeze(table)
    thawed = thaw(store.rules, stored)
    assert thawed is not None
    assert thawed.hints
    older = thaw(store.rules, stored.replace(b'"hints":true,', b"").replace(b',"hints":true', b""))
    assert older is not None
    assert not older.hints
