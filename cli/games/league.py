"""`cartulary league`: bots play pairs of games with the same draws, and are rated."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from cartulary.cli.games.simulate import TakesPairs, read_option, takes_options
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.engine.core import find_game
from cartulary.engine.errors import SetupError
from cartulary.games import OFFERS
from cartulary.league.chart import draw_ratings
from cartulary.league.matches import LeagueMatch
from cartulary.league.players import UnknownPlayer, find_player
from cartulary.league.ratings import Rating, rate
from cartulary.league.records import OtherLeague, Records, open_records
from cartulary.league.running import play_missing
from cartulary.league.statistics import Hypotheses, decide
from cartulary.league.tables import (
    MATCH_HEAD,
    RATING_HEAD,
    Score,
    add_up,
    list_outcomes,
    list_ratings,
    list_scores,
    write_markdown,
    write_text,
)
from cartulary.outside.faults import BotFault

TABLE, PICTURE = "table.md", "ratings.svg"


@click.command(cls=TakesPairs)
@click.argument("game")
@click.option(
    "--players",
    required=True,
    metavar="A,B[,…]",
    help="Bots; hard@96 thinks for 96 iterations, hard@0.5s for half a second. my_bot:think is a "
    "function of a module, command:./engine a program that speaks the line protocol.",
)
@click.option("--pairs", type=click.IntRange(1), required=True, help="Pairs for each two players.")
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same games.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory for the games; a run goes on with those that are there.",
)
@click.option("--seats", type=int, default=2, show_default=True, help="Number of seats.")
@takes_options
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--sprt",
    metavar="LOW,HIGH",
    help="End early when it is decided whether A wins LOW (H0) or HIGH (H1) of the games, 0 to 1.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def league(
    game: str,
    players: str,
    pairs: int,
    seed: str,
    out: Path,
    seats: int,
    options: Sequence[str],
    jobs: int,
    sprt: str | None,
    as_json: bool,
) -> None:
    """Rate bots of GAME in pairs of games.

    Each two players meet in pairs of games with the same draws and swapped seats. The directory
    gets a line for each game, so a run that ended early goes on where it was; and at the end a
    table and a picture of the ratings, with intervals of 95 %.
    """
    matches = _list_matches(game, players.split(","), seats, options)
    test = None if sprt is None else _read_test(sprt, len(matches))
    try:
        with open_records(out) as records, progress(f"playing {game}") as show:
            records.check(seed, matches)
            play_missing(
                records,
                matches,
                seed,
                pairs,
                jobs=jobs,
                show=show,
                is_decided=lambda: bool(test and _decide(records, matches[0], test)),
            )
            summary = Summary(game, seed, records, matches, pairs, test)
            (out / TABLE).write_text(summary.write_markdown(), encoding="utf-8")
            (out / PICTURE).write_text(summary.draw(), encoding="utf-8")
    except OtherLeague as error:
        raise Unusable(str(error)) from error
    except OSError as error:
        raise Unusable(f"{error.filename or out}: {error.strerror or error}") from error
    except BotFault as error:
        raise Failed(f"{error}\n{out} has the games that were over") from error
    except BrokenProcessPool as error:
        raise Failed(
            f"a process of the league ended; {out} has the games that were over"
        ) from error
    click.echo(json.dumps(summary.to_json()) if as_json else summary.write_text())


def _list_matches(
    game: str, names: Sequence[str], seats: int, options: Sequence[str]
) -> list[LeagueMatch]:
    """Return a match for each two players; raises `Unusable`."""
    try:
        rules = find_game(OFFERS, game).rules
        complete = rules.check(seats, dict(read_option(rules, text) for text in options))
        for name in names:
            find_player(game, name)
    except (SetupError, UnknownPlayer) as error:
        raise Unusable(str(error)) from error
    if len(names) < 2:
        raise Unusable("a league needs two players or more")
    if seats < 2:
        raise Unusable("a league needs a table with two seats or more")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Unusable(f"{twice} is named twice")
    chosen = tuple(sorted(complete.items()))
    return [LeagueMatch(game, one, other, seats, chosen) for one, other in combinations(names, 2)]


def _read_test(text: str, matches: int) -> Hypotheses:
    try:
        low, high = map(float, text.split(","))
    except ValueError as error:
        raise Unusable(f"--sprt takes two shares as 0.5,0.55 and not {text!r}") from error
    if not 0 < low < high < 1:
        raise Unusable("--sprt takes two shares between 0 and 1, the lower one first")
    if matches > 1:
        raise Unusable("--sprt is for two players")
    return Hypotheses(low, high)


def _decide(records: Records, match: LeagueMatch, test: Hypotheses) -> str:
    score = add_up(match, records.list_deals(match))
    return decide(test.weigh(score.won, score.games))


class Summary:
    """The results and the ratings of a league."""

    def __init__(
        self,
        game: str,
        seed: str,
        records: Records,
        matches: Sequence[LeagueMatch],
        pairs: int,
        test: Hypotheses | None,
    ) -> None:
        self._game, self._seed, self._test = game, seed, test
        deals = {match: records.list_deals(match)[:pairs] for match in matches}
        self._scores: list[Score] = [add_up(match, deals[match]) for match in matches]
        outcomes = [one for match in matches for one in list_outcomes(match, deals[match])]
        self._ratings: dict[str, Rating] = rate(outcomes)

    def to_json(self) -> dict[str, Any]:
        """Return all that the tables say, and the verdict of the sequential test."""
        ratings = [
            {
                "name": name,
                "rating": round(one.value),
                "low": round(one.low),
                "high": round(one.high),
            }
            for name, one in self._ratings.items()
        ]
        found: dict[str, Any] = {
            "game": self._game,
            "seed": self._seed,
            "ratings": ratings,
            "matches": [score.to_json() for score in self._scores],
        }
        if self._test:
            score = self._scores[0]
            verdict = decide(self._test.weigh(score.won, score.games))
            found["sprt"] = {**self._test._asdict(), "accepted": verdict or None}
        return found

    def write_text(self) -> str:
        """Return both tables for a terminal."""
        ratings = write_text(RATING_HEAD, list_ratings(self._ratings, self._scores))
        return f"{ratings}\n\n{write_text(MATCH_HEAD, list_scores(self._scores))}{self._say_test()}"

    def write_markdown(self) -> str:
        """Return both tables in Markdown."""
        ratings = write_markdown(RATING_HEAD, list_ratings(self._ratings, self._scores))
        scores = write_markdown(MATCH_HEAD, list_scores(self._scores))
        return f"{self._game}, seed {self._seed}\n\n{ratings}\n\n{scores}\n"

    def draw(self) -> str:
        """Return the picture of the ratings."""
        return draw_ratings(f"{self._game}: ratings with 95 % intervals", self._ratings)

    def _say_test(self) -> str:
        if not self._test:
            return ""
        score = self._scores[0]
        verdict = decide(self._test.weigh(score.won, score.games)) or "neither yet"
        lower, upper = (f"{100 * share:g} %" for share in self._test)
        first = score.match.first
        return f"\n\nH0: {first} wins {lower}, H1: {first} wins {upper}; accepted: {verdict}"
