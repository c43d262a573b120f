"""An archive that fails: its games are 503, never 404 or 500, and games in the store play on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from redis import Redis
from sqlalchemy import Engine, event

from cartulary.events.archive.archive import Archive
from cartulary.events.archive.errors import (
    ArchiveError,
    ArchiveFull,
    ArchiveReadOnly,
    ForeignArchive,
)
from cartulary.events.archive.reading import ArchiveReader
from cartulary.events.archive.tables import VERSION_TABLE
from cartulary.events.commands.commands import Intent
from cartulary.events.live.live import Hub
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.http.shared.stream_visibility import StreamVisibility
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import Caller, played_out, register_player
from tests.support.polling import until
from tests.support.small_transcript import small
from tests.support.store_with_archive import archive_all, find_url, open_with_archive

UNKNOWN = "01J0000000000000000000000A"
READS = (
    *("", "/events", "/moves", "/transcript", "/board.svg", "/features", "/story", "/messages"),
    *("/note", "/verification", "/states/1"),
)

LATER_INDEXES = "SELECT name FROM sqlite_master WHERE name LIKE 'games_listed%'"


class Scene(NamedTuple):
    """Ada, an archived game of hers and one in the store, as a fresh process sees them."""

    store: Store
    ada: Caller
    gone: str
    running: str


def open_read_only(folder: Path) -> str:
    return f"sqlite:///file:{folder}/archive.sqlite?mode=ro&uri=true"


def put_version(folder: Path, version: str) -> None:
    with sqlite3.connect(folder / "archive.sqlite") as changed:
        changed.execute(f"UPDATE {VERSION_TABLE} SET version_num = ?", (version,))
    changed.close()


def lose(folder: Path) -> str:
    shutil.move(folder / "archive.sqlite", folder / "elsewhere")
    return f"sqlite:///{folder}/missing/archive.sqlite"


def spoil(folder: Path) -> str:
    for file in folder.glob("archive.sqlite*"):
        file.unlink()
    (folder / "archive.sqlite").write_bytes(b"no database" * 1000)
    return find_url(folder)


def migrate_further(folder: Path) -> str:
    put_version(folder, "9999")
    return find_url(folder)


def make_older(folder: Path) -> str:
    """Make the archive what an earlier release has left, in a place where nothing is written."""
    with sqlite3.connect(folder / "archive.sqlite") as changed:
        for (name,) in changed.execute(LATER_INDEXES).fetchall():
            changed.execute(f"DROP INDEX {name}")
    changed.close()
    put_version(folder, "0002")
    return open_read_only(folder)


def name_missing(folder: Path) -> str:
    return f"sqlite:///{folder}/another.sqlite"


def name_foreign(folder: Path) -> str:
    Archive.open(name_missing(folder)).close()
    return name_missing(folder)


@pytest.fixture
def archived(real_redis: Redis, tmp_path: Path) -> tuple[str, str, str, str]:
    """A game in the archive and a game in the store, and the player of both: token and id."""
    with open_with_archive(real_redis, tmp_path) as store:
        ada = register_player(make_app(store), "Ada")
        gone = played_out(ada)
        archive_all(store)
        running = str(ada.open("me", "me")["id"])
        assert ada.token
        return gone, running, ada.token, ada.id


def make_app(store: Store) -> Flask:
    return create_app(WebSettings(log_requests=False, rates={}), store, OFFERS)


@pytest.fixture
def meet(
    archived: tuple[str, str, str, str], real_redis: Redis, tmp_path: Path
) -> Iterator[Callable[[str], Scene]]:
    """Return what opens the service on another URL of the archive."""
    gone, running, token, player_id = archived
    opened = []

    def open_(url: str) -> Scene:
        held = open_with_archive(real_redis, tmp_path, lambda noted: Archive.open(url, noted=noted))
        store = held.__enter__()
        opened.append(held)
        ada = Caller(make_app(store).test_client(), token, player_id)
        return Scene(store, ada, gone, running)

    yield open_
    for held in opened:
        held.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("break_", "problem", "told"),
    [
        (lose, "unreachable", "the archive of finished games does not answer"),
        (spoil, "unreachable", "the archive of finished games does not answer"),
        (migrate_further, "newer", "a newer release of the service has written this"),
        (make_older, "older", "an earlier release of the service has written the archive"),
        (name_missing, "unreachable", "the archive of finished games does not answer"),
        (name_foreign, "foreign", "the database that is set up here is not the archive of"),
    ],
)
def test_a_game_of_an_archive_that_fails_is_503_and_games_in_the_store_play_on(
    meet: Callable[[str], Scene],
    tmp_path: Path,
    break_: Callable[[Path], str],
    problem: str,
    told: str,
) -> None:
    scene = meet(break_(tmp_path))
    for end in READS:
        answer = scene.ada.get(f"/games/{scene.gone}{end}")
        assert (answer.status_code, answer.json["code"]) == (503, "archive_unavailable"), end
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.json["detail"].startswith(told)
        assert str(tmp_path) not in answer.text
    for path, body in (("messages", {"room": "players", "text": "Hm"}), ("rematch", {})):
        answer = scene.ada.post(f"/games/{scene.gone}/{path}", body)
        assert (answer.status_code, answer.json["code"]) == (503, "archive_unavailable"), path
    assert scene.ada.get("/games").json["code"] == "archive_unavailable"
    page = scene.ada.client.get(f"/games/{scene.gone}")
    assert (page.status_code, page.mimetype) == (200, "text/html"), "the page says that it waits"
    assert scene.ada.move(scene.running).status_code == 201
    assert scene.ada.get(f"/games/{scene.running}/events").status_code == 200
    assert ask_readiness(scene) == ("failing", problem)
    with pytest.raises(ArchiveError):
        scene.store.make_archiver().check()
    assert scene.store.archive_state.read().problem == problem


def ask_readiness(scene: Scene) -> tuple[str, str | None]:
    """Return what `/readyz` says of the archive while a dispatcher works."""
    scene.store.heartbeats.write(0, 0.0)
    said: Any = scene.ada.client.get("/readyz").json
    return said["archive"], said["archive_problem"]


def test_readyz_of_a_process_without_the_url_says_that_its_archive_fails(
    archived: tuple[str, str, str, str], real_redis: Redis
) -> None:
    gone, running, token, player_id = archived
    store = Store(real_redis, OFFERS)
    ada = Caller(make_app(store).test_client(), token, player_id)
    assert ask_readiness(Scene(store, ada, gone, running)) == ("failing", "unreachable")


def test_after_the_url_is_right_again_the_games_are_there(
    meet: Callable[[str], Scene], tmp_path: Path
) -> None:
    wrong = meet(name_foreign(tmp_path))
    assert wrong.ada.get(f"/games/{UNKNOWN}").json["code"] == "archive_unavailable"
    with pytest.raises(ForeignArchive):
        wrong.store.make_archiver().check()
    right = meet(find_url(tmp_path))
    right.store.make_archiver().check()
    assert ask_readiness(right) == ("ok", None)
    for end in READS:
        assert right.ada.get(f"/games/{right.gone}{end}").status_code == 200, end
    assert right.ada.get(f"/games/{UNKNOWN}").json["code"] == "not_found"
    listed = right.ada.get("/games", query_string={"player": "me"}).json["games"]
    assert {one["id"] for one in listed} == {right.gone, right.running}


def test_a_game_of_a_read_only_archive_is_read_brought_back_and_stays_in_the_store(
    meet: Callable[[str], Scene], tmp_path: Path
) -> None:
    scene = meet(open_read_only(tmp_path))
    before = scene.ada.get(f"/games/{scene.gone}/events").json
    note = scene.ada.put(f"/games/{scene.gone}/note", {"text": "Later"})
    assert note.status_code == 200, note.text
    scene.store.redis.delete(keys.pin(scene.gone))
    with pytest.raises(ArchiveReadOnly):
        archive_all(scene.store)
    assert scene.ada.get(f"/games/{scene.gone}/events").json == before
    assert scene.ada.get(f"/games/{scene.gone}/note").json["text"] == "Later"
    assert scene.ada.get("/games").status_code == 200
    gone = scene.ada.post("/players/me/deletion", {"confirm": "Ada"})
    assert (gone.status_code, gone.json["code"]) == (503, "archive_unavailable")


@pytest.fixture
def no_room() -> Iterator[Callable[[bool], None]]:
    """Return what fills the disks of archives that are opened from then on, or frees them."""
    full = [False]

    def limit(connection: Any, _record: object) -> None:
        if full[0]:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(Engine, "connect", limit)
    yield lambda is_full: full.__setitem__(0, is_full)
    event.remove(Engine, "connect", limit)


def test_a_full_archive_is_read_and_all_games_stay_in_the_store_until_there_is_room(
    meet: Callable[[str], Scene], tmp_path: Path, no_room: Callable[[bool], None]
) -> None:
    no_room(True)
    scene = meet(find_url(tmp_path))
    before = scene.ada.get(f"/games/{scene.gone}/events").json
    later = [played_out(scene.ada) for _ in range(20)]
    with pytest.raises(ArchiveFull):
        archive_all(scene.store)
    assert ask_readiness(scene) == ("failing", "full")
    assert "is full" in scene.store.archive_state.read().error
    for game in (scene.gone, *later):
        assert scene.ada.get(f"/games/{game}").json["status"] == "over"
    assert scene.ada.get(f"/games/{scene.gone}/events").json == before
    query = {"player": "me", "limit": "50"}
    listed = scene.ada.get("/games", query_string=query).json["games"]
    assert {one["id"] for one in listed} == {scene.gone, scene.running, *later}
    assert scene.ada.move(scene.running).status_code == 201
    note = scene.ada.put(f"/games/{scene.gone}/note", {"text": "Later"})
    assert note.status_code == 200, note.text
    no_room(False)
    roomy = meet(find_url(tmp_path))
    assert archive_all(roomy.store).archived == len([scene.gone, *later])
    assert ask_readiness(roomy) == ("ok", None)
    assert roomy.ada.get(f"/games/{scene.gone}/note").json["text"] == "Later"
    listed = roomy.ada.get("/games", query_string=query).json["games"]
    assert {one["id"] for one in listed} == {scene.gone, scene.running, *later}


def test_a_damaged_row_spoils_no_list_and_is_no_missing_game(
    meet: Callable[[str], Scene], tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "archive.sqlite") as changed:
        changed.execute("UPDATE games SET summary = x'00', version = version + 1")
    changed.close()
    scene = meet(find_url(tmp_path))
    listed = scene.ada.get("/games", query_string={"player": "me"})
    assert [one["id"] for one in listed.json["games"]] == [scene.running]
    assert scene.ada.get(f"/games/{scene.gone}").status_code not in (200, 404)


def test_readers_of_an_archived_game_stay_while_the_archive_fails(
    meet: Callable[[str], Scene], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cartulary.service.http.shared.stream_visibility._may_lose_sight", lambda *_: True
    )
    ended: list[str] = []
    scene = meet(find_url(tmp_path))
    table = scene.store.projector.table(scene.gone)
    for find in (find_url, lose):
        seen_by = meet(find(tmp_path)).store
        stream_visibility = StreamVisibility(seen_by.ledger, seen_by.projector)
        stream_visibility.hold(table, "somebody", lambda: ended.append("ended"))
        stream_visibility.look()
        assert ended == []


def test_streams_of_many_archived_games_ask_the_archive_once(
    real_redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cartulary.service.http.shared.stream_visibility._may_lose_sight", lambda *_: True
    )
    monkeypatch.setattr("cartulary.events.live.live.LOOK", 0.02)
    monkeypatch.setattr("cartulary.events.live.looks.ROUND", 1)
    asked: list[list[str]] = []
    heads = ArchiveReader.heads

    def note(reader: ArchiveReader, ids: Sequence[str]) -> Mapping[str, tuple[int, str]]:
        asked.append(list(ids))
        return heads(reader, ids)

    with open_with_archive(real_redis, tmp_path) as store:
        ada = store.players.create("Ada")[0]
        tables = [store.commands.import_transcript(Intent(ada), small()).table for _ in range(3)]
        archive_all(store)
        games = sorted(table.id for table in tables)
        stream_visibility = StreamVisibility(store.ledger, store.projector)
        for table in tables:
            stream_visibility.hold(table, "somebody", lambda: None)
        monkeypatch.setattr(ArchiveReader, "heads", note)
        stream_visibility.look()
        assert [sorted(ids) for ids in asked] == [games]
        with closing(Hub(store.ledger)) as hub:
            followed = [hub.subscribe(table.id, table.version) for table in tables]
            asked.clear()
            until(lambda: games in map(sorted, asked))
            assert not any(one.closed for one in followed)
