"""The targets: what reads bytes that come from outside."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

import orjson

from cartulary.engine.errors import TranscriptError
from cartulary.engine.transcript import read
from cartulary.events.archive.dictionaries import Codecs
from cartulary.events.archive.errors import ArchiveDamaged
from cartulary.events.archive.packing import put_together, take_apart
from cartulary.events.archive.rows import GameRow, compute_seal, pack_row, unpack_row
from cartulary.events.backup.container import BackupWriter, read_records
from cartulary.events.backup.errors import BackupError
from cartulary.events.backup.load import check_file
from cartulary.events.ledger.streams import decode_for_fold, deliver_event
from cartulary.events.model.effects.fold import evolve, fold
from cartulary.events.model.failures import BrokenHistory, NewerRelease
from cartulary.games import GAMES
from cartulary.notices.egress import Reply
from cartulary.outside.protocol import BadAnswer, read_answer, read_info, read_move, read_name
from cartulary.workers.notices import bot_requests
from simulation.fuzzing.samples import PATH, make_archived, make_backup, open_service
from simulation.fuzzing.target import Broke, FuzzTarget

MEMBERS: Final = ("type", "version", "schema", "seat", "move", "chance", "facts", "prev", "at")


# -- transcripts ----------------------------------------------------------------------------------


def read_transcript(data: bytes) -> None:
    """Read a transcript as an import does."""
    read(data, GAMES)


def list_transcripts() -> Iterable[bytes]:
    """Return a transcript of each game."""
    service = open_service()
    return map(service.transcript, service.games)


# -- backups --------------------------------------------------------------------------------------


def read_backup_file(data: bytes) -> None:
    """Check a file as `restore` does before it writes anything."""
    check_file(io.BytesIO(data))


def read_backup_lines(data: bytes) -> None:
    """Check a file whose lines are hostile and whose checksums hold, as a person may make it."""
    file = io.BytesIO()
    writer = BackupWriter(file)
    for line in data.split(b"\n"):
        try:
            record = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            writer.write(record)
    writer.finish()
    check_file(file)


def list_backup_lines() -> Iterable[bytes]:
    """Return the lines of a backup: all of them, and fewer, which fit into an input."""
    lines = [orjson.dumps(line) for _, line in read_records(io.BytesIO(make_backup()))]
    short = [line for line in lines[1:-1] if len(line) < 600]
    yield b"\n".join(lines)
    for begin in range(0, len(short), 10):
        yield b"\n".join((lines[0], *short[begin : begin + 10], lines[-1]))


# -- the archive ----------------------------------------------------------------------------------


def read_archived_row(data: bytes) -> None:
    """Unpack a row whose bytes are hostile and whose seal holds.

    The first byte says whose place the rest takes: events, hashes, side keys, packed or as it is.
    """
    kind, rest = (data[0], data[1:]) if data else (0, b"")
    codecs = Codecs()
    columns, people = pack_row(make_archived(), codecs)
    name = ("events", "hashes", "beside", "summary")[kind % 4]
    columns[name] = codecs.plain.pack(rest) if kind & 4 else rest
    if kind & 8:
        columns["version"] = rest.count(b"\n") + 1
    columns["seal"] = compute_seal(columns, people)
    unpack_row(GameRow(columns, people), codecs)


def list_archived_rows() -> Iterable[bytes]:
    """Return each column of a row, packed and not."""
    columns, _ = pack_row(make_archived(), codecs := Codecs())
    for number, name in enumerate(("events", "hashes", "beside", "summary")):
        yield bytes((number,)) + columns[name]
        if name != "hashes":
            yield bytes((number | 4,)) + codecs.plain.unpack(columns[name])


def pack_texts(data: bytes) -> None:
    """Take any texts apart and put them together again."""
    texts = data.split(b"\xff")
    back, _ = put_together(take_apart(texts), len(texts))
    if list(back) != texts:
        raise Broke(f"the texts came back as {back!r}")


# -- streams --------------------------------------------------------------------------------------


def read_stored_event(data: bytes) -> None:
    """Fold a game whose last event is hostile, and show that event."""
    service = open_service()
    game_id = service.games[data[0] % 2 if data else 0]
    texts = service.texts(game_id)
    rules = service.store.rules
    before = fold(rules, game_id, None, _decode(game_id, texts[: MOVED + 1]))
    (event,) = _decode(game_id, [data[1:]])
    evolve(rules, game_id, before, event)
    deliver_event(game_id, b"1-0", {b"event": data[1:]})


MOVED: Final = 6
"""The moves before the hostile event."""


def _decode(game_id: str, texts: Iterable[bytes]) -> list[dict[str, object]]:
    entries = [(b"%d-0" % at, {b"event": text}) for at, text in enumerate(texts, start=1)]
    return decode_for_fold(game_id, entries)


def list_stored_events() -> Iterable[bytes]:
    """Return the events of a game of each kind."""
    service = open_service()
    for number, game_id in enumerate(service.games):
        yield from (bytes((number,)) + text for text in service.texts(game_id)[:-1])


# -- cursors --------------------------------------------------------------------------------------

ADDRESSES: Final = (
    "/games?cursor={}",
    "/games/{game}/events?after={}",
    "/games/{game}/story?after={}",
    "/games/{game}/messages?after={}",
    "/games?player=me&cursor={}",
    "/players/me/inbox?after={}",
    "/bots?cursor={}",
    "/tournaments?cursor={}",
    "/streams?games={game}&cursor={}",
    "/streams?games={game}&after={}",
    "/lobby/stream?after={}",
)
STREAMS: Final = ("/games/{game}/events", "/players/me/inbox/stream", "/streams?games={game}")
"""Streams, which read the header Last-Event-ID."""


def send_cursor(data: bytes) -> None:
    """Send a cursor to the address that the first byte chooses; judge the answer."""
    service = open_service()
    kind, rest = (data[0], data[1:]) if data else (0, b"")
    headers = {**service.headers, "Accept": "text/event-stream" if kind & 16 else "*/*"}
    game = service.games[0]
    if kind & 32:
        # A server refuses bytes in a header that are no Latin-1 without a control character.
        text = "".join(chr(byte) for byte in rest if byte >= 32 and byte != 127)
        path = STREAMS[kind % len(STREAMS)].format(game=game)
        headers |= {"Accept": "text/event-stream", "Last-Event-ID": text}
    else:
        path = ADDRESSES[kind % 16 % len(ADDRESSES)].format(quote(rest), game=game)
    answer = service.app.test_client().get(PATH + path, headers=headers, buffered=False)
    status, code = answer.status_code, None
    if status >= 400:
        code = (answer.get_json(silent=True) or {}).get("code")
    answer.close()
    if status >= 500 or (status >= 400 and not code):
        raise Broke(f"{path} answered {status} with the code {code}")


def list_cursors() -> Iterable[bytes]:
    """Return cursors for each address and stream; the cursor of the list of games is a real one."""
    service = open_service()
    answer = service.app.test_client().get(f"{PATH}/games?limit=1", headers=service.headers)
    page: Any = answer.json
    yield b"\0" + page["next_cursor"].encode()
    for kind in range(64):
        yield bytes((kind,)) + b"12"
        yield bytes((kind,)) + b"1764180000000-0"


# -- bots -----------------------------------------------------------------------------------------


def read_webhook_answer(data: bytes) -> None:
    """Read what the webhook of a bot has answered; the first byte chooses the status."""
    status = (200, 202, 204, 404)[data[0] % 4] if data else 200
    bot_requests.read_answer(Reply(status, {}, data[1:]), "")


def read_engine_line(data: bytes) -> None:
    """Read a line of an engine as each of the answers that it may be."""
    answer = read_answer(data, 7)
    for reader in (read_name, read_move, read_info):
        try:
            reader(answer)
        except BadAnswer:
            continue


MOVE: Final = b'{"id":7,"move":{"type":"place","x":0,"y":1,"rotation":90},"info":{"score":1.5}}'

TARGETS: Final = {
    target.name: target
    for target in (
        FuzzTarget(
            "transcript",
            read_transcript,
            (TranscriptError,),
            list_transcripts,
            ("format", "cartulary/1", "game", "seats", "setup", "draws", "moves", "bag", "result"),
        ),
        FuzzTarget(
            "backup_file", read_backup_file, (BackupError,), lambda: [make_backup()], most=65536
        ),
        FuzzTarget(
            "backup_lines",
            read_backup_lines,
            (BackupError, NewerRelease),
            list_backup_lines,
            ("key", "type", "value", "last", "more", "end", "base64", "stream", "hash", "set"),
            most=32768,
        ),
        FuzzTarget("archived_row", read_archived_row, (ArchiveDamaged,), list_archived_rows),
        FuzzTarget(
            "archived_texts",
            pack_texts,
            (),
            lambda: [b"\xff".join(make_archived().texts)],
            ('"prev":"', '"version":1', "\x1b", "\x01", "\x02", "\x03", "\x04"),
        ),
        FuzzTarget(
            "stored_event",
            read_stored_event,
            (BrokenHistory, NewerRelease),
            list_stored_events,
            MEMBERS,
        ),
        FuzzTarget("cursor", send_cursor, (), list_cursors, most=300),
        FuzzTarget(
            "webhook_answer",
            read_webhook_answer,
            (bot_requests.NoMoveAnswered,),
            lambda: [b"\0" + MOVE, b"\1", b"\3gone"],
            ("move", "type", "resign"),
        ),
        FuzzTarget(
            "engine_line",
            read_engine_line,
            (BadAnswer,),
            lambda: [MOVE, b'{"id":7,"name":"A","author":"B"}', b'{"id":7,"resign":true}'],
            ("id", "move", "resign", "name", "author", "info"),
        ),
    )
}
