"""The packs that ship: every puzzle is a position of a game, with moves that may be made there."""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path

import pytest

from cartulary.engine.transcript import Playback, from_json
from cartulary.games import GAMES, OFFERS
from cartulary.puzzles.mining import MOST_EQUAL, VERSION
from cartulary.puzzles.packs import Pack, load_pack, pack, read_pack, write_lines
from cartulary.puzzles.record import Puzzle, PuzzleError, make_id, read_line, write_line
from cartulary.puzzles.telling import read_moves
from cartulary.puzzles.themes import MOST, THEMES, list_themes
from tests.support.night import short_or_long

GAMES_WITH_PUZZLES = sorted(THEMES)


@cache
def load(game: str) -> Pack:
    return load_pack(OFFERS[game])


@cache
def read_sample(game: str) -> list[Puzzle]:
    """Return some puzzles of a pack, spread over it; by night all."""
    found = load(game)
    step = short_or_long(short=max(1, len(found) // 12), long=1)
    return [found.read(entry.id) for entry in found.entries[::step]]


@pytest.mark.parametrize("game", GAMES_WITH_PUZZLES)
def test_each_puzzle_replays_to_its_position_and_its_lines_are_legal(game: str) -> None:
    sample = read_sample(game)
    assert sample
    for puzzle in sample:
        playback = Playback(from_json(puzzle.transcript, GAMES), GAMES)
        while not playback.done:
            playback.step()
        state = playback.state
        assert (state.seat, make_id(game, state)) == (puzzle.seat, puzzle.id)
        for line in [*puzzle.best, puzzle.tempting]:
            read_moves(state, line)
        assert puzzle.tempting not in puzzle.best
        assert state.identity() == load(game).open(puzzle.id).identity()


@pytest.mark.parametrize("game", GAMES_WITH_PUZZLES)
def test_both_futures_begin_with_their_line_and_can_be_played(game: str) -> None:
    for puzzle in read_sample(game):
        for key, line in (("best", puzzle.best[0]), ("tempting", puzzle.tempting)):
            steps = puzzle.after[key]
            assert [step["move"] for step in steps[: len(line)]] == line
            state = load(game).open(puzzle.id)
            for step in steps:
                assert state.seat == step["seat"]
                state.play(state.find(step["move"]))
                for outcome in step["chance"]:
                    state.resolve(outcome)


@pytest.mark.parametrize("game", GAMES_WITH_PUZZLES)
def test_each_puzzle_keeps_what_the_rules_ask(game: str) -> None:
    found = load(game)
    assert len({entry.id for entry in found.entries}) == len(found)
    assert found.head["made"] == {
        "seed": "37",
        "source": "league",
        "level": "hard",
        "version": VERSION,
    }
    for entry in found.entries:
        assert 1 <= len(entry.themes) <= MOST
        assert set(entry.themes) <= set(list_themes(game))
        assert 800 <= entry.rating <= 2300
    for puzzle in read_sample(game):
        assert puzzle.margin["points"] >= 3
        assert puzzle.margin["wins"] >= 0.08
        assert 1 <= len(puzzle.best) <= MOST_EQUAL
        assert puzzle.facts["best"] != puzzle.facts["tempting"]


@pytest.mark.parametrize("game", GAMES_WITH_PUZZLES)
def test_a_puzzle_comes_back_from_a_line_and_from_a_pack(game: str, tmp_path: Path) -> None:
    puzzles = read_sample(game)[:3]
    assert [read_line(write_line(puzzle)) for puzzle in puzzles] == puzzles
    file = tmp_path / "some.jsonl.xz"
    file.write_bytes(pack(OFFERS[game], puzzles, games=7))
    again = read_pack(OFFERS[game], file)
    assert [again.read(entry.id) for entry in again.entries] == puzzles
    assert again.head["games"] == 7


def test_the_games_of_a_pack_stand_in_it_once() -> None:
    found = load("caylus")
    texts = write_lines(OFFERS["caylus"], [found.read(one.id) for one in found.entries[:6]])
    assert texts.count("turn_order") < 6


def test_a_file_that_is_no_pack_is_refused_with_its_name(tmp_path: Path) -> None:
    file, offer = tmp_path / "mine.jsonl.xz", OFFERS["caylus"]
    with pytest.raises(PuzzleError, match=r"mine\.jsonl\.xz cannot be read"):
        read_pack(offer, file)
    for content in (b"", b"text", lzma.compress(b"{}"), lzma.compress(b'{"format": 1}\n[]')):
        file.write_bytes(content)
        with pytest.raises(PuzzleError, match=r"mine\.jsonl\.xz is no pack"):
            read_pack(offer, file)
    file.write_bytes(pack(OFFERS["carcassonne"], [], 1))
    with pytest.raises(PuzzleError, match="no pack of caylus"):
        read_pack(offer, file)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": "x"}', "3"])
def test_a_line_that_is_no_puzzle_is_refused(text: str) -> None:
    with pytest.raises(PuzzleError):
        read_line(text)


def test_the_packs_are_small() -> None:
    sizes = [path.stat().st_size for path in Path("puzzles/shipped").glob("*.jsonl.xz")]
    assert len(sizes) == len(THEMES)
    assert sum(sizes) < 300_000
