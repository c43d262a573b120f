"""An authenticator in software: it makes passkeys (ES256, attestation `none`) and uses them."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

Json = dict[str, Any]

PRESENT, VERIFIED, NEW = 0x01, 0x04, 0x40


def pack(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unpack(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A device with at most one passkey, in a browser that shows a page of `origin`.

    `step` is added to the counter with each use; a device that does not count has 0.
    """

    def __init__(self, origin: str, step: int = 1) -> None:
        self.origin, self.step, self.uses = origin, step, 0
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential, self.handle = secrets.token_bytes(32), b""

    def create(self, options: Json) -> Json:
        """Answer `navigator.credentials.create`."""
        self.handle = unpack(options["user"]["id"])
        point = self.key.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (point.x, point.y))
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cose
        data = self._write_data(options["rp"]["id"], NEW) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._say("webauthn.create", options["challenge"])
        return self._answer({"clientDataJSON": pack(said), "attestationObject": pack(attestation)})

    def use(self, options: Json) -> Json:
        """Answer `navigator.credentials.get`."""
        self.uses += self.step
        data = self._write_data(options["rpId"], 0)
        said = self._say("webauthn.get", options["challenge"])
        signature = self.key.sign(data + sha256(said).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": pack(said),
                "authenticatorData": pack(data),
                "signature": pack(signature),
                "userHandle": pack(self.handle),
            }
        )

    def _write_data(self, party: str, flags: int) -> bytes:
        shown = bytes([PRESENT | VERIFIED | flags])
        return sha256(party.encode()).digest() + shown + self.uses.to_bytes(4, "big")

    def _say(self, type_: str, challenge: str) -> bytes:
        said = {"type": type_, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _answer(self, response: Json) -> Json:
        name = pack(self.credential)
        return {
            "id": name,
            "rawId": name,
            "type": "public-key",
            "authenticatorAttachment": "platform",
            "clientExtensionResults": {},
            "response": response,
        }
