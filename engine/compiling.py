"""What only the compiler reads. `script/compile` compiles `engine/` and `bots/` with mypyc."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    T = TypeVar("T")

    def mypyc_attr(**_settings: bool) -> Callable[[type[T]], type[T]]:
        """Return a decorator that does nothing: only the compiler reads the settings.

        The decorator of `mypy_extensions` does the same, but would be a library to install.
        """
        return lambda decorated: decorated
