"""How rounds and tournaments end."""

from __future__ import annotations

from cartulary.events.draws.tournament_secrets import TournamentSecret, TournamentSecrets
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.tournaments import events as types
from cartulary.tournaments.standings import rank_entrants, write_standings
from cartulary.tournaments.state import PLAYING, TournamentRound


def find_round_secret(secret: TournamentSecret | None, round_: TournamentRound) -> str | None:
    """Return the secret of a duplicate round in hex, None where it is lost."""
    if secret is None or round_.commitment is None:
        return None
    link = secret.find_link(round_.commitment)
    return None if link is None else link.hex()


def add_cancellation(
    draft: TournamentDraft, secrets: TournamentSecrets, code: str, **more: str | None
) -> None:
    """Add the end without a winner; it reveals the secrets, null where they are lost.

    `code` is a word of `CANCEL_CODES`, `more` what an operator says. Raises `WrongKey`.
    """
    tournament = draft.tournament
    secret = secrets.find(draft.id, tournament.pairing)
    if tournament.terms.duplicate and tournament.open_round is not None:
        more["secret"] = find_round_secret(secret, tournament.open_round)
    pairing = None if secret is None else secret.pairing.hex()
    draft.add(types.TOURNAMENT_CANCELLED, code=code, pairing_secret=pairing, **more)
    secrets.delete_with(draft.side_keys)


def close_round(draft: TournamentDraft, secret: TournamentSecret) -> None:
    """Add the closing of the open round once all of its tables have ended; else nothing."""
    tournament = draft.tournament
    round_ = tournament.open_round
    if round_ is None:
        return
    if any(tournament.tables[number].status == PLAYING for number in round_.tables):
        return
    shown = {"secret": find_round_secret(secret, round_)} if tournament.terms.duplicate else {}
    draft.add(types.ROUND_CLOSED, round=round_.number, **shown)


def add_end(draft: TournamentDraft, secret: TournamentSecret, secrets: TournamentSecrets) -> None:
    """Add the end of a tournament, with its standings and the secret of its pairing."""
    places = rank_entrants(draft.tournament, secret.pairing)
    draft.add(
        types.TOURNAMENT_OVER,
        standings=write_standings(places),
        pairing_secret=secret.pairing.hex(),
    )
    secrets.delete_with(draft.side_keys)
