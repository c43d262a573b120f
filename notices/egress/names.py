"""From a name to addresses, within a bounded time and without a thread."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Final

import dns.asyncresolver
import dns.exception
import dns.nameserver

from cartulary.notices.egress.addresses import IPAddress
from cartulary.notices.egress.errors import DeliveryFailed

SECONDS: Final = 3.0
"""A name server that does not answer must not hold up the deliveries behind it."""


class Names:
    """Resolves names at the name servers given, else at those of `/etc/resolv.conf`.

    `getaddrinfo` would also read `/etc/hosts`, where names of the operator's network stand, and it
    blocks a thread for as long as it likes.
    """

    def __init__(self, resolvers: Sequence[str] = ()) -> None:
        self._resolver = dns.asyncresolver.Resolver(configure=not resolvers)
        if resolvers:
            self._resolver.nameservers = [_read_server(text) for text in resolvers]
        # A name without a dot is a name of the operator's network.
        self._resolver.search = []
        self._resolver.cache = None

    async def resolve(self, host: str) -> list[IPAddress]:
        """Return all addresses of a host, IPv4 and IPv6; an address is its own result.

        Raises:
            DeliveryFailed: the name does not exist, has no address, or took too long.
        """
        try:
            return [ipaddress.ip_address(host)]
        except ValueError:
            pass  # It is a name: it is resolved below.
        try:
            answers = await self._resolver.resolve_name(f"{host}.", lifetime=SECONDS)
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise DeliveryFailed(f"The name {host} could not be resolved.") from error
        return [ipaddress.ip_address(text) for text in answers.addresses()]


def _read_server(text: str) -> dns.nameserver.Nameserver:
    host, _, port = text.rpartition(":")
    if not host:
        host, port = text, "53"
    return dns.nameserver.Do53Nameserver(host, int(port))
