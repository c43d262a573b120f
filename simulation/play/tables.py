"""Tables: people who sign up, open a game, sit down, play it to its end, and begin another."""

from __future__ import annotations

import random
from collections.abc import Callable

from cartulary.events.commands.commands import Intent, NewGame
from cartulary.events.model.errors import NotFound, Refused
from cartulary.events.people.players import Player, hash_token
from simulation.play.doubts import EXPECTED
from simulation.play.kinds import change_kind, choose_game
from simulation.play.people import PersonAtTable, SimulatedPeople
from simulation.play.target import subscribe
from simulation.world.world import SECOND


class TablePeople:
    """The people of one table; `keep` lets them begin another game when one is over."""

    def __init__(
        self,
        crowd: SimulatedPeople,
        number: int,
        visit: Callable[[str, list[Player]], None] | None = None,
    ) -> None:
        """Be the people of a table; `visit` is called with each game that is over."""
        self.crowd, self.number, self.visit = crowd, number, visit
        self.rng = random.Random(f"{crowd.world.seed}/kinds/{number}")
        self.players: list[Player] = []

    def keep(self, is_late: Callable[[], bool]) -> None:
        """Play one game after another until it is late."""
        crowd, world = self.crowd, self.crowd.world
        self.players = [_sign_up(crowd, f"{name}{self.number}") for name in ("Ann", "Bob", "Cid")]
        while not is_late():
            count = crowd.rng.choice((1, 1, 2, 2, 3))
            players = self.players[:count]
            game = self._open(players)
            crowd.open_tables += 1
            try:
                _play_all(crowd, game, players)
            finally:
                crowd.open_tables -= 1
            if self.visit is not None and game in crowd.journal.games:
                self.visit(game, players)
            world.sleep(crowd.profile.thinks_s * crowd.rng.random())

    def _open(self, players: list[Player]) -> str:
        """Open a game of these players, and let them sit down; returns its id."""
        crowd = self.crowd
        request = choose_game(crowd.rng, players)
        chosen = change_kind(request, self.rng, crowd.profile, players, crowd.profile.rated > 0)
        if crowd.profile.commits and self.rng.random() < crowd.profile.commits:
            made = crowd.insist(lambda store: store.commands.commit(players[0]))
            chosen = chosen._replace(commitment=made.id)
        try:
            return _open_table(crowd, players, chosen)
        except Refused as error:
            # A fall-back has taken an account or a commitment: the people play without it.
            if not crowd.journal.fallbacks:
                crowd.report(f"a creation is refused: {error.code} {error}")
            return _open_table(crowd, players, request)


def _open_table(crowd: SimulatedPeople, players: list[Player], request: NewGame) -> str:
    host = players[0]
    intent, called = Intent(host, key=crowd.new_key()), crowd.world.now
    done = crowd.insist(lambda store: store.commands.create(intent, request))
    game: str = done.table.id
    mine = frozenset(n for n, seat in enumerate(request.seats) if seat.kind != "bot")
    crowd.journal.open({"id": game}, mine, called / SECOND)
    crowd.note_request(game, request, players)
    assert intent.key is not None
    crowd.note_written(game, "create", host.name, intent.key, called, done)
    for player in players[1:]:
        _sit_down(crowd, game, player)
    return game


def _sit_down(crowd: SimulatedPeople, game: str, player: Player) -> None:
    intent, called = Intent(player, key=crowd.new_key()), crowd.world.now
    try:
        done = crowd.insist(lambda store: store.commands.arranging.join(intent, game))
    except NotFound:
        crowd.journal.note_vanished(game)
    except Refused as error:
        if error.code not in EXPECTED and not crowd.journal.fallbacks:
            crowd.report(f"{game}: join is refused: {error.code} {error}")
    else:
        assert intent.key is not None
        crowd.note_written(game, "join", player.name, intent.key, called, done)


def _sign_up(crowd: SimulatedPeople, name: str) -> Player:
    player, token = crowd.insist(lambda store: store.players.create(name))
    if crowd.profile.rated:
        crowd.insist(lambda store: store.recovery.issue(player.id, hash_token(token)))
    if crowd.target is not None:
        crowd.insist(lambda store: subscribe(store, player))
    crowd.players.append(player.id)
    crowd.tokens[player.id] = token
    found: Player = player
    return found


def _play_all(crowd: SimulatedPeople, game: str, players: list[Player]) -> None:
    """Let each play in a thread of its own; returns when all have seen the end."""
    world = crowd.world
    host = world.must_run()
    left = len(players)
    token = host.token

    def be(player: Player) -> Callable[[], None]:
        def play() -> None:
            nonlocal left
            PersonAtTable(crowd, game, player).play()
            left -= 1
            if not left:
                world.wake(host, token)

        return play

    for player in players:
        world.spawn(host.process, player.name, be(player))
    world.wait(f"the end of {game}")
