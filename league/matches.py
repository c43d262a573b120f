"""Games of two players with the same draws, in which they swap their seats.

A deal has one setup and one order of what is drawn. It is played several times, so that luck and
the seat weigh the same for both players.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from cartulary.bots.base import find_listed
from cartulary.engine.chance import Chance, Source
from cartulary.engine.core import Game, Json, State
from cartulary.engine.transcript import RecordedMove, Transcript, record
from cartulary.games import OFFERS
from cartulary.league.players import Choose, LeaguePlayer, find_player
from cartulary.outside.seats import Record

SWAP, ALONE = "swap", "alone"
"""How the seats are dealt out. `SWAP`: in turn, then the other way round. `ALONE`: the first player
sits on each seat in turn, the second player on all other seats. With two seats both are the same.
"""

OPTIONS = tuple[tuple[str, str | int], ...]
"""Options of a game, sorted by name."""


class LeagueMatch(NamedTuple):
    """Who plays whom at which table: two players by name, the seats, the options."""

    game: str
    first: str
    second: str
    seats: int = 2
    options: OPTIONS = ()
    shape: str = SWAP

    @property
    def name(self) -> str:
        """Return a name that no other match has."""
        options = "".join(f" {name}={value}" for name, value in self.options)
        return f"{self.game} {self.seats} {self.shape}{options}: {self.first} - {self.second}"

    def list_seatings(self) -> list[tuple[int, ...]]:
        """Return who sits on each seat in each game of a deal: 0 the first player, 1 the second."""
        if self.shape == ALONE:
            return [tuple(int(n != seat) for n in range(self.seats)) for seat in range(self.seats)]
        return [tuple((n + swap) % 2 for n in range(self.seats)) for swap in range(2)]


class Task(NamedTuple):
    """A game to play: the match, the seed of the league, the deal, the number of its seating."""

    match: LeagueMatch
    seed: str
    deal: int
    number: int


class Work(NamedTuple):
    """What a player did in one game: CPU time in ms, its turns, decisions with a choice.

    `longest` is the CPU time of the longest turn.
    """

    ms: float = 0.0
    turns: int = 0
    decisions: int = 0
    longest: float = 0.0


class PlayedMatch(NamedTuple):
    """A game that was played: what was asked, the scores, and the work of both players."""

    match: str
    deal: int
    number: int
    seating: tuple[int, ...]
    scores: tuple[int, ...]
    works: tuple[Work, Work]

    @property
    def won(self) -> float:
        """Return the first player's share of the win, 0 to 1."""
        best = max(self.scores)
        winners = [seat for seat, score in enumerate(self.scores) if score == best]
        return sum(self.seating[seat] == 0 for seat in winners) / len(winners)

    @property
    def margin(self) -> int:
        """Return the lead of the first player's best seat over the second player's best seat."""
        seated = [*zip(self.seating, self.scores, strict=True)]
        mine, theirs = (max(score for player, score in seated if player == n) for n in range(2))
        return mine - theirs


class Deck:
    """Draws from a bag without putting back, in an order that is shuffled once.

    So all games of a deal have the same order, also when one of them sets a tile aside. An outcome
    that cannot be drawn any more is passed over.
    """

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)
        self._order: list[str] = []

    def draw(self, question: Chance) -> str:
        """Return the next outcome."""
        weights = dict(zip(question.outcomes, question.weights, strict=True))
        while True:
            if not self._order:
                self._order = [name for name, weight in weights.items() for _ in range(weight)]
                self._rng.shuffle(self._order)
            outcome = self._order.pop()
            if weights.get(outcome):
                return outcome


class Chooser:
    """A player at a seat: thinks once for a turn, and keeps what it planned for that turn."""

    def __init__(self, choose: Choose, record: Record, seed: str) -> None:
        self._choose, self._record = choose, record
        self._rng = random.Random(seed)
        self._planned: list[Any] = []

    def choose(self, state: State[Any]) -> Any:
        """Return the move of the player; raises what the player raises."""
        if self._planned:
            move = find_listed(state.moves(), self._planned.pop(0))
            if move is not None:
                return move
        moves = self._choose(state, self._record, self._rng)
        self._planned = list(moves[1:])
        return moves[0]

    def forget(self) -> None:
        """Forget the plan: the turn is over."""
        self._planned.clear()


def play_task(task: Task) -> PlayedMatch:
    """Play one game. Raises `UnknownPlayer`, and what a bot raises."""
    names = (task.match.first, task.match.second)
    return play(task, [find_player(task.match.game, name) for name in names])


class LeagueHistory:
    """What has happened in a game, for bots of others, who get it as a transcript."""

    def __init__(self, rules: Game, state: State[Any], setup: Json) -> None:
        self._rules, self._state, self._setup = rules, state, setup
        self._draws: list[str] = []
        self._moves: list[RecordedMove] = []

    def play(self, move: Any, source: Source) -> list[str]:
        """Make a move; return what was drawn for it."""
        self._moves.append(RecordedMove(self._state.seat, self._state.move_json(move)))
        self._state.play(move)
        return self.settle(source)

    def settle(self, source: Source) -> list[str]:
        """Answer the pending draws; return them."""
        drawn = self._state.settle(source)
        self._draws += drawn
        return drawn

    def record(self) -> Transcript:
        """Return the game so far."""
        return record(self._rules, self._state, self._setup, self._draws, self._moves)


def play(task: Task, players: Sequence[LeaguePlayer]) -> PlayedMatch:
    """Play one game of two players, who need not be on offer. Raises what a bot raises."""
    match, seating = task.match, task.match.list_seatings()[task.number]
    rules, seed = OFFERS[match.game].rules, f"{task.seed}/{match.game}/{match.seats}/{task.deal}"
    options = rules.check(match.seats, dict(match.options))
    setup = rules.draw_setup(match.seats, options, random.Random(f"{seed}/setup"))
    state, deck = rules.new(match.seats, options, setup), Deck(f"{seed}/draws")
    history = LeagueHistory(rules, state, setup)
    history.settle(deck)
    clocks = (CpuClock(), CpuClock())
    with ExitStack() as tables:
        choosers = [
            Chooser(
                tables.enter_context(players[player].sit(match.seats)),
                history.record,
                f"{seed}/seat {at}",
            )
            for at, player in enumerate(seating)
        ]
        _play_on(state, history, deck, choosers, [clocks[player] for player in seating])
    works = (clocks[0].work, clocks[1].work)
    return PlayedMatch(
        match.name, task.deal, task.number, seating, tuple(state.final().scores), works
    )


def _play_on(
    state: State[Any],
    history: LeagueHistory,
    deck: Deck,
    choosers: Sequence[Chooser],
    clocks: Sequence[CpuClock],
) -> None:
    """Play to the end; choosers and clocks by seat."""
    last = -1
    while not state.over:
        at = state.seat
        if at != last:
            for chooser in choosers:
                chooser.forget()
        move = clocks[at].measure(choosers[at], state, at != last)
        last = -1 if history.play(move, deck) else at


class CpuClock:
    """Measures the CPU time of one player in one game."""

    def __init__(self) -> None:
        self.work = Work()
        self._turn = 0.0

    def measure(self, chooser: Chooser, state: State[Any], is_new_turn: bool) -> Any:
        """Return the move of a chooser; decisions with one legal move are not counted."""
        started = time.process_time()
        move = chooser.choose(state)
        ms = 1000 * (time.process_time() - started)
        self._turn = ms + (0.0 if is_new_turn else self._turn)
        old = self.work
        self.work = Work(
            old.ms + ms,
            old.turns + is_new_turn,
            old.decisions + (len(state.moves()) > 1),
            max(old.longest, self._turn),
        )
        return move


def list_tasks(match: LeagueMatch, seed: str, deals: Sequence[int]) -> list[Task]:
    """Return all games of some deals, deal by deal."""
    numbers = range(len(match.list_seatings()))
    return [Task(match, seed, deal, number) for deal in deals for number in numbers]
