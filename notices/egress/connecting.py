"""Connecting to an address that was checked, and to no other.

Between a check and a connection a name may get another address (rebinding). So the address that is
checked is the address that is connected to: aiohttp resolves here, per connection, and makes its
sockets here. A connection that is kept stays with its address.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any

from aiohttp.abc import AbstractResolver, ResolveResult

from cartulary.notices.egress.errors import TargetRefused

if TYPE_CHECKING:
    from cartulary.notices.egress.addresses import IPAddress
    from cartulary.notices.egress.names import Names
    from cartulary.notices.egress.policy import EgressPolicy


async def vet(host: str, port: int, names: Names, policy: EgressPolicy) -> list[IPAddress]:
    """Return the addresses of a host when *every one* of them may be sent to.

    A name with a public and a private address is refused: which of them a connection would take is
    a matter of chance.

    Raises:
        TargetRefused: one of the addresses may not be sent to.
        DeliveryFailed: the name could not be resolved.
    """
    addresses = await names.resolve(host)
    if not addresses or not all(policy.allows(address, port) for address in addresses):
        raise _refuse()
    return addresses


class VettedResolver(AbstractResolver):
    """Resolves names for aiohttp: all addresses of a name, after all of them were checked."""

    def __init__(self, names: Names, policy: EgressPolicy) -> None:
        self._names = names
        self._policy = policy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host. Raises as `vet` does."""
        addresses = await vet(host, port, self._names, self._policy)
        return [_write_result(host, port, address) for address in addresses]

    async def close(self) -> None:
        """Do nothing: a query holds no socket when it is over."""


class VettedSockets:
    """Makes the sockets of aiohttp.

    A host that looks like an address, as 127.0.0.1 and 2130706433 do, is never given to the
    resolver: what a socket is about to connect to is looked at here.
    """

    def __init__(self, policy: EgressPolicy) -> None:
        self._policy = policy

    def __call__(self, info: tuple[Any, Any, int, str, tuple[Any, ...]]) -> socket.socket:
        """Return a socket for an address. Raises `TargetRefused`."""
        family, kind, protocol, _, (host, port, *_) = info
        try:
            is_allowed = self._policy.allows(ipaddress.ip_address(host), port)
        except ValueError:
            is_allowed = False
        if not is_allowed:
            raise _refuse()
        return socket.socket(family, kind, protocol)


def _refuse() -> TargetRefused:
    return TargetRefused("not_public", "The address does not lead to the public internet.")


def _write_result(host: str, port: int, address: IPAddress) -> ResolveResult:
    return ResolveResult(
        hostname=host,
        host=str(address),
        port=port,
        family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
        proto=0,
        flags=socket.AI_NUMERICHOST,
    )
