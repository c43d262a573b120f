"""Publications: to channels of all, and to channels that belong to a slot."""

from __future__ import annotations

from typing import Final

from simulation.store.commands.shape import all_keys, first_key
from simulation.store.own.transactions import refuse_inside
from simulation.store.serving.bare_server import BareServer, Listeners, drop_listener
from simulation.store.serving.own_command import OwnCommand
from simulation.store.values.replies import StoreReply, Words
from simulation.store.values.session import ModelSession


def publish(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """PUBLISH channel message; how many sessions hear it."""
    return _tell(server.channels, b"message", words)


def publish_to_shard(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SPUBLISH channel message; the channel is in the slot of its name."""
    return _tell(server.shards, b"smessage", words)


def _tell(channels: Listeners, kind: bytes, words: Words) -> int:
    listeners = channels.get(words[1], ())
    for listener in listeners:
        listener.hear([kind, words[1], words[2]])
    return len(listeners)


def subscribe(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SUBSCRIBE channel …; the first confirmation is the answer, the others are heard later."""
    return _join(server.channels, session.channels, session, b"subscribe", words)


def subscribe_to_shards(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SSUBSCRIBE channel …."""
    return _join(server.shards, session.shards, session, b"ssubscribe", words)


def _join(
    channels: Listeners,
    mine: dict[bytes, None],
    session: ModelSession,
    kind: bytes,
    words: Words,
) -> StoreReply:
    if session.resp == 2:
        refuse_inside(session, kind.decode())
    confirmed: list[StoreReply] = []
    for channel in words[1:]:
        mine[channel] = None
        channels.setdefault(channel, {})[session] = None
        confirmed.append([kind, channel, len(mine)])
    return _confirm(session, confirmed)


def unsubscribe(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """UNSUBSCRIBE, of all channels or of some."""
    return _leave(server.channels, session.channels, session, b"unsubscribe", words)


def unsubscribe_from_shards(server: BareServer, session: ModelSession, words: Words) -> StoreReply:
    """SUNSUBSCRIBE, of all channels or of some."""
    return _leave(server.shards, session.shards, session, b"sunsubscribe", words)


def _leave(
    channels: Listeners,
    mine: dict[bytes, None],
    session: ModelSession,
    kind: bytes,
    words: Words,
) -> StoreReply:
    confirmed: list[StoreReply] = []
    for channel in words[1:] or [*mine]:
        mine.pop(channel, None)
        drop_listener(channels, channel, session)
        confirmed.append([kind, channel, len(mine)])
    return _confirm(session, confirmed or [[kind, None, 0]])


def _confirm(session: ModelSession, confirmed: list[StoreReply]) -> StoreReply:
    for one in confirmed[1:]:
        session.hear(one)
    return confirmed[0]


COMMANDS: Final = {
    b"PUBLISH": OwnCommand(publish, 3, "l"),
    b"SPUBLISH": OwnCommand(publish_to_shard, 3, "l", first_key),
    b"SUBSCRIBE": OwnCommand(subscribe, -2, "spl"),
    b"SSUBSCRIBE": OwnCommand(subscribe_to_shards, -2, "spl", all_keys),
    b"UNSUBSCRIBE": OwnCommand(unsubscribe, -1, "spl"),
    b"SUNSUBSCRIBE": OwnCommand(unsubscribe_from_shards, -1, "spl", all_keys),
}
