"""Patches of the real code: a text in a function or in a script of the store, and what replaces it.

A patch whose text is no longer in the code is an error: who changes these lines looks at what the
patch stands for.
"""

from __future__ import annotations

import importlib
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable, Iterator
from hashlib import sha256
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from cartulary.events.server.scripts import read_script

Replace = Callable[[Any, str, Any], None]
"""Puts a value into the place of an attribute: `setattr`, or what undoes it after a test."""


class CodePatch(NamedTuple):
    """A text of the code and what replaces it. `place`: `module:Class.function`, or a script."""

    place: str
    old: str
    new: str


class PatchOutdated(Exception):
    """The text of a patch is not in the code, or more than once."""


def apply_patch(patch: CodePatch, replace: Replace = setattr) -> None:
    """Put a patch into the place of the code. Raises `PatchOutdated`.

    Objects that were made before keep the script that they have read.
    """
    if patch.place.endswith(".lua"):
        _patch_script(patch, replace)
    else:
        _patch_function(patch, replace)


def _substitute(text: str, patch: CodePatch) -> str:
    if text.count(patch.old) != 1:
        raise PatchOutdated(f"{patch.place} has changed: {patch.old!r}")
    return text.replace(patch.old, patch.new)


def _patch_function(patch: CodePatch, replace: Replace) -> None:
    module_name, _, path = patch.place.partition(":")
    module = importlib.import_module(module_name)
    owner: Any = module
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    known = getattr(owner, name)
    text = textwrap.dedent(inspect.getsource(known))
    made: dict[str, Any] = {}
    exec(_compile(_substitute(text, patch), patch.place), module.__dict__, made)
    replace(owner, name, made[name])
    if owner is module:
        for user in list_users(name, known):
            replace(user, name, made[name])


def _compile(text: str, place: str) -> CodeType:
    """Compile the text of a function, whose source can be read again by a further patch."""
    whole = "from __future__ import annotations\n" + text
    name = f"<{place} patched {sha256(text.encode()).hexdigest()[:8]}>"
    linecache.cache[name] = (len(whole), None, whole.splitlines(keepends=True), name)
    return compile(whole, name, "exec")


def _patch_script(patch: CodePatch, replace: Replace) -> None:
    room, file = patch.place.split("/")
    known = find_reader()
    _substitute(known(room, file), patch)

    def read(asked: str, *names: str) -> str:
        text: str = known(asked, *names)
        return _substitute(text, patch) if asked == room and file in names else text

    scripts = importlib.import_module("cartulary.events.server.scripts")
    for user in [scripts, *list_users("read_script", known)]:
        replace(user, "read_script", read)


def find_reader() -> Callable[..., str]:
    """Return the function that reads scripts, which an earlier patch may have replaced."""
    scripts: Any = sys.modules[read_script.__module__]
    found: Callable[..., str] = scripts.read_script
    return found


def list_users(name: str, value: Any) -> Iterator[ModuleType]:
    """Yield the modules that have imported a value by its name."""
    for module in list(sys.modules.values()):
        if vars(module).get(name) is value:
            yield module
