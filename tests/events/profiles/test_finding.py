"""What a finished game says of its players."""

from __future__ import annotations

import pytest

from cartulary.engine.carcassonne.game import Carcassonne
from cartulary.events.model.types import Json
from cartulary.events.profiles.finding import CountedGame, GameShare, Pairing, find_shares
from tests.events.support.finished_games import (
    MINUTE,
    FinishedGame,
    at,
    follower,
    move,
    name,
    points,
)

FIGURES = Carcassonne.figures


def leave(version: int, seat: int, player: str) -> Json:
    gone = {"player": name(player), "reason": "left", "at": at(MINUTE)}
    return {"version": version, "type": "seat_forfeited", "seat": seat, **gone}


def take_over(version: int, seat: int, player: str, gone: Json) -> Json:
    taken = {"player": name(player), "from": gone, "at": at(MINUTE)}
    return {"version": version, "type": "seat_taken_over", "seat": seat, **taken}


def find(game: FinishedGame) -> CountedGame:
    found = find_shares(game.summary(), game.events, FIGURES)
    assert found is not None
    return found


def share_of(game: FinishedGame, player: str) -> GameShare:
    (found,) = (share for share in find(game).shares if share.player == player)
    return found


def test_points_and_habits_of_a_seat_are_counted_by_source() -> None:
    game = FinishedGame("a", ["ada", "bob"], [19, 4])
    game.add(
        move(2, 0, MINUTE, follower(0, "city"), points(0, 8, "city")),
        move(3, 1, 2 * MINUTE, points(1, 4, "road"), points(0, 2, "road")),
        move(4, 0, 3 * MINUTE, follower(0, "field")),
    )
    game.result["breakdown"] = [{"seat": 0, "reason": "farm", "points": 9, "detail": {}}]
    play = share_of(game, "ada").play
    assert play is not None
    assert (play.score, play.points) == (19, {"city": 8, "road": 2, "field": 9})
    assert play.habits == {("followers", "city"): 1, ("followers", "field"): 1}


def test_points_that_no_event_tells_of_are_other_points() -> None:
    play = share_of(FinishedGame("a", ["ada", "bob"], [3, 0]), "ada").play
    assert play is not None
    assert play.points == {"other": 3}


def test_moves_that_were_taken_back_say_nothing() -> None:
    game = FinishedGame("a", ["ada", "bob"], [0, 0])
    game.add(
        move(2, 0, MINUTE, points(0, 8, "city")),
        {"version": 3, "type": "moves_taken_back", "at": at(2 * MINUTE), "moves": [2]},
        move(4, 0, 3 * MINUTE),
    )
    share = share_of(game, "ada")
    assert share.play is not None
    assert share.play.points == {}
    assert sum(share.spans.values()) == 1


def test_each_player_has_a_result_against_each_other() -> None:
    game = FinishedGame("a", ["ada", "bob", "bot:medium"], [5, 5, 1])
    share = share_of(game, "ada")
    assert share.rank == 1
    assert share.pairings == (Pairing("bob", None, "tied"), Pairing(None, "medium", "won"))


def test_who_left_is_behind_the_others_and_has_no_score() -> None:
    game = FinishedGame("a", ["ada", "bob"], [50, 3])
    game.end(0, "timed_out")
    share = share_of(game, "ada")
    assert (share.rank, share.outcome, share.play) == (2, "timed_out", None)
    assert share.pairings == (Pairing("bob", None, "lost"),)


def test_a_substitute_counts_for_reliability_alone_and_whom_it_replaced_is_last() -> None:
    game = FinishedGame("a", ["eve", "bob", "cid"], [50, 3, 2])
    gone = {"player": name("ada"), "reason": "resigned"}
    game.add(take_over(5, 0, "eve", gone))
    ada, eve = share_of(game, "ada"), share_of(game, "eve")
    assert (ada.rank, ada.outcome, ada.play) == (3, "resigned", None)
    assert (eve.rank, eve.outcome, eve.pairings) == (None, "finished", ())
    assert share_of(game, "bob").pairings[0] == Pairing("ada", None, "won")


def test_who_left_before_all_had_answered_stands_in_no_record() -> None:
    game = FinishedGame("a", ["ada", "bob", "cid"], [50, 3, 2])
    game.add(move(2, 0, MINUTE), move(3, 1, MINUTE), leave(4, 0, "ada"), move(5, 2, MINUTE))
    game.end(0, "left")
    assert [share.player for share in find(game).shares] == ["bob", "cid"]
    assert share_of(game, "bob").pairings == (Pairing("cid", None, "won"),)


def test_a_substitute_plays_on_for_who_left_early_and_the_record_has_the_substitute_alone() -> None:
    game = FinishedGame("a", ["eve", "bob", "cid"], [50, 3, 2])
    gone = {"player": name("ada"), "reason": "left"}
    game.add(leave(2, 0, "ada"), take_over(3, 0, "eve", gone))
    assert [share.player for share in find(game).shares] == ["bob", "cid", "eve"]


@pytest.mark.parametrize("more", [{"rated": True}, {"tournament": {"id": "T"}}, {}])
def test_who_leaves_later_or_where_a_game_counts_stands_in_the_record(more: Json) -> None:
    game = FinishedGame("a", ["ada", "bob", "cid"], [50, 3, 2])
    game.more = more
    late = [] if more else [move(2, 0, MINUTE), move(3, 1, MINUTE), move(4, 2, MINUTE)]
    game.add(*late, leave(5, 0, "ada"))
    game.end(0, "left")
    assert share_of(game, "ada").outcome == "left"


def test_a_bot_of_the_service_need_not_have_answered() -> None:
    game = FinishedGame("a", ["ada", "bob", "bot:medium"], [50, 3, 2])
    game.add(move(2, 0, MINUTE), move(3, 1, MINUTE), leave(4, 0, "ada"))
    game.end(0, "left")
    assert share_of(game, "ada").outcome == "left"


def test_a_bot_that_made_room_is_no_opponent() -> None:
    game = FinishedGame("a", ["eve", "bob"], [50, 3])
    gone = {"bot": "medium"}
    game.add(take_over(5, 0, "eve", gone))
    assert share_of(game, "bob").pairings == ()
    assert share_of(game, "eve").rank is None


def test_a_guest_who_has_become_an_account_is_the_same_person() -> None:
    game = FinishedGame("a", ["ada", "bob"], [5, 3])
    gone = {"player": name("guest"), "reason": "merged"}
    game.add(take_over(5, 0, "eve", gone))
    assert [share.player for share in find(game).shares] == ["ada", "bob"]
    assert share_of(game, "ada").play is not None


def test_a_game_that_ended_by_agreement_has_ranks_and_no_scores() -> None:
    game = FinishedGame("a", ["ada", "bob"], [5, 3])
    game.result["ended_by"] = "agreement"
    share = share_of(game, "ada")
    assert (share.rank, share.play) == (1, None)


def test_an_old_result_without_ranks_is_ranked_by_its_scores() -> None:
    game = FinishedGame("a", ["ada", "bob"], [3, 5])
    for word in ("ranks", "outcomes", "ended_by"):
        del game.result[word]
    assert [share.rank for share in find(game).shares] == [2, 1]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_only_public_games_are_for_others(visibility: str) -> None:
    game = FinishedGame("a", ["ada", "bob"], [5, 3])
    assert find(game).public
    game.visibility = visibility
    assert not find(game).public


@pytest.mark.parametrize(
    "more",
    [
        {"result": None},
        {"branched_from": {"game": "b", "version": 3}},
        {"seats": [{"seat": 0, "player": name("ada"), "bot": None, "name": "Karl"}]},
    ],
)
def test_aborted_imported_and_branched_games_do_not_count(more: dict[str, object]) -> None:
    game = FinishedGame("a", ["ada", "bob"], [5, 3])
    game.more = dict(more)
    assert find_shares(game.summary(), game.events, FIGURES) is None


def test_a_game_of_one_player_on_two_seats_does_not_count() -> None:
    game = FinishedGame("a", ["ada", "ada"], [5, 3])
    assert find_shares(game.summary(), game.events, FIGURES) is None
