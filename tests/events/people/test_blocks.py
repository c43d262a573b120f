"""Blocks: who is kept away from whom, and that no player learns of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.commands.table.rematch import NewRematch
from cartulary.events.model.errors import Invalid, QuotaExceeded, SeatTaken
from cartulary.events.model.types import SEAT_FORFEITED
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import ME
from tests.events.support.rematches import begin, play_out
from tests.events.support.table_before_start import Scene, invite, types


def test_a_block_goes_one_way_until_it_is_removed(store: Store, ada: Player, bob: Player) -> None:
    for _ in range(2):
        store.blocks.add(ada.id, bob.id)
    assert store.blocks.has(ada.id, bob.id)
    assert not store.blocks.has(bob.id, ada.id)
    assert [one.player_id for one in store.blocks.list_of(ada.id)] == [bob.id]
    assert store.blocks.list_of(bob.id) == []
    for _ in range(2):
        store.blocks.remove(ada.id, bob.id)
    assert not store.blocks.has(ada.id, bob.id)
    assert store.blocks.list_of(ada.id) == []


def test_those_apart_are_found_in_both_directions(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    store.blocks.add(ada.id, bob.id)
    store.blocks.add(eve.id, ada.id)
    assert store.blocks.find_apart(ada.id, [ada.id, bob.id, eve.id, "x"]) == {bob.id, eve.id}
    assert store.blocks.find_apart(bob.id, [ada.id, eve.id]) == {ada.id}
    assert store.blocks.find_apart(bob.id, []) == set()
    assert store.blocks.find_choosers([ada.id, eve.id], ada.id) == {eve.id}


def test_nobody_blocks_too_many(store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Blocks, "most", 2)
    for other in ("x", "y", "x"):
        store.blocks.add(ada.id, other)
    with pytest.raises(QuotaExceeded, match="at most 2 blocked players"):
        store.blocks.add(ada.id, "z")
    assert len(store.blocks.list_of(ada.id)) == 2


def refuse(scene: Scene, who: Player, seat: int | None = None) -> str:
    with pytest.raises(SeatTaken) as refused:
        scene.join(who, seat)
    return str(refused.value)


@pytest.mark.parametrize("seat", [None, 1])
def test_a_blocked_player_is_refused_in_the_words_of_a_full_table(
    make_scene: Callable[..., Scene], seat: int | None
) -> None:
    scene = make_scene(start="host")
    scene.store.blocks.add(scene.ada.id, scene.bob.id)
    blocked = refuse(scene, scene.bob, seat)
    assert scene.now() == scene.table
    for name in ("Cyd", "Di"):
        scene.join(scene.store.players.create(name)[0])
    assert refuse(scene, scene.eve, seat) == blocked


def test_a_player_who_blocks_the_host_may_sit_down(scene: Scene) -> None:
    scene.store.blocks.add(scene.bob.id, scene.ada.id)
    assert types(scene.join(scene.bob)) == ["seat_taken"]


def test_an_offer_from_before_the_block_seats_nobody(scene: Scene) -> None:
    scene.change(scene.ada, 1, invite(scene.bob))
    scene.store.blocks.add(scene.ada.id, scene.bob.id)
    refuse(scene, scene.bob)
    assert scene.now().seats[1].open


def test_the_host_of_now_counts_and_not_the_opener(scene: Scene) -> None:
    scene.join(scene.bob)
    scene.store.blocks.add(scene.ada.id, scene.eve.id)
    scene.hand_over(scene.ada, scene.bob.id)
    assert types(scene.join(scene.eve))[0] == "seat_taken"


def test_an_invitation_of_a_player_who_blocks_is_refused_as_that_of_nobody(scene: Scene) -> None:
    scene.store.blocks.add(scene.bob.id, scene.ada.id)
    faults = []
    for guest in (scene.bob.id, "01NOBODY"):
        with pytest.raises(Invalid) as refused:
            scene.change(scene.ada, 1, invite(guest))
        faults.append(refused.value.errors)
        request = NewGame("beans", (ME, SeatRequest("invite", player=guest)))
        with pytest.raises(Invalid) as refused:
            scene.store.commands.create(Intent(scene.ada), request)
        assert refused.value.errors[0]["detail"] == faults[-1][0]["detail"]
    assert faults[0] == faults[1]
    assert scene.now() == scene.table


def test_a_blocked_player_takes_over_no_vacant_seat(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    table = begin(store, ada, bob, store.players.create("Di")[0], substitutes=True)
    store.commands.leaving.resign(Intent(bob), table.id)
    assert store.projector.table(table.id).seats[1].forfeited is not None
    store.blocks.add(ada.id, eve.id)
    with pytest.raises(SeatTaken, match="no seat is free for you"):
        store.commands.arranging.join(Intent(eve), table.id)
    store.blocks.remove(ada.id, eve.id)
    taken = store.commands.arranging.join(Intent(eve), table.id)
    assert taken.events[-1]["type"] != SEAT_FORFEITED


@pytest.mark.parametrize("mine", [True, False], ids=["whom I block", "who blocks me"])
def test_the_seat_of_a_partner_in_a_rematch_is_open_after_a_block(
    store: Store, ada: Player, bob: Player, eve: Player, mine: bool
) -> None:
    table = play_out(store, begin(store, ada, bob, eve), ada, bob, eve)
    store.blocks.add(*((ada.id, bob.id) if mine else (bob.id, ada.id)))
    again = store.commands.again.open_rematch(Intent(ada), table.id, NewRematch("same")).table
    assert [seat.offer and seat.offer.player["name"] for seat in again.seats] == [None, None, "Eve"]
    assert again.seats[1].open
    if mine:
        with pytest.raises(SeatTaken, match="no seat is free for you"):
            store.commands.again.open_rematch(Intent(bob), table.id)
    else:
        assert (
            store.commands.again.open_rematch(Intent(bob), table.id).table.seats[1].player
            is not None
        )


def test_nobody_mutes_themselves(store: Store, ada: Player) -> None:
    with pytest.raises(Invalid) as refused:
        store.mutes.mute(ada.id, ada.id)
    assert [one["pointer"] for one in refused.value.errors] == [""]
