"""The parts of a table: seats, terms, course, life, play, ending, fair draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cartulary.engine.core import State
from cartulary.events.model.chain import view_text
from cartulary.events.model.status import Status
from cartulary.events.model.types import Json

BOT: Final = "bot"
"""The `kind` of a player who is a bot; the name of a person comes without a kind."""


SERVICE: Final = "service"
"""The opener and host of the games of a tournament: the id of no player."""


BOT_FAILED: Final = "bot_failed"
"""Why a stand-in answers for a player who is a bot: late, refused too often, or closed."""

DECLINE_REASONS: Final = ("game", "seats", "pace", "busy", "not_now")
"""Why the service declines an invitation for a bot."""


def is_person(player: Json | None) -> bool:
    """Return whether a player (as events name one) is a person, and no bot of another player."""
    return player is not None and player.get("kind") != BOT


class SeatOffer(NamedTuple):
    """An offer of a seat: only `player` (`{"id", "name"}`) may take the seat until `expires_at`.

    `by` is the id of the player who made the offer.
    """

    player: Json
    by: str
    expires_at: str


class Seat(NamedTuple):
    """Who sits on a seat: a player (`{"id", "name"}`), a bot (its name), or no player yet.

    A player who is a bot has `"kind": "bot"` and the id of its `owner` as well: such a player
    counts as a person for the clocks only (`person`).

    `entropy` is what the player has added to the draws (`events.model.fairness`), if anything.
    `stand_in` is the bot that answers for a player who is `away` (`timed_out`, `absent`,
    `requested` or `bot_failed`: the player may return) or has `forfeited` (`resigned`, `timed_out`,
    `removed` or `left`: out for good). `early`: the player left before every person had answered
    once, so the seat is vacant whatever the terms say. `returns` counts how often the player has
    come back.
    `ready`: at a live table, the player is ready for the start.
    """

    player: Json | None = None
    bot: str | None = None
    entropy: str | None = None
    offer: SeatOffer | None = None
    stand_in: str | None = None
    away: str | None = None
    forfeited: str | None = None
    early: bool = False
    returns: int = 0
    ready: bool = False

    @property
    def open(self) -> bool:
        """True while the seat is empty, also while the seat is offered."""
        return self.player is None and self.bot is None

    @property
    def contending(self) -> bool:
        """True when a player or a bot sits here and has not forfeited."""
        return self.forfeited is None and not self.open

    @property
    def answering_bot(self) -> str | None:
        """The bot that answers for this seat: its own, or the stand-in of its player."""
        return self.bot or self.stand_in

    @property
    def person(self) -> bool:
        """True when a person contends here; a person who is away does."""
        return self.forfeited is None and is_person(self.player)

    def is_held_by(self, player_id: str) -> bool:
        """Return whether this player contends on this seat; a player who is away does."""
        player = self.player
        return player is not None and player["id"] == player_id and self.forfeited is None


def find_only_person(seats: Sequence[Seat]) -> int | None:
    """Return the first seat of the only person who contends; None when there are several."""
    found, owner = None, ""
    for number, seat in enumerate(seats):
        if seat.player is None or not seat.person:
            continue
        if found is None:
            found, owner = number, seat.player["id"]
        elif seat.player["id"] != owner:
            return None
    return found


class GameSettings(NamedTuple):
    """What `game_created` has fixed; no later event changes it.

    `game` is the name of the game, `options` are complete, `visibility` is `public`, `unlisted` or
    `private`, `created_by` is a player id. An imported game has the `names` of its transcript, else
    None. `takebacks` is `none`, `undo` or `consent`; `on_timeout` says what follows from silence;
    `substitutes`: whether another player may take the seat of a player who has forfeited; `start`
    is `full` or `host`; `stand_in` is the name of the bot that stands in; `expires_in` (seconds)
    says how long the game may wait for its start, None: the default. `rematch_of` is a game id,
    `branched_from` is `{"game", "version"}`. `bot_seats` are the seats that bots had in an imported
    game whose transcript says how it ended; the player who imported the game has these seats. None
    for every other game. `pace` says how much time the players have (`events.model.time.pace`),
    None: the game is untimed. `hints`: whether the person of a practice game may ask for hints.
    `bot_delay` says how many ms a bot waits after the last event before it moves. `rated`: the game
    counts for the ratings of its players. `filled`: the bots fill seats that other players may take
    over. `tournament` says for which table of which round the service has made the game: `{"id",
    "round", "table"}`.
    """

    game: str
    options: dict[str, str | int]
    visibility: str
    created_by: str
    created_at: str
    names: Sequence[str] | None
    shuffle_seats: bool = False
    takebacks: str = "none"
    on_timeout: str = "claim"
    substitutes: bool = False
    start: str = "full"
    stand_in: str = "medium"
    expires_in: int | None = None
    rematch_of: str | None = None
    branched_from: Json | None = None
    bot_seats: Sequence[int] | None = None
    pace: Json | None = None
    hints: bool = False
    bot_delay: int = 0
    rated: bool = False
    filled: bool = False
    tournament: Json | None = None


class Fair(NamedTuple):
    """The fair draws of a game (`events.model.fairness`).

    `commitment` is that of the secret. `number` is the number of the next draw; below 0, so many
    outcomes that come from a transcript are still to come. `entropies` are those of the seats at
    the start, before any shuffling; empty before the start. In a game of a duplicate round
    `round` is `<tournament>/<number>`, and the one entropy of the whole tournament is there from
    the beginning.
    """

    commitment: str
    number: int
    entropies: tuple[str, ...] = ()
    round: str | None = None


class Lifecycle(NamedTuple):
    """Where the game is in its stream.

    `position` is the version of the last event that changed the position (0 before the start),
    `state_hash` that of the last event that has one ('' before the start), `head` the hash of the
    last event ('' when the fold was not given it). `run` are the last moves of a person as far as
    that person may take them back.
    """

    status: Status
    version: int
    position: int
    updated_at: str
    state_hash: str
    head: str = ""
    run: FreeTakeback | None = None


class Play(NamedTuple):
    """The play: the state of the board and what the game was started with.

    `view` caches the text of what everybody may see: it is empty until the text is needed.
    """

    state: State[Any]
    setup: Json
    rules_version: int
    view: list[bytes]

    def copy(self) -> Play:
        """Return a play with a state of its own."""
        return Play(self.state.copy(), self.setup, self.rules_version, [])

    def view_text(self) -> bytes:
        """Return what everybody may see as JSON text."""
        if not self.view:
            self.view.append(view_text(self.state))
        return self.view[0]


class GameEnding(NamedTuple):
    """How the game ended: with a `result` (contract JSON), or aborted for a `reason`.

    `ended_by` is `forfeits`, `agreement` or `window` from `play_ended` on, None when the play went
    on to its end. `slowest` is the seat that had used the most time when the window of a round
    ended.
    """

    result: Json | None = None
    reason: str | None = None
    ended_by: str | None = None
    slowest: int | None = None


class Proposal(NamedTuple):
    """The open proposal; `id` is the version of its event.

    `seat` asks, `needs` are the seats that have to agree, `answers` are pairs of seat and answer
    (`accept` or `decline`). `kind` is `takeback` (with `to_version` and the versions of its
    `moves`), `pause` (with `until`), `abort`, `end` or `forfeit` (`abort` and `forfeit` with the
    seat `target` in a claim).
    """

    id: int
    seat: int
    kind: str
    needs: tuple[int, ...]
    expires_at: str
    to_version: int | None = None
    moves: tuple[int, ...] = ()
    target: int | None = None
    until: str | None = None
    answers: tuple[tuple[int, str], ...] = ()


def proposal_json(proposal: Proposal | None) -> Json | None:
    """Return the open proposal as in the HTTP contract, None without any."""
    if proposal is None:
        return None
    answers = [{"seat": seat, "answer": answer} for seat, answer in proposal.answers]
    return {**proposal._asdict(), "answers": answers}


class Decline(NamedTuple):
    """How many times proposals of a kind by a seat were declined.

    `version` is that of the last decline; 0 once the seat has answered a decision itself again.
    """

    seat: int
    kind: str
    times: int
    version: int


MERGED: Final = "merged"
"""Why an owner was replaced: the guest has become an account, and is the same person."""


class Tenure(NamedTuple):
    """An earlier owner of a seat: a `player` who left for a `reason`, replaced at `version`."""

    seat: int
    player: Json
    reason: str
    version: int


class Replaced(NamedTuple):
    """A bot whose seat a player has taken over at `version`."""

    seat: int
    bot: str
    version: int


class FreeTakeback(NamedTuple):
    """The moves that a person may take back without asking (`docs/living.md`, "What is free").

    `free_to` is the position before the first of them, `seat` the seat that made that move.
    """

    seat: int
    free_to: int


class Clocks(NamedTuple):
    """The clocks of a timed game (`events.model.time.timing`); all times are in ms.

    `banks` are those of the seats; empty before the start. `since` is the moment at which the seat
    that is asked came to be asked for this decision, `turn_used` what this turn has used before the
    decision. `turned` are the seats that have finished a turn. `stops` are spans of time that do
    not count in this decision: pauses that are over, and the time from a flag to the gift that has
    raised it again. `paused` is the pause that is on, None without any. `flagged` is the position
    at which the flag of the seat that is asked fell; 0: it did not fall. `given` are pairs of the
    seat of a giver and the time that this seat has given so far.
    """

    banks: tuple[int, ...] = ()
    since: int = 0
    turn_used: int = 0
    turned: tuple[int, ...] = ()
    stops: tuple[tuple[int, int], ...] = ()
    paused: tuple[int, int] | None = None
    flagged: int = 0
    given: tuple[tuple[int, int], ...] = ()


class Progress(NamedTuple):
    """The course of a game besides its seats and its play: what a plain move leaves alone.

    `host` is the id of the player who may arrange the table. `removed` are the ids of players who
    may not come back. `started` is the version of `game_started`, 0 before. `left` are the seats
    of players who have left or are away, in the order of leaving. `taken_back` has a pair
    (`to_version`, version of `moves_taken_back`) for each takeback that counts: what came between
    the two stands no more. `remembered` are the kept outcomes, the next draw first. `answered` are
    the seats that have answered a decision. `stand_in_moves` counts the moves of stand-ins by seat;
    empty before the start. `claimed` is the position at which the seat that is asked was claimed, 0
    when it was not claimed: while the position stays, the seat stays overdue. `ladder` is the one
    for which the game counts (`events.model.ladders`), None for a game that counts for none.
    `replaced` are the bots whose seats players have taken over.
    """

    host: str
    removed: tuple[str, ...] = ()
    started: int = 0
    left: tuple[int, ...] = ()
    tenures: tuple[Tenure, ...] = ()
    proposal: Proposal | None = None
    declines: tuple[Decline, ...] = ()
    taken_back: tuple[tuple[int, int], ...] = ()
    remembered: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    stand_in_moves: tuple[int, ...] = ()
    claimed: int = 0
    ladder: str | None = None
    replaced: tuple[Replaced, ...] = ()

    def stands(self, version: int) -> bool:
        """Return whether what the event of this version did on the board still stands."""
        return not any(to < version < at for to, at in self.taken_back)

    def place(self, version: int) -> int:
        """Return the version at which the position of `version` came about first.

        A takeback gives the position of an earlier version again.
        """
        if not self.taken_back:
            return version
        back = {at: to for to, at in self.taken_back}
        while version in back:
            version = back[version]
        return version
