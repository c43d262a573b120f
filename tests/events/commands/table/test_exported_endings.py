"""Games that a player left, as transcripts out of streams."""

from __future__ import annotations

import random
from typing import Any

import pytest

from cartulary.engine.chance import RandomSource
from cartulary.engine.transcript import from_json, verify
from cartulary.events.commands.table.transcripts import transcript_of
from cartulary.events.ledger.drafts import Draft
from cartulary.events.model.effects.fold import History
from cartulary.events.model.results import make_result
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    GAME_CREATED,
    GAME_SCORED,
    MOVES_TAKEN_BACK,
    PLAY_ENDED,
    SEAT_FORFEITED,
    SEAT_RETURNED,
    SEAT_TAKEN_OVER,
    STAND_IN_SEATED,
)
from cartulary.games import GAMES, OFFERS

Json = dict[str, Any]
PEOPLE = [{"id": name.lower(), "name": name} for name in ("Ada", "Bo", "Cy")]


class Course:
    """A game of Carcassonne of three people; the test makes its events."""

    def __init__(self) -> None:
        self.rules = {name: offer.rules for name, offer in OFFERS.items()}
        self.rng = random.Random(5)
        self.events: list[Json] = []
        self.draft = Draft(self.rules, "01GAME")
        self.draft.add(
            GAME_CREATED,
            game="carcassonne",
            options={"tiny_city": 4},
            seats=[{"seat": n, "player": player, "bot": None} for n, player in enumerate(PEOPLE)],
            visibility="public",
            created_by="ada",
        )
        self.draft.start(self._deal)
        self._note()

    def _deal(self, _table: Table) -> RandomSource:
        return RandomSource(self.rng)

    def _note(self) -> None:
        self.events += self.draft.events
        history = History(self.rules, "01GAME", None, self.events)
        self.draft = Draft(self.rules, "01GAME", self.draft.table, history)

    @property
    def table(self) -> Table:
        return self.draft.table

    def add(self, type_: str, **fields: Any) -> None:
        self.draft.add(type_, **fields)
        self._note()

    def play(self, moves: int | None = None) -> None:
        """Make so many moves, or (None) all moves to the end of the play."""
        while moves != 0 and self.table.status == "running":
            assert self.table.state is not None
            self.draft.play(self.rng.choice(self.table.state.moves()), self._deal)
            self._note()
            moves = None if moves is None else moves - 1

    def take_back(self, count: int) -> None:
        """Take the last moves back that stand; they are the last events."""
        moves = [event["version"] for event in self.events[-count:]]
        before = History(self.rules, "01GAME", None, self.events).table(moves[0] - 1)
        self.add(
            MOVES_TAKEN_BACK,
            seat=0,
            to_version=moves[0] - 1,
            moves=moves,
            proposal=None,
            state_hash=before.state_hash,
        )

    def leave(self, seat: int, reason: str, stand_in: str | None = "random") -> None:
        player = PEOPLE[seat]
        self.add(SEAT_FORFEITED, seat=seat, player=player, reason=reason, stand_in=stand_in)

    def export(self) -> Json:
        """Return the transcript, which must be valid."""
        made = transcript_of(self.table, self.events, {})
        report = verify(from_json(made.to_json(), GAMES), GAMES)
        assert report.error is None, report.error
        return made.to_json()


@pytest.fixture
def course() -> Course:
    return Course()


def test_moves_that_were_taken_back_are_left_out_with_their_draws(course: Course) -> None:
    course.play(20)
    standing = course.export()
    course.play(6)
    course.take_back(6)
    taken_back = course.export()
    assert taken_back["moves"] == standing["moves"]
    assert taken_back["draws"] == standing["draws"]
    course.play(3)
    course.take_back(3)
    course.play()
    whole = course.export()
    assert whole["moves"][:20] == standing["moves"]
    assert len(whole["moves"]) < sum(event["type"] == "move_made" for event in course.events)
    assert "ending" not in whole


def test_an_export_says_who_left_before_which_move(course: Course) -> None:
    course.play(21)
    asked = course.table.state.seat if course.table.state else -1
    course.leave(asked, "resigned")
    course.play(10)
    course.take_back(4)
    course.play()
    ending = course.export()["ending"]
    assert ending["by"] == "play"
    assert ending["outcomes"][asked] == "resigned"
    assert ending["ranks"][asked] == 3
    assert ending["left"] == [{"seat": asked, "before": 21}]


def test_an_export_says_who_was_away_at_the_end_but_not_who_came_back(course: Course) -> None:
    course.play(9)
    for seat in (0, 1):
        bot: Json = {"bot": "random", "reason": "requested", "by": PEOPLE[seat]["id"]}
        course.add(STAND_IN_SEATED, seat=seat, **bot)
    course.play(12)
    course.add(SEAT_RETURNED, seat=0, player=PEOPLE[0])
    course.play()
    transcript = course.export()
    assert transcript["ending"]["outcomes"] == ["finished", "stand_in", "finished"]
    (leaver,) = transcript["ending"]["left"]
    assert leaver["seat"] == transcript["moves"][leaver["before"]]["seat"] == 1
    assert leaver["before"] >= 9
    assert all(move["seat"] != 1 for move in transcript["moves"][9 : leaver["before"]])


def test_the_order_of_leaving_stays_when_the_first_to_leave_is_asked_last(course: Course) -> None:
    course.play(9)
    assert course.table.state is not None
    asked = course.table.state.seat
    first = (asked + 2) % 3
    course.leave(first, "left")
    course.leave(asked, "resigned")
    course.add(PLAY_ENDED, reason="forfeits")
    course.add(GAME_SCORED, result=make_result(course.table), secret=None)
    ending = course.export()["ending"]
    assert [leaver["seat"] for leaver in ending["left"]] == [first, asked]
    assert (ending["ranks"][first], ending["ranks"][asked]) == (3, 2)


def test_a_substitute_is_not_among_those_who_left(course: Course) -> None:
    course.play(1)
    course.leave(2, "left")
    course.play(11)
    di = {"id": "di", "name": "Di"}
    course.add(
        SEAT_TAKEN_OVER, seat=2, player=di, **{"from": {"player": PEOPLE[2], "reason": "left"}}
    )
    course.play()
    transcript = course.export()
    assert "ending" not in transcript
    assert transcript["players"] == ["Ada", "Bo", "Di"]


@pytest.mark.parametrize("scored", [False, True])
def test_a_game_that_ended_by_forfeits_keeps_its_bag(course: Course, scored: bool) -> None:
    course.play(30)
    course.leave(0, "resigned")
    course.leave(1, "timed_out", None)
    course.add(PLAY_ENDED, reason="forfeits")
    if scored:
        course.add(GAME_SCORED, result=make_result(course.table), secret=None)
    transcript = course.export()
    assert transcript["ending"]["by"] == "forfeits"
    assert transcript["result"]["winners"] == [2]
    assert sum(transcript["bag"].values()) > 30


def test_a_game_that_goes_on_has_no_ending_though_somebody_left(course: Course) -> None:
    course.play(30)
    course.leave(0, "resigned")
    transcript = course.export()
    assert not {"ending", "result"} & transcript.keys()
