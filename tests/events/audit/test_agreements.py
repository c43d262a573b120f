"""The audit finds leaving, agreeing and taking back that does not follow from the events before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cartulary.events.store import Store
from tests.events.model.test_living_tables import KEEP, SOON, away, forfeit
from tests.events.support.told_streams import ADA, BOB, CID, Told
from tests.support.games import ALL_GAMES


def told(*seats: Any, **terms: Any) -> Told:
    return Told(ALL_GAMES, seats or (ADA, BOB, CID), **{"takebacks": "consent", **terms}).start()


def propose(story: Told, kind: str, needs: list[int], seat: int = 0, **more: Any) -> int:
    story.add("proposal_made", seat=seat, kind=kind, needs=needs, expires_at=SOON, **more)
    return story.table.version


def accept(story: Told, proposal: int, *seats: int) -> Told:
    for seat in seats:
        story.add("proposal_answered", proposal=proposal, seat=seat, answer="accept", auto=False)
    return story.add("proposal_closed", proposal=proposal, outcome="accepted")


def agreed_takeback() -> Told:
    story = told().move(KEEP).move(KEEP)
    proposal = propose(story, "takeback", [1, 2], to_version=2, moves=[3, 4])
    return accept(story, proposal, 1, 2).take_back(0, 2, proposal).move(KEEP)


def agreed_end() -> Told:
    story = told()
    return accept(story, propose(story, "end", [1, 2]), 1, 2).add("play_ended", reason="agreement")


def agreed_abort() -> Told:
    story = told()
    accept(story, propose(story, "abort", [1, 2]), 1, 2)
    return story.add("game_aborted", reason="", code="agreed", by=ADA["id"])


def claimed_forfeit() -> Told:
    story = told()
    accept(story, propose(story, "forfeit", [2], seat=1, target=0), 2)
    return forfeit(story, 0, "timed_out")


def free_takeback() -> Told:
    story = told(ADA, BOB)
    mover = story.table.state.seat  # type: ignore[union-attr]
    return story.move({"type": "give", "to": 1 - mover}).take_back(mover, 2).move(KEEP)


def takeback_alone() -> Told:
    return told(ADA, "random", takebacks="none").move(KEEP).move(KEEP).take_back(0, 2)


def practice() -> Told:
    story = Told(ALL_GAMES, (ADA, "random"), takebacks="none")
    return story.start(ladder="practice", strengths={"random": 900})


def takeback_that_leaves_the_ladder() -> Told:
    return practice().move(KEEP).move(KEEP).add("ladder_left", reason="takeback").take_back(0, 2)


def left_alone() -> Told:
    return forfeit(told(ADA, BOB), 1, bot=None).add("play_ended", reason="forfeits")


def left_alone_with_a_proposal() -> Told:
    story = told(ADA, BOB)
    number = propose(story, "end", [1])
    forfeit(story, 1, bot=None).add("proposal_closed", proposal=number, outcome="lapsed")
    return story.add("play_ended", reason="forfeits")


def stood_in() -> Told:
    story = told()
    away(story, story.table.state.seat)  # type: ignore[union-attr]
    return story.move(KEEP, stand_in=True)


@pytest.mark.parametrize(
    "tell",
    [
        agreed_takeback,
        agreed_end,
        agreed_abort,
        claimed_forfeit,
        free_takeback,
        takeback_alone,
        takeback_that_leaves_the_ladder,
        left_alone,
        left_alone_with_a_proposal,
        stood_in,
    ],
)
def test_what_follows_holds(fake_store: Store, tell: Callable[[], Told]) -> None:
    assert tell().problems(fake_store) == []


def takeback_of_other_moves() -> Told:
    return told(ADA, "random").move(KEEP).move(KEEP).take_back(0, 2, moves=[4])


def proposal_of_other_moves() -> Told:
    story = told().move(KEEP).move(KEEP)
    propose(story, "takeback", [1, 2], to_version=2, moves=[3])
    return story


def proposal_to_what_does_not_stand() -> Told:
    story = told(ADA, BOB).move(KEEP).move(KEEP)
    accept(story, propose(story, "takeback", [1], to_version=2, moves=[3, 4]), 1)
    story.take_back(0, 2, 5).move(KEEP)
    propose(story, "takeback", [1], to_version=3, moves=[9])
    return story


def takeback_without_asking() -> Told:
    return told(ADA, BOB).move(KEEP).move(KEEP).take_back(0, 2)


def takeback_at_a_table_without_takebacks() -> Told:
    story = told(ADA, BOB, takebacks="none")
    mover = story.table.state.seat  # type: ignore[union-attr]
    return story.move({"type": "give", "to": 1 - mover}).take_back(mover, 2)


def takeback_that_keeps_the_ladder() -> Told:
    return practice().move(KEEP).move(KEEP).take_back(0, 2)


def takeback_by_another_seat() -> Told:
    story = told(ADA, BOB)
    mover = story.table.state.seat  # type: ignore[union-attr]
    return story.move({"type": "give", "to": 1 - mover}).take_back(1 - mover, 2)


def takeback_further_than_agreed() -> Told:
    story = told().move(KEEP).move(KEEP)
    proposal = propose(story, "takeback", [1, 2], to_version=3, moves=[4])
    return accept(story, proposal, 1, 2).take_back(0, 2, proposal)


def takeback_of_an_older_proposal() -> Told:
    story = agreed_takeback()
    return story.take_back(0, 2, 5)


def accepted_without_all() -> Told:
    story = told()
    return accept(story, propose(story, "end", [1, 2]), 1).add("play_ended", reason="agreement")


def asked_too_few() -> Told:
    story = told()
    propose(story, "end", [1])
    return story


def declined_by_nobody() -> Told:
    story = told()
    number = propose(story, "end", [1, 2])
    return story.add("proposal_closed", proposal=number, outcome="declined")


def nothing_done() -> Told:
    story = told()
    return accept(story, propose(story, "end", [1, 2]), 1, 2)


def something_else_done() -> Told:
    return nothing_done().move(KEEP)


def ended_without_asking() -> Told:
    return told().add("play_ended", reason="agreement")


def aborted_without_asking() -> Told:
    return told().add("game_aborted", reason="", code="agreed", by=ADA["id"])


def aborted_too_late() -> Told:
    story = told(ADA, BOB).move(KEEP).move(KEEP)
    return story.add("game_aborted", reason="", code="early", by=ADA["id"])


def aborted_early_by_one_of_three() -> Told:
    return told().add("game_aborted", reason="", code="early", by=ADA["id"])


def aborted_by_the_host() -> Told:
    return told().add("game_aborted", reason="", code="host", by=ADA["id"])


def thrown_out_by_one_of_two() -> Told:
    return forfeit(told(), 0, "timed_out")


def thrown_out_another() -> Told:
    story = told()
    accept(story, propose(story, "forfeit", [2], seat=1, target=0), 2)
    return forfeit(story, 2, "timed_out")


def ended_while_people_play() -> Told:
    return told().add("play_ended", reason="forfeits")


def played_on_alone() -> Told:
    story = told(ADA, BOB)
    return forfeit(story, 1 - story.table.state.seat).move(KEEP)  # type: ignore[union-attr]


def ended_too_late() -> Told:
    return forfeit(told(ADA, BOB), 1, bot=None)


def left_without_a_stand_in() -> Told:
    return forfeit(told(), 1, bot=None)


def moved(story: Told, **by: str) -> Told:
    """The next move, with these words about who made it."""
    made = told().move(KEEP).events[-1]
    fields = {name: made[name] for name in ("seat", "move", "chance", "facts", "state_hash")}
    return story.add("move_made", **fields, **by)


def moved_while_away() -> Told:
    story = told()
    return moved(away(story, story.table.state.seat))  # type: ignore[union-attr]


def moved_by_a_stand_in_of_nobody() -> Told:
    return moved(told(), by="stand_in")


def moved_while_the_game_rests() -> Told:
    story = away(away(told(ADA, BOB), 0), 1)
    return story.move(KEEP, stand_in=True)


@pytest.mark.parametrize(
    ("tell", "version", "word"),
    [
        (takeback_of_other_moves, 5, "takeback"),
        (proposal_of_other_moves, 5, "takeback"),
        (proposal_to_what_does_not_stand, 10, "takeback"),
        (takeback_without_asking, 5, "consent"),
        (takeback_at_a_table_without_takebacks, 4, "consent"),
        (takeback_by_another_seat, 4, "consent"),
        (takeback_that_keeps_the_ladder, 5, "takeback"),
        (takeback_further_than_agreed, 9, "consent"),
        (takeback_of_an_older_proposal, 11, "consent"),
        (accepted_without_all, 5, "consent"),
        (asked_too_few, 3, "consent"),
        (declined_by_nobody, 4, "consent"),
        (nothing_done, 6, "consent"),
        (something_else_done, 7, "consent"),
        (ended_without_asking, 3, "consent"),
        (aborted_without_asking, 3, "consent"),
        (aborted_too_late, 5, "consent"),
        (aborted_early_by_one_of_three, 3, "consent"),
        (aborted_by_the_host, 3, "consent"),
        (thrown_out_by_one_of_two, 3, "consent"),
        (thrown_out_another, 6, "consent"),
        (ended_while_people_play, 3, "forfeit"),
        (ended_too_late, 3, "forfeit"),
        (left_without_a_stand_in, 3, "forfeit"),
        (moved_while_away, 4, "forfeit"),
        (moved_by_a_stand_in_of_nobody, 3, "forfeit"),
        (moved_while_the_game_rests, 5, "forfeit"),
    ],
)
def test_what_does_not_follow_is_found(
    fake_store: Store, tell: Callable[[], Told], version: int, word: str
) -> None:
    assert tell().problems(fake_store)[0] == (version, word)


def test_the_audit_says_what_an_end_without_an_agreement_lacks(fake_store: Store) -> None:
    ended_without_asking().problems(fake_store)
    found = [one["detail"] for one in fake_store.audit.game("TOLD").problems]
    assert "no proposal to end the game has been accepted just now" in found


def test_a_game_that_goes_on_with_one_person_is_found(fake_store: Store) -> None:
    assert played_on_alone().problems(fake_store) == [(3, "forfeit"), (4, "forfeit")]
