"""Mutated implementations: patches of the real code, each of which leaves a defence out.

A patch is a text in a function, or in a script of the store, and what stands there instead. It is
compiled in the place of the original for the time of a test. A patch whose text is no longer in the
code is an error: a change of the code needs a look at the model.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from simulation.known.patches import CodePatch, apply_patch


class Mutant(NamedTuple):
    """A mutated implementation: what it leaves out, of which scene, and how it is made."""

    name: str
    scene: str
    patches: tuple[CodePatch, ...]
    refused: str
    """What the refusal of one of its traces says."""


LEDGER = "cartulary.events.ledger"
ARCHIVING = "cartulary.events.archiving"


def apply(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the patches of a mutant in the place of the code, until the test ends."""
    for patch in mutant.patches:
        apply_patch(patch, monkeypatch.setattr)


MUTANTS = (
    Mutant(
        "skip the fence",
        "moves",
        (
            CodePatch(
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
        (CodePatch("ledger/append.lua", "(not known[1] or known[1] == ARGV[2])", "true"),),
        "append",
    ),
    Mutant(
        "keep no idempotency record",
        "moves",
        (CodePatch("ledger/append.lua", "'head', ARGV[8], ARGV[4], record)", "'head', ARGV[8])"),),
        "False",
    ),
    Mutant(
        "answer before the append",
        "moves",
        (
            CodePatch(
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
            CodePatch(
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
        (CodePatch("ledger/append.lua", "return entry[2][i + 1] == ARGV[3]", "return false"),),
        "send again",
    ),
    Mutant(
        "release a game before its row was read back",
        "archives",
        (
            CodePatch(
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
        (CodePatch("archiving/release.lua", "redis.call('EXISTS', KEYS[2]) == 1", "false"),),
        "release",
    ),
    Mutant(
        "pin no game that is written to",
        "archives",
        (
            CodePatch(
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
            CodePatch(
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
            CodePatch(
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
            CodePatch(
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
            CodePatch(
                "cartulary.events.server.connection:run_confirmed", "if not confirmed:", "if False:"
            ),
        ),
        "answer",
    ),
    Mutant(
        "make the entry of the outbox outside the script",
        "creations",
        (
            CodePatch(
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
            CodePatch(
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
            CodePatch(
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
            CodePatch(
                "cartulary.workers.dispatcher:Dispatcher.handle",
                "    away: Away = {}",
                "    self._store.outbox.ack(entries)\n    away: Away = {}",
            ),
        ),
        "acknowledge",
    ),
)
