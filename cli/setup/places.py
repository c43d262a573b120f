"""Where everything of an installation lies, and whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ACCOUNT: Final = "cartulary"
"""The user that all processes run as, and its group."""

OWN: Final = f"{ACCOUNT}:{ACCOUNT}"
ROOT: Final = "root:root"
SHARED: Final = f"root:{ACCOUNT}"
"""Owners of what the service writes, of what only root writes, and of what the service may read."""

SETTINGS: Final = Path("/etc/cartulary")
ENVIRONMENT: Final = SETTINGS / "environment"
"""The settings of the service, which the operator edits."""

ANSWERS: Final = SETTINGS / "setup.conf"
"""What was chosen at the last setup."""

STATE: Final = Path("/var/lib/cartulary")
DATA: Final = STATE / "data"
BACKUPS: Final = STATE / "backups"
LOGS: Final = Path("/var/log/cartulary")
LOG: Final = LOGS / "serve.log"
BACKUP_LOG: Final = LOGS / "backup.log"

UNITS: Final = Path("/etc/systemd/system")
LOGROTATE: Final = Path("/etc/logrotate.d/cartulary")

KEPT: Final = (STATE, LOGS, SETTINGS)
"""What `--remove` leaves where it is."""
