"""The export: everything that the service knows of a player, a line of JSON for each thing.

Games and tournaments come by link, because their events belong to all who played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import orjson
from redis import Redis

from cartulary.events.accounts.local_games import LocalGames
from cartulary.events.analyses.learning import LearnedGame, Learning
from cartulary.events.chat.complaints import Complaints
from cartulary.events.chat.notes import Notes
from cartulary.events.chat.talk import Talk
from cartulary.events.company.seeks import Seeks
from cartulary.events.lists.inbox import Inbox
from cartulary.events.lists.projections import Projections
from cartulary.events.model.clock import format_time
from cartulary.events.model.types import Json
from cartulary.events.notices.registry import NoticeRegistry
from cartulary.events.people.blocks import Blocks
from cartulary.events.people.passkeys import Passkeys
from cartulary.events.people.players import Player, PlayerRegistry
from cartulary.events.people.preferences import Preferences
from cartulary.events.people.sentences import read_sentence
from cartulary.events.people.ties import Ties
from cartulary.events.people.tokens import Tokens
from cartulary.events.puzzles.book import PuzzleBook
from cartulary.events.server import keys
from cartulary.events.studies.studies import Studies
from cartulary.events.time.vacations import Vacations
from cartulary.events.tournaments.stream.listing import TournamentLists
from cartulary.studies.writing import write_document

_PAGE: Final = 100


class Exporting:
    """Reads everything of a player. Thread-safe."""

    def __init__(
        self,
        redis: Redis,
        players: PlayerRegistry,
        preferences: Preferences,
        tokens: Tokens,
        passkeys: Passkeys,
        blocks: Blocks,
        local_games: LocalGames,
        vacations: Vacations,
        projections: Projections,
        talk: Talk,
        notes: Notes,
        inbox: Inbox,
        notices: NoticeRegistry,
        follows: Ties,
        seeks: Seeks,
        complaints: Complaints,
        learning: Learning,
        tournaments: TournamentLists,
        studies: Studies,
        mask_item: Callable[[str, bytes], bytes],
        puzzles: PuzzleBook,
    ) -> None:
        self._redis, self._players, self._preferences = redis, players, preferences
        self._tokens, self._blocks, self._vacations = tokens, blocks, vacations
        self._projections, self._talk, self._notes = projections, talk, notes
        self._inbox, self._local_games = inbox, local_games
        self._passkeys = passkeys
        self._mask_item, self._notices = mask_item, notices
        self._follows, self._seeks = follows, seeks
        self._complaints, self._tournaments, self._puzzles = complaints, tournaments, puzzles
        self._studies, self._learning = studies, learning

    def export(self, player: Player, locate: str) -> Iterator[bytes]:
        """Yield lines of NDJSON; `locate` comes before the paths of links.

        Each line has a `type`; no line has a secret. Raises `RedisError`.
        """
        for type_, value in self._read(player, locate):
            yield orjson.dumps({"type": type_, **value}) + b"\n"

    def _read(self, player: Player, locate: str) -> Iterator[tuple[str, Json]]:
        claimed_at = self._players.claimed_at(player.id)
        preferences = self._preferences.of(player.id)
        yield "player", {**player._asdict(), "claimed_at": claimed_at, "preferences": preferences}
        yield from self._read_registry(player.id)
        yield from self._read_notices(player.id)
        yield from self._read_games(player.id, locate)
        yield from self._read_tournaments(player.id, locate)
        yield from self._read_studies(player.id)
        # Also in games that the player has only watched.
        for game_id in sorted(self._talk.list_games(player.id)):
            yield from self._read_talk(player.id, game_id)
        yield from self._read_inbox(player.id)

    def _read_registry(self, player_id: str) -> Iterator[tuple[str, Json]]:
        for token in self._tokens.list_of(player_id):
            yield "token", token.describe()
        for one in self._passkeys.list_of(player_id):
            shown = ("id", "label", "created_at", "last_used_at")
            yield "passkey", {name: getattr(one, name) for name in shown}
        for block in self._blocks.list_of(player_id):
            yield "block", {"player": block.player_id, "since": block.since}
        for follow in self._follows.list_of(player_id):
            yield "follow", {"player": follow.player_id, "since": follow.since}
        for seek in self._seeks.list_of(player_id):
            yield "seek", seek.describe()
        for game in self._local_games.read_all(player_id):
            yield "local_game", game._asdict()
        for learned in self._learning.read(player_id):
            yield "analysed_game", _show_learned(learned)
        for event in self._puzzles.read_all(player_id):
            yield "puzzle", {"event": event["type"], **_show_puzzle_event(event)}
        muted: Any = self._redis.smembers(keys.mutes(player_id))
        for other in sorted(muted):
            yield "mute", {"player": other.decode()}
        yield from self._read_order(player_id)
        for begin, until in self._vacations.read(player_id):
            yield "vacation", {"from": format_time(begin), "until": format_time(until)}
        week: Any = self._redis.get(keys.availability(player_id))
        if week is not None:
            yield "availability", orjson.loads(week)

    def _read_order(self, player_id: str) -> Iterator[tuple[str, Json]]:
        """Yield what the operators have decided, and what the player has reported."""
        for what, key in (("muted", keys.muted()), ("suspended", keys.suspended())):
            stored: Any = self._redis.hget(key, player_id)
            if stored is not None:
                sentence = read_sentence(stored)
                yield what, {"until": sentence.until_text, "reason": sentence.reason}
        for report in self._complaints.walk():
            if report.by["id"] == player_id:
                hidden = ("by", "note")
                shown = report._asdict().items()
                yield "report", {name: value for name, value in shown if name not in hidden}

    def _read_notices(self, player_id: str) -> Iterator[tuple[str, Json]]:
        """Yield settings, browsers and webhooks: of a browser its push service, and no secret."""
        yield "notifications", self._notices.read_settings(player_id).describe()
        if (email := self._notices.emails.find(player_id)) is not None:
            at = format_time(email.created_at)
            yield "email", {"address": email.address, "state": email.state, "created_at": at}
        for browser in self._notices.list_browsers(player_id):
            at = format_time(browser.created_at)
            yield (
                "push_subscription",
                {
                    "id": browser.id,
                    "label": browser.label,
                    "origin": browser.origin,
                    "created_at": at,
                },
            )
        for hook in self._notices.list_webhooks(player_id):
            at = format_time(hook.created_at)
            yield (
                "webhook",
                {
                    "id": hook.id,
                    "url": hook.url,
                    "types": list(hook.types),
                    "format": hook.format,
                    "created_at": at,
                },
            )

    def _read_games(self, player_id: str, locate: str) -> Iterator[tuple[str, Json]]:
        cursor = None
        while True:
            page = self._projections.games_of(player_id, limit=_PAGE, cursor=cursor)
            for game in page.games:
                about = {name: game[name] for name in ("id", "game", "status", "created_at")}
                yield "game", {**about, "url": f"{locate}/games/{game['id']}"}
            cursor = page.next_cursor
            if cursor is None:
                return

    def _read_tournaments(self, player_id: str, locate: str) -> Iterator[tuple[str, Json]]:
        """Yield the tournaments that the player hosts, has entered or is invited to."""
        cursor = None
        while True:
            page = self._tournaments.read_page(player_id, player=player_id, cursor=cursor)
            for one in page.tournaments:
                about = {name: one[name] for name in ("id", "name", "status", "created_at")}
                url = f"{locate}/tournaments/{one['id']}"
                yield "tournament", {**about, "hosts": one["host"]["id"] == player_id, "url": url}
            cursor = page.next_cursor
            if cursor is None:
                return

    def _read_studies(self, player_id: str) -> Iterator[tuple[str, Json]]:
        """Yield the studies in which the player writes, each as a study file."""
        for study_id in self._studies.lists.list_of(player_id):
            found = self._studies.streams.find(study_id)
            if found is not None:
                about = {"id": study_id, "version": found.study.version}
                yield "study", {**about, "document": write_document(found.study)}

    def _read_talk(self, player_id: str, game_id: str) -> Iterator[tuple[str, Json]]:
        note = self._notes.find(player_id, game_id)
        if note is not None:
            yield "note", {"game": game_id, "text": note}
        for message in self._talk.written_by(player_id, game_id):
            yield "message", {"game": game_id, **message.describe()}

    def _read_inbox(self, player_id: str) -> Iterator[tuple[str, Json]]:
        after = ""
        while found := self._inbox.read(player_id, after, _PAGE):
            for entry in found.entries:
                yield "inbox", {"item": orjson.loads(self._mask_item(player_id, entry.text))}
            if len(found.entries) < _PAGE:
                return
            after = found.next_after


def _show_learned(learned: LearnedGame) -> Json:
    """Return a game that was analysed, with its times as texts."""
    due = [{"version": version, "at": format_time(at)} for version, at in learned.due.items()]
    tried = format_time(learned.tried) if learned.tried else None
    return {**learned._asdict(), "at": format_time(learned.at), "due": due, "tried": tried}


def _show_puzzle_event(event: Json) -> Json:
    """Return a hint or an attempt without its type and its key."""
    shown = {name: value for name, value in event.items() if name not in ("type", "key")}
    return {**shown, "at": format_time(event["at"])}
