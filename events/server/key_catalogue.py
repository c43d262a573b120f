"""The families of keys: what each key holds, and what a backup does with it.

`docs/ledger.md` describes the keys; `events/server/keys.py` names them. A key of a new family needs
a row here: `tests/events/server/test_key_catalogue.py` fails without the row, and so does every
test that writes such a key. A backup carries keys without a row, because it is unknown whether they
can be made again.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple


class Care(Enum):
    """What is lost with a key, and so what a backup does with the key."""

    TRUTH = "truth"
    """The truth about a game: carried."""
    REGISTRY = "registry"
    """The truth about people and about the installation: carried."""
    PROJECTION = "projection"
    """Computed from the streams: `cartulary rebuild` computes the key again."""
    QUEUE = "queue"
    """Work under way: the sweep finds it again."""
    EPHEMERAL = "ephemeral"
    """May disappear at any moment."""


CARRIED = (Care.TRUTH, Care.REGISTRY)


_OUTBOXES = ("outbox:<shard>", "{<shard>}:outbox")


def _match(word: str) -> str:
    if word in ("<game>", "<player>"):
        return r"[^{}]+"
    return r".+" if word.startswith("<") else re.escape(word)


class Family(NamedTuple):
    """Keys of one form; `<words>` in `form` stand for anything, `<game>` for the id of a game.

    `type` is that of the value as the server names it, empty where keys have different types.
    `expires`: each key of the family has a time at which the server removes it. A key without one
    stays for ever, and nothing else removes it.
    """

    form: str
    care: Care
    type: str = ""
    expires: bool = False

    @property
    def is_of_games(self) -> bool:
        """Return whether the keys lie where the games lie; all others lie in the registry.

        In a cluster all keys of a game, and the outbox of its slot, are on one node.
        """
        return self.form.startswith("{<game>}") or self.form in _OUTBOXES

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern that a whole key of this family matches."""
        words = re.split(r"(<\w+>)", self.form)
        return re.compile("".join(_match(word) for word in words), re.DOTALL)


FAMILIES: tuple[Family, ...] = (
    Family("{projections}:<name>", Care.PROJECTION),
    Family("{<game>}:events", Care.TRUTH, "stream"),
    Family("{<game>}:idempotency", Care.TRUTH, "hash"),
    Family("{<game>}:tournament", Care.TRUTH, "stream"),
    Family("{<game>}:extra", Care.TRUTH, "string"),
    Family("{<game>}:secret", Care.TRUTH, "string"),
    Family("{<game>}:rematch", Care.TRUTH, "string"),
    Family("{<game>}:standing", Care.REGISTRY, "hash"),
    Family("{<game>}:chat:players", Care.REGISTRY, "stream"),
    Family("{<game>}:chat:spectators", Care.REGISTRY, "stream"),
    Family("{<game>}:notes", Care.REGISTRY, "hash"),
    Family("{<game>}:snapshots", Care.PROJECTION, "hash"),
    Family("{<game>}:analysis", Care.PROJECTION, "hash"),
    Family("{<game>}:analysis:decisions", Care.PROJECTION, "list"),
    Family("{<game>}:film:<wish>", Care.EPHEMERAL, "hash"),
    Family("{<game>}:lease:<position>", Care.EPHEMERAL, "string", expires=True),
    Family("{<game>}:plan:<position>", Care.EPHEMERAL, "string", expires=True),
    Family("{<game>}:looked", Care.EPHEMERAL, "string", expires=True),
    Family("{<game>}:pin", Care.EPHEMERAL, "string", expires=True),
    Family("creation:<player>:<digest>", Care.REGISTRY, "string"),
    Family("study:<study>", Care.REGISTRY, "stream"),
    Family("study_keys:<study>", Care.REGISTRY, "hash"),
    Family("closed_rounds:<tournament>", Care.REGISTRY, "hash"),
    Family("round_games:<tournament>", Care.REGISTRY, "hash"),
    Family("token:<hash>", Care.REGISTRY, "string"),
    Family("tokens:<player>", Care.REGISTRY, "hash"),
    Family("link:<hash>", Care.EPHEMERAL, "string", expires=True),
    Family("merged:<hash>", Care.EPHEMERAL, "string", expires=True),
    Family("passkeys:<player>", Care.REGISTRY, "hash"),
    Family("passkey_challenge:<hash>", Care.EPHEMERAL, "string", expires=True),
    Family("recovery:<player>", Care.REGISTRY, "set"),
    Family("recovery_of:<letters>", Care.REGISTRY, "string"),
    Family("blocks:<player>", Care.REGISTRY, "zset"),
    Family("blocked_by:<player>", Care.REGISTRY, "set"),
    Family("follows:<player>", Care.REGISTRY, "zset"),
    Family("followed_by:<player>", Care.REGISTRY, "set"),
    # Live seeks are carried as well: the sweep ends those of players who are not there.
    Family("seek:<id>", Care.REGISTRY, "hash"),
    Family("seeks:<name>", Care.REGISTRY, "zset"),
    Family("seeks_alike:<bucket>", Care.REGISTRY, "zset"),
    Family("seeks_due", Care.REGISTRY, "zset"),
    Family("seeks_of:<player>", Care.REGISTRY, "set"),
    Family("seek_matches", Care.REGISTRY, "zset"),
    Family("seekers", Care.EPHEMERAL, "zset"),
    Family("seek_waits:<name>", Care.EPHEMERAL, "zset"),
    Family("lobby:watched", Care.EPHEMERAL, "string", expires=True),
    Family("lobby:turn", Care.EPHEMERAL, "string", expires=True),
    Family("lobby:seen", Care.EPHEMERAL, "string", expires=True),
    Family("local_games:<player>", Care.REGISTRY, "hash"),
    # No projection: a rebuild does not make it, but the next list does.
    Family("local_game_summaries:<player>", Care.EPHEMERAL, "hash"),
    Family("puzzle_events:<player>", Care.REGISTRY, "stream"),
    Family("puzzle_results:<puzzle>", Care.REGISTRY, "list"),
    Family("own_puzzles", Care.REGISTRY, "hash"),
    # Carried: lost, all games are looked at again, for days of a processor.
    Family("mining", Care.REGISTRY, "hash"),
    # No projections: a rebuild does not make them, but the next reader does.
    Family("puzzle_record:<player>", Care.EPHEMERAL, "string"),
    Family("puzzle_skills", Care.EPHEMERAL, "hash"),
    Family("player:<id>", Care.REGISTRY, "hash"),
    # The next search makes both again.
    Family("names", Care.EPHEMERAL, "zset"),
    Family("names:complete", Care.EPHEMERAL, "string"),
    Family("bots_of:<player>", Care.REGISTRY, "set"),
    Family("bot_connections", Care.EPHEMERAL, "zset"),
    Family("webhook_bots", Care.EPHEMERAL, "zset"),
    # Lost with the queues: a rebuild asks again.
    Family("bot_questions", Care.QUEUE, "zset"),
    Family("bot_questions:texts", Care.QUEUE, "hash"),
    Family("refusals:<game>:<position>:<player>", Care.EPHEMERAL, "set", expires=True),
    # Lost with the queues: a bot that goes on failing is refused again, or is late.
    Family("failing_bots", Care.QUEUE, "set"),
    Family("merged_from:<player>", Care.REGISTRY, "set"),
    Family("deleted", Care.REGISTRY, "zset"),
    Family("deleted:games", Care.REGISTRY, "set"),
    Family("format", Care.REGISTRY, "string"),
    Family("secret:check", Care.REGISTRY, "string"),
    Family("rules_since", Care.REGISTRY, "hash"),
    # Carried: after a restore the gap since the backup is an outage that flags no player.
    Family("heartbeat:web", Care.REGISTRY, "string"),
    Family("heartbeats:web", Care.EPHEMERAL, "hash"),
    Family("outages", Care.REGISTRY, "zset"),
    Family("vacation:<player>", Care.REGISTRY, "string"),
    Family("vacations", Care.REGISTRY, "zset"),
    Family("availability:<player>", Care.REGISTRY, "string"),
    Family("calendar:<hash>", Care.REGISTRY, "string"),
    Family("calendar_of:<player>", Care.REGISTRY, "string"),
    Family("notify:<player>", Care.REGISTRY, "string"),
    Family("push:<player>", Care.REGISTRY, "hash"),
    Family("push_endpoint:<hash>", Care.REGISTRY, "string"),
    Family("webhooks:<player>", Care.REGISTRY, "hash"),
    Family("email:<player>", Care.REGISTRY, "string"),
    Family("email_requests:<hash>", Care.EPHEMERAL, "string", expires=True),
    Family("notices:mails", Care.QUEUE, "zset"),
    Family("notices:mail_texts", Care.QUEUE, "hash"),
    Family("notices:mailed:<player>", Care.EPHEMERAL, "string", expires=True),
    Family("notices:deliveries", Care.QUEUE, "zset"),
    Family("notices:texts", Care.QUEUE, "hash"),
    Family("notices:stale", Care.QUEUE, "set"),
    Family("notices:counts", Care.EPHEMERAL, "hash"),
    Family("notices:policy", Care.EPHEMERAL, "string"),
    Family("notices:lately:<player>", Care.EPHEMERAL, "zset", expires=True),
    Family("notices:log:<endpoint>", Care.EPHEMERAL, "list", expires=True),
    Family("mutes:<player>", Care.REGISTRY, "set"),
    Family("wrote:<player>", Care.REGISTRY, "set"),
    Family("muted", Care.REGISTRY, "hash"),
    Family("suspended", Care.REGISTRY, "hash"),
    Family("operators", Care.REGISTRY, "hash"),
    Family("operator_log", Care.REGISTRY, "stream"),
    Family("reports_by:<player>", Care.REGISTRY, "hash"),
    Family("reports", Care.REGISTRY, "hash"),
    # The next list makes all of them again.
    Family("reports:open", Care.EPHEMERAL, "zset"),
    Family("reports:closed", Care.EPHEMERAL, "zset"),
    Family("reports:about:<player>", Care.EPHEMERAL, "set"),
    Family("reports:complete", Care.EPHEMERAL, "string"),
    Family("voided", Care.REGISTRY, "hash"),
    Family("talked:<player>", Care.EPHEMERAL, "zset", expires=True),
    Family("timeouts", Care.EPHEMERAL, "hash"),
    Family("presence:{<game>}", Care.EPHEMERAL, "zset", expires=True),
    Family("presence:<player>", Care.EPHEMERAL, "string", expires=True),
    Family("seat_requests:<player>", Care.EPHEMERAL, "zset", expires=True),
    Family("early:<player>", Care.EPHEMERAL, "zset", expires=True),
    Family("commitment:<player>:<id>", Care.EPHEMERAL, "string", expires=True),
    Family("ticket:<hash>", Care.EPHEMERAL, "string", expires=True),
    Family("dispatcher", Care.EPHEMERAL, "hash"),
    Family("processes", Care.EPHEMERAL, "zset"),
    Family("archive", Care.EPHEMERAL, "hash"),
    # Of this installation: a restore notes the archive that it fills.
    Family("archive:identity", Care.EPHEMERAL, "string"),
    # No keys: in a backup, a game and a tournament that are in the archive.
    Family("archive:game:<id>", Care.REGISTRY, "string"),
    Family("archive:tournament:<id>", Care.REGISTRY, "string"),
    Family("restoring", Care.EPHEMERAL, "hash"),
    Family("backup", Care.EPHEMERAL, "hash"),
    # Of this installation: a restored store has no backup so far, and is another installation.
    Family("backup:proven", Care.EPHEMERAL, "string"),
    Family("installation", Care.EPHEMERAL, "string"),
    Family("outbox:<shard>", Care.QUEUE, "stream"),
    Family("{<shard>}:outbox", Care.QUEUE, "stream"),
    Family("outboxes", Care.QUEUE, "set"),
    Family("analyses", Care.QUEUE, "zset"),
    Family("analyses:counted", Care.EPHEMERAL, "hash"),
    Family("learned:<player>", Care.REGISTRY, "hash"),
    Family("analysed:<player>", Care.EPHEMERAL, "zset", expires=True),
    Family("films", Care.QUEUE, "zset"),
    Family("films:kept", Care.EPHEMERAL, "zset"),
    Family("rq:<name>", Care.QUEUE),
    Family("LIMITS:<name>", Care.EPHEMERAL),
)
"""All families; the first one that matches a key is that of the key."""

OF_GAMES = tuple(row for row in FAMILIES if row.form.startswith("{<game>}") and row.care in CARRIED)
"""The families with one key for each game that a backup carries."""

_PATTERNS = tuple((row.pattern, row) for row in FAMILIES)


def find_family(key: str) -> Family | None:
    """Return the family of a key, None for a key without a row."""
    return next((row for pattern, row in _PATTERNS if pattern.fullmatch(key)), None)


def is_carried(key: str) -> bool:
    """Return whether a backup carries a key: it cannot be made again, or that is unknown."""
    family = find_family(key)
    return family is None or family.care in CARRIED
