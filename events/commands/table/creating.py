"""Creation: how a new game gets its id, its place in the quotas, its secret, and its first append.

A command that opens a game in whatever way (a request, a transcript, a branch, a rematch) only
decides which events the game begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cartulary.events.commands.judging.ladders import choose_ladder
from cartulary.events.commands.judging.standing_answers import answer_by_standing
from cartulary.events.draws.draws import Draws, NewSecret
from cartulary.events.draws.vault import Vault
from cartulary.events.ledger.drafts import Draft
from cartulary.events.ledger.ledger import Idempotency, Ledger
from cartulary.events.ledger.writer import EventWriter, Written
from cartulary.events.lists.projections import Projections
from cartulary.events.model.errors import IdempotencyMismatch
from cartulary.events.model.offers import Offers
from cartulary.events.people.players import Player
from cartulary.events.people.quotas import QuotaPlace, Quotas
from cartulary.events.server import keys

Open = Callable[[Draft, NewSecret], None]
"""Decides what a new game begins with: adds its first events to the draft."""


class Creator:
    """Creates games. Thread-safe."""

    def __init__(
        self,
        offers: Offers,
        ledger: Ledger,
        writer: EventWriter,
        projections: Projections,
        quotas: Quotas,
        vault: Vault,
        draws: Draws,
    ) -> None:
        self._offers, self._ledger, self._writer = offers, ledger, writer
        self._projections, self._quotas = projections, quotas
        self._vault, self._draws = vault, draws

    def repeat(self, player: Player, idempotency: Idempotency | None) -> Written | None:
        """Return what a key led to when it was used before, else None.

        Raises `IdempotencyMismatch`.
        """
        if idempotency is None:
            return None
        game_id = self._ledger.reserved(creation_key(player, idempotency))
        record = game_id and self._ledger.record(game_id, idempotency.field)
        return self._writer.replay(game_id, record, idempotency) if game_id and record else None

    def once(self, game_id: str, use: Idempotency | None, do: Callable[[], Written]) -> Written:
        """Do what a request to a game asks for that opens another game, which `do` pins.

        The record of its key lies at the other game, so the key is noted at this game as well.
        Raises `IdempotencyMismatch` for a key that was used for another request to this game.
        """
        known = use and self._ledger.record(game_id, use.field)
        if use and known and known.digest != use.digest:
            raise IdempotencyMismatch
        done = do()
        if use and not known and not done.replayed:
            self._writer.attempt(lambda: self._ledger.note(game_id, use))
        return done

    def create(
        self,
        player: Player,
        idempotency: Idempotency | None,
        decide: Open,
        prepared: str | None = None,
        imported: bool = False,
        pointer: str | None = None,
        guests: Iterable[str] = (),
        seated: Iterable[str] = (),
        game_id: str | None = None,
        given: bytes | None = None,
        first: Callable[[], object] | None = None,
    ) -> Written:
        """Create a game with the events that `decide` adds.

        `prepared` is the id of a commitment made beforehand; `imported`: the game counts for the
        quota of imports. `pointer` is the key that reserves the id of the game: by default that of
        the idempotency key. `guests` are the ids of the players whom it invites, `seated` those of
        the players besides its opener whom it seats. `game_id` is the id that the game gets (None:
        another one), `given` the secret of its draws. `first` is done before the append,
        when no quota refuses the game any more. Raises `VersionConflict` when the game with the
        reserved id exists, and was not created by the same idempotency key;
        `IdempotencyMismatch`, `QuotaExceeded`, `RateLimited`, `DrawsUnavailable`, and what `decide`
        raises.
        """
        game_id = game_id or self._ledger.draw_id()
        draft = self._writer.draft(game_id)
        use = game_id if idempotency is None else idempotency.field
        secret = NewSecret(self._draws, self._vault, player.id, prepared, use, given)
        decide(draft, secret)
        if pointer is None and idempotency is not None:
            pointer = creation_key(player, idempotency)
        claims = self._quotas.claim()

        def append() -> Written:
            if first is not None:
                first()
            secret.store_with(draft)
            return self._writer.append(draft, 0, idempotency)

        def store() -> Written:
            for guest in guests:
                claims.invitation(player.id, guest, game_id)
            for other in seated:
                claims.seat(other, game_id)
            return self.show(self._reserve(draft, imported, pointer).during(append))

        return claims.during(store)

    def _reserve(self, draft: Draft, imported: bool, pointer: str | None) -> QuotaPlace:
        """Reserve the place of a new game in the quotas, and its id where a key names one.

        Only now, after the events are decided: a request that is refused leaves nothing behind.
        """
        place = self._quotas.reserve(draft.table, imported)
        if pointer is not None:
            draft.rename(self._ledger.reserve(pointer, draft.game_id))
            place = place.move_to(draft.table)
        return place

    def find_reserved(self, pointer: str) -> str | None:
        """Return the id of the game that a key reserves, None for an unused key."""
        return self._ledger.reserved(pointer)

    def start_if_full(self, draft: Draft) -> None:
        """Add the start of the game when no seat is open, unless the host is to start it."""
        table = draft.table
        if table.terms.start == "full" and not any(seat.open for seat in table.seats):
            self.start(draft)

    def start(self, draft: Draft) -> None:
        """Add the start of the game, and the standing answers that follow."""
        bots = self._offers[draft.table.game].bots
        draft.start(self._draws.source, choose_ladder(draft, bots))
        answer_by_standing(draft, self._draws.source)

    def show(self, written: Written) -> Written:
        """Update the lobby at once, because a player who opens a game looks for it there."""
        self._writer.attempt(lambda: self._projections.apply(written.table))
        return written


def creation_key(player: Player, idempotency: Idempotency) -> str:
    """Return the key that reserves the id of a game for the idempotency key of its creation."""
    return keys.creation(player.id, idempotency.field.rpartition(":")[2])
