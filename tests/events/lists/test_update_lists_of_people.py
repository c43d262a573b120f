"""The inboxes of a game: who comes, goes, proposes and is asked to agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.upkeep.rebuild import rebuild
from tests.events.lists.rebuilt_inboxes import (
    count_turns,
    follow,
    make_teller,
    read_items,
    types_of,
)
from tests.events.support.bean_games import ME, OPEN
from tests.events.support.games_on_a_clock import Circle, circle
from tests.events.support.table_before_start import Scene, invite


class TestBeforeTheStart:
    @pytest.fixture
    def table(self, make_scene: Callable[..., Scene], eve: Player) -> Scene:
        scene = make_scene(ME, OPEN, invite(eve))
        scene.store.list_updater.follow(scene.now())
        return scene

    def test_a_guest_learns_of_the_offer(self, table: Scene) -> None:
        (item,) = read_items(table.store, table.eve)
        assert (item["type"], item["data"]["seat"]) == ("seat_offered", 2)
        assert item["data"]["expires_at"] == table.now().open_offers[2].expires_at

    def test_the_same_offer_is_written_once(self, table: Scene) -> None:
        table.join(table.bob, 1)
        follow(table.store, table.id)
        assert types_of(table.store, table.eve) == ["seat_offered"]

    def test_all_but_the_one_who_aborts_learn_of_it(self, table: Scene) -> None:
        table.join(table.bob, 1)
        table.abort(table.ada)
        follow(table.store, table.id)
        assert types_of(table.store, table.ada) == []
        assert types_of(table.store, table.bob) == ["game_aborted"]
        assert types_of(table.store, table.eve) == ["seat_offered", "game_aborted"]
        assert read_items(table.store, table.bob)[0]["data"]["code"] == "host"


def test_the_guests_of_a_rematch_learn_that_it_is_a_rematch(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob")
    fake_store.commands.leaving.resign(Intent(game.who(0)), game.id)
    fake_store.commands.score(game.id)
    rematch = fake_store.commands.again.open_rematch(Intent(game.who(1)), game.id).table
    follow(fake_store, rematch.id)
    assert types_of(fake_store, game.who(0)) == ["rematch_opened"]
    assert types_of(fake_store, game.who(1)) == []


class TestProposals:
    @pytest.fixture
    def game(self, fake_store: Store) -> Circle:
        game = circle(fake_store, "Ada", "Bob", "Cid", takebacks="consent")
        game.answer_all()
        follow(fake_store, game.id)
        return game

    def news(self, game: Circle, act: Callable[[], object]) -> list[list[str]]:
        """Return what each seat learns from what is done."""
        before = [types_of(game.store, game.who(seat)) for seat in range(3)]
        act()
        follow(game.store, game.id)
        after = [types_of(game.store, game.who(seat)) for seat in range(3)]
        return [new[len(old) :] for old, new in zip(before, after, strict=True)]

    def test_those_who_have_to_agree_learn_of_it_and_then_the_proposer(self, game: Circle) -> None:
        proposals = game.store.commands.proposals
        assert self.news(game, lambda: proposals.propose(Intent(game.who(0)), game.id, "end")) == [
            [],
            ["proposal_made"],
            ["proposal_made"],
        ]
        id_ = game.table.version
        answered = self.news(
            game, lambda: proposals.answer(Intent(game.who(1)), game.id, id_, "decline")
        )
        assert answered == [["proposal_closed"], [], []]
        last = read_items(game.store, game.who(0))[-1]
        assert (last["data"]["kind"], last["data"]["outcome"]) == ("end", "declined")

    def test_those_who_were_asked_learn_of_a_withdrawal(self, game: Circle) -> None:
        proposals = game.store.commands.proposals
        proposals.propose(Intent(game.who(0)), game.id, "end")
        follow(game.store, game.id)
        id_ = game.table.version
        assert self.news(game, lambda: proposals.withdraw(Intent(game.who(0)), game.id, id_)) == [
            [],
            ["proposal_closed"],
            ["proposal_closed"],
        ]

    def test_a_rebuild_brings_the_proposal_to_those_who_have_not_answered(
        self, game: Circle
    ) -> None:
        proposals = game.store.commands.proposals
        proposals.propose(Intent(game.who(0)), game.id, "end")
        id_ = game.table.version
        proposals.answer(Intent(game.who(1)), game.id, id_, "accept")
        rebuild(game.store)
        assert "proposal_made" not in types_of(game.store, game.who(1))
        assert types_of(game.store, game.who(2)).count("proposal_made") == 1


def test_a_vacant_seat_is_news_for_the_others(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "Cid", substitutes=True)
    game.answer_all()
    follow(fake_store, game.id)
    fake_store.commands.leaving.resign(Intent(game.who(1)), game.id)
    follow(fake_store, game.id)
    for seat, count in enumerate([1, 0, 1]):
        assert types_of(fake_store, game.who(seat)).count("seat_vacant") == count


def test_who_comes_back_learns_nothing_of_the_own_turn(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "Cid")
    game.answer_all()
    follow(fake_store, game.id)
    asked = game.who(game.asked)
    told = count_turns(fake_store, [asked])
    fake_store.commands.leaving.go_away(Intent(asked), game.id, game.asked)
    follow(fake_store, game.id)
    fake_store.commands.leaving.come_back(Intent(asked), game.id, game.asked)
    follow(fake_store, game.id)
    assert count_turns(fake_store, [asked]) == told


def test_a_substitute_learns_of_the_turn_that_waits(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "Cid", substitutes=True)
    game.answer_all()
    seat = game.asked
    fake_store.commands.leaving.resign(Intent(game.who(seat)), game.id)
    follow(fake_store, game.id)
    eve = fake_store.players.create("Eve")[0]
    fake_store.commands.arranging.join(Intent(eve), game.id, seat)
    follow(fake_store, game.id)
    assert types_of(fake_store, eve) == ["your_turn"]


def test_what_the_store_has_lost_is_written_again_from_there(fake_store: Store) -> None:
    game = circle(fake_store, "Ada", "Bob", "Cid")
    for _ in range(2):  # with four more each seat has rolled twice, so no seat has the goal
        game.move()
        follow(fake_store, game.id)
    fake_store.redis.hset(keys.notified(), game.id, "900 0")
    teller = make_teller(fake_store)
    teller.follow(game.table)
    people = [game.who(seat) for seat in range(3)]
    before = count_turns(fake_store, people)
    events = len(game.events())
    for _ in range(4):
        game.move()
        teller.follow(game.table)
    new = [event["seat"] for event in game.events()[events:]] + [game.asked]
    turns = sum(new[n] != new[n - 1] for n in range(1, len(new)))
    after = count_turns(fake_store, people)
    assert sum(after.values()) - sum(before.values()) == turns
