"""The proof of the draws: once the secret is in the stream, every draw is computed again. Pure.

The secret of a finished game stands in its last event and belongs to the last commitment. The
secrets before a renewal are lost, so it is impossible to compute the draws before the last renewal.
The games of a duplicate round share a secret, which their tournament shows when the round is
closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cartulary.engine.canonical import canonical_json
from cartulary.engine.chance import Chance, RecordedSource, Source
from cartulary.engine.kept import Kept
from cartulary.events.ledger.closed_rounds import RoundClosing
from cartulary.events.model.failures import BrokenHistory
from cartulary.events.model.fairness import (
    SCHEME,
    DerivedSource,
    commit,
    count_setup,
    derive_bot_seed,
    derive_seed,
)
from cartulary.events.model.kept import KeptRecord
from cartulary.events.model.table import Table
from cartulary.events.model.types import (
    DRAWS_RENEWED,
    GAME_ABORTED,
    GAME_CREATED,
    GAME_SCORED,
    GAME_STARTED,
    MOVE_MADE,
    Json,
)

FindClosing = Callable[[str], RoundClosing | None]
"""Returns how a duplicate round (`<tournament>/<number>`) was closed, None while it is open."""


def find_no_closing(_round: str) -> None:
    """Know of no round that is closed: its draws stay hidden."""


class Proof:
    """The proof of one stream: takes its events in order, and names the first draw that differs.

    `first` and `last` are the first and the last event of the stream; `renewed_at` are the versions
    of its renewals. `find_closing` is asked for the round of a duplicate.
    """

    def __init__(
        self,
        first: Json,
        last: Json,
        renewed_at: Sequence[int],
        find_closing: FindClosing = find_no_closing,
    ) -> None:
        self._renewed_at = list(renewed_at)
        self._begins = max(renewed_at, default=1)
        round_ = _read_round(first)
        closing = None if round_ is None else find_closing(round_)
        ended = last.get("type") in (GAME_SCORED, GAME_ABORTED)
        self._has_ended = ended if round_ is None else ended and closing is not None
        revealed = last.get("secret") if round_ is None else closing and closing.secret
        self._secret = _read_secret(revealed) if self._has_ended else None
        self._is_lost = closing is not None and closing.secret is None
        self._fair: Json | None = None
        self._draws = 0
        self._failed = False
        self._witness: Witness | None = None
        self.version = 0
        """The version of the last event that was noted."""

    def source(self, before: Table, event: Json) -> Source:
        """Return what answers the draws of a start or a move that is made again, as recorded."""
        if before.fair is None:
            return RecordedSource(event["chance"])
        number = before.fair.number
        if event["type"] == GAME_STARTED:
            number += _count_start(before, event)
        remembered = before.course.remembered
        self._witness = Witness(event["chance"], number, self._seed(before, event), remembered)
        return self._witness

    def note(self, before: Table | None, after: Table, event: Json) -> Iterator[str]:
        """Take an event whose draws were made again; yields what differs, once in a stream."""
        witness, self._witness = self._witness, None
        self.version = after.version
        if after.fair is None:
            return
        if event["type"] == GAME_CREATED:
            self._fair = dict(event["fair"])
        # The draws of this secret: those before a renewal cannot be proved.
        self._draws = max(after.fair.number, 0)
        fault = None if self._failed else next(self._faults(before, event, witness), None)
        if fault is not None:
            self._failed = True
            yield fault

    def to_json(self, complete: bool) -> Json | None:
        """Return `fair` of a verification; None for a game without fair draws.

        `complete` says that all events of the stream were noted.
        """
        if self._fair is None:
            return None
        state = "hidden"
        if self._has_ended and self._is_lost and not self._failed:
            state = "lost"
        elif self._has_ended:
            proved = complete and self._secret is not None and not self._failed
            state = "proved" if proved else "failed"
        return {
            **self._fair,
            "draws": self._draws,
            "state": state,
            "renewed_at": self._renewed_at,
        }

    def _seed(self, before: Table, event: Json) -> bytes | None:
        """Return the seed of the draws of an event, None for draws that cannot be computed."""
        if self._secret is None or event["version"] <= self._begins:
            return None
        if not all(isinstance(entropy, str) for entropy in before.entropies):
            raise BrokenHistory(before.id, event["version"], "draw", "an entropy is no text")
        return derive_seed(self._secret, before.entropies)

    def _faults(self, before: Table | None, event: Json, witness: Witness | None) -> Iterator[str]:
        if event["type"] in (GAME_CREATED, DRAWS_RENEWED):
            yield from self._faults_of_commitment(event)
        elif event["type"] in (GAME_SCORED, GAME_ABORTED) and "secret" not in event:
            yield "the secret is missing in the last event"
        elif before is not None and event["type"] == GAME_STARTED:
            yield from _faults_of_start(before, event, self._seed(before, event))
        elif before is not None and event["type"] == MOVE_MADE:
            yield from _faults_of_bot(before, event, self._seed(before, event))
        if witness is not None and witness.fault is not None:
            yield witness.fault

    def _faults_of_commitment(self, event: Json) -> Iterator[str]:
        assert self._fair is not None
        if event["type"] == DRAWS_RENEWED:
            self._fair["commitment"] = event["commitment"]
        scheme = self._fair.get("scheme")
        if scheme != SCHEME:
            yield f"the scheme is {scheme!r}, this release knows {SCHEME!r}"
        if self._secret is None or event["version"] != self._begins:
            return
        if commit(self._secret) != self._fair["commitment"]:
            yield f"the secret has the commitment {commit(self._secret)}"


class Witness:
    """Answers draws as they are recorded, and compares them with the seed.

    `number` is that of the first draw; below 0, so many outcomes were given. Without a seed nothing
    is compared. A draw that takes an outcome of `kept` has no number: a takeback has kept the
    outcome of a draw before.
    """

    def __init__(
        self,
        outcomes: Sequence[str],
        number: int,
        seed: bytes | None,
        kept: Sequence[str] = (),
    ) -> None:
        self._kept = Kept(kept)
        self._recorded = KeptRecord(outcomes, self._kept)
        self._number = number
        self._derived = None if seed is None else DerivedSource(seed, max(number, 0))
        self.fault: str | None = None
        """What the first outcome that differs should have been."""

    def draw(self, question: Chance) -> str:
        """Return the next recorded outcome.

        Raises `ChanceError` when it is impossible, `Misfit` when another outcome was kept.
        """
        taken = self._kept.taken
        outcome = self._recorded.draw(question)
        if self._kept.taken > taken:
            return outcome
        number, self._number = self._number, self._number + 1
        if number >= 0 and self._derived is not None:
            expected = self._derived.draw(question)
            if expected != outcome and self.fault is None:
                self.fault = f"draw {number} is {outcome}, and {expected} follows from the seed"
        return outcome


def _read_secret(revealed: object) -> bytes | None:
    """Return the secret that was revealed as hex digits, None for a lost or unreadable secret."""
    try:
        return bytes.fromhex(revealed) if isinstance(revealed, str) else None
    except ValueError:
        return None


def _read_round(first: Json) -> str | None:
    """Return the duplicate round that the first event of a game names, None for other games."""
    fair = first.get("fair")
    round_ = fair.get("round") if isinstance(fair, dict) else None
    return round_ if isinstance(round_, str) else None


def _count_start(before: Table, event: Json) -> int:
    """Return how many outcomes of a start come before its first tile."""
    seating: Sequence[int] = event.get("seating", ())
    return len(seating) + count_setup(before.rules, len(before.seats), before.options)


def _faults_of_start(before: Table, event: Json, seed: bytes | None) -> Iterator[str]:
    """Yield what differs of the seating and the setup; a setup that was given is not compared."""
    assert before.fair is not None
    if before.terms.shuffle_seats != ("seating" in event):
        yield "the seats are shuffled when `game_created` says so, and only then"
    if seed is None or before.fair.number < 0:
        return
    source, seats = DerivedSource(seed), len(before.seats)
    if "seating" in event:
        seating = source.sample(range(seats), seats)
        if seating != event["seating"]:
            yield f"the seating is {event['seating']}, and {seating} follows from the seed"
    drawn = before.rules.draw_setup(seats, before.options, source)
    if canonical_json(drawn) == canonical_json(event["setup"]):
        return
    if source.number or not _may_be_imported(before):
        setup = canonical_json(drawn)
        yield f"the setup is not the one that follows from the seed: {setup}"


def _may_be_imported(table: Table) -> bool:
    """Return whether one player holds all seats: an imported puzzle has a setup of its own."""
    holders = [seat.player and seat.player["id"] for seat in table.seats]
    return None not in holders and len(set(holders)) == 1


def _faults_of_bot(before: Table, event: Json, seed: bytes | None) -> Iterator[str]:
    stated = event.get("bot", {}).get("seed")
    if stated is None or seed is None:
        return
    expected = derive_bot_seed(seed, before.position, event["seat"])
    if stated != expected:
        yield f"the seed of the bot is {stated}, and {expected} follows from the seed of the game"
