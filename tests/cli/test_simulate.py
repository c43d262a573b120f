"""`cartulary simulate`: whole games in process, deterministic per seed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cartulary.cli.main import main
from cartulary.engine.transcript import read, verify
from cartulary.games import GAMES, OFFERS
from tests.support.night import short_or_long
from tests.support.polling import gone, until


def simulate(out: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", *arguments, "--out", str(out)])


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


GAMES_EACH, GAMES_OF_PEOPLE = short_or_long(("1", "6"), ("2", "12"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_every_game_and_bot_plays_valid_finished_games(game: str, tmp_path: Path) -> None:
    seats = min(3, GAMES[game].seats_to)
    for name, entry in OFFERS[game].bots.items():
        if entry.budget:
            continue  # a search takes minutes here, and plays moves like any other bot
        out = tmp_path / name
        result = simulate(
            out, game, "--seats", str(seats), "--players", name, "--games", GAMES_EACH
        )
        assert result.exit_code == 0, result.stderr
        for text in contents(out).values():
            transcript = read(text, GAMES)
            assert transcript.players == [name] * seats
            assert transcript.result is not None
            assert verify(transcript, GAMES).valid


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "greedy,random", "--games", "2"]
    for name, seed in [("a", "7"), ("b", "7"), ("c", "8")]:
        assert simulate(tmp_path / name, *arguments, "--seed", seed).exit_code == 0
    a, b, c = (contents(tmp_path / name) for name in "abc")
    assert sorted(a) == ["carcassonne-0001.json", "carcassonne-0002.json"]
    assert a == b
    assert a != c
    assert a["carcassonne-0001.json"] != a["carcassonne-0002.json"]


def test_players_are_given_to_the_seats_in_turn(tmp_path: Path) -> None:
    simulate(tmp_path, "carcassonne", "--seats", "5", "--players", "random,greedy")
    players = json.loads((tmp_path / "carcassonne-0001.json").read_text())["players"]
    assert players == ["random", "greedy", "random", "greedy", "random"]


def test_option_values_are_read_in_the_type_of_the_option(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny_city=2"]
    simulate(tmp_path, *arguments)
    text = (tmp_path / "carcassonne-0001.json").read_text()
    assert json.loads(text)["options"] == {"tiny_city": 2}


CAYLUS = ["caylus", "--seats", "2", "--players", "random"]


@pytest.mark.parametrize(
    "arguments",
    [
        [*CAYLUS, "--option", "favours=simplified", "edition=second"],
        [*CAYLUS, "--option", "favours=simplified", "--option", "edition=second"],
        [*CAYLUS, "--option=favours=simplified", "edition=second"],
        ["--option", "favours=simplified", "edition=second", *CAYLUS],
        ["--option", "favours=simplified", "edition=second", *CAYLUS[1:], "caylus"],
        ["caylus", "--option", "edition=second", "favours=simplified", *CAYLUS[1:]],
        [*CAYLUS, "--option", "edition=second", "--games", "1", "--option", "favours=simplified"],
    ],
)
def test_several_options_follow_one_another_or_have_an_option_each(
    tmp_path: Path, arguments: list[str]
) -> None:
    result = simulate(tmp_path, *arguments)
    assert result.exit_code == 0, result.stderr
    options = json.loads((tmp_path / "caylus-0001.json").read_text())["options"]
    assert options == {"favours": "simplified", "edition": "second"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([*CAYLUS, "edition=second"], "unexpected extra argument"),
        ([*CAYLUS, "--option", "edition=second", "beginner"], "unexpected extra argument"),
        ([*CAYLUS, "--option", "edition=second", "--seed", "1", "x=y"], "unexpected extra"),
        ([*CAYLUS, "--option", "edition=second", "colour=red"], 'no option "colour"'),
        ([*CAYLUS[1:], "--option", "edition=second"], "Missing argument 'GAME'"),
        ([*CAYLUS, "--option"], "--option"),
    ],
)
def test_only_pairs_right_after_an_option_are_options(
    tmp_path: Path, arguments: list[str], reason: str
) -> None:
    result = CliRunner().invoke(main, ["simulate", "--out", str(tmp_path), *arguments])
    assert result.exit_code == 2
    assert reason in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_summary_tells_wins_and_average_points_per_player(tmp_path: Path) -> None:
    arguments = ["carcassonne", "--seats", "2", "--players", "greedy,random", "--games", "3"]
    result = simulate(tmp_path, *arguments)
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert rows[0] == ["player", "seats", "wins", "average"]
    scores = [json.loads(text)["result"]["scores"] for text in contents(tmp_path).values()]
    average = sum(pair[0] for pair in scores) / 3
    assert rows[1] == ["greedy", "3", "3", f"{average:.1f}"]
    assert rows[2][:3] == ["random", "3", "0"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess", "--seats", "2", "--players", "random"], 'no game "chess"'),
        (["carcassonne", "--seats", "6", "--players", "random"], "2 to 5 seats"),
        (["carcassonne", "--seats", "2", "--players", "deep_blue"], "no player 'deep_blue'"),
        (["carcassonne", "--seats", "2", "--players", "random,random,random"], "3 players"),
        (
            ["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny_city=3"],
            "takes one of",
        ),
        (["carcassonne", "--seats", "2", "--players", "random", "--option", "tiny"], "KEY=VALUE"),
        (["carcassonne", "--seats", "2", "--players", "random", "--option", "x=1"], "no option"),
    ],
)
def test_what_there_is_not_is_refused_with_exit_2(
    tmp_path: Path, arguments: list[str], reason: str
) -> None:
    result = simulate(tmp_path / "out", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert reason in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("out", ["/dev/null/x", "/proc/foo", "plain/below"])
def test_a_directory_that_cannot_be_made_is_refused_with_exit_2(tmp_path: Path, out: str) -> None:
    (tmp_path / "plain").touch()
    result = simulate(tmp_path / out, "carcassonne", "--seats", "2", "--players", "random")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{tmp_path / out}: cannot write: " in result.stderr


def test_a_transcript_that_cannot_be_written_is_refused_with_exit_2(tmp_path: Path) -> None:
    (tmp_path / "carcassonne-0001.json").mkdir()
    result = simulate(tmp_path, "carcassonne", "--seats", "2", "--players", "random")
    assert (result.exit_code, result.stdout) == (2, "")


# -- people who leave, come back and take moves back ----------------------------------------------

PEOPLE = ["--players", "random", "--leave", "0.01", "--takeback", "0.05"]


@pytest.mark.parametrize("game", ["carcassonne", "caylus"])
@pytest.mark.slow
def test_games_with_leavers_and_takebacks_are_valid(game: str, tmp_path: Path) -> None:
    result = simulate(tmp_path, game, "--seats", "4", "--games", GAMES_OF_PEOPLE, *PEOPLE)
    assert result.exit_code == 0, result.stderr
    transcripts = [read(text, GAMES) for text in contents(tmp_path).values()]
    assert all(verify(one, GAMES).valid for one in transcripts)
    endings = [one.ending for one in transcripts if one.ending is not None]
    assert len(endings) >= int(GAMES_OF_PEOPLE) / 2
    assert {outcome for ending in endings for outcome in ending.outcomes} >= {"finished", "left"}
    for ending in endings:
        for leaver in ending.left:
            assert ending.outcomes[leaver.seat] != "finished"
    line = result.stdout.splitlines()[-1]
    assert all(int(number) > 0 for number in line.split() if number.isdigit()), line


def test_the_same_seed_gives_the_same_comings_and_goings(tmp_path: Path) -> None:
    for name in "ab":
        simulate(tmp_path / name, "carcassonne", "--seats", "3", "--games", "3", *PEOPLE)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_without_people_the_games_are_those_of_before(tmp_path: Path) -> None:
    arguments = ["caylus", "--seats", "3", "--players", "random"]
    simulate(tmp_path / "a", *arguments)
    simulate(tmp_path / "b", *arguments, "--leave", "0", "--takeback", "0")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_two_players_and_one_leaves_so_the_game_ends_by_forfeits(tmp_path: Path) -> None:
    people = ["--players", "random", "--leave", "1", "--games", "5"]
    assert simulate(tmp_path, "carcassonne", "--seats", "2", *people).exit_code == 0
    for text in contents(tmp_path).values():
        transcript = read(text, GAMES)
        assert transcript.ending is not None
        assert transcript.ending.by == "forfeits"
        assert transcript.ending.left[0].before == len(transcript.moves)


def test_a_game_ends_though_moves_are_taken_back_all_the_time(tmp_path: Path) -> None:
    people = ["--players", "random", "--takeback", "1"]
    assert simulate(tmp_path, "carcassonne", "--seats", "2", *people).exit_code == 0
    (text,) = contents(tmp_path).values()
    transcript = read(text, GAMES)
    assert transcript.result is not None
    assert transcript.ending is None


@pytest.mark.parametrize("option", ["--leave", "--takeback"])
@pytest.mark.parametrize("value", ["1.1", "-0.1", "often"])
def test_a_chance_that_is_no_chance_is_refused(option: str, value: str, tmp_path: Path) -> None:
    result = simulate(tmp_path / "out", "caylus", "--seats", "2", *PEOPLE[:2], option, value)
    assert result.exit_code == 2
    assert option in result.stderr


# -- bots of others, several processes ------------------------------------------------------------

LAST = "def think(state, rng, budget):\n    return state.moves()[-1]\n"
ENGINE = (
    f"command:{sys.executable} -S {Path(__file__).parents[1] / 'outside' / 'strange_engine.py'}"
)


def write_bot(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> str:
    """Write the module of a bot into the working directory, and return the name of the bot."""
    (folder / f"{name}.py").write_text(text)
    monkeypatch.chdir(folder)
    return f"{name}:think"


@pytest.mark.process
def test_a_function_and_an_engine_that_play_alike_play_the_same_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(tmp_path, monkeypatch, "last_bot_of_simulate", LAST)
    moves = []
    for out, players in {"a": f"{bot},random", "b": f"{ENGINE},random"}.items():
        result = simulate(tmp_path / out, "carcassonne", "--seats", "2", "--players", players)
        assert result.exit_code == 0, result.output
        (text,) = contents(tmp_path / out).values()
        moves.append(json.loads(text)["moves"])
    assert moves[0] == moves[1]
    assert len(moves[0]) > 100


@pytest.mark.process
@pytest.mark.slow
def test_several_processes_write_the_games_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(tmp_path, monkeypatch, "last_bot_of_jobs", LAST)
    arguments = ["caylus", "--seats", "3", "--players", f"{bot},random", "--games", "5"]
    one = simulate(tmp_path / "one", *arguments, "--leave", "0.01")
    two = simulate(tmp_path / "two", *arguments, "--leave", "0.01", "--jobs", "2")
    assert two.exit_code == 0, two.output
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert one.stdout.replace("/one", "") == two.stdout.replace("/two", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def think(state, rng, budget):\n    return 1 / 0\n", "ZeroDivisionError: division by"),
        ("def think(state, rng, budget):\n    return 'x'\n", "returned 'x', which is not one of"),
    ],
)
def test_a_bot_that_fails_ends_the_run_with_its_name_and_the_reason(
    text: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"failing_bot_{reason[:8]}"
    bot = write_bot(tmp_path, monkeypatch, name.replace(" ", "_"), text)
    result = simulate(tmp_path / "out", "carcassonne", "--seats", "2", "--players", f"{bot},easy")
    assert result.exit_code == 1
    assert f"{bot}: " in result.stderr
    assert reason in result.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:think", "no_such_module cannot be imported"),
        ("json:think", "json has no function 'think'"),
        ("command:./no_engine", "there is no program './no_engine'"),
        ("command:", "the command of an engine is empty"),
        ("json:loads@0", "at least one iteration"),
        ("a:b:c", "write MODULE:FUNCTION, or command:PROGRAM"),
    ],
)
def test_a_bot_of_others_that_there_is_not_is_refused_with_exit_2(
    name: str, reason: str, tmp_path: Path
) -> None:
    result = simulate(tmp_path / "out", "caylus", "--seats", "2", "--players", f"{name},easy")
    assert result.exit_code == 2
    assert reason in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.process
@pytest.mark.slow
def test_ctrl_c_ends_all_processes_and_leaves_whole_transcripts(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cartulary.cli.main", "simulate", "carcassonne"]
    command += [
        "--seats",
        "2",
        "--players",
        f"{ENGINE} says_pid,expert",
        "--games",
        "99",
        "--jobs",
        "2",
    ]
    out = tmp_path / "out"
    run = subprocess.Popen(
        [*command, "--out", str(out)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        pids = list[int]()
        assert run.stderr is not None
        while len(pids) < 2:  # an engine in each of both processes says its pid
            line = run.stderr.readline()
            assert line
            if ": pid " in line:
                pids.append(int(line.rpartition(" ")[2]))
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 1
        assert "Traceback" not in run.stderr.read()
    finally:
        run.kill()
        run.wait()
    until(lambda: all(gone(pid) for pid in pids))
    assert all(read(text, GAMES).result for text in contents(out).values())
