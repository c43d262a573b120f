"""MULTI, EXEC, DISCARD, WATCH, UNWATCH."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import all_keys
from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import OK, Blocked, ErrorReply, StoreRefusal, StoreReply, Words
from simulation.store.values.session import ModelSession


def refuse_inside(session: ModelSession, name: str) -> None:
    """Raise `StoreRefusal` in a transaction, which is not run then."""
    if session.queue is not None:
        session.has_failed = True
        raise StoreRefusal(f"Command '{name}' not allowed inside a transaction")


def begin(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """MULTI."""
    refuse_inside(session, "multi")
    session.queue = []
    return OK


def discard(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """DISCARD."""
    if session.queue is None:
        raise StoreRefusal("DISCARD without MULTI")
    session.end_transaction()
    return OK


def watch(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """WATCH key …; what has expired before is missing, and no change later."""
    refuse_inside(session, "watch")
    space = server.open_space(session.database)
    for key in words[1:]:
        space.find(key)
        if (space, key) not in session.watched:
            session.watched.append((space, key))
            space.watchers.setdefault(key, []).append(session)
    return OK


def unwatch(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """UNWATCH."""
    session.unwatch()
    return OK


def execute(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """EXEC: all commands without another one between them; nil where a watched key has changed."""
    queue = session.queue
    if queue is None:
        raise StoreRefusal("EXEC without MULTI")
    has_failed = session.has_failed
    for space, key in session.watched:
        space.now = server.now
        space.find(key)
    is_dirty = session.is_dirty
    session.end_transaction()
    refusal = server.find_trouble(session, queue)
    if refusal is not None:
        said = f"Transaction discarded because of: {refusal.reply().write()}"
        return ErrorReply("EXECABORT", said)
    if has_failed:
        return ErrorReply("EXECABORT", "Transaction discarded because of previous errors.")
    if is_dirty:
        return None
    server.is_in_transaction = True
    try:
        return [_run(server, session, one) for one in queue]
    finally:
        server.is_in_transaction = False


def _run(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """Return the answer to a command, nil in place of waiting."""
    reply = server.run_one(session, words)
    if isinstance(reply, Blocked):
        return None
    return server.translate(words, reply) if session.resp == 3 else reply


COMMANDS: Final = {
    b"MULTI": OwnCommand(begin, 1, "sl"),
    b"EXEC": OwnCommand(execute, 1, "sl"),
    b"DISCARD": OwnCommand(discard, 1, "sl"),
    b"WATCH": OwnCommand(watch, -2, "sl", all_keys),
    b"UNWATCH": OwnCommand(unwatch, 1, "sl"),
}
