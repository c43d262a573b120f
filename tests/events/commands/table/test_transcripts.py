"""Transcripts out of streams, and streams out of transcripts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from cartulary.engine.canonical import canonical_hash
from cartulary.engine.transcript import from_json, verify
from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.errors import GameNotRunning, Invalid
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import GAMES
from tests.events.model.test_upcast import store_old_stream
from tests.events.support.bean_games import (
    ME,
    OPEN,
    any_move,
    beans_game,
    everything_stored,
    exported,
    play_out,
)
from tests.support.small_transcript import small

CASES = sorted((Path(__file__).parents[3] / "cases" / "carcassonne").glob("*.json"))


@pytest.fixture
def finished(store: Store, ada: Player) -> Table:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME, ME])).table
    return store.commands.score(play_out(store, ada, table).id).table


def test_an_exported_game_is_a_valid_transcript(store: Store, finished: Table) -> None:
    transcript = exported(store, finished)
    assert verify(from_json(transcript, GAMES), GAMES).valid
    assert finished.result is not None
    assert transcript["result"]["scores"] == finished.result["scores"]
    assert transcript["players"] == ["Ada", "Ada", "Ada"]


@pytest.mark.slow
def test_an_imported_game_is_the_same_game(store: Store, finished: Table, ada: Player) -> None:
    transcript = {**exported(store, finished), "players": ["A", "B", "C"], "event": {"city": "X"}}
    written = store.commands.import_transcript(Intent(ada), transcript)
    table = written.table
    assert table.status == "over"
    assert (table.version, table.result) == (finished.version, finished.result)
    assert table.state is not None
    assert finished.state is not None
    assert table.state.state_hash() == finished.state.state_hash()
    assert table.seats_of(ada.id) == [0, 1, 2]
    assert exported(store, table) == transcript
    assert store.audit.game(table.id).problems == []
    assert store.outbox.depth() > 0
    assert (
        store.projector.table(table.id, 30).view_text()
        == store.projector.table(finished.id, 30).view_text()
    )


@pytest.mark.slow
def test_an_import_is_one_append(store: Store, finished: Table, ada: Player) -> None:
    store.outbox.ack(store.outbox.read("test", count=1000))
    transcript = exported(store, finished)
    first = store.commands.import_transcript(Intent(ada, key="k"), transcript)
    assert [entry.version for entry in store.outbox.read("test")] == [finished.version]
    again = store.commands.import_transcript(Intent(ada, key="k"), transcript)
    assert again.replayed
    assert (again.events, again.table.id) == (first.events, first.table.id)


@pytest.mark.slow
def test_an_unfinished_game_goes_on_after_the_import(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), NewGame("carcassonne", [ME, ME])).table
    for _ in range(7):
        table = store.commands.move(Intent(ada), table.id, any_move(table)).table
    transcript = exported(store, table)
    assert sum(transcript["bag"].values()) + len(transcript["draws"]) == 71
    imported = store.commands.import_transcript(Intent(ada), transcript).table
    assert imported.view_text() == table.view_text()
    assert play_out(store, ada, imported).status == "scoring"
    assert store.audit.game(imported.id).problems == []


@pytest.mark.parametrize("moves", [0, 1, 6])
@pytest.mark.slow
def test_what_the_record_leaves_open_is_drawn_at_random(
    store: Store, finished: Table, ada: Player, moves: int
) -> None:
    """The record of draws ends with the last move: the next tile has no player yet."""
    whole = exported(store, finished)
    _, *played = store.ledger.events(finished.id)
    drawn = [letter for event in played[:moves] for letter in event["chance"]]
    transcript = {
        **{key: whole[key] for key in ("format", "game", "options", "seats", "setup")},
        "moves": whole["moves"][:moves],
        "draws": drawn,
        "bag": {letter: whole["draws"][len(drawn) :].count(letter) for letter in whole["draws"]},
    }
    table = store.commands.import_transcript(Intent(ada), transcript).table
    assert table.decision is not None
    assert store.audit.game(table.id).problems == []
    assert play_out(store, ada, table).status == "scoring"


@pytest.mark.slow
def test_every_case_can_be_imported_and_holds(store: Store, ada: Player) -> None:
    assert CASES
    for path in CASES:
        case = json.loads(path.read_text())
        table = store.commands.import_transcript(Intent(ada), case).table
        assert store.audit.game(table.id).problems == [], path.name
        again = exported(store, table)
        assert again["moves"] == case["moves"], path.name


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"format": "pgn"}, "/format"),
        ({"game": "chess"}, "/game"),
        ({"seats": 9}, "/seats"),
        ({"options": {"a/b": 1}}, "/options/a~1b"),
        ({"draws": ["E", "Ω"]}, "/draws/1"),
        ({"result": {"scores": [0, 0, 0], "winners": [0, 1, 2]}}, "/result"),
    ],
)
@pytest.mark.slow
def test_a_wrong_transcript_is_refused_and_nothing_stored(
    store: Store, finished: Table, ada: Player, change: dict[str, Any], pointer: str
) -> None:
    before = everything_stored(store)
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(
            Intent(ada, key="k"), {**exported(store, finished), **change}
        )
    assert [error["pointer"] for error in refused.value.errors] == [pointer]
    assert everything_stored(store) == before


@pytest.mark.slow
def test_an_illegal_move_is_pointed_at(store: Store, finished: Table, ada: Player) -> None:
    transcript = exported(store, finished)
    transcript["moves"][4]["move"] = {"type": "pass"}
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert refused.value.errors[0]["pointer"] == "/moves/4"


@pytest.mark.slow
def test_every_invalid_name_is_pointed_at(store: Store, finished: Table, ada: Player) -> None:
    transcript = {**exported(store, finished), "players": ["A\0", "Bo", "x" * 900_000]}
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert [error["pointer"] for error in refused.value.errors] == ["/players/0", "/players/2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "number",
    [2**64, -(2**63) - 1, 12345678901234567890123, 1.2345678901234568e22, -1e300, -(2.0**63)],
)
def test_a_number_that_would_be_changed_is_refused(
    store: Store, finished: Table, ada: Player, number: float
) -> None:
    transcript = {**exported(store, finished), "note": {"a/b": [0, number]}, "club": number}
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert [error["pointer"] for error in refused.value.errors] == ["/note/a~1b/1"]


@pytest.mark.slow
def test_all_other_values_of_unknown_keys_are_kept(
    store: Store, finished: Table, ada: Player
) -> None:
    notes: list[Any] = [2**64 - 1, -(2**63), 1e19, 0.1, 5e-324, 2.5, True, None, "9" * 30, {"": []}]
    transcript = {**exported(store, finished), "notes": notes}
    table = store.commands.import_transcript(Intent(ada), transcript).table
    store.projector.forget()
    assert repr(exported(store, store.projector.table(table.id))["notes"]) == repr(notes)


@pytest.mark.slow
def test_names_that_were_stored_before_there_was_a_rule_stay_readable(
    store: Store, finished: Table, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = {**exported(store, finished), "players": ["A\0", "\u2028", "x" * 100]}
    with monkeypatch.context() as before:
        before.setattr(
            "cartulary.events.commands.table.transcripts.fault_of_name", lambda name: None
        )
        table = store.commands.import_transcript(Intent(ada), transcript).table
    store.projector.forget()
    assert exported(store, store.projector.table(table.id)) == transcript
    assert store.audit.game(table.id).problems == []


@pytest.mark.parametrize("value", [None, [], "x", 1, {}])
def test_what_is_no_transcript_is_refused(store: Store, ada: Player, value: Any) -> None:
    with pytest.raises(Invalid):
        store.commands.import_transcript(Intent(ada), value)


def test_a_game_that_has_not_started_has_no_transcript(store: Store, ada: Player) -> None:
    table = store.commands.create(Intent(ada), beans_game(ME, OPEN)).table
    with pytest.raises(GameNotRunning):
        exported(store, table)


class TestExtra:
    """The unknown keys of a transcript are part of no event, and come out as they went in."""

    EXTRA: ClassVar[dict[str, Any]] = {"event": "club night", "elo": 1512.5, "notes": [{"é": 1e16}]}

    def test_they_lie_beside_the_stream_and_the_event_has_their_hash(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        given = {**exported(store, table), **self.EXTRA}
        made = store.commands.import_transcript(Intent(ada), given).table
        created = store.ledger.events(made.id)[0]
        assert "extra" not in created
        assert created["extra_hash"] == canonical_hash(self.EXTRA)
        assert exported(store, made) == given
        assert store.audit.game(made.id).problems == []

    def test_a_transcript_without_them_leaves_nothing_beside(
        self, store: Store, ada: Player
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        made = store.commands.import_transcript(Intent(ada), exported(store, table)).table
        assert "extra_hash" not in store.ledger.events(made.id)[0]
        assert store.ledger.extra(made.id) is None

    @pytest.mark.parametrize("tampered", [b'{"event":"other"}', None])
    def test_a_change_of_them_is_found(
        self, store: Store, ada: Player, tampered: bytes | None
    ) -> None:
        table = store.commands.create(Intent(ada), beans_game()).table
        given = {**exported(store, table), **self.EXTRA}
        made = store.commands.import_transcript(Intent(ada), given).table
        if tampered is None:
            store.redis.delete(keys.extra(made.id))
        else:
            store.redis.set(keys.extra(made.id), tampered)
        (problem,) = store.audit.game(made.id).problems
        assert (problem["version"], problem["problem"]) == (1, "extra")

    def test_those_of_an_earlier_release_come_out_of_the_event(self, store: Store) -> None:
        store_old_stream(store, "beans-schema-1-imported.jsonl")
        value = exported(store, store.projector.table("OLD"))
        assert (value["event"], value["elo"], value["n"]) == ("club night", 1512.5, 2**60)


def test_one_number_that_is_too_large_is_named_and_no_second_one(store: Store, ada: Player) -> None:
    transcript = {**small(), "first": 2**64, "second": [2**70]}
    with pytest.raises(Invalid) as refused:
        store.commands.import_transcript(Intent(ada), transcript)
    assert len(refused.value.errors) == 1
