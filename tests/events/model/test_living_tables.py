"""What the events of people who come, go, agree and take back do to a table."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.ledger.snapshots import freeze, thaw
from cartulary.events.ledger.writer import is_worth_saving
from cartulary.events.model.effects.fold import evolve, fold
from cartulary.events.model.effects.folding import NothingEarlier
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import FreeTakeback
from tests.events.support.bean_games import shown
from tests.events.support.told_streams import ADA, BOB, CID, DAN, Told
from tests.support.fake_clock import DAY, FakeClock
from tests.support.games import ALL_GAMES

SOON, LATE = "2999-01-01T00:00:00.000Z", "2000-01-01T00:00:00.000Z"
KEEP = {"type": "keep"}


def told(*seats: Any, **terms: Any) -> Told:
    return Told(ALL_GAMES, seats, **terms)


def states(table: Table) -> list[str]:
    return [seat["state"] for seat in table.seats_json()]


def refused(story: Told, type_: str, **fields: Any) -> str:
    """The word for an event that cannot come here."""
    with pytest.raises(BrokenHistory) as broken:
        story.add(type_, **fields)
    return broken.value.problem


# -- before the start -----------------------------------------------------------------------------


def offered() -> Told:
    story = told(ADA, None, None)
    return story.add("seat_offered", seat=1, player=BOB, by=ADA["id"], expires_at=SOON)


def test_an_offered_seat_is_taken_by_the_player_who_has_the_offer_only() -> None:
    story = offered()
    assert states(story.table) == ["seated", "offered", "open"]
    assert refused(story, "seat_taken", seat=1, player=CID) == "seat"
    assert states(offered().add("seat_taken", seat=1, player=BOB).table)[1] == "seated"


def test_a_declined_offer_opens_the_seat() -> None:
    story = offered()
    assert story.table.seats_json()[1]["offer"] == {
        "player": BOB,
        "by": ADA["id"],
        "expires_at": SOON,
    }
    assert refused(offered(), "seat_declined", seat=1, player=CID) == "seat"
    story.add("seat_declined", seat=1, player=BOB)
    assert states(story.table)[1] == "open"
    assert "offer" not in story.table.seats_json()[1]


def test_a_bot_takes_an_offered_seat_and_leaves_it_when_the_host_says_so() -> None:
    story = offered().add("seat_assigned", seat=1, bot="random", by=ADA["id"])
    assert states(story.table)[1] == "bot"
    who = {"by": ADA["id"], "reason": "changed"}
    assert refused(story, "seat_opened", seat=1, was={"bot": "other"}, **who) == "seat"
    story = offered().add("seat_assigned", seat=1, bot="random", by=ADA["id"])
    story.add("seat_opened", seat=1, was={"bot": "random"}, **who)
    assert states(story.table)[1] == "open"


def test_a_removed_player_is_noted() -> None:
    story = told(ADA, BOB, None)
    story.add("seat_opened", seat=1, was={"player": BOB}, by=ADA["id"], reason="removed")
    assert story.table.course.removed == (BOB["id"],)
    assert states(story.table)[1] == "open"


def test_open_seats_are_dropped_and_the_others_close_up() -> None:
    story = told(None, ADA, None, BOB).add("seats_dropped", seats=[0, 2], by=ADA["id"])
    assert [seat.player for seat in story.table.seats] == [ADA, BOB]
    assert story.start().table.status is Status.RUNNING


@pytest.mark.parametrize(
    ("seats", "word"), [([0], "seat"), ([1, 1], "seat"), ([5], "seat"), ([1, 2], "setup")]
)
def test_seats_that_cannot_be_dropped_stay(seats: list[int], word: str) -> None:
    assert refused(told(ADA, None, None), "seats_dropped", seats=seats, by=ADA["id"]) == word


def test_another_player_becomes_the_host() -> None:
    story = told(ADA, BOB)
    assert story.table.summary()["host"] == ADA["id"]
    story.add("host_changed", player=BOB, by=ADA["id"])
    assert story.table.summary()["host"] == BOB["id"]


# -- leaving --------------------------------------------------------------------------------------


def away(story: Told, seat: int, reason: str = "requested") -> Told:
    return story.add("stand_in_seated", seat=seat, bot="random", reason=reason, by=None)


def forfeit(story: Told, seat: int, reason: str = "resigned", bot: str | None = "random") -> Told:
    player = story.table.seats[seat].player
    return story.add("seat_forfeited", seat=seat, player=player, reason=reason, stand_in=bot)


def test_a_stand_in_answers_for_an_owner_who_is_away_until_the_owner_returns() -> None:
    story = told(ADA, BOB).start()
    asked = story.table.state.seat  # type: ignore[union-attr]
    away(story, asked)
    assert states(story.table)[asked] == "away"
    assert story.table.bot_to_move == "random"
    assert story.table.course.left == (asked,)
    story.add("seat_returned", seat=asked, player=story.table.seats[asked].player)
    assert story.table.bot_to_move is None
    assert story.table.course.left == ()
    assert story.table.seats[asked].returns == 1


def test_only_an_owner_who_is_away_returns() -> None:
    assert refused(told(ADA, BOB).start(), "seat_returned", seat=1, player=BOB) == "seat"


def test_a_game_that_everybody_has_left_rests() -> None:
    story = told(ADA, BOB, "random").start()
    away(away(story, 0), 1)
    assert story.table.resting
    assert story.table.bot_to_move is None
    story.add("seat_returned", seat=1, player=BOB)
    assert not story.table.resting


def test_a_game_that_began_without_persons_never_rests() -> None:
    story = told("random", "random").start()
    assert not story.table.resting
    assert story.table.bot_to_move == "random"


def test_who_has_forfeited_is_out_for_good() -> None:
    story = forfeit(told(ADA, BOB, CID).start(), 1)
    assert states(story.table) == ["seated", "forfeited", "seated"]
    assert story.table.contending_seats == [0, 2]
    assert refused(story, "seat_returned", seat=1, player=BOB) == "seat"


def test_the_order_of_leaving_is_that_of_the_last_absences() -> None:
    story = told(ADA, BOB, CID, DAN).start()
    forfeit(away(away(story, 0), 1), 0)
    assert story.table.course.left == (1, 0)


@pytest.mark.parametrize(
    ("terms", "reason", "state"),
    [
        ({}, "resigned", "forfeited"),
        ({"substitutes": True}, "resigned", "vacant"),
        ({}, "left", "vacant"),
    ],
)
def test_a_seat_is_vacant_with_substitutes_or_after_an_early_leave(
    terms: dict[str, Any], reason: str, state: str
) -> None:
    assert states(forfeit(told(ADA, BOB, CID, **terms).start(), 1, reason).table)[1] == state


def test_a_late_leave_makes_no_seat_vacant() -> None:
    story = told(ADA, BOB, CID).start()
    while not story.table.everybody_has_answered:
        story.move(KEEP)
    assert states(forfeit(story, 1, "left").table)[1] == "forfeited"


def test_a_substitute_owns_the_seat_and_the_table_keeps_both() -> None:
    story = forfeit(told(ADA, BOB, CID, substitutes=True).start(), 1)
    left = {"player": BOB, "reason": "resigned"}
    assert refused(story, "seat_taken_over", seat=1, player=BOB, **{"from": left}) == "seat"
    story = forfeit(told(ADA, BOB, CID, substitutes=True).start(), 1)
    story.add("seat_taken_over", seat=1, player=DAN, **{"from": left})
    assert states(story.table)[1] == "seated"
    assert [(one.seat, one.player, one.reason) for one in story.table.course.tenures] == [
        (1, BOB, "resigned")
    ]
    assert story.table.course.left == ()


def test_an_account_gets_no_seat_of_a_guest_that_it_has_not_become() -> None:
    story = told(ADA, BOB, CID).start()
    guest = {"player": CID, "reason": "merged"}
    assert refused(story, "seat_taken_over", seat=1, player=DAN, **{"from": guest}) == "seat"


@pytest.mark.parametrize(("expires_at", "refuses"), [(SOON, True), (LATE, False)])
def test_an_offer_of_a_vacant_seat_holds_others_up_until_it_expires(
    expires_at: str, refuses: bool
) -> None:
    story = forfeit(told(ADA, BOB, CID, substitutes=True).start(), 1)
    story.add("seat_offered", seat=1, player=DAN, by=ADA["id"], expires_at=expires_at)
    over = {"seat": 1, "player": {"id": "eve", "name": "Eve"}}
    left = {"from": {"player": BOB, "reason": "resigned"}}
    if refuses:
        assert refused(story, "seat_taken_over", **over, **left) == "seat"
    else:
        story.add("seat_taken_over", **over, **left)


def test_the_moves_of_a_stand_in_are_counted() -> None:
    story = told(ADA, BOB).start()
    first = story.table.state.seat  # type: ignore[union-attr]
    away(story, first).move(KEEP, stand_in=True)
    assert story.events[-1]["by"] == "stand_in"
    assert story.table.course.stand_in_moves[first] == 1


@pytest.mark.parametrize("reason", ["forfeits", "agreement"])
def test_play_that_ends_early_waits_for_its_score(reason: str) -> None:
    story = told(ADA, BOB).start().add("play_ended", reason=reason)
    assert story.table.status is Status.SCORING
    assert story.table.ending is not None
    assert story.table.ending.ended_by == reason


# -- proposals and takebacks --------------------------------------------------------------------


def test_a_proposal_is_answered_and_closed() -> None:
    story = told(ADA, BOB).start()
    story.add("proposal_made", seat=0, kind="end", needs=[1], expires_at=SOON)
    number = story.table.version
    assert story.table.summary()["proposal"]["id"] == number
    word = refused(story, "proposal_answered", proposal=number, seat=0, answer="accept", auto=False)
    assert word == "consent"


def test_declines_are_counted_until_the_seat_moves_again() -> None:
    story = told(ADA, BOB).start()
    mover = story.table.state.seat  # type: ignore[union-attr]
    for times in (1, 2):
        story.add("proposal_made", seat=mover, kind="end", needs=[1 - mover], expires_at=SOON)
        story.add("proposal_closed", proposal=story.table.version, outcome="declined")
        (decline,) = story.table.course.declines
        assert (decline.times, decline.version) == (times, story.table.version)
    story.move(KEEP)
    assert story.table.course.declines[0].version == 0


def test_a_takeback_gives_the_earlier_position_and_keeps_the_chance() -> None:
    story = told(ADA, BOB, takebacks="consent").start()
    start = story.table.version
    view = shown(story.table)["view"]
    story.move(KEEP).move(KEEP)
    drawn = [one for event in story.events[-2:] for one in event["chance"]]
    story.take_back(0, start)
    assert shown(story.table)["view"] == view
    assert story.table.course.remembered == tuple(drawn)
    assert story.table.position == story.table.version
    assert not story.table.has_moves
    assert [story.table.stands(v) for v in (start, start + 1, start + 2, start + 3)] == [
        True,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("to", [0, 1, 4, 99])
def test_a_takeback_to_a_version_that_does_not_stand_is_refused(to: int) -> None:
    story = told(ADA, BOB).start().move(KEEP).move(KEEP).take_back(0, 2).move(KEEP)
    word = refused(
        story, "moves_taken_back", seat=0, to_version=to, moves=[6], proposal=None, state_hash=""
    )
    assert word == "takeback"


def test_takebacks_of_takebacks_keep_what_stands() -> None:
    story = told(ADA, BOB).start().move(KEEP).move(KEEP).move(KEEP)
    story.take_back(0, 4).move(KEEP).take_back(0, 6).move(KEEP).take_back(0, 3)
    assert story.table.course.taken_back == ((3, story.table.version),)
    assert [v for v in range(1, story.table.version + 1) if story.table.stands(v)] == [1, 2, 3, 10]
    assert story.table.course.place(story.table.version) == 3


def test_what_may_be_taken_back_freely_ends_with_chance_and_with_the_move_of_another() -> None:
    story = told(ADA, BOB, takebacks="undo").start()
    mover, other = story.table.state.seat, 1 - story.table.state.seat  # type: ignore[union-attr]
    start = story.table.version
    story.move({"type": "give", "to": other})
    assert story.table.free_takeback == FreeTakeback(mover, start)
    story.move({"type": "decline"})
    assert story.events[-1]["chance"]
    assert story.table.free_takeback is None


def test_who_plays_against_bots_alone_may_always_go_back_to_the_start() -> None:
    story = told(ADA, "random").start()
    start = story.table.version
    assert story.table.free_takeback is None
    story.move(KEEP).move(KEEP)
    assert story.table.free_takeback == FreeTakeback(0, start)


def test_a_fold_without_what_came_before_says_so_at_a_takeback() -> None:
    story = told(ADA, BOB).start().move(KEEP).take_back(0, 2)
    late = fold(ALL_GAMES, "TOLD", None, story.events[:3])
    with pytest.raises(NothingEarlier):
        evolve(ALL_GAMES, "TOLD", late, story.events[3])
    with pytest.raises(NothingEarlier):
        fold(ALL_GAMES, "TOLD", late, story.events[3:])


# -- all of it ------------------------------------------------------------------------------------


def a_long_story() -> Told:
    story = told(ADA, BOB, CID, takebacks="consent", substitutes=True).start()
    for _ in range(3):
        story.move(KEEP)
    story.take_back(0, 3)
    away(forfeit(story, 1), 2)
    story.add(
        "seat_taken_over", seat=1, player=DAN, **{"from": {"player": BOB, "reason": "resigned"}}
    )
    story.add("proposal_made", seat=0, kind="end", needs=[1], expires_at=SOON)
    story.add("proposal_closed", proposal=story.table.version, outcome="declined")
    return story.add(
        "proposal_made",
        seat=0,
        kind="takeback",
        needs=[1],
        expires_at=SOON,
        to_version=2,
        moves=[3],
    ).add("proposal_answered", proposal=12, seat=1, answer="accept", auto=True)


def test_folding_at_once_is_folding_one_by_one() -> None:
    story = a_long_story()
    folded = story.folded()
    assert folded._replace(play=None) == story.table._replace(play=None)
    assert shown(folded) == shown(story.table)


def test_a_snapshot_holds_everything() -> None:
    table = a_long_story().table
    thawed = thaw(ALL_GAMES, freeze(table))
    assert thawed is not None
    assert thawed._replace(play=None) == table._replace(play=None)
    assert shown(thawed) == shown(table)


def test_a_snapshot_of_an_early_end_knows_how_it_ended() -> None:
    story = told(ADA, BOB).start().add("play_ended", reason="agreement")
    thawed = thaw(ALL_GAMES, freeze(story.table))
    assert thawed is not None
    assert thawed.ending == story.table.ending


def test_a_table_after_a_takeback_is_worth_a_snapshot() -> None:
    story = told(ADA, BOB).start().move(KEEP)
    before = story.table
    assert not is_worth_saving(story.table, story.move(KEEP).table)
    assert is_worth_saving(before, story.take_back(0, 2).table)


def test_the_time_of_an_event_is_never_before_that_of_the_event_before() -> None:
    clock = FakeClock()
    story = Told(ALL_GAMES, [ADA, BOB], clock=clock)
    created = story.table.updated_at
    clock.advance(-DAY)
    assert story.start().table.updated_at == created
    clock.advance(2 * DAY)
    assert story.move(KEEP).table.updated_at > created
