"""The names of all keys, in one place.

Everything of one game carries the hash tag `{game-id}`; everything that can be rebuilt carries
`{projections}`, so that one script can change a summary and its indexes in one step. Each family
of keys has a row in `events/server/key_catalogue.py`, which says whether a backup carries its keys.
"""

from __future__ import annotations

from binascii import crc32
from functools import lru_cache

from cartulary.events.server.slots import find_slot, find_tag

UNTIMED = 4 * 10**15
"""Added to the score of untimed games in `turns`, so that they come after all deadlines."""

OUTBOX_SHARDS = 4
"""Number of outbox streams. Fixed: entries written under another number would lie unread."""

COUNTED_SHARDS = 16_384
"""Number of hashes with the games that are counted: up to a million games they stay small."""

PROJECTIONS = "{projections}:"
IMPORTS_PREFIX = f"{PROJECTIONS}imports:"
INVITATIONS_PREFIX = f"{PROJECTIONS}invitations:"
LEARNED_PREFIX = "learned:"
EVENTS_PATTERN = "{*}:events"
TOURNAMENTS_PATTERN = "{*}:tournament"
LIMITS = "LIMITS"
"""Prefix of lists: the requests of a window, kept by the package `limits`. They expire."""
SUMMARIES_PATTERN = f"{PROJECTIONS}game:*"
SECRETS_PATTERN = "{*}:secret"


def events(game_id: str) -> str:
    """Stream: the events of a game; entry ids are `<version>-0`.

    Fields: `event`, its JSON, and `nonce`, which names the append; old entries have no nonce.
    """
    return f"{{{game_id}}}:events"


def idempotency(game_id: str) -> str:
    """Name the hash of a game with its idempotency keys.

    `<player-id>:<digest of the key>`, for the creation with `create:` before it, leads to
    `<first version> <last version> <digest of the request>`; `head` is the hash of the last event,
    `standing` the revision of the standing answers, missing without any.
    """
    return f"{{{game_id}}}:idempotency"


@lru_cache(maxsize=1024)
def name_append(game_id: str) -> tuple[str, ...]:
    """Return the keys of every append to a game; cached, because a game has many appends."""
    return events(game_id), idempotency(game_id), outbox(game_id)


@lru_cache(maxsize=1024)
def name_append_in_cluster(game_id: str) -> tuple[str, ...]:
    """Return the same in a cluster, where all of them have one slot."""
    tag = find_tag(find_slot(game_id))
    return events(game_id), idempotency(game_id), outbox_of_tag(tag)


def tournament(tournament_id: str) -> str:
    """Stream: the events of a tournament, in the form of `events`.

    Next to it lie `idempotency` and `secret` of the same id.
    """
    return f"{{{tournament_id}}}:tournament"


def tournament_live(tournament_id: str) -> str:
    """Name the sharded channel of the signals that a tournament has new events."""
    return f"{{{tournament_id}}}:tournament:live"


@lru_cache(maxsize=256)
def name_tournament_append(tournament_id: str) -> tuple[str, ...]:
    """Return the keys of every append to a tournament."""
    return tournament(tournament_id), *name_append(tournament_id)[1:]


@lru_cache(maxsize=256)
def name_tournament_append_in_cluster(tournament_id: str) -> tuple[str, ...]:
    """Return the same in a cluster."""
    return tournament(tournament_id), *name_append_in_cluster(tournament_id)[1:]


def tournament_summary(tournament_id: str) -> str:
    """Name the string with what lists say of a tournament, as JSON. Disposable."""
    return f"{PROJECTIONS}tournament:{tournament_id}"


def tournaments(index: str) -> str:
    """Sorted set (all scores 0): the tournaments of an index. Disposable.

    An index is `all`, the name of a status, or `player:<id>`.
    """
    return f"{PROJECTIONS}tournaments:{index}"


def tournaments_due() -> str:
    """Sorted set: tournaments that a dispatcher moves on -> when to look, ms. Disposable."""
    return f"{PROJECTIONS}tournaments_due"


def tournaments_ended() -> str:
    """Sorted set: tournaments in the store that have ended -> when, ms. Disposable."""
    return f"{PROJECTIONS}tournaments_ended"


def extra(game_id: str) -> str:
    """Name the string with the unknown keys of an imported transcript, as canonical JSON."""
    return f"{{{game_id}}}:extra"


def rematch(game_id: str) -> str:
    """Name the string with the game id reserved for the rematch of a game."""
    return f"{{{game_id}}}:rematch"


def standing(game_id: str) -> str:
    """Name the hash with the standing answers of a game by player id (`events.ledger.standing`)."""
    return f"{{{game_id}}}:standing"


def live(game_id: str) -> str:
    """Name the sharded channel on which each append to a game is published, by `append.lua`.

    A message is the version after the append and, unless they are long, the texts of the events,
    each on a line of its own.
    """
    return f"{{{game_id}}}:live"


def signals(game_id: str, room: str = "") -> str:
    """Name the sharded channel of the named events of a game, or of a room of its messages.

    A message is a name and the data as JSON, each on a line of its own (`events.live.signals`).
    """
    return f"{{{game_id}}}:signals:{room}" if room else f"{{{game_id}}}:signals"


def chat_of_players(game_id: str) -> str:
    """Stream: the messages of the room of the players; fields `message`, its JSON, and `nonce`."""
    return f"{{{game_id}}}:chat:players"


def chat_of_spectators(game_id: str) -> str:
    """Stream: the messages of the room of the spectators, in the same form."""
    return f"{{{game_id}}}:chat:spectators"


def notes(game_id: str) -> str:
    """Hash: player -> the private note of the player on a game."""
    return f"{{{game_id}}}:notes"


def pin(game_id: str) -> str:
    """Name the string that keeps a finished game in the store for a minute; it expires."""
    return f"{{{game_id}}}:pin"


def snapshots(game_id: str) -> str:
    """Hash: version -> snapshot JSON. Disposable."""
    return f"{{{game_id}}}:snapshots"


def secret(game_id: str) -> str:
    """Name the string with the encrypted secret of the draws of a game (`events.draws.vault`)."""
    return f"{{{game_id}}}:secret"


def commitment(player_id: str, commitment_id: str) -> str:
    """Name the string with a secret that a player has the commitment of (`events.draws.vault`).

    It expires.
    """
    return f"commitment:{player_id}:{commitment_id}"


def key_check() -> str:
    """Name the string with the check value of the key that encrypts the secrets of the store."""
    return "secret:check"


def game_of_events(key: str) -> str:
    """Return the game id of a key that begins with it, or of the name of a channel."""
    return key[1 : key.index("}")]


def is_of_game(key: str) -> bool:
    """Return whether a key, or a channel, belongs to one game and lies where the game lies."""
    return key.startswith("{") and not key.startswith(PROJECTIONS)


def outbox(game_id: str) -> str:
    """Stream: the outbox shard of a game; fields `game`, `version`, `type`."""
    return f"outbox:{crc32(game_id.encode()) % OUTBOX_SHARDS}"


def outbox_of_tag(tag: str) -> str:
    """Stream: the outbox of the slot of a hash tag, in a cluster; fields as of `outbox`."""
    return f"{{{tag}}}:outbox"


def outboxes_in_use() -> str:
    """Name the set with the slots besides `slots.FIXED` that games of a cluster have."""
    return "outboxes"


def outboxes() -> list[str]:
    """Every outbox shard."""
    return [f"outbox:{shard}" for shard in range(OUTBOX_SHARDS)]


def names() -> str:
    """Sorted set (all scores 0): the folded name, a zero byte, the player; for the search."""
    return "names"


def names_complete() -> str:
    """Text: `names` has the players from before it as well."""
    return "names:complete"


def bots_of(player_id: str) -> str:
    """Set: the bots that a player has made."""
    return f"bots_of:{player_id}"


def bot_connections() -> str:
    """Sorted set, by its members: notes of open streams of the inboxes of bots, and of webhooks.

    `<bot>:<ms of its opening>:<nonce>`, and `<bot>:webhook`. A note of a process that was killed
    counts as long as the bot shows signs of life.
    """
    return "bot_connections"


def webhook_bots() -> str:
    """Sorted set: bots that webhooks ask -> ms since the epoch of their last sign of life."""
    return "webhook_bots"


def bot_questions() -> str:
    """Sorted set: what webhook bots are to be asked -> ms since the epoch when it is due."""
    return "bot_questions"


def bot_question_texts() -> str:
    """Hash: member of `bot_questions` -> its content, as JSON."""
    return "bot_questions:texts"


def refusals(game_id: str, position: int, player_id: str) -> str:
    """Set: the refused moves of a bot at a position of a game; it expires."""
    return f"refusals:{game_id}:{position}:{player_id}"


def failing_bots() -> str:
    """Set: `<position>:<seat>:<game>` for each bot that the sweep is to replace by a stand-in."""
    return "failing_bots"


def creation(player_id: str, digest: str) -> str:
    """Name the string with the game id reserved for a player's idempotent creation."""
    return f"creation:{player_id}:{digest}"


def study(study_id: str) -> str:
    """Stream: the events of a study. It lies in the registry, as all that belongs to studies."""
    return f"study:{study_id}"


def study_live(study_id: str) -> str:
    """Name the sharded channel of the signals that a study has new events."""
    return f"{PROJECTIONS}study:{study_id}:live"


def study_keys(study_id: str) -> str:
    """Hash: idempotency field of a write to a study -> its record; `head`: the last hash."""
    return f"study_keys:{study_id}"


def study_summary(study_id: str) -> str:
    """Name the hash with what lists say of a study, as JSON. Disposable."""
    return f"{PROJECTIONS}study:{study_id}"


def studies(index: str) -> str:
    """Sorted set: the studies of an index -> ms of their last change. Disposable.

    An index is `public`, `of:<player>` or `asked:<player>` (who is invited to write).
    """
    return f"{PROJECTIONS}studies:{index}"


def closed_rounds(tournament_id: str) -> str:
    """Hash: number of a closed duplicate round -> ms since the epoch and the secret, as JSON."""
    return f"closed_rounds:{tournament_id}"


def round_games(tournament_id: str) -> str:
    """Hash: `<round>/<table>` of a tournament -> the id of the game that is played there."""
    return f"round_games:{tournament_id}"


def player(player_id: str) -> str:
    """Hash: id, name, token_hash, created_at of a player."""
    return f"player:{player_id}"


def token(token_hash: str) -> str:
    """Name the string that leads from the SHA-256 of a token to the id of its player.

    After the id and a blank comes when the token expires, in milliseconds since the epoch (0:
    never), and after another blank its scopes. A token that may do all has no scopes.
    """
    return f"token:{token_hash}"


def tokens(player_id: str) -> str:
    """Name the hash with the tokens of a player (`events.people.rows`).

    The id of a token leads to its row, `<id>:used` to the last day on which it was used.
    """
    return f"tokens:{player_id}"


def calendar(digest: str) -> str:
    """Name the string with the player whose calendar has a secret, by its SHA-256."""
    return f"calendar:{digest}"


def calendar_of(player_id: str) -> str:
    """Name the string with the SHA-256 of the secret of a player's calendar."""
    return f"calendar_of:{player_id}"


def availability(player_id: str) -> str:
    """Name the string that says when a player could play in a week, as JSON."""
    return f"availability:{player_id}"


def blocks(player_id: str) -> str:
    """Sorted set: whom a player blocks -> since when, in ms since the epoch."""
    return f"blocks:{player_id}"


def local_games(player_id: str) -> str:
    """Hash: the local games of a player, by id: the time of the last storing, the transcript."""
    return f"local_games:{player_id}"


def local_game_summaries(player_id: str) -> str:
    """Hash: what a list says of the local games of a player, by id; made again where missing."""
    return f"local_game_summaries:{player_id}"


def puzzle_events(player_id: str) -> str:
    """Stream: the hints and attempts of a player at puzzles; entry ids are `<number>-0`."""
    return f"puzzle_events:{player_id}"


def puzzle_record(player_id: str) -> str:
    """Name the string with what follows from `puzzle_events`, as JSON; made again where missing."""
    return f"puzzle_record:{player_id}"


def puzzle_results(puzzle_id: str) -> str:
    """List: the first guess about a puzzle, then what each rated attempt says of it, no player."""
    return f"puzzle_results:{puzzle_id}"


def puzzle_skills() -> str:
    """Hash: what follows from `puzzle_results`, by puzzle; made again where missing."""
    return "puzzle_skills"


def own_puzzles() -> str:
    """Hash: the puzzles that were mined from games of this installation, by id."""
    return "own_puzzles"


def mining() -> str:
    """Hash: where the mining of archived games stands (`events.mining.log`)."""
    return "mining"


def blocked_by(player_id: str) -> str:
    """Name the set of those who block a player."""
    return f"blocked_by:{player_id}"


def follows(player_id: str) -> str:
    """Sorted set: whom a player follows -> since when, in ms since the epoch."""
    return f"follows:{player_id}"


def followed_by(player_id: str) -> str:
    """Name the set of those who follow a player."""
    return f"followed_by:{player_id}"


def seek(seek_id: str) -> str:
    """Hash: a seek (`events.company.seeks`)."""
    return f"seek:{seek_id}"


def seeks(game: str, mode: str) -> str:
    """Sorted set: the open seeks for a game with a mode of pace -> ms since the epoch."""
    return f"seeks:{game}:{mode}"


def seeks_alike(bucket: str) -> str:
    """Sorted set: the open seeks for the same game, options and pace -> ms since the epoch."""
    return f"seeks_alike:{bucket}"


def seeks_due() -> str:
    """Sorted set: the open seeks -> when each is looked at again, in ms since the epoch."""
    return "seeks_due"


def seeks_of(player_id: str) -> str:
    """Set: the open seeks of a player."""
    return f"seeks_of:{player_id}"


def seek_matches() -> str:
    """Sorted set: matches whose game is being opened -> since when, in ms since the epoch."""
    return "seek_matches"


def seekers() -> str:
    """Sorted set: players with live seeks -> when they were last seen at the inbox, in ms."""
    return "seekers"


def seek_waits(game: str, mode: str) -> str:
    """Sorted set: `<ms>:<seek>` for each seek that was matched -> when. It expires."""
    return f"seek_waits:{game}:{mode}"


def lobby_changes() -> str:
    """Stream: the changes of the lobby (`events.company.lobby`). Disposable."""
    return f"{PROJECTIONS}lobby"


def lobby_live() -> str:
    """Name the sharded channel on which each change of the lobby is published."""
    return f"{PROJECTIONS}lobby:live"


def lobby_watched() -> str:
    """Name the string that says that the stream of the lobby has readers. It expires."""
    return "lobby:watched"


def lobby_seen() -> str:
    """Name the string with what a dispatcher has seen of the lobby last, as JSON. It expires."""
    return "lobby:seen"


def lobby_turn() -> str:
    """Name the string with the dispatcher that looks at the lobby now. It expires."""
    return "lobby:turn"


def link(code_hash: str) -> str:
    """Name the string with what a link code leads to (`events.people.links`); it expires."""
    return f"link:{code_hash}"


def merged(token_hash: str) -> str:
    """Name the string with the ids of the guest whose token it was and of the account.

    It expires.
    """
    return f"merged:{token_hash}"


def passkeys(player_id: str) -> str:
    """Hash: id -> passkey of a player, as JSON (`events.people.passkeys`)."""
    return f"passkeys:{player_id}"


def passkey_challenge(challenge_hash: str) -> str:
    """Name the string with whom a challenge of WebAuthn is for, and where; it expires."""
    return f"passkey_challenge:{challenge_hash}"


def recovery(player_id: str) -> str:
    """Name the set of the scrypt hashes of a player's recovery codes."""
    return f"recovery:{player_id}"


def recovery_of(letters: str) -> str:
    """Name the string that leads from the first letters of a recovery code to its player."""
    return f"recovery_of:{letters}"


def ticket(ticket_hash: str) -> str:
    """Name the string with what a ticket is bound to (`events.people.tickets`); it expires."""
    return f"ticket:{ticket_hash}"


def dispatcher() -> str:
    """Name the hash with the last report of a dispatcher (`heartbeat`). Disposable."""
    return "dispatcher"


WORKERS = "rq:workers"
"""The set of the workers, which RQ keeps: here it is only read."""


def processes() -> str:
    """Sorted set: processes that work (`heartbeat`) -> last sign of life, s. Disposable."""
    return "processes"


def store_format() -> str:
    """Name the string with the format of the store (`events.server.format`)."""
    return "format"


def restoring() -> str:
    """Name the hash that marks a store that `cartulary restore` has not finished."""
    return "restoring"


def backup() -> str:
    """Name the hash with the last backup: `at`, `file`, `bytes`, `games`. Disposable."""
    return "backup"


def proven_backup() -> str:
    """Name the string with the last proven backup, as JSON (`events.backup.proven`)."""
    return "backup:proven"


def installation() -> str:
    """Name the string with the random id of this installation, for the names of its backups."""
    return "installation"


def rules_since() -> str:
    """Name the hash with the time since which rules are in force here, by name of the rules."""
    return "rules_since"


def heartbeat() -> str:
    """Name the string with the last heartbeat of a web process (`events.time.outages`), in ms."""
    return "heartbeat:web"


def heartbeats() -> str:
    """Name the hash with the last heartbeat of the web processes of each format, in ms."""
    return "heartbeats:web"


def outages() -> str:
    """Sorted set: the outages (`events.time.outages`), `<from>-<until>` in ms -> begin."""
    return "outages"


def timeouts() -> str:
    """Name the hash that counts the flags that fell, by what followed. Disposable."""
    return "timeouts"


def vacation(player_id: str) -> str:
    """Name the string with the vacations of a player: JSON, pairs of ms."""
    return f"vacation:{player_id}"


def vacations() -> str:
    """Sorted set: the players who have vacations -> end of the last vacation, in ms."""
    return "vacations"


def looked(game_id: str) -> str:
    """Name the string with the time at which a person last looked at a running game; it expires."""
    return f"{{{game_id}}}:looked"


def deleted() -> str:
    """Sorted set: the players whose accounts are deleted -> ms since the epoch."""
    return "deleted"


def presence(player_id: str) -> str:
    """Name the string with the time (ms since the epoch) at which a player was last here.

    It expires.
    """
    return f"presence:{player_id}"


def presence_of_game(game_id: str) -> str:
    """Sorted set: who has a game open in which process -> ms since the epoch. It expires.

    A member is the id of a seated player, or `~` and the number of the others, and the name of the
    process after a colon.
    """
    return f"presence:{{{game_id}}}"


def seat_requests(player_id: str) -> str:
    """Sorted set: the games in which a player has asked for a seat -> ms since the epoch.

    It expires.
    """
    return f"seat_requests:{player_id}"


def guests_of(player_id: str) -> str:
    """Name the set with the guests who have merged into an account."""
    return f"merged_from:{player_id}"


def games_of_deleted() -> str:
    """Name the set with the games of the players whose accounts are deleted."""
    return "deleted:games"


def early(player_id: str) -> str:
    """Sorted set: the games that a player has left at their start -> ms since the epoch.

    It expires.
    """
    return f"early:{player_id}"


def talked(player_id: str) -> str:
    """Sorted set: the messages of a player within the last hour -> ms since the epoch.

    It expires.
    """
    return f"talked:{player_id}"


def wrote(player_id: str) -> str:
    """Set: the games in which a player has written a message or a note, for the deletion."""
    return f"wrote:{player_id}"


def mutes(player_id: str) -> str:
    """Set: the players whose messages a player does not read."""
    return f"mutes:{player_id}"


def muted() -> str:
    """Hash: player -> the decision of an operator that the player writes nothing, as JSON."""
    return "muted"


def suspended() -> str:
    """Hash: player -> the decision of an operator that the player only reads, as JSON."""
    return "suspended"


def operators() -> str:
    """Hash: player -> since when the player is an operator (RFC 3339)."""
    return "operators"


def operator_log() -> str:
    """Stream: what operators have ordered, each as JSON in the field `entry`. Kept for ever."""
    return "operator_log"


def open_complaints(player_id: str) -> str:
    """Hash: `<kind> <id>` of what a player has reported -> the report that is still open."""
    return f"reports_by:{player_id}"


def complaints() -> str:
    """Hash: id -> a report of a player to the operators, as JSON."""
    return "reports"


def complaints_open() -> str:
    """Sorted set, by its members: the ids of the reports that wait for an answer."""
    return "reports:open"


def complaints_closed() -> str:
    """Sorted set, by its members: the ids of the reports that an operator has closed."""
    return "reports:closed"


def complaints_about(player_id: str) -> str:
    """Set: the ids of the reports about a player."""
    return f"reports:about:{player_id}"


def complaints_complete() -> str:
    """Text: the lists of reports have those from before the lists as well."""
    return "reports:complete"


def summary(game_id: str) -> str:
    """Hash: version, head, json, indexes of a game's summary. Disposable."""
    return f"{PROJECTIONS}game:{game_id}"


def game_of_summary(key: str) -> str:
    """Return the game id of the key of a summary."""
    return key.rpartition(":")[2]


def index(owner: str, status: str, game: str, pace: str = "") -> str:
    """Sorted set (all scores 0, so ordered by id) of game ids. Disposable.

    `owner` is `all`, `public` or `player:<id>`; `status` and `game` may be `any`. In place of a
    status, `seat_open` and `seat_vacant` lead to the games with a seat that a player may take. With
    `pace`, `live` or `correspondence`, only games of that pace.
    """
    name = f"{PROJECTIONS}index:{owner}:{status}:{game}"
    return f"{name}:{pace}" if pace else name


def quota(player_id: str, name: str) -> str:
    """Sorted set: the games of a player that count for a quota (`events.people.quotas`).

    That of the imports is no projection: it cannot be made again, and it expires.
    """
    kind = "imports" if name == "imports" else f"quota:{name}"
    return f"{PROJECTIONS}{kind}:{player_id}"


def invitations(player_id: str) -> str:
    """Sorted set: the invitations of a player within a day -> ms since the epoch.

    No projection: it cannot be made again, and it expires.
    """
    return f"{INVITATIONS_PREFIX}{player_id}"


def offers(player_id: str, guest_id: str) -> str:
    """Sorted set: the games in which a player offers a seat to another player. Disposable."""
    return f"{PROJECTIONS}offers:{player_id}:{guest_id}"


def due() -> str:
    """Sorted set: games that wait for something (`events.model.time.due`) -> ms since the epoch."""
    return f"{PROJECTIONS}due"


def finished() -> str:
    """Sorted set: games that are over -> ms since the epoch when they ended. Disposable.

    A game that was written to since then, or that cannot be archived yet, has a later time.
    """
    return f"{PROJECTIONS}finished"


def ratings(part: str, bucket: str) -> str:
    """Name a part of the ratings of a bucket (`events.ratings`). Disposable.

    `results`, `steps`, `standings` are hashes; `order`, `board`, `active` are sorted sets.
    """
    return f"{PROJECTIONS}ratings:{part}:{bucket}"


def rated_games(bucket: str, player_id: str) -> str:
    """Sorted set: the games of a player in a bucket that are folded -> ms since the epoch."""
    return f"{PROJECTIONS}ratings:of:{bucket}:{player_id}"


def rating_buckets() -> str:
    """Name the set of the buckets that have results. Disposable."""
    return f"{PROJECTIONS}ratings:buckets"


def ratings_pending() -> str:
    """Hash: bucket -> the place from which on its results are to be folded again. Disposable."""
    return f"{PROJECTIONS}ratings:pending"


def statistics(player_id: str, game: str, table: str, scope: str) -> str:
    """Name the hash with the figures of a player (`events.profiles.tallies`). Disposable.

    `table` is `2` or `many`, `scope` one of `events.profiles.counting.SCOPES`.
    """
    return f"{PROJECTIONS}statistics:{player_id}:{game}:{table}:{scope}"


def opponents(player_id: str, game: str, table: str, scope: str) -> str:
    """Sorted set: whom a player has met -> games and results, as one number. Disposable."""
    return f"{PROJECTIONS}opponents:{player_id}:{game}:{table}:{scope}"


def reliability(player_id: str) -> str:
    """Name the hash that says how a player has ended games. Disposable."""
    return f"{PROJECTIONS}reliability:{player_id}"


def steady_games(player_id: str) -> str:
    """Sorted set: the last games of a player since a time-out -> ms of their end. Disposable."""
    return f"{PROJECTIONS}steady:{player_id}"


def counted_games(game_id: str) -> str:
    """Hash: games that statistics have counted -> 1, 0 for one that others may not learn of.

    One of many: a small hash takes half of the memory. Disposable.
    """
    return f"{PROJECTIONS}counted:{crc32(game_id.encode()) % COUNTED_SHARDS}"


def voided() -> str:
    """Hash: game id -> why an operator lets the game count for no rating, as JSON."""
    return "voided"


def archive() -> str:
    """Name the hash with what the archiver has done, and what has failed. Disposable."""
    return "archive"


def archive_identity() -> str:
    """Name the string with the id of the archive that has games of this store (`archive.identity`).

    Next to the projections, not among them, because a rebuild removes those.
    """
    return "archive:identity"


def inbox(player_id: str) -> str:
    """Stream: the items of the inbox of a player (`events.lists.inbox`). Disposable."""
    return f"{PROJECTIONS}inbox:{player_id}"


def inbox_ids(player_id: str) -> str:
    """Hash: the id of an item in the inbox of a player -> the id of its entry. Disposable."""
    return f"{PROJECTIONS}inbox:{player_id}:ids"


def inbox_read(player_id: str) -> str:
    """Name the string with the last entry of the inbox that a player has read. Disposable."""
    return f"{PROJECTIONS}inbox:{player_id}:read"


def inbox_gone(player_id: str) -> str:
    """Name the string with the last entry that was taken out of an inbox. Disposable."""
    return f"{PROJECTIONS}inbox:{player_id}:gone"


def inbox_live(player_id: str) -> str:
    """Name the sharded channel of the named events of a player, in the form of `signals`."""
    return f"{PROJECTIONS}inbox:{player_id}:live"


def notified() -> str:
    """Hash: game id -> what the inboxes know of the game (`Told`). Disposable."""
    return f"{PROJECTIONS}notified"


def notice_wishes() -> str:
    """Hash: player -> what the player is notified of outside (`events.notices.wishes`), as JSON."""
    return f"{PROJECTIONS}notice_wishes"


def stale_wishes() -> str:
    """Name the set of the players whose `notice_wishes` have to be written again."""
    return "notices:stale"


def intents() -> str:
    """Sorted set: what players will be notified of outside -> ms since the epoch when it is due.

    A member is the player, the channel, the subject and the type, with blanks between them.
    """
    return f"{PROJECTIONS}intents"


def intended() -> str:
    """Hash: member of `intents` -> the newest item of the inbox that it is about, as JSON."""
    return f"{PROJECTIONS}intended"


def notice_settings(player_id: str) -> str:
    """Name the string with what a player has chosen about notices, as JSON."""
    return f"notify:{player_id}"


def push_subscriptions(player_id: str) -> str:
    """Hash: id -> a browser that a player gets notices in, as JSON."""
    return f"push:{player_id}"


def push_endpoint(endpoint_hash: str) -> str:
    """Name the string with the player and the id of the subscription that has an endpoint."""
    return f"push_endpoint:{endpoint_hash}"


def webhooks(player_id: str) -> str:
    """Hash: id -> a webhook of a player, as JSON; its secrets are encrypted."""
    return f"webhooks:{player_id}"


def email(player_id: str) -> str:
    """Name the string with the e-mail address of a player, as JSON; it expires unless confirmed."""
    return f"email:{player_id}"


def email_requests(address_hash: str) -> str:
    """Name the string that counts the mails by which an address was asked. It expires."""
    return f"email_requests:{address_hash}"


def deliveries() -> str:
    """Sorted set: messages to one endpoint that wait -> ms since the epoch when they are due."""
    return "notices:deliveries"


def delivered_texts() -> str:
    """Hash: id of a delivery that waits -> its content, as JSON."""
    return "notices:texts"


def mails() -> str:
    """Sorted set: mails that wait -> ms since the epoch when they are due."""
    return "notices:mails"


def mail_texts() -> str:
    """Hash: id of a mail that waits -> its content, as JSON."""
    return "notices:mail_texts"


def mailed(player_id: str) -> str:
    """Name the string with the time of the last e-mail of the day of a player. It expires."""
    return f"notices:mailed:{player_id}"


def delivery_log(endpoint_id: str) -> str:
    """Name the list with what became of the last deliveries to an endpoint. It expires."""
    return f"notices:log:{endpoint_id}"


def notice_counts() -> str:
    """Hash: what has become of notices -> how many, since the store began."""
    return "notices:counts"


def notice_policy() -> str:
    """Name the string with what the notifier may send to beyond the public internet."""
    return "notices:policy"


def told_lately(player_id: str) -> str:
    """Sorted set: turns that push messages were about -> ms since the epoch. It expires."""
    return f"notices:lately:{player_id}"


def turns(player_id: str) -> str:
    """Sorted set: the games in which it is a player's turn, by deadline. Disposable.

    The score is the deadline in ms since the epoch; of an untimed game it is `UNTIMED` and the time
    of the last event.
    """
    return f"{PROJECTIONS}turn:{player_id}"


def invited(player_id: str) -> str:
    """Sorted set (all scores 0): the games in which a player has an open offer. Disposable."""
    return f"{PROJECTIONS}invited:{player_id}"


def sealed_games(player_id: str) -> str:
    """Sorted set (all scores 0): the sealed games in which a player has a seat. Disposable."""
    return f"{PROJECTIONS}sealed:{player_id}"


def waiting() -> str:
    """Sorted set: the name of `due` in an earlier version; see `Projections.adopt_waiting`."""
    return f"{PROJECTIONS}waiting"


def lease(game_id: str, position: int) -> str:
    """Name the string with the token of the process that works on a game at a position."""
    return f"{{{game_id}}}:lease:{position}"


def plan(game_id: str, position: int) -> str:
    """Name the string with the moves that a bot has thought of for a position. Disposable."""
    return f"{{{game_id}}}:plan:{position}"


def analysis(game_id: str) -> str:
    """Name the hash with the analysis of a game (`events.analyses.storage`). It expires."""
    return f"{{{game_id}}}:analysis"


def analysed_decisions(game_id: str) -> str:
    """Name the list with the decisions of an analysis as JSON, in order. It expires."""
    return f"{{{game_id}}}:analysis:decisions"


def analyses() -> str:
    """Sorted set: the games whose analyses are under way -> ms since the epoch."""
    return "analyses"


def analyses_counted() -> str:
    """Name the hash that counts analyses, by what became of them. Disposable."""
    return "analyses:counted"


def learned_games(player_id: str) -> str:
    """Name the hash: the analysed games of a player -> JSON (`events.analyses.learning`)."""
    return f"{LEARNED_PREFIX}{player_id}"


def returning_mistakes() -> str:
    """Sorted set: player -> when a mistake of the player may come back, in ms. Disposable."""
    return f"{PROJECTIONS}returning_mistakes"


def returned_mistake(player_id: str) -> str:
    """Name the string with the item of the mistake that has come back to a player. Disposable."""
    return f"{PROJECTIONS}returned_mistake:{player_id}"


def analyses_of(player_id: str) -> str:
    """Sorted set: the analyses that a player has started within a day -> ms since the epoch.

    It expires.
    """
    return f"analysed:{player_id}"


def film(game_id: str, wish: str) -> str:
    """Name the hash with a film of a game, or the wish for it (`events.films`). It expires."""
    return f"{{{game_id}}}:film:{wish}"


def films() -> str:
    """Sorted set: the films under way, `<game> <wish>` -> ms since the epoch."""
    return "films"


def films_kept() -> str:
    """Sorted set: the films that are kept, `<game> <wish> <bytes>` -> ms. It expires."""
    return "films:kept"
