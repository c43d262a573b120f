"""A stranger who looks at everything that the service shows, and what was shown too early.

A private game is for its people only, an unlisted one for who has the link, and the secret of the
draws is hidden before the game is over (`docs/fairness.md`; `docs/living.md`, "Who sees a private
game").
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import orjson

from cartulary.events.model.errors import NotFound
from cartulary.events.model.table import Table
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from simulation.play.people import SimulatedPeople

LOOKS_S: Final = 6.0

_SECRET: Final = re.compile(rb'(?<=")[0-9a-f]{64}(?=")')
"""What a secret looks like in JSON; commitments and hashes do as well."""


class Onlooker:
    """Looks at lists, games, events and summaries as a player who has no seat anywhere."""

    def __init__(self, crowd: SimulatedPeople) -> None:
        self.crowd = crowd
        self.rng = random.Random(f"{crowd.world.seed}/onlooker")
        self.looks = 0
        self.shown: dict[str, set[bytes]] = {}
        """What of each game was shown, while it was not over, that has the form of a secret."""

    def run(self) -> None:
        """Look at one thing after another, for ever."""
        crowd = self.crowd
        player: Player = crowd.insist(lambda store: store.players.create("Eve"))[0]
        while True:
            crowd.world.sleep(2 * LOOKS_S * self.rng.random())
            self._look_at_lists(player)
            games = list(crowd.requests)
            if games:
                # Mostly at one that is being played.
                game = games[-1 - min(int(self.rng.expovariate(0.5)), len(games) - 1)]
                self._look_at(game, player)
            self.looks += 1

    def _look_at_lists(self, player: Player) -> None:
        crowd = self.crowd
        public = crowd.insist(lambda store: store.projections.lobby(limit=50)).games
        mine = crowd.insist(lambda store: store.projections.games_of(player.id)).games
        for line in find_foreign(public, {name: one.visibility for name, one in self._requests()}):
            crowd.report(f"the lobby: {line}")
        for summary in mine:
            crowd.report(f"{summary['id']} is listed for a player who is not there")

    def _requests(self) -> Iterator[tuple[str, Any]]:
        yield from self.crowd.requests.items()

    def _look_at(self, game: str, player: Player) -> None:
        """Look at a game as the views do, then at its events; a private one is not there."""
        crowd = self.crowd

        def look(store: Store) -> tuple[Table, bytes]:
            table = store.projector.visible(game, player.id)
            events = store.ledger.deliver(game, max(0, table.version - 20), 20)
            view = table.play.view_text() if table.play is not None else b""
            return table, orjson.dumps([events, table.summary()]) + view

        try:
            table, text = crowd.insist(look)
        except NotFound:
            return
        if crowd.requests[game].visibility == "private":
            crowd.report(f"{game} is private, and was shown to a stranger")
        if not table.status.finished and b'"game_scored"' not in text:
            self.shown.setdefault(game, set()).update(_SECRET.findall(text))

    def check(self, events: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Report secrets that were shown before the end; `events` are those of each game."""
        for game, stored in events.items():
            for secret in find_secrets(stored):
                if secret.encode() in self.shown.get(game, ()):
                    self.crowd.report(f"{game}: the secret of its draws was shown before its end")


def find_secrets(events: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the secrets that stand in the events of a game that is over."""
    for event in events:
        secret = event.get("secret") or (event.get("fair") or {}).get("secret")
        if secret:
            yield secret


def find_foreign(
    listed: Sequence[Mapping[str, Any]], visibilities: Mapping[str, str]
) -> Iterator[str]:
    """Yield a line for each game of a public list that is not public."""
    for summary in listed:
        visibility = visibilities.get(summary["id"], "public")
        if visibility != "public":
            yield f"{summary['id']} is {visibility}, and is listed for everybody"
