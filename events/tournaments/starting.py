"""How a tournament starts, and what it becomes when too few have entered."""

from __future__ import annotations

from cartulary.events.draws.tournament_secrets import TournamentSecrets
from cartulary.events.tournaments.closing import add_cancellation
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.timing import find_start
from cartulary.tournaments import events as types
from cartulary.tournaments.state import OPEN, Tournament, hash_entropies
from cartulary.tournaments.terms import AT, WHEN_FULL


def add_start(draft: TournamentDraft) -> None:
    """Add the start of a tournament."""
    tournament = draft.tournament
    entropy = hash_entropies(tournament) if tournament.terms.duplicate else None
    draft.add(types.STARTED, entropy=entropy)


def is_to_start(tournament: Tournament, now: int) -> bool:
    """Return whether an open tournament starts by itself now (ms since the epoch)."""
    terms = tournament.terms
    if tournament.status != OPEN or len(tournament.playing) < terms.least:
        return False
    if terms.start == WHEN_FULL:
        return tournament.full
    return terms.start == AT and now >= find_start(tournament)


def is_to_call_off(tournament: Tournament, now: int) -> bool:
    """Return whether an open tournament has waited for its start in vain."""
    waits = tournament.status == OPEN and not is_to_start(tournament, now)
    return waits and now >= find_start(tournament)


def start_when_due(draft: TournamentDraft, secrets: TournamentSecrets, now: int) -> None:
    """Add the start of a tournament, or its end where too few came in time; else nothing.

    Raises `WrongKey`.
    """
    if is_to_start(draft.tournament, now):
        add_start(draft)
    elif is_to_call_off(draft.tournament, now):
        add_cancellation(draft, secrets, "unstarted")
