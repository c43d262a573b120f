"""`cartulary puzzles`: find puzzles in games of bots, or in the public games of an archive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, islice, takewhile
from pathlib import Path

import click

from cartulary.cli.shared.data_directory import DEFAULT
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import Show, progress
from cartulary.engine.transcript import InvalidTranscript, Transcript
from cartulary.games import OFFERS
from cartulary.games.offer import Offer
from cartulary.puzzles.mining import MiningOrigin, mine_game
from cartulary.puzzles.packs import Pack, pack, read_pack
from cartulary.puzzles.record import Puzzle, PuzzleError, write_line
from cartulary.puzzles.retelling import retell
from cartulary.puzzles.tables import play_table
from cartulary.puzzles.themes import THEMES

GROWTH = 1.05
LEAGUE, ARCHIVE = "league", "archive"


@click.command()
@click.option("--game", type=click.Choice(sorted(THEMES)), required=True)
@click.option(
    "--from",
    "source",
    type=click.Choice((LEAGUE, ARCHIVE)),
    required=True,
    help="Games that bots play now, or the public games of the archive.",
)
@click.option("--number", type=click.IntRange(1), required=True, help="So many puzzles at most.")
@click.option("--seed", default="0", show_default=True, help="The same seed: the same puzzles.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for a pack, with which the next run goes on; default: one JSON object a line on "
    "stdout.",
)
@click.option(
    "--data",
    default=DEFAULT,
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Data directory of `serve`, for --from archive and --serve, unless "
    "CARTULARY_EVENTS_URL is set.",
)
@click.option(
    "--retell",
    "retells",
    is_flag=True,
    help="Tell the puzzles of --out again by the rules of today; what they refuse is left out.",
)
@click.option(
    "--serve", "serves", is_flag=True, help="Also let the service of this store have the puzzles."
)
def puzzles(
    game: str,
    source: str,
    number: int,
    seed: str,
    out: Path | None,
    data: Path,
    retells: bool,
    serves: bool,
) -> None:
    """Find puzzles: positions in which one idea is much better than all others.

    A puzzle takes seconds of a processor. No player is named, and private games, open rounds and
    games of deleted people are left out. Exit 0 when at least one puzzle was found, 1 when there is
    no puzzle.
    """
    if out is not None and not out.parent.is_dir():  # said before the work and not after it
        raise Unusable(f"{out}: cannot write: {out.parent} is not a directory")
    run = MiningRun(OFFERS[game], MiningOrigin(source, seed), number, out, retells)
    with _open_games(run, data) as games, progress(f"{game} puzzles") as show:
        run.go_on(games, show)
    if not run.found:
        raise Failed(f"no puzzle was found in the games of the {source}")
    run.report()
    if serves:
        _hand_over(run.found, data)


class MiningRun:
    """A search for puzzles. With a file it goes on after the games that the file has seen.

    Attributes: `found`, the puzzles; `games`, the number of games that were looked at.
    """

    def __init__(
        self, offer: Offer, origin: MiningOrigin, number: int, out: Path | None, retells: bool
    ) -> None:
        self.offer, self.origin = offer, origin
        self._number, self._out, self._retells = number, out, retells
        self.found: list[Puzzle] = []
        self.games = 0
        if out is not None and out.exists():
            self._read(out)

    def _read(self, out: Path) -> None:
        try:
            pack = read_pack(self.offer, out)
        except PuzzleError as error:
            raise Unusable(str(error)) from error
        made, now = pack.head["made"], self.origin.describe()
        if made != now and not (
            self._retells and made | {"version": None} == now | {"version": None}
        ):
            raise Unusable(f"{out} has puzzles of another run: {made}")
        found = self._retell(pack) if self._retells else map(pack.read, _list_ids(pack))
        self.found = list(found)
        self.games = pack.head["games"]

    def _retell(self, pack: Pack) -> Iterator[Puzzle]:
        made = self.origin.describe()
        with progress("puzzles told again") as show:
            for done, name in enumerate(_list_ids(pack), 1):
                told = retell(self.offer, pack.read(name), pack.open(name), made)
                if told is not None:
                    yield told
                show(done, len(pack))

    def go_on(self, games: Iterator[Transcript], show: Show) -> None:
        """Look at games until there are enough puzzles; a game that is not valid is left out.

        The file is written when it grows by a twentieth, and at the end, however that comes.
        """
        written = len(self.found)
        try:
            for transcript in takewhile(lambda _: len(self.found) < self._number, games):
                self._look_at(transcript)
                self.games += 1
                if len(self.found) > GROWTH * written:
                    self._write()
                    written = len(self.found)
                show(min(len(self.found), self._number), self._number)
        finally:
            self._write()

    def _look_at(self, transcript: Transcript) -> None:
        seen = {puzzle.id for puzzle in self.found}
        try:
            for puzzle in mine_game(self.offer, transcript, self.origin, self.games):
                if puzzle.id not in seen:
                    self.found.append(puzzle)
        except InvalidTranscript as error:
            click.echo(f"game {self.games} is left out: {error}", err=True)

    def _write(self) -> None:
        """Write the file whole: a run that is killed has the file of before."""
        if self._out is None or not self.found:
            return
        part = self._out.with_name(f"{self._out.name}.part")
        try:
            part.write_bytes(pack(self.offer, self.found, self.games))
            part.replace(self._out)
        except OSError as error:
            raise Unusable(f"{self._out}: cannot write: {error.strerror}") from error

    def report(self) -> None:
        """Print the puzzles, or how many are in the file."""
        if self._out is None:
            click.echo("\n".join(map(write_line, self.found)))
        else:
            click.echo(f"{len(self.found)} puzzles of {self.games} games in {self._out}", err=True)


def _list_ids(pack: Pack) -> list[str]:
    return [entry.id for entry in pack.entries]


def _hand_over(found: list[Puzzle], data: Path) -> None:
    """Let the service have puzzles; it shows them from then on."""
    from cartulary.cli.operators.store import open_store

    with open_store(data) as store:
        new = store.puzzles.shelf.add(found)
    click.echo(f"new to the service: {new} of {len(found)}", err=True)


@contextmanager
def _open_games(run: MiningRun, data: Path) -> Iterator[Iterator[Transcript]]:
    """Yield the games that the run has not looked at yet."""
    offer, origin = run.offer, run.origin
    if origin.source == LEAGUE:
        yield (play_table(offer, origin.seed, number) for number in count(run.games))
        return
    try:  # a plain installation has no client of the store
        from cartulary.cli.operators.archive import open_archive
        from cartulary.events.mining.public_games import list_public_games
    except ModuleNotFoundError as error:
        raise Unusable(
            f"--from archive needs {error.name}: pip install 'cartulary-games[server]'"
        ) from error
    with open_archive(data) as store:
        yield islice(list_public_games(store, offer.name), run.games, None)
