"""A takeback by consent: moves are taken back when everybody who was asked has accepted, only then.

Players judge on the game as they have read it, and what they append counts only when nothing was
appended meanwhile. A player who has made a move that stands asks for it back; the others accept or
decline. The last accept takes back in the same append. A move of another player lets the proposal
lapse, the asker may withdraw it, and a timer closes it. Each seat has a player of its own here.

The stream is the truth, and so is the game here: the moves that stand with the open proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from simulation.specification.model import Action, Fairness, Model, Promise, Ways, put

ACCEPT, DECLINE = "accept", "decline"
LAPSED, WITHDRAWN, EXPIRED, DECLINED, ACCEPTED = (
    *("lapsed", "withdrawn", "expired", "declined", "accepted"),
)


class OpenProposal(NamedTuple):
    """An open proposal: who asks, how many moves are to stand, who has to accept and who has.

    `about` is the number of moves that stood when it was made.
    """

    seat: int
    to: int
    about: int
    needs: frozenset[int]
    accepted: frozenset[int] = frozenset()


class GameSoFar(NamedTuple):
    """A game as its events tell it: the seats that made the moves that stand."""

    version: int
    moves: tuple[int, ...]
    proposal: OpenProposal | None = None


class Takebacks(NamedTuple):
    """The stored game, and what each seat (and last the timer) has read to judge on."""

    game: GameSoFar
    read: tuple[GameSoFar | None, ...]
    unasked: int = 0
    """Moves that were taken back although another player has not accepted that."""


Change = tuple[str, tuple[Any, ...], GameSoFar, int]
"""The name of an action, its words after the seat, the game after it, moves taken back unasked."""


class TakebackActions:
    """The actions. `without` leaves defences out."""

    def __init__(self, seats: int, versions: int, without: Collection[str] = ()) -> None:
        self._seats, self._versions, self._without = seats, versions, frozenset(without)

    def read(self, now: Takebacks) -> Ways[Takebacks]:
        """Let a seat, or the timer, read the game to judge a command on it."""
        for seat, known in enumerate(now.read):
            if known != now.game and now.game.version < self._versions:
                yield (seat, now.game.version), now._replace(read=put(now.read, seat, now.game))

    def do(self, name: str, judge: Callable[[GameSoFar, int], Iterator[Change]]) -> Any:
        """Return the action that appends what `judge` makes of the game as a seat has read it."""

        def ways(now: Takebacks) -> Ways[Takebacks]:
            for seat, known in enumerate(now.read):
                if known is None or (known != now.game and "fence" not in self._without):
                    continue  # the append is refused, and the command is judged again
                for kind, words, after, unasked in judge(known, seat):
                    if kind == name:
                        yield (seat, *words), self._append(now, seat, after, unasked)

        return ways

    def _append(self, now: Takebacks, seat: int, after: GameSoFar, unasked: int) -> Takebacks:
        return now._replace(
            game=after._replace(version=now.game.version + 1),
            read=self._list_useful(now, seat),
            unasked=now.unasked + unasked + _count_lost(now.game, now.read[seat]),
        )

    def _list_useful(self, now: Takebacks, seat: int) -> tuple[GameSoFar | None, ...]:
        """Return what has been read that an append may still follow: nothing, with the fence."""
        return put(now.read, seat, None) if "fence" in self._without else (None,) * len(now.read)

    # -- what a command makes of the game that it is judged on ------------------------------------

    def judge_move(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Move, when the rules of the game ask the seat; a move of another ends the proposal."""
        if seat == self._seats:
            return
        after = game._replace(moves=(*game.moves, seat))
        asks = game.proposal
        if asks is not None and asks.seat != seat and "lapse" not in self._without:
            yield "move", (LAPSED,), after._replace(proposal=None), 0
        else:
            yield "move", ("",), after, 0

    def judge_request(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Ask for the last move of the seat that stands, and for all after it.

        A proposal whose time is over is closed in the same append.
        """
        to = self._find_own(game, seat)
        if to is None:
            return
        asked = OpenProposal(seat, to, len(game.moves), frozenset(range(self._seats)) - {seat})
        closed = "" if game.proposal is None else EXPIRED
        yield "ask", (len(game.moves) - to, closed), game._replace(proposal=asked), 0

    def judge_own(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Take the last move of the game back alone: it is one of the seat.

        Where the move has drawn something the rules of takebacks let it ask instead.
        """
        to = self._find_own(game, seat)
        if to is None or to != len(game.moves) - 1:
            return
        lapses = game.proposal is not None and to < game.proposal.about
        proposal = None if lapses else game.proposal
        closed = LAPSED if lapses else ""
        yield "take back", (closed,), game._replace(moves=game.moves[:to], proposal=proposal), 0

    def _find_own(self, game: GameSoFar, seat: int) -> int | None:
        """Return the place of the last move of a seat among those that stand."""
        if seat not in game.moves:
            return None
        return len(game.moves) - 1 - game.moves[::-1].index(seat)

    def judge_answer(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Accept or decline: the seat is asked and has not answered."""
        asked = game.proposal
        if asked is None or seat not in asked.needs - asked.accepted:
            return
        yield "answer", (DECLINE, DECLINED), game._replace(proposal=None), 0
        accepted = asked._replace(accepted=asked.accepted | {seat})
        if accepted.accepted >= asked.needs or "consents" in self._without:
            missing = asked.needs - accepted.accepted
            later = sum(1 for one in game.moves[asked.about :] if one != asked.seat)
            after = game._replace(moves=game.moves[: asked.to], proposal=None)
            yield "answer", (ACCEPT, ACCEPTED), after, len(missing) + later
        else:
            yield "answer", (ACCEPT, ""), game._replace(proposal=accepted), 0

    def judge_withdrawal(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Take the own proposal back."""
        if game.proposal is not None and game.proposal.seat == seat:
            yield "withdraw", (WITHDRAWN,), game._replace(proposal=None), 0

    def judge_expiry(self, game: GameSoFar, seat: int) -> Iterator[Change]:
        """Let the timer close a proposal that no player has closed in time."""
        if seat == self._seats and game.proposal is not None:
            yield "expire", (EXPIRED,), game._replace(proposal=None), 0


def _count_lost(game: GameSoFar, known: GameSoFar | None) -> int:
    """Return how many moves were stored after what a command was judged on: it would undo them."""
    return 0 if known is None else max(0, len(game.moves) - len(known.moves))


def build(seats: int = 3, versions: int = 6, without: Collection[str] = ()) -> Model[Takebacks]:
    """Return the model for a game with some seats and at most so many events."""
    acts = TakebackActions(seats, versions, without)
    initial = Takebacks(GameSoFar(0, ()), (None,) * (seats + 1))
    game, weak = "events.commands.game", Fairness.WEAK
    proposals = f"{game}.proposals: Proposals"
    return Model(
        "takeback by consent",
        f"{seats} players and a timer, {versions} events",
        initial,
        (
            Action("read", acts.read, "events.ledger.projector: Projector.current", weak, True),
            Action(
                "move", acts.do("move", acts.judge_move), "events.commands.commands: Commands.move"
            ),
            Action("ask", acts.do("ask", acts.judge_request), f"{proposals}.propose"),
            Action("take back", acts.do("take back", acts.judge_own), f"{proposals}.propose"),
            Action("answer", acts.do("answer", acts.judge_answer), f"{proposals}.answer"),
            Action("withdraw", acts.do("withdraw", acts.judge_withdrawal), f"{proposals}.withdraw"),
            Action(
                "expire",
                acts.do("expire", acts.judge_expiry),
                f"{game}.expiry: Expiry.expire",
                weak,
            ),
        ),
        {
            "no move is taken back that another player has not agreed to": lambda now: (
                not now.unasked
            ),
            "an open proposal lacks an answer": lambda now: (
                now.game.proposal is None or now.game.proposal.accepted < now.game.proposal.needs
            ),
            "an open proposal is about moves that stand": lambda now: (
                now.game.proposal is None or now.game.proposal.about <= len(now.game.moves)
            ),
        },
        (
            Promise(
                "an open proposal is closed",
                lambda now: now.game.proposal is not None and now.game.version < versions,
                lambda now: now.game.proposal is None or now.game.version >= versions,
            ),
        ),
    )
