"""A duplicate round's secret: the same draws at all tables, not shown before all have ended.

The tournament commits to a chain of secrets. A round is paired with the commitment to its secret;
then dispatchers make its games, each with the secret next to its stream, so that it can draw. The
event that ends a game does not show the secret. Once all tables have ended, one append brings their
results and closes the round, and shows the secret; then the closing is noted, and from the note on
everybody may see the games. Each dispatcher may die between two steps, and two may be at it.

The host may call the tournament off: that shows the secret as well, so the games are ended first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

NOT_MADE, PLAYING, OVER, ABORTED = "not made", "playing", "over", "aborted"
PAIRED, CLOSED, CANCELLED = "paired", "closed", "cancelled"
HOST = "host"
UNBOUNDED = -1
"""As many deaths as there were: for traces."""


class SealedTable(NamedTuple):
    """A table of the round: its game, and which secret lies next to it ('' for none)."""

    game: str = NOT_MADE
    secret: str = ""


class RoundStep(NamedTuple):
    """What a dispatcher (or the host) is at: the version of the tournament that it has read."""

    read: int | None = None
    seen: tuple[str, ...] = ()
    """What has become of each table, as far as it has looked in this step."""


class Sealing(NamedTuple):
    """A round, its tables, who moves it on, and what everybody knows."""

    version: int
    round: str
    tables: tuple[SealedTable, ...]
    is_shown: bool
    """Whether an event of the tournament, or of a game, shows the secret of the round."""
    is_noted: bool
    helpers: tuple[RoundStep, ...]
    deaths: int


class Round:
    """The actions. `without` leaves defences out."""

    def __init__(self, helpers: list[str], without: Collection[str]) -> None:
        self._helpers, self._without = helpers, frozenset(without)

    def read(self, now: Sealing) -> Ways[Sealing]:
        """Begin a step: read the tournament."""
        for at, name, one in self._list(now):
            if one.read is None and not (now.round != PAIRED and now.is_noted):
                yield (name,), _help(now, at, RoundStep(now.version))

    def make(self, now: Sealing) -> Ways[Sealing]:
        """Make the game of a table that has none; its append stores the secret of the round."""
        for _, name, one in self._list(now):
            if one.read is None or name == HOST:
                continue
            number = len(one.seen)
            if number < len(now.tables) and now.tables[number].game == NOT_MADE:
                own = {"secret": "", "same": f"of table {number}"}
                left = next((own[one] for one in own if one in self._without), "of the round")
                yield (name, number), _set(now, number, SealedTable(PLAYING, left))

    def look(self, now: Sealing) -> Ways[Sealing]:
        """Look whether the game of the next table has ended."""
        for at, name, one in self._list(now):
            number = len(one.seen)
            if one.read is None or number >= len(now.tables) or name == HOST:
                continue
            table = now.tables[number]
            if table.game != NOT_MADE:
                yield (
                    (name, number, table.game),
                    _help(now, at, one._replace(seen=(*one.seen, table.game))),
                )

    def close(self, now: Sealing) -> Ways[Sealing]:
        """Append the results of all tables and the end of the round, with its secret."""
        for at, name, one in self._list(now):
            if one.read is None or name == HOST or now.round != PAIRED:
                continue
            needed = len(now.tables) if "all" not in self._without else 1
            ended = [game for game in one.seen if game != PLAYING]
            if len(ended) >= needed and one.read == now.version:
                closed = _help(now, at, RoundStep())
                yield (name,), closed._replace(round=CLOSED, version=now.version + 1, is_shown=True)

    def note(self, now: Sealing) -> Ways[Sealing]:
        """Note that the round is closed: from now on its games are open to all."""
        for at, name, one in self._list(now):
            is_closed = now.round != PAIRED or "order" in self._without
            if one.read is not None and name != HOST and is_closed and not now.is_noted:
                yield (name,), _help(now, at, RoundStep())._replace(is_noted=True)

    def give_up(self, now: Sealing) -> Ways[Sealing]:
        """End a step at which nothing is left to do, or die in the midst of it."""
        for at, name, one in self._list(now):
            if one.read is None:
                continue
            is_done = len(one.seen) == len(now.tables) and (PLAYING in one.seen or now.is_noted)
            if is_done or one.read != now.version:
                yield (name,), _help(now, at, RoundStep())
            elif now.deaths:
                left = now.deaths if now.deaths == UNBOUNDED else now.deaths - 1
                yield (name,), _help(now, at, RoundStep())._replace(deaths=left)

    # -- the games --------------------------------------------------------------------------------

    def end(self, now: Sealing) -> Ways[Sealing]:
        """End a game: its secret goes with the last event, which does not show it."""
        for number, table in enumerate(now.tables):
            if table.game == PLAYING and table.secret:
                over = _set(now, number, SealedTable(OVER))
                yield (number, None), over
                if "hide" in self._without:
                    yield (number, table.secret), over._replace(is_shown=True)

    def abort(self, now: Sealing) -> Ways[Sealing]:
        """End a game without a result: the host calls the tournament off, or has done so.

        The host makes the games that lack, and ends them: no dispatcher makes them any more then.
        """
        for at, name, one in self._list(now):
            may = one.read is not None and (name == HOST or now.round == CANCELLED)
            number = len(one.seen)
            if may and number < len(now.tables):
                game = now.tables[number].game
                changed = (
                    SealedTable(ABORTED) if game in (PLAYING, NOT_MADE) else now.tables[number]
                )
                seen = one._replace(seen=(*one.seen, changed.game))
                yield (name, number), _set(_help(now, at, seen), number, changed)

    def cancel(self, now: Sealing) -> Ways[Sealing]:
        """Append the end of the tournament, which shows the secret of the open round."""
        for at, name, one in self._list(now):
            if name != HOST or one.read != now.version or now.round != PAIRED:
                continue
            if len(one.seen) == len(now.tables) or "first" in self._without:
                cancelled = _help(now, at, RoundStep())
                yield (
                    (name,),
                    cancelled._replace(round=CANCELLED, version=now.version + 1, is_shown=True),
                )

    def _list(self, now: Sealing) -> Iterator[tuple[int, str, RoundStep]]:
        for at, (name, one) in enumerate(zip(self._helpers, now.helpers, strict=True)):
            yield at, name, one


def _help(now: Sealing, at: int, one: RoundStep) -> Sealing:
    return now._replace(helpers=put(now.helpers, at, one))


def _set(now: Sealing, number: int, table: SealedTable) -> Sealing:
    return now._replace(tables=put(now.tables, number, table))


def can_draw(now: Sealing) -> bool:
    """Return whether each game that is played has the secret of the round, the same for all."""
    return all(one.secret == "of the round" for one in now.tables if one.game == PLAYING)


def is_hidden(now: Sealing) -> bool:
    """Return whether no player knows the secret while a game of the round is played."""
    return not (now.is_shown and any(one.game == PLAYING for one in now.tables))


def build(
    tables: int = 2,
    helpers: tuple[str, ...] = ("dispatcher-1", "dispatcher-2", HOST),
    deaths: int = 1,
    without: Collection[str] = (),
    *,
    shows_writes_only: bool = False,
) -> Model[Sealing]:
    """Return the model for one round; the host among the helpers may call the tournament off.

    A trace that `shows_writes_only` has no steps that only look.
    """
    hidden = shows_writes_only
    acts = Round(list(helpers), without)
    initial = Sealing(
        *(
            0,
            PAIRED,
            (SealedTable(),) * tables,
            False,
            False,
            (RoundStep(),) * len(helpers),
            deaths,
        ),
    )
    driving, games = (
        "events.tournaments.driving: TournamentDriver",
        "events.tournaments.round_games",
    )
    rounds, weak = "events.commands.rounds.closing: RoundCommands", Fairness.WEAK
    commands: Any = "events.tournaments.commands: TournamentCommands"
    return Model(
        "a duplicate round's secret",
        f"{tables} tables, {len(helpers)} who move the tournament on, {deaths} deaths",
        initial,
        (
            Action("read", acts.read, f"{driving}.step", weak, hidden),
            Action("make", acts.make, f"{games}: RoundGames._make", weak),
            Action("look", acts.look, f"{games}: RoundGames.look", weak, hidden),
            Action("close", acts.close, f"{driving}._settle", weak),
            Action("note", acts.note, f"{rounds}.unseal", weak),
            Action("give up", acts.give_up, f"{driving}.step", weak, hidden),
            Action("end", acts.end, "events.draws.draws: Draws.reveal", weak),
            Action("abort", acts.abort, f"{games}: RoundGames.abort", weak),
            Action("cancel", acts.cancel, f"{commands}.cancel"),
        ),
        {
            "no player knows the secret while a game of the round is played": is_hidden,
            "each game that is played has the secret of its round": can_draw,
            "games are open to all only when the round is closed": lambda now: (
                not now.is_noted or now.round != PAIRED
            ),
        },
        (
            Promise(
                "a round comes to its end, and its games are open to all then",
                lambda now: now.round == PAIRED,
                lambda now: now.is_noted,
            ),
        ),
    )
