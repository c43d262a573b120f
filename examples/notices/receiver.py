"""Take webhooks signed with `v1a`: python receiver.py PORT CERTIFICATE KEY whpk_…. Over HTTPS."""

import base64
import json
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = Ed25519PublicKey.from_public_bytes(base64.b64decode(sys.argv[4].removeprefix("whpk_")))
SEEN: set[str] = set()  # A program that lives long keeps these ids where a restart finds them.


def is_ours(signature: str, signed: bytes) -> bool:
    """Say whether a signature is that of the key."""
    try:
        KEY.verify(base64.b64decode(signature.removeprefix("v1a,")), signed)
    except (InvalidSignature, ValueError):
        return False
    return True


class Receiver(BaseHTTPRequestHandler):
    """Prints each message once."""

    def do_POST(self) -> None:
        """Answer 401 to what is not signed, or was signed more than five minutes ago."""
        body = self.rfile.read(min(int(self.headers["Content-Length"]), 20_000))
        id_, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = f"{id_}.{at}.".encode() + body
        ours = any(is_ours(one, signed) for one in self.headers["webhook-signature"].split())
        good = ours and abs(time.time() - int(at)) < 300
        if good and id_ not in SEEN:
            SEEN.add(id_)
            message = json.loads(body)
            print(message["type"], message["data"].get("title"), message["data"]["url"], flush=True)
        self.send_response(204 if good else 401)
        self.end_headers()


server = HTTPServer(("", int(sys.argv[1])), Receiver)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(*sys.argv[2:4])
server.socket = tls.wrap_socket(server.socket, server_side=True)
print("listening on", server.server_address[1], flush=True)
server.serve_forever()
