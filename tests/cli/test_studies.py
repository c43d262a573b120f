"""`cartulary studies`: in a terminal as on the page of the operators."""

from __future__ import annotations

import json

import pytest

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from tests.cli.operator_terminal import open_operator_store, run
from tests.studies.examples import make_study


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    return open_operator_store(monkeypatch)


@pytest.fixture
def ada(store: Store) -> Player:
    return store.players.create("Ada")[0]


@pytest.fixture
def study_id(store: Store, ada: Player) -> str:
    commands, body = store.studies.commands, make_study(length=2)
    study_id = commands.create(Intent(ada, body=body), body)[0]
    commands.change(Intent(ada), study_id, [{"type": "visibility_set", "visibility": "public"}])
    return study_id


def test_a_study_is_hidden_and_shown_and_both_are_in_the_log(
    store: Store, ada: Player, study_id: str
) -> None:
    done = run("studies", "hide", study_id, "--reason", "an insult", "--report", "01REPORT")
    assert (done.exit_code, done.stdout) == (0, "A study: hidden\n")
    assert store.studies.lists.read_page("public").studies == []
    hidden = store.studies.commands.read(study_id, ada.id).study.hidden
    assert hidden is not None
    assert hidden["reason"] == "an insult"
    again = run("studies", "hide", study_id, "--reason", "an insult")
    assert again.stdout == "A study: hidden (it was so)\n"
    assert run("studies", "show", study_id, "--reason", "sorry").stdout == "A study: shown\n"
    assert store.studies.lists.read_page("public").studies != []
    lines = [json.loads(line) for line in run("reports", "log").stdout.splitlines()]
    assert [(one["command"], one["study"], one["report"]) for one in lines] == [
        ("study_show", study_id, ""),
        ("study_hide", study_id, "01REPORT"),
    ]
    assert all(one["by"].startswith("cli:") for one in lines)


def test_an_operator_reads_a_hidden_study(study_id: str) -> None:
    run("studies", "hide", study_id, "--reason", "an insult")
    shown = json.loads(run("studies", "read", study_id).stdout)
    assert (shown["title"], len(shown["chapters"])) == ("A study", 1)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("hide", "01UNKNOWN", "--reason", "x"), 1),
        (("read", "01UNKNOWN"), 1),
        (("hide", "house-carcassonne-01-first-follower", "--reason", "x"), 1),
        (("show", "01UNKNOWN"), 2),
    ],
)
@pytest.mark.usefixtures("store")
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], code: int) -> None:
    done = run("studies", *arguments)
    assert done.exit_code == code, done.output
    assert done.stderr


def test_an_order_without_a_reason_changes_nothing(store: Store, study_id: str) -> None:
    done = run("studies", "hide", study_id, "--reason", " ")
    assert done.exit_code == 2
    assert "/reason" in done.stderr or "must have" in done.stderr
    assert store.studies.streams.read(study_id).study.hidden is None
