"""The bots of a player: made, listed, given another token, and closed.

A bot is a player of its own, with a token that may read and play. The kind of a player stands in
the registry and comes from nowhere else: neither a request nor a token of the bot changes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.client import Pipeline
from ulid import ULID

from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import NotForBots, NotFound, QuotaExceeded
from cartulary.events.model.table_parts import BOT
from cartulary.events.people.name_folding import write_entry
from cartulary.events.people.players import Player, PlayerRegistry, hash_token, make_token
from cartulary.events.people.rows import PLAY, READ, TokenRow, add_token
from cartulary.events.people.tokens import Tokens, Wish
from cartulary.events.server import keys
from cartulary.events.server.format import WITH_BOTS

MOST: Final = 5
"""The most bots that a player may have."""

SCOPES: Final = [READ, PLAY]
"""What the token of a bot may do: never more."""


class NoBotsYet(Exception):
    """A process of an earlier release runs, which would take a bot for a person."""


class OutsideBot(NamedTuple):
    """A bot and what its owner says about it."""

    player: Player
    about: str


class BotAccounts:
    """The bots of all players. Thread-safe. All methods raise `RedisError`.

    `read_format` returns the format of the store: no bot is made before the format that knows bots.
    `drop_webhooks` adds the commands that remove all webhooks of a player.
    """

    def __init__(
        self,
        redis: Redis,
        players: PlayerRegistry,
        tokens: Tokens,
        clock: Clock,
        read_format: Callable[[], int],
        drop_webhooks: Callable[[Pipeline, str], None],
    ) -> None:
        self._redis, self._players, self._tokens = redis, players, tokens
        self._clock, self._read_format = clock, read_format
        self._drop_webhooks = drop_webhooks

    def make(self, owner: Player, name: str, about: str) -> tuple[OutsideBot, str]:
        """Make a bot of a person; returns it with its token, which is shown this once.

        Raises `NotForBots`, `NoBotsYet`, `QuotaExceeded`.
        """
        if owner.is_bot:
            raise NotForBots("a bot makes no bots")
        if self._read_format() < WITH_BOTS:
            raise NoBotsYet
        made_at = format_time(self._clock.now_ms())
        bot = Player(str(ULID()), name, made_at, BOT, owner.id)
        token = make_token()
        record: dict[Any, Any] = {**bot._asdict(), "about": about}
        row = TokenRow(hash_token(token), "", made_at, 0, SCOPES)

        def store(pipe: Pipeline) -> None:
            # Not the length of the list: who closes a bot may die before it leaves the list.
            used = len(self.list_of(owner.id))
            if used >= MOST:
                raise QuotaExceeded("own_bots", MOST, used, 0, None)
            pipe.multi()
            pipe.sadd(keys.bots_of(owner.id), bot.id)
            pipe.hset(keys.player(bot.id), mapping=record)
            pipe.zadd(keys.names(), {write_entry(name, bot.id): 0})
            add_token(pipe, bot.id, row)

        self._redis.transaction(store, keys.bots_of(owner.id))
        return OutsideBot(bot, about), token

    def list_of(self, owner_id: str) -> list[OutsideBot]:
        """Return the bots of a player, the oldest first."""
        found: Any = self._redis.smembers(keys.bots_of(owner_id))
        bots = self.read_many([one.decode() for one in found])
        return sorted(bots, key=lambda one: one.player.id)

    def read_many(self, bot_ids: list[str]) -> list[OutsideBot]:
        """Return those of some bots that are not closed, in one round trip."""
        pipe = self._redis.pipeline(transaction=False)
        for bot_id in bot_ids:
            pipe.hgetall(keys.player(bot_id))
        found = (_read(fields) for fields in pipe.execute())
        return [one for one in found if one is not None]

    def find(self, owner_id: str, bot_id: str) -> OutsideBot:
        """Return a bot of a player; raises `NotFound`."""
        for one in self.list_of(owner_id):
            if one.player.id == bot_id:
                return one
        raise NotFound("you have no such bot")

    def renew_token(self, owner_id: str, bot_id: str) -> str:
        """Return a new token of a bot; all others are void, its webhooks are gone in the same step.

        What has the old token may have set a webhook, or knows its secret: the target of a webhook
        moves for the bot, as a token does. Raises `NotFound`.
        """
        bot = self.find(owner_id, bot_id).player

        def forget_webhooks(pipe: Pipeline) -> None:
            self._drop_webhooks(pipe, bot.id)
            pipe.zrem(keys.webhook_bots(), bot.id)

        return self._tokens.replace_all(bot.id, Wish("", SCOPES), forget_webhooks).secret

    def forget(self, bot: Player) -> None:
        """Take a closed bot from the list of its owner, and from that of the connected bots."""
        self._redis.srem(keys.bots_of(bot.owner), bot.id)
        self._redis.zrem(keys.webhook_bots(), bot.id)

    def move(self, guest_id: str, player_id: str) -> None:
        """Give the bots of a guest to the account that the guest has become.

        All of them, also when the account has more bots than a player may make then.
        """
        for bot in self.list_of(guest_id):
            pipe = self._redis.pipeline(transaction=True)
            pipe.hset(keys.player(bot.player.id), "owner", player_id)
            pipe.sadd(keys.bots_of(player_id), bot.player.id)
            pipe.srem(keys.bots_of(guest_id), bot.player.id)
            pipe.execute()


def _read(fields: dict[bytes, bytes]) -> OutsideBot | None:
    """Return the bot of a hash of the registry, None for a bot that is closed."""
    text = {name.decode(): value.decode() for name, value in fields.items()}
    if text.get("kind") != BOT or "name" not in text:
        return None
    player = Player(text["id"], text["name"], text["created_at"], BOT, text["owner"])
    return OutsideBot(player, text.get("about", ""))
