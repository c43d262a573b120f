"""`cartulary mute`, `suspend`, `rename`, `close`, `operator`: in a terminal as on the page."""

from __future__ import annotations

import json

import pytest

from cartulary.events.people.players import Player, hash_token
from cartulary.events.store import Store
from tests.cli.operator_terminal import open_operator_store, run


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    return open_operator_store(monkeypatch)


@pytest.fixture
def ada(store: Store) -> Player:
    return store.players.create("Ada")[0]


def test_an_order_is_carried_out_and_in_the_log(store: Store, ada: Player) -> None:
    done = run("mute", "Ada", "--reason", "insults", "--days", "7")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Ada: mute until ")
    assert store.office.muted.list_all().keys() == {ada.id}
    assert run("reports", "players").stdout.split()[:3] == [ada.id, "Ada", "muted"]
    assert run("unmute", ada.id, "--reason", "sorry").exit_code == 0
    lines = [json.loads(line) for line in run("reports", "log").stdout.splitlines()]
    assert [(one["command"], one["reason"]) for one in lines] == [
        ("unmute", "sorry"),
        ("mute", "insults"),
    ]
    assert lines[0]["by"].startswith("cli:")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("mute", "Zoe Zoeson", "--reason", "x"), 1),
        (("close", "01UNKNOWN", "--reason", "x"), 1),
        (("unsuspend", "Ada", "--reason", "x"), 2),
        (("rename", "Ada", "--reason", "x", "--name", "Аdа"), 2),
        (("suspend", "Ada"), 2),
        (("operator", "Zoe"), 1),
        (("operator", "Ada", "--revoke"), 1),
        (("operator", "--revoke"), 2),
    ],
)
@pytest.mark.usefixtures("ada")
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], code: int) -> None:
    done = run(*arguments)
    assert done.exit_code == code, done.output
    assert done.stderr


def test_a_name_that_two_players_have_is_not_enough(store: Store, ada: Player) -> None:
    other = store.players.create("Ada")[0]
    done = run("suspend", "Ada", "--reason", "x")
    assert done.exit_code == 1
    assert ada.id in done.stderr
    assert other.id in done.stderr
    assert store.office.suspended.list_all() == {}


def test_rename_and_close_change_the_account(store: Store, ada: Player) -> None:
    assert run("rename", "Ada", "--reason", "x", "--name", "Dora").stdout == "Ada is now Dora\n"
    assert run("close", "Dora", "--reason", "x").exit_code == 0
    assert store.players.by_id(ada.id) is None
    gone = run("close", ada.id, "--reason", "x")
    assert gone.exit_code == 1
    assert "was deleted at" in gone.stderr


def test_an_operator_is_made_listed_and_revoked(store: Store, ada: Player) -> None:
    made = run("operator", "Ada", "--days", "1")
    secret = made.stdout.strip()
    access = store.players.access(hash_token(secret))
    assert access is not None
    assert access.scopes == frozenset({"read", "operator"})
    assert run("operator").stdout == f"{ada.id}  Ada\n"
    assert run("operator", "Ada", "--revoke").exit_code == 0
    assert run("operator").stdout == ""
