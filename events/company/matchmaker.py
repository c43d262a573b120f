"""The matchmaker: from seeks to games.

The store says which seeks are matched, once. The process that asked opens the game; when it dies,
the sweep of the dispatcher does. Both may: the ids of the seeks reserve the id of the game.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from cartulary.events.commands.commands import Commands, Intent, NewGame, SeatRequest
from cartulary.events.commands.table.matched import MatchedGame
from cartulary.events.commands.table.opening import check_request
from cartulary.events.commands.table.rated import rated_faults
from cartulary.events.company.seeks import (
    BOTS,
    DONE,
    DROPPED,
    OPEN,
    UNTIMED,
    NewSeek,
    Seek,
    SeekMatch,
    Seeks,
    Sought,
    avoid,
)
from cartulary.events.ledger.projector import Projector
from cartulary.events.lists.inbox import Inbox, make_item
from cartulary.events.lists.inbox_items import describe
from cartulary.events.lists.presence import Presence
from cartulary.events.lists.projections import Projections
from cartulary.events.model.errors import (
    AccountNeeded,
    Invalid,
    LedgerError,
    NotForBots,
    QuotaExceeded,
    RatedGame,
    Refused,
)
from cartulary.events.model.ladders import PEOPLE
from cartulary.events.model.offers import Offers
from cartulary.events.model.table import Table
from cartulary.events.model.time.pace import LIVE, complete
from cartulary.events.model.types import Json
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.quotas import Quotas
from cartulary.events.ratings.reading import RatingReader
from cartulary.events.server import keys
from cartulary.ratings.results import Bucket, name_table

log = logging.getLogger(__name__)

TABLES: Final = 5
"""The most open tables that fit and are shown before a seek is made."""

LOOKED_AT: Final = 100
"""The most open tables that are looked at."""

LEFT_MS: Final = 5_000
"""A match whose game is not open after so long was left by its process."""

AT_ONCE: Final = 50
"""The most seeks, and the most matches, that one step of the sweep judges."""


class SeekOutcome(NamedTuple):
    """What a request led to: a seek with the game that it was matched to, None for none yet."""

    sought: Sought
    table: Table | None


class Matchmaker:
    """Adds seeks, opens the games of matches, looks at seeks again. Thread-safe."""

    def __init__(
        self,
        seeks: Seeks,
        commands: Commands,
        players: PlayerRegistry,
        projector: Projector,
        projections: Projections,
        blocks: Blocks,
        presence: Presence,
        quotas: Quotas,
        inbox: Inbox,
        offers: Offers,
        ratings: RatingReader,
    ) -> None:
        self._seeks, self._commands, self._players = seeks, commands, players
        self._projector, self._projections = projector, projections
        self._blocks, self._presence, self._quotas = blocks, presence, quotas
        self._inbox, self._offers, self._ratings = inbox, offers, ratings

    # -- what players ask for ---------------------------------------------------------------------

    def check(self, player: Player, wish: NewSeek) -> NewSeek:
        """Return a wish with complete options and pace.

        Raises `NotForBots`, `Invalid`, `RateLimited` (the player left too many games),
        `QuotaExceeded` (the player holds as many seats as are allowed); for a rated game
        `AccountNeeded` and `RatedGame`.
        """
        if player.is_bot:
            raise NotForBots("a bot seeks no game: people find it by `GET /bots` and invite it")
        sizes = tuple(sorted(set(wish.sizes)))
        for size in sizes:
            seats = [SeatRequest("me"), *[SeatRequest("open")] * (size - 1)]
            asked = NewGame(wish.game, seats, wish.options, pace=wish.pace, rated=wish.rated)
            options = check_request(asked, self._offers, rated_faults(asked, player))
        pace = None if wish.pace is None else complete(wish.pace)
        wish = wish._replace(options=options, sizes=sizes, pace=pace)
        if wish.fill == BOTS and wish.mode != LIVE:
            raise Invalid([("/fill", "bots fill the seats of live games only")])
        if wish.rated:
            if wish.fill == BOTS:
                raise Invalid([("/fill", "a rated game of persons has no bots")])
            self._commands.rated.check_seeker(player)
        self._commands.cooldown.check_anywhere(player.id)
        self._quotas.check_seats(player.id)
        return wish

    def find_tables(self, player: Player, wish: NewSeek) -> list[Json]:
        """Return open tables of the lobby that fit a checked wish, the fullest first."""
        pace = UNTIMED if wish.pace is None else wish.mode
        page = self._projections.lobby(seat="open", game=wish.game, pace=pace, limit=LOOKED_AT)
        fitting = [game for game in page.games if _fits(game, player, wish)]
        fitting = [game for game in fitting if self._has_fitting_players(game, player, wish)]
        hosts = {game["host"] for game in fitting}
        apart = self._blocks.find_apart(player.id, hosts)
        if wish.mode == LIVE:
            apart |= hosts - self._presence.find_online(hosts)
        found = [game for game in fitting if game["host"] not in apart]
        return sorted(found, key=lambda game: (_count_open(game), game["id"]))[:TABLES]

    def _has_fitting_players(self, game: Json, player: Player, wish: NewSeek) -> bool:
        """Return whether a player may sit, and wants to sit, with those who have seats."""
        others = [one["id"] for one in _list_seated(game)]
        if wish.rated and not self._commands.rated.are_apart([player.id, *others]):
            return False
        least = wish.min_reliability or 0
        if least and min(self._seeks.measure_reliability(others), default=100) < least:
            return False
        if wish.rating_range is None:
            return True
        lowest, highest = wish.rating_range
        bucket = Bucket(PEOPLE, wish.game, name_table(len(game["seats"])))
        standings = self._ratings.read_standings(others, bucket).values()
        return all(lowest <= one.rating <= highest for one in standings)

    def seek(self, player: Player, wish: NewSeek) -> SeekOutcome:
        """Add a seek for a checked wish; when it is matched, its game is open.

        Raises `QuotaExceeded`. A match whose game cannot be opened now is left to the sweep.
        """
        sought = self._seeks.add(player.id, wish)
        table = None if sought.match is None else self._try_to_open(sought.match)
        return SeekOutcome(sought, table)

    def note_seated(self, player_id: str, table: Table) -> None:
        """End the live seeks of a player who has taken a seat by hand, if the table is live.

        A search that the player has forgotten would begin a second live game.
        """
        pace = table.terms.pace
        if pace is not None and pace["mode"] == LIVE:
            self._seeks.withdraw_live(player_id)

    # -- what the sweep asks for ------------------------------------------------------------------

    def step(self) -> int:
        """Open the games of matches that were left, look at seeks again; return how many were."""
        left = self._seeks.list_left_matches(LEFT_MS, AT_ONCE)
        for match in left:
            self._try_to_open(match)
        due = self._seeks.list_due(AT_ONCE)
        for seek in due:
            self._look_at(seek)
        return len(left) + len(due)

    def _look_at(self, seek: Seek) -> None:
        """Look at a seek whose time has come: a game that takes no more players ends it."""
        if seek.table and not self._has_room(seek.table):
            self._seeks.withdraw(seek.player_id, seek.id)
            return
        match = self._seeks.judge(seek, self._commands.matched.may_fill)
        if match is not None:
            self._try_to_open(match)

    def _has_room(self, game_id: str) -> bool:
        """Return whether bots fill seats of a running game that others may take over."""
        try:
            table = self._projector.table(game_id)
        except LedgerError as error:
            log.warning("game %s takes no players: %s", game_id, error)
            return False
        return any(table.vacant(number) for number in range(len(table.seats)))

    # -- the game of a match ----------------------------------------------------------------------

    def _try_to_open(self, match: SeekMatch) -> Table | None:
        """Open the game of a match; None when its seeks wait on, or when that fails now."""
        try:
            return self._join(match) if match.joins else self._open(match)
        except LedgerError as error:
            log.warning("the match %s waits: %s", match.text(), error)
            return None

    def _open(self, match: SeekMatch) -> Table | None:
        found = dict(zip(match.ids, self._seeks.read_many(match.ids), strict=True))
        seeks = sorted(
            (seek for seek in found.values() if seek is not None),
            key=lambda seek: (seek.created, seek.id),
        )
        players = [self._players.by_id(seek.player_id) for seek in seeks]
        present = [player for player in players if player is not None]
        if len(present) < len(match.ids):
            gone = {seek.id for seek, who in zip(seeks, players, strict=True) if who is None}
            self._release(match, seeks, gone)
            return None
        try:
            table = self._commands.matched.open(_describe_game(match, seeks, present))
        except QuotaExceeded:
            full = {seek.id for seek in seeks if self._is_full(seek.player_id)}
            self._release(match, seeks, full or {seeks[0].id})
            return None
        except Invalid as error:
            log.warning("the seeks of %s are on offer no more: %s", match.text(), error)
            self._release(match, seeks, set(match.ids))
            return None
        except (AccountNeeded, RatedGame) as error:
            # Accounts have merged since: the one that was there first plays with the others.
            log.info("the seeks of %s cannot have a rated game: %s", match.text(), error)
            self._release(match, seeks, {seeks[-1].id})
            return None
        self._tell(table, seeks)
        fate = DONE if len(seeks) > 1 else f"{table.id} {len(table.seats)}"
        self._seeks.end_match(match, {seek.id: fate for seek in seeks})
        return table

    def _is_full(self, player_id: str) -> bool:
        try:
            self._quotas.check_seats(player_id)
        except QuotaExceeded:
            return True
        return False

    def _release(self, match: SeekMatch, seeks: Sequence[Seek], dropped: set[str]) -> None:
        """End a match without a game: some of its seeks are dropped, the others wait again."""
        fates = {seek.id: DROPPED if seek.id in dropped else OPEN for seek in seeks}
        self._seeks.end_match(match, fates)

    def _join(self, match: SeekMatch) -> Table | None:
        """Let a player take over the seat of a bot in a game that has begun."""
        seek, other = self._seeks.read_many([match.ids[0], match.joins])
        player = None if seek is None else self._players.by_id(seek.player_id)
        if seek is None or player is None:
            self._seeks.end_match(match, dict.fromkeys(match.ids, DROPPED))
            return None
        table = None if other is None else self._take_over(player, other.table)
        if other is not None and not self._has_room(other.table):
            self._seeks.withdraw(other.player_id, other.id)
        if table is None:
            self._seeks.end_match(match, {seek.id: avoid(match.joins)})
            return None
        self._tell(table, [seek])
        self._seeks.end_match(match, {seek.id: DONE})
        return table

    def _take_over(self, player: Player, game_id: str) -> Table | None:
        """Return the game in which a player sits then, None when no seat is for the player."""
        try:
            return self._commands.arranging.join(Intent(player), game_id).table
        except Refused as error:
            table = self._projector.table(game_id)
            if any(seat.is_held_by(player.id) for seat in table.seats):
                return table  # a process that died had done it
            log.info("player %s does not join game %s: %s", player.id, game_id, error)
            return None

    def _tell(self, table: Table, seeks: Sequence[Seek]) -> None:
        """Tell the players in their inboxes; repeated, it tells them nothing new."""
        for seek in seeks:
            player_id = seek.player_id
            seats = table.seats_of(player_id)
            data = describe(table, player_id, table.version, seats[0] if seats else None)
            about = {**data, "seek": seek.id}
            item = make_item(seek.id, "seek_matched", player_id, table.updated_at, about)
            self._inbox.add(player_id, [item])


def _describe_game(
    match: SeekMatch, seeks: Sequence[Seek], players: Sequence[Player]
) -> MatchedGame:
    """Return the game of a match; one seek alone has the smallest table that it allows."""
    wish = seeks[0].wish
    bots = wish.sizes[0] - 1 if len(seeks) == 1 else 0
    digest = sha256(match.text().encode()).hexdigest()
    pointer = keys.creation("seeks", digest)
    return MatchedGame(players, wish.game, wish.options, wish.pace, bots, pointer, wish.rated)


def _fits(game: Json, player: Player, wish: NewSeek) -> bool:
    """Return whether a summary of an open table is what a player seeks."""
    people = _list_seated(game)
    people += [seat["offer"]["player"] for seat in game["seats"] if "offer" in seat]
    return (
        game["rated"] == wish.rated
        and game["options"] == dict(wish.options)
        and game["pace"] == wish.pace
        and len(game["seats"]) in wish.sizes
        and game["host"] != player.id
        and all(one["id"] != player.id for one in people)
    )


def _list_seated(game: Json) -> list[Json]:
    """Return the players who have seats at the table of a summary."""
    return [seat["player"] for seat in game["seats"] if seat["player"] is not None]


def _count_open(game: Json) -> int:
    return sum(seat["state"] == "open" for seat in game["seats"])
