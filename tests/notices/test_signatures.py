"""Standard Webhooks: what we sign, other programs accept; a changed byte they refuse."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from cartulary.notices.signatures import SigningKey, is_signed_by, sign_message
from cartulary.notices.web_push.subscriptions import decode_url

BODY = b'{"type":"your_turn"}'


def read_now() -> int:
    """Return the time now: the package `standardwebhooks` refuses old messages, takes no clock."""
    return int(datetime.now(UTC).timestamp())


def test_the_package_standardwebhooks_accepts_an_hmac_signature() -> None:
    key = SigningKey.make("v1")
    headers = sign_message("msg_1", read_now(), BODY, [key])
    assert Webhook(key.text).verify(BODY, headers) == {"type": "your_turn"}


def test_the_package_standardwebhooks_refuses_a_changed_byte() -> None:
    key = SigningKey.make("v1")
    headers = sign_message("msg_1", read_now(), BODY, [key])
    with pytest.raises(WebhookVerificationError):
        Webhook(key.text).verify(BODY.replace(b"turn", b"torn"), headers)
    with pytest.raises(WebhookVerificationError):
        Webhook(key.text).verify(BODY, {**headers, "webhook-id": "msg_2"})


def test_cryptography_accepts_an_ed25519_signature_and_refuses_a_changed_byte() -> None:
    key = SigningKey.make("v1a")
    headers = sign_message("msg_1", 1_700_000_000, BODY, [key])
    public = key.public_text
    assert public is not None
    raw = decode_url(public.removeprefix("whpk_").replace("+", "-").replace("/", "_"))
    scheme, _, signature = headers["webhook-signature"].partition(",")
    assert scheme == "v1a"
    verify = Ed25519PublicKey.from_public_bytes(raw).verify
    signed = decode_url(signature.replace("+", "-").replace("/", "_"))
    verify(signed, b"msg_1.1700000000." + BODY)
    with pytest.raises(InvalidSignature):
        verify(signed, b"msg_1.1700000001." + BODY)


def test_a_receiver_finds_its_signature_among_several_while_a_secret_is_rotated() -> None:
    old, new = SigningKey.make("v1a"), SigningKey.make("v1a")
    headers = sign_message("msg_1", 1_700_000_000, BODY, [new, old])
    for key in (old, new):
        assert key.public_text is not None
        assert is_signed_by(key.public_text, headers, BODY)
        assert not is_signed_by(key.public_text, headers, BODY + b" ")
    stranger = SigningKey.make("v1a").public_text
    assert stranger is not None
    assert not is_signed_by(stranger, headers, BODY)


@pytest.mark.parametrize("scheme", ["v1", "v1a"])
def test_a_secret_is_written_as_it_is_read(scheme: str) -> None:
    key = SigningKey.make("v1" if scheme == "v1" else "v1a")
    assert SigningKey.read(key.text) == key


@pytest.mark.parametrize("text", ["", "whsec_%%", "secret", "whpk_AAAA"])
def test_another_text_is_no_secret(text: str) -> None:
    with pytest.raises(ValueError, match=r"base64|whsec_"):
        SigningKey.read(text)


def test_hmac_has_no_public_key() -> None:
    assert SigningKey.make("v1").public_text is None
