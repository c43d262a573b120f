"""What a game waits for: one answer, made of the events alone."""

from __future__ import annotations

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.model.clock import format_time, milliseconds
from cartulary.events.model.table_parts import Proposal, SeatOffer
from cartulary.events.model.time.due import due, find_work, list_timers
from cartulary.events.model.time.silence_rules import DAY_MS
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.events.support.bean_games import BOT, ME, OPEN, beans_game, play_out
from tests.events.support.games_on_a_clock import circle


def test_a_bot_that_is_asked_is_due_since_the_last_event(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
    assert due(table) == ("bot", table.position, milliseconds(table.updated_at))


def test_a_score_is_due_after_the_last_move_and_until_it_is_counted(
    store: Store, ada: Player
) -> None:
    table = play_out(store, ada, store.commands.create(Intent(ada), beans_game()).table)
    assert due(table) == ("score", table.version, milliseconds(table.updated_at))
    assert due(store.commands.score(table.id).table) is None


def test_an_aborted_game_waits_for_nothing(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    assert due(store.commands.arranging.leave(Intent(ada), table.id, 0).table) is None


def test_an_event_that_leaves_the_position_alone_leaves_the_position_of_the_work_alone(
    store: Store, ada: Player
) -> None:
    table = store.commands.create(Intent(ada), beans_game(BOT, BOT)).table
    later = table._replace(life=table.life._replace(version=table.version + 1))
    assert due(later) == due(table)


class TestTimers:
    """What ends by itself."""

    def test_no_worker_has_anything_to_do_while_people_are_to_move(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, ME)).table
        assert find_work(table) is None
        last = milliseconds(table.updated_at)
        assert due(table) == ("warning", table.position, last + 53 * DAY_MS)
        assert list_timers(table)[1] == ("untouched", table.position, last + 60 * DAY_MS)

    @pytest.mark.parametrize(("visibility", "days"), [("public", 14), ("unlisted", 60)])
    def test_a_game_waits_for_its_start_for_fourteen_days_in_the_lobby_and_for_sixty_elsewhere(
        self, store: Store, ada: Player, visibility: str, days: int
    ) -> None:
        request = beans_game(BOT, OPEN, visibility=visibility)
        table = store.commands.create(Intent(ada), request).table
        assert find_work(table) is None
        last = milliseconds(table.updated_at)
        assert due(table) == ("warning", 0, last + (days - 1) * DAY_MS)
        assert list_timers(table)[1] == ("unstarted", 0, last + days * DAY_MS)

    def test_a_game_waits_for_its_start_as_long_as_its_creation_says(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
        table = table._replace(terms=table.terms._replace(expires_in=90))
        assert due(table) == ("unstarted", 0, milliseconds(table.updated_at) + 90_000)

    def test_a_game_that_rests_ends_after_thirty_days_and_waits_for_no_worker(
        self, store: Store
    ) -> None:
        game = circle(store, "Ada", "Bob")
        for seat in (0, 1):
            store.commands.leaving.go_away(Intent(game.who(seat)), game.id, seat)
        table = game.table
        assert find_work(table) is None
        last = milliseconds(table.updated_at)
        assert due(table) == ("resting", table.position, last + 30 * DAY_MS)

    def test_ages_count_from_the_day_of_the_rules_on(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        since = milliseconds(game.table.updated_at) + 5 * DAY_MS
        found = [(timer.kind, timer.at) for timer in list_timers(game.table, since)]
        assert found == [("warning", since + 53 * DAY_MS), ("untouched", since + 60 * DAY_MS)]

    def test_an_offer_and_a_proposal_end_when_they_say_so_and_the_earliest_comes_first(
        self, store: Store
    ) -> None:
        table = circle(store, "Ada", "Bob").table
        offer = SeatOffer({"id": "x", "name": "Zoe"}, "y", format_time(5_000))
        proposal = Proposal(3, 0, "end", (1,), format_time(4_000))
        table = table._replace(
            seats=(table.seats[0]._replace(offer=offer), table.seats[1]),
            course=table.course._replace(proposal=proposal),
        )
        kinds = [(timer.kind, timer.at) for timer in list_timers(table)][:2]
        assert kinds == [("proposal", 4_000), ("offer", 5_000)]
        assert due(table) == ("proposal", table.position, 4_000)

    def test_a_bot_that_is_due_comes_before_all_that_lies_ahead(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        store.commands.leaving.go_away(Intent(game.who(game.asked)), game.id, game.asked)
        waits_for = due(game.table)
        assert waits_for is not None
        assert (waits_for.kind, waits_for.at) == ("bot", milliseconds(game.table.updated_at))
        assert [timer.kind for timer in list_timers(game.table)] == ["warning", "untouched"]

    def test_a_game_whose_play_is_over_has_no_timers(self, store: Store) -> None:
        game = circle(store, "Ada", "Bob")
        store.commands.leaving.resign(Intent(game.who(0)), game.id)
        assert list_timers(game.table) == []
