"""Where browsers meet the service: what passkeys are bound to."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from cartulary.events.people.ceremonies import WebPlace, is_installed
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.problems import Problem


def must_have_library() -> None:
    """Raise `Problem` 404 where the library for passkeys is missing."""
    if not is_installed():
        detail = "the operator has not installed the extra `passkeys` of the package"
        raise Problem("not_installed", detail)


def find_place(services: Services) -> WebPlace:
    """Return the origin of the pages, and the host that passkeys are for.

    They come from `CARTULARY_PUBLIC_URL`, else from the request. A client may lie about its host
    here: a browser signs the origin that it sees, so a lie makes passkeys for the liar's host only.
    Raises `Problem` 404 where browsers have no passkeys: without TLS, and at a bare address.
    """
    must_have_library()
    public = services.settings.public_url
    found = urlsplit(public or request.host_url)
    host = (found.hostname or "").lower()
    is_local = host == "localhost" or host.endswith(".localhost")
    if _is_address(host) or not (found.scheme == "https" or is_local):
        raise Problem("not_installed", "passkeys need https and a host with a name")
    return WebPlace(f"{found.scheme}://{found.netloc.lower()}", host)


def _is_address(host: str) -> bool:
    """Return whether a host is an IP address, or nothing at all."""
    try:
        ip_address(host)
    except ValueError:
        return not host
    return True
