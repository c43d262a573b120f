"""How the next round of a tournament is written: its tables, the ids of their games, its window."""

from __future__ import annotations

from collections.abc import Callable

from cartulary.events.commands.rounds.making import RoundMaker, RoundPlace
from cartulary.events.draws.tournament_secrets import TournamentSecret, TournamentSecrets
from cartulary.events.model.clock import format_time
from cartulary.events.tournaments.stream.drafts import TournamentDraft
from cartulary.events.tournaments.stream.timing import HOUR_MS
from cartulary.tournaments import events as types
from cartulary.tournaments.pairing import PairedTables, pair_next
from cartulary.tournaments.state import Tournament


class RoundPairing:
    """Pairs rounds. Thread-safe. All methods raise `RedisError`.

    `draw_id` returns the id of a new game.
    """

    def __init__(
        self, maker: RoundMaker, secrets: TournamentSecrets, draw_id: Callable[[], str]
    ) -> None:
        self._maker, self._secrets, self._draw_id = maker, secrets, draw_id

    def add_round(self, draft: TournamentDraft, secret: TournamentSecret, now: int) -> bool:
        """Add the next round; return whether a table can be filled."""
        tournament = draft.tournament
        pairing = pair_next(tournament, secret.pairing)
        if pairing is None:
            return False
        games = self._reserve_games(draft.id, tournament, pairing)
        hours = tournament.terms.window
        ends_at = None if hours is None else format_time(now + hours * HOUR_MS)
        draft.add(types.ROUND_PAIRED, **pairing.write(tournament, games), ends_at=ends_at)
        return True

    def _reserve_games(
        self, tournament_id: str, tournament: Tournament, pairing: PairedTables
    ) -> list[str]:
        """Return an id for the game of each table.

        A table of this round whose game has been made keeps it: the store was restored from a
        backup that has the game and not the round. A game of other players is not taken.
        """
        number, first = len(tournament.rounds) + 1, len(tournament.tables) + 1
        return [
            self._maker.reserve(
                RoundPlace(tournament_id, number, first + place),
                self._draw_id(),
                [str(tournament.entrant(one).player["id"]) for one in seats],
            )
            for place, seats in enumerate(pairing.tables)
        ]

    def add_chain(self, draft: TournamentDraft, secret: TournamentSecret) -> None:
        """Add a new chain for the rounds to come of a duplicate; its secrets go with the append."""
        tournament = draft.tournament
        left = (tournament.terms.rounds or 0) - len(tournament.rounds)
        renewed = self._secrets.renew_chain(secret)
        draft.add(types.CHAIN_RENEWED, commitment=renewed.commit_chain(left))
        self._secrets.store_with(draft.id, renewed, draft.side_keys)
