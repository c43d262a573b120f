"""What an operator allows beyond the public internet, and through which proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from cartulary.notices.egress.addresses import IPAddress, IPNetwork, is_public, unwrap

PORTS: Final = frozenset({443, 8443})
"""Ports of the public internet: no mail server, no database listens there."""


@dataclass(frozen=True, slots=True)
class AllowedNetwork:
    """A network of the operator whose hosts may be sent to, on one port."""

    network: IPNetwork
    port: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read `10.0.0.0/8:8443` or `[fd00::/8]:443`; raises `ValueError` for all else."""
        network, _, port = text.strip().rpartition(":")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise ValueError(f"{text!r} must be CIDR:port, as in 192.168.1.0/24:8443")
        return cls(ipaddress.ip_network(network.removeprefix("[").removesuffix("]")), int(port))

    def __str__(self) -> str:
        """Return the form that `read` reads."""
        six = isinstance(self.network, ipaddress.IPv6Network)
        return f"[{self.network}]:{self.port}" if six else f"{self.network}:{self.port}"


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """Where messages may go.

    `allow`: networks of the operator, for clubs in one network, examples and tests; empty by
    default. `certificates`: a file in PEM with authorities for them. `proxy`: the address of an
    HTTP proxy, which resolves names a second time and so must refuse private addresses itself.
    `resolvers`: name servers as `host` or `host:port`, else those of `/etc/resolv.conf`.
    """

    allow: tuple[AllowedNetwork, ...] = ()
    certificates: str = ""
    proxy: str = ""
    resolvers: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Read `CARTULARY_EGRESS_ALLOW|CA|PROXY|RESOLVERS`; raises `ValueError` with the name.

        A proxy of the environment (`HTTPS_PROXY`) is not used: it may reach what we may not.
        """
        asked = {
            name: environment.get(f"CARTULARY_EGRESS_{name}", "")
            for name in ("ALLOW", "CA", "PROXY", "RESOLVERS")
        }
        try:
            allow = tuple(map(AllowedNetwork.read, asked["ALLOW"].replace(",", " ").split()))
        except ValueError as error:
            raise ValueError(f"CARTULARY_EGRESS_ALLOW: {error}") from error
        resolvers = tuple(asked["RESOLVERS"].replace(",", " ").split())
        return cls(allow, asked["CA"], asked["PROXY"], resolvers)

    def allows_port(self, port: int) -> bool:
        """Say whether any address on this port may be sent to."""
        return port in PORTS or any(port == allowed.port for allowed in self.allow)

    def allows(self, address: IPAddress, port: int) -> bool:
        """Say whether this address on this port may be sent to."""
        if port in PORTS and is_public(address):
            return True
        bare = unwrap(address)
        return any(port == allowed.port and bare in allowed.network for allowed in self.allow)
