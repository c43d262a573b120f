"""Studies that operators hide: their authors alone read them, and learn why."""

from __future__ import annotations

from typing import Any

import pytest

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import Invalid, NotFound
from cartulary.events.model.failures import Misfit
from cartulary.events.order.study_decisions import StudyOrder
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.events.studies import evidence
from cartulary.events.studies.writer import StudyWritten
from cartulary.events.upkeep.auditing import verify_studies
from cartulary.events.upkeep.rebuild import rebuild_studies
from cartulary.studies import events as types
from tests.events.order.conftest import read_news
from tests.events.studies.test_studies import ask, begin, change, ids_of, join, show, text
from tests.studies.streams import make_stream


@pytest.fixture
def shared(store: Store, ada: Player) -> str:
    """The id of a public study of Ada."""
    study_id = begin(store, ada)
    change(store, ada, study_id, show("public"))
    return study_id


def order(store: Store, who: Player, study_id: str, command: Any, **more: Any) -> StudyWritten:
    reason = StudyOrder(command, "an insult in the first text")
    return store.office.studies.order(Intent(who, **more), study_id, reason)


def test_a_hidden_study_is_in_no_list_and_is_read_by_its_authors_alone(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    join(store, ada, shared, bob)
    order(store, cleo, shared, "hide")
    assert ids_of(store) == []
    for author in (ada, bob):
        assert ids_of(store, author.id) == [shared]
        hidden = store.studies.commands.read(shared, author.id).study.hidden
        assert hidden is not None
        assert hidden["reason"] == "an insult in the first text"
    for stranger in (cleo.id, None):
        with pytest.raises(NotFound):
            store.studies.commands.read(shared, stranger)
    assert store.office.studies.read(shared).study.title == "A study"


def test_sharing_a_hidden_study_again_shows_it_to_nobody(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    order(store, cleo, shared, "hide")
    for visibility in ("private", "public"):
        change(store, ada, shared, show(visibility))
    assert ids_of(store) == []
    with pytest.raises(NotFound):
        store.studies.commands.read(shared, bob.id)


def test_invitations_to_a_hidden_study_end_and_nobody_is_invited(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    ask(store, ada, shared, bob)
    order(store, cleo, shared, "hide")
    assert store.studies.lists.list_asked(bob.id) == []
    with pytest.raises(NotFound):
        store.studies.authors.add(Intent(bob), shared, bob.id)
    with pytest.raises(Invalid, match="hidden"):
        ask(store, ada, shared, bob)


def test_authors_change_a_hidden_study_and_others_read_it_from_where_it_is_shown_again(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    order(store, cleo, shared, "hide")
    change(store, ada, shared, text("a friendly word"))
    shown = order(store, cleo, shared, "show").study
    assert ids_of(store) == [shared]
    found = store.studies.commands.read(shared, bob.id).study
    assert (found.hidden, found.opened, found.nodes[1].text) == (
        None,
        shown.version,
        "a friendly word",
    )


def test_an_order_that_is_given_again_changes_nothing_and_has_one_line(
    store: Store, shared: str, ada: Player, cleo: Player
) -> None:
    first = order(store, cleo, shared, "hide", key="once")
    assert order(store, cleo, shared, "hide", key="once").replayed
    assert order(store, cleo, shared, "hide").events == []
    assert [one["type"] for one in first.events] == ["study_hidden"]
    (entry,) = store.office.log.read().entries
    assert (entry.command, entry.study, entry.by) == ("study_hide", shared, cleo.id)
    assert entry.player == ada.id


def test_the_authors_read_the_reason_in_their_inbox(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    join(store, ada, shared, bob)
    order(store, cleo, shared, "hide")
    order(store, cleo, shared, "show")
    for author in (ada, bob):
        said = [one for one in read_news(store, author) if one[0].startswith("study_")]
        assert [what for what, _ in said] == ["study_hidden", "study_shown"]
        assert {reason for _, reason in said} == {"an insult in the first text"}


def test_a_decision_needs_a_reason_and_a_study(store: Store, shared: str, cleo: Player) -> None:
    with pytest.raises(Invalid):
        store.office.studies.order(Intent(cleo), shared, StudyOrder("hide", " "))
    with pytest.raises(NotFound):
        order(store, cleo, "nothing", "hide")
    assert store.office.log.read().entries == []


def test_an_author_who_writes_meanwhile_loses_nothing_and_the_study_is_hidden(
    store: Store, shared: str, ada: Player, cleo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = store.office.log
    write = log.write

    def write_while_ada_writes(entry: Any) -> Any:
        monkeypatch.setattr(log, "write", write)
        change(store, ada, shared, text("at once"))
        return write(entry)

    monkeypatch.setattr(log, "write", write_while_ada_writes)
    order(store, cleo, shared, "hide")
    study = store.studies.streams.read(shared).study
    assert (study.hidden is not None, study.nodes[1].text) == (True, "at once")
    assert len(log.read().entries) == 1


def test_a_hidden_study_stays_hidden_after_a_rebuild_and_passes_the_audit(
    store: Store, shared: str, cleo: Player
) -> None:
    order(store, cleo, shared, "hide")
    assert rebuild_studies(store) == []
    assert ids_of(store) == []
    assert dict(verify_studies(store)) == {shared: []}


def test_an_account_that_is_deleted_takes_its_hidden_study_along(
    store: Store, shared: str, ada: Player, cleo: Player
) -> None:
    order(store, cleo, shared, "hide")
    store.studies.authors.forget(ada.id)
    assert store.studies.streams.find(shared) is None


def test_what_is_hidden_is_not_hidden_twice() -> None:
    stream = make_stream(length=1)
    with pytest.raises(Misfit):
        stream.add(types.STUDY_SHOWN)
    stream.add(types.STUDY_HIDDEN, reason="spam")
    with pytest.raises(Misfit):
        stream.add(types.STUDY_HIDDEN, reason="spam")


# -- reports --------------------------------------------------------------------------------------


def test_a_report_keeps_the_words_of_a_study_after_its_deletion(
    store: Store, shared: str, ada: Player, bob: Player
) -> None:
    change(store, ada, shared, text("an insult"))
    made = store.complaints.report(bob, "study", shared, "insult", "")
    store.studies.commands.delete(Intent(ada), shared)
    kept = store.complaints.find(made.id)
    assert kept is not None
    assert kept.study is not None
    assert kept.study["version"] == 4
    assert "an insult" in kept.study["text"]
    assert len(kept.study["text"]) <= evidence.LONGEST
    assert (kept.about, kept.game_id) == ({"id": ada.id, "name": ada.name}, None)
    assert store.complaints.count_about(ada.id) == 1


def test_only_who_may_read_a_study_reports_it_and_once(
    store: Store, shared: str, ada: Player, bob: Player, cleo: Player
) -> None:
    with pytest.raises(Invalid):
        store.complaints.report(ada, "study", shared, "spam", "")
    first = store.complaints.report(bob, "study", shared, "spam", "")
    assert store.complaints.report(bob, "study", shared, "spam", "more").id == first.id
    order(store, cleo, shared, "hide")
    with pytest.raises(NotFound):
        store.complaints.report(cleo, "study", shared, "spam", "")
