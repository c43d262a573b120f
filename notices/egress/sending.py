"""One request to a target, within bounds of time and size, over a connection that is kept."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import aiohttp
from yarl import URL

from cartulary.notices.egress.connecting import VettedResolver, VettedSockets, vet
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
        self._session: aiohttp.ClientSession

    async def __aenter__(self) -> Self:
        """Return the sender."""
        self._session = aiohttp.ClientSession(
            connector=self._make_connector(),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
            auto_decompress=False,
        )
        return self

    def _make_connector(self) -> aiohttp.TCPConnector:
        authorities = ssl.create_default_context()
        if self._policy.certificates:
            authorities.load_verify_locations(self._policy.certificates)
        own: dict[str, Any] = {
            "resolver": VettedResolver(self._names, self._policy),
            "socket_factory": VettedSockets(self._policy),
            "use_dns_cache": False,
        }
        return aiohttp.TCPConnector(
            ssl=authorities,
            limit=MOST_CONNECTIONS,
            keepalive_timeout=KEPT_SECONDS,
            happy_eyeballs_delay=None,
            # The proxy itself may stand in the operator's network.
            **({} if self._policy.proxy else own),
        )

    async def __aexit__(self, *_: object) -> None:
        """Close all connections."""
        await self._session.close()

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
        except aiohttp.ClientConnectorDNSError as error:
            raise DeliveryFailed(str(error.os_error)) from error
        except aiohttp.ClientConnectorError as error:
            raise DeliveryFailed(f"{target.host} does not accept connections.") from error
        except aiohttp.ClientError as error:
            raise DeliveryFailed(f"{target.host}: {type(error).__name__}.") from error

    async def _request(self, target: Target, headers: Mapping[str, str], content: bytes) -> Reply:
        async with self._session.post(
            URL(str(target), encoded=True),
            headers={"Host": target.authority, **headers},
            data=content,
            allow_redirects=False,
            proxy=self._policy.proxy or None,
        ) as response:
            body = await _read_start(response.content)
            got = {name.lower(): value for name, value in response.headers.items()}
            return Reply(response.status, got, body)


async def _read_start(stream: aiohttp.StreamReader) -> bytes:
    body = b""
    while len(body) < MOST_ANSWER and (chunk := await stream.read(MOST_ANSWER - len(body))):
        body += chunk
    return body
