"""Compares tournaments with their games and with what was shown of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from bench.faults.journal import Journal, Json
from bench.faults.tournaments.playing import PlayedTournament
from cartulary.tournaments.state import PLAYING, SCORED, VOIDED, Tournament
from cartulary.tournaments.verification import verify_table, verify_tournament

RESTORED: Final = "restored"
"""Why a table of a duplicate is void after a restore."""


def judge_stream(events: list[Json], fell_back: bool = False) -> Iterator[str]:
    """Yield what does not hold of the stream of a tournament that has ended.

    `fell_back`: the store was restored from a backup meanwhile.
    """
    report = verify_tournament(events)
    yield from (f"version {one['version']}: {one['detail']}" for one in report.problems)
    tournament = report.tournament
    if tournament is None:
        return
    if tournament.status != "over" or report.pairings != "proved":
        yield f"it is {tournament.status}, its pairings are {report.pairings}"
    yield from _judge_rounds(tournament)
    results = (one for one in events if one["type"] == "table_scored" and "reason" not in one)
    scored = Counter(event["table"] for event in results)
    yield from (f"table {table} has {n} results" for table, n in scored.items() if n > 1)
    allowed = {"time_over"} if tournament.terms.arena else {RESTORED} if fell_back else set()
    for table in tournament.tables.values():
        if table.status == VOIDED and table.reason not in allowed:
            yield f"table {table.number} has no result: {table.reason}"


def _judge_rounds(tournament: Tournament) -> Iterator[str]:
    for round_ in tournament.rounds:
        seated = [one for number in round_.tables for one in tournament.tables[number].seats]
        if len(set(seated)) < len(seated):
            yield f"an entrant sits at two tables of round {round_.number}"
        if not round_.closed and not tournament.terms.arena:
            yield f"round {round_.number} is open"
    for table in tournament.tables.values():
        if table.status == PLAYING:
            yield f"table {table.number} is still played"


def judge_tournament(
    played: PlayedTournament,
    events: list[Json],
    read_game: Callable[[str], list[Json]],
    journal: Journal,
) -> Iterator[str]:
    """Yield what does not hold of a tournament that was played: stream, tables, seen results."""
    yield from judge_stream(events, bool(journal.fallbacks))
    tournament = verify_tournament(events).tournament
    if tournament is None:
        yield "it is not there"
        return
    for number, table in tournament.tables.items():
        if table.status == SCORED:
            yield from verify_table(played.id, tournament, number, read_game(table.game))
    for number, seen in played.seen.items():
        now = tournament.tables.get(number)
        kept = now is not None and (now.game, list(now.ranks)) == (seen.game, seen.ranks)
        if not kept and not journal.may_be_lost(seen.at, seen.at):
            yield f"the result of table {number} was shown and is lost"
