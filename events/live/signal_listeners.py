"""Ears: who hears the signals of which channels. They belong to the hub, which holds its lock."""

from __future__ import annotations

from cartulary.events.live.subscriptions import Hearing, LiveEvent, Subscription, give


class Ears:
    """The subscribers who hear signals, by the channel."""

    def __init__(self) -> None:
        self._by_channel: dict[str, dict[Hearing, None]] = {}

    @property
    def channels(self) -> list[str]:
        """The channels that have listeners."""
        return list(self._by_channel)

    def __contains__(self, channel: str) -> bool:
        """Return whether a channel has listeners."""
        return channel in self._by_channel

    def add(self, hearing: Hearing) -> list[str]:
        """Add a subscriber; return the channels that are new."""
        found = [channel for channel in hearing.wanted if channel not in self._by_channel]
        for channel in hearing.wanted:
            self._by_channel.setdefault(channel, {})[hearing] = None
        return found

    def remove(self, hearing: Hearing) -> list[str]:
        """Remove a subscriber; return the channels without listeners."""
        deserted = []
        for channel in hearing.wanted:
            hearers = self._by_channel.get(channel)
            if hearers is not None and hearing in hearers:
                del hearers[hearing]
                if not hearers:
                    del self._by_channel[channel]
                    deserted.append(channel)
        return deserted

    def hand_over(self, channel: str, name: str, data: bytes, limit: int) -> list[Subscription]:
        """Hand a signal to all who want it; returns those that were dropped as too slow."""
        hearers = self._by_channel.get(channel, ())
        wanting = [hearing for hearing in hearers if name in hearing.wanted[channel]]
        return give(wanting, [LiveEvent(0, name, data)], limit)
