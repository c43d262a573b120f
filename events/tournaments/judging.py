"""What commands to tournaments demand of them, those of hosts and entrants and of operators."""

from __future__ import annotations

from cartulary.events.commands.judging.intent import Intent
from cartulary.events.model.errors import NotEntered, SeatsOpen, StaleVersion, TournamentStarted
from cartulary.tournaments.state import OPEN, RUNNING, Tournament


def must_be_open(tournament: Tournament) -> None:
    """Raise `TournamentStarted` for a tournament whose entries have ended."""
    if tournament.status != OPEN:
        raise TournamentStarted("entries ended with the start of the tournament")


def must_be_enough(tournament: Tournament) -> None:
    """Raise `SeatsOpen` where too few have entered for a start."""
    missing = tournament.terms.least - len(tournament.playing)
    if missing > 0:
        raise SeatsOpen(f"{missing} more must enter before the start")


def must_be_unfinished(tournament: Tournament) -> None:
    """Raise `TournamentStarted` for a tournament that is over or was called off."""
    if tournament.status not in (OPEN, RUNNING):
        raise TournamentStarted("the tournament has ended")


def must_be_at(tournament: Tournament, intent: Intent) -> None:
    """Raise `StaleVersion` where the intent is for another version."""
    if intent.expected not in (None, tournament.version):
        raise StaleVersion(tournament.version)


def find_number(tournament: Tournament, player_id: str) -> int:
    """Return the number of an entrant who plays; raises `NotEntered`."""
    found = tournament.find_entrant(player_id)
    if found is None or found.gone is not None:
        raise NotEntered
    return found.number
