"""Connecting to an address that was checked, and to no other.

Between a check and a connection a name may get another address (rebinding). So the address that is
checked is the address that is connected to: the network layer of httpcore asks here, per
connection. A connection that is kept stays with its address.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import httpcore

from cartulary.notices.egress.errors import DeliveryFailed, TargetRefused

if TYPE_CHECKING:
    from cartulary.notices.egress.addresses import IPAddress
    from cartulary.notices.egress.names import Names
    from cartulary.notices.egress.policy import EgressPolicy

SocketOptions = Iterable[httpcore.SOCKET_OPTION]


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
        raise TargetRefused("not_public", "The address does not lead to the public internet.")
    return addresses


class VettedNetwork(httpcore.AsyncNetworkBackend):
    """The network of httpcore, reduced to what the policy allows."""

    def __init__(self, names: Names, policy: EgressPolicy) -> None:
        self._names = names
        self._policy = policy
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of the host that answers, after all were checked."""
        addresses = await vet(host, port, self._names, self._policy)
        failed: Exception | None = None
        for address in addresses:
            try:
                return await self._network.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise DeliveryFailed(f"{host} does not accept connections.") from failed

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: SocketOptions | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Refuse: a file of this machine is no target."""
        raise TargetRefused("not_public", "A file is not an address.")

    async def sleep(self, seconds: float) -> None:
        """Wait, for httpcore's own retries."""
        await self._network.sleep(seconds)
