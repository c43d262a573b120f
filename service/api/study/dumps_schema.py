"""Answers about the open data."""

from __future__ import annotations

from cartulary.service.schemas.base import Answer, count, list_of, text


class DumpFileAnswer(Answer):
    """A file of open data."""

    name = text("Its name.")
    bytes = count("Its size.", required=True)
    sha256 = text("Its SHA-256, 64 hexadecimal digits.")
    href = text("Where it is.")


class DumpAnswer(Answer):
    """The open data of a month."""

    month = text("The month of UTC in which the games ended, as `2026-10`.")
    files = list_of(DumpFileAnswer, "Its files.")


class DumpsAnswer(Answer):
    """The open data."""

    licence = text("The licence of all files, by its SPDX name.")
    months = list_of(DumpAnswer, "A month each, the newest first.")
