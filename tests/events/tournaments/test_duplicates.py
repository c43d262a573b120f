"""Duplicates: the same draws at all tables, hidden until the round is closed; and arenas."""

from __future__ import annotations

from hashlib import sha256

import pytest

from cartulary.events.commands.commands import Intent
from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.model.errors import SeatTaken
from cartulary.events.server import keys
from cartulary.events.tournaments.round_games import RoundGames
from cartulary.events.upkeep.rebuild import rebuild
from cartulary.events.upkeep.renewal import renew_chains
from cartulary.tournaments.verification import verify_tournament
from tests.events.support.tournaments import HOUR, LIVE, Cup

NAMES = ("Ada", "Bob", "Cyd", "Dan")


@pytest.fixture
def cup() -> Cup:
    return Cup()


class TestDuplicates:
    @pytest.mark.slow
    def test_a_round_has_one_commitment_and_shows_its_secret_when_it_closes(self, cup: Cup) -> None:
        begun = cup.begin(*NAMES, duplicate=True, rounds=2)
        assert begun.entropy is not None
        games = [cup.game(one) for one in cup.tables()]
        assert [one.sealed for one in games] == [True, True]
        fair = [cup.store.ledger.events(one.id)[0]["fair"] for one in games]
        assert fair[0] == fair[1]
        assert (fair[0]["round"], fair[0]["entropy"]) == (f"{cup.id}/1", begun.entropy)
        cup.play_all()
        first = cup.now.rounds[0]
        assert first.secret is not None
        assert sha256(bytes.fromhex(first.secret)).hexdigest() == fair[0]["commitment"]
        assert cup.now.rounds[1].commitment == first.secret
        assert [cup.game(one).sealed for one in cup.now.tables.values()] == [False] * 4
        report = verify_tournament(cup.store.tournaments.streams.deliver(cup.id))
        assert (report.problems, report.pairings) == ([], "proved")
        assert [one["state"] for one in report.rounds] == ["proved", "proved"]

    def test_a_rebuild_leaves_the_games_of_closed_rounds_open(self, cup: Cup) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=1)
        cup.play_all()
        assert rebuild(cup.store) == []
        games = [one.game for one in cup.now.tables.values()]
        assert all(map(cup.store.statistics.has, games))
        heads = [cup.store.registry.hget(keys.summary(game), "head") for game in games]
        assert [str(head).endswith(":sealed'") for head in heads] == [False] * 2

    def test_no_version_tells_that_one_of_its_tables_has_ended(self, cup: Cup) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=1)
        version = cup.now.version
        first, second = cup.tables()
        cup.play(first)
        cup.look()
        assert cup.now.version == version
        cup.play(second)
        cup.look()
        assert cup.types[version : version + 3] == ["table_scored", "table_scored", "round_closed"]

    def test_the_seal_is_lifted_after_a_dispatcher_died_before_it(
        self, cup: Cup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=1)
        cup.play()

        def die(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(cup.store.round_commands, "unseal", die)
        with pytest.raises(KeyboardInterrupt):
            cup.look()
        cup.open()
        assert cup.game(next(iter(cup.now.tables.values()))).sealed
        cup.look()
        assert not cup.game(next(iter(cup.now.tables.values()))).sealed

    def test_one_that_is_cancelled_leaves_no_game_to_be_made_with_the_secret_that_it_shows(
        self, cup: Cup, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as dying:
            dying.setattr(RoundGames, "_make", die)
            with pytest.raises(KeyboardInterrupt):
                cup.begin(*NAMES, duplicate=True, rounds=1)
        before = cup.now  # as a dispatcher knows the tournament that makes its games just now
        secret = cup.store.tournaments.secrets.find(cup.id, before.pairing)
        cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
        assert cup.events[-1]["secret"] is not None
        for place in before.playing_tables():
            table = cup.store.tournaments.games._make(cup.id, before, place, secret)
            assert table.status.value == "aborted"

    def test_one_that_is_cancelled_in_a_round_ends_its_tables_first(self, cup: Cup) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=2)
        cup.store.tournaments.commands.cancel(Intent(cup.host), cup.id)
        cup.look()
        last = cup.events[-1]
        assert last["type"] == "tournament_cancelled"
        assert last["secret"] is not None
        assert [cup.game(one).status.value for one in cup.tables()] == ["aborted", "aborted"]
        assert not any(cup.game(one).sealed for one in cup.tables())

    def test_a_round_whose_secret_is_lost_is_void_as_a_whole(self, cup: Cup) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=2)
        secrets = TournamentSecrets(cup.store.vault, cup.store.draws)
        known = secrets.find(cup.id, cup.now.pairing)
        assert known is not None
        other = cup.store.vault.encrypt(cup.id, known.pairing + bytes(32))
        cup.store.redis.set(keys.secret(cup.id), other)
        cup.look()
        first = cup.now.rounds[0]
        assert (first.closed, first.secret) == (True, None)
        voided = {cup.now.tables[number].reason for number in first.tables}
        assert voided == {"secret_lost"}
        assert "chain_renewed" in cup.types
        cup.play_all()
        assert cup.now.rounds[1].secret is not None

    def test_a_player_and_a_bot_of_the_player_are_one_entrant(self, cup: Cup) -> None:
        cup.announce(duplicate=True, rounds=1)
        (ada,) = cup.enter("Ada")
        made = cup.store.own_bots.make(ada, "Robo", "")
        with pytest.raises(SeatTaken):
            cup.store.tournaments.commands.enter(Intent(made[0].player), cup.id, None)


def test_a_lost_pairing_secret_cancels_the_tournament(cup: Cup) -> None:
    cup.begin(*NAMES, rounds=2)
    cup.store.redis.delete(keys.secret(cup.id))
    cup.look()
    last = cup.events[-1]
    assert (last["code"], last["pairing_secret"]) == ("secret_lost", None)


class TestArena:
    def test_who_is_free_plays_again_until_the_time_is_over(self, cup: Cup) -> None:
        cup.begin(*NAMES, format="arena", minutes=10, pace=LIVE)
        first, second = cup.tables()
        for place in (first, second):
            cup.make_all_ready(place)
        cup.play(first)
        cup.look()
        assert [table.status for table in cup.now.tables.values()][:2] == ["scored", "playing"]
        cup.play(second)
        cup.look()
        assert cup.types.count("round_paired") >= 2
        cup.clock.advance(HOUR)
        over = cup.look()
        assert over.status == "over"
        reasons = {table.reason for table in over.tables.values() if table.status == "voided"}
        assert reasons == {"time_over"}


class TestRestores:
    def test_an_open_round_of_a_restored_duplicate_is_void_and_a_new_chain_begins(
        self, cup: Cup
    ) -> None:
        cup.begin(*NAMES, duplicate=True, rounds=2)
        known = cup.now.rounds[0].commitment
        assert renew_chains(cup.store) == [cup.id]
        assert cup.types[-4:] == ["table_voided", "table_voided", "round_closed", "chain_renewed"]
        assert {cup.now.tables[number].reason for number in (1, 2)} == {"restored"}
        assert [cup.game(one).status.value for one in cup.tables()] == ["aborted", "aborted"]
        cup.look()
        assert cup.now.rounds[1].commitment not in (None, known)
        over = cup.play_all()
        assert (over.status, over.rounds[1].secret is None) == ("over", False)
        assert not verify_tournament(cup.store.tournaments.streams.deliver(cup.id)).problems

    def test_one_that_has_not_begun_gets_a_new_chain(self, cup: Cup) -> None:
        before = cup.announce(duplicate=True, rounds=2).chain
        assert renew_chains(cup.store) == [cup.id]
        assert cup.now.chain != before
        cup.enter(*NAMES)
        cup.store.tournaments.commands.start(Intent(cup.host), cup.id)
        cup.look()
        assert cup.play_all().status == "over"

    def test_other_tournaments_go_on_as_they_are(self, cup: Cup) -> None:
        cup.begin(*NAMES, rounds=1)
        version = cup.now.version
        assert renew_chains(cup.store) == []
        assert cup.now.version == version
