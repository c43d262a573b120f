"""The program `cartulary`: everything that is done from a terminal.

Exit codes, for all subcommands: 0 done; 1 the answer is "no"; 2 usage or unreadable input. What a
program reads goes to stdout; progress, warnings and errors go to stderr.
"""

from __future__ import annotations

import errno
from importlib import import_module
from importlib.metadata import version
from typing import Any

import click

from cartulary.cli.shared.errors import Unusable
from cartulary.settings.garbage import load_uncollected

COMMANDS = {
    "serve": "cartulary.cli.serve",
    "setup": "cartulary.cli.setup.setup",
    "conformance": "cartulary.cli.rehearsal.conformance",
    "play": "cartulary.cli.play.play",
    "mcp": "cartulary.cli.mcp.mcp",
    "bot": "cartulary.cli.bot.bot",
    "verify": "cartulary.cli.games.verify",
    "simulate": "cartulary.cli.games.simulate",
    "league": "cartulary.cli.games.league",
    "draw": "cartulary.cli.games.draw",
    "analyse": "cartulary.cli.games.analyse",
    "puzzles": "cartulary.cli.games.puzzles",
    "rebuild": "cartulary.cli.operators.store",
    "audit": "cartulary.cli.operators.store",
    "backup": "cartulary.cli.backups.backup",
    "restore": "cartulary.cli.backups.restore",
    "upgrade": "cartulary.cli.upgrade.upgrade",
    "archive": "cartulary.cli.operators.archive",
    "unarchive": "cartulary.cli.operators.archive",
    "explorer": "cartulary.cli.operators.explorer",
    "dump": "cartulary.cli.operators.dump",
    "status": "cartulary.cli.operators.status",
    "doctor": "cartulary.cli.doctor.doctor",
    "top": "cartulary.cli.top.top",
    "config": "cartulary.cli.operators.config",
    "reports": "cartulary.cli.operators.reports",
    **dict.fromkeys(
        ("mute", "unmute", "suspend", "unsuspend", "rename", "close"),
        "cartulary.cli.operators.orders",
    ),
    "studies": "cartulary.cli.operators.studies",
    "operator": "cartulary.cli.operators.operator",
    "ratings": "cartulary.cli.operators.ratings",
    "rotate-secret": "cartulary.cli.operators.rotate_secret",
}
"""Each command and the module that defines it, in the order of the help."""


EXTRAS = {"play": "client", "bot": "client", "mcp": "mcp"}
"""The extra that installs what a command needs, where that is not `server`."""


class CommandGroup(click.Group):
    """The commands, each loaded when it is called.

    A plain installation has no Flask and no Redis client: a module that imports them must not be
    loaded for `simulate`.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; return a stand-in when the library that it needs is not installed."""
        if cmd_name not in COMMANDS:
            return None
        try:
            command: click.Command = getattr(
                load_uncollected(COMMANDS[cmd_name]), cmd_name.replace("-", "_")
            )
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "cartulary":
                raise  # a fault of this program, which no installation mends
            return _stand_in(cmd_name, error.name)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; on a full disk it is unusable, and its answer is not "no"."""
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            raise Unusable(f"cannot write: {error.strerror}") from error


def _stand_in(name: str, library: str) -> click.Command:
    """Return a command that accepts everything and says which extra is missing."""
    needed = f"pip install 'cartulary-games[{EXTRAS.get(name, 'server')}]'"

    def refuse() -> None:
        raise Unusable(f"`cartulary {name}` needs {library}, which is not installed: {needed}")

    return click.Command(
        name,
        callback=refuse,
        short_help=f"Not installed: {needed}",
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version and the form of the engine, and end the program."""
    if wanted:
        form = import_module("cartulary.engine.form").FORM
        click.echo(f"cartulary, version {version('cartulary-games')} (engine: {form})")
        ctx.exit()


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version and the form of the engine, and exit.",
)
def main() -> None:
    """Play Caylus and Carcassonne; every move is an event that stays."""


if __name__ == "__main__":
    main()
