"""A guest merges into an account: seats, offers and tables follow, then the guest is gone."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cartulary.events.accounts.merging import Merging
from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.model.errors import Invalid, Refused
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player, hash_token
from cartulary.events.people.tokens import TokenGone, Tokens, Wish
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game
from tests.events.support.rematches import begin, play_out
from tests.events.support.table_before_start import invite


class People:
    """Ada with an account, the same person as a guest on a phone, and Bob."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ada, self.token = store.players.create("Ada")
        self.guest, self.phone = store.players.create("Phone")
        self.bob, _ = store.players.create("Bob")

    def merge(self) -> list[str]:
        return self.store.accounts.merging.merge(self.ada, self.phone).games

    def now(self, table: Table) -> Table:
        return self.store.projector.table(table.id)

    def names(self, table: Table) -> list[str | None]:
        return [(seat.player or {}).get("name") for seat in self.now(table).seats]

    def is_sound(self, table: Table) -> bool:
        return not self.store.audit.game(table.id).problems


@pytest.fixture
def people(store: Store) -> People:
    return People(store)


class TestRunningGames:
    def test_the_seat_of_the_guest_is_taken_over_and_nothing_else_changes(
        self, people: People
    ) -> None:
        table = begin(people.store, people.bob, people.guest)
        before = people.now(table)
        assert people.merge() == [table.id]
        after = people.now(table)
        (event,) = people.store.ledger.deliver(table.id, before.version, 10)
        assert event["type"] == "seat_taken_over"
        assert event["from"] == {
            "player": {"id": people.guest.id, "name": "Phone"},
            "reason": "merged",
        }
        assert people.names(table) == ["Bob", "Ada"]
        assert after.position == before.position
        assert after.state == before.state
        assert people.is_sound(table)

    def test_the_account_moves_and_the_guest_does_not(self, people: People) -> None:
        table = begin(people.store, people.guest, people.bob)
        people.merge()
        now = people.now(table)
        with pytest.raises(Refused):
            people.store.commands.move(Intent(people.guest, now.version), table.id, any_move(now))
        over = play_out(people.store, now, people.ada, people.bob)
        assert over.status == "over"
        assert over.result is not None
        assert over.result["outcomes"] == ["finished", "finished"]
        assert people.is_sound(table)

    def test_a_seat_that_is_away_or_lost_stays_away_or_lost(self, people: People) -> None:
        di = people.store.players.create("Di")[0]
        table = begin(people.store, people.bob, people.guest, di, substitutes=True)
        people.store.commands.leaving.resign(Intent(people.guest), table.id)
        before = people.now(table).seats[1]
        people.merge()
        after = people.now(table).seats[1]
        assert after == before._replace(player={"id": people.ada.id, "name": "Ada"})
        assert people.is_sound(table)
        with pytest.raises(Refused):
            people.store.commands.arranging.join(Intent(people.ada), table.id)

    def test_who_sits_there_already_has_both_seats(self, people: People) -> None:
        table = begin(people.store, people.ada, people.guest, people.bob)
        people.merge()
        assert people.names(table) == ["Ada", "Ada", "Bob"]
        play_out(people.store, people.now(table), people.ada, people.bob)
        assert people.is_sound(table)

    @pytest.mark.parametrize("asking", ["account", "guest"])
    def test_a_proposal_that_one_would_have_to_agree_to_oneself_lapses(
        self, people: People, asking: str
    ) -> None:
        table = begin(people.store, people.ada, people.guest, people.bob)
        proposer = people.ada if asking == "account" else people.guest
        proposals = people.store.commands.proposals
        made = proposals.propose(Intent(proposer), table.id, "end").table.course.proposal
        assert made is not None
        proposals.answer(Intent(people.bob), table.id, made.id, "accept")
        people.merge()
        assert people.now(table).course.proposal is None
        last = people.store.ledger.deliver(table.id, people.now(table).version - 1, 1)[0]
        assert (last["type"], last["outcome"]) == ("proposal_closed", "lapsed")
        assert people.is_sound(table)
        again = proposals.propose(Intent(people.ada), table.id, "end").table.course.proposal
        assert again is not None
        assert again.needs == (2,)

    def test_a_proposal_of_another_that_asks_both_lapses_and_else_stays(
        self, people: People
    ) -> None:
        proposals = people.store.commands.proposals
        both = begin(people.store, people.ada, people.guest, people.bob)
        one = begin(people.store, people.guest, people.bob)
        for table in (both, one):
            proposals.propose(Intent(people.bob), table.id, "end")
        people.merge()
        assert people.now(both).course.proposal is None
        stays = people.now(one).course.proposal
        assert stays is not None
        proposals.answer(Intent(people.ada), one.id, stays.id, "accept")
        assert not people.now(one).running
        assert people.is_sound(both)
        assert people.is_sound(one)

    def test_a_private_game_is_seen_by_the_account(self, people: People) -> None:
        request = beans_game(ME, invite(people.guest), visibility="private")
        table = people.store.commands.create(Intent(people.bob), request).table
        people.store.commands.arranging.join(Intent(people.guest), table.id)
        people.merge()
        assert people.store.projector.visible(table.id, people.ada.id).running
        listed = people.store.projections.games_of(people.ada.id, status="running").games
        assert [game["id"] for game in listed] == [table.id]


class TestGamesThatWait:
    def test_seats_and_the_table_itself_follow(self, people: People) -> None:
        table = people.store.commands.create(
            Intent(people.guest), beans_game(ME, OPEN, start="host")
        ).table
        people.merge()
        now = people.now(table)
        assert people.names(table) == ["Ada", None]
        assert now.course.host == people.ada.id
        people.store.commands.arranging.join(Intent(people.bob), table.id)
        assert people.store.commands.arranging.start(Intent(people.ada), table.id).table.running
        assert people.is_sound(table)

    def test_what_the_guest_added_to_the_draws_stays(self, people: People) -> None:
        table = people.store.commands.create(Intent(people.bob), beans_game(ME, OPEN, OPEN)).table
        added = "g" * 22
        people.store.commands.arranging.join(Intent(people.guest), table.id, entropy=added)
        people.merge()
        assert people.now(table).seats[1].entropy == added

    def test_an_offer_follows(self, people: People) -> None:
        request = beans_game(ME, OPEN, invite(people.guest))
        table = people.store.commands.create(Intent(people.bob), request).table
        before = people.now(table).seats[2].offer
        people.merge()
        after = people.now(table).seats[2].offer
        assert before is not None
        assert after == before._replace(player={"id": people.ada.id, "name": "Ada"})
        people.store.commands.arranging.join(Intent(people.ada), table.id)
        assert people.names(table) == ["Bob", None, "Ada"]

    def test_an_offer_of_the_account_to_its_own_guest_is_declined(self, people: People) -> None:
        request = beans_game(ME, OPEN, invite(people.guest))
        table = people.store.commands.create(Intent(people.ada), request).table
        people.merge()
        assert people.now(table).seats[2].offer is None
        assert people.names(table) == ["Ada", None, None]

    def test_who_sits_there_already_gets_no_second_seat(self, people: People) -> None:
        table = people.store.commands.create(Intent(people.ada), beans_game(ME, OPEN, OPEN)).table
        people.store.commands.arranging.join(Intent(people.guest), table.id)
        people.merge()
        assert people.names(table) == ["Ada", None, None]
        assert people.is_sound(table)

    def test_a_merge_is_no_way_around_a_block(self, people: People) -> None:
        table = people.store.commands.create(Intent(people.bob), beans_game(ME, OPEN, OPEN)).table
        people.store.commands.arranging.join(Intent(people.guest), table.id)
        people.store.blocks.add(people.bob.id, people.ada.id)
        people.merge()
        assert people.names(table) == ["Bob", None, None]

    def test_who_was_removed_does_not_come_back_as_a_guest(self, people: People) -> None:
        table = people.store.commands.create(Intent(people.bob), beans_game(ME, OPEN, OPEN)).table
        people.store.commands.arranging.join(Intent(people.ada), table.id)
        change = people.store.commands.arranging.change_seat
        change(Intent(people.bob), table.id, 1, SeatRequest("open"))
        people.store.commands.arranging.join(Intent(people.guest), table.id)
        people.merge()
        assert people.names(table) == ["Bob", None, None]


def test_games_that_are_over_keep_the_name_of_the_guest(people: People) -> None:
    table = begin(people.store, people.guest, people.bob)
    over = play_out(people.store, table, people.guest, people.bob)
    assert people.merge() == []
    assert people.now(table) == over


def test_then_the_guest_is_gone(people: People) -> None:
    extra = people.store.tokens.issue(people.guest.id, Wish("tablet")).secret
    people.merge()
    fresh = Store(people.store.redis, {}, registry=people.store.registry)
    assert fresh.players.by_hash(hash_token(people.phone)) is None
    assert fresh.players.by_hash(hash_token(extra)) is None
    assert fresh.players.by_hash(hash_token(people.token)) == people.ada


def test_ties_and_notes_follow(people: People) -> None:
    store = people.store
    table = begin(store, people.guest, people.bob)
    store.notes.write(people.guest, table.id, "watch Bob")
    store.blocks.add(people.guest.id, people.bob.id)
    store.blocks.add("01EVE", people.guest.id)
    store.follows.add(people.guest.id, people.bob.id)
    store.follows.add("01EVE", people.guest.id)
    people.merge()
    assert store.notes.read(people.ada, table.id) == "watch Bob"
    assert store.blocks.has(people.ada.id, people.bob.id)
    assert store.blocks.has("01EVE", people.ada.id)
    assert store.blocks.find_chosen(people.guest.id) == set()
    assert store.follows.find_chosen(people.ada.id) == {people.bob.id}
    assert store.follows.has("01EVE", people.ada.id)
    assert store.follows.find_chosen(people.guest.id) == set()


def test_the_same_merge_again_changes_nothing(people: People) -> None:
    table = begin(people.store, people.guest, people.bob)
    assert people.merge() == [table.id]
    version = people.now(table).version
    assert people.merge() == []
    assert people.now(table).version == version


class Killed(Exception):
    """The process ends here."""


@pytest.mark.parametrize("step", range(12))
@pytest.mark.slow
def test_a_merge_that_was_interrupted_anywhere_goes_on(
    people: People, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [begin(people.store, people.guest, people.bob) for _ in range(2)]
    waiting = people.store.commands.create(Intent(people.guest), beans_game(ME, OPEN)).table
    left = [step]

    def interrupt(whole: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **more: Any) -> Any:
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            done = whole(*arguments, **more)
            if left[0] == 0:
                raise Killed
            left[0] -= 1
            return done

        return run

    with monkeypatch.context() as patch:
        for owner, name in (
            (Merging, "_claim"),
            (Merging, "_move_game"),
            (Tokens, "revoke_others"),
            (type(people.store.blocks), "move"),
        ):
            patch.setattr(owner, name, interrupt(getattr(owner, name)))
        with pytest.raises(Killed):
            people.merge()
    people.merge()
    for table in games:
        assert people.names(table) == ["Ada", "Bob"]
        assert people.is_sound(table)
    assert people.names(waiting) == ["Ada", None]
    assert (
        Store(people.store.redis, {}, registry=people.store.registry).players.by_hash(
            hash_token(people.phone)
        )
        is None
    )


class TestRefusals:
    def refuse(self, people: People, player: Player, token: str) -> str:
        with pytest.raises(Invalid) as refused:
            people.store.accounts.merging.merge(player, token)
        (error,) = refused.value.errors
        assert error["pointer"] == "/token"
        return str(error["detail"])

    @pytest.mark.parametrize("token", ["x", "\udcff", "é" * 200])
    def test_an_unknown_token(self, people: People, token: str) -> None:
        assert self.refuse(people, people.ada, token) == "no guest has this token"

    def test_ones_own_token(self, people: People) -> None:
        assert "of the caller" in self.refuse(people, people.ada, people.token)

    @pytest.mark.slow
    def test_an_account_is_no_guest(self, people: People) -> None:
        people.store.recovery.issue(people.guest.id, hash_token(people.phone))
        assert "no guest" in self.refuse(people, people.ada, people.phone)

    def test_a_token_that_may_not_do_all(self, people: People) -> None:
        narrow = people.store.tokens.issue(people.guest.id, Wish("", ["read", "play"])).secret
        assert "scopes" in self.refuse(people, people.ada, narrow)

    def test_a_guest_who_has_merged_into_somebody_else(self, people: People) -> None:
        people.merge()
        assert self.refuse(people, people.bob, people.phone) == "no guest has this token"


@pytest.mark.real
def test_of_two_players_who_merge_each_other_at_once_one_is_left(real_store: Store) -> None:
    for _ in range(5):
        people = People(real_store)
        table = begin(real_store, people.ada, people.guest)

        def merge(pair: tuple[Player, str], store: Store = real_store) -> bool:
            try:
                store.accounts.merging.merge(*pair)
            except (Invalid, TokenGone):
                return False
            return True

        pairs = [(people.ada, people.phone), (people.guest, people.token)]
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(merge, pairs))
        assert sorted(done) == [False, True]
        owner = "Ada" if done[0] else "Phone"
        assert people.names(table) == [owner, owner]
        kept = people.token if done[0] else people.phone
        assert Store(real_store.redis, {}).players.by_hash(hash_token(kept)) is not None


def test_the_registry_says_into_whom_a_guest_has_merged(people: People) -> None:
    people.merge()
    into = people.store.registry.hget(keys.player(people.guest.id), "merged_into")
    assert into == people.ada.id.encode()
