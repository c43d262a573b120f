"""From a match to its game: bots until others come, and processes that die in between."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.company.matchmaker import LEFT_MS
from cartulary.events.company.seeks import NewSeek
from cartulary.events.model.failures import DrawsUnavailable
from cartulary.events.model.status import Status
from cartulary.events.people.quotas import UNLIMITED, Quotas
from cartulary.events.server.format import WITH_FILLED_SEATS
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game
from tests.events.support.seekers import LIVE, Seekers, names_of

BOTS = {"pace": LIVE, "fill": "bots"}


class TestBots:
    def test_bots_fill_the_seats_when_patience_is_over(self, at: Seekers) -> None:
        (ada,) = at.register("Ada")
        seek = at.wait(ada, 3, 4, patience=10, **BOTS)
        at.pass_time(9_000, ada)
        assert at.told(ada) == []
        at.pass_time(1_000, ada)
        (said,) = at.told(ada)
        (same,) = at.store.seeks.list_of(ada.id)
        assert (same.id, same.table, same.wish.sizes) == (seek.id, said["game"], (3,))
        table = at.store.projector.table(said["game"])
        assert names_of(table) == ["Ada", "random", "random"]
        assert (table.running, table.terms.substitutes, table.terms.filled) == (True, True, True)
        states = sorted(seat["state"] for seat in table.seats_json())
        assert states == ["seated", "vacant", "vacant"]
        listed = at.store.projections.lobby(seat="vacant", game="beans").games
        assert [game["id"] for game in listed] == [table.id]

    def test_later_seekers_take_over_the_seats_of_bots_until_none_is_left(
        self, at: Seekers
    ) -> None:
        ada, bob, cyd, dan = at.register("Ada", "Bob", "Cyd", "Dan")
        at.wait(ada, 3, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        table = at.match(bob, 2, 3, pace=LIVE)
        assert names_of(table) == ["Ada", "Bob", "random"]
        assert len(at.list_open(ada)) == 1
        assert at.list_open(bob) == []
        assert at.match(cyd, 3, pace=LIVE).id == table.id
        assert names_of(at.now(table)) == ["Ada", "Bob", "Cyd"]
        assert at.list_open(ada) == []
        at.wait(dan, 3, pace=LIVE)
        events = at.store.ledger.deliver(table.id, 0, 1000)
        taken = [one for one in events if one["type"] == "seat_taken_over"]
        assert [one["from"] for one in taken] == [{"bot": "random"}] * 2
        assert not at.store.audit.game(table.id).problems

    def test_those_who_wait_come_before_a_game_with_bots(self, at: Seekers) -> None:
        ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        at.store.blocks.add(bob.id, ada.id)
        at.wait(bob, 2, pace=LIVE)
        assert names_of(at.match(cyd, 2, pace=LIVE)) == ["Bob", "Cyd"]

    def test_any_player_takes_the_seat_of_a_bot_from_the_lobby(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        table = at.store.projector.table(at.told(ada)[0]["game"])
        written = at.store.commands.arranging.join(Intent(bob), table.id)
        assert names_of(written.table) == ["Ada", "Bob"]
        at.pass_time(11_000, ada)
        assert at.list_open(ada) == []

    def test_the_new_owner_of_a_seat_moves_in_place_of_the_bot(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        table = at.match(bob, 2, pace=LIVE)
        while table.running:
            assert table.bot_to_move is None
            assert table.decision is not None
            owner = table.seats[table.decision.seat].player
            assert owner is not None
            who = ada if owner["id"] == ada.id else bob
            table = at.store.commands.move(Intent(who), table.id, any_move(table)).table
        result = at.store.commands.score(table.id).table.result
        assert result is not None
        assert result["outcomes"] == ["finished", "finished"]
        assert not at.store.audit.game(table.id).problems

    def test_a_snapshot_knows_whose_seats_were_taken_over(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        table = at.match(bob, 2, pace=LIVE)
        at.store.snapshots.save(table)
        found = at.store.snapshots.load(table.id, table.version)
        assert found is not None
        assert found.course.replaced == table.course.replaced != ()

    def test_before_the_format_that_knows_such_seats_no_game_begins_with_them(
        self, at: Seekers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        matched = at.store.commands.matched
        monkeypatch.setattr(matched, "_read_format", lambda: WITH_FILLED_SEATS - 1)
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(20_000, ada)
        assert at.told(ada) == []
        assert names_of(at.match(bob, 2, pace=LIVE)) == ["Ada", "Bob"]

    def test_a_game_that_is_over_takes_no_seeker(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 2, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        at.store.commands.leaving.resign(Intent(ada), at.told(ada)[0]["game"], None)
        at.wait(bob, 2, pace=LIVE)
        assert at.list_open(ada) == []
        assert len(at.list_open(bob)) == 1


class TestDeath:
    def die(self, at: Seekers, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
        """Let the process end where a step of the matchmaker begins."""

        def end(*_: Any, **__: Any) -> None:
            raise DrawsUnavailable("the process has died")

        part = at.store.matchmaker if where.startswith("_") else at.store.seeks
        monkeypatch.setattr(part, where, end)

    @pytest.mark.parametrize("where", ["_open", "_tell", "end_match"])
    def test_the_sweep_opens_the_game_of_a_match_once(
        self, at: Seekers, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
        at.wait(ada, 2)
        with monkeypatch.context() as patched:
            self.die(at, patched, where)
            at.wait(bob, 2)
        assert at.list_open(ada) == at.list_open(bob) == []
        at.wait(cyd, 2)
        at.pass_time(LEFT_MS + 1_000)
        (game,) = {said["game"] for one in (ada, bob) for said in at.told(one)}
        assert [len(at.told(one)) for one in (ada, bob)] == [1, 1]
        assert names_of(at.store.projector.table(game)) == ["Ada", "Bob"]
        assert len(at.store.projections.games_of(ada.id).games) == 1
        assert not at.store.registry.exists("seek_matches")
        assert len(at.list_open(cyd)) == 1

    @pytest.mark.parametrize("where", ["_join", "_tell", "end_match"])
    def test_the_sweep_seats_a_player_once_at_a_game_with_bots(
        self, at: Seekers, monkeypatch: pytest.MonkeyPatch, where: str
    ) -> None:
        ada, bob = at.register("Ada", "Bob")
        at.wait(ada, 3, patience=5, **BOTS)
        at.pass_time(5_000, ada)
        with monkeypatch.context() as patched:
            self.die(at, patched, where)
            at.wait(bob, 3, pace=LIVE)
        at.pass_time(LEFT_MS + 1_000, ada, bob)
        table = at.store.projector.table(at.told(bob)[0]["game"])
        assert names_of(table) == ["Ada", "Bob", "random"]
        assert at.list_open(bob) == []

    def test_a_player_whose_account_is_gone_keeps_no_other_from_a_game(
        self, at: Seekers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
        at.wait(ada, 2)
        with monkeypatch.context() as patched:
            self.die(at, patched, "_open")
            at.wait(bob, 2)
        at.store.accounts.deletion.delete(bob, "Bob")
        at.pass_time(LEFT_MS + 1_000)
        assert len(at.list_open(ada)) == 1
        assert names_of(at.match(cyd, 2)) == ["Ada", "Cyd"]

    def test_a_deleted_or_merged_player_seeks_no_more(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        guest, token = at.store.players.create("Phone")
        at.wait(ada, 2)
        at.wait(guest, 3)
        at.store.accounts.deletion.delete(ada, "Ada")
        at.store.accounts.merging.merge(bob, token)
        assert at.list_open(ada) == at.list_open(guest) == []
        left = at.store.registry.keys("*seek*")
        assert left == []


class TestQuotas:
    def test_a_player_without_a_free_seat_is_dropped_and_the_others_wait_on(
        self, at: Seekers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
        quotas = Quotas(at.store.registry, UNLIMITED._replace(seats=1))
        at.wait(ada, 2)
        at.store.commands.create(Intent(ada), beans_game(ME, ME))
        monkeypatch.setattr(at.store.matchmaker, "_quotas", quotas)
        monkeypatch.setattr(at.store.commands.creator, "_quotas", quotas)
        at.wait(bob, 2)
        assert at.list_open(ada) == []
        assert len(at.list_open(bob)) == 1
        assert names_of(at.match(cyd, 2)) == ["Bob", "Cyd"]


class TestOpenTables:
    def test_open_tables_that_fit_are_found_the_fullest_first(self, at: Seekers) -> None:
        ada, bob, cyd = at.register("Ada", "Bob", "Cyd")
        create = at.store.commands.create
        wide = create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
        full = create(Intent(bob), beans_game(ME, OPEN)).table
        create(Intent(ada), beans_game(ME, OPEN, options={"goal": 4}))
        create(Intent(ada), beans_game(ME, OPEN, pace=LIVE))
        create(Intent(ada), beans_game(ME, OPEN, visibility="unlisted"))
        create(Intent(cyd), beans_game(ME, OPEN))
        find = at.store.matchmaker.find_tables
        check = at.store.matchmaker.check
        wish = check(cyd, beans_wish(2, 3))
        assert [game["id"] for game in find(cyd, wish)] == [full.id, wide.id]
        assert [game["id"] for game in find(cyd, check(cyd, beans_wish(3)))] == [wide.id]
        at.store.blocks.add(bob.id, cyd.id)
        assert [game["id"] for game in find(cyd, wish)] == [wide.id]

    def test_a_live_table_fits_while_its_host_is_there(self, at: Seekers) -> None:
        ada, bob = at.register("Ada", "Bob")
        table = at.store.commands.create(Intent(ada), beans_game(ME, OPEN, pace=LIVE)).table
        assert table.status is Status.OPEN
        wish = at.store.matchmaker.check(bob, beans_wish(2, pace=LIVE))
        assert at.store.matchmaker.find_tables(bob, wish) == []
        at.store.presence.note(ada.id)
        (found,) = at.store.matchmaker.find_tables(bob, wish)
        assert found["id"] == table.id


def beans_wish(*sizes: int, **more: Any) -> NewSeek:
    return NewSeek("beans", {}, sizes, **more)
