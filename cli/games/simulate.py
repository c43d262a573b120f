"""`cartulary simulate`: let bots play whole games in process, and write the transcripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click

from cartulary.bots import Bot
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.numbers import NumberRange
from cartulary.cli.shared.progress import progress
from cartulary.company import Company
from cartulary.engine.core import Game, find_game
from cartulary.engine.errors import SetupError
from cartulary.engine.transcript import verify, write
from cartulary.games import GAMES, OFFERS
from cartulary.games.offer import Offer
from cartulary.league.players import UnknownPlayer, find_player
from cartulary.league.pool import run_each
from cartulary.match import Match, new_game
from cartulary.outside.faults import BotFault
from cartulary.outside.spelling import is_outside


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
    "--players",
    required=True,
    metavar="NAME[,NAME…]",
    help="Bots, for the seats in turn: levels, my_bot:think, command:./engine.",
)
@takes_options
@click.option(
    "--leave",
    type=NumberRange(0, 1),
    default=0.0,
    metavar="P",
    help="How likely it is before each move that a player leaves or goes away.",
)
@click.option(
    "--takeback",
    type=NumberRange(0, 1),
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
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
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
    jobs: int,
) -> None:
    """Let bots play whole games.

    Plays GAME without a server and writes one transcript per game; the number of processes changes
    nothing in them. With --leave and --takeback the bots play for people who leave, are away, come
    back, and take moves back; each transcript is then verified.
    """
    names = players.split(",")
    complete = _check(game, seats, names, options)
    seated = tuple(names[seat % len(names)] for seat in range(seats))
    tasks = [
        SimulatedGame(game, f"{seed}/{number}", number, complete, seated, leave, takeback)
        for number in range(1, count + 1)
    ]
    tally = Tally(seated)
    with _writing(out), progress(f"playing {game}") as show:
        out.mkdir(parents=True, exist_ok=True)
        for done, played in enumerate(_play_all(tasks, jobs), 1):
            _write(out / f"{game}-{played.number:04}.json", played.text)
            tally.add(played)
            show(done, count)
    click.echo(f"{count} games of {game} with seed {seed}, transcripts in {out}")
    click.echo(tally.table())
    if leave or takeback:
        click.echo(tally.describe_people())


class SimulatedGame(NamedTuple):
    """A game to play: what is needed for it in another process."""

    game: str
    seed: str
    number: int
    options: dict[str, str | int]
    seated: tuple[str, ...]
    leave: float
    takeback: float


class Played(NamedTuple):
    """A game that was played: its transcript as text, the result, the comings and goings."""

    number: int
    text: str
    scores: Sequence[int]
    winners: Sequence[int]
    leavings: int
    returns: int
    taken_back: int


def play_task(task: SimulatedGame) -> Played:
    """Let the bots play a game to its end.

    Raises `BotFault` of a bot of others, `Failed` when the transcript of a game with comings and
    goings is not valid.
    """
    match = new_game(
        task.game, len(task.seated), seed=task.seed, options=task.options, players=task.seated
    )
    with ExitStack() as tables:
        bots = [_sit(name, match, tables) for name in task.seated]
        company = Company(match, bots, task.leave, task.takeback)
        transcript = company.play()
    if task.leave or task.takeback:
        report = verify(transcript, GAMES)
        if report.error is not None:
            raise Failed(f"seed {match.seed}: {report.error.reason}")
    assert transcript.result is not None
    scores, winners = transcript.result["scores"], transcript.result["winners"]
    counted = (company.leavings, company.returns, company.taken_back)
    return Played(task.number, write(transcript), scores, winners, *counted)


def _sit(name: str, match: Match, tables: ExitStack) -> Bot | str:
    """Return the bot of a name; a bot of others gets a place at the table."""
    if not is_outside(name):
        return name
    choose = tables.enter_context(find_player(match.game.name, name).sit(match.state.seats))
    return lambda state, rng: choose(state, match.transcript, rng)[0]


def _play_all(tasks: Sequence[SimulatedGame], jobs: int) -> Iterator[Played]:
    """Yield the games as they end; raises `Failed`."""
    try:
        yield from run_each(play_task, tasks, min(jobs, len(tasks)))
    except BotFault as error:
        raise Failed(str(error)) from error
    except BrokenProcessPool as error:
        raise Failed("a process that played games has ended") from error


def _write(file: Path, text: str) -> None:
    """Write a whole file or nothing: Ctrl-C leaves no half of a transcript."""
    draft = file.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    try:
        draft.replace(file)
    except OSError:
        draft.unlink()
        raise


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
    for bot in names:
        _check_player(offer, bot)
    if len(names) > seats:
        raise Unusable(f"{len(names)} players for {seats} seats")
    return complete


def _check_player(offer: Offer, name: str) -> None:
    """Raise `Unusable` for a bot that there is not."""
    if is_outside(name):
        try:
            find_player(offer.name, name)
        except UnknownPlayer as error:
            raise Unusable(str(error)) from error
    elif name not in offer.bots:
        known = ", ".join(offer.bots)
        raise Unusable(f"{offer.name} has no player {name!r}; it has {known}")


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

    def add(self, played: Played) -> None:
        """Count a finished game."""
        for seat, name in enumerate(self._names):
            self._points[name].append(played.scores[seat])
            self._wins[name] += seat in played.winners
        self._leavings += played.leavings
        self._returns += played.returns
        self._taken_back += played.taken_back

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
