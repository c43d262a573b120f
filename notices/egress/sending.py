"""One request to a target, within bounds of time and size, over a connection that is kept."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import httpcore

from cartulary.notices.egress.connecting import VettedNetwork, vet
from cartulary.notices.egress.errors import DeliveryFailed
from cartulary.notices.egress.names import Names
from cartulary.notices.egress.policy import EgressPolicy
from cartulary.notices.egress.targets import Target

SECONDS: Final = 15.0
"""For the whole of a request: a target that sends a byte each second must not hold a place."""

MOST_ANSWER: Final = 64 * 1024
MOST_CONNECTIONS: Final = 200
KEPT_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a target answered: names of headers in lower case, at most 64 KiB of the body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def accepted(self) -> bool:
        """Say whether the target took the message. A redirect is not followed: it is a refusal."""
        return 200 <= self.status < 300


class Sender:
    """Sends requests; an asynchronous context, for one event loop."""

    def __init__(
        self, policy: EgressPolicy, names: Names | None = None, seconds: float = SECONDS
    ) -> None:
        self._policy = policy
        self._names = names or Names(policy.resolvers)
        self._seconds = seconds
        self._pool = self._make_pool()

    def _make_pool(self) -> httpcore.AsyncConnectionPool:
        authorities = ssl.create_default_context()
        if self._policy.certificates:
            authorities.load_verify_locations(self._policy.certificates)
        if self._policy.proxy:
            return httpcore.AsyncHTTPProxy(
                self._policy.proxy,
                ssl_context=authorities,
                max_connections=MOST_CONNECTIONS,
                keepalive_expiry=KEPT_SECONDS,
            )
        return httpcore.AsyncConnectionPool(
            ssl_context=authorities,
            max_connections=MOST_CONNECTIONS,
            keepalive_expiry=KEPT_SECONDS,
            network_backend=VettedNetwork(self._names, self._policy),
        )

    async def __aenter__(self) -> Self:
        """Return the sender."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self._pool.aclose()

    async def check(self, target: Target) -> None:
        """Resolve a target and check every address, as at its registration; sends nothing.

        Raises:
            TargetRefused: an address may not be sent to.
            DeliveryFailed: the name could not be resolved.
        """
        await vet(target.host, target.port, self._names, self._policy)

    async def post(self, target: Target, headers: Mapping[str, str], content: bytes) -> Reply:
        """Send a message.

        Raises:
            TargetRefused: an address of the target may not be sent to, now.
            DeliveryFailed: no connection, no answer in HTTP, or not within the time.
        """
        if self._policy.proxy:
            await self.check(target)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._request(target, headers, content)
        except TimeoutError as error:
            raise DeliveryFailed(f"{target.host} did not answer in time.") from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
            raise DeliveryFailed(f"{target.host}: {type(error).__name__}.") from error

    async def _request(self, target: Target, headers: Mapping[str, str], content: bytes) -> Reply:
        sent = [("Host", target.authority), ("Content-Length", str(len(content)))]
        async with self._pool.stream(
            "POST", str(target), headers=[*sent, *headers.items()], content=content
        ) as response:
            body = await _read_start(response)
        got = {name.decode().lower(): value.decode("latin-1") for name, value in response.headers}
        return Reply(response.status, got, body)


async def _read_start(response: httpcore.Response) -> bytes:
    body = b""
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) >= MOST_ANSWER:
            break
    return body[:MOST_ANSWER]
