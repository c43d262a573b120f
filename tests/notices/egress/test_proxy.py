"""Deliveries through the proxy of an operator, which resolves the name a second time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cartulary.notices.egress import EgressPolicy, Reply, Sender, Target, TargetRefused
from cartulary.notices.egress.policy import AllowedNetwork
from tests.support.local_servers import NAME, make_certificate, run_name_server, run_receiver


class Proxy:
    """A proxy that opens tunnels to this machine, whatever the name, and notes what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Open one tunnel (RFC 9110, section 9.3.6)."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.split(b"\r\n", 1)[0].decode())
        port = int(head.split(b" ", 2)[1].rpartition(b":")[2])
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(_copy(reader, inner_writer), _copy(inner_reader, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(4096):
            writer.write(chunk)
    finally:
        writer.close()


def send(policy: EgressPolicy, target: Target, proxy: Proxy) -> Reply:
    async def send_it() -> Reply:
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        through = EgressPolicy(
            policy.allow, policy.certificates, f"http://127.0.0.1:{port}", policy.resolvers
        )
        async with server, Sender(through, seconds=5) as sender:
            return await sender.post(target, {}, b"hello")

    return asyncio.run(send_it())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"), NAME)


def test_a_message_goes_through_the_proxy_of_the_operator_under_its_name(
    certificate: tuple[Path, Path],
) -> None:
    proxy = Proxy()
    with (
        run_receiver(certificate) as receiver,
        run_name_server({NAME: [["127.0.0.1"]]}) as names,
    ):
        allowed = AllowedNetwork.read(f"127.0.0.1/32:{receiver.port}")
        policy = EgressPolicy((allowed,), str(certificate[0]), resolvers=(names.address,))
        reply = send(policy, Target(NAME, receiver.port, "/hook"), proxy)
    assert (reply.accepted, receiver.requests[0][0]) == (True, "/hook")
    assert proxy.asked == [f"CONNECT {NAME}:{receiver.port} HTTP/1.1"]


def test_the_proxy_is_not_asked_for_a_name_with_a_private_address() -> None:
    proxy = Proxy()
    with run_name_server({NAME: [["10.0.0.1"]]}) as names:
        policy = EgressPolicy(resolvers=(names.address,))
        with pytest.raises(TargetRefused):
            send(policy, Target(NAME, 443, "/"), proxy)
    assert proxy.asked == []
