"""What a process loads when it starts: a service is ready soon if each loads what it needs alone.

`serve` starts five processes, and each of them imports for itself. A library that only some
request, job or command needs is imported there, or by a process that needs it always.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

WEB = {"apispec", "flask", "gunicorn", "jinja2", "limits", "marshmallow", "prometheus_client"}
ARCHIVE = {"alembic", "psycopg", "sqlalchemy", "zstandard"}
"""For a process that opens the archive: most processes never do."""

WITHOUT = {
    "cartulary.workers.dispatcher": {*WEB, *ARCHIVE, "click", "segno", "yaml"},
    "cartulary.workers.worker": {*WEB, *ARCHIVE, "click", "segno", "yaml"},
    "cartulary.cli.serve": {*WEB, *ARCHIVE, "rq", "segno", "yaml"},
    "cartulary.service.wsgi": {*ARCHIVE, "redis", "rq", "yaml"},
    "cartulary.service.app": {*ARCHIVE, "rq", "yaml"},
    "cartulary.service.process.gunicorn_conf": {"flask", "redis", "marshmallow", *ARCHIVE},
    "cartulary.cli.main": {*WEB, *ARCHIVE, "redis", "rq", "orjson"},
}
"""By module that a process begins with: libraries that it must not load."""


def list_loaded(module: str) -> set[str]:
    """Return the names of the libraries that a process has loaded after the import of a module."""
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


@pytest.mark.parametrize("module", WITHOUT)
@pytest.mark.process
def test_a_process_loads_no_library_that_its_start_does_not_need(module: str) -> None:
    loaded = list_loaded(module)
    assert "cartulary" in loaded
    assert loaded & WITHOUT[module] == set()


def test_every_library_that_is_kept_out_has_the_name_under_which_it_is_loaded() -> None:
    names = {name for libraries in WITHOUT.values() for name in libraries}
    assert {name for name in names if find_spec(name) is None} == set()
