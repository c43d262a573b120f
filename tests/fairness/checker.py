"""Check the chain and the draws of a game: written from the contract alone, without the project.

    python tests/fairness/checker.py EVENTS…

EVENTS holds the events of one game as `GET …/events` gives them: NDJSON, or one or more pages. The
program prints one line for each problem, the first broken version first, and ends with 1 when there
is a problem. It uses nothing but the standard library, so any reader can copy it and change it.

The script in `docs/fairness.md` checks the same in forty lines. In addition this program checks
the seeds of the bots and of stand-ins, renewed secrets, that a takeback names all moves that stood,
and that the start draws what the game asks for.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

Event = dict[str, Any]

ADDED = ("hash", "upcast", "masked", "schema")
"""Keys of a delivered event that are not hashed."""
FIRST = "0" * 64
LARGEST = 2**53 - 1
SCHEME = "cartulary-fair/1"
TILES = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWX",
        (2, 4, 1, 3, 5, 2, 1, 3, 2, 3, 3, 3, 2, 3, 2, 3, 1, 3, 2, 1, 8, 9, 4, 1),
        strict=True,
    )
)
"""The bag of Carcassonne: the set without the start tile."""
NEUTRALS = [
    *("neutral_carpenter", "neutral_farm", "neutral_forest"),
    *("neutral_sawmill", "neutral_quarry", "neutral_marketplace"),
]
MOVES_POSITION = ("game_started", "move_made", "moves_taken_back")
"""Types of events that change the position."""
EMPTIES = ("seat_left", "seat_opened", "seat_assigned")
"""Types of events after which the seat has the entropy of the event, or an empty string."""


class Problem(NamedTuple):
    """What does not hold: the version of the event, a word (`chain` or `draw`), and a text."""

    version: int
    word: str
    text: str


def read_events(text: str) -> list[Event]:
    """Return the events of pages, of NDJSON, or of several of them one after the other.

    Raises:
        ValueError: the text is not JSON, or an object has a key twice.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_object)
    found: list[Event] = []
    rest = text.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        found += value.get("events", [value])
        rest = rest[end:].lstrip()
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("an object has a key twice")
    return made


def hash_event(event: Event) -> str:
    """Return the hash of an event that is delivered as it was appended."""
    hashed = {key: value for key, value in event.items() if key not in ADDED}
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _numbers(value: Any) -> Iterator[int | float]:
    """Yield every number in a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def check_chain(events: list[Event]) -> list[Problem]:
    """Return what does not hold in the chain, in the order of the versions."""
    return [
        Problem(version, "chain", text)
        for version, (before, event) in enumerate(zip([None, *events], events, strict=False), 1)
        for text in _check_link(version, before, event)
    ]


def _check_link(version: int, before: Event | None, event: Event) -> Iterator[str]:
    if event.get("version") != version:
        yield f"this event says version {event.get('version')}"
    follows = FIRST if before is None else before.get("hash")
    if "prev" in event and event["prev"] != follows:
        yield "prev is not the hash of the event before"
    if "prev" not in event and before is not None and "prev" in before:
        yield "prev is missing"
    replaced = event.get("upcast") is True or event.get("masked") is True
    if not replaced and event.get("hash") != hash_event(event):
        yield "hash is not the hash of this event"
    if any(isinstance(number, float) or abs(number) > LARGEST for number in _numbers(event)):
        yield "a number is not an integer of at most 2^53 - 1"


class Wrong(Exception):
    """What does not hold in the draws of one event."""


@dataclass
class Draws:
    """Follows a game and checks every draw; the attributes are what the contract numbers."""

    secret: bytes
    given: int
    number: int = 0
    seed: bytes = b""
    proved: bool = True
    entropies: list[str] = field(default_factory=list)
    bots: list[str | None] = field(default_factory=list)
    bag: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    standing: list[int] = field(default_factory=list)
    position: int = 0

    def __post_init__(self) -> None:
        self.all_fresh = self.given == 0
        """False for a game made of a file or of another game: a person may have moved there."""

    def draw(self, n: int) -> int:
        """Return the index of the next draw among n outcomes."""
        attempt = 0
        while True:
            message = f"{self.number}:{attempt}".encode()
            u = int.from_bytes(hmac.digest(self.seed, message, "sha256")[:8], "big")
            if u < 2**64 - 2**64 % n:
                self.number += 1
                return u % n
            attempt += 1

    def take(self, items: list[Any], outcomes: Iterable[Any]) -> None:
        """Take each outcome out of the items: a given outcome, a kept one, or the next draw."""
        for outcome in outcomes:
            if outcome not in items:
                raise Wrong(f"{outcome!r} cannot be drawn")
            while self.kept and self.kept[0] not in items:
                self.kept.pop(0)
            expected = self._expect(items, outcome)
            if outcome != expected:
                raise Wrong(f"{outcome!r} stands where {expected!r} is due")
            items.remove(outcome)

    def _expect(self, items: list[Any], outcome: Any) -> Any:
        if self.given:
            self.given -= 1
            return outcome
        if self.kept:
            return self.kept.pop(0)
        return items[self.draw(len(items))] if self.proved else outcome

    def shuffle(self, items: list[Any], outcomes: list[Any]) -> None:
        """Check a shuffle of all the items."""
        if len(outcomes) != len(items):
            raise Wrong(f"a shuffle of {len(items)} has {len(outcomes)} outcomes")
        self.take(list(items), outcomes)

    def follow(self, events: list[Event], version: int) -> None:
        """Check what the event of this version draws, and follow the table.

        Raises:
            Wrong: a draw or the seed of a bot is another.
        """
        event = events[version - 1]
        if not self.position:
            self._sit(event)
        if event["type"] == "game_started":
            self._start(events[0], event)
        if event["type"] == "move_made":
            self._check_bot(event)
            self.take(self.bag, event["chance"])
            self.standing.append(version)
        if event["type"] == "moves_taken_back":
            self._take_back(events, event)
        if event["type"] in MOVES_POSITION:
            self.position = version

    def _sit(self, event: Event) -> None:
        """Follow who sits where before the start."""
        if event["type"] == "game_created":
            self.entropies = [seat.get("entropy") or "" for seat in event["seats"]]
            self.bots = [seat.get("bot") for seat in event["seats"]]
        elif event["type"] in ("seat_taken", *EMPTIES):
            self.entropies[event["seat"]] = event.get("entropy") or ""
            self.bots[event["seat"]] = event.get("bot")
        elif event["type"] == "seats_dropped":
            stay = [seat for seat in range(len(self.bots)) if seat not in event["seats"]]
            self.entropies = [self.entropies[seat] for seat in stay]
            self.bots = [self.bots[seat] for seat in stay]

    def _start(self, created: Event, started: Event) -> None:
        fair = created.get("fair") or {}
        mixed = [fair["entropy"]] if "entropy" in fair else self.entropies
        message = SCHEME + "\n" + "\n".join(mixed)
        self.seed = hmac.digest(self.secret, message.encode(), "sha256")
        seats, setup = list(range(len(self.entropies))), started["setup"]
        if created.get("shuffle_seats"):
            self.shuffle(seats, started.get("seating", []))
            self.bots = [self.bots[seat] for seat in started["seating"]]
        elif "seating" in started:
            raise Wrong("the seats are shuffled, and the table did not ask for it")
        if created["game"] == "caylus":
            self.shuffle(seats, setup["turn_order"])
            self.shuffle(NEUTRALS, setup["neutrals"])
        if created["game"] == "carcassonne":
            bag = setup.get("bag", TILES)
            self.bag = [letter for letter in sorted(bag) for _ in range(bag[letter])]
        self.take(self.bag, started["chance"])

    def _check_bot(self, event: Event) -> None:
        bot = event.get("bot", {})
        said = bot.get("seed")
        message = f"bot:{self.position}:{event['seat']}".encode()
        due = hmac.digest(self.seed, message, "sha256")[:8].hex()
        if self.proved and said not in (None, due):
            raise Wrong(f"the seed of the bot is {said}, due is {due}")
        answers = self.bots[event["seat"]] is not None or event.get("by") == "stand_in"
        if answers and self.all_fresh and said is None and not bot.get("planned"):
            raise Wrong("the seed of the bot is missing")

    def _take_back(self, events: list[Event], taken: Event) -> None:
        """Return the outcomes of moves to the bag, and keep them for the draws to come."""
        back = [move for move in self.standing if move > taken["to_version"]]
        if taken["moves"] != back:
            raise Wrong(f"the moves {taken['moves']} are taken back, and {back} stood")
        self.standing = [move for move in self.standing if move not in back]
        outcomes = [outcome for move in back for outcome in events[move - 1]["chance"]]
        self.kept = outcomes + self.kept
        self.bag = sorted(self.bag + outcomes)


@dataclass
class Report:
    """What a check found. `state` is `null`, `hidden`, `proved` or `failed`."""

    head: str
    state: str
    draws: int
    problems: list[Problem]
    renewed_at: list[int]


def check_events(events: list[Event], of_round: str | None = None) -> Report:
    """Check the chain, and the draws when the chain holds and the secret is known.

    `of_round` is the secret (hex) that a tournament shows when a duplicate round is closed: the
    games of the round never show it.
    """
    problems = check_chain(events)
    head = str(events[-1].get("hash")) if events else FIRST
    if problems:
        return Report(head, "failed", 0, problems, [])
    fair = events[0].get("fair")
    renewals = [event for event in events if event["type"] == "draws_renewed"]
    renewed_at = [event["version"] for event in renewals]
    last = events[-1]
    if fair is not None and "round" in fair:
        if last.get("secret") is not None:
            shown = [Problem(last["version"], "draw", "a game of a round shows its secret")]
            return Report(head, "failed", 0, shown, renewed_at)
        if of_round is None:
            return Report(head, "hidden", 0, [], renewed_at)
        last = {**last, "secret": of_round}
    if fair is None or last["type"] not in ("game_scored", "game_aborted"):
        return Report(head, "null" if fair is None else "hidden", 0, [], renewed_at)
    if last.get("secret") is None:
        lost = [Problem(last["version"], "draw", "the secret is lost")]
        return Report(head, "failed", 0, lost, renewed_at)
    commitment = [fair, *renewals][-1]["commitment"]
    try:
        draws = Draws(bytes.fromhex(last["secret"]), fair["given"])
    except ValueError:
        unreadable = [Problem(last["version"], "draw", "the secret is not hex")]
        return Report(head, "failed", 0, unreadable, renewed_at)
    problems = list(_check_promise(fair, commitment, draws.secret, last["version"]))
    problems += _check_draws(events, draws, max(renewed_at, default=0))
    return Report(head, "failed" if problems else "proved", draws.number, problems, renewed_at)


def _check_promise(fair: Event, commitment: str, secret: bytes, version: int) -> Iterator[Problem]:
    if fair["scheme"] != SCHEME:
        yield Problem(1, "draw", f"the scheme {fair['scheme']!r} is unknown")
    if len(secret) != 32 or hashlib.sha256(secret).hexdigest() != commitment:
        yield Problem(version, "draw", "the secret is not the secret of the commitment")


def _check_draws(events: list[Event], draws: Draws, renewed: int) -> Iterator[Problem]:
    """Yield the first draw that differs; what was drawn before the last renewal stays unproved."""
    for version in range(1, len(events) + 1):
        draws.proved = version >= renewed
        if version == renewed:
            draws.number = 0
        try:
            draws.follow(events, version)
        except Wrong as error:
            yield Problem(version, "draw", str(error))
            return


def main(files: list[str]) -> int:
    """Check each file, print what does not hold, and return the exit code."""
    code = 0
    for file in files:
        report = check_events(read_events(Path(file).read_text(encoding="utf-8")))
        for problem in report.problems:
            print(f"{file}: version {problem.version}: {problem.word}: {problem.text}")
        print(f"{file}: draws {report.state}, {report.draws} checked, head {report.head}")
        code = 1 if report.problems else code
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
