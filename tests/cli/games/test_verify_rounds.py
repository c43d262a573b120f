"""`cartulary verify --fair --tournament` proves all games of a round against one commitment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.events.commands.rounds.making import RoundDraws, RoundPlace
from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.events.people.players import Player
from tests.events.support.rounds import DAILY, Round
from tests.fairness.checker import check_events
from tests.fairness.script import broken_version
from tests.tournaments.streams import StreamOfTournament, begin

TOURNAMENT = "01TOURNAMENT00000000000000"


class Files(NamedTuple):
    """What a host gives to others: the events of the tournament and of its games."""

    tournament: Path
    games: list[Path]


def make_game(played: Round, stream: StreamOfTournament, number: int, secret: bytes) -> str:
    """Play the game of a table with a secret; return its id."""
    table = stream.state.tables[number]
    players = [stream.state.entrant(one).player for one in table.seats]
    assert stream.state.entropy is not None
    made = played.store.round_maker.make(
        RoundPlace(TOURNAMENT, table.round, number),
        game_id=table.game,
        game="carcassonne",
        options={},
        players=[Player(one["id"], one["name"]) for one in players],
        pace=DAILY,
        duplicate=RoundDraws(secret, stream.state.entropy),
    )
    return played.play(made.id).id


def write(path: Path, events: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(event) + "\n" for event in events), "utf-8")
    return path


def play_round(folder: Path, *, exchanged: bool = False) -> Files:
    """Play a round of two tables; `exchanged`: the second has draws of another secret."""
    stream, played = begin(4, duplicate=True, rounds=1), Round()
    assert stream.pair()
    games = []
    for table in list(stream.state.playing_tables()):
        secret = bytes(32) if exchanged and table.number == 2 else stream.chain[1]
        game_id = make_game(played, stream, table.number, secret)
        result = played.store.projector.table(game_id).result
        assert result is not None
        more = {"ranks": result["ranks"], "outcomes": result["outcomes"]}
        stream.settle(table, result["scores"], **more)
        events = played.store.ledger.deliver(game_id, 0, 1000)
        events[0]["fair"]["commitment"] = stream.state.rounds[0].commitment
        games.append(write(folder / f"{game_id}.ndjson", chain(events)))
    stream.close()
    return Files(write(folder / "tournament.ndjson", stream.events), games)


def chain(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give events the hashes that they would have as they are."""
    before = GENESIS
    for event in events:
        event["prev"] = before
        before = event["hash"] = hash_event(event)
    return events


def verify(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", "--fair", *map(str, arguments)])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return play_round(tmp_path_factory.mktemp("honest"))


@pytest.mark.slow
def test_all_games_of_a_round_are_proved_with_the_secret_of_the_tournament(files: Files) -> None:
    result = verify(*files.games, "--tournament", files.tournament)
    assert result.exit_code == 0, result.output
    first, *rest = result.stdout.splitlines()
    assert "1 secrets of rounds fit their commitments" in first
    assert [line.rpartition("; ")[2] for line in rest] == ["71 draws proved fair"] * 2


def test_without_the_tournament_the_draws_stay_hidden(files: Files) -> None:
    result = verify(files.games[0])
    assert "name it with --tournament" in result.stdout


def test_the_script_and_the_checker_of_others_prove_the_same(files: Files) -> None:
    secret = json.loads(files.tournament.read_text("utf-8").splitlines()[-1])["secret"]
    for game in files.games:
        events = [json.loads(line) for line in game.read_text("utf-8").splitlines()]
        report = check_events(events, secret)
        assert (report.state, report.draws, report.problems) == ("proved", 71, [])
        assert check_events(events).state == "hidden"
        assert broken_version(events, secret) is None
        drawn = next(event for event in events if event["type"] == "move_made" and event["chance"])
        drawn["chance"] = ["A" if drawn["chance"][0] != "A" else "B"]
        assert broken_version(chain(events), secret) == drawn["version"]
        assert check_events(events, secret).problems[0].version == drawn["version"]


def test_one_exchanged_draw_fails(files: Files, tmp_path: Path) -> None:
    events = [json.loads(line) for line in files.games[1].read_text("utf-8").splitlines()]
    drawn = next(event for event in events if event["type"] == "move_made" and event["chance"])
    drawn["chance"] = ["A" if drawn["chance"][0] != "A" else "B"]
    changed = write(tmp_path / "changed.ndjson", events)
    result = verify(files.games[0], changed, "--tournament", files.tournament)
    assert result.exit_code == 1
    assert f"version {drawn['version']}: chain" in result.stdout


def test_the_events_whose_content_cannot_be_checked_are_counted(
    files: Files, tmp_path: Path
) -> None:
    """Who gives the events says of an event that a name in it was deleted."""
    changed = []
    for source in (files.tournament, files.games[0]):
        events = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
        events[0]["masked"] = True
        changed.append(write(tmp_path / source.name, events))
    result = verify(changed[1], "--tournament", changed[0])
    assert result.exit_code == 0, result.output
    for line in result.stdout.splitlines():
        assert "; the content of 1 with deleted names cannot be checked" in line


@pytest.mark.slow
def test_draws_of_another_secret_fail_although_every_hash_fits(tmp_path: Path) -> None:
    cheated = play_round(tmp_path, exchanged=True)
    result = verify(*cheated.games, "--tournament", cheated.tournament)
    assert result.exit_code == 1
    proved, failed = result.stdout.splitlines()[1:]
    assert proved.endswith("71 draws proved fair")
    assert "draw: draw 0 is" in failed


def test_a_game_of_another_tournament_fails(files: Files, tmp_path: Path) -> None:
    events = [json.loads(line) for line in files.games[0].read_text("utf-8").splitlines()]
    events[0]["tournament"]["table"] = 7
    other = write(tmp_path / "other.ndjson", chain(events))
    result = verify(other, "--tournament", files.tournament)
    assert result.exit_code == 1
    assert "was not made for a table of this tournament" in result.stdout


@pytest.mark.parametrize(
    "changed",
    [
        {"tournament": {"id": TOURNAMENT, "table": []}},
        {"tournament": {"id": TOURNAMENT, "table": {}}},
        {"fair": "x"},
        {"fair": {"round": "x/²"}},
        {"fair": {"round": "x/" + "9" * 5000}},
        {"seats": 5},
        {"seats": [None, None]},
        {"seats": [{"player": 5}, {"player": {"id": []}}]},
        {"pace": {"mode": "live", "delay": "x", "bank": "y", "refill": []}},
        {"pace": {"mode": {}, "delay": 60, "bank": 60, "refill": 0}},
    ],
)
def test_a_game_whose_beginning_has_another_form_is_no_valid_game(
    files: Files, tmp_path: Path, changed: dict[str, Any]
) -> None:
    """The other games are verified all the same."""
    first, *events = map(json.loads, files.games[0].read_text("utf-8").splitlines())
    other = write(tmp_path / "other.ndjson", chain([first | changed, *events]))
    result = verify("--json", other, files.games[0], "--tournament", files.tournament)
    assert (result.exit_code, result.stderr) == (1, ""), result.output
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["valid"] for one in reports] == [True, False, True]


@pytest.mark.parametrize(
    ("number", "changed"), [(0, {"start": {}}), (-1, {"at": "²"}), (-1, {"at": []})]
)
def test_a_tournament_whose_event_has_another_form_is_not_valid(
    files: Files, tmp_path: Path, number: int, changed: dict[str, Any]
) -> None:
    events = [json.loads(line) for line in files.tournament.read_text("utf-8").splitlines()]
    events[number] |= changed
    other = write(tmp_path / "other.ndjson", chain(events))
    result = verify(files.games[0], "--tournament", other)
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in (1, 2)


def test_a_report_for_programs_has_a_line_for_the_tournament_and_one_a_game(files: Files) -> None:
    result = verify("--json", *files.games, "--tournament", files.tournament)
    reports = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["valid"] for one in reports] == [True] * 3
    assert reports[0]["rounds"][0]["state"] == "proved"
    assert {one["fair"]["commitment"] for one in reports[1:]} == {
        reports[0]["rounds"][0]["commitment"]
    }


def test_the_files_of_a_tournament_in_a_file_have_to_be_named(files: Files) -> None:
    result = verify("--tournament", files.tournament)
    assert result.exit_code == 2
    assert "name the files" in result.stderr


@pytest.mark.parametrize("arguments", [["--tournament", "x"], []])
def test_a_tournament_goes_with_fair_and_something_has_to_be_verified(
    arguments: list[str],
) -> None:
    assert CliRunner().invoke(main, ["verify", *arguments]).exit_code == 2
