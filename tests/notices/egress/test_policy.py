"""What an operator allows beyond the public internet."""

from __future__ import annotations

import ipaddress

import pytest

from cartulary.notices.egress import EgressPolicy
from cartulary.notices.egress.policy import AllowedNetwork

LOOPBACK = ipaddress.ip_address("127.0.0.1")


def test_nothing_of_the_operators_network_is_allowed_by_default() -> None:
    policy = EgressPolicy.from_environment({})
    assert not policy.allows(LOOPBACK, 443)
    assert policy == EgressPolicy()


def test_a_proxy_of_the_environment_is_ignored() -> None:
    assert EgressPolicy.from_environment({"HTTPS_PROXY": "http://proxy:3128"}).proxy == ""


def test_an_allowance_holds_for_its_network_and_its_port_alone() -> None:
    policy = EgressPolicy.from_environment(
        {"CARTULARY_EGRESS_ALLOW": "127.0.0.0/8:9443, [fd00::/8]:443"}
    )
    assert policy.allows(LOOPBACK, 9443)
    assert policy.allows(ipaddress.ip_address("::ffff:127.0.0.1"), 9443)
    assert policy.allows(ipaddress.ip_address("fd12::1"), 443)
    assert not policy.allows(LOOPBACK, 443)
    assert not policy.allows(ipaddress.ip_address("10.0.0.1"), 9443)
    assert not policy.allows(ipaddress.ip_address("1.1.1.1"), 9443)


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.0.0.0/8:0", "10.0.0.1/8:443", "x:443", ":1"])
def test_an_unreadable_allowance_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="CARTULARY_EGRESS_ALLOW"):
        EgressPolicy.from_environment({"CARTULARY_EGRESS_ALLOW": text})


@pytest.mark.parametrize("text", ["10.0.0.0/8:8443", "[fd00::/8]:443"])
def test_an_allowance_is_written_as_it_is_read(text: str) -> None:
    assert str(AllowedNetwork.read(text)) == text
