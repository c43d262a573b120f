"""`cartulary simulate`: let bots play whole games in process, and write the transcripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import click

from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.company import Company
from cartulary.engine.core import Game, find_game
from cartulary.engine.errors import SetupError
from cartulary.engine.transcript import Transcript, verify, write
from cartulary.games import GAMES, OFFERS
from cartulary.match import Match, new_game


class TakesPairs(click.Command):
    """A command whose `--option` takes every KEY=VALUE after it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each further pair, because click expects a fixed number."""
        return super().parse_args(ctx, list(_repeat("--option", args)))


def _repeat(option: str, args: Sequence[str]) -> Iterator[str]:
    rest = iter(args)
    taking = False
    for arg in rest:
        taking = taking and "=" in arg and not arg.startswith("-")
        if taking:
            yield option
        yield arg
        if arg == option:
            yield from islice(rest, 1)
        taking = taking or arg == option or arg.startswith(f"{option}=")


takes_options = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE …",
    help="Options of the game: one or more pairs.",
)
"""Gives a command of the class `TakesPairs` the argument `options`: texts for `read_option`."""


@click.command(cls=TakesPairs)
@click.argument("game")
@click.option("--seats", type=int, required=True, help="Number of seats.")
@click.option("--games", "count", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same games.")
@click.option(
    "--players", required=True, metavar="NAME[,NAME…]", help="Bots, for the seats in turn."
)
@takes_options
@click.option(
    "--leave",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    help="How likely it is before each move that a player leaves or goes away.",
)
@click.option(
    "--takeback",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="P",
    help="How likely it is before each move that moves are taken back.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory for the transcripts.",
)
def simulate(
    game: str,
    seats: int,
    count: int,
    seed: str,
    players: str,
    options: Sequence[str],
    leave: float,
    takeback: float,
    out: Path,
) -> None:
    """Let bots play whole games.

    Plays GAME without a server and writes one transcript per game. With --leave and --takeback the
    bots play for people who leave, are away, come back, and take moves back; each transcript is
    then verified.
    """
    names = players.split(",")
    complete = _check(game, seats, names, options)
    seated = [names[seat % len(names)] for seat in range(seats)]
    tally = Tally(seated)
    with _writing(out), progress(f"playing {game}") as show:
        out.mkdir(parents=True, exist_ok=True)
        for number in range(1, count + 1):
            match = new_game(game, seats, seed=f"{seed}/{number}", options=complete, players=seated)
            transcript = tally.play(match, leave, takeback)
            (out / f"{game}-{number:04}.json").write_text(write(transcript), encoding="utf-8")
            tally.add(transcript)
            show(number, count)
    click.echo(f"{count} games of {game} with seed {seed}, transcripts in {out}")
    click.echo(tally.table())
    if leave or takeback:
        click.echo(tally.describe_people())


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unusable(f"{out}: cannot write: {error.strerror}") from error


def _check(
    name: str, seats: int, names: Sequence[str], options: Sequence[str]
) -> dict[str, str | int]:
    """Return the options of the game; raises `Unusable` when the match cannot be played."""
    try:
        offer = find_game(OFFERS, name)
        game = offer.rules
        complete = game.check(seats, dict(read_option(game, text) for text in options))
    except SetupError as error:
        raise Unusable(str(error)) from error
    known = offer.bots
    for unknown in (bot for bot in names if bot not in known):
        raise Unusable(f"{name} has no player {unknown!r}; it has {', '.join(known)}")
    if len(names) > seats:
        raise Unusable(f"{len(names)} players for {seats} seats")
    return complete


def read_option(game: Game, text: str) -> tuple[str, Any]:
    """Return `key=value` with the value in the option's own type; raises `Unusable`."""
    key, equals, value = text.partition("=")
    if not equals:
        raise Unusable(f"--option takes KEY=VALUE, not {text!r}")
    values = next((option.values for option in game.options if option.name == key), ())
    return key, next((v for v in values if str(v) == value), value)


class Tally:
    """Counts wins and points by the name of the player; a shared win counts for each winner."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = list(names)
        self._points: dict[str, list[int]] = {name: [] for name in names}
        self._wins = dict.fromkeys(names, 0)
        self._leavings = self._returns = self._taken_back = 0

    def play(self, match: Match, leave: float, takeback: float) -> Transcript:
        """Let the bots play a game to its end; return its transcript.

        Raises `Failed` when the transcript of a game with comings and goings is not valid.
        """
        company = Company(match, self._names, leave, takeback)
        transcript = company.play()
        self._leavings += company.leavings
        self._returns += company.returns
        self._taken_back += company.taken_back
        if leave or takeback:
            report = verify(transcript, GAMES)
            if report.error is not None:
                raise Failed(f"seed {match.seed}: {report.error.reason}")
        return transcript

    def add(self, transcript: Transcript) -> None:
        """Count a finished game."""
        assert transcript.result is not None
        for seat, name in enumerate(self._names):
            self._points[name].append(transcript.result["scores"][seat])
            self._wins[name] += seat in transcript.result["winners"]

    def describe_people(self) -> str:
        """Return a line about the people who came and went."""
        return (
            f"{self._leavings} times a player left or went away, {self._returns} times a player "
            f"came back; {self._taken_back} moves were taken back"
        )

    def table(self) -> str:
        """Return a line per name: seats played, wins, average points."""
        width = max(6, *map(len, self._points))
        lines = [f"{'player':{width}}  seats   wins  average"]
        for name, points in self._points.items():
            average = sum(points) / len(points)
            lines.append(f"{name:{width}} {len(points):6} {self._wins[name]:6} {average:8.1f}")
        return "\n".join(lines)
