"""Merging: a guest becomes an account that the person has already.

First the registry says into which account a guest merges; from then on no other account gets the
guest. Then the games follow, then the tokens of the guest end, and the tournaments follow, with the
games that the guest has joined in the meantime. A merge that was interrupted goes on when it is
asked for again, also when the token of the guest has ended by then.
"""

from __future__ import annotations

import logging
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.client import Pipeline

from cartulary.events.accounts.local_games import LocalGames
from cartulary.events.accounts.moving import move_guest
from cartulary.events.analyses.learning import Learning
from cartulary.events.commands.table.creating import Creator
from cartulary.events.company.seeks import Seeks
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.writer import EventWriter
from cartulary.events.lists.projections import Projections
from cartulary.events.model.errors import Invalid, NotFound
from cartulary.events.model.failures import BrokenHistory, NewerRelease
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.passkeys import Passkeys
from cartulary.events.people.players import Player, PlayerRegistry, hash_token
from cartulary.events.people.ties import Ties
from cartulary.events.people.tokens import TokenGone, Tokens
from cartulary.events.puzzles.book import PuzzleBook
from cartulary.events.server import keys
from cartulary.events.studies.authors import StudyAuthors
from cartulary.events.tournaments.commands import TournamentCommands

log = logging.getLogger(__name__)

REMEMBERED_S: Final = 30 * 24 * 3600
"""How long a merge can be asked for again with the token of the guest."""

_PAGE: Final = 100


class Merged(NamedTuple):
    """A guest who is gone, and the games that have moved with this call."""

    guest: Player
    games: list[str]


class Merging:
    """Merges guests into accounts. Thread-safe. Raises `RedisError`."""

    def __init__(
        self,
        redis: Redis,
        players: PlayerRegistry,
        tokens: Tokens,
        blocks: Blocks,
        projections: Projections,
        writer: EventWriter,
        creator: Creator,
        local_games: LocalGames,
        own_bots: BotAccounts,
        passkeys: Passkeys,
        notices: NoticeRegistry,
        follows: Ties,
        seeks: Seeks,
        learning: Learning,
        tournaments: TournamentCommands,
        studies: StudyAuthors,
        puzzles: PuzzleBook,
        games: Redis | None = None,
    ) -> None:
        self._games = redis if games is None else games
        self._redis, self._players, self._tokens = redis, players, tokens
        self._blocks, self._follows, self._projections = blocks, follows, projections
        self._writer, self._creator = writer, creator
        self._local_games, self._own_bots = local_games, own_bots
        self._passkeys, self._seeks = passkeys, seeks
        self._notices, self._tournaments, self._puzzles = notices, tournaments, puzzles
        self._studies, self._learning = studies, learning

    def merge(self, player: Player, token: str) -> Merged:
        """Merge the guest of a token into a player.

        Raises `Invalid` (`/token`), `TokenGone` when the player has merged at this moment, and
        `StaleVersion` when a game changes all the time: then the same call goes on.
        """
        guest = self._claim(player, hash_token(token))
        self._seeks.withdraw(guest.id)
        moved = self._move_games(guest, player)
        self._tokens.revoke_others(guest.id, None)
        # Before the games that are left: no round is paired for the guest any more.
        self._tournaments.take_over(guest.id, player)
        moved += self._move_games(guest, player)
        self._studies.take_over(guest.id, player)
        self._blocks.move(guest.id, player.id)
        self._follows.move(guest.id, player.id)
        self._local_games.move(guest.id, player.id)
        self._puzzles.move(guest.id, player.id)
        self._own_bots.move(guest.id, player.id)
        self._passkeys.move(guest.id, player.id)
        self._notices.move(guest.id, player.id)
        self._learning.move(guest.id, player.id)
        return Merged(guest, list(dict.fromkeys(moved)))

    # -- whose guest it is ------------------------------------------------------------------------

    def _claim(self, player: Player, token_hash: str) -> Player:
        """Note in the registry into whom a guest merges, and return the guest."""
        guest_id = self._find_guest(player, token_hash)
        guest = self._players.by_id(guest_id)
        if guest is None:
            raise _refuse("no guest has this token")

        def claim(pipe: Pipeline) -> None:
            merged, *_ = pipe.hmget(keys.player(player.id), "merged_into")
            if merged is not None:
                raise TokenGone("the player of the token has merged into another account")
            into, claimed_at = pipe.hmget(keys.player(guest_id), "merged_into", "claimed_at")
            if into not in (None, player.id.encode()):
                raise _refuse("no guest has this token")
            if claimed_at is not None:
                raise _refuse("the player has recovery codes, and so is no guest")
            pipe.multi()
            pipe.hset(keys.player(guest_id), "merged_into", player.id)
            pipe.sadd(keys.guests_of(player.id), guest_id)
            pipe.set(keys.merged(token_hash), f"{guest_id} {player.id}", ex=REMEMBERED_S)

        self._redis.transaction(claim, keys.player(player.id), keys.player(guest_id))
        return guest

    def _find_guest(self, player: Player, token_hash: str) -> str:
        """Return the id of the guest of a token, which a merge may have ended before."""
        before: Any = self._redis.get(keys.merged(token_hash))
        if before is not None:
            guest_id, account_id = before.decode().split(" ")
            if account_id == player.id:
                return str(guest_id)
        found = self._players.access(token_hash)
        if found is None:
            raise _refuse("no guest has this token")
        if found.player.id == player.id:
            raise _refuse("this is a token of the caller")
        if found.player.is_bot:
            raise _refuse("this is the token of a bot, which never merges")
        if found.scopes is not None:
            raise _refuse("the token does not have all scopes")
        if self._players.is_suspended(found):
            raise _refuse("the operators have suspended the player of this token")
        return found.player.id

    # -- what the guest has -----------------------------------------------------------------------

    def _move_games(self, guest: Player, player: Player) -> list[str]:
        return [
            game_id
            for status in (Status.OPEN, Status.RUNNING)
            for game_id in self._list_games(guest.id, status)
            if self._move_game(game_id, guest, player)
        ]

    def _list_games(self, player_id: str, status: Status) -> list[str]:
        found, cursor = list[str](), None
        while True:
            page = self._projections.games_of(player_id, status=status, limit=_PAGE, cursor=cursor)
            found += [game["id"] for game in page.games]
            cursor = page.next_cursor
            if cursor is None:
                return found

    def _move_game(self, game_id: str, guest: Player, player: Player) -> bool:
        """Move what a guest has in one game; return whether the guest had anything there."""

        def decide(table: Table, draft: Draft) -> None:
            host = table.course.host
            welcome = host == guest.id or not self._blocks.has(host, player.id)
            move_guest(draft, guest, player, welcome=welcome)

        self._move_note(game_id, guest, player)
        try:
            written = self._writer.write(game_id, None, decide)
        except (BrokenHistory, NewerRelease, NotFound) as error:
            # A game that cannot be played does not keep the account from the other games.
            log.warning("game %s does not follow a merge: %s", game_id, error)
            return False
        if written.events:
            self._creator.show(written)
        return bool(written.events)

    def _move_note(self, game_id: str, guest: Player, player: Player) -> None:
        note: Any = self._games.hget(keys.notes(game_id), guest.id)
        if note is not None:
            # First, so that no note is left behind when the account is deleted.
            self._redis.sadd(keys.wrote(player.id), game_id)
            pipe = self._games.pipeline(transaction=True)
            pipe.hsetnx(keys.notes(game_id), player.id, note)
            pipe.hdel(keys.notes(game_id), guest.id)
            pipe.execute()


def _refuse(detail: str) -> Invalid:
    return Invalid([("/token", detail)])
