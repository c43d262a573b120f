"""The hub of a web process: it measures events, and ends streams before their end."""

from __future__ import annotations

from cartulary.events.live.live import Hub
from cartulary.events.store import Store
from cartulary.service.http.shared.stream_endings import StreamEndings
from cartulary.service.http.shared.stream_tokens import StreamTokens
from cartulary.service.http.shared.stream_visibility import StreamVisibility
from cartulary.service.process.metrics import Metrics


def make_hub(
    store: Store,
    metrics: Metrics,
    open_tokens: StreamTokens,
    stream_visibility: StreamVisibility,
    stream_endings: StreamEndings,
) -> Hub:
    """Return a hub that ends the streams whose token is invalid or whose game is out of sight."""

    def end_streams() -> None:
        # What is sent from now on goes by the accounts that are deleted now.
        store.masks.look()
        open_tokens.look()
        stream_visibility.look()
        stream_endings.look()

    return Hub(
        store.ledger,
        report=metrics.event_age.observe,
        each_look=end_streams,
        before_news=stream_visibility.look_at,
    )
