"""Scripts that fakeredis compiles once for a server, and not at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fakeredis.commands_mixins import scripting_mixin
from fakeredis.commands_mixins.scripting_mixin import ScriptingCommandsMixin

COLLECT = "collectgarbage()"

RUNTIME, CHECK = "_get_server_runtime", "_check_for_lua_globals"
"""What we replace of fakeredis; `tests/project/test_borrowed.py` says what it has to be."""

_make_runtime = getattr(ScriptingCommandsMixin, RUNTIME)
_check_globals = getattr(scripting_mixin, CHECK)


class CompilingRuntime:
    """The Lua of a fake server, for what fakeredis does around a script.

    fakeredis reads the text of a script again at each call, and then collects all garbage of its
    Lua. Here a script stays a function, and Lua collects when it wants to.
    """

    def __init__(self, runtime: Any) -> None:
        self._runtime = runtime
        self._compiled: dict[str | bytes, Callable[[], Any]] = {}
        self.table_from, self.globals = runtime.table_from, runtime.globals

    def execute(self, script: str | bytes) -> Any:
        """Run a script and return what it returns."""
        if script == COLLECT:
            return None
        if script not in self._compiled:
            self._compiled[script] = self._runtime.compile(script)
        return self._compiled[script]()


def _find_runtime(self: Any, server: Any) -> CompilingRuntime:
    if not hasattr(server, "compiling_runtime"):
        server.compiling_runtime = CompilingRuntime(_make_runtime(self, server))
    found: CompilingRuntime = server.compiling_runtime
    return found


def _check_at_the_end(runtime: Any, expected: set[Any]) -> None:
    """Refuse a script that sets a global name: once after the script, not at each of its calls."""
    if isinstance(runtime, CompilingRuntime):
        _check_globals(runtime, expected)


def compile_scripts_once() -> None:
    """Let the fake servers of this process keep what they have compiled."""
    setattr(ScriptingCommandsMixin, RUNTIME, _find_runtime)
    setattr(scripting_mixin, CHECK, _check_at_the_end)
