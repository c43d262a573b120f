"""Dumps: which games are in one, what a line says, and that no person is in it against a no."""

from __future__ import annotations

import hashlib
import random
import resource
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from redis import Redis

from cartulary.engine.transcript import Playback, from_json, verify
from cartulary.events.commands.commands import Intent
from cartulary.events.dumps import writing
from cartulary.events.dumps.choosing import Month
from cartulary.events.dumps.consent import Consents
from cartulary.events.dumps.decisions import is_installed
from cartulary.events.dumps.lines import DumpedGame, describe_game
from cartulary.events.dumps.placing import DumpExists
from cartulary.events.dumps.published import find_published, list_published
from cartulary.events.dumps.writing import DumpUnsettled, DumpWriter, WrittenDump
from cartulary.events.model.fairness import DerivedSource, commit, derive_seed
from cartulary.events.people.players import Player
from cartulary.events.ratings.stored import RatingChange
from cartulary.events.store import Store
from cartulary.ratings.scale import Standing
from tests.events.support.rematches import begin, play_out
from tests.support.games import ALL_GAMES
from tests.support.store_with_archive import add_game, archive_all, open_with_archive, tell_all

pytestmark = pytest.mark.real

YES = {"open_data": "yes"}


@pytest.fixture
def store(real_redis: Redis, tmp_path: Path) -> Iterator[Store]:
    with open_with_archive(real_redis, tmp_path) as store:
        yield store


@pytest.fixture
def people(store: Store) -> list[Player]:
    """Two players who have said yes."""
    found = [store.players.create(name)[0] for name in ("Ada", "Bob")]
    for one in found:
        store.preferences.change(one.id, YES)
    return found


def now(store: Store) -> Month:
    return Month.parse(f"{datetime.fromtimestamp(store.clock.now_ms() / 1000, UTC):%Y-%m}")


def finish(store: Store, *people: Player, **more: Any) -> str:
    game = play_out(store, begin(store, *people, **more), *people).id
    tell_all(store)
    return game


def write(store: Store, folder: Path, seed: int = 1, again: bool = False) -> WrittenDump:
    writer = DumpWriter(store, random.Random(seed))
    return writer.write(now(store), folder, lambda _a, _b: None, again)


def read(store: Store, folder: Path) -> list[dict[str, Any]]:
    packed = (folder / now(store).name / "games.jsonl.zst").read_bytes()
    text = zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    return [orjson.loads(line) for line in text.splitlines()]


def test_no_game_is_in_a_dump_until_all_its_people_have_said_yes(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    ada, bob = people
    eve = store.players.create("Eve")[0]
    finish(store, ada, bob)
    finish(store, ada, eve)
    finish(store, ada, bots=1)
    assert write(store, tmp_path / "one").games == 2
    store.preferences.change(eve.id, YES)
    assert write(store, tmp_path / "two").games == 3
    store.preferences.change(ada.id, {"open_data": "no"})
    assert write(store, tmp_path / "three").games == 0


def test_private_imported_running_and_unfinished_games_are_in_no_dump(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    finish(store, people[0], bots=1, visibility="private")
    add_game(store)
    begin(store, *people)
    store.commands.abort(Intent(people[0]), begin(store, people[0], bots=1).id)
    tell_all(store)
    assert write(store, tmp_path).games == 0


def test_archived_games_and_those_in_the_store_are_in_a_dump_once(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    first = finish(store, *people)
    archive_all(store)
    second = finish(store, *people)
    assert write(store, tmp_path / "one").games == 2
    store.bringing_back.unarchive(first)
    assert second
    assert write(store, tmp_path / "two").games == 2
    assert [line["number"] for line in read(store, tmp_path / "two")] == [0, 1]


def test_a_deleted_player_is_in_no_later_dump(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    ada, bob = people
    finish(store, ada, bob)
    finish(store, bob, bots=1)
    archive_all(store)
    assert write(store, tmp_path / "before").games == 2
    store.accounts.deletion.delete(ada, "Ada")
    assert write(store, tmp_path / "after").games == 1
    assert len(read(store, tmp_path / "after")[0]["seats"]) == 2


def test_who_leaves_while_a_dump_is_written_is_not_in_it(
    store: Store, people: list[Player], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bob = people
    finish(store, ada, bob)
    finish(store, bob, bots=1)
    archive_all(store)
    describe, left = describe_game, iter([True])

    def delete_meanwhile(*arguments: Any) -> Any:
        if next(left, False):
            store.accounts.deletion.delete(ada, "Ada")
        return describe(*arguments)

    monkeypatch.setattr(writing, "describe_game", delete_meanwhile)
    assert write(store, tmp_path) == WrittenDump(1, 1, is_installed())
    assert [one.name for one in (tmp_path).iterdir() if one.name.startswith(".")] == []


def test_a_dump_in_which_people_leave_all_the_time_is_given_up(
    store: Store, people: list[Player], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [store.players.create(f"P{number}")[0] for number in range(writing.ATTEMPTS)]
    for one in others:
        store.preferences.change(one.id, YES)
        finish(store, one, bots=1)
    write_texts, leaving = writing.write_texts, iter(others)

    def leave(*arguments: Any) -> None:
        store.preferences.change(next(leaving).id, {"open_data": "no"})
        write_texts(*arguments)

    monkeypatch.setattr(writing, "write_texts", leave)
    with pytest.raises(DumpUnsettled):
        write(store, tmp_path / "dumps")
    assert list((tmp_path / "dumps").iterdir()) == []


def test_a_month_that_is_written_again_has_nobody_who_has_left_since(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    ada, bob = people
    finish(store, ada, bob)
    finish(store, bob, bots=1)
    assert write(store, tmp_path) == WrittenDump(2, 2, is_installed())
    store.accounts.deletion.delete(ada, "Ada")
    assert write(store, tmp_path, again=True) == WrittenDump(1, 1, is_installed())
    assert [one.name for one in tmp_path.glob(".*")] == []
    (month,) = list_published(tmp_path)
    for one in month.files:
        content = (tmp_path / month.month / one.name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one.sha256


def test_a_disk_that_is_full_leaves_the_month_as_it_was(
    store: Store, people: list[Player], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill_disk(*arguments: Any) -> Any:
        """Let no file grow any more: SQLite, which makes files as well, has read all by now."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, limits[1]))
        return describe_game(*arguments)

    def write_on_full_disk(again: bool) -> None:
        with monkeypatch.context() as full:
            full.setattr(writing, "describe_game", fill_disk)
            try:
                write(store, tmp_path, again=again)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    finish(store, *people)
    with pytest.raises(OSError, match=r"[Ff]ile too large"):
        write_on_full_disk(again=False)
    assert list(tmp_path.glob("*20*")) == []
    write(store, tmp_path)
    before = read(store, tmp_path)
    with pytest.raises(OSError, match=r"[Ff]ile too large"):
        write_on_full_disk(again=True)
    assert read(store, tmp_path) == before
    assert list(tmp_path.glob(".20*")) == []


def test_a_month_that_is_there_is_not_changed_unasked(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    write(store, tmp_path)
    finish(store, *people)
    with pytest.raises(DumpExists):
        write(store, tmp_path)
    assert read(store, tmp_path) == []


def test_a_line_names_nobody_and_no_game(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    game = finish(store, *people)
    write(store, tmp_path)
    text = orjson.dumps(read(store, tmp_path)).decode()
    for secret in (game, *(one.id for one in people), "Ada", "Bob"):
        assert secret not in text


def test_players_are_numbered_afresh_in_each_dump(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    ada, bob = people
    finish(store, ada, bob)
    found = set()
    for seed in range(8):
        write(store, tmp_path / str(seed), seed)
        found.add(tuple(seat["player"] for seat in read(store, tmp_path / str(seed))[0]["seats"]))
    assert found == {(1, 2), (2, 1)}


def test_one_player_has_one_number_in_all_games_of_a_dump(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    finish(store, *people)
    finish(store, *people)
    write(store, tmp_path)
    one, two = ([seat["player"] for seat in line["seats"]] for line in read(store, tmp_path))
    assert one == two


def test_a_bot_of_a_player_says_what_its_owner_says(store: Store) -> None:
    owner = store.players.create("Eve")[0]
    bot = store.own_bots.make(owner, "Robo", "")[0].player
    assert not Consents(store.players, store.preferences).are_given([bot.id])
    store.preferences.change(owner.id, YES)
    assert Consents(store.players, store.preferences).are_given([bot.id])
    assert not Consents(store.players, store.preferences).are_given(["nobody"])


def test_the_transcript_of_a_line_is_valid_and_its_proof_gives_the_draws(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    finish(store, *people)
    write(store, tmp_path)
    (line,) = read(store, tmp_path)
    rules = {"beans": ALL_GAMES["beans"]}
    transcript = from_json(line["transcript"], rules)
    assert verify(transcript, rules).valid
    proof, playback = line["proof"], Playback(transcript, rules)
    secret = bytes.fromhex(proof["secret"])
    assert commit(secret) == proof["commitment"]
    source = DerivedSource(derive_seed(secret, proof["entropies"]))
    setup = rules["beans"].draw_setup(2, transcript.options, source)
    state = rules["beans"].new(2, transcript.options, setup)
    drawn = state.settle(source)
    while not playback.done:
        drawn += state.apply(playback.entry.move, source).chance
        playback.step()
    assert drawn == transcript.draws


def test_the_checksums_are_those_of_the_files_and_name_all_of_them(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    finish(store, *people)
    write(store, tmp_path)
    folder = tmp_path / now(store).name
    (month,) = list_published(tmp_path)
    assert {one.name for one in month.files} | {"SHA256SUMS"} == {
        path.name for path in folder.iterdir()
    }
    for one in month.files:
        content = (folder / one.name).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (one.bytes, one.sha256)
        assert find_published(tmp_path, month.month, one.name) == (folder / one.name, one.sha256)


@pytest.mark.parametrize(
    ("month", "name"),
    [("..", "SHA256SUMS"), ("2026-13", "a"), ("2026-10", "../x"), ("2026-10", "missing")],
)
def test_only_what_the_checksums_name_is_published(tmp_path: Path, month: str, name: str) -> None:
    (tmp_path / "x").write_text("secret")
    (tmp_path / "2026-10").mkdir()
    (tmp_path / "2026-10" / "SHA256SUMS").write_text(f"{'0' * 64}  ../x\n{'0' * 64}  missing\n")
    assert find_published(tmp_path, month, name) is None
    assert list_published(tmp_path) == []


@pytest.mark.parametrize("text", ["2026", "2026-13", "2026-1", "26-10", "2026-10-01", "", "x"])
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no month"):
        Month.parse(text)


def test_a_month_ends_where_the_next_begins() -> None:
    months = [Month.parse(one) for one in ("2026-11", "2026-12", "2027-01")]
    assert [one.ends for one in months[:2]] == [one.begins for one in months[1:]]


def test_the_decisions_of_a_dump_are_those_of_its_games(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `dumps` is not installed")
    finish(store, *people)
    write(store, tmp_path)
    (line,) = read(store, tmp_path)
    rows = parquet.read_table(tmp_path / now(store).name / "decisions.parquet").to_pylist()
    assert [(row["move"], row["seat"]) for row in rows] == [
        (number, move["seat"]) for number, move in enumerate(line["transcript"]["moves"])
    ]
    assert [orjson.loads(row["chosen"]) for row in rows] == [
        move["move"] for move in line["transcript"]["moves"]
    ]
    assert {row["player"] for row in rows} == {1, 2}
    assert all(row["value"] is None and len(row["position"]) == 16 for row in rows)


def test_a_decision_has_a_value_where_the_game_was_analysed_to_the_end(
    store: Store, people: list[Player], tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `dumps` is not installed")
    done, begun = (store.projector.table(finish(store, *people)) for _ in range(2))
    for table in (done, begun):
        events = store.ledger.events(table.id, 0, table.version)
        moves = [event["version"] for event in events if event["type"] == "move_made"]
        store.analyses.start(table.id, table.head)
        analysis = store.analyses.find(table.id)
        assert analysis is not None
        found = {"version": moves[1], "value": 2.5, "best_value": 4.0}
        store.analyses.add(table.id, analysis, 0, 1, found)
        if table is done:
            assert store.analyses.finish(table.id, analysis, [])
    write(store, tmp_path)
    rows = parquet.read_table(tmp_path / now(store).name / "decisions.parquet").to_pylist()
    valued = [(one["game"], one["move"], one["value"], one["best_value"]) for one in rows]
    assert [one for one in valued if one[2] is not None] == [(0, 1, 2.5, 4.0)]


def test_a_line_has_rounded_ratings_that_do_not_join_a_player_of_two_months(
    store: Store, people: list[Player]
) -> None:
    table = store.projector.table(finish(store, *people))
    events = store.ledger.events(table.id, 0, table.version)
    change = RatingChange(Standing(), Standing(mu=26.1, sigma=7.0, games=1))
    game = DumpedGame(table, events, {people[0].id: change}, None)
    line = describe_game(game, 5, {people[0].id: 7, people[1].id: 4})
    rated, other = sorted(line["seats"], key=lambda seat: -seat["player"])
    assert (line["number"], line["proof"]) == (5, None)
    assert (change.after.rating, change.after.deviation) == (1566, 840)
    assert rated["before"] == {"rating": 1500, "deviation": 1000}
    assert rated["after"] == {"rating": 1575, "deviation": 850}
    assert (other["before"], other["after"], other["kind"]) == (None, None, "person")
