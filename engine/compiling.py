"""Whether the engine runs compiled or as source, and what only the compiler reads.

`script/compile` compiles `engine/` and `bots/` with mypyc. Both forms have the same states, hashes
and moves. This module is never compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:
    T = TypeVar("T")

    def mypyc_attr(*flags: str, **settings: Any) -> Callable[[type[T]], type[T]]:
        """Return a decorator that does nothing: only the compiler reads the arguments.

        The decorator of `mypy_extensions` does the same, but would be a library to install.
        """
        return lambda decorated: decorated


COMPILED: Final = "compiled"
PURE: Final = "pure"


def find_form() -> str:
    """Return `COMPILED` or `PURE`: what runs in this process."""
    core = import_module("cartulary.engine.core").__file__
    return PURE if core is None or core.endswith((".py", ".pyc")) else COMPILED
