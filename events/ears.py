"""Ears: who hears the signals of which channels. They belong to the hub, which holds its lock."""

from __future__ import annotations

from cartulary.events.subscriptions import Form, Hearing, Listener, LiveEvent


class Ears:
    """The subscribers who hear signals, by the channel."""

    def __init__(self) -> None:
        self._by_channel: dict[str, dict[Hearing, None]] = {}

    @property
    def channels(self) -> list[str]:
        """The channels that somebody hears."""
        return list(self._by_channel)

    def add(self, hearing: Hearing) -> list[str]:
        """Add a subscriber; return the channels that nobody has heard before."""
        found = [channel for channel in hearing.wanted if channel not in self._by_channel]
        for channel in hearing.wanted:
            self._by_channel.setdefault(channel, {})[hearing] = None
        return found

    def remove(self, hearing: Hearing) -> list[str]:
        """Remove a subscriber; return the channels that nobody hears any more."""
        deserted = []
        for channel in hearing.wanted:
            hearers = self._by_channel.get(channel)
            if hearers is not None and hearing in hearers:
                del hearers[hearing]
                if not hearers:
                    del self._by_channel[channel]
                    deserted.append(channel)
        return deserted

    def hand_over(self, channel: str, name: str, data: bytes, limit: int) -> list[Hearing]:
        """Hand a signal to all who want it, to the listeners of one form at once.

        Returns the subscribers that were dropped because they were too slow.
        """
        event = LiveEvent(0, name, data)
        groups: dict[Form, list[Listener]] = {}
        dropped = []
        for hearing in self._by_channel.get(channel, ()):
            if hearing.closed or name not in hearing.wanted[channel]:
                continue
            if hearing.listener is not None:
                groups.setdefault(hearing.listener.form, []).append(hearing.listener)
                continue
            hearing.queue([event], limit)
            if hearing.dropped:
                dropped.append(hearing)
        for form, listeners in groups.items():
            form.hand_over(listeners, [event])
        return dropped
