"""nginx and Caddy with the files of `docs/deploy/proxies/`, on ports of this machine."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.ports import find_free_port
from tests.support.missing_tools import missing
from tests.support.polling import until

FILES = Path(__file__).parents[3] / "docs/deploy/proxies"
NAMES = ("nginx", "caddy")
HOST = "games.example"
SERVICE = "127.0.0.1:8000"

_NGINX = """\
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/cartulary.conf;
}}
"""
_CADDY = "{{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system {folder}\n}}\n\n"


class Proxy(NamedTuple):
    """A running proxy: its address, and the certificate that it shows."""

    url: str
    certificate: str


def read_file(name: str) -> str:
    """Return the file that an operator copies."""
    return (FILES / ("nginx.conf" if name == "nginx" else "Caddyfile")).read_text("utf-8")


@contextmanager
def run_proxy(
    name: str, folder: Path, service: str, certificate: tuple[Path, Path]
) -> Iterator[Proxy]:
    """Run a proxy in front of `service` (`HOST:PORT`) until the block ends."""
    program = shutil.which(name, path="/usr/sbin:/usr/bin") or shutil.which(name)
    if program is None:
        missing(f"{name} is not installed (apt-get install {name})")
    folder.chmod(0o755)
    port = find_free_port()
    write = _write_nginx if name == "nginx" else _write_caddy
    command = [program, *write(folder, port, service, certificate)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        until(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, (folder / "log").read_text()
        yield Proxy(f"https://127.0.0.1:{port}", str(certificate[0]))
    finally:
        process.terminate()
        process.wait(60)


def _write_nginx(
    folder: Path, port: int, service: str, certificate: tuple[Path, Path]
) -> list[str]:
    text = read_file("nginx").replace(SERVICE, service)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{find_free_port()};")
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    for kind, file in zip(("certificate", "certificate_key"), certificate, strict=True):
        text = re.sub(rf"(ssl_{kind}) \S+;", rf"\1 {file};", text)
    (folder / "cartulary.conf").write_text(text)
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]


def _write_caddy(
    folder: Path, port: int, service: str, certificate: tuple[Path, Path]
) -> list[str]:
    tls = f"\ttls {certificate[0]} {certificate[1]}\n"
    site = f"https://127.0.0.1:{port} {{\n{tls}"
    text = read_file("caddy").replace(SERVICE, service).replace(f"{HOST} {{\n", site)
    (folder / "Caddyfile").write_text(_CADDY.format(folder=folder) + text)
    return ["run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _listens(port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0
