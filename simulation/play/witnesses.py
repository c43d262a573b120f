"""People who look at what goes on and play no game: what they are shown must be true as well."""

from __future__ import annotations

import random
from collections.abc import Callable

from cartulary.events.commands.commands import Intent
from cartulary.events.model.errors import NotFound, Refused
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.server import keys
from simulation.play.people import SimulatedPeople
from simulation.world.world import SECOND

MENDED_S = 40.0
"""Seconds after which a list must be mended that a fall-back has left wrong."""

LOOKS_S = 4.0
"""Seconds, at most, between two looks of a witness."""


class Witnesses:
    """An auditor, a reader of the past, one who wants a seat, an operator, a reader of lists."""

    def __init__(self, crowd: SimulatedPeople) -> None:
        self.crowd = crowd
        self.rng = random.Random(f"{crowd.world.seed}/witnesses")
        self._looked_back: dict[str, int] = {}
        """The version of each game that was looked at last."""
        self._wrong_since: dict[str, tuple[str, int]] = {}
        """By game: how its place in the lists differs from its stream, and since when."""

    def start(self) -> None:
        """Let each of them look, again and again, where the profile has them."""
        if self.crowd.profile.lists_s:
            self._keep("lister", self.crowd.profile.lists_s, self._look_at_list)
        if not self.crowd.profile.is_watched:
            return
        self._keep("auditor", LOOKS_S, self._audit)
        self._keep("historian", LOOKS_S / 8, self._look_back)
        self._keep("intruder", LOOKS_S, self._intrude)
        if self.crowd.profile.renews_s:
            self._keep("operator", 2 * self.crowd.profile.renews_s, self._renew)

    def _keep(self, name: str, longest: float, look: Callable[[Table], None]) -> None:
        crowd = self.crowd

        def be() -> None:
            while True:
                crowd.world.sleep(longest * self.rng.random())
                games = list(crowd.journal.games)[-crowd.profile.tables :]
                if games:
                    self._look_at(self.rng.choice(games), name, look)

        crowd.world.start(name, be, forgiven=False)

    def _look_at(self, game: str, name: str, look: Callable[[Table], None]) -> None:
        began = self.crowd.world.now
        try:
            look(self.crowd.insist(lambda store: store.projector.table(game)))
        except Refused as error:
            is_gone = isinstance(error, NotFound) and self.crowd.journal.note_vanished(game)
            if not is_gone and not self._fell_back(began):
                self.crowd.report(f"{game}: the {name} is refused: {error.code} {error}")

    def _fell_back(self, since: int) -> bool:
        return self.crowd.journal.fell_back_since(since / SECOND - 60)

    def _audit(self, table: Table) -> None:
        """Audit a game while it is played."""
        began = self.crowd.world.now
        audited = self.crowd.insist(lambda store: store.audit.game(table.id))
        if not self._fell_back(began):
            for problem in audited.problems:
                self.crowd.report(f"{table.id} is audited while it is played: {problem}")

    def _look_back(self, table: Table) -> None:
        """Look at a version, and compare the table with the event as it was before and after.

        The same version is mostly looked at again, because a process remembers the last one.
        """
        version = self._looked_back.get(table.id, 0)
        if not version or self.rng.random() < 0.2:
            version = max(1, table.version - self.rng.randrange(3))
        self._looked_back[table.id] = version
        before = self._read_hash(table.id, version)
        shown = self.crowd.insist(lambda store: store.projector.table(table.id, version))
        after = self._read_hash(table.id, version)
        if before == after and shown.head != before:
            line = f"{table.id} version {version} is shown as it never was: {shown.head[:8]}"
            self.crowd.report(f"{line} instead of {before[:8]}")

    def _read_hash(self, game: str, version: int) -> str:
        events = self.crowd.insist(lambda store: store.ledger.deliver(game, version - 1, 1))
        return str(events[0]["hash"]) if events else ""

    def _look_at_list(self, table: Table) -> None:
        """Compare what the lists say of a game with its stream, while its people think."""
        name, now = keys.summary(table.id), self.crowd.world.now
        listed = self.crowd.insist(lambda store: store.redis.hmget(name, "version", "head"))
        known = [str(table.version).encode(), table.head.encode()]
        if listed == known:
            self._wrong_since.pop(table.id, None)
            return
        line = f"the list differs from version {table.version}: {listed}"
        seen, since = self._wrong_since.setdefault(table.id, (line, now))
        if seen != line:
            self._wrong_since[table.id] = line, now
        elif now - since > MENDED_S * SECOND:
            self.crowd.report(f"{table.id}: {line} for {MENDED_S:.0f} s")

    def _intrude(self, table: Table) -> None:
        """Try to sit down at a game that has started: it takes no player, at any version."""
        if table.status is not Status.RUNNING or any(seat.forfeited for seat in table.seats):
            return
        stranger = Intent(Player("01STRANGER", "Eve"), expected=1)
        try:
            self.crowd.insist(lambda store: store.commands.arranging.join(stranger, table.id))
        except Refused as error:
            if error.code in ("already_started", "game_not_running"):
                return
            line = f"a stranger is refused a seat with {error.code}"
        else:
            line = "a stranger gets a seat of a game that has started"
        self.crowd.report(f"{table.id} version {table.version}: {line}")

    def _renew(self, table: Table) -> None:
        """Renew the draws of a game, as `serve --renew-draws` does where its secret is lost."""
        if table.status is Status.RUNNING:
            self.crowd.insist(lambda store: store.commands.renew_draws(table.id))
