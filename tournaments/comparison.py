"""The comparison of a duplicate round: the same tiles, and what each table made of them.

It says where tables that had been alike until then parted, what every seat did in each of its
turns at every table, and where a tile that was set aside has moved later tiles to other seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from cartulary.engine.core import Game
from cartulary.events.model.types import Json
from cartulary.tournaments.duplicate import list_leads, score_round
from cartulary.tournaments.replaying import (
    PlayedDecision,
    PlayedTurn,
    ReplayedTable,
    TableGame,
    replay_table,
)
from cartulary.tournaments.standings import count_thousandths
from cartulary.tournaments.state import Tournament, TournamentRound


class Parting(NamedTuple):
    """A decision at which tables that were alike went different ways.

    `decision` counts those of the game from 0; `choices` are the moves with their tables, a
    table that ended there without a move under None.
    """

    decision: int
    asked: PlayedDecision
    choices: list[tuple[Json | None, list[int]]]


class DrawShift(NamedTuple):
    """More was drawn before a turn of a table than at others: `aside` came first and is out."""

    table: int
    turn: int
    seat: int
    aside: list[str]


def find_partings(tables: Sequence[ReplayedTable]) -> list[Parting]:
    """Return where tables parted, in the order of the decisions; tables begin alike."""
    found, groups = list[Parting](), [(list(tables), 0)]
    while groups:
        alike, start = groups.pop()
        parted = _follow(alike, start) if len(alike) > 1 else None
        if parted is None:
            continue
        index, ways = parted
        asked = next(one.decisions[index] for one in alike if index < len(one.decisions))
        choices = [(_find_move(way[0], index), [one.table for one in way]) for way in ways]
        found.append(Parting(index, asked, choices))
        groups += [(way, index + 1) for way in ways]
    return sorted(found, key=lambda one: (one.decision, one.choices[0][1]))


def _follow(
    alike: Sequence[ReplayedTable], start: int
) -> tuple[int, list[list[ReplayedTable]]] | None:
    """Return the first decision at which tables differ, and their ways; None: they end alike."""
    for index in range(start, max(len(one.decisions) for one in alike)):
        ways: dict[str | None, list[ReplayedTable]] = {}
        for one in alike:
            key = one.decisions[index].key if index < len(one.decisions) else None
            ways.setdefault(key, []).append(one)
        if len(ways) > 1:
            return index, [*ways.values()]
    return None


def _find_move(table: ReplayedTable, index: int) -> Json | None:
    return table.decisions[index].move if index < len(table.decisions) else None


def find_shifts(tables: Sequence[ReplayedTable]) -> list[DrawShift]:
    """Return where a table drew more before a turn than another one did before the same turn."""
    found = []
    for turn in range(max((len(one.turns) for one in tables), default=0)):
        there = [one for one in tables if turn < len(one.turns)]
        usual = min(len(one.turns[turn].drawn) for one in there)
        for one in there:
            played = one.turns[turn]
            if extra := len(played.drawn) - usual:
                found.append(DrawShift(one.table, turn, played.seat, played.drawn[:extra]))
    return found


# -- as JSON --------------------------------------------------------------------------------------


def compare_round(
    tournament: Tournament,
    round_: TournamentRound,
    game: Game,
    played: Sequence[TableGame],
) -> Json:
    """Return the comparison of a closed round as `GET …/rounds/{n}/comparison` shows it.

    `played` are the tables whose games can be read. Raises `EngineError` for games that break the
    rules. Numbers of points are thousandths where they may be fractions: `lead` (score less the
    mean of the table) and `points`.
    """
    replayed = [replay_table(game, tournament.terms.options, one) for one in played]
    seats = range(tournament.terms.table[0])
    return {
        "round": round_.number,
        "tables": _describe_tables(tournament, round_),
        "partings": [_describe_parting(tournament, one) for one in find_partings(replayed)],
        "shifts": [one._asdict() for one in find_shifts(replayed)],
        "seats": [{"seat": one, "turns": [*_describe_turns(replayed, one)]} for one in seats],
    }


def _describe_tables(tournament: Tournament, round_: TournamentRound) -> list[Json]:
    points = score_round(tournament, round_)
    tables = [tournament.tables[number] for number in round_.tables]
    return [
        {
            "table": table.number,
            "game": table.game,
            "status": table.status,
            "seats": list(table.seats),
            "scores": list(table.scores),
            "ranks": list(table.ranks),
            "outcomes": list(table.outcomes),
            "leads": [count_thousandths(lead) for lead in _find_leads(table.scores)],
            "points": [
                None if one is None else count_thousandths(one)
                for one in points.get(table.number, [])
            ],
        }
        for table in tables
    ]


def _find_leads(scores: Sequence[int]) -> list[Fraction]:
    return list_leads(scores) if scores else []


def _describe_parting(tournament: Tournament, parting: Parting) -> Json:
    asked = parting.asked
    return {
        "decision": parting.decision,
        "turn": asked.turn,
        "seat": asked.seat,
        "kind": asked.kind,
        "context": asked.context,
        "choices": [
            {
                "move": move,
                "tables": tables,
                "lead": _find_mean_lead(tournament, tables, asked.seat),
            }
            for move, tables in parting.choices
        ],
    }


def _find_mean_lead(tournament: Tournament, tables: Sequence[int], seat: int) -> int | None:
    """Return what came of a choice: the mean of the seat's leads at the end of these tables."""
    scores = [tournament.tables[number].scores for number in tables]
    leads = [list_leads(one)[seat] for one in scores if one]
    return count_thousandths(sum(leads, Fraction(0)) / len(leads)) if leads else None


def _describe_turns(replayed: Sequence[ReplayedTable], seat: int) -> Iterator[Json]:
    """Yield the turns of a seat, each with what it was at every table that had it."""
    own: Mapping[int, list[PlayedTurn]] = {
        one.table: [turn for turn in one.turns if turn.seat == seat] for one in replayed
    }
    for number in range(max(map(len, own.values()), default=0)):
        there = {table: turns[number] for table, turns in own.items() if number < len(turns)}
        yield {
            "number": number,
            "same_draws": len({tuple(turn.drawn) for turn in there.values()}) == 1,
            "same_moves": len({_find_keys(turn) for turn in there.values()}) == 1,
            "tables": [_describe_turn(table, turn) for table, turn in there.items()],
        }


def _find_keys(turn: PlayedTurn) -> tuple[str, ...]:
    return tuple(decision.key for decision in turn.decisions)


def _describe_turn(table: int, turn: PlayedTurn) -> Json:
    lead = list_leads(turn.scores)[turn.seat]
    stood_in = next((one.by for one in turn.decisions if one.by is not None), None)
    found: dict[str, Any] = {
        "table": table,
        "turn": turn.turn,
        "version": turn.decisions[0].version,
        "drawn": turn.drawn,
        "moves": [decision.move for decision in turn.decisions],
        "gained": turn.gained,
        "score": turn.scores[turn.seat],
        "lead": count_thousandths(lead),
    }
    return found if stood_in is None else {**found, "by": stood_in}
