"""SSRF, with a real name server and real sockets: what leads into the house is not connected to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from cartulary.notices.egress import (
    DeliveryFailed,
    EgressPolicy,
    Reply,
    Sender,
    Target,
    TargetRefused,
    read_target,
)
from cartulary.notices.egress.policy import AllowedNetwork
from tests.support.local_servers import (
    NAME,
    Answer,
    Receiver,
    answer_plainly,
    make_certificate,
    run_name_server,
    run_receiver,
)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"), NAME)


def allow_local(port: int, certificate: tuple[Path, Path], resolver: str) -> EgressPolicy:
    return EgressPolicy(
        allow=(AllowedNetwork.read(f"127.0.0.1/32:{port}"),),
        certificates=str(certificate[0]),
        resolvers=(resolver,),
    )


def send(policy: EgressPolicy, *targets: Target, seconds: float = 5.0) -> list[Reply]:
    async def send_all() -> list[Reply]:
        async with Sender(policy, seconds=seconds) as sender:
            return [await sender.post(target, {"x-test": "1"}, b"hello") for target in targets]

    return asyncio.run(send_all())


def check(policy: EgressPolicy, target: Target) -> None:
    async def check_it() -> None:
        async with Sender(policy) as sender:
            await sender.check(target)

    asyncio.run(check_it())


@contextmanager
def receive(
    certificate: tuple[Path, Path], answer: Answer = answer_plainly
) -> Iterator[tuple[Receiver, EgressPolicy, Target]]:
    """Run a receiver that the policy allows, under a name of a name server."""
    with (
        run_receiver(certificate, answer) as receiver,
        run_name_server({NAME: [["127.0.0.1"]]}) as names,
    ):
        policy = allow_local(receiver.port, certificate, names.address)
        yield receiver, policy, Target(NAME, receiver.port, "/hook?x=1")


def test_a_message_arrives_with_the_name_that_was_asked_for(
    certificate: tuple[Path, Path],
) -> None:
    with receive(certificate) as (receiver, policy, target):
        (reply,) = send(policy, target)
    assert (reply.status, reply.accepted, reply.body) == (200, True, b"ok")
    ((path, headers, body),) = receiver.requests
    assert (path, body) == ("/hook?x=1", b"hello")
    assert headers["Host"] == f"{NAME}:{target.port}"
    assert headers["x-test"] == "1"


def test_a_connection_is_kept_for_the_next_message(certificate: tuple[Path, Path]) -> None:
    with receive(certificate) as (receiver, policy, target):
        send(policy, target, target, target)
    assert (len(receiver.requests), receiver.connections) == (3, 1)


@pytest.mark.parametrize(
    "addresses",
    [
        *(["127.0.0.1"], ["10.1.2.3"], ["169.254.169.254"], ["100.64.0.1"], ["0.0.0.0"]),
        *(["93.184.216.34", "10.0.0.1"], ["192.168.0.1", "1.1.1.1"]),
    ],
)
@pytest.mark.slow
def test_a_name_with_a_private_address_is_refused_when_it_is_given_and_when_it_is_used(
    addresses: list[str],
) -> None:
    with run_name_server({NAME: [addresses]}) as names:
        policy = EgressPolicy(resolvers=(names.address,))
        target = read_target(f"https://{NAME}/", policy)
        with pytest.raises(TargetRefused) as at_registration:
            check(policy, target)
        with pytest.raises(TargetRefused) as at_delivery:
            send(policy, target)
    assert at_registration.value.code == at_delivery.value.code == "not_public"
    assert all(address not in str(at_delivery.value) for address in addresses)


@pytest.mark.slow
def test_a_name_that_changes_between_check_and_delivery_reaches_nothing(
    certificate: tuple[Path, Path],
) -> None:
    with (
        run_receiver(certificate) as receiver,
        run_name_server({NAME: [["93.184.216.34"], ["127.0.0.1"]]}) as names,
    ):
        policy = EgressPolicy(resolvers=(names.address,))
        target = Target(NAME, 443, "/")
        check(policy, target)
        with pytest.raises(TargetRefused):
            send(policy, target)
    assert (receiver.connections, names.queries) == (0, [NAME, NAME])


def test_the_address_that_was_checked_is_the_address_that_is_used(
    certificate: tuple[Path, Path],
) -> None:
    """A second answer of the name server would lead elsewhere: a delivery resolves once."""
    with (
        run_receiver(certificate) as receiver,
        run_name_server({NAME: [["127.0.0.1"], ["127.0.0.2"]]}) as names,
    ):
        policy = allow_local(receiver.port, certificate, names.address)
        send(policy, Target(NAME, receiver.port, "/"))
    assert (len(receiver.requests), names.queries) == (1, [NAME])


@pytest.mark.slow
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "::1", "2130706433", "0x7f.1", "localhost", "::ffff:127.0.0.1"]
)
def test_this_machine_is_refused_however_it_is_written(host: str) -> None:
    with run_name_server({host: [[]], "localhost": [["127.0.0.1"]]}) as names:
        policy = EgressPolicy(resolvers=(names.address,))
        with pytest.raises((TargetRefused, DeliveryFailed)):
            send(policy, Target(host, 443, "/"))


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "127.1", "::ffff:127.0.0.1"])
def test_an_address_that_is_no_name_is_looked_at_before_the_connection(
    host: str, certificate: tuple[Path, Path]
) -> None:
    """The library does not resolve what looks like an address, so the resolver cannot refuse it."""
    with run_receiver(certificate) as receiver, run_name_server({host: [["1.1.1.1"]]}) as names:
        policy = EgressPolicy(
            allow=(AllowedNetwork.read(f"10.0.0.0/8:{receiver.port}"),),
            certificates=str(certificate[0]),
            resolvers=(names.address,),
        )
        with pytest.raises((TargetRefused, DeliveryFailed)):
            send(policy, Target(host, receiver.port, "/"))
    assert receiver.connections == 0


def test_a_redirect_is_not_followed(certificate: tuple[Path, Path]) -> None:
    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(307)
        handler.send_header("Location", "https://169.254.169.254/latest/meta-data")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with receive(certificate, redirect) as (receiver, policy, target):
        (reply,) = send(policy, target)
    assert (reply.status, reply.accepted, len(receiver.requests)) == (307, False, 1)


def test_an_endless_answer_is_read_up_to_64_kib(certificate: tuple[Path, Path]) -> None:
    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10**9))
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b"x" * 65536)
        except OSError:
            return  # The sender has hung up, as it should.

    with receive(certificate, flood) as (_, policy, target):
        (reply,) = send(policy, target)
    assert len(reply.body) == 65536


def test_a_target_that_drips_or_hangs_fails_within_the_time(
    certificate: tuple[Path, Path],
) -> None:
    def hang(handler: BaseHTTPRequestHandler) -> None:
        handler.rfile.read(1)

    with (
        receive(certificate, hang) as (_, policy, target),
        pytest.raises(DeliveryFailed, match="in time"),
    ):
        send(policy, target, seconds=0.3)


def test_a_certificate_of_another_name_is_refused(certificate: tuple[Path, Path]) -> None:
    with (
        run_receiver(certificate) as receiver,
        run_name_server({"other.example": [["127.0.0.1"]]}) as names,
    ):
        policy = allow_local(receiver.port, certificate, names.address)
        with pytest.raises(DeliveryFailed):
            send(policy, Target("other.example", receiver.port, "/"))
    assert receiver.requests == []


def test_a_host_that_accepts_no_connection_fails() -> None:
    with socket.socket() as unused, run_name_server({NAME: [["127.0.0.1"]]}) as names:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        policy = EgressPolicy(
            allow=(AllowedNetwork.read(f"127.0.0.1/32:{port}"),), resolvers=(names.address,)
        )
        with pytest.raises(DeliveryFailed, match="accept"):
            send(policy, Target(NAME, port, "/"))


@pytest.mark.parametrize("answers", [{NAME: [[]]}, {}], ids=["no address", "a silent name server"])
def test_a_name_that_cannot_be_resolved_fails(
    answers: dict[str, list[list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cartulary.notices.egress.names.SECONDS", 0.3)
    with run_name_server(answers) as names, pytest.raises(DeliveryFailed, match="resolved"):
        send(EgressPolicy(resolvers=(names.address,)), Target(NAME, 443, "/"))
