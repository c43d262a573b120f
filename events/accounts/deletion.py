"""The deletion of an account: the player leaves every game, and the store forgets the person.

What stays are events, which are never changed, with the id of the player; their names are masked
when they are read (`events.ledger.masks`). First the account is marked, so the name is masked from
then on; last its tokens go. A process that is killed in between leaves a token with which the
player repeats the deletion, and each step does nothing where it is done already.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from redis import Redis

from cartulary.events.accounts.departures import Departures
from cartulary.events.analyses.learning import Learning
from cartulary.events.archiving.bringing_back import BringingBack
from cartulary.events.archiving.renewing import ArchivedRows
from cartulary.events.chat.notes import Notes
from cartulary.events.chat.talk import Talk
from cartulary.events.company.seeks import Seeks
from cartulary.events.films.storage import Films
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.ledger.standing import Given, Standings
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid
from cartulary.events.model.status import Status
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.people.name_folding import write_entry
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.rows import read_row, remove_token
from cartulary.events.people.ties import Ties
from cartulary.events.profiles.counting import StatisticsCounter
from cartulary.events.puzzles.book import PuzzleBook
from cartulary.events.server import keys
from cartulary.events.studies.authors import StudyAuthors
from cartulary.tournaments.events import CLOSED

_KEPT: Final = (b"id", b"created_at", b"deleted_at")
"""What the registry keeps of a deleted player."""


class Deletion:
    """Deletes accounts. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        ledger: Ledger,
        departures: Departures,
        standings: Standings,
        players: PlayerRegistry,
        talk: Talk,
        notes: Notes,
        clock: Clock,
        bringing_back: BringingBack,
        rows: ArchivedRows,
        films: Films,
        own_bots: BotAccounts,
        notices: NoticeRegistry,
        ties: Sequence[Ties],
        seeks: Seeks,
        statistics: StatisticsCounter,
        studies: StudyAuthors,
        learning: Learning,
        puzzles: PuzzleBook,
    ) -> None:
        self._learning = learning
        self._statistics, self._studies, self._puzzles = statistics, studies, puzzles
        self._own_bots, self._ties, self._seeks = own_bots, ties, seeks
        self._bringing_back, self._rows, self._films = bringing_back, rows, films
        self._redis: Redis = ledger.registry
        self._ledger = ledger
        self._masks, self._departures = ledger.masks, departures
        self._standings, self._players = standings, players
        self._talk, self._notes, self._notices = talk, notes, notices
        self._clock = clock

    def delete(self, player: Player, confirm: str) -> None:
        """Delete an account for good; `confirm` is the name of the player.

        Raises `Invalid` for another name, `WrongKey`; `ArchiveError` when words cannot be removed
        from the archive: the player repeats the deletion.
        """
        if confirm != player.name:
            raise Invalid([("/confirm", "must be your name, letter by letter")])
        for guest_id in reversed(self._list_guests(player.id)):
            guest = self._players.by_id(guest_id)
            if guest is not None:
                self._erase(guest)
        self._erase(player)

    def close_bot(self, bot: Player) -> None:
        """Close a bot for good: stand-ins answer for it, and its tokens are void.

        Repeating a call that was interrupted goes on. Raises `ArchiveError`.
        """
        self._erase(bot)
        self._own_bots.forget(bot)

    def _list_guests(self, player_id: str) -> list[str]:
        """Return the guests who have merged into a player, and their guests: the same person."""
        found = list[str]()
        pending = [player_id]
        while pending:
            guests: Any = self._redis.smembers(keys.guests_of(pending.pop()))
            fresh = [one.decode() for one in guests if one.decode() not in found]
            found += fresh
            pending += fresh
        return found

    def _erase(self, player: Player) -> None:
        for bot in self._own_bots.list_of(player.id):
            self.close_bot(bot.player)
        now = self._clock.now_ms()
        self._redis.hsetnx(keys.player(player.id), "deleted_at", format_time(now))
        self._departures.leave_tournaments(player, CLOSED)
        self._studies.forget(player.id)
        games = dict(self._departures.list_games(player.id))
        self._masks.add(player.id, now, games)
        for game_id, status in games.items():
            if not Status(status).finished:
                self._departures.leave(player, game_id)
            self._forget_answers(player.id, game_id)
        wrote = self._talk.list_games(player.id)
        for game_id in wrote:
            self._talk.erase(player.id, game_id)
            self._notes.forget(player.id, game_id)
        self._renew_rows(wrote.union(games))
        self._films.forget(games)
        self._learning.forget(player.id)  # before the inbox, which mistakes come back to
        self._forget_people(player.id)
        self._notices.forget(player.id)
        self._statistics.forget(player.id)
        self._puzzles.forget(player.id)
        self._forget_account(player.id)

    def _forget_answers(self, player_id: str, game_id: str) -> None:
        """Forget the standing answers that a player has given."""
        if player_id in self._standings.read(game_id).given:
            self._bringing_back.pin(game_id)
            self._standings.write(game_id, player_id, Given(0, []))

    def _renew_rows(self, game_ids: Collection[str]) -> None:
        """Write the rows of games again that the archive still has, with the words of before.

        A game that was brought back, to be written to, is in the store and in the archive.
        """
        for game_id in self._ledger.archive.heads(sorted(game_ids)):
            self._rows.rewrite(game_id)

    # -- the registry -----------------------------------------------------------------------------

    def _forget_people(self, player_id: str) -> None:
        """Forget seeks, the ties to others, mutes, local games, vacations, inbox."""
        self._seeks.withdraw(player_id)
        for ties in self._ties:
            ties.erase(player_id)
        pipe = self._redis.pipeline(transaction=False)
        pipe.delete(keys.mutes(player_id))
        pipe.delete(keys.local_games(player_id), keys.local_game_summaries(player_id))
        pipe.hdel(keys.muted(), player_id)
        pipe.hdel(keys.suspended(), player_id)
        pipe.hdel(keys.operators(), player_id)
        pipe.delete(keys.open_complaints(player_id))
        digest: Any = self._redis.get(keys.calendar_of(player_id))
        if digest is not None:
            pipe.delete(keys.calendar(digest.decode()))
        pipe.delete(keys.availability(player_id), keys.calendar_of(player_id))
        pipe.delete(keys.vacation(player_id), keys.early(player_id), keys.talked(player_id))
        pipe.delete(keys.wrote(player_id), keys.analyses_of(player_id))
        pipe.delete(keys.presence(player_id), keys.seat_requests(player_id))
        pipe.zrem(keys.vacations(), player_id)
        pipe.delete(keys.inbox(player_id), keys.inbox_ids(player_id), keys.inbox_read(player_id))
        pipe.delete(keys.inbox_gone(player_id))
        pipe.execute()

    def _forget_account(self, player_id: str) -> None:
        """Forget name, codes and tokens in one step; what is left says that there was a player."""
        key, rows = keys.player(player_id), keys.tokens(player_id)
        hashes: set[str] = set()

        def forget(pipe: Any) -> None:
            fields = pipe.hgetall(key)
            hashes.clear()
            if b"token_hash" in fields:
                hashes.add(fields[b"token_hash"].decode())
            found = pipe.hgetall(rows)
            hashes.update(read_row(one).hash for one in found.values() if one.startswith(b"{"))
            pipe.multi()
            for token_hash in hashes:
                remove_token(pipe, player_id, token_hash)
            pipe.delete(rows, keys.recovery(player_id), keys.guests_of(player_id))
            if b"name" in fields:
                pipe.zrem(keys.names(), write_entry(fields[b"name"].decode(), player_id))
            pipe.delete(keys.passkeys(player_id))
            if b"recovery" in fields:
                pipe.delete(keys.recovery_of(fields[b"recovery"].decode()))
            if gone := [name for name in fields if name not in _KEPT]:
                pipe.hdel(key, *gone)

        self._redis.transaction(forget, key, rows)
        for token_hash in hashes:
            self._players.forget(token_hash)
