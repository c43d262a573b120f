"""A player writes in a study only with a yes: invitations in a store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import Muted, NotAuthor, NotFound, QuotaExceeded
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.studies import rights
from cartulary.events.studies.listing import find_first
from cartulary.events.studies.streams import StudyStreams
from cartulary.events.studies.writer import StudyWriter
from cartulary.events.upkeep.auditing import verify_studies
from cartulary.events.upkeep.rebuild import rebuild_studies
from cartulary.studies.fold import fold
from cartulary.studies.state import StudyTree
from tests.events.studies.test_studies import ask, begin, change, join, show, text

OLD = Path(__file__).parents[1] / "stored" / "studies" / "first-release.jsonl"


def study_of(store: Store, study_id: str) -> StudyTree:
    return store.studies.streams.read(study_id).study


def asked(store: Store, who: Player) -> list[str]:
    return [one["id"] for one in store.studies.lists.read_page(f"asked:{who.id}").studies]


def told(store: Store, who: Player) -> list[Any]:
    entries = store.inbox.read(who.id, "", 100).entries
    items = [orjson.loads(entry.text) for entry in entries]
    return [one["data"]["study"] for one in items if one["type"] == "study_invited"]


def test_who_is_asked_reads_the_study_and_writes_after_a_yes(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    assert (asked(store, bob), told(store, bob)) == ([study_id], [study_id])
    store.studies.commands.read(study_id, bob.id)
    with pytest.raises(NotAuthor):
        change(store, bob, study_id, text("too soon"))
    assert store.studies.lists.count_of(bob.id) == 0
    store.studies.authors.add(Intent(bob), study_id, bob.id)
    change(store, bob, study_id, text("mine"))
    assert (asked(store, bob), store.studies.lists.count_of(bob.id)) == ([], 1)
    assert list(verify_studies(store)) == [(study_id, [])]


def test_a_no_and_a_withdrawal_end_an_invitation(store: Store, ada: Player, bob: Player) -> None:
    study_id = begin(store, ada)
    for who in (bob, ada):
        ask(store, ada, study_id, bob)
        store.studies.authors.remove(Intent(who), study_id, bob.id)
        assert (study_of(store, study_id).invited, asked(store, bob)) == ((), [])
        with pytest.raises(NotFound):
            store.studies.authors.add(Intent(bob), study_id, bob.id)
    assert told(store, bob) == [study_id]


def test_an_invitation_fills_nobodys_quota_and_a_yes_needs_room(
    store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    studies = [begin(store, ada), begin(store, ada)]
    monkeypatch.setattr(rights, "MOST", 1)
    for study_id in studies:
        ask(store, ada, study_id, bob)
    store.studies.authors.add(Intent(bob), studies[0], bob.id)
    with pytest.raises(QuotaExceeded):
        store.studies.authors.add(Intent(bob), studies[1], bob.id)


def test_only_the_owner_asks_and_nobody_joins_uninvited(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("link"))
    with pytest.raises(NotFound):
        store.studies.authors.add(Intent(eve), study_id, eve.id)
    join(store, ada, study_id, bob)
    with pytest.raises(NotAuthor):
        ask(store, bob, study_id, eve)


@pytest.mark.parametrize("who_blocks", ["ada", "bob"])
def test_a_block_after_the_invitation_leaves_no_way_in(
    store: Store, ada: Player, bob: Player, who_blocks: str
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    one, other = (ada, bob) if who_blocks == "ada" else (bob, ada)
    store.blocks.add(one.id, other.id)
    with pytest.raises(NotFound):
        store.studies.authors.add(Intent(bob), study_id, bob.id)


def test_a_muted_player_invites_no_one_and_tells_the_invited_nothing(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    store.office.muted.impose(ada.id, "spam")
    with pytest.raises(Muted):
        ask(store, ada, study_id, eve)
    with pytest.raises(Muted):
        change(store, ada, study_id, text("for Bob"))


def test_a_deleted_player_is_invited_no_more_and_is_named_nowhere(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    store.accounts.deletion.delete(bob, bob.name)
    assert study_of(store, study_id).invited == ()
    assert bob.name not in orjson.dumps(store.studies.streams.deliver(study_id)).decode()


def test_a_study_that_gets_an_author_while_its_last_is_deleted_stays(
    store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    drop = StudyStreams.drop

    def drop_after_a_yes(*arguments: Any) -> Any:
        monkeypatch.undo()
        store.studies.authors.add(Intent(bob), study_id, bob.id)
        return drop(*arguments)

    monkeypatch.setattr(StudyStreams, "drop", drop_after_a_yes)
    store.studies.authors.forget(ada.id)
    assert [one["id"] for one in study_of(store, study_id).authors] == [bob.id]


def test_of_two_last_authors_who_are_deleted_at_once_none_keeps_the_study(
    store: Store, ada: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = begin(store, ada)
    join(store, ada, study_id, bob)
    judge = StudyWriter.judge

    def judge_after_the_other(*arguments: Any) -> Any:
        monkeypatch.undo()
        store.studies.authors.forget(bob.id)
        return judge(*arguments)

    monkeypatch.setattr(StudyWriter, "judge", judge_after_the_other)
    store.studies.authors.forget(ada.id)
    assert store.studies.streams.find(study_id) is None


def test_an_account_is_invited_in_the_place_of_its_guest(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    for _ in range(2):
        store.studies.authors.take_over(bob.id, eve)
    assert [one["id"] for one in study_of(store, study_id).invited] == [eve.id]


def test_the_list_of_invitations_can_be_made_again(store: Store, ada: Player, bob: Player) -> None:
    study_id = begin(store, ada)
    ask(store, ada, study_id, bob)
    store.registry.delete(keys.study_summary(study_id), keys.studies(f"asked:{bob.id}"))
    assert rebuild_studies(store) == []
    assert asked(store, bob) == [study_id]


def test_a_stream_of_the_first_release_is_read_and_its_authors_need_no_new_yes() -> None:
    events = [json.loads(line) for line in OLD.read_text().splitlines()]
    assert "author_invited" not in {event["type"] for event in events}
    study = fold(events)
    assert study is not None
    assert [one["name"] for one in study.authors] == ["Ada", "Bob"]
    assert (study.invited, study.opened, study.visibility) == ((), 4, "link")


def test_readers_begin_where_a_study_was_shared_last(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, text("a secret"))
    change(store, ada, study_id, text("for all"), show("link"))
    assert find_first(study_of(store, study_id), ada.id) == 1
    assert find_first(study_of(store, study_id), None) == 5
    change(store, ada, study_id, show("public"))
    assert find_first(study_of(store, study_id), bob.id) == 5
    change(store, ada, study_id, show("private"), text("again"))
    ask(store, ada, study_id, bob)
    assert find_first(study_of(store, study_id), bob.id) == study_of(store, study_id).version
    change(store, ada, study_id, show("link"))
    assert find_first(study_of(store, study_id), None) == study_of(store, study_id).version
