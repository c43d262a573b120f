"""The receiver in `examples/notices` takes what is signed, once, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from cartulary.notices.signatures import SigningKey, sign_message
from tests.support.local_servers import make_certificate

FILE = Path(__file__).parents[3] / "examples/notices/receiver.py"
BODY = b'{"type": "your_turn", "data": {"title": "Carcassonne", "url": "https://games.example/"}}'


@pytest.mark.process
def test_the_receiver_takes_a_signed_message_once(tmp_path: Path) -> None:
    certificate, key_file = make_certificate(tmp_path)
    key = SigningKey.make("v1a")
    command = [sys.executable, str(FILE), "0", str(certificate), str(key_file)]
    command += [key.public_text or key.text]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        url = f"https://127.0.0.1:{process.stdout.readline().split()[-1]}/"

        def send(id_: str, body: bytes, age_s: int = 0) -> int:
            # The receiver is another process, which compares with the clock of the machine.
            keys = [SigningKey.make("v1a"), key]  # As while a key is replaced.
            headers = sign_message(id_, int(time.time()) - age_s, BODY, keys)
            answer = requests.post(url, body, headers=headers, verify=str(certificate), timeout=60)
            return answer.status_code

        assert send("msg_1", BODY) == 204
        assert send("msg_1", BODY) == 204
        assert send("msg_2", BODY.replace(b"your", b"mine")) == 401
        assert send("msg_3", BODY, age_s=600) == 401
        assert send("msg_4", BODY[:-1]) == 401
    finally:
        process.terminate()
        shown, _ = process.communicate(timeout=60)
    assert shown == "your_turn Carcassonne https://games.example/\n"


def test_the_receiver_has_forty_lines_of_code_at_most() -> None:
    assert sum(bool(line) for line in FILE.read_text().splitlines()) <= 40
