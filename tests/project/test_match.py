"""The public names of `cartulary`: what a bot author plays, draws and verifies games with."""

from __future__ import annotations

import ast
import dataclasses
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

import cartulary
from cartulary.cli.main import main

SOURCE = Path(cartulary.__file__).read_text(encoding="utf-8")


def play_last(state: Any, _: random.Random) -> Any:
    return state.moves()[-1]


def break_a_rule(state: Any, _: random.Random) -> Any:
    return object()


def imports_for_type_checkers() -> dict[str, tuple[str, ...]]:
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    return {
        node.module or "": tuple(alias.name for alias in node.names)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    }


def test_type_checkers_and_the_running_program_find_every_public_name_in_the_same_module() -> None:
    imported = imports_for_type_checkers()
    assert sorted(name for names in imported.values() for name in names) == sorted(
        cartulary.__all__
    )
    listed = cartulary._MODULES  # noqa: SLF001
    assert imported == listed | {"cartulary.match": imported["cartulary.match"]}


@pytest.mark.parametrize("name", cartulary.__all__)
def test_every_public_name_is_listed_and_can_be_imported(name: str) -> None:
    assert name in dir(cartulary)
    assert getattr(cartulary, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        cartulary.chess  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.process
def test_the_import_alone_loads_no_other_module_of_the_package() -> None:
    code = "import cartulary, sys; print([n for n in sys.modules if n.startswith('cartulary.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_the_same_seed_and_bots_give_the_same_game(game: str) -> None:
    seats = cartulary.GAMES[game].seats_from
    first, again, other = (
        cartulary.play_game(game, ["random"] * seats, seed=seed).transcript() for seed in (7, 7, 8)
    )
    assert first == again
    assert first.moves != other.moves


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_a_played_game_is_a_valid_transcript_with_its_result(game: str) -> None:
    seats = cartulary.GAMES[game].seats_to
    match = cartulary.play_game(game, [play_last, *["random"] * (seats - 1)], seed="a word")
    read = cartulary.read_transcript(cartulary.write_transcript(match.transcript()))
    assert read.players == ["play_last", *["random"] * (seats - 1)]
    report = cartulary.verify_transcript(read)
    assert report.valid
    assert (report.scores, report.winners) == (match.result.scores, match.result.winners)


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_simulate_plays_the_games_of_play_game(game: str, tmp_path: Path) -> None:
    seats = cartulary.GAMES[game].seats_from
    simulate = ["simulate", game, "--seats", str(seats), "--seed", "s", "--players", "random"]
    assert CliRunner().invoke(main, [*simulate, "--out", str(tmp_path)]).exit_code == 0
    match = cartulary.play_game(game, ["random"] * seats, seed="s/1")
    written = (tmp_path / f"{game}-0001.json").read_text(encoding="utf-8")
    assert written == cartulary.write_transcript(match.transcript())


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_a_replay_stops_at_the_given_move_and_goes_on_as_a_valid_game(game: str) -> None:
    seats = cartulary.GAMES[game].seats_from
    whole = cartulary.play_game(game, ["random"] * seats, seed=3).transcript()
    match = cartulary.replay(whole, 5)
    assert match.moves == whole.moves[:5]
    assert match.draws == whole.draws[: len(match.draws)]
    while not match.over:
        match.play(match.legal_moves()[0])
    assert cartulary.verify_transcript(match.transcript()).valid


def test_a_replay_of_more_moves_than_there_are_is_refused() -> None:
    match = cartulary.new_game("caylus", seats=2, seed=1)
    with pytest.raises(ValueError, match="the transcript has 0 moves, not 1"):
        cartulary.replay(match.transcript(), 1)


def test_a_game_without_a_seed_can_be_repeated_with_the_seed_that_it_tells() -> None:
    match = cartulary.new_game("carcassonne", seats=2)
    again = cartulary.new_game("carcassonne", seats=2, seed=match.seed)
    assert again.state.state_hash() == match.state.state_hash()
    assert cartulary.new_game("carcassonne", seats=2).seed != match.seed


def test_an_option_is_taken_or_refused_as_the_game_says() -> None:
    match = cartulary.new_game("caylus", seats=3, options={"favours": "simplified"})
    assert match.state.options["favours"] == "simplified"
    with pytest.raises(cartulary.SetupError):
        cartulary.new_game("caylus", seats=3, options={"favours": "many"})
    with pytest.raises(cartulary.SetupError):
        cartulary.new_game("caylus", seats=9)


def test_a_refused_move_or_bot_changes_nothing() -> None:
    match = cartulary.new_game("caylus", seats=2, seed=1)
    before = match.state.state_hash()
    with pytest.raises(cartulary.IllegalMove, match="not the question to answer"):
        match.play({"type": "fly"})
    with pytest.raises(cartulary.IllegalMove, match=r"which is not one of state\.moves"):
        match.play_bot(break_a_rule)
    with pytest.raises(KeyError):
        match.play_bot("nobody")
    assert match.state.state_hash() == before
    assert match.moves == []


def test_a_finished_game_takes_no_move_and_a_running_one_has_no_result() -> None:
    match = cartulary.new_game("caylus", seats=2, seed=1)
    with pytest.raises(ValueError, match="has no result"):
        _ = match.result
    over = cartulary.play_game("caylus", ["random", "random"], seed=1)
    assert (over.seat, over.decision, over.legal_moves()) == (-1, None, [])
    with pytest.raises(cartulary.IllegalMove, match="the play is over"):
        over.play_bot("random")


def test_what_a_move_led_to_and_what_was_drawn_is_returned() -> None:
    match = cartulary.new_game("carcassonne", seats=2, seed=1)
    at_the_start = list(match.draws)
    tile = match.play(match.legal_moves()[0])
    follower = match.play(match.legal_moves()[0])
    assert tile.facts[0]["type"] == "tile_placed"
    assert len(follower.chance) == 1
    assert match.draws == at_the_start + tile.chance + follower.chance


def test_a_game_without_a_picture_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = cartulary.new_game("caylus", seats=2, seed=1)
    without = dataclasses.replace(cartulary.OFFERS["caylus"], picture=None)
    monkeypatch.setitem(cast(dict[str, Any], cartulary.OFFERS), "caylus", without)
    with pytest.raises(cartulary.NoPicture, match="caylus has no picture"):
        cartulary.draw(match)
    file = tmp_path / "game.json"
    file.write_text(cartulary.write_transcript(match.transcript()), encoding="utf-8")
    done = CliRunner().invoke(main, ["draw", str(file)])
    assert (done.exit_code, done.stderr) == (2, "Error: caylus has no picture\n")


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_the_picture_of_a_match_is_that_of_cartulary_draw(game: str, tmp_path: Path) -> None:
    seats = cartulary.GAMES[game].seats_from
    match = cartulary.play_game(game, ["random"] * seats, seed=4)
    file = tmp_path / "game.json"
    file.write_text(cartulary.write_transcript(match.transcript()), encoding="utf-8")
    printed = CliRunner().invoke(main, ["draw", str(file), "--layout", "tall"]).stdout
    assert cartulary.draw(match, layout="tall") == printed


# -- taking moves back ----------------------------------------------------------------------------


def test_a_move_that_is_taken_back_can_be_made_again_and_draws_the_same() -> None:
    match = cartulary.play_game("carcassonne", ["random", "random"], seed=3)
    moves, draws, state_hash = match.moves, match.draws, match.state.state_hash()
    match.take_back(40)
    assert match.moves == moves[:-40]
    assert match.draws == draws[: len(match.draws)]
    for entry in moves[-40:]:
        match.play(entry.move)
    assert (match.moves, match.draws) == (moves, draws)
    assert match.state.state_hash() == state_hash


def test_other_moves_draw_what_was_kept() -> None:
    match = cartulary.play_game("carcassonne", ["random", "random"], seed=3)
    moves, draws = match.moves, match.draws
    match.take_back(40)
    while not match.over:
        match.play_bot("random")
    assert match.moves != moves
    assert match.draws == draws


@pytest.mark.parametrize("count", [0, -1, 6])
def test_moves_that_were_not_made_cannot_be_taken_back(count: int) -> None:
    match = cartulary.new_game("caylus", 2, seed=1)
    for _ in range(5):
        match.play_bot("random")
    moves, state_hash = list(match.moves), match.state.state_hash()
    with pytest.raises(ValueError, match="cannot be taken back"):
        match.take_back(count)
    assert (match.moves, match.state.state_hash()) == (moves, state_hash)


def test_a_number_of_a_bot_that_equals_a_move_is_recorded_as_the_listed_move() -> None:
    """A bot with numpy returns its integers; one in a record is no JSON, and none is played."""
    match = cartulary.new_game("carcassonne", 2, seed=1)
    match.play_bot(lambda state, _: float(state.moves()[-1]))
    assert all(type(match.moves[0].move[key]) is int for key in ("x", "y", "rotation"))
    assert cartulary.read_transcript(cartulary.write_transcript(match.transcript()))


@pytest.mark.parametrize("game", cartulary.GAMES)
def test_a_move_stays_as_it_was_played_whatever_the_caller_does_with_its_object(game: str) -> None:
    """A program that fills one object again and again had a record of illegal moves."""
    match = cartulary.new_game(game, 2, seed=1)
    move = match.legal_moves()[-1]
    played = dict(move)
    match.play(move)
    move.clear()
    assert match.moves[0].move == played
    match.play_bot(play_last).clear()
    assert match.moves[1].move
    assert cartulary.verify_transcript(match.transcript()).valid
