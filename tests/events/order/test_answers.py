"""Reports as operators have them: the context, the answer, what the player reads."""

from __future__ import annotations

import pytest

from cartulary.events.chat.complaints import MOST_OPEN, Complaint
from cartulary.events.chat.messages import PLAYERS
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import Invalid, NotFound, QuotaExceeded
from cartulary.events.order.answers import OperatorReply
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.order.conftest import read_news
from tests.events.support.bean_games import ME, OPEN, beans_game, everything_stored


@pytest.fixture
def report(store: Store, ada: Player, bob: Player) -> Complaint:
    """A report of Bob about the fourth of six messages of Ada, who has an account."""
    store.registry.hset(f"player:{ada.id}", "claimed_at", "2026-11-22T14:00:00.000Z")
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    store.commands.arranging.join(Intent(bob), table.id)
    texts = ("1", "2", "3", "an insult")
    said = [store.talk.say(ada, table.id, Wording(PLAYERS, one)).message for one in texts]
    return store.complaints.report(bob, "message", said[-1].id, "insult", "twice")


def test_the_context_has_the_messages_around_the_one_reported(
    store: Store, report: Complaint
) -> None:
    around = store.office.answers.read_around(report)
    assert [one.text for one in around] == ["1", "2", "3", "an insult"]


def test_the_player_who_reported_reads_the_answer(
    store: Store, report: Complaint, ada: Player, bob: Player, cleo: Player
) -> None:
    answer = OperatorReply(cleo.id, "Ada is muted.", "first time")
    closed = store.office.answers.answer(report.id, answer)
    assert (closed.answer, closed.note) == ("Ada is muted.", "first time")
    assert closed.closed_at is not None
    assert read_news(store, bob) == [("report_answered", "Ada is muted.")]
    assert read_news(store, ada) == []
    (entry,) = store.office.log.read().entries
    assert (entry.command, entry.report, entry.player) == ("answer", report.id, ada.id)


def test_an_answer_without_words_closes_and_tells_no_one(
    store: Store, report: Complaint, bob: Player
) -> None:
    store.office.answers.answer(report.id, OperatorReply("cli:root"))
    assert read_news(store, bob) == []


def test_the_message_is_deleted_with_the_answer(store: Store, report: Complaint) -> None:
    store.office.answers.answer(report.id, OperatorReply("cli:root", delete_message=True))
    message = store.talk.find(report.subject["game"], report.subject["id"])
    assert message is not None
    assert message.deleted


def test_what_cannot_be_deleted_changes_nothing(store: Store, ada: Player, bob: Player) -> None:
    made = store.complaints.report(bob, "player", ada.id, "name", "")
    before = everything_stored(store)
    with pytest.raises(Invalid):
        store.office.answers.answer(made.id, OperatorReply("cli:root", delete_message=True))
    with pytest.raises(NotFound):
        store.office.answers.answer("01UNKNOWN", OperatorReply("cli:root"))
    assert everything_stored(store) == before


def test_the_same_thing_is_reported_once_until_it_is_answered(
    store: Store, ada: Player, bob: Player
) -> None:
    first = store.complaints.report(bob, "player", ada.id, "name", "")
    assert store.complaints.report(bob, "player", ada.id, "other", "again") == first
    store.office.answers.answer(first.id, OperatorReply("cli:root"))
    second = store.complaints.report(bob, "player", ada.id, "other", "again")
    assert second.id != first.id


def test_a_player_reports_not_themselves(store: Store, report: Complaint, ada: Player) -> None:
    before = everything_stored(store)
    for kind, subject in (("player", ada.id), ("message", report.subject["id"])):
        with pytest.raises(Invalid):
            store.complaints.report(ada, kind, subject, "other", "")
    assert everything_stored(store) == before


def test_open_reports_of_a_player_are_bounded(store: Store, bob: Player) -> None:
    others = [store.players.create("Zoe")[0] for _ in range(MOST_OPEN + 1)]
    for one in others[:-1]:
        store.complaints.report(bob, "player", one.id, "name", "")
    with pytest.raises(QuotaExceeded):
        store.complaints.report(bob, "player", others[-1].id, "name", "")
    store.office.answers.answer(next(store.complaints.walk()).id, OperatorReply("cli:root"))
    store.complaints.report(bob, "player", others[-1].id, "name", "")


def test_the_export_of_a_player_has_reports_and_decisions(
    store: Store, report: Complaint, bob: Player
) -> None:
    store.office.muted.impose(bob.id, "a test")
    lines = b"".join(store.accounts.exporting.export(bob, "https://x")).decode()
    assert '"type":"report"' in lines
    assert '{"type":"muted","until":null,"reason":"a test"}' in lines


def test_an_answer_follows_a_guest_into_the_account_and_no_further(
    store: Store, ada: Player, eve: Player
) -> None:
    guest, token = store.players.create("Phone")
    made = store.complaints.report(guest, "player", eve.id, "name", "")
    store.accounts.merging.merge(ada, token)
    store.office.answers.answer(made.id, OperatorReply("cli:root", "Renamed."))
    assert read_news(store, ada) == [("report_answered", "Renamed.")]
    gone = store.complaints.report(ada, "player", eve.id, "name", "")
    store.accounts.deletion.delete(ada, "Ada")
    store.office.answers.answer(gone.id, OperatorReply("cli:root", "Renamed."))
    assert not store.registry.exists(keys.inbox(ada.id))
