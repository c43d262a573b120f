"""What might have followed a moment: the move that was made and the better one, played on by bots.

Both futures get the draws of the game in their order, so that luck tells them apart as little as
possible.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from cartulary.bots.base import BotEntry
from cartulary.engine.chance import RecordedSource
from cartulary.engine.core import Game, Json, State
from cartulary.engine.errors import ChanceError, IllegalMove
from cartulary.engine.transcript import Playback, RecordedMove, Transcript

LENGTH: Final = 24
"""The number of moves of a future, the move in question included."""

BOT: Final = "medium"
"""Who plays on; in a game without it, `random`."""


class PlayedOn(Protocol):
    """The part of `games.offer.Offer` that a future needs."""

    @property
    def rules(self) -> Game:
        """The rules of the game."""

    @property
    def bots(self) -> Mapping[str, BotEntry]:
        """The bots of the game."""


class MomentPosition:
    """The position before a recorded move, with the draws that were still to come.

    Attributes: `state`, not to be changed; `played`, the moves that the game went on with.
    """

    def __init__(self, transcript: Transcript, offer: PlayedOn, index: int) -> None:
        """Play a transcript back up to the move with this index; raises `InvalidTranscript`."""
        playback = Playback(transcript, {transcript.game: offer.rules})
        used = len(playback.start.chance)
        while playback.index < index:
            used += len(playback.step().chance)
        self.state = playback.state
        self.played = transcript.moves[index:]
        self._draws = transcript.draws[used:]
        self._offer = offer

    def play_on(self, begun: Sequence[Json], seed: int | str) -> Json:
        """Return a future that begins with some moves, as far as they are legal.

        It ends after `LENGTH` moves, with the game, or where the draws of the game do not fit any
        more. `draws` are those that its moves led to, `scores` the points at its end.
        """
        rng = random.Random(str(seed))
        state, source = self.state.copy(), RecordedSource(self._draws)
        moves: list[RecordedMove] = []
        draws: list[str] = []
        ahead = list(begun)
        while len(moves) < LENGTH and not state.over:
            seat, before = state.seat, state.copy()
            move = self._choose(before, ahead, rng)
            try:
                draws += state.apply(move, source).chance
            except ChanceError:
                state = before
                break
            moves.append(RecordedMove(seat, move))
        told = [{"seat": seat, "move": move} for seat, move in moves]
        return {"moves": told, "draws": draws, "scores": list(state.scores)}

    def _choose(self, state: State[Any], ahead: list[Json], rng: random.Random) -> Json:
        """Return the next move that was given, as long as it is legal; then that of the bot."""
        if ahead:
            move = ahead.pop(0)
            try:
                state.find(move)
            except IllegalMove:
                ahead.clear()
            else:
                return move
        entry = self._offer.bots.get(BOT) or self._offer.bots["random"]
        return state.move_json(entry.bot(state, rng))


def describe_moment(
    transcript: Transcript, offer: PlayedOn, index: int, decision: Json, seed: int | str
) -> Json:
    """Return a moment as `GET …/analysis` gives it.

    `moves` are all legal moves, `scores` those of the position. `made` and `best` are the futures
    of the move that was made and of the best move.
    """
    position = MomentPosition(transcript, offer, index)
    made = [move for seat, move in _take_turn(position.played, decision["seat"])]
    return {
        "version": decision["version"],
        "seat": decision["seat"],
        "moves": position.state.legal_moves(),
        "scores": list(position.state.scores),
        "made": position.play_on(made, f"{seed}/{index}"),
        "best": position.play_on(decision["line"], f"{seed}/{index}"),
    }


def _take_turn(moves: Sequence[RecordedMove], seat: int) -> Sequence[RecordedMove]:
    """Return the moves of a seat before that of another."""
    other = next((at for at, move in enumerate(moves) if move.seat != seat), len(moves))
    return moves[: min(other, LENGTH)]
