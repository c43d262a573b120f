"""What an operator may choose: one table, which `setup` asks, offers as options, and notes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

from cartulary.cli.setup.environment_file import parse_variables
from cartulary.cli.shared.errors import Unusable
from cartulary.settings.environment import Environment
from cartulary.settings.settings import PREFIX, SettingsError

Answers = Mapping[str, str]
"""The text of each answer by its name."""

_HEAD: Final = "# The answers of the last `cartulary setup`; its options change them.\n"


class SetupQuestion(NamedTuple):
    """A thing to choose. `accept` returns the text as it is noted, or raises `ValueError`.

    An answer with a `setting` stands in the environment file, where the operator may edit it.
    """

    name: str
    text: str
    default: Callable[[], str]
    accept: Callable[[str], str]
    setting: str = ""

    @property
    def option(self) -> str:
        """The option of the command line."""
        return "--" + self.name.replace("_", "-")


def _always(text: str) -> Callable[[], str]:
    return lambda: text


def _number(first: int, last: int) -> Callable[[str], str]:
    def accept(text: str) -> str:
        if not (text.isascii() and text.isdecimal()) or not first <= int(text) <= last:
            raise ValueError(f"a whole number from {first} to {last}")
        return str(int(text))

    return accept


def _form(pattern: str, what: str) -> Callable[[str], str]:
    def accept(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(what)
        return text

    return accept


def _accept_site(text: str) -> str:
    try:
        return Environment({"CARTULARY_PUBLIC_URL": text}).web_address("PUBLIC_URL")
    except SettingsError:
        raise ValueError("https://HOST, http://HOST or nothing") from None


def find_program() -> str:
    """Return the program `cartulary` of this environment."""
    return str(Path(sys.executable).absolute().with_name("cartulary"))


QUESTIONS: Final = (
    SetupQuestion(
        "program",
        "Program to run",
        find_program,
        _form(r"/[\w./+-]+", "the whole path of `cartulary`"),
    ),
    SetupQuestion(
        "host",
        "Address to listen on (0.0.0.0: reached from other machines without a proxy)",
        _always("127.0.0.1"),
        _form(r"[\w.:-]+", "an address such as 127.0.0.1"),
    ),
    SetupQuestion("port", "Port to listen on", _always("8000"), _number(1, 65_535)),
    SetupQuestion(
        "public_url",
        "Address that users type (https://…; empty: links are relative)",
        _always(""),
        _accept_site,
        "PUBLIC_URL",
    ),
    SetupQuestion(
        "proxies",
        "Proxies in front of the service (0: clients reach it directly)",
        _always("0"),
        _number(0, 10),
        "PROXIES",
    ),
    SetupQuestion("workers", "Workers for bots and scores", _always("2"), _number(1, 64)),
    SetupQuestion(
        "durability",
        "An answer is on the disk within a second (everysec) or before it is given (always)",
        _always("everysec"),
        _form("everysec|always", "everysec or always"),
    ),
    SetupQuestion(
        "backup_at",
        "Time of the nightly backup",
        _always("03:15"),
        _form(r"([01]\d|2[0-3]):[0-5]\d", "HH:MM, such as 03:15"),
    ),
    SetupQuestion("keep", "Nights whose backup is kept", _always("14"), _number(1, 3660)),
)


def read_answers(noted: str | None, environment: str | None) -> dict[str, str]:
    """Return the answers of the last setup, the default where an answer is missing.

    Raises `Unusable` for a file in which an answer is not acceptable.
    """
    notes, settings = parse_variables(noted or ""), parse_variables(environment or "")
    answers = {}
    for question in QUESTIONS:
        known = notes.get(question.name.upper())
        if question.setting:
            known = settings.get(PREFIX + question.setting)
        answers[question.name] = _accept(question, question.default() if known is None else known)
    return answers


def give_answers(answers: Answers, given: Mapping[str, str | None]) -> dict[str, str]:
    """Return the answers with those that options of the command line give; raises `Unusable`."""
    return {
        question.name: answers[question.name]
        if (text := given[question.name]) is None
        else _accept(question, text)
        for question in QUESTIONS
    }


def ask_answers(answers: Answers, given: Mapping[str, str | None]) -> dict[str, str]:
    """Ask for each answer that no option gives, with the answer so far as the default."""
    return {
        name: text if given[name] is not None else _ask(question, text)
        for question, (name, text) in zip(QUESTIONS, answers.items(), strict=True)
    }


def write_answers(answers: Answers) -> str:
    """Return the text of the file with the answers; settings are in the environment file."""
    lines = (f"{one.name.upper()}={answers[one.name]}\n" for one in QUESTIONS if not one.setting)
    return _HEAD + "".join(lines)


def _accept(question: SetupQuestion, text: str) -> str:
    try:
        return question.accept(text.strip())
    except ValueError as error:
        raise Unusable(f"{question.option} must be {error}, not {text!r}") from error


def _ask(question: SetupQuestion, default: str) -> str:
    def accept(text: str) -> str:
        try:
            return question.accept(text.strip())
        except ValueError as error:
            raise click.BadParameter(f"{error}, please") from error

    answer: str = click.prompt(
        question.text, default=default, value_proc=accept, err=True, show_default=bool(default)
    )
    return answer
