"""Games in process: start, play, replay, record, draw and verify them without a server."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from cartulary.bots.base import Bot, find_listed
from cartulary.engine import transcript as transcripts
from cartulary.engine.chance import RandomSource, RecordedSource, Source
from cartulary.engine.core import Decision, Game, Json, Result, State, Step, find_game
from cartulary.engine.ending import Ending
from cartulary.engine.errors import IllegalMove
from cartulary.engine.kept import Kept, KeptSource
from cartulary.engine.transcript import Playback, RecordedMove, Report, Transcript
from cartulary.games import GAMES, OFFERS
from cartulary.pictures import draw as draw_picture


class Match:
    """A game that is played in this process.

    Attributes: `game`, the rules; `state`, the position, which bots get; `seed`, the text that all
    random numbers are made of; `players`, a name for each seat, or None; `moves`, the moves so far
    with their seats; `draws`, the outcomes drawn so far.

    Chance and each seat have random generators of their own. So the same seed and the same bots
    give the same game, and a bot that draws more random numbers changes no draw of the game.
    """

    def __init__(
        self,
        game: Game,
        state: State[Any],
        setup: Json,
        *,
        seed: str,
        chance: random.Random | None = None,
        players: Sequence[str] | None = None,
    ) -> None:
        """Take over a state that `game` made from `setup`, and make its pending draws.

        `chance` continues the generator that drew the setup; without it a new one is made.
        """
        self.game, self.state, self.seed = game, state, seed
        self.players = None if players is None else list(players)
        self.moves: list[RecordedMove] = []
        self._setup = setup
        self._fresh = RandomSource(chance or random.Random(f"{seed}/chance"))
        self._source: Source = self._fresh
        self._kept = Kept(())
        self._thinking = [random.Random(f"{seed}/seat {seat}") for seat in range(state.seats)]
        self.draws = state.settle(self._source)

    @property
    def over(self) -> bool:
        """True when the last decision has been answered."""
        return self.state.over

    @property
    def seat(self) -> int:
        """The seat that decides now; -1 when the game is over."""
        return self.state.seat

    @property
    def decision(self) -> Decision | None:
        """The question that the game asks now; None when the game is over."""
        return self.state.decision

    @property
    def view(self) -> Json:
        """What everybody may see, as `docs/moves.md` describes it."""
        return self.state.view()

    @property
    def result(self) -> Result:
        """The final scores, winners and their breakdown.

        Raises `ValueError` while the game goes on.
        """
        if not self.over:
            raise ValueError("the game is not over: it has no result")
        return self.state.final()

    def legal_moves(self) -> list[Json]:
        """Return every legal move as an object of `docs/moves.md`; empty when the game is over."""
        return self.state.legal_moves()

    def play(self, move: Json) -> Step:
        """Make a legal move; return what happened and what was drawn.

        Raises `IllegalMove`, with the reason and the legal moves; then nothing has changed.
        """
        seat = self.seat
        step = self.state.apply(move, self._source)
        self._note(seat, deepcopy(move), step.chance)  # the caller may go on with its object
        return step

    def play_bot(self, bot: Bot | str) -> Json:
        """Let a bot make the next move, a function or a name of the catalogue; return the move.

        Raises `KeyError` for an unknown name, and `IllegalMove` when the game is over or the bot
        returns something else than one of `state.moves()`; then nothing has changed.
        """
        function = OFFERS[self.game.name].bots[bot].bot if isinstance(bot, str) else bot
        state, seat = self.state, self.seat
        if seat < 0:
            raise IllegalMove("the play is over: no decision is pending")
        returned = function(state, self._thinking[seat])
        found = find_listed(state.moves(), returned)
        if found is None:
            raise IllegalMove(
                f"the bot returned {returned!r}, which is not one of state.moves()",
                seat,
                state.kind,
                state.legal_moves(),
            )
        move, recorded = state.move_json(found), state.move_json(found)
        state.play(found)
        self._note(seat, recorded, state.settle(self._source))
        return move

    def take_back(self, count: int = 1) -> None:
        """Take the last moves back. What was drawn for them is kept and drawn again.

        Makes all earlier moves once more. Raises `ValueError` when there are fewer moves; then
        nothing has changed.
        """
        if not 0 < count <= len(self.moves):
            raise ValueError(f"{count} of {len(self.moves)} moves cannot be taken back")
        draws, moves, record = self.draws, self.moves[:-count], RecordedSource(self.draws)
        state = self.game.new(self.state.seats, self.state.options, self._setup)
        self.draws = state.settle(record)
        for _, move in moves:
            self.draws += state.apply(move, record).chance
        self.state, self.moves = state, moves
        self._kept = Kept([*draws[len(self.draws) :], *self._kept.left])
        self._source = KeptSource(self._kept, self._fresh)

    def transcript(self, result: Result | None = None, ending: Ending | None = None) -> Transcript:
        """Return the game so far as a transcript, with its result when the game is over.

        A game that a player left brings its `result` and its `ending`.
        """
        return transcripts.record(
            self.game,
            self.state,
            self._setup,
            self.draws,
            self.moves,
            players=self.players,
            result=result,
            ending=ending,
        )

    def _note(self, seat: int, move: Json, drawn: Sequence[str]) -> None:
        self.moves.append(RecordedMove(seat, move))
        self.draws += drawn


def new_game(
    name: str,
    seats: int,
    *,
    seed: int | str | None = None,
    options: Mapping[str, str | int] | None = None,
    players: Sequence[str] | None = None,
) -> Match:
    """Start a game; the same seed draws the same setup and the same chance.

    `options` are those of the game (`GAMES[name].options`), `players` names the seats. Without a
    seed each call makes a new seed, which `Match.seed` contains. Raises `SetupError` for a game, a
    number of seats or an option that does not exist.
    """
    game = find_game(GAMES, name)
    complete = game.check(seats, options or {})
    text = secrets.token_hex(8) if seed is None else str(seed)
    chance = random.Random(f"{text}/chance")
    setup = game.draw_setup(seats, complete, chance)
    state = game.new(seats, complete, setup)
    return Match(game, state, setup, seed=text, chance=chance, players=players)


def play_game(
    name: str,
    bots: Sequence[Bot | str],
    *,
    seed: int | str | None = None,
    options: Mapping[str, str | int] | None = None,
) -> Match:
    """Let one bot per seat play a whole game; return the finished match.

    A bot is a function or a name of the catalogue (`OFFERS[name].bots`). Raises what `new_game` and
    `Match.play_bot` raise.
    """
    players = [bot if isinstance(bot, str) else _name(bot) for bot in bots]
    match = new_game(name, len(bots), seed=seed, options=options, players=players)
    while not match.over:
        match.play_bot(bots[match.seat])
    return match


def _name(bot: Bot) -> str:
    """Return a name for people; a callable object has the name of its class."""
    return str(getattr(bot, "__name__", type(bot).__name__))


def replay(transcript: Transcript, moves: int | None = None, *, seed: int | str = 0) -> Match:
    """Play a transcript back, to its end or for a number of moves; return the match.

    The match can go on from there; draws beyond the record are made from `seed`. Raises
    `InvalidTranscript` when a move is illegal, `ValueError` when there are fewer moves.
    """
    wanted = len(transcript.moves) if moves is None else moves
    if not 0 <= wanted <= len(transcript.moves):
        raise ValueError(f"the transcript has {len(transcript.moves)} moves, not {wanted}")
    playback = Playback(transcript, GAMES)
    draws = list(playback.start.chance)
    for _ in range(wanted):
        draws += playback.step().chance
    game = GAMES[transcript.game]
    setup = game.setup_of_transcript(transcript.setup, transcript.draws, transcript.bag or {})
    match = Match(game, playback.state, setup, seed=str(seed), players=transcript.players)
    match.moves = list(transcript.moves[:wanted])
    match.draws = [*draws, *match.draws]
    return match


class NoPicture(ValueError):
    """The game has no picture."""


def draw(match: Match, *, layout: str = "wide", theme: str = "auto") -> str:
    """Return the picture of a match as the text of an SVG document.

    `layout` is `wide` or `tall` (for phones), `theme` is `auto`, `light` or `dark`. Raises
    `ValueError` for another layout or theme, `NoPicture` for a game without a picture.
    """
    last = match.moves[-1] if match.moves else None
    return draw_state(match.game, match.state, match.players, last, layout=layout, theme=theme)


def draw_state(
    game: Game,
    state: State[Any],
    players: Sequence[str] | None = None,
    last_move: RecordedMove | None = None,
    *,
    layout: str = "wide",
    theme: str = "auto",
) -> str:
    """Return the picture of a position, with a mark at the last move; raises what `draw` raises."""
    offer = OFFERS[game.name]
    if offer.picture is None:
        raise NoPicture(f"{game.name} has no picture")
    decision = state.decision
    return draw_picture(
        offer.picture,
        state.view(),
        words=offer.words.picture("en"),
        decision=decision.to_json() if decision else None,
        players=players,
        status="over" if state.over else "running",
        result=state.final().to_json() if state.over else None,
        last_move=last_move._asdict() if last_move else None,
        layout=layout,
        theme=theme,
        options=state.options,
    )


def read_transcript(text: str | bytes) -> Transcript:
    """Return the transcript that a file holds; raises `TranscriptError`."""
    return transcripts.read(text, GAMES)


def write_transcript(transcript: Transcript) -> str:
    """Return a transcript as the text of a file, with one move on each line."""
    return transcripts.write(transcript)


def verify_transcript(transcript: Transcript) -> Report:
    """Check that every move is legal for its seat and that the result is what the rules give."""
    return transcripts.verify(transcript, GAMES)
