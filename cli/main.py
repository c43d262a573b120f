"""The program `cartulary`: everything that is done from a terminal.

Exit codes, for all subcommands: 0 done; 1 the answer is "no"; 2 usage or unreadable input. What a
program reads goes to stdout; progress, warnings and errors go to stderr.
"""

from __future__ import annotations

import click

from cartulary.cli.draw import draw
from cartulary.cli.play import simulate
from cartulary.cli.serve import serve
from cartulary.cli.store import audit, rebuild
from cartulary.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cartulary-games")
def main() -> None:
    """Play Caylus and Carcassonne; every move is an event that stays."""


for command in (serve, verify, simulate, draw, rebuild, audit):
    main.add_command(command)


if __name__ == "__main__":
    main()
