"""A running service tells another program of a turn: once, signed, with a link."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from cartulary.cli.main import main
from tests.e2e.notices.conftest import Egress
from tests.support.polling import until
from tests.support.real_serve import Person, Served

pytestmark = [pytest.mark.slow, pytest.mark.real]


def pass_the_turn(person: Person, game_id: str) -> int:
    """Let a player answer until the other one has to; returns the version then."""
    game = person.get(f"games/{game_id}")
    seat = game["decision"]["seat"]
    while game["decision"]["seat"] == seat:
        game = person.answer(game_id, game["version"])
    return int(game["version"])


def verify(public: str, headers: dict[str, str], body: bytes) -> None:
    """Raise unless a body is signed with a key, as Standard Webhooks says."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public.removeprefix("whpk_")))
    (scheme, signature) = headers["webhook-signature"].split(",")
    assert scheme == "v1a"
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key.verify(base64.b64decode(signature), signed)


def read_status(data: Path) -> Any:
    result = CliRunner().invoke(main, ["status", "--json", f"--data={data}"])
    return json.loads(result.stdout)


def test_a_turn_brings_one_signed_webhook_and_status_counts_it(
    served: Served, egress: Egress
) -> None:
    receiver = egress.receiver
    sent_before = read_status(served.data)["notices"]["outcomes"].get("sent", 0)
    ada, bob = Person(served), Person(served, seed=2)
    game_id = ada.create_from({"game": "carcassonne", "seats": [{"kind": "me"}, {"kind": "open"}]})
    url = f"https://127.0.0.1:{receiver.port}/hook"
    webhook = bob.post("players/me/webhooks", {"url": url, "types": ["your_turn"]})
    bob.post(f"games/{game_id}/seats", {})
    version = pass_the_turn(ada, game_id)
    until(lambda: receiver.requests)
    # A second turn of Bob: what might be sent twice for the first one would have come by then.
    pass_the_turn(bob, game_id)
    later = pass_the_turn(ada, game_id)
    until(lambda: len(receiver.requests) >= 2)
    until(lambda: len(bob.get("players/me/notices")["notices"]) >= 2)
    notices = bob.get("players/me/notices")["notices"]
    assert [one["outcome"] for one in notices] == ["sent", "sent"]
    assert [json.loads(body)["data"]["version"] for _, _, body in receiver.requests] == [
        version,
        later,
    ]
    path, headers, body = receiver.requests[0]
    assert path == "/hook"
    lower = {name.lower(): value for name, value in headers.items()}
    verify(webhook["public_keys"][0], lower, body)
    assert json.loads(body)["data"]["url"].startswith("https://games.example/")
    found = read_status(served.data)
    assert found["notices"]["outcomes"]["sent"] == sent_before + 2
    assert found["notices"]["egress_allow"] == egress.allowed
    assert [one["name"] for one in found["processes"]][-1] == "notifier"
    key = served.data / "push.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert bob.get("push_key")["key"]
