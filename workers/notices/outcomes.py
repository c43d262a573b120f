"""What has become of deliveries: settled, or put off, and written into the logs of their owners."""

from __future__ import annotations

from cartulary.events.notices.deliveries import Delivery
from cartulary.events.notices.log import LoggedNotice, NoticeOutcome
from cartulary.events.notices.waiting import WaitingEntry, WaitingList
from cartulary.events.store import Store


class DeliveryOutcomes:
    """Settles the deliveries of one list. Raises `RedisError`."""

    def __init__(self, store: Store, deliveries: WaitingList) -> None:
        self._store, self._deliveries = store, deliveries

    def end(
        self,
        entry: WaitingEntry,
        delivery: Delivery,
        outcome: NoticeOutcome,
        status: int = 0,
        error: str = "",
    ) -> None:
        """Settle a delivery, for the outcome that its player reads."""
        self._deliveries.settle([entry])
        self._write(delivery, outcome, status, error)

    def put_off(
        self, entry: WaitingEntry, delivery: Delivery, until: int, status: int, error: str
    ) -> None:
        """Let a delivery be tried once more at a time (ms)."""
        later = delivery._replace(attempt=delivery.attempt + 1)
        self._deliveries.put_off(entry, until, later.text())
        self._write(delivery, "retrying", status, error, until)

    def _write(
        self, delivery: Delivery, outcome: NoticeOutcome, status: int, error: str, again_at: int = 0
    ) -> None:
        line = LoggedNotice(
            delivery.id,
            self._store.clock.now_ms(),
            outcome,
            delivery.channel,
            delivery.items[0],
            status,
            delivery.attempt,
            again_at,
            error,
        )
        self._store.notice_log.write((delivery.player, delivery.endpoint), line)
