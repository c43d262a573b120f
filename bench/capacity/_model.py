"""The model: what is measured on one box → what another one does, what so many players need.

Pure arithmetic. All CPU times are µs of the processor on which the coefficients were measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

YEAR_DAYS: Final = 365.0
BUSY: Final = 0.6
"""The share of a processor that a process may use in the busiest hour: the rest is for bursts."""

RAM: Final = 128e9
"""Bytes of memory of the machine of a server; a fork for its file takes half as much again."""
SPARE: Final = 0.66
MASTERS: Final = 24
DISPATCHERS: Final = 2
NOTIFIERS: Final = 2
LINE: Final = 125e6
"""Bytes a second of a network of 1 Gbit/s."""
SHOWN: Final = 100
LOOKS: Final = 2
SUMMARY: Final = 1000
"""The lobby shows so many tables, sends so many lines a second, of so many bytes a table."""
ROWS: Final = 1e9
"""Rows of a table of the archive of which its indexes still fit into the memory of one machine."""
SLOTS: Final = 24


class Coefficients(NamedTuple):
    """What things take: µs of CPU (`_us`), ms (`_ms`), s (`_s`), bytes (all others).

    `web_us` is a move in a busy web process, `web_alone_us` in one that has nothing else to do;
    `reads` how often the server read from a connection for each move, then. `stores_us` is the
    share of all servers, `registry_us` that of the registry alone.
    """

    web_us: float
    web_alone_us: float
    reads: float
    append_us: float
    follow_us: float
    registry_us: float
    dispatcher_us: float
    games_commands: float
    catch_up_us: float
    bare_unix_us: float
    bare_tcp_us: float
    bare_unix_server_us: float
    bare_tcp_server_us: float
    client_us: float
    client_in_cluster_us: float
    page_ms: float
    stream: float
    held_us_per_s: float
    receipt_us: float
    notifier_us: float
    worker_us: float
    decision_ms: Mapping[str, float]
    analysis_s: float
    game_moves: float
    player: float
    inbox: float
    inbox_read: float
    listed: float
    running: float
    result: float
    left: float
    archived: float


class Foreseen(NamedTuple):
    """µs of CPU of a move on a box: web, all servers, dispatcher; bytes of an archived game."""

    web_us: float
    stores_us: float
    dispatcher_us: float
    archived: float

    @property
    def service_us(self) -> float:
        """The whole service."""
        return self.web_us + self.stores_us + self.dispatcher_us


def foresee(one: Coefficients, masters: int, reads: float, archived: float) -> Foreseen:
    """Return what a move takes on a cluster, from what it takes on one server, and the hops.

    `reads` is how often the masters read from connections for each move, so how well the moves were
    batched, which the load decides. A batch goes to several masters, over TCP; the dispatcher reads
    games through the client of the cluster.
    """
    rounds = find_rounds(reads, masters)
    web = _weigh_rounds(one, rounds) + reads * one.bare_tcp_us - rounds * one.bare_unix_us
    append = one.append_us + reads * one.bare_tcp_server_us - one.reads * one.bare_unix_server_us
    hop = one.client_in_cluster_us - one.client_us
    dispatcher = one.dispatcher_us + one.games_commands * hop
    follow = one.games_commands * (one.bare_tcp_server_us - one.bare_unix_server_us)
    return Foreseen(web, append + one.follow_us + follow, dispatcher, archived)


def _weigh_rounds(one: Coefficients, rounds: float) -> float:
    """Return µs of a move in a web process whose loop goes round so often for each move."""
    if one.reads >= 1:
        return one.web_us
    share = (rounds - one.reads) / (1 - one.reads)
    return one.web_us + share * (one.web_alone_us - one.web_us)


def find_rounds(reads: float, masters: int) -> float:
    """Return the rounds of the loop for each move, from the reads of the masters.

    A round of k moves reaches m(1-(1-1/m)^k) of m masters; the reads grow with the rounds.
    """
    low, high = 1e-3, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        reached = masters * (1 - (1 - 1 / masters) ** (1 / middle)) * middle
        low, high = (middle, high) if reached < reads else (low, middle)
    return high


class PlayerHabits(NamedTuple):
    """What players do; `players` are people who play within a month.

    Shares are 0 to 1. `day` of the players play on a day and make `moves` moves then; `peak` of the
    day's moves are in the busiest hour. `bots` of the games have bots, which make as many moves as
    the people there; of these `hard` and `expert` are decisions of these levels, the rest is of
    `medium`. `running` games has each player under way. `hours` a day a player has a stream open;
    a move goes to `watchers` streams. `notices` of the turns lead to a message outside, a turn has
    `decisions`. `analyses` of the games are analysed; `rated` of them count. `pages` other requests
    come with each move. `seats` people sit at a table. `lobby` of those who are there read it.
    `unread` of the players never read their inboxes, which are full then.
    """

    day: float = 0.25
    moves: float = 60.0
    peak: float = 0.1
    bots: float = 0.4
    hard: float = 0.3
    expert: float = 0.05
    running: float = 2.0
    hours: float = 1.0
    watchers: float = 2.0
    notices: float = 0.3
    decisions: float = 2.0
    analyses: float = 0.1
    rated: float = 0.5
    pages: float = 0.5
    seats: float = 2.3
    lobby: float = 0.1
    unread: float = 0.1


class Need(NamedTuple):
    """What so many players need in the busiest hour; cores are whole processors that are busy.

    Memory and disk are bytes; `archive_a_year` and `rows_a_year` is what comes in a year,
    `registry_a_year` what stays in the registry for ever.
    """

    moves_per_s: float
    bot_moves_per_s: float
    games_per_day: float
    streams: float
    web_cores: float
    dispatcher_cores: float
    worker_cores: float
    notifier_cores: float
    masters_cores: float
    registry_cores: float
    web_memory: float
    masters_memory: float
    registry_memory: float
    registry_a_year: float
    rows_a_year: float
    archive_a_year: float
    lobby_line: float


def find_need(one: Coefficients, habits: PlayerHabits, players: float) -> Need:
    """Return what so many players need."""
    a_day = players * habits.day * habits.moves
    people = a_day * habits.peak / 3600
    bots = people * habits.bots
    both = people + bots
    games = a_day * (1 + habits.bots) / one.game_moves
    games_per_s = games * habits.peak / 3600
    there = players * habits.day * habits.hours * habits.peak
    levels = {"hard": habits.hard, "expert": habits.expert}
    levels["medium"] = 1 - sum(levels.values())
    thinking_us = 1000 * sum(share * one.decision_ms[level] for level, share in levels.items())
    web_us = one.web_us + one.catch_up_us + 1000 * habits.pages * one.page_ms
    running = players * habits.running / habits.seats
    inbox = habits.unread * one.inbox + (1 - habits.unread) * one.inbox_read
    return Need(
        people,
        bots,
        games,
        there,
        (people * web_us + both * habits.watchers * one.receipt_us) / 1e6
        + there * one.held_us_per_s / 1e6,
        both * one.dispatcher_us / 1e6,
        bots * (one.worker_us + thinking_us) / 1e6 + games_per_s * habits.analyses * one.analysis_s,
        people / habits.decisions * habits.notices * one.notifier_us / 1e6,
        both * (one.append_us + max(0.0, one.follow_us - one.registry_us)) / 1e6,
        both * one.registry_us / 1e6,
        there * one.stream,
        running * one.running,
        players * (one.player + inbox) + running * one.listed,
        games * YEAR_DAYS * habits.rated * one.result,
        games * YEAR_DAYS,
        games * YEAR_DAYS * one.archived,
        there * habits.lobby * LOOKS * SUMMARY * min(SHOWN, 2 * games_per_s / LOOKS),
    )


class Limit(NamedTuple):
    """A resource that does not simply grow: how much there is, and what players need of it."""

    name: str
    has: float
    needs: Callable[[Need], float]


LIMITS: Final = (
    Limit("the registry's memory: one Valkey", RAM * SPARE, lambda need: need.registry_memory),
    Limit(
        "the registry's memory after a year of results",
        RAM * SPARE,
        lambda need: need.registry_memory + need.registry_a_year,
    ),
    Limit("the registry's CPU: one Valkey", BUSY, lambda need: need.registry_cores),
    Limit("the dispatchers: two", DISPATCHERS * BUSY, lambda need: need.dispatcher_cores),
    Limit("the notifiers: two", NOTIFIERS * BUSY, lambda need: need.notifier_cores),
    Limit("the games' memory: 24 masters", MASTERS * RAM * SPARE, lambda need: need.masters_memory),
    Limit("the games' CPU: 24 masters", MASTERS * BUSY, lambda need: need.masters_cores),
    Limit("the lobby's stream: 1 Gbit/s", LINE, lambda need: need.lobby_line),
    Limit("the archive's rows after a year: one table", ROWS, lambda need: need.rows_a_year),
)


def find_full(one: Coefficients, habits: PlayerHabits, limit: Limit, most: float = 1e18) -> float:
    """Return for how many players a limit is reached, by halving."""
    low, high = 1.0, most
    for _ in range(100):
        middle = (low * high) ** 0.5
        if limit.needs(find_need(one, habits, middle)) < limit.has:
            low = middle
        else:
            high = middle
    return low


def list_limits(one: Coefficients, habits: PlayerHabits) -> list[tuple[Limit, float]]:
    """Return the limits with the players for whom they are reached, the first to break first."""
    found = [(limit, find_full(one, habits, limit)) for limit in LIMITS]
    return sorted(found, key=lambda pair: pair[1])


def read_coefficients(measured: Mapping[str, Any]) -> Coefficients:
    """Return the coefficients of what a run has measured."""
    found = measured["coefficients"]
    return Coefficients(**{name: found[name] for name in Coefficients._fields})
