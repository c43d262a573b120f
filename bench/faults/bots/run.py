"""A run: bots play games with each other, and processes are killed meanwhile."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from bench.faults.bots.journal import read_journals
from bench.faults.bots.judging import BotsJudgement, judge_game
from bench.faults.service import ROOT, ServiceProcess, until
from cartulary.client import Client, Conflict, RetryPolicy
from cartulary.client.core.api_types import Game
from cartulary.client.core.requests import Call, make_request
from cartulary.games import GAMES

BOTS_OF_AN_OWNER = 5
"""The most bots that a player may have."""

STUCK_AFTER_S = 180.0
"""Seconds in which no game has an event, after which the games that are left are stuck."""

LOOK_EVERY_S = 2.0
"""Seconds between two looks at the games that run: a look at sixty games costs the service as
much as sixty moves."""

LISTEN_WITHIN_S = 120.0
"""Seconds within which all bots are connected."""

PATIENT = RetryPolicy(attempts=1000, longest=2.0)


class Plan(NamedTuple):
    """How large a run is. `pause`: seconds between two faults; `at_once`: games that run.

    `minutes`: so long new games begin, though fewer than `games`; 0: until there are `games`.
    """

    bots: int = 100
    games: int = 1000
    processes: int = 5
    at_once: int = 60
    pause: float = 5.0
    minutes: float = 0.0
    kinds: tuple[str, ...] = ("web", "worker", "dispatcher", "valkey", "bots")
    names: tuple[str, ...] = tuple(sorted(GAMES))
    seed: int = 1


class BotProcess:
    """A process with some of the bots."""

    def __init__(self, folder: Path, number: int, url: str, tokens: list[str]) -> None:
        self.journal = folder / f"bots-{number}.journal"
        self._log = folder / f"bots-{number}.log"
        file = folder / f"bots-{number}.tokens"
        file.touch(0o600)
        file.write_text("\n".join(tokens))
        module = "bench.faults.bots.playing"
        self._command = [sys.executable, "-m", module, url, str(file), str(self.journal)]
        self.start()

    def start(self) -> None:
        """Start the process."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=ROOT)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()


class BotsRun:
    """One run on a service of its own in a folder. `say` gets lines for people."""

    def __init__(
        self, folder: Path, plan: Plan, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self._folder, self._plan, self._say = folder, plan, say
        self._rng = random.Random(plan.seed)
        self._running: dict[str, int] = {}
        self._opened: list[str] = []
        self._bots: list[str] = []
        self.inflicted: Counter[str] = Counter()

    def play(self) -> BotsJudgement:
        """Play all games and return what was found."""
        service = ServiceProcess(
            self._folder / "data",
            "--durability=always",
            "--workers=1",
            log=self._folder / "serve.log",
            environment={"CARTULARY_QUOTA_SEATS": "0", "CARTULARY_QUOTA_INVITATIONS": "0"},
        )
        with ExitStack() as stack:
            stack.enter_context(service)
            url = f"http://127.0.0.1:{service.port}"
            client = stack.enter_context(HostClient(url, policy=PATIENT))
            self._bots, tokens = self._make_bots(url)
            share = -(-len(tokens) // self._plan.processes)
            processes = [
                BotProcess(self._folder, at, url, tokens[at : at + share])
                for at in range(0, len(tokens), share)
            ]
            for process in processes:
                stack.callback(process.kill)
            client.create_player("Host")
            self._await_bots(client)
            self._go_on(client, service, processes)
            return self._judge(client, processes)

    def _make_bots(self, url: str) -> tuple[list[str], list[str]]:
        """Return ids and tokens of new bots."""
        ids, tokens = [], []
        for number in range(self._plan.bots):
            if number % BOTS_OF_AN_OWNER == 0:
                owner = OwnerClient(url, policy=PATIENT)
                owner.create_player(f"Owner {number // BOTS_OF_AN_OWNER}")
            made = owner.make_bot(f"Bot {number}")
            ids.append(made["id"])
            tokens.append(made["token"])
        return ids, tokens

    def _await_bots(self, client: Client) -> None:
        """Wait until all bots are connected: others decline an invitation."""
        until(lambda: self._count_listening() == self._plan.bots, LISTEN_WITHIN_S, 0.1)

    def _count_listening(self) -> int:
        logs = self._folder.glob("bots-*.log")
        return sum(log.read_text().count(") listens\n") for log in logs)

    def _go_on(
        self, client: HostClient, service: ServiceProcess, processes: list[BotProcess]
    ) -> None:
        """Open games, inflict faults, until all games are over or nothing moves."""
        kinds: list[str] = []
        began = moved = time.monotonic()
        due = began + self._plan.pause
        while (room := self._count_room(time.monotonic() - began)) or self._running:
            for _ in range(room):
                self._open_game(client)
            if time.monotonic() >= due:
                kinds = kinds or self._rng.sample(self._plan.kinds, len(self._plan.kinds))
                self._inflict(kinds.pop(), service, processes)
                due = time.monotonic() + self._plan.pause
            if self._look(client):
                moved = time.monotonic()
            elif time.monotonic() - moved > STUCK_AFTER_S:
                return
            time.sleep(LOOK_EVERY_S)

    def _count_room(self, passed_s: float) -> int:
        """Return how many games may begin now."""
        plan = self._plan
        if plan.minutes and passed_s > 60 * plan.minutes:
            return 0
        return min(plan.games - len(self._opened), plan.at_once - len(self._running))

    def _open_game(self, client: HostClient) -> None:
        number = len(self._opened)
        name = self._plan.names[number % len(self._plan.names)]
        seats = [{"kind": "invite", "player": bot} for bot in self._rng.sample(self._bots, 2)]
        game = client.create_game(name, seats, key=f"bots-{number}")
        self._opened.append(game["id"])
        self._running[game["id"]] = 0

    def _inflict(self, kind: str, service: ServiceProcess, processes: list[BotProcess]) -> None:
        """Kill a process; `serve` starts its own again."""
        self.inflicted[kind] += 1
        self._say(f"kill {kind}: {len(self._opened) - len(self._running)} games are over")
        if kind == "bots":
            process = self._rng.choice(processes)
            process.kill()
            process.start()
            return
        pids = service.web_processes() if kind == "web" else service.pids(kind)
        for pid in pids[:1]:
            subprocess.run(["kill", "-9", str(pid)], check=False)

    def _look(self, client: HostClient) -> bool:
        """Note where the games are; return whether a game went on."""
        forward = False
        for game, version in [*self._running.items()]:
            found = client.read_game(game)
            if found["version"] != version:
                forward, self._running[game] = True, found["version"]
            if found["status"] == "open":
                self._invite_again(client, found)
            if found["status"] in ("over", "aborted"):
                del self._running[game]
        return forward

    def _invite_again(self, client: HostClient, game: Game) -> None:
        """Offer a seat to another bot: the service has declined it for a bot that was killed."""
        seated = {seat["player"]["id"] for seat in game["seats"] if seat["player"]}
        for seat in game["seats"]:
            if seat["state"] == "open":
                bot = self._rng.choice([one for one in self._bots if one not in seated])
                with suppress(Conflict):  # the game changed meanwhile: the next look sees it
                    client.invite(game["id"], seat["seat"], bot, game["version"])
                return

    def _judge(self, client: Client, processes: list[BotProcess]) -> BotsJudgement:
        meant, stored = read_journals(process.journal for process in processes)
        judgement = BotsJudgement(stuck=sorted(self._running))
        for game in self._opened:
            events: list[Any] = list(client.read_all_events(game))
            judge_game(judgement, game, events, meant, stored)
            if events[-1]["type"] != "game_scored" and game not in self._running:
                judgement.invalid.append(f"{game} ended with {events[-1]['type']}")
        return judgement


class HostClient(Client):
    """A player who opens tables."""

    def invite(self, game: str, seat: int, player: str, version: int) -> Any:
        """Offer a seat at a table of a version."""
        body = {"kind": "invite", "player": player}
        path, key = f"/games/{game}/seats/{seat}", f"bots-invite-{version}"
        request = make_request("PUT", path, body, key=key, version=version)
        return self._send(Call(request, lambda answer: answer))


class OwnerClient(Client):
    """A player who makes bots."""

    def make_bot(self, name: str) -> Any:
        """Return a new bot with its token."""
        request = make_request("POST", "/players/me/bots", {"name": name}, repeatable=False)
        return self._send(Call(request, lambda body: body))
