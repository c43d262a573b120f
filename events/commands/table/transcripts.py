"""Transcripts and streams: a stored game as a transcript, a transcript as a stored game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import orjson

from cartulary.engine.canonical import canonical_json
from cartulary.engine.core import Result, Step
from cartulary.engine.ending import FORFEITS, PLAY, Ending, Leaver, list_leavers
from cartulary.engine.errors import TranscriptError, pointer
from cartulary.engine.ranking import AWAY
from cartulary.engine.transcript import (
    InvalidTranscript,
    Playback,
    RecordedMove,
    Transcript,
    from_json,
    record,
)
from cartulary.events.commands.table.opening import fair_json, seat_json
from cartulary.events.ledger.drafts import Deal, Draft
from cartulary.events.ledger.ledger import Ledger
from cartulary.events.model import types
from cartulary.events.model.chain import hash_text
from cartulary.events.model.errors import GameNotRunning, Invalid
from cartulary.events.model.fairness import count_setup
from cartulary.events.model.names import fault_of_name
from cartulary.events.model.offers import Rules
from cartulary.events.model.results import make_result
from cartulary.events.model.status import Status
from cartulary.events.model.table import Table
from cartulary.events.model.table_parts import MERGED
from cartulary.events.people.players import Player
from cartulary.events.server import keys

_LEAVING = (types.SEAT_FORFEITED, types.STAND_IN_SEATED)
_COMING = (types.SEAT_RETURNED, types.SEAT_TAKEN_OVER)
"""The types of events by which the owner of a seat goes, and by which an owner comes."""

_TOO_LARGE = "a whole number beyond 64 bits cannot be kept; write it as a string"


def read_extra(ledger: Ledger, game_id: str, created: types.Json) -> types.Json:
    """Return the unknown keys that an imported transcript had; `created` is the first event.

    An earlier release has kept them in that event.
    """
    if "extra_hash" not in created:
        return dict(created.get("extra", {}))
    return dict(orjson.loads(ledger.extra(game_id) or b"{}"))


def transcript_of(table: Table, events: Iterable[types.Json], extra: types.Json) -> Transcript:
    """Return the transcript of a table from the events that led to it.

    Raises `GameNotRunning` for a game that has not started. An imported game keeps the names and
    the unknown keys (`extra`) of its transcript.
    """
    if table.state is None:
        raise GameNotRunning(table.status)
    standing, left = StandingMoves(), Leavers()
    for event in events:
        standing.add(event)
        left.add(event)
    result, ending = _find_ending(table, standing, left) or (None, None)
    return record(
        table.rules,
        table.state,
        table.setup,
        standing.draws,
        [RecordedMove(move["seat"], move["move"]) for move in standing.moves],
        players=table.names or _names(table),
        result=result,
        ending=ending,
        extra=extra,
    )


class StandingMoves:
    """The moves of a stream that stand: without those that were taken back."""

    def __init__(self) -> None:
        self.moves: list[types.Json] = []
        """The events of the moves."""
        self._first: list[str] = []

    def add(self, event: types.Json) -> None:
        """Take the next event of the stream."""
        if event["type"] == types.GAME_STARTED:
            self._first = event["chance"]
        elif event["type"] == types.MOVE_MADE:
            self.moves.append(event)
        elif event["type"] == types.MOVES_TAKEN_BACK:
            while self.moves and self.moves[-1]["version"] > event["to_version"]:
                self.moves.pop()

    @property
    def draws(self) -> list[str]:
        """The outcomes of the start and of these moves, in order."""
        return [*self._first, *chain.from_iterable(move["chance"] for move in self.moves)]


class Leavers:
    """The seats of a stream whose owners have left or are away, in the order of leaving."""

    def __init__(self) -> None:
        self.versions: dict[int, int] = {}
        """By seat, the version at which the owner left."""

    def add(self, event: types.Json) -> None:
        """Take the next event of the stream; a guest who became an account has not left."""
        if event["type"] == types.SEAT_TAKEN_OVER and event["from"].get("reason") == MERGED:
            return
        if event["type"] in (*_LEAVING, *_COMING):
            self.versions.pop(event["seat"], None)
        if event["type"] in _LEAVING:
            self.versions[event["seat"]] = event["version"]


def _find_ending(
    table: Table, standing: StandingMoves, left: Leavers
) -> tuple[Result, Ending] | None:
    """Return result and ending of a game that a player left or that ended before its play did."""
    if table.status not in (Status.SCORING, Status.OVER):
        return None
    result = table.result or make_result(table)
    by = result.get("ended_by", PLAY)
    if by == PLAY and not left.versions:
        return None
    moves = [(move["version"], move["seat"]) for move in standing.moves]
    leavers = list_leavers(left.versions.items(), moves)
    ending = Ending(by, result["outcomes"], result["ranks"], leavers)
    return Result(result["scores"], result["winners"], result["breakdown"]), ending


def _names(table: Table) -> list[str]:
    return [seat.player["name"] if seat.player else seat.bot or "" for seat in table.seats]


def read_transcript(rules: Rules, value: Any) -> Transcript:
    """Return the transcript that a JSON value holds.

    Raises `Invalid` when it is unreadable; when it gives a player a name that no player can have,
    for every reader sees the names, with each game of a list and each line of a story; and when it
    holds what would not be exported as it came.
    """
    try:
        transcript = from_json(value, rules)
    except TranscriptError as error:
        raise Invalid([(error.pointer, str(error))]) from error
    faults = map(fault_of_name, transcript.players or ())
    errors = [(f"/players/{seat}", fault) for seat, fault in enumerate(faults) if fault]
    # One is enough: a megabyte of such numbers would have an answer of twenty.
    errors += [(pointer(*path), _TOO_LARGE) for path in islice(_too_large(transcript.extra), 1)]
    if errors:
        raise Invalid(errors)
    return transcript


def _too_large(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of numbers that a stored event cannot hold.

    Many JSON readers, perhaps also the reader of this value, turn a whole number beyond 64 bits
    into a float, and the exact number is lost.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _too_large(item, *path, key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _too_large(item, *path, index)
    elif isinstance(value, int | float) and value == int(value) and not _fits(value):
        yield path


def _fits(number: float) -> bool:
    """Return whether a whole number fits into 64 bits; a float at a bound may be rounded."""
    if type(number) is int:
        return -(2**63) <= number < 2**64
    return -(2.0**63) < number < 2.0**64


class ImportChance(NamedTuple):
    """The chance of an import: what the player adds to the draws, and what makes the draws.

    `commit` returns the commitment to a new secret, `deal` what answers the draws of a table.
    """

    entropy: str | None
    commit: Callable[[], str]
    deal: Deal


def draft_import(
    rules: Rules,
    draft: Draft,
    player: Player,
    transcript: Transcript,
    chance: ImportChance,
    visibility: str = "public",
) -> None:
    """Add all events of a transcript; the player sits on every seat.

    What the record of an unfinished game leaves to be drawn comes from `chance`. Raises `Invalid`
    at the first move that is not legal, or for a result that is not the engine's.
    """
    try:
        given = _count_given(rules, transcript)
        fair = None if given is None else fair_json(chance.commit(), given)
        _add_created(draft, player, transcript, visibility, chance.entropy, fair)
        result = _add_play(rules, draft, transcript, chance.deal)
    except InvalidTranscript as error:
        raise _invalid(error) from error
    if result is not None:
        draft.add(types.GAME_SCORED, result=make_result(draft.table))


def _count_given(rules: Rules, transcript: Transcript) -> int | None:
    """Return how many outcomes of the stream come from the transcript, None for a finished game.

    They are counted as draws are numbered. The first event has the number, so the transcript is
    played before its first event is made. Raises `InvalidTranscript`.
    """
    playback = Playback(transcript, rules)
    drawn = len(playback.start.chance)
    while not playback.done:
        drawn += len(playback.step().chance)
    if playback.finish() is not None:
        return None
    return drawn + count_setup(rules[transcript.game], transcript.seats, transcript.options)


def _add_created(
    draft: Draft,
    player: Player,
    transcript: Transcript,
    visibility: str,
    entropy: str | None,
    fair: types.Json | None,
) -> None:
    kept: types.Json = {}
    if transcript.players is not None:
        kept["names"] = transcript.players
    if transcript.ending is not None:
        kept["bot_seats"] = [n for n, one in enumerate(transcript.ending.outcomes) if one == "bot"]
    if transcript.extra:
        extra = canonical_json(transcript.extra).encode()
        kept["extra_hash"] = hash_text(extra)
        draft.side_keys[keys.extra] = extra
    draft.add(
        types.GAME_CREATED,
        game=transcript.game,
        options=transcript.options,
        seats=[seat_json(n, player, None, entropy) for n in range(transcript.seats)],
        visibility=visibility,
        created_by=player.id,
        fair=fair,
        **kept,
    )


def _add_play(rules: Rules, draft: Draft, transcript: Transcript, deal: Deal) -> Result | None:
    table, playback = draft.table, Playback(transcript, rules)
    step, result = playback.start, None
    if playback.done:
        result = _finish(playback, step, table, deal)
    setup = draft.table.rules.setup_of_transcript(
        transcript.setup, transcript.draws, transcript.bag or {}
    )
    draft.add_start(setup, step.chance, step.facts, playback.state)
    leaving = _Leaving(draft, transcript)
    while not playback.done:
        leaving.add_before(playback.index)
        seat, move = playback.entry
        step = playback.step()
        if playback.done:
            result = _finish(playback, step, table, deal)
        draft.add_move(seat, move, step.chance, step.facts, playback.state)
    leaving.finish()
    return result


class _Leaving:
    """Adds the events of the people who left to the draft of an import."""

    def __init__(self, draft: Draft, transcript: Transcript) -> None:
        self._draft, self._ending = draft, transcript.ending
        self._waiting: deque[Leaver] = deque()
        if transcript.ending is not None:
            self._waiting.extend(transcript.ending.find_leaving(len(transcript.moves)))

    def add_before(self, index: int) -> None:
        """Add who left before the move of this index."""
        while self._waiting and self._waiting[0].before <= index:
            self._leave(self._waiting.popleft().seat)

    def finish(self) -> None:
        """Add who left after the last move, and the end of a play that did not end by itself."""
        while self._waiting:
            self._leave(self._waiting.popleft().seat)
        if self._ending is not None and self._ending.by != PLAY:
            slowest = self._ending.slowest
            more = {} if slowest is None else {"slowest": slowest}
            self._draft.add(types.PLAY_ENDED, reason=self._ending.by, **more)

    def _leave(self, seat: int) -> None:
        assert self._ending is not None
        table, outcome = self._draft.table, self._ending.outcomes[seat]
        player, bot = table.seats[seat].player, table.terms.stand_in
        assert player is not None
        if outcome == AWAY:
            self._draft.add(
                types.STAND_IN_SEATED, seat=seat, bot=bot, reason="requested", by=player["id"]
            )
            return
        ends = self._ending.by == FORFEITS and not self._waiting
        self._draft.add(
            types.SEAT_FORFEITED,
            seat=seat,
            player=player,
            reason=outcome,
            stand_in=None if ends else bot,
        )


def _finish(playback: Playback, last: Step, table: Table, deal: Deal) -> Result | None:
    """Judge the result, then draw what the record leaves open as part of the `last` step.

    `table` is the table before the start: the numbers of draws begin with the first of these.
    """
    result = playback.finish()
    playback.state.facts = last.facts
    if playback.state.chance is not None:
        last.chance.extend(playback.state.settle(deal(table)))
    playback.state.facts = None
    return result


def _invalid(error: InvalidTranscript) -> Invalid:
    index = error.broken.index
    pointer = "/result" if index is None else f"/moves/{index}"
    return Invalid([(pointer, error.broken.reason)])
