"""A bot that is asked by a webhook: python webhook_bot.py PORT CERTIFICATE KEY whpk_…. Over HTTPS.

It answers each question with a legal move by lot. It keeps nothing: a question that comes twice has
the same id, so it gets the same answer.
"""

import base64
import json
import random
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = Ed25519PublicKey.from_public_bytes(base64.b64decode(sys.argv[4].removeprefix("whpk_")))


def choose_move(data: dict[str, Any], rng: random.Random) -> Any:
    """Return one of the legal moves; `data["position"]` is the table, for a bot that thinks."""
    return rng.choice(data["moves"])


def is_signed(signature: str, signed: bytes) -> bool:
    """Say whether a signature is that of the key."""
    try:
        KEY.verify(base64.b64decode(signature.removeprefix("v1a,")), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


class Bot(BaseHTTPRequestHandler):
    """Answers what is signed, and was signed in the last five minutes."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer a question with a move, and a test with 204."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        id_, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = f"{id_}.{at}.".encode() + body
        signatures = self.headers["webhook-signature"].split()
        if abs(time.time() - int(at)) > 300 or not any(is_signed(s, signed) for s in signatures):
            self.answer(401)
            return
        message = json.loads(body)
        if message["type"] != "move":
            self.answer(204)
            return
        move = choose_move(message["data"], random.Random(id_))
        self.answer(200, json.dumps({"move": move}).encode())

    def answer(self, status: int, body: bytes = b"") -> None:
        """Send an answer."""
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("", int(sys.argv[1])), Bot)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(*sys.argv[2:4])
server.socket = tls.wrap_socket(server.socket, server_side=True)
print("listening on", server.server_address[1], flush=True)
server.serve_forever()
