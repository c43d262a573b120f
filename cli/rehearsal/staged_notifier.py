"""The notifier of a rehearsal."""

from __future__ import annotations

from cartulary.cli.rehearsal.staged_store import open_staged
from cartulary.workers.notices.notifier import main

if __name__ == "__main__":
    main(open_store=open_staged)
