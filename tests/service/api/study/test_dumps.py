"""Open data over HTTP: what is published, the files, and the choice of a player."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask

from cartulary.events.store import Store
from tests.service.support.caller import Caller
from tests.service.support.scene import problem

CONTENT = b"games"


@pytest.fixture
def published(tmp_path: Path, make_app: Callable[..., Flask]) -> Caller:
    """A visitor of a service that publishes one month, next to an unfinished one."""
    month = tmp_path / "2026-10"
    month.mkdir()
    (month / "games.jsonl.zst").write_bytes(CONTENT)
    (month / "notes").write_text("not listed")
    (month / "SHA256SUMS").write_text(f"{sha256(CONTENT).hexdigest()}  games.jsonl.zst\n")
    (tmp_path / "2026-11").mkdir()
    return Caller(make_app(dumps=str(tmp_path)).test_client())


def test_what_is_published_is_listed_and_its_files_never_change(published: Caller) -> None:
    found = published.get("/dumps").json
    assert found["licence"] == "CC0-1.0"
    ((file,),) = [one["files"] for one in found["months"]]
    assert (file["name"], file["bytes"]) == ("games.jsonl.zst", len(CONTENT))
    answer = published.get(file["href"].removeprefix("/api/v1"))
    assert answer.data == CONTENT
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["ETag"] == f'"{file["sha256"]}"'
    known = {"If-None-Match": f'"{file["sha256"]}"'}
    again = published.get("/dumps/2026-10/games.jsonl.zst", headers=known)
    assert again.status_code == 304


def test_a_month_that_is_written_again_is_in_no_cache_under_its_old_address(
    published: Caller, tmp_path: Path
) -> None:
    def find() -> str:
        href: str = published.get("/dumps").json["months"][0]["files"][0]["href"]
        return href.removeprefix("/api/v1")

    before = find()
    plain = published.get("/dumps/2026-10/games.jsonl.zst")
    sums = published.get("/dumps/2026-10/SHA256SUMS")
    assert {one.headers["Cache-Control"] for one in (plain, sums)} == {"public, max-age=300"}
    month = tmp_path / "2026-10"
    (month / "games.jsonl.zst").write_bytes(b"fewer games")
    (month / "SHA256SUMS").write_text(f"{sha256(b'fewer games').hexdigest()}  games.jsonl.zst\n")
    problem(published.get(before), 404, "not_found")
    assert published.get(find()).data == b"fewer games"


def test_the_checksums_of_a_month_can_be_read(published: Caller) -> None:
    assert published.get("/dumps/2026-10/SHA256SUMS").data.endswith(b"  games.jsonl.zst\n")


@pytest.mark.parametrize("path", ["2026-10/notes", "2026-11/SHA256SUMS", "2026-10/..", "x/y"])
def test_nothing_else_of_the_folder_is_shown(published: Caller, path: str) -> None:
    problem(published.get(f"/dumps/{path}"), 404, "not_found")


def test_a_service_that_publishes_nothing_says_so(visitor: Caller) -> None:
    assert visitor.get("/dumps").json["months"] == []
    problem(visitor.get("/dumps/2026-10/SHA256SUMS"), 404, "not_found")


def test_a_player_has_said_no_until_the_player_says_yes(ada: Caller) -> None:
    assert ada.get("/players/me").json["preferences"]["open_data"] == "no"
    ada.patch("/players/me", {"preferences": {"open_data": "yes"}})
    assert ada.get("/players/me").json["preferences"]["open_data"] == "yes"
    problem(ada.patch("/players/me", {"preferences": {"open_data": "maybe"}}), 422, "invalid")


def test_a_player_is_asked_once_where_open_data_is_published(
    tmp_path: Path, make_app: Callable[..., Flask], store: Store
) -> None:
    def asks(caller: Caller) -> bool:
        shown: bool = caller.get("/players/me").json["asks_open_data"]
        return shown

    silent, publishing = make_app(), make_app(dumps=str(tmp_path))
    for answer in ("yes", "no"):
        player, token = store.players.create("Ada")
        asked = Caller(publishing.test_client(), token)
        assert (asks(Caller(silent.test_client(), token)), asks(asked)) == (False, True)
        asked.patch("/players/me", {"preferences": {"colour": "blue"}})
        assert asks(asked)
        asked.patch("/players/me", {"preferences": {"open_data": answer}})
        asked.patch("/players/me", {"preferences": {"colour": "usual"}})
        assert not asks(asked)
        assert store.preferences.of(player.id)["open_data"] == answer


def test_of_a_bot_its_owner_is_asked(
    tmp_path: Path, make_app: Callable[..., Flask], store: Store
) -> None:
    owner = store.players.create("Eve")[0]
    token = store.own_bots.make(owner, "Robo", "")[1]
    bot = Caller(make_app(dumps=str(tmp_path)).test_client(), token)
    assert not bot.get("/players/me").json["asks_open_data"]


def test_a_part_of_a_file_can_be_read(published: Caller) -> None:
    path = "/dumps/2026-10/games.jsonl.zst"
    part = published.get(path, headers={"Range": "bytes=1-2"})
    assert (part.status_code, part.data) == (206, CONTENT[1:3])
    assert part.headers["Content-Range"] == f"bytes 1-2/{len(CONTENT)}"
    changed = {"Range": "bytes=1-2", "If-Range": '"other"'}
    whole = published.get(path, headers=changed)
    assert (whole.status_code, whole.data) == (200, CONTENT)
    assert published.get(path, headers={"Range": "bytes=99-"}).status_code == 416
