"""Before the start: what the host may change, who may sit down, and who sees a private game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest, Written
from cartulary.events.model.errors import (
    AlreadyStarted,
    GameNotRunning,
    IdempotencyMismatch,
    Invalid,
    NotFound,
    NotHost,
    NotSeated,
    Removed,
    SeatsOpen,
    SeatTaken,
    StaleVersion,
)
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME, OPEN, beans_game
from tests.events.support.table_before_start import (
    OPENED,
    RANDOM,
    STALE,
    Scene,
    at_once,
    invite,
    refused,
    states,
    types,
)


class TestTerms:
    def test_takebacks_and_the_time_of_waiting_are_written_into_the_event(
        self, store: Store, ada: Player
    ) -> None:
        for visibility, days in {"public": 14, "unlisted": 60, "private": 60}.items():
            request = beans_game(ME, OPEN, visibility=visibility)
            event = store.commands.create(Intent(ada), request).events[0]
            assert (event["takebacks"], event["expires_in"]) == ("undo", days * 86_400)
            assert not event.keys() & {"start", "substitutes", "stand_in"}

    def test_terms_that_are_given_are_written_and_shown(self, store: Store, ada: Player) -> None:
        given: dict[str, Any] = {
            "takebacks": "consent",
            "start": "host",
            "substitutes": True,
            "stand_in": "random",
            "expires_in": 60,
        }
        written = store.commands.create(Intent(ada), beans_game(ME, OPEN, **given))
        assert given.items() <= written.events[0].items()
        terms = written.table.terms
        assert {name: getattr(terms, name) for name in given} == given

    @pytest.mark.parametrize(
        ("given", "pointer"),
        [
            ({"takebacks": "always"}, "/takebacks"),
            ({"start": "me"}, "/start"),
            ({"stand_in": "deep_blue"}, "/stand_in"),
            ({"expires_in": 0}, "/expires_in"),
            ({"expires_in": 366 * 86_400}, "/expires_in"),
            ({"visibility": "secret"}, "/visibility"),
        ],
    )
    def test_terms_that_do_not_exist_are_invalid(
        self, store: Store, ada: Player, given: dict[str, Any], pointer: str
    ) -> None:
        with pytest.raises(Invalid) as error:
            store.commands.create(Intent(ada), beans_game(ME, OPEN, **given))
        assert [one["pointer"] for one in error.value.errors] == [pointer]

    def test_a_request_of_an_earlier_release_has_the_digest_that_it_had(self) -> None:
        assert NewGame("beans", [ME, SeatRequest("bot", "random")]).body() == {
            "game": "beans",
            "seats": [["me", None], ["bot", "random"]],
            "options": {},
            "shuffle_seats": False,
            "visibility": "public",
        }


class TestStart:
    def test_a_table_of_the_host_waits_for_the_host_when_all_sit(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, OPEN, start="host")
        assert scene.join(scene.bob).table.status == "open"
        assert refused(scene, lambda: scene.start(scene.bob)) is NotHost
        started = scene.start(scene.ada)
        assert types(started) == ["game_started"]
        assert refused(scene, lambda: scene.start(scene.ada)) is AlreadyStarted

    def test_a_table_of_the_host_waits_although_no_seat_is_open_at_its_creation(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, BOT, start="host")
        assert scene.table.status == "open"
        assert scene.start(scene.ada).table.status == "running"

    def test_open_seats_are_dropped_when_the_host_says_so(self, scene: Scene) -> None:
        scene.join(scene.bob, 2)
        assert refused(scene, lambda: scene.start(scene.ada)) is SeatsOpen
        started = scene.start(scene.ada, drop=True)
        assert types(started) == ["seats_dropped", "game_started"]
        assert started.events[0]["seats"] == [1]
        assert [seat.player and seat.player["name"] for seat in started.table.seats] == [
            "Ada",
            "Bob",
        ]

    def test_an_offer_is_withdrawn_before_its_seat_is_dropped(self, scene: Scene) -> None:
        scene.join(scene.bob)
        scene.change(scene.ada, 2, invite(scene.eve))
        started = scene.start(scene.ada, drop=True)
        assert types(started) == ["seat_opened", "seats_dropped", "game_started"]
        assert started.events[0]["reason"] == "offer_withdrawn"

    def test_too_few_may_not_start(self, scene: Scene) -> None:
        assert refused(scene, lambda: scene.start(scene.ada, drop=True)) is SeatsOpen

    def test_the_seats_that_are_left_are_shuffled_and_keep_their_entropy(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, OPEN, OPEN, shuffle_seats=True, entropy="a" * 16)
        scene.join(scene.bob, 2, entropy="b" * 16)
        started = scene.start(scene.ada, drop=True)
        assert started.table.entropies == ("a" * 16, "b" * 16)
        assert sorted(started.events[-1]["seating"]) == [0, 1]
        assert scene.store.audit.game(scene.id).problems == []


class TestSeats:
    def test_the_host_puts_a_bot_on_an_open_seat(self, scene: Scene) -> None:
        written = scene.change(scene.ada, 1, RANDOM)
        assert types(written) == ["seat_assigned"]
        assert states(written.table) == ["seated", "bot", "open"]

    def test_a_bot_on_the_last_open_seat_starts_the_game(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, OPEN)
        assert types(scene.change(scene.ada, 1, RANDOM)) == ["seat_assigned", "game_started"]

    def test_a_bot_or_an_offer_gives_way(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, RANDOM)
        written = scene.change(scene.ada, 1, invite(scene.bob))
        assert types(written) == ["seat_opened", "seat_offered"]
        assert written.events[0]["was"] == {"bot": "random"}
        assert written.events[0]["reason"] == "changed"
        written = scene.change(scene.ada, 1, invite(scene.eve))
        assert types(written) == ["seat_opened", "seat_offered"]
        assert written.events[0]["reason"] == "offer_withdrawn"
        assert types(scene.change(scene.ada, 1, RANDOM)) == ["seat_assigned"]
        written = scene.change(scene.ada, 1, OPENED)
        assert types(written) == ["seat_opened"]
        assert states(written.table) == ["seated", "open", "open"]

    def test_nothing_happens_where_the_seat_is_as_wished(self, scene: Scene) -> None:
        for wish in (OPENED, RANDOM, invite(scene.bob)):
            scene.change(scene.ada, 1, wish)
            assert scene.change(scene.ada, 1, wish).events == []

    def test_a_player_has_to_be_removed_first(self, scene: Scene) -> None:
        scene.join(scene.bob, 1)
        for wish in (RANDOM, invite(scene.eve), invite(scene.bob)):
            assert refused(scene, partial(scene.change, scene.ada, 1, wish)) is SeatTaken
        written = scene.change(scene.ada, 1, OPENED)
        (event,) = written.events
        assert (event["was"]["player"]["name"], event["reason"]) == ("Bob", "removed")

    def test_a_removed_player_may_not_come_back(self, scene: Scene) -> None:
        scene.join(scene.bob, 1)
        scene.change(scene.ada, 1, OPENED)
        assert refused(scene, lambda: scene.join(scene.bob)) is Removed
        assert refused(scene, lambda: scene.change(scene.ada, 1, invite(scene.bob))) is Invalid

    def test_a_player_is_removed_from_all_seats_of_the_player(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        scene = make_scene(ME, ME, OPEN)
        scene.join(scene.bob)
        scene = scene._replace(table=make_scene(ME, ME, OPEN, start="host").table)
        scene.join(scene.bob)
        scene.hand_over(scene.ada, scene.bob.id)
        written = scene.change(scene.bob, 0, OPENED)
        assert types(written) == ["seat_opened", "seat_opened"]
        assert written.table.course.removed.count(scene.ada.id) >= 1

    def test_the_host_leaves_the_own_seat_and_does_not_open_it(self, scene: Scene) -> None:
        assert refused(scene, lambda: scene.change(scene.ada, 0, OPENED)) is Invalid

    def test_a_bot_that_is_not_on_offer_is_invalid(self, scene: Scene) -> None:
        wish = SeatRequest("bot", "deep_blue")
        assert refused(scene, lambda: scene.change(scene.ada, 1, wish)) is Invalid


class TestHost:
    def test_the_host_hands_the_table_over(self, scene: Scene) -> None:
        scene.join(scene.bob)
        assert refused(scene, lambda: scene.hand_over(scene.bob, scene.bob.id)) is NotHost
        assert refused(scene, lambda: scene.hand_over(scene.ada, scene.eve.id)) is Invalid
        assert scene.hand_over(scene.ada, scene.ada.id).events == []
        assert types(scene.hand_over(scene.ada, scene.bob.id)) == ["host_changed"]
        assert refused(scene, lambda: scene.change(scene.ada, 2, RANDOM)) is NotHost
        scene.change(scene.bob, 2, RANDOM)
        assert scene.hand_over(scene.bob, scene.ada.id).table.course.host == scene.ada.id

    def test_the_next_player_becomes_host_when_the_host_leaves(self, scene: Scene) -> None:
        scene.join(scene.bob, 2)
        left = scene.store.commands.arranging.leave(Intent(scene.ada), scene.id, 0)
        assert types(left) == ["seat_left", "host_changed"]
        assert left.table.course.host == scene.bob.id

    def test_the_host_is_followed_around_the_table(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(OPEN, ME, OPEN, OPEN)
        scene.join(scene.bob, 0)
        scene.join(scene.eve, 3)
        left = scene.store.commands.arranging.leave(Intent(scene.ada), scene.id, 1)
        assert left.table.course.host == scene.eve.id

    def test_a_host_who_keeps_a_seat_stays_host(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(ME, ME, OPEN)
        assert types(scene.store.commands.arranging.leave(Intent(scene.ada), scene.id, 0)) == [
            "seat_left"
        ]

    def test_the_game_of_the_last_player_who_leaves_is_aborted(self, scene: Scene) -> None:
        scene.change(scene.ada, 1, invite(scene.bob))
        left = scene.store.commands.arranging.leave(Intent(scene.ada), scene.id, 0)
        assert types(left) == ["seat_left", "game_aborted"]
        assert (left.events[1]["code"], left.events[1]["by"]) == ("empty", scene.ada.id)

    def test_the_host_calls_the_game_off(self, scene: Scene) -> None:
        scene.join(scene.bob)
        assert refused(scene, lambda: scene.abort(scene.bob)) is NotHost
        aborted = scene.abort(scene.ada)
        assert types(aborted) == ["game_aborted"]
        assert (aborted.events[0]["code"], aborted.events[0]["by"]) == ("host", scene.ada.id)
        assert len(aborted.events[0]["secret"]) == 64
        for command in (
            lambda: scene.join(scene.eve),
            lambda: scene.start(scene.ada),
            lambda: scene.change(scene.ada, 2, RANDOM),
            lambda: scene.hand_over(scene.ada, scene.bob.id),
        ):
            assert refused(scene, command) is GameNotRunning


def host_commands(scene: Scene) -> Iterator[Callable[..., Written]]:
    """Yield every command of the host as a function of the caller and the expected version."""
    yield lambda who, **more: scene.change(who, 1, RANDOM, **more)
    yield lambda who, **more: scene.change(who, 1, invite(scene.eve), **more)
    yield lambda who, **more: scene.change(who, 1, OPENED, **more)
    yield lambda who, **more: scene.start(who, **more)
    yield lambda who, **more: scene.start(who, drop=True, **more)
    yield lambda who, **more: scene.hand_over(who, scene.eve.id, **more)
    yield lambda who, **more: scene.abort(who, **more)


class TestOrder:
    """The checks come in the order: key, sight, host, status, version, the rule itself."""

    def test_of_the_commands_of_the_host(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(ME, OPEN, OPEN, visibility="private")
        for command in host_commands(scene):
            assert refused(scene, partial(command, scene.bob, **STALE)) is NotFound
        scene.change(scene.ada, 2, invite(scene.bob))
        for command in host_commands(scene):
            assert refused(scene, partial(command, scene.bob, **STALE)) is NotHost
            assert refused(scene, partial(command, scene.ada, **STALE)) is StaleVersion

    def test_of_a_game_that_has_started(self, make_scene: Callable[..., Scene]) -> None:
        scene = make_scene(ME, OPEN, visibility="unlisted")
        scene.join(scene.bob)
        *commands, hand_over, _abort = host_commands(scene)
        for command in commands:
            assert refused(scene, partial(command, scene.bob, **STALE)) is NotHost
            assert refused(scene, partial(command, scene.ada, **STALE)) is AlreadyStarted
        assert refused(scene, partial(hand_over, scene.ada, **STALE)) is StaleVersion

    def test_of_taking_a_seat(self, scene: Scene) -> None:
        assert refused(scene, lambda: scene.join(scene.bob, 9, **STALE)) is Invalid
        assert refused(scene, lambda: scene.join(scene.bob, 0, **STALE)) is StaleVersion
        scene.join(scene.bob, 1)
        scene.change(scene.ada, 1, OPENED)
        assert refused(scene, lambda: scene.join(scene.bob, 0, **STALE)) is Removed

    def test_of_leaving_a_seat(self, scene: Scene) -> None:
        leave = scene.store.commands.arranging.leave
        assert refused(scene, lambda: leave(Intent(scene.bob, **STALE), scene.id, 9)) is NotFound
        assert refused(scene, lambda: leave(Intent(scene.bob, **STALE), scene.id, 0)) is NotSeated
        assert (
            refused(scene, lambda: leave(Intent(scene.ada, **STALE), scene.id, 0)) is StaleVersion
        )

    def test_a_seat_that_does_not_exist_is_not_found(self, scene: Scene) -> None:
        assert refused(scene, lambda: scene.change(scene.bob, 3, RANDOM)) is NotFound

    def test_a_key_comes_before_everything_else(self, scene: Scene) -> None:
        first = scene.change(scene.ada, 1, RANDOM, key="k")
        scene.abort(scene.ada)
        again = scene.change(scene.ada, 1, RANDOM, key="k")
        assert (again.events, again.replayed) == (first.events, True)
        mismatch = refused(scene, lambda: scene.change(scene.ada, 2, RANDOM, key="k"))
        assert mismatch is IdempotencyMismatch


class TestRaces:
    @pytest.mark.slow
    def test_a_kick_that_races_the_last_seat_is_judged_by_what_came_first(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        for _ in range(10):
            scene = make_scene(ME, OPEN, OPEN)
            scene.join(scene.bob, 1)
            kick, sit = at_once(
                [
                    partial(scene.change, scene.ada, 1, OPENED),
                    partial(scene.join, scene.eve, 2),
                ]
            )
            table = scene.now()
            assert sit == "Written"
            assert (kick, table.status) in (("Written", "open"), ("AlreadyStarted", "running"))
            assert scene.store.audit.game(scene.id).problems == []

    def test_a_kick_at_the_version_before_the_start_is_refused_as_started(
        self, scene: Scene
    ) -> None:
        seen = scene.join(scene.bob, 1).table.version
        scene.join(scene.eve, 2)
        kick = refused(scene, lambda: scene.change(scene.ada, 1, OPENED, expected=seen))
        assert kick is AlreadyStarted

    def test_two_for_one_seat_and_the_host_at_once_lead_to_one_sitter(
        self, make_scene: Callable[..., Scene]
    ) -> None:
        for _ in range(5):
            scene = make_scene(ME, OPEN, OPEN)
            at_once(
                [
                    partial(scene.join, scene.bob, 1),
                    partial(scene.join, scene.eve, 1),
                    partial(scene.change, scene.ada, 1, RANDOM),
                ]
            )
            seat = scene.now().seats[1]
            assert (seat.player is None) != (seat.bot is None)
            assert scene.store.audit.game(scene.id).problems == []
