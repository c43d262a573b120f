"""Who may enter a tournament."""

from __future__ import annotations

from typing import NoReturn

from cartulary.events.model.errors import (
    AccountNeeded,
    NotForBots,
    NotInvited,
    RatingOutside,
    Removed,
    SeatTaken,
    Suspended,
    TournamentFull,
)
from cartulary.events.model.ladders import PEOPLE
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.ratings.reading import RatingReader
from cartulary.ratings.results import Bucket, name_table
from cartulary.tournaments.state import Tournament


class EntryRules:
    """Judges entries. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        players: PlayerRegistry,
        blocks: Blocks,
        suspended: SentenceRegister,
        ratings: RatingReader,
    ) -> None:
        self._players, self._blocks = players, blocks
        self._suspended, self._ratings = suspended, ratings

    def check(self, tournament: Tournament, who: Player) -> None:
        """Raise a `Refused` for a player who may not enter.

        `Suspended`; `NotInvited` where the host has invited others; `TournamentFull` for a player
        whom the host blocks, who is not to learn of it; `NotForBots` and `AccountNeeded` for what
        is rated; `SeatTaken` where the person behind the player is in the duplicate;
        `RatingOutside`.
        """
        sentence = self._suspended.find(who.id)
        if sentence is not None:
            raise Suspended(sentence.until_text)
        terms = tournament.terms
        if terms.invited is not None and who.id not in terms.invited:
            raise NotInvited
        if self._blocks.has(str(tournament.host["id"]), who.id):
            raise TournamentFull
        if terms.rated and who.is_bot:
            raise NotForBots("games that count for the ratings of people have no bots")
        if terms.rated and self._players.claimed_at(who.id) is None:
            raise AccountNeeded("for a rated tournament you need recovery codes")
        person = who.owner or who.id
        if terms.duplicate and person in self._find_persons(tournament):
            raise SeatTaken("you or a bot of yours has entered: in a duplicate that is one entrant")
        self._check_rating(tournament, who)

    def _find_persons(self, tournament: Tournament) -> set[str]:
        """Return who is behind the entrants; the owner of a bot may be a guest who has merged."""
        owners = {one.owner for one in tournament.playing if one.owner is not None}
        merged = {self._players.find_account(owner) for owner in owners}
        return merged.union(one.person for one in tournament.playing)

    def _check_rating(self, tournament: Tournament, who: Player) -> None:
        terms = tournament.terms
        if terms.rating is None:
            return
        bucket = Bucket(PEOPLE, terms.game, name_table(terms.table[-1]))
        standing = self._ratings.read_standings([who.id], bucket)[who.id]
        lowest, highest = terms.rating
        if not lowest <= standing.rating <= highest:
            raise RatingOutside(lowest, highest, round(standing.rating))

    def refuse_removed(self) -> NoReturn:
        """Refuse a player whom the host has removed."""
        raise Removed("the host has removed you from this tournament")
