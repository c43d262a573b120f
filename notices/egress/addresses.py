"""Which IP addresses are public: RFC 6890 and its registries, after every known wrapping."""

from __future__ import annotations

import ipaddress
from typing import Final, TypeAlias

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
IPNetwork: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
"""RFC 4291, section 2.4: IANA assigns public addresses of IPv6 from here and from nowhere else."""

WRAPPING: Final[tuple[tuple[ipaddress.IPv6Network, int], ...]] = (
    # The network, and how many bits stand to the right of the IPv4 address in it.
    (ipaddress.IPv6Network("::ffff:0:0/96"), 0),  # mapped: RFC 4291, section 2.5.5.2
    (ipaddress.IPv6Network("::/96"), 0),  # compatible: RFC 4291, section 2.5.5.1
    (ipaddress.IPv6Network("::ffff:0:0:0/96"), 0),  # translated: RFC 2765, section 2.1
    (ipaddress.IPv6Network("64:ff9b::/96"), 0),  # NAT64: RFC 6052, section 2.1
    (ipaddress.IPv6Network("2002::/16"), 80),  # 6to4: RFC 3056, section 2
)
"""A router may deliver to the IPv4 address that stands in an address of these networks."""


def unwrap(address: IPAddress) -> IPAddress:
    """Return the IPv4 address that stands in an IPv6 address, else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    for network, right in WRAPPING:
        if address in network:
            return ipaddress.IPv4Address(int(address) >> right & 0xFFFF_FFFF)
    return address


def is_public(address: IPAddress) -> bool:
    """Say whether an address leads to the public internet and to one host there."""
    bare = unwrap(address)
    if bare.is_multicast or bare.is_reserved or not bare.is_global:
        return False
    return isinstance(bare, ipaddress.IPv4Address) or bare in GLOBAL_UNICAST
