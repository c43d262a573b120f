"""The errors that end a command, and their exit codes."""

from __future__ import annotations

import click


class Unusable(click.ClickException):
    """Exit code 2: the usage is wrong or the input cannot be read; the message goes to stderr."""

    exit_code = 2


class Failed(click.ClickException):
    """Exit code 1: the command was understood, but the answer is "no"."""

    exit_code = 1
