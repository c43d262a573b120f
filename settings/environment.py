"""Reads settings from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

from cartulary.settings.settings import FILE, PREFIX, Setting, SettingsError
from cartulary.settings.table import LIFE_FILE, OF_TOOLS, SETTINGS, UNBOUNDED

NO_WORDS: Final = ("0", "false", "no", "off")
YES_WORDS: Final = ("1", "true", "yes", "on")
SIMILAR: Final = 0.6
"""How alike two names are, from 0 to 1, before the second is proposed for the first."""


class UnknownVariable(NamedTuple):
    """A variable that no setting has, and the setting that is spelled most alike, or ''."""

    variable: str
    nearest: str

    def __str__(self) -> str:
        """Return a sentence for the operator."""
        hint = f"; did you mean {self.nearest}?" if self.nearest else ""
        return f"{self.variable} is no setting of this release{hint}"


class Environment:
    """The settings in a mapping of variables; `source` says where each value is from.

    Secrets are also read from files: `CARTULARY_SECRET_FILE` names a file whose text, without the
    white space around it, is the value of `CARTULARY_SECRET`. All methods raise `SettingsError`.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    @classmethod
    def of_process(cls) -> Self:
        """Return the settings of this process."""
        return cls(os.environ)

    def text(self, name: str) -> str:
        """Return the text of a setting, by default its default; '' when neither is there."""
        setting = SETTINGS[name]
        if setting.secret:
            return self._read_secret(setting)
        text = self._variables.get(setting.variable)
        # An empty rate is no limit and an empty list of origins is nobody; all else needs a text.
        if text is None or (not text and setting.kind not in ("rate", "text")):
            return setting.default
        return text

    def number(self, name: str) -> int:
        """Return a whole number, within the bounds of the setting."""
        setting, text = SETTINGS[name], self.text(name)
        allowed = setting.allowed
        if not (text.isascii() and text.isdecimal()) or int(text) not in allowed:
            first, last = allowed[0], allowed[-1]
            bounds = f"from {first} to {last}" if last < UNBOUNDED else f"of at least {first}"
            word = f" or `{setting.word}`" if setting.word else ""
            raise SettingsError(
                f"{setting.variable} must be a whole number {bounds}{word}, not {text!r}"
            )
        return int(text)

    def number_unless(self, name: str) -> int | None:
        """Return a number, None for the word that the setting accepts instead of a number."""
        return None if self.text(name) == SETTINGS[name].word else self.number(name)

    def number_if_set(self, name: str) -> int | None:
        """Return a number, None for a setting that is not set and has no default."""
        return self.number(name) if self.text(name) else None

    def choice(self, name: str) -> str:
        """Return one of the texts that the setting allows, in any case of its letters."""
        setting, text = SETTINGS[name], self.text(name)
        for allowed in setting.choices:
            if text.lower() == allowed.lower():
                return allowed
        texts = " or ".join(setting.choices)
        raise SettingsError(f"{setting.variable} must be {texts}, not {text!r}")

    def flag(self, name: str) -> bool:
        """Return whether something is on."""
        setting, text = SETTINGS[name], self.text(name).lower()
        if text not in YES_WORDS + NO_WORDS:
            raise SettingsError(f"{setting.variable} must be 1 or 0, not {text!r}")
        return text in YES_WORDS

    def web_address(self, name: str) -> str:
        """Return the address of a site, without a slash at its end; '' when it is not set."""
        url = self.text(name).rstrip("/")
        parts = urlsplit(url)
        if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query):
            raise SettingsError(
                f"{SETTINGS[name].variable} must be https://HOST or http://HOST, not {url!r}"
            )
        return url

    def source(self, name: str) -> str:
        """Return where the value is from: the variable, a file, or the default."""
        variable = SETTINGS[name].variable
        if self._variables.get(variable):
            return "environment"
        if SETTINGS[name].secret and (file := self._variables.get(variable + FILE)):
            return file
        return "default"

    def resolve(self) -> dict[str, str]:
        """Return all variables, those included whose text is in a file."""
        secrets = {
            setting.variable: self.text(name)
            for name, setting in SETTINGS.items()
            if setting.secret and self.source(name) != "default"
        }
        return {**self._variables, **secrets}

    def _read_secret(self, setting: Setting) -> str:
        variable = setting.variable
        text, file = self._variables.get(variable, ""), self._variables.get(variable + FILE, "")
        if not file:
            return text or setting.default
        if text:
            raise SettingsError(f"{variable} and {variable}{FILE} are both set: unset one of them")
        try:
            return Path(file).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            raise SettingsError(f"{variable}{FILE}: cannot read {file}: {why}") from error


def find_unknown(variables: Mapping[str, str]) -> list[UnknownVariable]:
    """Return the variables that begin like settings and set nothing in this release, sorted."""
    known = known_variables()
    return [
        UnknownVariable(name, _find_nearest(name, known))
        for name in sorted(variables)
        if name.startswith(PREFIX) and name not in known and name not in OF_TOOLS
    ]


def _find_nearest(variable: str, known: list[str]) -> str:
    # All begin alike, so that only what follows tells how alike two names are.
    names = [name.removeprefix(PREFIX) for name in known]
    found = get_close_matches(variable.removeprefix(PREFIX), names, 1, SIMILAR)
    return PREFIX + found[0] if found else ""


def warn_of_unknown(say: Callable[[str], None]) -> None:
    """Say each unknown variable of this process once: a child of `serve` leaves it to `serve`.

    That is no error, because two releases share one environment while they are exchanged.
    """
    if LIFE_FILE not in os.environ:
        for unknown in find_unknown(os.environ):
            say(str(unknown))


def known_variables() -> list[str]:
    """Return all variables that set something, those that name files with secrets included."""
    return [
        variable
        for setting in SETTINGS.values()
        for variable in (setting.variable, setting.variable + FILE)[: 1 + setting.secret]
    ]
