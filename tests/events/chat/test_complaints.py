"""Complaints: what is kept of a report, and what operators do with it."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.chat.complaints import Complaint, fault_of_reason
from cartulary.events.chat.messages import PLAYERS
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.chat.conftest import Say
from tests.events.support.bean_games import beans_game, everything_stored


def test_a_deleted_message_stays_in_the_report(
    timed: Store, table: Table, say: Say, ada: Player, bob: Player
) -> None:
    said = say(ada, "an insult").message
    made = timed.complaints.report(bob, "message", said.id, "insult", "twice today")
    timed.talk.delete(ada, table.id, said.id)
    found = timed.complaints.find(made.id)
    assert found == made
    assert found.subject == {**said.describe(), "game": table.id}
    assert found.game_id == table.id
    assert (found.by, found.reason, found.text) == (
        *({"id": bob.id, "name": "Bob"}, "insult"),
        "twice today",
    )


def test_a_player_and_a_game_are_reported(
    timed: Store, table: Table, ada: Player, bob: Player
) -> None:
    made = [
        timed.complaints.report(bob, "player", ada.id, "name", ""),
        timed.complaints.report(bob, "game", table.id, "cheating", ""),
    ]
    assert [one.game_id for one in made] == [None, table.id]
    about = [one.subject for one in made]
    assert about == [{"id": ada.id, "name": "Ada"}, table.id]
    assert [one.subject for one in timed.complaints.walk()] == about


def test_what_nobody_may_see_is_not_reported(
    timed: Store, table: Table, say: Say, ada: Player, eve: Player
) -> None:
    hidden = timed.commands.create(Intent(ada), beans_game(visibility="private")).table
    secret = timed.talk.say(ada, hidden.id, Wording(PLAYERS, "psst"), None).message
    before = everything_stored(timed)
    for kind, subject in (
        ("message", "x"),
        ("message", secret.id),
        ("message", f"{table.id}.1-0"),
        ("message", f"{hidden.id}.1-0"),
        ("player", "nobody"),
        ("game", hidden.id),
        ("game", "01UNKNOWN"),
    ):
        with pytest.raises(NotFound):
            timed.complaints.report(eve, kind, subject, "other", "")
    assert everything_stored(timed) == before


def test_a_closed_report_keeps_what_the_operator_has_written(
    timed: Store, table: Table, ada: Player
) -> None:
    made = timed.complaints.report(ada, "game", table.id, "other", "")
    closed = timed.complaints.close(made, "nothing to see")
    assert [*timed.complaints.walk()] == [closed]
    assert (closed.note, closed.closed_at) == ("nothing to see", made.at)
    assert timed.complaints.find("01UNKNOWN") is None


def test_a_report_that_was_closed_by_a_process_that_died_then_is_not_the_open_one(
    timed: Store, ada: Player, bob: Player
) -> None:
    first = timed.complaints.report(bob, "player", ada.id, "name", "")
    open_reports: Any = timed.registry.hgetall(keys.open_complaints(bob.id))
    closed = timed.complaints.close(first)
    timed.registry.hset(keys.open_complaints(bob.id), mapping=open_reports)
    second = timed.complaints.report(bob, "player", ada.id, "name", "again")
    assert [*timed.complaints.walk()] == [closed, second]


def test_who_answers_an_old_report_once_more_leaves_the_open_one_open(
    timed: Store, ada: Player, bob: Player
) -> None:
    first = timed.complaints.report(bob, "player", ada.id, "name", "")
    timed.complaints.close(first)
    second = timed.complaints.report(bob, "player", ada.id, "name", "again")
    timed.complaints.close(first, answer="in other words")
    assert timed.complaints.report(bob, "player", ada.id, "name", "") == second


def test_two_equal_reports_at_once_are_one(
    timed: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = timed.complaints._keep  # noqa: SLF001  the moment before the first is kept
    others: list[Complaint] = []

    def keep_after_another(*arguments: Any) -> None:
        monkeypatch.undo()
        others.append(timed.complaints.report(bob, "player", ada.id, "name", "the other"))
        keep(*arguments)

    monkeypatch.setattr(timed.complaints, "_keep", keep_after_another)
    assert timed.complaints.report(bob, "player", ada.id, "name", "") == others[0]
    assert [*timed.complaints.walk()] == others


@pytest.mark.parametrize("reason", ["", " ", "a\nb", "x" * 65])
def test_a_reason_is_a_short_line(reason: str) -> None:
    assert fault_of_reason(reason) is not None
