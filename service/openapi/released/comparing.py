"""What breaks a client of the last release, and which version of the API a change needs.

Answers are compared by the open descriptions, requests by the closed ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

from cartulary.service.openapi.released.fitting import SchemaFitting

Json = dict[str, Any]

_WORDS = ("description", "summary", "examples", "example", "tags", "info", "title")


class Forms(NamedTuple):
    """The two forms of one description that are compared."""

    closed: Json
    open: Json


def find_breaks(old: Forms, new: Forms, today: date) -> list[str]:
    """Return in words what of the new description breaks a client of the old one.

    What was deprecated in the old one and has passed its sunset on the day `today` may be gone.
    """
    return [
        *_find_gone(old.open, new.open, today),
        *_compare_answers(old.open, new.open),
        *_compare_webhooks(old, new),
        *_compare_requests(old.closed, new.closed),
    ]


def find_version(old: Json, new: Json) -> str:
    """Return the version that the new closed description needs at least.

    Something new raises the minor version, other words raise the patch.
    """
    released: str = old["info"]["version"]
    major, minor, patch = (int(part) for part in released.split("."))
    if _strip_words(old) != _strip_words(new):
        return f"{major}.{minor + 1}.0"
    same = {**old, "info": {}} == {**new, "info": {}}
    return released if same else f"{major}.{minor}.{patch + 1}"


def is_at_least(version: str, needed: str) -> bool:
    """Return whether a version is not older than another."""
    return _numbers(version) >= _numbers(needed)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _strip_words(value: Any) -> Any:
    """Return a description without its texts; a property may be named like one of them."""
    if isinstance(value, list):
        return [_strip_words(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _strip_words(one)
        for key, one in value.items()
        if key not in _WORDS or (isinstance(one, dict) and key != "info" and key != "examples")
    }


# -- what is gone ----------------------------------------------------------------------------------


def _find_gone(old: Json, new: Json, today: date) -> Iterator[str]:
    before, after = dict(_operations(old)), dict(_operations(new))
    for call, operation in before.items():
        if call not in after:
            if not _is_over(operation, today):
                yield f"{call} is gone"
        elif after[call]["operationId"] != operation["operationId"]:
            yield f"{call} has another operationId: {after[call]['operationId']}"
    schemas, now = old["components"]["schemas"], new["components"]["schemas"]
    for name, schema in schemas.items():
        if name not in now:
            yield f"the schema {name} is gone: generators name a class after it"
            continue
        for field, described in schema.get("properties", {}).items():
            if field not in now[name].get("properties", {}) and not _is_over(described, today):
                yield f"{name}.{field} is gone"


def _is_over(described: Json, today: date) -> bool:
    """Return whether something was deprecated, and its time has passed."""
    return "x-sunset" in described and date.fromisoformat(described["x-sunset"]) <= today


def _operations(description: Json) -> Iterator[tuple[str, Json]]:
    for path, found in description["paths"].items():
        for method, operation in found.items():
            yield f"{method.upper()} {path}", operation


def _common(old: Json, new: Json) -> Iterator[tuple[str, Json, Json]]:
    after = dict(_operations(new))
    for call, operation in _operations(old):
        if call in after:
            yield call, operation, after[call]


# -- answers ---------------------------------------------------------------------------------------


def _compare_answers(old: Json, new: Json) -> Iterator[str]:
    fitting = SchemaFitting(new["components"]["schemas"], old["components"]["schemas"])
    for call, before, after in _common(old, new):
        for status, response in before["responses"].items():
            answered = after["responses"].get(status)
            if answered is None:
                if status.startswith("2"):
                    yield f"{call} no longer answers {status}"
                continue
            for media, content in response.get("content", {}).items():
                if media not in answered.get("content", {}):
                    yield f"{call} no longer answers {media}"
                    continue
                now = answered["content"][media]
                for key in {"schema", "itemSchema"} & content.keys() & now.keys():
                    place = f"{call} {status}"
                    for misfit in fitting.find_misfits(now[key], content[key], place):
                        yield f"an answer breaks clients: {misfit.place}: {misfit.reason}"


# -- webhooks --------------------------------------------------------------------------------------


def _compare_webhooks(old: Forms, new: Forms) -> Iterator[str]:
    """Compare what is sent to webhooks, as answers, and what they answer, as requests."""
    for name, webhook in old.open.get("webhooks", {}).items():
        sent = new.open.get("webhooks", {}).get(name)
        if sent is None:
            yield f"the webhook {name} is gone"
            continue
        fitting = SchemaFitting(
            new.open["components"]["schemas"], old.open["components"]["schemas"]
        )
        pair = _read_body(sent["post"]), _read_body(webhook["post"])
        for misfit in fitting.find_misfits(*pair, f"webhook {name}"):
            yield f"a message breaks receivers: {misfit.place}: {misfit.reason}"
        yield from _compare_receipts(name, old.closed, new.closed)


def _compare_receipts(name: str, old: Json, new: Json) -> Iterator[str]:
    fitting = SchemaFitting(old["components"]["schemas"], new["components"]["schemas"])
    before, after = (one["webhooks"][name]["post"]["responses"] for one in (old, new))
    for status, response in before.items():
        if status not in after:
            yield f"the webhook {name} may no longer answer {status}"
            continue
        for media, content in response.get("content", {}).items():
            taken = after[status]["content"][media]["schema"]
            place = f"webhook {name} {status}"
            for misfit in fitting.find_misfits(content["schema"], taken, place):
                yield f"an answer to a webhook is refused: {misfit.place}: {misfit.reason}"


def _read_body(operation: Json) -> Json:
    schema: Json = operation["requestBody"]["content"]["application/json"]["schema"]
    return schema


# -- requests --------------------------------------------------------------------------------------


def _compare_requests(old: Json, new: Json) -> Iterator[str]:
    fitting = SchemaFitting(old["components"]["schemas"], new["components"]["schemas"])
    for call, before, after in _common(old, new):
        if _is_public(before) and not _is_public(after):
            yield f"{call} needs a token now"
        yield from _compare_parameters(call, before, after, fitting)
        yield from _compare_bodies(call, before, after, fitting)


def _is_public(operation: Json) -> bool:
    """Return whether an operation may be called without a token."""
    return not operation["security"] or {} in operation["security"]


def _compare_parameters(
    call: str, before: Json, after: Json, fitting: SchemaFitting
) -> Iterator[str]:
    known = {(one["in"], one["name"]): one for one in before.get("parameters", ())}
    now = {(one["in"], one["name"]): one for one in after.get("parameters", ())}
    for key, parameter in now.items():
        if key not in known and parameter.get("required"):
            yield f"{call} needs {parameter['name']} ({parameter['in']}) now"
    for key, parameter in known.items():
        place = f"{call} {parameter['name']}"
        if key not in now:
            if parameter["in"] != "header":
                yield f"{place} is refused now"
            continue
        if now[key].get("required") and not parameter.get("required"):
            yield f"{place} is required now"
        for misfit in fitting.find_misfits(parameter["schema"], now[key]["schema"], place):
            yield f"a request is refused: {misfit.place}: {misfit.reason}"


def _compare_bodies(call: str, before: Json, after: Json, fitting: SchemaFitting) -> Iterator[str]:
    sent, read = before.get("requestBody"), after.get("requestBody")
    if read is not None and read.get("required") and not (sent or {}).get("required"):
        yield f"{call} needs a body now"
    for media, content in (sent or {}).get("content", {}).items():
        taken = (read or {}).get("content", {}).get(media)
        if taken is None:
            yield f"{call} no longer takes {media}"
            continue
        for misfit in fitting.find_misfits(content["schema"], taken["schema"], call):
            yield f"a request is refused: {misfit.place}: {misfit.reason}"
