"""The miner: goes through the public games of the archive, a slice at a time.

A slice looks at some questions of one game, and stores where it stands when it ends. What it has
found is added to the shelf before that: a miner that is killed leaves puzzles that the next one
finds again and adds no second time, because the seed of a game follows from its id.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from cartulary.engine.transcript import InvalidTranscript, Transcript
from cartulary.events.archive.errors import ArchiveError
from cartulary.events.mining.ground import MiningGround, Place
from cartulary.events.mining.log import MinedGame, MiningLog, MiningState
from cartulary.events.mining.public_games import read_public_game
from cartulary.events.puzzles.records import DAY_MS
from cartulary.events.store import Store
from cartulary.puzzles.mining import GAMES, MiningOrigin, mine_question
from cartulary.puzzles.record import Puzzle
from cartulary.puzzles.walking import OpenQuestion, walk

ORIGIN: Final = MiningOrigin("archive", "service")

RIPE_MS: Final = DAY_MS
"""Games that ended so long ago are looked at: those of an hour reach the archive in any order."""

TRIES: Final = 5
"""So often a question is begun; then it is given up: a lost puzzle costs nothing."""

LOOKED_AT: Final = 20
"""The most games that may not be mined that a slice passes over."""

NOTHING_LEFT_MS: Final = 600_000
FAILED_MS: Final = 60_000
"""So long no slice is due after one that found no game, or whose archive has failed."""

log = logging.getLogger("cartulary.mining")


class MiningSlice(NamedTuple):
    """What a slice gets: when it is over, the CPU (ms) that it has used so far.

    `attempt` calls a function without effects, and returns whether that has ended: people who wait
    may end it before.
    """

    is_over: Callable[[], bool]
    measure_ms: Callable[[], int]
    attempt: Callable[[Callable[[], None]], bool]


class Miner:
    """Mines the archive of a store for puzzles of the games on offer.

    `offers` are those of the list of games: a game is judged by its bots, which this room does not
    know.
    """

    def __init__(self, store: Store, offers: Mapping[str, Any]) -> None:
        self.log = MiningLog(store.registry)
        self._store = store
        self._offers = {name: offer for name, offer in offers.items() if name in GAMES}

    def run(self, slice_: MiningSlice) -> int:
        """Look at some questions; return how many puzzles are new to the service.

        Nothing is counted where another miner went on meanwhile. Raises `RedisError`.
        """
        before = self.log.read()
        try:
            state, transcript = self._open_game(before)
        except ArchiveError as error:
            # The next slice tries again: no game is passed over.
            log.error("no game is mined: %s", error)  # noqa: TRY400 - the message names the cause
            self.log.replace(before, self._rest(before, FAILED_MS, str(error)))
            return 0
        if state.under_way is None:
            self.log.replace(before, self._rest(state, NOTHING_LEFT_MS, ""))
            return 0
        if transcript is None:
            self.log.replace(before, self._rest(state, 0, ""))
            return 0
        # Before the work: a question that kills its worker is begun `TRIES` times and no more.
        game = state.under_way
        begun = state._replace(under_way=game._replace(tries=game.tries + 1), error="")
        return self._look(begun, transcript, slice_) if self.log.replace(before, begun) else 0

    def _rest(self, state: MiningState, pause_ms: int, error: str) -> MiningState:
        now = self._store.clock.now_ms()
        return state._replace(at=now, idle_until=now + pause_ms, error=error)

    # -- which game ---------------------------------------------------------------------------

    def _open_game(self, state: MiningState) -> tuple[MiningState, Transcript | None]:
        """Return the state with a game under way and that game, None where no game is left.

        The game that was under way is read again: it may have become one that must not be mined.
        """
        for _ in range(LOOKED_AT):
            game = state.under_way
            if game is not None and game.game in self._offers:
                transcript = read_public_game(self._store, game.id)
                if transcript is not None:
                    return state, transcript
            state = self._choose(state)
            if state.under_way is None:
                return state, None
        return state, None

    def _choose(self, state: MiningState) -> MiningState:
        """Return the state with the next game under way; the games on offer take turns."""
        archive, now = self._store.archive.archive, self._store.clock.now_ms()
        for name in list_turns(self._offers, state.last):
            ground = state.ground.get(name, MiningGround())
            find = partial(archive.find_newest, name)
            found, ground = ground.find_next(find, now // DAY_MS, _end_of(now))
            state = state._replace(ground={**state.ground, name: ground})
            if found is not None:
                return state._replace(under_way=MinedGame(name, found[1]), last=name)
        return state._replace(under_way=None)

    # -- its questions ------------------------------------------------------------------------

    def _look(self, begun: MiningState, transcript: Transcript, slice_: MiningSlice) -> int:
        """Look at questions of the game under way, and store what came of them.

        After a try that failed a slice has one question, so that the next one is not blamed.
        """
        assert begun.under_way is not None
        game, found, passed, whole = begun.under_way, list[Puzzle](), 0, True
        offer, tries = self._offers[game.game], game.tries
        for looked in _walk(offer, transcript, game):
            if tries > TRIES:
                log.warning("game %s: question %d is given up", game.id, looked.index)
                passed += 1
            elif not slice_.attempt(partial(_mine, offer, looked, game.id, found)):
                game, whole = game._replace(tries=max(1, game.tries)), False
                break
            game = game._replace(start=game.start.after(looked), tries=0)
            if tries > 1 or slice_.is_over():
                whole = False
                break
        return self._store_slice(begun, game, found, passed, whole, slice_.measure_ms())

    def _store_slice(
        self,
        begun: MiningState,
        game: MinedGame,
        found: list[Puzzle],
        passed: int,
        whole: bool,
        cpu_ms: int,
    ) -> int:
        new, now = self._store.puzzles.shelf.add(found), self._store.clock.now_ms()
        game = game._replace(cpu_ms=game.cpu_ms + cpu_ms, puzzles=game.puzzles + new)
        after = begun.spend(cpu_ms, now // DAY_MS)._replace(
            under_way=None if whole else game,
            games=begun.games + whole,
            puzzles=begun.puzzles + new,
            passed=begun.passed + passed,
            at=now,
            idle_until=0,
        )
        if self.log.replace(begun, after) and whole:
            log.info(
                "game %s is mined: %d new puzzles, %.1f s of CPU; %d games so far",
                *(game.id, game.puzzles, game.cpu_ms / 1000, after.games),
            )
        return new


def list_turns(offered: Iterable[str], last: str) -> list[str]:
    """Return games in the order of their turns, after the one whose turn was last."""
    names = sorted(offered)
    return [*(one for one in names if one > last), *(one for one in names if one <= last)]


def choose_seed(game_id: str) -> str:
    """Return the seed of a game: who mines it again finds the same."""
    return f"{ORIGIN.seed}/{game_id}"


def _end_of(now: int) -> Place:
    return now - RIPE_MS, ""


def _walk(offer: Any, transcript: Transcript, game: MinedGame) -> Iterator[OpenQuestion]:
    """Yield the questions that are left; none of a game that the rules of today do not take."""
    try:
        yield from walk(offer, transcript, game.start)
    except InvalidTranscript as error:
        log.warning("game %s is not mined: %s", game.id, error)


def _mine(offer: Any, looked: OpenQuestion, game_id: str, found: list[Puzzle]) -> None:
    puzzle = mine_question(offer, looked, ORIGIN, choose_seed(game_id))
    if puzzle is not None:
        found.append(puzzle)
