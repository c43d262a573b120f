"""Passkeys: bodies of requests, and answers. The names in camel case are those of WebAuthn."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, validate

from cartulary.events.people.ceremonies import Assertion, Made
from cartulary.service.api.people.tokens_schema import label
from cartulary.service.schemas import fields
from cartulary.service.schemas.base import (
    Answer,
    Dropping,
    JsonObject,
    Request,
    list_of,
    text,
    time,
)

LABEL_TEXT = "What the player calls the passkey; empty without a label."
LONGEST = 16_384
"""Letters of a value. A credential has at most 1023 bytes; a certificate takes some thousand."""


class PasskeyOptionsAnswer(Answer):
    """What a browser needs to make a passkey, or to use one."""

    public_key = JsonObject(
        required=True,
        description="As JSON of WebAuthn: for `PublicKeyCredential.parseCreationOptionsFromJSON` "
        "or `parseRequestOptionsFromJSON` in a browser.",
    )
    expires_at = time("Until when the challenge is valid, for one answer. UTC.")


class PasskeyAnswer(Answer):
    """A passkey of the player; the service has its public half only."""

    id = text()
    label = text(LABEL_TEXT)
    created_at = time()
    last_used_at = text(
        "A day, UTC; null: never yet.", allow_none=True, metadata={"format": "date"}
    )


class PasskeyListAnswer(Answer):
    """The passkeys of the player, the oldest first."""

    passkeys = list_of(PasskeyAnswer)


def _bytes(description: str, name: str, longest: int = LONGEST) -> fields.String:
    """Return a required field for bytes as base64url, under its name in WebAuthn."""
    return fields.String(
        required=True,
        data_key=name,
        validate=[validate.Length(1, longest), validate.Regexp(r"[A-Za-z0-9_-]+\Z")],
        description=description,
        metadata={"pattern": "^[A-Za-z0-9_-]+$", "minLength": 1, "maxLength": longest},
    )


class _OfBrowser(Schema):
    """An object that a browser makes: members that WebAuthn adds later are left out."""

    Meta = Dropping


class AttestationResponse(_OfBrowser):
    """`AuthenticatorAttestationResponse` as JSON."""

    client_data = _bytes("What the browser has signed: challenge and origin.", "clientDataJSON")
    attestation = _bytes("The new public key, and who says so.", "attestationObject")


class AssertionResponse(_OfBrowser):
    """`AuthenticatorAssertionResponse` as JSON."""

    client_data = _bytes("What the browser has signed: challenge and origin.", "clientDataJSON")
    authenticator_data = _bytes("Host, flags and counter.", "authenticatorData", 4096)
    signature = _bytes("Of both, with the key of the passkey.", "signature", 4096)
    handle = _bytes("Who has added the passkey.", "userHandle", 128)


def _id() -> fields.String:
    return _bytes("The credential.", "id", 1364)


def _type() -> fields.String:
    return fields.String(
        required=True, validate=validate.Equal("public-key"), description="`public-key`."
    )


class PasskeyCreation(_OfBrowser):
    """What `navigator.credentials.create` answers, by its `toJSON()`."""

    id = _id()
    type = _type()
    response = fields.Nested(AttestationResponse, required=True)


class PasskeyProof(_OfBrowser):
    """What `navigator.credentials.get` answers, by its `toJSON()`."""

    id = _id()
    type = _type()
    response = fields.Nested(AssertionResponse, required=True)


class PasskeyRequest(Request):
    """A new passkey."""

    passkey = fields.Nested(
        PasskeyCreation,
        required=True,
        description="What the browser answers to `POST /players/me/passkeys/options`.",
    )
    label = label()


def read_made(body: dict[str, Any]) -> Made:
    """Return what a browser has made."""
    response = body["response"]
    return Made(body["id"], response["client_data"], response["attestation"])


def read_proof(body: dict[str, Any]) -> Assertion:
    """Return what a browser proves with."""
    response = body["response"]
    names = ("client_data", "authenticator_data", "signature", "handle")
    return Assertion(body["id"], *(response[name] for name in names))
