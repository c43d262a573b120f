"""What follows from the answer of an endpoint: Standard Webhooks, RFC 8030, RFC 9110."""

from __future__ import annotations

import pytest

from cartulary.events.model.types import Json
from cartulary.events.notices.deliveries import PUSH_PAUSES_S, WEBHOOK_PAUSES_S
from cartulary.events.notices.kinds import Channel
from cartulary.notices.egress import Reply
from cartulary.workers.notices import digests
from cartulary.workers.notices.answers import NextStep, follow, read_retry_after
from cartulary.workers.notices.texts import write_title

NOW = 1_800_000_000_000
MIDDLE = 0.5
"""No jitter."""


def answer(status: int, **headers: str) -> Reply:
    return Reply(status, {name.replace("_", "-"): text for name, text in headers.items()}, b"")


@pytest.mark.parametrize("channel", ["push", "webhook"])
@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_any_2xx_means_sent(channel: Channel, status: int) -> None:
    assert follow(channel, 0, answer(status), NOW, MIDDLE) == NextStep("sent")


@pytest.mark.parametrize(
    ("channel", "status", "course"),
    [
        *(("push", 404, "gone"), ("push", 410, "gone"), ("webhook", 410, "gone")),
        *(("push", 400, "failed"), ("push", 413, "failed"), ("push", 429, "again")),
        *(("push", 503, "again"), ("webhook", 404, "again"), ("webhook", 500, "again")),
        *(("webhook", 301, "again"), ("webhook", 429, "again")),
    ],
)
def test_an_endpoint_that_is_gone_is_dropped_and_one_in_trouble_is_tried_again(
    channel: Channel, status: int, course: str
) -> None:
    assert follow(channel, 0, answer(status), NOW, MIDDLE).course == course


@pytest.mark.parametrize(
    ("channel", "pauses"), [("push", PUSH_PAUSES_S), ("webhook", WEBHOOK_PAUSES_S)]
)
def test_the_pauses_follow_the_schedule_and_end(channel: Channel, pauses: list[int]) -> None:
    steps = [follow(channel, number, None, NOW, MIDDLE) for number in range(len(pauses) + 1)]
    assert [step.pause_ms for step in steps] == [*(pause * 1000 for pause in pauses), 0]
    assert steps[-1].course == "failed"


def test_the_pauses_vary_by_a_fifth() -> None:
    pauses = [follow("webhook", 1, None, NOW, share).pause_ms for share in (0.0, 1.0)]
    assert pauses == [240_000, 360_000]


def test_a_target_may_ask_for_a_longer_pause_and_for_a_day_at_most() -> None:
    asked = answer(503, retry_after="120")
    assert follow("webhook", 0, asked, NOW, MIDDLE) == NextStep("again", 120_000)
    endless = answer(503, retry_after="99999999999999")
    assert follow("webhook", 0, endless, NOW, MIDDLE) == NextStep("again", 24 * 3_600_000)


@pytest.mark.parametrize(
    ("text", "pause"),
    [
        *((None, None), ("", None), ("soon", None), ("0", 0), ("-5", None)),
        ("Fri, 15 Jan 2027 08:01:00 GMT", 60_000),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0),
    ],
)
def test_the_pause_is_read_as_seconds_or_as_a_date(text: str | None, pause: int | None) -> None:
    assert read_retry_after(text, NOW) == pause


def test_the_head_line_of_a_message_counts_games_and_a_mail_names_each_turn_once() -> None:
    turns: list[Json] = [
        {"type": kind, "data": {"game": game, "title": game}}
        for kind, game in (("your_turn", "g"), ("turn_reminder", "g"), ("your_turn", "h"))
    ]
    assert write_title(turns, "en") == "2 games wait for you"
    assert write_title(turns[:1], "en") == "Your turn"
    news = [{"type": "seat_offered", "data": {"game": "g"}}] * 2
    assert list(digests._skip_repeated([*turns, *news])) == [turns[0], turns[2], *news]  # noqa: SLF001
