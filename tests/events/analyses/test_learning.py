"""What players learn from analyses: the games that are looked back at, moments that come back."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from cartulary.events.analyses.learning import (
    AGAIN_MS,
    KEPT,
    OPEN,
    DueMoment,
    LearnedGame,
    Learning,
)
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store

SEATS = [{"luck": 4.5}, {"luck": -2.0}]


class TestClock:
    """A clock that a test turns."""

    __test__ = False
    now = 1_000_000

    def now_ms(self) -> int:
        return self.now


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def learning(store: Store, clock: TestClock) -> Learning:
    return Learning(store.registry, clock)


class FinishedTable:
    """A game that is over, as far as `Learning` reads it."""

    def __init__(self, name: str, player: Player, scores: tuple[int, int] = (40, 30)) -> None:
        best = max(scores)
        self.id, self.game, self.visibility = name, "carcassonne", "public"
        self.result = {
            "scores": list(scores),
            "winners": [seat for seat, points in enumerate(scores) if points == best],
        }
        self.seats = (Sitting(player._asdict()), Sitting(None))


class Sitting:
    """A seat with a player, or with a bot of the house."""

    def __init__(self, player: dict[str, Any] | None) -> None:
        self.player, self.person = player, player is not None


def note(
    learning: Learning,
    name: str,
    player: Player,
    *versions: int,
    scores: tuple[int, int] = (40, 30),
) -> None:
    moments = [{"seat": 0, "version": version} for version in versions]
    table: Any = FinishedTable(name, player, scores)
    learning.note(table, SEATS, [*moments, {"seat": 1, "version": 7}])


def test_a_margin_is_divided_into_luck_and_play(learning: Learning, ada: Player) -> None:
    note(learning, "A", ada, 3)
    (game,) = learning.read(ada.id)
    assert (game.won, game.margin, game.luck, game.played) == (True, 10, 6.5, 3.5)
    note(learning, "B", ada, scores=(30, 34))
    lost = next(one for one in learning.read(ada.id) if one.id == "B")
    assert (lost.won, lost.margin, lost.luck, lost.played) == (False, -4, 6.5, -10.5)


@pytest.mark.parametrize(
    ("won", "margin", "luck", "by_play"),
    [
        *((True, 0, 0.0, True), (True, 0, 0.1, False), (True, 3, 3.0, True), (True, 3, 4.0, False)),
        *((False, 0, 0.0, False), (False, -3, -4.0, True), (False, -3, -3.0, False)),
    ],
)
def test_a_win_that_luck_did_not_decide_is_a_win_by_play(
    won: bool, margin: int, luck: float, by_play: bool
) -> None:
    game = LearnedGame("A", "carcassonne", 0, 0, won, margin, luck, {})
    assert game.by_play is by_play


def test_own_moments_come_back_after_three_days(
    learning: Learning, clock: TestClock, ada: Player
) -> None:
    note(learning, "A", ada, 3, 9)
    games = learning.read(ada.id)
    assert learning.list_due(games) == []
    clock.now += AGAIN_MS - 1
    assert learning.list_due(games) == []
    clock.now += 1
    both = [DueMoment("A", "carcassonne", 0, version) for version in (3, 9)]
    assert learning.list_due(games) == both


def test_a_right_answer_puts_a_moment_away_and_a_wrong_one_for_three_days(
    learning: Learning, clock: TestClock, ada: Player
) -> None:
    note(learning, "A", ada, 3, 9)
    clock.now += AGAIN_MS
    learning.answer(ada.id, "A", 3, right=True)
    learning.answer(ada.id, "A", 9, right=False)
    assert learning.list_due(learning.read(ada.id)) == []
    clock.now += AGAIN_MS
    assert [one.version for one in learning.list_due(learning.read(ada.id))] == [9]
    note(learning, "A", ada, 3, 9)  # the analysis was made again
    assert [one.version for one in learning.list_due(learning.read(ada.id))] == [9]


def test_a_right_answer_right_after_a_wrong_one_puts_no_moment_away(
    learning: Learning, clock: TestClock, ada: Player
) -> None:
    note(learning, "A", ada, 3, 9)
    clock.now += 10_000
    assert learning.answer(ada.id, "A", 3, right=False)
    assert not learning.answer(ada.id, "A", 3, right=True), "the wrong answer has shown it"
    assert learning.answer(ada.id, "A", 9, right=True), "this one was found at once"
    clock.now += AGAIN_MS
    assert [one.version for one in learning.list_due(learning.read(ada.id))] == [3]
    assert learning.answer(ada.id, "A", 3, right=True)
    assert learning.read(ada.id)[0].due == {}


@pytest.mark.parametrize(
    ("outcomes", "scores", "ended_by", "margin", "is_played"),
    [
        (("finished", "finished", "finished"), (20, 50, 10), "play", -30, True),
        (("finished", "resigned", "bot"), (20, 50, 10), "play", 10, True),
        (("finished", "resigned", "timed_out"), (20, 50, 10), "forfeits", -30, False),
    ],
)
def test_a_seat_that_was_left_is_no_rival(
    learning: Learning,
    ada: Player,
    outcomes: tuple[str, ...],
    scores: tuple[int, ...],
    ended_by: str,
    margin: int,
    is_played: bool,
) -> None:
    table: Any = FinishedTable("A", ada, (40, 30))
    table.seats = (*table.seats, Sitting(None))
    table.result |= {"scores": [*scores], "outcomes": [*outcomes], "ended_by": ended_by}
    learning.note(table, [*SEATS, {"luck": 0.0}], [{"seat": 0, "version": 3}])
    (game,) = learning.read(ada.id)
    assert (game.margin, game.is_played) == (margin, is_played)
    assert game.due, "the mistakes of such a game come back as well"


def test_what_a_later_release_has_added_to_an_entry_is_left_out(
    learning: Learning, store: Store, ada: Player
) -> None:
    note(learning, "A", ada, 3)
    before, key = learning.read(ada.id), keys.learned_games(ada.id)
    stored: Any = store.registry.hget(key, "A")
    store.registry.hset(key, "A", orjson.dumps({**orjson.loads(stored), "mood": "good"}))
    assert learning.read(ada.id) == before


def test_an_answer_to_what_nobody_asked_changes_nothing(
    learning: Learning, ada: Player, bob: Player
) -> None:
    note(learning, "A", ada, 3)
    before = learning.read(ada.id)
    for player, game, version in ((ada, "A", 4), (ada, "B", 3), (bob, "A", 3)):
        learning.answer(player.id, game, version, right=True)
    assert learning.read(ada.id) == before
    assert learning.read(bob.id) == []


def test_the_games_that_were_analysed_last_are_kept(
    learning: Learning, clock: TestClock, ada: Player
) -> None:
    for number in range(KEPT + 3):
        clock.now += 1
        note(learning, f"G{number}", ada, 3)
    kept = [game.id for game in learning.read(ada.id)]
    assert kept == [f"G{number}" for number in range(KEPT + 2, 2, -1)]
    clock.now += AGAIN_MS
    due = learning.list_due(learning.read(ada.id))
    assert [one.id for one in due] == [f"G{number}" for number in range(3, 3 + OPEN)]


def test_a_player_who_has_left_learns_nothing_more(
    store: Store, ada: Player, learning: Learning
) -> None:
    note(learning, "A", ada, 3)
    store.accounts.deletion.delete(ada, "Ada")
    assert learning.read(ada.id) == []
    note(learning, "B", ada, 3)
    assert learning.read(ada.id) == []


def test_what_a_guest_has_learned_follows_a_merge(
    learning: Learning, ada: Player, bob: Player
) -> None:
    note(learning, "A", bob, 3)
    note(learning, "B", bob, 3)
    note(learning, "B", ada, 5)
    learning.move(bob.id, ada.id)
    assert learning.read(bob.id) == []
    assert {one.id: set(one.due) for one in learning.read(ada.id)} == {"A": {3}, "B": {5}}


def test_an_account_is_not_asked_about_the_private_games_of_its_guest(
    store: Store, learning: Learning, ada: Player
) -> None:
    guest, token = store.players.create("Phone")
    for game in "AB":
        table: Any = FinishedTable(game, guest)
        table.visibility = "private"
        if game == "B":
            store.accounts.merging.merge(ada, token)
        learning.note(table, SEATS, [{"seat": 0, "version": 3}])
    found = {game.id: (game.due, game.margin) for game in learning.read(ada.id)}
    assert found == {"A": ({}, 10), "B": ({}, 10)}


def test_what_is_analysed_after_a_merge_is_noted_for_the_account(
    store: Store, learning: Learning, ada: Player
) -> None:
    guest, token = store.players.create("Phone")
    store.accounts.merging.merge(ada, token)
    note(learning, "A", guest, 3)
    assert (learning.read(guest.id), [one.id for one in learning.read(ada.id)]) == ([], ["A"])
    learning.answer(ada.id, "A", 3, right=True)
    assert learning.read(ada.id)[0].due == {}
    store.accounts.deletion.delete(ada, "Ada")
    note(learning, "B", guest, 3)
    assert learning.read(guest.id) == learning.read(ada.id) == []


def test_an_account_that_is_deleted_during_a_merge_gets_nothing(
    store: Store, learning: Learning, ada: Player, bob: Player
) -> None:
    note(learning, "A", bob, 3)
    store.accounts.deletion.delete(ada, "Ada")
    learning.move(bob.id, ada.id)
    assert learning.read(bob.id) == learning.read(ada.id) == []
