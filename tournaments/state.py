"""A tournament at one version: terms, entrants, rounds and tables. Frozen; `fold` makes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from cartulary.events.model.types import Json
from cartulary.tournaments.terms import TournamentTerms, count_rounds

OPEN, RUNNING, OVER, CANCELLED = STATUSES = ("open", "running", "over", "cancelled")

PLAYING, SCORED, VOIDED = TABLE_STATUSES = ("playing", "scored", "voided")

ABSENCES: Final = 2
"""From so many tables at which an entrant was not there, the entrant is withdrawn."""


class TournamentEntrant(NamedTuple):
    """An entrant: `number` counts the entries; `player` as events name one, `owner` that of a bot.

    `gone` says why the entrant plays no further table (a word of `WITHDRAW_REASONS`, or `removed`),
    None for one who plays; `early`: gone before the start, so in no standings. `former` are the ids
    of guests who have merged into the player: earlier games have them. `excused` absences count no
    more: an operator has let the entrant back in.
    """

    number: int
    player: Json
    owner: str | None
    entropy: str
    gone: str | None = None
    early: bool = False
    former: tuple[str, ...] = ()
    excused: int = 0

    @property
    def person(self) -> str:
        """The id of the person behind the entrant: the owner of a bot."""
        return self.owner or str(self.player["id"])


class TournamentTable(NamedTuple):
    """A table: who sits where (`seats` are numbers of entrants), and how it ended.

    `absent` are the seats whose players were not there at the start. `explanation` is what an
    operator who voided the table wrote; of a result `reason` has these words. `settled_at` is the
    version of the event that ended the table first, 0 while it is played. `accepted` has the time
    that each entrant would play at.
    """

    number: int
    round: int
    game: str
    seats: tuple[int, ...]
    status: str = PLAYING
    ranks: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    outcomes: tuple[str, ...] = ()
    absent: tuple[int, ...] = ()
    reason: str | None = None
    settled_at: int = 0
    accepted: Mapping[int, str] = {}
    explanation: str | None = None

    @property
    def agreed_time(self) -> str | None:
        """The time at which all entrants of the table would play, None until they agree."""
        times = set(self.accepted.values())
        return (
            next(iter(times)) if len(self.accepted) == len(self.seats) and len(times) == 1 else None
        )


class TournamentRound(NamedTuple):
    """A round. `commitment` is that of the secret of a duplicate round, `secret` what it showed."""

    number: int
    tables: tuple[int, ...]
    byes: tuple[int, ...]
    ends_at: str | None
    commitment: str | None = None
    closed: bool = False
    secret: str | None = None


class Tournament(NamedTuple):
    """A tournament at one version.

    `pairing` is the commitment to the pairing secret. `chain` is the commitment of the round that
    is next in a duplicate: None in others, and while a lost secret waits for `chain_renewed`.
    `code` and `explanation` say why it was cancelled, the latter in the words of an operator.
    `updated_at` is the time of the last event.
    """

    terms: TournamentTerms
    host: Json
    pairing: str
    chain: str | None
    created_at: str
    version: int
    updated_at: str
    status: str = OPEN
    entrants: tuple[TournamentEntrant, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    tables: Mapping[int, TournamentTable] = {}
    started_at: str | None = None
    entropy: str | None = None
    pairing_secret: str | None = None
    code: str | None = None
    explanation: str | None = None

    def entrant(self, number: int) -> TournamentEntrant:
        """Return the entrant of a number that occurs in the stream."""
        return self.entrants[number - 1]

    def find_entrant(self, player_id: str) -> TournamentEntrant | None:
        """Return the entry with which a player plays, else the last; None: the player has none.

        The one that plays need not be the last: a player who left may have taken over the earlier
        entry of a guest.
        """
        mine = [one for one in self.entrants if one.player["id"] == player_id]
        playing = (one for one in mine if one.gone is None)
        return next(playing, mine[-1] if mine else None)

    @property
    def playing(self) -> tuple[TournamentEntrant, ...]:
        """The entrants who have neither withdrawn nor been removed."""
        return tuple(one for one in self.entrants if one.gone is None)

    @property
    def ranked(self) -> tuple[TournamentEntrant, ...]:
        """The entrants who are in the standings: all who were there at the start."""
        return tuple(one for one in self.entrants if not one.early)

    @property
    def ended(self) -> bool:
        """True when no event follows."""
        return self.status in (OVER, CANCELLED)

    @property
    def full(self) -> bool:
        """True when as many have entered as may."""
        return len(self.playing) >= self.terms.most

    @property
    def round_count(self) -> int | None:
        """How many rounds there are, None for an arena and before the start."""
        return None if self.status == OPEN else count_rounds(self.terms, len(self.ranked))

    @property
    def open_round(self) -> TournamentRound | None:
        """The round that is being played, None between rounds; in an arena always None."""
        last = self.rounds[-1] if self.rounds and not self.terms.arena else None
        return None if last is None or last.closed else last

    @property
    def last_round_closed(self) -> bool:
        """True when no further round comes; in an arena the time says so."""
        count = self.round_count
        played = len(self.rounds)
        return count is not None and self.open_round is None and played >= count

    @property
    def free(self) -> tuple[int, ...]:
        """The numbers of the entrants who play on and sit at no table."""
        busy = {number for table in self.playing_tables() for number in table.seats}
        return tuple(one.number for one in self.playing if one.number not in busy)

    def playing_tables(self) -> Iterator[TournamentTable]:
        """Yield the tables that have not ended."""
        return (table for table in self.tables.values() if table.status == PLAYING)

    def tables_of(self, number: int) -> list[TournamentTable]:
        """Return the tables of an entrant, in the order of the rounds."""
        return [table for table in self.tables.values() if number in table.seats]

    def count_absences(self, number: int) -> int:
        """Return at how many tables an entrant was not there at the start."""
        return sum(table.seats.index(number) in table.absent for table in self.tables_of(number))

    def find_absent(self) -> list[int]:
        """Return the entrants who are to be withdrawn: absent from two tables, and still in."""
        return [
            one.number
            for one in self.playing
            if self.count_absences(one.number) - one.excused >= ABSENCES
        ]


def hash_entropies(tournament: Tournament) -> str:
    """Return the entropy of a duplicate that `started` records.

    SHA-256 of the entropies of all entries, those of entrants who are gone as well, in the order of
    the stream, one a line; an empty string where one gave none.
    """
    text = "\n".join(one.entropy for one in tournament.entrants)
    return hashlib.sha256(text.encode()).hexdigest()


def count_table_points(ranks: tuple[int, ...]) -> list[Fraction]:
    """Return the points of each seat: entrants beaten plus half of the tied, of all others."""
    others = len(ranks) - 1
    return [
        Fraction(2 * sum(other > rank for other in ranks) + ranks.count(rank) - 1, 2 * others)
        for rank in ranks
    ]
