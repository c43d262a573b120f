"""Standings: points of tables, byes, tie-breaks, streaks."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from cartulary.tournaments.lots import draw_lot
from cartulary.tournaments.points import BYE, PENDING, TABLE, VOID, add_up, list_scores
from cartulary.tournaments.standings import (
    EntrantPlace,
    count_thousandths,
    describe_standings,
    rank_entrants,
    write_standings,
)
from cartulary.tournaments.state import count_table_points
from tests.tournaments.streams import SECRET, StreamOfTournament, begin, by_strength, play_all

HALF = Fraction(1, 2)


def find_places(stream: StreamOfTournament, secret: bytes | None = None) -> dict[int, EntrantPlace]:
    return {place.entrant: place for place in rank_entrants(stream.state, secret)}


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2), ["1", "0"]),
        ((1, 1), ["1/2", "1/2"]),
        ((1, 2, 3, 4), ["1", "2/3", "1/3", "0"]),
        ((1, 2, 2, 4), ["1", "1/2", "1/2", "0"]),
        ((3, 1, 1, 4, 5), ["1/2", "7/8", "7/8", "1/4", "0"]),
    ],
)
def test_the_points_of_a_table_are_the_share_of_the_others_beaten_ties_half(
    ranks: tuple[int, ...], points: list[str]
) -> None:
    assert count_table_points(ranks) == [Fraction(one) for one in points]


def test_a_bye_counts_a_half_until_another_round_is_scored_then_the_mean_of_the_others() -> None:
    stream = begin(3, rounds=3)
    stream.play_round(by_strength)
    bye = stream.state.rounds[0].byes[0]
    assert find_places(stream)[bye].points == HALF
    stream.pair()
    assert find_places(stream)[bye].points == HALF
    table = next(stream.state.playing_tables())
    won = table.seats.index(bye)
    stream.settle(table, [100 if seat == won else 0 for seat in range(2)])
    assert find_places(stream)[bye].points == 2
    stream.close()
    stream.play_round(lambda table: [0 if one == bye else 100 for one in table.seats])
    places = find_places(stream)
    assert [score.kind for score in places[bye].rounds] == [BYE, TABLE, TABLE]
    assert places[bye].points == Fraction(3, 2)


def test_a_void_table_counts_like_a_bye() -> None:
    stream = begin(2, rounds=2)
    stream.play_round(lambda _: None)
    assert {place.points for place in rank_entrants(stream.state)} == {HALF}
    stream.play_round(by_strength)
    places = find_places(stream)
    assert [place.points for place in (places[1], places[2])] == [2, 0]
    assert [score.kind for score in places[1].rounds] == [VOID, TABLE]


def test_who_withdraws_keeps_earlier_points_and_plays_no_more() -> None:
    stream = begin(4, rounds=3)
    stream.play_round(by_strength)
    stream.add("withdrew", entrant=1, reason="left")
    before = find_places(stream)[1].points
    play_all(stream, by_strength)
    place = find_places(stream)[1]
    assert (place.points, len(place.rounds)) == (before, 1)
    assert stream.state.entrant(1).gone == "left"


def test_who_withdraws_before_the_start_is_in_no_standings() -> None:
    stream = StreamOfTournament(rounds=1)
    stream.enter(3)
    stream.add("withdrew", entrant=2, reason="left")
    stream.start()
    play_all(stream, by_strength)
    assert [place.entrant for place in rank_entrants(stream.state)] == [1, 3]


def seat_like(stream: StreamOfTournament, *tables: tuple[int, ...]) -> None:
    """Pair a round by hand."""
    first = len(stream.state.tables) + 1
    written = [
        {"table": first + place, "game": f"g{first + place}", "seats": list(seats)}
        for place, seats in enumerate(tables)
    ]
    round_ = len(stream.state.rounds) + 1
    stream.add("round_paired", round=round_, tables=written, byes=[], ends_at=None)


def score(stream: StreamOfTournament, **scores: list[int]) -> None:
    for number, found in scores.items():
        stream.settle(stream.state.tables[int(number[1:])], found)
    stream.close()


def test_opponents_with_more_points_break_a_tie() -> None:
    stream = begin(4, rounds=2, tiebreaks=["opponents", "draw"])
    seat_like(stream, (1, 2), (3, 4))
    score(stream, t1=[9, 1], t2=[9, 1])
    seat_like(stream, (1, 3), (2, 4))
    score(stream, t3=[5, 5], t4=[9, 1])
    places = rank_entrants(stream.state)
    # 1 and 3 have 3/2 each; 1 has met 2 (one point) and 3, and 3 has met 4 (none) and 1.
    assert [(place.rank, place.entrant) for place in places] == [(1, 1), (2, 3), (3, 2), (4, 4)]
    assert places[0].tiebreaks["opponents"] == Fraction(5, 4)
    assert places[1].tiebreaks["opponents"] == Fraction(3, 4)


def test_the_margin_breaks_a_tie_and_leaves_tables_out_that_a_seat_has_left() -> None:
    stream = begin(4, rounds=1, tiebreaks=["margin"])
    seat_like(stream, (1, 2), (3, 4))
    stream.settle(stream.state.tables[1], [60, 40])
    stream.settle(stream.state.tables[2], [61, 40])
    stream.close()
    places = rank_entrants(stream.state)
    assert [place.entrant for place in places] == [3, 1, 2, 4]
    assert places[0].tiebreaks["margin"] == -places[3].tiebreaks["margin"]
    left = begin(4, rounds=1, tiebreaks=["margin"])
    seat_like(left, (1, 2), (3, 4))
    left.settle(left.state.tables[1], [60, 40])
    left.settle(left.state.tables[2], [61, 4], outcomes=["finished", "left"])
    left.close()
    assert [place.entrant for place in rank_entrants(left.state)] == [1, 3, 4, 2]


def test_who_beat_the_other_comes_first_among_equals() -> None:
    stream = begin(4, rounds=3, tiebreaks=["head_to_head"])
    seat_like(stream, (4, 1), (2, 3))
    score(stream, t1=[9, 1], t2=[9, 1])
    seat_like(stream, (4, 2), (1, 3))
    score(stream, t3=[1, 9], t4=[9, 1])
    seat_like(stream, (4, 3), (1, 2))
    score(stream, t5=[9, 1], t6=[9, 1])
    # 4, 1 and 2 have two points each and one win over each other; 3 has none.
    places = rank_entrants(stream.state)
    assert [place.rank for place in places] == [1, 1, 1, 4]
    again = begin(3, table=[3], rounds=2, tiebreaks=["head_to_head"])
    seat_like(again, (1, 2, 3))
    score(again, t1=[9, 5, 1])
    seat_like(again, (1, 2, 3))
    score(again, t2=[5, 9, 1])
    assert [place.rank for place in rank_entrants(again.state)] == [1, 1, 3]
    two = begin(4, rounds=2, tiebreaks=["head_to_head"])
    seat_like(two, (1, 2), (3, 4))
    score(two, t1=[1, 9], t2=[9, 1])
    seat_like(two, (1, 4), (2, 3))
    score(two, t3=[9, 1], t4=[1, 9])
    # 3 has two points; 2 beat 1, and both have one.
    places = rank_entrants(two.state)
    assert [place.entrant for place in places] == [3, 2, 1, 4]
    assert places[1].tiebreaks == {"head_to_head": 1}


def test_the_draw_decides_last_and_is_known_with_the_pairing_secret_only() -> None:
    stream = begin(4, rounds=1, tiebreaks=[])
    stream.play_round(by_strength)
    assert [place.rank for place in rank_entrants(stream.state)] == [1, 1, 3, 3]
    drawn = rank_entrants(stream.state, SECRET)
    assert [place.rank for place in drawn] == [1, 2, 3, 4]
    lots = [draw_lot(SECRET, "draw", place.entrant) for place in drawn]
    assert lots[0] > lots[1]
    assert lots[2] > lots[3]
    stream.finish()
    assert rank_entrants(stream.state) == drawn


def test_from_the_third_first_rank_in_a_row_on_a_table_of_an_arena_counts_double() -> None:
    stream = begin(2, format="arena", minutes=30)
    for scores in ([1, 0], [1, 0], [1, 0], [1, 0], [0, 1], [1, 0]):
        stream.pair()
        table = next(stream.state.playing_tables())
        first = table.seats.index(1)
        stream.settle(table, scores if first == 0 else scores[::-1])
    assert find_places(stream)[1].points == 1 + 1 + 2 + 2 + 0 + 1
    assert find_places(stream)[2].points == 1


def test_a_game_of_an_arena_that_ran_when_the_time_was_over_does_not_count() -> None:
    stream = begin(2, format="arena", minutes=30)
    stream.pair()
    stream.settle(next(stream.state.playing_tables()), None, reason="time_over")
    assert all(place.points == 0 and not place.rounds for place in rank_entrants(stream.state))


def test_a_pending_table_gives_no_points_yet() -> None:
    stream = begin(2, rounds=1)
    stream.pair()
    scores = list_scores(stream.state)[1]
    assert [one.kind for one in scores] == [PENDING]
    assert add_up(scores) == 0


def test_an_operator_replaces_a_result_and_the_standings_follow() -> None:
    stream = begin(2, rounds=1)
    stream.play_round(by_strength)
    table = stream.state.tables[1]
    stream.settle(table, [100 * (one == 2) for one in table.seats], reason="mistaken", by="op")
    assert [place.entrant for place in rank_entrants(stream.state)] == [2, 1]


def test_standings_are_whole_numbers_and_fractions_as_text() -> None:
    stream = begin(4, table=[4], rounds=1)
    stream.play_round(by_strength)
    assert write_standings(rank_entrants(stream.state))[1] == {
        "rank": 2,
        "entrant": 2,
        "points": 667,
        "exact": "2/3",
    }
    shown = describe_standings(stream.state, rank_entrants(stream.state))[1]
    assert shown["player"]["name"] == "Player 2"
    assert shown["rounds"] == [{"round": 1, "kind": "table", "table": 1, "points": 667}]
    assert shown["tiebreaks"].keys() == {"opponents", "margin"}


@pytest.mark.parametrize(
    ("figure", "shown"),
    [("1/2", 500), ("2/3", 667), ("-2/3", -667), ("1/2000", 1), ("-1/2000", 0), ("7", 7000)],
)
def test_figures_are_shown_in_thousandths_rounded(figure: str, shown: int) -> None:
    assert count_thousandths(Fraction(figure)) == shown


def test_all_points_of_a_round_add_up_to_half_of_the_seats() -> None:
    stream = begin(17, table=[3, 4], rounds=4)
    random = Random(1)
    play_all(stream, lambda table: [random.randrange(5) for _ in table.seats])
    total = sum(
        score.points or 0 for rounds in list_scores(stream.state).values() for score in rounds
    )
    seats = sum(len(table.seats) for table in stream.state.tables.values())
    assert total == Fraction(seats, 2)
