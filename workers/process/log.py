"""Logs of the background processes: JSON lines on stderr, like those of the web processes."""

from __future__ import annotations

import logging
import sys

from cartulary.events.tracing.log_form import LogForm
from cartulary.settings.environment import Environment, warn_of_unknown


def configure_logging() -> None:
    """Log from level `CARTULARY_LOG_LEVEL` (default INFO) up, one JSON object per line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LogForm())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("cartulary").setLevel(Environment.of_process().choice("LOG_LEVEL"))
    warn_of_unknown(logging.getLogger("cartulary").warning)
