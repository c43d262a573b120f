"""The chain: the same hash for everybody, and no event can be changed unnoticed."""

from __future__ import annotations

import random
from hashlib import sha256
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cartulary.engine.canonical import canonical_hash, canonical_json
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.projector import Projector
from cartulary.events.model.chain import (
    BEFORE_CHAIN,
    CHAINED,
    GENESIS,
    LARGEST,
    find_break,
    hash_event,
    hash_stored,
    read_links,
    seal,
)
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.types import (
    MOVES_TAKEN_BACK,
    SEAT_DECLINED,
    SEAT_TAKEN_OVER,
    STAND_IN_SEATED,
    Entries,
)
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from tests.events.model.test_upcast import store_old_stream
from tests.events.support.bean_games import ME, OPEN, any_move, beans_game, play_out
from tests.support.handmade_events import seal_all

Json = dict[str, Any]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=12,
)
ADDED = ("schema", "hash", "upcast", "masked")
EVENTS = st.dictionaries(st.text().filter(lambda key: key not in (*ADDED, "type", "prev")), VALUES)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(EVENTS)
def test_the_hash_is_that_of_the_canonical_json_of_the_standard_library(fields: Json) -> None:
    event = {**fields, "type": "seat_taken", "prev": GENESIS}
    sealed = seal(event, CHAINED)
    text = canonical_json(event).encode()
    assert sealed.text == b'{"schema":2,' + text[1:]
    assert sealed.hash == sha256(text).hexdigest() == hash_event(event)
    assert hash_stored(sealed.text) == sealed.hash


def test_keys_are_sorted_by_code_point_and_not_by_utf_16() -> None:
    """U+10000 is written as surrogates in UTF-16, and these come before U+E000."""
    keys_ = ["\U00010000", "\ue000", "z", "\x7f", "é", "10", "9"]
    event = {**{key: dict.fromkeys(keys_, 1) for key in keys_}, "type": "t", "prev": GENESIS}
    text = seal(event, CHAINED).text
    found = [key for key in orjson.loads(text) if key != "schema"]
    assert found == sorted(event, key=lambda key: [ord(letter) for letter in key])
    assert list(orjson.loads(text)["z"]) == sorted(keys_)


def test_nothing_is_escaped_that_json_does_not_require() -> None:
    every = "".join(map(chr, range(0x2100)))
    event = {"text": every, "type": "t", "prev": GENESIS}
    assert seal(event, CHAINED).hash == canonical_hash(event)


@pytest.mark.parametrize("added", ADDED)
def test_what_delivery_adds_is_not_hashed(added: str) -> None:
    event = {"type": "t", "prev": GENESIS, "version": 1}
    assert hash_event({**event, added: True}) == hash_event(event)


@pytest.mark.parametrize("value", [LARGEST + 1, -LARGEST - 1, 2**64, "\ud800"])
def test_what_other_readers_would_not_read_as_it_is_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        seal({"type": "t", "prev": GENESIS, "value": [value]}, CHAINED)


def test_a_number_that_is_no_integer_is_refused(fake_store: Store) -> None:
    draft = Draft(fake_store.rules, "01FLOAT")
    with pytest.raises(TypeError, match="no integer"):
        draft.add("game_created", game="beans", options={"goal": 9.0})


def is_whole(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(is_whole, value.values()))
    if isinstance(value, list):
        return all(map(is_whole, value))
    return type(value) is not float and (type(value) is not int or abs(value) <= LARGEST)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["beans", "carcassonne", "caylus"])
def test_the_chain_of_a_fold_is_the_chain_of_the_appends(fake_store: Store, game: str) -> None:
    store = fake_store
    ada = store.players.create("Ada")[0]
    table = store.commands.create(Intent(ada), NewGame(game, [ME, ME])).table
    heads = {table.version: table.head}
    play_out(store, ada, table, lambda done: heads.update({done.table.version: done.table.head}))
    store.commands.score(table.id)
    events = store.ledger.deliver(table.id)
    assert [event["prev"] for event in events] == [GENESIS, *(e["hash"] for e in events[:-1])]
    for event in events:
        assert hash_event(event) == event["hash"]
        assert is_whole(event)
    cold = Projector(store.ledger, store.snapshots, store.rules)
    assert heads == {version: events[version - 1]["hash"] for version in heads}
    for version in heads:
        assert cold.table(table.id, version).head == events[version - 1]["hash"]
    assert store.projector.table(table.id).head == events[-1]["hash"]
    assert store.audit.game(table.id).head == events[-1]["hash"]
    cold.close()


def texts_of(store: Store, game_id: str) -> list[bytes]:
    return [fields[b"event"] for _, fields in store.ledger.entries(game_id)]


@pytest.fixture
def streams(fake_store: Store) -> list[list[bytes]]:
    """Two streams with events of every type that a game of beans has."""
    store = fake_store
    ada, bob = (store.players.create(name)[0] for name in ("Ada", "Bob"))
    cid = store.players.create("Cid")[0]
    over = store.commands.create(Intent(ada), beans_game(ME, OPEN, OPEN)).table
    store.commands.arranging.join(Intent(bob), over.id)
    store.commands.arranging.leave(Intent(bob), over.id, 1)
    store.commands.arranging.join(Intent(bob), over.id)
    table = store.commands.arranging.join(Intent(cid), over.id).table
    people = {player.id: player for player in (ada, bob, cid)}
    while table.state is not None and table.state.decision is not None:
        sitter = table.seats[table.state.seat].player
        assert sitter is not None
        mover: Player = people[sitter["id"]]
        table = store.commands.move(Intent(mover), over.id, any_move(table)).table
    store.commands.score(over.id)
    aborted = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    store.commands.arranging.leave(Intent(ada), aborted.id, 0)
    return [texts_of(store, over.id), texts_of(store, aborted.id)]


def broken_at(texts: list[bytes], head: str | None) -> int | None:
    found = find_break(texts, read_links(texts, head))
    return None if found is None else found.version


@pytest.mark.slow
def test_a_flipped_bit_anywhere_in_an_event_of_any_type_is_named_with_its_version(
    streams: list[list[bytes]], rng: random.Random
) -> None:
    tried = set()
    for texts in streams:
        head = hash_stored(texts[-1])
        assert broken_at(texts, head) is None
        for index, text in enumerate(texts):
            tried.add(orjson.loads(text)["type"])
            for place in range(rng.randrange(2), len(text), 2):
                flipped = bytearray(text)
                flipped[place] ^= 1 << rng.randrange(8)
                changed = [*texts[:index], bytes(flipped), *texts[index + 1 :]]
                if flipped.startswith(b'{"schema":') and bytes(flipped[12:]) == text[12:]:
                    continue  # the number of the schema is not hashed, see the next test
                assert broken_at(changed, head) == index + 1, bytes(flipped)
    assert tried >= {
        *("game_created", "seat_taken", "seat_left", "game_started", "move_made"),
        *("game_scored", "game_aborted"),
    }


@pytest.mark.parametrize("schema", [b"0", b"1", b"3", b"6", b":", b'"', b"r"])
def test_another_schema_is_named_with_its_version(fake_store: Store, schema: bytes) -> None:
    store = fake_store
    ada = store.players.create("Ada")[0]
    table = store.commands.create(Intent(ada), beans_game()).table
    entries = store.ledger.entries(table.id)
    text = entries[1][1][b"event"].replace(b'{"schema":2', b'{"schema":' + schema, 1)
    rewrite(store, table.id, [entries[0], (entries[1][0], {b"event": text})])
    report = store.audit.game(table.id)
    assert {problem["version"] for problem in report.problems} == {2}


def rewrite(store: Store, game_id: str, entries: Entries) -> None:
    """Write a stream as a person with access to the server could."""
    store.redis.delete(keys.events(game_id))
    for entry_id, fields in entries:
        values: Any = fields
        store.redis.xadd(keys.events(game_id), values, id=entry_id)


@pytest.mark.slow
@pytest.mark.parametrize(
    "tamper",
    [
        lambda text: text.replace(b'"at":', b'"at": ', 1),
        lambda text: b'{"type":"seat_taken",' + text[1:],
        lambda text: text.replace(b'"prev"', b'"prew"', 1),
        lambda text: text + b" ",
        lambda _text: b"[]",
        lambda _text: b"{",
        lambda _text: b"",
    ],
)
@pytest.mark.parametrize("index", [0, 2, -1])
def test_a_text_that_means_the_same_is_not_what_was_appended(
    streams: list[list[bytes]], tamper: Any, index: int
) -> None:
    texts = streams[0]
    head = hash_stored(texts[-1])
    index %= len(texts)
    changed = [*texts[:index], tamper(texts[index]), *texts[index + 1 :]]
    assert broken_at(changed, head) == index + 1


def test_events_changed_with_all_their_successors_differ_from_the_head_that_the_store_knows() -> (
    None
):
    honest = seal_all([{"type": "seat_taken", "version": n} for n in (1, 2, 3)])
    forged = seal_all([{"type": "seat_taken", "version": n, "seat": 1} for n in (1, 2, 3)])
    assert broken_at([one.text for one in forged], honest[-1].hash) == 3
    assert broken_at([one.text for one in forged], None) is None


def test_a_first_event_that_names_another_is_found() -> None:
    texts = [one.text for one in seal_all([{"type": "seat_taken"}], prev="1" * 64)]
    assert broken_at(texts, None) == 1


def test_an_upcast_event_in_the_middle_keeps_the_chain(fake_store: Store) -> None:
    """A checker takes the hash of an upcast event as given, and the chain goes on."""
    store = fake_store
    store_old_stream(store)
    rewrite(store, "OLD", store.ledger.entries("OLD")[:-1])
    table = store.projector.table("OLD")
    assert table.status == "scoring"
    store.commands.score("OLD")
    events = store.ledger.deliver("OLD")
    assert [event.get("upcast", False) for event in events[:-1]].count(True) > 2
    assert events[-1]["prev"] == events[-2]["hash"] == canonical_hash_of_stored(store, -2)
    report = store.audit.game("OLD")
    assert (report.chained_from, [one["problem"] for one in report.problems]) == (len(events), [])


def canonical_hash_of_stored(store: Store, index: int) -> str:
    event = orjson.loads(texts_of(store, "OLD")[index])
    return canonical_hash({key: value for key, value in event.items() if key != "schema"})


def test_an_event_is_at_most_90_bytes_longer_than_before_the_chain(fake_store: Store) -> None:
    ada = fake_store.players.create("Ada")[0]
    table = fake_store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    play_out(fake_store, ada, table)
    for _, fields in fake_store.ledger.entries(table.id):
        event = orjson.loads(fields[b"event"])
        before = {key: value for key, value in event.items() if key != "prev"}
        longer = len(fields[b"event"]) - len(orjson.dumps(before)) + len(fields[b"nonce"])
        assert longer <= 90


def test_every_type_from_before_the_chain_has_a_schema_with_the_chain() -> None:
    assert {type_ for type_ in BEFORE_CHAIN if KINDS[type_].schema < CHAINED} == set()


def test_the_types_from_before_the_chain_are_those_that_have_a_schema_without_it() -> None:
    # Their schema 2 came later, for other reasons.
    chained_from_the_start = {MOVES_TAKEN_BACK, SEAT_DECLINED, SEAT_TAKEN_OVER, STAND_IN_SEATED}
    older = {row.type for row in KINDS.values() if 1 in row.upcasters}
    assert older - chained_from_the_start == BEFORE_CHAIN


def test_an_event_whose_schema_does_not_fit_its_link_is_called_so() -> None:
    sealed = seal({"type": "game_created", "prev": GENESIS}, CHAINED).text
    unlinked = orjson.dumps({"schema": CHAINED, "type": "game_created"})
    older = sealed.replace(b'{"schema":2', b'{"schema":1', 1)
    for text, fault in (
        (unlinked, "an event of schema 2, not chained"),
        (older, "an event of schema 1, chained"),
    ):
        found = find_break([text], read_links([text], None))
        assert found == (1, fault)
