"""A puzzle follows from its game and its seed, on every machine."""

from __future__ import annotations

import random
from itertools import islice, pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from cartulary.bots.analysis import find_analyst
from cartulary.engine.core import Json
from cartulary.games import OFFERS
from cartulary.puzzles import mining
from cartulary.puzzles.ideas import is_same_idea
from cartulary.puzzles.judging import POINT, WHOLE, JudgedLine, LineGap
from cartulary.puzzles.mining import (
    LOST,
    WON,
    Examined,
    FoundPuzzle,
    Ideas,
    MiningOrigin,
    choose_lines,
    guess_rating,
    mine_game,
    round_gap,
)
from cartulary.puzzles.packs import Pack, load_pack, write_lines
from cartulary.puzzles.retelling import retell
from cartulary.puzzles.tables import play_table
from cartulary.puzzles.telling import FUTURES, ToldLine
from cartulary.puzzles.walking import (
    APART,
    MOST_OF_A_GAME,
    OPENING,
    OpenQuestion,
    WalkStart,
    walk,
)
from tests.support.night import at_night

SHIPPED = MiningOrigin("league", "37")
FIRST = {"carcassonne": 1, "caylus": 0}
"""By game, the first table of the shipped run with a puzzle."""


def find_looked(game: str, table: int, length: int) -> OpenQuestion:
    """Return the question of a table after so many moves."""
    offer = OFFERS[game]
    found = walk(offer, play_table(offer, SHIPPED.seed, table))
    return next(looked for looked in found if looked.index == length)


@pytest.mark.slow
@pytest.mark.parametrize("game", FIRST)
def test_the_seed_of_a_pack_makes_its_first_puzzle_again(game: str) -> None:
    pack, offer, table = load_pack(OFFERS[game]), OFFERS[game], FIRST[game]
    puzzle = pack.read(pack.entries[0].id)
    looked = find_looked(game, table, len(puzzle.transcript["moves"]))
    examined = mining.examine(offer, looked.state, f"{SHIPPED.seed}/{table}/{looked.index}")
    assert examined is not None
    assert mining.make_puzzle(offer, looked, examined, SHIPPED) == puzzle


@at_night("tests/puzzles/test_mining.py::test_the_seed_of_a_pack_makes_its_first_puzzle_again")
@pytest.mark.slow
@pytest.mark.parametrize("game", FIRST)
def test_the_seed_of_a_pack_makes_the_same_bytes(game: str) -> None:
    offer, pack = OFFERS[game], load_pack(OFFERS[game])
    found = list(mine_game(offer, play_table(offer, "37", FIRST[game]), SHIPPED, FIRST[game]))
    shipped = [pack.read(entry.id) for entry in pack.entries[: len(found)]]
    assert write_lines(offer, found) == write_lines(offer, shipped)


def test_questions_come_after_the_opening_and_only_where_there_is_a_choice() -> None:
    offer = OFFERS["carcassonne"]
    looked = list(walk(offer, play_table(offer, "s", 0)))
    assert looked[0].index >= OPENING
    assert all(len(one.state.moves()) > 2 for one in looked)
    assert not any(find_analyst(offer).continues(one.state) for one in looked)


def test_a_game_gives_few_puzzles_and_some_moves_lie_between_them() -> None:
    offer = OFFERS["carcassonne"]
    looked = []
    for one in walk(offer, play_table(offer, "s", 0)):
        one.holds()
        looked.append(one)
    assert len(looked) <= MOST_OF_A_GAME
    places = [one.index for one in looked]
    assert all(later - one >= APART for one, later in pairwise(places))


@pytest.mark.slow
@pytest.mark.parametrize("game", OFFERS)
def test_a_walk_goes_on_where_another_one_has_stopped(game: str) -> None:
    offer = OFFERS[game]
    transcript = play_table(offer, "s", 0)
    whole, start = walk(offer, transcript), WalkStart()
    for number, one in enumerate(islice(whole, 14)):
        if number % 9 == 4:
            one.holds()
        start = start.after(one)
    assert start.held == 2
    rest = [one.transcript for one in walk(offer, transcript, start)]
    assert rest == [one.transcript for one in whole]


@pytest.mark.slow
def test_the_game_before_a_puzzle_names_no_player_and_has_no_result() -> None:
    offer = OFFERS["caylus"]
    for looked in islice(walk(offer, play_table(offer, "s", 0)), 0, None, 50):
        assert not {"players", "result", "ending"} & looked.transcript.keys()
        assert len(looked.transcript["moves"]) == looked.index


def judge_line(plan: Any, margin: float, win: float) -> JudgedLine:
    line = JudgedLine(plan)
    line.margins, line.wins = [round(margin * POINT)] * 4, [round(win * WHOLE)] * 4
    return line


@pytest.fixture(scope="module")
def looked() -> OpenQuestion:
    offer = OFFERS["carcassonne"]
    return next(islice(walk(offer, play_table(offer, "s", 1)), 8, None))


def judge_all(looked: OpenQuestion, *worths: tuple[float, float]) -> list[JudgedLine]:
    """Return lines of a position that do different things, each with a margin and a win."""
    offer = OFFERS["carcassonne"]
    ideas, lines = Ideas(offer, looked.state), list[JudgedLine]()
    plans = find_analyst(offer).list_plans(looked.state, random.Random(1), 99)
    for plan in plans:
        told = [is_same_idea(ideas.tell(plan), ideas.tell(line.plan)) for line in lines]
        if not any(told) and len(lines) < len(worths):
            lines.append(judge_line(plan, *worths[len(lines)]))
    return lines


@pytest.mark.slow
def test_another_idea_that_comes_near_the_best_one_is_no_puzzle(looked: OpenQuestion) -> None:
    ideas = Ideas(OFFERS["carcassonne"], looked.state)
    for near in ((7.0, 0.3), (5.0, 0.52), (9.5, 0.58)):
        assert ideas.find_best(judge_all(looked, (10.0, 0.6), near, (2.0, 0.2))) is None
    found = ideas.find_best(judge_all(looked, (10.0, 0.6), (6.2, 0.45), (2.0, 0.2)))
    assert found is not None
    assert len(found) == 1


@pytest.fixture
def all_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take it that futures show what lines promise: these worths are handmade."""
    monkeypatch.setattr(mining, "shows", lambda *_: True)


@pytest.mark.slow
@pytest.mark.usefixtures("all_shown")
@pytest.mark.parametrize(
    ("wins", "is_puzzle"),
    [
        ((0.6, 0.4), True),
        ((LOST / WHOLE - 0.01, 0.01), False),
        ((0.99, WON / WHOLE + 0.01), False),
    ],
)
def test_a_seat_that_is_lost_or_won_anyway_has_no_puzzle(
    looked: OpenQuestion, wins: tuple[float, float], is_puzzle: bool
) -> None:
    lines = judge_all(looked, (10.0, wins[0]), (5.0, wins[1]))
    examined = Examined(lines, [lines[0].plan], [line.plan for line in lines])
    assert (choose_lines(OFFERS["carcassonne"], looked.state, examined) is not None) is is_puzzle


@pytest.mark.slow
@pytest.mark.usefixtures("all_shown")
@pytest.mark.parametrize(("second", "is_puzzle"), [(3.0, True), (1.9, False)])
def test_what_one_sees_at_once_and_is_far_better_is_no_question(
    looked: OpenQuestion, second: float, is_puzzle: bool
) -> None:
    lines = judge_all(looked, (10.0, 0.6), (second, 0.4))
    seen = Examined(lines, [lines[0].plan], [line.plan for line in lines])
    hidden = seen._replace(plans=[lines[1].plan, lines[0].plan])
    offer = OFFERS["carcassonne"]
    assert (choose_lines(offer, looked.state, seen) is not None) is is_puzzle
    assert choose_lines(offer, looked.state, hidden) is not None


def test_a_puzzle_whose_futures_show_nothing_of_it_is_left_out(
    looked: OpenQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = judge_all(looked, (10.0, 0.6), (5.0, 0.4))
    examined = Examined(lines, [lines[0].plan], [line.plan for line in lines])
    asked = []
    monkeypatch.setattr(mining, "shows", lambda *pair: asked.append(pair))
    assert choose_lines(OFFERS["carcassonne"], looked.state, examined) is None
    assert len(asked) == FUTURES


def tell_shipped(pack: Pack, name: str) -> list[ToldLine]:
    """Return the best and the tempting line of a puzzle with the ends of their stored futures."""
    puzzle, state = pack.read(name), pack.open(name)
    told = []
    for key in ("best", "tempting"):
        end = state.copy()
        for step in puzzle.after[key]:
            end.play(end.find(step["move"]))
            for outcome in step["chance"]:
                end.resolve(outcome)
        told.append(ToldLine((), [], puzzle.facts[key], puzzle.after[key], [], end))
    return told


@pytest.mark.parametrize("game", FIRST)
def test_the_futures_of_shipped_puzzles_end_better_after_the_best_line(game: str) -> None:
    pack = load_pack(OFFERS[game])
    for entry in pack.entries[:5]:
        assert mining.shows(game, pack.open(entry.id), *tell_shipped(pack, entry.id))


@pytest.mark.parametrize(("touches", "is_shown"), [(True, True), (False, False)])
def test_what_rivals_gain_in_a_future_counts_only_where_the_lines_touch_them(
    monkeypatch: pytest.MonkeyPatch, touches: bool, is_shown: bool
) -> None:
    rules = SimpleNamespace(
        rate_end=lambda _, end: [POINT * value for value in end],
        touches_rivals=lambda *_: touches,
    )
    monkeypatch.setattr(mining, "GAMES", {"some": rules})
    state: Any = SimpleNamespace(seat=0)
    ends: tuple[Any, Any] = ([5, 3, 4], [5, 6, 2])
    best, tempting = (ToldLine((), [], [], [], [], end) for end in ends)
    assert mining.shows("some", state, best, tempting) is is_shown


@pytest.mark.parametrize(
    ("promises", "rare", "is_looked_at"),
    [
        ([9, 8, 2, 2, 2], False, True),
        ([9, 8, 8, 8, 7], True, True),
        ([99, 2, 2, 2, 2], True, False),
    ],
)
def test_few_lines_that_promise_more_or_a_rare_decision_are_worth_a_look(
    monkeypatch: pytest.MonkeyPatch, promises: list[int], rare: bool, is_looked_at: bool
) -> None:
    rules = SimpleNamespace(
        list_promises=lambda _: [POINT * one for one in promises],
        RIVALS=2,
        is_rare=lambda _: rare,
    )
    monkeypatch.setattr(mining, "GAMES", {"some": rules})
    state: Any = None
    assert mining.is_worth_a_look("some", state, "seed") is is_looked_at


def test_of_the_other_positions_one_in_sixteen_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = SimpleNamespace(list_promises=lambda _: [0, 0, 0], RIVALS=2, is_rare=lambda _: False)
    monkeypatch.setattr(mining, "GAMES", {"some": rules})
    state: Any = None
    chosen = [mining.is_worth_a_look("some", state, str(number)) for number in range(800)]
    assert 25 < sum(chosen) < 80


@pytest.mark.usefixtures("all_shown")
def test_the_tempting_line_is_what_promises_most_at_once_among_the_wrong_ones(
    looked: OpenQuestion,
) -> None:
    lines = judge_all(looked, (10.0, 0.6), (5.0, 0.4), (4.0, 0.4))
    plans = [lines[2].plan, lines[1].plan, lines[0].plan]
    found = choose_lines(
        OFFERS["carcassonne"], looked.state, Examined(lines, [lines[0].plan], plans)
    )
    assert found is not None
    assert found.lines.tempting.plan == lines[2].plan
    assert found.gap == (5 * POINT, round(0.6 * WHOLE) - round(0.4 * WHOLE))
    assert not found.is_greedy


def test_a_gap_is_rounded_down_and_what_one_sees_at_once_is_rated_lower() -> None:
    gap = LineGap(4 * POINT - 1, WHOLE * 13 // 100)
    assert round_gap(gap) == {"points": 3.9, "wins": 0.12}
    found: Json = {"lines": None, "ideas": 5, "gap": gap}
    easy, hard = (FoundPuzzle(**found, is_greedy=greedy) for greedy in (True, False))
    assert guess_rating(easy) < guess_rating(hard)
    wide = found | {"gap": LineGap(9 * POINT, WHOLE // 2)}
    assert guess_rating(FoundPuzzle(**wide, is_greedy=False)) < guess_rating(hard)


@pytest.mark.parametrize("game", FIRST)
def test_a_shipped_puzzle_retold_is_the_same_puzzle(game: str) -> None:
    offer, pack = OFFERS[game], load_pack(OFFERS[game])
    puzzle = pack.read(pack.entries[0].id)
    assert retell(offer, puzzle, pack.open(puzzle.id), puzzle.made) == puzzle


def test_a_puzzle_that_the_rules_of_today_refuse_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offer = OFFERS["carcassonne"]
    pack = load_pack(offer)
    puzzle = pack.read(pack.entries[0].id)
    monkeypatch.setattr(mining, "find_themes", lambda *_: [])
    assert retell(offer, puzzle, pack.open(puzzle.id), puzzle.made) is None
