"""RFC 8291 (encryption), RFC 8292 (our signature), and the declarative form of a notice."""

from __future__ import annotations

import json

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from cartulary.notices.egress import EgressPolicy, read_target
from cartulary.notices.web_push import PushMessage, PushServerKey, PushSubscription
from cartulary.notices.web_push.subscriptions import decode_url, encode_url

# RFC 8291, appendix A.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
TEXT = b"When I grow up, I want to be a watermelon"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulc"
    "y4a-fN"
)
ENDPOINT = "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"

MESSAGE = PushMessage(
    subject="01J0000000000000000000GAME",
    title="Your turn",
    body="Carcassonne with Béla",
    navigate="https://play.example.org/games/01J0000000000000000000GAME",
    language="en",
    ttl=86_400,
    badge=2,
    data={"game": "01J0000000000000000000GAME", "version": 41},
)


def read_rfc_subscription() -> PushSubscription:
    return PushSubscription.read(ENDPOINT, P256DH, AUTH)


def test_a_message_is_encrypted_as_in_the_example_of_rfc_8291() -> None:
    sender = ec.derive_private_key(int.from_bytes(decode_url(SENDER)), ec.SECP256R1())
    encrypted = read_rfc_subscription().encrypt(TEXT, decode_url(SALT), sender)
    assert encode_url(encrypted) == ENCRYPTED


def test_the_browser_alone_can_read_a_message_and_no_two_look_alike() -> None:
    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    subscription = PushSubscription.read(ENDPOINT, encode_url(point), AUTH)
    first, second = subscription.encrypt(TEXT), subscription.encrypt(TEXT)
    assert first != second
    for encrypted in (first, second):
        read = http_ece.decrypt(encrypted, private_key=browser, auth_secret=decode_url(AUTH))
        assert read == TEXT


@pytest.mark.parametrize(
    ("p256dh", "auth", "match"),
    [
        ("AAAA", AUTH, "65 bytes"),
        (encode_url(b"\x04" + b"\x01" * 64), AUTH, "curve P-256"),
        (P256DH, "AAAA", "16 bytes"),
        (P256DH[:-1] + "*", AUTH, "base64url"),
        (P256DH, "ä", "base64url"),
    ],
)
def test_a_subscription_with_a_wrong_key_is_refused(p256dh: str, auth: str, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        PushSubscription.read(ENDPOINT, p256dh, auth)


def test_a_message_over_3000_bytes_is_refused() -> None:
    with pytest.raises(ValueError, match="3000"):
        read_rfc_subscription().encrypt(b"x" * 3001)


def test_a_push_service_can_verify_who_sends() -> None:
    key = PushServerKey.make("mailto:operator@example.org")
    target = read_target(ENDPOINT, EgressPolicy())
    header = key.authorize(target, now=4_000_000_000)
    assert header.startswith("vapid t=")
    assert header.endswith(f"k={key.public_text}")
    assert Vapid02.verify(header)
    claims = json.loads(decode_url(header.split("t=")[1].split(".")[1]))
    assert claims == {
        "aud": "https://push.example.net",
        "exp": 4_000_000_000 + 12 * 3600,
        "sub": "mailto:operator@example.org",
    }


def test_a_key_is_the_same_after_it_was_stored() -> None:
    key = PushServerKey.make("mailto:operator@example.org")
    assert PushServerKey(key.pem, "mailto:operator@example.org").public_text == key.public_text


def test_a_notice_has_the_declarative_form() -> None:
    payload = json.loads(MESSAGE.to_json())
    assert (payload["web_push"], payload["mutable"], payload["app_badge"]) == (8030, True, 2)
    notification = payload["notification"]
    assert notification["title"] == "Your turn"
    assert notification["body"] == "Carcassonne with Béla"
    assert notification["navigate"].startswith("https://")
    assert notification["data"] == {"game": "01J0000000000000000000GAME", "version": 41}


def test_the_topic_names_the_game_without_telling_it_to_the_push_service() -> None:
    headers = MESSAGE.headers()
    assert headers["TTL"] == "86400"
    assert headers["Urgency"] == "normal"
    assert len(headers["Topic"]) == 32
    assert MESSAGE.subject not in headers["Topic"]
