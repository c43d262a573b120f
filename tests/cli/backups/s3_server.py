"""A real server of S3: SeaweedFS, one process with a bucket of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.ports import find_free_ports
from tests.support.missing_tools import missing
from tests.support.polling import until

BUCKET = "backups"
KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "a-secret-of-tests"}
SERVERS = ("master", "volume", "filer", "s3")


@contextmanager
def run_s3(folder: Path) -> Iterator[dict[str, str]]:
    """Yield the variables with which a client reaches a server that keeps its data in a folder."""
    program = shutil.which("weed")
    if program is None:
        missing("weed, the server of S3, is not installed")
    # Without a port of its own a server of gRPC takes one that is 10 000 higher, if there is one.
    ports = find_free_ports(2 * len(SERVERS))
    port = ports[SERVERS.index("s3")]
    names = [f"-{name}.{kind}" for kind in ("port", "port.grpc") for name in SERVERS]
    options = [f"{name}={number}" for name, number in zip(names, ports, strict=True)]
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        [
            *(program, "-logtostderr=true", "server", f"-dir={folder}"),
            *("-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-volume.max=0"),
            *("-s3", f"-s3.config={_write_keys(folder)}", *options),
        ],
        stdout=log,
        stderr=log,
    )
    address = {**KEYS, "AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
    try:
        until(lambda: process.poll() is not None or _takes_writes(address), within=60)
        assert process.poll() is None, (folder / "log").read_text()[-2000:]
        yield address
    finally:
        process.kill()
        process.wait()
        log.close()


def _write_keys(folder: Path) -> Path:
    file = folder / "s3.json"
    credentials = [
        {"accessKey": KEYS["AWS_ACCESS_KEY_ID"], "secretKey": KEYS["AWS_SECRET_ACCESS_KEY"]}
    ]
    identity = {"name": "tests", "credentials": credentials, "actions": ["Admin", "Read", "Write"]}
    file.write_text(json.dumps({"identities": [identity]}))
    return file


def _takes_writes(address: dict[str, str]) -> bool:
    """Return whether the server stores an object, which makes the bucket at the first time."""
    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    store: Any = S3Store(
        BUCKET,
        endpoint=address["AWS_ENDPOINT_URL"],
        access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
        region="us-east-1",
        client_options={"allow_http": True},
        retry_config={"max_retries": 0},
    )
    try:
        store.put("ready", b"")
    except BaseError:
        return False
    store.delete("ready")
    return True
