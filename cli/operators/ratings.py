"""`cartulary ratings`: check the ratings, let a game count no more, write the results to a file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cartulary.cli.operators.store import data_option, open_store
from cartulary.cli.shared.errors import Failed, Unusable
from cartulary.cli.shared.progress import progress
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.upkeep import replaying


@click.command()
@click.option("--replay", is_flag=True, help="Fold all results again from nothing, and compare.")
@click.option("--noted", is_flag=True, help="With --replay: trust the noted results, read no game.")
@click.option("--void", metavar="GAME", help="Let GAME count no more; needs --reason.")
@click.option("--reason", default="", help="Why, for the operators.")
@click.option(
    "--export",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a line for each game that counts, players by number.",
)
@data_option
def ratings(
    replay: bool, noted: bool, void: str | None, reason: str, export: Path | None, data: Path
) -> None:
    """Check or correct the ratings. The service may run meanwhile.

    Exit 1 when --replay finds a difference, or there is no GAME.
    """
    if [replay, void is not None, export is not None].count(True) != 1:
        raise Unusable("say one of --replay, --void GAME --reason TEXT, --export FILE")
    if (void is not None) != bool(reason.strip()):
        raise Unusable("--void and --reason go together")
    if noted and not replay:
        raise Unusable("--noted belongs to --replay")
    if replay:
        _replay(data, noted)
    elif void is not None:
        _void(data, void, reason.strip())
    elif export is not None:
        _export(data, export)


def _replay(data: Path, noted: bool) -> None:
    with open_store(data) as store, progress("folding") as show:
        found = replaying.replay(store, show, noted)
    for fault in found.faults:
        click.echo(fault)
    if found.faults:
        raise Failed(
            f"{len(found.faults)} differences; `cartulary rebuild` makes the ratings again"
        )
    click.echo(f"{found.results} results lead to the ratings that are stored")


def _void(data: Path, game: str, reason: str) -> None:
    with open_store(data) as store:
        try:
            store.projector.table(game)
        except (NotFound, BrokenHistory) as error:
            raise Failed(str(error)) from error
        counted = store.ratings.void(game, reason)
        with progress("folding") as show:
            store.ratings.fold_all(progress=show)
    click.echo("voided" if counted else "voided; the game had not counted")


def _export(data: Path, file: Path) -> None:
    lines = 0
    with open_store(data) as store, file.open("w", encoding="utf-8") as target:
        for line in replaying.export_results(store):
            target.write(json.dumps(line) + "\n")
            lines += 1
    click.echo(f"{file}: {lines} games")
