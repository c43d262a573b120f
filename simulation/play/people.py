"""People who play: they ask until they are answered, and note what they were promised."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from bench.faults.journal import Journal, digest
from cartulary.events.commands.commands import Intent, NewGame, Written
from cartulary.events.commands.game.overdue import find_silent_seat
from cartulary.events.model.errors import NotFound, Refused
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from simulation.checks.history import CallHistory, NotedCall
from simulation.play.doubts import EXPECTED, PersonalDoubts
from simulation.play.profiles import Profile
from simulation.play.target import SimulatedTarget
from simulation.play.web import Perform, WebClient, WebSilent
from simulation.world.trace import FINDING
from simulation.world.world import SECOND, SimulatedWorld

PAUSE_S = 0.5
"""Seconds before a request is repeated."""

ENDS_AGAIN_S = 12.0
"""Seconds after which no fall-back takes the end of a game any more."""

FORGETS_S = 90.0
"""Seconds, at most, for which a person forgets a turn of a timed game."""


class SimulatedPeople:
    """What all people of a run share."""

    def __init__(
        self, world: SimulatedWorld, client: WebClient, journal: Journal, profile: Profile
    ) -> None:
        self.world, self.client, self.journal, self.profile = world, client, journal, profile
        self.history = CallHistory(lambda: world.now)
        self.rng = random.Random(f"{world.seed}/people")
        self.moves = self.retries = 0
        self.is_hurrying = False
        """Whether people move at once, to bring their games to an end."""
        self.open_tables = 0
        self.requests: dict[str, NewGame] = {}
        """What each game was opened with."""
        self.tokens: dict[str, str] = {}
        """The tokens of people at tables, by their ids."""
        self.hosts: dict[str, str] = {}
        """Who opened a game, by the game."""
        self.target: SimulatedTarget | None = None
        """What gets the messages about turns, None: people look themselves."""
        self.players: list[str] = []
        """The ids of all who have signed up."""
        self.given_up: set[str] = set()
        """Games that were aborted because a fall-back took an account or a seat."""
        self.trouble: list[str] = []

    def note_request(self, game: str, request: NewGame, players: Sequence[Player]) -> None:
        """Note what a game was opened with, and by whom: the first of its players."""
        self.requests[game], self.hosts[game] = request, players[0].id

    def insist(self, perform: Perform, about: str = "") -> Any:
        """Ask until there is an answer; raises what the command raises.

        `about` says for the story what is asked for; without it the story leaves it out.
        """
        while True:
            try:
                return self.client.ask(perform)
            except WebSilent as silent:
                self.retries += 1
                if about:
                    self.tell(about, f"has no answer, and asks again ({silent or 'silence'})")
                self.world.sleep(PAUSE_S * (1 + self.rng.random()))

    def report(self, line: str) -> None:
        """Note what the service must not do."""
        if line not in self.trouble:
            self.trouble.append(line)
            self.world.trace.note(self.world.now, "people", FINDING + line)

    def tell(self, who: str, line: str) -> None:
        """Note a line for the story."""
        self.world.trace.note(self.world.now, who, line)

    def new_key(self) -> str:
        """Return a new idempotency key."""
        return f"{self.rng.getrandbits(64):016x}"

    def note_written(
        self, game: str, what: str, who: str, key: str, called: int, done: Any
    ) -> None:
        """Note what a command has promised; a key that was answered before must say the same."""
        digests = tuple(digest(event) for event in done.events)
        is_first = self.history.is_first(key, digests)
        if key and (fault := self.history.check_key(key, digests, called)):
            self.report(f"{game}: {fault}")
        if not done.events:
            return
        versions = [event["version"] for event in done.events]
        self.tell(who, f"is promised {versions[0]}..{versions[-1]} of {game} ({what})")
        if is_first:
            for event in done.events:
                self.journal.acknowledge(game, event, called / SECOND)
        self.history.note(
            NotedCall(game, who, what, key, called, self.world.now, versions[0], versions[-1])
        )


class PersonAtTable:
    """A person on one seat of one game, until it is over."""

    def __init__(self, crowd: SimulatedPeople, game: str, player: Player) -> None:
        self.crowd, self.game, self.player = crowd, game, player
        self.world, self.rng = crowd.world, random.Random(f"{crowd.world.seed}/{game}/{player.id}")
        self._has_keys = self.rng.random() < crowd.profile.has_keys
        self._unsettled: tuple[int, int, int] | None = None
        """Seat, version and moment of a move without a key and without an answer."""
        self._promised: tuple[int, int, int] | None = None
        """The same of the last move without a key that was promised or found."""
        self._doubts = PersonalDoubts(crowd, player.name, game, self.rng)
        self._others_until = 0
        """The last version at which another was asked."""
        self._is_mine_since = 0

    def play(self) -> None:
        """Play until the game is over, or is gone after a fall-back."""

        def go_on() -> None:
            while not self._is_over():
                pass

        self.do_until_gone(go_on)

    def do_until_gone(self, body: Callable[[], Any]) -> None:
        """Do something; it ends when the game is gone, which a fall-back has to explain."""
        try:
            body()
        except NotFound:
            if not self.crowd.journal.note_vanished(self.game):
                self.crowd.report(f"{self.game} is not found")

    def _is_over(self) -> bool:
        """Do what there is to do; returns whether the game is over, and stays so."""
        if not self._step():
            return False
        if not any(kind.startswith("fall_back") for kind in self.crowd.profile.faults):
            return True
        self.world.sleep(ENDS_AGAIN_S)  # a replica that lacks the end may take over
        return self._look().status.finished

    def _step(self) -> bool:
        """Look at the game and do what there is to do; returns whether the game is over."""
        table = self._look()
        if self._promised is not None and table.version <= self._promised[1]:
            # A fall-back has taken it. It may come back: who has sent it may send it again.
            self._unsettled, self._promised = self._promised, None
        if self._unsettled is not None and table.version > self._unsettled[1]:
            self._settle(*self._unsettled)
        if table.status.finished:
            return True
        self._doubts.watch(table)
        proposal = table.course.proposal
        if proposal is not None and self._is_asked(table, proposal):
            self._pause(self.crowd.profile.looks_s)
            self._answer(table, proposal)
        elif table.decision is not None and self._is_mine(table, table.decision.seat):
            self._await_notice(table, table.decision.seat)
            self._think(table)
            self._act(table)
        else:
            self._others_until, self._is_mine_since = table.version, 0
            self._pause(self.crowd.profile.looks_s)
            self._look_after_seats(table)
        return False

    def _await_notice(self, table: Table, seat: int) -> None:
        """Wait for the message about a turn, once it is this person's."""
        if self.crowd.target is not None and not self._is_mine_since:
            self._is_mine_since = table.version
            self.crowd.target.await_turn(self.game, seat, table.version, self._others_until)

    def _think(self, table: Table) -> None:
        """Pause before a move; at a table with a clock some forget that it is their turn."""
        forgets = table.clocks is not None and not self.crowd.is_hurrying
        if forgets and self.rng.random() < self.crowd.profile.forgets:
            self.world.sleep(FORGETS_S * self.rng.random())
        else:
            self._pause(self.crowd.profile.thinks_s)

    def _look_after_seats(self, table: Table) -> None:
        """Do what else there is to do at a table: sit down again, come back, claim a seat."""
        mine = table.seats_of(self.player.id)
        away = [seat for seat in mine if table.seats[seat].away is not None]
        silent = find_silent_seat(table) if table.overdue else None
        if table.status is Status.OPEN:
            self._insist_on_start(table, bool(mine))
        elif away:
            intent, seat = self._intend(table), away[0]
            self._write(
                "return",
                intent,
                lambda store: store.commands.leaving.come_back(intent, self.game, seat),
            )
        elif mine and silent is not None and silent not in mine:
            intent, remedy = self._intend(table), self.rng.choice(("stand_in", "forfeit"))
            self._write(
                "claim",
                intent,
                lambda store: store.commands.leaving.claim(intent, self.game, silent, remedy),
            )

    def _insist_on_start(self, table: Table, is_seated: bool) -> None:
        """Sit down again where a fall-back has taken the seat; the host ends what cannot start."""
        crowd, intent = self.crowd, self._intend(table)
        if not crowd.journal.fallbacks:
            return
        if not is_seated and self.rng.random() < 0.5:
            self._write(
                "join", intent, lambda store: store.commands.arranging.join(intent, self.game)
            )
        elif is_seated and table.course.host == self.player.id and self.rng.random() < 0.02:
            crowd.given_up.add(self.game)
            self._write("abort", intent, lambda store: store.commands.abort(intent, self.game))

    def _pause(self, longest: float) -> None:
        hurry = 0.1 if self.crowd.is_hurrying else 1.0
        # Most are quick and some take long.
        self.world.sleep(0.01 + hurry * longest * self.rng.random() ** 3)

    def _is_mine(self, table: Table, seat: int) -> bool:
        held = table.seats[seat]
        return held.is_held_by(self.player.id) and held.away is None

    def _is_asked(self, table: Table, proposal: Any) -> bool:
        mine = table.seats_of(self.player.id)
        answered = {seat for seat, _ in proposal.answers}
        return any(seat in proposal.needs and seat not in answered for seat in mine)

    def _look(self) -> Table:
        called = self.world.now
        table: Table = self.crowd.insist(lambda store: store.projector.table(self.game))
        call = NotedCall(self.game, self.player.name, "read", "", called, self.world.now)
        self.crowd.history.note(call._replace(seen=table.version))
        return table

    def _act(self, table: Table) -> None:
        habits, chance = self.crowd.profile, self.rng.random()
        if self.crowd.is_hurrying or self._unsettled is not None:
            self._move(table)
        elif chance < habits.resigns:
            self._resign(table)
        elif chance < habits.resigns + habits.takes_back:
            intent = self._intend(table)
            ends = habits.ends_early and self.rng.random() < habits.ends_early
            ask = "end" if ends else "takeback"
            self._write(ask, intent, lambda s: s.commands.proposals.propose(intent, self.game, ask))
        else:
            self._move(table)

    def _resign(self, table: Table) -> None:
        [seat, *_] = table.seats_of(self.player.id)
        # Who gives up does so whatever has happened meanwhile.
        intent = self._intend(table)._replace(expected=None, body={})

        def resign(store: Any, seat: int = seat) -> Any:
            return store.commands.leaving.resign(intent, self.game, seat)

        if self._write("resign", intent, resign):
            other = (seat + 1) % len(table.seats)
            self._doubts.reuse(
                "a key of a resignation, for another seat,", lambda s: resign(s, other)
            )

    def _intend(self, table: Table) -> Intent:
        return Intent(self.player, expected=table.version, key=self.crowd.new_key())

    def _answer(self, table: Table, proposal: Any) -> None:
        answer = "accept" if self.rng.random() < 0.7 else "decline"
        intent, number = self._intend(table), proposal.id
        self._write(
            "answer",
            intent,
            lambda s: s.commands.proposals.answer(intent, self.game, number, answer),
        )

    def _move(self, table: Table) -> None:
        assert table.state is not None
        moves = table.state.legal_moves()
        chosen, habits = self.rng.choice(moves), self.crowd.profile
        if not self._has_keys:
            self._move_without_key(table, chosen)
            return
        intent = self._intend(table)

        def move(store: Any) -> Any:
            return store.commands.move(intent, self.game, chosen)

        if self.rng.random() < habits.taps_twice:
            self._at_once(lambda: self._write("move", intent, move, chosen))
        if self.rng.random() < habits.contradicts:
            other, another = self.rng.choice(moves), self._intend(table)
            self._at_once(
                lambda: self._write(
                    "move", another, lambda s: s.commands.move(another, self.game, other)
                )
            )
        if self._write("move", intent, move, chosen):
            self.crowd.moves += 1
            self._doubts.reuse(
                "a key of a move, for a rematch,",
                lambda s: s.commands.again.open_rematch(intent, self.game),
            )

    def _move_without_key(self, table: Table, chosen: Any) -> None:
        """Send a move once; without an answer only a look at the game tells what became of it."""
        crowd, called = self.crowd, self.world.now
        intent = Intent(self.player, expected=table.version)
        asked = f"move at {table.version} of {self.game} without a key"
        crowd.tell(self.player.name, f"asks for {asked}")
        try:
            done = crowd.client.ask(lambda store: store.commands.move(intent, self.game, chosen))
        except WebSilent as silent:
            crowd.retries += 1
            crowd.tell(self.player.name, f"has no answer to {asked} ({silent or 'silence'})")
            assert table.decision is not None
            if self._unsettled is None or table.version < self._unsettled[1]:
                self._unsettled = table.decision.seat, table.version, called
            self.world.sleep(PAUSE_S)
        except Refused as error:
            self._note_refusal("move", intent, called, error)
        else:
            assert table.decision is not None
            self._unsettled, self._promised = None, (table.decision.seat, table.version, called)
            crowd.moves += 1
            crowd.note_written(self.game, "move", self.player.name, "", called, done)

    def _settle(self, seat: int, version: int, sent: int) -> None:
        """Look for a move whose answer was lost."""
        self._unsettled = None
        events = self.crowd.insist(lambda store: store.ledger.deliver(self.game, version, 100))
        for event in events:
            if event["type"] == "move_made" and event["seat"] == seat:
                self.crowd.journal.acknowledge(self.game, event, sent / SECOND, seen=True)
                self._promised = seat, version, sent
                found = f"finds {event['version']} of {self.game}, for which no answer came"
                self.crowd.tell(self.player.name, found)
                return

    def _at_once(self, body: Callable[[], Any]) -> None:
        """Do something in another thread: the other tab of the same person."""
        process = self.world.must_run().process
        self.world.spawn(process, f"{self.player.name}/tab", lambda: self.do_until_gone(body))

    def _write(self, what: str, intent: Intent, perform: Perform, chosen: Any = None) -> bool:
        """Do something until there is an answer; returns whether it was done.

        `chosen` is the move that was sent, which the answer must show.
        """
        called, crowd = self.world.now, self.crowd
        assert intent.key is not None
        at = "" if intent.expected is None else f" at {intent.expected}"
        asked = f"{what}{at} of {self.game} with key {intent.key[:6]}"
        crowd.tell(self.player.name, f"asks for {asked}")
        try:
            done: Written = crowd.insist(perform, f"{self.player.name}, {asked},")
        except Refused as error:
            self._note_refusal(what, intent, called, error)
            return False
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            crowd.report(f"{self.game}: {what} raises {error!r} in {last.name} of {last.filename}")
            self.world.sleep(5.0)
            return False
        if chosen is not None:
            self._doubts.judge_answer(intent, done, chosen)
        crowd.note_written(self.game, what, self.player.name, intent.key, called, done)
        return True

    def _note_refusal(self, what: str, intent: Intent, called: int, error: Refused) -> None:
        crowd, code = self.crowd, error.code
        if isinstance(error, NotFound):
            raise error
        fell_back = crowd.journal.fell_back_since(called / SECOND - 60)
        if code == "stale_version" and what == "move" and crowd.profile.is_watched:
            self._doubts.judge_stale(intent, called)
        if code not in EXPECTED and not fell_back:
            crowd.report(f"{self.game}: {what} at {intent.expected} is refused: {code} {error}")
        crowd.tell(self.player.name, f"is refused at {intent.expected} of {self.game}: {code}")
        call = NotedCall(
            self.game, self.player.name, what, intent.key or "", called, self.world.now
        )
        crowd.history.note(call._replace(code=code))
