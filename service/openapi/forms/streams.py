"""The form in OpenAPI 3.2, in which a stream says of what type each of its items is."""

from __future__ import annotations

from typing import Any

import orjson

from cartulary.service.openapi.forms.reach import list_operations
from cartulary.service.openapi.forms.schema_walk import reference

Json = dict[str, Any]

VERSION = "3.2.0"
LINE = "StreamLine"
"""The component of what a stream may send."""

SSE, NDJSON = "text/event-stream", "application/x-ndjson"

_ITEM: Json = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "event": {"type": "string", "description": "What the data is, for `addEventListener`."},
        "id": {"type": "string", "description": "For `Last-Event-ID`."},
        "data": {
            "type": "string",
            "description": "The line, as JSON.",
            "contentMediaType": "application/json",
            "contentSchema": reference(LINE),
        },
        "retry": {"type": "integer", "description": "Milliseconds before the next attempt."},
    },
}


def type_streams(described: Json) -> Json:
    """Return a description (3.1) in 3.2: every stream of server-sent events has an `itemSchema`.

    Such a stream also comes as NDJSON, with a `StreamLine` in each line. NDJSON that does not come
    as server-sent events is a file, and stays as it is.
    """
    typed: Json = orjson.loads(orjson.dumps(described))
    typed["openapi"] = VERSION
    items = {SSE: _ITEM, NDJSON: reference(LINE)}
    if LINE not in typed["components"]["schemas"]:
        return typed
    for operation in list_operations(typed):
        for response in operation["responses"].values():
            content = response.get("content", {})
            if SSE in content:
                content |= {media: {"itemSchema": items[media]} for media in content}
    return typed
