"""What a setting is."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

PREFIX: Final = "CARTULARY_"

FILE: Final = "_FILE"
"""What ends the name of a variable that names a file with a secret in it."""

Kind = Literal["text", "number", "choice", "flag", "rate", "url", "file"]


class SettingsError(ValueError):
    """A setting that is missing or cannot be read; the message names the variable."""


class Setting(NamedTuple):
    """A variable of the environment, named without `CARTULARY_`.

    `default` is written as in the environment; '' for a setting that is usually not set, and then
    `otherwise` says what holds. `allowed` are the numbers and `choices` the texts that are
    accepted, `word` is a text that is accepted instead of a number. The value of a `secret` is
    never shown, and may also be read from the file that `NAME_FILE` names.
    """

    name: str
    kind: Kind
    default: str
    meaning: str
    unit: str = ""
    allowed: range = range(0)
    word: str = ""
    secret: bool = False
    otherwise: str = ""
    choices: tuple[str, ...] = ()

    @property
    def variable(self) -> str:
        """The name in the environment."""
        return PREFIX + self.name


class SettingGroup(NamedTuple):
    """Settings that belong together, under a title."""

    title: str
    settings: tuple[Setting, ...]
