"""Past faults of the streams: appends, keys, and what a process remembers of a game."""

from __future__ import annotations

from typing import Final

from simulation.known.known_fault import KnownFault, KnownRun
from simulation.known.patches import CodePatch

APPEND: Final = "ledger/append.lua"
LEDGER: Final = "cartulary.events.ledger"
COMMANDS: Final = "cartulary.events.commands"

CHAINED: Final = (
    "events: chain each event to the event before it, and let the append name its predecessor"
)
FALLEN_BACK: Final = "events: drop what is remembered when the store falls back"

FAULTS: Final = (
    KnownFault(
        "event of another",
        "a repeated key was answered with the event of another, after a fall-back",
        "events: show no event of others for a key that a fall-back takes meanwhile",
        (
            CodePatch(
                f"{LEDGER}.writer:EventWriter.replay",
                "if self._ledger.record(game_id, idempotency.field) != record:",
                "if False:",
            ),
        ),
        "is answered with an event of another",
        "taps",
        0.1,
        KnownRun("fd2d93c6-1", "taps", 0.1),
    ),
    KnownFault(
        "last append only",
        "a repeated append was recognised only while it was the last one of its game: a stored move"
        " was refused as stale",
        CHAINED,
        (
            CodePatch(
                APPEND,
                "return entry[2][i + 1] == ARGV[3]",
                "return redis.call('HGET', KEYS[2], 'last') == ARGV[3]",
            ),
            CodePatch(
                APPEND,
                "local news = table.concat",
                "redis.call('HSET', KEYS[2], 'last', ARGV[3])\nlocal news = table.concat",
            ),
        ),
        "was never answered for",
        "cuts",
        0.05,
        KnownRun("N-0", "cuts", 0.05),
        "the nonce stood in the hash of the game; the comparison stands where that of today stands",
    ),
    KnownFault(
        "phantom state",
        "after a fall-back a process showed, and played on, a state that the store had lost",
        CHAINED,
        (
            CodePatch(
                APPEND,
                "version == expected and (not known[1] or known[1] == ARGV[2])",
                "version == expected",
            ),
            CodePatch(
                f"{LEDGER}.projector:_is_stored",
                'return hash_or_none(entries[0][1].get(b"event", b"")) == base.head',
                "return True",
            ),
            CodePatch(
                f"{LEDGER}.projector:Projector._drop_after_restart",
                "if self._restarts.notice():",
                "if False:",
            ),
        ),
        "BrokenHistory",
        "branches",
        0.02,
        KnownRun("B-2", "branches", 0.02),
        "restarts of the store were not watched either, which came twenty minutes later",
    ),
    KnownFault(
        "phantom past",
        "an earlier version was shown as a process had seen it before the store fell back",
        FALLEN_BACK,
        (
            CodePatch(
                f"{LEDGER}.projector:Projector._drop_after_restart",
                "if self._restarts.notice():",
                "if False:",
            ),
        ),
        "is shown as it never was",
        "falls",
        0.02,
        KnownRun("E-2", "falls", 0.02),
    ),
    KnownFault(
        "promised twice",
        "an event was promised twice after a fall-back, and the reason was unknown",
        "bench, tests: an event that a fall-back takes may be promised and stored again",
        (
            CodePatch(
                "bench.faults.reckoning:_compare",
                "if first is not None and journal.may_be_lost(first.sent, first.came):",
                "if False:",
            ),
        ),
        "twice: ",
        "hasty",
        0.1,
        KnownRun("0e0ad190-7", "hasty", 0.1),
        "the product does today what it did then: an append without an answer is sent again after"
        " the fall-back; the judge of the runs was taught, so the patch takes from the judge what"
        " it was taught",
    ),
    KnownFault(
        "used commitment",
        "a creation that was repeated was refused: its first attempt had used the commitment up",
        "events: let a repeated creation use the commitment that it has used",
        (
            CodePatch(
                "cartulary.events.draws.vault:Vault.use_prepared",
                "if not self._registry.eval(_USE, 1, name, _GAP, use):",
                "if not self._registry.delete(name):",
            ),
        ),
        "a creation is refused",
        "tables",
        0.02,
        KnownRun("c222486b-2", "tables", 0.02),
    ),
    KnownFault(
        "key without seat",
        "a key of a request about one seat, sent again for another seat, repeated the first answer",
        "events: let an idempotency key of a seat or a proposal mean the same request",
        (
            CodePatch(
                f"{COMMANDS}.game.leaving:LeavingCommands.resign",
                "body = [seat, intent.get_body(intent.expected)]",
                "body = intent.get_body([seat, intent.expected])",
            ),
        ),
        "for another seat, leads to",
        "quarrels",
        0.02,
        KnownRun("A-1", "quarrels", 0.002),
    ),
    KnownFault(
        "key of a move at a rematch",
        "a key of a move that came again at a rematch was refused for the state of the game",
        "events, service, workers, cli: rooms of at most twenty files, and what was found by"
        " measuring",
        (
            CodePatch(
                f"{COMMANDS}.table.creating:Creator.once",
                "if use and known and known.digest != use.digest:",
                "if False:",
            ),
        ),
        "for a rematch, leads to",
        "odd",
        0.02,
        KnownRun("A-0", "odd", 0.0015),
    ),
    KnownFault(
        "position that stood",
        "a move was refused as stale after an event that had left the position alone",
        "events: judge a move by the position, and again when others were faster",
        (
            CodePatch(
                f"{COMMANDS}.judging.checks:judge_move",
                "not table.unmoved_since(expected_version)",
                "expected_version != table.version",
            ),
        ),
        "is refused as stale, and no move has come",
        "odd",
        0.05,
        KnownRun("N-3", "odd", 0.05),
    ),
    KnownFault(
        "stale before started",
        "who wanted a seat of a running game got stale_version, not already_started",
        "events: refuse a seat of a game that has started before its version is judged",
        (
            CodePatch(
                f"{COMMANDS}.table.substitutes:Substitutes.take_over",
                "vacant = _list_vacant(table, seat)\n    must_run(table, intent.expected)",
                "must_run(table, intent.expected)\n    vacant = _list_vacant(table, seat)",
            ),
        ),
        "a stranger is refused a seat with stale_version",
        "odd",
        0.02,
        KnownRun("A-0", "odd", 0.001),
    ),
)
