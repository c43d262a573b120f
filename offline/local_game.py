"""A local game: its events, and the table after each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from cartulary.bots.thought import Budget
from cartulary.engine import transcript as transcripts
from cartulary.engine.chance import RandomSource
from cartulary.engine.core import Json, Result, State
from cartulary.engine.errors import IllegalMove, TranscriptError
from cartulary.engine.kept import Kept, KeptSource
from cartulary.engine.transcript import InvalidTranscript, Playback, RecordedMove, Transcript
from cartulary.events.model import types
from cartulary.events.model.chain import GENESIS, seal, view_and_hash
from cartulary.events.model.clock import format_time
from cartulary.events.model.effects.fold import History, evolve
from cartulary.events.model.effects.kinds import KINDS
from cartulary.events.model.results import make_result
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.games.offer import Offer
from cartulary.offline.refusals import Refusal, invalid, not_found

ORIGIN: Final = "local"
"""What the transcript of a local game says of where it was played."""

Seats = Sequence[Json]
"""The seats of a local game: `{"kind": "me"}`, `{"kind": "bot", "bot": name}`."""


class LocalGame:
    """A game of one person on one device, against bots or with several people at the device.

    `events` and `tables` have one entry for each version, the first for version 1. `person` is the
    name of the player and the id that the device knows.
    """

    def __init__(self, game_id: str, offer: Offer, seats: Seats, person: Json, seed: str) -> None:
        self.id, self.offer, self.seats, self.person = game_id, offer, seats, person
        self.events: list[Json] = []
        self.tables: list[Table] = []
        self._rules = {offer.name: offer.rules}
        self._chance = random.Random(f"{seed}/chance")
        self._thinking = random.Random(f"{seed}/bots")

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.tables[-1]

    @property
    def state(self) -> State[Any]:
        """The position now."""
        state = self.table.state
        assert state is not None
        return state

    def table_at(self, version: int | None) -> Table:
        """Return the table after an event, None: now; raises `Refusal`."""
        if version is None:
            return self.table
        if not 1 <= version <= len(self.tables):
            raise not_found(f"version {version}")
        return self.tables[version - 1]

    # -- beginning ----------------------------------------------------------------------------

    def begin(self, options: dict[str, str | int], now: int) -> None:
        """Set the game up with draws from the seed."""
        game, source = self.offer.rules, RandomSource(self._chance)
        self._create(options, now)
        setup = game.draw_setup(len(self.seats), options, source)
        state = game.new(len(self.seats), options, setup)
        facts: list[Json] = []
        state.facts = facts
        self._start(setup, state.settle(source), facts, state, now)

    def resume(self, transcript: Transcript, now: int) -> None:
        """Play a transcript; raises `Refusal` for a transcript that is not valid."""
        self._create(transcript.options, now)
        try:
            playback = Playback(transcript, self._rules)
            setup = self.offer.rules.setup_of_transcript(
                transcript.setup, transcript.draws, transcript.bag or {}
            )
            self._start(setup, *playback.start[::-1], playback.state, now)
            while not playback.done:
                seat, move = playback.entry
                step = playback.step()
                if playback.done and playback.state.chance is not None:
                    step.chance.extend(playback.state.settle(RandomSource(self._chance)))
                self._add_move(seat, move, step.chance, step.facts, playback.state, now)
            playback.finish()
        except (InvalidTranscript, TranscriptError) as error:
            raise invalid("/transcript", str(error)) from error
        self._score(now)

    def _create(self, options: dict[str, str | int], now: int) -> None:
        seats = [
            {
                "seat": number,
                "player": self.person if seat["kind"] == "me" else None,
                "bot": seat.get("bot"),
            }
            for number, seat in enumerate(self.seats)
        ]
        self._add(
            types.GAME_CREATED,
            now,
            game=self.offer.name,
            options=options,
            seats=seats,
            visibility="private",
            created_by=self.person["id"],
            takebacks="undo",
            hints=True,
        )

    def _start(
        self, setup: Json, chance: list[str], facts: list[Json], state: State[Any], now: int
    ) -> None:
        self._add(
            types.GAME_STARTED,
            now,
            setup=setup,
            chance=chance,
            facts=facts,
            rules_version=self.offer.rules.rules_version,
            state_hash=view_and_hash(state)[1],
        )

    # -- moves --------------------------------------------------------------------------------

    def find_move(self, move: Json, expected_version: int | None) -> Any:
        """Return a move in the form of the engine; raises `Refusal` as the service refuses it."""
        table, decision = self.table, self.table.decision
        if expected_version is not None and not table.unmoved_since(expected_version):
            raise Refusal(409, "stale_version", f"the game is at version {table.version}")
        if decision is None:
            raise Refusal(409, "game_not_running", f"the game is {table.status}")
        try:
            return self.state.find(move)
        except IllegalMove as error:
            raise Refusal(422, "illegal_move", str(error.reason)) from error

    def play(self, move: Json, expected_version: int | None, now: int) -> list[Json]:
        """Make a move for the seat that is asked; return the events; raises `Refusal`."""
        before, found = len(self.events), self.find_move(move, expected_version)
        state, remembered = self.state.copy(), self.table.course.remembered
        seat, facts = state.seat, list[Json]()
        state.facts = facts
        state.play(found)
        fresh = RandomSource(self._chance)
        chance = state.settle(KeptSource(Kept(remembered), fresh) if remembered else fresh)
        state.facts = None
        self._add_move(seat, move, chance, facts, state, now)
        self._score(now)
        return self.events[before:]

    def think(self, level: str) -> tuple[Json, list[Json]]:
        """Return the move that a bot would make now, and what it plans after it in the turn."""
        state = self.state.copy()
        if self.table.decision is None:
            raise Refusal(409, "game_not_running", f"the game is {self.table.status}")
        if level not in self.offer.bots:
            raise invalid("/bot", f"one of {', '.join(self.offer.bots)}")
        bot = self.offer.bots[level]
        budget = bot.budget_of(state.seats) or Budget(1)
        move, *plan = bot.think(state, self._thinking, budget).moves
        planned = []
        following = state.copy()
        following.play(move)
        for step in plan:
            planned.append(following.move_json(step))
            following.play(step)
        return state.move_json(move), planned

    def take_back(self, to_version: int | None, now: int) -> list[Json]:
        """Take moves back, None: from the last own move on; raises `Refusal`."""
        standing = [
            event
            for event in self.events
            if event["type"] == types.MOVE_MADE and self.table.stands(event["version"])
        ]
        if to_version is None:
            own = [one for one in standing if self.seats[one["seat"]]["kind"] == "me"]
            first = own[-1]["version"] if own else None
        else:
            later = (one["version"] for one in standing if one["version"] > to_version)
            first = next(later, None)
        if first is None or not self.table.running:
            raise Refusal(409, "nothing_to_take_back", "no such move stands")
        back = self._position(first - 1)
        taken = [one["version"] for one in standing if one["version"] >= first]
        self._add(
            types.MOVES_TAKEN_BACK,
            now,
            seat=self.events[first - 1]["seat"],
            to_version=back,
            moves=taken,
            proposal=None,
            state_hash=self.events[back - 1]["state_hash"],
        )
        return self.events[-1:]

    def _position(self, version: int) -> int:
        """Return the version at which the position of a version came about."""
        while not KINDS[self.events[version - 1]["type"]].changes_position:
            version -= 1
        return version

    # -- the file -----------------------------------------------------------------------------

    def transcript(self) -> Transcript:
        """Return the game so far as a transcript, without moves that were taken back."""
        moves, draws = list[RecordedMove](), list[str]()
        for event in self.events:
            if event["type"] == types.GAME_STARTED:
                draws += event["chance"]
            elif event["type"] == types.MOVE_MADE and self.table.stands(event["version"]):
                moves.append(RecordedMove(event["seat"], event["move"]))
                draws += event["chance"]
        result = self.table.result
        counted = result and Result(result["scores"], result["winners"], result["breakdown"])
        return transcripts.record(
            self.offer.rules,
            self.state,
            self.table.setup,
            draws,
            moves,
            players=[seat.get("bot") or self.person["name"] for seat in self.seats],
            result=counted or None,
            extra={"origin": ORIGIN, "local_seats": list(self.seats)},
        )

    # -- events -------------------------------------------------------------------------------

    def _add_move(
        self,
        seat: int,
        move: Json,
        chance: list[str],
        facts: list[Json],
        state: State[Any],
        now: int,
    ) -> None:
        state_hash = view_and_hash(state)[1]
        self._add(
            types.MOVE_MADE,
            now,
            seat=seat,
            move=move,
            chance=chance,
            facts=facts,
            state_hash=state_hash,
        )

    def _score(self, now: int) -> None:
        """Count the game when its play is over."""
        if self.table.status is Status.SCORING:
            self._add(types.GAME_SCORED, now, result=make_result(self.table))

    def _add(self, type_: str, now: int, **fields: Any) -> None:
        """Add an event and the table after it."""
        last = self.events[-1] if self.events else None
        prev, before = (last["hash"], self.table) if last else (GENESIS, None)
        new = types.event(len(self.events) + 1, type_, format_time(now), prev=prev, **fields)
        head = seal(new, KINDS[type_].schema).hash
        earlier = History(self._rules, self.id, None, self.events)
        self.tables.append(evolve(self._rules, self.id, before, new, head, earlier))
        self.events.append({**new, "hash": head})
