"""`cartulary audit`: check whether the stored games still hold.

The audit trusts nothing: it reads each entry as it is stored, judges and makes each move again, and
compares everything that was recorded with what the engine finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

import orjson

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import State
from cartulary.events.audit.agreements import AgreementAudit, Fault
from cartulary.events.audit.clocks import ClockAudit
from cartulary.events.audit.proof import FindClosing, Proof, find_no_closing
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.streams import decode, read_version
from cartulary.events.lists.projections import FORM
from cartulary.events.model.chain import (
    Links,
    find_break,
    hash_or_none,
    hash_text,
    read_field,
    read_links,
)
from cartulary.events.model.effects.fold import History, evolve
from cartulary.events.model.effects.kinds import shape_problem
from cartulary.events.model.errors import NotFound
from cartulary.events.model.failures import MALFORMED, BrokenHistory, UnknownEvent
from cartulary.events.model.offers import Rules
from cartulary.events.model.results import find_faults
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    DRAWS_RENEWED,
    GAME_SCORED,
    GAME_STARTED,
    MOVE_MADE,
    Entries,
    Json,
)


class AuditReport(NamedTuple):
    """What holds of one game: `problems` are `{"version", "problem", "detail"}`.

    `head` is the hash of the last event, `chained_from` the version of the first event that names
    the event before it, None for a game from before the chain. `masked` counts the events with a
    deleted name. `fair` says what is proved of the draws, None for a game without fair draws.
    """

    game_id: str
    version: int
    problems: list[Json]
    head: str = ""
    chained_from: int | None = None
    masked: int = 0
    fair: Json | None = None

    @property
    def valid(self) -> bool:
        """True when there is no problem."""
        return not self.problems

    def to_json(self) -> Json:
        """Return the report in the words of the HTTP contract."""
        return {
            "valid": self.valid,
            "version": self.version,
            "problems": self.problems,
            "head": self.head,
            "chained_from": self.chained_from,
            "masked": self.masked,
            "fair": self.fair,
        }


class Audit:
    """Re-verifies stored games, reading nothing but what their appends have stored."""

    def __init__(self, ledger: Ledger, rules: Rules) -> None:
        self._ledger = ledger
        self._rules = rules

    def game(self, game_id: str) -> AuditReport:
        """Rebuild one game event by event and compare. Raises `NotFound` for an unknown one."""
        try:
            return self._check(game_id)
        except BrokenHistory as broken:  # in the archive, where a row was changed or lost
            problem = problem_json(broken.version, broken.problem, broken.detail)
            archived = self._ledger.archive.heads([game_id]).get(game_id, (0, ""))
            return AuditReport(game_id, max(1, archived[0]), [problem])

    def _check(self, game_id: str) -> AuditReport:
        if not self._ledger.version(game_id):
            raise NotFound(f"there is no game {game_id}")
        # Before the events: those that a process appends in the meantime are not lost.
        reached = self._ledger.reached(game_id)
        entries, head = self._ledger.whole(game_id)
        find = self._ledger.closed_rounds.find
        report = make_report(self._rules, game_id, entries, find)
        problems = report.problems
        if not problems and reached > len(entries):
            # Events were removed from the end: the server remembers how far the stream once was.
            lost = f"the stream had reached {reached}"
            problems.append(problem_json(len(entries) + 1, "version_gap", lost))
        texts = _read_texts(entries)
        links = read_links(texts, head if len(texts) == len(entries) >= reached else None)
        problems += _chain_problems(texts, links)
        problems += self._extra_problems(game_id, texts[:1])
        problems += self._form_problems(game_id, len(entries))
        found = hash_or_none(entries[-1][1].get(b"event", b"")) or ""
        return report._replace(
            problems=problems,
            head=found,
            chained_from=links.chained_from,
            masked=self._count_masked(entries),
        )

    def _count_masked(self, entries: Entries) -> int:
        """Return how many events are delivered without a name that was deleted."""
        masks = self._ledger.masks
        masks.look()
        if not masks.deleted:
            return 0
        events = [_load(fields) for _, fields in entries]
        return sum(masks.mask_event(event) is not event for event in events)

    def _form_problems(self, game_id: str, version: int) -> Iterator[Json]:
        """Yield what does not hold of the summary that the archive has of a game."""
        stored = self._ledger.stored_version(game_id)
        archived = None if stored else self._ledger.archive.read_side_keys(game_id)
        if archived is not None and not 1 <= archived.form <= FORM:
            detail = f"its summary has the form {archived.form}, this release knows 1 to {FORM}"
            yield problem_json(version, "unknown", f"in the archive: {detail}")

    def _extra_problems(self, game_id: str, first: list[bytes]) -> Iterator[Json]:
        """Yield what does not hold of the unknown keys of an imported transcript."""
        named = read_field(first[0], "extra_hash") if first else None
        if named is None:
            return
        extra = self._ledger.extra(game_id)
        if extra is None:
            yield problem_json(1, "extra", "the unknown keys of the transcript are missing")
        elif hash_text(extra) != named:
            yield problem_json(1, "extra", "the unknown keys of the transcript were changed")


def make_report(
    rules: Rules, game_id: str, entries: Entries, find_closing: FindClosing = find_no_closing
) -> AuditReport:
    """Return what holds of the rules and the draws of a stream, without its chain.

    `find_closing` knows the closed rounds of duplicates.
    """
    proof = _begin_proof(entries, find_closing)
    problems = list(_find_problems(rules, game_id, entries, proof))
    complete = proof.version == len(entries)
    return AuditReport(game_id, len(entries), problems, fair=proof.to_json(complete))


def _begin_proof(entries: Entries, find_closing: FindClosing) -> Proof:
    """Return the proof of a stream: the secret is in its last event, or in its tournament."""
    renewed = [
        read_version(entry_id)
        for entry_id, fields in entries
        if DRAWS_RENEWED.encode() in fields.get(b"event", b"")
        and _load(fields).get("type") == DRAWS_RENEWED
    ]
    first, last = (_load(entries[n][1]) if entries else {} for n in (0, -1))
    return Proof(first, last, renewed, find_closing)


def _load(fields: dict[bytes, bytes]) -> Json:
    """Return a stored event as it is, an empty object for what is no event."""
    try:
        event = orjson.loads(fields.get(b"event", b""))
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


def _find_problems(rules: Rules, game_id: str, entries: Entries, proof: Proof) -> Iterator[Json]:
    """Yield what does not hold; ends at the first event that cannot be folded."""
    table: Table | None = None
    events: list[Json] = []
    history = History(rules, game_id, None, events)
    agreements, clocks = AgreementAudit(), ClockAudit()
    agreed = True
    for entry_id, fields in entries:
        version = 1 if table is None else table.version + 1
        if entry_id != f"{version}-0".encode():
            yield problem_json(version, "version_gap", f"entry {entry_id.decode()} is the next one")
            return
        try:
            event = decode(game_id, entry_id, fields)
            _check_shape(game_id, version, event)
            after = evolve(rules, game_id, table, event, earlier=history)
            found = [
                *_find_disagreements(table, after, event, proof),
                *_not_agreed(after.version, agreements.faults(table, after, event)),
                *_not_agreed(after.version, clocks.faults(table, after, event)),
            ]
        except BrokenHistory as broken:
            yield problem_json(version, broken.problem, broken.detail)
            return
        except UnknownEvent as unknown:
            yield problem_json(version, "unknown", unknown.detail)
            return
        except MALFORMED as error:  # the fold has passed over a part that the comparison reads
            detail = f"a part of this event, or of one before, is not as it should be: {error!r}"
            yield problem_json(version, "unreadable", detail)
            return
        # A state that differs once differs ever after: only the first difference says something.
        yield from found if agreed else (one for one in found if one["problem"] != "state_hash")
        agreed = not any(one["problem"] == "state_hash" for one in found)
        table = after
        events.append(event)
    if table is not None:
        yield from _not_agreed(table.version, agreements.unfinished())


def _not_agreed(version: int, faults: Iterator[Fault]) -> Iterator[Json]:
    return (problem_json(version, problem, detail) for problem, detail in faults)


def _read_texts(entries: Entries) -> list[bytes]:
    """Return the texts of the entries before the first gap: after it nothing is known of a link."""
    numbered = enumerate(entries, start=1)
    whole = takewhile(lambda one: one[1][0] == b"%d-0" % one[0], numbered)
    return [fields.get(b"event", b"") for _, (_, fields) in whole]


def _chain_problems(texts: list[bytes], links: Links) -> Iterator[Json]:
    """Yield the first event that is not as it was appended."""
    found = find_break(texts, links)
    if found is not None:
        yield problem_json(found.version, "chain", found.detail)


def _check_shape(game_id: str, version: int, event: Json) -> None:
    if flaw := shape_problem(event):
        raise BrokenHistory(game_id, version, "unreadable", flaw)


def _find_disagreements(
    before: Table | None, after: Table, event: Json, proof: Proof
) -> Iterator[Json]:
    version, type_ = after.version, event["type"]
    if "state_hash" in event and after.state is not None:
        actual = after.state.state_hash()
        if actual != event["state_hash"]:
            yield problem_json(version, "state_hash", f"the state has {actual}{_rules_note(after)}")
    if type_ in (GAME_STARTED, MOVE_MADE):
        facts = _facts(before, after, event, proof)
        if canonical_json(facts) != canonical_json(event["facts"]):
            yield problem_json(version, "facts", f"the move led to {canonical_json(facts)}")
    if type_ == GAME_SCORED and before is not None:
        for problem, detail in find_faults(before, event["result"]):
            yield problem_json(version, problem, detail)
    for detail in proof.note(before, after, event):
        yield problem_json(version, "draw", detail)


def _facts(before: Table | None, after: Table, event: Json, proof: Proof) -> list[Json]:
    """Return the facts of an event that has been folded, by making it once more."""
    facts: list[Json] = []
    state: State[Any]
    assert before is not None
    if before.state is None:
        state = after.rules.new(len(after.seats), after.options, event["setup"])
        state.facts = facts
    else:
        state = before.state.copy()
        found = state.find(event["move"])
        state.facts = facts
        state.play(found)
    state.settle(proof.source(before, event))
    return facts


def _rules_note(table: Table) -> str:
    today = table.rules.rules_version
    if table.rules_version == today:
        return ""
    return f" by rules {today}; the game was started with rules {table.rules_version}"


def problem_json(version: int, problem: str, detail: str) -> Json:
    """Return a problem in the words of the HTTP contract."""
    return {"version": version, "problem": problem, "detail": detail}
