"""Whether the puzzles that ship are right: the best line of each at `times` times the thinking.

A sample of the packs is judged again with another seed. `best` is the share whose best line is
still the best one, of which 0.95 is asked, `low` and `high` its interval of 95 %; `clear` the share
whose best idea is still 3 points and 8 % of wins ahead. `sample` is the number of each game.
"""

from __future__ import annotations

import random
from typing import Any

from cartulary.bots.analysis import find_analyst
from cartulary.engine.form import FORM
from cartulary.games import OFFERS
from cartulary.league.statistics import find_interval
from cartulary.puzzles.judging import POINT, WHOLE, JudgedLine, LineJudge, compare_lines
from cartulary.puzzles.mining import THINKING
from cartulary.puzzles.packs import Pack, load_pack
from cartulary.puzzles.telling import read_moves
from cartulary.puzzles.themes import THEMES

ASKED = 0.95
POINTS, WINS = 3 * POINT, WHOLE * 8 // 100


def main(sample: int = 300, times: int = 16, seed: str = "bench", game: str = "") -> dict[str, Any]:
    """Judge a sample of each game, or of one `game`."""
    games = [game] if game else list(THEMES)
    return {"times": times, "asked": ASKED, "engine": FORM} | {
        name: measure(name, sample, times, seed) for name in games
    }


def measure(game: str, sample: int, times: int, seed: str) -> dict[str, Any]:
    """Return what a sample of the pack of a game comes to."""
    pack = load_pack(OFFERS[game])
    names = [entry.id for entry in pack.entries]
    chosen = random.Random(seed).sample(names, min(sample, len(names)))
    found = [judge_again(pack, name, times, seed) for name in chosen]
    best = sum(is_best for is_best, _ in found)
    low, high = find_interval(best, len(found))
    return {
        "puzzles": len(names),
        "judged": len(found),
        "best": best / len(found),
        "low": low,
        "high": high,
        "clear": sum(is_clear for _, is_clear in found) / len(found),
        "failed": " ".join(name for name, (ok, _) in zip(chosen, found, strict=True) if not ok),
    }


def judge_again(pack: Pack, name: str, times: int, seed: str) -> tuple[bool, bool]:
    """Return whether the best line of a puzzle is the best one, and whether it is so clearly."""
    puzzle, state = pack.read(name), pack.open(name)
    thinking = THINKING[puzzle.game].times(times)
    judge = LineJudge(find_analyst(OFFERS[puzzle.game]), state, f"{seed}/{name}")
    best = [read_moves(state, line) for line in puzzle.best]
    plans = judge.list_plans(thinking.width)
    lines = judge.judge(plans, thinking, [*best, read_moves(state, puzzle.tempting)])
    if not lines or lines[0].plan not in best:
        return False, False
    second = next(line for line in lines if line.plan not in best)
    return True, _is_clear(lines[0], second)


def _is_clear(first: JudgedLine, second: JudgedLine) -> bool:
    gap = compare_lines(first, second)
    return gap.points >= POINTS and gap.wins >= WINS
