"""The app of a rehearsal, for gunicorn: the service on the store of the rehearsal."""

from __future__ import annotations

from cartulary.cli.rehearsal.staged_store import open_staged
from cartulary.service.wsgi import make_app

app = make_app(open_staged)
