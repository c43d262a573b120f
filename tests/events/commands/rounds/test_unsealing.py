"""A duplicate round that is closed opens its games, and only then they are listed and rated."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from cartulary.events.ledger.closed_rounds import ClosedRounds, RoundClosing
from cartulary.events.model.table import Table
from cartulary.events.ratings.finding import find_result
from cartulary.events.server import keys
from tests.events.support.rounds import DUPLICATE, SECRET, TOURNAMENT, Round
from tests.support.store_with_archive import archive_all, open_with_archive, tell_all

ROUND = f"{TOURNAMENT}/1"


def make_over(played: Round, number: int = 1) -> Table:
    """A duplicate game of two that is over, in a round that is open."""
    names = played.enter(f"Ada {number}", f"Bob {number}")
    return played.play(played.make(number, *names, duplicate=DUPLICATE).id)


@pytest.mark.slow
def test_a_game_stays_sealed_for_a_process_that_reads_it_from_its_snapshot(played: Round) -> None:
    table = make_over(played)
    played.store.projector.forget()
    again = played.store.projector.table(table.id)
    assert again.sealed
    assert again.fair == table.fair
    assert not again.visible_to(None)
    assert again.visible_to(played.players[0].id)


@pytest.mark.slow
def test_a_closed_round_opens_every_version_of_its_games(played: Round) -> None:
    table = make_over(played)
    played.close(table)
    for version in (None, 3, table.version):
        assert played.store.projector.visible(table.id, None, version).opened_at is not None


def test_a_round_that_is_closed_twice_keeps_its_first_closing(fake_redis: Redis) -> None:
    rounds = ClosedRounds(fake_redis)
    assert rounds.find(ROUND) is None
    rounds.note(TOURNAMENT, 1, RoundClosing(5, SECRET.hex()))
    rounds.note(TOURNAMENT, 1, RoundClosing(9, None))
    assert rounds.find(ROUND) == RoundClosing(5, SECRET.hex())
    assert ClosedRounds(fake_redis).find(ROUND) == RoundClosing(5, SECRET.hex())
    assert rounds.find(f"{TOURNAMENT}/2") is None


@pytest.mark.slow
def test_a_summary_from_before_the_closing_replaces_none_from_after_it(played: Round) -> None:
    sealed = make_over(played)
    projections = played.store.projections
    projections.apply(sealed)
    assert projections.lobby().games == []
    played.close(sealed)
    opened = played.store.projector.table(sealed.id)
    assert projections.apply(opened)
    assert not projections.apply(sealed)
    assert [game["visibility"] for game in projections.lobby().games] == ["public"]


@pytest.mark.slow
def test_a_sealed_game_is_among_those_of_its_players_until_it_is_opened(played: Round) -> None:
    sealed = make_over(played)
    player = played.players[0].id
    played.store.projections.apply(sealed)
    assert played.store.registry.zcard(keys.sealed_games(player)) == 1
    played.close(sealed)
    played.store.projections.apply(played.store.projector.table(sealed.id))
    assert played.store.registry.zcard(keys.sealed_games(player)) == 0


@pytest.mark.slow
def test_a_result_counts_with_the_time_of_the_closing(played: Round) -> None:
    table = make_over(played)
    rated = table._replace(course=table.course._replace(ladder="people"))
    assert find_result(rated, played.store.ledger.events) is None
    played.clock.advance(3_600_000)
    played.close(table)
    closed_at = played.clock.now_ms()
    opened = rated._replace(opened_at=played.store.projector.table(table.id).opened_at)
    result = find_result(opened, played.store.ledger.events)
    assert result is not None
    assert result.at == closed_at


@pytest.mark.slow
def test_a_lost_secret_leaves_the_draws_without_a_proof(played: Round) -> None:
    table = make_over(played)
    played.store.round_commands.unseal(TOURNAMENT, 1, RoundClosing(1, None), [table.id])
    report = played.store.audit.game(table.id)
    assert report.valid
    assert report.fair is not None
    assert report.fair["state"] == "lost"


@pytest.mark.slow
@pytest.mark.parametrize("secret", [bytes(32), SECRET], ids=["another", "its own"])
def test_a_secret_that_does_not_fit_the_commitment_proves_nothing(
    played: Round, secret: bytes
) -> None:
    table = make_over(played)
    closing = RoundClosing(1, secret.hex())
    played.store.round_commands.unseal(TOURNAMENT, 1, closing, [table.id])
    report = played.store.audit.game(table.id)
    assert report.fair is not None
    assert (report.fair["state"] == "proved") is (secret == SECRET)


def test_a_sealed_game_is_not_archived_and_an_archived_one_is_proved(
    real_redis: Redis, tmp_path: Path
) -> None:
    with open_with_archive(real_redis, tmp_path) as store:
        played = Round(store)
        table = make_over(played)
        tell_all(store)
        assert archive_all(store).archived == 0
        played.close(table)
        store.registry.zadd(keys.finished(), {table.id: 0})
        assert archive_all(store).archived == 1
        store.projector.forget()
        assert store.projector.visible(table.id, None).visibility == "public"
        report = store.audit.game(table.id)
        assert report.fair is not None
        assert report.fair["state"] == "proved"
        assert [game["id"] for game in store.projections.lobby().games] == [table.id]
