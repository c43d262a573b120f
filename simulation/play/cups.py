"""Tournaments of a run: people enter, the service pairs rounds and makes games, and they play them.

What must hold is checked while it goes on (who sees what of the open round of a duplicate) and at
the end (`judge_cups`).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import orjson

from bench.faults.journal import digest
from bench.faults.tournaments.judging import judge_stream
from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound, Refused
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.events.tournaments.stream.writer import TournamentWritten
from cartulary.tournaments.state import SCORED, Tournament, TournamentTable
from cartulary.tournaments.verification import verify_table, verify_tournament
from simulation.play.people import PersonAtTable, SimulatedPeople
from simulation.world.world import SECOND

ENTRANTS: Final = 4

LOOKS_S: Final = 2.0

ROUNDS: Final = 2

DAILY: Final = {"mode": "correspondence", "delay": 86_400, "bank": 0, "refill": 0}

FORMS: Final[tuple[dict[str, Any], ...]] = (
    {"format": "swiss", "rounds": ROUNDS},
    {"format": "swiss", "rounds": ROUNDS, "duplicate": True},
    {"format": "swiss", "rounds": ROUNDS, "duplicate": True, "visibility": "private"},
    {"format": "round_robin", "rounds": ROUNDS},
)

_SECRET: Final = re.compile(rb"[0-9a-f]{64}")


class CupPeople:
    """A host and entrants, who play one tournament after the other."""

    def __init__(self, crowd: SimulatedPeople, number: int) -> None:
        self.crowd, self.number = crowd, number
        self.rng = random.Random(f"{crowd.world.seed}/cups/{number}")
        self.players: list[Player] = []
        self.entered: dict[str, set[str]] = {}
        """By tournament: the players whose entry was answered."""
        self.shown: dict[tuple[str, int], set[bytes]] = {}
        """What has the form of a secret and was shown of an open round, by tournament and round."""
        self._seated: set[tuple[str, str]] = set()
        self._playing = 0

    def keep(self, is_late: Callable[[], bool]) -> None:
        """Play one tournament after another until it is late."""
        crowd = self.crowd
        names = ["Hal", *(f"P{n}" for n in range(1, ENTRANTS)), "Eve"]
        for name in names:
            made = crowd.insist(_sign_up(f"{name}{self.number}"))
            self.players.append(made[0])
            crowd.players.append(made[0].id)
        while not is_late():
            self._play_one(self._announce())

    # -- host and entrants ------------------------------------------------------------------------

    def _write(self, player: Player, about: str, ask: Callable[[Store, Intent], Any]) -> Any:
        """Ask until it is answered, now and then twice; the answers to one key must be the same."""
        crowd = self.crowd
        intent = Intent(player, key=crowd.new_key())
        times = 2 if self.rng.random() < 0.2 else 1
        for _ in range(times):
            called = crowd.world.now
            done = crowd.insist(lambda store: ask(store, intent), f"{player.name}, {about},")
            written = done if isinstance(done, TournamentWritten) else done[1]
            digests = tuple(digest(event) for event in written.events)
            if fault := crowd.history.check_key(str(intent.key), digests, called):
                crowd.report(f"{about}: {fault}")
        return done

    def _announce(self) -> str:
        form, host = self.rng.choice(FORMS), self.players[0]
        invited = {"invited": [one.id for one in self.players[:ENTRANTS]]}
        terms = {
            "name": "Evening",
            "game": "carcassonne",
            "table": [2],
            "pace": DAILY,
            "start": self.rng.choice(({"by_host": True}, {"when_full": True})),
            "entrants": {"max": ENTRANTS, **(invited if "visibility" in form else {})},
            **form,
        }
        cup: str = self._write(
            host, "announces", lambda s, i: s.tournaments.commands.create(i, terms)
        )[0]
        self.entered[cup] = set()
        for player in self.players[:ENTRANTS]:
            entropy = f"{self.rng.getrandbits(64):016x}" if self.rng.random() < 0.5 else None
            self._write(player, f"enters {cup}", _enter(cup, entropy))
            self.entered[cup].add(player.id)
        if "by_host" in terms["start"]:
            self._write(host, f"starts {cup}", lambda s, i: s.tournaments.commands.start(i, cup))
        return cup

    def _play_one(self, cup: str) -> None:
        leaver = self.players[1] if self.rng.random() < 0.3 else None
        while True:
            tournament = self._read(cup)
            if tournament.ended and not self._playing:
                return
            for place in tournament.playing_tables():
                self._sit_down(tournament, place)
                self._look_around(cup, place)
            if leaver is not None and self._seated and self.rng.random() < 0.02:
                self._leave(cup, leaver)
                leaver = None
            self.crowd.world.sleep(LOOKS_S * self.rng.random())

    def _read(self, cup: str) -> Tournament:
        found: Tournament = self.crowd.insist(lambda s: s.tournaments.streams.read(cup)).tournament
        return found

    def _leave(self, cup: str, player: Player) -> None:
        try:
            self._write(
                player, f"leaves {cup}", lambda s, i: s.tournaments.commands.withdraw(i, cup)
            )
        except Refused as error:  # it has ended meanwhile
            if error.code != "tournament_started":
                self.crowd.report(f"{cup}: who leaves is refused: {error.code} {error}")

    def _sit_down(self, tournament: Tournament, place: TournamentTable) -> None:
        """Let the entrants of a table play its game, once it is there."""
        crowd, world, game = self.crowd, self.crowd.world, place.game
        if game in crowd.journal.games:
            return
        try:
            crowd.insist(lambda store: store.projector.table(game))
        except NotFound:
            return
        crowd.journal.open({"id": game}, frozenset(range(len(place.seats))), world.now / SECOND)
        for number in place.seats:
            owner = tournament.entrant(number).player["id"]
            player = next(one for one in self.players if one.id == owner)
            self._seated.add((game, owner))
            self._playing += 1
            world.spawn(world.must_run().process, player.name, self._be(game, player))

    def _be(self, game: str, player: Player) -> Callable[[], None]:
        def play() -> None:
            PersonAtTable(self.crowd, game, player).play()
            self._playing -= 1

        return play

    # -- what is shown of an open round -----------------------------------------------------------

    def _look_around(self, cup: str, place: TournamentTable) -> None:
        """Look at a game as one who does not sit there, and at what the open round shows."""
        viewer = self.rng.choice(self.players)
        if (place.game, viewer.id) in self._seated:
            return
        text = b""
        is_shown = True
        try:
            text = self.crowd.insist(lambda store: _show(store, cup, place.game, viewer.id))
        except NotFound:
            is_shown = False
            text = self.crowd.insist(lambda store: _show(store, cup, None, viewer.id))
        tournament = self._read(cup)
        if not tournament.terms.duplicate or tournament.rounds[place.round - 1].closed:
            return
        if is_shown:
            self.crowd.report(f"{place.game} of an open round was shown to {viewer.name}")
        self.shown.setdefault((cup, place.round), set()).update(_SECRET.findall(text))


def _sign_up(name: str) -> Callable[[Store], Any]:
    return lambda store: store.players.create(name)


def _enter(cup: str, entropy: str | None) -> Callable[[Store, Intent], Any]:
    return lambda store, intent: store.tournaments.commands.enter(intent, cup, entropy)


def _show(store: Store, cup: str, game: str | None, viewer: str) -> bytes:
    """Return what a viewer is shown of a tournament and of a game; raises `NotFound`."""
    text = orjson.dumps(store.tournaments.streams.deliver(cup))
    if game is None:
        return text
    table = store.projector.visible(game, viewer)
    return text + orjson.dumps([store.ledger.deliver(game, 0, 10_000), table.summary()])


def judge_cups(cups: Sequence[CupPeople], store: Store) -> int:
    """Report what does not hold of the tournaments of a run; returns how many there were."""
    named: set[str] = set()
    count = 0
    for people in cups:
        for cup, entered in people.entered.items():
            count += 1
            events = store.tournaments.streams.deliver(cup)
            for line in _judge_cup(cup, events, entered, people, store):
                people.crowd.report(f"tournament {cup}: {line}")
            named |= {table["game"] for one in events for table in one.get("tables") or ()}
    if cups:
        crowd = cups[0].crowd
        for game in sorted({*store.ledger.game_ids()} - named - crowd.requests.keys()):
            crowd.report(f"{game} was made, and no table of a round has it")
    return count


def _judge_cup(
    cup: str, events: list[Any], entered: set[str], people: CupPeople, store: Store
) -> Iterator[str]:
    yield from judge_stream(events)
    paired = Counter(one["round"] for one in events if one["type"] == "round_paired")
    yield from (f"round {number} is paired {n} times" for number, n in paired.items() if n > 1)
    tournament = verify_tournament(events).tournament
    if tournament is None:
        return
    missing = entered - {str(one.player["id"]) for one in tournament.entrants}
    yield from (f"the entry of {player} was answered, and is lost" for player in sorted(missing))
    for number, table in tournament.tables.items():
        if table.status == SCORED:
            game = store.ledger.deliver(table.game, 0, 10_000)
            yield from verify_table(cup, tournament, number, game)
    for event in events:
        secret = str(event.get("secret") or "").encode()
        if event["type"] == "round_closed" and secret in people.shown.get(
            (cup, event["round"]), ()
        ):
            yield f"the secret of round {event['round']} was shown while it was open"
    if events[-1]["type"] == "tournament_over":
        shown = store.tournaments.ranking.describe(store.tournaments.streams.read(cup))
        places = {one["entrant"]: one["rank"] for one in shown}
        folded = {one["entrant"]: one["rank"] for one in events[-1]["standings"]}
        if places != folded:
            yield f"its standings are shown as {places}, and were {folded}"
