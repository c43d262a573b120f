"""The deletion of an account: games go on, the store forgets the person, names are masked."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from redis.exceptions import ConnectionError as Lost

from cartulary.events.chat.messages import BEGIN
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent, SeatRequest
from cartulary.events.ledger.masks import NAME, Masks
from cartulary.events.model.errors import Invalid
from cartulary.events.people.players import Player, hash_token
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.conftest import OFFERS
from tests.events.support.bean_games import beans_game, everything_stored, shown
from tests.events.support.opened_tables import At
from tests.events.support.table_before_start import invite
from tests.events.support.takeback_tables import sit as sit_down

ME, OPEN = SeatRequest("me"), SeatRequest("open")
NO_GIFTS = {"kind": "gift", "move": {"type": "decline"}, "until": "game"}


def sit(store: Store, *seats: Player, **more: Any) -> At:
    """Open a table that the lists of games know, as the service does."""
    at = sit_down(store, *seats, **more)
    store.projections.apply(at.now)
    return at


def delete(store: Store, player: Player) -> None:
    store.accounts.deletion.delete(player, player.name)


def types_since(store: Store, game_id: str, version: int) -> list[str]:
    return [event["type"] for event in store.ledger.events(game_id, version)]


class TestGames:
    def test_a_seat_of_a_running_game_is_forfeited_and_the_others_play_on(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        version = at.now.version
        delete(store, ada)
        assert types_since(store, at.id, version) == ["seat_forfeited", "host_changed"]
        after = at.now
        assert (after.seats[0].forfeited, after.status) == ("left", "running")
        assert after.course.host == bob.id
        at.must_hold()

    def test_a_game_of_two_is_over(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        delete(store, ada)
        assert at.now.status == "scoring"
        at.must_hold()

    def test_all_seats_of_the_player_are_forfeited(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, bob, ada, eve, ada)
        delete(store, ada)
        assert [seat.forfeited for seat in at.now.seats] == [None, "left", None, "left"]
        at.must_hold()

    def test_a_game_of_the_player_alone_ends(self, store: Store, ada: Player) -> None:
        at = sit(store, ada, ada)
        delete(store, ada)
        assert at.now.status == "scoring"
        at.must_hold()

    def test_a_waiting_game_gets_another_host(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, OPEN, invite(eve))).table
        store.commands.arranging.join(Intent(bob), table.id, 1)
        delete(store, ada)
        after = store.projector.table(table.id)
        assert (after.status, after.course.host) == ("open", bob.id)
        assert [seat["state"] for seat in after.seats_json()] == ["open", "seated", "offered"]

    def test_a_waiting_game_in_which_nobody_else_sits_is_aborted(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        tables = [(ME, OPEN), (OPEN, invite(bob))]
        games = [store.commands.create(Intent(ada), beans_game(*one)).table.id for one in tables]
        delete(store, ada)
        assert [store.projector.table(one).status for one in games] == ["aborted", "aborted"]

    def test_an_offer_is_declined(self, store: Store, ada: Player, bob: Player) -> None:
        table = store.commands.create(Intent(ada), beans_game(ME, invite(bob), OPEN)).table
        delete(store, bob)
        after = store.projector.table(table.id)
        assert after.seats[1].offer is None
        assert types_since(store, table.id, table.version) == ["seat_declined"]

    def test_a_game_that_is_over_stays_as_it_is(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        at = sit(store, ada, bob)
        store.commands.leaving.resign(Intent(bob), at.id)
        store.commands.score(at.id)
        version = at.now.version
        delete(store, ada)
        assert store.ledger.version(at.id) == version

    def test_more_games_than_a_page_are_left(
        self, store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("cartulary.events.accounts.departures.PAGE", 2)
        games = [
            store.commands.create(Intent(ada), beans_game(ME, OPEN)).table.id for _ in range(5)
        ]
        delete(store, ada)
        assert {store.projector.table(one).status for one in games} == {"aborted"}


class TestRegistry:
    def test_another_name_deletes_nothing(self, store: Store, ada: Player) -> None:
        before = everything_stored(store)
        with pytest.raises(Invalid):
            store.accounts.deletion.delete(ada, "ada")
        assert everything_stored(store) == before

    def test_the_store_forgets_the_person(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        token = store.players.create("Zoë")
        zoe = token[0]
        at = sit(store, ada, bob, zoe)
        store.commands.standing_answers.change(zoe, at.id, [NO_GIFTS])
        store.talk.say(zoe, at.id, Wording("players", phrase="hello"))
        store.notes.write(zoe, at.id, "gives everything away")
        store.blocks.add(zoe.id, eve.id)
        store.blocks.add(eve.id, zoe.id)
        store.follows.add(zoe.id, eve.id)
        store.follows.add(eve.id, zoe.id)
        store.mutes.mute(zoe.id, eve.id)
        store.preferences.change(zoe.id, {"takebacks": "never"})
        store.registry.zadd(keys.analyses_of(zoe.id), {at.id: 1})
        assert store.players.by_hash(hash_token(token[1])) == zoe
        delete(store, zoe)
        assert store.players.by_hash(hash_token(token[1])) is None
        assert store.players.by_id(zoe.id) is None
        redis: Any = store.registry
        assert set(redis.hgetall(keys.player(zoe.id))) == {b"id", b"created_at", b"deleted_at"}
        left = [key.decode() for key in redis.keys("*") if zoe.id.encode() in key]
        assert [key for key in left if not key.startswith(("player:", keys.PROJECTIONS))] == []
        assert not store.blocks.has(eve.id, zoe.id)
        assert not store.follows.has(eve.id, zoe.id)
        assert redis.hgetall(keys.notes(at.id)) == {}
        assert redis.exists(keys.standing(at.id)) == 0
        (entry,) = store.talk.read(at.id, BEGIN, 10)
        assert (entry.message.deleted, entry.message.player, entry.message.text) == (
            True,
            None,
            None,
        )

    @pytest.mark.parametrize(
        "step",
        [
            "cartulary.events.ledger.writer.EventWriter.write",
            "cartulary.events.chat.talk.Talk.erase",
            "cartulary.events.chat.notes.Notes.forget",
            "cartulary.events.accounts.deletion.Deletion._forget_answers",
            "cartulary.events.accounts.deletion.Deletion._forget_people",
            "cartulary.events.accounts.deletion.Deletion._forget_account",
        ],
    )
    @pytest.mark.parametrize("which", [1, 2])
    @pytest.mark.slow
    def test_a_deletion_that_is_cut_off_ends_right_when_it_is_repeated(
        self,
        store: Store,
        ada: Player,
        bob: Player,
        eve: Player,
        monkeypatch: pytest.MonkeyPatch,
        step: str,
        which: int,
    ) -> None:
        zoe, token = store.players.create("Zoë")
        games = [sit(store, zoe, bob, eve).id for _ in range(2)]
        waiting = store.commands.create(Intent(zoe), beans_game(ME, OPEN)).table.id
        with monkeypatch.context() as patched:
            _cut_off(patched, step, which)
            try:
                delete(store, zoe)
            except Lost:
                found = store.players.by_hash(hash_token(token))
                assert found == zoe
                assert zoe.id in store.masks.deleted
                patched.undo()
                delete(store, found)
        assert store.players.by_hash(hash_token(token)) is None
        for game_id in games:
            at = At(store, store.projector.table(game_id), [bob, eve])
            at.must_hold()
            assert types_since(store, game_id, 2) == ["seat_forfeited", "host_changed"]
        assert store.projector.table(waiting).status == "aborted"

    def test_guests_who_have_merged_into_the_account_are_deleted_with_it(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        guests = [store.players.create(name) for name in ("Zo", "Zoe", "Zoë")]
        at = sit(store, ada, guests[0][0], bob)
        for (player, _), (_, token) in zip(guests[1:], guests, strict=False):
            store.accounts.merging.merge(player, token)
        zoe = guests[2][0]
        delete(store, zoe)
        assert store.masks.deleted == {guest.id for guest, _ in guests}
        shown_names = str(store.ledger.deliver(at.id)) + str(shown(store.masks.mask_table(at.now)))
        assert "Zo" not in shown_names
        assert [store.players.by_id(guest.id) for guest, _ in guests] == [None] * 3
        at.must_hold()

    def test_who_is_deleted_can_be_invited_by_nobody(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        delete(store, bob)
        with pytest.raises(Invalid):
            store.commands.create(Intent(ada), beans_game(ME, invite(bob)))


def _cut_off(patched: pytest.MonkeyPatch, step: str, which: int) -> None:
    """Let a step fail at its n-th call."""
    path, name, method = step.rsplit(".", 2)
    owner = getattr(import_module(path), name)
    real = getattr(owner, method)
    calls: list[None] = []

    def fail(*arguments: Any, **more: Any) -> Any:
        calls.append(None)
        if len(calls) == which:
            raise Lost("the store does not answer")
        return real(*arguments, **more)

    patched.setattr(owner, method, fail)


class TestNames:
    def test_a_table_shows_no_deleted_name(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        delete(store, bob)
        table = at.now
        masked = store.masks.mask_table(table)
        names = [seat["player"]["name"] for seat in shown(masked)["seats"]]
        assert names == ["Ada", NAME, "Eve"]
        assert store.masks.count(table) == store.masks.count(masked) == 1
        assert [seat["player"]["name"] for seat in shown(table)["seats"]] == ["Ada", "Bob", "Eve"]

    def test_a_table_without_deleted_players_is_the_same_object(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob)
        delete(store, eve)
        table = at.now
        assert store.masks.mask_table(table) is table
        assert store.masks.count(table) == 0

    def test_offers_and_earlier_owners_are_masked(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve, substitutes=True)
        cid = store.players.create("Cid")[0]
        store.commands.leaving.resign(Intent(bob), at.id)
        store.commands.arranging.join(Intent(cid), at.id, 1)
        delete(store, bob)
        masked = store.masks.mask_table(at.now)
        assert [tenure.player["name"] for tenure in masked.course.tenures] == [NAME]
        assert masked.seats[1].player == {"id": cid.id, "name": "Cid"}
        waiting = store.commands.create(Intent(ada), beans_game(ME, invite(cid), OPEN)).table
        store.masks.add(cid.id, 1)
        offer = store.masks.mask_table(waiting).seats[1].offer
        assert offer is not None
        assert offer.player["name"] == NAME

    def test_events_keep_their_hash_and_say_masked(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        table = store.commands.create(
            Intent(ada), beans_game(ME, OPEN, OPEN, substitutes=True)
        ).table
        cid = store.players.create("Cid")[0]
        for player in (bob, eve):
            store.commands.arranging.join(Intent(player), table.id)
        store.commands.leaving.go_away(Intent(bob), table.id, 1)
        store.commands.leaving.come_back(Intent(bob), table.id, 1)
        store.commands.leaving.resign(Intent(bob), table.id)
        store.commands.arranging.join(Intent(cid), table.id, 1)
        before = store.ledger.deliver(table.id)
        store.accounts.deletion.delete(bob, "Bob")
        after = store.ledger.deliver(table.id, 0, len(before))
        assert not any("Bob" in str(event) for event in after)
        assert [event["hash"] for event in after] == [event["hash"] for event in before]
        masked = [event["type"] for event in after if event.get("masked")]
        assert masked == ["seat_taken", "seat_returned", "seat_forfeited", "seat_taken_over"]
        for old, new in zip(before, after, strict=True):
            assert new == old or new.pop("masked") is True
            assert _without_names(new) == _without_names(old)
        report = store.audit.game(table.id)
        assert (report.problems, report.masked) == ([], 4)

    def test_masking_changes_no_event_that_is_shared(
        self, store: Store, ada: Player, bob: Player, eve: Player
    ) -> None:
        at = sit(store, ada, bob, eve)
        events = store.ledger.events(at.id)
        copies = [dict(event) for event in events]
        store.masks.add(ada.id, 1)
        assert store.masks.mask_events(events) != copies
        assert events == copies

    def test_another_process_learns_of_it_within_a_second(
        self, store: Store, ada: Player, bob: Player
    ) -> None:
        now = [100.0]
        masks = Masks(store.registry, lambda: now[0])
        masks.look()
        delete(store, ada)
        masks.look()
        assert masks.deleted == frozenset()
        now[0] += 1.0
        masks.look()
        assert masks.deleted == {ada.id}

    def test_lists_show_no_deleted_name(self, store: Store, ada: Player, bob: Player) -> None:
        at = sit(store, ada, bob)
        store.projections.apply(at.now)
        delete(store, bob)
        (game,) = store.projections.games_of(ada.id).games
        assert [seat["player"]["name"] for seat in game["seats"]] == ["Ada", NAME]
        cold = Store(store.redis, OFFERS, registry=store.registry)
        assert cold.projections.games_of(ada.id).games == [game]


def _without_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_names(one) for key, one in value.items() if key != "name"}
    if isinstance(value, list):
        return [_without_names(one) for one in value]
    return value
