"""Mutated implementations: patches of the real code, each of which leaves a defence out.

A patch is a text in a function, or in a script of the store, and what stands there instead. It is
compiled in the place of the original for the time of a test. A patch whose text is no longer in the
code is an error: a change of the code needs a look at the model.
"""

from __future__ import annotations

import importlib
import inspect
import textwrap
from functools import partial
from typing import Any, NamedTuple

import pytest

from cartulary.events.server import scripts


class Patch(NamedTuple):
    """A text of the code and what replaces it. `place`: `module:Class.function`, or a script."""

    place: str
    old: str
    new: str


class Mutant(NamedTuple):
    """A mutated implementation: what it leaves out, of which scene, and how it is made."""

    name: str
    scene: str
    patches: tuple[Patch, ...]
    refused: str
    """What the refusal of one of its traces says."""


LEDGER = "cartulary.events.ledger"
ARCHIVING = "cartulary.events.archiving"


def apply(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the patches of a mutant in the place of the code, until the test ends."""
    for patch in mutant.patches:
        if patch.place.endswith(".lua"):
            _patch_script(patch, monkeypatch)
        else:
            _patch_function(patch, monkeypatch)


def _replace(text: str, patch: Patch) -> str:
    assert text.count(patch.old) == 1, f"{patch.place} has changed: {patch.old!r}"
    return text.replace(patch.old, patch.new)


def _patch_function(patch: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    module_name, _, path = patch.place.partition(":")
    module = importlib.import_module(module_name)
    owner: Any = module
    *outer, name = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    text = textwrap.dedent(inspect.getsource(getattr(owner, name)))
    made: dict[str, Any] = {}
    code = compile(
        "from __future__ import annotations\n" + _replace(text, patch), patch.place, "exec"
    )
    exec(code, module.__dict__, made)
    monkeypatch.setattr(owner, name, made[name])
    for user in _IMPORTERS.get(patch.place, ()):
        monkeypatch.setattr(importlib.import_module(user), name, made[name])


def _patch_script(patch: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    room, name = patch.place.split("/")
    whole = scripts.read_script(room, name)
    changed = _replace(whole, patch)

    def read(known: Any, asked: str, *names: str) -> str:
        return changed if (asked, names) == (room, (name,)) else known(asked, *names)

    for module in _USERS:
        found = importlib.import_module(module)
        monkeypatch.setattr(found, "read_script", partial(read, scripts.read_script))


_USERS = (f"{LEDGER}.ledger", f"{ARCHIVING}.taking")
"""The modules whose scripts are patched."""

_IMPORTERS = {"cartulary.events.server.connection:run_confirmed": (f"{LEDGER}.ledger",)}
"""The modules that import a patched function by its name."""

MUTANTS = (
    Mutant(
        "skip the fence",
        "moves",
        (
            Patch(
                "ledger/append.lua",
                "local follows = version == expected and (not known[1] or known[1] == ARGV[2])",
                "local follows = true",
            ),
        ),
        "append",
    ),
    Mutant(
        "forget the epoch after a fall-back",
        "moves",
        (Patch("ledger/append.lua", "(not known[1] or known[1] == ARGV[2])", "true"),),
        "append",
    ),
    Mutant(
        "keep no idempotency record",
        "moves",
        (Patch("ledger/append.lua", "'head', ARGV[8], ARGV[4], record)", "'head', ARGV[8])"),),
        "False",
    ),
    Mutant(
        "answer before the append",
        "moves",
        (
            Patch(
                f"{LEDGER}.writer:EventWriter.append",
                "    try:\n        record",
                "    return self._remember(draft, self.attempt)\n    try:\n        record",
            ),
        ),
        "answer",
    ),
    Mutant(
        "answer a repeated key without a second look at its record",
        "moves",
        (
            Patch(
                f"{LEDGER}.writer:EventWriter.replay",
                "if self._ledger.record(game_id, idempotency.field) != record:",
                "if False:",
            ),
        ),
        "answer",
    ),
    Mutant(
        "store an append again that is sent again",
        "moves",
        (Patch("ledger/append.lua", "return entry[2][i + 1] == ARGV[3]", "return false"),),
        "send again",
    ),
    Mutant(
        "release a game before its row was read back",
        "archives",
        (
            Patch(
                f"{ARCHIVING}.batches:BatchArchiver._is_written",
                "    try:\n        found = self.rows.read(given.id)",
                "    return True\n    try:\n        found = self.rows.read(given.id)",
            ),
        ),
        "release",
    ),
    Mutant(
        "release a pinned game",
        "archives",
        (Patch("archiving/release.lua", "redis.call('EXISTS', KEYS[2]) == 1", "false"),),
        "release",
    ),
    Mutant(
        "pin no game that is written to",
        "archives",
        (
            Patch(
                f"{ARCHIVING}.bringing_back:BringingBack.pin",
                "pipe.set(keys.pin(game_id), 1, ex=PINNED_S)",
                "pipe.ping()",
            ),
        ),
        "archive and back",
    ),
    Mutant(
        "take moves back without all consents",
        "takebacks",
        (
            Patch(
                "cartulary.events.commands.game.proposals:Proposals._carry_out_if_agreed",
                "len(proposal.answers) < len(proposal.needs)",
                "not proposal.answers",
            ),
        ),
        "answer",
    ),
    Mutant(
        "let no proposal lapse by a move",
        "takebacks",
        (
            Patch(
                "cartulary.events.commands.commands:Commands._decide_move",
                "if table.course.proposal is not None:",
                "if False:",
            ),
        ),
        "move",
    ),
    Mutant(
        "let flags fall while no web process works",
        "flags",
        (
            Patch(
                "cartulary.events.commands.game.timeouts:Timeouts.is_over",
                " and self._calendar.is_fresh()",
                "",
            ),
        ),
        "flag",
    ),
    Mutant(
        "ignore what WAIT says",
        "replicas",
        (
            Patch(
                "cartulary.events.server.connection:run_confirmed", "if not confirmed:", "if False:"
            ),
        ),
        "answer",
    ),
    Mutant(
        "make the entry of the outbox outside the script",
        "creations",
        (
            Patch(
                "ledger/append.lua",
                "else\n  redis.call('XADD', KEYS[3], '*',",
                "else\n  redis.call('XADD', KEYS[3]..'-later', '*',",
            ),
        ),
        "append",
    ),
    Mutant(
        "store no secret with the append",
        "creations",
        (
            Patch(
                "cartulary.events.draws.draws:NewSecret.store_with",
                "if self._secret is not None:",
                "if False:",
            ),
        ),
        "append",
    ),
    Mutant(
        "let a later reservation count",
        "creations",
        (
            Patch(
                f"{LEDGER}.ledger:Ledger.reserve",
                "return game_id if first is None else first.decode()",
                "return game_id",
            ),
        ),
        "append",
    ),
    Mutant(
        "acknowledge an entry before acting on it",
        "creations",
        (
            Patch(
                "cartulary.workers.dispatcher:Dispatcher.handle",
                "    away: Away = {}",
                "    self._store.outbox.ack(entries)\n    away: Away = {}",
            ),
        ),
        "acknowledge",
    ),
)
