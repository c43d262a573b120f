"""What a client says of itself, and simple questions: HELLO, CLIENT, SELECT, PING, TIME, WAIT."""

from __future__ import annotations

from typing import Final

from simulation.store.serving.bare_server import BareServer
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import (
    BLOCKED,
    OK,
    Blocked,
    Simple,
    StoreRefusal,
    StoreReply,
    Unmodelled,
    Words,
    read_int,
    refuse_syntax,
)
from simulation.store.values.session import BlockedWait, ModelSession, Tracking

NO_PASSWORD: Final = (
    "AUTH <password> called without any password configured for the default user. Are you sure "
    "your configuration is correct?"
)

FIRST_PORT: Final = 40_000
"""The port of a client is so much more than the number of its connection."""


def greet(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """HELLO with the version of the protocol, AUTH and SETNAME."""
    if len(words) > 1:
        version = read_int(words[1], "Protocol version is not an integer or out of range")
        if version not in (2, 3):
            raise StoreRefusal("unsupported protocol version", "NOPROTO")
        place = 2
        while place < len(words):
            option = words[place].upper()
            if option == b"AUTH" and place + 2 < len(words):
                place += 3
            elif option == b"SETNAME" and place + 1 < len(words):
                session.name = words[place + 1]
                place += 2
            else:
                shown = words[place].decode(errors="replace")
                raise StoreRefusal(f"Syntax error in HELLO option '{shown}'")
        session.resp = version
    return [
        *(b"server", b"valkey", b"version", b"9.1.2", b"proto", session.resp),
        *(b"id", session.number, b"mode", b"cluster" if server.cluster else b"standalone"),
        *(b"role", b"replica" if server.master else b"master", b"modules", []),
    ]


def authenticate(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """AUTH; the model has no passwords."""
    raise StoreRefusal(NO_PASSWORD)


def select(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SELECT number."""
    number = read_int(words[1], "value is not an integer or out of range")
    if server.cluster and number:
        raise StoreRefusal("SELECT is not allowed in cluster mode")
    if not 0 <= number < 16:
        raise StoreRefusal("DB index is out of range")
    session.database = number
    return OK


def ping(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """PING, with a text that comes back; a list for a session with subscriptions (RESP2)."""
    if len(words) > 2:
        raise StoreRefusal("wrong number of arguments for 'ping' command")
    text = words[1] if len(words) == 2 else None
    if session.is_subscriber:
        return [b"pong", text or b""]
    return Simple("PONG") if text is None else text


def echo(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """ECHO text."""
    return words[1]


def tell_time(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """TIME: seconds and microseconds."""
    return [b"%d" % (server.now // 1000), b"%d" % (server.now % 1000 * 1000)]


def leave(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """QUIT."""
    server.close(session)
    return OK


def reset(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """RESET: as a fresh connection."""
    server.unsubscribe_all(session)
    session.end_transaction()
    session.resp, session.database, session.name = 2, 0, b""
    session.is_asking = session.is_reader = False
    server.stop_tracking(session)
    return Simple("RESET")


def manage_client(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """CLIENT ID, SETNAME, GETNAME, LIST, SETINFO, TRACKING, TRACKINGINFO."""
    action = words[1].upper()
    if action == b"ID":
        return session.number
    if action == b"SETNAME" and len(words) == 3:
        session.name = words[2]
        return OK
    if action == b"GETNAME":
        return session.name or None
    if action == b"LIST" and len(words) == 2:
        return b"".join(_describe_session(server, one) for one in server.sessions.values())
    if action == b"SETINFO" and len(words) == 4:
        return OK
    if action == b"TRACKING":
        return _track(server, session, words)
    if action == b"TRACKINGINFO":
        return _tell_tracking(server, session)
    if action == b"MAINT_NOTIFICATIONS":
        # redis-py asks for what another product has, and goes on without it.
        raise StoreRefusal(f"unknown subcommand '{words[1].decode()}'. Try CLIENT HELP.")
    raise Unmodelled(f"CLIENT {action.decode(errors='replace')}")


def _describe_session(server: BareServer, session: ModelSession) -> bytes:
    """Return a line of CLIENT LIST: of its fields those that say who it is."""
    place = f"laddr={server.host}:{server.port}"
    who = f"id={session.number} addr=127.0.0.1:{FIRST_PORT + session.number} {place}"
    return f"{who} name=".encode() + session.name + f" db={session.database}\n".encode()


def _track(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """Track changes of all keys, and tell another session (`ON REDIRECT id BCAST`), or stop."""
    wishes = [word.upper() for word in words[2:]]
    if wishes == [b"OFF"]:
        server.stop_tracking(session)
        return OK
    if len(wishes) != 4 or (wishes[0], wishes[1], wishes[3]) != (b"ON", b"REDIRECT", b"BCAST"):
        raise Unmodelled("CLIENT TRACKING but for ON REDIRECT id BCAST")
    redirect = read_int(words[4])
    if redirect not in server.sessions:
        raise StoreRefusal("The client ID you want redirect to does not exist")
    server.start_tracking(session, Tracking(redirect))
    return OK


def _tell_tracking(server: BareServer, session: ModelSession) -> StoreReply:
    tracking = session.tracking
    if tracking is None:
        return [b"flags", [b"off"], b"redirect", -1, b"prefixes", []]
    flags: list[StoreReply] = [b"on", b"bcast"]
    if tracking.redirect not in server.sessions:
        flags.append(b"broken_redirect")
    return [b"flags", flags, b"redirect", tracking.redirect, b"prefixes", [b""]]


def wait_for_replicas(
    server: BareServer, session: ModelSession, words: Words
) -> StoreReply | Blocked:
    """WAIT number ms: how many replicas have what this session has written."""
    replicas = read_int(words[1])
    timeout = read_int(words[2], "timeout is not an integer or out of range")
    if timeout < 0:
        raise StoreRefusal("timeout is negative")
    if server.master is not None:
        raise StoreRefusal(
            "WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
            "a replica is configured to be writable (which is not the default) writes to replicas "
            "are just local and are not propagated."
        )
    found = server.count_replicas(session.offset)
    if found >= replicas or session.queue is not None or server.is_in_transaction:
        return found
    until = server.now + timeout if timeout else None
    server.let_wait(session, BlockedWait((), (), until, replicas, session.offset))
    return BLOCKED


def end_server(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SHUTDOWN: everything is written, and the connections end without an answer."""
    if len(words) > 2 or (len(words) == 2 and words[1].upper() not in (b"SAVE", b"NOSAVE")):
        raise refuse_syntax()
    server.stop()
    return None


COMMANDS: Final = {
    b"HELLO": OwnCommand(greet, -1, "sl"),
    b"AUTH": OwnCommand(authenticate, -2, "sl"),
    b"SELECT": OwnCommand(select, 2, "l"),
    b"PING": OwnCommand(ping, -1, "p"),
    b"ECHO": OwnCommand(echo, 2),
    b"TIME": OwnCommand(tell_time, 1, "l"),
    b"QUIT": OwnCommand(leave, -1, "spl"),
    b"RESET": OwnCommand(reset, 1, "spl"),
    b"CLIENT": OwnCommand(manage_client, -2, "sl"),
    b"WAIT": OwnCommand(wait_for_replicas, 3),
    b"SHUTDOWN": OwnCommand(end_server, -1, "sl"),
}
