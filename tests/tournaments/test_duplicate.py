"""The points of a duplicate round, its chain and its entropy."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import pairwise

import pytest

from cartulary.events.model.failures import Misfit
from cartulary.tournaments.duplicate import make_chain, name_round, score_round
from cartulary.tournaments.points import add_up, list_scores
from cartulary.tournaments.state import hash_entropies
from tests.tournaments.streams import LAST, StreamOfTournament, begin

HALF = Fraction(1, 2)


def begin_duplicate(entrants: int, table: int = 2, rounds: int = 2) -> StreamOfTournament:
    return begin(entrants, table=[table], rounds=rounds, duplicate=True)


def play(
    stream: StreamOfTournament, *scores: list[int] | None, outcomes: list[list[str]] | None = None
) -> None:
    stream.pair()
    for place, table in enumerate(list(stream.state.playing_tables())):
        more = {} if outcomes is None else {"outcomes": outcomes[place]}
        stream.settle(table, scores[place], **more)
    stream.close()


def find_points(stream: StreamOfTournament) -> list[list[Fraction | None]]:
    return [*score_round(stream.state, stream.state.rounds[-1]).values()]


def test_each_secret_of_a_chain_is_the_hash_of_the_next_one() -> None:
    chain = make_chain(LAST, 3)
    assert len(chain) == 4
    assert chain[3] == LAST
    for before, after in pairwise(chain):
        assert before == hashlib.sha256(after).digest()


def test_the_commitment_of_a_round_is_the_secret_of_the_round_before() -> None:
    stream = begin_duplicate(4)
    play(stream, [1, 2], [1, 2])
    play(stream, [1, 2], [1, 2])
    commitments = [round_.commitment for round_ in stream.state.rounds]
    assert commitments == [one.hex() for one in stream.chain[:2]]
    assert [round_.secret for round_ in stream.state.rounds] == [
        one.hex() for one in stream.chain[1:]
    ]


def test_a_seat_has_the_share_of_the_same_seats_whose_lead_is_smaller() -> None:
    stream = begin_duplicate(6)
    play(stream, [60, 40], [70, 40], [50, 50])
    # Leads of seat 0: 10, 15, 0; of seat 1 the opposite.
    assert find_points(stream) == [[HALF, HALF], [1, 0], [0, 1]]


def test_equal_leads_share_their_points() -> None:
    stream = begin_duplicate(6)
    play(stream, [60, 40], [30, 10], [50, 50])
    assert find_points(stream) == [[Fraction(3, 4), Fraction(1, 4)]] * 2 + [[0, 1]]


def test_the_lead_is_over_the_mean_of_the_table_and_not_over_the_best() -> None:
    stream = begin_duplicate(6, table=3)
    play(stream, [30, 20, 10], [90, 0, 0])
    assert find_points(stream) == [[0, 1, 1], [1, 0, 0]]


def test_who_does_not_finish_scores_nothing_and_the_table_leaves_the_comparison() -> None:
    stream = begin_duplicate(6)
    outcomes = [["finished", "left"], ["finished"] * 2, ["finished"] * 2]
    play(stream, [1, 90], [60, 40], [50, 50], outcomes=outcomes)
    assert find_points(stream) == [[None, 0], [1, 0], [0, 1]]


def test_where_no_other_table_is_whole_a_seat_has_a_half() -> None:
    stream = begin_duplicate(4)
    play(stream, [60, 40], [1, 2], outcomes=[["finished"] * 2, ["resigned", "finished"]])
    assert find_points(stream) == [[HALF, HALF], [0, None]]


def test_the_others_at_an_unfinished_table_count_like_a_bye() -> None:
    stream = begin_duplicate(6)
    outcomes = [["finished", "left"], ["finished"] * 2, ["finished"] * 2]
    play(stream, [1, 90], [60, 40], [50, 50], outcomes=outcomes)
    stayed = stream.state.tables[1].seats[0]
    assert add_up(list_scores(stream.state)[stayed]) == HALF


def test_a_void_table_leaves_the_comparison() -> None:
    stream = begin_duplicate(6)
    play(stream, None, [60, 40], [50, 50])
    assert find_points(stream) == [[1, 0], [0, 1]]


def test_the_points_of_a_duplicate_are_known_when_its_round_is_closed() -> None:
    stream = begin_duplicate(4)
    stream.pair()
    for table in list(stream.state.playing_tables()):
        stream.settle(table, [1, 2])
    assert all(add_up(scores) == 0 for scores in list_scores(stream.state).values())
    stream.close()
    assert all(add_up(scores) == HALF for scores in list_scores(stream.state).values())


def test_the_entropy_is_that_of_all_entries_those_who_left_included() -> None:
    stream = StreamOfTournament(table=[2], rounds=1, duplicate=True)
    stream.enter(5)
    stream.add("withdrew", entrant=2, reason="left")
    lines = "\n".join(f"entropy-of-{number:06d}" for number in range(1, 6))
    assert hash_entropies(stream.state) == hashlib.sha256(lines.encode()).hexdigest()
    with pytest.raises(Misfit, match="entropy"):
        stream.add("started", entropy="0" * 64)
    stream.start()


def test_after_a_lost_secret_a_new_chain_has_to_begin() -> None:
    stream = begin_duplicate(4)
    stream.pair()
    for table in list(stream.state.playing_tables()):
        stream.settle(table, None, reason="restored")
    stream.add("round_closed", round=1, secret=None)
    with pytest.raises(Misfit, match="renewed"):
        stream.pair()
    chain = make_chain(bytes(32), 1)
    stream.add("chain_renewed", commitment=chain[0].hex())
    stream.pair()
    assert stream.state.rounds[-1].commitment == chain[0].hex()


def test_a_round_is_not_closed_with_another_secret() -> None:
    stream = begin_duplicate(4)
    stream.pair()
    for table in list(stream.state.playing_tables()):
        stream.settle(table, [1, 2])
    with pytest.raises(Misfit, match="commitment"):
        stream.add("round_closed", round=1, secret=stream.chain[2].hex())


def test_a_duplicate_with_one_table_left_has_no_further_round() -> None:
    stream = begin_duplicate(4)
    play(stream, [1, 2], [1, 2])
    stream.add("withdrew", entrant=1, reason="left")
    assert not stream.pair()


def test_a_cancelled_duplicate_shows_the_secret_of_its_open_round() -> None:
    stream = begin_duplicate(4)
    stream.pair()
    stream.add(
        "tournament_cancelled",
        code="service",
        pairing_secret=stream.secret.hex(),
        secret=stream.chain[1].hex(),
    )
    assert stream.state.rounds[0].secret == stream.chain[1].hex()
    assert {table.status for table in stream.state.tables.values()} == {"voided"}


def test_the_games_of_a_round_name_their_tournament_and_its_number() -> None:
    assert name_round("abc", 3) == "abc/3"
