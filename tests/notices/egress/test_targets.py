"""What an address must look like before it is even resolved."""

from __future__ import annotations

import pytest

from cartulary.notices.egress import EgressPolicy, Target, TargetRefused, read_target
from cartulary.notices.egress.policy import AllowedNetwork

PUBLIC_ONLY = EgressPolicy()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://hooks.example.org/a?b=c", Target("hooks.example.org", 443, "/a?b=c")),
        ("https://hooks.example.org", Target("hooks.example.org", 443, "/")),
        ("https://HOOKS.example.org.:8443/x#part", Target("hooks.example.org", 8443, "/x")),
        ("https://[2606:4700::1111]/x", Target("2606:4700::1111", 443, "/x")),
    ],
)
def test_an_https_address_is_read(url: str, expected: Target) -> None:
    assert read_target(url, PUBLIC_ONLY) == expected


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.org/", "https_needed"),
        ("ftp://hooks.example.org/", "https_needed"),
        ("file:///etc/passwd", "https_needed"),
        ("gopher://127.0.0.1:6379/_FLUSHALL", "https_needed"),
        ("//hooks.example.org/", "https_needed"),
        ("https://ada:secret@hooks.example.org/", "userinfo"),
        ("https://hooks.example.org@10.0.0.1/", "userinfo"),
        ("https://hooks.example.org:22/", "port"),
        ("https://hooks.example.org:6379/", "port"),
        ("https://hooks.example.org:99999/", "port"),
        ("https://hooks.example.org:x/", "port"),
        ("https:///path", "host"),
        ("https://[fe80::1%25eth0]/", "host"),
        ("https://hooks.example.org\\@10.0.0.1/", "unreadable"),
        ("https://hooks.example.org/\r\nHost: other", "unreadable"),
        ("https://hooks.example.org/ x", "unreadable"),
        ("https://hooks.exämple.org/", "unreadable"),
        ("https://[::1/", "unreadable"),
        (f"https://hooks.example.org/{'x' * 2048}", "too_long"),
        (f"https://{'x' * 254}/", "host"),
    ],
)
def test_another_address_is_refused_with_the_reason(url: str, code: str) -> None:
    with pytest.raises(TargetRefused) as refused:
        read_target(url, PUBLIC_ONLY)
    assert refused.value.code == code


def test_a_port_of_the_operators_network_can_be_read() -> None:
    policy = EgressPolicy(allow=(AllowedNetwork.read("127.0.0.0/8:9443"),))
    assert read_target("https://localhost:9443/", policy).port == 9443


def test_an_address_is_written_as_it_is_read() -> None:
    for url in ("https://a.example/x?y=z", "https://a.example:8443/", "https://[2606:4700::1]/"):
        assert str(read_target(url, PUBLIC_ONLY)) == url
