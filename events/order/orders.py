"""Orders: what operators decide about a player. One function for each, for page and terminal.

| order | what it does | who learns of it |
|---|---|---|
| `mute` | the player writes no messages | the player |
| `suspend` | the player, and bots of the player, only read: they leave games, seeks | the player |
| `unmute`, `unsuspend` | takes that back; seats that were left stay left | the player |
| `rename` | another name; the player cannot choose the old one again | the player |
| `close` | the account is deleted, as its player could delete it | |

Each may be given again: an order that was interrupted goes on. The step that lets a second order
be refused is the last one for this: the sentence of the player is lifted, and the new name written,
when all else is done.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from redis import Redis

from cartulary.events.accounts.deletion import Deletion
from cartulary.events.accounts.departures import Departures
from cartulary.events.company.seeks import Seeks
from cartulary.events.model.clock import Clock, format_time
from cartulary.events.model.errors import Invalid, NotFound
from cartulary.events.naming.naming import BadName
from cartulary.events.order.log import LogEntry, OperatorLog
from cartulary.events.order.name_rules import NameRules, make_neutral_name
from cartulary.events.order.operators import Operators
from cartulary.events.order.telling import Telling, What
from cartulary.events.outside_bots.accounts import BotAccounts
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.sentences import SentenceRegister
from cartulary.events.server import keys
from cartulary.tournaments.events import SUSPENDED

Command = Literal["mute", "unmute", "suspend", "unsuspend", "rename", "close"]
MOST_DAYS: Final = 3650
LONGEST_REASON: Final = 500
DAY_MS: Final = 24 * 3_600_000


class Order(NamedTuple):
    """What an operator wants. `by` and `report` are as in `LogEntry`.

    `days` is for `mute` and `suspend`, None: for good; `name` for `rename`, None: a neutral one.
    """

    command: Command
    player_id: str
    reason: str
    by: str
    days: int | None = None
    name: str | None = None
    report: str = ""


class Orders:
    """Carries orders out. Thread-safe. All methods raise `RedisError`."""

    def __init__(
        self,
        redis: Redis,
        players: PlayerRegistry,
        own_bots: BotAccounts,
        muted: SentenceRegister,
        suspended: SentenceRegister,
        departures: Departures,
        seeks: Seeks,
        deletion: Deletion,
        name_rules: NameRules,
        operators: Operators,
        log: OperatorLog,
        telling: Telling,
        clock: Clock,
    ) -> None:
        self._redis, self._players, self._own_bots = redis, players, own_bots
        self._muted, self._suspended = muted, suspended
        self._departures, self._seeks, self._deletion = departures, seeks, deletion
        self._name_rules, self._operators = name_rules, operators
        self._log, self._telling, self._clock = log, telling, clock

    def give(self, order: Order) -> LogEntry:
        """Carry an order out, and return its line in the log.

        Raises `NotFound` for a player who is not there, and says what has become of the account;
        `Invalid` for an order that makes no sense, which changes nothing; `ArchiveError` as a
        deletion does.
        """
        player = self.find(order.player_id)
        self._check(order, player)
        match order.command:
            case "mute" | "suspend":
                return self._impose(order, player)
            case "unmute" | "unsuspend":
                return self._lift(order, player)
            case "rename":
                return self._rename(order, player)
            case "close":
                return self._close(order, player)

    def find(self, player_id: str) -> Player:
        """Return a player; raises `NotFound`, and says what has become of the account.

        A player whose deletion was interrupted has the name still, and is found: `close` goes on.
        """
        fields = ("deleted_at", "merged_into", "name")
        found: Any = self._redis.hmget(keys.player(player_id), *fields)
        deleted_at, merged_into, name = ((one or b"").decode() for one in found)
        if deleted_at and not name:
            raise NotFound(f"the account of this player was deleted at {deleted_at}")
        if merged_into:
            raise NotFound(f"this guest is now the account {merged_into}: name that account")
        player = self._players.by_id(player_id)
        if player is None:
            raise NotFound(f"there is no player {player_id}")
        return player

    def _check(self, order: Order, player: Player) -> None:
        faults = []
        if not 1 <= len(order.reason.strip()) <= LONGEST_REASON:
            faults.append(("/reason", f"must have 1 to {LONGEST_REASON} characters"))
        if order.days is not None and order.command not in ("mute", "suspend"):
            faults.append(("/days", "only `mute` and `suspend` take a number of days"))
        if order.name is not None and order.command != "rename":
            faults.append(("/name", "only `rename` takes a name"))
        if self._operators.has(player.id):
            detail = f"{player.name} is an operator: first `cartulary operator --revoke`"
            faults.append(("/command", detail))
        if faults:
            raise Invalid(faults)

    # -- sentences --------------------------------------------------------------------------------

    def _impose(self, order: Order, player: Player) -> LogEntry:
        sentences = self._muted if order.command == "mute" else self._suspended
        until = None if order.days is None else self._clock.now_ms() + order.days * DAY_MS
        until_text = None if until is None else format_time(until)
        entry = self._note(order, until=until_text)
        sentences.impose(player.id, order.reason, until)
        if order.command == "suspend":
            self._take_out(player, order.reason, until)
        what: What = "muted" if order.command == "mute" else "suspended"
        self._telling.tell(player.id, what, entry, order.reason, until=until_text)
        return entry

    def _take_out(self, player: Player, reason: str, until: int | None) -> None:
        """Take a suspended player, and the bots of the player, out of all games and seeks."""
        for bot in self._own_bots.list_of(player.id):
            self._suspended.impose(bot.player.id, reason, until)
            self._departures.leave_tournaments(bot.player, SUSPENDED)
            self._departures.leave_all(bot.player)
        self._seeks.withdraw(player.id)
        self._departures.leave_tournaments(player, SUSPENDED)
        self._departures.leave_all(player)

    def _lift(self, order: Order, player: Player) -> LogEntry:
        sentences = self._muted if order.command == "unmute" else self._suspended
        what = "muted" if order.command == "unmute" else "suspended"
        if sentences.find(player.id) is None:
            raise Invalid([("/command", f"{player.name} is not {what}")])
        entry = self._note(order)
        if order.command == "unsuspend":
            for bot in self._own_bots.list_of(player.id):
                sentences.lift(bot.player.id)
        undone: What = "unmuted" if order.command == "unmute" else "unsuspended"
        self._telling.tell(player.id, undone, entry, order.reason)
        sentences.lift(player.id)
        return entry

    # -- accounts ---------------------------------------------------------------------------------

    def _rename(self, order: Order, player: Player) -> LogEntry:
        try:
            name = self._name_rules.prepare(order.name or make_neutral_name())
        except BadName as error:
            raise Invalid([("/name", str(error), error.reason)]) from error
        if name == player.name:
            raise Invalid([("/name", "is the name that the player has")])
        entry = self._note(order, names=(player.name, name))
        self._name_rules.take_away(player.id, player.name)
        self._telling.tell(player.id, "renamed", entry, order.reason, name=name)
        self._players.rename(player.id, name)
        return entry

    def _close(self, order: Order, player: Player) -> LogEntry:
        entry = self._note(order)
        if player.is_bot:
            self._deletion.close_bot(player)
        else:
            self._deletion.delete(player, player.name)
        return entry

    def _note(self, order: Order, **more: Any) -> LogEntry:
        given = (order.command, order.player_id, order.report, order.reason)
        return self._log.write(LogEntry("", "", order.by, *given, **more))
