"""Games made by the contract alone, for the checkers: no rules, but every kind of draw."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from tests.fairness.checker import NEUTRALS, TILES, Event

SECRET = bytes(range(32))
RENEWED = bytes(range(32, 64))
ENTROPIES = ["AAAAAAAAAAAAAAAA", "", "zzzzzzzzzzzzzzzz"]
"""Of two people with a bot between them."""


class Lot:
    """Draws as the contract describes it."""

    def __init__(self, secret: bytes, entropies: list[str], given: int = 0) -> None:
        message = "cartulary-fair/1\n" + "\n".join(entropies)
        self.seed = hmac.new(secret, message.encode(), hashlib.sha256).digest()
        self.number = 0
        self.given = given

    def index(self, n: int) -> int:
        """Return the next draw, or the first item while outcomes are given."""
        if self.given:
            self.given -= 1
            return 0
        for attempt in range(100):
            message = f"{self.number}:{attempt}".encode()
            u = int(hmac.new(self.seed, message, hashlib.sha256).hexdigest()[:16], 16)
            if u < (1 << 64) - (1 << 64) % n:
                self.number += 1
                return u % n
        raise AssertionError("no attempt succeeds")

    def shuffle(self, items: list[Any]) -> list[Any]:
        rest = list(items)
        return [rest.pop(self.index(len(rest))) for _ in items]

    def bot(self, position: int, seat: int) -> str:
        message = f"bot:{position}:{seat}".encode()
        return hmac.new(self.seed, message, hashlib.sha256).hexdigest()[:16]


def deliver(events: list[Event]) -> list[Event]:
    """Return events with `version`, `prev` and `hash`; what they say already stays."""
    chained: list[Event] = []
    prev = "0" * 64
    for version, event in enumerate(events, 1):
        whole = {"version": version, "at": "2026-11-20T10:00:00.000Z", **event, "prev": prev}
        hashed = {key: whole[key] for key in whole if key not in ("upcast", "masked")}
        text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        prev = hashlib.sha256(text.encode()).hexdigest()
        chained.append({**whole, "hash": prev})
    return chained


def create(game: str, *, given: int = 0, shuffle: bool = False) -> list[Event]:
    """Return the events until everybody sits: one leaves again, so another entropy counts."""
    commitment = hashlib.sha256(SECRET).hexdigest()
    seats: list[Event] = [
        {
            "seat": 0,
            "player": {"id": "1", "name": "Ada ☃ 🎲"},
            "bot": None,
            "entropy": ENTROPIES[0],
        },
        {"seat": 1, "player": None, "bot": "easy"},
        {"seat": 2, "player": None, "bot": None},
    ]
    fair = {"scheme": "cartulary-fair/1", "commitment": commitment, "given": given}
    bob = {"type": "seat_taken", "seat": 2, "player": {"id": "2", "name": "Bob"}}
    return [
        {
            "type": "game_created",
            "game": game,
            "seats": seats,
            "shuffle_seats": shuffle,
            "fair": fair,
        },
        {**bob, "entropy": "b" * 64},
        {"type": "seat_left", "seat": 2, "player": bob["player"]},
        {**bob, "entropy": ENTROPIES[2]},
    ]


def end(secret: bytes | None = SECRET) -> Event:
    result = {"scores": [1, 2, 3], "winners": [2], "breakdown": []}
    return {"type": "game_scored", "result": result, "secret": secret and secret.hex()}


def carcassonne(*, given: int = 0, shuffle: bool = False) -> list[Event]:
    """Return a game of Carcassonne that draws the whole bag, one tile a move."""
    lot, events = Lot(SECRET, ENTROPIES, given), create("carcassonne", given=given, shuffle=shuffle)
    seating = {"seating": lot.shuffle([0, 1, 2])} if shuffle else {}
    tiles = lot.shuffle([letter for letter in TILES for _ in range(TILES[letter])])
    events.append({"type": "game_started", "setup": {}, "chance": tiles[:2], **seating})
    bot = seating["seating"].index(1) if shuffle else 1
    for number, tile in enumerate(tiles[2:]):
        event: Event = {"type": "move_made", "seat": number % 3, "chance": [tile]}
        if number % 3 == bot and not given:
            event["bot"] = {"level": "easy", "version": 1, "seed": lot.bot(len(events), bot)}
        events.append(event)
    return deliver([*events, end()])


def caylus(*, shuffle: bool = False) -> list[Event]:
    """Return a game of Caylus: everything is drawn at the start."""
    lot, events = Lot(SECRET, ENTROPIES), create("caylus", shuffle=shuffle)
    seating = {"seating": lot.shuffle([0, 1, 2])} if shuffle else {}
    setup = {"turn_order": lot.shuffle([0, 1, 2]), "neutrals": lot.shuffle(NEUTRALS)}
    events.append({"type": "game_started", "setup": setup, "chance": [], **seating})
    ada = seating["seating"].index(0) if shuffle else 0
    events.append({"type": "move_made", "seat": ada, "chance": []})
    return deliver([*events, end()])


def taken_back() -> list[Event]:
    """Return a game with a dropped seat, takebacks into kept outcomes, and a stand-in."""
    events = create("carcassonne")
    events[0]["seats"].insert(1, {"seat": 1, "player": None, "bot": None})
    events[0]["seats"][2]["seat"], events[0]["seats"][3]["seat"] = 2, 3
    events[1]["seat"] = events[2]["seat"] = events[3]["seat"] = 3
    events.append({"type": "seat_offered", "seat": 1, "player": {"id": "3", "name": "Cat"}})
    events.append({"type": "seat_declined", "seat": 1, "player": {"id": "3", "name": "Cat"}})
    events.append({"type": "seats_dropped", "seats": [1]})
    lot, bag = Lot(SECRET, ENTROPIES), [letter for letter in TILES for _ in range(TILES[letter])]
    drawn = [bag.pop(lot.index(len(bag))) for _ in range(8)]
    events.append({"type": "game_started", "setup": {}, "chance": drawn[:1]})
    first = len(events)
    events.append({"type": "move_made", "seat": 0, "chance": drawn[1:3]})
    events.append({"type": "move_made", "seat": 2, "chance": drawn[3:4]})
    moves = [first + 1, first + 2]
    events.append({"type": "proposal_made", "seat": 0, "kind": "takeback", "moves": moves})
    back = {"type": "moves_taken_back", "seat": 0, "to_version": first, "moves": moves}
    events.append({**back, "proposal": len(events)})
    events.append({"type": "move_made", "seat": 0, "chance": []})
    events.append({"type": "move_made", "seat": 0, "chance": drawn[1:3]})
    # Back behind the last move only: its outcomes come before the one that is kept still.
    last = len(events)
    back = {"type": "moves_taken_back", "seat": 0, "to_version": last - 1, "moves": [last]}
    events.append({**back, "proposal": None})
    events.append({"type": "stand_in_seated", "seat": 0, "bot": "easy", "reason": "requested"})
    bot = {"level": "easy", "version": 1, "seed": lot.bot(len(events) - 1, 0)}
    move = {"type": "move_made", "seat": 0, "bot": bot, "by": "stand_in"}
    events.append({**move, "chance": drawn[1:5]})
    events.append({"type": "seat_returned", "seat": 0, "player": {"id": "1", "name": "Ada"}})
    events.append({"type": "move_made", "seat": 2, "chance": drawn[5:8]})
    return deliver([*events, end()])


def everything() -> list[Event]:
    """Return a game with a dropped seat, a renewed secret, and takebacks that keep outcomes."""
    events = create("carcassonne")
    events[0]["seats"].insert(1, {"seat": 1, "player": None, "bot": None})
    events[0]["seats"][2]["seat"], events[0]["seats"][3]["seat"] = 2, 3
    events[1]["seat"] = events[2]["seat"] = events[3]["seat"] = 3
    events.append({"type": "seat_readied", "seat": 0, "ready": True})
    events.append({"type": "seats_dropped", "seats": [1]})
    lot, bag = Lot(SECRET, ENTROPIES), [letter for letter in TILES for _ in range(TILES[letter])]
    events.append({"type": "game_started", "setup": {}, "chance": [bag.pop(lot.index(71))]})
    events.append({"type": "move_made", "seat": 0, "chance": [bag.pop(lot.index(70))]})
    commitment = hashlib.sha256(RENEWED).hexdigest()
    events.append({"type": "draws_renewed", "commitment": commitment})
    lot = Lot(RENEWED, ENTROPIES)
    seed = lot.bot(8, 1)
    first, second = bag.pop(lot.index(69)), bag.pop(lot.index(68))
    bot = {"level": "easy", "version": 1, "seed": seed}
    events.append({"type": "move_made", "seat": 1, "chance": [first, second], "bot": bot})
    events.append({"type": "move_made", "seat": 2, "chance": [bag.pop(lot.index(67))]})
    third = events[-1]["chance"][0]
    events.append({"type": "moves_taken_back", "seat": 2, "to_version": 9, "moves": [10, 11]})
    bot = {"level": "easy", "version": 1, "seed": lot.bot(12, 1)}
    events.append({"type": "move_made", "seat": 1, "chance": [first], "bot": bot})
    events.append({"type": "move_made", "seat": 0, "chance": [second, third]})
    events.append({"type": "move_made", "seat": 2, "chance": [bag.pop(lot.index(66))]})
    return deliver([*events, end(RENEWED)])
