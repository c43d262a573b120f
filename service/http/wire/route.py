"""A route that compiles what writes its path when a caller asks for that first."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from werkzeug.routing import Rule

Write = Callable[..., tuple[str, str]]


class Route(Rule):
    """A route of the service.

    Werkzeug compiles two functions for each route that write its path from values. The service has
    two hundred routes and writes no path with them: that was an eighth of the start of a web
    process. `tests/project/test_borrowed.py` says what this depends on.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Write:
        compile_builder = super()._compile_builder
        compiled = cache(lambda: compile_builder(append_unknown))

        def write(route: Rule, **values: Any) -> tuple[str, str]:
            return compiled()(route, **values)

        return write
