"""`cartulary reports`: what players have reported, and what an operator does about it."""

from __future__ import annotations

import json
import secrets

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.chat.complaints import Complaint
from cartulary.events.chat.messages import PLAYERS, ChatMessage
from cartulary.events.chat.talk import Wording
from cartulary.events.commands.commands import Intent, NewGame, SeatRequest
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from cartulary.events.server.connection import connect
from cartulary.events.store import Store
from cartulary.games import OFFERS

ME = SeatRequest("me")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["reports", *arguments])


@pytest.fixture
def store(real_redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store that the environment names."""
    monkeypatch.setenv("CARTULARY_EVENTS_URL", real_redis_url)
    monkeypatch.setenv("CARTULARY_SECRET", secrets.token_hex(32))
    store = Store(connect(real_redis_url), OFFERS)
    store.claim()
    return store


@pytest.fixture
def ada(store: Store) -> Player:
    player = store.players.create("Ada")[0]
    store.redis.hset(keys.player(player.id), "claimed_at", "2026-11-22T14:00:00.000Z")
    return player


@pytest.fixture
def said(store: Store, ada: Player) -> ChatMessage:
    game_id = store.commands.create(Intent(ada), NewGame("carcassonne", (ME, ME))).table.id
    return store.talk.say(ada, game_id, Wording(PLAYERS, "an insult")).message


@pytest.fixture
def report(store: Store, said: ChatMessage) -> Complaint:
    bob = store.players.create("Bob")[0]
    return store.complaints.report(bob, "message", said.id, "insult", "twice")


def test_the_open_reports_are_listed_one_a_line(report: Complaint) -> None:
    lines = run("list").stdout.splitlines()
    assert lines == [f"{report.id}  {report.at}  open  Bob: insult: Ada: an insult"]


def test_a_report_is_shown_as_json(report: Complaint) -> None:
    assert json.loads(run("show", report.id).stdout) == report._asdict()


def test_a_closed_report_is_listed_only_with_all(report: Complaint, store: Store) -> None:
    assert run("close", report.id, "--note", "warned", "--answer", "Warned.").exit_code == 0
    assert run("list").stdout == ""
    assert "closed" in run("list", "--all").stdout
    found = store.complaints.find(report.id)
    assert found is not None
    assert (found.note, found.answer) == ("warned", "Warned.")


def test_closing_deletes_the_message_if_wanted(
    report: Complaint, store: Store, said: ChatMessage
) -> None:
    assert run("close", report.id, "--delete-message").exit_code == 0
    assert store.talk.find(said.game_id, said.id) == said.make_stub()


def test_a_report_of_a_game_has_no_message_to_delete(
    store: Store, ada: Player, said: ChatMessage
) -> None:
    made = store.complaints.report(ada, "game", said.game_id, "other", "")
    result = run("close", made.id, "--delete-message")
    assert result.exit_code == 2
    assert store.complaints.find(made.id) == made


@pytest.mark.parametrize("command", ["show", "close"])
@pytest.mark.usefixtures("store")
def test_what_does_not_exist_exits_1(command: str) -> None:
    assert run(command, "01UNKNOWN").exit_code == 1
