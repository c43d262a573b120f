"""The fold: what each event does to a tournament. It refuses what cannot come (`Misfit`).

The problem of a misfit is a word: `status`, `version`, `field`, `entrant`, `round`, `table`,
`result`, `secret`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from cartulary.events.model.effects.kinds import check_event
from cartulary.events.model.failures import Misfit
from cartulary.events.model.types import Json
from cartulary.tournaments import events as types
from cartulary.tournaments.events import TOURNAMENT_KINDS
from cartulary.tournaments.state import (
    CANCELLED,
    OPEN,
    OVER,
    PLAYING,
    RUNNING,
    SCORED,
    VOIDED,
    Tournament,
    TournamentEntrant,
    TournamentRound,
    TournamentTable,
    hash_entropies,
)
from cartulary.tournaments.terms import read_terms


def fold(events: Iterable[Json]) -> Tournament | None:
    """Return the tournament that a stream makes, None for an empty one; raises `Misfit`."""
    found: Tournament | None = None
    for event in events:
        found = evolve(found, event)
    return found


def evolve(before: Tournament | None, event: Json) -> Tournament:
    """Return the tournament after an event; `before` is None for the first one.

    Raises `Misfit` for an event that cannot come here.
    """
    version = 0 if before is None else before.version
    row = check_event(TOURNAMENT_KINDS, "a tournament", version, event)
    if before is None or row.type == types.TOURNAMENT_CREATED:
        return _create(before, event)
    after = _EFFECTS[row.type](before, event)
    return after._replace(version=event["version"], updated_at=event["at"])


def _create(before: Tournament | None, event: Json) -> Tournament:
    if before is not None or event["type"] != types.TOURNAMENT_CREATED:
        raise Misfit("status", "a stream has one creation, its first event")
    if event["duplicate"] != (event["commitment"] is not None):
        raise Misfit("secret", "a duplicate commits to a chain of secrets, and no other does")
    return Tournament(
        terms=read_terms(event),
        host=event["host"],
        pairing=event["pairing"]["commitment"],
        chain=event["commitment"],
        created_at=event["at"],
        version=event["version"],
        updated_at=event["at"],
    )


# -- entries --------------------------------------------------------------------------------------


def _enter(before: Tournament, event: Json) -> Tournament:
    _must(before.status == OPEN, "status", "entries end with the start")
    _must(not before.full, "entrant", "the tournament is full")
    number = len(before.entrants) + 1
    _must(event["entrant"] == number, "entrant", f"the next entrant has number {number}")
    one = TournamentEntrant(number, event["player"], event["owner"], event["entropy"] or "")
    _must_be_alone(before, one)
    return before._replace(entrants=(*before.entrants, one))


def _withdraw(before: Tournament, event: Json) -> Tournament:
    return _let_go(before, event["entrant"], event["reason"])


def _remove(before: Tournament, event: Json) -> Tournament:
    return _let_go(before, event["entrant"], "removed")


def _let_go(before: Tournament, number: int, reason: str) -> Tournament:
    _must_be_unfinished(before)
    _must(any(one.number == number for one in before.playing), "entrant", "no such entrant is in")
    changed = before.entrant(number)._replace(gone=reason, early=before.status == OPEN)
    entrants = [changed if one.number == number else one for one in before.entrants]
    return before._replace(entrants=tuple(entrants))


def _reinstate(before: Tournament, event: Json) -> Tournament:
    """Let an entrant who is gone play on: one who has left before the start only until then."""
    _must_be_unfinished(before)
    number = event["entrant"]
    gone = any(one.number == number and one.gone is not None for one in before.entrants)
    _must(gone, "entrant", "no such entrant is gone")
    one = before.entrant(number)
    late = one.early and before.status != OPEN
    _must(not late, "entrant", "the entrant was gone before the start")
    _must(not (before.status == OPEN and before.full), "entrant", "the tournament is full")
    _must_be_alone(before, one)
    back = one._replace(gone=None, early=False, excused=before.count_absences(number))
    entrants = [back if other.number == number else other for other in before.entrants]
    return before._replace(entrants=tuple(entrants))


def _must_be_alone(before: Tournament, one: TournamentEntrant) -> None:
    """Refuse a second entry of a player, and in a duplicate of a person."""
    ids = {other.player["id"] for other in before.playing}
    _must(one.player["id"] not in ids, "entrant", "the player has entered before")
    persons = {other.person for other in before.playing}
    allowed = not before.terms.duplicate or one.person not in persons
    _must(allowed, "entrant", "a player and the player's bots are one entrant of a duplicate")


def _take_over(before: Tournament, event: Json) -> Tournament:
    """Put an account in the place of a guest: the entrant keeps the number."""
    _must_be_unfinished(before)
    guest, player = event["from"], event["player"]
    playing = {one.player["id"] for one in before.playing}
    hosts, invited = before.host["id"] == guest, before.terms.invited or ()
    known = hosts or guest in playing or guest in invited
    _must(known, "entrant", "the guest is neither host nor entrant, and is not invited")
    _must(not {guest, player["id"]} <= playing, "entrant", "the player has entered before")
    entrants = [
        one
        if one.player["id"] != guest or one.gone is not None
        else one._replace(player=player, former=(*one.former, guest))
        for one in before.entrants
    ]
    terms = before.terms
    if guest in invited:
        asked = dict.fromkeys(player["id"] if one == guest else one for one in invited)
        terms = terms._replace(invited=tuple(asked))
    host = player if hosts else before.host
    return before._replace(entrants=tuple(entrants), host=host, terms=terms)


def _start(before: Tournament, event: Json) -> Tournament:
    _must(before.status == OPEN, "status", "the tournament has started before")
    enough = len(before.playing) >= before.terms.least
    _must(enough, "entrant", "too few have entered")
    expected = hash_entropies(before) if before.terms.duplicate else None
    _must(event["entropy"] == expected, "secret", "the entropy is not that of the entries")
    return before._replace(status=RUNNING, started_at=event["at"], entropy=event["entropy"])


# -- rounds ---------------------------------------------------------------------------------------


def _pair(before: Tournament, event: Json) -> Tournament:
    _must_be_running(before)
    number = len(before.rounds) + 1
    _must(event["round"] == number, "round", f"the next round is round {number}")
    _must(before.open_round is None, "round", "another round is open")
    _must(not before.last_round_closed, "round", "all rounds have been played")
    lacking = before.terms.duplicate and before.chain is None
    _must(not lacking, "secret", "the chain of secrets is to be renewed first")
    tables = [_read_table(before, number, place, one) for place, one in enumerate(event["tables"])]
    _check_seats(before, tables, event["byes"])
    paired = TournamentRound(
        number,
        tuple(table.number for table in tables),
        tuple(event["byes"]),
        event["ends_at"],
        before.chain,
    )
    return before._replace(
        rounds=(*before.rounds, paired),
        tables={**before.tables, **{table.number: table for table in tables}},
    )


def _read_table(before: Tournament, round_: int, place: int, stated: Json) -> TournamentTable:
    number, seats = len(before.tables) + place + 1, tuple(stated["seats"])
    _must(stated["table"] == number, "table", f"the next table is table {number}")
    _must(len(seats) in before.terms.table, "table", f"no table has {len(seats)} seats")
    return TournamentTable(number, round_, stated["game"], seats)


def _check_seats(before: Tournament, tables: list[TournamentTable], byes: list[int]) -> None:
    """Refuse a round that seats an entrant twice, leaves one out, or seats one who is not free."""
    numbers = [number for table in tables for number in table.seats] + byes
    _must(len(set(numbers)) == len(numbers), "entrant", "an entrant has two places in the round")
    free = set(before.free)
    _must(set(numbers) <= free, "entrant", "an entrant of the round is not free")
    complete = before.terms.arena or set(numbers) == free
    _must(complete, "entrant", "the round leaves an entrant out")
    games = [table.game for table in (*tables, *before.tables.values())]
    _must(len(set(games)) == len(games), "table", "two tables have one game")
    _must(bool(tables), "table", "a round has a table")


def _accept_time(before: Tournament, event: Json) -> Tournament:
    table = _find_table(before, event["table"])
    _must(table.status == PLAYING, "table", "the table has ended")
    _must(event["entrant"] in table.seats, "entrant", "the entrant does not sit at the table")
    accepted = {**table.accepted, event["entrant"]: event["time"]}
    return _with_table(before, table._replace(accepted=accepted))


def _score(before: Tournament, event: Json) -> Tournament:
    _must_be_running(before)
    table = _find_table(before, event["table"])
    corrected = event.get("reason") is not None
    _must(table.status == PLAYING or corrected, "table", "the table has a result")
    _must(event["game"] == table.game, "table", "the game is not that of the table")
    _check_result(event, len(table.seats))
    scored = table._replace(
        status=SCORED,
        ranks=tuple(event["ranks"]),
        scores=tuple(event["scores"]),
        outcomes=tuple(event["outcomes"]),
        absent=tuple(event.get("absent", table.absent)),
        reason=event.get("reason"),
        explanation=None,
        settled_at=table.settled_at or event["version"],
    )
    return _with_table(before, scored)


def _check_result(event: Json, seats: int) -> None:
    ranks = event["ranks"]
    lengths = {len(event[name]) for name in ("ranks", "scores", "outcomes")}
    _must(lengths == {seats}, "result", "a result has an entry for each seat")
    expected = [1 + sum(other < rank for other in ranks) for rank in ranks]
    _must(ranks == expected, "result", "the ranks do not follow each other")
    absent = event.get("absent", [])
    _must(set(absent) <= set(range(seats)), "result", "a seat of the absent does not exist")


def _void(before: Tournament, event: Json) -> Tournament:
    _must_be_running(before)
    table = _find_table(before, event["table"])
    by_operator = event["reason"] == "operator"
    _must(table.status == PLAYING or by_operator, "table", "the table has a result")
    voided = table._replace(
        status=VOIDED,
        ranks=(),
        scores=(),
        outcomes=(),
        reason=event["reason"],
        explanation=event.get("explanation"),
        settled_at=table.settled_at or event["version"],
    )
    return _with_table(before, voided)


def _close(before: Tournament, event: Json) -> Tournament:
    _must_be_running(before)
    found = before.open_round
    if found is None or found.number != event["round"]:
        raise Misfit("round", f"round {event['round']} is not open")
    playing = any(before.tables[number].status == PLAYING for number in found.tables)
    _must(not playing, "round", "a table of the round is still played")
    secret = event.get("secret")
    if before.terms.duplicate:
        _check_secret(secret, found.commitment, "the commitment of the round")
    else:
        _must(secret is None, "secret", "only a duplicate shows a secret")
    closed = found._replace(closed=True, secret=secret)
    return before._replace(rounds=(*before.rounds[:-1], closed), chain=secret)


def _renew(before: Tournament, event: Json) -> Tournament:
    _must_be_unfinished(before)
    _must(before.terms.duplicate, "secret", "only a duplicate has a chain of secrets")
    _must(before.open_round is None, "round", "a round is open")
    return before._replace(chain=event["commitment"])


# -- ends -----------------------------------------------------------------------------------------


def _finish(before: Tournament, event: Json) -> Tournament:
    _must_be_running(before)
    _must(before.open_round is None, "round", "a round is open")
    _must(next(before.playing_tables(), None) is None, "table", "a table is still played")
    _check_secret(event["pairing_secret"], before.pairing, "the commitment to the pairing secret")
    return before._replace(status=OVER, pairing_secret=event["pairing_secret"])


def _cancel(before: Tournament, event: Json) -> Tournament:
    _must_be_unfinished(before)
    _check_secret(event["pairing_secret"], before.pairing, "the commitment to the pairing secret")
    found, secret, rounds = before.open_round, event.get("secret"), before.rounds
    if secret is not None:
        _must(found is not None and before.terms.duplicate, "secret", "no round has a secret now")
    if found is not None:
        _check_secret(secret, found.commitment, "the commitment of the round")
        rounds = (*rounds[:-1], found._replace(closed=True, secret=secret))
    tables = {
        number: table if table.status != PLAYING else _call_off(table, event["version"])
        for number, table in before.tables.items()
    }
    return before._replace(
        status=CANCELLED,
        code=event["code"],
        explanation=event.get("explanation"),
        pairing_secret=event["pairing_secret"],
        rounds=rounds,
        tables=tables,
    )


def _call_off(table: TournamentTable, version: int) -> TournamentTable:
    return table._replace(status=VOIDED, reason="cancelled", settled_at=version)


# -- shared ---------------------------------------------------------------------------------------


def _must(holds: bool, problem: str, detail: str) -> None:
    if not holds:
        raise Misfit(problem, detail)


def _must_be_running(before: Tournament) -> None:
    _must(before.status == RUNNING, "status", f"the tournament is {before.status}")


def _must_be_unfinished(before: Tournament) -> None:
    open_ = before.status in (OPEN, RUNNING)
    _must(open_, "status", f"the tournament is {before.status}")


def _check_secret(secret: str | None, commitment: str | None, what: str) -> None:
    """Refuse a secret that does not fit; one that is lost (None) fits."""
    if secret is None:
        return
    _must(fits(secret, commitment), "secret", f"the secret does not fit {what}")


def fits(secret: str, commitment: str | None) -> bool:
    """Return whether a secret in hex is the one of a commitment."""
    try:
        return hashlib.sha256(bytes.fromhex(secret)).hexdigest() == commitment
    except ValueError:
        return False


def _find_table(before: Tournament, number: int) -> TournamentTable:
    _must(number in before.tables, "table", f"there is no table {number}")
    return before.tables[number]


def _with_table(before: Tournament, table: TournamentTable) -> Tournament:
    return before._replace(tables={**before.tables, table.number: table})


_EFFECTS: Final[Mapping[str, Callable[[Tournament, Json], Tournament]]] = {
    types.ENTERED: _enter,
    types.WITHDREW: _withdraw,
    types.ENTRANT_REMOVED: _remove,
    types.REINSTATED: _reinstate,
    types.TAKEN_OVER: _take_over,
    types.STARTED: _start,
    types.ROUND_PAIRED: _pair,
    types.TIME_ACCEPTED: _accept_time,
    types.TABLE_SCORED: _score,
    types.TABLE_VOIDED: _void,
    types.ROUND_CLOSED: _close,
    types.CHAIN_RENEWED: _renew,
    types.TOURNAMENT_OVER: _finish,
    types.TOURNAMENT_CANCELLED: _cancel,
}
