"""A damaged row of the archive: verification says what is wrong, all else says it or is right."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from redis import Redis

from cartulary.events.archive.tables import games
from cartulary.events.server import keys
from cartulary.events.store import Store
from cartulary.games import OFFERS
from cartulary.service.app import create_app
from cartulary.service.process.settings import WebSettings
from tests.service.support.caller import (
    API,
    METRICS,
    METRICS_TOKEN,
    Caller,
    played_out,
    register_player,
)
from tests.service.support.description import ENDLESS
from tests.support.night import short_or_long
from tests.support.store_with_archive import archive_all, open_with_archive

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("sketched_pictures")]

OF_TEXT = {
    "empty": "''",
    "truncated": "substr({0}, 2)",
    "garbage": "'garbage'",
    "no Unicode": "CAST(x'ff' || {0} AS TEXT)",
    "bytes": "CAST('garbage' AS BLOB)",
}
OF_BYTES = {
    "empty": "x''",
    "empty text": "''",
    "truncated": "substr({0}, 1, length({0}) / 2)",
    "garbage": "x'00ff00ff'",
    "text": "'garbage'",
    "a number": "17",
    "a flipped bit": "flip({0})",
}
OF_NUMBERS = {
    "zero": "0",
    "negative": "-1",
    "a flipped bit": "coalesce({0}, 0) | 1024",
    "text": "'garbage'",
    "a fraction": "1.5",
    "bytes": "x'00'",
}
WAYS = {str: OF_TEXT, bytes: OF_BYTES, int: OF_NUMBERS}
"""What is written into a column of a type; `{0}` is its name."""


def list_damages() -> Iterator[tuple[str, list[str]]]:
    """Yield each column with the ways to damage it, as statements in SQLite."""
    for number, column in enumerate(games.c):
        ways = WAYS[column.type.python_type] | ({"null": "NULL"} if column.nullable else {})
        changes = [f"{column.name} = {way.format(column.name)}" for way in ways.values()]
        # On each commit one way, another one for each column.
        changes = short_or_long([changes[number % len(changes)]], changes)
        yield column.name, [f"UPDATE games SET {one}" for one in changes]
    lost = ["DELETE FROM games", "DELETE FROM people"]
    yield "rows that are missing", lost
    people = [f"UPDATE people SET {one}" for one in ("seat = 'garbage'", "player = x'00'")]
    yield "people", people


def group_damages() -> Iterator[Any]:
    """Yield damages for one scene: by day of every third column, at night of one.

    A scene takes as long as three damages, and each damage begins with the archive as it was.
    """
    damages = [*list_damages()]
    groups = short_or_long(3, len(damages))
    for at in range(groups):
        names, statements = zip(*damages[at::groups], strict=True)
        yield pytest.param([one for some in statements for one in some], id=", ".join(names))


def flip(value: bytes) -> bytes:
    """Return bytes of which the one in the middle is changed."""
    middle = len(value) // 2
    return value[:middle] + bytes((value[middle] ^ 1,)) + value[middle + 1 :] if value else b"\1"


class Scene(NamedTuple):
    """Ada and a stranger, and an archived game of Ada's with its file, and a copy of that."""

    store: Store
    ada: Caller
    stranger: Caller
    game: str
    file: Path
    copy: sqlite3.Connection

    def damage(self, statement: str) -> bool:
        """Change the archive as it was, past the service; return whether that has changed a row."""
        with closing(sqlite3.connect(self.file)) as changed:
            self.copy.backup(changed)
            changed.create_function("flip", 1, flip)
            before = read_rows(changed)
            changed.execute(statement)
            changed.commit()
            self.forget()
            return read_rows(changed) != before

    def forget(self) -> None:
        """Forget what this process and the store know of the game."""
        self.store.projector.forget()
        self.store.archive.forget(self.game)
        self.store.redis.delete(
            *self.store.redis.keys(f"{{{self.game}}}:*"), keys.talked(self.ada.id)
        )


def read_rows(opened: sqlite3.Connection) -> list[Any]:
    opened.text_factory = bytes
    return [opened.execute(f"SELECT * FROM {one}").fetchall() for one in ("games", "people")]


@pytest.fixture
def scene(real_redis: Redis, tmp_path: Path) -> Iterator[Scene]:
    with open_with_archive(real_redis, tmp_path) as store:
        settings = WebSettings(log_requests=False, rates={}, metrics_token=METRICS_TOKEN)
        app = create_app(settings, store, OFFERS)
        ada = register_player(app, "Ada")
        ada.post("/players/me/recovery_codes", {})
        game = played_out(ada)
        ada.post(f"/games/{game}/messages", {"room": "players", "text": "Hm"})
        ada.put(f"/games/{game}/note", {"text": "Later"})
        archive_all(store)
        file, copy = tmp_path / "archive.sqlite", sqlite3.connect(":memory:")
        with closing(sqlite3.connect(file)) as whole:
            whole.backup(copy)
        found = Scene(store, ada, register_player(app, "Eve"), game, file, copy)
        found.forget()  # a table that a command has made has keys in another order
        yield found
        copy.close()


def list_reads(described: dict[str, Any]) -> Iterator[str]:
    """Yield the paths of all reads of one game, by the description of the API."""
    for path, methods in described["paths"].items():
        found = methods.get("get")
        if found is not None and "{game_id}" in path and found["operationId"] not in ENDLESS:
            yield path


def ask(caller: Caller, path: str, game: str) -> tuple[int, Any]:
    """Return the status of a read, and what it says: of a refusal the code."""
    answer = caller.get(path.format(game_id=game, version=2).removeprefix(API))
    text = answer.get_data()
    answer.close()  # gives the place of a stream back
    if answer.status_code >= 400:
        return answer.status_code, (answer.json["code"], "Retry-After" in answer.headers)
    return answer.status_code, text


SAID = (503, ("game_damaged", True))
WRITES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("POST", "messages", {"room": "players", "text": "Again"}),
    ("PUT", "note", {"text": "Again"}),
    ("POST", "rematch", {}),
    ("POST", "branches", {"version": 2}),
)


@pytest.mark.parametrize("statements", [*group_damages()])
def test_a_damaged_row_is_named_by_the_verification_and_nothing_else_is_untrue(
    scene: Scene, described: dict[str, Any], statements: list[str]
) -> None:
    ada, game = scene.ada, scene.game
    paths = [one for one in list_reads(described) if not one.endswith("/verification")]
    known = {path: ask(ada, path, game) for path in paths}
    for statement in filter(scene.damage, statements):
        verified = ada.get(f"/games/{game}/verification")
        assert verified.status_code == 200, (statement, verified.text)
        assert not verified.json["valid"], statement
        assert verified.json["problems"], statement
        for path in paths:
            assert ask(ada, path, game) in (known[path], SAID), (statement, path)
        assert ada.get("/games", query_string={"player": "me"}).status_code == 200, statement
        for method, path, body in WRITES:
            answer = ada.send(method, f"/games/{game}/{path}", json=body)
            is_written = answer.status_code in (200, 201)
            assert is_written or answer.json["code"] == "game_damaged", (statement, answer.text)


def test_the_metrics_count_the_answers_about_damaged_games(scene: Scene) -> None:
    scene.damage("UPDATE games SET head = ''")
    assert scene.ada.get(f"/games/{scene.game}").json["code"] == "game_damaged"
    shown = scene.ada.client.get("/metrics", headers=METRICS).text
    assert "cartulary_damaged_game_answers_total 1.0" in shown


def test_a_damaged_private_game_is_not_shown_to_strangers(scene: Scene) -> None:
    scene.damage("UPDATE games SET visibility = 'private'")
    assert scene.ada.get(f"/games/{scene.game}").status_code == 503
    for end in ("", "/events", "/verification", "/note"):
        assert scene.stranger.get(f"/games/{scene.game}{end}").status_code == 404, end


@pytest.mark.parametrize(
    "change", short_or_long(["summary = x''"], ["form = 99", "head = ''", "summary = x''"])
)
def test_a_row_that_was_repaired_is_verified_again(scene: Scene, change: str) -> None:
    def verify() -> bool:
        is_valid: bool = scene.ada.get(f"/games/{scene.game}/verification").json["valid"]
        return is_valid

    scene.damage(f"UPDATE games SET {change}")
    assert not verify()
    assert not scene.damage("UPDATE games SET form = form"), "the row is as it was"
    assert verify()
