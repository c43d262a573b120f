"""The moves of bots: load the table, think, judge the newest table, append.

A bot thinks outside the append, because it may think for seconds. What it has found is judged on
the newest table then: an event that leaves the position alone voids no thought, and after an event
that changes the position nothing is appended. Renewed draws void a thought too: the seed of the bot
that the event names is another one then.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from cartulary.events.commands.game.plans import Plans, fits
from cartulary.events.commands.judging.consent import lapse_by_move
from cartulary.events.commands.judging.standing_answers import answer_by_standing
from cartulary.events.draws.draws import Draws
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.projector import Projector
from cartulary.events.ledger.writer import Decide, EventWriter, Written
from cartulary.events.model.clock import Clock
from cartulary.events.model.failures import InvariantBroken
from cartulary.events.model.table import Table
from cartulary.events.model.thinking import BotThought, Choose, Thinker, ask_once, think
from cartulary.events.model.time.due import find_work_at
from cartulary.events.model.types import Json
from cartulary.events.tracing.spans import span


class BotMoves:
    """Lets bots move. Thread-safe."""

    def __init__(
        self, writer: EventWriter, projector: Projector, draws: Draws, plans: Plans, clock: Clock
    ) -> None:
        self._writer, self._projector = writer, projector
        self._draws, self._plans, self._clock = draws, plans, clock

    def move(
        self,
        game_id: str,
        position: int,
        choose: Choose | Sequence[Thinker],
        version: int = 1,
    ) -> Written:
        """Let a bot answer, if the game is still at `position` and the bot is asked.

        Otherwise nothing happens. The bot thinks once, and what it plans for its next decisions is
        appended in the same step. In a game with a `bot_delay` the thought is kept until it may be
        appended, and each planned move waits as well.

        The generator for `choose` is seeded as the contract says, so a repeated job plays the same
        move. `choose` is a simple bot, and `version` its version; or `choose` is the bot and those
        that move when it fails, in this order. Raises `NotFound`, `DrawsUnavailable`; what the last
        bot raises; `ValueError` when that bot gives no legal move.
        """
        table = self._projector.table(game_id)
        if table.position != position or (bot := table.bot_to_move) is None:
            return Written(table, [])
        thinkers = [Thinker(bot, ask_once(choose), version)] if callable(choose) else choose
        thought = self.recall(table) or self._think(table, thinkers)
        if self.is_early(table):
            self._plans.keep(table, thought)
            return Written(table, [])
        written = self._append(table, thought)
        if written.events:
            self._keep_rest(written, thought)
        elif written.table.position == position and self.is_early(written.table):
            # An event that leaves the position alone makes the bot wait again.
            self._plans.keep(written.table, thought)
        return written

    def recall(self, table: Table) -> BotThought | None:
        """Return what the bot that is to move has thought of already, None for nothing.

        Raises `DrawsUnavailable`.
        """
        found = self._plans.recall(table) if table.terms.bot_delay else None
        # After `draws_renewed` the seed is another one: the event has to name the seed of today.
        if found is None or found.about.get("seed") != self._draws.bot_seed(table):
            return None
        return found

    def is_early(self, table: Table) -> bool:
        """Return whether the bot that is to move has to wait."""
        return bool(table.terms.bot_delay) and self._clock.now_ms() < find_work_at(table)

    def _think(self, table: Table, thinkers: Sequence[Thinker]) -> BotThought:
        state = table.state
        assert state is not None
        seed, began = self._draws.bot_seed(table), self._clock.now_ms()
        with span("think", bot=table.bot_to_move or ""):
            found = think(thinkers, state, lambda: _make_generator(seed, table.id, table.position))
        found.about.update({} if seed is None else {"seed": seed})
        found.about["ms"] = max(0, self._clock.now_ms() - began)
        return found

    def _append(self, seen: Table, thought: BotThought) -> Written:
        return self._writer.write(seen.id, None, self._decide(seen, thought))

    def _decide(self, seen: Table, thought: BotThought) -> Decide:
        bot, position = seen.bot_to_move, seen.position

        def decide(table: Table, draft: Draft) -> None:
            if table.position != position or table.bot_to_move != bot or self.is_early(table):
                return
            if _find_commitment(table) != _find_commitment(seen):  # the seed is another one now
                return
            if thought.about.get("seed") != self._draws.bot_seed(table):
                detail = f"a thought of {bot} was thought with the seed of another secret"
                raise InvariantBroken(table.id, table.version, "thought", detail)
            if table.course.proposal is not None:
                lapse_by_move(draft, thought.moves[0], by_bot=True)
            draft.play(thought.moves[0], self._draws.source, thought.about)
            if len(thought.moves) > 1 and not table.terms.bot_delay:
                self._play_plan(draft, thought)
            answer_by_standing(draft, self._draws.source)

        return decide

    def _play_plan(self, draft: Draft, thought: BotThought) -> None:
        """Add the planned moves, as long as they fit and nothing was drawn that was unknown."""
        seat = draft.events[-1]["seat"]
        for move in thought.moves[1:]:
            table = draft.table
            state = table.state if table.bot_to_move is not None else None
            if state is None or draft.events[-1]["chance"] or not fits(state, seat, move):
                return
            if table.course.proposal is not None:
                lapse_by_move(draft, move, by_bot=True)
            draft.play(move, self._draws.source, self._describe_planned(table, thought.about))

    def _describe_planned(self, table: Table, about: Json) -> Json:
        """Return what the event of a planned move says of the bot, which did not think for it."""
        seed = self._draws.bot_seed(table)
        said = {**about, "iterations": 0, "ms": 0, "planned": True}
        return said if seed is None else {**said, "seed": seed}

    def _keep_rest(self, written: Written, thought: BotThought) -> None:
        """Keep what is planned after the move, in a game in which the plan has to wait."""
        table = written.table
        if len(thought.moves) < 2 or not table.terms.bot_delay:
            return
        mover, asked = written.events[-1], table.state
        if asked is None or mover["chance"] or not fits(asked, mover["seat"], thought.moves[1]):
            return
        rest = BotThought(thought.moves[1:], self._describe_planned(table, thought.about))
        self._writer.attempt(lambda: self._plans.keep(table, rest))


def _find_commitment(table: Table) -> str | None:
    return None if table.fair is None else table.fair.commitment


def _make_generator(seed: str | None, game_id: str, position: int) -> random.Random:
    """Return the generator of a bot: a game from before fair draws keeps its seed of old."""
    return random.Random(f"{game_id}:{position}" if seed is None else int(seed, 16))
