"""What webhooks go to: a target that takes messages, fails, hangs or is away; and how they go."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final, Literal, Self

import orjson

from bench.faults.notice_receiver import ReceivedNotice
from bench.faults.notice_telling import AwaitedTurn
from cartulary.events.notices.registry import make_endpoint_id
from cartulary.events.notices.rows import StoredSecret, StoredWebhook
from cartulary.events.people.players import Player
from cartulary.events.store import Store
from cartulary.notices.egress import DeliveryFailed, EgressPolicy, Reply, Target
from cartulary.notices.signatures import SigningKey
from simulation.world.world import SECOND, SimulatedWorld

URL: Final = "https://target.example/hook"

PATIENCE_S: Final = 240.0
"""For so long a person waits for the message about a turn: longer than two leases and a pause."""

LOOKS_S: Final = 1.0

Conduct = Literal["takes", "fails", "hangs", "away"]


class SimulatedTarget:
    """Takes the messages of a run; `conduct` may be changed at any time."""

    def __init__(self, world: SimulatedWorld) -> None:
        self.world = world
        self.conduct: Conduct = "takes"
        self.slowness_s = 0.0
        self.notices: list[ReceivedNotice] = []
        self.waits: list[AwaitedTurn] = []
        self._told: defaultdict[tuple[str, int], int] = defaultdict(int)
        """The version in the last message about a seat of a game."""

    def take(self, headers: Mapping[str, str], body: bytes) -> None:
        """Note a message that has arrived."""
        data: dict[str, Any] = orjson.loads(body)["data"]
        if "game" not in data:
            return
        name = {key.lower(): value for key, value in headers.items()}["webhook-id"]
        now, seat = self.world.now / SECOND, int(data["seat"])
        self.notices.append(ReceivedNotice(name, data["game"], data["version"], now, seat))
        place = data["game"], seat
        self._told[place] = max(self._told[place], data["version"])
        line = f"gets a message about version {data['version']} of {data['game']} (seat {seat})"
        self.world.trace.note(self.world.now, "target", line)

    def await_turn(self, game: str, seat: int, version: int, after: int) -> None:
        """Wait for the message about a turn that was seen at a version, and not `after` yet."""
        world, began = self.world, self.world.now / SECOND
        until = began + PATIENCE_S
        while not (told := self._told[game, seat] > after) and world.now / SECOND < until:
            world.sleep(LOOKS_S)
        self.waits.append(AwaitedTurn(game, version, began, world.now / SECOND, told))


_targets: list[SimulatedTarget] = []


def use(target: SimulatedTarget) -> None:
    """Let the notifier send to this target."""
    _targets[:] = [target]


class SimulatedSender:
    """Stands for `notices.egress.Sender`: the way over the network to the target of the world."""

    def __init__(self, _policy: EgressPolicy, _names: Any = None, seconds: float = 15.0) -> None:
        self._seconds = seconds

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def post(self, target: Target, headers: Mapping[str, str], content: bytes) -> Reply:
        """Send a message. Raises `DeliveryFailed`."""
        found = _targets[0]
        await asyncio.sleep(0.002 + found.slowness_s * found.world.choose(1000) / 1000)
        if found.conduct == "away":
            raise DeliveryFailed(f"{target.host} does not accept connections.")
        found.take(headers, content)
        if found.conduct == "hangs":
            await asyncio.sleep(self._seconds)
            raise DeliveryFailed(f"{target.host} did not answer in time.")
        await asyncio.sleep(0.002)
        return Reply(500 if found.conduct == "fails" else 204, {}, b"")


def subscribe(store: Store, player: Player) -> None:
    """Let a player get a message about each turn."""
    id_, key = make_endpoint_id(), SigningKey.make("v1")
    encrypted = store.vault.encrypt(id_, key.text.encode()).decode()
    secret = StoredSecret(encrypted, key.public_text)
    now = store.clock.now_ms()
    if not store.notices.list_webhooks(player.id):
        webhook = StoredWebhook(id_, URL, ("your_turn",), "standard", (secret,), now)
        store.notices.add_webhook(player.id, webhook)
