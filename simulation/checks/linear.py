"""Whether there is an order of all calls to a game in which each answer is right.

A checker in the manner of Porcupine (Wing and Gong, with the memory of Lowe), for one game: its
state is the version of the stream, whose events the pure fold has judged already (the audit). A
call happens at one moment between its sending and its answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulation.checks.history import NotedCall

MOST_STATES = 200_000
"""The most states that are looked at; a history that needs more is reported, not passed."""


class TooWide(Exception):
    """Too many calls overlap to decide within `MOST_STATES`."""


def find_disorder(calls: Sequence[NotedCall], last_version: int) -> str:
    """Say which answer fits in no order of the calls to one game; empty when all fit.

    Versions that no call has appended belong to bots, timers and scores: they may come about at any
    moment. Raises `TooWide`.
    """
    ordered = sorted(_join(calls), key=lambda call: (call.called, call.returned))
    owned = {
        version for call in calls if call.first for version in range(call.first, call.last + 1)
    }
    stuck = _search(ordered, owned, last_version)
    return "" if stuck is None else _describe(stuck)


def _join(calls: Iterable[NotedCall]) -> Iterable[NotedCall]:
    """Yield each append once: it happened before the first answer to its key."""
    appended: dict[str, NotedCall] = {}
    for call in calls:
        known = appended.get(call.key) if call.first else None
        if not call.first or not call.key:
            yield call
        elif known is None:
            appended[call.key] = call
        else:
            appended[call.key] = known._replace(
                called=min(known.called, call.called), returned=min(known.returned, call.returned)
            )
    yield from appended.values()


def _describe(call: NotedCall) -> str:
    what = f"appended {call.first}..{call.last}" if call.first else f"saw version {call.seen}"
    return f"{call.game}: {call.what} of {call.who} at {call.called / 1e9:.3f} {what}"


def _search(calls: Sequence[NotedCall], owned: set[int], last_version: int) -> NotedCall | None:
    """Return a call that fits nowhere, None when there is an order."""
    seen: set[tuple[frozenset[int], int]] = set()
    deepest: tuple[int, NotedCall | None] = (-1, None)
    # The calls before `done` have all happened, and those in `ahead` as well.
    waiting: list[tuple[int, frozenset[int], int]] = [(0, frozenset(), 0)]
    while waiting:
        done, ahead, version = waiting.pop()
        while done in ahead:
            ahead -= {done}
            done += 1
        if done == len(calls):
            return None
        if (state := (ahead | {done}, version)) in seen:
            continue
        seen.add(state)
        if len(seen) > MOST_STATES:
            raise TooWide(f"more than {MOST_STATES} states")
        if done > deepest[0]:
            deepest = done, calls[done]
        waiting += _list_next(calls, done, ahead, version, owned, last_version)
    return deepest[1]


def _list_next(
    calls: Sequence[NotedCall],
    done: int,
    ahead: frozenset[int],
    version: int,
    owned: set[int],
    last_version: int,
) -> Iterable[tuple[int, frozenset[int], int]]:
    """Yield the states after one more call; the best guess last, because it is taken first."""
    found = []
    # A call may happen next unless another one was answered before it was sent.
    earliest = min(calls[n].returned for n in range(done, _end(calls, done)) if n not in ahead)
    for number in range(done, len(calls)):
        call = calls[number]
        if call.called > earliest:
            break
        if number in ahead:
            continue
        after = _happen(call, version, owned, last_version)
        if after is not None:
            found.append((after, number))
    for after, number in sorted(found, reverse=True):
        yield done, ahead | {number}, after


def _end(calls: Sequence[NotedCall], done: int) -> int:
    """Return a number of calls after `done` that covers each that may be the first to return."""
    first = calls[done].returned
    end = done + 1
    while end < len(calls) and calls[end].called <= first:
        end += 1
    return end


def _happen(call: NotedCall, version: int, owned: set[int], last_version: int) -> int | None:
    """Return the version after a call at this version, None when it cannot happen now.

    What no call has appended comes about as late as a call needs it.
    """
    if call.first:
        return call.last if _is_reached(version, call.first - 1, owned) else None
    if not call.seen:
        return version
    wanted = call.seen
    if wanted > last_version or not _is_reached(version, wanted, owned):
        return None
    return wanted


def _is_reached(version: int, wanted: int, owned: set[int]) -> bool:
    """Return whether a stream comes from one version to another without a call of a client."""
    if wanted < version:
        return False
    return not any(one in owned for one in range(version + 1, wanted + 1))
