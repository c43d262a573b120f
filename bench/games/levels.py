"""The ladder of the levels: one league for each game and table size, and the steps between levels.

Each level meets those that are at most `--reach` places away, in pairs of games with the same draws
and swapped seats; at larger tables the two sit in turn. The ratings are fitted to all games of a
table size at once, `medium` has 1500. `step` is the rating of a level over that of the level below
it; steps of more than 250 points are `too far`. `random` is left out: it loses every game.

`--levels` names those that play, `--pairs` is for each two of them. With `--fewer
hard=20,expert=6` a match of these levels has at most so many pairs: a game of `expert` takes as
long as a hundred of `medium`. The games are in `--out`, so a run goes on where it was; `--dry`
plays none. `--write` puts the table into `docs/bots.md` and a picture of the ratings with two seats
into `docs/strength/`; a test compares `strength` in the catalogue with that table.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from bench.games._marked import write_between
from cartulary.cli.shared.progress import progress
from cartulary.games import OFFERS
from cartulary.league.chart import draw_ratings
from cartulary.league.matches import LeagueMatch
from cartulary.league.ratings import Rating, rate
from cartulary.league.records import GAMES, Records, open_records
from cartulary.league.running import play_missing
from cartulary.league.tables import list_outcomes, write_markdown

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
PICTURES = PAGE.parent / "strength"
BEGIN, END = "<!-- bench levels -->", "<!-- end of bench levels -->"
"""What stands in the page before and after the table."""

SIZE_OF_CATALOGUE = 2
"""`strength` in the catalogue is the rating at tables of this size."""

FARTHEST = 250
"""The most points between two neighbours."""

HEAD = ("game, seats", "games", "ratings with 95 %, the weakest first", "largest step")


def main(
    seconds: float = 0.0,
    pairs: int = 50,
    seats: str = "2,3,4,5",
    game: str = "",
    levels: str = "",
    reach: int = 2,
    fewer: str = "",
    seed: str = "33",
    jobs: int = 1,
    out: str = "out/levels",
    dry: bool = False,
    write: bool = False,
) -> dict[str, Any]:
    ends = time.monotonic() + (seconds or inf)
    found, rows = dict[str, Any](), list[tuple[str, ...]]()
    most = read_fewer(fewer)
    for name in [game] if game else OFFERS:
        for size in map(int, seats.split(",")):
            folder = Path(out) / f"{name}-{size}"
            met = list_matches(name, size, levels.split(",") if levels else [], reach)
            matches = {match: find_pairs(match, pairs, most) for match in met}
            if not dry:
                play(folder, matches, seed, jobs, ends)
            if (folder / GAMES).exists():
                ratings, games = rate_levels(folder, matches)
                found[f"{name} {size}"] = describe(ratings, games)
                rows.append(write_row(name, size, ratings, games))
                if write and size == SIZE_OF_CATALOGUE:
                    draw(name, ratings)
    if write:
        write_between(PAGE, BEGIN, END, write_markdown(HEAD, rows) + "\n")
    return found


def list_matches(game: str, seats: int, levels: list[str], reach: int) -> list[LeagueMatch]:
    """Return the matches of a table size, of neighbours first."""
    names = [name for name in OFFERS[game].bots if name != "random" and name in (levels or [name])]
    return [
        LeagueMatch(game, names[at + far], names[at], seats)
        for far in range(1, reach + 1)
        for at in range(len(names) - far)
    ]


def read_fewer(text: str) -> dict[str, int]:
    """Return the most pairs of a match by level; `SystemExit` for anything but `level=pairs,…`."""
    try:
        pairs = [one.split("=") for one in text.split(",")] if text else []
        return {level: int(most) for level, most in pairs}
    except ValueError as error:
        raise SystemExit(f"--fewer takes hard=20,expert=6 and not {text}") from error


def find_pairs(match: LeagueMatch, pairs: int, fewer: Mapping[str, int]) -> int:
    """Return how many pairs of games a match has."""
    return min(pairs, *(fewer.get(level, pairs) for level in (match.first, match.second)))


def play(
    folder: Path, matches: Mapping[LeagueMatch, int], seed: str, jobs: int, ends: float
) -> None:
    """Play what is missing of the pairs of each match, until the time ends."""
    with open_records(folder) as records, progress(folder.name) as show:
        records.check(seed, matches)
        for pairs in sorted(set(matches.values())):
            play_missing(
                records,
                [match for match, of in matches.items() if of >= pairs],
                seed,
                pairs,
                jobs=jobs,
                show=show,
                is_decided=lambda: time.monotonic() >= ends,
            )


def rate_levels(folder: Path, matches: Mapping[LeagueMatch, int]) -> tuple[dict[str, Rating], int]:
    """Return the ratings in ascending order, and the number of games that they come from."""
    records = Records(folder)
    deals = {match: records.list_deals(match)[:pairs] for match, pairs in matches.items()}
    outcomes = [one for match in matches for one in list_outcomes(match, deals[match])]
    ratings = dict(sorted(rate(outcomes).items(), key=lambda pair: pair[1].value))
    return ratings, sum(len(deal) for played in deals.values() for deal in played)


def list_steps(ratings: dict[str, Rating]) -> dict[str, float]:
    """Return how far each level is above the level below it, of ratings in ascending order."""
    steps = pairwise(ratings.items())
    return {name: above.value - below.value for (_, below), (name, above) in steps}


def describe(ratings: dict[str, Rating], games: int) -> dict[str, Any]:
    """Return the ratings and the steps of a table size, of ratings in ascending order."""
    steps = list_steps(ratings)
    return {
        "games": games,
        **{name: _say(one) for name, one in ratings.items()},
        "steps": ", ".join(f"{name} {step:+.0f}" for name, step in steps.items()),
        "too far": ", ".join(name for name, step in steps.items() if step > FARTHEST) or "none",
    }


def draw(game: str, ratings: dict[str, Rating]) -> None:
    """Write the picture of a game."""
    title = f"{game}, {SIZE_OF_CATALOGUE} seats: ratings with 95 % intervals"
    picture = draw_ratings(title, dict(reversed(ratings.items())))
    (PICTURES / f"{game}.svg").write_text(picture, encoding="utf-8")


def write_row(
    game: str, seats: int, ratings: dict[str, Rating], games: int
) -> tuple[str, str, str, str]:
    """Return the row of a table size, of ratings in ascending order."""
    steps = list_steps(ratings)
    widest = max(steps, key=lambda name: steps[name], default="")
    shown = ", ".join(f"`{name}` {_say(one)}" for name, one in ratings.items())
    largest = f"{steps[widest]:.0f}, to `{widest}`" if widest else "–"
    return f"{OFFERS[game].rules.title}, {seats}", str(games), shown, largest


def _say(rating: Rating) -> str:
    return f"{rating.value:.0f} ± {(rating.high - rating.low) / 2:.0f}"
