"""Verification: everything that follows from the stream of a tournament, computed again.

It takes the events as they are delivered: the chain of their hashes, whether each event may come
where it stands, and once the pairing secret is out every pairing and the standings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from cartulary.events.model.chain import GENESIS, hash_event
from cartulary.events.model.clock import milliseconds
from cartulary.events.model.failures import MALFORMED, BrokenHistory, Misfit
from cartulary.events.model.fairness import SCHEME
from cartulary.events.model.types import GAME_CREATED, GAME_SCORED, Json
from cartulary.tournaments import events as types
from cartulary.tournaments.duplicate import name_round
from cartulary.tournaments.fold import evolve, fits
from cartulary.tournaments.lots import PAIRING_SCHEME
from cartulary.tournaments.pairing import PairedTables, pair_next
from cartulary.tournaments.standings import rank_entrants, write_standings
from cartulary.tournaments.state import (
    CANCELLED,
    SCORED,
    Tournament,
    TournamentRound,
    TournamentTable,
)

HIDDEN, PROVED, FAILED, LOST = PROOFS = ("hidden", "proved", "failed", "lost")


class TournamentReport(NamedTuple):
    """What holds of a tournament: `problems` are `{"version", "problem", "detail"}`.

    `pairings` is a word of `PROOFS`; `rounds` are those of a duplicate with their commitment, their
    secret (null while it is hidden or lost) and such a word. `tournament` is the state of the last
    event that fits, None when the first does not.
    """

    version: int
    problems: list[Json]
    head: str
    masked: int
    pairings: str
    rounds: list[Json]
    tournament: Tournament | None

    @property
    def valid(self) -> bool:
        """True when there is no problem."""
        return not self.problems

    def to_json(self) -> Json:
        """Return the report as `GET /tournaments/{id}/verification` shows it."""
        return {
            "valid": self.valid,
            "version": self.version,
            "problems": self.problems,
            "head": self.head,
            "masked": self.masked,
            "pairings": self.pairings,
            "rounds": self.rounds,
        }


def verify_tournament(events: Sequence[Json]) -> TournamentReport:
    """Return what holds of a stream, given as it is delivered: each event with its `hash`.

    Checked are the chain, the order of the events, secrets against commitments, and with the
    pairing secret each pairing and the standings.
    """
    problems = [*_check_chain(events)]
    states, misfits = _fold(events)
    problems += misfits
    secret = _find_secret(events)
    unfair = [] if secret is None else [*_check_pairings(events, states, secret)]
    last = states[-1] if states else None
    return TournamentReport(
        version=len(events),
        problems=sorted(problems + unfair, key=lambda one: int(one["version"])),
        head=str(events[-1].get("hash", "")) if events else "",
        masked=sum(event.get("masked") is True for event in events),
        pairings=_judge_pairings(last, secret, misfits, unfair),
        rounds=[] if last is None else _describe_rounds(last),
        tournament=last,
    )


def report_broken(broken: BrokenHistory) -> TournamentReport:
    """Return the report of a stream that cannot be read at all."""
    problem = {"version": broken.version, "problem": broken.problem, "detail": broken.detail}
    return TournamentReport(broken.version, [problem], "", 0, HIDDEN, [], None)


# -- the stream -----------------------------------------------------------------------------------

_DELIVERED: Final = ("masked", "upcast")
"""Keys of events that are delivered otherwise than they were appended: their hash is given."""


def _check_chain(events: Sequence[Json]) -> Iterator[Json]:
    before = GENESIS
    for version, event in enumerate(events, start=1):
        if event.get("version") != version:
            yield _problem(version, "version", f"this event says {event.get('version')}")
        if event.get("prev") != before:
            yield _problem(version, "chain", "`prev` is not the hash of the event before")
        changed = any(event.get(key) is True for key in _DELIVERED)
        if not changed and event.get("hash") != hash_event(event):
            yield _problem(version, "chain", "`hash` is not the hash of this event")
        before = str(event.get("hash"))


def _fold(events: Sequence[Json]) -> tuple[list[Tournament], list[Json]]:
    """Return the state after each event, up to the first that does not fit, and that problem."""
    states: list[Tournament] = []
    for version, event in enumerate(events, start=1):
        try:
            after = evolve(states[-1] if states else None, event)
            milliseconds(event["at"])  # those who read the stream count with it
            states.append(after)
        except Misfit as error:
            return states, [_problem(version, error.problem, str(error))]
        except MALFORMED as error:
            return states, [_problem(version, "field", f"a part is not as it should be: {error!r}")]
    return states, []


def _find_secret(events: Sequence[Json]) -> bytes | None:
    """Return the pairing secret that the last event shows; None while it is hidden or lost.

    One that does not fit is left out: the fold has named it.
    """
    secret = events[-1].get("pairing_secret") if events else None
    pairing = events[0].get("pairing") if events else None
    commitment = pairing.get("commitment") if isinstance(pairing, dict) else None
    right = isinstance(secret, str) and fits(secret, commitment)
    return bytes.fromhex(str(secret)) if right else None


def _problem(version: int, word: str, detail: str) -> Json:
    return {"version": version, "problem": word, "detail": detail}


# -- pairings and standings -----------------------------------------------------------------------


def _check_pairings(
    events: Sequence[Json], states: Sequence[Tournament], secret: bytes
) -> Iterator[Json]:
    scheme = events[0].get("pairing", {}).get("scheme")
    if scheme != PAIRING_SCHEME:
        detail = f"the scheme is {scheme!r}, this release knows {PAIRING_SCHEME!r}"
        yield _problem(1, "pairing", detail)
        return
    for before, event in zip(states, events[1 : len(states)], strict=False):
        if event["type"] == types.ROUND_PAIRED:
            yield from _check_pairing(before, event, secret)
        elif event["type"] == types.TOURNAMENT_OVER:
            yield from _check_standings(before, event, secret)


def _check_pairing(before: Tournament, event: Json, secret: bytes) -> Iterator[Json]:
    expected = pair_next(before, secret)
    tables = tuple(tuple(table["seats"]) for table in event["tables"])
    if expected != PairedTables(tables, tuple(event["byes"])):
        yield _problem(event["version"], "pairing", f"round {event['round']} is not as drawn")


def _check_standings(before: Tournament, event: Json, secret: bytes) -> Iterator[Json]:
    if event["standings"] != write_standings(rank_entrants(before, secret)):
        yield _problem(event["version"], "standings", "they do not follow from the results")


def _judge_pairings(
    last: Tournament | None, secret: bytes | None, misfits: list[Json], unfair: list[Json]
) -> str:
    if misfits or unfair:
        return FAILED
    if secret is not None:
        return PROVED
    return LOST if last is not None and last.status == CANCELLED else HIDDEN


# -- duplicates -----------------------------------------------------------------------------------


def _describe_rounds(last: Tournament) -> list[Json]:
    if not last.terms.duplicate:
        return []
    return [
        {
            "round": one.number,
            "commitment": one.commitment,
            "secret": one.secret,
            "state": judge_round_secret(one),
        }
        for one in last.rounds
    ]


def judge_round_secret(found: TournamentRound) -> str:
    """Return what is known of the secret of a duplicate round; the fold has checked a shown one."""
    if not found.closed:
        return HIDDEN
    return LOST if found.secret is None else PROVED


def verify_table(
    tournament_id: str, tournament: Tournament, number: int, events: Sequence[Json]
) -> list[str]:
    """Return what does not fit between a table of a tournament and the events of its game.

    The players of the seats, the result; in a duplicate also the commitment, the round and the
    entropy. The draws themselves are proved from the round's secret by the proof of the game.
    """
    table = tournament.tables[number]
    created = events[0] if events and events[0].get("type") == GAME_CREATED else None
    if created is None:
        return [f"table {number}: its game has no beginning"]
    faults = [*_compare_players(tournament, table, created)]
    if tournament.terms.duplicate:
        faults += _compare_fair(tournament_id, tournament, table, created)
    if table.status == SCORED and table.reason is None:
        faults += _compare_result(table, events[-1])
    return [f"table {number}: {fault}" for fault in faults]


def _compare_players(
    tournament: Tournament, table: TournamentTable, created: Json
) -> Iterator[str]:
    entrants = [tournament.entrant(one) for one in table.seats]
    expected = [{one.player["id"], *one.former} for one in entrants]
    seated = [(seat.get("player") or {}).get("id") for seat in created["seats"]]
    fits = len(seated) == len(expected) and all(map(set.__contains__, expected, seated))
    if not fits:
        yield "other players sit in its game"


def _compare_fair(
    tournament_id: str, tournament: Tournament, table: TournamentTable, created: Json
) -> Iterator[str]:
    found = tournament.rounds[table.round - 1]
    expected = {
        "scheme": SCHEME,
        "commitment": found.commitment,
        "given": 0,
        "round": name_round(tournament_id, found.number),
        "entropy": tournament.entropy,
    }
    fair: Mapping[str, object] = created.get("fair") or {}
    for name, value in expected.items():
        if fair.get(name) != value:
            yield f"`fair.{name}` of its game is not that of the round"


def _compare_result(table: TournamentTable, ending: Json) -> Iterator[str]:
    result: Json = ending.get("result") or {}
    if ending.get("type") != GAME_SCORED:
        yield "its game has no result"
        return
    for name in ("ranks", "scores", "outcomes"):
        if result.get(name) != list(getattr(table, name)):
            yield f"`{name}` are not those of its game"
