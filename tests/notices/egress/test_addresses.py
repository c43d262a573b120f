"""RFC 6890: an address that is not of the public internet is refused, however it is written."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cartulary.notices.egress.addresses import is_public, unwrap

PUBLIC = ("93.184.216.34", "1.1.1.1", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001::1")

HIDDEN = (
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "198.18.0.1"),
    *("192.0.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "240.0.0.1", "255.255.255.255"),
    *("224.0.0.1", "239.255.255.250", "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1"),
    *("fec0::1", "ff02::1", "2001:db8::1", "100::1", "4000::1"),
)

WRAPPED = (
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:0:10.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::1"),
    *("2002:c0a8:101::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
)


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_the_internet_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", HIDDEN)
def test_an_address_of_a_private_or_special_network_is_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", WRAPPED)
def test_a_private_address_inside_an_ipv6_address_is_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4))
def test_each_wrapping_is_as_public_as_the_address_in_it(bare: ipaddress.IPv4Address) -> None:
    for prefix in ("::ffff:", "64:ff9b::", "::ffff:0:"):
        wrapped = ipaddress.ip_address(f"{prefix}{bare}")
        assert unwrap(wrapped) == bare
        assert is_public(wrapped) == is_public(bare)
