"""Studies in a store: authors write, versions have no gaps, accounts come and go."""

from __future__ import annotations

import io
from typing import Any

import fakeredis
import orjson
import pytest
from redis import Redis

from cartulary.events.backup import load as loading
from cartulary.events.backup.dump import dump
from cartulary.events.commands.judging.intent import Intent
from cartulary.events.ledger.ledger import VersionConflict
from cartulary.events.model.errors import (
    IdempotencyMismatch,
    Invalid,
    Muted,
    NotAuthor,
    NotFound,
    QuotaExceeded,
    StaleVersion,
)
from cartulary.events.model.types import Json
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.events.studies import rights
from cartulary.events.studies.drafts import StudyDraft
from cartulary.events.upkeep.auditing import verify_studies
from cartulary.events.upkeep.rebuild import rebuild, rebuild_studies
from cartulary.studies import bounds
from cartulary.studies import events as types
from cartulary.studies.writing import write_document
from tests.studies.examples import make_study
from tests.support.games import ALL_OFFERS


def begin(store: Store, who: Player, key: str | None = None, **more: Any) -> str:
    """Begin a study of a chapter; returns its id."""
    document = make_study(length=3, **more)
    return store.studies.commands.create(Intent(who, key=key, body=document), document)[0]


def change(store: Store, who: Player, study_id: str, *changes: Json, **more: Any) -> Any:
    return store.studies.commands.change(Intent(who, **more), study_id, changes)


def text(value: str, node: int = 1) -> Json:
    return {"type": "text_set", "node": node, "text": value}


def show(visibility: str) -> Json:
    return {"type": "visibility_set", "visibility": visibility}


def ids_of(store: Store, author: str | None = None) -> list[str]:
    index = "public" if author is None else f"of:{author}"
    return [one["id"] for one in store.studies.lists.read_page(index).studies]


def ask(store: Store, owner: Player, study_id: str, other: Player) -> Any:
    return store.studies.authors.add(Intent(owner), study_id, other.id)


def join(store: Store, owner: Player, study_id: str, other: Player) -> None:
    """Let another player write in a study, with a yes of that player."""
    ask(store, owner, study_id, other)
    store.studies.authors.add(Intent(other), study_id, other.id)


def test_a_new_study_is_private_and_stands_in_the_list_of_its_author(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    assert ids_of(store) == []
    assert ids_of(store, ada.id) == [study_id]
    assert store.studies.commands.read(study_id, ada.id).study.version == 2
    for stranger in (bob.id, None):
        with pytest.raises(NotFound):
            store.studies.commands.read(study_id, stranger)
    with pytest.raises(NotFound):
        change(store, bob, study_id, text("mine"))


def test_a_study_with_a_link_is_read_by_all_who_have_it_and_a_public_one_is_listed(
    store: Store, ada: Player
) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("link"))
    assert store.studies.commands.read(study_id, None).id == study_id
    assert ids_of(store) == []
    change(store, ada, study_id, show("public"))
    assert ids_of(store) == [study_id]
    change(store, ada, study_id, show("private"))
    assert ids_of(store) == []


def test_only_authors_write_and_only_the_owner_shares(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("link"))
    with pytest.raises(NotAuthor):
        change(store, bob, study_id, text("no"))
    join(store, ada, study_id, bob)
    change(store, bob, study_id, text("yes"))
    assert store.studies.commands.read(study_id, None).study.nodes[1].text == "yes"
    with pytest.raises(NotAuthor):
        change(store, bob, study_id, show("public"))
    with pytest.raises(NotAuthor):
        store.studies.commands.delete(Intent(bob), study_id)
    store.studies.authors.remove(Intent(bob), study_id, bob.id)
    with pytest.raises(NotAuthor):
        change(store, bob, study_id, text("again"))


def test_a_player_who_blocks_the_owner_becomes_no_author(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    store.blocks.add(bob.id, ada.id)
    with pytest.raises(NotFound):
        store.studies.authors.add(Intent(ada), study_id, bob.id)


def test_several_changes_are_made_all_or_none(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    with pytest.raises(Invalid) as refused:
        change(store, ada, study_id, text("one"), text("<script>"))
    (error,) = refused.value.errors
    assert (error["pointer"], error["reason"]) == ("/changes/1/text", "text")
    assert store.studies.streams.read(study_id).study.version == 2
    assert len(change(store, ada, study_id, text("one"), text("two")).events) == 2


def test_a_study_file_with_an_illegal_line_becomes_no_study(store: Store, ada: Player) -> None:
    document = make_study(length=2)
    document["chapters"][0]["line"][0]["move"] = {"type": "no"}
    with pytest.raises(Invalid) as refused:
        store.studies.commands.create(Intent(ada), document)
    assert refused.value.errors[0]["reason"] == "illegal"
    assert ids_of(store, ada.id) == []


def test_two_authors_at_once_lose_nothing(store: Store, ada: Player, bob: Player) -> None:
    study_id = begin(store, ada)
    join(store, ada, study_id, bob)
    found = store.studies.streams.read(study_id)
    late = StudyDraft(study_id, store.clock, found.study, found.head)
    change(store, bob, study_id, text("of Bob", 2))
    late.add(types.TEXT_SET, node=1, text="of Ada", by=ada.id)
    with pytest.raises(VersionConflict):
        store.studies.streams.append(late, None)
    change(store, ada, study_id, text("of Ada"))
    nodes = store.studies.streams.read(study_id).study.nodes
    assert (nodes[1].text, nodes[2].text) == ("of Ada", "of Bob")
    versions = [event["version"] for event in store.studies.streams.deliver(study_id)]
    assert versions == list(range(1, len(versions) + 1))


def test_a_change_for_another_version_is_refused(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    with pytest.raises(StaleVersion):
        change(store, ada, study_id, text("x"), expected=1)
    change(store, ada, study_id, text("x"), expected=2)


def test_a_key_does_once_what_it_asks(store: Store, ada: Player) -> None:
    study_id = begin(store, ada, key="one")
    assert begin(store, ada, key="one") == study_id
    first = change(store, ada, study_id, text("x"), key="two")
    change(store, ada, study_id, text("y"))
    again = change(store, ada, study_id, text("x"), key="two")
    assert (again.replayed, again.events) == (True, first.events)
    assert again.study == first.study
    with pytest.raises(IdempotencyMismatch):
        change(store, ada, study_id, text("z"), key="two")


def test_the_events_of_a_study_have_only_so_many_bytes_and_it_can_be_hidden_then(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("public"))
    size = store.studies.commands.read(study_id, ada.id).size
    entries: Any = store.registry.xrange(keys.study(study_id))
    assert size == sum(len(fields[b"event"]) for _, fields in entries)
    monkeypatch.setattr(bounds, "STREAM", size + 900)
    change(store, ada, study_id, text("x" * 400))
    with pytest.raises(Invalid, match="bytes of changes"):
        change(store, ada, study_id, text("y" * 400))
    fresh = Store(store.redis, ALL_OFFERS)
    with pytest.raises(Invalid, match="bytes of changes"):
        change(fresh, ada, study_id, text("z" * 400))
    change(store, ada, study_id, show("private"))


def test_a_muted_author_writes_only_what_no_other_reads(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    store.office.muted.impose(ada.id, "spam")
    change(store, ada, study_id, text("for me"))
    with pytest.raises(Muted):
        change(store, ada, study_id, show("link"))


def test_a_muted_author_tells_no_other_author_anything(
    store: Store, ada: Player, bob: Player
) -> None:
    alone, together = begin(store, ada), begin(store, ada)
    join(store, ada, together, bob)
    store.office.muted.impose(ada.id, "spam")
    with pytest.raises(Muted):
        change(store, ada, together, text("for Bob"))
    with pytest.raises(Muted):
        store.studies.authors.add(Intent(ada), alone, bob.id)
    change(store, bob, together, text("for Ada"))
    change(store, ada, together, show("private"))


def test_a_player_has_only_so_many_studies(
    store: Store, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rights, "MOST", 1)
    begin(store, ada)
    with pytest.raises(QuotaExceeded):
        begin(store, ada)


def test_a_deleted_study_leaves_nothing(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("public"))
    store.studies.commands.delete(Intent(ada), study_id)
    assert (ids_of(store), ids_of(store, ada.id)) == ([], [])
    assert not [key for key in store.registry.scan_iter() if study_id in key.decode()]
    with pytest.raises(NotFound):
        store.studies.commands.read(study_id, ada.id)


def test_a_deleted_author_takes_own_studies_along_and_leaves_the_others(
    store: Store, ada: Player, bob: Player
) -> None:
    own, shared = begin(store, ada), begin(store, ada)
    join(store, ada, shared, bob)
    store.accounts.deletion.delete(ada, ada.name)
    assert store.studies.streams.find(own) is None
    assert store.studies.streams.read(shared).study.owner == bob.id
    told = orjson.dumps(store.studies.streams.deliver(shared)).decode()
    assert ada.name not in told
    assert ids_of(store, ada.id) == []


def test_a_list_that_names_a_study_that_is_gone_stops_no_merge_and_no_deletion(
    store: Store, ada: Player, bob: Player
) -> None:
    study_id = begin(store, ada)
    store.registry.zadd(keys.studies(f"of:{ada.id}"), {"gone": 1})
    store.studies.authors.take_over(ada.id, bob)
    assert store.studies.commands.read(study_id, bob.id).study.owner == bob.id
    store.registry.zadd(keys.studies(f"of:{bob.id}"), {"gone": 1})
    store.studies.authors.forget(bob.id)
    assert store.studies.streams.find(study_id) is None


def test_an_account_writes_in_the_place_of_a_merged_guest(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    study_id = begin(store, ada)
    for other in (bob, eve):
        join(store, ada, study_id, other)
    for _ in range(2):
        store.studies.authors.take_over(ada.id, eve)
    authors = [one["id"] for one in store.studies.streams.read(study_id).study.authors]
    assert authors == [eve.id, bob.id]


def test_in_place_of_a_guest_who_has_merged_the_account_is_asked(
    store: Store, ada: Player, bob: Player, eve: Player
) -> None:
    study_id = begin(store, ada)
    store.registry.hset(keys.player(bob.id), "merged_into", eve.id)
    ask(store, ada, study_id, bob)
    study = store.studies.streams.read(study_id).study
    assert [one["id"] for one in study.invited] == [eve.id]


def test_an_export_of_an_account_has_its_studies(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    lines = map(orjson.loads, store.accounts.exporting.export(ada, "https://x"))
    (found,) = [line for line in lines if line["type"] == "study"]
    study = store.studies.streams.read(study_id).study
    assert found == {
        "type": "study",
        "id": study_id,
        "version": 2,
        "document": write_document(study),
    }


def test_the_lists_of_studies_can_be_made_again(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    change(store, ada, study_id, show("public"))
    before = store.studies.lists.read_page()
    store.registry.delete(keys.study_summary(study_id), keys.studies("public"))
    assert rebuild_studies(store) == []
    assert store.studies.lists.read_page() == before


def test_an_audit_names_a_study_that_was_changed_by_hand(store: Store, ada: Player) -> None:
    study_id = begin(store, ada)
    assert list(verify_studies(store)) == [(study_id, [])]
    change(store, ada, study_id, text("x"), text("y"))
    stored: Any = store.registry.xrange(keys.study(study_id), "-", "+")
    forged = orjson.dumps({**orjson.loads(stored[2][1][b"event"]), "text": "of another"})
    stored[2][1][b"event"] = forged
    store.registry.delete(keys.study(study_id))
    for number, fields in stored:
        store.registry.xadd(keys.study(study_id), fields, number)
    ((_, problems),) = verify_studies(store)
    assert [(one["version"], one["problem"]) for one in problems] == [(4, "chain")]


@pytest.mark.real
def test_a_backup_carries_a_study_which_goes_on_after_the_restore(real_redis: Redis) -> None:
    store = Store(real_redis, ALL_OFFERS)
    store.claim()
    ada = store.players.create("Ada")[0]
    study_id = begin(store, ada)
    file = io.BytesIO()
    dump(real_redis, file)
    before = store.studies.streams.read(study_id)
    file.seek(0)
    empty = fakeredis.FakeRedis()
    contents = loading.check_file(file)
    loading.begin(empty, contents, "file")
    loading.load(empty, file, contents)
    loading.end(empty)
    again = Store(empty, ALL_OFFERS, keyring=store.keyring)
    rebuild(again)
    assert ids_of(again, ada.id) == [study_id]
    assert again.studies.streams.read(study_id) == before
    change(again, ada, study_id, text("on"))
