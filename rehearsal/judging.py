"""The judge: what a client did after each trouble, and what `docs/http.md` asks for.

Reads a report, knows no client. A rule that a report cannot decide is `untested`: the client has
not met the trouble, or has done nothing after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from cartulary.rehearsal.report import Record

LEAST_PAUSE_S: Final = 0.05
"""The shortest pause before a repetition."""

MEAN_PAUSE_S: Final = 0.125
"""The shortest mean pause of three and more repetitions in a row: an exponential back-off from half
a second passes, whatever its jitter, and a fixed short pause does not."""

NOTICED_WITHIN_S: Final = 60.0
"""A stream shows a sign of life every 15 s; a reader connects again when some of them are missing.
"""

TOLERANCE_S: Final = 0.05
"""What a sleep may be too short, and the clock of the edge too late."""

_READS: Final = ("GET", "HEAD", "OPTIONS")


class RuleVerdict(Enum):
    """What a judge says of a rule."""

    PASSED = "passed"
    FAILED = "failed"
    UNTESTED = "untested"


class Judgement(NamedTuple):
    """What is said of a rule after a trouble; `step` is empty for a rule of the whole report."""

    step: str
    rule: str
    verdict: RuleVerdict
    why: str = ""


class Course:
    """A report, as the judge looks through it."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.steps: list[Record] = records[0]["steps"]
        self.records = list(records[1:])
        self.requests = {one["id"]: one for one in self.find_all("request")}

    def find_all(self, what: str) -> list[Record]:
        """Return the records of a kind."""
        return [one for one in self.records if one["what"] == what]

    def troubles(self, step: str) -> list[Record]:
        """Return how often a step came."""
        return [one for one in self.find_all("trouble") if one["step"] == step]

    def requests_after(self, trouble: Record) -> Iterator[Record]:
        """Yield the requests that came after a trouble, the first of them first."""
        begun = self.records.index(trouble) + 1
        return (one for one in self.records[begun:] if one["what"] == "request")

    def find_same(self, trouble: Record) -> Record | None:
        """Return the next request to the address of the request that met a trouble."""
        met = self.requests[trouble["id"]]
        same = (met["method"], met["path"])
        after = self.requests_after(trouble)
        return next((one for one in after if (one["method"], one["path"]) == same), None)

    def versions(self, stream: int, until: Record | None = None) -> list[int]:
        """Return the versions that were sent on a stream, up to a record."""
        ended = len(self.records) if until is None else self.records.index(until)
        sent = (one for one in self.records[:ended] if one["what"] == "event")
        return [one["version"] for one in sent if one["id"] == stream]


def judge(records: Sequence[Record]) -> list[Judgement]:
    """Return what is said of each trouble of a report, in the order of its script."""
    course = Course(records)
    found = [_judge_keys(course), *_judge_applied(course)]
    for step in course.steps:
        found += _judge_step(course, step)
    return found


def _judge_step(course: Course, step: Record) -> Iterator[Judgement]:
    name, troubles = step["name"], course.troubles(step["name"])
    if not troubles:
        yield Judgement(name, "meets it", RuleVerdict.UNTESTED, "the client has not come so far")
    elif step["to"] == "stream":
        yield from _judge_stream(course, step, troubles)
    elif step["do"] == "conflict" or (step["do"] == "refuse" and _stands(step)):
        yield _judge_standing(course, name, troubles[0])
    elif step["do"] == "delay":
        yield _judge_repetition(course, name, troubles[0], needed=False)
    else:
        for trouble in troubles:
            if (said := _judge_repetition(course, name, trouble)).verdict is not RuleVerdict.PASSED:
                break
        yield said
        yield _judge_pauses(course, name, troubles)


def _stands(step: Record) -> bool:
    """Return whether a refusal stands: after a 4xx nothing has changed, and no repetition helps."""
    return 400 <= step["status"] < 500 and step["status"] not in (408, 429)


def _judge_repetition(course: Course, name: str, trouble: Record, needed: bool = True) -> Judgement:
    """Say whether the request came again as it was: same key, same body."""
    rule = "repeats with the same key"
    met, again = course.requests[trouble["id"]], course.find_same(trouble)
    if met["method"] in _READS:
        return _say(name, "asks again", again is not None, "the request never came again")
    if again is None:
        return _say(name, rule, not needed, "the request never came again")
    if met.get("key") is None:
        return _say(name, rule, False, "the request had no key")
    if again.get("key") != met["key"]:
        return _say(name, rule, False, "the next request had another key")
    return _say(name, rule, again.get("body") == met.get("body"), "the body was another one")


def _judge_pauses(course: Course, name: str, troubles: Sequence[Record]) -> Judgement:
    """Say whether the client waited: as long as asked, or longer each time."""
    rule = "backs off"
    pauses = []
    for trouble in troubles:
        again = course.find_same(trouble)
        if again is None:
            return Judgement(name, rule, RuleVerdict.UNTESTED, "the request never came again")
        pauses.append(again["t"] - trouble["t"])
        asked = trouble.get("retry_after", LEAST_PAUSE_S)
        if pauses[-1] < asked - TOLERANCE_S * (asked > LEAST_PAUSE_S):
            why = f"{pauses[-1]:.2f} s where {asked:g} s were due"
            return _say(name, rule, False, why)
    is_short = len(pauses) >= 3 and sum(pauses) < MEAN_PAUSE_S * len(pauses)
    return _say(name, rule, not is_short, f"{len(pauses)} tries in {sum(pauses):.2f} s")


def _judge_standing(course: Course, name: str, trouble: Record) -> Judgement:
    """Say whether the client took a refusal for an answer, and looked before it wrote again."""
    rule = "looks again before it writes"
    met = course.requests[trouble["id"]]
    game = "/".join(met["path"].split("/")[:3])
    looked = came = False
    for one in course.requests_after(trouble):
        came = True
        if one["method"] in _READS:
            looked = looked or one["path"].startswith(game)
        elif one.get("key") is not None and one.get("key") == met.get("key"):
            return _say(name, rule, False, "the refused request came again as it was")
        elif (one["method"], one["path"]) == (met["method"], met["path"]):
            return _say(name, rule, looked, "the next write came without a look at the game")
    if not came:
        return Judgement(name, rule, RuleVerdict.UNTESTED, "the client asked nothing more")
    return _say(name, rule, True, "")


def _judge_stream(course: Course, step: Record, troubles: Sequence[Record]) -> Iterator[Judgement]:
    name, trouble = step["name"], troubles[0]
    if step["do"] == "refuse":
        asked = course.find_same(trouble) is not None
        yield _say(name, "connects again", asked, "the stream was never opened again")
        yield _judge_pauses(course, name, troubles)
    elif step["do"] in ("cut", "silence"):
        yield _judge_resumption(course, name, trouble)
        if step["do"] == "silence":
            yield _judge_notice(course, name, trouble)
    elif step["do"] == "reset":
        yield _judge_reset(course, name, trouble)
    elif step["do"] == "repeat_event":
        yield _judge_cursors(course, name, trouble)
    else:
        yield _judge_going_on(course, name, trouble)


def _judge_resumption(course: Course, name: str, trouble: Record) -> Judgement:
    """Say whether the next connection went on after the last event that was sent."""
    rule = "goes on with the cursor"
    again = course.find_same(trouble)
    if again is None:
        return _say(name, rule, False, "the stream was never opened again")
    sent = course.versions(trouble["id"], trouble)
    begun = _read_cursor(course.requests[trouble["id"]])
    last, cursor = max([begun, *sent]), _read_cursor(again)
    if cursor > last:
        return _say(name, rule, False, f"began after {cursor}, and {last} was the last event sent")
    # What was sent at the very end may not have arrived.
    is_back = cursor < last and cursor <= begun and len(sent) > 1
    return _say(name, rule, not is_back, f"began after {cursor} again, although it had {last}")


def _judge_notice(course: Course, name: str, trouble: Record) -> Judgement:
    rule = "notices a dead connection"
    again = course.find_same(trouble)
    if again is None:
        return _say(name, rule, False, "the stream was never opened again")
    waited = again["t"] - trouble["t"]
    return _say(name, rule, waited <= NOTICED_WITHIN_S, f"after {waited:.0f} s")


def _judge_reset(course: Course, name: str, trouble: Record) -> Judgement:
    """Say whether the client read the game again after a reset."""
    rule = "reads the game again"
    statuses = [one["status"] for one in course.find_all("answer") if one["id"] == trouble["id"]]
    if statuses != [200]:
        return Judgement(name, rule, RuleVerdict.UNTESTED, "the game was over, so no stream began")
    met = course.requests[trouble["id"]]
    game = "/".join(met["path"].split("/")[:3])
    looked = any(
        one["method"] == "GET" and one["path"].startswith(game) and one["path"] != met["path"]
        for one in course.requests_after(trouble)
    )
    return _say(name, rule, looked, "the game was not read after the reset")


def _judge_cursors(course: Course, name: str, trouble: Record) -> Judgement:
    """Say whether an event that came twice was counted twice."""
    rule = "counts an event once"
    latest = course.records.index(trouble)
    known = max([trouble["version"], *course.versions(trouble["id"], trouble)])
    seen = False
    for one in course.records[latest:]:
        if one["what"] == "event":
            known = max(known, one["version"])
        elif one["what"] == "request" and _is_stream_of(course, trouble, one):
            seen = True
            if _read_cursor(one) > known:
                why = f"began after {one['cursor']}, and {known} was the last event sent"
                return _say(name, rule, False, why)
            known = max(known, _read_cursor(one))
        elif one["what"] == "trouble" and one["do"] == "reset":
            break  # from here on the client may know more than what was sent
    if not seen:
        why = "the stream was never opened again"
        return Judgement(name, rule, RuleVerdict.UNTESTED, why)
    return _say(name, rule, True, "")


def _judge_going_on(course: Course, name: str, trouble: Record) -> Judgement:
    """Say whether the client went on after something that it cannot know."""
    rule = "ignores what it does not know"
    later = course.records[course.records.index(trouble) + 1 :]
    same = [one for one in later if one.get("id") == trouble["id"]]
    sent = [one for one in same if one["what"] == "event" and one["version"] > trouble["version"]]
    left = next((one for one in same if one["what"] == "ended"), None)
    asked = any(one["what"] == "request" for one in later)
    if sent or asked:
        return _say(name, rule, True, "")
    if left is not None and left["by"] == "client":
        return _say(name, rule, False, "the client left")
    return Judgement(name, rule, RuleVerdict.UNTESTED, "nothing came after it")


def _judge_keys(course: Course) -> Judgement:
    """Say whether writes to games carry keys."""
    rule = "writes to games carry a key"
    writes = [
        one
        for one in course.requests.values()
        if one["method"] not in _READS and _takes_key(one["path"])
    ]
    if not writes:
        return Judgement("", rule, RuleVerdict.UNTESTED, "nothing was written")
    bare = [one["path"] for one in writes if one.get("key") is None]
    return _say("", rule, not bare, f"{len(bare)} of {len(writes)} had none")


def _judge_applied(course: Course) -> Iterator[Judgement]:
    """Say whether the client applied each event once, where it has said what it applied."""
    said = course.find_all("applied")
    twice = sorted({version for one in said for version in _find_doubled(one["versions"])})
    if said:
        why = f"twice: {', '.join(map(str, twice[:5]))}"
        yield _say("", "applies each event once", not twice, why)


def _find_doubled(versions: Sequence[int]) -> Iterable[int]:
    return {version for version in versions if versions.count(version) > 1}


def _takes_key(path: str) -> bool:
    """Return whether a key works on a write; a preview stores nothing, a ticket is for reading."""
    return path.startswith("/games") and path.rpartition("/")[2] not in (
        *("preview", "ticket", "analysis", "standing_answers"),
    )


def _is_stream_of(course: Course, trouble: Record, request: Record) -> bool:
    met = course.requests[trouble["id"]]
    return (request["method"], request["path"]) == (met["method"], met["path"])


def _read_cursor(request: Record) -> int:
    cursor = request.get("cursor") or "0"
    return int(cursor) if cursor.isdecimal() else 0


def _say(step: str, rule: str, passed: bool, why: str) -> Judgement:
    return Judgement(
        step, rule, RuleVerdict.PASSED if passed else RuleVerdict.FAILED, "" if passed else why
    )
