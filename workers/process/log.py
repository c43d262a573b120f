"""Logs of the background processes: JSON lines on stderr, like those of the web processes."""

from __future__ import annotations

import logging
import sys

from pythonjsonlogger.orjson import OrjsonFormatter

from cartulary.settings.environment import Environment, warn_of_unknown

NAMES = {"asctime": "at", "levelname": "level", "name": "logger"}


def configure_logging() -> None:
    """Log from level `CARTULARY_LOG_LEVEL` (default INFO) up, one JSON object per line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        OrjsonFormatter("%(asctime)s %(levelname)s %(name)s %(message)s", rename_fields=NAMES)
    )
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("cartulary").setLevel(Environment.of_process().choice("LOG_LEVEL"))
    warn_of_unknown(logging.getLogger("cartulary").warning)
