"""The `ending` of a transcript: games with leavers, and games that ended before the play did."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json
from cartulary.engine.ending import ENDED_BY, Ending, Leaver
from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import RecordedMove, from_json, record, verify, write
from cartulary.games import GAMES
from tests.support.small_transcript import small


def a_game(seats: int, moves: int | None = None, game: str = "carcassonne") -> Json:
    """Return the transcript of a random game, after so many moves or (None) to its end."""
    rng = random.Random(seats)
    rules = GAMES[game]
    options = rules.check(seats, {})
    setup = rules.draw_setup(seats, options, rng)
    state = rules.new(seats, options, setup)
    source = RandomSource(rng)
    draws = state.settle(source)
    played: list[RecordedMove] = []
    while not state.over and (moves is None or len(played) < moves):
        entry = RecordedMove(state.seat, rng.choice(state.legal_moves()))
        draws += state.apply(entry.move, source).chance
        played.append(entry)
    return {
        **record(rules, state, setup, draws, played).to_json(),
        "scores": list(state.scores),
        "counted": state.final().scores,
    }


def ending(by: str, outcomes: str, ranks: list[int], *left: tuple[int, int]) -> Json:
    """Return an ending; the outcomes stand in one string."""
    return {
        "by": by,
        "outcomes": outcomes.split(),
        "ranks": ranks,
        "left": [{"seat": seat, "before": before} for seat, before in left],
    }


def fault(value: Json) -> str | None:
    report = verify(from_json(value, GAMES), GAMES)
    return None if report.error is None else report.error.reason


# -- valid ----------------------------------------------------------------------------------------


def test_a_game_that_ends_by_forfeits_has_the_scores_of_its_position() -> None:
    game = a_game(2, 60)
    assert game["scores"] != game["counted"]
    ended = ending("forfeits", "finished resigned", [1, 2], (1, 60))
    game |= {"result": {"scores": game["scores"], "winners": [0]}, "ending": ended}
    report = verify(from_json(game, GAMES), GAMES)
    assert (report.valid, report.winners, report.breakdown) == (True, [0], [])
    game["result"]["scores"] = game["counted"]
    assert "the result is" in (fault(game) or "")


def test_a_game_that_ends_by_agreement_has_the_scores_that_the_engine_counts() -> None:
    game = a_game(3, 60)
    scores = game["counted"]
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    ended = ending("agreement", "finished bot finished", ranks)
    won = [seat for seat, rank in enumerate(ranks) if rank == 1]
    game |= {"result": {"scores": scores, "winners": won}, "ending": ended}
    assert fault(game) is None
    game["result"]["scores"] = game["scores"]
    assert "the result is" in (fault(game) or "")


def test_a_seat_that_left_does_not_win_a_game_that_was_played_to_its_end() -> None:
    game = a_game(3)
    scores = game["result"]["scores"]
    best = scores.index(max(scores))
    others = [seat for seat in range(3) if seat != best]
    second = max(others, key=lambda seat: scores[seat])
    ranks = [3 if seat == best else 1 if seat == second else 2 for seat in range(3)]
    outcomes = " ".join("left" if seat == best else "finished" for seat in range(3))
    game["ending"] = ending("play", outcomes, ranks, (best, 40))
    assert "the result is" in (fault(game) or "")
    game["result"]["winners"] = [second]
    assert fault(game) is None


def test_a_seat_that_is_away_to_the_end_is_ranked_like_a_seat_that_left() -> None:
    game = a_game(3)
    scores = game["result"]["scores"]
    ranks = [3, 1 + (scores[1] < scores[2]), 1 + (scores[2] < scores[1])]
    game["ending"] = ending("play", "stand_in finished finished", ranks, (0, 0))
    game["result"]["winners"] = [seat for seat, rank in enumerate(ranks) if rank == 1]
    assert fault(game) is None


def test_caylus_may_end_by_forfeits_as_well() -> None:
    game = a_game(3, 200, "caylus")
    ended = ending("forfeits", "left finished resigned", [3, 1, 2], (0, 20), (2, 200))
    game |= {"result": {"scores": game["scores"], "winners": [1]}, "ending": ended}
    assert fault(game) is None


def test_an_ending_is_written_and_read_again() -> None:
    game = a_game(2, 60)
    ended = ending("forfeits", "finished resigned", [1, 2], (1, 60))
    game |= {"result": {"scores": game["scores"], "winners": [0]}, "ending": ended}
    transcript = from_json(game, GAMES)
    assert transcript.to_json() == game
    assert from_json(transcript.to_json(), GAMES) == transcript
    assert '"ending"' in write(transcript)


@pytest.mark.parametrize("page", ["transcript", "living"])
def test_the_page_names_every_way_in_which_a_game_ends(page: str) -> None:
    """The pages left `window` out, so a reader of transcripts took such a file for a wrong one."""
    text = (Path(__file__).parents[2] / "docs" / f"{page}.md").read_text(encoding="utf-8")
    said = re.search(r"\* `(?:by|ended_by)`:?((?:.|\n(?!\*))+)", text)
    assert said is not None
    assert [word for word in ENDED_BY if f"`{word}`" not in said[1]] == []


def test_a_game_that_ends_with_a_window_is_counted_with_the_slowest_last_of_those_who_stay() -> (
    None
):
    game = a_game(3, 60)
    scores = game["counted"]
    best = scores.index(max(scores))
    others = [seat for seat in range(3) if seat != best]
    ranks = [
        3 if seat == best else 1 + (scores[seat] < max(scores[n] for n in others))
        for seat in range(3)
    ]
    won = [seat for seat, rank in enumerate(ranks) if rank == 1]
    ended = ending("window", "finished finished finished", ranks)
    game |= {"result": {"scores": scores, "winners": won}, "ending": ended}
    assert fault(game) is None


def test_a_transcript_without_an_ending_stays_as_it_is() -> None:
    assert "ending" not in from_json(small(), GAMES).to_json()


# -- invalid --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (ending("forfeits", "finished resigned", [2, 1], (1, 0)), "the ranks are [1, 2]"),
        (ending("forfeits", "finished finished", [1, 1]), "enough seats are left"),
        (ending("agreement", "finished resigned", [1, 2], (1, 0)), "all seats but one"),
        (ending("play", "finished finished", [1, 1]), "there is a result, but the game is not"),
    ],
)
def test_an_ending_that_does_not_follow_from_the_game_is_invalid(ended: Json, reason: str) -> None:
    game = {**a_game(2, 0), "result": {"scores": [0, 0], "winners": [0]}, "ending": ended}
    assert reason in (fault(game) or "")


def test_a_game_whose_play_is_over_has_ended_by_play() -> None:
    game = {**small(), "ending": ending("forfeits", "finished left", [1, 2], (1, 2))}
    assert fault(game) == "the play is over, so the game ended by play, not by forfeits"


def test_a_game_with_a_pending_draw_has_not_ended() -> None:
    game = a_game(2, 60)
    del game["draws"][-1]
    ended = ending("forfeits", "finished resigned", [1, 2], (1, 60))
    game |= {"result": {"scores": game["scores"], "winners": [0]}, "ending": ended}
    assert fault(game) == "the record of draws ends before the last move is complete"


# -- unreadable -----------------------------------------------------------------------------------

GOOD = ending("forfeits", "finished resigned", [1, 2], (1, 2))


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"by": "boredom"}, "/ending/by"),
        ({"by": 1}, "/ending/by"),
        ({"outcomes": ["finished"]}, "/ending/outcomes"),
        ({"outcomes": ["finished", "won"]}, "/ending/outcomes/1"),
        ({"outcomes": ["finished", ["left"]]}, "/ending/outcomes/1"),
        ({"by": "agreement", "outcomes": ["left", "left"]}, "/ending/outcomes"),
        ({"ranks": [1]}, "/ending/ranks"),
        ({"ranks": [1, True]}, "/ending/ranks/1"),
        ({"left": {}}, "/ending/left"),
        ({"left": []}, "/ending/left"),
        ({"left": [{"seat": 0, "before": 2}]}, "/ending/left"),
        ({"left": [{"seat": 1, "before": 2}] * 2}, "/ending/left"),
        ({"left": [{"seat": 1}]}, "/ending/left/0"),
        ({"left": [{"seat": 1, "before": 3}]}, "/ending/left/0/before"),
        ({"left": [{"seat": 1, "before": -1}]}, "/ending/left/0/before"),
        ({"left": [{"seat": "1", "before": 2}]}, "/ending/left/0/seat"),
    ],
)
def test_an_ending_that_contradicts_itself_is_unreadable(
    changes: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(TranscriptError) as refused:
        from_json({**small(), "ending": {**GOOD, **changes}}, GAMES)
    assert refused.value.pointer == pointer


@pytest.mark.parametrize("key", ["by", "outcomes", "ranks", "left"])
def test_an_ending_needs_all_its_parts(key: str) -> None:
    lacking = {name: value for name, value in GOOD.items() if name != key}
    with pytest.raises(TranscriptError, match="lacks") as refused:
        from_json({**small(), "ending": lacking}, GAMES)
    assert refused.value.pointer == f"/ending/{key}"


def test_an_ending_stands_beside_a_result() -> None:
    game = {**small(), "ending": GOOD}
    del game["result"]
    with pytest.raises(TranscriptError, match="beside 'result'"):
        from_json(game, GAMES)


# -- the order of leaving -------------------------------------------------------------------------


LEFT = [Leaver(2, 30), Leaver(0, 12), Leaver(1, 40)]
FIVE = ["left", "left", "left", "finished", "finished"]


def test_a_seat_that_left_first_but_was_asked_last_left_no_later_than_the_next() -> None:
    found = Ending("agreement", FIVE, [], LEFT).find_leaving(40)
    assert list(found) == [Leaver(2, 12), Leaver(0, 12), Leaver(1, 40)]


def test_a_seat_that_is_not_asked_any_more_left_before_the_last_move_of_the_play() -> None:
    found = Ending("play", FIVE, [], LEFT).find_leaving(40)
    assert list(found) == [Leaver(2, 12), Leaver(0, 12), Leaver(1, 39)]
