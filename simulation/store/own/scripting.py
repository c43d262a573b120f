"""EVAL, EVALSHA and SCRIPT."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import counted_keys
from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import (
    OK,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
    refuse_syntax,
)
from simulation.store.values.session import ModelSession


def run_text(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """EVAL text number key … value …; the server knows the script afterwards."""
    count = _read_count(words)
    if words[1].startswith(b"#!"):
        raise Unmodelled("a script with a line of flags")
    return _run(server, session, server.scripts.learn(words[1]), words, count)


def run_known(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """EVALSHA digest number key … value …."""
    count = _read_count(words)
    if not server.scripts.knows(words[1]):
        raise StoreRefusal("No matching script.", "NOSCRIPT")
    return _run(server, session, words[1], words, count)


def _read_count(words: Words) -> int:
    count = read_int(words[2])
    if count > len(words) - 3:
        raise StoreRefusal("Number of keys can't be greater than number of args")
    if count < 0:
        raise StoreRefusal("Number of keys can't be negative")
    return count


def _run(
    server: BareServer, session: ModelSession, digest: bytes, words: Words, count: int
) -> StoreReply:
    with server.hold_for_script(session, words[3 : 3 + count]):
        return server.scripts.run(digest, words[3 : 3 + count], words[3 + count :])


def manage(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SCRIPT LOAD text, SCRIPT EXISTS digest …, SCRIPT FLUSH."""
    action = words[1].upper()
    if action == b"LOAD" and len(words) == 3:
        return server.scripts.learn(words[2])
    if action == b"EXISTS" and len(words) > 2:
        return [int(server.scripts.knows(digest)) for digest in words[2:]]
    if action == b"FLUSH":
        if any(word.upper() not in (b"SYNC", b"ASYNC") for word in words[2:]):
            raise refuse_syntax()
        server.scripts.forget()
        return OK
    raise Unmodelled(f"SCRIPT {action.decode(errors='replace')}")


COMMANDS: Final = {
    b"EVAL": OwnCommand(run_text, -3, "s", counted_keys(2)),
    b"EVALSHA": OwnCommand(run_known, -3, "s", counted_keys(2)),
    b"SCRIPT": OwnCommand(manage, -2, "s"),
}
