"""Traces of a process, switched on by the variables of OpenTelemetry.

`OTEL_EXPORTER_OTLP_ENDPOINT` (or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) switches them on,
`OTEL_SDK_DISABLED=true` off. The library reads `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`,
`OTEL_TRACES_SAMPLER`, and what else it knows about its exporter.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Final

from cartulary.events.tracing import spans

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

log = logging.getLogger("cartulary.tracing")


def is_wanted(variables: Mapping[str, str]) -> bool:
    """Return whether the variables ask for traces."""
    is_disabled = variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return not is_disabled and any(variables.get(name) for name in ENDPOINTS)


def start_tracing(role: str) -> None:
    """Start the traces of this process if they are wanted; after a fork, as it starts a thread.

    `role` is what the process does: `web`, `dispatcher`, `worker`. Without the extra `otel` the log
    says so, and the process works without traces: they must not keep a service from starting.
    """
    if not is_wanted(os.environ):
        return
    try:
        from cartulary.events.tracing.exporter import OtelTracer
    except ImportError as error:
        log.warning("no traces (%s): pip install 'cartulary-games[otel]'", error)
        return
    spans.start(OtelTracer(role))
    log.info("traces of this process go to the endpoint of OTLP")
