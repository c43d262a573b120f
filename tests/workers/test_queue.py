"""The queue: ids, uniqueness, and what a job carries."""

from __future__ import annotations

import json

from cartulary.workers.queues.low_priority_poll import put_job
from cartulary.workers.queues.queues import RESULT_TTL_S, Queues, job_id, put
from cartulary.workers.thinking.analysis_slices import JOB


def test_job_ids_name_kind_game_and_version_without_colons() -> None:
    assert job_id("bot", "01J0", 17) == "bot-01J0-17"
    assert job_id("score", "01J0", 142) == "score-01J0-142"
    assert job_id("bot", "01J0", 17, again=3) == "bot-01J0-17-3"


def test_a_job_is_put_in_once(queue: Queues) -> None:
    assert put(queue.people, "bot", "g", 1)
    assert not put(queue.people, "bot", "g", 1)
    assert queue.job_ids == ["bot-g-1"]


def test_other_versions_kinds_and_repetitions_are_other_jobs(queue: Queues) -> None:
    assert put(queue.people, "bot", "g", 1)
    assert put(queue.people, "bot", "g", 2)
    assert put(queue.people, "score", "g", 2)
    assert put(queue.people, "bot", "g", 1, again=99)
    assert queue.job_ids == ["bot-g-1", "bot-g-2", "score-g-2", "bot-g-1-99"]


def test_a_job_carries_game_and_version_as_json_and_nothing_else(queue: Queues) -> None:
    put(queue.people, "bot", "g", 7)
    (job,) = queue.jobs
    assert json.loads(job.data) == ["cartulary.workers.jobs.bot_turn", None, ["g", 7], {}]


def test_a_job_is_tried_again_and_soon_forgotten(queue: Queues) -> None:
    put(queue.people, "score", "g", 7)
    (job,) = queue.jobs
    assert job.retries_left == 2
    assert job.result_ttl == RESULT_TTL_S


def test_a_job_that_waits_is_put_once(queue: Queues) -> None:
    assert [put_job(queue.analysis, JOB, "one", "game") for _ in range(2)] == [True, False]
    assert queue.analysis.job_ids == ["one"]
