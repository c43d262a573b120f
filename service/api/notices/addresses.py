"""Checking an address that a player gives, before it is stored."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from cartulary.service.http.wire.problems import invalid

if TYPE_CHECKING:
    from cartulary.service.http.shared.services import Services


def check_address(services: Services, pointer: str, url: str) -> None:
    """Refuse an address that a delivery would not be sent to. Raises a 422 at `pointer`.

    The libraries that resolve names are loaded with the first address.
    """
    from cartulary.notices.egress import (
        DeliveryFailed,
        EgressPolicy,
        Sender,
        TargetRefused,
        read_target,
    )

    policy = EgressPolicy.from_environment(services.settings.egress)

    async def check() -> None:
        async with Sender(policy) as sender:
            await sender.check(read_target(url, policy))

    try:
        asyncio.run(check())
    except (TargetRefused, DeliveryFailed) as error:
        raise invalid(pointer, str(error)) from error
