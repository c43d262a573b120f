"""Bodies in and out: strict JSON, refused with a code before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, request
from gunicorn.http.errors import ParseException
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MIMEAccept

from cartulary.service.http.context import environ, parts
from cartulary.service.http.problems import Invalid, Problem, invalid
from cartulary.service.process.sockets import TooSlow

# Deeper than anything of ours; a bound keeps every later walk over a body away from recursion.
MAX_DEPTH = 32

JSON = "application/json"
_CHARSETS = ("utf-8", "utf8", "us-ascii")

_PIECE = 64 * 1024
_DROPPED = 8 * 1024 * 1024


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return `value`, or the JSON text that it is, as a JSON answer."""
    body = value if type(value) is bytes else orjson.dumps(value)
    return Response(body, status, headers, content_type=JSON)


def form_of_answer(*forms: str) -> str:
    """Return the media type that `Accept` likes best, the first of `forms` when it names none.

    Parameters (`; charset=utf-8`) do not count: none of ours has several forms of one type.
    """
    liked = [(kind.partition(";")[0].strip(), q) for kind, q in request.accept_mimetypes]
    return MIMEAccept(liked).best_match(forms, forms[0])


def read_body(
    schema: Schema,
    *,
    limit: int | None = None,
    optional: bool = False,
    quick: Callable[[Any], bool] | None = None,
) -> Any:
    """Return the body of the request as `schema` loads it.

    Raises `Problem`: 415 when it does not call itself JSON, 413 above `limit` bytes (default: the
    limit of the app), 400 when it is not strict JSON, 422 when it does not fit the schema. With
    `optional`, no body at all stands for an empty object. `quick` may tell of an object that the
    schema would load it as it is.
    """
    asked = environ()
    raw = _read(asked, limit or parts().settings.max_body)
    if optional and not raw:
        return load(schema, {})
    if asked.get("CONTENT_TYPE") != JSON or "HTTP_CONTENT_ENCODING" in asked:
        _must_say_json(asked.get("HTTP_CONTENT_ENCODING", ""))
    value = parse_json(raw)
    if quick is not None and isinstance(value, dict) and quick(value):
        return value
    return load(schema, value)


def _read(asked: dict[str, Any], limit: int) -> bytes:
    """Return the body; refuses one that is longer than `limit`, whether it says so or not."""
    stream, length = asked["wsgi.input"], asked.get("CONTENT_LENGTH", "")
    if length.isdecimal():
        too_large = int(length) > limit
        body = b"" if too_large else _take(stream, int(length))
        if not too_large and len(body) < int(length):
            raise _ended_early()
    elif asked.get("wsgi.input_terminated"):
        body = _take(stream, limit + 1)
        too_large = len(body) > limit
    else:
        return b""
    if too_large:
        _drop(stream)
        raise Problem("too_large", f"the body may have {limit} bytes at most")
    return body


def _take(stream: Any, size: int) -> bytes:
    """Return up to `size` bytes; refuses chunks that cannot be read, or that stop coming."""
    try:
        taken: bytes = stream.read(size)
    except TooSlow as error:
        raise Problem("request_timeout", str(error)) from error
    except ParseException as error:
        raise Problem("bad_request", str(error)) from error
    except OSError as error:
        raise _ended_early() from error
    return taken


def _ended_early() -> Problem:
    return Problem("malformed_json", "the body has ended early")


def _drop(stream: Any) -> None:
    """Take what is still coming, within reason: so the connection can be used again."""
    for _ in range(_DROPPED // _PIECE):
        if not _take(stream, _PIECE):
            return


def _must_say_json(coding: str) -> None:
    """Refuse what does not call itself plain JSON in UTF-8."""
    kind, charset = request.mimetype, request.mimetype_params.get("charset", "utf-8")
    if not _is_json(kind):
        asked, wanted = kind or "a body without Content-Type", {"Accept": JSON}
    elif charset.lower() not in _CHARSETS:
        asked, wanted = f"the charset {charset}", {"Accept": JSON}
    elif coding.strip().lower() not in ("", "identity"):
        asked, wanted = f"with {coding}", {"Accept-Encoding": "identity"}
    else:
        return
    detail = f"send {JSON} in UTF-8 without any coding, not {asked}"
    raise Problem("unsupported_media_type", detail, headers=wanted)


def _is_json(mimetype: str) -> bool:
    return mimetype == JSON or (mimetype.startswith("application/") and mimetype.endswith("+json"))


def parse_json(raw: bytes) -> Any:
    """Return the value of strict JSON in UTF-8: no NaN, no lone surrogates, no abysses.

    Raises `Problem` 400 `malformed_json`.
    """
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Problem("malformed_json", str(error)) from None
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _deeper_than(value, MAX_DEPTH):
        raise Problem("malformed_json", f"the body is nested more than {MAX_DEPTH} deep")
    return value


def _deeper_than(value: Any, depth: int) -> bool:
    level = [value]
    while level and depth >= 0:
        depth -= 1
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        level = [item for item in inner if isinstance(item, dict | list)]
    return bool(level)


def load(schema: Schema, value: Any) -> Any:
    """Return `value` as `schema` loads it; raises `Invalid` with a pointer for each fault."""
    if not isinstance(value, dict):
        raise invalid("", "must be an object")
    try:
        return schema.load(value)
    except ValidationError as error:
        raise Invalid(pointers(error.messages)) from None


def pointers(messages: Any, path: str = "") -> list[dict[str, str]]:
    """Return marshmallow's tree of messages as a list of JSON pointers (RFC 6901) with details."""
    if isinstance(messages, str):
        return [{"pointer": path, "detail": _plain(messages)}]
    if isinstance(messages, list):
        return [entry for message in messages for entry in pointers(message, path)]
    return [
        entry
        for key, inner in messages.items()
        for entry in pointers(inner, path if key == "_schema" else f"{path}/{_escape(key)}")
    ]


def _escape(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _plain(message: str) -> str:
    """Marshmallow writes sentences; ours are details without a capital and a full stop."""
    return (message[:1].lower() + message[1:]).rstrip(".")
