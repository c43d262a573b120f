"""The options of a game, and what a choice of them must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cartulary.engine.canonical import quote
from cartulary.engine.errors import InvalidOption


class Option(NamedTuple):
    """An option of a game: its values, the default first, and a line for people."""

    name: str
    values: tuple[str | int, ...]
    text: str

    @property
    def default(self) -> str | int:
        """The value that is taken when none is given."""
        return self.values[0]


def complete_options(
    game: str, known: Sequence[Option], chosen: Mapping[str, Any]
) -> dict[str, str | int]:
    """Return the options chosen for a game, completed with the defaults.

    Raises `InvalidOption` for a name or a value that is not known; a value must be equal in kind
    too: `True` is not 1.
    """
    by_name = {option.name: option for option in known}
    for name, value in chosen.items():
        if name not in by_name:
            raise InvalidOption(
                f"{game} has no option {quote(name)}; it has {sorted(by_name)}", "options", name
            )
        if not any(type(value) is type(one) and value == one for one in by_name[name].values):
            raise InvalidOption(
                f"option {name!r} takes one of {list(by_name[name].values)}, not {quote(value)}",
                "options",
                name,
            )
    return {option.name: chosen.get(option.name, option.default) for option in known}
