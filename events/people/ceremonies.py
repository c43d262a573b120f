"""The two ceremonies of WebAuthn: a device makes a passkey, and a device proves that it has one.

Each begins with a challenge, which is valid for five minutes and for one answer. The library
`webauthn` (extra `passkeys`) checks the answers; it is imported with the first one, because few
processes of a service ever see one.
"""

from __future__ import annotations

import secrets
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

import orjson
from redis import Redis

from cartulary.events.model.clock import SYSTEM, Clock, format_time
from cartulary.events.model.errors import Invalid
from cartulary.events.model.types import Json
from cartulary.events.people.passkeys import Passkey, Passkeys, PasskeyUnknown
from cartulary.events.people.players import Player, hash_token
from cartulary.events.server import keys

LIFE_MS: Final = 300_000
"""How long a challenge is valid."""


def is_installed() -> bool:
    """Return whether the extra `passkeys` is there."""
    return find_spec("webauthn") is not None


class WebPlace(NamedTuple):
    """Where a browser meets the service: the origin of the page, and the host of passkeys."""

    origin: str
    party: str


class Ceremony(NamedTuple):
    """What a browser gets for `navigator.credentials`; `expires_at` is in ms since the epoch."""

    options: Json
    expires_at: int


class Made(NamedTuple):
    """What `navigator.credentials.create` answers: base64url, as in `RegistrationResponseJSON`."""

    credential: str
    client_data: str
    attestation: str


class Assertion(NamedTuple):
    """What `navigator.credentials.get` answers: base64url, as in `AuthenticationResponseJSON`."""

    credential: str
    client_data: str
    authenticator_data: str
    signature: str
    handle: str


class Proved(NamedTuple):
    """Whose passkey a device has, and how often the device has used it (0: it does not count)."""

    player_id: str
    passkey: Passkey
    uses: int


class Ceremonies:
    """Begins ceremonies and checks their ends. Thread-safe. All methods raise `RedisError`."""

    def __init__(self, redis: Redis, passkeys: Passkeys, clock: Clock = SYSTEM) -> None:
        self._redis, self._passkeys, self._clock = redis, passkeys, clock

    # -- adding a passkey -------------------------------------------------------------------------

    def begin_adding(self, player: Player, place: WebPlace) -> Ceremony:
        """Return what a browser needs to make a passkey for a player.

        Raises `QuotaExceeded` before a device makes what the service would refuse.
        """
        from webauthn import base64url_to_bytes, generate_registration_options
        from webauthn.helpers import structs

        self._passkeys.check_room(player.id)
        challenge = secrets.token_bytes(32)
        options = generate_registration_options(
            rp_id=place.party,
            rp_name="Cartulary",
            user_id=player.id.encode(),
            user_name=player.name,
            challenge=challenge,
            timeout=LIFE_MS,
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.REQUIRED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[
                structs.PublicKeyCredentialDescriptor(base64url_to_bytes(one.credential))
                for one in self._passkeys.list_of(player.id)
            ],
        )
        return self._begin(options, challenge, place, player.id)

    def finish_adding(self, player: Player, made: Made, label: str, by: str) -> Passkey:
        """Add the passkey that a device has made; `by` is the hash of the token that asks.

        Raises `Invalid` (`/passkey`), `TokenGone`, `QuotaExceeded`.
        """
        from webauthn import verify_registration_response
        from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, structs

        challenge, place = self._take(made.client_data, player.id) or (None, None)
        if challenge is None or place is None:
            raise _refuse("the challenge is unknown, used, expired or of another player")
        try:
            verified = verify_registration_response(
                credential=structs.RegistrationCredential(
                    made.credential,
                    base64url_to_bytes(made.credential),
                    structs.AuthenticatorAttestationResponse(
                        base64url_to_bytes(made.client_data), base64url_to_bytes(made.attestation)
                    ),
                ),
                expected_challenge=challenge,
                expected_rp_id=place.party,
                expected_origin=place.origin,
            )
        except _list_faults() as error:
            raise _refuse(str(error) or "the answer of the device cannot be read") from error
        now = format_time(self._clock.now_ms())
        public_key = bytes_to_base64url(verified.credential_public_key)
        uses = verified.sign_count
        credential = bytes_to_base64url(verified.credential_id)
        if credential != made.credential:
            raise _refuse("the device has signed another credential")
        passkey = Passkey(credential, public_key, uses, place.party, label, now)
        self._passkeys.add(player.id, passkey, by)
        return passkey

    # -- signing in -------------------------------------------------------------------------------

    def begin_signing_in(self, place: WebPlace) -> Ceremony:
        """Return what a browser needs to ask for any passkey that the person has for this host."""
        from webauthn import generate_authentication_options
        from webauthn.helpers import structs

        challenge = secrets.token_bytes(32)
        options = generate_authentication_options(
            rp_id=place.party,
            challenge=challenge,
            timeout=LIFE_MS,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        )
        return self._begin(options, challenge, place, "")

    def check(self, proof: Assertion) -> Proved:
        """Return whose passkey has answered a challenge. Raises `PasskeyUnknown`."""
        from webauthn import base64url_to_bytes, verify_authentication_response
        from webauthn.helpers import structs

        challenge, place = self._take(proof.client_data, "") or (None, None)
        if challenge is None or place is None:
            raise PasskeyUnknown
        try:
            handle = base64url_to_bytes(proof.handle).decode()
            found = self._passkeys.find(handle, proof.credential)
            if found is None or found[1].party != place.party:
                raise PasskeyUnknown
            verified = verify_authentication_response(
                credential=structs.AuthenticationCredential(
                    proof.credential,
                    base64url_to_bytes(proof.credential),
                    structs.AuthenticatorAssertionResponse(
                        base64url_to_bytes(proof.client_data),
                        base64url_to_bytes(proof.authenticator_data),
                        base64url_to_bytes(proof.signature),
                    ),
                ),
                expected_challenge=challenge,
                expected_rp_id=place.party,
                expected_origin=place.origin,
                credential_public_key=base64url_to_bytes(found[1].public_key),
                # The counter is judged where it is noted, after the signature.
                credential_current_sign_count=0,
            )
        except _list_faults() as error:
            raise PasskeyUnknown from error
        return Proved(*found, verified.new_sign_count)

    # -- challenges -------------------------------------------------------------------------------

    def _begin(self, options: Any, challenge: bytes, place: WebPlace, player_id: str) -> Ceremony:
        """Keep a challenge, for a player or ("") for anyone who signs in."""
        from webauthn.helpers import options_to_json_dict

        until = self._clock.now_ms() + LIFE_MS
        kept = {"player": player_id, "until": until, **place._asdict()}
        self._redis.set(_name(challenge), orjson.dumps(kept), px=LIFE_MS)
        return Ceremony(options_to_json_dict(options), until)

    def _take(self, client_data: str, player_id: str) -> tuple[bytes, WebPlace] | None:
        """Return the challenge that a device has signed, and its place; use the challenge up.

        None for an unknown, used, expired or malformed one, and for that of another player.
        """
        challenge = _read_challenge(client_data)
        found: Any = None if challenge is None else self._redis.getdel(_name(challenge))
        if challenge is None or found is None:
            return None
        kept = orjson.loads(found)
        if kept["player"] != player_id or kept["until"] <= self._clock.now_ms():
            return None
        return challenge, WebPlace(kept["origin"], kept["party"])


def _name(challenge: bytes) -> str:
    return keys.passkey_challenge(hash_token(challenge.hex()))


def _read_challenge(client_data: str) -> bytes | None:
    """Return the challenge in what a browser has signed, None where it cannot be read."""
    from webauthn.helpers import base64url_to_bytes

    try:
        said = orjson.loads(base64url_to_bytes(client_data))
        return base64url_to_bytes(said["challenge"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _list_faults() -> tuple[type[Exception], ...]:
    """Return what the library raises for an answer that is malformed or untrue.

    Besides its own errors these are those of the decoders, which it lets through: the bytes come
    from a stranger, and nothing of ours runs between them and the decoders.
    """
    from webauthn.helpers.exceptions import WebAuthnException

    return (WebAuthnException, ValueError, KeyError, TypeError, IndexError, AttributeError)


def _refuse(detail: str) -> Invalid:
    return Invalid([("/passkey", detail)])
