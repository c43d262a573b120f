"""Bodies: strict JSON, refused with a code before anything else looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import orjson
from flask import request
from marshmallow import Schema, ValidationError

from cartulary.engine import strict
from cartulary.service.http.operations import JSON
from cartulary.service.http.shared.services import Services
from cartulary.service.http.wire.environ import Environ
from cartulary.service.http.wire.problems import InvalidProblem, Problem, invalid
from cartulary.service.server.unreadable import TooSlow, Unreadable

_CHARSETS = ("utf-8", "utf8", "us-ascii")

PLAIN_JSON = frozenset(
    f"application/json{more}"
    for more in ("", "; charset=utf-8", ";charset=utf-8", "; charset=UTF-8", ";charset=UTF-8")
)
"""How nearly all clients say that a body is JSON; any other form of words is parsed by Flask."""

_PIECE = 64 * 1024
_DROPPED = 8 * 1024 * 1024


def bind_body(
    schema: Schema,
    limit: Literal["max_body", "max_import"],
    *,
    optional: bool,
) -> Callable[[Environ, Services], Any]:
    """Return a function that reads the body of a request as `schema` loads it.

    The function raises `Problem`: 415 for a body that does not call itself JSON, 413 above the
    setting `limit` (bytes), 400 for what is not strict JSON, 422 for what does not fit the schema.
    With `optional`, a missing body stands for an empty object.
    """

    def read(environ: Environ, services: Services) -> Any:
        raw = _read(environ, getattr(services.settings, limit))
        if optional and not raw:
            return load(schema, {})
        if environ.get("CONTENT_TYPE") not in PLAIN_JSON or "HTTP_CONTENT_ENCODING" in environ:
            _check_media_type(environ.get("HTTP_CONTENT_ENCODING", ""))
        return load(schema, parse_json(raw))

    return read


def _read(environ: Environ, limit: int) -> bytes:
    """Return the body; refuses a body longer than `limit`, whether it says so or not."""
    stream, length = environ["wsgi.input"], environ.get("CONTENT_LENGTH", "")
    if length.isdecimal():
        too_large = int(length) > limit
        body = b"" if too_large else _take(stream, int(length))
        if not too_large and len(body) < int(length):
            raise _end_early()
    elif environ.get("wsgi.input_terminated"):
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
    except Unreadable as error:
        raise Problem("bad_request", str(error)) from error
    except OSError as error:
        raise _end_early() from error
    return taken


def _end_early() -> Problem:
    return Problem("malformed_json", "the body has ended early")


def _drop(stream: Any) -> None:
    """Read the rest of a refused body, up to a bound, so that the connection can be used again."""
    for _ in range(_DROPPED // _PIECE):
        if not _take(stream, _PIECE):
            return


def _check_media_type(coding: str) -> None:
    """Refuse what does not call itself plain JSON in UTF-8."""
    kind, charset = request.mimetype, request.mimetype_params.get("charset", "utf-8")
    if kind != JSON:
        given, wanted = kind or "a body without Content-Type", {"Accept": JSON}
    elif charset.lower() not in _CHARSETS:
        given, wanted = f"the charset {charset}", {"Accept": JSON}
    elif coding.strip().lower() not in ("", "identity"):
        given, wanted = f"with {coding}", {"Accept-Encoding": "identity"}
    else:
        return
    detail = f"send {JSON} in UTF-8 without any coding, not {given}"
    raise Problem("unsupported_media_type", detail, headers=wanted)


def parse_json(raw: bytes) -> Any:
    """Return the value of strict JSON; raises `Problem` 400 `malformed_json`."""
    try:
        return strict.parse(raw, orjson.loads)
    except strict.Malformed as error:
        raise Problem("malformed_json", f"the body is {error}") from None


def load(schema: Schema, value: Any) -> Any:
    """Return `value` as `schema` loads it; raises `InvalidProblem` with a pointer to each fault."""
    if not isinstance(value, dict):
        raise invalid("", "must be an object")
    try:
        return schema.load(value)
    except ValidationError as error:
        raise InvalidProblem(list_faults(error.messages)) from None


def list_faults(messages: Any, path: str = "") -> list[dict[str, str]]:
    """Return marshmallow's tree of messages as a list of JSON pointers (RFC 6901) with details."""
    if isinstance(messages, str):
        return [{"pointer": path, "detail": _shorten(messages)}]
    if isinstance(messages, list):
        return [entry for message in messages for entry in list_faults(message, path)]
    return [
        entry
        for key, inner in messages.items()
        for entry in list_faults(inner, path if key == "_schema" else f"{path}/{_escape(key)}")
    ]


def _escape(key: object) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")


def _shorten(message: str) -> str:
    """Turn a sentence of marshmallow into a detail without a capital and a full stop."""
    return (message[:1].lower() + message[1:]).rstrip(".")
