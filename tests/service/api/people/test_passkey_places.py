"""Where passkeys work: WebAuthn wants TLS or localhost, and a host with a name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from tests.service.api.people.test_passkeys import OWN
from tests.service.support.caller import Caller, register_player
from tests.service.support.scene import problem
from tests.support.authenticator import Authenticator


@pytest.mark.slow
@pytest.mark.parametrize(
    ("public_url", "asked", "party"),
    [
        ("https://play.example", "http://10.0.0.7:8000", "play.example"),
        ("https://play.example:8443", "http://localhost", "play.example"),
        ("", "https://cartulary.example", "cartulary.example"),
        ("", "http://localhost:8000", "localhost"),
        ("", "http://play.localhost:8000", "play.localhost"),
    ],
)
def test_a_passkey_is_for_the_host_of_the_service(
    make_app: Callable[..., Flask], public_url: str, asked: str, party: str
) -> None:
    caller = register_player(make_app(public_url=public_url, rates={}), "Ada")
    options = caller.post(f"{OWN}/options", base_url=asked).json["public_key"]
    assert options["rp"]["id"] == party
    made = Authenticator(public_url or asked).create(options)
    assert caller.post(OWN, {"passkey": made}, base_url=asked).status_code == 201


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked", ["http://127.0.0.1:8000", "https://[::1]", "http://play.example", "https://10.0.0.7"]
)
def test_where_browsers_have_no_passkeys_the_service_has_none(ada: Caller, asked: str) -> None:
    for path in (f"{OWN}/options", "/sessions/options"):
        refused = problem(ada.post(path, base_url=asked), 404, "not_installed")
        assert "https" in refused["detail"]


def test_behind_a_proxy_that_speaks_tls_the_origin_has_tls(make_app: Callable[..., Flask]) -> None:
    headers = {"Host": "play.example", "X-Forwarded-Proto": "https"}
    caller = register_player(make_app(proxies=1, rates={}), "Ada")
    options = caller.post(f"{OWN}/options", headers=headers).json["public_key"]
    made = Authenticator("https://play.example").create(options)
    assert caller.post(OWN, {"passkey": made}, headers=headers).status_code == 201


@pytest.mark.parametrize("public_url", ["https://", "https://:8443"])
def test_an_address_without_a_host_has_no_passkeys(
    make_app: Callable[..., Flask], public_url: str
) -> None:
    caller = register_player(make_app(public_url=public_url, rates={}), "Ada")
    problem(caller.post(f"{OWN}/options"), 404, "not_installed")
