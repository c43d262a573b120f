"""Offers of seats: who may take them, who sees a private game, and which games have a free seat."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, Written
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.errors import (
    AlreadyStarted,
    Invalid,
    NotFound,
    NotHost,
    NotSeated,
    RateLimited,
    SeatForfeited,
    SeatOffered,
)
from cartulary.events.model.time.silence_rules import ANSWER_MS, find_wait
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, OPEN, beans_game
from tests.events.support.table_before_start import (
    OPENED,
    RANDOM,
    Scene,
    at_once,
    invite,
    refused,
    states,
    types,
)


class TestOffers:
    def test_only_the_guest_takes_an_offered_seat(self, scene: Scene) -> None:
        offered = scene.change(scene.ada, 1, invite(scene.bob))
        (event,) = offered.events
        assert (event["player"], event["by"]) == (
            {"id": scene.bob.id, "name": "Bob"},
            scene.ada.id,
        )
        waits = milliseconds(event["expires_at"]) - milliseconds(event["at"])
        assert abs(waits - find_wait("public")) < 1000
        assert refused(scene, lambda: scene.join(scene.eve, 1)) is SeatOffered
        assert scene.join(scene.bob, 1).table.seats_of(scene.bob.id) == [1]

    def test_without_a_number_a_guest_takes_the_own_offer_and_others_an_open_seat(
        self, scene: Scene
    ) -> None:
        scene.change(scene.ada, 2, invite(scene.bob))
        assert scene.join(scene.bob).table.seats_of(scene.bob.id) == [2]
        assert scene.join(scene.eve).table.seats_of(scene.eve.id) == [1]

    def test_where_all_seats_are_promised_the_answer_says_so(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, invite(scene.bob))
        scene.change(scene.ada, 2, RANDOM)
        assert refused(scene, lambda: scene.join(scene.eve)) is SeatOffered

    def test_a_guest_who_takes_another_seat_declines_the_offer(self, scene: Scene) -> None:
        scene.change(scene.ada, 2, invite(scene.bob))
        written = scene.join(scene.bob, 1)
        assert types(written) == ["seat_declined", "seat_taken"]
        assert states(written.table) == ["seated", "seated", "open"]

    def test_a_guest_declines(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, invite(scene.bob))
        leave = scene.store.commands.arranging.leave
        assert refused(scene, lambda: leave(Intent(scene.eve), scene.id, 1)) is NotSeated
        written = leave(Intent(scene.bob), scene.id, 1)
        assert types(written) == ["seat_declined"]
        assert states(written.table) == ["seated", "open", "open"]
        assert refused(scene, lambda: leave(Intent(scene.bob), scene.id, 1)) is NotSeated

    def test_who_cannot_be_invited(self, scene: Scene) -> None:
        scene.join(scene.bob, 1)
        for guest in (scene.bob, scene.ada, "01JNOBODY"):
            assert refused(scene, partial(scene.change, scene.ada, 2, invite(guest))) is Invalid

    def test_a_player_has_one_offer_at_a_table(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, invite(scene.bob))
        assert refused(scene, lambda: scene.change(scene.ada, 2, invite(scene.bob))) is Invalid

    def test_a_new_game_may_invite(self, store: Store, ada: Player, bob: Player) -> None:
        written = store.commands.create(Intent(ada), beans_game(ME, invite(bob), expires_in=60))
        assert types(written) == ["game_created", "seat_offered"]
        assert states(written.table) == ["seated", "offered"]
        assert [table["id"] for table in store.projections.games_of(bob.id).games] == [
            written.table.id
        ]
        assert (
            store.commands.arranging.join(Intent(bob), written.table.id).table.status == "running"
        )

    def test_a_new_game_names_every_guest_who_cannot_be_invited(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        seats = (ME, invite(bob), invite(bob), invite(ada), invite("01JNOBODY"))
        with pytest.raises(Invalid) as error:
            store.commands.create(Intent(ada), beans_game(*seats))
        assert [one["pointer"] for one in error.value.errors] == [
            "/seats/2/player",
            "/seats/3/player",
            "/seats/4/player",
        ]

    def test_two_requests_for_the_same_offer_seat_the_guest_once(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, invite(scene.bob))
        outcomes = at_once([lambda: scene.join(scene.bob, 1)] * 8)
        assert sorted(outcomes) == ["SeatTaken"] * 7 + ["Written"]
        assert scene.now().seats_of(scene.bob.id) == [1]


class TestSight:
    def test_a_private_game_may_wait_for_guests(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(ME, OPEN, OPEN, visibility="private")
        assert not scene.now().visible_to(scene.bob.id)
        scene.change(scene.ada, 1, invite(scene.bob))
        assert scene.now().visible_to(scene.bob.id)
        assert not scene.now().visible_to(scene.eve.id)
        assert not scene.now().visible_to(None)
        scene.join(scene.bob, 2)
        assert scene.now().visible_to(scene.bob.id)

    def test_who_was_removed_declined_or_left_before_the_start_sees_it_no_more(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, OPEN, OPEN, visibility="private")
        endings: tuple[Callable[[], Written], ...] = (
            lambda: scene.change(scene.ada, 1, OPENED),
            lambda: scene.store.commands.arranging.leave(Intent(scene.bob), scene.id, 1),
        )
        for end in endings:
            scene.change(scene.ada, 1, invite(scene.bob))
            end()
            assert not scene.now().visible_to(scene.bob.id)
            assert scene.store.projections.games_of(scene.bob.id).games == []
        for end in reversed(endings):
            scene.change(scene.ada, 1, invite(scene.bob))
            scene.join(scene.bob, 1)
            end()
            assert not scene.now().visible_to(scene.bob.id)
        assert refused(scene, lambda: scene.join(scene.bob)) is NotFound

    def test_the_opener_sees_it_after_leaving(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(ME, OPEN, OPEN, visibility="private")
        scene.change(scene.ada, 1, invite(scene.bob))
        scene.join(scene.bob)
        scene.store.commands.arranging.leave(Intent(scene.ada), scene.id, 0)
        assert scene.now().visible_to(scene.ada.id)
        scene.change(scene.bob, 0, invite(scene.eve))
        scene.join(scene.eve)
        assert scene.start(scene.bob, drop=True).table.status == "running"
        assert [scene.now().visible_to(one.id) for one in (scene.ada, scene.bob, scene.eve)] == [
            True
        ] * 3


class TestLists:
    def test_games_with_a_seat_to_take(self, store: Store, ada: Player, bob: Player) -> None:
        def found(seat: str, **more: Any) -> list[str]:
            return [game["id"] for game in store.projections.lobby(seat=seat, **more).games]

        waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.id
        promised = store.commands.create(Intent(ada), beans_game(ME, invite(bob))).table.id
        running = store.commands.create(Intent(ada), beans_game()).table.id
        assert found("open") == found("open", status="open", game="beans") == [waiting]
        assert found("open", status="running") == found("vacant") == []
        assert {game["id"] for game in store.projections.lobby().games} == {
            waiting,
            promised,
            running,
        }
        store.commands.arranging.join(Intent(bob), waiting)
        assert found("open") == []
        store.commands.arranging.leave(Intent(bob), promised, 1)
        assert found("open") == [promised]
        mine = store.projections.games_of(ada.id, seat="open").games
        assert [game["id"] for game in mine] == [promised]


class TestVacantSeats:
    """After the start: what the host may still do with a seat that a player has left."""

    def test_the_host_offers_a_vacant_seat_and_withdraws_the_offer(self, vacant: Scene) -> None:
        assert refused(vacant, partial(vacant.change, vacant.bob, 1, invite(vacant.eve))) is NotHost
        assert refused(vacant, partial(vacant.change, vacant.ada, 1, RANDOM)) is AlreadyStarted
        assert refused(vacant, partial(vacant.change, vacant.ada, 0, OPENED)) is AlreadyStarted
        offered = vacant.change(vacant.ada, 1, invite(vacant.eve))
        assert types(offered) == ["seat_offered"]
        (event,) = offered.events
        waits = milliseconds(event["expires_at"]) - milliseconds(event["at"])
        assert abs(waits - ANSWER_MS) < 1000
        assert vacant.now().visible_to(vacant.eve.id)
        withdrawn = vacant.change(vacant.ada, 1, OPENED)
        assert types(withdrawn) == ["seat_opened"]
        assert withdrawn.events[0]["reason"] == "offer_withdrawn"
        assert states(withdrawn.table)[1] == "vacant"
        assert not vacant.now().visible_to(vacant.eve.id)
        assert vacant.change(vacant.ada, 1, OPENED).events == []

    def test_another_guest_takes_the_place_of_the_first(self, vacant: Scene) -> None:
        vacant.change(vacant.ada, 1, invite(vacant.eve))
        other = vacant.store.players.create("Max")[0]
        written = vacant.change(vacant.ada, 1, invite(other))
        assert types(written) == ["seat_opened", "seat_offered"]

    def test_a_guest_declines_or_takes_the_seat_over(self, vacant: Scene) -> None:
        vacant.change(vacant.ada, 1, invite(vacant.eve))
        declined = vacant.store.commands.arranging.leave(Intent(vacant.eve), vacant.id, 1)
        assert types(declined) == ["seat_declined"]
        assert refused(vacant, partial(vacant.join, vacant.eve)) is NotFound
        vacant.change(vacant.ada, 1, invite(vacant.eve))
        assert types(vacant.join(vacant.eve)) == ["seat_taken_over"]
        people = (vacant.ada, vacant.bob, vacant.eve)
        assert all(vacant.now().visible_to(one.id) for one in people)
        assert vacant.store.audit.game(vacant.id).problems == []

    def test_an_offer_ends_with_the_game(self, vacant: Scene) -> None:
        vacant.change(vacant.ada, 1, invite(vacant.eve))
        vacant.store.commands.leaving.resign(Intent(vacant.ada), vacant.id)
        table = vacant.now()
        assert table.status == "scoring"
        assert states(table)[1] == "forfeited"
        assert "offer" not in table.seats_json()[1]
        assert not table.visible_to(vacant.eve.id)

    def test_who_has_left_comes_back_with_an_offer(self, vacant: Scene) -> None:
        assert refused(vacant, partial(vacant.join, vacant.bob)) is SeatForfeited
        vacant.change(vacant.ada, 1, invite(vacant.bob))
        assert types(vacant.join(vacant.bob)) == ["seat_taken_over"]

    def test_a_vacant_seat_is_listed_unless_it_is_offered(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = leave_early(make_scene(ME, OPEN, OPEN, visibility="public"))

        def found() -> list[str]:
            lobby = scene.store.projections.lobby(seat="vacant", status="running")
            return [game["id"] for game in lobby.games]

        assert found() == [scene.id]
        scene.change(scene.ada, 1, invite(scene.eve))
        assert found() == []
        scene.join(scene.eve)
        assert found() == []

    def test_the_host_of_a_running_game_hands_over_to_players_who_contend(
        self, vacant: Scene
    ) -> None:
        assert refused(vacant, partial(vacant.hand_over, vacant.ada, vacant.bob.id)) is Invalid
        zoe = vacant.now().seats[2].player
        assert zoe is not None
        assert types(vacant.hand_over(vacant.ada, zoe["id"])) == ["host_changed"]


@pytest.fixture
def vacant(make_scene: Callable[..., Scene]) -> Scene:
    """A private game of three, which Bob, on seat 1, has left before everybody had answered."""
    return leave_early(make_scene(ME, OPEN, OPEN, visibility="private"))


def leave_early(scene: Scene) -> Scene:
    """Start a game of Ada, Bob and Zoe; Bob leaves at once."""
    zoe = scene.store.players.create("Zoe")[0]
    for seat, guest in ((1, scene.bob), (2, zoe)):
        scene.change(scene.ada, seat, invite(guest))
        scene.join(guest)
    left = scene.store.commands.abort(Intent(scene.bob), scene.id)
    assert types(left) == ["seat_forfeited"]
    return scene


def test_who_left_three_games_early_sits_at_no_table_of_others(
    make_scene: Callable[..., Scene],
) -> None:
    for _ in range(3):
        scene = leave_early(make_scene(ME, OPEN, OPEN))
    waiting = make_scene(ME, OPEN)
    assert refused(waiting, partial(waiting.join, scene.bob)) is RateLimited
    assert waiting.join(scene.eve).table.status == "running"
