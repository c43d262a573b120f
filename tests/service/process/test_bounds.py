"""Bounds of connections, in the process that counts them."""

from __future__ import annotations

import resource

import pytest

from cartulary.service.process import bounds
from cartulary.service.process.bounds import SilentConnections, find_network


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("no:address", "no:address"),
        ("", ""),
    ],
)
def test_a_client_is_an_ipv4_address_or_a_network_of_ipv6(host: str, network: str) -> None:
    assert find_network(host) == network


def test_the_oldest_silent_connection_of_an_address_gives_way() -> None:
    silence: SilentConnections[int] = SilentConnections(of_address=2, in_all=100)
    assert [silence.add(n, "a") for n in (1, 2)] == [None, None]
    assert silence.add(3, "b") is None
    assert silence.add(4, "a") == 1
    silence.remove(1)
    assert silence.add(5, "a") == 2


def test_a_connection_that_has_spoken_leaves_room() -> None:
    silence: SilentConnections[int] = SilentConnections(of_address=2, in_all=100)
    for number in range(50):
        assert silence.add(number, "a") is None
        silence.remove(number)
    silence.remove(7)
    assert len(silence) == 0


def test_the_oldest_silent_connection_of_all_gives_way() -> None:
    silence: SilentConnections[int] = SilentConnections(of_address=0, in_all=3)
    assert [silence.add(n, "proxy") for n in range(3)] == [None] * 3
    assert silence.find_oldest() == 0
    assert silence.add(3, "proxy") == 0


def test_addresses_of_a_unix_socket_are_bounded_in_all_only() -> None:
    silence: SilentConnections[int] = SilentConnections(of_address=1, in_all=3)
    assert [silence.add(n, "") for n in range(3)] == [None] * 3


def test_the_soft_limit_of_descriptors_is_raised_to_the_hard_limit() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        assert bounds.raise_descriptors() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("hard", "most"), [(1024, 524), (20_000, 19_500), (1_048_576, 20_000), (100, 1), (-1, 20_000)]
)
def test_streams_leave_descriptors_to_everything_else(
    hard: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (hard, hard))
    assert bounds.choose_most_streams() == most
