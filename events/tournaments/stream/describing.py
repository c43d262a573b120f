"""Tournaments in the words of the HTTP contract. Pure."""

from __future__ import annotations

from cartulary.events.model.types import Json
from cartulary.tournaments.state import (
    Tournament,
    TournamentEntrant,
    TournamentRound,
    TournamentTable,
)


def summarise(tournament_id: str, tournament: Tournament) -> Json:
    """Return what lists say of a tournament; `people` are the ids of those whom it concerns."""
    terms = tournament.terms
    return {
        "id": tournament_id,
        "name": terms.name,
        "host": tournament.host,
        "game": terms.game,
        "table": list(terms.table),
        "format": terms.format,
        "pace": terms.pace,
        "rated": terms.rated,
        "duplicate": terms.duplicate,
        "visibility": terms.visibility,
        "status": tournament.status,
        "version": tournament.version,
        "entrants": {
            "count": len(tournament.playing),
            "min": terms.least,
            "max": terms.most,
            "rating": None if terms.rating is None else list(terms.rating),
            "by_invitation": terms.invited is not None,
        },
        "start": describe_start(tournament),
        "round": len(tournament.rounds),
        "rounds": tournament.round_count if tournament.round_count is not None else terms.rounds,
        "created_at": tournament.created_at,
        "updated_at": tournament.updated_at,
        "people": sorted(list_people(tournament)),
    }


def describe(tournament_id: str, tournament: Tournament) -> Json:
    """Return a tournament as a resource."""
    terms = tournament.terms
    summary = summarise(tournament_id, tournament)
    del summary["people"]
    return {
        **summary,
        "options": terms.options,
        "minutes": terms.minutes,
        "window": terms.window,
        "tiebreaks": list(terms.tiebreaks),
        "code": tournament.code,
        "explanation": tournament.explanation,
        "started_at": tournament.started_at,
        "pairing": {"commitment": tournament.pairing, "secret": tournament.pairing_secret},
        "chain": tournament.chain,
        "entropy": tournament.entropy,
    }


def describe_start(tournament: Tournament) -> Json:
    """Return what starts a tournament, as it was asked for."""
    terms = tournament.terms
    return {terms.start: terms.start_at if terms.start_at is not None else True}


def list_people(tournament: Tournament) -> set[str]:
    """Return the ids of the players whom a tournament concerns: a private one is for no other."""
    invited = tournament.terms.invited or ()
    entrants = (str(one.player["id"]) for one in tournament.entrants)
    return {str(tournament.host["id"]), *invited, *entrants}


def is_visible(tournament: Tournament, player_id: str | None) -> bool:
    """Return whether a caller (None: without a token) may see a tournament."""
    if tournament.terms.visibility != "private":
        return True
    return player_id is not None and player_id in list_people(tournament)


def describe_entrant(entrant: TournamentEntrant, tournament: Tournament) -> Json:
    """Return an entrant; `gone` says why the entrant plays no further table, null: plays."""
    return {
        "entrant": entrant.number,
        "player": entrant.player,
        "gone": entrant.gone,
        "absences": tournament.count_absences(entrant.number),
    }


def describe_round(round_: TournamentRound, tournament: Tournament) -> Json:
    """Return a round with its tables."""
    return {
        "round": round_.number,
        "status": "closed" if round_.closed else "open",
        "ends_at": round_.ends_at,
        "commitment": round_.commitment,
        "secret": round_.secret,
        "byes": list(round_.byes),
        "tables": [describe_table(tournament.tables[number]) for number in round_.tables],
    }


def describe_table(table: TournamentTable) -> Json:
    """Return a table of a round."""
    ended = table.status == "scored"
    return {
        "table": table.number,
        "round": table.round,
        "game": table.game,
        "seats": list(table.seats),
        "status": table.status,
        "ranks": list(table.ranks) if ended else None,
        "scores": list(table.scores) if ended else None,
        "outcomes": list(table.outcomes) if ended else None,
        "absent": list(table.absent),
        "reason": table.reason,
        "explanation": table.explanation,
    }
