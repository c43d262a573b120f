"""Reactors: what follows from a table that has changed.

The dispatcher hands each changed table to every reactor of `standard_reactors`. To add a reactor,
write a class with `react` and add it there.

A reactor may get the same table twice, and of several events in a row only the last table: it looks
at the table and not at what changed. It may be called in several processes at once.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from redis import RedisError

from cartulary.events.lists.update_lists import ListUpdater
from cartulary.events.model.table import Table
from cartulary.events.outside_bots.questions import BotQuestions
from cartulary.events.ratings.finding import find_result
from cartulary.events.store import Store
from cartulary.events.tracing.spans import carry
from cartulary.events.upkeep.counted_games import count_game
from cartulary.workers.queues.lines import GameQueues

log = logging.getLogger("cartulary.reactors")


class Reactor(Protocol):
    """Does something that follows from a table; doing it twice has the effect of once."""

    def react(self, table: Table) -> None:
        """Follow the table. Whatever it raises makes the dispatcher repeat all reactors."""


class UpdateProjections:
    """Brings the lobby, the lists and inboxes of the players and the due entry to the table."""

    def __init__(self, teller: ListUpdater) -> None:
        self._teller = teller

    def react(self, table: Table) -> None:
        """Update the projections; an older table changes nothing."""
        self._teller.follow(table)


class JoinLines:
    """Puts the game into the line for a worker, or takes it out."""

    def __init__(self, lines: GameQueues) -> None:
        self._lines = lines

    def react(self, table: Table) -> None:
        """Let the game wait for the job that the table asks for, if it asks for any."""
        turn = self._lines.turn_of(table)
        if turn is None:
            self._lines.drop(table.id)
        else:
            trace = carry()
            self._lines.add(turn._replace(trace=trace) if trace else turn)


class AskWebhookBots:
    """Lets the notifier ask the webhook bots at a table."""

    def __init__(self, questions: BotQuestions) -> None:
        self._questions = questions

    def react(self, table: Table) -> None:
        """Let a question wait, unless it waits already."""
        self._questions.ask(table)


class RateResults:
    """Lets the result of a game that counts move the ratings of its players."""

    def __init__(self, store: Store) -> None:
        self._ratings, self._read = store.ratings, store.ledger.events

    def react(self, table: Table) -> None:
        """Note the result, and fold what waits in its bucket; a known result changes nothing."""
        result = find_result(table, self._read)
        if result is not None and self._ratings.note(result):
            self._ratings.advance(result.bucket)


class CountGames:
    """Adds a finished game to the figures of its players."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def react(self, table: Table) -> None:
        """Count the game, unless it is counted or has no result."""
        count_game(self._store, table)


class WakeTournaments:
    """Lets a tournament look at a table whose game has ended."""

    def __init__(self, store: Store) -> None:
        self._driver = store.tournaments.driver

    def react(self, table: Table) -> None:
        """Let the next look of a dispatcher find the end of the game; late is as well as twice."""
        made_for = table.terms.tournament
        if made_for is not None and table.status.finished:
            self._driver.wake(made_for["id"])


def standard_reactors(store: Store, lines: GameQueues) -> list[Reactor]:
    """Return the reactors of every dispatcher."""
    return [
        UpdateProjections(store.list_updater),
        JoinLines(lines),
        AskWebhookBots(store.bot_questions),
        RateResults(store),
        CountGames(store),
        WakeTournaments(store),
    ]


class ReactionOutcome(Enum):
    """What became of a table: `AWAY` when the server of a reactor did not answer."""

    DONE = "done"
    FAILED = "failed"
    AWAY = "away"


class ReactionRound:
    """One batch of tables, handed to all reactors.

    A reactor that fails keeps neither the other reactors nor the other tables from their turn. A
    reactor whose server does not answer is left out for the rest of the batch, because each attempt
    may take as long as the timeout of its connection.
    """

    def __init__(self, reactors: Sequence[Reactor]) -> None:
        self._reactors = list(reactors)
        self._away = False

    def react(self, table: Table) -> ReactionOutcome:
        """Hand the table to all reactors; logs what they raise."""
        failed = False
        for reactor in list(self._reactors):
            try:
                reactor.react(table)
            except RedisError as error:
                log.warning("%s waits for its server: %s", type(reactor).__name__, error)
                self._reactors.remove(reactor)
                self._away = True
            except Exception:
                log.exception("%s fails for game %s", type(reactor).__name__, table.id)
                failed = True
        if self._away:
            return ReactionOutcome.AWAY
        return ReactionOutcome.FAILED if failed else ReactionOutcome.DONE
