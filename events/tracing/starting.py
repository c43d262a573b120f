"""Traces of a process, switched on by the variables of OpenTelemetry.

`OTEL_EXPORTER_OTLP_ENDPOINT` (or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`) switches them on,
`OTEL_SDK_DISABLED=true` off. `OTEL_TRACES_SAMPLER` says which requests begin a trace: by default
one in twenty. The library reads `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, and what else it
knows about its exporter.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Final

from cartulary.events.tracing import spans

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")

SHARE: Final = 0.05
"""Each twentieth request by default: a trace costs half as much CPU again as a move."""

_ALL: Final = ("always_on", "parentbased_always_on")
_RATIO: Final = ("traceidratio", "parentbased_traceidratio")

log = logging.getLogger("cartulary.tracing")


def is_wanted(variables: Mapping[str, str]) -> bool:
    """Return whether the variables ask for traces."""
    is_disabled = variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    return not is_disabled and any(variables.get(name) for name in ENDPOINTS)


def find_share(variables: Mapping[str, str]) -> float:
    """Return which share of the requests begin a trace, 0 to 1.

    Raises `ValueError` for a sampler or an argument that is unknown.
    """
    sampler = variables.get("OTEL_TRACES_SAMPLER", "").strip().lower()
    if not sampler:
        return SHARE
    if sampler in _ALL:
        return 1.0
    if sampler.endswith("always_off"):
        return 0.0
    if sampler not in _RATIO:
        raise ValueError(f"OTEL_TRACES_SAMPLER={sampler}: take one of {', '.join(_ALL + _RATIO)}")
    share = float(variables.get("OTEL_TRACES_SAMPLER_ARG", "").strip() or 1)
    if not 0 <= share <= 1:
        raise ValueError(f"OTEL_TRACES_SAMPLER_ARG={share} is not within 0 and 1")
    return share


def start_tracing(role: str) -> None:
    """Start the traces of this process if they are wanted; after a fork, as it starts a thread.

    `role` is what the process does: `web`, `dispatcher`, `worker`. Without the extra `otel`, and
    with a sampler that is unknown, the log says so and the process works without traces: they must
    not keep a service from starting.
    """
    if not is_wanted(os.environ):
        return
    try:
        from cartulary.events.tracing.exporter import OtelSpans
    except ImportError as error:
        log.warning("no traces (%s): pip install 'cartulary-games[otel]'", error)
        return
    try:
        spans.start(OtelSpans(role, share=find_share(os.environ)))
    except ValueError as error:
        log.warning("no traces: %s", error)
        return
    log.info("traces of this process go to the endpoint of OTLP")
