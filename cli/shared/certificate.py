"""The certificate with which `serve` speaks TLS."""

from __future__ import annotations

import ssl
from pathlib import Path

from cartulary.cli.shared.environment import read_setting
from cartulary.cli.shared.errors import Unusable

CERTIFICATE, KEY = "CARTULARY_CERTIFICATE", "CARTULARY_KEY"


def choose_certificate(certificate: Path | None, key: Path | None) -> dict[str, str]:
    """Return the variables of the certificate, none without a certificate.

    Raises `Unusable` for files that are no certificate and key.
    """
    found = str(certificate or read_setting("CERTIFICATE"))
    if not found:
        if key is not None:
            raise Unusable("--key needs --certificate")
        return {}
    chosen = str(key or (read_setting("KEY") if certificate is None else "") or found)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(found, chosen)
    except OSError as error:  # errors of ssl are errors of the system, too
        raise Unusable(f"no certificate and key in {found} and {chosen}: {error}") from error
    return {CERTIFICATE: found, KEY: chosen}
