"""The commands: what they do, what they refuse, in which order."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.model.errors import (
    AlreadyStarted,
    GameNotRunning,
    IllegalMoveRefused,
    Invalid,
    NotFound,
    NotSeated,
    NotYourTurn,
    Refused,
    SeatTaken,
    StaleVersion,
)
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import (
    BOT,
    ME,
    OPEN,
    any_move,
    beans_game,
    everything_stored,
    play_out,
    private_with_open_seat,
)

NO_GAME = "01J00000000000000000000000"


class TestCreate:
    def test_a_game_without_open_seats_starts_at_once(self, store: Store, ada: Player) -> None:
        written = store.commands.create(Intent(ada), beans_game(ME, BOT))
        table = written.table
        assert [event["type"] for event in written.events] == ["game_created", "game_started"]
        assert (table.status, table.version, table.rules_version) == ("running", 2, 1)
        assert table.decision is not None
        assert [seat.bot for seat in table.seats] == [None, "random"]
        assert table.options == {"goal": 9}

    def test_a_game_with_an_open_seat_waits(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        assert (table.status, table.version, table.state) == ("open", 1, None)
        assert table.view_text() is None
        assert table.decision is None

    def test_bots_may_play_among_themselves(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        assert table.status == "running"
        assert table.bot_to_move == "random"

    @pytest.mark.slow
    def test_seats_are_shuffled_at_the_start_and_not_before(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        orders = set()
        for _ in range(40):
            request = beans_game(ME, BOT, OPEN, shuffle_seats=True)
            table = store.commands.create(Intent(ada), request).table
            assert [seat.open for seat in table.seats] == [False, False, True]
            seats = store.commands.arranging.join(Intent(bob), table.id).table.seats
            orders.add(tuple(s.player["name"] if s.player else s.bot for s in seats))
        assert {tuple(sorted(map(str, order))) for order in orders} == {("Ada", "Bob", "random")}
        assert len(orders) == 6

    @pytest.mark.parametrize(
        ("request_", "pointers"),
        [
            (NewGame("chess", [ME, ME]), ["/game"]),
            (beans_game(ME), ["/seats"]),
            (beans_game(*[ME] * 6), ["/seats"]),
            (beans_game(ME, SeatRequest("cat")), ["/seats/1/kind"]),
            (beans_game(ME, SeatRequest("bot", "deep_blue")), ["/seats/1/bot"]),
            (beans_game(SeatRequest("bot"), ME), ["/seats/0/bot"]),
            (beans_game(SeatRequest("me", "random"), ME), ["/seats/0/bot"]),
            (beans_game(options={"goal": 5}), ["/options/goal"]),
            (beans_game(options={"goal": 9.0}), ["/options/goal"]),
            (beans_game(options={"a/b": 1}), ["/options/a~1b"]),
            (beans_game(visibility="secret"), ["/visibility"]),
            (
                beans_game(SeatRequest("cat"), options={"luck": 1}),
                ["/seats", "/seats/0/kind", "/options/luck"],
            ),
        ],
    )
    def test_names_everything_that_is_wrong_and_stores_nothing(
        self, store: Store, ada: Player, request_: NewGame, pointers: list[str]
    ) -> None:
        before = everything_stored(store)
        with pytest.raises(Invalid) as refused:
            store.commands.create(Intent(ada, key="k"), request_)
        assert [error["pointer"] for error in refused.value.errors] == pointers
        assert everything_stored(store) == before


class TestSeats:
    def test_the_last_seat_taken_starts_the_game(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        written = store.commands.arranging.join(Intent(bob), table.id)
        assert [event["type"] for event in written.events] == ["seat_taken", "game_started"]
        assert written.events[0]["player"] == {"id": bob.id, "name": "Bob"}
        assert written.table.status == "running"

    def test_a_certain_seat_can_be_taken(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        table = store.commands.arranging.join(Intent(bob), table.id, 2).table
        assert table.seats_of(bob.id) == [2]
        assert table.status == "open"

    def test_a_seat_is_taken_once_and_a_player_sits_once(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        with pytest.raises(SeatTaken):
            store.commands.arranging.join(Intent(bob), table.id, 0)
        with pytest.raises(SeatTaken):
            store.commands.arranging.join(Intent(ada), table.id)
        assert store.ledger.version(table.id) == 1

    def test_there_are_only_so_many_seats(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        with pytest.raises(Invalid) as refused:
            store.commands.arranging.join(Intent(bob), table.id, 2)
        assert refused.value.errors[0]["pointer"] == "/seat"
        with pytest.raises(NotFound):
            store.commands.arranging.leave(Intent(ada), table.id, 2)

    def test_a_seat_can_be_left_and_taken_again(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        store.commands.arranging.join(Intent(bob), table.id, 1)
        written = store.commands.arranging.leave(Intent(bob), table.id, 1)
        assert [event["type"] for event in written.events] == ["seat_left"]
        assert written.table.seats[1].open
        assert store.commands.arranging.join(Intent(bob), table.id).table.seats_of(bob.id) == [1]

    def test_only_the_own_seat_can_be_left(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        store.commands.arranging.join(Intent(bob), table.id, 1)
        for seat in (0, 2):
            with pytest.raises(NotSeated):
                store.commands.arranging.leave(Intent(bob), table.id, seat)

    def test_a_game_that_the_last_player_leaves_is_aborted(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, BOT, OPEN)).table
        written = store.commands.arranging.leave(Intent(ada), table.id, 0)
        assert [event["type"] for event in written.events] == ["seat_left", "game_aborted"]
        assert written.table.status == "aborted"
        with pytest.raises(GameNotRunning):
            store.commands.arranging.join(Intent(bob), table.id)
        with pytest.raises(NotSeated):
            store.commands.arranging.leave(Intent(ada), table.id, 0)

    def test_nobody_joins_or_leaves_after_the_start(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        with pytest.raises(AlreadyStarted):
            store.commands.arranging.join(Intent(bob), table.id)
        with pytest.raises(AlreadyStarted):
            store.commands.arranging.leave(Intent(ada), table.id, 0)


class TestMove:
    def test_appends_one_event_with_chance_facts_and_hash(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        assert table.state is not None
        seat = table.state.seat
        written = store.commands.move(Intent(ada, table.version), table.id, {"type": "keep"})
        (event,) = written.events
        assert list(event) == [
            "version", "type", "at", "prev", "seat", "move", "chance", "facts", "state_hash",
            "hash",
        ]  # fmt: skip
        assert (event["version"], event["seat"]) == (3, seat)
        assert event["chance"] != []
        assert event["facts"][0]["type"] == "points"
        assert written.table.state is not None
        assert event["state_hash"] == written.table.state.state_hash()
        assert store.ledger.deliver(table.id, 2) == [event]

    def test_does_not_touch_the_table_it_started_from(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        assert table.state is not None
        before = table.state.state_hash()
        store.commands.move(Intent(ada), table.id, any_move(table))
        assert (table.version, table.state.state_hash()) == (2, before)

    def test_without_a_version_it_is_judged_against_the_current_state(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        for _ in range(3):
            table = store.commands.move(Intent(ada), table.id, any_move(table)).table
        assert table.version == 5

    def test_an_illegal_move_is_answered_with_the_legal_ones(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        assert table.state is not None
        for move in ({"type": "give", "to": 7}, {"type": "keep", "x": 1}, {}):
            with pytest.raises(IllegalMoveRefused) as refused:
                store.commands.move(Intent(ada), table.id, move)
            assert refused.value.members()["legal_moves"] == table.state.legal_moves()
            assert refused.value.members()["decision"]["kind"] == "turn"
            assert set(refused.value.members()) == {"legal_moves", "decision"}
        assert store.ledger.version(table.id) == 2

    def test_play_ends_in_scoring_and_the_score_is_appended_once(
        self, store: Store, ada: Player
    ) -> None:
        table = play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
        assert (table.status, table.result, table.decision) == ("scoring", None, None)
        with pytest.raises(GameNotRunning):
            store.commands.move(Intent(ada), table.id, {"type": "keep"})
        first = store.commands.score(table.id)
        again = store.commands.score(table.id)
        assert [event["type"] for event in first.events] == ["game_scored"]
        assert (again.events, again.table.version) == ([], table.version + 1)
        assert table.state is not None
        assert first.table.result == again.table.result
        assert first.table.result is not None
        assert table.state.final().to_json().items() <= first.table.result.items()
        assert first.table.status == "over"

    def test_a_running_game_is_not_scored(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        assert store.commands.score(table.id).events == []
        with pytest.raises(NotFound):
            store.commands.score(NO_GAME)

    def test_refusals_come_in_the_documented_order(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        """Each step mends the first thing that is wrong; all the others stay wrong."""
        wrong: dict[str, Any] = {"type": "fly"}
        stale = 99

        def refusal(player: Player, game_id: str, version: int) -> type[Refused]:
            with pytest.raises(Refused) as refused:
                store.commands.move(Intent(player, version), game_id, wrong)
            return type(refused.value)

        assert refusal(bob, NO_GAME, stale) is NotFound
        private = store.commands.create(Intent(ada), beans_game(visibility="private")).table
        assert refusal(bob, private.id, stale) is NotFound
        waiting = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        assert refusal(bob, waiting.id, stale) is NotSeated
        store.commands.arranging.join(Intent(bob), waiting.id)
        assert refusal(bob, waiting.id, stale) is GameNotRunning
        cat = store.players.create("Cat")[0]
        table = store.commands.arranging.join(Intent(cat), waiting.id).table
        turn = table.state.seat if table.state else -1
        other = next(p for p in (ada, bob, cat) if turn not in table.seats_of(p.id))
        asked = next(p for p in (ada, bob, cat) if turn in table.seats_of(p.id))
        assert refusal(other, table.id, stale) is StaleVersion
        assert refusal(other, table.id, table.version) is NotYourTurn
        assert refusal(asked, table.id, table.version) is IllegalMoveRefused

    def test_refusals_carry_what_a_client_needs(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        table = store.commands.arranging.join(Intent(bob), table.id).table
        assert table.decision is not None
        other = ada if table.decision.seat == 1 else bob
        with pytest.raises(NotYourTurn) as turn:
            store.commands.move(Intent(other), table.id, {"type": "keep"})
        assert turn.value.members() == {"decision": table.decision.to_json()}
        with pytest.raises(StaleVersion) as stale:
            store.commands.move(Intent(other, 1), table.id, {"type": "keep"})
        assert stale.value.members() == {"current_version": table.version}

    def test_a_refused_move_stores_nothing(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        before = everything_stored(store)
        attempts: list[tuple[Player, dict[str, Any], int | None]] = [
            (bob, {"type": "keep"}, None),
            (ada, {"type": "keep"}, 1),
            (ada, {"type": "fly"}, None),
        ]
        for player, move, version in attempts:
            with pytest.raises(Refused):
                store.commands.move(Intent(player, version, key="k"), table.id, move)
        assert everything_stored(store) == before


class TestBotMove:
    def test_a_bot_answers_at_its_version_only(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        written = store.commands.bots.move(table.id, 2, lambda state, rng: state.moves()[0])
        assert [event["version"] for event in written.events] == [3]
        repeated = store.commands.bots.move(table.id, 2, lambda state, rng: state.moves()[0])
        assert repeated.events == []
        assert repeated.table.version == 3

    def test_a_repeated_job_has_the_same_random_numbers(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
        drawn = []

        class Killed(Exception):
            pass

        def choose(state: Any, rng: Any) -> Any:
            drawn.append(rng.random())
            raise Killed

        for _ in range(2):
            with pytest.raises(Killed):
                store.commands.bots.move(table.id, 2, choose)
        assert drawn[0] == drawn[1]

    def test_a_bot_does_not_answer_for_a_person(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        assert store.commands.bots.move(table.id, 2, lambda s, r: s.moves()[0]).events == []

    def test_a_bot_gets_a_copy_and_its_answer_is_checked(self, store: Store, ada: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table

        def spoil(state: Any, rng: Any) -> int:
            state.play(state.moves()[0])
            return 99

        with pytest.raises(ValueError, match="99"):
            store.commands.bots.move(table.id, 2, spoil)
        assert store.projector.table(table.id).state.state_hash() == table.state_hash  # type: ignore[union-attr]

    def test_a_bot_that_is_overtaken_while_thinking_does_nothing(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table

        def overtaken(state: Any, rng: Any) -> Any:
            store.commands.bots.move(table.id, 2, lambda s, r: s.moves()[0])
            return state.moves()[0]

        assert store.commands.bots.move(table.id, 2, overtaken).events == []
        assert store.ledger.version(table.id) == 3


def test_a_private_game_is_seen_by_its_people_only(store: Store, ada: Player, bob: Player) -> None:
    table = private_with_open_seat(store, ada)
    for caller in (None, bob.id):
        for version in (None, 1):
            with pytest.raises(NotFound):
                store.projector.visible(table.id, caller, version)
    assert store.projector.visible(table.id, ada.id, 1).id == table.id
    with pytest.raises(NotFound):
        store.commands.arranging.join(Intent(bob), table.id)
    with pytest.raises(NotFound):
        store.commands.arranging.leave(Intent(bob), table.id, 0)
