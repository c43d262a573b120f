"""Standings: where a caller stands with a limit or a quota, in the headers of the answer.

The headers are `RateLimit` and `RateLimit-Policy` as in draft-ietf-httpapi-ratelimit-headers-10:
structured fields (RFC 9651) with the number of requests (`q`) in a window (`w`, seconds), the
number that is left (`r`), and the seconds until more are left (`t`).
"""

from __future__ import annotations

from typing import NamedTuple

from flask import Flask, Response, request

from cartulary.service.http.wire.environ import Environ

_STANDINGS = "cartulary.standings"


class RateLimitStanding(NamedTuple):
    """Where a caller stands: at most `most` in `window` seconds, of which `left` are left.

    `reset` is the number of seconds until more are left, 0 when it is unknown. A quota without a
    window has `window` 0.
    """

    name: str
    most: int
    window: int
    left: int
    reset: int
    exceeded: bool = False

    def policy(self) -> str:
        """Return the item of `RateLimit-Policy`."""
        window = f";w={self.window}" if self.window else ""
        return f'"{self.name}";q={self.most}{window}'

    def item(self) -> str:
        """Return the item of `RateLimit`."""
        reset = f";t={self.reset}" if self.reset else ""
        return f'"{self.name}";r={self.left}{reset}'


def note_standing(environ: Environ, standing: RateLimitStanding) -> None:
    """Remember a standing for the answer to a request; a later standing replaces an earlier one."""
    environ.setdefault(_STANDINGS, {})[standing.name, standing.window] = standing


def register(app: Flask) -> None:
    """Add the standings of a request to the headers of its answer."""

    def show(answer: Response) -> Response:
        found = request.environ.get(_STANDINGS)
        if found:
            answer.headers["RateLimit-Policy"] = ", ".join(one.policy() for one in found.values())
            answer.headers["RateLimit"] = ", ".join(one.item() for one in found.values())
        return answer

    app.after_request(show)
